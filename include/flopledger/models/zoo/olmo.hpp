// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// AI2's OLMo and IBM's Granite.

#include <flopledger/models/zoo/zoo_model.hpp>

namespace flopledger::models {

namespace detail {
/// OLMo-2: norms after each sublayer, queries and keys normalised over the whole projection.
template <class T = void>
constexpr transformer_config olmo2(block_shape s) {
  s.vocabulary = 100352;
  s.placement = norms::post;
  s.query_key_norm = qk_norm::per_projection;
  s.context = 4096;
  return make_decoder<T>("Olmo2ForCausalLM", s);
}
}  // namespace detail

struct olmo_7b : zoo_model<olmo_7b, family::olmo> {
  static constexpr const char* title = "OLMo-7B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return make_decoder<T>("OlmoForCausalLM", {.layers = 32,
                                               .hidden = 4096,
                                               .heads = 32,
                                               .intermediate = 11008,
                                               .vocabulary = 50304,
                                               .norm = {.kind = norm_kind::layer, .weight = false, .bias = false},
                                               .context = 2048});
  }
};

struct olmo2_7b : zoo_model<olmo2_7b, family::olmo> {
  static constexpr const char* title = "OLMo-2-7B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::olmo2<T>({.layers = 32, .hidden = 4096, .heads = 32, .intermediate = 11008});
  }
};

struct olmo2_13b : zoo_model<olmo2_13b, family::olmo> {
  static constexpr const char* title = "OLMo-2-13B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::olmo2<T>({.layers = 40, .hidden = 5120, .heads = 40, .intermediate = 13824});
  }
};

struct olmo2_32b : zoo_model<olmo2_32b, family::olmo> {
  static constexpr const char* title = "OLMo-2-32B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::olmo2<T>({.layers = 64, .hidden = 5120, .heads = 40, .kv_heads = 8, .intermediate = 27648});
  }
};

struct olmoe_1b_7b : zoo_model<olmoe_1b_7b, family::olmo> {
  static constexpr const char* title = "OLMoE-1B-7B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return make_decoder<T>("OlmoeForCausalLM", {.layers = 16,
                                                .hidden = 2048,
                                                .heads = 16,
                                                .intermediate = 1024,
                                                .vocabulary = 50304,
                                                .query_key_norm = qk_norm::per_projection,
                                                .experts = 64,
                                                .experts_per_token = 8,
                                                .expert_intermediate = 1024,
                                                .sparse = layer_set::range(0, 16),
                                                .context = 4096});
  }
};

struct granite_3_3_8b : zoo_model<granite_3_3_8b, family::granite> {
  static constexpr const char* title = "Granite-3.3-8B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return make_decoder<T>("GraniteForCausalLM", {.layers = 40,
                                                  .hidden = 4096,
                                                  .heads = 32,
                                                  .kv_heads = 8,
                                                  .intermediate = 12800,
                                                  .vocabulary = 49159,
                                                  .tied = true,
                                                  .context = 131072});
  }
};

}  // namespace flopledger::models
