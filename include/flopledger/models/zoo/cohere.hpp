// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Cohere's Command and Aya.

#include <flopledger/models/zoo/zoo_model.hpp>

namespace flopledger::models {

namespace detail {
/// Command-R and Aya: attention and feed-forward side by side on one LayerNorm without bias, a tied head.
template <class T = void>
constexpr transformer_config cohere(block_shape s, std::string_view architecture = "CohereForCausalLM") {
  s.vocabulary = 256000;
  s.tied = s.parallel = true;
  s.norm = {.kind = norm_kind::layer, .weight = true, .bias = false};
  s.placement = norms::shared;
  return make_decoder<T>(architecture, s);
}

/// Command-R7B and Command-A: three windowed layers for each global one.
template <class T = void>
constexpr transformer_config cohere2(block_shape s) {
  s.window = 4096;
  s.windowed = layer_set::range(0, s.layers) - every_last_of(4, s.layers);
  return cohere<T>(s, "Cohere2ForCausalLM");
}
}  // namespace detail

/// Version 01; 08-2024 has other shapes.
struct command_r : zoo_model<command_r, family::cohere> {
  static constexpr const char* title = "Command-R";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::cohere<T>({.layers = 40, .hidden = 8192, .heads = 64, .intermediate = 22528, .context = 131072});
  }
};

struct command_r_plus : zoo_model<command_r_plus, family::cohere> {
  static constexpr const char* title = "Command-R+";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::cohere<T>({.layers = 64,
                              .hidden = 12288,
                              .heads = 96,
                              .kv_heads = 8,
                              .intermediate = 33792,
                              .query_key_norm = qk_norm::every_head,
                              .query_key_norm_kind = norm_kind::layer,
                              .context = 131072});
  }
};

struct command_r7b : zoo_model<command_r7b, family::cohere> {
  static constexpr const char* title = "Command-R7B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::cohere2(
        {.layers = 32, .hidden = 4096, .heads = 32, .kv_heads = 8, .intermediate = 14336, .context = 132096});
  }
};

struct command_a : zoo_model<command_a, family::cohere> {
  static constexpr const char* title = "Command-A";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::cohere2<T>({.layers = 64,
                               .hidden = 12288,
                               .heads = 96,
                               .kv_heads = 8,
                               .head_dim = 128,
                               .intermediate = 36864,
                               .context = 131072});
  }
};

}  // namespace flopledger::models
