// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// One matrix product by a library: OpenBLAS for FP32, oneDNN for BF16 and INT8, each where the build found it.

#include <memory>
#include <string>

#include "../backend.hpp"

namespace harness::cpu {

/// result[m×n] = op(left)·op(right), all row-major and without gaps.
struct matrix_shape {
  std::int64_t m = 1, n = 1, k = 1;
  bool left_transposed = false, right_transposed = false;
  number_kind format = number_kind::fp32;
  number_kind result = number_kind::fp32;  ///< INT8 operands: INT32 whatever is said here
};

class matrix_product {
 public:
  matrix_product() = default;
  matrix_product(const matrix_product&) = delete;
  matrix_product& operator=(const matrix_product&) = delete;
  virtual ~matrix_product() = default;
  virtual void run(const void* left, const void* right, void* result) = 0;
  virtual std::string description() const = 0;
};

/// Whether this build and this processor multiply in a format.
bool multiplies(number_kind format);
std::unique_ptr<matrix_product> make_product(const matrix_shape& shape);
/// Threads that the libraries use from now on.
void set_threads(int threads);
/// The libraries, their versions, and what they chose for this processor.
facts libraries();

}  // namespace harness::cpu
