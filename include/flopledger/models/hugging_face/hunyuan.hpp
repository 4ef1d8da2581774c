// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Tencent's Hunyuan, dense and mixtures.

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

/// Heads as wide as `attention_head_dim` where the first files name it so, and normalised unless a file says otherwise.
constexpr block_shape hunyuan_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_dense_shape(in, known);
  read_attention_bias(in, known, s);
  if (!in.has(field::head_dim)) s.head_dim = in.count_or(field::attention_head_dim, 0);
  if (in.flag_or(field::use_qk_norm, true)) s.query_key_norm = qk_norm::per_head;
  // Hunyuan-Large: of so many layers the first makes keys and values for all (cross-layer attention).
  if (in.flag_or(field::use_cla, false))
    s.reduced = all_layers(s) - layer_set::every(in.count_or(field::cla_share_factor, 1), 0, s.layers);
  return s;
}

/// Every layer a mixture beside a dense feed-forward layer (HunYuanMoE).
constexpr block_shape hunyuan_moe_shape(const config_fields& in, const architecture& known) {
  block_shape s = hunyuan_shape(in, known);
  s.experts = read_uniform_count(in, field::num_experts);
  s.experts_per_token = read_uniform_count(in, field::moe_topk);
  s.expert_intermediate =
      in.has(field::moe_intermediate_size) ? read_uniform_count(in, field::moe_intermediate_size) : s.intermediate;
  const std::int64_t shared = in.has(field::num_shared_expert) ? read_uniform_count(in, field::num_shared_expert) : 1;
  s.shared_intermediate = shared * s.expert_intermediate;
  s.sparse = all_layers(s);
  return s;
}

inline constexpr architecture hunyuan_family[] = {
    {.model_type = "hunyuan_v1_dense", .class_prefix = "HunYuanDenseV1", .shape = hunyuan_shape},
    {.model_type = "hunyuan_v1_moe", .class_prefix = "HunYuanMoEV1", .shape = hunyuan_moe_shape},
};

}  // namespace flopledger::hugging_face
