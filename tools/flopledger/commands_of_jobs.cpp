// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// Commands about jobs on devices: training, serving, and what was measured of them.

#include <flopledger/text/closest.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>

#include "changed_members.hpp"
#include "document.hpp"
#include "option_choices.hpp"
#include "option_table.hpp"
#include "plans.hpp"
#include "program.hpp"
#include "sensitivity.hpp"
#include "training_options.hpp"

namespace program {
namespace {

using flopledger::number_format;
using flopledger::pipeline_schedule;
using flopledger::recompute;
using flopledger::zero;

constexpr double longest_time = 1e9;

/// "data=90,tensor=70", in per cent.
void add_overlap(option_table& options, hidden_shares& hidden) {
  options.under("Links");
  options.other("overlap", "GROUP=PERCENT,...",
                "share of a group's traffic that runs beside computation: data=90,tensor=70", "the framework's",
                [&hidden](const std::string& text) {
                  for_each_part(text, [&hidden](const std::string& one) {
                    const std::map<std::string_view, std::optional<double>*> groups{{"tensor", &hidden.tensor},
                                                                                    {"context", &hidden.context},
                                                                                    {"expert", &hidden.expert},
                                                                                    {"pipeline", &hidden.pipeline},
                                                                                    {"data", &hidden.data}};
                    const std::string name = one.substr(0, one.find('='));
                    const auto found = groups.find(name);
                    if (found == groups.end() || one.size() == name.size())
                      throw usage_error("--overlap: \"" + one +
                                        "\" is no GROUP=PERCENT; groups: context, data, expert, pipeline, tensor");
                    *found->second = real_number(one.substr(name.size() + 1), 0, 100, "--overlap " + name) / 100;
                  });
                });
}

/// One of a catalogue by its name, or with members changed: frameworks, engines.
template <class Value, std::size_t Count>
void add_named(option_table& options, const char* key, const Value* const (&all)[Count], const Value*& target,
               changed_members& members, const std::string& about, const Value& standard) {
  std::string names;
  for (const Value* known : all) (names += names.empty() ? "" : ", ").append(known->name);
  const auto find = [&target, &all, names](const std::string& name, const std::string& of) {
    for (const Value* known : all)
      if (known->name == name) {
        target = known;
        return;
      }
    flopledger::text::nearest<std::string_view> near{name};
    for (const Value* known : all) near.offer(known->name, flopledger::text::edits(name, known->name));
    throw usage_error(of + ": \"" + name + "\" is none of " + names +
                      (near.size > 0 ? "; the closest: " + std::string(near.entries[0]) : ""));
  };
  const auto read = [&members, find, standard = std::string(standard.name),
                     name = option_table::name_of_key(key)](const std::string& text) {
    if (!holds_members(text)) return find(text, name);
    std::string base = standard;
    members = read_members(text, name, base);
    find(base, members.of + ": base");
  };
  options
      .other(key, "NAME|FILE.json", about + ": " + names + "; or with members changed", std::string(standard.name),
             read)
      .takes_object = true;
}

/// A way by name, or kinds of operations joined by commas.
void add_recompute(option_table& options, flopledger::plan& layout) {
  const auto find = [&layout](const std::string& text) {
    const std::map<std::string, recompute> ways{{"none", recompute::none},
                                                {"selective", recompute::selective},
                                                {"full", recompute::full},
                                                {"alternate", recompute::alternate}};
    if (const auto found = ways.find(text); found != ways.end()) {
      layout.recompute = found->second;
      return;
    }
    layout.recompute = recompute::kinds;
    layout.recomputed_kinds = {};
    for_each_part(text, [&layout](const std::string& one) {
      bool known = false;
      for (const flopledger::operation kind : recomputable)
        if (flopledger::name_of(kind) == one) {
          layout.recomputed_kinds.bits_of_kinds |= flopledger::operation_set{kind}.bits_of_kinds;
          known = true;
        }
      if (known) return;
      std::string names = "alternate|full|none|selective, or of";
      for (const flopledger::operation kind : recomputable) names.append(" ").append(flopledger::name_of(kind));
      throw usage_error("--recompute: \"" + one + "\" is none of " + names);
    });
  };
  options.other(
      "recompute", "HOW|KIND,...",
      "what runs again in the backward pass: none, the attention core (selective), whole blocks (full), all but "
      "attention and every other product (alternate), or kinds of operations: normalization,activation",
      "none", find);
}

void add_offload(option_table& options, flopledger::plan& layout) {
  options.other("offload", "WHAT,...",
                "what lies in the host's memory, joined by commas: activations, optimizer, weights", "nothing",
                [&layout](const std::string& text) {
                  for_each_part(text, [&layout](const std::string& one) {
                    if (one == "optimizer")
                      layout.offload_optimizer = true;
                    else if (one == "weights")
                      layout.offload_weights = true;
                    else if (one == "activations")
                      layout.offload_activations = true;
                    else
                      throw usage_error("--offload: \"" + one + "\" is none of activations, optimizer, weights");
                  });
                });
}

std::map<std::string, const number_format*> cache_formats() {
  using flopledger::int4;
  return {{"fp32", &flopledger::fp32::format},         {"bf16", &flopledger::bf16::format},
          {"fp16", &flopledger::fp16::format},         {"fp8", &flopledger::fp8_e4m3::format},
          {"fp8_e4m3", &flopledger::fp8_e4m3::format}, {"fp8_e5m2", &flopledger::fp8_e5m2::format},
          {"int8", &flopledger::int8::format},         {"int4", &int4<>::format},
          {"mxfp4", &flopledger::mxfp4::format},       {"nvfp4", &flopledger::nvfp4::format}};
}

void add_step_time(option_table& options, double& target) {
  options.real("step_time", target, 1e-9, longest_time, "SECONDS", "the measured time of a step").required = true;
}

std::map<std::string, recompute> recomputes() {
  return {{"none", recompute::none}, {"selective", recompute::selective}, {"full", recompute::full}};
}

/// What a job's request says beside its own options.
template <class Request>
void add_job(option_table& options, Request& asked, const char* devices, const char* recipe,
             const std::map<std::string, const flopledger::recipe*>& recipes = all_recipes()) {
  options.model(asked.model);
  options.device(asked.device);
  options.count("devices", asked.devices, 1, "of the whole job", devices);
  options.choice("recipe", asked.recipe, recipes, "number formats", recipe);
}

}  // namespace

void add_training_options(option_table& options, training_request& asked) {
  flopledger::plan& layout = asked.layout;
  options.count("sequence", asked.sequence, 1, "tokens a sequence",
                "4096, or the model's context where that is shorter");
  options.count("images", layout.images, 0, "images a sequence, of a model that reads both", "0");
  options.count("micro_batch", layout.micro_batch, 1, "sequences that a device works on at once", "1");
  options.count("global_batch", asked.global_batch, 1, "sequences a step, over all devices", "micro-batch × data");
  options.count("data", layout.data, 1, "data-parallel degree", "1");
  options.count("tensor", layout.tensor, 1, "tensor-parallel degree", "1");
  options.flag("no_sequence_parallel", layout.sequence_parallel, false,
               "activations between tensor-parallel regions stay whole");
  options.count("pipeline", layout.pipeline, 1, "pipeline stages", "1");
  options.count("interleave", layout.virtual_stages, 1, "pieces of the model on each stage", "1");
  options.count("context", layout.context, 1, "context-parallel degree", "1");
  options.count("expert", layout.expert, 1, "ranks that share a layer's experts", "1");
  options.count("expert_tensor", layout.expert_tensor, 1, "ranks that share one expert", "the tensor degree");
  options.choice("schedule", layout.schedule, choices_of<flopledger::pipeline_schedule>(), "of the pipeline", "1f1b");
  options.count("first_stage_layers", layout.first_stage_layers, 1, "layers of the first stage", "as the other stages");
  options.count("last_stage_layers", layout.last_stage_layers, 1, "layers of the last stage", "as the other stages");
  options.choice("zero", layout.sharding, choices_of<flopledger::zero>(),
                 "what lies in shards over data × context: nothing, optimizer, gradients too, weights too", "0");
  options.count("shard_group", layout.shard_group, 1, "ranks that shards lie over", "data × context");
  add_recompute(options, layout);
  options.count("recompute_every", layout.recompute_every, 1, "full recompute of each Nth block alone", "1");
  options.choice("attention", layout.attention, choices_of<flopledger::attention_kernel>(),
                 "whether the matrix of scores stays on the chip or goes through memory", "fused");
  options.choice("loss", asked.loss, choices_of<flopledger::cross_entropy>(),
                 "how the loss holds its logits; fused: one FP32 copy", "the framework's");
  add_optimizer(options, asked.rule);
  options.choice("optimizer_update", asked.update, choices_of<flopledger::optimizer_update>(),
                 "as one kernel, a kernel an operation over all parameters, or parameter after parameter",
                 "the framework's");
  options.choice("gradient_bytes", asked.gradient_bytes, std::map<std::string, int>{{"2", 2}, {"4", 4}},
                 "of one element", "the framework's, or the recipe's, 2 of mixed-bf16");
  options.count("adapter_rank", layout.adapter_rank, 1, "LoRA on every projection of the blocks, all else frozen",
                "everything is trained");
  add_offload(options, layout);
  add_framework(options, asked.framework, asked.members);
  options.choice("attention_library", asked.attention, choices_of<flopledger::attention_library>(),
                 "whose fused kernel: the fastest of the device's vendor, or FlashAttention-2", "the framework's");
  options.choice("context_exchange", asked.exchange, choices_of<flopledger::context_exchange>(),
                 "how context ranks see one another's keys", "the framework's");
  options.flag("eager", asked.eager, true,
               "without a fusing compiler: norms and activation functions move 2.5 times as much");
  options.real("expert_wait", asked.expert_wait_ms, 0, 1e6, "MS",
               "what a layer of experts waits for the host, each pass", "the framework's");
  options.real("data_loading", asked.data_loading_ms, 0, 1e9, "MS", "what a step waits for its data",
               "the framework's");
  add_power_limit(options, asked.power_limit);
  add_overlap(options, asked.hidden);
  add_links(options, asked.links);
  add_usable(options, asked.usable_per_mille);
}

void add_usable(option_table& options, std::int64_t& usable_per_mille) {
  options.under({});
  options.other("usable", "PERCENT", "share of the device's memory that may be filled",
                "the guard's margin, 95, of DeepSpeed 88.7", [&usable_per_mille](const std::string& text) {
                  const double tenths = 10 * real_number(text, 1, 100, "--usable");
                  if (std::fabs(tenths - std::round(tenths)) > 1e-9)
                    throw usage_error("--usable: " + text + " has more than one digit behind the point");
                  usable_per_mille = std::llround(tenths);
                });
}

void add_power_limit(option_table& options, std::optional<double>& watts) {
  options.under("Board");
  options.real("power_limit", watts, 1, 1e5, "WATTS", "that one device is held to", "the data sheet's power");
}

void add_framework(option_table& options, const flopledger::framework*& target, changed_members& members) {
  add_named(options, "framework", flopledger::frameworks::all, target, members,
            "what is kept, computed and hidden as in", flopledger::frameworks::megatron_core);
}

void add_engine(option_table& options, const flopledger::engine*& target, changed_members& members,
                const flopledger::engine& standard) {
  add_named(options, "engine", flopledger::engines::all, target, members, "prompts, cache, kernels and host as in",
            standard);
}

void add_kv_cache(option_table& options, const number_format*& target) {
  options.choice("kv_cache", target, cache_formats(), "format of keys and values", "the recipe's");
}

void add_optimizer(option_table& options, const flopledger::optimizer*& target) {
  std::map<std::string, const flopledger::optimizer*> rules;
  for (const flopledger::optimizer* known : flopledger::optimizers::all) rules.emplace(known->name, known);
  options.choice("optimizer", target, rules, "whose states are kept", "adamw");
}

void add_links(option_table& options, link_request& asked) {
  std::map<std::string, const flopledger::node*> nodes;
  for (const flopledger::node* known : flopledger::hardware::nodes) nodes.emplace(std::string_view(known->id), known);
  options.under("Links");
  options.choice("node", asked.in, nodes, "in which the devices stand",
                 "the first that holds the device, or links of its data sheet, eight to a node");
  options.count("devices_a_node", asked.devices_a_node, 1, "devices that share the faster link", "the node's");
  options.real("scale_up", asked.scale_up, 1e-3, 1e6, "GB/s", "the link inside a node, one way, of one device",
               "the node's");
  options.real("network", asked.network, 1e-3, 1e6, "Gb/s", "the network, one way, of one device", "the node's");
  options.under({});
}

void describe_jobs(std::deque<command>& all) {
  training_request& trained = add_command<training_request>(
      all, "report train", "memory by stage and time by cause of a training job", &report_training);
  all.back().documented = &document_of_training;
  all.back().shows_bars = true;
  add_job(all.back().options, trained, "the product of the degrees", "mixed-bf16");
  add_training_options(all.back().options, trained);
  all.back().options.text("calibrate", trained.calibrate, "FILE",
                          "measured steps of the same cluster, each line a request of `explain`: they set how slow its "
                          "kernels and network are, where they identify it",
                          "nothing is calibrated");
  all.back().options.flag("timeline", trained.timeline, true,
                          "when each pipeline stage works on which micro-batch, forward and backward");
  all.back().footer =
      "Memory is that of the fullest stage; the step is predicted with the losses of kernels, links and waits, and "
      "its\n"
      "floor and roofline stand beside it. MODEL, --device, --devices and --recipe stand before `train`.";

  serving_request& served =
      add_command<serving_request>(all, "report serve", "memory, latency and throughput of serving", &report_serving);
  all.back().documented = &document_of_serving;
  all.back().shows_bars = true;
  option_table& options = all.back().options;
  add_job(options, served, "the tensor degree", "the quantization of the config.json, or bf16", serving_recipes());
  options.count("prompt", served.prompt, 1, "tokens of a prompt", "1024");
  options.count("output", served.output, 1, "tokens that each request generates", "128");
  options.count("concurrency", served.concurrency, 1, "sequences that are served at once", "1");
  options.count("users", served.users, 1,
                "users who each send the next request when the last has ended, ten in all: what they wait for",
                "no load is looked at");
  options.count("tensor", served.tensor, 1, "tensor-parallel degree", "--devices");
  options.count("expert", served.expert, 1, "ranks of these that share a layer's experts", "1");
  add_kv_cache(options, served.kv_cache);
  add_engine(options, served.engine, served.members, flopledger::engines::tensorrt_llm_0_9);
  const char* const engines = "the engine's";
  options.choice("kv_layout", served.layout, choices_of<flopledger::kv_layout>(),
                 "room for the whole context, rings for windows, blocks, or one size of page for all layers", engines);
  options.count("block", served.block, 1, "tokens of a block of pages", engines);
  options.count("chunk", served.chunk, 1, "prompt tokens of one prefill pass", engines);
  options.count("reserve", served.reserve_mib, 0, "MiB that the engine keeps for itself", engines);
  options.real("request_time", served.request_ms, 0, 1e6, "MS", "what the engine adds to a request", engines);
  options.real("pass_time", served.pass_ms, 0, 1e6, "MS", "what the engine adds to a pass", engines);
  options.real("token_time", served.token_ms, 0, 1e6, "MS", "what the engine adds to a pass for each of its sequences",
               engines);
  add_links(options, served.links);
  add_usable(options, served.usable_per_mille);
  all.back().footer =
      "Times are predicted, with their floors beside them. One copy of the model serves; MODEL, --device, --devices "
      "and\n"
      "--recipe stand before `serve`.";
}

void describe_measured(std::deque<command>& all) {
  mfu_request& asked =
      add_command<mfu_request>(all, "mfu", "the share of the peak that a measured training step reached", &mfu);
  option_table& options = all.back().options;
  options.model(asked.model);
  options.device(asked.device);
  options.count("devices", asked.devices, 1, "how many worked on the step", "1");
  options.count("global_batch", asked.global_batch, 1, "sequences a step, over all devices", "1");
  options.count("sequence", asked.sequence, 1, "tokens a sequence").required = true;
  add_step_time(options, asked.step_time);
  options.choice("precision", asked.precision, precisions(), "whose dense peak it is compared with").required = true;
  options.choice("attention_precision", asked.attention_precision, precisions(),
                 "of attention, router and head, where they run wider: the peak is then weighted by FLOPs",
                 "as --precision");
  options.text("convention", asked.convention, "NAME", "a name or letter that `flopledger conventions` lists",
               "model-flops: forward and backward, attention full");
  options.text("written_in", asked.written_in, "NAME", "how the model is written, of conventions that see calls",
               "as Hugging Face writes it");
  options.choice("recompute", asked.again, recomputes(), "what ran again: it counts for HFU, never for MFU", "none");

  explain_request& step =
      add_command<explain_request>(all, "explain", "where the time of a measured training step went", &explain_step);
  option_table& of_step = all.back().options;
  add_job(of_step, step, "the product of the degrees", "mixed-bf16");
  add_step_time(of_step, step.step_time);
  using flopledger::attention_counting;
  of_step.choice("convention", step.counting,
                 std::map<std::string, attention_counting>{{"model-flops", attention_counting::full},
                                                           {"model-flops-causal", attention_counting::causal}},
                 "of MFU and HFU: attention full, or the causal triangle alone", "model-flops");
  add_training_options(of_step, step);
  all.back().footer =
      "The gap between the measured step and its floor (the products of forward and backward at the dense peak, "
      "causal\n"
      "attention) is put down to the causes of the predicted step; the parts and the remainder add up to it.";

  using flopledger::planning::scaling;
  scale_request& grown = add_command<scale_request>(
      all, "scale", "a training plan on more and more devices, and what limits its step there", &scale);
  all.back().documented = &document_of_scaling;
  option_table& of_series = all.back().options;
  add_job(of_series, grown, "the product of the degrees", "mixed-bf16");
  of_series.choice("scaling", grown.kind,
                   std::map<std::string, scaling>{{"weak", scaling::weak}, {"strong", scaling::strong}},
                   "what stays: the work of each data rank, or the global batch", "both");
  of_series.count("most_devices", grown.most_devices, 1, "where the series ends", "100000");
  add_training_options(of_series, grown);
  all.back().footer = "The plan as it is, then with twice its data-parallel ranks, four times and so on.";

  sensitivity_request& raised = add_command<sensitivity_request>(
      all, "sensitivity", "what more of each rate of the machine would give a training step", &sensitivity);
  all.back().documented = &document_of_sensitivity;
  all.back().shows_bars = true;
  option_table& of_raised = all.back().options;
  add_job(of_raised, raised, "the product of the degrees", "mixed-bf16");
  of_raised.real("more", raised.more, 0.1, 1000, "PERCENT", "by which each rate is raised, one at a time", "10");
  add_training_options(of_raised, raised);
  all.back().footer = "Shares of the rates that are reached, and latencies, stay as they are.";

  reconcile_request& seen = add_command<reconcile_request>(
      all, "reconcile", "a profile beside the ledger: what was seen, and what no row explains", &reconcile);
  option_table& of_profile = all.back().options;
  of_profile.model(seen.over.model);
  of_profile
      .texts("trace", seen.traces, "FILE", "what a profiler exported; several of the same steps are laid together")
      .required = true;
  of_profile.device(seen.device);
  of_profile.find("device")->standard = "none, so no floors and no MFU";
  of_profile.count("devices", seen.devices, 1, "how many share the pass evenly", "1");
  of_profile.count("batch", seen.over.batch, 1, "sequences a step", "1");
  of_profile.count("sequence", seen.over.sequence, 1, "tokens a sequence",
                   "4096, or the model's context where that is shorter");
  of_profile.choice("attention", seen.over.attention, attention_countings(), "which pairs of tokens count", "full");
  of_profile.choice(
      "pass", seen.covered,
      std::map<std::string, passes>{
          {"forward", passes::forward}, {"forward_backward", passes::forward_backward}, {"training", passes::training}},
      "what the profiled steps run", "forward");
  of_profile.count("steps", seen.steps, 1, "how many steps the profile holds", "as many as it marks, or 1");
  of_profile.choice("recipe", seen.precision, all_recipes(), "number formats", "bf16");
  namespace profile = flopledger::profile;
  std::map<std::string, profile::format> formats;
  for (int i = 0; i <= static_cast<int>(profile::format::plain); ++i)
    formats.emplace(profile::name_of(static_cast<profile::format>(i)), static_cast<profile::format>(i));
  of_profile.choice("format", seen.written, formats, "of the files", "auto: by what they begin with");
  of_profile.texts("rule", seen.rules, "PATTERN=KIND",
                   "a name that only you know: '*my_scan*=recurrence'; before the library's own, in order");
}

}  // namespace program
