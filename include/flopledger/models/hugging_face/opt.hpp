// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// OPT.

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

constexpr transformer_config read_opt(const model_file& file) {
  const config_fields& in = file.in;
  block_shape s = read_shape(in, file.known);
  make_classic(s);
  s.intermediate = in.count(field::ffn_dim);
  s.activation = activation_named(in, field::activation_function, activation_function::relu);
  s.positions = in.count_or(field::max_position_embeddings, 2048) + 2;  // OPT looks positions up two rows further on
  const bool biased = in.flag_or(field::enable_bias, true);
  set_attention_biases(s, biased, biased);
  s.feed_bias = biased;
  const bool affine = in.flag_or(field::layer_norm_elementwise_affine, true);
  s.norm = {.kind = norm_kind::layer, .weight = affine, .bias = affine};
  const bool before = in.flag_or(field::do_layer_norm_before, true);
  s.placement = before ? norms::pre : norms::post;
  s.final_norm = before && !in.flag_or(field::_remove_final_layer_norm, false);
  s.dropout = in.share_or(field::dropout, file.known.dropout) > 0;
  transformer_config made = finish(in, s, file.class_name);
  const std::int64_t width = in.count_or(field::word_embed_proj_dim, s.hidden);
  if (width != s.hidden) {
    made.embedding.width = width;
    made.embedding.projection = made.head.projection = true;
  }
  return made;
}

inline constexpr architecture opt_family[] = {
    {.model_type = "opt", .class_prefix = "OPT", .read = read_opt, .tied = true, .gated = false, .dropout = 0.1},
};

}  // namespace flopledger::hugging_face
