// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// `flopledger reconcile`: what a profiler measured, row by row of the ledger.

#include <flopledger/profile/read.hpp>
#include <flopledger/profile/reconcile.hpp>
#include <flopledger/text/number.hpp>
#include <flopledger/text/table.hpp>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>

#include <fmt/format.h>

#include "device_choice.hpp"
#include "json.hpp"
#include "program.hpp"
#include "subject.hpp"

namespace program {
namespace {

using namespace flopledger;
using report::align;

constexpr std::size_t shown_strays = 12;

profile::rules rules_of(const std::vector<std::string>& given) {
  std::vector<profile::rule> own;
  for (const std::string& text : given) {
    const std::size_t equals = text.rfind('=');
    bool found = false;
    const profile::activity what = profile::find_activity(
        equals == std::string::npos ? std::string_view{} : std::string_view(text).substr(equals + 1), found);
    if (!found || equals == 0) {
      std::string kinds;
      for (int i = 0; i < profile::activity_count; ++i)
        kinds.append(i == 0 ? "" : ", ").append(profile::name_of(static_cast<profile::activity>(i)));
      throw usage_error("--rule: \"" + text + "\" is no PATTERN=KIND; kinds are " + kinds);
    }
    own.push_back({std::string_view(text).substr(0, equals), what});
  }
  return profile::rules(std::move(own));
}

profile::recording read_traces(const reconcile_request& asked, const profile::rules& names) {
  profile::recording all;
  for (const std::string& path : asked.traces) {
    std::ifstream file = opened(path);
    if (file.peek() == std::ifstream::traits_type::eof() && !file.eof())
      throw failure(path + ": cannot be read: " + std::strerror(errno));
    file.clear();
    try {
      profile::recording one = profile::read(file, path, asked.written, names);
      if (all.tool.empty())
        all = std::move(one);
      else
        profile::merge(all, std::move(one));
    } catch (const profile::unreadable& problem) {
      throw usage_error(problem.what());
    }
  }
  if (all.samples.empty())
    throw usage_error(asked.traces.front() +
                      ": a step trace alone has no operators; give the operators' table with a second --trace");
  return all;
}

struct reconciled {
  const subject& model;
  work pass;
  const accelerator* device = nullptr;
  recipe precision;
  bool steps_by_profile = false;
  profile::reconciliation found;
};

reconciled answer_to(const reconcile_request& asked) {
  reconciled all{.model = find_subject(asked.over.model), .pass = {}, .precision = {}, .found = {}};
  all.pass = pass_over(all.model, asked.over);
  all.pass.training = asked.covered != passes::forward;
  all.precision = asked.precision != nullptr ? *asked.precision : recipes::bf16::value;
  const profile::rules names = rules_of(asked.rules);

  profile::asked_of_profile question{
      .backward = asked.covered != passes::forward, .formats = {.precision = all.precision}, .devices = asked.devices};
  if (asked.device.is_given()) {
    all.device = &find_device(asked.device);
    question.on = {peak_for(*all.device, all.precision).value(), all.device->memory_bandwidth.value()};
  }
  const profile::recording seen = read_traces(asked, names);
  all.steps_by_profile = !asked.steps && seen.steps > 0;
  question.steps = asked.steps ? *asked.steps : seen.steps > 0 ? seen.steps : 1.0;
  try {
    all.found = profile::reconcile(seen, operations_of(all.model.config(), all.pass), question, names);
  } catch (const impossible_utilisation&) {
    throw usage_error(asked.traces.front() +
                      ": the model would have run above the device's peak: --batch, --sequence, --pass, --steps or "
                      "--devices are not those of the profile");
  }
  return all;
}

// For people
// ---------------------------------------------------------------------------------------------------------

std::string percent(double share) { return report::fixed(100 * share, 1) + " %"; }
std::string percent_or_dash(const std::optional<double>& share) { return share ? percent(*share) : "-"; }

std::string sizes(const product& shape) {
  if (shape.batch <= 0) return "";
  const std::string one =
      fmt::format("{}×{}×{}", report::three_digits(shape.m), report::in_full(shape.n), report::in_full(shape.k));
  return shape.batch == 1 ? one : report::in_full(shape.batch) + " of " + one;
}

std::string name_of(passes covered) {
  return covered == passes::forward ? "forward" : covered == passes::training ? "training" : "forward_backward";
}

std::string summary_of(const reconcile_request& asked, const reconciled& all) {
  const profile::reconciliation& r = all.found;
  report::table lines({{"", align::left}, {"", align::left}});
  lines.add({"model", described(all.model.config())});
  lines.add({"pass", fmt::format("{}; {}", name_of(asked.covered), described(all.model, all.pass))});
  std::string traces;
  for (const std::string& path : asked.traces) traces += (traces.empty() ? "" : ", ") + path;
  lines.add({"profile", fmt::format("{} ({})", traces, r.tool)});
  lines.add({"steps", fmt::format("{}{}", report::in_full(r.steps),
                                  asked.steps            ? ""
                                  : all.steps_by_profile ? ", by the profile's marks"
                                                         : ", assumed: the profile marks none")});
  if (all.device != nullptr)
    lines.add({"device", fmt::format("{}{}, recipe {}", r.devices > 1 ? report::in_full(r.devices) + " of " : "",
                                     std::string_view(all.device->id), all.precision.name)});
  lines.add(
      {"time", fmt::format("{} in {}{}", report::scaled(r.total),
                           r.basis == profile::measured_on::device ? "kernels of the device" : "operators of the host",
                           r.basis == profile::measured_on::device && r.host.value() > 0
                               ? "; beside it " + report::scaled(r.host) + " in operators of the host"
                               : "")});
  if (r.elapsed) lines.add({"clock", report::scaled(*r.elapsed) + ", all steps"});
  return lines.text(2);
}

std::string activities_of(const reconciled& all) {
  const profile::reconciliation& r = all.found;
  report::table table({{"activity", align::left},
                       {"time", align::right},
                       {"share", align::right},
                       {"calls", align::right},
                       {"floor", align::right},
                       {"floor/time", align::right},
                       {"", align::left}});
  for (const profile::activity_time& one : r.activities)
    table.add({std::string(profile::name_of(one.what)), report::scaled(one.took), percent(one.share),
               report::in_full(one.calls), one.floor.value() > 0 ? report::scaled(one.floor) : "-",
               one.floor.value() > 0 && one.took.value() > 0 ? percent(one.floor / one.took) : "-",
               one.explained ? "" : "no row"});
  return table.text();
}

std::string rows_of(const reconciled& all) {
  report::table table({{"row", align::left},
                       {"m×n×k", align::right},
                       {"calls", align::right},
                       {"of", align::right},
                       {"time", align::right},
                       {"FLOP/s", align::right},
                       {"seen", align::left}});
  for (const profile::row_finding& one : all.found.rows) {
    if (one.how == profile::finding::nothing_to_see) continue;
    const row& r = one.what.what;
    const bool timed = one.took.value() > 0;
    table.add({r.part == model_part::main ? std::string(r.name) : fmt::format("{}: {}", name_of(r.part), r.name),
               sizes(r.shape), one.seen_calls > 0 ? report::three_digits(one.seen_calls) : "-",
               one.expected_calls > 0 ? report::three_digits(one.expected_calls) : "-",
               timed ? report::scaled(one.took) : "-", timed ? report::scaled((one.seen / one.took).value(), "") : "-",
               std::string(profile::name_of(one.how))});
  }
  return table.text();
}

std::string strays_of(const reconciled& all) {
  const auto& strays = all.found.strays;
  if (strays.empty()) return "Nothing was seen that has neither a row nor a name.\n";
  report::table table(
      {{"no row explains", align::left}, {"m×n×k", align::right}, {"calls", align::right}, {"time", align::right}});
  for (std::size_t i = 0; i < strays.size() && i < shown_strays; ++i)
    table.add({strays[i].name.substr(0, 60), sizes(strays[i].shape), report::in_full(strays[i].calls),
               report::scaled(strays[i].took)});
  std::string text = table.text();
  if (strays.size() > shown_strays)
    text += fmt::format("... and {} more (all of them in --json)\n", strays.size() - shown_strays);
  return text;
}

std::string result_of(const reconciled& all) {
  const profile::reconciliation& r = all.found;
  report::table lines({{"", align::left}, {"", align::right}, {"", align::left}});
  const auto of_total = [&](seconds part) { return percent(r.total.value() > 0 ? part.value() / r.total.value() : 0); };
  lines.add({"coverage", percent(r.coverage()), "of the time is in what rows of the ledger stand for"});
  lines.add({"remainder", percent(r.remainder()), ""});
  lines.add({"  known, without a row", of_total(r.known), "communication, copies, optimizer, framework"});
  lines.add({"  products of other sizes", of_total(r.mismatched), r.has_shapes ? "" : "the profile has no shapes"});
  lines.add({"  without a rule", of_total(r.unnamed), ""});
  lines.add({"products, by the ledger", report::scaled(r.expected), ""});
  lines.add({"  found by shape", r.has_shapes ? percent(r.product_coverage()) : "-", ""});
  lines.add({"  by the profile's shapes", r.has_shapes ? report::scaled(r.shaped) : "-", ""});
  lines.add({"  counted by the profiler", r.counted ? report::scaled(*r.counted) : "-",
             r.counted && r.counted->value() < r.expected.value() * (1 - 1e-3)
                 ? "fewer: it has no formula for what it did not count (fused attention shows 0)"
                 : ""});
  lines.add({"communication", percent_or_dash(r.communication),
             !r.communication ? "the profile does not say"
             : r.elapsed      ? "of the clock"
                              : "of what ran; the profile has no clock"});
  lines.add({"  not hidden", percent_or_dash(r.exposed_communication), ""});
  lines.add({"idle", percent_or_dash(r.idle), r.idle ? "" : "the profile has no timeline of a device"});
  lines.add({"achieved", r.achieved ? report::scaled(*r.achieved) : "-",
             r.achieved ? "model FLOPs over the clock" : "the profile has no clock"});
  lines.add({"MFU", percent_or_dash(r.mfu), all.device != nullptr ? "" : "--device is not given"});
  return lines.text();
}

std::string for_people(const reconcile_request& asked, const reconciled& all) {
  const std::string note =
      all.device != nullptr && all.found.basis == profile::measured_on::host
          ? fmt::format("\nThe times are those of the host, the floors those of {}: no kernel is in the profile.",
                        std::string_view(all.device->id))
          : "";
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}", all.model.name, summary_of(asked, all), activities_of(all), rows_of(all),
                     strays_of(all), result_of(all)) +
         "\nTime is that of the events themselves, nested ones taken out; floors are the roofline's, nothing lost." +
         note + '\n';
}

// For programs
// -------------------------------------------------------------------------------------------------------

template <class Quantity>
json value_or_null(const std::optional<Quantity>& value) {
  if (!value) return nullptr;
  if constexpr (std::is_same_v<Quantity, double>)
    return *value;
  else
    return value->value();
}

json shape_of(const product& shape) {
  if (shape.batch <= 0) return nullptr;
  json sizes_of_it;
  for (const auto& [key, value] : {std::pair{"batch", shape.batch}, {"m", shape.m}, {"n", shape.n}, {"k", shape.k}})
    put_number(sizes_of_it, key, value);
  return sizes_of_it;
}

json for_programs(const reconcile_request& asked, const reconciled& all) {
  const profile::reconciliation& r = all.found;
  json answer;
  answer["model"] = all.model.name;
  answer["pass"] = name_of(asked.covered);
  put_number(answer, "batch", all.pass.run.count);
  put_number(answer, "sequence", all.pass.run.length);
  answer["traces"] = asked.traces;
  answer["tool"] = r.tool;
  put_number(answer, "steps", r.steps);
  answer["steps_assumed"] = !asked.steps && !all.steps_by_profile;
  answer["device"] = all.device == nullptr ? json(nullptr) : json(std::string(std::string_view(all.device->id)));
  put_number(answer, "devices", r.devices);
  answer["recipe"] = all.precision.name;
  answer["basis"] = profile::name_of(r.basis);
  answer["has_shapes"] = r.has_shapes;
  answer["total_seconds"] = r.total.value();
  answer["elapsed_seconds"] = value_or_null(r.elapsed);
  answer["host_seconds"] = r.host.value();
  answer["coverage"] = r.coverage();
  answer["remainder"] = {{"share", r.remainder()},
                         {"known_seconds", r.known.value()},
                         {"other_sizes_seconds", r.mismatched.value()},
                         {"without_rule_seconds", r.unnamed.value()}};
  put_number(answer, "ledger_matmul_flops", r.expected.value());
  put_number(answer, "matched_matmul_flops", r.matched.value());
  put_number(answer, "shaped_matmul_flops", r.shaped.value());
  answer["product_coverage"] = r.product_coverage();
  if (r.counted)
    put_number(answer, "profiler_flops", r.counted->value());
  else
    answer["profiler_flops"] = nullptr;
  answer["communication_share"] = value_or_null(r.communication);
  answer["exposed_communication_share"] = value_or_null(r.exposed_communication);
  answer["idle_share"] = value_or_null(r.idle);
  answer["achieved_flops_per_second"] = value_or_null(r.achieved);
  answer["mfu"] = value_or_null(r.mfu);
  answer["activities"] = json::array();
  for (const profile::activity_time& one : r.activities) {
    json line{{"activity", profile::name_of(one.what)},
              {"seconds", one.took.value()},
              {"share", one.share},
              {"explained", one.explained},
              {"floor_seconds", one.floor.value() > 0 ? json(one.floor.value()) : json(nullptr)}};
    put_number(line, "calls", one.calls);
    answer["activities"].push_back(line);
  }
  answer["rows"] = json::array();
  for (const profile::row_finding& one : r.rows) {
    json line{{"name", one.what.what.name},
              {"part", name_of(one.what.what.part)},
              {"kind", flopledger::name_of(one.what.what.kind)},
              {"repeat", one.what.times},
              {"shape", shape_of(one.what.what.shape)},
              {"finding", profile::name_of(one.how)},
              {"seconds", one.took.value()},
              {"floor_seconds", one.floor.value() > 0 ? json(one.floor.value()) : json(nullptr)}};
    put_number(line, "expected_calls", one.expected_calls);
    put_number(line, "seen_calls", one.seen_calls);
    put_number(line, "expected_flops", one.expected.value());
    put_number(line, "seen_flops", one.seen.value());
    answer["rows"].push_back(line);
  }
  answer["unexplained"] = json::array();
  for (const profile::stray& one : r.strays) {
    json line{{"name", one.name},
              {"activity", profile::name_of(one.what)},
              {"shape", shape_of(one.shape)},
              {"seconds", one.took.value()}};
    put_number(line, "calls", one.calls);
    answer["unexplained"].push_back(line);
  }
  return answer;
}

}  // namespace

reply reconcile(const reconcile_request& asked, output how) {
  const reconciled all = answer_to(asked);
  return how == output::programs ? reply(for_programs(asked, all)) : reply(for_people(asked, all));
}

}  // namespace program
