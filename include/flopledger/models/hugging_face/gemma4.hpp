// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Gemma-4, dense and mixture, with its tower of images.

#include <flopledger/models/hugging_face/gemma.hpp>

namespace flopledger::hugging_face {

/// Gemma-3's block with values normalised too, and a learned scale on what a layer puts out (modeling_gemma4.py).
constexpr block_shape gemma4_shape(const config_fields& in, const architecture& known) {
  block_shape s = gemma_shape(in, known);
  s.placement = norms::sandwich;
  s.query_key_norm = qk_norm::per_head;
  if (!read_layer_types(in, s)) s.windowed = all_layers(s) - every_last_of(6, s.layers);
  s.windowed =
      s.windowed - layer_set::range(s.layers - 1, s.layers);  // the last layer sees everything, whatever is said
  if (in.flag_or(field::enable_moe_block, false)) {
    s.experts = in.count(field::num_experts);
    s.experts_per_token = in.count(field::top_k_experts);
    s.expert_intermediate = in.count(field::moe_intermediate_size);
    s.sparse = all_layers(s);
  }
  const std::int64_t sharing = in.count_or(field::num_kv_shared_layers, 0, 0);
  if (sharing >= s.layers) in.contradict(field::num_kv_shared_layers, sharing, field::num_hidden_layers, s.layers);
  if (!in.failed()) s.reduced = layer_set::range(s.layers - sharing, s.layers);
  if (const json::value* both = in.find(field::use_bidirectional_attention);
      both != nullptr && both->type == json::kind::string) {
    if (both->text == "all")
      see_both_ways(s);
    else if (!(both->text == "vision"))
      in.fail(config_problem::unknown, field::use_bidirectional_attention);
  }
  return s;
}

/// Blocks like the text model's, without windows; positions in a table for each of two axes, and soft tokens of nine
/// patches each (Gemma4VisionModel).
constexpr vision_tower read_gemma4_tower(const config_fields& in, std::int64_t soft_tokens) {
  block_shape s;
  s.layers = in.limited_layers(in.count_or(field::num_hidden_layers, 16), field::num_hidden_layers);
  s.hidden = in.count_or(field::hidden_size, 768);
  s.heads = in.count_or(field::num_attention_heads, 12);
  s.kv_heads = in.count_or(field::num_key_value_heads, 12);
  s.head_dim = in.count_or(field::head_dim, 64);
  s.intermediate = in.count_or(field::intermediate_size, 3072);
  s.activation = activation_named(in, field::hidden_activation, activation_function::gelu_tanh);
  s.placement = norms::sandwich;
  s.query_key_norm = qk_norm::per_head;
  s.causal = false;
  s.final_norm = false;
  check_shape(in, s);
  if (in.flag_or(field::use_clipped_linears, false)) in.fail(config_problem::unknown, field::use_clipped_linears);
  const std::int64_t side = in.count_or(field::pooling_kernel_size, 3, 1, 64);
  vision_tower tower{.patches = {.patch_size = in.count_or(field::patch_size, 16, 1, 65536),
                                 .hidden = s.hidden,
                                 .bias = false,
                                 .patches_per_image = soft_tokens * side * side},
                     .position_rows = 2 * in.count_or(field::position_embedding_size, 10240),
                     .stack = make_stack(s),
                     .tokens_per_image = soft_tokens,
                     .standardized = in.flag_or(field::standardize, false),
                     .soft_norm_weight = false,
                     .soft_norm = true};
  tower.stack.attention.value_norm = true;
  return tower;
}

constexpr transformer_config read_gemma4(const model_file& file) {
  const config_fields wrapped = file.in.in(config_scope::text);
  const config_fields& in = wrapped.present() ? wrapped : file.in;
  transformer_config made = read_wrapped(file, file.model_type == "gemma4");
  stack& blocks = made.stack;
  blocks.layer_scale = true;
  blocks.attention.value_norm = true;
  blocks.feed_beside_experts = !blocks.sparse.empty();
  blocks.mixture.router_scales = true;
  blocks.layer_input =
      in.has_null(field::hidden_size_per_layer_input) ? 0 : in.count_or(field::hidden_size_per_layer_input, 256, 0);
  if (blocks.layer_input > 0) made.embedding.layer_vocabulary = in.count_or(field::vocab_size_per_layer_input, 262144);
  if (in.flag_or(field::use_double_wide_mlp, false)) blocks.reduced_intermediate = 2 * blocks.feed.intermediate;
  // Layers that see everything have wider heads, of which fewer may be keys that are values too.
  blocks.windowed_attention = blocks.attention;
  attention& global = blocks.attention;
  global.head_dim = in.count_or(field::global_head_dim, 512);
  global.rotary_dims = 0.25 * static_cast<double>(global.head_dim);
  global.keys_are_values = in.flag_or(field::attention_k_eq_v, false);
  if (global.keys_are_values) global.kv_heads = in.count_or(field::num_global_key_value_heads, global.kv_heads);
  if (blocks.windowed.empty()) blocks.windowed_attention = {};
  const config_fields vision = file.in.in(config_scope::vision);
  if (!wrapped.present() || !vision.present()) return made;
  made.vision = read_gemma4_tower(vision, file.in.count_or(field::vision_soft_tokens_per_image, 280));
  made.vision.projector = blocks.hidden;
  return made;
}

inline constexpr architecture gemma4{.model_type = "gemma4_text",
                                     .class_prefix = "Gemma4",
                                     .shape = gemma4_shape,
                                     .read = read_gemma4,
                                     .sees = true,
                                     .tied = true,
                                     .kv_heads = 4,
                                     .head_dim = 256,
                                     .window = 512,
                                     .activation = activation_function::gelu_tanh,
                                     .vocabulary = 262144,
                                     .hidden = 2304,
                                     .layers = 30,
                                     .heads = 8,
                                     .intermediate = 9216};

inline constexpr architecture gemma4_family[] = {
    gemma4,
    also_named("gemma4", gemma4),
};

}  // namespace flopledger::hugging_face
