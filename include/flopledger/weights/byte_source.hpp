// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A binary file of known length, read piece by piece: no length that it names is believed before it is compared with
/// what is left.

#include <flopledger/weights/tensor.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace flopledger::weights {

class byte_source {
 public:
  /// `name` stands in front of every complaint.
  byte_source(std::istream& in, std::string name) : in_(in), name_(std::move(name)) {
    in_.seekg(0, std::ios::end);
    const std::streamoff length = in_.tellg();
    if (!in_ || length < 0) refuse("cannot be read as a file of known length");
    size_ = static_cast<std::uint64_t>(length);
    in_.seekg(0);
  }

  const std::string& name() const { return name_; }
  std::uint64_t size() const { return size_; }
  std::uint64_t position() const { return position_; }
  std::uint64_t left() const { return size_ - position_; }

  [[noreturn]] void refuse(const std::string& what) const { detail::refuse(name_ + ": " + what); }

  /// A number as it lies there, lowest byte first. `what` is what an error says is missing.
  template <class Number>
  Number number(std::string_view what) {
    unsigned char raw[sizeof(Number)];
    take(reinterpret_cast<char*>(raw), sizeof raw, what);
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < sizeof raw; ++i) bits |= std::uint64_t{raw[i]} << (8 * i);
    if constexpr (std::is_same_v<Number, float>)
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    else if constexpr (std::is_same_v<Number, double>)
      return std::bit_cast<double>(bits);
    else
      return static_cast<Number>(bits);
  }
  std::string text(std::uint64_t length, std::string_view what) {
    require(length, what);
    std::string read(static_cast<std::size_t>(length), '\0');
    take(read.data(), read.size(), what);
    return read;
  }
  void skip(std::uint64_t length, std::string_view what) {
    require(length, what);
    in_.seekg(static_cast<std::streamoff>(length), std::ios::cur);
    position_ += length;
  }
 private:
  void require(std::uint64_t length, std::string_view what) const {
    if (length > left())
      refuse(std::string(what) + " has a length of " + std::to_string(length) + " bytes, and the file has " +
             std::to_string(left()) + " left");
  }
  void take(char* to, std::size_t length, std::string_view what) {
    if (length > left()) refuse("ends within " + std::string(what));
    in_.read(to, static_cast<std::streamsize>(length));
    if (!in_) refuse("cannot be read");
    position_ += length;
  }

  std::istream& in_;
  std::string name_;
  std::uint64_t size_ = 0, position_ = 0;
};

}  // namespace flopledger::weights
