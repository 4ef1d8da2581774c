// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// ERNIE-4.5: dense, mixtures, and what sees images.

#include <flopledger/models/hugging_face/encoder.hpp>

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

/// ERNIE-4.5-VL: of each pair of numbers the first is of the experts of text, the second of those of images, of which
/// there are as many.
struct expert_pair {
  std::int64_t text = 0, images = 0;
};
constexpr expert_pair read_expert_pair(const config_fields& in, field f, expert_pair absent) {
  const json::value* both = in.find(f);
  if (both == nullptr) return absent;
  if (both->type != json::kind::array) {
    const std::int64_t one = in.count(f);
    return {one, one};
  }
  expert_pair read;
  const std::int64_t given = in.each(f, [&](const json::value& v, std::int64_t i) {
    const json::exact_integer n = json::as_integer(v);
    if (!n.ok || n.value < 1 || n.value > 65536) in.fail(config_problem::out_of_range, f, v.text);
    (i == 0 ? read.text : read.images) = n.value;
  });
  if (given != 2) in.fail(config_problem::out_of_range, f);
  return read;
}

constexpr block_shape ernie_vl_shape(const config_fields& in, const architecture& known) {
  block_shape s = ernie_shape(in, known);
  s.expert_bias = s.feed_bias;
  const expert_pair experts = read_expert_pair(in, field::moe_num_experts, {64, 64});
  if (experts.text != experts.images) in.fail(config_problem::unknown, field::moe_num_experts);
  s.experts = experts.text;
  s.experts_per_token = in.count_or(field::moe_k, 6);
  s.expert_intermediate = read_expert_pair(in, field::moe_intermediate_size, {1536, 512}).text;
  s.shared_intermediate = read_shared_experts(in, field::moe_num_shared_experts, known) * s.expert_intermediate;
  s.correction_bias = true;
  s.sparse = layer_set::range(1, s.layers);
  read_sparse_layers(in, s);
  // The first files say where experts begin and end; all but the first layer is what is known.
  const expert_pair first = read_expert_pair(in, field::moe_layer_start_index, {1, 1});
  const expert_pair last = read_expert_pair(in, field::moe_layer_end_index, {s.layers, s.layers});
  if (first.text != 1 || first.images != 1) in.fail(config_problem::unknown, field::moe_layer_start_index);
  if (last.text < s.layers - 1 || last.images < s.layers - 1)
    in.fail(config_problem::unknown, field::moe_layer_end_index);
  if (in.count_or(field::moe_layer_interval, 1) != 1) in.fail(config_problem::unknown, field::moe_layer_interval);
  return s;
}

/// ViT's blocks with positions turned into queries and keys, patches without a bias.
constexpr vision_tower read_ernie_tower(const config_fields& in) {
  const std::int64_t hidden = in.count_or(in.which(field::embed_dim, field::hidden_size), 1280);
  block_shape s = encoder_shape(in.limited_layers(in.count_or(field::depth, 32), field::depth), hidden,
                                in.count_or(field::num_heads, 16),
                                in.has(field::mlp_ratio) ? hidden * in.count(field::mlp_ratio)
                                                         : in.count_or(field::intermediate_size, 4 * hidden),
                                norms::pre, true);
  s.activation = activation_named(in, field::hidden_act, activation_function::quick_gelu);
  s.rotary_fraction = 1;
  check_shape(in, s, field::num_heads);
  const std::int64_t side = in.count_or(field::spatial_merge_size, 2, 1, 64);
  if (in.count_or(field::temporal_merge_size, 2) != 2) in.fail(config_problem::unknown, field::temporal_merge_size);
  // No size is named; an image of 448 × 448 has 32 × 32 patches.
  const std::int64_t patch = in.count_or(field::patch_size, 14, 1, 65536);
  vision_tower tower{.patches = {.image_size = 32 * patch,
                                 .patch_size = patch,
                                 .channels = in.count_or(in.which(field::in_channels, field::in_chans), 3, 1, 4096),
                                 .hidden = hidden,
                                 .bias = false},
                     .positions = false,
                     .stack = make_stack(s)};
  tower.resampled_width = hidden * side * side;
  tower.tokens_per_image = tower.patches.patches() / (side * side);
  return tower;
}

constexpr transformer_config read_ernie_vl(const model_file& file) {
  const config_fields wrapped = file.in.in(config_scope::text);
  const config_fields& in = wrapped.present() ? wrapped : file.in;
  transformer_config made = read_wrapped(file);
  made.stack.mixture.image_intermediate = read_expert_pair(in, field::moe_intermediate_size, {1536, 512}).images;
  if (const config_fields vision = file.in.in(config_scope::vision); vision.present())
    made.vision = read_ernie_tower(vision);
  return made;
}

inline constexpr architecture ernie_vl{.model_type = "ernie4_5_vl_moe",
                                       .class_prefix = "Ernie4_5_VLMoe",
                                       .shape = ernie_vl_shape,
                                       .read = read_ernie_vl,
                                       .sees = true,
                                       .tied = true,
                                       .kv_heads = 4,
                                       .shared_experts = 2,
                                       .vocabulary = 103424,
                                       .hidden = 2560,
                                       .layers = 28,
                                       .heads = 20,
                                       .intermediate = 12288};

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
    ernie_vl,
    also_named("ernie4_5_vl_moe_text", ernie_vl),
    also_named("ernie4_5_moe_vl", ernie_vl),  // the first files
};

}  // namespace flopledger::hugging_face
