// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Nemotron.

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

constexpr block_shape nemotron_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_dense_shape(in, known);
  read_attention_bias(in, known, s);
  s.norm = layer_norm;
  s.gated = known.gated;
  s.feed_bias = in.flag_or(field::mlp_bias, false);
  return s;
}

inline constexpr architecture nemotron_family[] = {
    {.model_type = "nemotron",
     .class_prefix = "Nemotron",
     .shape = nemotron_shape,
     .gated = false,
     .rotary_fraction = 0.5,
     .activation = activation_function::relu_squared},
};

}  // namespace flopledger::hugging_face
