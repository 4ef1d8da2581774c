// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// `flopledger compare`: what `report ... serve` and `report ... train` answer for several devices, side by side.

#include <flopledger/text/number.hpp>
#include <flopledger/text/table.hpp>

#include <string>
#include <vector>

#include <fmt/format.h>

#include "device_choice.hpp"
#include "fits.hpp"
#include "json.hpp"
#include "subject.hpp"
#include "training_job.hpp"

namespace program {
namespace {

using namespace flopledger;
using report::align;

/// Answers of one device; null where it cannot be asked so, for which `why` has the reasons.
struct compared_device {
  const accelerator& device;
  json serve, train;
  std::vector<std::string> why{};
};

compared_device answers_of(const compare_request& asked, const std::string& name) {
  compared_device found{.device = find_device({.name = name}), .serve = {}, .train = {}};
  const auto ask = [&](json& into, auto&& answer) {
    try {
      into = answer().value;
    } catch (const usage_error& problem) {
      found.why.emplace_back(problem.what());
    }
  };
  ask(found.serve, [&] {
    serving_request served;
    served.model = asked.model;
    served.device.name = name;
    served.recipe = asked.recipe;
    served.prompt = asked.prompt;
    served.output = asked.output;
    served.concurrency = asked.concurrency;
    served.tensor = asked.tensor;
    return report_serving(served, output::programs);
  });
  ask(found.train, [&] {
    training_request trained;
    trained.model = asked.model;
    trained.device.name = name;
    trained.sequence = asked.sequence;
    trained.layout.data = asked.data;
    trained.layout.sharding = zero::weights;
    return report_training(trained, output::programs);
  });
  return found;
}

/// The number at a path of an answer, printed; "-" where there is none.
template <class Print>
std::string at(const json& answer, const char* path, const Print& print) {
  const json::json_pointer pointer(path);
  if (!answer.contains(pointer)) return "-";
  const json& value = answer.at(pointer);
  return value.is_number() ? print(value.get<double>()) : "-";
}
std::string bytes_at(const json& answer, const char* path) {
  return at(answer, path, [](double n) { return report::scaled_binary(n * unit::byte); });
}
std::string time_at(const json& answer, const char* path) {
  return at(answer, path, [](double n) { return report::scaled(n * unit::second); });
}
std::string number_at(const json& answer, const char* path) { return at(answer, path, report::three_digits); }
std::string fits_in(const json& answer) {
  const json::json_pointer fits("/memory/fits");
  if (!answer.contains(fits) || !answer.at(fits).is_boolean()) return "-";
  return answer.at(fits).get<bool>() ? "yes" : "no";
}

std::string table_of(const std::vector<compared_device>& all) {
  std::vector<report::column> columns{{"", align::left}};
  for (const compared_device& one : all) columns.push_back({std::string(std::string_view(one.device.id))});
  report::table table(columns);
  const auto add = [&](const char* name, auto&& cell) {
    std::vector<std::string> cells{name};
    for (const compared_device& one : all) cells.push_back(cell(one));
    table.add(std::move(cells));
  };
  const auto figure_or_dash = [](const auto& figure, auto&& print) {
    return figure.is_known() ? print(figure.value()) + doubt(figure.is_doubtful()) : std::string("-");
  };
  const auto scaled = [](const auto& value) { return report::scaled(value); };
  add("memory", [&](const compared_device& one) {
    return figure_or_dash(memory_of(one.device), [](bytes n) { return report::scaled_binary(n); });
  });
  add("bandwidth", [&](const compared_device& one) { return figure_or_dash(one.device.memory_bandwidth, scaled); });
  add("bf16 peak", [&](const compared_device& one) { return figure_or_dash(one.device.bf16, scaled); });
  add("power", [&](const compared_device& one) {
    return figure_or_dash(one.device.tdp, [](watts n) { return report::three_digits(n.value()) + " W"; });
  });
  add("serving needs", [](const compared_device& one) { return bytes_at(one.serve, "/memory/total_bytes"); });
  add("  fits", [](const compared_device& one) { return fits_in(one.serve); });
  add("  most sequences", [](const compared_device& one) {
    return at(one.serve, "/memory/max_concurrency", [](double n) { return report::in_full(n); });
  });
  const std::pair<const char*, const char*> times[] = {{"  to first token", "/time/time_to_first_token_seconds"},
                                                       {"    floor", "/time/time_to_first_token_floor_seconds"},
                                                       {"  per output token", "/time/time_per_output_token_seconds"},
                                                       {"    floor", "/time/time_per_output_token_floor_seconds"}};
  for (const auto& [name, path] : times)
    add(name, [path = path](const compared_device& one) { return time_at(one.serve, path); });
  add("  tokens a second",
      [](const compared_device& one) { return number_at(one.serve, "/time/output_tokens_per_second"); });
  add("training needs", [](const compared_device& one) { return bytes_at(one.train, "/memory/total_bytes"); });
  add("  fits", [](const compared_device& one) { return fits_in(one.train); });
  add("  step", [](const compared_device& one) { return time_at(one.train, "/time/step_seconds"); });
  add("    floor", [](const compared_device& one) { return time_at(one.train, "/time/floor_seconds"); });
  add("  tokens a second", [](const compared_device& one) { return number_at(one.train, "/time/tokens_per_second"); });
  return table.text();
}

}  // namespace

reply compare(const compare_request& asked, output how) {
  const subject& model = find_subject(asked.model);
  std::vector<compared_device> all;
  for (const std::string& name : asked.devices) all.push_back(answers_of(asked, name));
  if (how == output::people) {
    const std::int64_t sequence = asked.sequence.value_or(sequence_of(model.config()));
    std::string text =
        fmt::format("{}\n  serving   {} at once, prompts of {}, {} out, on {}\n  training  {} of {} on {}, ZeRO-3\n\n",
                    model.name, counted(asked.concurrency, "sequence"), counted(asked.prompt, "token"),
                    counted(asked.output, "token"), counted(asked.tensor, "device"), counted(asked.data, "sequence"),
                    counted(sequence, "token"), counted(asked.data, "device"));
    text += table_of(all);
    for (const compared_device& one : all)
      for (const std::string& reason : one.why)
        text += fmt::format("{}: {}\n", std::string_view(one.device.id), reason);
    return reply(std::move(text));
  }
  json whole;
  whole["model"] = model.name;
  json& devices = whole["devices"] = json::array();
  for (compared_device& one : all) {
    json answer;
    answer["device"] = std::string_view(one.device.id);
    answer["serve"] = std::move(one.serve);
    answer["train"] = std::move(one.train);
    answer["refused"] = one.why;
    devices.push_back(std::move(answer));
  }
  return reply(std::move(whole));
}

}  // namespace program
