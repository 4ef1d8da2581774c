// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// Writes docs/accuracy_plans.md: which of the plans that others measured the library would have chosen.

#include <flopledger/memory/remedies.hpp>

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "../published/generated_page.hpp"
#include "../published/training_cases.hpp"

namespace {

using namespace flopledger;

struct measured_plan {
  double measured = 0, predicted = 0;
  bool fits = false;
};

/// Plans of one job on the same devices.
struct job_group {
  std::string name;
  std::vector<measured_plan> plans;

  double best() const {
    return std::min_element(plans.begin(), plans.end(),
                            [](const auto& a, const auto& b) { return a.measured < b.measured; })
        ->measured;
  }
  /// What the plan that is predicted to be the fastest lost, in per cent of the best.
  double regret() const {
    const measured_plan& chosen = *std::min_element(
        plans.begin(), plans.end(), [](const auto& a, const auto& b) { return a.predicted < b.predicted; });
    return 100 * (chosen.measured / best() - 1);
  }
  /// Of the plans, the share that is predicted to be faster than the one that was.
  double place_of_best() const {
    const measured_plan& fastest = *std::min_element(
        plans.begin(), plans.end(), [](const auto& a, const auto& b) { return a.measured < b.measured; });
    const auto before =
        std::count_if(plans.begin(), plans.end(), [&](const auto& one) { return one.predicted < fastest.predicted; });
    return 100 * static_cast<double>(before) / static_cast<double>(plans.size());
  }
  double worst() const {
    double slowest = 0;
    for (const measured_plan& one : plans) slowest = std::max(slowest, one.measured);
    return slowest / best();
  }
  /// Spearman's rank correlation.
  double correlation() const {
    const auto ranks = [&](double measured_plan::*of) {
      std::vector<std::size_t> order(plans.size());
      std::iota(order.begin(), order.end(), 0);
      std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return plans[a].*of < plans[b].*of; });
      std::vector<double> rank(plans.size());
      for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = static_cast<double>(i);
      return rank;
    };
    const std::vector<double> a = ranks(&measured_plan::measured), b = ranks(&measured_plan::predicted);
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    const auto n = static_cast<double>(plans.size());
    return 1 - 6 * sum / (n * (n * n - 1));
  }
};

measured_plan predicted_of(const ::published::training_row& row) {
  const ::published::job& asked = row.what.what;
  measured_plan made{.measured = row.measured, .predicted = row.what.predicted()};
  const memory_limit limit{flopledger::published(*row.what.device, &accelerator::usable_memory)};
  made.fits = asked.worst().total() <= limit.available(asked.setup);
  return made;
}

std::vector<job_group> groups_of(const ::published::training_rows& rows) {
  std::map<std::string, job_group> found;
  for (const ::published::training_row& row : rows) {
    const plan& p = row.what.what.setup.plan;
    const std::string name = fmt::format("{} devices, batch {}, layers x width {}, {} tokens", p.devices(),
                                         p.global_batch(), row.group, p.sequence);
    job_group& group = found[name];
    group.name = name;
    group.plans.push_back(predicted_of(row));
  }
  std::vector<job_group> groups;
  for (auto& [name, group] : found)
    if (group.plans.size() > 2) groups.push_back(group);
  return groups;
}

/// A table, or the part of one on which no constant was fitted.
struct measured_table {
  std::string name;
  ::published::training_rows rows;
};
std::vector<measured_table> measured_tables() {
  std::vector<measured_table> tables = {{"`vtrain_multi_node.csv`", ::published::vtrain_rows("vtrain_multi_node")},
                                        {"`vtrain_single_node.csv`, models that no constant was fitted on", {}},
                                        {"`vtrain_single_node.csv`, the model whose rows set `host_launch`", {}}};
  for (const auto& row : ::published::vtrain_rows("vtrain_single_node")) tables[row.fitted ? 2 : 1].rows.push_back(row);
  return tables;
}

std::string page_section() {
  std::string text;
  std::string summary =
      "| table | groups | plans | regret, median % | mean | worst | place of the best, median % | worst | rank "
      "correlation, median | runs that ran and are refused, % |\n"
      "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
  for (const measured_table& table : measured_tables()) {
    const std::vector<job_group> groups = groups_of(table.rows);
    std::size_t plans = 0, refused = 0;
    for (const job_group& one : groups)
      for (const measured_plan& each : one.plans) {
        ++plans;
        refused += each.fits ? 0 : 1;
      }
    std::vector<double> regrets, places, correlations;
    double mean = 0;
    for (const job_group& one : groups) {
      regrets.push_back(one.regret());
      places.push_back(one.place_of_best());
      correlations.push_back(one.correlation());
      mean += one.regret() / static_cast<double>(groups.size());
    }
    summary += fmt::format("| {} | {} | {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.2f} | {:.1f} |\n",
                           table.name, groups.size(), plans, ::published::middle_of(regrets), mean,
                           *std::max_element(regrets.begin(), regrets.end()), ::published::middle_of(places),
                           *std::max_element(places.begin(), places.end()), ::published::middle_of(correlations),
                           100 * static_cast<double>(refused) / static_cast<double>(plans));
    text += fmt::format("\n### {}\n\n", table.name);
    const bool all = groups.size() <= 10;
    text +=
        all ? "| job | plans | slowest over best | regret, % | place of the best, % | rank correlation |\n"
            : "The ten groups of the largest regret:\n\n| job | plans | slowest over best | regret, % | place of the "
              "best, % | rank correlation |\n";
    text += "| --- | ---: | ---: | ---: | ---: | ---: |\n";
    std::vector<job_group> shown = groups;
    std::stable_sort(shown.begin(), shown.end(),
                     [](const job_group& a, const job_group& b) { return a.regret() > b.regret(); });
    if (!all) shown.resize(10);
    for (const job_group& one : shown)
      text += fmt::format("| {} | {} | {:.2f} | {:.1f} | {:.0f} | {:.2f} |\n", one.name, one.plans.size(), one.worst(),
                          one.regret(), one.place_of_best(), one.correlation());
  }
  return summary + text;
}

}  // namespace

int main(int argc, char** argv) { return ::published::serve_section(argc, argv, "plans", page_section()); }
