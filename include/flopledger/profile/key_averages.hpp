// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The text that PyTorch's `key_averages().table()` returns.

#include <flopledger/profile/csv.hpp>
#include <flopledger/profile/recording.hpp>
#include <flopledger/profile/tables.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace flopledger::profile {

namespace detail {

/// A line of dashes and blanks: it rules the table, and says where its columns are.
inline bool is_rule_line(std::string_view text) {
  return text.starts_with("------") && text.find_first_not_of("- ") == std::string_view::npos;
}

struct span_of_column {
  std::size_t from = 0, to = 0;
};
inline std::vector<span_of_column> columns_under(std::string_view line) {
  std::vector<span_of_column> spans;
  for (std::size_t i = 0; i < line.size();) {
    if (line[i] != '-') {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < line.size() && line[end] == '-') ++end;
    spans.push_back({i, end});
    i = end;
  }
  return spans;
}

/// "12.3us" in seconds; false where it is no time.
inline bool as_time(std::string_view text, double& value) {
  const std::size_t unit = text.find_last_of("0123456789.") + 1;
  if (unit == 0 || unit >= text.size()) return false;
  const double scale = seconds_of_unit(text.substr(unit));
  if (scale <= 0 || !as_number(text.substr(0, unit), value)) return false;
  value *= scale;
  return true;
}

/// "[[8, 16], [16, 4], []]".
inline std::vector<std::vector<double>> nested_shapes(std::string_view text) {
  std::vector<std::vector<double>> all;
  int depth = 0;
  std::string digits;
  const auto take = [&] {
    double size = 0;
    if (!digits.empty() && as_number(digits, size) && !all.empty()) all.back().push_back(size);
    digits.clear();
  };
  for (const char c : text) {
    if (c == '[' && ++depth == 2) all.emplace_back();
    if (c >= '0' && c <= '9') digits += c;
    if (c == ',' || c == ']') take();
    if (c == ']') --depth;
  }
  return all;
}

}  // namespace detail

/// Reads the table. Host and device are apart: where the device did something, an operator's line has its share of it.
/// Its total FLOPs are rounded as the table prints them.
inline recording read_key_averages(text_source& in) {
  std::string line;
  do {
    if (!in.read_line(line)) in.refuse("no table of key_averages: no line of dashes");
  } while (!detail::is_rule_line(line));
  const std::vector<detail::span_of_column> spans = detail::columns_under(line);
  std::vector<std::string> cells;
  const auto read_cells = [&] {
    if (!in.read_line(line)) return false;
    if (detail::is_rule_line(line)) return true;
    cells.clear();
    // Names wider than their column push the rest of the line aside, so the cells are those between two blanks.
    const std::size_t first = spans[0].to - spans[0].from;
    const bool fitting = line.size() <= first || line.compare(first, 2, "  ") == 0;
    if (fitting) {
      for (const detail::span_of_column& s : spans)
        cells.emplace_back(s.from < line.size() ? trimmed(std::string_view(line).substr(s.from, s.to - s.from)) : "");
    }
    return true;
  };
  if (!read_cells() || cells.size() != spans.size()) in.fail("the table has no line of titles: cut short");
  const header columns(cells);
  int counted = header::none;
  double flop_unit = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string& title = columns.names()[i];
    if (!title.starts_with("Total ") || !title.ends_with("FLOPs")) continue;
    constexpr std::string_view prefixes = "KMGTP";
    flop_unit = 1;
    if (title.size() == 12)
      for (std::size_t p = 0, at = prefixes.find(title[6]); at != std::string_view::npos && p <= at; ++p)
        flop_unit *= 1e3;
    counted = static_cast<int>(i);
  }
  const int name = columns.find("Name"), self_host = columns.find("Self CPU"), calls = columns.find("# of Calls"),
            shapes = columns.find("Input Shapes"), total_host = columns.find("CPU total");
  int self_device = header::none;
  for (const char* title : {"Self CUDA", "Self XPU", "Self NPU", "Self PrivateUse1", "Self MTIA"})
    if (columns.has(title)) self_device = columns.find(title);
  if (name == header::none || self_host == header::none || calls == header::none)
    in.fail("a table, but none of key_averages: Name, Self CPU and # of Calls are needed");
  if (!in.read_line(line) || !detail::is_rule_line(line)) in.fail("a line of dashes is missing below the titles");

  struct entry_line {
    std::string name;
    product shape{};
    double calls = 0, host = 0, device = 0, flops = 0;
    double total = 0;  ///< on the host, with all inside
    bool kernel = false;
  };
  std::vector<entry_line> lines;
  const auto cell = [&](int column) -> const std::string& { return cells[static_cast<std::size_t>(column)]; };
  const auto time_in = [&](int column) {
    double value = 0;
    if (column == header::none || cell(column) == "--") return value;
    if (!detail::as_time(cell(column), value))
      in.fail(columns.names()[static_cast<std::size_t>(column)] + " is no time: \"" + cell(column) + '"');
    return value;
  };
  recording all;
  for (;;) {
    if (!read_cells()) in.fail("the table has no end: cut short");
    if (detail::is_rule_line(line)) break;
    if (cells.size() != spans.size()) in.fail("a line that does not fit the columns above it");
    entry_line one;
    one.name = cell(name);
    if (!as_number(cell(calls), one.calls)) in.fail("# of Calls is no number: \"" + cell(calls) + '"');
    one.host = time_in(self_host);
    one.device = time_in(self_device);
    one.total = time_in(total_host);
    // Kernels stand in the table beside the operators that launched them.
    one.kernel = self_device != header::none && one.total == 0 && one.host == 0 && one.device > 0;
    if (shapes != header::none) one.shape = product_of(one.name, detail::nested_shapes(cell(shapes)));
    if (counted != header::none) {
      all.has_flops = true;
      if (cell(counted) != "--" && !cell(counted).empty()) {
        if (!as_number(cell(counted), one.flops)) in.fail("FLOPs are no number: \"" + cell(counted) + '"');
        one.flops *= flop_unit;
      }
    }
    lines.push_back(std::move(one));
    if (lines.size() > recorder::most_samples) in.fail("more than a million lines");
  }
  double kernels = 0, operators = 0;
  for (const entry_line& one : lines)
    if (!one.name.starts_with("ProfilerStep")) (one.kernel ? kernels : operators) += one.device;
  // A linear layer calls a product, which has a line of its own.
  bool products = false;
  for (const entry_line& one : lines) products = products || one.name == "aten::mm" || one.name == "aten::addmm";
  if (products)
    for (entry_line& one : lines)
      if (one.name == "aten::linear") one.shape = {};
  recorder sums;
  for (const entry_line& one : lines) {
    if (one.name.starts_with("ProfilerStep")) {
      all.steps += one.calls;
      if (one.total > 0) all.elapsed = all.elapsed.value_or(0) + one.total;
      continue;
    }
    const std::uint32_t number = sums.number_of(one.name);
    if (!one.kernel)
      sums.add(number, measured_on::host, phase::unknown, operators > 0 ? product{} : one.shape, one.calls, one.host,
               operators > 0 ? 0 : one.flops);
    // Operators carry shapes; kernels count where no operator has their time.
    const bool counts = operators > 0 && operators >= 0.99 * kernels ? !one.kernel : one.kernel;
    if (counts && one.device > 0)
      sums.add(number, measured_on::device, phase::unknown, one.shape, one.calls, one.device, one.flops);
  }
  all.tool = "PyTorch Profiler, key_averages";
  all.samples = sums.take();
  if (all.samples.empty()) in.refuse("a table of key_averages without a line");
  return all;
}

}  // namespace flopledger::profile
