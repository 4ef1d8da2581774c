// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// Commands about one pass of a model, and lists.

#include <map>
#include <string>

#include "document.hpp"
#include "option_choices.hpp"
#include "option_table.hpp"
#include "program.hpp"
#include "requests.hpp"

namespace program {
namespace {

using flopledger::head_positions;
using flopledger::product_counting;

void add_work(option_table& options, work_request& asked) {
  options.model(asked.model);
  options.count("batch", asked.batch, 1, "sequences", "1");
  options.count("sequence", asked.sequence, 1, "new tokens a sequence",
                "4096, or the model's context where that is shorter; 1 with --context");
  options.count("context", asked.context, 0,
                "tokens that each sequence has cached already: a decode step, whose new tokens attend to these too");
  options.count("source", asked.source, 1, "encoder tokens a sequence, of an encoder-decoder",
                "the model's own number, or as many as new ones");
  options.count("images", asked.images, 0, "images a sequence, of a model that reads both", "0");
  options.choice("attention", asked.attention, attention_countings(),
                 "which pairs of tokens count: all of the square, the exact triangle, or half of the square", "full");
  options.choice("head", asked.head,
                 std::map<std::string, head_positions>{{"every", head_positions::every_token},
                                                       {"last", head_positions::last_token}},
                 "logits of every new token, or of the last one of each sequence", "every; last with --context");
}

const std::string about_operations =
    "In --json, each of `operations` has the numbers of one instance, and `repeat` says how often the model holds\n"
    "it: sum(repeat * macs) is forward_macs.";

/// A count by the ledger, or by another tool's rules.
reply answer_count(const convention_request& asked, output how) {
  option_table& options = find_command("count")->options;
  const bool by_tool = options.given("convention");
  for (const char* key : {"against", "written_in"})
    if (!by_tool && options.given(key))
      throw usage_error(option_table::name_of_key(key) + ": needs --convention, whose count it is about");
  if (by_tool && options.given("products")) throw usage_error("--products: a convention has its own rule for products");
  return by_tool ? count_by_convention(asked, how) : count(asked, how);
}

struct nothing {};
reply answer_schema(const nothing&, output how) { return schema(how); }

}  // namespace

void describe_passes(std::deque<command>& all) {
  report_request& asked = add_command<report_request>(
      all, "report", "the books of a model on a device: a pass, training or serving", &report);
  all.back().documented = &document_of_pass;
  all.back().shows_bars = true;
  option_table& options = all.back().options;
  add_work(options, asked);
  options.device(asked.device);
  options.count("devices", asked.devices, 1, "how many share the pass evenly, communication left out",
                "1; of train the product of its degrees, of serve its tensor degree");
  options.choice("recipe", asked.recipe, serving_recipes(), "number formats",
                 "the quantization of the config.json, or bf16; of train mixed-bf16");
  options.choice("attention_kernel", asked.kernel, choices_of<flopledger::attention_kernel>(),
                 "whether the matrix of scores stays on the chip or goes through memory", "fused");
  all.back().footer =
      "Times are floors: products at the dense peak, bytes at the memory's bandwidth, nothing lost. Every operation\n"
      "reads its operands and writes its results once: floor_seconds is the sum of the longer time of each,\n"
      "floor_overlapped_seconds the longer of the two sums.\n" +
      about_operations +
      "\n`flopledger report MODEL --device DEVICE train OPTIONS` is the memory and the step of a training job "
      "instead,\n"
      "`... serve OPTIONS` those of serving.";

  convention_request& counted = add_command<convention_request>(
      all, "count", "parameters, multiply-adds and FLOPs of a model, exactly", &answer_count);
  option_table& of_count = all.back().options;
  add_work(of_count, counted);
  of_count.choice("products", counted.products,
                  std::map<std::string, product_counting>{{"conventional", product_counting::conventional},
                                                          {"strict", product_counting::strict}},
                  "FLOPs of an m×k by k×n product: 2mkn, or mkn multiplications and mn(k-1) additions", "conventional");
  of_count.text("convention", counted.convention, "TOOL",
                "what another tool prints: a name or letter that `flopledger conventions` lists");
  of_count.text("against", counted.against, "TOOL",
                "a second one, and the rows that they charge differently (needs --convention)");
  of_count.text("written_in", counted.written_in, "NAME", "how the model is written, of tools that see calls",
                "as Hugging Face writes it");
  all.back().footer =
      about_operations + "\nCounts are integers in full. One that is beyond 2^53, or is none, is listed in `rounded`.";
}

void describe_files(std::deque<command>& all) {
  check_request& asked = add_command<check_request>(
      all, "check", "weight files beside a model: tensors that are missing, unknown or of another shape or format",
      &check);
  option_table& options = all.back().options;
  options.model(asked.model);
  options
      .texts("files", asked.files, "FILES",
             "of one checkpoint: .safetensors, .safetensors.index.json, .gguf, or a folder that holds them; left out: "
             "those "
             "that MODEL is or holds")
      .positional = true;
  all.back().footer =
      "Headers alone are read. Exit status: 0 where all is the same, 1 where something differs, 2 where "
      "nothing was compared.";
}

void describe_lists(std::deque<command>& all) {
  const auto add_filter = [&](list_request& asked) {
    all.back()
        .options.text("filter", asked.filter, "TEXT", "only what holds this text, capitals or not", "all of them")
        .positional = true;
  };
  const auto add = [&](const char* name, const char* about, reply (*answer)(const list_request&, output)) {
    add_filter(add_command<list_request>(all, name, about, answer));
  };
  auto& models = add_command<model_list_request>(all, "models", "the models that have a name", &list_models);
  add_filter(models);
  all.back().options.flag("architectures", models.architectures, true,
                          "the architectures whose config.json can be MODEL, in place of models");
  add("devices", "the devices, with their dense peaks, memory and bandwidth", &list_devices);
  all.back().footer =
      "? marks a figure on which sources disagree, or that one weak source has; - one that is not published.";
  add("conventions", "the counting conventions that have a name, and their units", &list_conventions);
  add_command<nothing>(all, "schema", "what a request of `flopledger batch` may say, key by key", &answer_schema);
}

}  // namespace program
