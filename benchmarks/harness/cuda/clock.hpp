// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What keeps the host's time out of the device's, and what tells the device's clock.

#include <optional>
#include <string>

#include "memory.hpp"

namespace harness::cuda {

/// Holds up a stream while work is queued on it, where the build has a kernel for it; without one, what runs before
/// hides the launches as long as it lasts.
class launch_queue {
 public:
  launch_queue();
  ~launch_queue();
  launch_queue(const launch_queue&) = delete;
  launch_queue& operator=(const launch_queue&) = delete;

  /// Held from here until it goes, which it must before anybody waits for the stream; an exception lets go as well.
  class hold {
   public:
    hold(launch_queue& queue, const stream& on);
    ~hold() { let_go(); }
    hold(const hold&) = delete;
    hold& operator=(const hold&) = delete;
    void let_go() const;
   private:
    launch_queue& queue_;
  };
  /// Throws `error` where the last hold ran out of patience: something that was queued waited for the device itself,
  /// and what was timed holds seconds of waiting.
  void check_patience() const;
  static std::string description();
 private:
  struct flags {
    int release = 0, gave_up = 0;
  };
  volatile flags* host_ = nullptr;  ///< null without the kernel
  flags* device_ = nullptr;
};

/// The clock of the multiprocessors: by a kernel that counts its cycles; else by NVML, which the driver brings along;
/// else unknown.
class sm_clock {
 public:
  sm_clock(const stream& on, int device);
  ~sm_clock();
  sm_clock(const sm_clock&) = delete;
  sm_clock& operator=(const sm_clock&) = delete;
  std::optional<double> now();  ///< Hz
  std::string description() const;
 private:
  struct nvml;
  const stream& on_;
  device_memory counted_;
  std::unique_ptr<nvml> driver_;
};

}  // namespace harness::cuda
