// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// `flopledger report ... train`: what a training job takes of each device, and how long a step is.

#include <flopledger/text/number.hpp>
#include <flopledger/text/table.hpp>

#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "accuracy.hpp"
#include "calibrate.hpp"
#include "changed_members.hpp"
#include "guard_text.hpp"
#include "memory_answer.hpp"
#include "program.hpp"
#include "training_job.hpp"

namespace program {
namespace {

using namespace flopledger;
using report::align;

constexpr auto lines_of_training = {memory_line::weights,     memory_line::gradients, memory_line::optimizer,
                                    memory_line::activations, memory_line::logits,    memory_line::buffers,
                                    memory_line::workspace};

std::string header(const training_job& job) {
  report::table lines({{"", align::left}, {"", align::left}});
  const recipe& used = job.setup().precision;
  lines.add({"model", described(job.model().config())});
  lines.add({"batch", batch_line(job)});
  lines.add({"plan", plan_line(job)});
  lines.add({"job", assumptions_line(job)});
  lines.add({"recipe", fmt::format("{}: weights {}, activations {}, gradients {}, products {}{}", used.name,
                                   used.weights.name, used.activations.name, used.gradients.name, used.compute.name,
                                   used.has_master_weights ? fmt::format(", master weights {}, moments {}",
                                                                         used.master_weights.name, used.moments.name)
                                                           : fmt::format(", moments {}", used.moments.name))});
  lines.add({"framework", fmt::format("{} ({}){}: {} workspace, {} % reserved beyond the tensors", job.framework().name,
                                      job.framework().release, described(job.changed()),
                                      report::scaled_binary(job.setup().framework.workspace.value),
                                      report::three_digits(100 * job.setup().framework.fragmentation))});
  if (job.devices() > 1) lines.add({"links", described(job.in())});
  lines.add({"efficiency", described(job.reached())});
  return fmt::format("Training {} on {}\n", job.model().name, described(job.device(), job.devices())) + lines.text(2);
}

std::string memory_table(const training_job& job) {
  const memory_account& account = job.worst();
  const std::size_t stages = job.stages().size();
  report::table lines({{"memory of a device", align::left}, {""}, {"%"}, {"", align::left}});
  constexpr std::pair<memory_line, std::string_view> about[] = {
      {memory_line::weights, ""},
      {memory_line::gradients, ""},
      {memory_line::optimizer, "master weights and moments"},
      {memory_line::activations, "kept for the backward pass"},
      {memory_line::logits, "of the loss, where it is the fullest moment"},
      {memory_line::buffers, "communication"},
      {memory_line::workspace, "gradients of the widest operation, libraries"},
      {memory_line::reserve, "allocator"}};
  for (const auto& [line, note] : about) {
    if (account[line].value() == 0) continue;
    lines.add({std::string(flopledger::name_of(line)), report::scaled_binary(account[line]),
               report::percent(account[line] / account.total()), std::string(note)});
  }
  lines.add({"allocated", report::scaled_binary(account.allocated()),
             report::percent(account.allocated() / account.total()), "what an allocator calls so"});
  lines.add({"total", report::scaled_binary(account.total()), "100.0",
             stages > 1 ? fmt::format("of stage {}, the fullest of {}", job.worst_stage(), stages) : ""});
  std::string text = lines.text();
  if (stages > 1) {
    text += "By stage:";
    constexpr std::size_t shown = 8;
    for (std::size_t i = 0; i < stages; ++i) {
      if (stages > shown && i >= shown / 2 && i + shown / 2 < stages) {
        if (i == shown / 2) text += " ...";
        continue;
      }
      text += ' ' + report::scaled_binary(job.stages()[i].total());
    }
    text += '\n';
  }
  return text;
}

std::string time_table(const training_job& job) {
  const step_time& step = job.step();
  const seconds total = step.total();
  report::table lines({{"time of a step", align::left}, {""}, {"%"}, {"", align::left}});
  const auto add = [&](const char* name, seconds part, std::string note) {
    if (part.value() > 0) lines.add({name, report::scaled(part), report::percent(part / total), std::move(note)});
  };
  const plan& p = job.layout();
  add("floor", job.floor(), "products at the dense peak, causal attention, nothing else");
  add("kernels beyond it", step.compute() - job.floor(),
      fmt::format("forward {}, backward {}", report::scaled(step.forward), report::scaled(step.backward)));
  add("recompute", step.recompute, "");
  add("bubble", step.bubble, p.pipeline > 1 ? fmt::format("{} stages", p.pipeline) : "");
  const auto span = [&](group which) {
    const group_span over = span_of(which, p, job.in().devices);
    return fmt::format("{} ranks {}", over.ranks, over.crosses_network() ? "across nodes" : "inside a node");
  };
  const overlaps& beside = job.framework().overlap;
  const auto hidden = [](double share) {
    return share > 0 ? fmt::format(", {} % beside computation", report::three_digits(100 * share)) : std::string();
  };
  add("tensor communication", step.tensor_communication, span(group::tensor) + hidden(beside.tensor));
  add("context communication", step.context_communication, span(group::context) + hidden(beside.context));
  add("expert communication", step.expert_communication, span(group::expert) + hidden(beside.expert));
  add("pipeline communication", step.pipeline_communication,
      span(group::pipeline) + hidden(p.virtual_stages > 1 ? beside.interleaved : beside.pipeline));
  add("data communication", step.data_communication, span(group::data) + hidden(beside.data));
  add("optimizer", step.optimizer, "");
  add("data loading", step.data_loading, "");
  add("host", step.host, "launches operations more slowly than the device computes them");
  lines.add({"step", report::scaled(total), "100.0",
             fmt::format("roofline of this plan {}", report::scaled(job.roofline()))});
  return lines.text();
}

/// The largest thing between the floor and the step.
std::string what_decides(const training_job& job) {
  const step_time& step = job.step();
  const std::pair<std::string_view, seconds> parts[] = {{"kernels below the peak", step.compute() - job.floor()},
                                                        {"recompute", step.recompute},
                                                        {"the pipeline's bubble", step.bubble},
                                                        {"communication", step.communication()},
                                                        {"the optimizer", step.optimizer},
                                                        {"data loading", step.data_loading},
                                                        {"the host's launches", step.host}};
  const auto* largest = &parts[0];
  for (const auto& part : parts)
    if (part.second > largest->second) largest = &part;
  return fmt::format("{} % of the step is the floor; most of the rest is {} ({} %).\n",
                     report::percent(job.floor() / step.total()), largest->first,
                     report::percent(largest->second / step.total()));
}

struct shares {
  double mfu, mfu_causal, hfu;
};
shares shares_of(const training_job& job, seconds step) {
  const flops full = job.model_flops(attention_counting::full);
  return {.mfu = job.share_of_peak(full, step),
          .mfu_causal = job.share_of_peak(job.model_flops(attention_counting::causal), step),
          .hfu = job.share_of_peak(full + job.recomputed_flops(attention_counting::full), step)};
}

std::string times_for_people(const training_job& job) {
  if (!job.known().both())
    return "No times are predicted: " + without_times(job.device(), job.setup().precision) + ".\n";
  const seconds step = job.step().total();
  const shares reached = shares_of(job, step);
  std::string text = time_table(job) + what_decides(job);
  text += fmt::format(
      "MFU {} % (model FLOPs, attention full; {} % with the causal triangle alone), HFU {} %, of the "
      "dense {} peak {}{}.\n",
      report::percent(reached.mfu), report::percent(reached.mfu_causal), report::percent(reached.hfu),
      job.setup().precision.compute.name, report::scaled(job.peak().value()), doubt(job.peak().is_doubtful()));
  if (reached.mfu > 1 || reached.hfu > 1)
    text += "Above 1: full counting charges pairs of tokens that the mask leaves out.\n";
  text += fmt::format("{} tokens a second and device; {} a second on all.\n",
                      report::three_digits(job.tokens_a_second_per_device(step).value()),
                      report::scaled(tokens_a_second(job.layout(), step).value(), "tokens"));
  if (job.layout().offload_optimizer || job.layout().offload_weights || job.layout().offload_activations)
    text += "What is offloaded is not in the step: its traffic over the host link comes on top.\n";
  return text;
}

std::string for_people(const training_job& job, const run_calibration* calibrated) {
  std::string text = header(job) + '\n' + memory_table(job) + verdict_line(job.worst(), job.budget(), job.device());
  const bool fits = job.budget().fits(whole_account(job.worst()).total);
  if (job.budget().available && !fits) {
    const std::vector<std::string> remedies = job.ways_to_fit();
    if (remedies.empty()) text += "No single change makes it fit.\n";
    for (const std::string& remedy : remedies) text += "  would fit: " + remedy + '\n';
  }
  text += '\n' + times_for_people(job);
  const flopledger::error_band band = job.setup().framework.band_of(job.setup().plan);
  text += fmt::format(
      "\nMemory, predicted over measured less one where it was tried ({}, docs/accuracy.md): from {:+.1f} to {:+.1f} "
      "%.\n",
      job.framework().name, band.lowest, band.highest);
  if (!job.known().both()) return text;
  if (calibrated != nullptr) return text + described(*calibrated);
  return text + described(training_bands(job.device(), job.framework(), job.is_mixture()));
}

/// `time` of an answer; null where it stands on rates that nobody published.
json time_of(json_answer& answer, const training_job& job) {
  if (!job.known().both()) return nullptr;
  const step_time& step = job.step();
  const seconds total = step.total();
  const shares reached = shares_of(job, total);
  json time;
  time["step_seconds"] = total.value();
  time["floor_seconds"] = job.floor().value();
  time["roofline_seconds"] = job.roofline().value();
  time["compute_seconds"] = step.compute().value();
  time["forward_seconds"] = step.forward.value();
  time["backward_seconds"] = step.backward.value();
  time["recompute_seconds"] = step.recompute.value();
  time["bubble_seconds"] = step.bubble.value();
  time["exposed_communication_seconds"] = communication_of(step);
  time["optimizer_seconds"] = step.optimizer.value();
  time["data_loading_seconds"] = step.data_loading.value();
  time["host_seconds"] = step.host.value();
  time["tokens_per_second_per_device"] = job.tokens_a_second_per_device(total).value();
  time["tokens_per_second"] = tokens_a_second(job.layout(), total).value();
  time["mfu"] = reached.mfu;
  time["mfu_causal"] = reached.mfu_causal;
  time["hfu"] = reached.hfu;
  time["convention"] = "model-flops";
  answer.count(time, "model_flops_per_step", job.model_flops(attention_counting::full).value(),
               "time.model_flops_per_step");
  answer.count(time, "peak_flop_per_second_per_device", job.peak().value().value(),
               "time.peak_flop_per_second_per_device");
  return time;
}

constexpr std::size_t most_slots = 20'000;

/// `timeline` of an answer; null where there is none, and without its slots where they are too many to look at.
json timeline_of(const training_job& job) {
  const std::optional<step_timeline> found = job.timeline();
  if (!found) return nullptr;
  json whole;
  whole["stages"] = found->shape.stages;
  whole["micro_batches"] = found->shape.micro_batches;
  whole["pieces"] = found->shape.pieces;
  whole["passes"] = found->slots.size();
  whole["data_loading_seconds"] = found->data_loading.value();
  whole["passes_end_seconds"] = found->passes_end.value();
  whole["idle_beyond_seconds"] = found->idle_beyond.value();
  whole["exchange_seconds"] = found->exchange.value();
  whole["optimizer_seconds"] = found->optimizer.value();
  whole["ends_seconds"] = found->ends.value();
  json& slots = whole["slots"] = json::array();
  if (found->slots.size() > most_slots) return whole;
  for (const timeline_slot& one : found->slots)
    slots.push_back({{"stage", one.stage},
                     {"micro_batch", one.what.micro_batch},
                     {"piece", one.what.piece},
                     {"backward", one.what.backward},
                     {"begins_seconds", one.begins.value()},
                     {"seconds", one.lasts.value()}});
  return whole;
}

std::string timeline_line(const training_job& job) {
  const std::optional<step_timeline> found = job.timeline();
  if (!found) return "No timeline: the order of this pipeline's passes is not known, or its step is calibrated.\n";
  std::string text = fmt::format("{} passes of {} end after {}", found->slots.size(),
                                 counted(found->shape.stages, "stage"), report::scaled(found->passes_end));
  // What arithmetic alone leaves is none.
  if (const seconds idle = found->idle_beyond; std::fabs(idle / found->ends) > 1e-9)
    text += fmt::format("; the step counts {} {} idle time than they have",
                        report::scaled(idle.value() < 0 ? -1.0 * idle : idle), idle.value() < 0 ? "less" : "more");
  return text + ".\n";
}

json for_programs(const training_job& job, bool with_timeline, const run_calibration* calibrated) {
  json_answer answer;
  answer.put("model", job.model().name);
  answer.put("architecture", job.model().config().architecture);
  answer.put("device", std::string_view(job.device().id));
  answer.count("devices", job.devices());
  answer.put("node", std::string_view(job.in().id));
  answer.put("recipe", job.setup().precision.name);
  answer.put("computes_in", job.setup().precision.compute.name);
  answer.put("plan", plan_of(job));
  const auto account_of = [&](std::size_t stage, const std::string& path) {
    json one;
    put_memory(answer, one, path, job.stages()[stage], job.budget(), lines_of_training, true);
    return one;
  };
  json stages = json::array();
  for (std::size_t i = 0; i < job.stages().size(); ++i) {
    json one;
    one["stage"] = i;
    one["layers"] = job.layers_of_stage(i);
    one.update(account_of(i, fmt::format("stages[{}]", i)));
    stages.push_back(std::move(one));
  }
  json memory = account_of(static_cast<std::size_t>(job.worst_stage()), "memory");
  memory["worst_stage"] = job.worst_stage();
  if (job.budget().device)
    answer.count(memory, "device_bytes", job.budget().device->value(), "memory.device_bytes");
  else
    memory["device_bytes"] = nullptr;
  memory["usable_percent"] = static_cast<double>(job.budget().usable_per_mille) / 10;
  const flopledger::error_band band = job.setup().framework.band_of(job.setup().plan);
  memory["error_band_percent"] = {band.lowest, band.highest};
  memory["remedies"] = job.ways_to_fit();
  memory["stages"] = stages;
  answer.put("memory", std::move(memory));
  answer.put("stages", std::move(stages));
  answer.put("time", time_of(answer, job));
  if (with_timeline) answer.put("timeline", timeline_of(job));
  answer.put("constants", as_json(job.reached()));
  // The published errors are of uncalibrated steps.
  answer.put("error_bands", calibrated != nullptr
                                ? json::array()
                                : as_json(training_bands(job.device(), job.framework(), job.is_mixture())));
  answer.put("calibration", calibrated != nullptr ? as_json(*calibrated) : json());
  answer.put("doubtful", job.doubtful());
  answer.put("guard", guard_of(job));
  return answer.whole();
}

}  // namespace

reply report_training(const training_request& asked, output how) {
  const subject& model = find_subject(asked.model);
  training_job job(model, asked);
  std::optional<run_calibration> calibrated;
  if (!asked.calibrate.empty()) {
    if (!job.known().both())
      throw usage_error("--calibrate: no step is predicted: " + without_times(job.device(), job.setup().precision));
    job.calibrate((calibrated = calibration_by(asked.calibrate))->made);
  }
  const run_calibration* by = calibrated ? &*calibrated : nullptr;
  if (how == output::programs) return reply(for_programs(job, asked.timeline, by));
  return reply(for_people(job, by) + (asked.timeline ? timeline_line(job) : ""));
}

}  // namespace program
