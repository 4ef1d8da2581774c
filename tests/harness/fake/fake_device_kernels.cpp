// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// The harness's own two kernels on the device that is not there.

#include "cuda/device_kernels.hpp"
#include "fake_cuda.hpp"

namespace harness::cuda {

bool has_device_kernels() { return fake_cuda::settings().own_kernels; }

cudaError_t launch_waiting(cudaStream_t, const volatile int* release, volatile int* gave_up, unsigned long long) {
  // A stream that is waited for while it is held would wait until the kernel loses its patience.
  fake_cuda::enqueue(1e-3, [=] {
    if (*release == 0) *gave_up = 1;
  });
  return cudaSuccess;
}

cudaError_t launch_clock(cudaStream_t, unsigned long long* nanoseconds_and_cycles, unsigned long long nanoseconds) {
  fake_cuda::enqueue(1e-9 * static_cast<double>(nanoseconds), [=] {
    nanoseconds_and_cycles[0] = nanoseconds + 17;
    nanoseconds_and_cycles[1] =
        static_cast<unsigned long long>(1e-9 * fake_cuda::settings().clock * static_cast<double>(nanoseconds + 17));
  });
  return cudaSuccess;
}

}  // namespace harness::cuda
