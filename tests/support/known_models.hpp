// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Models that the tests need, written down here from their papers and published configurations, so that the tests of
/// the ledger need neither the zoo nor the reader.

#include <flopledger/models/block_shape.hpp>

namespace known_models {

using flopledger::block_shape;
using flopledger::layer_set;
using flopledger::transformer_config;

constexpr transformer_config decoder(const block_shape& shape) { return flopledger::make_decoder("test", shape); }

/// GPT-2's block: LayerNorm before each sublayer, biases everywhere, GELU, feed-forward of 4·hidden, learned positions.
constexpr block_shape gpt2_shape(std::int64_t layers, std::int64_t hidden, std::int64_t heads, std::int64_t vocabulary,
                                 std::int64_t positions, bool biases = true) {
  return {.layers = layers,
          .hidden = hidden,
          .heads = heads,
          .intermediate = 4 * hidden,
          .vocabulary = vocabulary,
          .tied = true,
          .positions = positions,
          .query_bias = biases,
          .key_bias = biases,
          .value_bias = biases,
          .output_bias = biases,
          .feed_bias = biases,
          .gated = false,
          .activation = flopledger::activation_function::gelu_tanh,
          .norm = {.kind = flopledger::norm_kind::layer, .bias = biases},
          .rotary_fraction = 0,
          .dropout = true};
}

inline constexpr block_shape llama_7b_shape{
    .layers = 32, .hidden = 4096, .heads = 32, .intermediate = 11008, .vocabulary = 32000};
inline constexpr block_shape llama_2_70b_shape{
    .layers = 80, .hidden = 8192, .heads = 64, .kv_heads = 8, .intermediate = 28672, .vocabulary = 32000};
inline constexpr block_shape llama_3_8b_shape{
    .layers = 32, .hidden = 4096, .heads = 32, .kv_heads = 8, .intermediate = 14336, .vocabulary = 128256};
inline constexpr block_shape llama_3_70b_shape{
    .layers = 80, .hidden = 8192, .heads = 64, .kv_heads = 8, .intermediate = 28672, .vocabulary = 128256};
inline constexpr block_shape qwen1_5_72b_shape{.layers = 80,
                                               .hidden = 8192,
                                               .heads = 64,
                                               .intermediate = 24576,
                                               .vocabulary = 152064,
                                               .query_bias = true,
                                               .key_bias = true,
                                               .value_bias = true};
inline constexpr block_shape qwen3_4b_shape{.layers = 36,
                                            .hidden = 2560,
                                            .heads = 32,
                                            .kv_heads = 8,
                                            .head_dim = 128,
                                            .intermediate = 9728,
                                            .vocabulary = 151936,
                                            .tied = true,
                                            .query_key_norm = flopledger::qk_norm::per_head};
inline constexpr block_shape qwen3_235b_shape{.layers = 94,
                                              .hidden = 4096,
                                              .heads = 64,
                                              .kv_heads = 4,
                                              .head_dim = 128,
                                              .vocabulary = 151936,
                                              .query_key_norm = flopledger::qk_norm::per_head,
                                              .experts = 128,
                                              .experts_per_token = 8,
                                              .expert_intermediate = 1536,
                                              .sparse = layer_set::range(0, 94)};
inline constexpr block_shape mixtral_8x7b_shape{.layers = 32,
                                                .hidden = 4096,
                                                .heads = 32,
                                                .kv_heads = 8,
                                                .vocabulary = 32000,
                                                .experts = 8,
                                                .experts_per_token = 2,
                                                .expert_intermediate = 14336,
                                                .sparse = layer_set::range(0, 32)};
inline constexpr block_shape gpt_oss_120b_shape{.layers = 36,
                                                .hidden = 2880,
                                                .heads = 64,
                                                .kv_heads = 8,
                                                .head_dim = 64,
                                                .vocabulary = 201088,
                                                .query_bias = true,
                                                .key_bias = true,
                                                .value_bias = true,
                                                .output_bias = true,
                                                .sinks = true,
                                                .window = 128,
                                                .windowed = layer_set::every(2, 0, 36),
                                                .experts = 128,
                                                .experts_per_token = 4,
                                                .expert_intermediate = 2880,
                                                .router_bias = true,
                                                .expert_bias = true,
                                                .sparse = layer_set::range(0, 36)};
inline constexpr block_shape deepseek_v3_shape{.layers = 61,
                                               .hidden = 7168,
                                               .heads = 128,
                                               .intermediate = 18432,
                                               .vocabulary = 129280,
                                               .experts = 256,
                                               .experts_per_token = 8,
                                               .expert_intermediate = 2048,
                                               .shared_intermediate = 2048,
                                               .correction_bias = true,
                                               .sparse = layer_set::range(3, 61),
                                               .query_rank = 1536,
                                               .latent_rank = 512,
                                               .nope_dim = 128,
                                               .rope_dim = 64,
                                               .value_dim = 128};
/// GPT-3 175B (Brown et al. 2020, table 2.1).
inline constexpr block_shape gpt3_shape = gpt2_shape(96, 12288, 96, 50257, 2048);

inline constexpr transformer_config llama_2_7b = decoder(llama_7b_shape);
inline constexpr transformer_config llama_2_70b = decoder(llama_2_70b_shape);
inline constexpr transformer_config llama_3_8b = decoder(llama_3_8b_shape);
inline constexpr transformer_config llama_3_1_70b = decoder(llama_3_70b_shape);
inline constexpr transformer_config qwen1_5_72b = decoder(qwen1_5_72b_shape);
inline constexpr transformer_config qwen3_4b = decoder(qwen3_4b_shape);
inline constexpr transformer_config qwen3_235b = decoder(qwen3_235b_shape);
inline constexpr transformer_config mixtral_8x7b = decoder(mixtral_8x7b_shape);
inline constexpr transformer_config gpt_oss_120b = decoder(gpt_oss_120b_shape);
inline constexpr transformer_config deepseek_v3 = decoder(deepseek_v3_shape);
inline constexpr transformer_config gpt2 = decoder(gpt2_shape(12, 768, 12, 50257, 1024));
inline constexpr transformer_config gpt2_without_bias = decoder(gpt2_shape(12, 768, 12, 50257, 1024, false));
inline constexpr transformer_config gpt3 = decoder(gpt3_shape);

/// Made up, of sizes that few degrees divide: 8 key/value heads for 24 heads, 28 layers.
inline constexpr transformer_config small_dense =
    decoder({.layers = 28, .hidden = 768, .heads = 24, .kv_heads = 8, .intermediate = 1536, .vocabulary = 1000});
/// Made up: eight layers of 16 experts.
inline constexpr transformer_config small_mixture = decoder({.layers = 8,
                                                             .hidden = 512,
                                                             .heads = 8,
                                                             .intermediate = 1024,
                                                             .vocabulary = 1000,
                                                             .experts = 16,
                                                             .experts_per_token = 2,
                                                             .expert_intermediate = 256,
                                                             .sparse = layer_set::range(0, 8)});

}  // namespace known_models
