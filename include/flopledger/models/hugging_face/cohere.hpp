// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Command-R: attention and feed-forward side by side under one norm.

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

constexpr block_shape cohere_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_dense_shape(in, known);
  read_attention_bias(in, known, s);
  s.norm = layer_norm_without_bias;
  s.parallel = true;
  s.placement = norms::shared;
  if (in.flag_or(field::use_qk_norm, false)) {
    s.query_key_norm = qk_norm::every_head;
    s.query_key_norm_kind = norm_kind::layer;
  }
  return s;
}

/// Command-R7B and Command-A: three of four layers with a window.
constexpr block_shape cohere2_shape(const config_fields& in, const architecture& known) {
  block_shape s = cohere_shape(in, known);
  if (!read_layer_types(in, s))
    s.windowed = all_layers(s) - every_last_of(in.count_or(field::sliding_window_pattern, 4), s.layers);
  return s;
}

inline constexpr architecture cohere_family[] = {
    {.model_type = "cohere", .class_prefix = "Cohere", .shape = cohere_shape, .tied = true},
    {.model_type = "cohere2", .class_prefix = "Cohere2", .shape = cohere2_shape, .tied = true, .window = 4096},
};

}  // namespace flopledger::hugging_face
