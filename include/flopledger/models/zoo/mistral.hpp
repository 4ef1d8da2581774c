// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Mistral and Mixtral.

#include <flopledger/models/zoo/zoo_model.hpp>

namespace flopledger::models {

/// Every layer attends to the last 4096 tokens; later versions dropped the window.
struct mistral_7b_v0_1 : zoo_model<mistral_7b_v0_1, family::mistral> {
  static constexpr const char* title = "Mistral-7B-v0.1";
  template <class T = void>
  static constexpr transformer_config describe() {
    return make_decoder<T>("MistralForCausalLM", {.layers = 32,
                                                  .hidden = 4096,
                                                  .heads = 32,
                                                  .kv_heads = 8,
                                                  .intermediate = 14336,
                                                  .vocabulary = 32000,
                                                  .window = 4096,
                                                  .windowed = layer_set::range(0, 32),
                                                  .context = 32768});
  }
};

struct mistral_7b_v0_3 : zoo_model<mistral_7b_v0_3, family::mistral> {
  static constexpr const char* title = "Mistral-7B-v0.3";
  template <class T = void>
  static constexpr transformer_config describe() {
    return make_decoder<T>("MistralForCausalLM", {.layers = 32,
                                                  .hidden = 4096,
                                                  .heads = 32,
                                                  .kv_heads = 8,
                                                  .intermediate = 14336,
                                                  .vocabulary = 32768,
                                                  .context = 32768});
  }
};

struct mistral_nemo_12b : zoo_model<mistral_nemo_12b, family::mistral> {
  static constexpr const char* title = "Mistral-Nemo-12B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return make_decoder<T>("MistralForCausalLM", {.layers = 40,
                                                  .hidden = 5120,
                                                  .heads = 32,
                                                  .kv_heads = 8,
                                                  .head_dim = 128,
                                                  .intermediate = 14336,
                                                  .vocabulary = 131072,
                                                  .context = 131072});
  }
};

struct mistral_small_24b : zoo_model<mistral_small_24b, family::mistral> {
  static constexpr const char* title = "Mistral-Small-24B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return make_decoder<T>("MistralForCausalLM", {.layers = 40,
                                                  .hidden = 5120,
                                                  .heads = 32,
                                                  .kv_heads = 8,
                                                  .head_dim = 128,
                                                  .intermediate = 32768,
                                                  .vocabulary = 131072,
                                                  .context = 32768});
  }
};

struct mistral_large_2407 : zoo_model<mistral_large_2407, family::mistral> {
  static constexpr const char* title = "Mistral-Large-2407";
  template <class T = void>
  static constexpr transformer_config describe() {
    return make_decoder<T>("MistralForCausalLM", {.layers = 88,
                                                  .hidden = 12288,
                                                  .heads = 96,
                                                  .kv_heads = 8,
                                                  .intermediate = 28672,
                                                  .vocabulary = 32768,
                                                  .context = 131072});
  }
};

struct mixtral_8x7b : zoo_model<mixtral_8x7b, family::mixtral> {
  static constexpr const char* title = "Mixtral-8x7B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return make_decoder<T>("MixtralForCausalLM", {.layers = 32,
                                                  .hidden = 4096,
                                                  .heads = 32,
                                                  .kv_heads = 8,
                                                  .intermediate = 14336,
                                                  .vocabulary = 32000,
                                                  .experts = 8,
                                                  .experts_per_token = 2,
                                                  .expert_intermediate = 14336,
                                                  .sparse = layer_set::range(0, 32),
                                                  .context = 32768});
  }
};

/// The base model; the Instruct version has a vocabulary of 32768.
struct mixtral_8x22b : zoo_model<mixtral_8x22b, family::mixtral> {
  static constexpr const char* title = "Mixtral-8x22B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return make_decoder<T>("MixtralForCausalLM", {.layers = 56,
                                                  .hidden = 6144,
                                                  .heads = 48,
                                                  .kv_heads = 8,
                                                  .intermediate = 16384,
                                                  .vocabulary = 32000,
                                                  .experts = 8,
                                                  .experts_per_token = 2,
                                                  .expert_intermediate = 16384,
                                                  .sparse = layer_set::range(0, 56),
                                                  .context = 65536});
  }
};

}  // namespace flopledger::models
