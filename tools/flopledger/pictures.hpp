// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Pictures in SVG. They know nothing of models: what is drawn is handed over with its labels.

#include <cstddef>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace program {

/// Elements of SVG, without the element around them.
struct picture {
  std::string name;   ///< "memory"
  std::string title;  ///< what it shows
  std::string about;  ///< the same for who cannot see it
  double width = 0, height = 0;
  std::string shapes;
};

/// What an axis counts, and so which prefixes its unit may have.
enum class axis_unit { bytes, seconds, share, count };

/// A line across all bars.
struct drawn_mark {
  std::string label;
  double at = 0;
};

/// A bar, of one part for each series, with what stands behind it.
struct drawn_bar {
  std::string label;
  std::vector<double> parts;
  std::string text;
  double begins = 0;

  double end() const { return std::accumulate(parts.begin(), parts.end(), begins); }
};

/// Bars whose parts stand beside one another, each with its own beginning.
struct drawn_bars {
  std::string name, title, about{};
  axis_unit unit{};
  std::string axis;  ///< what is counted: "memory of a device"
  std::vector<std::string> series{};
  std::vector<drawn_bar> bars{};
  std::vector<drawn_mark> marks{};
};
picture drawn(const drawn_bars& what);

/// Operations under the roof of a device, both axes by powers of ten.
struct drawn_operation {
  std::size_t number = 0;
  double intensity = 0;  ///< FLOP a byte
  double rate = 0;       ///< FLOP/s
};
struct drawn_roofline {
  std::string name, title, about{};
  double peak = 0, bandwidth = 0;
  std::string peak_label, bandwidth_label;
  std::vector<drawn_operation> operations{};
};
picture drawn(const drawn_roofline& what);

/// Slots in rows, along one axis of time.
struct drawn_slot {
  std::size_t row = 0, rows = 1, series = 0;
  double begins = 0, lasts = 0;
  std::string label{};  ///< drawn where there is room
  double shade = 1;
};
struct drawn_timeline {
  std::string name, title, about{};
  std::string axis;
  std::vector<std::string> rows{}, series{};
  std::vector<drawn_slot> slots{};
  double ends = 0;
};
picture drawn(const drawn_timeline& what);

/// Points by two numbers, those of a series joined.
struct drawn_axis {
  std::string name;
  axis_unit unit = axis_unit::count;
  bool by_doubling = false;  ///< a doubling is as long everywhere; else from zero
};
struct drawn_point {
  double x = 0, y = 0;
};
struct drawn_series {
  std::string label;
  std::vector<drawn_point> points{};
};
struct drawn_lines {
  std::string name, title, about{};
  drawn_axis x{}, y{};
  std::vector<drawn_series> series{};
};
picture drawn(const drawn_lines& what);

/// Colours and letters of all pictures, light and dark: the content of a `style` element.
std::string_view picture_style();

/// The element that a page takes in; a file of its own has the style inside.
std::string svg_element(const picture& one, bool with_style);

}  // namespace program
