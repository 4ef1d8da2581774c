// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// MPT, and DBRX, whose configuration has its objects.

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

constexpr transformer_config read_mpt(const model_file& file) {
  const config_fields& in = file.in;
  const config_fields attention = in.in(config_scope::attention);
  block_shape s;
  make_classic(s);
  s.layers = in.layers(field::n_layers);
  s.hidden = in.count(field::d_model);
  s.heads = in.count(field::n_heads);
  s.vocabulary = in.count(field::vocab_size);
  s.intermediate = in.count_or(field::expansion_ratio, 4) * s.hidden;
  s.tied = in.flag_or(field::tie_word_embeddings, file.known.tied);
  s.context = in.count_or(field::max_seq_len, 2048);
  const bool biased = !in.flag_or(field::no_bias, true);
  set_attention_biases(s, biased, biased);
  s.feed_bias = biased;
  s.norm = {.kind = norm_kind::layer, .weight = true, .bias = biased};
  if (!attention.flag_or(field::alibi, true) && in.flag_or(field::learned_pos_emb, true)) s.positions = s.context;
  // Norms on queries and keys, and other feed-forward layers than the plain one, are llm-foundry's to count.
  if (attention.flag_or(field::qk_ln, false)) attention.fail(config_problem::unknown, field::qk_ln);
  const config_fields feed = in.in(config_scope::feed_forward);
  if (feed.has(field::ffn_type) && !(feed.text(field::ffn_type) == "mptmlp"))
    feed.fail(config_problem::unknown, field::ffn_type);
  const json::slice kind = attention.text(field::attn_type);
  if (kind == "multiquery_attention") s.kv_heads = 1;
  if (kind == "grouped_query_attention") s.kv_heads = attention.count(field::kv_n_heads);
  check_shape(in, s, field::n_heads, field::attn_config, field::d_model);
  return make_decoder(file.class_name, s);
}

constexpr transformer_config read_dbrx(const model_file& file) {
  const config_fields& in = file.in;
  const config_fields attention = in.in(config_scope::attention), feed = in.in(config_scope::feed_forward);
  block_shape s;
  s.layers = in.layers(field::n_layers);
  s.hidden = in.count(field::d_model);
  s.heads = in.count(field::n_heads);
  s.vocabulary = in.count(field::vocab_size);
  s.tied = in.flag_or(field::tie_word_embeddings, file.known.tied);
  s.context = in.count_or(field::max_seq_len, 2048);
  s.norm = layer_norm_without_bias;
  s.kv_heads = attention.count_or(field::kv_n_heads, 1);
  s.experts = feed.count(field::moe_num_experts);
  s.experts_per_token = feed.count(field::moe_top_k);
  s.expert_intermediate = feed.count(field::ffn_hidden_size);
  s.sparse = layer_set::range(0, s.layers);
  check_shape(in, s, field::n_heads, field::attn_config, field::d_model);
  return make_decoder(file.class_name, s);
}

inline constexpr architecture mpt_family[] = {
    {.model_type = "mpt", .class_prefix = "MPT", .read = read_mpt, .tied = true},
    {.model_type = "mpt", .class_prefix = "Mpt", .read = read_mpt, .tied = true},
    {.model_type = "dbrx", .class_prefix = "Dbrx", .read = read_dbrx},
    {.model_type = "dbrx", .class_prefix = "DBRX", .read = read_dbrx},
};

}  // namespace flopledger::hugging_face
