// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// One kernel, verified and timed; or several in a row as one piece of work.

#include <string>

#include "backend.hpp"
#include "sampling.hpp"
#include "verification.hpp"

namespace harness {

struct measuring {
  sampling_rule rule{};
  timing_mode mode = timing_mode::steady;
  std::uint64_t seed = 1;
  bool verifies = true;
};

struct measurement {
  kernel_shape shape;
  std::string by;  ///< the library and its algorithm
  verified checked{};
  sample_set taken{};
};

/// Prepares, verifies, warms up and samples. Steady: on as many sets of operands as three caches cannot hold.
measurement measure(backend& on, const kernel_shape& shape, const measuring& how);

/// Times kernels that follow one another, each on operands of its own; together they outgrow the caches.
sample_set measure_sequence(backend& on, std::span<const kernel_shape> shapes, const measuring& how);

constexpr std::string_view name_of(timing_mode mode) { return mode == timing_mode::steady ? "steady" : "cold"; }

}  // namespace harness
