// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// `flopledger explain`: where the time of a measured step went.

#include <flopledger/evidence/diagnosis.hpp>
#include <flopledger/text/number.hpp>
#include <flopledger/text/table.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "accuracy.hpp"
#include "program.hpp"
#include "training_job.hpp"

namespace program {
namespace {

using namespace flopledger;
using report::align;

struct measured_step {
  const training_job& job;
  step_gap gap;
  attention_counting counting;
  double mfu = 0, mfu_causal = 0, hfu = 0;

  measured_step(const training_job& what, seconds took, attention_counting by)
      : job(what), gap(attribute(took, what.floor(), what.step())), counting(by) {
    peak_for(what.device(), what.setup().precision);  // refuses what is not published
    if (took < what.floor())
      throw usage_error(fmt::format(
          "--step-time: {} s is below the floor of {:.4g} s, the products at the peak of {}: a sparse peak? "
          "another step's time, or fewer tokens? more devices than {}?",
          took.value(), what.floor().value(), counted(what.devices(), "device"), what.devices()));
    mfu = what.share_of_peak(what.model_flops(counting), took);
    mfu_causal = what.share_of_peak(what.model_flops(attention_counting::causal), took);
    hfu = hfu_by(counting, took);
    check(took);
  }
  double hfu_by(attention_counting by, seconds took) const {
    return job.share_of_peak(job.model_flops(by) + job.recomputed_flops(by), took);
  }
  /// MFU and HFU above 1 are refused, as `mfu` refuses them.
  void check(seconds took) const {
    const bool full = counting == attention_counting::full;
    const char* name = "MFU";
    try {
      job.mfu(took, counting);
      name = "HFU";
      job.hfu(took, counting);
    } catch (const impossible_utilisation& problem) {
      const bool once = std::string_view(name) == "MFU";
      const double by_triangle = once ? mfu_causal : hfu_by(attention_counting::causal, took);
      throw usage_error(above_one(name, once ? mfu : hfu, problem.what(), full ? by_triangle : 0));
    }
  }
  const char* convention() const { return counting == attention_counting::full ? "model-flops" : "model-flops-causal"; }

  struct cause {
    const char* key;
    const char* name;
    seconds took;
    std::string_view to_try;
  };
  std::vector<cause> causes() const {
    const bool late = gap.remainder > seconds{};
    return {
        {"recompute", "recompute", gap.recompute, remedies_of(bottleneck::compute)},
        {"communication", "communication", gap.communication, remedies_of(bottleneck::communication)},
        {"bubble", "bubble", gap.bubble, "more micro-batches a step, interleaved stages, even stages"},
        {"kernels", "kernels below the peak, optimizer", gap.kernels,
         "larger micro-batches and products, fused operations, a narrower format"},
        {"data_loading", "data loading", gap.data_loading, remedies_of(bottleneck::periodic_stall)},
        {"remainder", late ? "remainder: no part explains it" : "remainder: the parts explain too much", gap.remainder,
         late ? remedies_of(bottleneck::launch_or_starved)
              : std::string_view("the step runs better than predicted: nothing to explain")}};
  }
  cause largest() const {
    cause found = causes().front();
    for (const cause& one : causes())
      if (one.took > found.took) found = one;
    return found;
  }
};

std::string for_people(const measured_step& step) {
  const training_job& job = step.job;
  const step_gap& gap = step.gap;
  report::table head({{"", align::left}, {"", align::left}});
  head.add({"batch", batch_line(job)});
  head.add({"plan", plan_line(job)});
  head.add({"job", assumptions_line(job)});
  if (job.devices() > 1) head.add({"links", described(job.in())});
  head.add({"efficiency", described(job.reached())});
  std::string text = fmt::format("A step of {} on {} took {}\n", job.model().name,
                                 described(job.device(), job.devices()), report::scaled(gap.measured)) +
                     head.text(2) + '\n';
  report::table lines({{"where it went", align::left}, {""}, {"%"}, {"", align::left}});
  lines.add({"floor", report::scaled(gap.floor), report::percent(gap.share(gap.floor)),
             "products at the dense peak, causal attention"});
  for (const measured_step::cause& one : step.causes())
    if (one.took.value() != 0)
      lines.add({one.name, report::scaled(one.took), report::fixed(100 * gap.share(one.took), 1), ""});
  lines.add({"measured", report::scaled(gap.measured), "100.0",
             fmt::format("predicted {}", report::scaled(job.step().total()))});
  text += lines.text();
  text += fmt::format(
      "MFU {} % (model FLOPs, {}), HFU {} %.\n", report::percent(step.mfu),
      step.counting == attention_counting::full
          ? fmt::format("attention full; {} % with the causal triangle alone", report::percent(step.mfu_causal))
          : "the causal triangle of attention alone",
      report::percent(step.hfu));
  const measured_step::cause largest = step.largest();
  text += fmt::format("Most of the gap: {}, {} % of the step. To try: {}.\n", largest.name,
                      report::percent(gap.share(largest.took)), largest.to_try);
  if (const auto found = communication_bound(gap.communication, gap.measured))
    text += fmt::format("{}: {}.\n", found->name(), found->evidence);
  return text + '\n' + described(training_bands(job.device(), job.framework(), job.is_mixture()));
}

json for_programs(const measured_step& step) {
  const training_job& job = step.job;
  const step_gap& gap = step.gap;
  json_answer answer;
  put_job(answer, job);
  answer.put("measured_seconds", gap.measured.value());
  answer.put("predicted_seconds", job.step().total().value());
  answer.put("floor_seconds", gap.floor.value());
  answer.put("gap_seconds", gap.gap().value());
  json shares;
  shares["floor"] = gap.share(gap.floor);
  for (const measured_step::cause& one : step.causes()) {
    answer.put(std::string(one.key) + "_seconds", one.took.value());
    shares[one.key] = gap.share(one.took);
  }
  answer.put("share_of_measured", std::move(shares));
  answer.put("exposed_communication_seconds", communication_of(job.step()));
  answer.put("largest", step.largest().key);
  answer.put("to_try", step.largest().to_try);
  answer.put("mfu", step.mfu);
  answer.put("mfu_causal", step.mfu_causal);
  answer.put("hfu", step.hfu);
  answer.put("convention", step.convention());
  answer.put("constants", as_json(job.reached()));
  answer.put("error_bands", as_json(training_bands(job.device(), job.framework(), job.is_mixture())));
  answer.put("doubtful", job.doubtful());
  return answer.whole();
}

}  // namespace

reply explain_step(const explain_request& asked, output how) {
  const subject& model = find_subject(asked.model);
  const training_job job(model, asked);
  const measured_step step(job, asked.step_time * unit::second, asked.counting);
  return how == output::programs ? reply(for_programs(step)) : reply(for_people(step));
}

}  // namespace program
