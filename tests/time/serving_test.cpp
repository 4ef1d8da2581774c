// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/hardware/nvidia.hpp>
#include <flopledger/models/block_shape.hpp>
#include <flopledger/models/zoo/llama.hpp>
#include <flopledger/models/zoo/mistral.hpp>
#include <flopledger/models/zoo/qwen.hpp>
#include <flopledger/time/roofline.hpp>
#include <flopledger/time/serving.hpp>

#include "catch.hpp"

namespace {

using namespace flopledger;
using namespace flopledger::literals;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

constexpr transformer_config model = make_decoder(
    "test", {.layers = 32, .hidden = 4096, .heads = 32, .kv_heads = 8, .intermediate = 14336, .vocabulary = 128256});
constexpr data_formats half{.precision = recipes::fp16::value};
constexpr machine on = machine_of(hardware::h100_sxm5_80gb::value, recipes::fp16::value);

TEST_CASE("at the floor a decode step reads weights once, one row of the table a sequence, and the cache") {
  const serving_time floor(model, half, on.floor());
  traffic moved{.formats = half};
  model.record(moved, decode_step(1, 4096));
  const double least = moved.moved.total().value() / on.bandwidth.value();
  const double now = floor.decode_step(1, 4096).value();
  CHECK(now <= least * 1.001);
  CHECK(now >= 0.97 * least);  // elementwise operations fused into others move less
  // Eight sequences share the weights.
  CHECK(floor.decode_step(8, 4096).value() < 2 * now);
  CHECK(floor.decode_step(8, 4096).value() > now);
}

TEST_CASE("prompts in chunks take at least as long as whole ones") {
  const serving_time serving(model, half, on);
  const double entire = serving.prefill(1, 8192).value();
  double before = entire;
  for (const double chunk : {8192.0, 2048.0, 512.0, 128.0}) {
    const double now = serving.prefill_in_chunks(1, 8192, chunk).value();
    CHECK(now >= before * 0.999);
    before = now;
  }
}

TEST_CASE("decode over a range is the sum of its steps") {
  const serving_time serving(model, half, on);
  double sum = 0;
  for (int i = 0; i < 99; ++i) sum += serving.decode_step(4, 1000.0 + i).value();
  CHECK_THAT(serving.decode(4, 1000, 100).value(), WithinRel(sum, 1e-6));
  CHECK(serving.decode(4, 1000, 1).value() == 0);
  CHECK_THAT(serving.output_token(1000, 100, 4)->value(), WithinRel(sum / 99, 1e-6));
  CHECK_THAT(serving.end_to_end(1000, 100, 4).value(),
             WithinRel(sum + serving.time_to_first_token(1000, 4).value(), 1e-6));
}

TEST_CASE("speculative decoding: expected tokens of a round") {
  CHECK(expected_accepted(0, 4) == 1);
  CHECK(expected_accepted(1, 4) == 5);
  CHECK_THAT(expected_accepted(0.8, 4), WithinRel((1 - 0.8 * 0.8 * 0.8 * 0.8 * 0.8) / 0.2, 1e-12));
  const transformer_config small = make_decoder(
      "draft", {.layers = 8, .hidden = 1024, .heads = 8, .kv_heads = 8, .intermediate = 4096, .vocabulary = 128256});
  const serving_time large(model, half, on), draft(small, half, on);
  const double plain = 1 / large.decode_step(1, 1000).value();
  CHECK(large.speculative(draft, 0.9, 4, 1000).value() > plain);
  CHECK(large.speculative(draft, 0.0, 4, 1000).value() < plain);
}

TEST_CASE("what cannot be served is refused") {
  CHECK_THROWS_AS(serving_time(model, half, on, {.tensor = 0}), bad_argument);
  CHECK_THROWS_AS(serving_time(model, half, on, {.tensor = 4, .expert = 8}), bad_argument);
  CHECK_THROWS_AS(serving_time(model, half, on).prefill_in_chunks(1, 100, 0), bad_argument);
  CHECK_THROWS_AS(serving_time(model, half, on).prefill_together(1, 100, 0), bad_argument);
  CHECK_THROWS_AS(expected_accepted(1.1, 3), bad_argument);
  CHECK_THROWS_AS(expected_accepted(-0.1, 3), bad_argument);
  CHECK_THROWS_AS(expected_accepted(0.5, -1), bad_argument);
}

TEST_CASE("tensor parallelism divides what is read and adds all-reduces") {
  const serving_group four{.tensor = 4, .latency = 20_us, .bandwidth = byte_rate::from_value(370e9)};
  const serving_time one(model, half, on), shared(model, half, on, four);
  CHECK(shared.kernels(decode_step(1, 1000)) < one.kernels(decode_step(1, 1000)));
  CHECK_THAT(shared.communication(decode_step(1, 1000)).value(), WithinAbs(65 * 20e-6, 65e-6));
  CHECK(one.communication(decode_step(1, 1000)).value() == 0);
}

TEST_CASE("an encoder runs with the prompt alone, a tower where there are images, and both sum over the group") {
  const serving_group four{.tensor = 4, .latency = 20_us};
  transformer_config both = model;
  both.encoder = model.stack;
  both.stack.cross_attention = true;
  both.stack.cross = model.stack.attention;
  both.stack.cross.source_hidden = 4096;
  const serving_time translating(both, half, on, four);
  CHECK_THAT(translating.communication(prefill(1, 100)).value(), WithinRel((32 * 3 + 1 + 32 * 2) * 20e-6, 1e-9));
  CHECK_THAT(translating.communication(decode_step(1, 100)).value(), WithinRel((32 * 3 + 1) * 20e-6, 1e-9));
  CHECK(translating.kernels(prefill(1, 4096)) > 1.8 * serving_time(model, half, on, four).kernels(prefill(1, 4096)));

  transformer_config seeing = model;
  seeing.vision = {.patches = {.image_size = 336, .patch_size = 14, .hidden = 1024}};
  seeing.vision.stack.layers = 24;
  seeing.vision.stack.hidden = 1024;
  seeing.vision.stack.attention = {.hidden = 1024, .heads = 16, .kv_heads = 16, .head_dim = 64};
  seeing.vision.stack.feed = {.hidden = 1024, .intermediate = 4096, .gated = false};
  const serving_time looking(seeing, half, on, four);
  work with_images = prefill(1, 1000);
  with_images.images = 2;
  CHECK_THAT((looking.communication(with_images) - looking.communication(prefill(1, 1000))).value(),
             WithinRel(24 * 2 * 20e-6, 1e-9));
  CHECK(looking.pass(with_images) > looking.pass(prefill(1, 1000)));
}

TEST_CASE("throughput grows with concurrency, and a request's time too") {
  const serving_time serving(model, half, on);
  double before = 0, slower = 0;
  for (const double concurrency : {1.0, 4.0, 16.0, 64.0}) {
    const double now = serving.output_throughput(concurrency, 1024, 256).value();
    CHECK(now > before);
    CHECK(serving.output_token(1024, 256, concurrency)->value() > slower);
    before = now;
    slower = serving.output_token(1024, 256, concurrency)->value();
  }
}

TEST_CASE("a mixture reads the experts that a batch is expected to touch") {
  const transformer_config sparse = make_decoder("mixture", {.layers = 16,
                                                             .hidden = 2048,
                                                             .heads = 16,
                                                             .kv_heads = 16,
                                                             .vocabulary = 32000,
                                                             .experts = 64,
                                                             .experts_per_token = 4,
                                                             .expert_intermediate = 1024,
                                                             .sparse = layer_set::range(0, 16)});
  const serving_time floor(sparse, half, on.floor());
  const double one = floor.decode_step(1, 0).value(), many = floor.decode_step(64, 0).value();
  const double experts = 3 * 2048.0 * 1024 * 2 * 16 / on.bandwidth.value();
  const double more = expected_distinct_experts(64, 4, 64) - 4;
  CHECK_THAT(many - one, WithinRel(more * experts, 0.1));
}

TEST_CASE("quantised weights shorten a decode step by what is read") {
  data_formats quantised = half;
  quantised.precision.weights = int4<128>::format;
  const serving_time sixteen(model, half, on.floor()), four(model, quantised, on.floor());
  CHECK(four.decode_step(1, 128) < sixteen.decode_step(1, 128));
  CHECK(four.decode_step(1, 128).value() > 0.25 * sixteen.decode_step(1, 128).value());
}

TEST_CASE("prompts that arrive together share passes up to a chunk") {
  const serving_time serving(model, half, on);
  CHECK(serving.prefill_together(8, 128, 1024) == serving.prefill(8, 128));
  CHECK(serving.prefill_together(10, 128, 512).value() ==
        (2. * serving.prefill(4, 128) + serving.prefill(2, 128)).value());
  CHECK(serving.prefill_together(3, 2048, 512) == 3. * serving.prefill_in_chunks(1, 2048, 512));
}

TEST_CASE("an engine's host adds to each token, pass and request") {
  engine busy;
  busy.a_token.value = 1e-5 * unit::second;
  busy.a_pass.value = 1e-3 * unit::second;
  busy.a_request.value = 1e-2 * unit::second;
  const serving_time bare(model, half, on), slowed(model, half, on, {}, busy);
  const double step = (slowed.decode_step(16, 100) - bare.decode_step(16, 100)).value();
  CHECK(step > 1.159e-3);
  CHECK(step < 1.161e-3);
  const double first = (slowed.time_to_first_token(100) - bare.time_to_first_token(100)).value();
  CHECK(first > 1.1009e-2);
  CHECK(first < 1.1011e-2);
}

constexpr data_formats eight_bits = [] {
  data_formats made{.precision = recipes::bf16::value};
  made.precision.weights = made.precision.compute = fp8_e4m3::format;
  return made;
}();

TEST_CASE("weights held in few bits are read once, at their bytes") {
  // Llama-3.1-8B: 6,979,321,856 parameters of matrices in 8 bits; the head, 525,336,576, in 16. H100: 3.35 TB/s.
  const double in_8_bits = (6'979'321'856.0 + 2 * 525'336'576.0) / 3.35e12;
  const serving_time on_hopper(models::llama3_1_8b::config, eight_bits,
                               machine_of(hardware::h100_sxm5_80gb::value, eight_bits.precision).floor(), {},
                               engines::ideal);
  CHECK_THAT(on_hopper.decode_step(1, 1).value(), WithinRel(in_8_bits, 0.01));
  data_formats four = eight_bits;
  four.precision.weights = four.precision.compute = nvfp4::format;
  const double in_4_bits =
      (6'979'321'856.0 * 4.5 / 8 + 2 * 525'336'576.0) / hardware::b200_sxm::value.memory_bandwidth.value().value();
  const serving_time on_blackwell(models::llama3_1_8b::config, four,
                                  machine_of(hardware::b200_sxm::value, four.precision).floor(), {}, engines::ideal);
  CHECK_THAT(on_blackwell.decode_step(1, 1).value(), WithinRel(in_4_bits, 0.01));
}

TEST_CASE("attention, router and head of a model in 8 bits run at the peak of 16: one roof for reports and services") {
  const machine hopper = machine_of(hardware::h100_sxm5_80gb::value, eight_bits.precision);
  const work prompt = prefill(1, 131072, attention_counting::causal);
  roofline floors{.formats = eight_bits, .rates = rates_of(hopper)};
  models::llama3_1_8b::config.record(floors, prompt);
  CHECK(floors.one_after_another.value() > 5.71);
  const serving_time served(models::llama3_1_8b::config, eight_bits, hopper.floor(), {}, engines::ideal);
  CHECK_THAT(served.pass(prompt).value(), WithinRel(floors.one_after_another.value(), 0.01));
}

TEST_CASE("ranks that hold the same tokens each do their own experts' work") {
  // 512 sequences on eight H100: whole experts or slices of all of them are the same work.
  const machine hopper = machine_of(hardware::h100_sxm5_80gb::value, recipes::bf16::value).floor();
  const auto step = [&](std::int64_t expert) {
    return serving_time(models::qwen3_30b_a3b::config, half, hopper, {.tensor = 8, .expert = expert}, engines::ideal)
        .decode_step(512, 1000)
        .value();
  };
  CHECK_THAT(step(8), WithinRel(step(1), 0.03));
}

TEST_CASE("experts that no token goes to take no tile") {
  // One token meets two of Mixtral's eight experts: as in a model that has no others.
  transformer_config two = models::mixtral_8x7b::config;
  two.stack.mixture.experts = 2;
  const machine ampere = machine_of(hardware::a100_sxm4_80gb::value, recipes::fp16::value);
  const double of_eight = serving_time(models::mixtral_8x7b::config, half, ampere).decode_step(1, 100).value();
  CHECK_THAT(of_eight, WithinRel(serving_time(two, half, ampere).decode_step(1, 100).value(), 0.01));
}

TEST_CASE("a decode step has no causal ramp, and later chunks have it for their own tokens alone") {
  const machine hopper = machine_of(hardware::h100_sxm5_80gb::value, recipes::bf16::value);
  const serving_time scout(models::llama4_scout::config, half, hopper, {.tensor = 8});
  const serving_time floor(models::llama4_scout::config, half, hopper.floor(), {.tensor = 8}, engines::ideal);
  CHECK(scout.decode_step(100, 16000).value() < 2 * floor.decode_step(100, 16000).value());
  const serving_time plain(models::llama3_1_8b::config, half, hopper);
  CHECK(plain.prefill_in_chunks(1, 131072, 1024).value() < 1.12 * plain.prefill(1, 131072).value());
}

TEST_CASE("prompts share passes: weights are read once a pass, and the floor of throughput is a bound") {
  const machine hopper = machine_of(hardware::h100_sxm5_80gb::value, eight_bits.precision);
  const auto bound = [&](double requests, double length) {
    return output_bound(models::llama3_1_8b::config, eight_bits, rates_of(hopper), requests, length, length).value();
  };
  // 16 + 16 tokens, the last of which no pass reads: 31 by matrices of 6.98e9 in 8 bits (1979 TFLOP/s), 16 by a head of
  // 0.525e9 in 16 (989).
  const double least = 31 * 2 * 6'979'321'856.0 / 1978.9e12 + 16 * 2 * 525'336'576.0 / 989.4e12;
  CHECK_THAT(bound(8192, 16) / 16, WithinRel(1 / least, 0.01));
  // Measured at 128 + 128: 27,688 and 28,312 output tokens a second (NVIDIA/TensorRT-LLM #6294, perf-overview).
  CHECK(bound(4096, 128) > 28'312);
  const serving_time served(models::llama3_1_8b::config, eight_bits, hopper);
  CHECK_THAT(served.output_throughput(2048, 128, 128, 8192).value(), WithinRel(28'000.0, 0.25));
}

TEST_CASE("the floor of a mixture moves no token to and fro") {
  const machine hopper = machine_of(hardware::h100_sxm5_80gb::value, recipes::bf16::value);
  const work prompt = prefill(1, 4096, attention_counting::causal);
  roofline floors{.formats = half, .rates = rates_of(hopper)};
  models::qwen3_30b_a3b::config.record(floors, prompt);
  const serving_time served(models::qwen3_30b_a3b::config, half, hopper.floor(), {}, engines::ideal);
  CHECK(served.pass(prompt).value() < 1.01 * floors.one_after_another.value());
}

}  // namespace
