// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Memory of the CPU back end: pages of its own, given back when they go, under a limit that stands for the device's
/// memory. A machine that promises more than it has would kill the process instead of refusing it.

#include <cstddef>
#include <utility>

#include "../backend.hpp"

namespace harness::cpu {

class memory_account {
 public:
  explicit memory_account(double limit) : limit_(limit) {}
  void take(double bytes);  ///< `out_of_memory` beyond the limit
  void give(double bytes) { allocated_ -= bytes; }
  void reset_peak();
  double limit() const { return limit_; }
  /// Reserved: pages of the whole process that are in memory, as Linux counts them.
  memory_use use() const;
 private:
  double limit_, allocated_ = 0, peak_ = 0;
};

/// Pages, all of them there from the start.
class pages {
 public:
  pages() = default;
  pages(memory_account& from, std::size_t bytes);
  pages(pages&& other) noexcept
      : from_(other.from_), data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  pages& operator=(pages&& other) noexcept {
    std::swap(from_, other.from_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~pages();
  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(data_);
  }
 private:
  memory_account* from_ = nullptr;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace harness::cpu
