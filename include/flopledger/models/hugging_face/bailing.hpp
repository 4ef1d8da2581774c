// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// InclusionAI's Ling and Ring (Bailing): the first mixtures, and version 2.

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

/// Experts in DeepSeek's manner (modeling_bailing_moe.py). Version 2 normalises queries and keys by head and chooses
/// experts with a correction bias (modeling_bailing_moe_v2.py). Its class tells it apart: some of its files have the
/// first version's model_type.
constexpr transformer_config read_bailing(const model_file& file) {
  const config_fields& in = file.in;
  const bool second = file.class_name.find("V2") != std::string_view::npos || file.model_type.ends_with("v2");
  block_shape s = read_dense_shape(in, file.known);
  const bool biased = in.flag_or(field::use_bias, false);
  set_attention_biases(s, biased || in.flag_or(field::use_qkv_bias, false), biased);
  s.feed_bias = s.expert_bias = biased;
  s.experts = in.count(field::num_experts);
  s.experts_per_token = in.count(field::num_experts_per_tok);
  s.expert_intermediate = in.count(field::moe_intermediate_size);
  const std::int64_t shared = in.has_null(field::num_shared_experts) ? 0 : in.count_or(field::num_shared_experts, 0, 0);
  s.shared_intermediate = shared * in.count_or(field::moe_shared_expert_intermediate_size, s.expert_intermediate);
  s.sparse = layer_set::range(in.count_or(field::first_k_dense_replace, second ? 1 : 0, 0), s.layers);
  if (in.flag_or(field::use_qk_norm, second)) s.query_key_norm = qk_norm::per_head;
  s.correction_bias = in.flag_or(field::moe_router_enable_expert_bias, second);
  transformer_config made = finish(in, s, file.class_name);
  made.prediction_layers = in.count_or(field::num_nextn_predict_layers, 0, 0, layer_set::capacity);
  return made;
}

inline constexpr architecture bailing_family[] = {
    {.model_type = "bailing_moe", .class_prefix = "BailingMoe", .read = read_bailing},
    {.model_type = "bailing_moe_v2", .class_prefix = "BailingMoeV2", .read = read_bailing},
};

}  // namespace flopledger::hugging_face
