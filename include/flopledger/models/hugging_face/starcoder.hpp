// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// StarCoder2 (StarCoder is GPT-BigCode).

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

constexpr block_shape starcoder2_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_dense_shape(in, known);
  const bool biased = in.flag_or(field::use_bias, true);
  s.norm = layer_norm;
  s.gated = known.gated;
  s.feed_bias = biased;
  set_attention_biases(s, biased, biased);
  s.windowed = all_layers(s);
  return s;
}

inline constexpr architecture starcoder_family[] = {
    {.model_type = "starcoder2",
     .class_prefix = "Starcoder2",
     .shape = starcoder2_shape,
     .tied = true,
     .kv_heads = 2,
     .gated = false,
     .activation = activation_function::gelu_tanh},
};

}  // namespace flopledger::hugging_face
