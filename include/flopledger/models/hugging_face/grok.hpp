// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Grok.

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

/// A norm on both sides of each sublayer. Grok-2 puts a dense feed-forward layer of `intermediate_size` beside experts
/// of `moe_intermediate_size`, as a shared expert stands beside others (residual_moe), and unties its head; its files
/// have Grok-1's class name (Grok1DecoderLayer of sglang's models/grok.py).
constexpr block_shape grok_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_mixture_shape(in, known);
  s.placement = norms::sandwich;
  // No layer of Grok has a window: −1.
  if (const json::value* window = in.find(field::sliding_window_size); window != nullptr && window->integer != -1)
    in.fail(config_problem::unknown, field::sliding_window_size);
  s.expert_intermediate = in.count_or(field::moe_intermediate_size, s.intermediate);
  if (in.flag_or(field::residual_moe, false)) {
    s.shared_intermediate = s.intermediate;
    s.tied = in.flag_or(field::tie_word_embeddings, false);
  }
  return s;
}

inline constexpr architecture grok_family[] = {
    {.model_type = "grok-1",
     .class_prefix = "Grok1",
     .shape = grok_shape,
     .tied = true,
     .activation = activation_function::gelu_tanh},
};

}  // namespace flopledger::hugging_face
