// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#include "device_kernels.hpp"

namespace harness::cuda {

bool has_device_kernels() { return false; }
cudaError_t launch_waiting(cudaStream_t, const volatile int*, volatile int*, unsigned long long) {
  return cudaErrorNotSupported;
}
cudaError_t launch_clock(cudaStream_t, unsigned long long*, unsigned long long) { return cudaErrorNotSupported; }

}  // namespace harness::cuda
