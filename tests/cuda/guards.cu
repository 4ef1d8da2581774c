// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// In a CUDA source guards give the verdicts and numbers of every other compiler, and device code reads constant
// answers.

#include <flopledger/flopledger.hpp>

#include "../static/guard.cpp"

namespace {

static_assert(has_parameters<models::llama3_1_8b, 8'030'261'248>);
static_assert(parameter_count<models::llama3_1_8b> * storage<bf16> < 17_GB);

using job = training<models::llama3_1_8b, recipes::mixed_bf16, optimizers::adamw,
                     plan{.sequence = 8192,
                          .gradient_accumulation = 8,
                          .data = 8,
                          .sharding = zero::weights,
                          .recompute = recompute::selective}>;
static_assert(fits<job, hardware::h100_sxm5_80gb>);

// A set of kinds survives as part of a template argument.
using partly = training<models::llama3_1_8b, recipes::mixed_bf16, optimizers::adamw,
                        plan{.sequence = 8192,
                             .data = 8,
                             .recompute = recompute::kinds,
                             .recomputed_kinds = {operation::normalization, operation::activation}}>;
static_assert(!fits<partly, hardware::h100_sxm5_80gb>);
static_assert(
    partly::memory().total() <
    training<models::llama3_1_8b, recipes::mixed_bf16, optimizers::adamw, plan{.sequence = 8192, .data = 8}>::memory()
        .total());

constexpr double held_bytes = job::memory().total().value();
constexpr double parameters = parameter_count<models::llama3_1_8b>.value();

__global__ void constants(double* out) {
  out[0] = held_bytes;
  out[1] = parameters;
  static_assert(parameters == 8'030'261'248.0);
}

}  // namespace

void launch(double* out) { constants<<<1, 1>>>(out); }
