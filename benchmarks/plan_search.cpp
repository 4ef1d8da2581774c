// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// Searching plans: Calculon's example, 22B on 64 devices with a batch of 64, whose space its own dimensions make
// 2,393,240 plans large. The dimensions here are this library's; `plans` counts those that model and devices allow.

#include <flopledger/hardware/cluster.hpp>
#include <flopledger/models/block_shape.hpp>
#include <flopledger/models/zoo/llama.hpp>
#include <flopledger/planning/search.hpp>

#include <benchmark/benchmark.h>

namespace {

using namespace flopledger;
using namespace flopledger::planning;

const transformer_config megatron_22b = make_decoder("megatron-22b", {.layers = 48,
                                                                      .hidden = 6144,
                                                                      .heads = 64,
                                                                      .intermediate = 24576,
                                                                      .vocabulary = 51200,
                                                                      .positions = 2048,
                                                                      .gated = false,
                                                                      .activation = activation_function::gelu,
                                                                      .norm = {.kind = norm_kind::layer, .bias = true},
                                                                      .rotary_fraction = 0});

plan_space of_22b() {
  plan_space space;
  space.like.precision = recipes::mixed_bf16::value;
  space.like.framework = frameworks::megatron_core;
  space.like.plan.sequence = 2048;
  space.global_batch = 64;
  space.devices = {64};
  space.schedule = {pipeline_schedule::one_forward_one_backward, pipeline_schedule::zero_bubble};
  space.exchange = {context_exchange::ring, context_exchange::all_to_all};
  space.shard_group = {0, 4, 8};
  space.again = {
      {recompute::none}, {recompute::selective}, {recompute::full}, {recompute::alternate}, {recompute::full, {}, 2}};
  space.offload = {{}};
  for (int what = 1; what < 8; ++what) space.offload.add({(what & 1) != 0, (what & 2) != 0, (what & 4) != 0});
  return space;
}

plan_space of_405b() {
  plan_space space;
  space.like.precision = recipes::mixed_bf16::value;
  space.like.framework = frameworks::megatron_core;
  space.like.plan.sequence = 8192;
  space.global_batch = 2048;
  space.devices = {16384};
  return space;
}

void search(benchmark::State& state, const transformer_config& model, const plan_space& space, const node& in,
            search_options how) {
  how.threads = 1;
  const fleet on{machine_of(*in.device, space.like.precision, space.like.framework),
                 {published(*in.device, &accelerator::usable_memory)},
                 in};
  plan_counts counts;
  for (auto _ : state) counts = search_plans(model, space, on, how).counts;
  const std::uint64_t possible = counts.too_large + counts.fitting + counts.passed_over;
  state.counters["plans"] = static_cast<double>(possible);
  state.counters["priced"] = static_cast<double>(counts.too_large + counts.fitting);
}

void every_plan_of_22b(benchmark::State& state) {
  search(state, megatron_22b, of_22b(), hardware::dgx_a100::value, {.bounds = false, .framework_rules = false});
}
BENCHMARK(every_plan_of_22b)->Unit(benchmark::kMillisecond);

void best_plan_of_22b(benchmark::State& state) {
  search(state, megatron_22b, of_22b(), hardware::dgx_a100::value, {.framework_rules = false});
}
BENCHMARK(best_plan_of_22b)->Unit(benchmark::kMillisecond);

void best_plan_of_405b(benchmark::State& state) {
  search(state, models::llama3_1_405b::config, of_405b(), hardware::dgx_h100::value, {});
}
BENCHMARK(best_plan_of_405b)->Unit(benchmark::kMillisecond);

}  // namespace
