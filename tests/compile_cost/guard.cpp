// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// What one model with its assertions and one guarded training job instantiate beside it.
// budget: 3400
#include <flopledger/flopledger.hpp>

using namespace flopledger;
using namespace flopledger::literals;

static_assert(parameter_count<models::llama3_1_8b> == 8'030'261'248. * unit::parameter);
static_assert(parameter_count<models::llama3_1_8b> * storage<bf16> < 17_GB);
static_assert(forward_matmul_flops<models::llama3_1_8b, 1, 8192> > 100_TFLOP);

using job = training<models::llama3_1_8b, recipes::mixed_bf16, optimizers::adamw,
                     plan{.sequence = 8192, .data = 8, .sharding = zero::weights, .recompute = recompute::full}>;
static_assert(fits<job, hardware::h100_sxm5_80gb>);
