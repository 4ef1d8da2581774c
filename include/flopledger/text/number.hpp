// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Numbers and quantities as people read them. Never by the locale, never with a rounding that does not show.

#include <flopledger/units.hpp>

#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

namespace flopledger::report {

/// With `decimals` digits behind the point.
inline std::string fixed(double value, int decimals) {
  char text[400];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, decimals).ptr;
  return {text, end};
}

/// An integer in full where a double holds it exactly; elsewhere the digits that a double has, and "(rounded)".
inline std::string in_full(double value) {
  if (is_exact_count(value)) return fixed(value, 0);
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return std::string(text, end) + " (rounded)";
}

/// Three significant digits: 8.03, 80.3, 803.
inline std::string three_digits(double value) {
  const double size = std::fabs(value);
  if (size == std::floor(size) && size < 1000) return fixed(value, 0);
  return fixed(value, size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

/// Scaled by powers of ten: scaled(8030261248, "parameters") is "8.03 Gparameters", scaled(0.0123, "s") is "12.3 ms".
inline std::string scaled(double value, std::string_view unit) {
  constexpr std::string_view prefixes[] = {"p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E", "Z", "Y"};
  constexpr int plain = 4, largest = 12;
  int prefix = plain;
  // 999.5 would print as 1000: it belongs to the next prefix.
  while (prefix < largest && std::fabs(value) >= 999.5) {
    value /= 1000;
    ++prefix;
  }
  while (prefix > 0 && value != 0 && std::fabs(value) < 0.9995) {
    value *= 1000;
    --prefix;
  }
  std::string text = three_digits(value);
  if (prefix == plain && unit.empty()) return text;
  return ((text += ' ') += prefixes[prefix]) += unit;
}

inline std::string scaled(flops amount) { return scaled(amount.value(), "FLOP"); }
inline std::string scaled(macs amount) { return scaled(amount.value(), "MAC"); }
inline std::string scaled(parameters amount) { return scaled(amount.value(), ""); }
inline std::string scaled(bytes amount) { return scaled(amount.value(), "B"); }
inline std::string scaled(seconds amount) { return scaled(amount.value(), "s"); }
inline std::string scaled(flop_rate rate) { return scaled(rate.value(), "FLOP/s"); }
inline std::string scaled(byte_rate rate) { return scaled(rate.value(), "B/s"); }

/// Bytes by powers of two, as memory is sold and reported: "14.96 GiB". Four digits, for it is what must fit.
inline std::string scaled_binary(bytes amount) {
  constexpr std::string_view prefixes[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  double value = amount.value();
  std::size_t prefix = 0;
  while (prefix + 1 < sizeof prefixes / sizeof *prefixes && std::fabs(value) >= 999.5) {
    value /= 1024;
    ++prefix;
  }
  const int decimals = value == std::floor(value) ? 0 : std::fabs(value) < 99.995 ? 2 : 1;
  return (fixed(value, decimals) + ' ').append(prefixes[prefix]) += 'B';
}

/// A share of a whole in per cent, without the sign: "34.2", and "<0.1" for what is there but does not show.
inline std::string percent(double share) {
  const double value = 100 * share;
  if (value > 0 && value < 0.05) return "<0.1";
  return fixed(value, 1);
}

}  // namespace flopledger::report
