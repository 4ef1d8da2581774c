// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Mistral and Mixtral.

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

constexpr block_shape mistral_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_dense_shape(in, known);
  s.windowed = all_layers(s);
  return s;
}

constexpr block_shape mixtral_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_mixture_shape(in, known);
  s.windowed = all_layers(s);
  return s;
}

inline constexpr architecture mistral_family[] = {
    {.model_type = "mistral", .class_prefix = "Mistral", .shape = mistral_shape, .kv_heads = 8, .window = 4096},
    {.model_type = "mixtral", .class_prefix = "Mixtral", .shape = mixtral_shape, .kv_heads = 8},
};

}  // namespace flopledger::hugging_face
