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
  const field list = in.which(field::attn_type_list, field::layer_types);
  made.stack.recurrent = read_listed_layers(in, list, s.layers, [&](const json::value& v) {
    const bool number = v.type == json::kind::integer;
    const bool lightning = number ? v.integer == 0 : v.text == "linear_attention";
    if (!lightning && (number ? v.integer != 1 : !(v.text == "full_attention")))
      in.fail(config_problem::unknown, list, v.text);
    return lightning;
  });
  made.stack.recurrence = recurrent_kind::lightning;
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

/// Layers that a list of 0 and 1 switches on.
constexpr layer_set read_switched_layers(const config_fields& in, field list, std::int64_t layers) {
  return read_listed_layers(in, list, layers, [&](const json::value& v) {
    const bool is_switch = v.type == json::kind::integer && (v.integer == 0 || v.integer == 1);
    if (!is_switch) in.fail(config_problem::wrong_type, list, v.text);
    return is_switch && v.integer == 1;
  });
}

constexpr block_shape minimax_m3_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_shape(in, known);
  s.window = 0;
  if (in.flag_or(field::attention_output_gate, false)) in.fail(config_problem::unknown, field::attention_output_gate);
  s.intermediate = in.count(field::dense_intermediate_size);
  s.experts = in.count_of(field::num_local_experts, field::num_experts);
  s.experts_per_token = in.count(field::num_experts_per_tok);
  s.expert_intermediate = in.count_or(field::moe_intermediate_size, in.count(field::intermediate_size));
  s.shared_intermediate =
      in.count_or(field::n_shared_experts, 1, 0) * in.count_or(field::shared_intermediate_size, s.expert_intermediate);
  s.correction_bias = in.flag_or(field::use_routing_bias, true);
  if (in.flag_or(field::use_qk_norm, true)) s.query_key_norm = qk_norm::per_head;
  const std::int64_t head_dim = s.head_dim > 0 ? s.head_dim : s.heads > 0 ? s.hidden / s.heads : 0;
  if (in.has(field::rotary_dim)) s.rotary_fraction = read_rotary_dim(in, head_dim, 64);
  const json::value* sparse = in.find(field::moe_layer_freq);
  s.sparse = sparse != nullptr && sparse->type == json::kind::array
                 ? read_switched_layers(in, field::moe_layer_freq, s.layers)
                 : layer_set::range(in.count_or(field::first_k_dense_replace, 0, 0), s.layers);
  return s;
}

/// MiniMax-M3 (MiniMaxM3VLAttention and MiniMaxM3VLIndexer of transformers): in most layers a query attends to the
/// blocks of tokens that an indexer chooses, each of whose heads serves the queries of one key head.
constexpr transformer_config read_minimax_m3(const model_file& file) {
  transformer_config made = read_wrapped(file);
  const config_fields sparse = file.in.in(config_scope::sparse_attention);
  if (!sparse.present() || !sparse.flag_or(field::use_sparse_attention, true)) return made;
  stack& blocks = made.stack;
  blocks.windowed = sparse.has(field::sparse_attention_freq)
                        ? read_switched_layers(sparse, field::sparse_attention_freq, blocks.layers)
                        : layer_set::range(0, blocks.layers);
  if (blocks.windowed.empty()) return made;
  const std::int64_t block = sparse.count(field::sparse_block_size),
                     heads = sparse.count(field::sparse_num_index_heads);
  if (heads != blocks.attention.kv_heads)
    sparse.contradict(field::sparse_num_index_heads, heads, field::num_key_value_heads, blocks.attention.kv_heads);
  blocks.span = attention_span::chosen;
  blocks.window = block * sparse.count(field::sparse_topk_blocks);
  const std::int64_t width = sparse.count(field::sparse_index_dim);
  const double turned = blocks.attention.rotary_dims;
  blocks.windowed_attention = blocks.attention;
  blocks.windowed_attention.block = block;
  blocks.windowed_attention.index = {.hidden = blocks.hidden,
                                     .query_in = blocks.hidden,
                                     .heads = heads,
                                     .head_dim = width,
                                     .rope_dim = static_cast<std::int64_t>(turned),
                                     .chosen = blocks.window,
                                     .by_head = true};
  return made;
}

inline constexpr architecture minimax_family[] = {
    {.model_type = "minimax_m3", .class_prefix = "MiniMaxM3", .shape = minimax_m3_shape, .read = read_minimax_m3},
    {.model_type = "minimax_m3", .class_prefix = "MiniMaxM3Sparse", .shape = minimax_m3_shape, .read = read_minimax_m3},
    {.model_type = "minimax_text_01", .class_prefix = "MiniMaxText01", .read = read_minimax_text},
    {.model_type = "minimax_m1", .class_prefix = "MiniMaxM1", .read = read_minimax_text},
    {.model_type = "minimax", .class_prefix = "MiniMax", .read = read_minimax_text},
    {.model_type = "minimax_m2", .class_prefix = "MiniMaxM2", .shape = minimax_m2_shape, .kv_heads = 8},
};

}  // namespace flopledger::hugging_face
