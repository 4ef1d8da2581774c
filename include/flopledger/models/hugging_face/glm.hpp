// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// ChatGLM and GLM-4, the mixtures GLM-4.5, and GLM-5 with sparse attention.

#include <flopledger/models/hugging_face/deepseek.hpp>

namespace flopledger::hugging_face {

constexpr transformer_config read_chatglm(const model_file& file) {
  const config_fields& in = file.in;
  block_shape s;
  s.layers = in.layers(field::num_layers, field::num_hidden_layers);
  s.hidden = in.count(field::hidden_size);
  s.heads = in.count(field::num_attention_heads);
  s.vocabulary = in.count_of(field::padded_vocab_size, field::vocab_size);
  s.intermediate = in.count(field::ffn_hidden_size);
  s.head_dim = in.count_or(field::kv_channels, 128);
  if (in.flag_or(field::multi_query_attention, false)) s.kv_heads = in.count_or(field::multi_query_group_num, 1);
  const bool linear_bias = in.flag_or(field::add_bias_linear, false);
  set_attention_biases(s, in.flag_or(field::add_qkv_bias, false) || linear_bias, linear_bias);
  s.feed_bias = linear_bias;
  s.tied = in.flag_or(field::tie_word_embeddings, file.known.tied);
  s.rotary_fraction = 0.5;
  s.context = in.count_or(field::seq_length, 2048);
  check_shape(in, s, field::num_attention_heads, field::multi_query_group_num);
  return make_decoder(file.class_name, s);
}

constexpr block_shape glm4_moe_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_dense_shape(in, known);
  read_routed_experts(in, known, s);
  set_attention_biases(s, in.flag_or(field::attention_bias, false), false);
  if (in.flag_or(field::use_qk_norm, false)) s.query_key_norm = qk_norm::per_head;
  s.correction_bias = true;
  return s;
}

/// GLM-4 as transformers' own class has it; its 2025 models have a norm behind each sublayer too (Glm4DecoderLayer).
constexpr block_shape glm_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_dense_shape(in, known);
  set_attention_biases(s, in.flag_or(field::attention_bias, false), false);
  return s;
}
constexpr block_shape glm4_shape(const config_fields& in, const architecture& known) {
  block_shape s = glm_shape(in, known);
  s.placement = norms::sandwich;
  return s;
}

/// GLM-4.7-Flash: DeepSeek-V3's block.
constexpr block_shape glm4_moe_lite_shape(const config_fields& in, const architecture& known) {
  block_shape s = deepseek_v3_shape(in, known);
  read_sparse_layers(in, s);
  return s;
}

/// The layers that take over what the indexer of an earlier one has chosen: `indexer_types`, a pattern of F and S, or
/// all but every so manieth from an offset on (GlmMoeDsaConfig of transformers 5).
constexpr layer_set read_shared_indexers(const config_fields& in, std::int64_t layers) {
  layer_set shared;
  if (in.has(field::indexer_types)) {
    shared = read_named_layers(
        in, field::indexer_types, layers, [](json::slice name) { return name == "shared"; },
        [](json::slice name) { return name == "full"; });
  } else if (in.has(field::index_topk_pattern)) {
    const std::string_view letters = in.text(field::index_topk_pattern).raw;
    if (letters.find_first_not_of("FS") != std::string_view::npos)
      in.fail(config_problem::unknown, field::index_topk_pattern);
    const auto named = static_cast<std::int64_t>(letters.size());
    if (named != layers) in.contradict(field::index_topk_pattern, named, field::num_hidden_layers, layers);
    for (std::int64_t i = 0; i < named && i < layers; ++i)
      if (letters[static_cast<std::size_t>(i)] == 'S') shared.insert(i);
  } else {
    const std::int64_t every = in.count_or(field::index_topk_freq, 1);
    const std::int64_t skipped = in.count_or(field::index_skip_topk_offset, 2, 0);
    for (std::int64_t i = 0; i < layers; ++i)
      if (const std::int64_t after = i - skipped + 1; after > 0 && after % every != 0) shared.insert(i);
  }
  if (shared.contains(0))
    in.fail(config_problem::out_of_range, in.which(field::indexer_types, field::index_topk_pattern));
  return shared;
}

constexpr block_shape glm_moe_dsa_shape(const config_fields& in, const architecture& known) {
  block_shape s = glm4_moe_lite_shape(in, known);
  read_indexer(in, s, 32);
  s.reduced = read_shared_indexers(in, s.layers);
  return s;
}

inline constexpr architecture glm_family[] = {
    {.model_type = "chatglm", .class_prefix = "ChatGLM", .read = read_chatglm, .headed_model = true},
    {.model_type = "glm4_moe",
     .class_prefix = "Glm4Moe",
     .shape = glm4_moe_shape,
     .kv_heads = 8,
     .head_dim = 128,
     .rotary_fraction = 0.5,
     .shared_experts = 1,
     .first_dense = 1},
    {.model_type = "glm",
     .class_prefix = "Glm",
     .shape = glm_shape,
     .kv_heads = 2,
     .head_dim = 128,
     .rotary_fraction = 0.5},
    {.model_type = "glm4",
     .class_prefix = "Glm4",
     .shape = glm4_shape,
     .kv_heads = 2,
     .head_dim = 128,
     .rotary_fraction = 0.5},
    {.model_type = "glm4_moe_lite",
     .class_prefix = "Glm4MoeLite",
     .shape = glm4_moe_lite_shape,
     .shared_experts = 1,
     .first_dense = 1},
    {.model_type = "glm_moe_dsa",
     .class_prefix = "GlmMoeDsa",
     .shape = glm_moe_dsa_shape,
     .shared_experts = 1,
     .first_dense = 3},
};

}  // namespace flopledger::hugging_face
