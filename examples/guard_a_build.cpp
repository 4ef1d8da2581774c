// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// A framework guards its capacity: if a job no longer fits its device, the build stops and says by how much.

#include <flopledger/flopledger.hpp>
#include <flopledger/memory/explain.hpp>

#include <cstdio>

using namespace flopledger;
using namespace flopledger::literals;

// What the model is, exactly.
static_assert(has_parameters<models::llama3_1_8b, 8'030'261'248>);
static_assert(has_parameters<models::mixtral_8x7b, 46'702'792'704>);
static_assert(active_parameter_count<models::mixtral_8x7b> == 12'879'925'248. * unit::parameter);

// What a training job needs.
using job = training<models::llama3_1_8b, recipes::mixed_bf16, optimizers::adamw,
                     plan{.sequence = 8192,
                          .gradient_accumulation = 8,
                          .data = 8,
                          .sharding = zero::weights,
                          .recompute = recompute::selective}>;
static_assert(fits<job, hardware::h100_sxm5_80gb>);

// What serving it needs, with a paged cache and a gibibyte for the engine itself.
using served =
    serving<models::llama3_1_8b, recipes::bf16, service{.sequences = 32, .context = 8192, .reserve_MiB = 1024}>;
static_assert(fits<served, hardware::h100_sxm5_80gb>);
static_assert(!fits<served, hardware::l40s>);

// The same numbers at run time, line by line.
int main() {
  std::puts("training Llama-3.1-8B on eight H100:");
  std::fputs(
      explain(models::llama3_1_8b::config, job::setup, memory_limit{usable_memory<hardware::h100_sxm5_80gb>}).c_str(),
      stdout);
  std::puts("serving it on an L40S:");
  std::fputs(explain(served::memory(), usable_memory<hardware::l40s>).c_str(), stdout);
}
