// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#include "device_kernels.hpp"

namespace harness::cuda {
namespace {

__device__ unsigned long long global_nanoseconds() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

__global__ void wait_kernel(const volatile int* release, volatile int* gave_up, unsigned long long patience) {
  const unsigned long long begin = global_nanoseconds();
  while (*release == 0)
    if (global_nanoseconds() - begin > patience) {
      *gave_up = 1;
      return;
    }
}

__global__ void clock_kernel(unsigned long long* nanoseconds_and_cycles, unsigned long long nanoseconds) {
  // The timer moves in steps of up to a microsecond: both ends stand at a step.
  unsigned long long begin = global_nanoseconds();
  for (const unsigned long long before = begin; begin == before;) begin = global_nanoseconds();
  const long long first = clock64();
  unsigned long long end = begin;
  while (end - begin < nanoseconds) end = global_nanoseconds();
  nanoseconds_and_cycles[0] = end - begin;
  nanoseconds_and_cycles[1] = static_cast<unsigned long long>(clock64() - first);
}

}  // namespace

bool has_device_kernels() {
  cudaFuncAttributes known{};
  if (cudaFuncGetAttributes(&known, wait_kernel) == cudaSuccess) return true;
  cudaGetLastError();
  return false;
}

cudaError_t launch_waiting(cudaStream_t on, const volatile int* release, volatile int* gave_up,
                           unsigned long long patience) {
  wait_kernel<<<1, 1, 0, on>>>(release, gave_up, patience);
  return cudaGetLastError();
}

cudaError_t launch_clock(cudaStream_t on, unsigned long long* nanoseconds_and_cycles, unsigned long long nanoseconds) {
  clock_kernel<<<1, 1, 0, on>>>(nanoseconds_and_cycles, nanoseconds);
  return cudaGetLastError();
}

}  // namespace harness::cuda
