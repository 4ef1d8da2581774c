// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// `flopledger plan train --diff PLAN_A --diff PLAN_B`: two plans of one job side by side, and what each member in
/// which they differ costs and saves.

#include <flopledger/text/number.hpp>
#include <flopledger/text/table.hpp>

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "plans.hpp"
#include "step_parts.hpp"
#include "training_job.hpp"
#include "training_options.hpp"

namespace program {
namespace {

using namespace flopledger;
using report::align;

constexpr std::string_view members_of_plans[] = {
    "tensor",        "no_sequence_parallel", "pipeline",          "interleave",      "context", "expert",
    "expert_tensor", "micro_batch",          "recompute",         "recompute_every", "zero",    "shard_group",
    "schedule",      "first_stage_layers",   "last_stage_layers", "offload"};

/// Members of a plan as options of `report train`; what is left out is its default.
using written_plan = std::vector<std::pair<std::string, std::string>>;

const std::string* find(const written_plan& of, const std::string& key) {
  for (const auto& [known, value] : of)
    if (known == key) return &value;
  return nullptr;
}

/// "tensor=8 pipeline=4 no-sequence-parallel".
written_plan read_plan(const std::string& text) {
  written_plan made;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    std::string key = word.substr(0, equals);
    std::replace(key.begin(), key.end(), '-', '_');
    if (std::find(std::begin(members_of_plans), std::end(members_of_plans), key) == std::end(members_of_plans))
      throw usage_error(fmt::format("--diff: {} is no member of a plan{}", word.substr(0, equals),
                                    key == "data" ? ": it follows from --devices" : ""));
    if (find(made, key) != nullptr) throw usage_error(fmt::format("--diff: {} is given twice", key));
    made.emplace_back(std::move(key), equals == std::string::npos ? "" : word.substr(equals + 1));
  }
  return made;
}

/// The same with one member as another plan has it.
written_plan with(written_plan of, const std::string& key, const written_plan& other) {
  std::erase_if(of, [&](const auto& member) { return member.first == key; });
  if (const std::string* value = find(other, key); value != nullptr) of.emplace_back(key, *value);
  return of;
}

std::string text_of(const written_plan& of) {
  std::string text;
  for (const auto& [key, value] : of) text += (text.empty() ? "" : " ") + key + (value.empty() ? "" : "=" + value);
  return text.empty() ? "all as by default" : text;
}

training_request request_of(const plan_request& asked, const written_plan& lies) {
  training_request made;
  made.model = asked.model;
  made.device = asked.device;
  made.devices = asked.space.devices[0];
  made.recipe = asked.recipe;
  made.sequence = asked.sequence;
  made.global_batch = asked.space.global_batch;
  made.layout.images = asked.images;
  made.layout.adapter_rank = asked.adapter_rank;
  made.rule = asked.rule;
  made.framework = asked.framework;
  made.members = asked.members;
  made.power_limit = asked.power_limit;
  made.links = asked.links;
  made.usable_per_mille = asked.usable_per_mille;
  option_table options;
  add_training_options(options, made);
  for (const auto& [key, value] : lies) {
    option& known = *options.find(key);
    if (value.empty() != known.is_flag())
      throw usage_error(known.name() + (known.is_flag() ? ": takes no value" : ": needs a value"));
    known.set(value);
  }
  plan& p = made.layout;
  const double others =
      static_cast<double>(p.tensor) * static_cast<double>(p.pipeline) * static_cast<double>(p.context);
  const auto devices = static_cast<double>(*made.devices);
  if (others > devices || *made.devices % static_cast<std::int64_t>(others) != 0)
    throw usage_error(fmt::format("--devices: {} do not divide by tensor {} × pipeline {} × context {}",
                                  counted(*made.devices, "device"), p.tensor, p.pipeline, p.context));
  p.data = *made.devices / static_cast<std::int64_t>(others);
  return made;
}

struct priced {
  priced(const plan_request& asked, written_plan plan)
      : lies(std::move(plan)), job(find_subject(asked.model), request_of(asked, lies)) {}
  written_plan lies;
  training_job job;
  seconds step() const { return job.step().total(); }
  bytes memory() const { return job.worst().total(); }
};

/// The first plan with one member of the second; null where that cannot be, for which `why` has the reason.
struct changed_alone {
  std::string key, from, to;
  std::optional<priced> made{};
  std::string why{};
};

struct difference {
  priced a, b;
  std::vector<changed_alone> alone{};
};

difference difference_of(const plan_request& asked) {
  if (asked.diff.size() != 2) throw usage_error("--diff: is given for two plans, no fewer and no more");
  if (asked.space.devices.size() != 1) throw usage_error("--devices: one number, where plans are compared");
  const written_plan a = read_plan(asked.diff[0]), b = read_plan(asked.diff[1]);
  difference made{{asked, a}, {asked, b}};
  if (!made.a.job.known().both())
    throw usage_error("no step is predicted: " + without_times(made.a.job.device(), made.a.job.setup().precision),
                      "device");
  for (const std::string_view member : members_of_plans) {
    const std::string key(member);
    const std::string *from = find(a, key), *to = find(b, key);
    if (from == nullptr ? to == nullptr : to != nullptr && *from == *to) continue;
    const auto said = [&](const std::string* value) {
      return value == nullptr ? std::string("default") : value->empty() ? std::string("yes") : *value;
    };
    changed_alone& one = made.alone.emplace_back(changed_alone{key, said(from), said(to)});
    try {
      one.made.emplace(asked, with(a, key, b));
    } catch (const usage_error& problem) {
      one.why = problem.what();
    }
  }
  return made;
}

std::string signed_bytes(double more) {
  return (more < 0 ? "-" : "+") + report::scaled_binary(bytes::from_value(more < 0 ? -more : more));
}
bool fits(const priced& one) { return !one.job.budget().device || one.job.budget().fits(one.memory().value()); }

std::string for_people(const difference& found) {
  const training_job& job = found.a.job;
  std::string text =
      fmt::format("{} on {} × {} {} ({}): {} of {} a step\n  A  {}, data {}\n  B  {}, data {}\n\n", job.model().name,
                  job.layout().devices(), std::string_view(job.device().vendor), std::string_view(job.device().product),
                  std::string_view(job.device().id), counted(job.layout().global_batch(), "sequence"),
                  counted(job.layout().sequence, "token"), text_of(found.a.lies), job.layout().data,
                  text_of(found.b.lies), found.b.job.layout().data);
  report::table parts({{"", align::left}, {"A"}, {"B"}, {"B - A"}});
  const std::vector<part_of_step> of_a = parts_of(job.step()), of_b = parts_of(found.b.job.step());
  for (std::size_t i = 0; i < of_a.size(); ++i)
    if (of_a[i].time > seconds{} || of_b[i].time > seconds{})
      parts.add({std::string(of_a[i].name), report::scaled(of_a[i].time), report::scaled(of_b[i].time),
                 signed_time(of_b[i].time - of_a[i].time)});
  parts.add({"step", report::scaled(found.a.step()), report::scaled(found.b.step()),
             signed_time(found.b.step() - found.a.step())});
  parts.add({"memory", report::scaled_binary(found.a.memory()), report::scaled_binary(found.b.memory()),
             signed_bytes(found.b.memory().value() - found.a.memory().value())});
  parts.add({"fits", fits(found.a) ? "yes" : "no", fits(found.b) ? "yes" : "no", ""});
  text += parts.text();
  if (found.alone.empty()) return text + "\nThe plans are the same.\n";
  report::table lines({{"A with this of B alone", align::left}, {"step"}, {"memory"}, {"", align::left}});
  for (const changed_alone& one : found.alone) {
    const std::string what = fmt::format("{} {} instead of {}", one.key, one.to, one.from);
    if (one.made)
      lines.add(
          {what, fmt::format("{:+.1f} %", 100 * (one.made->step() / found.a.step() - 1)),
           signed_bytes(one.made->memory().value() - found.a.memory().value()) + (fits(*one.made) ? "" : ", too large"),
           causes(one.made->job.step(), job.step())});
    else
      lines.add({what, "-", "-", one.why});
  }
  return text + '\n' + lines.text() + "\nData ranks make up for each. Changes do not add up: one may need another.\n";
}

json as_json(const priced& one) {
  json made;
  json& members = made["members"] = json::object();
  for (const auto& [key, value] : one.lies) members[key] = value.empty() ? json(true) : json(value);
  made["data"] = one.job.layout().data;
  made["step_seconds"] = one.step().value();
  made["memory_bytes"] = one.memory().value();
  made["fits"] = fits(one);
  made["parts_seconds"] = parts_seconds(one.job.step());
  return made;
}

json for_programs(const difference& found) {
  json whole;
  whole["model"] = found.a.job.model().name;
  whole["device"] = std::string_view(found.a.job.device().id);
  whole["framework"] = found.a.job.framework().name;
  whole["a"] = as_json(found.a);
  whole["b"] = as_json(found.b);
  json& alone = whole["changed_alone"] = json::array();
  for (const changed_alone& one : found.alone) {
    json row;
    row["member"] = one.key;
    row["from"] = one.from;
    row["to"] = one.to;
    row["plan"] = one.made ? as_json(*one.made) : json();
    row["refused"] = one.made ? json() : json(one.why);
    alone.push_back(std::move(row));
  }
  return whole;
}

}  // namespace

reply compare_plans(const plan_request& asked, output how) {
  const difference found = difference_of(asked);
  return how == output::programs ? reply(for_programs(found)) : reply(for_people(found));
}

}  // namespace program
