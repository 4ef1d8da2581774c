// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The two kernels of the harness's own, where nvcc was there to build them.

#include <cuda_runtime_api.h>

namespace harness::cuda {

/// Whether this build has them, for the current device. Without, neither of the others is called.
bool has_device_kernels();

/// Holds up a stream until `*release` is not 0, or `patience` nanoseconds have passed: then `*gave_up` becomes 1.
cudaError_t launch_waiting(cudaStream_t on, const volatile int* release, volatile int* gave_up,
                           unsigned long long patience);

/// Runs for some `nanoseconds` and writes how many, and how many cycles of its multiprocessor they were.
cudaError_t launch_clock(cudaStream_t on, unsigned long long* nanoseconds_and_cycles, unsigned long long nanoseconds);

}  // namespace harness::cuda
