// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "memory.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <sys/mman.h>

namespace harness::cpu {
namespace {

/// Bytes of a line "VmRSS:   1234 kB" of /proc/self/status.
double status_of(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.compare(0, key.size(), key) == 0) return 1024 * std::strtod(line.c_str() + key.size() + 1, nullptr);
  return 0;
}

}  // namespace

void memory_account::take(double bytes) {
  if (allocated_ + bytes > limit_)
    throw out_of_memory(
        fmt::format("{:.0f} bytes beside {:.0f} exceed the limit of {:.0f}", bytes, allocated_, limit_));
  allocated_ += bytes;
  peak_ = std::max(peak_, allocated_);
}

void memory_account::reset_peak() {
  peak_ = allocated_;
  std::ofstream("/proc/self/clear_refs") << 5;  // the peak of resident pages
}

memory_use memory_account::use() const {
  return {.allocated = allocated_,
          .allocated_peak = peak_,
          .reserved = status_of("VmRSS"),
          .reserved_peak = status_of("VmHWM")};
}

pages::pages(memory_account& from, std::size_t bytes) : from_(&from), size_(std::max<std::size_t>(bytes, 64)) {
  from.take(static_cast<double>(size_));
  void* const got = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (got == MAP_FAILED) {
    const int problem = errno;
    from.give(static_cast<double>(size_));
    const std::string text = fmt::format("mmap of {} bytes: {}", size_, std::strerror(problem));
    if (problem == ENOMEM) throw out_of_memory(text);
    throw std::runtime_error(text);
  }
  data_ = static_cast<std::byte*>(got);
}

pages::~pages() {
  if (data_ == nullptr) return;
  munmap(data_, size_);
  from_->give(static_cast<double>(size_));
}

}  // namespace harness::cpu
