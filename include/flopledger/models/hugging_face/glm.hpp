// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// ChatGLM and GLM-4, and the mixtures GLM-4.5.

#include <flopledger/models/hugging_face/decoder.hpp>

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
};

}  // namespace flopledger::hugging_face
