// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// Writes a section of docs/accuracy_plans.md: where the plans of published runs stand among all plans of their jobs.

#include <flopledger/planning/search.hpp>

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "../published/generated_page.hpp"
#include "../published/training_cases.hpp"

namespace {

using namespace flopledger;
using namespace flopledger::planning;
using ::published::step_case;

/// A published run's plan among those that fit the same devices.
struct choice {
  std::string job, theirs, best;
  double faster_percent = 0;  ///< of the plans, those that are predicted to be faster
  double gain_percent = 0;    ///< predicted time over that of the best, less one
  bool fits = false;
};

/// What a vendor chooses: degrees, micro-batch and recompute. Formats, sharding, batch and the framework's rules are
/// the run's.
plan_space space_around(const step_case& run) {
  const plan& p = run.what.setup.plan;
  plan_space space{.like = run.what.setup};
  hold_to(p, space);
  const auto free = [](degree_choices& to, std::initializer_list<std::int64_t> values) {
    for (const std::int64_t one : values)
      if (!to.contains(one)) to.add(one);
    to.sort();
  };
  free(space.tensor, {1, 2, 4, 8});
  free(space.pipeline, {1, 2, 4, 8, 16});
  // A ring joins partial sums of softmax, which only a fused kernel keeps.
  if (p.attention != attention_kernel::explicit_matrix) free(space.context, {1, 2, 4});
  free(space.interleave, {1, 2, 4});
  free(space.micro_batch, {1, 2, 4, 8});
  if (run.kind().mixture) free(space.expert, {1, 2, 4, 8, 16, 32, 64});
  if (p.first_stage_layers > 0) space.first_stage_layers.add(0);
  if (p.last_stage_layers > 0) space.last_stage_layers.add(0);
  for (const recompute how : {recompute::none, recompute::selective, recompute::full})
    if (how != p.recompute) space.again.add({how});
  return space;
}

std::string text_of(const plan& p) {
  std::string text = fmt::format("TP {} PP {}", p.tensor, p.pipeline);
  if (p.virtual_stages > 1) text += fmt::format(" x {}", p.virtual_stages);
  if (p.context > 1) text += fmt::format(" CP {}", p.context);
  if (p.expert > 1) text += fmt::format(" EP {}", p.expert);
  if (p.sharding == zero::weights) text += " FSDP";
  text += fmt::format(", micro {}", p.micro_batch);
  switch (p.recompute) {
    case recompute::none:
      return text;
    case recompute::full:
      return text + (p.recompute_every > 1 ? fmt::format(", full/{}", p.recompute_every) : ", full");
    default:
      return text + ", selective";
  }
}

choice choice_of(const step_case& run) {
  const training_setup& setup = run.what.setup;
  const fleet on{
      .device = run.on, .memory = {flopledger::published(*run.device, &accelerator::usable_memory)}, .in = run.in};
  constexpr std::size_t every = 100'000;
  const found_plans found =
      search_plans(run.what.model, space_around(run), on, {.wanted = every, .bounds = false, .threads = 1});
  const double theirs = run.predicted();
  choice made;
  made.theirs = text_of(setup.plan);
  made.fits = run.what.worst().total() <= on.memory.available(setup);
  made.job = fmt::format("{} layers of {}, {} x {}, {}, {} sequences of {}", run.what.model.stack.layers,
                         run.what.model.stack.hidden, setup.plan.devices(), run.device->id, setup.precision.name,
                         setup.plan.global_batch(), setup.plan.sequence);
  if (found.best.empty()) return made;
  const auto faster = std::count_if(found.best.begin(), found.best.end(), [&](const found_plan& one) {
    return one.step.total().value() < (1 - 1e-9) * theirs;
  });
  made.best = text_of(found.best.front().plan);
  made.faster_percent = 100 * static_cast<double>(faster) / static_cast<double>(found.counts.fitting);
  made.gain_percent = 100 * (theirs / found.best.front().step.total().value() - 1);
  return made;
}

std::string page_section() {
  std::string summary =
      "| table | plans | faster ones, median % | in the best tenth | gain of the best, median % | largest | said not "
      "to "
      "fit |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n";
  std::string outside =
      "\nOutside the best tenth, or said not to fit:\n\n"
      "| job | plan that ran | faster ones, % | best plan | gain, % |\n| --- | --- | ---: | --- | ---: |\n";
  for (const ::published::training_table& table : ::published::all_training_tables()) {
    if (!table.is_chosen) continue;
    std::map<std::string, choice> choices;  // releases repeat themselves
    for (const ::published::training_row& row : table.rows) {
      const choice one = choice_of(row.what);
      choices.emplace(one.job + one.theirs, one);
    }
    std::vector<double> faster, gains;
    int best_tenth = 0, refused = 0;
    for (const auto& [_, one] : choices) {
      refused += one.fits ? 0 : 1;
      faster.push_back(one.faster_percent);
      gains.push_back(one.gain_percent);
      best_tenth += one.faster_percent <= 10 ? 1 : 0;
      if (one.fits && one.faster_percent <= 10) continue;
      outside += fmt::format("| {} | {}{} | {:.0f} | {} | {:.1f} |\n", one.job, one.theirs,
                             one.fits ? "" : " (said not to fit)", one.faster_percent,
                             one.best.empty() ? "none fits" : one.best, one.gain_percent);
    }
    summary += fmt::format("| {} | {} | {:.1f} | {} | {:.1f} | {:.1f} | {} |\n", table.name, choices.size(),
                           ::published::middle_of(faster), best_tenth, ::published::middle_of(gains),
                           *std::max_element(gains.begin(), gains.end()), refused);
  }
  return summary + outside;
}

}  // namespace

int main(int argc, char** argv) { return ::published::serve_section(argc, argv, "vendors", page_section()); }
