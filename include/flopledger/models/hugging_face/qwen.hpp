// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Qwen: the first generation, Qwen2 and Qwen3 with their mixtures.

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

/// The first generation: its intermediate_size is twice the width of each matrix.
constexpr transformer_config read_qwen(const model_file& file) {
  const config_fields& in = file.in;
  block_shape s = read_shape(in, file.known);
  s.head_dim = in.count_or(field::kv_channels, 0);
  const std::int64_t doubled = in.count(field::intermediate_size);
  if (doubled % 2 != 0) in.fail(config_problem::out_of_range, field::intermediate_size);
  s.intermediate = doubled / 2;
  const bool biased = !in.flag_or(field::no_bias, true);
  set_attention_biases(s, true, biased);
  s.feed_bias = biased;
  s.context = in.count_or(in.which(field::seq_length, field::max_position_embeddings), 8192);
  return finish(in, s, file.class_name);
}

/// use_sliding_window switches the window on, in the layers that are named or from max_window_layers on.
constexpr void read_qwen_window(const config_fields& in, block_shape& s) {
  const std::int64_t first = in.count_or(field::max_window_layers, 28, 0);
  if (in.flag_or(field::use_sliding_window, false))
    s.windowed = layer_set::range(first, s.layers);
  else
    s.window = 0;
}

constexpr block_shape qwen2_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_dense_shape(in, known);
  set_attention_biases(s, true, false);
  read_qwen_window(in, s);
  if (s.window > 0) read_layer_types(in, s);
  return s;
}

constexpr block_shape qwen3_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_dense_shape(in, known);
  read_attention_bias(in, known, s);
  s.query_key_norm = qk_norm::per_head;
  read_qwen_window(in, s);
  if (s.window > 0) read_layer_types(in, s);
  return s;
}

/// The layers that are neither dense by their position nor named dense: mlp_only_layers and decoder_sparse_step.
constexpr layer_set read_sparse_steps(const config_fields& in, std::int64_t layers) {
  const std::int64_t step = in.count_or(field::decoder_sparse_step, 1);
  layer_set sparse = layer_set::every(step, step - 1, layers);
  in.each(field::mlp_only_layers, [&](const json::value& v, std::int64_t) {
    const json::exact_integer layer = json::as_integer(v);
    if (!layer.ok || layer.value < 0 || layer.value >= layers)
      in.fail(config_problem::out_of_range, field::mlp_only_layers, v.text);
    else
      sparse = sparse - layer_set::range(layer.value, layer.value + 1);
  });
  return sparse;
}

/// What both mixtures share.
constexpr block_shape read_qwen_mixture(const config_fields& in, const architecture& known) {
  block_shape s = read_dense_shape(in, known);
  s.experts = in.count(field::num_experts);
  s.experts_per_token = in.count(field::num_experts_per_tok);
  s.expert_intermediate = in.count(field::moe_intermediate_size);
  s.sparse = read_sparse_steps(in, s.layers);
  read_qwen_window(in, s);
  return s;
}

constexpr block_shape qwen2_moe_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_qwen_mixture(in, known);
  set_attention_biases(s, in.flag_or(field::qkv_bias, true), false);
  s.shared_intermediate = in.count(field::shared_expert_intermediate_size);
  s.shared_gate = true;
  return s;
}

constexpr block_shape qwen3_moe_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_qwen_mixture(in, known);
  read_attention_bias(in, known, s);
  s.query_key_norm = qk_norm::per_head;
  return s;
}

inline constexpr architecture qwen_family[] = {
    {.model_type = "qwen", .class_prefix = "QWen", .read = read_qwen},
    {.model_type = "qwen2", .class_prefix = "Qwen2", .shape = qwen2_shape, .kv_heads = 32, .window = 4096},
    {.model_type = "qwen3",
     .class_prefix = "Qwen3",
     .shape = qwen3_shape,
     .kv_heads = 32,
     .head_dim = 128,
     .window = 4096},
    {.model_type = "qwen2_moe", .class_prefix = "Qwen2Moe", .shape = qwen2_moe_shape, .kv_heads = 16, .window = 4096},
    {.model_type = "qwen3_moe", .class_prefix = "Qwen3Moe", .shape = qwen3_moe_shape, .kv_heads = 4, .window = 4096},
};

}  // namespace flopledger::hugging_face
