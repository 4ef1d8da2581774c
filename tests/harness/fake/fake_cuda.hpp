// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A device that is not there: the calls of the CUDA runtime, cuBLASLt, cuBLAS and cuDNN that the harness makes, done
/// on the host and as strictly as their documentation reads. Every address must lie in memory that was allocated, every
/// attribute must have its documented size, matrices of 8 bits must be TN and aligned, and work is done when the stream
/// is waited for, not when it is queued.

#include <cstddef>
#include <functional>
#include <string>

namespace fake_cuda {

/// What a test sets up; `reset` is in its destructor.
struct device {
  bool driver = true;  ///< false: cudaGetDeviceCount fails as without a driver
  std::string name = "NVIDIA H100 80GB HBM3";
  int major = 9, minor = 0;
  std::size_t memory = std::size_t{1} << 30;
  std::size_t l2_cache = std::size_t{1} << 20;
  bool products_go_wrong = false;  ///< the first element of every product is one too large
  bool own_kernels = false;        ///< whether nvcc built the harness's own
  double clock = 1.755e9;          ///< Hz
  bool softmax_takes_bf16 = true;
  bool fuses_attention = true;
  int heuristic_fails_at = -1;       ///< this candidate is refused when it is run
  int fastest_candidate = 2;         ///< of those that the heuristic returns
  bool cublas_lacks_memory = false;  ///< cublasLtMatmul returns CUBLAS_STATUS_ALLOC_FAILED
  bool launches_fail = false;        ///< cudaMemsetAsync returns cudaErrorLaunchFailure
};
device& settings();

struct counters {
  long products = 0, softmaxes = 0, attentions = 0, copies = 0, sets = 0, sums = 0;  ///< run, not queued
  long allocations = 0;                                                              ///< that are held now
  std::size_t allocated = 0;                                                         ///< bytes
  long handles = 0;  ///< descriptors, events, streams that live
};
counters& counted();

/// Default settings, and counts of what is run at 0; what is held stays.
void reset();

/// Puts work on the stream that takes so many seconds of the device's time.
void enqueue(double seconds, std::function<void()> work);

}  // namespace fake_cuda
