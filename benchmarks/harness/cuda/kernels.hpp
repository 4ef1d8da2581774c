// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Kernels of the CUDA back end over sets of operands.

#include <cublas_v2.h>

#include "product.hpp"

namespace harness::cuda {

class softmax_library;

/// What kernels share; it outlives them.
struct resources {
  const stream& on;
  memory_account& memory;
  const multiplier& multiply;
  cublasHandle_t sums;             ///< cuBLAS, whose results go to the device
  const softmax_library* softmax;  ///< null where this build has no cuDNN
};

std::unique_ptr<kernel> make_kernel(const product_shape& shape, std::uint64_t seed, double footprint, resources use);
std::unique_ptr<kernel> make_kernel(const stream_shape& shape, std::uint64_t seed, double footprint, resources use);
/// Throws `error` where this build has no cuDNN.
std::unique_ptr<kernel> make_kernel(const attention_shape& shape, std::uint64_t seed, double footprint, resources use);

/// Operands of a seed in device memory; where `to` says so, put otherwise on the way.
held_memory operand_on_device(resources use, number_kind format, std::uint64_t seed, std::size_t elements);
held_memory operand_on_device(resources use, number_kind format, std::uint64_t seed, std::int64_t batch,
                              const rearrangement& to);
/// The same bytes once more.
held_memory copied(resources use, const held_memory& from);

/// Elements of a result, each by its place.
std::vector<double> read_back(resources use, element kind, const held_memory& from,
                              std::span<const std::size_t> places);

}  // namespace harness::cuda
