// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// OLMo, OLMo-2, OLMo-3 and OLMoE.

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

/// Its LayerNorm has nothing to learn.
constexpr block_shape olmo_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_dense_shape(in, known);
  read_attention_bias(in, known, s);
  s.norm = {.kind = norm_kind::layer, .weight = false, .bias = false};
  return s;
}

/// OLMo-2: norms after the sublayers and over whole projections. OLMo-3 has a window in three of four layers.
constexpr block_shape olmo2_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_dense_shape(in, known);
  read_attention_bias(in, known, s);
  s.placement = norms::post;
  s.query_key_norm = qk_norm::per_projection;
  if (s.window > 0 && !read_layer_types(in, s)) s.windowed = all_layers(s) - every_last_of(4, s.layers);
  return s;
}

constexpr block_shape olmoe_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_mixture_shape(in, known);
  read_attention_bias(in, known, s);
  s.query_key_norm = qk_norm::per_projection;
  return s;
}

inline constexpr architecture olmo_family[] = {
    {.model_type = "olmo", .class_prefix = "Olmo", .shape = olmo_shape},
    {.model_type = "olmo2", .class_prefix = "Olmo2", .shape = olmo2_shape},
    {.model_type = "olmo3", .class_prefix = "Olmo3", .shape = olmo2_shape, .window = 4096},
    {.model_type = "olmoe", .class_prefix = "Olmoe", .shape = olmoe_shape},
    {.model_type = "olmoe", .class_prefix = "OLMoE", .shape = olmoe_shape},
};

}  // namespace flopledger::hugging_face
