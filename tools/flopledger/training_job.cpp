// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "training_job.hpp"

#include <flopledger/hardware/formats.hpp>
#include <flopledger/memory/explain.hpp>
#include <flopledger/text/number.hpp>

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "changed_members.hpp"
#include "option_choices.hpp"

namespace program {
namespace {

using namespace flopledger;

constexpr double as_double(std::int64_t n) { return static_cast<double>(n); }

/// The framework with what the user changes of it.
framework framework_of(const training_request& asked) {
  framework made = *asked.framework;
  change(made, asked.members);
  constexpr std::string_view user = "the command line";
  const auto set = [&](known<double>& share, const std::optional<double>& to) {
    if (to) share = {*to, standing::assumed, user};
  };
  set(made.overlap.tensor, asked.hidden.tensor);
  set(made.overlap.context, asked.hidden.context);
  set(made.overlap.expert, asked.hidden.expert);
  set(made.overlap.pipeline, asked.hidden.pipeline);
  set(made.overlap.interleaved, asked.hidden.pipeline);
  set(made.overlap.data, asked.hidden.data);
  const auto wait = [&](known<seconds>& time, const std::optional<double>& milliseconds) {
    if (milliseconds) time = {*milliseconds * 1e-3 * unit::second, standing::assumed, user};
  };
  wait(made.expert_wait, asked.expert_wait_ms);
  wait(made.data_loading, asked.data_loading_ms);
  if (asked.eager) made.eager_passes = frameworks::pytorch_fsdp.eager_passes;
  made.update = asked.update.value_or(made.update);
  made.attention = asked.attention.value_or(made.attention);
  made.exchange = asked.exchange.value_or(made.exchange);
  made.loss = asked.loss.value_or(made.loss);
  return made;
}

/// The formats of the recipe, of the framework where that leaves them open, and of the user above both.
recipe training_recipe(const training_request& asked, const accelerator& device) {
  recipe chosen = formats_under(framework_of(asked), recipe_for_training(asked.recipe, device), asked.layout);
  if (asked.gradient_bytes == 4) chosen.gradients = fp32::format;
  if (asked.gradient_bytes == 2)
    chosen.gradients = chosen.activations.kind == number_kind::fp16 ? fp16::format : bf16::format;
  return chosen;
}

/// Refuses options that would change nothing, for whoever gives one means it to.
void refuse_options_without_effect(const transformer_config& config, const training_request& asked) {
  const auto needs = [](bool there, const char* option, const char* what) {
    if (!there) throw usage_error(fmt::format("{}: needs {}", option, what));
  };
  const plan& p = asked.layout;
  const bool experts = !config.stack.sparse.empty();
  const char* const of_experts = "a model with experts, and this one has none";
  needs(p.recompute_every == 1 || p.recompute == recompute::full, "--recompute-every", "--recompute full");
  needs(!asked.expert_wait_ms || experts, "--expert-wait", of_experts);
  needs(p.expert_tensor == 0 || experts, "--expert-tensor", of_experts);
  needs(p.shard_group == 0 || p.sharding != zero::none, "--shard-group", "--zero 1, 2 or 3, whose shards it holds");
  needs(p.first_stage_layers == 0 || p.pipeline > 1, "--first-stage-layers", "--pipeline above 1");
  needs(p.last_stage_layers == 0 || p.pipeline > 1, "--last-stage-layers", "--pipeline above 1");
  needs(p.images == 0 || config.has_vision(), "--images", "a model with a vision tower");
  needs(p.schedule != pipeline_schedule::zero_bubble || p.pipeline > 1, "--schedule zero-bubble", "--pipeline above 1");
}

/// Refuses what no plan can hold, before any number of it overflows.
void check_degrees(const training_request& asked, const plan& p) {
  const double product = as_double(p.data) * as_double(p.tensor) * as_double(p.pipeline) * as_double(p.context);
  const std::string degrees =
      fmt::format("data {} × tensor {} × pipeline {} × context {}", p.data, p.tensor, p.pipeline, p.context);
  if (product > as_double(largest_devices))
    throw usage_error(fmt::format("{} are more than {} devices", degrees, largest_devices));
  if (asked.devices && *asked.devices != p.devices()) {
    const std::int64_t others = p.tensor * p.pipeline * p.context;
    const std::string hint =
        *asked.devices % others == 0 ? fmt::format("; --data {} would make it so", *asked.devices / others) : "";
    throw usage_error(
        fmt::format("--devices: {}, but {} make {}{}", counted(*asked.devices, "device"), degrees, p.devices(), hint));
  }
}

plan plan_for(const subject& model, const training_request& asked) {
  const transformer_config& config = model.config();
  refuse_without_tokens(model);
  plan p = asked.layout;
  p.sequence = asked.sequence.value_or(sequence_of(config));
  check_degrees(asked, p);
  refuse_options_without_effect(config, asked);
  const std::int64_t at_once = p.data * p.micro_batch;
  const std::int64_t global = asked.global_batch.value_or(at_once);
  if (global % at_once != 0)
    throw usage_error(fmt::format("--global-batch: {} not divide by {}, data {} × micro-batch {}",
                                  counted(global, "sequence") + (global == 1 ? " does" : " do"), at_once, p.data,
                                  p.micro_batch));
  p.gradient_accumulation = global / at_once;
  const plan_verdict judged = verdict(p, config);
  if (!judged.ok()) throw usage_error(impossible(judged, option_of(judged, p)));
  return p;
}

/// "2nd", "3rd", "11th".
std::string ordinal(std::int64_t n) {
  const bool teen = n / 10 % 10 == 1;
  const char* ending = teen ? "th" : n % 10 == 1 ? "st" : n % 10 == 2 ? "nd" : n % 10 == 3 ? "rd" : "th";
  return std::to_string(n) + ending;
}

}  // namespace

recipe recipe_for_training(const recipe* asked, const accelerator& device) {
  const recipe& chosen = asked == nullptr ? recipes::mixed_bf16::value : *asked;
  const auto trains = [](const recipe& one) { return one.weights.bits >= 16; };
  if (!trains(chosen)) {
    std::string names;
    for (const recipe* known : recipes::all)
      if (trains(*known)) names.append(names.empty() ? "" : ", ").append(known->name);
    throw usage_error(fmt::format("--recipe: {} is a recipe for serving; training takes {}", chosen.name, names));
  }
  return run_on(device, chosen);
}

void refuse_without_tokens(const subject& model) {
  if (model.config().vision_only)
    throw usage_error(model.name + ": the model reads images alone, and a plan lays out sequences of tokens");
}

std::int64_t sequence_of(const transformer_config& config) {
  return config.context > 0 ? std::min<std::int64_t>(4096, config.context) : 4096;
}

watts power_limit_of(const std::optional<double>& asked, const accelerator& device) {
  if (asked && !device.tdp.is_known())
    throw usage_error(
        fmt::format("--power-limit: the power of {} is not published; --power says it", std::string_view(device.id)));
  return watts::from_value(asked.value_or(0));
}

training_job::laid_out::laid_out(const subject& model, const training_request& asked)
    : device(find_device(asked.device)),
      setup{.precision = training_recipe(asked, device),
            .optimizer = *asked.rule,
            .plan = plan_for(model, asked),
            .framework = framework_of(asked)},
      in(node_for(device, asked.links, setup.plan.devices())),
      peak(dense_peak_figure(device, setup.precision.compute.kind)),
      on(machine_of(bounding(device, setup.precision), setup.precision, setup.framework,
                    power_limit_of(asked.power_limit, device))) {
  setup.plan.loss = setup.framework.loss;
  require_links(in, setup.plan.devices());
  if (setup.plan.devices() > 1) network = network_of(setup.plan, in);
}

training_job::training_job(const subject& model, const training_request& asked)
    : training_job(model, asked, laid_out(model, asked)) {}

training_job::training_job(const subject& model, const training_request& asked, const laid_out& as)
    : flopledger::training_job(model.config(), as.setup, as.on, as.network),
      model_(model),
      laid_(as),
      budget_(budget_of(as.device, asked.usable_per_mille > 0 ? asked.usable_per_mille
                                                              : usable_per_mille(as.setup.framework, as.setup.plan))),
      asked_per_mille_(asked.usable_per_mille),
      changed_(paths_of(asked.members)) {
  for (std::int64_t stage = 0; stage < layout().pipeline; ++stage) stages_.push_back(memory(stage));
}

std::int64_t training_job::layers_of_stage(std::size_t stage) const {
  std::int64_t sum = 0;
  for (std::int64_t piece = 0; piece < layout().virtual_stages; ++piece) {
    const stage_layers range = layers_of(layout(), model_.config().stack, static_cast<std::int64_t>(stage), piece);
    sum += range.last - range.first;
  }
  return sum;
}

std::optional<flopledger::step_timeline> training_job::timeline() const {
  if (!known().both() || calibrated_ || layout().schedule == pipeline_schedule::zero_bubble) return {};
  return timeline_of(model_.config(), setup(), laid_.on, laid_.network);
}

std::vector<std::string> training_job::ways_to_fit() const {
  std::vector<std::string> found;
  if (!budget_.device || budget_.fits(worst().total().value())) return found;
  for (const remedy& one : remedies(model_.config(), {*budget_.device, asked_per_mille_}))
    found.push_back(described_with_need(one));
  return found;
}

std::vector<std::string> training_job::doubtful() const {
  std::vector<std::string> keys;
  if (peak().is_doubtful()) keys.emplace_back("peak_flop_per_second");
  if (device().memory_bandwidth.is_doubtful()) keys.emplace_back("memory_bandwidth_bytes_per_second");
  if (memory_of(device()).is_doubtful()) keys.emplace_back("available_bytes");
  return keys;
}

std::string above_one(const char* name, double share, std::string_view reason, double by_triangle) {
  std::string text = fmt::format("{} would be {:.4g}: {}", name, share, reason);
  if (by_triangle > 0 && by_triangle <= 1)
    text += fmt::format(
        " attention counted over the full square, of which the mask leaves half out (--convention {}: {} %)?",
        causal_convention, report::percent(by_triangle));
  return text;
}

std::string impossible(const plan_verdict& judged, std::string_view option) {
  return fmt::format("{}: {}", option, std::string_view(sentence_of(judged)));
}

std::string_view option_of(const plan_verdict& judged, const plan& p) {
  switch (judged.problem) {
    case plan_problem::heads_by_tensor:
    case plan_problem::kv_heads_by_tensor:
    case plan_problem::width_by_tensor:
    case plan_problem::sequence_by_tensor:
      return "--tensor";
    case plan_problem::feed_forward_by_tensor:
      return judged.divisor == p.tensor ? "--tensor" : "--expert-tensor";
    case plan_problem::layers_by_stages:
      return p.virtual_stages > 1 ? "--pipeline, --interleave" : "--pipeline";
    case plan_problem::experts_by_expert:
    case plan_problem::expert_ranks:
      return p.expert_tensor > 0 ? "--expert, --expert-tensor" : "--expert";
    case plan_problem::sequence_by_context:
      return "--context";
    case plan_problem::virtual_without_pipeline:
      return "--interleave";
    case plan_problem::micro_batches_by_stages:
      return "--global-batch";
    case plan_problem::shard_group_by_ranks:
      return "--shard-group";
    case plan_problem::no_blocks:
      return p.recompute == recompute::none ? "--offload" : "--recompute";
    default:
      return "the plan";
  }
}

std::string described_with_need(const remedy& one) {
  std::string text = described(one).c_str();
  if (one.needed > bytes{}) text += fmt::format(" ({} MiB)", mebibytes_of(one.needed));
  return text;
}

std::string_view name_of(zero stage) {
  constexpr std::string_view names[] = {"nothing", "optimizer", "optimizer and gradients",
                                        "optimizer, gradients and weights"};
  return names[static_cast<std::size_t>(stage)];
}
std::string_view name_of(recompute which) {
  constexpr std::string_view names[] = {"none", "selective", "full", "alternate", "kinds"};
  return names[static_cast<std::size_t>(which)];
}
std::string_view name_of(cross_entropy loss) {
  constexpr std::string_view names[] = {"explicit", "fused", "eager", "chunked"};
  return names[static_cast<std::size_t>(loss)];
}

std::string_view name_of(optimizer_update how) {
  constexpr std::string_view names[] = {"fused", "foreach", "loop"};
  return names[static_cast<std::size_t>(how)];
}

std::string plan_line(const training_job& job) {
  const plan& p = job.layout();
  std::string text = fmt::format(
      "data {}, tensor {}{}, pipeline {}", p.data, p.tensor,
      p.tensor > 1 ? p.sequence_parallel ? " with sequence parallelism" : " without sequence parallelism" : "",
      p.pipeline);
  if (p.pipeline > 1)
    text += fmt::format(" ({}{})", p.schedule == pipeline_schedule::zero_bubble ? "zero-bubble" : "1F1B",
                        p.virtual_stages > 1 ? fmt::format(", {} pieces a stage", p.virtual_stages) : "");
  text += fmt::format(", context {}", p.context);
  if (job.model().config().stack.mixture.experts > 0)
    text += fmt::format(", expert {} of tensor {}", p.expert, p.tensor_of_experts());
  text += fmt::format("; ZeRO {} (shards {}", static_cast<int>(p.sharding), name_of(p.sharding));
  if (p.sharding != zero::none) text += fmt::format(" over {}", counted(p.shards(), "rank"));
  return text + ')';
}

std::string batch_line(const training_job& job) {
  const plan& p = job.layout();
  return fmt::format("{} of {}{}{} a step: micro-batch {}, {} on {}", counted(p.global_batch(), "sequence"),
                     counted(p.sequence, "token"), beyond_context(job.model().config(), as_double(p.sequence)),
                     p.images > 0 ? " and " + counted(p.images, "image") : "", p.micro_batch,
                     p.gradient_accumulation == 1 ? "one" : fmt::format("{} of them", p.gradient_accumulation),
                     p.data == 1 ? "one data rank" : fmt::format("each of {} data ranks", p.data));
}

std::string assumptions_line(const training_job& job) {
  const plan& p = job.layout();
  std::string offloaded;
  for (const auto& [is, name] : {std::pair{p.offload_optimizer, "optimizer"},
                                 {p.offload_weights, "weights"},
                                 {p.offload_activations, "activations"}})
    if (is) (offloaded += offloaded.empty() ? "; offloaded: " : ", ") += name;
  return fmt::format(
      "{}, {} attention, {} loss, recompute {}{}, gradients of {} bytes{}{}", job.setup().optimizer.name,
      p.attention == attention_kernel::fused ? "fused" : "explicit", name_of(p.loss), name_of(p.recompute),
      p.recompute_every > 1 ? fmt::format(" of every {} block", ordinal(p.recompute_every)) : "",
      report::three_digits(job.setup().precision.gradients.bytes_per_element()),
      p.adapter_rank > 0 ? fmt::format(", adapters of rank {} alone trained", p.adapter_rank) : "", offloaded);
}

json communication_of(const step_time& step) {
  json one;
  one["tensor"] = step.tensor_communication.value();
  one["context"] = step.context_communication.value();
  one["expert"] = step.expert_communication.value();
  one["pipeline"] = step.pipeline_communication.value();
  one["data"] = step.data_communication.value();
  return one;
}

void put_degrees(json& one, const plan& p) {
  one["data"] = p.data;
  one["tensor"] = p.tensor;
  one["sequence_parallel"] = p.sequence_parallel;
  one["pipeline"] = p.pipeline;
  one["interleave"] = p.virtual_stages;
  one["schedule"] = name_of(p.schedule);
}

json plan_of(const training_job& job) {
  const plan& p = job.layout();
  json one;
  one["sequence"] = p.sequence;
  if (p.images > 0) one["images"] = p.images;
  one["micro_batch"] = p.micro_batch;
  one["global_batch"] = p.global_batch();
  one["micro_batches"] = p.gradient_accumulation;
  put_degrees(one, p);
  one["context"] = p.context;
  one["expert"] = p.expert;
  one["expert_tensor"] = p.tensor_of_experts();
  one["zero"] = static_cast<int>(p.sharding);
  one["shard_group"] = p.shards();
  one["recompute"] = name_of(p.recompute);
  one["recompute_every"] = p.recompute_every;
  one["attention"] = p.attention == attention_kernel::fused ? "fused" : "explicit";
  one["loss"] = name_of(p.loss);
  one["optimizer"] = job.setup().optimizer.name;
  one["optimizer_update"] = name_of(job.framework().update);
  put_number(one, "gradient_bytes", job.setup().precision.gradients.bytes_per_element());
  one["adapter_rank"] = p.adapter_rank;
  json offloaded = json::array();
  if (p.offload_optimizer) offloaded.push_back("optimizer");
  if (p.offload_weights) offloaded.push_back("weights");
  if (p.offload_activations) offloaded.push_back("activations");
  one["offload"] = std::move(offloaded);
  one["recomputed_kinds"] = json::array();
  for (const operation kind : recomputable)
    if (p.recompute == recompute::kinds && p.recomputed_kinds.contains(kind))
      one["recomputed_kinds"].push_back(flopledger::name_of(kind));
  one["framework"] = job.framework().name;
  one["release"] = job.framework().release;
  one["changed_members"] = job.changed();
  json overlap;
  const overlaps& hidden = job.framework().overlap;
  overlap["tensor"] = hidden.tensor.value;
  overlap["context"] = hidden.context.value;
  overlap["expert"] = hidden.expert.value;
  overlap["pipeline"] = p.virtual_stages > 1 ? hidden.interleaved.value : hidden.pipeline.value;
  overlap["data"] = hidden.data.value;
  one["overlap"] = std::move(overlap);
  one["expert_wait_seconds"] = job.framework().expert_wait.value.value();
  return one;
}

void put_job(json_answer& answer, const training_job& job) {
  answer.put("model", job.model().name);
  answer.put("device", std::string_view(job.device().id));
  answer.count("devices", job.devices());
  answer.put("recipe", job.setup().precision.name);
  answer.put("plan", plan_of(job));
}

}  // namespace program
