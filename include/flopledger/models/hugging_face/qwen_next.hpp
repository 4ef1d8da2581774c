// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Qwen3-Next, Qwen3.5 and Qwen3.6: three layers of gated delta networks to one of gated attention
/// (modeling_qwen3_next.py and modeling_qwen3_5.py of transformers), and from Qwen3.5 on a tower.

#include <flopledger/models/hugging_face/qwen.hpp>
#include <flopledger/models/hugging_face/tower.hpp>

namespace flopledger::hugging_face {

/// What all have of a block that attends. Queries come with a gate.
constexpr block_shape read_gated_block(const config_fields& in, const architecture& known) {
  block_shape s = read_shape(in, known);
  read_attention_bias(in, known, s);
  s.query_key_norm = qk_norm::per_head;
  s.output_gate = in.flag_or(field::attn_output_gate, true);
  s.window = 0;
  return s;
}

constexpr void read_gated_experts(const config_fields& in, block_shape& s, std::int64_t experts, std::int64_t chosen) {
  s.experts = in.count_or(field::num_experts, experts);
  s.experts_per_token = in.count_or(field::num_experts_per_tok, chosen);
  s.expert_intermediate = in.count_or(field::moe_intermediate_size, 512);
  s.shared_intermediate = in.count_or(field::shared_expert_intermediate_size, 512);
  s.shared_gate = true;
}

constexpr block_shape qwen3_next_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_gated_block(in, known);
  s.intermediate = in.count_or(field::intermediate_size, 5632);
  read_gated_experts(in, s, 512, 10);
  s.sparse = read_sparse_steps(in, s.layers);
  return s;
}

constexpr block_shape qwen3_5_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_gated_block(in, known);
  s.intermediate = in.count_or(field::intermediate_size, known.intermediate);
  return s;
}

constexpr block_shape qwen3_5_moe_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_gated_block(in, known);
  read_gated_experts(in, s, 256, 8);
  s.sparse = all_layers(s);
  return s;
}

/// The layers that `layer_types` names, or all but every `full_attention_interval`-th.
constexpr layer_set read_delta_layers(const config_fields& in, std::int64_t layers) {
  if (in.has(field::layer_types))
    return read_named_layers(
        in, field::layer_types, layers, [](json::slice name) { return name == "linear_attention"; },
        [](json::slice name) { return name == "full_attention"; });
  return layer_set::range(0, layers) - every_last_of(in.count_or(field::full_attention_interval, 4), layers);
}

/// `linear_...` of a block whose reference has so many value heads where the file says nothing.
constexpr gated_delta_network read_delta_network(const config_fields& in, std::int64_t hidden,
                                                 std::int64_t value_heads) {
  const gated_delta_network made{.hidden = hidden,
                                 .key_heads = in.count_or(field::linear_num_key_heads, 16),
                                 .value_heads = in.count_or(field::linear_num_value_heads, value_heads),
                                 .key_dim = in.count_or(field::linear_key_head_dim, 128),
                                 .value_dim = in.count_or(field::linear_value_head_dim, 128),
                                 .kernel = in.count_or(field::linear_conv_kernel_dim, 4)};
  if (made.value_heads % made.key_heads != 0)
    in.contradict(field::linear_num_key_heads, made.key_heads, field::linear_num_value_heads, made.value_heads);
  return made;
}

constexpr transformer_config read_qwen3_next(const model_file& file) {
  const bool wrapper = file.model_type == "qwen3_5" || file.model_type == "qwen3_5_moe";
  transformer_config made = read_wrapped(file, wrapper);
  const config_fields text = text_of_file(file.in);
  made.stack.recurrence = recurrent_kind::gated_delta;
  made.stack.recurrent = read_delta_layers(text, made.stack.layers);
  made.prediction_layers = text.count_or(field::mtp_num_hidden_layers, 0, 0, layer_set::capacity);
  made.stack.delta = read_delta_network(text, made.stack.hidden, 32);
  if (has_tower(file.in))
    made.vision = read_merging_tower(file.in.in(config_scope::vision),
                                     {.hidden = 1152, .intermediate = 4304, .layers = 27, .heads = 16, .out = 3584});
  return made;
}

inline constexpr architecture qwen3_5{.model_type = "qwen3_5",
                                      .class_prefix = "Qwen3_5",
                                      .shape = qwen3_5_shape,
                                      .read = read_qwen3_next,
                                      .sees = true,
                                      .kv_heads = 4,
                                      .head_dim = 256,
                                      .rotary_fraction = 0.25,
                                      .vocabulary = 248320,
                                      .hidden = 4096,
                                      .layers = 32,
                                      .heads = 16,
                                      .intermediate = 12288};
inline constexpr architecture qwen3_5_moe{.model_type = "qwen3_5_moe",
                                          .class_prefix = "Qwen3_5Moe",
                                          .shape = qwen3_5_moe_shape,
                                          .read = read_qwen3_next,
                                          .sees = true,
                                          .kv_heads = 2,
                                          .head_dim = 256,
                                          .rotary_fraction = 0.25,
                                          .vocabulary = 248320,
                                          .hidden = 2048,
                                          .layers = 40,
                                          .heads = 16};

inline constexpr architecture qwen_next_family[] = {
    {.model_type = "qwen3_next",
     .class_prefix = "Qwen3Next",
     .shape = qwen3_next_shape,
     .read = read_qwen3_next,
     .kv_heads = 2,
     .head_dim = 256,
     .rotary_fraction = 0.25},
    qwen3_5,
    also_named("qwen3_5_text", qwen3_5),
    qwen3_5_moe,
    also_named("qwen3_5_moe_text", qwen3_5_moe),
};

}  // namespace flopledger::hugging_face
