// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// 100,000 requests of 2,000 tokens in and 300 out on one H100 under vLLM, near the most that it serves.

#include <flopledger/hardware/nvidia.hpp>
#include <flopledger/models/zoo/llama.hpp>
#include <flopledger/planning/pass_costs.hpp>

#include <benchmark/benchmark.h>

namespace {

using namespace flopledger;
using namespace flopledger::planning;
using namespace flopledger::literals;

void one_server(benchmark::State& state) {
  const data_formats formats{.precision = recipes::bf16::value};
  const machine on = machine_of(hardware::h100_sxm5_80gb::value, formats.precision, engines::vllm);
  const serving_time time(models::llama3_1_8b::config, formats, on, {}, engines::vllm);
  const pass_costs costs(time, engines::vllm.chunk, 2150);
  const std::vector<arrival> arrivals =
      arrivals_of({.rate = 8.0 / 1_s, .prompt = {.mean = 2000}, .output = {.mean = 300}}, 100'000);
  std::int64_t passes = 0;
  for (auto _ : state)
    passes = simulate(arrivals, {.pass_tokens = engines::vllm.chunk, .cache_tokens = 400'000}, costs).passes;
  state.counters["passes"] = static_cast<double>(passes);
}
BENCHMARK(one_server)->Unit(benchmark::kMillisecond);

}  // namespace
