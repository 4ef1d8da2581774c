// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// DeepSeek, and what Moonshot built on V3.

#include <flopledger/models/zoo/zoo_model.hpp>

namespace flopledger::models {

namespace detail {
/// Routed and shared experts, dense below `first`; latent attention where `latent_rank` is set. V3 and what follows it
/// choose experts with a correction bias, which is a tensor of the checkpoint.
template <class T = void>
constexpr transformer_config deepseek(std::string_view architecture, block_shape s, std::int64_t first = 1) {
  s.sparse = layer_set::range(first, s.layers);
  s.correction_bias = architecture.compare("DeepseekV3ForCausalLM") == 0;  // cheaper to a compiler than ==
  if (s.latent_rank > 0) {
    s.nope_dim = s.value_dim = 128;
    s.rope_dim = 64;
  }
  return make_decoder<T>(architecture, s);
}
}  // namespace detail

struct deepseek_llm_67b : zoo_model<deepseek_llm_67b, family::deepseek> {
  static constexpr const char* title = "DeepSeek-LLM-67B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return make_decoder<T>("LlamaForCausalLM", {.layers = 95,
                                                .hidden = 8192,
                                                .heads = 64,
                                                .kv_heads = 8,
                                                .intermediate = 22016,
                                                .vocabulary = 102400,
                                                .context = 4096});
  }
};

struct deepseek_moe_16b : zoo_model<deepseek_moe_16b, family::deepseek> {
  static constexpr const char* title = "DeepSeekMoE-16B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::deepseek("DeepseekForCausalLM", {.layers = 28,
                                                    .hidden = 2048,
                                                    .heads = 16,
                                                    .intermediate = 10944,
                                                    .vocabulary = 102400,
                                                    .experts = 64,
                                                    .experts_per_token = 6,
                                                    .expert_intermediate = 1408,
                                                    .shared_intermediate = 2816,
                                                    .context = 4096});
  }
};

struct deepseek_v2_lite : zoo_model<deepseek_v2_lite, family::deepseek> {
  static constexpr const char* title = "DeepSeek-V2-Lite";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::deepseek("DeepseekV2ForCausalLM", {.layers = 27,
                                                      .hidden = 2048,
                                                      .heads = 16,
                                                      .intermediate = 10944,
                                                      .vocabulary = 102400,
                                                      .experts = 64,
                                                      .experts_per_token = 6,
                                                      .expert_intermediate = 1408,
                                                      .shared_intermediate = 2816,
                                                      .latent_rank = 512,
                                                      .context = 163840});
  }
};

struct deepseek_v2 : zoo_model<deepseek_v2, family::deepseek> {
  static constexpr const char* title = "DeepSeek-V2";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::deepseek("DeepseekV2ForCausalLM", {.layers = 60,
                                                      .hidden = 5120,
                                                      .heads = 128,
                                                      .intermediate = 12288,
                                                      .vocabulary = 102400,
                                                      .experts = 160,
                                                      .experts_per_token = 6,
                                                      .expert_intermediate = 1536,
                                                      .shared_intermediate = 3072,
                                                      .query_rank = 1536,
                                                      .latent_rank = 512,
                                                      .context = 163840});
  }
};

/// Without the multi-token prediction block, which inference does not run (11.6B more in the checkpoint).
struct deepseek_v3 : zoo_model<deepseek_v3, family::deepseek> {
  static constexpr const char* title = "DeepSeek-V3";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::deepseek("DeepseekV3ForCausalLM",
                            {.layers = 61,
                             .hidden = 7168,
                             .heads = 128,
                             .intermediate = 18432,
                             .vocabulary = 129280,
                             .experts = 256,
                             .experts_per_token = 8,
                             .expert_intermediate = 2048,
                             .shared_intermediate = 2048,
                             .query_rank = 1536,
                             .latent_rank = 512,
                             .context = 163840},
                            3);
  }
};

struct deepseek_r1 : zoo_model<deepseek_r1, family::deepseek> {
  static constexpr const char* title = "DeepSeek-R1";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::deepseek("DeepseekV3ForCausalLM",
                            {.layers = 61,
                             .hidden = 7168,
                             .heads = 128,
                             .intermediate = 18432,
                             .vocabulary = 129280,
                             .experts = 256,
                             .experts_per_token = 8,
                             .expert_intermediate = 2048,
                             .shared_intermediate = 2048,
                             .query_rank = 1536,
                             .latent_rank = 512,
                             .context = 163840},
                            3);
  }
};

struct kimi_k2 : zoo_model<kimi_k2, family::kimi> {
  static constexpr const char* title = "Kimi-K2-Instruct";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::deepseek("DeepseekV3ForCausalLM", {.layers = 61,
                                                      .hidden = 7168,
                                                      .heads = 64,
                                                      .intermediate = 18432,
                                                      .vocabulary = 163840,
                                                      .experts = 384,
                                                      .experts_per_token = 8,
                                                      .expert_intermediate = 2048,
                                                      .shared_intermediate = 2048,
                                                      .query_rank = 1536,
                                                      .latent_rank = 512,
                                                      .context = 131072});
  }
};

struct moonlight_16b_a3b : zoo_model<moonlight_16b_a3b, family::kimi> {
  static constexpr const char* title = "Moonlight-16B-A3B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::deepseek("DeepseekV3ForCausalLM", {.layers = 27,
                                                      .hidden = 2048,
                                                      .heads = 16,
                                                      .intermediate = 11264,
                                                      .vocabulary = 163840,
                                                      .experts = 64,
                                                      .experts_per_token = 6,
                                                      .expert_intermediate = 1408,
                                                      .shared_intermediate = 2816,
                                                      .latent_rank = 512,
                                                      .context = 8192});
  }
};

}  // namespace flopledger::models
