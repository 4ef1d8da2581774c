// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// DeepSeek-V4: compressed attention, several residual streams, experts in every layer.

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

/// What lies beyond each layer's window: nothing, chosen entries, or all entries of many tokens.
struct compressed_layers {
  layer_set windowed{}, heavy{};
};

/// `layer_types`, or `compress_ratios` of 0, 4 and 128, which go on with the modules that predict further tokens. Where
/// neither is there the first two layers are heavily compressed and then every other (DeepseekV4Config of
/// transformers).
constexpr compressed_layers read_compressed_layers(const config_fields& in, std::int64_t layers) {
  compressed_layers made;
  const field list = in.has(field::layer_types) ? field::layer_types : field::compress_ratios;
  if (!in.has(list)) {
    made.heavy = layer_set::range(0, layers < 2 ? layers : 2) | layer_set::every(2, 2, layers);
    return made;
  }
  const std::int64_t named = in.each(list, [&](const json::value& v, std::int64_t i) {
    const bool number = v.type == json::kind::integer;
    const bool none = number ? v.integer == 0 : v.text == "sliding_attention";
    const bool heavy = number ? v.integer == 128 : v.text == "heavily_compressed_attention";
    if (!none && !heavy && !(number ? v.integer == 4 : v.text == "compressed_sparse_attention"))
      in.fail(config_problem::unknown, list, v.text);
    if (i >= layers || i >= layer_set::capacity) return;
    if (none) made.windowed.insert(i);
    if (heavy) made.heavy.insert(i);
  });
  if (named < layers) in.contradict(list, named, field::num_hidden_layers, layers);
  return made;
}

/// The first layers, whose experts are chosen by the token: `mlp_layer_types`, or so many as `num_hash_layers` says.
constexpr layer_set read_hashed_layers(const config_fields& in, std::int64_t layers) {
  if (!in.has(field::mlp_layer_types)) {
    const std::int64_t first = in.count_or(field::num_hash_layers, 3, 0);
    return layer_set::range(0, first < layers ? first : layers);
  }
  layer_set hashed;
  const std::int64_t named = in.each(field::mlp_layer_types, [&](const json::value& v, std::int64_t i) {
    if (v.text == "hash_moe" && i < layers && i < layer_set::capacity)
      hashed.insert(i);
    else if (!(v.text == "moe" || v.text == "hash_moe"))
      in.fail(config_problem::unknown, field::mlp_layer_types, v.text);
  });
  if (named < layers) in.contradict(field::mlp_layer_types, named, field::num_hidden_layers, layers);
  return hashed;
}

constexpr transformer_config read_deepseek_v4(const model_file& file) {
  const config_fields& in = file.in;
  block_shape s = read_shape(in, file.known);
  s.experts = in.count(field::n_routed_experts);
  s.experts_per_token = in.count(field::num_experts_per_tok);
  s.expert_intermediate = s.shared_intermediate = in.count(field::moe_intermediate_size);
  s.correction_bias = true;
  s.sparse = all_layers(s);
  const compressed_layers beyond = read_compressed_layers(in, s.layers);
  s.windowed = beyond.windowed;
  s.reduced = beyond.heavy;
  // One shared expert is what the reference has, whatever the count says.
  if (in.count_or(field::n_shared_experts, 1, 0) != 1) in.fail(config_problem::unknown, field::n_shared_experts);
  transformer_config made = finish(in, s, file.class_name);
  compressed_attention& mixer = made.stack.compressed;
  mixer = {.hidden = s.hidden,
           .heads = s.heads,
           .head_dim = s.head_dim,
           .rope_dim = in.count_or(field::qk_rope_head_dim, 64),
           .query_rank = in.count_or(field::q_lora_rank, 1024),
           .output_groups = in.count_or(field::o_groups, 8),
           .output_rank = in.count_or(field::o_lora_rank, 1024),
           .window = s.window,
           .ratio = 4,
           .index_heads = in.count_or(field::index_n_heads, 64),
           .index_dim = in.count_or(field::index_head_dim, 128),
           .index_chosen = in.count_or(field::index_topk, 512)};
  if (mixer.rope_dim > mixer.head_dim)
    in.contradict(field::qk_rope_head_dim, mixer.rope_dim, field::head_dim, mixer.head_dim);
  if (s.heads % mixer.output_groups != 0)
    in.contradict(field::o_groups, mixer.output_groups, field::num_attention_heads, s.heads);
  made.stack.heavy_ratio = 128;
  made.stack.streams = {.hidden = s.hidden,
                        .streams = in.count_or(field::hc_mult, 4, 1, 64),
                        .iterations = in.count_or(field::hc_sinkhorn_iters, 20, 0, 1000)};
  made.stack.hashed = read_hashed_layers(in, s.layers);
  made.stack.mixture.hashed_tokens = made.stack.hashed.empty() ? 0 : s.vocabulary;
  made.prediction_layers = in.count_or(field::num_nextn_predict_layers, 0, 0, layer_set::capacity);
  made.prediction = {.as_last = false, .kind = {.windowed = true, .sparse = true}};
  return made;
}

inline constexpr architecture deepseek_v4_family[] = {
    {.model_type = "deepseek_v4",
     .class_prefix = "DeepseekV4",
     .read = read_deepseek_v4,
     .kv_heads = 1,
     .head_dim = 512,
     .window = 128,
     .rotary_fraction = 0.125},
};

}  // namespace flopledger::hugging_face
