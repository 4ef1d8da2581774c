// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "arrival_trace.hpp"

#include <flopledger/profile/csv.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>

#include <fmt/format.h>

#include "option_table.hpp"

namespace program {
namespace {

using namespace flopledger;
using namespace flopledger::planning;

constexpr const char* columns[] = {"time", "prompt", "output"};

arrival made_of(profile::text_source& in, std::uint64_t line, const double (&values)[3]) {
  for (int i = 1; i < 3; ++i)
    if (!(values[i] >= 1 && values[i] <= static_cast<double>(largest_count)) || values[i] != std::floor(values[i]))
      in.fail_at(line, fmt::format("{}: {} is no whole number from 1 on", columns[i], values[i]));
  return {seconds::from_value(values[0]), static_cast<std::int64_t>(values[1]), static_cast<std::int64_t>(values[2])};
}

std::vector<arrival> read_csv(profile::text_source& in) {
  std::vector<std::string> fields;
  std::uint64_t line = 0;
  profile::read_record(in, fields, line);
  const profile::header names(fields);
  int at[3];
  for (int i = 0; i < 3; ++i)
    if ((at[i] = names.find(columns[i])) == profile::header::none)
      in.refuse(fmt::format("a column \"{}\" is missing", columns[i]));
  std::vector<arrival> all;
  while (profile::read_record(in, fields, line)) {
    double values[3]{};
    for (int i = 0; i < 3; ++i) {
      const auto column = static_cast<std::size_t>(at[i]);
      if (column >= fields.size() || !profile::as_number(fields[column], values[i]))
        in.fail_at(line, fmt::format("{}: \"{}\" is no number", columns[i],
                                     column < fields.size() ? fields[column] : std::string()));
    }
    all.push_back(made_of(in, line, values));
  }
  return all;
}

std::vector<arrival> read_lines(profile::text_source& in) {
  std::vector<arrival> all;
  for (std::string text;;) {
    const std::uint64_t line = in.line();
    if (!in.read_line(text)) return all;
    if (profile::trimmed(text).empty()) continue;
    const json object = json::parse(text, nullptr, false);
    if (!object.is_object()) in.fail_at(line, "no JSON object");
    double values[3]{};
    for (int i = 0; i < 3; ++i) {
      if (!object.contains(columns[i]) || !object[columns[i]].is_number())
        in.fail_at(line, fmt::format("\"{}\" is no number", columns[i]));
      values[i] = object[columns[i]].get<double>();
    }
    all.push_back(made_of(in, line, values));
  }
}

}  // namespace

std::vector<arrival> read_trace(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw failure("--trace: cannot read " + path);
  profile::text_source in(file, path);
  std::vector<arrival> all = in.peek() == '{' ? read_lines(in) : read_csv(in);
  std::stable_sort(all.begin(), all.end(), [](const arrival& a, const arrival& b) { return a.at < b.at; });
  if (all.size() < 2 || !(all.front().at < all.back().at))
    throw failure("--trace: " + path + " has no two requests that are some time apart");
  const seconds from = all.front().at;
  for (arrival& one : all) one.at -= from;
  return all;
}

}  // namespace program
