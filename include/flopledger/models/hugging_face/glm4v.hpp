// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// GLM-4.1V and GLM-4.5V: GLM-4's text models beside a tower of images.

#include <flopledger/models/hugging_face/glm.hpp>

namespace flopledger::hugging_face {

/// RMSNorms in front of the blocks and behind them, gated feed-forward layers as wide as the text model, and a merger
/// of neighbouring patches (Glm4vVisionModel of transformers).
constexpr vision_tower read_glm4v_tower(const config_fields& in) {
  block_shape s;
  s.layers = in.limited_layers(in.count_or(field::depth, 24), field::depth);
  s.hidden = in.count_or(field::hidden_size, 1536);
  s.heads = in.count_or(field::num_heads, 12);
  const std::int64_t width = in.count_or(field::out_hidden_size, 4096);
  s.intermediate = width;
  s.activation = activation_named(in, field::hidden_act, activation_function::silu);
  set_attention_biases(s, in.flag_or(field::attention_bias, false), false);
  s.causal = false;
  check_shape(in, s, field::num_heads);
  const std::int64_t side = in.count_or(field::spatial_merge_size, 2, 1, 64);
  // Two frames make a patch; an image is read as two alike.
  const std::int64_t channels =
      in.count_or(field::in_channels, 3, 1, 4096) * in.count_or(field::temporal_patch_size, 2, 1, 64);
  vision_tower tower{.patches = {.image_size = in.count_or(field::image_size, 336, 1, 65536),
                                 .patch_size = in.count_or(field::patch_size, 14, 1, 65536),
                                 .channels = channels,
                                 .hidden = s.hidden},
                     .pre_norm = true,
                     .stack = make_stack(s),
                     .merged_patches = side * side,
                     .merged_width = width,
                     .merged_norm = false,
                     .merged_bias = true,
                     .gated_merger = in.count_or(field::intermediate_size, 13696)};
  if (tower.patches.patch_size > tower.patches.image_size)
    in.contradict(field::patch_size, tower.patches.patch_size, field::image_size, tower.patches.image_size);
  tower.tokens_per_image = tower.patches.patches() / tower.merged_patches;
  return tower;
}

constexpr transformer_config read_glm4v(const model_file& file) {
  transformer_config made = read_wrapped(file, !file.model_type.ends_with("_text"));
  const config_fields vision = file.in.in(config_scope::vision);
  if (!file.in.in(config_scope::text).present() || !vision.present()) return made;
  made.vision = read_glm4v_tower(vision);
  if (made.vision.merged_width != made.stack.hidden)
    vision.contradict(field::out_hidden_size, made.vision.merged_width, field::hidden_size, made.stack.hidden);
  return made;
}

/// GLM-4.1V's text model: GLM-4 of 2025, always with biases on queries, keys and values.
constexpr block_shape glm4v_shape(const config_fields& in, const architecture& known) {
  block_shape s = glm4_shape(in, known);
  set_attention_biases(s, true, false);
  return s;
}
/// GLM-4.5V's: GLM-4.5-Air without norms on queries and keys, whose biases are the default.
constexpr block_shape glm4v_moe_shape(const config_fields& in, const architecture& known) {
  block_shape s = glm4_moe_shape(in, known);
  s.query_key_norm = qk_norm::none;
  set_attention_biases(s, in.flag_or(field::attention_bias, true), false);
  return s;
}

inline constexpr architecture glm4v_moe{.model_type = "glm4v_moe_text",
                                        .class_prefix = "Glm4vMoe",
                                        .shape = glm4v_moe_shape,
                                        .read = read_glm4v,
                                        .sees = true,
                                        .kv_heads = 8,
                                        .rotary_fraction = 0.5,
                                        .shared_experts = 1,
                                        .first_dense = 1,
                                        .vocabulary = 151424,
                                        .hidden = 4096,
                                        .layers = 46,
                                        .heads = 96,
                                        .intermediate = 10944};
inline constexpr architecture glm4v{.model_type = "glm4v_text",
                                    .class_prefix = "Glm4v",
                                    .shape = glm4v_shape,
                                    .read = read_glm4v,
                                    .sees = true,
                                    .kv_heads = 2,
                                    .rotary_fraction = 0.5,
                                    .vocabulary = 151552,
                                    .hidden = 4096,
                                    .layers = 40,
                                    .heads = 32,
                                    .intermediate = 13696};

inline constexpr architecture glm4v_family[] = {
    glm4v_moe,
    also_named("glm4v_moe", glm4v_moe),
    glm4v,
    also_named("glm4v", glm4v),
};

}  // namespace flopledger::hugging_face
