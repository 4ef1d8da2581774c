// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// What a failing guard says: the numbers, on both compilers, in at most fifteen lines.
// max-lines: 15

#include <flopledger/guard.hpp>
#include <flopledger/hardware/nvidia.hpp>
#include <flopledger/models/zoo.hpp>

namespace fl = flopledger;

using resident =
    fl::weights_and_cache<fl::models::llama3_1_8b, fl::recipes::bf16, fl::load{.sequences = 8, .context = 8192}>;
static_assert(fl::fits<resident, fl::hardware::h100_sxm5_80gb>);

// case: WEIGHTS_TOO_LARGE
// expect: needed_MiB<152043>
// expect: available_MiB<77481>
// expect: exceeding_MiB<74562>
// expect: largest_part<.*weights, 131563>
#ifdef CASE_WEIGHTS_TOO_LARGE
using large =
    fl::weights_and_cache<fl::models::llama2_70b, fl::recipes::bf16, fl::load{.sequences = 8, .context = 8192}>;
static_assert(fl::fits<large, fl::hardware::h100_sxm5_80gb>);
#endif

// The form that asserts in its own body says so in its first lines.
// case: REQUIRED_TO_FIT
// expect: the job needs more memory than the device has
// expect: device_memory<.*needed_MiB<152043>.*available_MiB<77481>.*exceeding_MiB<74562>.*weights, 131563> ?>::required
// expect-gcc: the comparison reduces to '\(152043 <= 77481\)'
// expect-clang: failed due to requirement '152043L <= 77481L'
// expect-nvcc: Needed=152043L, Available=77481L, Exceeding=74562L
// max-lines-gcc: 9
#ifdef CASE_REQUIRED_TO_FIT
using large =
    fl::weights_and_cache<fl::models::llama2_70b, fl::recipes::bf16, fl::load{.sequences = 8, .context = 8192}>;
static_assert(fl::require_fits<large, fl::hardware::h100_sxm5_80gb>::holds);
#endif

// case: REQUIRED_OF_AN_IMPOSSIBLE_PLAN
// expect: the plan is impossible on this model
// expect: plan_check<.*heads_by_tensor, 64, 3>::required
// expect-nvcc: plan_problem::heads_by_tensor, Value=64L, Divisor=3L
// forbid: device_memory
// max-lines: 11
#ifdef CASE_REQUIRED_OF_AN_IMPOSSIBLE_PLAN
using job = fl::training<fl::models::llama2_70b, fl::recipes::mixed_bf16, fl::optimizers::adamw,
                         fl::plan{.sequence = 4096, .tensor = 3}>;
static_assert(fl::require_fits<job, fl::hardware::h100_sxm5_80gb>::holds);
#endif

// A model described in C++ is checked like a config.json.
// case: HEADS_THAT_DO_NOT_DIVIDE
// expect: model_check<.*heads_by_width, .*attention_heads, 48, 5120>
#ifdef CASE_HEADS_THAT_DO_NOT_DIVIDE
struct uneven {
  static constexpr fl::transformer_config config = fl::make_decoder(
      "uneven", {.layers = 40, .hidden = 5120, .heads = 48, .intermediate = 13824, .vocabulary = 32000});
};
using job = fl::training<uneven, fl::recipes::mixed_bf16, fl::optimizers::adamw, fl::plan{.sequence = 4096}>;
static_assert(fl::fits<job, fl::hardware::h100_sxm5_80gb>);
#endif

// case: REQUIRED_OF_AN_IMPOSSIBLE_MODEL
// expect: the model is impossible
// expect: model_check<.*more_than_experts, .*mixture_experts_per_token, 9, 8>::required
// max-lines: 11
#ifdef CASE_REQUIRED_OF_AN_IMPOSSIBLE_MODEL
struct greedy {
  static constexpr fl::transformer_config config = fl::make_decoder("greedy", {.layers = 32,
                                                                               .hidden = 4096,
                                                                               .heads = 32,
                                                                               .vocabulary = 32000,
                                                                               .experts = 8,
                                                                               .experts_per_token = 9,
                                                                               .expert_intermediate = 14336,
                                                                               .sparse = fl::layer_set::range(0, 32)});
};
using held = fl::weights_and_cache<greedy, fl::recipes::bf16, fl::load{.sequences = 1, .context = 8192}>;
static_assert(fl::require_fits<held, fl::hardware::h100_sxm5_80gb>::holds);
#endif

// The value, too, is refused where it is made; g++ names the line, clang the numbers.
// case: REQUIRED_ON_NO_DEVICE
// expect: not an accelerator: it needs `static constexpr flopledger::accelerator value`
// forbid: the job needs more memory
#ifdef CASE_REQUIRED_ON_NO_DEVICE
static_assert(fl::require_fits<resident, int>::holds);
#endif

// case: SERVING_TOO_LARGE
// expect: needed_MiB<[0-9]+>
// expect: exceeding_MiB<[0-9]+>
// expect: largest_part<.*kv_cache, [0-9]+>
#ifdef CASE_SERVING_TOO_LARGE
using crowded = fl::serving<fl::models::llama3_1_8b, fl::recipes::bf16, fl::service{.sequences = 128, .context = 8192}>;
static_assert(fl::fits<crowded, fl::hardware::h100_sxm5_80gb>);
#endif

// case: PLAN_WITHOUT_SEQUENCE
// expect: plan_check<.*no_sequence, 0, 1>
#ifdef CASE_PLAN_WITHOUT_SEQUENCE
using endless = fl::training<fl::models::llama3_1_8b, fl::recipes::mixed_bf16, fl::optimizers::adamw,
                             fl::plan{.micro_batch = 512, .data = 8, .sharding = fl::zero::weights}>;
static_assert(fl::fits<endless, fl::hardware::h100_sxm5_80gb>);
#endif

// case: TRAINING_TOO_LARGE
// expect: needed_MiB<[0-9]+>
// expect: largest_part<.*(weights|optimizer|gradients), [0-9]+>
#ifdef CASE_TRAINING_TOO_LARGE
using job = fl::training<fl::models::llama2_70b, fl::recipes::mixed_bf16, fl::optimizers::adamw,
                         fl::plan{.sequence = 4096, .data = 8, .sharding = fl::zero::optimizer}>;
static_assert(fl::fits<job, fl::hardware::h100_sxm5_80gb>);
#endif

// case: IMPOSSIBLE_PLAN
// expect: plan_check<.*heads_by_tensor, 64, 3>
#ifdef CASE_IMPOSSIBLE_PLAN
using job = fl::training<fl::models::llama2_70b, fl::recipes::mixed_bf16, fl::optimizers::adamw,
                         fl::plan{.sequence = 4096, .tensor = 3}>;
static_assert(fl::fits<job, fl::hardware::h100_sxm5_80gb>);
#endif

// case: ACCOUNT_OF_AN_IMPOSSIBLE_PLAN
// expect: an impossible plan has no memory
// expect: plan_check<.*layers_by_stages, 80, 3>
#ifdef CASE_ACCOUNT_OF_AN_IMPOSSIBLE_PLAN
using job = fl::training<fl::models::llama2_70b, fl::recipes::mixed_bf16, fl::optimizers::adamw,
                         fl::plan{.sequence = 4096, .pipeline = 3}>;
constexpr fl::memory_account account = job::memory();
#endif

// case: SERVICE_WITHOUT_SEQUENCES
// expect: plan_check<.*service_without_sequences, 0, 1>
#ifdef CASE_SERVICE_WITHOUT_SEQUENCES
using idle = fl::serving<fl::models::llama3_1_8b, fl::recipes::bf16, fl::service{.sequences = 0, .context = 8192}>;
static_assert(fl::fits<idle, fl::hardware::h100_sxm5_80gb>);
#endif

// case: SERVICE_WITHOUT_CONTEXT
// expect: plan_check<.*service_without_context, -1, 1>
#ifdef CASE_SERVICE_WITHOUT_CONTEXT
using blank = fl::serving<fl::models::llama3_1_8b, fl::recipes::bf16, fl::service{.sequences = 1, .context = -1}>;
static_assert(fl::fits<blank, fl::hardware::h100_sxm5_80gb>);
#endif

// Neither `fits` nor `!fits` is true of a typo.
// case: NOT_A_DEVICE
// expect: not an accelerator: it needs `static constexpr flopledger::accelerator value`
#ifdef CASE_NOT_A_DEVICE
struct typo {
  static constexpr fl::accelerator vlaue{};
};
static_assert(!fl::fits<resident, typo>);
#endif

// case: NOT_A_JOB
// expect: not a job: it needs `static constexpr flopledger::memory_account memory\(\)`
#ifdef CASE_NOT_A_JOB
static_assert(!fl::fits<fl::models::llama2_70b, fl::hardware::h100_sxm5_80gb>);
#endif

// case: IMPOSSIBLE_MARGIN
// expect: a margin leaves between 1 and 1000 thousandths of the memory
#ifdef CASE_IMPOSSIBLE_MARGIN
static_assert(fl::fits<resident, fl::hardware::h100_sxm5_80gb, fl::margin{.usable_per_mille = 1100}>);
#endif
