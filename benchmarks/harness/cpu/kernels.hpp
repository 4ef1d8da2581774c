// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Kernels of the CPU back end over sets of operands.

#include "loops.hpp"
#include "memory.hpp"
#include "pool.hpp"

namespace harness::cpu {

/// What kernels share; it outlives them.
struct resources {
  memory_account& memory;
  pool& threads;
  const loops& with;
};

std::unique_ptr<kernel> make_kernel(const product_shape& shape, std::uint64_t seed, double footprint, resources use);
std::unique_ptr<kernel> make_kernel(const attention_shape& shape, std::uint64_t seed, double footprint, resources use);
std::unique_ptr<kernel> make_kernel(const stream_shape& shape, std::uint64_t seed, double footprint, resources use);

}  // namespace harness::cpu
