// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/hardware/cluster.hpp>
#include <flopledger/meter.hpp>
#include <flopledger/models/zoo/llama.hpp>

#include <chrono>
#include <cstdlib>
#include <limits>
#include <new>

#include "catch.hpp"

using namespace flopledger;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {
std::int64_t allocations = 0;
}

// All forms, for what one form allocates another one frees, and an address sanitizer brings its own for those left out.
void* operator new(std::size_t size, const std::nothrow_t& /*unused*/) noexcept {
  ++allocations;
  return std::malloc(size);
}
void* operator new(std::size_t size) {
  if (void* memory = operator new(size, std::nothrow)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

// PaLM 540B (Chowdhery et al. 2022, table 3 and section 4.1): 238.3K tokens a second on 6144 TPU v4 of 275 TFLOP/s,
// 2048 sequences of 2048 tokens, 46.2 % MFU. 6N and 12·L·h·S a token: N 540.35B, 118 layers, 48 heads of 256.
constexpr double tokens_of_palm = 2048.0 * 2048;
metered_run palm() {
  const double a_token = 6 * 540.35e9 + 12.0 * 118 * 48 * 256 * 2048;
  return {.of_a_step = {.model_flops = a_token * tokens_of_palm * unit::flop, .read = tokens_of_palm * unit::token},
          .devices = 6144,
          .peak = teraflops(275)};
}
constexpr seconds step_of_palm = tokens_of_palm / 238.3e3 * unit::second;

metered_run llama(figure<flop_rate> peak) {
  const training_setup setup{
      .precision = recipes::mixed_bf16::value,
      .plan = {.sequence = 8192, .gradient_accumulation = 8, .data = 8, .sharding = zero::optimizer}};
  const training_job job(models::llama3_1_8b::config, setup,
                         machine_of(hardware::h100_sxm5_80gb::value, setup.precision, setup.framework),
                         network_of(setup.plan, hardware::dgx_h100::value));
  return metered(job, peak);
}

}  // namespace

TEST_CASE("PaLM's own throughput gives PaLM's own MFU") {
  training_meter meter(palm(), {.warm_up = 0});
  const meter_reading now = meter.step(step_of_palm);
  CHECK_THAT(*now.rates.mfu, WithinAbs(0.462, 0.0005));
  CHECK_THAT(now.rates.throughput.value(), WithinRel(238.3e3, 1e-12));
  CHECK(now.flag == step_flag::none);
}

TEST_CASE("a duration may come from any clock") {
  training_meter meter(palm(), {.warm_up = 0});
  const double by_chrono = *meter.step(std::chrono::milliseconds(17000)).rates.mfu;
  const double by_events = *meter.step(cuda_milliseconds(17000.0F)).rates.mfu;
  const double by_seconds = *meter.step(17.0 * unit::second).rates.mfu;
  CHECK(by_chrono == by_seconds);
  CHECK_THAT(by_events, WithinRel(by_seconds, 1e-6));
}

TEST_CASE("an odd step is flagged, and neither ends the training nor spoils the average") {
  training_meter meter(palm(), {.warm_up = 0});
  meter.step(step_of_palm);
  const double before = *meter.whole_run().mfu;
  for (const double odd :
       {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    CHECK(meter.step(odd * unit::second).flag == step_flag::no_time);
  CHECK(*meter.whole_run().mfu == before);
  CHECK(meter.report().run_steps == 1);
  CHECK(meter.step(1.0 * unit::second).flag == step_flag::above_peak);  // eight times the peak
}

TEST_CASE("what is computed twice may exceed the peak where the model's FLOPs do not") {
  metered_run run = palm();
  run.of_a_step.recomputed_flops = 2.0 * run.of_a_step.model_flops;
  training_meter meter(run, {.warm_up = 0});
  const meter_reading now = meter.step(step_of_palm);
  CHECK(*now.rates.mfu < 1);
  CHECK(*now.rates.hfu > 1);
  CHECK(now.flag == step_flag::above_peak);
}

TEST_CASE("without a peak there is throughput and no utilisation") {
  metered_run run = palm();
  run.peak = {};
  training_meter meter(run, {.warm_up = 0});
  const meter_reading now = meter.step(step_of_palm);
  CHECK_THAT(now.rates.throughput.value(), WithinRel(238.3e3, 1e-12));
  CHECK_FALSE(now.rates.mfu);
  CHECK_FALSE(now.rates.hfu);
}

TEST_CASE("warm-up counts nowhere, and a window forgets what the run remembers") {
  training_meter meter(palm(), {.warm_up = 2, .window = 3});
  for (const double took : {90.0, 40.0}) CHECK(meter.step(took * unit::second).warm_up);
  for (const double took : {30.0, 20.0, 20.0, 20.0, 20.0}) CHECK_FALSE(meter.step(took * unit::second).warm_up);
  const meter_report now = meter.report();
  CHECK(now.last.number == 7);
  CHECK(now.window_steps == 3);
  CHECK_THAT(now.window.step.value(), WithinRel(20.0, 1e-12));
  CHECK(now.run_steps == 5);
  CHECK_THAT(now.run.step.value(), WithinRel(22.0, 1e-12));
  CHECK(now.step_seconds.highest == 20.0);
}

TEST_CASE("a slower window and growing memory are alarms") {
  training_meter meter(palm(), {.warm_up = 0, .window = 4});
  for (int i = 0; i < 4; ++i) meter.step(20.0 * unit::second);
  CHECK_FALSE(meter.alarms().utilisation_fell);
  for (int i = 0; i < 4; ++i) {
    meter.step(25.0 * unit::second);
    meter.memory((60e9 + 1e6 * i) * unit::byte);
  }
  CHECK_THAT(meter.alarms().utilisation_fell.value_or(0), WithinRel(0.2, 1e-12));
  CHECK_THAT(meter.alarms().memory_grows.value_or(bytes{}).value(), WithinRel(1e6, 1e-9));
  for (int i = 0; i < 8; ++i) meter.memory(60e9 * unit::byte);
  CHECK_FALSE(meter.alarms().memory_grows);
}

TEST_CASE("memory's trend is taken in the order of time when the ring has turned") {
  training_meter meter(palm(), {.window = 4});
  for (int i = 0; i < 7; ++i) meter.memory((60e9 + 1e6 * i) * unit::byte);
  CHECK_THAT(meter.alarms().memory_grows.value_or(bytes{}).value(), WithinRel(1e6, 1e-9));
}

TEST_CASE("a step of other work brings its own") {
  training_meter meter(palm(), {.warm_up = 0});
  const step_work half{.model_flops = 0.5 * meter.run().of_a_step.model_flops,
                       .read = tokens_of_palm / 2 * unit::token};
  CHECK_THAT(*meter.step(0.5 * step_of_palm, half).rates.mfu, WithinAbs(0.462, 0.0005));
}

TEST_CASE("a job is metered as it counts itself") {
  const figure<flop_rate> peak = dense_peak_figure(hardware::h100_sxm5_80gb::value, number_kind::bf16);
  training_meter meter(llama(peak), {.warm_up = 0});
  const metered_run& run = meter.run();
  // 64 sequences of 8192; the recipe recomputes nothing.
  CHECK(run.of_a_step.read == 64.0 * 8192 * unit::token);
  CHECK(run.of_a_step.recomputed_flops == flops{});
  const meter_reading now = meter.step(run.predicted.total());
  CHECK(now.beyond_prediction == seconds{});
  const meter_report told = meter.report();
  CHECK_THAT(told.gap.remainder.value(), WithinAbs(0.0, 1e-9));
  CHECK(told.gap.gap() > seconds{});
}

TEST_CASE("steps neither throw nor allocate") {
  training_meter meter(llama(teraflops(989.4)));
  const std::int64_t before = allocations;
  for (int i = 0; i < 1000; ++i) {
    meter.step(cuda_milliseconds(12000.0F + static_cast<float>(i)));
    meter.memory(60e9 * unit::byte);
    static_cast<void>(meter.alarms());
  }
  CHECK(allocations == before);
}

TEST_CASE("a run that cannot be metered is refused when the meter is made") {
  metered_run no_tokens = palm();
  no_tokens.of_a_step.read = {};
  CHECK_THROWS_WITH(training_meter(no_tokens),
                    "training_meter: a step reads tokens and computes FLOPs; this one has none");
  CHECK_THROWS_WITH(training_meter(palm(), {.window = 1000}), "training_meter: a window has 1 to 256 steps, not 1000");
  CHECK_THROWS_WITH(training_meter(palm(), {.warm_up = -1}), "training_meter: warm-up of -1 steps");
}
