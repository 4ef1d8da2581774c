// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// Writes docs/accuracy_plans.md: which of the plans that others measured the library would have chosen.

#include <flopledger/hardware/cluster.hpp>
#include <flopledger/memory/remedies.hpp>
#include <flopledger/models/block_shape.hpp>
#include <flopledger/time/step.hpp>

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "../published/classic_block.hpp"
#include "../published/csv.hpp"
#include "../published/generated_page.hpp"

namespace {

using namespace flopledger;
using ::published::record;

struct measured_plan {
  double measured = 0, predicted = 0;
  bool fits = false;
  bool is_possible = false;
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

/// vTrain's runs: Megatron-DeepSpeed, FP16, full recompute, GPT-3's blocks and vocabulary.
measured_plan predicted_of(const record& row) {
  const auto hidden = row.integer("hidden size");
  const transformer_config model =
      make_decoder("gpt", published::classic_block({.layers = row.integer("# layers"),
                                                    .hidden = hidden,
                                                    .heads = row.integer("attention heads"),
                                                    .intermediate = 4 * hidden,
                                                    .vocabulary = 51200,
                                                    .positions = row.integer("sequence length"),
                                                    .activation = activation_function::gelu_tanh,
                                                    .dropout = true}));
  training_setup job{.precision = recipes::mixed_fp16::value, .framework = frameworks::megatron_deepspeed};
  plan& p = job.plan;
  p = {.sequence = row.integer("sequence length"),
       .micro_batch = row.integer("micro batch"),
       .data = row.integer("data parallelism"),
       .tensor = row.integer("tensor parallelism"),
       .pipeline = row.integer("pipeline parallelism"),
       .sequence_parallel = false,
       .recompute = recompute::full,
       .attention = attention_kernel::explicit_matrix,
       .loss = job.framework.loss};
  p.gradient_accumulation = row.integer("global batch") / (p.data * p.micro_batch);
  measured_plan made{.measured = row.number("iteration time (ms)") / 1000};
  made.is_possible = verdict(p, model).ok();
  if (!made.is_possible) return made;
  job.precision = formats_under(job.framework, job.precision, p);
  const node& in = hardware::dgx_a100::value;
  const machine on = machine_of(*in.device, job.precision, job.framework);
  const training_account account(model, job, on, p.devices() > 1 ? network_of(p, in) : step_network{});
  made.predicted = account.step().total().value();
  const memory_limit limit{flopledger::published(*in.device, &accelerator::usable_memory)};
  made.fits = account.worst().total() <= limit.available(job);
  return made;
}

std::vector<job_group> groups_of(const std::string& table, std::size_t& refused, std::size_t& rows) {
  std::map<std::string, job_group> found;
  for (const record& row : ::published::read_table(FLOPLEDGER_TEST_DATA "/published/" + table)) {
    const std::string name = fmt::format(
        "{} devices, batch {}, {} layers of {} with {} heads, {} tokens", row.text("# GPUs"), row.text("global batch"),
        row.text("# layers"), row.text("hidden size"), row.text("attention heads"), row.text("sequence length"));
    const measured_plan one = predicted_of(row);
    if (!one.is_possible) continue;
    ++rows;
    refused += one.fits ? 0 : 1;
    job_group& group = found[name];
    group.name = name;
    group.plans.push_back(one);
  }
  std::vector<job_group> groups;
  for (auto& [name, group] : found)
    if (group.plans.size() > 2) groups.push_back(group);
  return groups;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::string page_section() {
  std::string text;
  std::string summary =
      "| table | groups | plans | regret, median % | mean | worst | place of the best, median % | worst | rank "
      "correlation, median | runs that ran and are refused, % |\n"
      "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
  for (const char* table : {"vtrain_multi_node.csv", "vtrain_single_node.csv"}) {
    std::size_t refused = 0, rows = 0;
    const std::vector<job_group> groups = groups_of(table, refused, rows);
    std::vector<double> regrets, places, correlations;
    double mean = 0;
    for (const job_group& one : groups) {
      regrets.push_back(one.regret());
      places.push_back(one.place_of_best());
      correlations.push_back(one.correlation());
      mean += one.regret() / static_cast<double>(groups.size());
    }
    summary +=
        fmt::format("| `{}` | {} | {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.2f} | {:.1f} |\n", table,
                    groups.size(), rows, median(regrets), mean, *std::max_element(regrets.begin(), regrets.end()),
                    median(places), *std::max_element(places.begin(), places.end()), median(correlations),
                    100 * static_cast<double>(refused) / static_cast<double>(rows));
    text += fmt::format("\n### {}\n\n", table);
    const bool all = groups.size() < 20;
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
