// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A roofline (Williams, Waterman and Patterson 2009) as one self-contained SVG: ceilings, ridge points and what was
/// measured, on logarithmic axes.

#include <flopledger/units.hpp>

#include <string>
#include <vector>

namespace harness {

/// What the arithmetic can do at most: a level line. The first one is what shares of the roof are of.
struct compute_ceiling {
  std::string label;  ///< such as "BF16, dense"; the rate is printed behind it
  flopledger::flop_rate rate{};
};

/// What a memory can feed at most: a slanted line. The first one is the main memory: its ridges are named, and shares
/// of the roof are of it.
struct bandwidth_ceiling {
  std::string label;  ///< such as "HBM, data sheet"
  flopledger::byte_rate rate{};
};

/// Something that ran.
struct roofline_point {
  std::string label;
  std::string kind;  ///< gives the colour: "projection", "attention"
  std::string pass;  ///< gives the shape: "forward", "backward"
  flopledger::flops_per_byte intensity{};
  flopledger::flop_rate achieved{};
};

struct roofline_chart {
  std::string title;     ///< names the device
  std::string subtitle;  ///< what ran, at which precision and size
  std::vector<compute_ceiling> peaks;
  std::vector<bandwidth_ceiling> bandwidths;
  std::vector<roofline_point> points;
};

/// The least rate and intensity that a chart takes, and the greatest: anything else is a mistake in a unit.
namespace roofline_limits {
inline constexpr double least_intensity = 1e-6, greatest_intensity = 1e9;  ///< FLOP/byte
inline constexpr double least_rate = 1, greatest_rate = 1e24;              ///< FLOP/s, byte/s
}  // namespace roofline_limits

/// The drawing. Throws `std::invalid_argument`, which names the point or the ceiling and the value, where one is no
/// number or out of the limits, and where there is no ceiling of a kind. Points above the roof are drawn: a measurement
/// that beats a data sheet is to be seen.
std::string roofline_svg(const roofline_chart& chart);

/// Text as XML holds it: markup escaped, what XML cannot hold (control characters, broken UTF-8) replaced by U+FFFD.
std::string xml_text(const std::string& text);

}  // namespace harness
