// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// `flopledger scale`: weak and strong scaling of a training plan.

#include <flopledger/evidence/statistics.hpp>
#include <flopledger/text/number.hpp>
#include <flopledger/text/table.hpp>

#include <string>
#include <vector>

#include <fmt/format.h>

#include "accuracy.hpp"
#include "plans.hpp"
#include "training_job.hpp"

namespace program {
namespace {

using namespace flopledger;
using namespace flopledger::planning;
using report::align;

struct series {
  scaling kind{};
  std::vector<scaling_point> points{};

  /// Throughput of a device, over that of one in the first plan.
  double efficiency(const scaling_point& at) const {
    const scaling_point& first = points.front();
    const double more = static_cast<double>(at.layout.devices()) / static_cast<double>(first.layout.devices());
    return scaling_efficiency(first.tokens_a_second(), at.tokens_a_second(), more);
  }
};

std::vector<series> all_of(const training_job& job, const scale_request& asked) {
  if (!job.known().both())
    throw usage_error("no step is predicted: " + without_times(job.device(), job.setup().precision));
  if (asked.most_devices < job.layout().devices())
    throw usage_error(fmt::format("--most-devices: {} are fewer than the {} of the plan", asked.most_devices,
                                  counted(job.layout().devices(), "device")));
  require_links(job.in(), asked.most_devices);
  std::vector<series> all;
  for (const scaling kind : {scaling::weak, scaling::strong})
    if (asked.kind.value_or(kind) == kind)
      all.push_back({kind, scaled(job.model().config(), job.setup(), job.on(), job.in(), kind, asked.most_devices)});
  return all;
}

std::string as_count(std::int64_t n) { return report::in_full(static_cast<double>(n)); }

std::string table_of(const series& one) {
  report::table lines({{"devices"},
                       {"data"},
                       {"sequences a step"},
                       {"step"},
                       {"tokens/s a device"},
                       {"of the first, %"},
                       {"limited by", align::left},
                       {"% of the step"}});
  for (const scaling_point& at : one.points) {
    const step_loss limit = largest_loss(at.step);
    lines.add({as_count(at.layout.devices()), as_count(at.layout.data), as_count(at.layout.global_batch()),
               report::scaled(at.step.total()), report::three_digits(at.tokens_a_second_per_device().value()),
               report::percent(one.efficiency(at)), std::string(name_of(limit)),
               report::percent(part_of(at.step, limit) / at.step.total())});
  }
  return lines.text();
}

std::string for_people(const training_job& job, const std::vector<series>& all) {
  std::string text = fmt::format("{} on {}\n  plan   {}\n  links  {}\n", job.model().name,
                                 std::string_view(job.device().product), plan_line(job), described(job.in()));
  for (const series& one : all)
    text += fmt::format("\n{} scaling: {} stays\n{}", one.kind == scaling::weak ? "Weak" : "Strong",
                        one.kind == scaling::weak ? "what each data rank works on" : "the global batch", table_of(one));
  return text + "\nNothing stands for stragglers, for failures or for contention in the network.\n" +
         described(training_bands(job.device(), job.framework(), job.is_mixture()));
}

json for_programs(const training_job& job, const std::vector<series>& all) {
  json_answer answer;
  answer.put("model", job.model().name);
  answer.put("device", std::string_view(job.device().id));
  answer.put("recipe", job.setup().precision.name);
  answer.put("plan", plan_of(job));
  for (const series& one : all) {
    json points = json::array();
    for (const scaling_point& at : one.points) {
      const step_loss limit = largest_loss(at.step);
      points.push_back({{"devices", at.layout.devices()},
                        {"data", at.layout.data},
                        {"global_batch", at.layout.global_batch()},
                        {"step_seconds", at.step.total().value()},
                        {"tokens_per_second_per_device", at.tokens_a_second_per_device().value()},
                        {"efficiency", one.efficiency(at)},
                        {"limited_by", name_of(limit)},
                        {"limit_seconds", part_of(at.step, limit).value()}});
    }
    answer.put(std::string(name_of(one.kind)), std::move(points));
  }
  answer.put("constants", as_json(job.reached()));
  answer.put("error_bands", as_json(training_bands(job.device(), job.framework(), job.is_mixture())));
  answer.put("doubtful", job.doubtful());
  return answer.whole();
}

}  // namespace

reply scale(const scale_request& asked, output how) {
  const training_job job(find_subject(asked.model), asked);
  const std::vector<series> all = all_of(job, asked);
  return how == output::programs ? reply(for_programs(job, all)) : reply(for_people(job, all));
}

}  // namespace program
