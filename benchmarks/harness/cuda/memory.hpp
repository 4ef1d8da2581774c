// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The device's memory, with its books: what was asked for, and what the device has less since then.

#include <algorithm>
#include <limits>
#include <optional>
#include <span>

#include "runtime.hpp"

namespace harness::cuda {

class memory_account {
 public:
  memory_account() : free_at_first_(free()) {}
  /// `limit` is the user's; without one, what is free now, beside what the back end holds for itself.
  void open(std::optional<double> limit) { limit_ = limit ? std::min(*limit, free()) : free(); }
  double limit() const { return limit_; }

  /// Reserved is what the device has less than at first. Others on the device would show in it.
  memory_use use() {
    see();
    return use_;
  }
  void reset_peak() {
    see();
    use_.allocated_peak = use_.allocated;
    use_.reserved_peak = use_.reserved;
  }
  /// Looks at what libraries have taken meanwhile.
  void see() {
    use_.reserved = std::max(0.0, free_at_first_ - free());
    use_.reserved_peak = std::max(use_.reserved_peak, use_.reserved);
  }
 private:
  friend class held_memory;
  void take(double size) {
    if (use_.allocated + size > limit_)
      throw out_of_memory(std::to_string(static_cast<long long>(size)) + " bytes beside " +
                          std::to_string(static_cast<long long>(use_.allocated)) + " are more than the limit of " +
                          std::to_string(static_cast<long long>(limit_)));
  }
  void taken(double size) {
    use_.allocated += size;
    use_.allocated_peak = std::max(use_.allocated_peak, use_.allocated);
    see();
  }
  void returned(double size) { use_.allocated -= size; }
  static double free() {
    std::size_t free_bytes = 0, all = 0;
    check(cudaMemGetInfo(&free_bytes, &all), "cudaMemGetInfo");
    return static_cast<double>(free_bytes);
  }

  double free_at_first_ = 0, limit_ = std::numeric_limits<double>::infinity();
  memory_use use_{};
};

/// Device memory that stands in the books.
class held_memory {
 public:
  held_memory() = default;
  held_memory(memory_account& books, std::size_t size) {
    books.take(static_cast<double>(size));
    memory_ = device_memory(size);
    books_ = &books;
    books.taken(static_cast<double>(size));
  }
  ~held_memory() {
    if (books_ != nullptr) books_->returned(static_cast<double>(memory_.size()));
  }
  held_memory(held_memory&& other) noexcept
      : books_(std::exchange(other.books_, nullptr)), memory_(std::move(other.memory_)) {}
  held_memory& operator=(held_memory&& other) noexcept {
    std::swap(books_, other.books_);
    std::swap(memory_, other.memory_);
    return *this;
  }
  void* data() const { return memory_.data(); }
  std::size_t size() const { return memory_.size(); }
 private:
  memory_account* books_ = nullptr;
  device_memory memory_;
};

/// Copies and waits; for what is not timed.
inline void upload(const stream& on, void* to, std::span<const std::byte> from) {
  check(cudaMemcpyAsync(to, from.data(), from.size(), cudaMemcpyHostToDevice, on.get()), "cudaMemcpyAsync to device");
  on.wait();
}
inline void download(const stream& on, std::span<std::byte> to, const void* from) {
  check(cudaMemcpyAsync(to.data(), from, to.size(), cudaMemcpyDeviceToHost, on.get()), "cudaMemcpyAsync from device");
  on.wait();
}
inline void copy(const stream& on, void* to, const void* from, std::size_t size) {
  check(cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToDevice, on.get()), "cudaMemcpyAsync on device");
}
inline void set(const stream& on, void* to, int value, std::size_t size) {
  check(cudaMemsetAsync(to, value, size, on.get()), "cudaMemsetAsync");
}

}  // namespace harness::cuda
