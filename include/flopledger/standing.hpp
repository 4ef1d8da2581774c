// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// How a constant of a model is known, and from where.

#include <cstdint>
#include <string_view>

namespace flopledger {

enum class standing : std::uint8_t {
  assumed,    ///< nobody measured it where it is used
  from_code,  ///< read in the program that it describes
  measured    ///< on what it describes; the source says by whom
};

constexpr std::string_view name_of(standing how) {
  switch (how) {
    case standing::assumed:
      return "assumed";
    case standing::from_code:
      return "from code";
    case standing::measured:
      return "measured";
  }
  return "";
}

/// A constant with its standing and source; it converts to its value.
template <class T>
struct known {
  T value{};
  standing how = standing::assumed;
  std::string_view source{};

  constexpr operator T() const { return value; }
};

}  // namespace flopledger
