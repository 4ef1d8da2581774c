// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#include "roofline_plot.hpp"

#include <flopledger/text/number.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace harness {
namespace {

using flopledger::report::fixed;
using flopledger::report::scaled;

constexpr double pi = std::numbers::pi;

// Okabe and Ito's colours, which people who are blind to some still tell apart; yellow is left out, for white paper.
constexpr std::array<std::string_view, 7> colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                  "#e69f00", "#56b4e9", "#5b5b5b"};
// Around (0, 0), of about one area.
constexpr std::array<std::string_view, 5> shapes{"M-5,0a5,5 0 1,0 10,0a5,5 0 1,0 -10,0z", "M0,-6.2L6.2,0L0,6.2L-6.2,0z",
                                                 "M-4.6,-4.6H4.6V4.6H-4.6z", "M0,-6L5.8,4.4H-5.8z",
                                                 "M0,6L5.8,-4.4H-5.8z"};

struct place {
  double x = 0, y = 0;
};

struct box {
  double left = 0, top = 0, right = 0, bottom = 0;
  double overlap(const box& other) const {
    const double width = std::min(right, other.right) - std::max(left, other.left);
    const double height = std::min(bottom, other.bottom) - std::max(top, other.top);
    return width > 0 && height > 0 ? width * height : 0;
  }
  bool holds(const box& other) const {
    return other.left >= left && other.right <= right && other.top >= top && other.bottom <= bottom;
  }
};

// Checks
// ---------------------------------------------------------------------------------------------------------------

std::string plain(double value) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

void check(double value, double least, double greatest, std::string_view what, const std::string& label,
           std::string_view quantity, std::string_view unit) {
  if (value >= least && value <= greatest) return;
  std::string message = "roofline: ";
  ((message += what) += " '") += label;
  ((message += "': ") += quantity) += " is ";
  ((message += plain(value)) += ' ') += unit;
  ((message += "; it must lie between ") += plain(least)) += " and ";
  throw std::invalid_argument(message + plain(greatest));
}

void check(const roofline_chart& chart) {
  using namespace roofline_limits;
  if (chart.peaks.empty()) throw std::invalid_argument("roofline: peaks is empty; a roof needs at least one");
  if (chart.bandwidths.empty()) throw std::invalid_argument("roofline: bandwidths is empty; a roof needs at least one");
  for (const compute_ceiling& c : chart.peaks)
    check(c.rate.value(), least_rate, greatest_rate, "peak", c.label, "the rate", "FLOP/s");
  for (const bandwidth_ceiling& c : chart.bandwidths)
    check(c.rate.value(), least_rate, greatest_rate, "bandwidth", c.label, "the rate", "B/s");
  for (const roofline_point& p : chart.points) {
    const std::string name = p.pass.empty() ? p.label : p.label + ", " + p.pass;
    check(p.intensity.value(), least_intensity, greatest_intensity, "point", name, "the intensity", "FLOP/byte");
    check(p.achieved.value(), least_rate, greatest_rate, "point", name, "the achieved rate", "FLOP/s");
  }
}

// Axes
// -----------------------------------------------------------------------------------------------------------------

/// A logarithmic axis, from one pixel to another.
struct axis {
  double low = 1, high = 10;  ///< values at its ends
  double from = 0, to = 1;    ///< pixels
  double at(double value) const { return from + (to - from) * std::log(value / low) / std::log(high / low); }
  double pixels_a_decade() const { return (to - from) / std::log10(high / low); }
};

/// The next of 1, 2, 5 times a power of ten, at or below and at or above.
double rounded_down(double value) {
  const double decade = std::pow(10, std::floor(std::log10(value)));
  const double digit = value / decade * (1 + 1e-12);
  return decade * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}
double rounded_up(double value) {
  const double below = rounded_down(value);
  if (below >= value * (1 - 1e-12)) return below;
  const double digit = below / std::pow(10, std::floor(std::log10(below) + 1e-9));
  return below * (digit > 1.5 && digit < 3 ? 2.5 : 2);
}

/// What both axes must show: every point and every ridge, with room around.
struct ranges {
  double least_x = 0, greatest_x = 0, least_y = 0, greatest_y = 0;

  explicit ranges(const roofline_chart& chart) {
    const auto by_rate = [](const auto& a, const auto& b) { return a.rate < b.rate; };
    const auto [low_peak, high_peak] = std::minmax_element(chart.peaks.begin(), chart.peaks.end(), by_rate);
    const auto [slow, fast] = std::minmax_element(chart.bandwidths.begin(), chart.bandwidths.end(), by_rate);
    least_x = low_peak->rate.value() / fast->rate.value() / 8;
    greatest_x = high_peak->rate.value() / slow->rate.value() * 8;
    least_y = low_peak->rate.value() / 8;
    greatest_y = high_peak->rate.value();
    for (const roofline_point& p : chart.points) {
      least_x = std::min(least_x, p.intensity.value() / 2);
      greatest_x = std::max(greatest_x, p.intensity.value() * 2);
      least_y = std::min(least_y, p.achieved.value() / 2);
      greatest_y = std::max(greatest_y, p.achieved.value());
    }
    least_x = rounded_down(least_x);
    greatest_x = rounded_up(greatest_x);
    least_y = rounded_down(least_y);
    greatest_y = rounded_up(greatest_y * 1.6);  // room for the peak's label
  }
};

// Drawing
// --------------------------------------------------------------------------------------------------------------

/// Code points: near enough to the letters that a reader sees.
std::size_t letters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

/// Width of text in a sans-serif face, on the wide side.
double width_of(std::string_view text, double size) { return 0.6 * size * static_cast<double>(letters(text)); }

/// The longest beginning of `text` that `width` holds, with an ellipsis where something is left out.
std::string shortened(const std::string& text, double width, double size) {
  if (width_of(text, size) <= width) return text;
  const auto fitting = static_cast<std::size_t>(width / (0.6 * size));
  std::string kept;
  std::size_t seen = 0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xc0) != 0x80 && ++seen >= fitting) break;
    kept += c;
  }
  return kept + "…";
}

enum class anchor : std::uint8_t { start, middle, end };

class drawing {
 public:
  void line(place a, place b, std::string_view style) {
    ((text_ += "<line x1=\"") += fixed(a.x, 2)) += "\" y1=\"";
    ((text_ += fixed(a.y, 2)) += "\" x2=\"") += fixed(b.x, 2);
    ((text_ += "\" y2=\"") += fixed(b.y, 2)) += "\" ";
    (text_ += style) += "/>\n";
  }
  void words(place at, const std::string& what, anchor from, double size, std::string_view style, double turned = 0) {
    constexpr std::string_view anchors[] = {"start", "middle", "end"};
    ((text_ += "<text x=\"") += fixed(at.x, 2)) += "\" y=\"";
    ((text_ += fixed(at.y, 2)) += "\" font-size=\"") += fixed(size, 1);
    ((text_ += "\" text-anchor=\"") += anchors[static_cast<int>(from)]) += "\" ";
    if (turned != 0) {
      ((text_ += "transform=\"rotate(") += fixed(turned, 2)) += ' ';
      ((text_ += fixed(at.x, 2)) += ' ') += fixed(at.y, 2);
      text_ += ")\" ";
    }
    ((text_ += style) += ">") += xml_text(what);
    text_ += "</text>\n";
  }
  /// A marker that tells what it is under the mouse.
  void marker(place at, std::string_view shape, std::string_view colour, std::string_view role,
              const std::string& tip) {
    ((text_ += "<g class=\"") += role) += "\" transform=\"translate(";
    ((text_ += fixed(at.x, 2)) += ' ') += fixed(at.y, 2);
    text_ += ")\">";
    if (!tip.empty()) ((text_ += "<title>") += xml_text(tip)) += "</title>";
    ((text_ += "<path d=\"") += shape) += "\" fill=\"";
    (text_ += colour) += "\" fill-opacity=\"0.85\" stroke=\"#fff\" stroke-width=\"1\"/></g>\n";
  }
  void raw(std::string_view what) { text_ += what; }
  std::string text() && { return std::move(text_); }
 private:
  std::string text_;
};

constexpr std::string_view quiet = "fill=\"#555\"", strong = "fill=\"#111\"",
                           haloed =
                               "fill=\"#111\" stroke=\"#fff\" stroke-width=\"3\" stroke-linejoin=\"round\" "
                               "paint-order=\"stroke\"";

/// Distinct texts in the order in which they first stand.
std::vector<std::string> distinct(const std::vector<roofline_point>& points, std::string roofline_point::*member) {
  std::vector<std::string> found;
  for (const roofline_point& p : points)
    if (std::find(found.begin(), found.end(), p.*member) == found.end()) found.push_back(p.*member);
  return found;
}
std::size_t index_in(const std::vector<std::string>& texts, const std::string& text) {
  return static_cast<std::size_t>(std::find(texts.begin(), texts.end(), text) - texts.begin());
}

class chart_drawing {
 public:
  explicit chart_drawing(const roofline_chart& chart)
      : chart_(chart),
        kinds_(distinct(chart.points, &roofline_point::kind)),
        passes_(distinct(chart.points, &roofline_point::pass)) {
    const ranges shown(chart);
    x_ = {shown.least_x, shown.greatest_x, frame_.left, frame_.right};
    y_ = {shown.least_y, shown.greatest_y, frame_.bottom, frame_.top};
    for (const roofline_point& p : chart.points) markers_.push_back(at(p.intensity.value(), p.achieved.value()));
    for (const place& m : markers_) taken_.push_back({m.x - 6, m.y - 6, m.x + 6, m.y + 6});
  }

  std::string svg() {
    grid();
    ceilings();
    named_points();
    const double bottom = panel();
    const double height = std::max(frame_.bottom + 74, bottom + 24);
    const double width = panel_left + (numbered_ ? key_width : legend_width);
    std::string head = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + fixed(width, 0) + "\" height=\"" +
                       fixed(height, 0) + "\" viewBox=\"0 0 " + fixed(width, 0) + " " + fixed(height, 0) +
                       "\" role=\"img\" font-family=\"'DejaVu Sans', Verdana, Helvetica, Arial, sans-serif\">\n";
    ((head += "<title>") += xml_text(chart_.title)) +=
        "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
    drawing top;
    top.words({frame_.left, 34}, shortened(chart_.title, width - frame_.left - 16, 18), anchor::start, 18,
              "fill=\"#111\" font-weight=\"bold\"");
    top.words({frame_.left, 56}, shortened(chart_.subtitle, width - frame_.left - 16, 12.5), anchor::start, 12.5,
              quiet);
    return ((head += std::move(top).text()) += std::move(out_).text()) += "</svg>\n";
  }
 private:
  static constexpr double panel_left = 868, legend_width = 236, key_width = 520;

  place at(double intensity, double rate) const { return {x_.at(intensity), y_.at(rate)}; }

  // Every decade has a line and a name, and the digits between have a fainter line; a short axis names 2 and 5 too.
  void grid() {
    ticks(x_, [&](double value, bool decade, bool named) {
      const double x = x_.at(value);
      out_.line({x, frame_.top}, {x, frame_.bottom}, decade ? decade_line : digit_line);
      if (named)
        out_.words({x, frame_.bottom + 20}, value < 1 ? plain(value) : scaled(value, ""), anchor::middle, 12, quiet);
    });
    ticks(y_, [&](double value, bool decade, bool named) {
      const double y = y_.at(value);
      out_.line({frame_.left, y}, {frame_.right, y}, decade ? decade_line : digit_line);
      if (named) out_.words({frame_.left - 8, y + 4}, scaled(value, ""), anchor::end, 12, quiet);
    });
    const auto side = [&](place a, place b) { out_.line(a, b, "stroke=\"#333\" stroke-width=\"1.2\""); };
    side({frame_.left, frame_.bottom}, {frame_.right, frame_.bottom});
    side({frame_.left, frame_.bottom}, {frame_.left, frame_.top});
    out_.words({(frame_.left + frame_.right) / 2, frame_.bottom + 54}, "arithmetic intensity, FLOP/byte",
               anchor::middle, 13.5, strong);
    out_.words({26, (frame_.top + frame_.bottom) / 2}, "achieved, FLOP/s", anchor::middle, 13.5, strong, -90);
  }

  template <class Tick>
  static void ticks(const axis& along, const Tick& tick) {
    const double decades = std::log10(along.high / along.low);
    const double a_decade = std::fabs(along.pixels_a_decade());
    const int every = std::max(1, static_cast<int>(std::ceil(34 / a_decade)));
    const auto last = static_cast<int>(std::floor(std::log10(along.high) + 1e-9));
    for (auto power = static_cast<int>(std::floor(std::log10(along.low) + 1e-9)); power <= last; ++power)
      for (int digit = 1; digit < 10; ++digit) {
        const double value = digit * std::pow(10, power);
        if (value < along.low * (1 - 1e-9) || value > along.high * (1 + 1e-9)) continue;
        if (digit > 1 && a_decade < 40) continue;
        const bool named = digit == 1 ? power % every == 0 : decades < 3.2 && (digit == 2 || digit == 5);
        tick(value, digit == 1, named);
      }
  }

  void ceilings() {
    const auto by_rate = [](const auto& a, const auto& b) { return a.rate < b.rate; };
    const double fastest = std::max_element(chart_.bandwidths.begin(), chart_.bandwidths.end(), by_rate)->rate.value();
    const double main_memory = chart_.bandwidths.front().rate.value();
    for (const bandwidth_ceiling& c : chart_.bandwidths) slanted(c, highest_peak(), &c == &chart_.bandwidths.front());
    // From the top down, so that where labels meet it is the lower one that moves.
    std::vector<const compute_ceiling*> downwards;
    for (const compute_ceiling& c : chart_.peaks) downwards.push_back(&c);
    std::stable_sort(downwards.begin(), downwards.end(),
                     [](const auto* a, const auto* b) { return a->rate > b->rate; });
    for (const compute_ceiling* c : downwards) level(*c, fastest);
    double named_up_to = 0;
    std::reverse(downwards.begin(), downwards.end());
    for (const compute_ceiling* c : downwards) ridge(*c, main_memory, named_up_to);
  }

  void slanted(const bandwidth_ceiling& c, double highest, bool first) {
    const double rate = c.rate.value();
    const double begins = std::max(x_.low, y_.low / rate), ends = std::min(x_.high, highest / rate);
    if (begins >= ends) return;
    const place a = at(begins, begins * rate), b = at(ends, ends * rate);
    out_.line(a, b,
              first ? "class=\"bandwidth\" stroke=\"#222\" stroke-width=\"2\""
                    : "class=\"bandwidth\" stroke=\"#777\" stroke-width=\"1.6\" stroke-dasharray=\"7 4\"");
    const double angle = std::atan2(b.y - a.y, b.x - a.x);
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    const std::string label = shortened(c.label + ", " + scaled(c.rate), length - 20, 11.5);
    // Above the line, a little way in from where it begins, where points are rare.
    const place start{a.x + 14 * std::cos(angle) + 6 * std::sin(angle),
                      a.y + 14 * std::sin(angle) - 6 * std::cos(angle)};
    out_.words(start, label, anchor::start, 11.5, haloed, angle * 180 / pi);
    const double wide = width_of(label, 11.5);
    for (double along = 0; along < wide; along += 10) {
      const place here{start.x + along * std::cos(angle) + 5 * std::sin(angle),
                       start.y + along * std::sin(angle) - 5 * std::cos(angle)};
      taken_.push_back({here.x - 8, here.y - 8, here.x + 8, here.y + 8});
    }
  }

  void level(const compute_ceiling& c, double fastest) {
    const double y = y_.at(c.rate.value());
    const double begins = std::max(x_.low, c.rate.value() / fastest);
    out_.line({x_.at(begins), y}, {frame_.right, y},
              &c == &chart_.peaks.front() ? "class=\"peak\" stroke=\"#222\" stroke-width=\"2\""
                                          : "class=\"peak\" stroke=\"#777\" stroke-width=\"1.6\"");
    const std::string label = c.label + ", " + scaled(c.rate);
    const double wide = std::min(width_of(label, 11.5), frame_.right - frame_.left);
    // Above its line at the right where nothing is, else below, else further to the left, else where least is.
    box where{frame_.right - 4 - wide, y - 16, frame_.right - 4, y - 3};
    double least = 1e9;
    for (double right = frame_.right - 4; right - wide >= x_.at(begins); right -= wide / 8)
      for (const double bottom : {y - 4, y + 16}) {
        const box candidate{right - wide, bottom - 12, right, bottom + 1};
        const double cost = collisions(candidate) + 4 * crossings(candidate);
        if (cost >= least || !frame_.holds(candidate)) continue;
        least = cost;
        where = candidate;
      }
    out_.words({where.right, where.bottom - 1}, label, anchor::end, 11.5, haloed);
    taken_.push_back(where);
  }

  void ridge(const compute_ceiling& c, double bandwidth, double& named_up_to) {
    const double intensity = c.rate.value() / bandwidth;
    const place corner = at(intensity, c.rate.value());
    out_.line(corner, {corner.x, frame_.bottom}, "class=\"ridge\" stroke=\"#999\" stroke-dasharray=\"2 4\"");
    out_.marker(corner, "M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z", "#222", "ridge",
                "ridge of " + c.label + ": " + flopledger::report::three_digits(intensity) + " FLOP/byte");
    const std::string label = "ridge " + flopledger::report::three_digits(intensity);
    const double half = width_of(label, 10.5) / 2;
    if (corner.x - half < named_up_to) return;
    out_.words({corner.x, frame_.bottom + 35}, label, anchor::middle, 10.5, strong);
    named_up_to = corner.x + half + 4;
  }

  double highest_peak() const {
    double highest = 0;
    for (const compute_ceiling& c : chart_.peaks) highest = std::max(highest, c.rate.value());
    return highest;
  }

  double collisions(const box& candidate) const {
    double sum = 0;
    for (const box& other : taken_) sum += candidate.overlap(other);
    return sum;
  }

  /// How much of a label lies on a ceiling: pixels of the box's height that the line crosses.
  double crossings(const box& candidate) const {
    double sum = 0;
    for (const compute_ceiling& c : chart_.peaks) {
      const double y = y_.at(c.rate.value());
      if (y > candidate.top && y < candidate.bottom) sum += 12;
    }
    for (const bandwidth_ceiling& c : chart_.bandwidths) {
      const place begins = at(x_.low, x_.low * c.rate.value());
      const double ends = x_.at(highest_peak() / c.rate.value());
      const double slope = y_.pixels_a_decade() / x_.pixels_a_decade();
      const auto height = [&](double x) { return begins.y + (std::min(x, ends) - begins.x) * slope; };
      if (candidate.left < ends && height(candidate.left) > candidate.top && height(candidate.right) < candidate.bottom)
        sum += 12;
    }
    return sum;
  }

  struct label_place {
    box where;
    double cost = 0;
    bool far = false;
  };

  /// The best place for a label near a marker: close, free, and off the lines.
  label_place best_place(place marker, double wide, double high) const {
    label_place best{.where = {}, .cost = 1e9};
    for (const double radius : {9.0, 18.0, 30.0, 44.0, 60.0, 80.0})
      for (int step = 0; step < 16; ++step) {
        const double angle = step * pi / 8;
        const double dx = std::cos(angle), dy = -std::sin(angle);
        // The box touches the circle with the side or the corner that faces the marker.
        const double left = marker.x + radius * dx - (dx < -0.2 ? wide : dx > 0.2 ? 0 : wide / 2);
        const double top = marker.y + radius * dy - (dy < -0.2 ? high : dy > 0.2 ? 0 : high / 2);
        const box candidate{left, top, left + wide, top + high};
        if (!frame_.holds(candidate)) continue;
        const double cost = 4 * collisions(candidate) + crossings(candidate) + 0.8 * radius + 0.2 * (step != 0);
        if (cost < best.cost) best = {candidate, cost, radius > 18};
      }
    return best;
  }

  /// Places for all labels, or none where one of them would lie on something.
  std::optional<std::vector<label_place>> places(const std::vector<std::string>& labels, double size) {
    const std::size_t before = taken_.size();
    std::vector<label_place> found;
    bool clear = true;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      found.push_back(best_place(markers_[i], width_of(labels[i], size) + 2, size + 2));
      clear = clear && found.back().cost < 1e9 && collisions(found.back().where) < 6;
      if (found.back().cost < 1e9) taken_.push_back(found.back().where);
    }
    if (!clear) taken_.resize(before);
    return clear ? std::optional(found) : std::nullopt;
  }

  void named_points() {
    std::vector<std::string> names, numbers;
    for (const roofline_point& p : chart_.points) {
      names.push_back(passes_.size() > 1 && !p.pass.empty() ? p.label + ", " + p.pass : p.label);
      numbers.push_back(std::to_string(names.size()));
    }
    std::optional<std::vector<label_place>> where;
    if (names.size() <= most_names) where = places(names, name_size);
    numbered_ = !where.has_value();
    if (numbered_) where = places(numbers, number_size);
    const std::vector<std::string>& labels = numbered_ ? numbers : names;
    const double size = numbered_ ? number_size : name_size;
    if (where)
      for (std::size_t i = 0; i < labels.size(); ++i) {
        const box& b = (*where)[i].where;
        if (!(*where)[i].far) continue;
        const place nearest{std::clamp(markers_[i].x, b.left, b.right), std::clamp(markers_[i].y, b.top, b.bottom)};
        out_.line(markers_[i], nearest, "stroke=\"#999\" stroke-width=\"0.8\"");
      }
    for (std::size_t i = 0; i < markers_.size(); ++i)
      out_.marker(markers_[i], shape_of(i), colour_of(i), "point", tip_of(i));
    if (where)
      for (std::size_t i = 0; i < labels.size(); ++i) {
        const box& b = (*where)[i].where;
        out_.words({b.left + 1, b.bottom - 3}, labels[i], anchor::start, size, haloed);
      }
  }

  std::string_view colour_of(std::size_t i) const {
    return colours[index_in(kinds_, chart_.points[i].kind) % colours.size()];
  }
  std::string_view shape_of(std::size_t i) const {
    return shapes[index_in(passes_, chart_.points[i].pass) % shapes.size()];
  }
  /// Over what the first peak and the main memory allow at that intensity.
  double share_of_roof(const roofline_point& p) const {
    const double fed = p.intensity.value() * chart_.bandwidths.front().rate.value();
    return p.achieved.value() / std::min(fed, chart_.peaks.front().rate.value());
  }
  std::string tip_of(std::size_t i) const {
    const roofline_point& p = chart_.points[i];
    std::string tip = p.label;
    if (!p.pass.empty()) (tip += ", ") += p.pass;
    if (!p.kind.empty()) ((tip += " (") += p.kind) += ')';
    ((tip += ": ") += flopledger::report::three_digits(p.intensity.value())) += " FLOP/byte, ";
    ((tip += scaled(p.achieved)) += ", ") += flopledger::report::percent(share_of_roof(p));
    return tip += " % of the roof";
  }

  /// What stands beside the frame; returns where it ends.
  double panel() {
    double y = frame_.top + 12;
    const auto heading = [&](const std::string& text) {
      out_.words({panel_left, y}, text, anchor::start, 12, "fill=\"#111\" font-weight=\"bold\"");
      y += 20;
    };
    const double text_width = legend_width - 36;
    if (!kinds_.empty()) {
      heading("colour: operation");
      for (std::size_t i = 0; i < kinds_.size(); ++i, y += 18) {
        out_.marker({panel_left + 8, y - 4}, shapes[0], colours[i % colours.size()], "legend", "");
        out_.words({panel_left + 22, y}, shortened(kinds_[i].empty() ? "other" : kinds_[i], text_width, 11.5),
                   anchor::start, 11.5, strong);
      }
      y += 10;
      heading("shape: pass");
      for (std::size_t i = 0; i < passes_.size(); ++i, y += 18) {
        out_.marker({panel_left + 8, y - 4}, shapes[i % shapes.size()], "#444", "legend", "");
        out_.words({panel_left + 22, y}, shortened(passes_[i].empty() ? "not given" : passes_[i], text_width, 11.5),
                   anchor::start, 11.5, strong);
      }
      y += 10;
    }
    heading("ridges of " + shortened(chart_.bandwidths.front().label, legend_width - 80, 12));
    for (const compute_ceiling& c : chart_.peaks) {
      const double intensity = c.rate.value() / chart_.bandwidths.front().rate.value();
      out_.words({panel_left, y},
                 shortened(c.label, 120, 11.5) + ": " + flopledger::report::three_digits(intensity) + " FLOP/byte",
                 anchor::start, 11.5, strong);
      y += 18;
    }
    y += 10;
    if (numbered_) key(y);
    return y;
  }

  void key(double& y) {
    const double columns[] = {panel_left + 20, panel_left + 28, panel_left + 330, panel_left + 428, panel_left + 500};
    const auto row = [&](const std::array<std::string, 5>& cells, std::string_view style) {
      for (std::size_t i = 0; i < cells.size(); ++i)
        out_.words({columns[i], y}, cells[i], i == 1 ? anchor::start : anchor::end, 11, style);
      y += 16;
    };
    row({"#", "operation", "FLOP/byte", "achieved", "% of roof"}, "fill=\"#111\" font-weight=\"bold\"");
    for (std::size_t i = 0; i < chart_.points.size(); ++i) {
      const roofline_point& p = chart_.points[i];
      const std::string name = p.pass.empty() ? p.label : p.label + ", " + p.pass;
      row({std::to_string(i + 1), shortened(name, 238, 11), flopledger::report::three_digits(p.intensity.value()),
           scaled(p.achieved), flopledger::report::percent(share_of_roof(p))},
          strong);
    }
  }

  static constexpr std::string_view decade_line = "stroke=\"#d4d4d4\" stroke-width=\"1\"",
                                    digit_line = "stroke=\"#efefef\" stroke-width=\"1\"";
  static constexpr std::size_t most_names = 24;
  static constexpr double name_size = 11, number_size = 10;

  const roofline_chart& chart_;
  std::vector<std::string> kinds_, passes_;
  box frame_{86, 76, 846, 576};
  axis x_{}, y_{};
  std::vector<place> markers_;
  std::vector<box> taken_;
  bool numbered_ = false;
  drawing out_;
};

/// Bytes of the UTF-8 sequence at the beginning, 0 where it is none that XML may hold.
std::size_t sequence_length(std::string_view text) {
  const auto byte_at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte_at(0);
  if (first < 0x80) return first >= 0x20 || first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
  const std::size_t length = first >= 0xf0 && first <= 0xf4  ? 4
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xc2 && first < 0xe0 ? 2
                                                             : 0;
  if (length == 0 || text.size() < length) return 0;
  std::uint32_t code = first & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte_at(i) & 0x3fU);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool held = code >= least[length] && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000) && code != 0xfffe &&
                    code != 0xffff;
  return held ? length : 0;
}

}  // namespace

std::string xml_text(const std::string& text) {
  std::string escaped;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t length = sequence_length(rest);
    if (length == 0) {
      escaped += "\xef\xbf\xbd";
    } else if (rest.front() == '&') {
      escaped += "&amp;";
    } else if (rest.front() == '<') {
      escaped += "&lt;";
    } else if (rest.front() == '>') {
      escaped += "&gt;";
    } else if (rest.front() == '"') {
      escaped += "&quot;";
    } else if (rest.front() == '\'') {
      escaped += "&#39;";
    } else {
      escaped += rest.substr(0, length);
    }
    rest.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return escaped;
}

std::string roofline_svg(const roofline_chart& chart) {
  check(chart);
  return chart_drawing(chart).svg();
}

}  // namespace harness
