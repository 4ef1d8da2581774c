// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// The options of jobs on devices: training, serving, and what was measured of them.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "option_kinds.hpp"
#include "options.hpp"
#include "program.hpp"

namespace program {
namespace {

using flopledger::attention_kernel;
using flopledger::attention_library;
using flopledger::context_exchange;
using flopledger::cross_entropy;
using flopledger::kv_layout;
using flopledger::number_format;
using flopledger::number_kind;
using flopledger::pipeline_schedule;
using flopledger::recompute;
using flopledger::zero;

constexpr double longest_time = 1e9;

void add_links(CLI::App& command, link_request& asked, std::int64_t& usable_per_mille) {
  std::map<std::string, const flopledger::node*> nodes;
  for (const flopledger::node* known : flopledger::hardware::nodes) nodes.emplace(std::string_view(known->id), known);
  add_choice(command, "--node", asked.in, nodes, "")
      ->description("(default: the first that holds the device, or links of\nits data sheet, eight to a node)")
      ->group("Links");
  command
      .add_option_function<std::string>(
          "--devices-a-node",
          [&asked](const std::string& text) { asked.devices_a_node = whole_number(text, 1, "--devices-a-node"); },
          "devices that share the faster link")
      ->type_name("N")
      ->group("Links");
  add_real(command, "--scale-up", asked.scale_up, 1e-3, 1e6, "GB/s", "the link inside a node, one way, of one device")
      ->group("Links");
  add_real(command, "--network", asked.network, 1e-3, 1e6, "Gb/s", "the network, one way, of one device")
      ->group("Links");
  command
      .add_option_function<std::string>(
          "--usable",
          [&usable_per_mille](const std::string& text) {
            usable_per_mille = 10 * whole_number(text, 1, "--usable", 100);
          },
          "share of the device's memory that may be filled\n(default: the guard's margin, 95, of DeepSpeed 88.7)")
      ->type_name("PERCENT");
}

/// "data=90,tensor=70", in per cent.
void add_overlap(CLI::App& command, hidden_shares& hidden) {
  command
      .add_option_function<std::string>(
          "--overlap",
          [&hidden](const std::string& text) {
            const std::map<std::string, std::optional<double>*> groups{{"tensor", &hidden.tensor},
                                                                       {"context", &hidden.context},
                                                                       {"expert", &hidden.expert},
                                                                       {"pipeline", &hidden.pipeline},
                                                                       {"data", &hidden.data}};
            for (std::size_t at = 0; at <= text.size();) {
              const std::size_t end = std::min(text.find(',', at), text.size());
              const std::string one = text.substr(at, end - at), name = one.substr(0, one.find('='));
              const auto found = groups.find(name);
              if (found == groups.end() || one.size() == name.size())
                throw usage_error("--overlap: \"" + one +
                                  "\" is no GROUP=PERCENT; groups: context, data, expert, pipeline, tensor");
              *found->second = real_number(one.substr(name.size() + 1), 0, 100, "--overlap " + name) / 100;
              at = end + 1;
            }
          },
          "share of a group's traffic that runs beside\ncomputation: data=90,tensor=70 (default: the framework's)")
      ->type_name("GROUP=PERCENT,...")
      ->group("Links");
}

void add_framework(CLI::App& command, const flopledger::framework*& target) {
  std::string names;
  for (const flopledger::framework* known : flopledger::frameworks::all)
    (names += names.empty() ? "" : ", ").append(known->name);
  command
      .add_option_function<std::string>(
          "--framework",
          [&target, names](const std::string& text) {
            if (const flopledger::framework* found = flopledger::frameworks::find(text); found != nullptr) {
              target = found;
              return;
            }
            const auto near = [&](const flopledger::framework* a, const flopledger::framework* b) {
              return edits(text, a->name) < edits(text, b->name);
            };
            const auto& all = flopledger::frameworks::all;
            const std::string_view best = (*std::min_element(std::begin(all), std::end(all), near))->name;
            throw usage_error("--framework: \"" + text + "\" is none of " + names +
                              (is_near(text, best) ? "; the closest: " + std::string(best) : ""));
          },
          "what is kept, computed and hidden as in (default\nmegatron_core): " + names)
      ->type_name("NAME");
}

/// A way by name, or kinds of operations joined by commas.
void add_recompute(CLI::App& command, flopledger::plan& layout) {
  command
      .add_option_function<std::string>(
          "--recompute",
          [&layout](const std::string& text) {
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
            for (std::size_t at = 0; at <= text.size();) {
              const std::size_t end = std::min(text.find(',', at), text.size());
              const std::string one = text.substr(at, end - at);
              bool known = false;
              for (const flopledger::operation kind : recomputable)
                if (flopledger::name_of(kind) == one) {
                  layout.recomputed_kinds.bits_of_kinds |= flopledger::operation_set{kind}.bits_of_kinds;
                  known = true;
                }
              if (!known) {
                std::string names = "alternate|full|none|selective, or of";
                for (const flopledger::operation kind : recomputable)
                  names.append(" ").append(flopledger::name_of(kind));
                throw usage_error("--recompute: \"" + one + "\" is none of " + names);
              }
              at = end + 1;
            }
          },
          "what runs again in the backward pass: none (default), the\nattention core (selective), whole blocks (full), "
          "all but\n"
          "attention and every other product (alternate), or kinds of\noperations: normalization,activation")
      ->type_name("HOW");
}

void add_board(CLI::App& command, board_request& asked) {
  add_real(command, "--power-limit", asked.watts, 1, 1e5, "WATTS", "of one device (default: the data sheet's)")
      ->group("Board");
  add_real(command, "--memory-bandwidth", asked.bandwidth, 1, 1e6, "GB/s", "of one device (default: the data sheet's)")
      ->group("Board");
  add_real(command, "--memory", asked.memory, 1e-3, 1e5, "GIB", "that a driver reports (default: the data sheet's)")
      ->group("Board");
}

void add_offload(CLI::App& command, flopledger::plan& layout) {
  command
      .add_option_function<std::string>(
          "--offload",
          [&layout](const std::string& text) {
            for (std::size_t at = 0; at <= text.size();) {
              const std::size_t end = std::min(text.find(',', at), text.size());
              const std::string one = text.substr(at, end - at);
              if (one == "optimizer")
                layout.offload_optimizer = true;
              else if (one == "weights")
                layout.offload_weights = true;
              else if (one == "activations")
                layout.offload_activations = true;
              else
                throw usage_error("--offload: \"" + one + "\" is none of activations, optimizer, weights");
              at = end + 1;
            }
          },
          "what lies in the host's memory, joined by commas:\nactivations, optimizer, weights")
      ->type_name("WHAT");
}

std::map<std::string, const number_format*> cache_formats() {
  using flopledger::int4;
  return {{"fp32", &flopledger::fp32::format},         {"bf16", &flopledger::bf16::format},
          {"fp16", &flopledger::fp16::format},         {"fp8", &flopledger::fp8_e4m3::format},
          {"fp8_e4m3", &flopledger::fp8_e4m3::format}, {"fp8_e5m2", &flopledger::fp8_e5m2::format},
          {"int8", &flopledger::int8::format},         {"int4", &int4<>::format},
          {"mxfp4", &flopledger::mxfp4::format},       {"nvfp4", &flopledger::nvfp4::format}};
}

std::map<std::string, number_kind> precisions() {
  return {{"fp64", number_kind::fp64},         {"fp32", number_kind::fp32},         {"tf32", number_kind::tf32},
          {"bf16", number_kind::bf16},         {"fp16", number_kind::fp16},         {"fp8", number_kind::fp8_e4m3},
          {"fp8_e4m3", number_kind::fp8_e4m3}, {"fp8_e5m2", number_kind::fp8_e5m2}, {"fp6", number_kind::fp6},
          {"fp4", number_kind::fp4},           {"int8", number_kind::int8},         {"int4", number_kind::int4}};
}

void add_step_time(CLI::App& command, double& target) {
  add_real(command, "--step-time", target, 1e-9, longest_time, "SECONDS", "the measured time of a step")->required();
}

}  // namespace

void add_training_options(CLI::App& command, training_request& asked) {
  flopledger::plan& layout = asked.layout;
  add_number(command, "--sequence", asked.sequence, 1,
             "tokens a sequence (default 4096, or the model's context\nwhere that is shorter)");
  add_number(command, "--images", layout.images, 0, "images a sequence, of a model that reads both (default 0)");
  add_number(command, "--micro-batch", layout.micro_batch, 1, "sequences that a device works on at once (default 1)");
  add_number(command, "--global-batch", asked.global_batch, 1,
             "sequences a step, over all devices (default:\nmicro-batch × data)");
  add_number(command, "--data", layout.data, 1, "data-parallel degree (default 1)");
  add_number(command, "--tensor", layout.tensor, 1, "tensor-parallel degree (default 1)");
  command.add_flag_callback(
      "--no-sequence-parallel", [&layout] { layout.sequence_parallel = false; },
      "activations between tensor-parallel regions stay whole");
  add_number(command, "--pipeline", layout.pipeline, 1, "pipeline stages (default 1)");
  add_number(command, "--interleave", layout.virtual_stages, 1, "pieces of the model on each stage (default 1)");
  add_number(command, "--context", layout.context, 1, "context-parallel degree (default 1)");
  add_number(command, "--expert", layout.expert, 1, "ranks that share a layer's experts (default 1)");
  add_number(command, "--expert-tensor", layout.expert_tensor, 1,
             "ranks that share one expert (default: the tensor degree)");
  add_choice(command, "--schedule", layout.schedule,
             std::map<std::string, pipeline_schedule>{{"1f1b", pipeline_schedule::one_forward_one_backward},
                                                      {"zero-bubble", pipeline_schedule::zero_bubble}},
             "(default 1f1b)");
  add_number(command, "--first-stage-layers", layout.first_stage_layers, 1, "(default: as the other stages)");
  add_number(command, "--last-stage-layers", layout.last_stage_layers, 1, "(default: as the other stages)");
  add_choice(command, "--zero", layout.sharding,
             std::map<std::string, zero>{
                 {"0", zero::none}, {"1", zero::optimizer}, {"2", zero::gradients}, {"3", zero::weights}},
             "what lies in shards over data × context: nothing\n(default), optimizer, gradients too, weights too");
  add_number(command, "--shard-group", layout.shard_group, 1, "ranks that shards lie over (default: data × context)");
  add_recompute(command, layout);
  add_number(command, "--recompute-every", layout.recompute_every, 1,
             "full recompute of each Nth block alone (default 1)");
  add_choice(command, "--attention", layout.attention,
             std::map<std::string, attention_kernel>{{"fused", attention_kernel::fused},
                                                     {"explicit", attention_kernel::explicit_matrix}},
             "whether the matrix of scores stays on the chip (fused,\nthe default) or goes through memory");
  add_choice(command, "--loss", asked.loss,
             std::map<std::string, cross_entropy>{{"explicit", cross_entropy::explicit_softmax},
                                                  {"fused", cross_entropy::fused},
                                                  {"eager", cross_entropy::eager},
                                                  {"chunked", cross_entropy::chunked}},
             "how the loss holds its logits (default: the framework's;\nfused: one FP32 copy)");
  std::map<std::string, const flopledger::optimizer*> rules;
  for (const flopledger::optimizer* known : flopledger::optimizers::all) rules.emplace(known->name, known);
  add_choice(command, "--optimizer", asked.rule, rules, "(default adamw)");
  add_choice(command, "--gradient-bytes", asked.gradient_bytes, std::map<std::string, int>{{"2", 2}, {"4", 4}},
             "of one element (default: the framework's, or the recipe's,\n2 of mixed-bf16)");
  add_number(command, "--adapter-rank", layout.adapter_rank, 1,
             "LoRA on every projection of the blocks, all else frozen\n(default: everything is trained)");
  add_offload(command, layout);
  add_framework(command, asked.framework);
  add_choice(command, "--attention-library", asked.attention,
             std::map<std::string, attention_library>{{"usual", attention_library::usual},
                                                      {"flash-2", attention_library::flash_2}},
             "whose fused kernel (default: the framework's): the fastest\nof the device's vendor, or FlashAttention-2");
  add_choice(command, "--context-exchange", asked.exchange,
             std::map<std::string, context_exchange>{{"ring", context_exchange::ring},
                                                     {"all-to-all", context_exchange::all_to_all}},
             "how context ranks see one another's keys (default: the\nframework's)");
  command.add_flag("--eager", asked.eager,
                   "without a fusing compiler: norms and activation functions\nmove 2.5 times as much");
  add_real(command, "--expert-wait", asked.expert_wait_ms, 0, 1e6, "MS",
           "what a layer of experts waits for the host, each pass\n(default: the framework's)");
  add_real(command, "--data-loading", asked.data_loading_ms, 0, 1e9, "MS",
           "what a step waits for its data (default: the framework's)");
  add_board(command, asked.board);
  add_overlap(command, asked.hidden);
  add_links(command, asked.links, asked.usable_per_mille);
}

void add_serving_options(CLI::App& command, serving_request& asked) {
  add_number(command, "--prompt", asked.prompt, 1, "tokens of a prompt (default 1024)");
  add_number(command, "--output", asked.output, 1, "tokens that each request generates (default 128)");
  add_number(command, "--concurrency", asked.concurrency, 1, "sequences that are served at once (default 1)");
  add_number(command, "--tensor", asked.tensor, 1, "tensor-parallel degree (default: --devices)");
  add_number(command, "--expert", asked.expert, 1, "ranks of these that share a layer's experts (default 1)");
  add_choice(command, "--kv-cache", asked.kv_cache, cache_formats(),
             "format of keys and values (default: the recipe's)");
  add_choice(command, "--kv-layout", asked.layout,
             std::map<std::string, kv_layout>{{"contiguous", kv_layout::contiguous},
                                              {"ring", kv_layout::ring},
                                              {"paged", kv_layout::paged},
                                              {"unified", kv_layout::unified_pages}},
             "room for the whole context, rings for windows, blocks\n(default), or one size of page for all layers");
  add_number(command, "--block", asked.block, 1, "tokens of a block of pages (default 16)");
  add_number(command, "--chunk", asked.chunk, 1, "prompt tokens of one prefill pass (default 2048)");
  add_number(command, "--reserve", asked.reserve_mib, 0, "MiB that the engine keeps for itself (default 0)");
  add_real(command, "--request-time", asked.request_ms, 0, 1e6, "MS",
           "what the engine adds to a request (default 2.5: of\nTensorRT-LLM, docs/accuracy_time.md)");
  add_real(command, "--pass-time", asked.pass_ms, 0, 1e6, "MS", "what the engine adds to a pass (default 0)");
  add_links(command, asked.links, asked.usable_per_mille);
}

void add_explain(CLI::App& app, std::function<std::string()>& answer) {
  struct settings {
    explain_request asked;
    json_flag json;
  };
  const auto given = std::make_shared<settings>();
  CLI::App& command =
      *app.add_subcommand("explain", "where the time of a measured training step went")->group("Commands");
  add_model(command, given->asked.model);
  add_device(command, given->asked.device);
  add_number(command, "--devices", given->asked.devices, 1, "(default: the product of the degrees)");
  add_choice(command, "--recipe", given->asked.recipe, all_recipes(), "number formats (default mixed-bf16)");
  add_step_time(command, given->asked.step_time);
  using flopledger::attention_counting;
  add_choice(command, "--convention", given->asked.counting,
             std::map<std::string, attention_counting>{{"model-flops", attention_counting::full},
                                                       {"model-flops-causal", attention_counting::causal}},
             "of MFU and HFU: attention full (default), or the causal\ntriangle alone");
  add_training_options(command, given->asked);
  add_json(command, given->json);
  command.footer(
      "The gap between the measured step and its floor (the products of forward and backward at the dense peak, "
      "causal\n"
      "attention) is put down to the causes of the predicted step; the parts and the remainder add up to it.");
  command.callback([given, &answer] { answer = [given] { return explain_step(given->asked, given->json.how()); }; });
}

void add_mfu(CLI::App& app, std::function<std::string()>& answer) {
  struct settings {
    mfu_request asked;
    json_flag json;
  };
  const auto given = std::make_shared<settings>();
  CLI::App& command =
      *app.add_subcommand("mfu", "the share of the peak that a measured training step reached")->group("Commands");
  mfu_request& asked = given->asked;
  add_model(command, asked.model);
  add_device(command, asked.device);
  add_number(command, "--devices", asked.devices, 1, "how many worked on the step (default 1)");
  add_number(command, "--global-batch", asked.global_batch, 1, "sequences a step, over all devices (default 1)");
  add_number(command, "--sequence", asked.sequence, 1, "tokens a sequence");
  command.get_option("--sequence")->required();
  add_step_time(command, asked.step_time);
  add_choice(command, "--precision", asked.precision, precisions(), "whose dense peak it is compared with")->required();
  add_choice(command, "--attention-precision", asked.attention_precision, precisions(),
             "of attention, router and head, where they run wider: the peak is\nthen weighted by FLOPs (default: as "
             "--precision)");
  command
      .add_option("--convention", asked.convention,
                  "a name or letter that `flopledger conventions` lists\n(default model-flops: forward and backward, "
                  "attention full)")
      ->type_name("NAME");
  command
      .add_option("--written-in", asked.written_in,
                  "how the model is written, of conventions that see calls\n(default: as Hugging Face writes it)")
      ->type_name("NAME");
  add_choice(command, "--recompute", asked.again,
             std::map<std::string, recompute>{
                 {"none", recompute::none}, {"selective", recompute::selective}, {"full", recompute::full}},
             "what ran again: it counts for HFU, never for MFU\n(default none)");
  add_json(command, given->json);
  command.callback([given, &answer] { answer = [given] { return mfu(given->asked, given->json.how()); }; });
}

}  // namespace program
