// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Tables that profilers write: Nsight Systems' kernel summary, Nsight Compute's metrics, MindSpore's operators and
/// step trace, and a plain table of one's own. Each takes the columns that it needs by name; others may stand beside
/// them.

#include <flopledger/profile/csv.hpp>
#include <flopledger/profile/recording.hpp>
#include <flopledger/profile/rules.hpp>

#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace flopledger::profile {

namespace detail {

/// Seconds of a unit as profilers write it; 0: not a unit of time.
constexpr double seconds_of_unit(std::string_view unit) {
  if (unit == "ns" || unit == "nsecond" || unit == "nanosecond") return 1e-9;
  if (unit == "us" || unit == "usecond" || unit == "microsecond" || unit == "\xC2\xB5s" || unit == "\xCE\xBCs")
    return 1e-6;
  if (unit == "ms" || unit == "msecond" || unit == "millisecond") return 1e-3;
  if (unit == "s" || unit == "second" || unit == "sec") return 1;
  return 0;
}

/// The column "NAME (unit)" or "NAME(unit)", with the unit's seconds.
struct timed_column {
  int at = header::none;
  double unit = 0;
};
inline timed_column find_timed(const header& columns, std::string_view name) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    std::string_view text = columns.names()[i];
    if (!text.starts_with(name) || !text.ends_with(')')) continue;
    text = trimmed(text.substr(name.size()));
    if (!text.starts_with('(')) continue;
    if (const double unit = seconds_of_unit(text.substr(1, text.size() - 2)); unit > 0)
      return {static_cast<int>(i), unit};
  }
  return {};
}

/// "4096,512;512,1024" with or without quotes around it.
inline std::vector<std::vector<double>> shapes_of(std::string_view text) {
  std::vector<std::vector<double>> all(1);
  std::string digits;
  const auto take = [&] {
    double size = 0;
    if (as_number(digits, size)) all.back().push_back(size);
    digits.clear();
  };
  for (const char c : text) {
    if (c == ',' || c == ';') {
      take();
      if (c == ';') all.emplace_back();
    } else if (c >= '0' && c <= '9') {
      digits += c;
    }
  }
  take();
  return all;
}

/// A product from its inputs and its output, whichever of the inputs is transposed; batch 0 where they do not fit.
inline product product_between(const std::vector<std::vector<double>>& in,
                               const std::vector<std::vector<double>>& out) {
  if (in.size() < 2 || out.empty() || out[0].size() < 2 || in[0].size() != out[0].size()) return {};
  const auto size_of = [](const std::vector<double>& sizes) {
    double all = 1;
    for (const double size : sizes) all *= size;
    return all;
  };
  const std::vector<double>& result = out[0];
  product shape{.batch = 1, .m = result[result.size() - 2], .n = result.back()};
  for (std::size_t i = 0; i + 2 < result.size(); ++i) shape.batch *= result[i];
  shape.k = size_of(in[0]) / (shape.batch * shape.m);
  const bool whole = shape.k >= 1 && size_of(in[1]) == shape.k * shape.n * (in[1].size() == 2 ? 1 : shape.batch);
  return whole ? shape : product{};
}

/// A table with a line a name: how often it ran on the device, and how long in all.
inline recording summary(text_source& in, const header& columns, int name, int count, const timed_column& total,
                         const char* tool) {
  recorder sums;
  records rows(in, columns);
  while (rows.next())
    sums.add(sums.number_of(rows.text(name)), measured_on::device, phase::unknown, {}, rows.amount(count),
             rows.amount(total.at) * total.unit);
  recording all;
  all.tool = tool;
  all.samples = sums.take();
  return all;
}

}  // namespace detail

/// `nsys stats --report cuda_gpu_kern_sum --format csv`, also cuda_gpu_mem_time_sum.
inline recording read_nsight_systems(text_source& in, const header& columns) {
  const detail::timed_column total = detail::find_timed(columns, "Total Time");
  const int count = columns.has("Instances") ? columns.find("Instances") : columns.find("Count");
  const int name = columns.has("Name") ? columns.find("Name") : columns.find("Operation");
  return detail::summary(in, columns, name, count, total, "Nsight Systems, kernel summary");
}

/// `ncu --csv`: a line a metric (details page).
inline recording read_nsight_compute(text_source& in, const header& columns) {
  const int name = columns.find("Kernel Name"), metric = columns.find("Metric Name"),
            value = columns.find("Metric Value"), unit = columns.find("Metric Unit"), id = columns.find("ID");
  recorder sums;
  records rows(in, columns);
  std::set<std::string> timed;  // launches whose duration came: the same may stand in two sections
  while (rows.next()) {
    const std::string_view which = rows.text(metric);
    if (which != "Duration" && which != "gpu__time_duration.sum") continue;
    if (id != header::none && !timed.emplace(rows.text(id)).second) continue;
    const double scale = detail::seconds_of_unit(rows.text(unit));
    if (scale <= 0) rows.fail("the unit of a duration is no time: \"" + std::string(rows.text(unit)) + '"');
    sums.add(sums.number_of(rows.text(name)), measured_on::device, phase::unknown, {}, 1, rows.amount(value) * scale);
  }
  recording all;
  all.tool = "Nsight Compute, details";
  all.samples = sums.take();
  if (all.samples.empty())
    in.refuse("a table of Nsight Compute without a duration: profile with gpu__time_duration.sum");
  return all;
}

/// `ncu --csv --page raw`: a line a launch, its first line the units.
inline recording read_nsight_compute_raw(text_source& in, const header& columns) {
  const int name = columns.find("Kernel Name"), duration = columns.find("gpu__time_duration.sum");
  recorder sums;
  records rows(in, columns);
  if (!rows.next()) in.refuse("a table of Nsight Compute without a launch");
  const double scale = detail::seconds_of_unit(rows.text(duration));
  if (scale <= 0) rows.fail("the line of units is missing: gpu__time_duration.sum has none");
  while (rows.next())
    sums.add(sums.number_of(rows.text(name)), measured_on::device, phase::unknown, {}, 1,
             rows.amount(duration) * scale);
  recording all;
  all.tool = "Nsight Compute, raw";
  all.samples = sums.take();
  return all;
}

/// MindSpore's and Ascend's op_statistic.csv: a line a type of operator.
inline recording read_mindspore_types(text_source& in, const header& columns) {
  const int type = columns.find("OP Type"), count = columns.find("Count");
  const detail::timed_column total = detail::find_timed(columns, "Total Time");
  return detail::summary(in, columns, type, count, total, "MindSpore Profiler, op_statistic");
}

/// MindSpore's and Ascend's kernel_details.csv: a line a kernel, with shapes where the level has them.
inline recording read_mindspore_kernels(text_source& in, const header& columns, const rules& names) {
  const int type = columns.find("Type"), inputs = columns.find("Input Shapes"), outputs = columns.find("Output Shapes");
  const int step = columns.has("Step Id") ? columns.find("Step Id") : columns.find("Step ID");
  const detail::timed_column duration = detail::find_timed(columns, "Duration");
  recorder sums;
  records rows(in, columns);
  std::set<std::string> steps;
  while (rows.next()) {
    product shape{};
    const std::string_view kind = rows.text(type);
    if (inputs != header::none && outputs != header::none && names.of(kind) == activity::product)
      shape = detail::product_between(detail::shapes_of(rows.text(inputs)), detail::shapes_of(rows.text(outputs)));
    sums.add(sums.number_of(kind), measured_on::device, phase::unknown, shape, 1,
             rows.amount(duration.at) * duration.unit);
    if (step != header::none && !rows.text(step).empty() && steps.size() < 1'000'000) steps.emplace(rows.text(step));
  }
  recording all;
  all.tool = "MindSpore Profiler, kernel_details";
  all.samples = sums.take();
  all.steps = static_cast<double>(steps.size());
  return all;
}

/// MindSpore's and Ascend's step_trace_time.csv, in microseconds: what a device did in a step, and that it was free.
inline recording read_mindspore_steps(text_source& in, const header& columns) {
  const int computing = columns.find("Computing"), communication = columns.find("Communication"),
            exposed = columns.find("Communication(Not Overlapped)"), free = columns.find("Free"),
            device = columns.find("Device_id");
  recording all;
  all.tool = "MindSpore Profiler, step_trace_time";
  double busy = 0, communicating = 0, alone = 0, idle = 0, lines = 0;
  std::set<std::string> devices;
  records rows(in, columns);
  while (rows.next()) {
    alone += rows.amount(exposed);
    busy += rows.amount(computing) + rows.amount(exposed);
    communicating += rows.amount(communication);
    idle += rows.amount(free);
    devices.emplace(rows.text(device));
    ++lines;
  }
  if (lines == 0) in.refuse("a step trace without a step");
  all.devices = static_cast<double>(devices.size());
  all.steps = lines / all.devices;
  all.elapsed = (busy + idle) / all.devices * 1e-6;
  all.busy = busy * 1e-6;
  all.communicating = communicating * 1e-6;
  all.exposed = alone * 1e-6;
  return all;
}

/// A table of one's own: name, calls, total_us; and place (device or host), phase (forward, backward or optimizer),
/// batch, m, n, k and flops where one has them. An empty field is not known.
inline recording read_plain(text_source& in, const header& columns) {
  constexpr std::array known{"name", "calls", "total_us", "place", "phase", "batch", "m", "n", "k", "flops"};
  for (const std::string& column : columns.names()) {
    bool found = false;
    for (const std::string_view one : known) found = found || column == one;
    if (!found) in.refuse("unknown column \"" + column + "\" beside name, calls and total_us");
  }
  const int name = columns.find("name"), calls = columns.find("calls"), total = columns.find("total_us"),
            where = columns.find("place"), when = columns.find("phase"), batch = columns.find("batch"),
            m = columns.find("m"), n = columns.find("n"), k = columns.find("k"), counted = columns.find("flops");
  recorder sums;
  recording all;
  records rows(in, columns);
  while (rows.next()) {
    measured_on at = measured_on::device;
    if (const std::string_view text = rows.text(where); text == "host")
      at = measured_on::host;
    else if (!text.empty() && text != "device")
      rows.fail("place is neither device nor host");
    phase in_pass = phase::unknown;
    if (const std::string_view text = rows.text(when); text == "forward")
      in_pass = phase::forward;
    else if (text == "backward")
      in_pass = phase::backward;
    else if (text == "optimizer")
      in_pass = phase::optimizer;
    else if (!text.empty())
      rows.fail("phase is none of forward, backward and optimizer");
    product shape{};
    if (!rows.text(m).empty() || !rows.text(n).empty() || !rows.text(k).empty()) {
      for (const int size : {m, n, k})
        if (rows.text(size).empty()) rows.fail("of m, n and k one is missing");
      shape = {.batch = rows.text(batch).empty() ? 1 : rows.amount(batch),
               .m = rows.amount(m),
               .n = rows.amount(n),
               .k = rows.amount(k)};
    }
    double flop_count = 0;
    if (!rows.text(counted).empty()) {
      flop_count = rows.amount(counted);
      all.has_flops = true;
    }
    sums.add(sums.number_of(rows.text(name)), at, in_pass, shape, rows.amount(calls), rows.amount(total) * 1e-6,
             flop_count);
  }
  all.tool = "plain table";
  all.samples = sums.take();
  return all;
}

}  // namespace flopledger::profile
