// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// MiniMax, Jamba, Mamba, dots, ERNIE, Nemotron, Baichuan, InternLM and StableLM.

#include <flopledger/models/zoo/zoo_model.hpp>

namespace flopledger::models {

namespace detail {
/// MiniMax-Text-01: lightning attention but in every eighth layer, and every layer a mixture.
template <class T = void>
constexpr transformer_config minimax_text_01() {
  transformer_config made = make_decoder<T>("MiniMaxText01ForCausalLM", {.layers = 80,
                                                                         .hidden = 6144,
                                                                         .heads = 64,
                                                                         .kv_heads = 8,
                                                                         .head_dim = 128,
                                                                         .intermediate = 9216,
                                                                         .vocabulary = 200064,
                                                                         .rotary_fraction = 0.5,
                                                                         .experts = 32,
                                                                         .experts_per_token = 2,
                                                                         .expert_intermediate = 9216,
                                                                         .sparse = layer_set::range(0, 80),
                                                                         .context = 10240000});
  made.stack.recurrence = recurrent_kind::lightning;
  made.stack.recurrent = layer_set::range(0, 80) - every_last_of(8, 80);
  made.stack.lightning = {.hidden = 6144, .heads = 64, .head_dim = 128};
  return made;
}

/// Jamba: Mamba but in every eighth layer, and every second layer a mixture.
template <class T = void>
constexpr transformer_config jamba() {
  transformer_config made = make_decoder<T>("JambaForCausalLM", {.layers = 32,
                                                                 .hidden = 4096,
                                                                 .heads = 32,
                                                                 .kv_heads = 8,
                                                                 .intermediate = 14336,
                                                                 .vocabulary = 65536,
                                                                 .rotary_fraction = 0,
                                                                 .experts = 16,
                                                                 .experts_per_token = 2,
                                                                 .expert_intermediate = 14336,
                                                                 .sparse = every_last_of(2, 32),
                                                                 .context = 262144});
  made.stack.recurrence = recurrent_kind::mamba;
  made.stack.recurrent = layer_set::range(0, 32) - layer_set::every(8, 4, 32);
  made.stack.mamba = {.hidden = 4096,
                      .inner = 8192,
                      .state = 16,
                      .kernel = 4,
                      .step_rank = 256,
                      .convolution_bias = true,
                      .inner_norms = true};
  return made;
}

/// A stack of Mamba blocks without feed-forward layers.
template <class T = void>
constexpr transformer_config mamba(std::string_view architecture, const block_shape& s, std::int64_t step_rank) {
  transformer_config made = make_decoder<T>(architecture, s);
  made.stack.has_feed_forward = false;
  made.stack.recurrence = recurrent_kind::mamba;
  made.stack.recurrent = layer_set::range(0, s.layers);
  made.stack.mamba = {.hidden = s.hidden,
                      .inner = 2 * s.hidden,
                      .state = 16,
                      .kernel = 4,
                      .step_rank = step_rank,
                      .convolution_bias = true};
  return made;
}
}  // namespace detail

struct minimax_text_01 : zoo_model<minimax_text_01, family::minimax> {
  static constexpr const char* title = "MiniMax-Text-01";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::minimax_text_01();
  }
};

struct minimax_m2 : zoo_model<minimax_m2, family::minimax> {
  static constexpr const char* title = "MiniMax-M2";
  template <class T = void>
  static constexpr transformer_config describe() {
    return make_decoder<T>("MiniMaxM2ForCausalLM", {.layers = 62,
                                                    .hidden = 3072,
                                                    .heads = 48,
                                                    .kv_heads = 8,
                                                    .head_dim = 128,
                                                    .intermediate = 1536,
                                                    .vocabulary = 200064,
                                                    .query_key_norm = qk_norm::per_projection,
                                                    .rotary_fraction = 0.5,
                                                    .experts = 256,
                                                    .experts_per_token = 8,
                                                    .expert_intermediate = 1536,
                                                    .correction_bias = true,
                                                    .sparse = layer_set::range(0, 62),
                                                    .context = 196608});
  }
};

struct jamba_v0_1 : zoo_model<jamba_v0_1, family::jamba> {
  static constexpr const char* title = "Jamba-v0.1";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::jamba();
  }
};

struct falcon_mamba_7b : zoo_model<falcon_mamba_7b, family::mamba> {
  static constexpr const char* title = "Falcon-Mamba-7B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::mamba("FalconMambaForCausalLM", {.layers = 64, .hidden = 4096, .vocabulary = 65024}, 256);
  }
};

struct dots_llm1 : zoo_model<dots_llm1, family::dots> {
  static constexpr const char* title = "dots.llm1";
  template <class T = void>
  static constexpr transformer_config describe() {
    return make_decoder<T>("Dots1ForCausalLM", {.layers = 62,
                                                .hidden = 4096,
                                                .heads = 32,
                                                .head_dim = 128,
                                                .intermediate = 10944,
                                                .vocabulary = 152064,
                                                .query_key_norm = qk_norm::per_head,
                                                .experts = 128,
                                                .experts_per_token = 6,
                                                .expert_intermediate = 1408,
                                                .shared_intermediate = 2816,
                                                .correction_bias = true,
                                                .sparse = layer_set::range(1, 62),
                                                .context = 32768});
  }
};

struct ernie_4_5_300b_a47b : zoo_model<ernie_4_5_300b_a47b, family::ernie> {
  static constexpr const char* title = "ERNIE-4.5-300B-A47B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return make_decoder<T>("Ernie4_5_MoeForCausalLM", {.layers = 54,
                                                       .hidden = 8192,
                                                       .heads = 64,
                                                       .kv_heads = 8,
                                                       .head_dim = 128,
                                                       .intermediate = 28672,
                                                       .vocabulary = 103424,
                                                       .experts = 64,
                                                       .experts_per_token = 8,
                                                       .expert_intermediate = 3584,
                                                       .correction_bias = true,
                                                       .sparse = layer_set::range(3, 54),
                                                       .context = 131072});
  }
};

struct nemotron_mini_4b : zoo_model<nemotron_mini_4b, family::nemotron> {
  static constexpr const char* title = "Nemotron-Mini-4B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return make_decoder<T>("NemotronForCausalLM", {.layers = 32,
                                                   .hidden = 3072,
                                                   .heads = 24,
                                                   .kv_heads = 8,
                                                   .head_dim = 128,
                                                   .intermediate = 9216,
                                                   .vocabulary = 256000,
                                                   .gated = false,
                                                   .activation = activation_function::relu_squared,
                                                   .norm = {.kind = norm_kind::layer, .weight = true, .bias = true},
                                                   .rotary_fraction = 0.5,
                                                   .context = 4096});
  }
};

/// ALiBi in place of rotary positions.
struct baichuan2_13b : zoo_model<baichuan2_13b, family::baichuan> {
  static constexpr const char* title = "Baichuan2-13B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return make_decoder<T>("BaichuanForCausalLM", {.layers = 40,
                                                   .hidden = 5120,
                                                   .heads = 40,
                                                   .intermediate = 13696,
                                                   .vocabulary = 125696,
                                                   .rotary_fraction = 0,
                                                   .context = 4096});
  }
};

struct internlm2_7b : zoo_model<internlm2_7b, family::internlm> {
  static constexpr const char* title = "InternLM2-7B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return make_decoder<T>("InternLM2ForCausalLM", {.layers = 32,
                                                    .hidden = 4096,
                                                    .heads = 32,
                                                    .kv_heads = 8,
                                                    .intermediate = 14336,
                                                    .vocabulary = 92544,
                                                    .context = 32768});
  }
};

struct stablelm_3b : zoo_model<stablelm_3b, family::stablelm> {
  static constexpr const char* title = "StableLM-3B-4E1T";
  template <class T = void>
  static constexpr transformer_config describe() {
    return make_decoder<T>("StableLmForCausalLM", {.layers = 32,
                                                   .hidden = 2560,
                                                   .heads = 32,
                                                   .intermediate = 6912,
                                                   .vocabulary = 50304,
                                                   .norm = {.kind = norm_kind::layer, .weight = true, .bias = true},
                                                   .rotary_fraction = 0.25,
                                                   .context = 4096});
  }
};

}  // namespace flopledger::models
