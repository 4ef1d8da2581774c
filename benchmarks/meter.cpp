// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// What a training loop pays for its meter, a step.

#include <flopledger/meter.hpp>

#include <benchmark/benchmark.h>

namespace {

void meter_a_step(benchmark::State& state) {
  using namespace flopledger;
  training_meter meter({.of_a_step = {.model_flops = 4e15 * unit::flop, .read = 65536.0 * unit::token},
                        .devices = 8,
                        .peak = teraflops(1000)});
  double took = 1;
  for (auto _ : state) {
    benchmark::DoNotOptimize(took);
    benchmark::DoNotOptimize(meter.step(took * unit::second));
    meter.memory(60e9 * unit::byte);
  }
}
BENCHMARK(meter_a_step);

}  // namespace
