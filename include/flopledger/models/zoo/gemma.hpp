// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Gemma 1 to 3.

#include <flopledger/models/zoo/zoo_model.hpp>

namespace flopledger::models {

namespace detail {
/// Gemma: LLaMA's block with tanh GELU and a tied head.
template <class T = void>
constexpr transformer_config gemma(block_shape s, std::string_view architecture = "GemmaForCausalLM") {
  s.activation = activation_function::gelu_tanh;
  s.tied = true;
  return make_decoder<T>(architecture, s);
}

/// Gemma-2: norms before and after each sublayer, every second layer windowed from the first on.
template <class T = void>
constexpr transformer_config gemma2(block_shape s) {
  s.placement = norms::sandwich;
  s.window = 4096;
  s.windowed = layer_set::every(2, 0, s.layers);
  return gemma<T>(s, "Gemma2ForCausalLM");
}

/// Gemma-3: queries and keys normalised by head, five windowed layers for each global one.
template <class T = void>
constexpr transformer_config gemma3(block_shape s, std::string_view architecture = "Gemma3ForCausalLM") {
  s.placement = norms::sandwich;
  s.query_key_norm = qk_norm::per_head;
  s.windowed = layer_set::range(0, s.layers) - every_last_of(6, s.layers);
  return gemma<T>(s, architecture);
}

/// From 4B on with a SigLIP tower, whose 4096 patches are pooled to 256 tokens an image.
template <class T = void>
constexpr transformer_config gemma3_seeing(block_shape s) {
  s.vocabulary = 262208;
  s.window = 1024;
  s.context = 131072;
  transformer_config made = gemma3<T>(s, "Gemma3ForConditionalGeneration");
  made.vision = vision_tower{.patches = {.image_size = 896, .patch_size = 14, .hidden = 1152},
                             .stack = make_stack(vision_blocks<T>(27, 1152, 16, 4304, activation_function::gelu_tanh)),
                             .tokens_per_image = 256,
                             .soft_norm = true,
                             .projector = s.hidden};
  return made;
}
}  // namespace detail

struct gemma_2b : zoo_model<gemma_2b, family::gemma> {
  static constexpr const char* title = "Gemma-2B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::gemma<T>({.layers = 18,
                             .hidden = 2048,
                             .heads = 8,
                             .kv_heads = 1,
                             .head_dim = 256,
                             .intermediate = 16384,
                             .vocabulary = 256000,
                             .context = 8192});
  }
};

struct gemma_7b : zoo_model<gemma_7b, family::gemma> {
  static constexpr const char* title = "Gemma-7B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::gemma<T>({.layers = 28,
                             .hidden = 3072,
                             .heads = 16,
                             .head_dim = 256,
                             .intermediate = 24576,
                             .vocabulary = 256000,
                             .context = 8192});
  }
};

struct gemma2_2b : zoo_model<gemma2_2b, family::gemma> {
  static constexpr const char* title = "Gemma-2-2B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::gemma2<T>({.layers = 26,
                              .hidden = 2304,
                              .heads = 8,
                              .kv_heads = 4,
                              .head_dim = 256,
                              .intermediate = 9216,
                              .vocabulary = 256000,
                              .context = 8192});
  }
};

struct gemma2_9b : zoo_model<gemma2_9b, family::gemma> {
  static constexpr const char* title = "Gemma-2-9B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::gemma2<T>({.layers = 42,
                              .hidden = 3584,
                              .heads = 16,
                              .kv_heads = 8,
                              .head_dim = 256,
                              .intermediate = 14336,
                              .vocabulary = 256000,
                              .context = 8192});
  }
};

struct gemma2_27b : zoo_model<gemma2_27b, family::gemma> {
  static constexpr const char* title = "Gemma-2-27B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::gemma2<T>({.layers = 46,
                              .hidden = 4608,
                              .heads = 32,
                              .kv_heads = 16,
                              .head_dim = 128,
                              .intermediate = 36864,
                              .vocabulary = 256000,
                              .context = 8192});
  }
};

struct gemma3_1b : zoo_model<gemma3_1b, family::gemma> {
  static constexpr const char* title = "Gemma-3-1B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::gemma3<T>({.layers = 26,
                              .hidden = 1152,
                              .heads = 4,
                              .kv_heads = 1,
                              .head_dim = 256,
                              .intermediate = 6912,
                              .vocabulary = 262144,
                              .window = 512,
                              .context = 32768});
  }
};

struct gemma3_4b : zoo_model<gemma3_4b, family::gemma> {
  static constexpr const char* title = "Gemma-3-4B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::gemma3_seeing(
        {.layers = 34, .hidden = 2560, .heads = 8, .kv_heads = 4, .head_dim = 256, .intermediate = 10240});
  }
};

struct gemma3_12b : zoo_model<gemma3_12b, family::gemma> {
  static constexpr const char* title = "Gemma-3-12B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::gemma3_seeing(
        {.layers = 48, .hidden = 3840, .heads = 16, .kv_heads = 8, .head_dim = 256, .intermediate = 15360});
  }
};

struct gemma3_27b : zoo_model<gemma3_27b, family::gemma> {
  static constexpr const char* title = "Gemma-3-27B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::gemma3_seeing(
        {.layers = 62, .hidden = 5376, .heads = 32, .kv_heads = 16, .head_dim = 128, .intermediate = 21504});
  }
};

}  // namespace flopledger::models
