// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Gemma, Gemma-2 and Gemma-3.

#include <flopledger/models/hugging_face/tower.hpp>

namespace flopledger::hugging_face {

constexpr block_shape gemma_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_dense_shape(in, known);
  read_attention_bias(in, known, s);
  return s;
}

/// Gemma-2: a norm on both sides of each sublayer, a window in every other layer.
constexpr block_shape gemma2_shape(const config_fields& in, const architecture& known) {
  block_shape s = gemma_shape(in, known);
  s.placement = norms::sandwich;
  if (!read_layer_types(in, s)) s.windowed = layer_set::every(2, 0, s.layers);
  return s;
}

/// EmbeddingGemma reads its tokens in both directions, and half of its window lies on each side (Gemma3TextConfig).
constexpr void see_both_ways(block_shape& s) {
  s.causal = false;
  s.span = attention_span::around;
  if (s.window > 0) s.window = s.window / 2 + 1;
}

/// Gemma-3: queries and keys normalised, five of six layers with a window.
constexpr block_shape gemma3_shape(const config_fields& in, const architecture& known) {
  block_shape s = gemma_shape(in, known);
  s.placement = norms::sandwich;
  s.query_key_norm = qk_norm::per_head;
  if (!read_layer_types(in, s))
    s.windowed = all_layers(s) - every_last_of(in.count_or(field::sliding_window_pattern, 6), s.layers);
  if (in.flag_or(field::use_bidirectional_attention, false)) see_both_ways(s);
  return s;
}

/// Gemma-3 with its tower, or the text model alone.
constexpr transformer_config read_gemma3(const model_file& file) {
  transformer_config made = read_wrapped(file, file.model_type == "gemma3");
  if (!has_tower(file.in)) return made;
  const config_fields vision = file.in.in(config_scope::vision);
  made.vision =
      read_tower(vision, {.hidden = 768, .intermediate = 3072, .layers = 12, .heads = 12, .image = 224, .patch = 16},
                 true, activation_function::gelu_tanh);
  made.vision.class_token = false;
  made.vision.soft_norm = true;
  made.vision.projector = made.stack.hidden;
  made.vision.tokens_per_image = file.in.count_or(field::mm_tokens_per_image, 256);
  return made;
}

inline constexpr architecture gemma3{.model_type = "gemma3_text",
                                     .class_prefix = "Gemma3",
                                     .shape = gemma3_shape,
                                     .read = read_gemma3,
                                     .sees = true,
                                     .tied = true,
                                     .kv_heads = 4,
                                     .head_dim = 256,
                                     .window = 4096,
                                     .activation = activation_function::gelu_tanh,
                                     .vocabulary = 262208,
                                     .hidden = 2304,
                                     .layers = 26,
                                     .heads = 8,
                                     .intermediate = 9216};

inline constexpr architecture gemma_family[] = {
    {.model_type = "gemma",
     .class_prefix = "Gemma",
     .shape = gemma_shape,
     .tied = true,
     .kv_heads = 16,
     .head_dim = 256,
     .activation = activation_function::gelu_tanh},
    {.model_type = "gemma2",
     .class_prefix = "Gemma2",
     .shape = gemma2_shape,
     .tied = true,
     .kv_heads = 4,
     .head_dim = 256,
     .window = 4096,
     .activation = activation_function::gelu_tanh},
    gemma3,
    also_named("gemma3", gemma3),
};

}  // namespace flopledger::hugging_face
