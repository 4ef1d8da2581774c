// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#include "clock.hpp"

#include <dlfcn.h>

#include "device_kernels.hpp"

namespace harness::cuda {

namespace {
constexpr unsigned long long patience = 5'000'000'000;  // ns
constexpr unsigned long long counted_time = 200'000;    // ns: two hundred steps of the timer at the least
}  // namespace

launch_queue::launch_queue() {
  if (!has_device_kernels()) return;
  void* host = nullptr;
  check(cudaHostAlloc(&host, sizeof(flags), cudaHostAllocMapped), "cudaHostAlloc");
  void* device = nullptr;
  const cudaError_t code = cudaHostGetDevicePointer(&device, host, 0);
  if (code != cudaSuccess) cudaFreeHost(host);
  check(code, "cudaHostGetDevicePointer");
  host_ = static_cast<flags*>(host);
  device_ = static_cast<flags*>(device);
  host_->release = 0;
  host_->gave_up = 0;
}

launch_queue::~launch_queue() {
  if (host_ == nullptr) return;
  host_->release = 1;
  cudaFreeHost(const_cast<flags*>(host_));  // NOLINT(cppcoreguidelines-pro-type-const-cast): volatile for the device
}

launch_queue::hold::hold(launch_queue& queue, const stream& on) : queue_(queue) {
  if (queue.host_ == nullptr) return;
  queue.host_->release = 0;
  queue.host_->gave_up = 0;
  check(launch_waiting(on.get(), &queue.device_->release, &queue.device_->gave_up, patience), "the waiting kernel");
}
void launch_queue::hold::let_go() const {
  if (queue_.host_ != nullptr) queue_.host_->release = 1;
}

void launch_queue::check_patience() const {
  if (host_ != nullptr && host_->gave_up != 0)
    throw error("what was queued behind the waiting kernel waited for the device itself; it cannot be timed so");
}

std::string launch_queue::description() {
  return has_device_kernels() ? "a kernel that waits for the host" : "a cudaMemsetAsync of the flushed memory";
}

// NVML's interface is stable, and its header is no part of every toolkit: what is used of it is declared here.
struct sm_clock::nvml {
  using device = void*;
  void* library = nullptr;
  device handle = nullptr;
  int (*shutdown)() = nullptr;
  int (*clock_info)(device, int, unsigned*) = nullptr;

  explicit nvml(int ordinal) {
    library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return;
    const auto init = function<int()>("nvmlInit_v2");
    const auto by_bus = function<int(const char*, device*)>("nvmlDeviceGetHandleByPciBusId_v2");
    const auto clock = function<int(device, int, unsigned*)>("nvmlDeviceGetClockInfo");
    shutdown = function<int()>("nvmlShutdown");
    char bus[32] = "";
    if (init == nullptr || by_bus == nullptr || clock == nullptr || shutdown == nullptr || init() != 0) {
      shutdown = nullptr;
      return;
    }
    if (cudaDeviceGetPCIBusId(bus, sizeof bus, ordinal) == cudaSuccess && by_bus(bus, &handle) == 0) clock_info = clock;
  }
  ~nvml() {
    if (shutdown != nullptr) shutdown();
    if (library != nullptr) dlclose(library);
  }
  nvml(const nvml&) = delete;
  nvml& operator=(const nvml&) = delete;

  std::optional<double> now() const {
    constexpr int multiprocessors = 1;  // NVML_CLOCK_SM
    unsigned megahertz = 0;
    if (clock_info == nullptr || clock_info(handle, multiprocessors, &megahertz) != 0) return std::nullopt;
    return megahertz * 1e6;
  }
 private:
  template <class Signature>
  Signature* function(const char* name) const {
    return reinterpret_cast<Signature*>(dlsym(library, name));
  }
};

sm_clock::sm_clock(const stream& on, int device) : on_(on) {
  if (has_device_kernels())
    counted_ = device_memory(2 * sizeof(unsigned long long));
  else
    driver_ = std::make_unique<nvml>(device);
}
sm_clock::~sm_clock() = default;

std::optional<double> sm_clock::now() {
  if (driver_) return driver_->now();
  check(launch_clock(on_.get(), static_cast<unsigned long long*>(counted_.data()), counted_time), "the clock kernel");
  unsigned long long counted[2] = {};
  download(on_, std::as_writable_bytes(std::span(counted)), counted_.data());
  if (counted[0] == 0) return std::nullopt;
  return 1e9 * static_cast<double>(counted[1]) / static_cast<double>(counted[0]);
}

std::string sm_clock::description() const {
  if (!driver_) return "cycles of a kernel over its nanoseconds";
  return driver_->clock_info != nullptr ? "NVML" : "unknown: neither nvcc when this was built nor NVML";
}

}  // namespace harness::cuda
