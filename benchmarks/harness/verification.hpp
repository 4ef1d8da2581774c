// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Results against a reference in double, before anything is timed. Of large results a few entries are computed: the
/// corners, where kernels for whole tiles go wrong, and some in between.

#include <string>

#include "backend.hpp"

namespace harness {

/// A kernel computes something else than what was asked.
struct wrong_result : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What was compared, for the record.
struct verified {
  std::size_t entries = 0;
  double largest_error = 0;  ///< over what the format allows
  std::string left_out;      ///< what a reference would take minutes for
};

/// Runs the kernel once and compares; throws `wrong_result` with the entry and both values. A stream computes nothing.
verified verify(kernel& ready, const kernel_shape& shape, std::uint64_t seed);

/// "bf16 product 2×128×256×64", "fp32 attention 1×8 heads …".
std::string described(const kernel_shape& shape);

}  // namespace harness
