// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Llama 1 to 4, and models of its very block.

#include <flopledger/models/zoo/zoo_model.hpp>

namespace flopledger::models {

namespace detail {
/// LLaMA's block (Touvron et al. 2023): RMSNorm before, gated SiLU, rotary positions, no biases. `block_shape` is it.
template <class T = void>
constexpr transformer_config llama(const block_shape& s) {
  return make_decoder<T>("LlamaForCausalLM", s);
}

/// Llama-4: queries and keys normalised without weights, one expert a token beside a shared one of its width, and
/// every fourth layer without rotary positions and without the chunks that the others attend in.
template <class T = void>
constexpr transformer_config llama4(block_shape s) {
  s.query_key_norm = qk_norm::weightless;
  s.experts_per_token = 1;
  s.shared_intermediate = s.expert_intermediate;
  s.span = attention_span::chunked;
  s.window = 8192;
  s.windowed = layer_set::range(0, s.layers) - every_last_of(4, s.layers);
  transformer_config made = make_decoder<T>("Llama4ForConditionalGeneration", s);
  made.vision = vision_tower{.patches = {.image_size = 336, .patch_size = 14, .hidden = 1408, .bias = false},
                             .class_token = true,
                             .pre_norm = true,
                             .stack = make_stack(vision_blocks<T>(34, 1408, 16, 5632, activation_function::gelu)),
                             .tokens_per_image = 144,
                             .projector = s.hidden,
                             .adapter_in = 5632,
                             .adapter_hidden = 4096,
                             .adapter_out = 4096};
  return made;
}
}  // namespace detail

struct llama_7b : zoo_model<llama_7b, family::llama> {
  static constexpr const char* title = "LLaMA-7B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::llama(
        {.layers = 32, .hidden = 4096, .heads = 32, .intermediate = 11008, .vocabulary = 32000, .context = 2048});
  }
};

struct llama_13b : zoo_model<llama_13b, family::llama> {
  static constexpr const char* title = "LLaMA-13B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::llama(
        {.layers = 40, .hidden = 5120, .heads = 40, .intermediate = 13824, .vocabulary = 32000, .context = 2048});
  }
};

struct llama_65b : zoo_model<llama_65b, family::llama> {
  static constexpr const char* title = "LLaMA-65B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::llama(
        {.layers = 80, .hidden = 8192, .heads = 64, .intermediate = 22016, .vocabulary = 32000, .context = 2048});
  }
};

struct llama2_7b : zoo_model<llama2_7b, family::llama> {
  static constexpr const char* title = "Llama-2-7B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::llama(
        {.layers = 32, .hidden = 4096, .heads = 32, .intermediate = 11008, .vocabulary = 32000, .context = 4096});
  }
};

struct llama2_13b : zoo_model<llama2_13b, family::llama> {
  static constexpr const char* title = "Llama-2-13B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::llama(
        {.layers = 40, .hidden = 5120, .heads = 40, .intermediate = 13824, .vocabulary = 32000, .context = 4096});
  }
};

struct llama2_70b : zoo_model<llama2_70b, family::llama> {
  static constexpr const char* title = "Llama-2-70B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::llama<T>({.layers = 80,
                             .hidden = 8192,
                             .heads = 64,
                             .kv_heads = 8,
                             .intermediate = 28672,
                             .vocabulary = 32000,
                             .context = 4096});
  }
};

struct codellama_34b : zoo_model<codellama_34b, family::llama> {
  static constexpr const char* title = "CodeLlama-34B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::llama<T>({.layers = 48,
                             .hidden = 8192,
                             .heads = 64,
                             .kv_heads = 8,
                             .intermediate = 22016,
                             .vocabulary = 32000,
                             .context = 16384});
  }
};

struct llama3_8b : zoo_model<llama3_8b, family::llama> {
  static constexpr const char* title = "Llama-3-8B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::llama<T>({.layers = 32,
                             .hidden = 4096,
                             .heads = 32,
                             .kv_heads = 8,
                             .intermediate = 14336,
                             .vocabulary = 128256,
                             .context = 8192});
  }
};

struct llama3_70b : zoo_model<llama3_70b, family::llama> {
  static constexpr const char* title = "Llama-3-70B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::llama<T>({.layers = 80,
                             .hidden = 8192,
                             .heads = 64,
                             .kv_heads = 8,
                             .intermediate = 28672,
                             .vocabulary = 128256,
                             .context = 8192});
  }
};

struct llama3_1_8b : zoo_model<llama3_1_8b, family::llama> {
  static constexpr const char* title = "Llama-3.1-8B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::llama<T>({.layers = 32,
                             .hidden = 4096,
                             .heads = 32,
                             .kv_heads = 8,
                             .intermediate = 14336,
                             .vocabulary = 128256,
                             .context = 131072});
  }
};

struct llama3_1_70b : zoo_model<llama3_1_70b, family::llama> {
  static constexpr const char* title = "Llama-3.1-70B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::llama<T>({.layers = 80,
                             .hidden = 8192,
                             .heads = 64,
                             .kv_heads = 8,
                             .intermediate = 28672,
                             .vocabulary = 128256,
                             .context = 131072});
  }
};

/// As Hugging Face ships it: 8 key/value heads (the first files had 16).
struct llama3_1_405b : zoo_model<llama3_1_405b, family::llama> {
  static constexpr const char* title = "Llama-3.1-405B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::llama<T>({.layers = 126,
                             .hidden = 16384,
                             .heads = 128,
                             .kv_heads = 8,
                             .intermediate = 53248,
                             .vocabulary = 128256,
                             .context = 131072});
  }
};

struct llama3_2_1b : zoo_model<llama3_2_1b, family::llama> {
  static constexpr const char* title = "Llama-3.2-1B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::llama<T>({.layers = 16,
                             .hidden = 2048,
                             .heads = 32,
                             .kv_heads = 8,
                             .intermediate = 8192,
                             .vocabulary = 128256,
                             .tied = true,
                             .context = 131072});
  }
};

struct llama3_2_3b : zoo_model<llama3_2_3b, family::llama> {
  static constexpr const char* title = "Llama-3.2-3B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::llama<T>({.layers = 28,
                             .hidden = 3072,
                             .heads = 24,
                             .kv_heads = 8,
                             .intermediate = 8192,
                             .vocabulary = 128256,
                             .tied = true,
                             .context = 131072});
  }
};

struct llama3_3_70b : zoo_model<llama3_3_70b, family::llama> {
  static constexpr const char* title = "Llama-3.3-70B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::llama<T>({.layers = 80,
                             .hidden = 8192,
                             .heads = 64,
                             .kv_heads = 8,
                             .intermediate = 28672,
                             .vocabulary = 128256,
                             .context = 131072});
  }
};

struct llama4_scout : zoo_model<llama4_scout, family::llama> {
  static constexpr const char* title = "Llama-4-Scout-17B-16E";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::llama4<T>({.layers = 48,
                              .hidden = 5120,
                              .heads = 40,
                              .kv_heads = 8,
                              .head_dim = 128,
                              .intermediate = 16384,
                              .vocabulary = 202048,
                              .experts = 16,
                              .expert_intermediate = 8192,
                              .sparse = layer_set::range(0, 48),
                              .context = 10485760});
  }
};

/// Every second layer is a mixture.
struct llama4_maverick : zoo_model<llama4_maverick, family::llama> {
  static constexpr const char* title = "Llama-4-Maverick-17B-128E";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::llama4<T>({.layers = 48,
                              .hidden = 5120,
                              .heads = 40,
                              .kv_heads = 8,
                              .head_dim = 128,
                              .intermediate = 16384,
                              .vocabulary = 202048,
                              .experts = 128,
                              .expert_intermediate = 8192,
                              .sparse = every_last_of(2, 48),
                              .context = 1048576});
  }
};

// LLaMA's block under other names

struct tinyllama_1_1b : zoo_model<tinyllama_1_1b, family::llama> {
  static constexpr const char* title = "TinyLlama-1.1B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::llama<T>({.layers = 22,
                             .hidden = 2048,
                             .heads = 32,
                             .kv_heads = 4,
                             .intermediate = 5632,
                             .vocabulary = 32000,
                             .context = 2048});
  }
};

struct yi_34b : zoo_model<yi_34b, family::yi> {
  static constexpr const char* title = "Yi-34B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::llama<T>({.layers = 60,
                             .hidden = 7168,
                             .heads = 56,
                             .kv_heads = 8,
                             .intermediate = 20480,
                             .vocabulary = 64000,
                             .context = 4096});
  }
};

struct solar_10_7b : zoo_model<solar_10_7b, family::solar> {
  static constexpr const char* title = "SOLAR-10.7B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::llama<T>({.layers = 48,
                             .hidden = 4096,
                             .heads = 32,
                             .kv_heads = 8,
                             .intermediate = 14336,
                             .vocabulary = 32000,
                             .context = 4096});
  }
};

struct smollm2_1_7b : zoo_model<smollm2_1_7b, family::smollm> {
  static constexpr const char* title = "SmolLM2-1.7B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::llama<T>({.layers = 24,
                             .hidden = 2048,
                             .heads = 32,
                             .intermediate = 8192,
                             .vocabulary = 49152,
                             .tied = true,
                             .context = 8192});
  }
};

struct smollm3_3b : zoo_model<smollm3_3b, family::smollm> {
  static constexpr const char* title = "SmolLM3-3B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return make_decoder<T>("SmolLM3ForCausalLM", {.layers = 36,
                                                  .hidden = 2048,
                                                  .heads = 16,
                                                  .kv_heads = 4,
                                                  .intermediate = 11008,
                                                  .vocabulary = 128256,
                                                  .tied = true,
                                                  .context = 65536});
  }
};

}  // namespace flopledger::models
