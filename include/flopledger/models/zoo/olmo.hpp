// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// AI2's OLMo and IBM's Granite.

#include <flopledger/models/zoo/zoo_model.hpp>

namespace flopledger::models {

namespace detail {
/// OLMo-2: norms after each sublayer, queries and keys normalised over the whole projection.
constexpr transformer_config olmo2(block_shape s) {
  s.vocabulary = 100352;
  s.placement = norms::post;
  s.query_key_norm = qk_norm::per_projection;
  s.context = 4096;
  return make_decoder("Olmo2ForCausalLM", s);
}
}  // namespace detail

/// LayerNorm without anything learned.
struct olmo_1b : zoo_model<olmo_1b> {
  static constexpr std::string_view name = "OLMo-1B";
  static constexpr std::string_view family = "olmo";
  static constexpr transformer_config describe() {
    return make_decoder("OlmoForCausalLM", {.layers = 16,
                                            .hidden = 2048,
                                            .heads = 16,
                                            .intermediate = 8192,
                                            .vocabulary = 50304,
                                            .tied = true,
                                            .norm = {.kind = norm_kind::layer, .weight = false, .bias = false},
                                            .context = 2048});
  }
};

struct olmo_7b : zoo_model<olmo_7b> {
  static constexpr std::string_view name = "OLMo-7B";
  static constexpr std::string_view family = "olmo";
  static constexpr transformer_config describe() {
    return make_decoder("OlmoForCausalLM", {.layers = 32,
                                            .hidden = 4096,
                                            .heads = 32,
                                            .intermediate = 11008,
                                            .vocabulary = 50304,
                                            .norm = {.kind = norm_kind::layer, .weight = false, .bias = false},
                                            .context = 2048});
  }
};

struct olmo2_7b : zoo_model<olmo2_7b> {
  static constexpr std::string_view name = "OLMo-2-7B";
  static constexpr std::string_view family = "olmo";
  static constexpr transformer_config describe() {
    return detail::olmo2({.layers = 32, .hidden = 4096, .heads = 32, .intermediate = 11008});
  }
};

struct olmo2_13b : zoo_model<olmo2_13b> {
  static constexpr std::string_view name = "OLMo-2-13B";
  static constexpr std::string_view family = "olmo";
  static constexpr transformer_config describe() {
    return detail::olmo2({.layers = 40, .hidden = 5120, .heads = 40, .intermediate = 13824});
  }
};

struct olmo2_32b : zoo_model<olmo2_32b> {
  static constexpr std::string_view name = "OLMo-2-32B";
  static constexpr std::string_view family = "olmo";
  static constexpr transformer_config describe() {
    return detail::olmo2({.layers = 64, .hidden = 5120, .heads = 40, .kv_heads = 8, .intermediate = 27648});
  }
};

struct olmoe_1b_7b : zoo_model<olmoe_1b_7b> {
  static constexpr std::string_view name = "OLMoE-1B-7B";
  static constexpr std::string_view family = "olmo";
  static constexpr transformer_config describe() {
    return make_decoder("OlmoeForCausalLM", {.layers = 16,
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

struct granite_3_3_8b : zoo_model<granite_3_3_8b> {
  static constexpr std::string_view name = "Granite-3.3-8B";
  static constexpr std::string_view family = "granite";
  static constexpr transformer_config describe() {
    return make_decoder("GraniteForCausalLM", {.layers = 40,
                                               .hidden = 4096,
                                               .heads = 32,
                                               .kv_heads = 8,
                                               .intermediate = 12800,
                                               .vocabulary = 49159,
                                               .tied = true,
                                               .context = 131072});
  }
};

struct granite_3_0_1b_a400m : zoo_model<granite_3_0_1b_a400m> {
  static constexpr std::string_view name = "Granite-3.0-1B-A400M";
  static constexpr std::string_view family = "granite";
  static constexpr transformer_config describe() {
    return make_decoder("GraniteMoeForCausalLM", {.layers = 24,
                                                  .hidden = 1024,
                                                  .heads = 16,
                                                  .kv_heads = 8,
                                                  .intermediate = 512,
                                                  .vocabulary = 49152,
                                                  .tied = true,
                                                  .experts = 32,
                                                  .experts_per_token = 8,
                                                  .expert_intermediate = 512,
                                                  .sparse = layer_set::range(0, 24),
                                                  .context = 4096});
  }
};

}  // namespace flopledger::models
