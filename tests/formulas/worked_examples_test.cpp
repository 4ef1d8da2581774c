// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// Worked examples that must come out exactly, each through the function that a user would call. Figures in circulation
// that are wrong stand beside the right ones.

#include <flopledger/evidence/diagnosis.hpp>
#include <flopledger/hardware/nvidia.hpp>
#include <flopledger/memory/training.hpp>
#include <flopledger/models/block_shape.hpp>
#include <flopledger/parallel/transfers.hpp>
#include <flopledger/precision.hpp>
#include <flopledger/time/serving.hpp>
#include <flopledger/time/step.hpp>
#include <flopledger/time/traffic.hpp>
#include <flopledger/utilisation.hpp>

#include <concepts>

#include "known_models.hpp"
#include "quantities.hpp"

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
  fl::block_shape shape = known_models::gpt2_shape(2, 16, 2, 16, 16);
  shape.query_bias = shape.key_bias = shape.value_bias = false;
  shape.tied = false;
  return known_models::decoder(shape);
}();

using fl::pass::decode_step;
using fl::pass::forward;
using fl::pass::training_step;

constexpr fl::flop_rate tera(double n) { return n * fl::prefix::tera * (unit::flop / unit::second); }
/// Work by the quick estimate: 6 FLOP a parameter a token in training, 2 forward.
template <class Pass>
constexpr fl::model_work<Pass, fl::bf16> estimated(fl::parameters held_by_model, fl::tokens read) {
  return {fl::estimated_flops_per_token<Pass>(held_by_model) * read};
}

/// A decoder of one layer with entries·width parameters: its matrices, 4·w² + 3·w·2w, and its three norms are taken off
/// the vocabulary.
constexpr fl::transformer_config model_of(std::int64_t entries, std::int64_t width) {
  return fl::make_decoder("one layer", {.layers = 1,
                                        .hidden = width,
                                        .heads = width / 64,
                                        .intermediate = 2 * width,
                                        .vocabulary = entries - 10 * width - 3,
                                        .tied = true});
}
struct training_states {
  fl::bytes weights{}, gradients{}, optimizer{};
  constexpr fl::bytes total() const { return weights + gradients + optimizer; }
};
constexpr training_states states_of(const fl::transformer_config& model, const fl::recipe& precision) {
  const fl::memory_account held_here =
      fl::training_memory(model, {.precision = precision, .optimizer = fl::optimizers::adamw, .plan = {.sequence = 1}})
          .worst();
  using fl::memory_line;
  return {held_here[memory_line::weights], held_here[memory_line::gradients], held_here[memory_line::optimizer]};
}

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
  HOLDS(states_of(small, fl::recipes::fp32::value).total() == 16.0 * 7264 * unit::byte);
}

TEST_CASE("2 GiB of FP32 weights train in 8 GiB, 2 GiB of 16-bit weights in 16 GiB") {
  constexpr training_states single = states_of(model_of(131'072, 4096), fl::recipes::fp32::value);
  HOLDS(single.weights == 2_GiB);
  HOLDS(single.total() == 8_GiB);  // before activations: 4 GiB do not suffice
  constexpr training_states mixed = states_of(model_of(131'072, 8192), fl::recipes::mixed_bf16::value);
  HOLDS(mixed.weights == 2_GiB);
  HOLDS(mixed.total() == 16_GiB);
}

TEST_CASE("ten GMAC in a tenth of a second are 200 GFLOP/s") {
  constexpr fl::model_work<forward, fl::bf16> products{fl::flops_per_mac * 10_GMAC};
  HOLDS(fl::achieved_rate(products, fl::measured<forward>(0.1_s)) == 200_GFLOP / (1_s));
  HOLDS(!std::convertible_to<decltype(20_GFLOP), fl::flop_rate>);  // 20 GFLOP is no rate
}

TEST_CASE("seven billion parameters on a trillion tokens take 4.2e22 operations") {
  HOLDS(estimated<training_step>(7_Gparameters, 1_Ttokens).amount == 4.2e22 * unit::flop);
  HOLDS(estimated<training_step>(7_Gparameters, 65'536_tokens).amount == 2.752512e15 * unit::flop);
  HOLDS(estimated<forward>(7_Gparameters, 1_tokens).amount == 14_GFLOP);
}

TEST_CASE("a step of 2.75 PFLOP on sixteen devices of 400 TFLOP/s takes 0.43 s at least") {
  constexpr auto step = estimated<training_step>(7_Gparameters, 65'536_tokens);
  constexpr fl::peak<fl::bf16> best{16.0 * tera(400)};
  constexpr fl::measured<training_step> took(0.86_s);
  HOLDS(close(fl::achieved_rate(step, took).value(), 3.2005953e15, 2e-8));
  HOLDS(close(fl::mfu(step, took, best), 0.50009, 1e-5));
  HOLDS(fl::mfu(step, fl::measured<training_step>(0.43008_s), best) > 1 - 1e-12);
  CHECK_THROWS_AS(fl::mfu(step, fl::measured<training_step>(0.43_s), best), fl::impossible_utilisation);
}

TEST_CASE("of that step's gap a second forward pass explains a third of the floor at most") {
  constexpr fl::seconds floor = 0.43008_s, claimed = 0.4 * floor;
  HOLDS(close(claimed.value(), 0.172, 0.001));
  HOLDS(close(fl::most_recompute(floor).value(), 0.143, 0.003));
  HOLDS(claimed > fl::most_recompute(floor));
  constexpr fl::seconds communication = 0.15 * (0.86_s);
  CHECK_FALSE(fl::communication_bound(communication, 0.86_s));
  const fl::step_gap parts = fl::attribute(
      0.86_s, floor,
      {.forward = floor / 3.0, .backward = floor / 1.5, .recompute = claimed, .data_communication = communication});
  CHECK_THAT(parts.gap().value(), Catch::Matchers::WithinAbs(0.430, 5e-4));
  CHECK_THAT(parts.communication.value(), Catch::Matchers::WithinAbs(0.129, 5e-4));
  CHECK_THAT(parts.remainder.value(), Catch::Matchers::WithinAbs(0.129, 5e-4));
}

TEST_CASE("a recompute of 1.3 makes 6 N D 7.8 N D") {
  constexpr auto once = estimated<training_step>(1_parameters, 1_tokens);
  HOLDS(once.amount == 6_FLOP);
  HOLDS(close(fl::with_recompute(once, 0.3 * once.amount).amount.value(), 7.8, 1e-14));
}

TEST_CASE("forty percent of 400 TFLOP/s for half a second are 8e13 operations") {
  constexpr fl::peak<fl::bf16> best{tera(400)};
  // A share that a profiler shows counts units that spin idle, so both are upper bounds.
  HOLDS(fl::achieved_rate(best, 0.4) == tera(160));
  HOLDS(fl::achieved_rate(best, 0.4) * 0.5_s == 80_TFLOP);
}

TEST_CASE("1e18 operations in an hour on eight devices of 312 TFLOP/s are 11.1 percent") {
  constexpr fl::model_work<training_step, fl::bf16> done{1_EFLOP};
  HOLDS(close(fl::mfu(done, fl::measured<training_step>(3600_s), fl::peak<fl::bf16>{8.0 * tera(312)}), 0.111289, 2e-6));
}

TEST_CASE("70 billion parameters at 1000 tokens a second exceed one device of 300 TFLOP/s") {
  constexpr auto second = fl::work_of_a_second<training_step, fl::bf16>(
      1000_tokens / (1_s), fl::estimated_flops_per_token<training_step>(70_Gparameters));
  HOLDS(second.amount == 4.2e14 * unit::flop);
  constexpr fl::peak<fl::bf16> one_device{tera(300)};
  try {
    static_cast<void>(fl::mfu(second, fl::measured<training_step>(1_s), one_device));
    FAIL("not refused");
  } catch (const fl::impossible_utilisation& refused) {
    CHECK(std::string(refused.what()).find("numerator and denominator disagree") != std::string::npos);
  }
}

TEST_CASE("ideal throughput is the peak over the operations of a token") {
  constexpr fl::flops_per_token a_token = fl::estimated_flops_per_token<training_step>(70_Gparameters);
  constexpr fl::peak<fl::bf16> best{tera(300)};
  constexpr fl::token_rate ideal = fl::ideal_throughput(best, a_token), got = 500_tokens / (1_s);
  HOLDS(close(ideal.value(), 714.2857142857143, 1e-14));
  // A share of the ideal throughput is the share of the peak.
  HOLDS(close(
      fl::mfu(fl::work_of_a_second<training_step, fl::bf16>(got, a_token), fl::measured<training_step>(1_s), best),
      got / ideal, 1e-14));
}

TEST_CASE("three passes of 1.5 TFLOP over a million tokens a second are 4.5e18 a second") {
  constexpr auto reached = [](fl::flops forward_of_token, double tokens_a_step, fl::seconds took) {
    const fl::model_work<training_step, fl::bf16> step{3.0 * tokens_a_step * forward_of_token};
    return fl::achieved_rate(step, fl::measured<training_step>(took));
  };
  HOLDS(reached(1.5_TFLOP, 1e6, 1_s) == 4.5_EFLOP / (1_s));      // a published 4.5e15 slips by a thousand
  HOLDS(reached(235_GFLOP, 4000, 0.5_s) == 5.64_PFLOP / (1_s));  // so does a published 5.64e12
}

TEST_CASE("70 billion parameters of FP16 train in 560 GB, in 1120 GB with FP32 master weights") {
  constexpr training_states pure = states_of(model_of(8'750'000, 8000), fl::recipes::fp16::value);
  HOLDS(pure.weights == 140_GB);
  HOLDS(pure.gradients == 140_GB);
  HOLDS(pure.optimizer == 280_GB);
  HOLDS(pure.total() == 560_GB);
  HOLDS(states_of(model_of(8'750'000, 8000), fl::recipes::mixed_fp16::value).total() == 1120_GB);
}

TEST_CASE("14 GB of weights over 2 TB/s are 7 ms a token") {
  constexpr fl::byte_rate bandwidth = 2_TB / (1_s);
  constexpr auto a_token = [](fl::bytes weights, fl::byte_rate rate) {
    return 1_tokens / fl::decode_bound(weights, 0_B, 1, rate);
  };
  HOLDS(close(fl::decode_bound(14_GB, 0_B, 1, bandwidth).value(), 142.857142857, 1e-11));
  HOLDS(close(a_token(14_GB, bandwidth).value(), 0.007, 1e-14));
  HOLDS(close(a_token(7_Gparameters * fl::storage<fl::int8>, bandwidth).value(), 0.0035, 1e-14));
  // Two sequences share one reading of the weights, and each brings its own cache.
  HOLDS(close(fl::decode_bound(14_GB, 7_GB, 2, bandwidth).value(), 2 * 2e12 / 28e9, 1e-14));
}

TEST_CASE("that model at 50 ms a token uses 14 percent of the bandwidth") {
  constexpr fl::memory_peak bandwidth = 2_TB / (1_s);
  constexpr fl::measured<decode_step> took(50_ms);
  constexpr auto token = estimated<decode_step>(7_Gparameters, 1_tokens);
  HOLDS(close(fl::mbu(fl::moved<decode_step>{14_GB}, took, bandwidth), 0.14, 1e-14));  // not a published 85 %
  HOLDS(close(fl::achieved_rate(token, took).value(), 0.28e12, 1e-14));
  HOLDS(close(fl::mbu(fl::moved<decode_step>{7_GB}, fl::measured<decode_step>(30_ms), bandwidth), 0.117, 0.003));
  CHECK_THROWS_AS(fl::mbu(fl::moved<decode_step>{14_GB}, fl::measured<decode_step>(6_ms), bandwidth),
                  fl::impossible_utilisation);
  const auto found = fl::bound_of(fl::mfu(token, took, fl::peak<fl::bf16>{tera(312)}), 0.14);
  REQUIRE(found);
  CHECK(found->what == fl::bottleneck::launch_or_starved);
}

TEST_CASE("gradients of 140 GB over 100 GB/s take 1.4 s, and 2 (g - 1)/g of that as a ring") {
  constexpr fl::byte_rate link = 100_GB / (1_s);
  HOLDS(close(fl::time_at_bus_bandwidth(fl::collective::send_receive, 2, 140_GB, link).value(), 1.4, 1e-14));
  HOLDS(close(fl::time_at_bus_bandwidth(fl::collective::all_reduce, 8, 140_GB, link).value(), 2.45, 1e-14));
  HOLDS(fl::sent_bytes(fl::collective::all_reduce, 8, 140_GB) == 245_GB);
  const fl::transfers step =
      fl::data_parallel_transfers(model_of(8'750'000, 8000), {.sequence = 1, .data = 8}, fl::recipes::fp16::value);
  CHECK(step.sent({.sequence = 1, .data = 8}) == 245_GB);
}

TEST_CASE("GPT-3's blocks multiply 347.9 GFLOP a token beside the attention core") {
  // "About 1.5 T" is wrong, and so is 521.8 G: 4 h² + 8 h f counts the feed-forward twice over.
  HOLDS(block_products_without_core(known_models::gpt3, fl::forward(1, 1)) == 347'892'350'976.0);
}

TEST_CASE("LLaMA-7B's blocks multiply 12.95 GFLOP a token, 13.21 with the head") {
  HOLDS(block_products_without_core(known_models::llama_2_7b, fl::forward(1, 1)) == 12'952'010'752.0);
  HOLDS(module_products(known_models::llama_2_7b, fl::forward(1, 1)) == 13'214'154'752.0);  // not "235 G"
}

TEST_CASE("a fused kernel multiplies as much as an explicit one") {
  // 4·B·a·S²·d, half of it causally, whoever computes it: it moves fewer bytes.
  constexpr double B = 2, a = 32, S = 2048, d = 128;
  constexpr auto core = [](fl::attention_counting counting) {
    const fl::work asked = fl::forward(2, 2048, counting);
    return (products(known_models::llama_3_8b, asked) - module_products(known_models::llama_3_8b, asked)) / 32;
  };
  HOLDS(core(fl::attention_counting::full) == 4 * B * a * S * S * d);
  HOLDS(core(fl::attention_counting::causal_half) == 2 * B * a * S * S * d);
  HOLDS(core(fl::attention_counting::full) > 2 * S * d * a * 1000);  // a published 2·S·d·a lacks a factor of 2·B·S
}

TEST_CASE("a format changes bytes and peaks, never operations") {
  static constexpr fl::work asked = fl::forward(1, 64);
  HOLDS(fl::model_work_of<forward, fl::bf16>(known_models::llama_2_7b, asked).amount ==
        fl::model_work_of<forward, fl::fp8_e4m3>(known_models::llama_2_7b, asked).amount);
  HOLDS(fl::peak_of<fl::fp8_e4m3, fl::hardware::h100_sxm5_80gb> > fl::peak_of<fl::bf16, fl::hardware::h100_sxm5_80gb>);
  constexpr auto weights_read = [](const fl::recipe& precision) {
    fl::traffic all{.formats = {.precision = precision}};
    known_models::llama_2_7b.record(all, asked);
    return all.moved.weights.read;
  };
  HOLDS(weights_read(fl::recipes::fp32::value) == 2.0 * weights_read(fl::recipes::bf16::value));
}
