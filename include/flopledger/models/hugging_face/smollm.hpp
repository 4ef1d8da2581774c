// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// SmolLM3 (SmolLM and SmolLM2 are LLaMA).

#include <flopledger/models/hugging_face/llama.hpp>

namespace flopledger::hugging_face {

/// LLaMA's block. A window, where use_sliding_window asks for one, is in the layers without rotary positions
/// (configuration_smollm3.py).
constexpr block_shape smollm3_shape(const config_fields& in, const architecture& known) {
  block_shape s = llama_shape(in, known);
  if (!in.flag_or(field::use_sliding_window, false))
    s.window = 0;
  else if (!read_layer_types(in, s))
    s.windowed = every_last_of(in.count_or(field::no_rope_layer_interval, 4), s.layers);
  return s;
}

inline constexpr architecture smollm_family[] = {
    {.model_type = "smollm3", .class_prefix = "SmolLM3", .shape = smollm3_shape, .tied = true, .kv_heads = 4},
};

}  // namespace flopledger::hugging_face
