// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Qwen3-VL and its mixture: Qwen3's blocks without windows, beside a tower.

#include <flopledger/models/hugging_face/qwen.hpp>
#include <flopledger/models/hugging_face/tower.hpp>

namespace flopledger::hugging_face {

constexpr block_shape qwen3_vl_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_dense_shape(in, known);
  read_attention_bias(in, known, s);
  s.query_key_norm = qk_norm::per_head;
  s.window = 0;
  return s;
}

constexpr block_shape qwen3_vl_moe_shape(const config_fields& in, const architecture& known) {
  block_shape s = qwen3_vl_shape(in, known);
  s.experts = in.count_or(field::num_experts, 60);
  s.experts_per_token = in.count_or(field::num_experts_per_tok, 4);
  s.expert_intermediate = in.count_or(field::moe_intermediate_size, 1408);
  s.sparse = read_sparse_steps(in, s.layers);
  return s;
}

/// Both, with the tower or the text model alone.
constexpr transformer_config read_qwen3_vl(const model_file& file) {
  transformer_config made = read_wrapped(file, !file.model_type.ends_with("_text"));
  if (!has_tower(file.in)) return made;
  const config_fields vision = file.in.in(config_scope::vision);
  made.vision =
      read_merging_tower(vision, {.hidden = 1152, .intermediate = 4304, .layers = 27, .heads = 16, .out = 3584});
  // Absent, the indices are [8, 16, 24].
  made.vision.merger.deep = vision.has(field::deepstack_visual_indexes)
                                ? vision.each(field::deepstack_visual_indexes, [](const json::value&, std::int64_t) {})
                                : 3;
  return made;
}

inline constexpr architecture qwen3_vl{.model_type = "qwen3_vl",
                                       .class_prefix = "Qwen3VL",
                                       .shape = qwen3_vl_shape,
                                       .read = read_qwen3_vl,
                                       .sees = true,
                                       .kv_heads = 32,
                                       .head_dim = 128,
                                       .vocabulary = 151936,
                                       .hidden = 4096,
                                       .layers = 32,
                                       .heads = 32,
                                       .intermediate = 22016};
inline constexpr architecture qwen3_vl_moe{.model_type = "qwen3_vl_moe",
                                           .class_prefix = "Qwen3VLMoe",
                                           .shape = qwen3_vl_moe_shape,
                                           .read = read_qwen3_vl,
                                           .sees = true,
                                           .kv_heads = 16,
                                           .vocabulary = 151936,
                                           .hidden = 2048,
                                           .layers = 24,
                                           .heads = 16,
                                           .intermediate = 5632};

inline constexpr architecture qwen_vl_family[] = {
    qwen3_vl,
    also_named("qwen3_vl_text", qwen3_vl),
    qwen3_vl_moe,
    also_named("qwen3_vl_moe_text", qwen3_vl_moe),
};

}  // namespace flopledger::hugging_face
