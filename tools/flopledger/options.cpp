// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "options.hpp"

#include <map>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "option_kinds.hpp"
#include "program.hpp"

namespace program {
namespace {

using flopledger::attention_counting;
using flopledger::attention_kernel;
using flopledger::head_positions;
using flopledger::product_counting;

void add_work(CLI::App& command, work_request& asked) {
  add_model(command, asked.model);
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

/// What stands before `train` or `serve` and is of a forward pass alone.
void refuse_options_of_a_pass(const CLI::App& report, const std::string& job) {
  for (const char* option :
       {"--batch", "--sequence", "--context", "--source", "--images", "--attention", "--head", "--attention-kernel"})
    if (report.count(option) > 0)
      throw usage_error(std::string(option) + ": an option of a forward pass, and `" + job +
                        "` is asked for; its own options stand behind it (see flopledger report " + job + " --help)");
}

}  // namespace

void add_report(CLI::App& app, std::function<std::string()>& answer) {
  struct settings {
    report_request asked;
    training_request training;
    serving_request serving;
    json_flag json;
  };
  const auto given = std::make_shared<settings>();
  CLI::App& command =
      *app.add_subcommand("report", "the books of a model on a device: a pass, training or serving")->group("Commands");
  add_work(command, given->asked);
  // Not required of the parser: it would take the word `train` for the model of `report train --help`.
  command.get_option("MODEL")->required(false);
  add_device(command, given->asked.device);
  add_number(command, "--devices", given->asked.devices, 1,
             "how many share the pass evenly, communication left out\n(default 1; of train the product of its degrees, "
             "of serve\n"
             "its tensor degree)");
  add_choice(command, "--recipe", given->asked.recipe, all_recipes(),
             "number formats (default: the quantization of the\nconfig.json, or bf16; of train mixed-bf16)");
  add_choice(command, "--attention-kernel", given->asked.kernel,
             std::map<std::string, attention_kernel>{{"fused", attention_kernel::fused},
                                                     {"explicit", attention_kernel::explicit_matrix}},
             "whether the matrix of scores stays on the chip (fused,\nthe default) or goes through memory");
  add_json(command, given->json);
  command.footer(
      "Times are floors: products at the dense peak, bytes at the memory's bandwidth, nothing lost. Every operation\n"
      "reads its operands and writes its results once: floor_seconds is the sum of the longer time of each,\n"
      "floor_overlapped_seconds the longer of the two sums.\n" +
      about_operations +
      "\n`flopledger report MODEL --device DEVICE train OPTIONS` is the memory and the step of a training job "
      "instead,\n"
      "`... serve OPTIONS` those of serving.");

  CLI::App& train = *command.add_subcommand("train", "memory by stage and time by cause of a training job");
  train.group("Jobs");
  train.fallthrough();
  add_training_options(train, given->training);
  CLI::App& serve = *command.add_subcommand("serve", "memory, latency and throughput of serving");
  serve.group("Jobs");
  serve.fallthrough();
  add_serving_options(serve, given->serving);
  command.require_subcommand(0, 1);

  command.callback([given, &command, &train, &serve, &answer] {
    if (command.count("MODEL") == 0) throw usage_error("MODEL is required");
    const auto pass_on = [&](auto& job, const std::string& name) {
      refuse_options_of_a_pass(command, name);
      job.model = given->asked.model;
      job.device = given->asked.device;
      job.recipe = given->asked.recipe;
      if (command.count("--devices") > 0) job.devices = static_cast<std::int64_t>(given->asked.devices);
    };
    if (train.parsed()) {
      pass_on(given->training, "train");
      answer = [given] { return report_training(given->training, given->json.how()); };
    } else if (serve.parsed()) {
      pass_on(given->serving, "serve");
      answer = [given] { return report_serving(given->serving, given->json.how()); };
    } else {
      answer = [given] { return report(given->asked, given->json.how()); };
    }
  });
}

void add_count(CLI::App& app, std::function<std::string()>& answer) {
  struct settings {
    convention_request asked;
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
  command
      .add_option("--convention", given->asked.convention,
                  "what another tool prints: a name or letter that\n`flopledger conventions` lists")
      ->type_name("TOOL");
  command
      .add_option("--against", given->asked.against,
                  "a second one, and the rows that they charge differently\n(needs --convention)")
      ->type_name("TOOL");
  command
      .add_option("--written-in", given->asked.written_in,
                  "how the model is written, of tools that see calls\n(default: as Hugging Face writes it)")
      ->type_name("NAME");
  add_json(command, given->json);
  command.footer(about_operations +
                 "\nCounts are integers in full. One that is beyond 2^53, or is none, is listed in `rounded`.");
  command.callback([given, &command, &answer] {
    const bool by_tool = command.count("--convention") > 0;
    for (const char* option : {"--against", "--written-in"})
      if (!by_tool && command.count(option) > 0)
        throw usage_error(std::string(option) + ": needs --convention, whose count it is about");
    if (by_tool && command.count("--products") > 0)
      throw usage_error("--products: a convention has its own rule for products");
    answer = [given, by_tool] {
      return by_tool ? count_by_convention(given->asked, given->json.how()) : count(given->asked, given->json.how());
    };
  });
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
  CLI::App& conventions =
      *app.add_subcommand("conventions", "the counting conventions that have a name, and their units")
           ->group("Commands");
  add_json(conventions, *json);
  conventions.callback([json, &answer] { answer = [json] { return list_conventions(json->how()); }; });
}

}  // namespace program
