// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Microsoft's Phi.

#include <flopledger/models/zoo/zoo_model.hpp>

namespace flopledger::models {

namespace detail {
/// Phi-1.5 and Phi-2: attention and feed-forward side by side on one norm, biases everywhere.
template <class T = void>
constexpr transformer_config phi(block_shape s) {
  s.intermediate = 4 * s.hidden;
  const double rotary = s.rotary_fraction;
  s = classic<T>(s);
  s.rotary_fraction = rotary;
  s.vocabulary = 51200;
  s.parallel = s.head_bias = true;
  s.placement = norms::shared;
  s.context = 2048;
  return make_decoder<T>("PhiForCausalLM", s);
}
}  // namespace detail

struct phi_2 : zoo_model<phi_2, family::phi> {
  static constexpr const char* title = "Phi-2";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::phi<T>({.layers = 32, .hidden = 2560, .heads = 32, .rotary_fraction = 0.4});
  }
};

struct phi_3_mini : zoo_model<phi_3_mini, family::phi> {
  static constexpr const char* title = "Phi-3-mini";
  template <class T = void>
  static constexpr transformer_config describe() {
    return make_decoder<T>("Phi3ForCausalLM", {.layers = 32,
                                               .hidden = 3072,
                                               .heads = 32,
                                               .intermediate = 8192,
                                               .vocabulary = 32064,
                                               .window = 2047,
                                               .windowed = layer_set::range(0, 32),
                                               .context = 4096});
  }
};

struct phi_3_medium : zoo_model<phi_3_medium, family::phi> {
  static constexpr const char* title = "Phi-3-medium";
  template <class T = void>
  static constexpr transformer_config describe() {
    return make_decoder<T>("Phi3ForCausalLM", {.layers = 40,
                                               .hidden = 5120,
                                               .heads = 40,
                                               .kv_heads = 10,
                                               .intermediate = 17920,
                                               .vocabulary = 32064,
                                               .window = 2047,
                                               .windowed = layer_set::range(0, 40),
                                               .context = 4096});
  }
};

struct phi_3_5_moe : zoo_model<phi_3_5_moe, family::phi> {
  static constexpr const char* title = "Phi-3.5-MoE";
  template <class T = void>
  static constexpr transformer_config describe() {
    return make_decoder<T>("PhiMoEForCausalLM", {.layers = 32,
                                                 .hidden = 4096,
                                                 .heads = 32,
                                                 .kv_heads = 8,
                                                 .intermediate = 6400,
                                                 .vocabulary = 32064,
                                                 .head_bias = true,
                                                 .query_bias = true,
                                                 .key_bias = true,
                                                 .value_bias = true,
                                                 .output_bias = true,
                                                 .norm = {.kind = norm_kind::layer, .weight = true, .bias = true},
                                                 .window = 131072,
                                                 .windowed = layer_set::range(0, 32),
                                                 .experts = 16,
                                                 .experts_per_token = 2,
                                                 .expert_intermediate = 6400,
                                                 .sparse = layer_set::range(0, 32),
                                                 .context = 131072});
  }
};

struct phi_4 : zoo_model<phi_4, family::phi> {
  static constexpr const char* title = "Phi-4";
  template <class T = void>
  static constexpr transformer_config describe() {
    return make_decoder<T>("Phi3ForCausalLM", {.layers = 40,
                                               .hidden = 5120,
                                               .heads = 40,
                                               .kv_heads = 10,
                                               .intermediate = 17920,
                                               .vocabulary = 100352,
                                               .context = 16384});
  }
};

struct phi_4_mini : zoo_model<phi_4_mini, family::phi> {
  static constexpr const char* title = "Phi-4-mini";
  template <class T = void>
  static constexpr transformer_config describe() {
    return make_decoder<T>("Phi3ForCausalLM", {.layers = 32,
                                               .hidden = 3072,
                                               .heads = 24,
                                               .kv_heads = 8,
                                               .intermediate = 8192,
                                               .vocabulary = 200064,
                                               .tied = true,
                                               .rotary_fraction = 0.75,
                                               .window = 262144,
                                               .windowed = layer_set::range(0, 32),
                                               .context = 131072});
  }
};

}  // namespace flopledger::models
