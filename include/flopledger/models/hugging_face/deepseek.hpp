// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// DeepSeek, and families that name their experts as it does: Kimi-K2, dots.llm1.

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

constexpr void read_latent_attention(const config_fields& in, block_shape& s, bool query_latent = true) {
  s.latent_rank = in.count(field::kv_lora_rank);
  s.query_rank = !query_latent || in.has_null(field::q_lora_rank) ? 0 : in.count(field::q_lora_rank);
  s.nope_dim = in.count(field::qk_nope_head_dim);
  s.rope_dim = in.count(field::qk_rope_head_dim);
  s.value_dim = in.count(field::v_head_dim);
  s.latent_bias = in.flag_or(field::attention_bias, false);
  s.kv_heads = s.heads;
}

constexpr block_shape deepseek_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_dense_shape(in, known);
  read_attention_bias(in, known, s);
  read_routed_experts(in, known, s);
  return s;
}

constexpr block_shape deepseek_v2_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_dense_shape(in, known);
  read_routed_experts(in, known, s);
  read_latent_attention(in, s);
  return s;
}

constexpr block_shape deepseek_v3_shape(const config_fields& in, const architecture& known) {
  block_shape s = deepseek_v2_shape(in, known);
  s.correction_bias = true;
  return s;
}

constexpr void read_indexer(const config_fields& in, block_shape& s, std::int64_t heads) {
  s.index_heads = in.count_or(field::index_n_heads, heads);
  s.index_dim = in.count_or(field::index_head_dim, 128);
  s.index_chosen = in.count_or(field::index_topk, 2048);
  if (s.index_dim < s.rope_dim) in.contradict(field::qk_rope_head_dim, s.rope_dim, field::index_head_dim, s.index_dim);
}

/// V3 with an indexer in every layer (DeepseekV32Config of transformers 5).
constexpr block_shape deepseek_v32_shape(const config_fields& in, const architecture& known) {
  block_shape s = deepseek_v3_shape(in, known);
  read_sparse_layers(in, s);
  read_indexer(in, s, 64);
  return s;
}

constexpr block_shape dots1_shape(const config_fields& in, const architecture& known) {
  block_shape s = deepseek_shape(in, known);
  s.query_key_norm = qk_norm::per_head;
  s.correction_bias = true;
  if (!read_layer_types(in, s)) s.windowed = layer_set::range(in.count_or(field::max_window_layers, 62, 0), s.layers);
  return s;
}

inline constexpr architecture deepseek_family[] = {
    {.model_type = "deepseek", .class_prefix = "Deepseek", .shape = deepseek_shape},
    {.model_type = "deepseek_v2", .class_prefix = "DeepseekV2", .shape = deepseek_v2_shape, .shared_experts = 2},
    {.model_type = "deepseek_v3",
     .class_prefix = "DeepseekV3",
     .shape = deepseek_v3_shape,
     .shared_experts = 1,
     .first_dense = 3},
    {.model_type = "kimi_k2",
     .class_prefix = "DeepseekV3",
     .shape = deepseek_v3_shape,
     .shared_experts = 1,
     .first_dense = 3},
    {.model_type = "deepseek_v32",
     .class_prefix = "DeepseekV32",
     .shape = deepseek_v32_shape,
     .shared_experts = 1,
     .first_dense = 3},
    {.model_type = "dots1", .class_prefix = "Dots1", .shape = dots1_shape, .window = 4096},
};

}  // namespace flopledger::hugging_face
