// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// The roofline drawing: where its points lie, that it is XML whatever the labels hold, and what it refuses.

#include "roofline_plot.hpp"

#include <flopledger/units.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "catch.hpp"

using namespace flopledger;
using harness::roofline_chart;
using harness::roofline_svg;

namespace {

// A device of round numbers: 100 TFLOP/s and 1 TB/s, so the ridge is at 100 FLOP/byte.
roofline_chart round_device() {
  return {.title = "device",
          .subtitle = "model",
          .peaks = {{"BF16", flop_rate::from_value(100e12)}},
          .bandwidths = {{"memory", byte_rate::from_value(1e12)}},
          .points = {}};
}
harness::roofline_point point(std::string label, double intensity, double rate, std::string pass = "forward") {
  return {std::move(label), "projection", std::move(pass), flops_per_byte::from_value(intensity),
          flop_rate::from_value(rate)};
}

// Numbers that stand behind `name="` or `name(` in the elements of a class.
struct element {
  std::string text;
  double number(const std::string& behind, int which = 0) const {
    auto at = text.find(behind);
    REQUIRE(at != std::string::npos);
    at += behind.size();
    for (; which > 0; --which) at = text.find(' ', at) + 1;
    return std::stod(text.substr(at));
  }
};
std::vector<element> elements_of(const std::string& svg, const std::string& name) {
  std::vector<element> found;
  for (auto at = svg.find("class=\"" + name + "\""); at != std::string::npos;
       at = svg.find("class=\"" + name + "\"", at + 1)) {
    const auto begin = svg.rfind('<', at);
    found.push_back({svg.substr(begin, svg.find('>', at) - begin)});
  }
  return found;
}
struct pixel {
  double x, y;
};
pixel place_of(const element& e) { return {e.number("translate("), e.number("translate(", 1)}; }

// A reader of just enough XML: tags nest and close, attributes are quoted, & begins an entity. Empty where all is well.
std::string xml_problem(const std::string& text) {
  std::vector<std::string> open;
  std::size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') return "a control character";
    if (c == '&') {
      const auto end = text.find(';', at);
      if (end == std::string::npos || end - at > 6) return "a bare &";
    }
    if (c != '<') {
      if (c == '>') return "a bare >";
      ++at;
      continue;
    }
    const auto end = text.find('>', at);
    if (end == std::string::npos) return "an open tag";
    const std::string tag = text.substr(at + 1, end - at - 1);
    if (tag.find('<') != std::string::npos) return "a < inside a tag: " + tag;
    std::size_t quotes = 0;
    for (const char q : tag) quotes += q == '"' ? 1 : 0;
    if (quotes % 2 != 0) return "an open quote: " + tag;
    if (tag.front() == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return "closes what is not open: " + tag;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
    at = end + 1;
  }
  return open.empty() ? "" : "never closed: " + open.back();
}

}  // namespace

TEST_CASE("points on the roof lie on its lines") {
  roofline_chart chart = round_device();
  chart.points = {point("fed", 10, 10e12), point("computing", 1000, 100e12), point("ridge", 100, 100e12),
                  point("half", 1000, 50e12)};
  const std::string svg = roofline_svg(chart);
  const auto points = elements_of(svg, "point");
  const auto slanted = elements_of(svg, "bandwidth"), level = elements_of(svg, "peak"),
             ridge = elements_of(svg, "ridge");
  REQUIRE(points.size() == 4);
  REQUIRE(slanted.size() == 1);
  REQUIRE(level.size() == 1);
  REQUIRE(ridge.size() == 2);  // the line down to the axis, and the corner

  const double x1 = slanted[0].number("x1=\""), y1 = slanted[0].number("y1=\"");
  const double x2 = slanted[0].number("x2=\""), y2 = slanted[0].number("y2=\"");
  const pixel fed = place_of(points[0]);
  CHECK(std::abs(fed.y - (y1 + (fed.x - x1) * (y2 - y1) / (x2 - x1))) < 0.05);
  CHECK(fed.x > x1);
  CHECK(fed.x < x2);

  const double top = level[0].number("y1=\"");
  CHECK(level[0].number("y2=\"") == top);
  CHECK(std::abs(place_of(points[1]).y - top) < 0.011);

  const pixel corner = place_of(points[2]);
  CHECK(std::abs(corner.x - x2) < 0.011);
  CHECK(std::abs(corner.y - top) < 0.011);
  CHECK(std::abs(level[0].number("x1=\"") - x2) < 0.011);

  // Half the rate is as far below the roof as twice the intensity is to the right, in units of each axis.
  const double decade_y = (y1 - y2) / ((x2 - x1) / (corner.x - fed.x));  // one decade lies between 10 and 100
  CHECK(std::abs((place_of(points[3]).y - top) / decade_y - std::log10(2)) < 0.001);
}

TEST_CASE("what beats the roof is drawn above it") {
  roofline_chart chart = round_device();
  chart.points = {point("faster than its data sheet", 1000, 120e12)};
  const std::string svg = roofline_svg(chart);
  CHECK(place_of(elements_of(svg, "point")[0]).y < elements_of(svg, "peak")[0].number("y1=\""));
  CHECK(svg.find("120.0 % of the roof") != std::string::npos);
}

TEST_CASE("the drawing is XML whatever the labels hold") {
  CHECK(xml_problem("<a><b/></a>").empty());  // the reader itself
  CHECK_FALSE(xml_problem("<a><b></a>").empty());
  CHECK_FALSE(xml_problem("<a>x & y</a>").empty());

  CHECK(harness::xml_text("a<b>&\"'") == "a&lt;b&gt;&amp;&quot;&#39;");
  CHECK(harness::xml_text("µ 漢 \U0001F600") == "µ 漢 \U0001F600");
  const std::string replaced = "\xef\xbf\xbd";
  CHECK(harness::xml_text(std::string("\x01", 1)) == replaced);
  CHECK(harness::xml_text("\xff") == replaced);
  CHECK(harness::xml_text("\xc0\xaf") == replaced + replaced);                 // overlong
  CHECK(harness::xml_text("\xed\xa0\x80") == replaced + replaced + replaced);  // a surrogate
  CHECK(harness::xml_text("\xe6\xbc") == replaced + replaced);                 // cut off

  roofline_chart chart = round_device();
  chart.title = "</svg><script>alert(1)</script> & \"more\"";
  chart.subtitle = "\x01\xff";
  chart.peaks[0].label = "a<b";
  chart.bandwidths[0].label = "x & y";
  chart.points = {point("<g>", 3, 1e12, "\"'"), point("", 3, 1e12, "")};
  const std::string svg = roofline_svg(chart);
  CHECK(xml_problem(svg) == "");
  CHECK(svg.find("<script") == std::string::npos);
}

TEST_CASE("few points carry names, and a crowd carries numbers and a key") {
  roofline_chart chart = round_device();
  chart.points = {point("query", 10, 5e12), point("head", 300, 70e12)};
  std::string svg = roofline_svg(chart);
  CHECK(svg.find(">query</text>") != std::string::npos);
  CHECK(svg.find("% of roof</text>") == std::string::npos);

  for (int i = 0; i < 40; ++i)
    chart.points.push_back(
        point("row " + std::to_string(i), 200 + i, 60e12 + i * 1e11, i % 2 == 0 ? "forward" : "backward"));
  svg = roofline_svg(chart);
  CHECK(xml_problem(svg) == "");
  CHECK(elements_of(svg, "point").size() == 42);
  CHECK(svg.find("% of roof</text>") != std::string::npos);
  CHECK(svg.find(">row 39, backward</text>") != std::string::npos);
  CHECK(svg.find(">42</text>") != std::string::npos);
}

TEST_CASE("a roof alone, several roofs, and far ones are drawn") {
  roofline_chart chart = round_device();
  CHECK(xml_problem(roofline_svg(chart)) == "");
  chart.peaks.push_back({"FP8", flop_rate::from_value(200e12)});
  chart.bandwidths.push_back({"cache", byte_rate::from_value(8e12)});
  CHECK(elements_of(roofline_svg(chart), "peak").size() == 2);
  CHECK(elements_of(roofline_svg(chart), "bandwidth").size() == 2);
  chart.points = {point("tiny", 1e-5, 10), point("huge", 1e8, 1e20)};
  const std::string svg = roofline_svg(chart);
  CHECK(xml_problem(svg) == "");
  for (const element& e : elements_of(svg, "point")) {
    CHECK(place_of(e).x > 86);
    CHECK(place_of(e).x < 846);
  }
}

TEST_CASE("values that are none are refused by name") {
  const auto refused = [](const roofline_chart& chart) -> std::string {
    try {
      roofline_svg(chart);
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "";
  };
  roofline_chart chart = round_device();
  chart.points = {point("query", std::nan(""), 1e12)};
  CHECK(refused(chart) ==
        "roofline: point 'query, forward': the intensity is nan FLOP/byte; it must lie between 1e-06 and 1e+09");
  chart.points = {point("query", 10, std::numeric_limits<double>::infinity())};
  CHECK(refused(chart).find("'query, forward': the achieved rate is inf FLOP/s") != std::string::npos);
  chart.points = {point("query", 10, 0)};
  CHECK(refused(chart).find("the achieved rate is 0 FLOP/s") != std::string::npos);
  chart.points = {point("query", -2, 1e12)};
  CHECK(refused(chart).find("the intensity is -2 FLOP/byte") != std::string::npos);
  chart.points.clear();
  chart.peaks[0].rate = flop_rate::from_value(-1);
  CHECK(refused(chart).find("peak 'BF16': the rate is -1 FLOP/s") != std::string::npos);
  chart.peaks.clear();
  CHECK(refused(chart).find("peaks is empty") != std::string::npos);
  chart = round_device();
  chart.bandwidths[0].rate = byte_rate::from_value(std::nan(""));
  CHECK(refused(chart).find("bandwidth 'memory': the rate is nan B/s") != std::string::npos);
  chart.bandwidths.clear();
  CHECK(refused(chart).find("bandwidths is empty") != std::string::npos);
}
