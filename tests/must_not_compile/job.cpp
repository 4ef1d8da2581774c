// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// What a job that cannot be says, and guards on time that fail.

#include <flopledger/hardware/cluster.hpp>
#include <flopledger/job.hpp>
#include <flopledger/models/zoo.hpp>

namespace fl = flopledger;

using job = fl::training<fl::models::llama3_1_8b, fl::recipes::mixed_bf16, fl::optimizers::adamw,
                         fl::plan{.sequence = 8192, .data = 8, .sharding = fl::zero::optimizer}>;
using node = fl::cluster<fl::hardware::dgx_h100>;
static_assert(fl::within_time<job, node, 60000>);
using service = fl::serving_under<fl::models::llama3_1_8b, fl::recipes::bf16, fl::engines::vllm,
                                  fl::served_load{.prompt = 2048, .output = 256, .concurrency = 32}>;
static_assert(fl::within_latency<service, fl::hardware::dgx_h100, fl::latency{.first_token_ms = 1000}>);

// case: MEMORY_OF_AN_IMPOSSIBLE_PLAN
// expect: impossible_plan
// expect-clang: in call to .refuse_plan\([0-9]+, 80, 3
// max-lines: 25
#ifdef CASE_MEMORY_OF_AN_IMPOSSIBLE_PLAN
constexpr fl::memory_account account =
    fl::training_memory(fl::models::llama2_70b::config, fl::training_setup{.plan = {.sequence = 4096, .pipeline = 3}})
        .worst();
#endif

// case: STEP_TOO_SLOW
// expect: step_in_ms<[0-9]+, 100>
// expect: takes longer than it may
#ifdef CASE_STEP_TOO_SLOW
static_assert(fl::require_within_time<job, node, 100>::holds);
#endif

// case: TOKEN_TOO_SLOW
// expect: output_token_in_us<[0-9]+, 4000>
// expect: a token takes longer than it may
#ifdef CASE_TOKEN_TOO_SLOW
static_assert(fl::require_within_latency<service, fl::hardware::dgx_h100, fl::latency{.output_token_us = 4000}>::holds);
#endif

// case: LATENCY_OF_A_TRAINING_JOB
// expect: not a service: `serving_under<...>` is one
#ifdef CASE_LATENCY_OF_A_TRAINING_JOB
static_assert(fl::within_latency<job, fl::hardware::dgx_h100, fl::latency{.first_token_ms = 1000}>);
#endif

// case: LATENCY_WITHOUT_LIMIT
// expect: a latency limits the first token, each further one or both
#ifdef CASE_LATENCY_WITHOUT_LIMIT
static_assert(fl::within_latency<service, fl::hardware::dgx_h100, fl::latency{}>);
#endif

// case: ON_ANOTHER_NUMBER_OF_DEVICES
// expect: do not make the devices of the cluster
#ifdef CASE_ON_ANOTHER_NUMBER_OF_DEVICES
static_assert(fl::within_time<job, fl::cluster<fl::hardware::dgx_h100, 2>, 60000>);
#endif

// case: FORMAT_FOR_A_RECIPE
// expect: not a recipe: it needs `static constexpr flopledger::recipe value`
// expect: has_formats<(flopledger::)?bf16>
// forbid: boost::units
// max-lines: 30
#ifdef CASE_FORMAT_FOR_A_RECIPE
using narrow = fl::training<fl::models::llama3_1_8b, fl::bf16, fl::optimizers::adamw, fl::plan{.sequence = 8192}>;
constexpr fl::memory_account held = narrow::memory();
#endif

// case: FORMAT_FOR_A_DEVICE
// expect: not an accelerator: it needs `static constexpr flopledger::accelerator value`
// forbid: boost::units
// max-lines: 20
#ifdef CASE_FORMAT_FOR_A_DEVICE
static_assert(fl::fits<job, fl::bf16>);
#endif

// case: FORMAT_FOR_A_RECIPE_OF_A_MACHINE
// expect: machine_of takes values, of a device and of a recipe
// max-lines: 12
#ifdef CASE_FORMAT_FOR_A_RECIPE_OF_A_MACHINE
constexpr fl::machine on = fl::machine_of(fl::hardware::h100_sxm5_80gb::value, fl::bf16{});
#endif

// case: TYPES_FOR_VALUES_OF_A_MACHINE
// expect: machine_of takes values, of a device and of a recipe
// max-lines: 12
#ifdef CASE_TYPES_FOR_VALUES_OF_A_MACHINE
constexpr fl::machine on = fl::machine_of(fl::hardware::h100_sxm5_80gb{}, fl::recipes::bf16::value);
#endif
