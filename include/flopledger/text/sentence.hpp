// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A sentence that a constant expression can make: what an exception and a compiler's message say alike.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace flopledger {

/// A short text that holds itself. What exceeds its room is cut off. `data` and `size` are what a compiler of C++26
/// asks of the message of a `static_assert`. What reads a `string_view` is a template, for a build that reads none need
/// not learn to.
class sentence {
 public:
  constexpr sentence() = default;

  constexpr sentence& operator<<(const char* text) {
    for (; *text != '\0'; ++text) append(*text);
    return *this;
  }
  template <std::same_as<std::string_view> Text>
  constexpr sentence& operator<<(Text text) {
    for (const char letter : text) append(letter);
    return *this;
  }
  /// In digits.
  constexpr sentence& operator<<(std::int64_t number) {
    char digits[20]{};
    int count = 0;
    if (number < 0) append('-');
    for (; number != 0 || count == 0; number /= 10) {
      const auto last = static_cast<int>(number % 10);
      digits[count++] = static_cast<char>('0' + (last < 0 ? -last : last));
    }
    while (count > 0) append(digits[--count]);
    return *this;
  }

  constexpr const char* data() const { return letters_; }
  constexpr std::size_t size() const { return length_; }
  /// Ends with a zero.
  constexpr const char* c_str() const { return letters_; }
  template <std::same_as<std::string_view> Text>
  constexpr operator Text() const {
    return Text(letters_, length_);
  }
 private:
  constexpr void append(char letter) {
    if (length_ + 1 < sizeof letters_) letters_[length_++] = letter;
  }

  char letters_[320]{};
  std::size_t length_ = 0;
};

}  // namespace flopledger
