// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// `flopledger plan train`: the best plans of a training job.

#include <flopledger/text/number.hpp>
#include <flopledger/text/table.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "changed_members.hpp"
#include "device_choice.hpp"
#include "option_choices.hpp"
#include "plans.hpp"
#include "step_parts.hpp"
#include "subject.hpp"
#include "training_job.hpp"
#include "watched_search.hpp"

namespace program {
namespace {

using namespace flopledger;
using namespace flopledger::planning;
using report::align;

/// The job that plans are sought for.
struct sought {
  explicit sought(const plan_request& asked)
      : model(find_subject(asked.model)),
        board(find_device(asked.device)),
        space(asked.space),
        price(price_of(asked.price, std::string_view(board.id))),
        changed(paths_of(asked.members)) {
    const transformer_config& config = model.config();
    refuse_without_tokens(model);
    training_setup& like = space.like;
    like.precision = recipe_for_training(asked.recipe, board);
    like.optimizer = *asked.rule;
    like.framework = *asked.framework;
    change(like.framework, asked.members);
    like.plan.sequence = asked.sequence.value_or(sequence_of(config));
    like.plan.images = asked.images;
    like.plan.adapter_rank = asked.adapter_rank;
    like.plan.loss = like.framework.loss;
    space.again = again_of(asked);
    if (space.micro_batch.empty()) space.micro_batch = micro_batches_of(space.global_batch);
    std::int64_t most = 1;
    for (const std::int64_t devices : space.devices) most = std::max(most, devices);
    static_cast<void>(peak_for(board, like.precision));
    on.in = node_for(board, asked.links, most);
    require_links(on.in, most);
    on.device = machine_of(board, like.precision, like.framework, power_limit_of(asked.power_limit, board));
    const figure<bytes>& memory = memory_of(board);
    if (!memory.is_known())
      throw usage_error(fmt::format("--memory: that of {} is not published", std::string_view(board.id)));
    on.memory = {memory.value(), static_cast<int>(asked.usable_per_mille)};
    if (asked.idle_power)
      on.draw = draw_of(asked);
    else if (asked.best_in == goal::least_energy)
      throw usage_error("--goal: least-energy needs --idle-power, which no data sheet says");
    how.best_in = asked.best_in;
    how.front = asked.front;
    how.wanted = static_cast<std::size_t>(asked.top);
    how.bounds = !asked.exhaustive;
    how.framework_rules = !asked.without_rules;
    how.threads = static_cast<unsigned>(asked.threads);
  }

  const subject& model;
  const accelerator& board;
  plan_space space;
  fleet on{};
  search_options how{};
  std::optional<chosen_price> price;
  std::vector<std::string> changed;  ///< members of the framework, by their paths
 private:
  power_draw draw_of(const plan_request& asked) const {
    const watts limit = power_limit_of(asked.power_limit, board);
    if (!board.tdp.is_known())
      throw usage_error(
          fmt::format("--idle-power: the power of {} is not published; --power says it", std::string_view(board.id)));
    const power_draw draw{*asked.idle_power * unit::watt, limit > watts{} ? limit : board.tdp.value()};
    if (draw.idle > draw.busy)
      throw usage_error(fmt::format("--idle-power: {} W are more than the {} W of a device that computes",
                                    draw.idle.value(), draw.busy.value()));
    return draw;
  }
  static degree_choices micro_batches_of(std::int64_t global_batch) {
    try {
      return divisors_of(global_batch);
    } catch (const capacity_exceeded&) {
      throw usage_error(
          fmt::format("--micro-batch: the batch of {} has more divisors than the {} that are tried; name some",
                      global_batch, degree_choices::capacity));
    }
  }
  static choices<repetition> again_of(const plan_request& asked) {
    choices<repetition> made;
    std::vector<recompute> ways = asked.ways;
    if (ways.empty()) ways = {recompute::none, recompute::selective, recompute::full};
    std::vector<std::int64_t> every = asked.every;
    if (every.empty()) every = {1};
    for (const recompute way : ways)
      for (const std::int64_t blocks : every)
        if (way == recompute::full || blocks == every.front()) {
          if (made.size() == made.capacity)
            throw usage_error(fmt::format("--recompute-every: more than {} ways of recompute", made.capacity));
          made.add({way, {}, way == recompute::full ? blocks : 1});
        }
    return made;
  }
};

found_plans search(const sought& job, bool watched) {
  search_options how = job.how;
  if (!watched) return search_plans(job.model.config(), job.space, job.on, how);
  const watched_search watch(how);
  return search_plans(job.model.config(), job.space, job.on, how);
}

// What plans differ in ---------------------------------------------------------------------------------------------

/// A member of a plan in words.
struct member {
  std::string_view name;
  std::string value;
};

std::string recompute_text(const plan& p) {
  return std::string(name_of(p.recompute)) + (p.recompute_every > 1 ? fmt::format("/{}", p.recompute_every) : "");
}
std::string offload_text(const plan& p) {
  std::string text;
  for (const auto& [is, name] : {std::pair{p.offload_optimizer, "optimizer"},
                                 {p.offload_weights, "weights"},
                                 {p.offload_activations, "activations"}})
    if (is) (text += text.empty() ? "" : "+") += name;
  return text.empty() ? "nothing" : text;
}

std::vector<member> members_of(const plan& p) {
  return {{"data", std::to_string(p.data)},
          {"tensor", std::to_string(p.tensor)},
          {"pipeline", std::to_string(p.pipeline)},
          {"interleave", std::to_string(p.virtual_stages)},
          {"context", std::to_string(p.context)},
          {"expert", std::to_string(p.expert)},
          {"expert-tensor", p.expert_tensor > 0 ? std::to_string(p.expert_tensor) : "as tensor"},
          {"micro-batch", std::to_string(p.micro_batch)},
          {"sequence-parallel", p.sequence_parallel ? "yes" : "no"},
          {"recompute", recompute_text(p)},
          {"zero", std::to_string(static_cast<int>(p.sharding))},
          {"shard-group", p.shard_group > 0 ? std::to_string(p.shard_group) : "data × context"},
          {"schedule", name_of(p.schedule)},
          {"first-stage-layers", std::to_string(p.first_stage_layers)},
          {"last-stage-layers", std::to_string(p.last_stage_layers)},
          {"offload", offload_text(p)}};
}

/// "tensor 8 instead of 4, micro-batch 2 instead of 1".
std::string differences(const plan& of, const plan& from) {
  const std::vector<member> mine = members_of(of), other = members_of(from);
  std::string text;
  for (std::size_t i = 0; i < mine.size(); ++i)
    if (mine[i].value != other[i].value)
      text +=
          fmt::format("{}{} {} instead of {}", text.empty() ? "" : ", ", mine[i].name, mine[i].value, other[i].value);
  return text.empty() ? "nothing" : text;
}

// The answer -------------------------------------------------------------------------------------------------------

std::string usd(double amount) { return fmt::format("{} USD", report::three_digits(amount)); }
double price_of(const sought& job, const found_plan& one) { return job.price->usd * one.device_time().value() / 3600; }

std::string table_of(const sought& job, const std::vector<found_plan>& plans) {
  std::vector<report::column> columns{{""}, {"step"}, {"memory"}};
  if (job.price) columns.push_back({"a step"});
  const bool energy = job.on.draw.busy > watts{};
  if (energy) columns.push_back({"energy"});
  std::vector<std::size_t> shown;
  const std::vector<member> first = members_of(plans.front().plan);
  constexpr std::size_t always = 3;  // data, tensor, pipeline
  for (std::size_t i = 0; i < first.size(); ++i) {
    const std::string standard = members_of(plan{})[i].value;
    const bool says = std::any_of(plans.begin(), plans.end(),
                                  [&](const found_plan& one) { return members_of(one.plan)[i].value != standard; });
    if (i >= always && !says) continue;
    shown.push_back(i);
    columns.push_back({std::string(first[i].name)});
  }
  report::table lines(columns);
  for (std::size_t n = 0; n < plans.size(); ++n) {
    std::vector<std::string> cells{std::to_string(n + 1), report::scaled(plans[n].step.total()),
                                   report::scaled_binary(plans[n].memory)};
    if (job.price) cells.push_back(usd(price_of(job, plans[n])));
    if (energy) cells.push_back(report::scaled(step_energy(plans[n].plan, plans[n].step, job.on.draw).value(), "J"));
    const std::vector<member> members = members_of(plans[n].plan);
    for (const std::size_t i : shown) cells.push_back(members[i].value);
    lines.add(cells);
  }
  return lines.text();
}

std::string refusals(const plan_counts& counts) {
  std::vector<std::pair<std::uint64_t, std::string_view>> reasons;
  for (std::size_t i = 0; i < std::size(counts.impossible); ++i)
    reasons.emplace_back(counts.impossible[i], describe(static_cast<plan_problem>(i)));
  for (std::size_t i = 0; i < framework_rule_count; ++i)
    reasons.emplace_back(counts.against_rule[i], describe(static_cast<framework_rule>(i)));
  std::stable_sort(reasons.begin(), reasons.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  report::table lines({{""}, {"", align::left}});
  for (const auto& [number, why] : reasons)
    if (number > 0) lines.add({std::to_string(number), std::string(why)});
  return lines.text(2);
}

/// The same plan with one member free, best first.
std::vector<found_plan> with_one_free(const sought& job, const plan& p, const auto& free) {
  plan_space space = job.space;
  hold_to(p, space);
  free(space, job.space);
  search_options how = job.how;
  how.wanted = 64;
  how.front = trade::none;
  how.threads = 1;
  how.best_in = goal::fastest;
  return search_plans(job.model.config(), space, job.on, how).best;
}

/// What each degree of a plan costs and saves: the plan beside those that differ in it alone, data ranks making up.
std::string explained(const sought& job, const found_plan& best) {
  report::table lines({{"changed alone", align::left}, {"step"}, {"memory"}, {"", align::left}});
  const auto beside = [&](const auto& free) {
    for (const found_plan& other : with_one_free(job, best.plan, free)) {
      if (differences(other.plan, best.plan) == "nothing") continue;
      const double bytes_more = other.memory.value() - best.memory.value();
      lines.add({differences(other.plan, best.plan),
                 fmt::format("{:+.1f} %", 100 * (other.step.total() / best.step.total() - 1)),
                 (bytes_more < 0 ? "-" : "+") + report::scaled_binary(bytes::from_value(std::abs(bytes_more))),
                 causes(other.step, best.step)});
    }
  };
  beside([](plan_space& to, const plan_space& of) { to.tensor = of.tensor; });
  beside([](plan_space& to, const plan_space& of) { to.pipeline = of.pipeline; });
  beside([](plan_space& to, const plan_space& of) { to.interleave = of.interleave; });
  beside([](plan_space& to, const plan_space& of) { to.context = of.context; });
  beside([](plan_space& to, const plan_space& of) { to.expert = of.expert; });
  beside([](plan_space& to, const plan_space& of) { to.micro_batch = of.micro_batch; });
  beside([](plan_space& to, const plan_space& of) { to.sequence_parallel = of.sequence_parallel; });
  beside([](plan_space& to, const plan_space& of) { to.again = of.again; });
  beside([](plan_space& to, const plan_space& of) { to.sharding = of.sharding; });
  return "\nPlan 1, one member changed, where it still fits:\n" + lines.text();
}

std::string for_people(const sought& job, const found_plans& found, bool with_explanation) {
  const plan_space& space = job.space;
  std::string devices;
  for (const std::int64_t n : space.devices) (devices += devices.empty() ? "" : ", ") += std::to_string(n);
  std::string text = fmt::format("Plans to train {} on {} × {} {} ({}): {} of {} a step, {}, {}{}\n", job.model.name,
                                 devices, std::string_view(job.board.vendor), std::string_view(job.board.product),
                                 std::string_view(job.board.id), counted(space.global_batch, "sequence"),
                                 counted(space.like.plan.sequence, "token"), space.like.precision.name,
                                 space.like.framework.name, described(job.changed));
  const plan_counts& counts = found.counts;
  text += fmt::format("{}: {} fit, {} too large, {} passed over by bounds, {} refused\n",
                      counted(static_cast<double>(counts.all()), "plan"), counts.fitting, counts.too_large,
                      counts.passed_over, counts.refused());
  text += refusals(counts);
  if (found.stopped) text += "Stopped: the best so far.\n";
  if (found.best.empty()) return text + (found.stopped ? "" : "\nNo plan fits.\n");
  text += '\n' + table_of(job, found.best);
  const found_plan& best = found.best.front();
  text += fmt::format("\n1 trains on {} a second.\n",
                      report::scaled(tokens_a_second(best.plan, best.step.total()).value(), "tokens"));
  if (found.best.size() > 1) {
    const found_plan& second = found.best[1];
    text += fmt::format("1 before 2: {}.\n", causes(best.step, second.step));
    text += fmt::format("2 has {}: step {:+.2f} %, memory {:+.1f} %.\n", differences(second.plan, best.plan),
                        100 * (second.step.total() / best.step.total() - 1), 100 * (second.memory / best.memory - 1));
  }
  if (best.plan.offload_optimizer || best.plan.offload_weights || best.plan.offload_activations)
    text += "What is offloaded is not in the step: its traffic over the host link comes on top.\n";
  if (job.how.front != trade::none)
    text += "\nNone is both faster and less than one of these:\n" + table_of(job, found.front);
  if (with_explanation) text += explained(job, best);
  return text;
}

json as_json(const sought& job, const found_plan& one) {
  json made;
  made["step_seconds"] = one.step.total().value();
  made["memory_bytes"] = one.memory.value();
  made["devices"] = one.plan.devices();
  if (job.price) made["step_usd"] = price_of(job, one);
  if (job.on.draw.busy > watts{}) made["step_joules"] = step_energy(one.plan, one.step, job.on.draw).value();
  json& p = made["plan"] = json::object();
  const plan& lies = one.plan;
  p["micro_batch"] = lies.micro_batch;
  p["global_batch"] = lies.global_batch();
  put_degrees(p, lies);
  p["first_stage_layers"] = lies.first_stage_layers;
  p["last_stage_layers"] = lies.last_stage_layers;
  p["context"] = lies.context;
  p["expert"] = lies.expert;
  p["expert_tensor"] = lies.tensor_of_experts();
  p["recompute"] = name_of(lies.recompute);
  p["recompute_every"] = lies.recompute_every;
  p["zero"] = static_cast<int>(lies.sharding);
  p["shard_group"] = lies.shards();
  p["offload"] = offload_text(lies);
  made["parts_seconds"] = parts_seconds(one.step);
  return made;
}

/// The key of a plan that a front trades for the time of its step.
std::string_view traded_key(trade front) {
  return front == trade::time_and_memory ? "memory_bytes" : front == trade::time_and_cost ? "step_usd" : "devices";
}

json for_programs(const sought& job, const found_plans& found) {
  json made;
  made["model"] = job.model.name;
  made["device"] = std::string_view(job.board.id);
  made["framework"] = job.space.like.framework.name;
  made["changed_members"] = job.changed;
  const plan_counts& counts = found.counts;
  json& plans = made["plans"] = json::object();
  plans["all"] = counts.all();
  plans["fitting"] = counts.fitting;
  plans["too_large"] = counts.too_large;
  plans["passed_over"] = counts.passed_over;
  json& refused = plans["refused"] = json::object();
  for (std::size_t i = 0; i < std::size(counts.impossible); ++i)
    if (counts.impossible[i] > 0) refused[std::string(describe(static_cast<plan_problem>(i)))] = counts.impossible[i];
  for (std::size_t i = 0; i < framework_rule_count; ++i)
    if (counts.against_rule[i] > 0)
      refused[std::string(describe(static_cast<framework_rule>(i)))] = counts.against_rule[i];
  made["stopped"] = found.stopped;
  json& best = made["best"] = json::array();
  for (const found_plan& one : found.best) best.push_back(as_json(job, one));
  if (job.how.front != trade::none) {
    made["front_trades"] = traded_key(job.how.front);
    json& front = made["front"] = json::array();
    for (const found_plan& one : found.front) front.push_back(as_json(job, one));
  }
  return made;
}

}  // namespace

reply plan_training(const plan_request& asked, output how) {
  if (!asked.diff.empty()) return compare_plans(asked, how);
  const sought job(asked);
  const found_plans found = search(job, how == output::people);
  if (found.counts.all() == 0 && !found.stopped)
    throw usage_error("--devices: no plan of these degrees and this batch lies on so many");
  return how == output::programs ? reply(for_programs(job, found)) : reply(for_people(job, found, asked.explained));
}

}  // namespace program
