// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// MiniMax: Text-01 and M1, which mix lightning with full attention, and M2.

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

constexpr transformer_config read_minimax_text(const model_file& file) {
  const config_fields& in = file.in;
  block_shape s = read_shape(in, file.known);
  s.experts = in.count(field::num_local_experts);
  s.experts_per_token = in.count(field::num_experts_per_tok);
  s.expert_intermediate = s.intermediate = in.count(field::intermediate_size);
  s.shared_intermediate = in.count_or(field::shared_intermediate_size, 0, 0);
  s.sparse = layer_set::range(0, s.layers);
  s.rotary_fraction = read_rotary_dim(in, s.head_dim > 0 ? s.head_dim : s.hidden / s.heads, 64);
  transformer_config made = finish(in, s, file.class_name);
  // The first files list 0 for lightning and 1 for full attention; transformers' own class names each layer.
  layer_set lightning;
  const field list = in.which(field::attn_type_list, field::layer_types);
  const std::int64_t named = in.each(list, [&](const json::value& v, std::int64_t i) {
    const bool number = v.type == json::kind::integer;
    if (number ? v.integer == 0 : v.text == "linear_attention") {
      if (i < layer_set::capacity) lightning.insert(i);
    } else if (number ? v.integer != 1 : !(v.text == "full_attention")) {
      in.fail(config_problem::unknown, list, v.text);
    }
  });
  if (named != s.layers) in.contradict(list, named, field::num_hidden_layers, s.layers);
  made.stack.recurrence = recurrent_kind::lightning;
  made.stack.recurrent = lightning;
  made.stack.lightning = {.hidden = s.hidden, .heads = s.heads, .head_dim = made.stack.attention.head_dim};
  return made;
}

constexpr block_shape minimax_m2_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_mixture_shape(in, known);
  if (in.flag_or(field::use_qk_norm, true)) s.query_key_norm = qk_norm::per_projection;
  s.correction_bias = in.flag_or(field::use_routing_bias, true);
  if (in.has(field::rotary_dim))
    s.rotary_fraction = read_rotary_dim(in, s.head_dim > 0 ? s.head_dim : s.hidden / s.heads, 64);
  s.shared_intermediate = in.count_or(field::shared_intermediate_size, 0, 0);
  s.windowed = all_layers(s);
  return s;
}

inline constexpr architecture minimax_family[] = {
    {.model_type = "minimax_text_01", .class_prefix = "MiniMaxText01", .read = read_minimax_text},
    {.model_type = "minimax_m1", .class_prefix = "MiniMaxM1", .read = read_minimax_text},
    {.model_type = "minimax", .class_prefix = "MiniMax", .read = read_minimax_text},
    {.model_type = "minimax_m2", .class_prefix = "MiniMaxM2", .shape = minimax_m2_shape, .kv_heads = 8},
};

}  // namespace flopledger::hugging_face
