// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// How long one full evaluation of a plan takes: a 70B model under tensor, pipeline and data parallelism, its step time
// and its memory from one recording, on a configuration that the optimiser cannot see through.

#include <flopledger/hardware/nvidia.hpp>
#include <flopledger/models/block_shape.hpp>
#include <flopledger/time/serving.hpp>
#include <flopledger/time/step.hpp>

#include <benchmark/benchmark.h>

namespace {

using namespace flopledger;

constexpr transformer_config llama_70b = make_decoder(
    "llama-2-70b",
    {.layers = 80, .hidden = 8192, .heads = 64, .kv_heads = 8, .intermediate = 28672, .vocabulary = 32000});

training_setup three_dimensional() {
  training_setup setup{.precision = recipes::mixed_bf16::value};
  setup.plan = {.sequence = 4096,
                .micro_batch = 1,
                .gradient_accumulation = 64,
                .data = 8,
                .tensor = 8,
                .pipeline = 8,
                .sharding = zero::optimizer};
  return setup;
}

const step_network links{.tensor = {byte_rate::from_value(370e9), seconds::from_value(60e-6)},
                         .data = {byte_rate::from_value(48e9), seconds::from_value(60e-6)},
                         .pipeline = {byte_rate::from_value(48e9), seconds::from_value(20e-6)}};

template <class... Hidden>
void hide(Hidden&... what) {
  (benchmark::DoNotOptimize(&what), ...);
  benchmark::ClobberMemory();
}

void step_time_of_a_plan(benchmark::State& state) {
  transformer_config model = llama_70b;
  training_setup setup = three_dimensional();
  machine on = machine_of(hardware::h100_sxm5_80gb::value, setup.precision);
  for (auto _ : state) {
    hide(model, setup, on);
    benchmark::DoNotOptimize(training_time(model, setup, on, links).step().total().value());
  }
}
BENCHMARK(step_time_of_a_plan);

void step_time_and_memory_of_a_plan(benchmark::State& state) {
  transformer_config model = llama_70b;
  training_setup setup = three_dimensional();
  machine on = machine_of(hardware::h100_sxm5_80gb::value, setup.precision);
  for (auto _ : state) {
    hide(model, setup, on);
    const training_account job(model, setup, on, links);
    benchmark::DoNotOptimize(job.step().total().value());
    benchmark::DoNotOptimize(job.worst());
  }
}
BENCHMARK(step_time_and_memory_of_a_plan);

void a_product(benchmark::State& state) {
  machine on = machine_of(hardware::h100_sxm5_80gb::value, recipes::mixed_bf16::value);
  const product_timer timer{on, on.peak, 1};
  product shape{.batch = 1, .m = 4096, .n = 7168, .k = 8192};
  for (auto _ : state) {
    hide(shape);
    benchmark::DoNotOptimize(timer.compute(shape));
  }
}
BENCHMARK(a_product);

void a_decode_step(benchmark::State& state) {
  transformer_config model = llama_70b;
  machine on = machine_of(hardware::h100_sxm5_80gb::value, recipes::fp16::value);
  for (auto _ : state) {
    hide(model, on);
    const serving_time serving(model, {.precision = recipes::fp16::value}, on, {.tensor = 8});
    benchmark::DoNotOptimize(serving.decode_step(32, 4096).value());
  }
}
BENCHMARK(a_decode_step);

}  // namespace
