// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The vision tower that several families share.

#include <flopledger/models/hugging_face/encoder.hpp>

namespace flopledger::hugging_face {

/// A text model with a tower beside it.
constexpr bool has_tower(const config_fields& in) {
  return in.in(config_scope::text).present() && in.in(config_scope::vision).present();
}

struct vision_defaults {
  std::int64_t hidden, intermediate, layers, heads, image, patch;
};

/// The tower of ViT, CLIP, SigLIP and Llama-4: patches, positions, classic blocks.
constexpr vision_tower read_tower(const config_fields& in, vision_defaults d, bool nested,
                                  activation_function activation) {
  const auto size = [&](field f, std::int64_t fallback) { return nested ? in.count_or(f, fallback) : in.count(f); };
  block_shape s = encoder_shape(in.limited_layers(size(field::num_hidden_layers, d.layers), field::num_hidden_layers),
                                size(field::hidden_size, d.hidden), size(field::num_attention_heads, d.heads),
                                size(field::intermediate_size, d.intermediate), norms::pre, true);
  s.activation = activation_named(in, field::hidden_act, activation);
  set_attention_biases(s, in.flag_or(field::qkv_bias, true), true);
  check_shape(in, s);
  // An image has two sides, so that their squares must be countable.
  const auto side = [&](field f, std::int64_t fallback) {
    if (!nested && !in.has(f)) return size(f, fallback);
    return in.count_or(f, fallback, 1, 65536);
  };
  vision_tower tower{.patches = {.image_size = side(field::image_size, d.image),
                                 .patch_size = side(field::patch_size, d.patch),
                                 .channels = in.count_or(field::num_channels, 3, 1, 4096),
                                 .hidden = s.hidden},
                     .class_token = true,
                     .stack = make_stack(s)};
  if (tower.patches.patch_size > tower.patches.image_size)
    in.contradict(field::patch_size, tower.patches.patch_size, field::image_size, tower.patches.image_size);
  if (!in.failed() && tower.patches.image_size % tower.patches.patch_size != 0 && nested)
    tower.patches.image_size -= tower.patches.image_size % tower.patches.patch_size;  // the convolution drops the rest
  return tower;
}

struct merging_tower_defaults {
  std::int64_t hidden, intermediate, layers, heads, out;
};

/// The tower of Qwen2-VL and its heirs as Qwen3-VL has it (Qwen3VLVisionModel of transformers): patches over two
/// frames, a square table of positions, blocks with rotary positions, and a merger; further mergers at the blocks that
/// `deepstack_visual_indexes` names. An image is taken to be as large as the table.
constexpr vision_tower read_merging_tower(const config_fields& in, merging_tower_defaults d) {
  block_shape s = encoder_shape(in.limited_layers(in.count_or(field::depth, d.layers), field::depth),
                                in.count_or(field::hidden_size, d.hidden), in.count_or(field::num_heads, d.heads),
                                in.count_or(field::intermediate_size, d.intermediate), norms::pre, true);
  s.activation = activation_named(in, field::hidden_act, activation_function::gelu_tanh);
  set_attention_biases(s, true, true);
  s.rotary_fraction = 1;
  s.final_norm = false;
  check_shape(in, s, field::num_heads);
  const std::int64_t rows = in.count_or(field::num_position_embeddings, 2304, 1, 1 << 20);
  std::int64_t side = 1;
  while ((side + 1) * (side + 1) <= rows) ++side;
  const std::int64_t patch = in.count_or(field::patch_size, 16, 1, 4096);
  const std::int64_t merge = in.count_or(field::spatial_merge_size, 2, 1, 64);
  return {.patches = {.image_size = side * patch,
                      .patch_size = patch,
                      .channels =
                          in.count_or(field::in_channels, 3, 1, 64) * in.count_or(field::temporal_patch_size, 2, 1, 64),
                      .hidden = s.hidden},
          .position_rows = rows,
          .stack = make_stack(s),
          .tokens_per_image = side * side / (merge * merge),
          .merger = {.merged = merge * merge, .out = in.count_or(field::out_hidden_size, d.out)}};
}

}  // namespace flopledger::hugging_face
