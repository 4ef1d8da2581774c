// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "pictures.hpp"

#include <flopledger/text/number.hpp>
#include <flopledger/text/table.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "markup.hpp"

namespace program {
namespace {

using namespace flopledger;

// All in the units of the picture, which a browser scales.
constexpr double width = 680, margin = 12, letter = 7.2, line_height = 18, text_drop = 4;
constexpr std::size_t colours = 10;

double width_of_text(std::string_view text) { return letter * static_cast<double>(report::width_of(text)); }

std::string text_at(double x, double y, std::string_view text, std::string_view anchor = "start",
                    std::string_view kind = "ink") {
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", kind, x, y, anchor,
                     xml_text(text));
}

std::string line_at(double x1, double y1, double x2, double y2, std::string_view kind) {
  return fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kind, x1, y1, x2,
                     y2);
}

std::string colour_of(std::size_t series) { return fmt::format("c{}", series % colours); }

/// What an axis is labelled in.
struct scale_unit {
  std::string_view name;
  double size = 1;
};

scale_unit unit_for(axis_unit of, double most) {
  static constexpr scale_unit bytes[] = {
      {"B", 1}, {"KiB", prefix::kibi}, {"MiB", prefix::mebi}, {"GiB", prefix::gibi}, {"TiB", prefix::gibi * 1024}};
  static constexpr scale_unit times[] = {{"ns", 1e-9}, {"µs", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"ks", 1e3}};
  static constexpr scale_unit counts[] = {{"", 1}, {"thousands", 1e3}, {"millions", 1e6}, {"billions", 1e9}};
  if (of == axis_unit::share) return {"%", 0.01};
  const auto largest = [most](const auto& units) {
    scale_unit found = units[0];
    for (const scale_unit& one : units)
      if (most >= 2 * one.size) found = one;
    return found;
  };
  return of == axis_unit::bytes ? largest(bytes) : of == axis_unit::seconds ? largest(times) : largest(counts);
}

std::string title_of(std::string_view name, const scale_unit& unit) {
  return unit.name.empty() ? std::string(name) : fmt::format("{}, {}", name, unit.name);
}

/// 1, 2 or 5 times a power of ten, so that some five of them reach `most`.
double tick_step(double most) {
  const double raw = most / 5, power = std::pow(10, std::floor(std::log10(raw)));
  for (const double times : {1.0, 2.0, 5.0})
    if (raw <= times * power) return times * power;
  return 10 * power;
}

/// Boxes or lines with their names, as many to a row as there is room for.
class legend {
 public:
  void add(const std::string& shape_kind, std::string_view label, bool is_line) {
    const double wide = 18 + width_of_text(label) + 16;
    if (x_ > margin && x_ + wide > width - margin) {
      x_ = margin;
      y_ += line_height;
    }
    shapes_ += is_line ? line_at(x_, y_, x_ + 13, y_, shape_kind)
                       : fmt::format("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"11\" height=\"11\"/>\n",
                                     shape_kind, x_ + 1, y_ - 5.5);
    shapes_ += text_at(x_ + 18, y_ + text_drop, label);
    x_ += wide;
  }
  double bottom() const { return shapes_.empty() ? 0 : y_ + line_height / 2; }
  const std::string& shapes() const { return shapes_; }
 private:
  std::string shapes_;
  double x_ = margin, y_ = 14;
};

/// An axis below a plot, with lines through it.
struct plot_axis {
  double left, right, top, bottom, most;
  std::string_view name;
  scale_unit unit;

  double x_of(double value) const { return most > 0 ? left + (right - left) * value / most : left; }
};

std::string linear_axis(const plot_axis& axis) {
  std::string shapes;
  const double end = axis.most / axis.unit.size;
  if (end > 0) {
    const double step = tick_step(end);
    for (double tick = 0; tick <= end * (1 + 1e-9); tick += step) {
      const double x = axis.x_of(tick * axis.unit.size);
      shapes += line_at(x, axis.top, x, axis.bottom, "grid");
      shapes += text_at(x, axis.bottom + 14, fmt::format("{:g}", tick), "middle", "muted");
    }
  }
  return shapes +
         text_at((axis.left + axis.right) / 2, axis.bottom + 31, title_of(axis.name, axis.unit), "middle", "muted");
}

/// A power of ten with its prefix: "100 GFLOP/s".
std::string power_label(int power, std::string_view unit) { return report::scaled(std::pow(10, power), unit); }

}  // namespace

picture drawn(const drawn_bars& what) {
  double most = 0, label_width = 0, text_width = 0;
  for (const drawn_bar& bar : what.bars) {
    most = std::max(most, bar.end());
    label_width = std::max(label_width, width_of_text(bar.label));
    text_width = std::max(text_width, width_of_text(bar.text));
  }
  for (const drawn_mark& mark : what.marks) most = std::max(most, mark.at);
  const scale_unit unit = unit_for(what.unit, most);

  legend names;
  for (std::size_t i = 0; i < what.series.size(); ++i) names.add(colour_of(i), what.series[i], false);
  for (std::size_t i = 0; i < what.marks.size(); ++i)
    names.add(fmt::format("mark{}", i % 2), what.marks[i].label, true);

  const double left = margin + label_width + 10, right = width - margin - text_width - 10, top = names.bottom() + 8,
               thick = what.bars.size() > 12 ? 10 : 18, pitch = thick + (what.bars.size() > 12 ? 5 : 8),
               bottom = top + pitch * static_cast<double>(what.bars.size()) + 4;
  const plot_axis axis{left, right, top, bottom, most, what.axis, unit};
  const auto x_of = [&](double value) { return axis.x_of(value); };
  std::string shapes = names.shapes() + linear_axis(axis);
  for (std::size_t i = 0; i < what.bars.size(); ++i) {
    const drawn_bar& bar = what.bars[i];
    const double y = top + pitch * static_cast<double>(i) + 4, text_y = y + thick / 2 + text_drop;
    shapes += text_at(left - 10, text_y, bar.label, "end");
    double begins = bar.begins;
    for (std::size_t part = 0; part < bar.parts.size(); ++part) {
      if (!(bar.parts[part] > 0)) continue;
      const double x = x_of(begins);
      begins += bar.parts[part];
      // A gap to the next part, and what is there is seen however small it is.
      shapes += fmt::format("<rect class=\"{}\" x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{:.0f}\"/>\n",
                            colour_of(part), x, y, std::max(x_of(begins) - x - 1, 1.0), thick);
    }
    shapes += text_at(width - margin, text_y, bar.text, "end");
  }
  for (std::size_t i = 0; i < what.marks.size(); ++i) {
    const double x = x_of(what.marks[i].at);
    shapes += line_at(x, top, x, bottom, fmt::format("mark{}", i % 2));
  }
  return {what.name, what.title, what.about, width, bottom + 40, shapes};
}

picture drawn(const drawn_timeline& what) {
  legend names;
  for (std::size_t i = 0; i < what.series.size(); ++i) {
    const auto is_drawn = [&](const drawn_slot& one) { return one.series == i && one.lasts > 0; };
    if (std::any_of(what.slots.begin(), what.slots.end(), is_drawn)) names.add(colour_of(i), what.series[i], false);
  }
  double label_width = 0;
  for (const std::string& row : what.rows) label_width = std::max(label_width, width_of_text(row));
  const double thick = what.rows.size() > 12 ? 10 : 20, pitch = thick + 3, top = names.bottom() + 8,
               left = margin + label_width + 10, right = width - margin,
               bottom = top + pitch * static_cast<double>(what.rows.size()) + 4;
  const plot_axis axis{left, right, top, bottom, what.ends, what.axis, unit_for(axis_unit::seconds, what.ends)};
  std::string shapes = names.shapes() + linear_axis(axis);
  const auto y_of = [&](std::size_t row) { return top + pitch * static_cast<double>(row) + 3; };
  for (std::size_t i = 0; i < what.rows.size(); ++i)
    shapes += text_at(left - 10, y_of(i) + thick / 2 + text_drop, what.rows[i], "end");
  for (const drawn_slot& one : what.slots) {
    if (!(one.lasts > 0)) continue;
    const double x = axis.x_of(one.begins), wide = axis.x_of(one.begins + one.lasts) - x, y = y_of(one.row),
                 high = pitch * static_cast<double>(one.rows) - 3;
    shapes += fmt::format(
        "<rect class=\"{}\" x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{:.0f}\" fill-opacity=\"{:.2f}\"/>\n",
        colour_of(one.series), x, y, std::max(wide - (wide > 4 ? 1 : 0), 0.3), high, one.shade);
    if (thick > 10 && wide > width_of_text(one.label) + 2)
      shapes += text_at(x + wide / 2, y + high / 2 + text_drop, one.label, "middle", "inside");
  }
  return {what.name, what.title, what.about, width, bottom + 40, shapes};
}

picture drawn(const drawn_roofline& what) {
  const double balance = what.peak / what.bandwidth;
  double least = balance / 30, most = balance * 10, slowest = what.peak;
  for (const drawn_operation& one : what.operations) {
    least = std::min(least, one.intensity / 3);  // with room for its label
    most = std::max(most, one.intensity);
  }
  const int x_first = static_cast<int>(std::floor(std::log10(least))),
            x_last = static_cast<int>(std::ceil(std::log10(most)));
  slowest = std::min(slowest, what.bandwidth * std::pow(10, x_first));
  const int y_first = static_cast<int>(std::floor(std::log10(slowest))),
            y_last = static_cast<int>(std::ceil(std::log10(4 * what.peak)));  // with room for labels

  legend names;
  names.add("mark0", what.peak_label, true);
  names.add("mark1", what.bandwidth_label, true);
  names.add("c0", "operations, by their numbers in the table", false);
  const double left = margin + 84, right = width - margin - 60, top = names.bottom() + 10, bottom = top + 300;
  const auto x_of = [&](double value) {
    return left + (right - left) * (std::log10(value) - x_first) / static_cast<double>(x_last - x_first);
  };
  const auto y_of = [&](double value) {
    return bottom - (bottom - top) * (std::log10(value) - y_first) / static_cast<double>(y_last - y_first);
  };
  std::string shapes = names.shapes();
  for (int power = x_first; power <= x_last; ++power) {
    const double x = x_of(std::pow(10, power));
    shapes += line_at(x, top, x, bottom, "grid");
    shapes += text_at(x, bottom + 14, power_label(power, ""), "middle", "muted");
  }
  for (int power = y_first; power <= y_last; ++power) {
    const double y = y_of(std::pow(10, power));
    shapes += line_at(left, y, right, y, "grid");
    shapes += text_at(left - 8, y + text_drop, power_label(power, "FLOP/s"), "end", "muted");
  }
  shapes += text_at((left + right) / 2, bottom + 31, "FLOP a byte that is moved", "middle", "muted");
  shapes += line_at(x_of(std::pow(10, x_first)), y_of(what.bandwidth * std::pow(10, x_first)), x_of(balance),
                    y_of(what.peak), "mark1");
  shapes += line_at(x_of(balance), y_of(what.peak), right, y_of(what.peak), "mark0");

  // Numbers of points that stand together make one label, so that none lies on another.
  std::vector<drawn_operation> order = what.operations;
  std::stable_sort(order.begin(), order.end(),
                   [](const drawn_operation& a, const drawn_operation& b) { return a.intensity < b.intensity; });
  std::string labels;
  constexpr std::size_t numbers_a_line = 3;
  constexpr double label_width = numbers_a_line * 4 * letter;
  for (std::size_t i = 0; i < order.size();) {
    // Above the slope there is room on the left, above the flat roof on the right.
    const bool on_slope = order[i].intensity < balance;
    const double x = x_of(order[i].intensity), y_first_point = y_of(order[i].rate);
    std::vector<std::size_t> numbers;
    for (; i < order.size() && x_of(order[i].intensity) <= x + label_width; ++i) {
      const double y = y_of(order[i].rate);
      shapes +=
          fmt::format("<circle class=\"c0\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\"/>\n", x_of(order[i].intensity), y);
      numbers.push_back(order[i].number);
    }
    std::sort(numbers.begin(), numbers.end());
    const std::size_t lines = (numbers.size() + numbers_a_line - 1) / numbers_a_line;
    for (std::size_t line = 0; line < lines; ++line) {
      std::string text;
      for (std::size_t n = line * numbers_a_line; n < std::min(numbers.size(), (line + 1) * numbers_a_line); ++n)
        text += fmt::format("{}{}", text.empty() ? "" : ", ", numbers[n]);
      labels += text_at(on_slope ? x + 2 : x - 5, y_first_point - 10 - 14 * static_cast<double>(lines - 1 - line), text,
                        on_slope ? "end" : "start");
    }
  }
  return {what.name, what.title, what.about, width, bottom + 40, shapes + labels};
}

picture drawn(const drawn_lines& what) {
  drawn_point most, least{1e300, 1e300};
  std::vector<double> all_x;
  for (const drawn_series& one : what.series)
    for (const drawn_point& point : one.points) {
      most = {std::max(most.x, point.x), std::max(most.y, point.y)};
      least = {std::min(least.x, point.x), std::min(least.y, point.y)};
      all_x.push_back(point.x);
    }
  legend names;
  for (std::size_t i = 0; i < what.series.size(); ++i) names.add(colour_of(i), what.series[i].label, false);
  const scale_unit x_unit = unit_for(what.x.unit, most.x), y_unit = unit_for(what.y.unit, most.y);
  const double left = margin + 56, right = width - margin - 24, top = names.bottom() + 26, bottom = top + 220;
  const bool doubles = what.x.by_doubling && least.x > 0 && most.x > least.x;
  const plot_axis across{left, right, top, bottom, 1.05 * most.x, what.x.name, x_unit};
  const auto x_of = [&](double value) {
    return doubles ? left + (right - left) * std::log(value / least.x) / std::log(most.x / least.x)
                   : across.x_of(value);
  };
  const double high = most.y > 0 ? 1.05 * most.y : 1;
  const auto y_of = [&](double value) { return bottom - (bottom - top) * value / high; };
  std::string shapes = names.shapes();
  if (doubles) {
    std::sort(all_x.begin(), all_x.end());
    double free = 0;
    for (const double value : all_x) {
      const double x = x_of(value);
      const std::string label = fmt::format("{:g}", value);
      if (x - width_of_text(label) / 2 < free) continue;
      free = x + width_of_text(label) / 2 + letter;
      shapes += line_at(x, top, x, bottom, "grid") + text_at(x, bottom + 14, label, "middle", "muted");
    }
    shapes += text_at((left + right) / 2, bottom + 31, what.x.name, "middle", "muted");
  } else {
    shapes += linear_axis(across);
  }
  const double step = tick_step(high / y_unit.size);
  for (double tick = 0; tick <= high / y_unit.size; tick += step) {
    const double y = y_of(tick * y_unit.size);
    shapes += line_at(left, y, right, y, "grid");
    shapes += text_at(left - 8, y + text_drop, fmt::format("{:g}", tick), "end", "muted");
  }
  shapes += text_at(margin, top - 10, title_of(what.y.name, y_unit), "start", "muted");
  for (std::size_t i = 0; i < what.series.size(); ++i) {
    std::string path, dots;
    for (const drawn_point& point : what.series[i].points) {
      path += fmt::format("{}{:.1f},{:.1f}", path.empty() ? "" : " ", x_of(point.x), y_of(point.y));
      dots += fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>\n", colour_of(i), x_of(point.x),
                          y_of(point.y));
    }
    shapes += fmt::format("<polyline class=\"{} joined\" points=\"{}\"/>\n", colour_of(i), path) + dots;
  }
  return {what.name, what.title, what.about, width, bottom + 40, shapes};
}

std::string_view picture_style() {
  return R"(
.picture text{font:12px system-ui,sans-serif}
.picture .paper{fill:#fff}.picture .inside{fill:#fff}.picture .ink{fill:#1b1f24}.picture .muted{fill:#57606a}
.picture .grid{stroke:#d8dee4}.picture .mark0,.picture .mark1{stroke:#1b1f24;stroke-width:2}
.picture .mark1{stroke-dasharray:5 3}
.picture circle{stroke:#fff}.picture rect,.picture circle{fill:currentColor}
.picture .joined{fill:none;stroke:currentColor;stroke-width:2}
.picture .c0{color:#2f6fdb}.picture .c1{color:#e07b1a}.picture .c2{color:#2a9d5c}.picture .c3{color:#c63d52}
.picture .c4{color:#7d5ba6}.picture .c5{color:#1b9aaa}.picture .c6{color:#8c6d46}.picture .c7{color:#8b949e}
.picture .c8{color:#d86fb0}.picture .c9{color:#a39c1c}
@media (prefers-color-scheme:dark){
.picture .paper{fill:#0d1117}.picture .inside{fill:#0d1117}.picture .ink{fill:#e6edf3}.picture .muted{fill:#9da7b3}
.picture .grid{stroke:#30363d}.picture .mark0,.picture .mark1{stroke:#e6edf3}
.picture circle{stroke:#0d1117}
.picture .c0{color:#5b96f0}.picture .c1{color:#ee9d4b}.picture .c2{color:#4dbd80}.picture .c3{color:#ec7383}
.picture .c4{color:#ab8bd6}.picture .c5{color:#4bbecb}.picture .c6{color:#bd9b70}.picture .c7{color:#7d8590}
.picture .c8{color:#e895c8}.picture .c9{color:#c9c24e}}
)";
}

std::string svg_element(const picture& one, bool with_style) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture\" viewBox=\"0 0 {:.0f} {:.0f}\" width=\"{:.0f}\" "
      "height=\"{:.0f}\" role=\"img\" aria-labelledby=\"{}-title {}-about\">\n<title id=\"{}-title\">{}</title>\n"
      "<desc id=\"{}-about\">{}</desc>\n{}{}</svg>\n",
      one.width, one.height, one.width, one.height, one.name, one.name, one.name, xml_text(one.title), one.name,
      xml_text(one.about),
      with_style
          ? fmt::format("<style>{}</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n", picture_style())
          : std::string(),
      one.shapes);
}

}  // namespace program
