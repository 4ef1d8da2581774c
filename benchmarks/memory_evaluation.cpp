// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// What one evaluation of training memory costs: Llama-2-70B over tensor, pipeline and sharded data ranks, all stages.

#include <flopledger/memory/training.hpp>
#include <flopledger/models/block_shape.hpp>

#include <benchmark/benchmark.h>

namespace {

using namespace flopledger;

const transformer_config model = make_decoder(
    "llama-2-70b",
    {.layers = 80, .hidden = 8192, .heads = 64, .kv_heads = 8, .intermediate = 28672, .vocabulary = 32000});

void training_memory_of_llama_2_70b(benchmark::State& state) {
  training_setup setup{.precision = recipes::mixed_bf16::value};
  setup.plan = {.sequence = 4096,
                .gradient_accumulation = 64,
                .data = 8,
                .tensor = 8,
                .pipeline = 8,
                .sharding = zero::optimizer};
  for (auto _ : state) {
    benchmark::DoNotOptimize(setup);
    const bytes needed = training_memory(model, setup).worst().total();
    benchmark::DoNotOptimize(needed);
  }
}
BENCHMARK(training_memory_of_llama_2_70b);

}  // namespace
