// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "job_run.hpp"

#include <map>
#include <utility>

#include <fmt/format.h>

namespace harness {
namespace {

void add(summary& to, const measured_line& one, double times, double peak) {
  to.macs += times * one.of->macs;
  to.ideal += one.of->macs > 0 ? times * 2 * one.of->macs / peak : 0.0;
  to.floor += times * one.of->floor;
  to.predicted += times * one.of->predicted;
  to.measured += times * one.seconds;
}

std::vector<kernel_shape> layer_of(const execution_plan& plan) {
  std::vector<kernel_shape> shapes;
  for (const line& one : plan.lines)
    for (int i = 0; i < static_cast<int>(one.times_in_layer); ++i)
      for (const part& p : one.parts) shapes.push_back(p.shape);
  return shapes;
}

}  // namespace

job_run run_job(backend& on, execution_plan plan, const peaks_by_format& peaks, const measuring& how, statistic which,
                const sweep_progress& progress) {
  job_run done{.plan = std::move(plan), .which = which};
  for (const line& one : done.plan.lines)
    for (const part& p : one.parts)
      if (!on.supports(p.shape))
        throw unavailable(fmt::format("{}: {} runs no {}", one.name, on.device(), described(p.shape)));

  std::map<std::string, std::shared_ptr<const measurement>> known;
  for (const line& one : done.plan.lines) {
    measured_line result{.of = &one};
    double range = 0;
    for (const part& p : one.parts) {
      const std::string name = described(p.shape);
      std::shared_ptr<const measurement>& found = known[name];
      if (!found) {
        if (progress.before) progress.before(fmt::format("{}: {}", one.name, name));
        found = std::make_shared<const measurement>(measure(on, p.shape, how));
        if (progress.after) progress.after(*found);
      }
      result.seconds += value_of(found->taken, which);
      range += found->taken.interquartile_range();
      result.throttled = result.throttled || found->taken.throttled();
      result.capped = result.capped || found->taken.stopped == stop_reason::wall_time;
      result.parts.push_back(found);
    }
    result.spread = result.seconds > 0 ? range / result.seconds : 0;
    const double peak = one.macs > 0 ? peaks(one.format) : 0;
    add(one.backward ? done.backward : done.forward, result, one.times, peak);
    add(done.whole, result, one.times, peak);
    add(done.of_layer, result, one.times_in_layer, peak);
    done.lines.push_back(std::move(result));
  }
  if (const std::vector<kernel_shape> layer = layer_of(done.plan); !layer.empty()) {
    if (progress.before) progress.before("a layer as one sequence");
    done.layer = measure_sequence(on, layer, how);
  }
  return done;
}

}  // namespace harness
