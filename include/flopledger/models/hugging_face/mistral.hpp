// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Mistral and Mixtral, Ministral-3, Mistral-Small-4, and what has Pixtral's tower beside one of them.

#include <flopledger/models/hugging_face/deepseek.hpp>

namespace flopledger::hugging_face {

constexpr block_shape mistral_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_dense_shape(in, known);
  s.windowed = all_layers(s);
  return s;
}

constexpr block_shape mixtral_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_mixture_shape(in, known);
  s.windowed = all_layers(s);
  return s;
}

inline constexpr architecture mistral{
    .model_type = "mistral", .class_prefix = "Mistral", .shape = mistral_shape, .kv_heads = 8, .window = 4096};
inline constexpr architecture ministral3{
    .model_type = "ministral3", .class_prefix = "Ministral3", .shape = mistral_shape, .kv_heads = 8, .head_dim = 128};
/// Mistral-Small-4: DeepSeek's latent attention and experts, of which a router without a correction bias chooses
/// (Mistral4Config of transformers 5).
inline constexpr architecture mistral4{
    .model_type = "mistral4", .class_prefix = "Mistral4", .shape = deepseek_v2_shape, .shared_experts = 1};

/// Pixtral's tower: LLaMA's blocks without a mask, positions turned into queries and keys, a norm in front and none
/// behind (PixtralVisionModel).
constexpr vision_tower read_pixtral(const config_fields& in) {
  block_shape s;
  s.layers = in.limited_layers(in.count_or(field::num_hidden_layers, 24), field::num_hidden_layers);
  s.hidden = in.count_or(field::hidden_size, 1024);
  s.heads = in.count_or(field::num_attention_heads, 16);
  s.head_dim = in.count_or(field::head_dim, 0);
  s.intermediate = in.count_or(field::intermediate_size, 4096);
  s.activation = activation_named(in, field::hidden_act, activation_function::gelu);
  s.causal = false;
  s.final_norm = false;
  check_shape(in, s);
  return {.patches = {.image_size = in.count_or(field::image_size, 1024, 1, 65536),
                      .patch_size = in.count_or(field::patch_size, 16, 1, 65536),
                      .channels = in.count_or(field::num_channels, 3, 1, 4096),
                      .hidden = s.hidden,
                      .bias = false},
          .positions = false,
          .pre_norm = true,
          .stack = make_stack(s)};
}

/// A text model of one of these families beside Pixtral's tower: Mistral-Small-3.1, Ministral-3, Mistral-Small-4.
constexpr transformer_config read_mistral3(const model_file& file) {
  const config_fields& in = file.in;
  const config_fields text = in.in(config_scope::text), vision = in.in(config_scope::vision);
  const architecture* known = nullptr;
  for (const architecture* one : {&mistral, &ministral3, &mistral4})
    if (text.text(field::model_type) == one->model_type) known = one;
  if (!text.present()) in.fail(config_problem::missing, field::text_config);
  if (known == nullptr) text.fail(config_problem::unknown, field::model_type);
  if (in.failed()) return {};
  transformer_config made = read_wrapped({in, *known, file.head, file.class_name, file.model_type}, true);
  if (!vision.present()) return made;
  if (const json::slice kind = vision.text(field::model_type); !kind.raw.empty() && !(kind == "pixtral"))
    vision.fail(config_problem::unknown, field::model_type);
  // Of several of the tower's layers the projector would read several outputs.
  if (const json::value* layer = in.find(field::vision_feature_layer); layer != nullptr && layer->integer != -1)
    in.fail(config_problem::unknown, field::vision_feature_layer);
  if (in.flag_or(field::multimodal_projector_bias, false))
    in.fail(config_problem::unknown, field::multimodal_projector_bias);
  made.vision = read_pixtral(vision);
  const std::int64_t side = in.count_or(field::spatial_merge_size, 2, 1, 64);
  made.vision.merged_patches = side * side;
  made.vision.adapter_in = made.vision.stack.hidden;
  made.vision.adapter_hidden = made.vision.adapter_out = made.stack.hidden;
  made.vision.tokens_per_image = made.vision.patches.patches() / made.vision.merged_patches;
  return made;
}

inline constexpr architecture mistral_family[] = {
    mistral,
    ministral3,
    mistral4,
    {.model_type = "mixtral", .class_prefix = "Mixtral", .shape = mixtral_shape, .kv_heads = 8},
    {.model_type = "mistral3", .class_prefix = "Mistral3", .read = read_mistral3, .decoder = false, .sees = true},
};

}  // namespace flopledger::hugging_face
