// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Reads a profile of any of the formats, told or found by what the file begins with.

#include <flopledger/profile/chrome_trace.hpp>
#include <flopledger/profile/key_averages.hpp>
#include <flopledger/profile/tables.hpp>

#include <cstdint>
#include <istream>
#include <sstream>
#include <string>
#include <string_view>

namespace flopledger::profile {

enum class format : std::uint8_t {
  automatic,
  chrome_trace,
  key_averages,
  nsight_systems,
  nsight_compute,
  mindspore,
  plain
};

constexpr std::string_view name_of(format what) {
  constexpr std::string_view names[] = {"auto", "chrome-trace", "key-averages", "nsys", "ncu", "mindspore", "plain"};
  return names[static_cast<int>(what)];
}

namespace detail {

/// The table that stands under such columns; null where none does.
using table_reader = recording (*)(text_source&, const header&, const rules&);
struct known_table {
  format what;
  bool (*is)(const header&);
  table_reader read;
};

inline constexpr known_table known_tables[] = {
    {format::nsight_compute,
     [](const header& c) {
       return c.has("Kernel Name") && c.has("Metric Name") && c.has("Metric Value") && c.has("Metric Unit");
     },
     [](text_source& in, const header& c, const rules&) { return read_nsight_compute(in, c); }},
    {format::nsight_compute, [](const header& c) { return c.has("Kernel Name") && c.has("gpu__time_duration.sum"); },
     [](text_source& in, const header& c, const rules&) { return read_nsight_compute_raw(in, c); }},
    {format::nsight_systems,
     [](const header& c) {
       return find_timed(c, "Total Time").at != header::none &&
              ((c.has("Instances") && c.has("Name")) || (c.has("Count") && c.has("Operation")));
     },
     [](text_source& in, const header& c, const rules&) { return read_nsight_systems(in, c); }},
    {format::mindspore,
     [](const header& c) {
       return c.has("OP Type") && c.has("Count") && find_timed(c, "Total Time").at != header::none;
     },
     [](text_source& in, const header& c, const rules&) { return read_mindspore_types(in, c); }},
    {format::mindspore,
     [](const header& c) { return c.has("Name") && c.has("Type") && find_timed(c, "Duration").at != header::none; },
     [](text_source& in, const header& c, const rules& names) { return read_mindspore_kernels(in, c, names); }},
    {format::mindspore,
     [](const header& c) {
       return c.has("Computing") && c.has("Communication") && c.has("Communication(Not Overlapped)") && c.has("Free") &&
              c.has("Device_id");
     },
     [](text_source& in, const header& c, const rules&) { return read_mindspore_steps(in, c); }},
    {format::plain, [](const header& c) { return c.has("name") && c.has("calls") && c.has("total_us"); },
     [](text_source& in, const header& c, const rules&) { return read_plain(in, c); }},
};

/// What tools print around a table on the same output.
inline bool stands_before_a_table(const std::vector<std::string>& fields) {
  const std::string_view first = fields.empty() ? std::string_view{} : trimmed(fields[0]);
  return first.starts_with("==") || first.starts_with("Processing [") || first.starts_with("Generating ") ||
         first.starts_with("** ") || first.starts_with("NOTICE:");
}

inline recording read_table(text_source& in, format wanted, const rules& names) {
  std::vector<std::string> fields;
  std::uint64_t line = 0;
  for (int before = 0;; ++before) {
    if (!read_record(in, fields, line)) in.refuse("no table in it");
    if (!stands_before_a_table(fields) || before > 100) break;
  }
  const header columns(fields);
  for (const known_table& table : known_tables) {
    if (wanted != format::automatic && table.what != wanted) continue;
    if (!table.is(columns)) continue;
    recording all = table.read(in, columns, names);
    if (all.samples.empty() && !all.elapsed) in.refuse("a table of " + all.tool + " without a line");
    return all;
  }
  std::string seen;
  for (const std::string& column : columns.names()) {
    if (seen.size() > 120) {
      seen += ", ...";
      break;
    }
    (seen += seen.empty() ? "" : ", ") += column;
  }
  const std::string of = wanted == format::automatic ? "any profiler's table" : std::string(name_of(wanted));
  in.fail_at(line, "the columns are not those of " + of + ": " + seen);
}

}  // namespace detail

/// Reads a whole profile from a stream; `name` stands in front of what is wrong with it.
inline recording read(std::istream& stream, const std::string& name, format what = format::automatic,
                      const rules& names = {}) {
  text_source in(stream, name);
  if (in.peek() == text_source::end) in.refuse("empty");
  if (in.peek() == 0x1F) in.refuse("compressed; unpack it first (gunzip)");
  if (what == format::automatic) {
    while (in.peek() == ' ' || in.peek() == '\t' || in.peek() == '\n' || in.peek() == '\r') in.get();
    const int first = in.peek();
    if (first == text_source::end) in.refuse("empty");
    if (first == '{' || first == '[') what = format::chrome_trace;
    if (first == '-') what = format::key_averages;
  }
  const auto read_as = [&] {
    if (what == format::chrome_trace) return read_chrome_trace(in, names);
    if (what == format::key_averages) return read_key_averages(in);
    return detail::read_table(in, what, names);
  };
#if defined(__cpp_exceptions)
  try {
    return read_as();
  } catch (const unreadable& problem) {
    if (std::string_view(problem.what()).starts_with(name)) throw;
    in.fail(problem.what());  // of a part that knows no lines
  }
#else
  return read_as();
#endif
}

/// Two profiles of the same steps, such as MindSpore's operators and its step trace: what one lacks the other adds.
inline void merge(recording& into, recording more) {
  into.tool += into.tool.empty() ? more.tool : "; " + more.tool;
  into.samples.insert(into.samples.end(), std::make_move_iterator(more.samples.begin()),
                      std::make_move_iterator(more.samples.end()));
  into.has_flops = into.has_flops || more.has_flops;
  if (into.steps <= 0) into.steps = more.steps;
  if (more.devices > into.devices) into.devices = more.devices;
  for (auto member : {&recording::elapsed, &recording::busy, &recording::communicating, &recording::exposed})
    if (!(into.*member)) into.*member = more.*member;
}

}  // namespace flopledger::profile
