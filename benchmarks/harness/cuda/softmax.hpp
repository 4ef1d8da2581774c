// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The softmax of rows by cuDNN, and its backward pass.

#include <cudnn.h>

#include "layout.hpp"
#include "memory.hpp"

namespace harness::cuda {

/// Throws `out_of_memory` where the device's memory is what lacks, `error` for the rest, each with the call and the
/// status.
void check(cudnnStatus_t status, const std::string& call);

class softmax_library {
 public:
  explicit softmax_library(const stream& on);
  cudnnHandle_t handle() const { return handle_.get(); }
  /// Whether rows of this format are taken: cuDNN says so for a small one.
  bool takes(element kind) const;
  static std::string version();
 private:
  const stream& on_;
  owned<cudnnHandle_t, cudnnDestroy> handle_;
};

/// Rows of so many columns, by as many calls as cuDNN's limit of 2^31 elements a tensor asks for.
class row_softmax {
 public:
  row_softmax(const softmax_library& with, element kind, std::size_t rows, std::size_t columns);
  void forward(const void* scores, void* probabilities) const;
  /// Overwrites the gradient of the probabilities with that of the scores: cuDNN allows dx to be dy.
  void backward(const void* probabilities, void* gradient) const;
 private:
  template <class Call>
  void in_parts(const Call& call) const;

  const softmax_library& with_;
  std::size_t rows_, rows_a_part_, row_bytes_;
  owned<cudnnTensorDescriptor_t, cudnnDestroyTensorDescriptor> part_, rest_;
};

}  // namespace harness::cuda
