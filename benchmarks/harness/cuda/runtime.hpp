// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The CUDA runtime with owners and with errors that name the call.

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include <cuda_runtime_api.h>

#include "backend.hpp"

namespace harness::cuda {

/// A call of the CUDA runtime or of a library above it failed for another reason than memory.
struct error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline std::string described(cudaError_t code, const std::string& call) {
  return call + ": " + cudaGetErrorString(code) + " (" + cudaGetErrorName(code) + ", " +
         std::to_string(static_cast<int>(code)) + ")";
}

/// Throws `out_of_memory` for what says so, and `error` for the rest.
inline void check(cudaError_t code, const std::string& call) {
  if (code == cudaSuccess) return;
  cudaGetLastError();  // or the next call would report this one again
  if (code == cudaErrorMemoryAllocation) throw out_of_memory(described(code, call));
  throw error(described(code, call));
}

/// The owner of a handle that a library makes and destroys.
template <auto Destroy>
struct destroyed_by {
  template <class Handle>
  void operator()(Handle* handle) const {
    Destroy(handle);
  }
};
template <class Handle, auto Destroy>
using owned = std::unique_ptr<std::remove_pointer_t<Handle>, destroyed_by<Destroy>>;

/// Makes a device the current one. Throws `unavailable` where there is none of that number, and says why.
inline void use_device(int ordinal) {
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code != cudaSuccess) {
    cudaGetLastError();
    throw unavailable("no CUDA device (" + described(code, "cudaGetDeviceCount") + ")");
  }
  if (ordinal < 0 || ordinal >= count)
    throw unavailable("no CUDA device " + std::to_string(ordinal) + " (cudaGetDeviceCount: " + std::to_string(count) +
                      ")");
  check(cudaSetDevice(ordinal), "cudaSetDevice");
}

class stream {
 public:
  stream() { check(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags"); }
  ~stream() { cudaStreamDestroy(handle_); }
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;
  cudaStream_t get() const { return handle_; }
  void wait() const { check(cudaStreamSynchronize(handle_), "cudaStreamSynchronize"); }
 private:
  cudaStream_t handle_ = nullptr;
};

class event {
 public:
  event() { check(cudaEventCreate(&handle_), "cudaEventCreate"); }
  ~event() { cudaEventDestroy(handle_); }
  event(const event&) = delete;
  event& operator=(const event&) = delete;
  void record(const stream& on) { check(cudaEventRecord(handle_, on.get()), "cudaEventRecord"); }
  void wait() const { check(cudaEventSynchronize(handle_), "cudaEventSynchronize"); }
  /// Seconds from one to the next; both must have come to pass.
  friend double between(const event& begin, const event& end) {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin.handle_, end.handle_), "cudaEventElapsedTime");
    return milliseconds * 1e-3;
  }
 private:
  cudaEvent_t handle_ = nullptr;
};

/// Memory of the current device.
class device_memory {
 public:
  device_memory() = default;
  explicit device_memory(std::size_t size) : size_(size) {
    if (size > 0) check(cudaMalloc(&data_, size), "cudaMalloc of " + std::to_string(size) + " bytes");
  }
  ~device_memory() { cudaFree(data_); }
  device_memory(device_memory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  device_memory& operator=(device_memory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  void* data() const { return data_; }
  std::size_t size() const { return size_; }
 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace harness::cuda
