// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// How a constant of a model is known, and from where.

#include <concepts>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

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

// For `for_each_member` of what has constants.
template <class T, class Value>
concept maybe_const = std::same_as<std::remove_const_t<T>, Value>;
namespace members {
inline constexpr double no_bound = std::numeric_limits<double>::infinity();
}

/// Hands each constant with a standing to `visit(name, known)`.
template <class Software, class Visit>
constexpr void for_each_constant(const Software& of, Visit visit) {
  for_each_member(of, [&](const char* name, const auto& member, double) {
    if constexpr (requires { member.how; }) visit(name, member);
  });
}

}  // namespace flopledger
