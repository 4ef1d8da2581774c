// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "sensitivity.hpp"

#include <flopledger/planning/sensitivity.hpp>
#include <flopledger/text/number.hpp>
#include <flopledger/text/table.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "json.hpp"
#include "memory_answer.hpp"
#include "training_job.hpp"

namespace program {
namespace {

using namespace flopledger;
using namespace flopledger::planning;
using report::align;

/// The job, its step with each rate raised, and whether more memory decides.
struct raised_job {
  training_job job;
  double times;
  std::vector<raised_step> steps;

  raised_job(const subject& model, const sensitivity_request& asked) : job(model, asked), times(1 + asked.more / 100) {
    if (!job.known().both())
      throw usage_error("no step is predicted: " + without_times(job.device(), job.setup().precision));
    steps = sensitivities(model.config(), job.setup(), job.on(), job.in(), times);
    // Those that give most come first.
    std::stable_sort(steps.begin(), steps.end(),
                     [](const raised_step& a, const raised_step& b) { return a.step.total() < b.step.total(); });
  }
  seconds saved(const raised_step& one) const {
    const seconds difference = job.step().total() - one.step.total();
    return difference.value() > 0 ? difference : seconds{};
  }
  double share_saved(const raised_step& one) const { return saved(one) / job.step().total(); }
  double needed() const { return whole_account(job.worst()).total; }
  bool fits() const { return job.budget().fits(needed()); }
  bool fits_with_more() const { return job.budget().fits(needed() / times); }
};

std::string for_people(const raised_job& raised, double more) {
  const training_job& job = raised.job;
  std::string text =
      fmt::format("{} on {}\n  plan  {}\n  step  {}\n\n", job.model().name, described(job.device(), job.devices()),
                  plan_line(job), report::scaled(job.step().total()));
  report::table lines(
      {{fmt::format("{} % more", report::three_digits(more)), align::left}, {"step"}, {"saved"}, {"% of the step"}});
  for (const raised_step& one : raised.steps)
    lines.add({std::string(name_of(one.which)), report::scaled(one.step.total()), report::scaled(raised.saved(one)),
               report::percent(raised.share_saved(one))});
  text += lines.text();
  if (!job.budget().available) return text + "The device's memory is not published.\n";
  if (raised.fits()) return text + "It fits: more memory changes nothing.\n";
  return text + (raised.fits_with_more() ? "It does not fit, and with as much more memory it does.\n"
                                         : "It does not fit, with as much more memory neither.\n");
}

json for_programs(const raised_job& raised, double more) {
  const training_job& job = raised.job;
  json_answer answer;
  put_job(answer, job);
  answer.put("more_percent", more);
  answer.put("step_seconds", job.step().total().value());
  json rates = json::array();
  for (const raised_step& one : raised.steps)
    rates.push_back({{"rate", name_of(one.which)},
                     {"step_seconds", one.step.total().value()},
                     {"saved_seconds", raised.saved(one).value()},
                     {"saved_percent", 100 * raised.share_saved(one)}});
  answer.put("rates", std::move(rates));
  answer.put("fits", job.budget().available ? json(raised.fits()) : json());
  answer.put("fits_with_more_memory", job.budget().available ? json(raised.fits_with_more()) : json());
  answer.put("constants", as_json(job.reached()));
  answer.put("doubtful", job.doubtful());
  return answer.whole();
}

}  // namespace

reply sensitivity(const sensitivity_request& asked, output how) {
  const raised_job raised(find_subject(asked.model), asked);
  return how == output::programs ? reply(for_programs(raised, asked.more)) : reply(for_people(raised, asked.more));
}

}  // namespace program
