// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// Worked examples that must come out exactly, those of them that counting and rates answer. Figures in circulation that
// are wrong stand beside the right ones.

#include <flopledger/models/block_shape.hpp>
#include <flopledger/precision.hpp>

#include <concepts>

#include "known_models.hpp"
#include "quantities.hpp"
#include "training_bytes.hpp"

namespace fl = flopledger;
namespace unit = flopledger::unit;
using namespace flopledger::literals;
using fl::operation;

namespace {

constexpr double products(const auto& model, const fl::work& asked) {
  return (fl::flops_per_mac * fl::total<&fl::row::multiplied>(model, asked)).value();
}
constexpr bool in_core(const fl::row& r) {
  return r.kind == operation::attention_scores || r.kind == operation::attention_context;
}
/// Without the products that no module owns: attention as a library function.
constexpr double module_products(const auto& model, const fl::work& asked) {
  fl::tally sum{0.0, [](const fl::row& r) { return in_core(r) ? 0.0 : fl::product_flops(r).value(); }};
  model.record(sum, asked);
  return sum.total;
}
constexpr double block_products_without_core(const auto& model, const fl::work& asked) {
  fl::tally sum{0.0, [](const fl::row& r) {
                  return in_core(r) || r.kind == operation::head ? 0.0 : fl::product_flops(r).value();
                }};
  model.record(sum, asked);
  return sum.total;
}
constexpr fl::parameters held(const auto& model) { return fl::total<&fl::row::held>(model, fl::forward(1, 1)); }

constexpr bool close(double a, double b, double relative) { return a - b <= relative * b && b - a <= relative * b; }

// B = 2, T = 6, D = 16, L = 2, V = 16, f = 64: learned positions of 16, biases but of query, key and value.
constexpr fl::transformer_config small = [] {
  fl::block_shape shape = known::gpt2_shape(2, 16, 2, 16, 16);
  shape.query_bias = shape.key_bias = shape.value_bias = false;
  shape.tied = false;
  return known::decoder(shape);
}();

constexpr auto training_rule = 6.0 * unit::flop / (unit::parameter * unit::token);
constexpr auto forward_rule = 2.0 * unit::flop / (unit::parameter * unit::token);

}  // namespace

TEST_CASE("a small decoder multiplies 162816 operations in its forward pass") {
  HOLDS(products(small, fl::forward(2, 6)) == 162'816);
  // A counter that sees modules alone misses the products of attention.
  HOLDS(module_products(small, fl::forward(2, 6)) == 153'600);
}

TEST_CASE("a small decoder has 7264 parameters, 29056 bytes of FP32") {
  HOLDS(held(small) == 7264_parameters);
  HOLDS(held(small) * fl::storage<fl::fp32> == 29'056_B);
}

TEST_CASE("twice the sequence is twice the projections and four times the scores") {
  constexpr auto core = [](double length) {
    return products(small, fl::forward(2, length)) - module_products(small, fl::forward(2, length));
  };
  HOLDS(module_products(small, fl::forward(2, 12)) == 2 * module_products(small, fl::forward(2, 6)));
  HOLDS(core(12) == 4 * core(6));
}

TEST_CASE("FP32 AdamW takes 16 bytes a parameter") {
  HOLDS(test::training_bytes(fl::recipes::fp32::value) * 1_parameters == 16_B);
}

TEST_CASE("2 GiB of FP32 weights train in 8 GiB, 2 GiB of 16-bit weights in 16 GiB") {
  constexpr auto trained = [](fl::bytes weights, const fl::recipe& recipe) {
    return weights / recipe.weights.storage() * test::training_bytes(recipe);
  };
  HOLDS(trained(2_GiB, fl::recipes::fp32::value) == 8_GiB);
  HOLDS(trained(2_GiB, fl::recipes::fp32::value) > 4_GiB);
  HOLDS(trained(2_GiB, fl::recipes::mixed_bf16::value) == 16_GiB);
}

TEST_CASE("ten GMAC in a tenth of a second are 200 GFLOP/s") {
  HOLDS(fl::flops_per_mac * 10_GMAC / 0.1_s == 200_GFLOP / (1_s));
  HOLDS(!std::convertible_to<decltype(20_GFLOP), fl::flop_rate>);  // 20 GFLOP is no rate
}

TEST_CASE("seven billion parameters on a trillion tokens take 4.2e22 operations") {
  HOLDS(training_rule * 7_Gparameters * 1_Ttokens == 4.2e22 * unit::flop);
  HOLDS(training_rule * 7_Gparameters * 65'536_tokens == 2.752512e15 * unit::flop);
}

TEST_CASE("a step of 2.75 PFLOP on sixteen devices of 400 TFLOP/s takes 0.43 s at least") {
  constexpr fl::flops step = training_rule * 7_Gparameters * 65'536_tokens;
  constexpr fl::flop_rate peak = 16.0 * (400_TFLOP / (1_s));
  HOLDS(close((step / peak).value(), 0.43008, 1e-14));
  HOLDS(close((step / 0.86_s).value(), 3.2005953e15, 2e-8));
  HOLDS(close(step / 0.86_s / peak, 0.50009, 1e-5));
  // Of the gap, a forward pass again explains a third of the floor at most, not 40 %.
  HOLDS(close((step / peak / 3.0).value(), 0.143, 0.003));
  HOLDS(0.4 * (step / peak) > step / peak / 3.0);
}

TEST_CASE("a recompute of 1.3 makes 6 N D 7.8 N D") { HOLDS(close((1.3 * training_rule).value(), 7.8, 1e-14)); }

TEST_CASE("forty percent of 400 TFLOP/s for half a second are 8e13 operations") {
  constexpr fl::flop_rate reached = 0.4 * (400_TFLOP / (1_s));
  HOLDS(reached == 160_TFLOP / (1_s));
  HOLDS(reached * 0.5_s == 80_TFLOP);
}

TEST_CASE("1e18 operations in an hour on eight devices of 312 TFLOP/s are 11.1 percent") {
  HOLDS(close(1_EFLOP / (8.0 * (312_TFLOP / (1_s)) * 3600_s), 0.111289, 2e-6));
}

TEST_CASE("70 billion parameters at 1000 tokens a second exceed one device of 300 TFLOP/s") {
  constexpr fl::flop_rate needed = training_rule * 70_Gparameters * (1000_tokens / (1_s));
  HOLDS(needed == 4.2e14 * (unit::flop / unit::second));
  HOLDS(close(needed / (300_TFLOP / (1_s)), 1.4, 1e-14));  // no share of a peak can be
}

TEST_CASE("ideal throughput is the peak over the operations of a token") {
  constexpr fl::flops_per_token a_token = training_rule * 70_Gparameters;
  constexpr fl::token_rate ideal = (300_TFLOP / (1_s)) / a_token;
  HOLDS(close(ideal.value(), 714.2857142857143, 1e-14));
  // A share of the ideal throughput is the share of the peak.
  HOLDS(close((500_tokens / (1_s)) / ideal, a_token * (500_tokens / (1_s)) / (300_TFLOP / (1_s)), 1e-14));
}

TEST_CASE("three passes of 1.5 TFLOP over a million tokens a second are 4.5e18 a second") {
  constexpr fl::flop_rate reached = 3.0 * (1.5_TFLOP / (1_tokens)) * 1_Mtokens / 1_s;
  HOLDS(reached == 4.5_EFLOP / (1_s));
  HOLDS(reached != 4.5_PFLOP / (1_s));  // a published figure slips by a thousand
  constexpr fl::flop_rate other = 3.0 * (235_GFLOP / (1_tokens)) * 4000_tokens / 0.5_s;
  HOLDS(other == 5.64_PFLOP / (1_s));
  HOLDS(other != 5.64_TFLOP / (1_s));  // so does this one
}

TEST_CASE("70 billion parameters of FP16 train in 560 GB, in 1120 GB with FP32 master weights") {
  constexpr fl::recipe pure = fl::recipes::fp16::value, mixed = fl::recipes::mixed_fp16::value;
  HOLDS(70_Gparameters * pure.weights.storage() == 140_GB);
  HOLDS(70_Gparameters * pure.gradients.storage() == 140_GB);
  HOLDS(70_Gparameters * test::optimizer_bytes(pure) == 280_GB);
  HOLDS(70_Gparameters * test::training_bytes(pure) == 560_GB);
  HOLDS(70_Gparameters * test::training_bytes(mixed) == 1120_GB);
}

TEST_CASE("14 GB of weights over 2 TB/s are 7 ms a token") {
  constexpr fl::byte_rate bandwidth = 2_TB / (1_s);
  HOLDS(close((14_GB / bandwidth).value(), 0.007, 1e-14));
  HOLDS(close(1 / (14_GB / bandwidth).value(), 1000.0 / 7, 1e-14));
  HOLDS(close((7_Gparameters * fl::storage<fl::int8> / bandwidth).value(), 0.0035, 1e-14));
}

TEST_CASE("that model at 50 ms a token uses 14 percent of the bandwidth") {
  constexpr fl::byte_rate bandwidth = 2_TB / (1_s);
  HOLDS(close(14_GB / 50_ms / bandwidth, 0.14, 1e-14));  // a published 85 % contradicts its own time
  HOLDS(close((forward_rule * 7_Gparameters * 1_tokens / 50_ms).value(), 0.28e12, 1e-14));
  HOLDS(close(7_GB / 30_ms / bandwidth, 0.117, 0.003));
}

TEST_CASE("gradients of 140 GB over 100 GB/s take 1.4 s") {
  HOLDS(close((140_GB / (100_GB / (1_s))).value(), 1.4, 1e-14));
}

TEST_CASE("GPT-3's blocks multiply 347.9 GFLOP a token beside the attention core") {
  HOLDS(block_products_without_core(known::gpt3, fl::forward(1, 1)) == 347'892'350'976.0);
  HOLDS(block_products_without_core(known::gpt3, fl::forward(1, 1)) < 0.25 * 1.5e12);  // "about 1.5 T" is wrong
  // 4h² + 8hf counts the projections once and the feed-forward twice over.
  HOLDS(close(96 * (4.0 * 12288 * 12288 + 8.0 * 12288 * 49152), 521.8e9, 1e-4));
  HOLDS(block_products_without_core(known::gpt3, fl::forward(1, 1)) == 96 * 2.0 * 12288 * (4 * 12288 + 2 * 49152.0));
}

TEST_CASE("LLaMA-7B's blocks multiply 12.95 GFLOP a token, 13.21 with the head") {
  HOLDS(block_products_without_core(known::llama_2_7b, fl::forward(1, 1)) == 12'952'010'752.0);
  HOLDS(module_products(known::llama_2_7b, fl::forward(1, 1)) == 13'214'154'752.0);
  HOLDS(module_products(known::llama_2_7b, fl::forward(1, 1)) < 0.06 * 235e9);  // "235 G" is wrong
}

TEST_CASE("a fused kernel multiplies as much as an explicit one") {
  // 4·B·a·S²·d, half of it causally, whoever computes it: it moves fewer bytes.
  constexpr double B = 2, a = 32, S = 2048, d = 128;
  constexpr auto core = [](fl::attention_counting counting) {
    const fl::work asked = fl::forward(2, 2048, counting);
    return (products(known::llama_3_8b, asked) - module_products(known::llama_3_8b, asked)) / 32;
  };
  HOLDS(core(fl::attention_counting::full) == 4 * B * a * S * S * d);
  HOLDS(core(fl::attention_counting::causal_half) == 2 * B * a * S * S * d);
  HOLDS(core(fl::attention_counting::full) > 2 * S * d * a * 1000);  // a published 2·S·d·a lacks a factor of 2·B·S
}

TEST_CASE("a format changes bytes and peaks, never operations") {
  // No formula of work takes a format: the same rows at 2 bytes and at half a byte.
  HOLDS(held(known::llama_2_7b) * fl::storage<fl::fp16> == 4.0 * (held(known::llama_2_7b) * fl::storage<fl::fp4>));
  HOLDS(!std::invocable<decltype([](auto f) -> decltype(fl::forward(1, 1, f)) { return {}; }), fl::number_format>);
}
