// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Threads that stand ready, for loops of some microseconds.

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace harness::cpu {

class pool {
 public:
  explicit pool(int threads) {
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this, i] { work(i); });
  }
  pool(const pool&) = delete;
  pool& operator=(const pool&) = delete;
  ~pool() {
    stop_ = true;
    ++round_;
    round_.notify_all();
    for (std::thread& one : workers_) one.join();
  }

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  /// Calls `part(first, last)` for ranges that make up [0, count), one a thread; returns when all are done.
  void split(std::int64_t count, const std::function<void(std::int64_t, std::int64_t)>& part) {
    if (workers_.empty()) return part(0, count);
    count_ = count;
    part_ = &part;
    left_ = static_cast<int>(workers_.size());
    ++round_;
    round_.notify_all();
    run(0);
    for (int left = left_; left > 0; left = left_) left_.wait(left);
  }
 private:
  void run(std::int64_t i) const {
    const std::int64_t all = threads(), first = count_ * i / all, last = count_ * (i + 1) / all;
    if (first < last) (*part_)(first, last);
  }
  void work(int i) {
    for (std::uint64_t seen = 0;;) {
      round_.wait(seen);
      seen = round_;
      if (stop_) return;
      run(i);
      if (--left_ == 0) left_.notify_all();
    }
  }

  std::vector<std::thread> workers_;
  std::atomic<std::uint64_t> round_{0};
  std::atomic<int> left_{0};
  std::atomic<bool> stop_{false};
  std::int64_t count_ = 0;
  const std::function<void(std::int64_t, std::int64_t)>* part_ = nullptr;
};

}  // namespace harness::cpu
