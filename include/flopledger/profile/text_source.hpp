// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A stream read in chunks: files of any length in the memory of one chunk.

#include <flopledger/compiler.hpp>
#include <flopledger/profile/recording.hpp>

#include <cstddef>
#include <cstdint>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace flopledger::profile {

class text_source {
 public:
  /// `name` stands in front of every complaint.
  explicit text_source(std::istream& in, std::string name, std::size_t chunk = std::size_t{1} << 16U)
      : in_(in), name_(std::move(name)), chunk_(chunk == 0 ? 1 : chunk) {}

  static constexpr int end = -1;

  int peek() { return at_ < chunk_end_ || refill() ? static_cast<unsigned char>(chunk_[at_]) : end; }
  int get() {
    const int c = peek();
    if (c == end) return end;
    ++at_;
    if (c == '\n') ++line_;
    return c;
  }
  std::uint64_t line() const { return line_; }

  /// Throws `unreadable`: "name: line 12: what".
  [[noreturn]] void fail(std::string_view what) { fail_at(line_, what); }
  [[noreturn]] void fail_at(std::uint64_t where, std::string_view what) {
    std::string text = name_ + ": line " + std::to_string(where) + ": ";
    flopledger::detail::raise<unreadable>(text.append(what));
  }
  /// The same of the whole file.
  [[noreturn]] void refuse(std::string_view what) {
    flopledger::detail::raise<unreadable>((name_ + ": ").append(what));
  }

  /// The next line without its end; false behind the last one. A line longer than `most` is a complaint.
  bool read_line(std::string& into, std::size_t most = std::size_t{1} << 20U) {
    into.clear();
    if (peek() == end) return false;
    for (int c = get(); c != end && c != '\n'; c = get()) {
      if (into.size() >= most) fail("a line longer than 1 MiB");
      into += static_cast<char>(c);
    }
    if (!into.empty() && into.back() == '\r') into.pop_back();
    return true;
  }
 private:
  bool refill() {
    if (ended_) return false;
    in_.read(chunk_.data(), static_cast<std::streamsize>(chunk_.size()));
    if (in_.bad()) flopledger::detail::raise<unreadable>(name_ + ": cannot be read");
    at_ = 0;
    chunk_end_ = static_cast<std::size_t>(in_.gcount());
    ended_ = chunk_end_ == 0;
    return !ended_;
  }

  std::istream& in_;
  std::string name_;
  std::vector<char> chunk_;
  std::size_t at_ = 0, chunk_end_ = 0;
  std::uint64_t line_ = 1;
  bool ended_ = false;
};

}  // namespace flopledger::profile
