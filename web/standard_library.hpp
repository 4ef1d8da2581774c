// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What the C++20 library of Debian 12's emscripten (libc++ 13) lacks and the library uses. It is included before every
/// source of the page's module, and holds nothing where the standard library is newer.

#include <version>

#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 14000
#include <bit>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}

inline to_chars_result to_chars(char* first, char* last, double value, chars_format, int decimals) {
  const int length = std::snprintf(first, static_cast<std::size_t>(last - first), "%.*f", decimals, value);
  return length < last - first ? to_chars_result{first + length, errc{}} : to_chars_result{last, errc::value_too_large};
}

/// The fewest digits that read back as the number.
inline to_chars_result to_chars(char* first, char* last, double value) {
  char text[40];
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    if (std::strtod(text, nullptr) == value) break;
  }
  const std::size_t length = std::strlen(text);
  if (static_cast<std::size_t>(last - first) < length) return {last, errc::value_too_large};
  std::memcpy(first, text, length);
  return {first + length, errc{}};
}

inline from_chars_result from_chars(const char* first, const char* last, double& value) {
  const std::string text(first, last);
  const bool begins = !text.empty() && (std::isdigit(static_cast<unsigned char>(text[text[0] == '-'])) != 0 ||
                                        text[text[0] == '-'] == '.');
  if (!begins || text.find_first_of("xX") == 1) return {first, errc::invalid_argument};
  char* end = nullptr;
  errno = 0;
  const double found = std::strtod(text.c_str(), &end);
  if (end == text.c_str()) return {first, errc::invalid_argument};
  if (errno == ERANGE) return {first + (end - text.c_str()), errc::result_out_of_range};
  value = found;
  return {first + (end - text.c_str()), errc{}};
}

}  // namespace std
#endif
