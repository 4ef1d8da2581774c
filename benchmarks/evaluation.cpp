// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// How long the library takes to answer at run time, on a configuration that the optimiser cannot see through.

#include <flopledger/flopledger.hpp>
#include <flopledger/models/zoo.hpp>

#include <benchmark/benchmark.h>

namespace {

/// Hides the configuration and the work behind their addresses.
void hide(flopledger::transformer_config& model, flopledger::work& asked) {
  benchmark::DoNotOptimize(&model);
  benchmark::DoNotOptimize(&asked);
  benchmark::ClobberMemory();
}

void fold_one_column(benchmark::State& state) {
  flopledger::transformer_config model = flopledger::models::llama2_70b::config;
  flopledger::work asked = flopledger::forward(1, 4096);
  for (auto _ : state) {
    hide(model, asked);
    benchmark::DoNotOptimize(flopledger::total<&flopledger::row::multiplied>(model, asked).value());
  }
}
BENCHMARK(fold_one_column);

void fold_all_columns(benchmark::State& state) {
  flopledger::transformer_config model = flopledger::models::llama2_70b::config;
  flopledger::work asked = flopledger::training_step(1, 4096);
  for (auto _ : state) {
    hide(model, asked);
    benchmark::DoNotOptimize(flopledger::totals_of(model, asked));
  }
}
BENCHMARK(fold_all_columns);

void store_the_ledger(benchmark::State& state) {
  flopledger::transformer_config model = flopledger::models::llama2_70b::config;
  flopledger::work asked = flopledger::forward(1, 4096);
  flopledger::ledger<64> rows;
  for (auto _ : state) {
    hide(model, asked);
    rows.size = 0;
    model.record(rows, asked);
    benchmark::DoNotOptimize(&rows);
  }
}
BENCHMARK(store_the_ledger);

}  // namespace
