// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "options.hpp"

#include <charconv>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <system_error>

#include <CLI/CLI.hpp>

#include "program.hpp"

namespace program {
namespace {

using flopledger::attention_counting;
using flopledger::attention_kernel;
using flopledger::head_positions;
using flopledger::product_counting;

/// Beyond it no count of a pass is exact, and no machine in sight runs it.
constexpr std::int64_t largest = 1'000'000'000;

/// CLI11 would take 010 for eight and 1e3 for one; a count is decimal digits and nothing else.
double whole_number(const std::string& text, std::int64_t least, const std::string& option) {
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem == std::errc::invalid_argument || end != text.data() + text.size())
    throw usage_error(option + ": \"" + text + "\" is not a whole number");
  if (problem != std::errc{} || value < least || value > largest)
    throw usage_error(option + ": " + text + " is not between " + std::to_string(least) + " and " +
                      std::to_string(largest));
  return static_cast<double>(value);
}

template <class Value>
void add_number(CLI::App& command, const std::string& option, Value& target, std::int64_t least,
                const std::string& about) {
  command
      .add_option_function<std::string>(
          option, [&target, option, least](const std::string& text) { target = whole_number(text, least, option); },
          about)
      ->type_name("N");
}

template <class Value, class Choice>
void add_choice(CLI::App& command, const std::string& option, Value& target,
                const std::map<std::string, Choice>& choices, const std::string& about) {
  std::string names;
  for (const auto& [name, value] : choices) names += (names.empty() ? "" : "|") + name;
  command
      .add_option_function<std::string>(
          option,
          [&target, option, choices, names](const std::string& text) {
            const auto found = choices.find(text);
            if (found == choices.end()) throw usage_error(option + ": \"" + text + "\" is none of " + names);
            target = found->second;
          },
          about)
      ->type_name(names);
}

void add_work(CLI::App& command, work_request& asked) {
  command.add_option("MODEL", asked.model, "a name that `flopledger models` lists, or the path of a config.json")
      ->required()
      ->type_name("");
  add_number(command, "--batch", asked.batch, 1, "sequences (default 1)");
  add_number(command, "--sequence", asked.sequence, 1,
             "new tokens a sequence (default 4096, or the model's\ncontext where that is shorter; 1 with --context)");
  add_number(command, "--context", asked.context, 0,
             "tokens that each sequence has cached already: a decode\nstep, whose new tokens attend to these too");
  add_number(
      command, "--source", asked.source, 1,
      "encoder tokens a sequence, of an encoder-decoder\n(default: the model's own number, or as many as new ones)");
  add_number(command, "--images", asked.images, 0, "images a sequence, of a model that reads both (default 0)");
  add_choice(
      command, "--attention", asked.attention,
      std::map<std::string, attention_counting>{{"full", attention_counting::full},
                                                {"causal", attention_counting::causal},
                                                {"half", attention_counting::causal_half}},
      "which pairs of tokens count: all of the square (full,\nthe default), the exact triangle, or half of the square");
  add_choice(command, "--head", asked.head,
             std::map<std::string, head_positions>{{"every", head_positions::every_token},
                                                   {"last", head_positions::last_token}},
             "logits of every new token (default), or of the last one\nof each sequence (default with --context)");
}

const std::string about_operations =
    "In --json, each of `operations` has the numbers of one instance, and `repeat` says how often the model holds\n"
    "it: sum(repeat * macs) is forward_macs.";

struct json_flag {
  bool wanted = false;
  output how() const { return wanted ? output::json : output::people; }
};

void add_json(CLI::App& command, json_flag& json) {
  command.add_flag("--json", json.wanted, "the same numbers for programs");
}

}  // namespace

void add_report(CLI::App& app, std::function<std::string()>& answer) {
  struct settings {
    report_request asked;
    json_flag json;
  };
  const auto given = std::make_shared<settings>();
  CLI::App& command =
      *app.add_subcommand("report", "the books of a model on a device: memory, traffic, least time")->group("Commands");
  add_work(command, given->asked);
  command.add_option("--device", given->asked.device, "a name that `flopledger devices` lists")
      ->required()
      ->type_name("DEVICE");
  add_number(command, "--devices", given->asked.devices, 1,
             "how many share the pass evenly, communication left out\n(default 1)");
  std::map<std::string, const flopledger::recipe*> recipes;
  for (const flopledger::recipe* known : flopledger::recipes::all) recipes.emplace(known->name, known);
  add_choice(command, "--recipe", given->asked.recipe, recipes,
             "number formats (default: the quantization of the\nconfig.json, or bf16)");
  add_choice(command, "--attention-kernel", given->asked.kernel,
             std::map<std::string, attention_kernel>{{"fused", attention_kernel::fused},
                                                     {"explicit", attention_kernel::explicit_matrix}},
             "whether the matrix of scores stays on the chip (fused,\nthe default) or goes through memory");
  add_json(command, given->json);
  command.footer(
      "Times are floors: products at the dense peak, bytes at the memory's bandwidth, nothing lost. Every operation\n"
      "reads its operands and writes its results once: floor_seconds is the sum of the longer time of each,\n"
      "floor_overlapped_seconds the longer of the two sums.\n" +
      about_operations);
  command.callback([given, &answer] { answer = [given] { return report(given->asked, given->json.how()); }; });
}

void add_count(CLI::App& app, std::function<std::string()>& answer) {
  struct settings {
    work_request asked;
    json_flag json;
  };
  const auto given = std::make_shared<settings>();
  CLI::App& command =
      *app.add_subcommand("count", "parameters, multiply-adds and FLOPs of a model, exactly")->group("Commands");
  add_work(command, given->asked);
  add_choice(command, "--products", given->asked.products,
             std::map<std::string, product_counting>{{"conventional", product_counting::conventional},
                                                     {"strict", product_counting::strict}},
             "FLOPs of an m×k by k×n product: 2mkn (default), or mkn\nmultiplications and mn(k-1) additions");
  add_json(command, given->json);
  command.footer(about_operations +
                 "\nCounts are integers in full. One that is beyond 2^53, or is none, is listed in `rounded`.");
  command.callback([given, &answer] { answer = [given] { return count(given->asked, given->json.how()); }; });
}

void add_lists(CLI::App& app, std::function<std::string()>& answer) {
  const auto json = std::make_shared<json_flag>();
  CLI::App& models = *app.add_subcommand("models", "the models that have a name")->group("Commands");
  add_json(models, *json);
  models.callback([json, &answer] { answer = [json] { return list_models(json->how()); }; });
  CLI::App& devices =
      *app.add_subcommand("devices", "the devices, with their dense peaks, memory and bandwidth")->group("Commands");
  add_json(devices, *json);
  devices.footer(
      "? marks a figure on which sources disagree, or that one weak source has; - one that is not published.");
  devices.callback([json, &answer] { answer = [json] { return list_devices(json->how()); }; });
}

}  // namespace program
