// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "calibrate.hpp"

#include <flopledger/text/number.hpp>

#include <algorithm>
#include <fstream>
#include <vector>

#include <fmt/format.h>

#include "program.hpp"
#include "requests.hpp"
#include "subject.hpp"

namespace program {
namespace {

using namespace flopledger;

/// What `explain` says of a step: the groups of its communication, and all else as one part.
measured_run run_of(const std::string& line) {
  request asked = read_request(line);
  const auto named = std::find_if(asked.begin(), asked.end(), [](const field& one) { return one.key == "command"; });
  if (named == asked.end())
    asked.push_back({.key = "command", .text = "explain"});
  else if (named->text != "explain")
    throw usage_error("command: a measured step is a request of explain, not of " + named->text);
  const json answered = answer(asked, output::programs).value;
  const json& exposed = answered["exposed_communication_seconds"];
  const auto of_group = [&](const char* group) { return exposed[group].get<double>() * unit::second; };
  step_time step{.tensor_communication = of_group("tensor"),
                 .context_communication = of_group("context"),
                 .expert_communication = of_group("expert"),
                 .pipeline_communication = of_group("pipeline"),
                 .data_communication = of_group("data"),
                 .data_loading = answered["data_loading_seconds"].get<double>() * unit::second};
  step.forward = answered["predicted_seconds"].get<double>() * unit::second - step.total();
  return {step, answered["measured_seconds"].get<double>() * unit::second};
}

}  // namespace

run_calibration calibration_by(const std::string& file) {
  std::ifstream lines = opened(file);
  std::vector<measured_run> runs;
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    try {
      runs.push_back(run_of(line));
    } catch (const usage_error& problem) {
      throw usage_error(fmt::format("--calibrate: {}, line {}: {}", file, number, problem.what()));
    }
  }
  if (runs.empty()) throw usage_error(fmt::format("--calibrate: {} has no run", file));
  return {file, calibrate(runs), leave_one_out(runs)};
}

std::string described(const run_calibration& by) {
  std::string text =
      fmt::format("Calibrated by {} of {}: ", counted(static_cast<std::int64_t>(by.errors.runs), "run"), by.file);
  const char* separator = "";
  for (const calibrated_factor& factor : {by.made.kernels, by.made.network}) {
    text += factor.identified
                ? fmt::format("{}{} x {} ({})", separator, factor.name, report::fixed(factor.value, 3), factor.of)
                : fmt::format("{}{} as assumed, which the runs do not identify", separator, factor.name);
    separator = "; ";
  }
  if (by.errors.runs < 2) return text + ".\nOne run leaves no error to print: more of them give a band.\n";
  return text + fmt::format(".\nEach run by the others, predicted over measured less one: from {:+.1f} to {:+.1f} %.\n",
                            100 * by.errors.lowest, 100 * by.errors.highest);
}

json as_json(const run_calibration& by) {
  json made;
  made["file"] = by.file;
  made["runs"] = by.errors.runs;
  made["factors"] = json::array();
  for (const calibrated_factor& factor : {by.made.kernels, by.made.network}) {
    json one;
    one["name"] = factor.name;
    one["of"] = factor.of;
    one["factor"] = factor.value;
    one["identified"] = factor.identified;
    made["factors"].push_back(std::move(one));
  }
  made["leave_one_out_percent"] = nullptr;
  if (by.errors.runs > 1) made["leave_one_out_percent"] = {100 * by.errors.lowest, 100 * by.errors.highest};
  return made;
}

}  // namespace program
