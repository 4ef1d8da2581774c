// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// ViT, and CLIP with both its towers.

#include <flopledger/models/hugging_face/tower.hpp>

namespace flopledger::hugging_face {

constexpr transformer_config read_vit(const model_file& file) {
  const config_fields& in = file.in;
  transformer_config made{.architecture = file.class_name};
  made.vision = read_tower(in, {}, false, activation_function::gelu);
  made.vision_only = true;
  if (file.head == head_class::model)
    made.head = {.pooler = true};
  else if (file.head == head_class::image_labels)
    made.head = {.outputs = read_label_count(in), .bias = true, .on_sequence = true};
  else
    in.fail(config_problem::unknown, field::architectures);
  return made;
}

constexpr transformer_config read_clip(const model_file& file) {
  const config_fields& in = file.in;
  const config_fields text = in.in(config_scope::text), vision = in.in(config_scope::vision);
  if (!text.present()) in.fail(config_problem::missing, field::text_config);
  if (!vision.present()) in.fail(config_problem::missing, field::vision_config);
  // Defaults of CLIPTextConfig and CLIPVisionConfig.
  block_shape s =
      encoder_shape(text.limited_layers(text.count_or(field::num_hidden_layers, 12), field::num_hidden_layers),
                    text.count_or(field::hidden_size, 512), text.count_or(field::num_attention_heads, 8),
                    text.count_or(field::intermediate_size, 2048), norms::pre, true);
  s.activation = activation_named(text, field::hidden_act, activation_function::quick_gelu);
  s.vocabulary = text.count_or(field::vocab_size, 49408);
  s.context = text.count_or(field::max_position_embeddings, 77);
  check_shape(text, s);
  const std::int64_t projected = in.count_or(field::projection_dim, 512);
  transformer_config made{.architecture = file.class_name, .stack = make_stack(s), .context = s.context};
  made.stack.attention.bidirectional = false;  // CLIP's text tower is causal, though nothing is generated
  made.embedding = {.vocabulary = s.vocabulary, .width = s.hidden, .positions = s.context};
  made.head = {.projected = projected};
  made.logit_scale = true;
  made.vision =
      read_tower(vision, {.hidden = 768, .intermediate = 3072, .layers = 12, .heads = 12, .image = 224, .patch = 32},
                 true, activation_function::quick_gelu);
  made.vision.patches.bias = false;
  made.vision.pre_norm = true;
  made.vision.projector = projected;
  made.vision.tokens_per_image = 1;
  return made;
}

inline constexpr architecture vision_family[] = {
    {.model_type = "vit", .class_prefix = "ViT", .read = read_vit, .head = head_class::model, .decoder = false},
    {.model_type = "clip", .class_prefix = "CLIP", .read = read_clip, .head = head_class::model, .decoder = false},
};

}  // namespace flopledger::hugging_face
