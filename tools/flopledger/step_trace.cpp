// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "step_trace.hpp"

#include <utility>

#include <fmt/format.h>

#include "json.hpp"

namespace program {
namespace {

/// "kernel" is the category of what runs on a device, whose number stands among the arguments, as in PyTorch's traces.
json event(const std::string& name, std::int64_t stage, double begins, double lasts, json arguments = json::object()) {
  constexpr double microseconds = 1e6;
  arguments["device"] = stage;
  return {{"ph", "X"},
          {"cat", "kernel"},
          {"name", name},
          {"pid", stage},
          {"tid", 0},
          {"ts", begins * microseconds},
          {"dur", lasts * microseconds},
          {"args", std::move(arguments)}};
}

}  // namespace

std::string trace_of(const json& answer) {
  const auto found = answer.find("timeline");
  if (found == answer.end() || !found->is_object())
    throw usage_error("--chrome-trace: the order of this pipeline's passes is not known, or its step is calibrated");
  const json& timeline = *found;
  if (timeline.at("slots").empty())
    throw usage_error(fmt::format("--chrome-trace: {} passes are too many", timeline.at("passes").dump()));
  const auto seconds_of = [&](const char* key) { return timeline.at(key).get<double>(); };
  const auto stages = timeline.at("stages").get<std::int64_t>();
  json events = json::array();
  for (std::int64_t stage = 0; stage < stages; ++stage) {
    events.push_back(
        {{"ph", "M"}, {"name", "process_name"}, {"pid", stage}, {"args", {{"name", fmt::format("stage {}", stage)}}}});
    if (const double lasts = seconds_of("data_loading_seconds"); lasts > 0)
      events.push_back(event("data loading", stage, 0, lasts));
  }
  for (const json& one : timeline.at("slots")) {
    const bool backward = one.at("backward").get<bool>();
    events.push_back(event(fmt::format("{} {}", backward ? "backward" : "forward", one.at("micro_batch").dump()),
                           one.at("stage").get<std::int64_t>(), one.at("begins_seconds").get<double>(),
                           one.at("seconds").get<double>(), {{"piece", one.at("piece")}}));
  }
  const double exchange = seconds_of("exchange_seconds"), optimizer = seconds_of("optimizer_seconds"),
               ends = seconds_of("ends_seconds");
  for (std::int64_t stage = 0; stage < stages; ++stage) {
    if (exchange > 0) events.push_back(event("exchange of replicas", stage, ends - optimizer - exchange, exchange));
    if (optimizer > 0) events.push_back(event("optimizer", stage, ends - optimizer, optimizer));
  }
  return dumped({{"traceEvents", std::move(events)}, {"displayTimeUnit", "ms"}});
}

}  // namespace program
