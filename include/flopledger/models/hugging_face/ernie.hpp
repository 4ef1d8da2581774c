// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// ERNIE-4.5.

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

constexpr block_shape ernie_moe_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_dense_shape(in, known);
  const bool biased = in.flag_or(field::use_bias, false);
  set_attention_biases(s, biased, biased);
  s.feed_bias = s.expert_bias = biased;
  s.experts = in.count(field::moe_num_experts);
  s.experts_per_token = in.count(field::moe_k);
  s.expert_intermediate = in.count(field::moe_intermediate_size);
  s.shared_intermediate = read_shared_experts(in, field::moe_num_shared_experts, known) * s.expert_intermediate;
  s.correction_bias = true;
  // A layer is sparse where its number from 1 is a multiple of the interval (Ernie4_5_MoeDecoderLayer).
  const std::int64_t first = in.count_or(field::moe_layer_start_index, 1, 0);
  const std::int64_t end = in.count_or(field::moe_layer_end_index, -1, -1);
  const std::int64_t step = in.count_or(field::moe_layer_interval, 1);
  s.sparse = layer_set::range(first, end < 0 ? s.layers : end + 1) & layer_set::every(step, step - 1, s.layers);
  return s;
}

constexpr block_shape ernie_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_dense_shape(in, known);
  const bool biased = in.flag_or(field::use_bias, false);
  set_attention_biases(s, biased, biased);
  s.feed_bias = biased;
  return s;
}

inline constexpr architecture ernie_family[] = {
    {.model_type = "ernie4_5",
     .class_prefix = "Ernie4_5",
     .shape = ernie_shape,
     .tied = true,
     .kv_heads = 2,
     .head_dim = 128},
    {.model_type = "ernie4_5_moe",
     .class_prefix = "Ernie4_5_Moe",
     .shape = ernie_moe_shape,
     .tied = true,
     .kv_heads = 4,
     .shared_experts = 2},
};

}  // namespace flopledger::hugging_face
