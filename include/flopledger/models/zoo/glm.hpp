// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Zhipu's ChatGLM and GLM.

#include <flopledger/models/zoo/zoo_model.hpp>

namespace flopledger::models {

namespace detail {
/// ChatGLM and GLM-4: biases on queries, keys and values, two key/value heads, half of each head rotary.
template <class T = void>
constexpr transformer_config chatglm(block_shape s) {
  s.heads = 32;
  s.kv_heads = 2;
  s.hidden = 4096;
  s.intermediate = 13696;
  s.query_bias = s.key_bias = s.value_bias = true;
  s.rotary_fraction = 0.5;
  return make_decoder<T>("ChatGLMModel", s);
}

/// GLM-4.5: more heads than the width has room for, experts in the manner of DeepSeek-V3.
template <class T = void>
constexpr transformer_config glm4_moe(block_shape s, std::int64_t first) {
  s.heads = 96;
  s.kv_heads = 8;
  s.head_dim = 128;
  s.vocabulary = 151552;
  s.query_bias = s.key_bias = s.value_bias = true;
  s.rotary_fraction = 0.5;
  s.experts_per_token = 8;
  s.shared_intermediate = s.expert_intermediate;
  s.correction_bias = true;
  s.sparse = layer_set::range(first, s.layers);
  s.context = 131072;
  return make_decoder<T>("Glm4MoeForCausalLM", s);
}
}  // namespace detail

struct chatglm3_6b : zoo_model<chatglm3_6b, family::glm> {
  static constexpr const char* title = "ChatGLM3-6B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::chatglm<T>({.layers = 28, .vocabulary = 65024, .context = 8192});
  }
};

/// The base model; the chat version reads 131072 tokens.
struct glm_4_9b : zoo_model<glm_4_9b, family::glm> {
  static constexpr const char* title = "GLM-4-9B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::chatglm<T>({.layers = 40, .vocabulary = 151552, .context = 8192});
  }
};

struct glm_4_5 : zoo_model<glm_4_5, family::glm> {
  static constexpr const char* title = "GLM-4.5";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::glm4_moe<T>({.layers = 92,
                                .hidden = 5120,
                                .intermediate = 12288,
                                .query_key_norm = qk_norm::per_head,
                                .experts = 160,
                                .expert_intermediate = 1536},
                               3);
  }
};

struct glm_4_5_air : zoo_model<glm_4_5_air, family::glm> {
  static constexpr const char* title = "GLM-4.5-Air";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::glm4_moe(
        {.layers = 46, .hidden = 4096, .intermediate = 10944, .experts = 128, .expert_intermediate = 1408}, 1);
  }
};

}  // namespace flopledger::models
