// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// `flopledger report ... serve`: what a serving model takes of each device, and how long its users wait.

#include <flopledger/memory/explain.hpp>
#include <flopledger/memory/kv_cache.hpp>
#include <flopledger/memory/serving.hpp>
#include <flopledger/text/number.hpp>
#include <flopledger/text/table.hpp>
#include <flopledger/time/serving.hpp>
#include <flopledger/time/step.hpp>

#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "accuracy.hpp"
#include "device_choice.hpp"
#include "memory_answer.hpp"
#include "program.hpp"
#include "training_job.hpp"

namespace program {
namespace {

using namespace flopledger;
using report::align;

constexpr double as_double(std::int64_t n) { return static_cast<double>(n); }

/// What a request and all of them together wait for.
struct waiting {
  seconds first_token{};                  ///< of one request that finds the devices idle
  std::optional<seconds> output_token{};  ///< with all sequences decoding; none for one token
  token_rate throughput{};                ///< prefills taking turns with decode steps
};

class serving_job {
 public:
  serving_job(const subject& model, const serving_request& asked)
      : model_(model),
        asked_(asked),
        device_(find_device(asked.device)),
        recipe_(recipe_for_serving(model, asked.recipe)),
        budget_(budget_of(device_, asked.usable_per_mille)) {
    const transformer_config& config = model.config();
    if (config.vision_only || config.has_encoder())
      throw usage_error(model.name + ": serving is of decoders, and this model " +
                        (config.vision_only ? "reads images alone" : "has an encoder"));
    if (asked.kv_cache != nullptr) recipe_.precision.kv_cache = *asked.kv_cache;
    if (kv_cache_bytes(config, forward(1, 1), recipe_.precision.kv_cache) <= bytes{})
      throw usage_error(model.name + ": serving generates tokens, and the model keeps no cache");
    peak_ = peak_for(device_, recipe_.precision);
    tensor_ = asked.tensor.value_or(asked.devices.value_or(1));
    if (asked.devices && *asked.devices != tensor_)
      throw usage_error(fmt::format("--devices: {}, but one copy of the model lies on tensor {}",
                                    counted(*asked.devices, "device"), tensor_));
    constexpr std::int64_t most_passes = 100'000;
    if (asked.prompt / asked.chunk > most_passes)
      throw usage_error(fmt::format("--chunk: prompts of {} tokens in chunks of {} are more than {} passes",
                                    asked.prompt, asked.chunk, most_passes));
    node_ = node_for(device_, asked.links, tensor_);
    setup_ = {.formats = {.precision = recipe_.precision,
                          .checkpoint = recipe_.by_checkpoint ? &model.description.storage : nullptr},
              .tensor = tensor_,
              .expert = asked.expert,
              .layout = asked.layout,
              .block = asked.block,
              .chunk = asked.chunk,
              .reserve = as_double(asked.reserve_mib) * prefix::mebi * unit::byte};
    check(config);
    const serving_memory memory(config, setup_);
    account_ = memory.worst(asked.concurrency, context());
    if (budget_.available) most_ = memory.largest_concurrency(*budget_.available, context());
    a_sequence_ = memory.kv_cache_of_sequence(context(), 0);

    require_links(node_, tensor_);
    const machine on = machine_of(device_, recipe_.precision);
    reached_ = on.reached;
    serving_group group{.tensor = tensor_, .expert = asked.expert};
    if (tensor_ > 1) {
      const plan lies{.tensor = tensor_, .sequence_parallel = false};
      const group_link link = link_over(group::tensor, collective::all_reduce, lies, node_);
      group.latency = link.quick_latency;
      group.bandwidth = link.bandwidth;
    }
    const engine added{.a_pass = asked.pass_ms * 1e-3 * unit::second,
                       .a_request = asked.request_ms * 1e-3 * unit::second};
    predicted_ = waits({config, setup_.formats, on, group, added, {.bursts = asked.concurrency == 1}}, added);
    floor_ = waits({config,
                    setup_.formats,
                    on.floor(),
                    {.tensor = tensor_, .expert = asked.expert},
                    {},
                    {.loss_bytes = 2, .cast_bytes = 0}},
                   {});
  }

  const subject& model() const { return model_; }
  const serving_request& asked() const { return asked_; }
  const accelerator& device() const { return device_; }
  const efficiency& reached() const { return reached_; }
  const recipe& precision() const { return recipe_.precision; }
  bool by_checkpoint() const { return recipe_.by_checkpoint; }
  const node& in() const { return node_; }
  const figure<flop_rate>& peak() const { return peak_; }
  std::int64_t tensor() const { return tensor_; }
  std::int64_t context() const { return asked_.prompt + asked_.output; }
  const memory_account& account() const { return account_; }
  const program::budget& budget() const { return budget_; }
  std::int64_t most() const { return most_; }
  bytes cache_of_sequence() const { return a_sequence_; }
  const waiting& predicted() const { return predicted_; }
  const waiting& floor() const { return floor_; }
  bool fits() const { return budget_.fits(whole_account(account_).total); }
  std::vector<std::string> remedies() const {
    std::vector<std::string> found;
    if (!budget_.available || fits()) return found;
    for (const remedy& one :
         flopledger::remedies(model_.config(), setup_, asked_.concurrency, context(), *budget_.available)) {
      found.emplace_back(described(one).c_str());
      // What memory has room for, the model need not have been trained for.
      if (one.what == change::context) found.back() += beyond_context(model_.config(), static_cast<double>(one.to));
    }
    return found;
  }
  std::vector<std::string> doubtful() const {
    std::vector<std::string> keys;
    if (peak_.is_doubtful()) keys.emplace_back("peak_flop_per_second");
    if (device_.memory_bandwidth.is_doubtful()) keys.emplace_back("memory_bandwidth_bytes_per_second");
    if (memory_of(device_).is_doubtful()) keys.emplace_back("available_bytes");
    return keys;
  }
 private:
  void check(const transformer_config& config) const {
    plan_verdict found = verdict(setup_, config);
    if (found.ok() && tensor_ % asked_.expert != 0) found = {plan_problem::expert_ranks, tensor_, asked_.expert};
    if (found.ok()) return;
    std::string_view option = option_of(found, {.tensor = tensor_, .expert = asked_.expert});
    if (option == "--tensor" && !asked_.tensor) option = "--devices";
    throw usage_error(impossible(found, option));
  }
  waiting waits(const serving_time<transformer_config>& time, const engine& added) const {
    const double prompt = as_double(asked_.prompt), output = as_double(asked_.output),
                 together = as_double(asked_.concurrency);
    const seconds reading = time.prefill_in_chunks(1, prompt, as_double(asked_.chunk));
    const seconds decoding = time.decode(together, prompt, output);
    waiting found{.first_token = added.a_request + reading};
    if (asked_.output > 1) found.output_token = decoding / (output - 1);
    found.throughput = together * output * unit::token / (together * reading + decoding);
    return found;
  }

  const subject& model_;
  const serving_request& asked_;
  const accelerator& device_;
  chosen_recipe recipe_;
  node node_{};
  program::budget budget_;
  figure<flop_rate> peak_{};
  efficiency reached_{};
  std::int64_t tensor_ = 1, most_ = 0;
  serving_setup setup_{};
  memory_account account_{};
  bytes a_sequence_{};
  waiting predicted_{}, floor_{};
};

constexpr auto lines_of_serving = {memory_line::weights, memory_line::kv_cache, memory_line::activations,
                                   memory_line::logits};

std::string header(const serving_job& job) {
  const serving_request& asked = job.asked();
  report::table lines({{"", align::left}, {"", align::left}});
  lines.add({"model", described(job.model().config())});
  lines.add({"load",
             fmt::format("{} at once, prompts of {}, {} out: a context of {}{}", counted(asked.concurrency, "sequence"),
                         counted(asked.prompt, "token"), counted(asked.output, "token"), job.context(),
                         beyond_context(job.model().config(), as_double(job.context())))});
  lines.add({"recipe", fmt::format("{}: {}, activations {}, products {}, KV cache {}", job.precision().name,
                                   job.by_checkpoint() ? "weights as the config.json has them"
                                                       : fmt::format("weights {}", job.precision().weights.name),
                                   job.precision().activations.name, job.precision().compute.name,
                                   job.precision().kv_cache.name)});
  const bool pages = asked.layout == kv_layout::paged || asked.layout == kv_layout::unified_pages;
  lines.add({"cache", fmt::format("{}{}, {} a sequence and device", flopledger::name_of(asked.layout),
                                  pages ? fmt::format(", blocks of {}", counted(asked.block, "token")) : "",
                                  report::scaled_binary(job.cache_of_sequence()))});
  lines.add({"engine", fmt::format("prompts in chunks of {}; {} ms a request and {} ms a pass beside the kernels; "
                                   "{} MiB reserved",
                                   counted(asked.chunk, "token"), report::three_digits(asked.request_ms),
                                   report::three_digits(asked.pass_ms), asked.reserve_mib)});
  if (job.tensor() > 1) lines.add({"links", fmt::format("tensor {}; {}", job.tensor(), described(job.in()))});
  lines.add({"efficiency", described(job.reached())});
  return fmt::format("Serving {} on {}\n", job.model().name, described(job.device(), as_double(job.tensor()))) +
         lines.text(2);
}

std::string for_people(const serving_job& job) {
  const memory_account& account = job.account();
  report::table lines({{"memory of a device", align::left}, {""}, {"%"}, {"", align::left}});
  const std::pair<memory_line, std::string_view> about[] = {
      {memory_line::weights, ""},
      {memory_line::kv_cache, "all sequences at their full length"},
      {memory_line::activations, "the widest operation of a chunk"},
      {memory_line::logits, "FP32, of the sequences that sample"},
      {memory_line::reserve, "the engine's"}};
  for (const auto& [line, note] : about)
    if (account[line].value() > 0)
      lines.add({std::string(flopledger::name_of(line)), report::scaled_binary(account[line]),
                 report::percent(account[line] / account.total()), std::string(note)});
  lines.add({"total", report::scaled_binary(account.total()), "100.0", ""});
  std::string text = header(job) + '\n' + lines.text() + verdict_line(account, job.budget(), job.device());
  if (job.budget().available)
    text += fmt::format("At most {} of {} {} at once.\n", counted(job.most(), "sequence"),
                        counted(job.context(), "token"), job.most() == 1 ? "fits" : "fit");
  for (const std::string& remedy : job.remedies()) text += "  would fit: " + remedy + '\n';

  report::table times({{"time", align::left}, {""}, {"floor"}, {"", align::left}});
  times.add({"to first token", report::scaled(job.predicted().first_token), report::scaled(job.floor().first_token),
             "one request, no queue"});
  if (job.predicted().output_token)
    times.add({"per output token", report::scaled(*job.predicted().output_token),
               report::scaled(*job.floor().output_token),
               job.asked().concurrency == 1
                   ? "alone, no prefill between"
                   : fmt::format("{} decode together, no prefill between", job.asked().concurrency)});
  times.add({"output tokens a second", report::three_digits(job.predicted().throughput.value()),
             report::three_digits(job.floor().throughput.value()), "all sequences, prefills taking turns"});
  return text + '\n' + times.text() + '\n' +
         described(serving_bands(job.device(), !job.model().config().stack.sparse.empty()));
}

json for_programs(const serving_job& job) {
  const serving_request& asked = job.asked();
  json_answer answer;
  answer.put("model", job.model().name);
  answer.put("architecture", job.model().config().architecture);
  answer.put("device", std::string_view(job.device().id));
  answer.put("devices", job.tensor());
  answer.put("recipe", job.precision().name);
  answer.put("recipe_is_of_the_checkpoint", job.by_checkpoint());
  json load;
  load["prompt"] = asked.prompt;
  load["output"] = asked.output;
  load["context"] = job.context();
  load["concurrency"] = asked.concurrency;
  load["tensor"] = job.tensor();
  load["expert"] = asked.expert;
  load["kv_cache"] = job.precision().kv_cache.name;
  load["kv_layout"] = flopledger::name_of(asked.layout);
  load["block"] = asked.block;
  load["chunk"] = asked.chunk;
  answer.put("load", std::move(load));
  json memory;
  put_memory(answer, memory, "memory", job.account(), job.budget(), lines_of_serving, false);
  memory["max_concurrency"] = nullptr;
  if (job.budget().available) memory["max_concurrency"] = job.most();
  const double a_sequence = whole_bytes(job.cache_of_sequence());
  answer.count(memory, "kv_cache_bytes_per_sequence", a_sequence, "memory.kv_cache_bytes_per_sequence");
  if (a_sequence != job.cache_of_sequence().value()) answer.rounded("memory.kv_cache_bytes_per_sequence");
  memory["device_bytes"] = nullptr;
  if (job.budget().device) answer.count(memory, "device_bytes", job.budget().device->value(), "memory.device_bytes");
  memory["usable_percent"] = static_cast<double>(asked.usable_per_mille) / 10;
  memory["remedies"] = job.remedies();
  answer.put("memory", std::move(memory));
  json time;
  const auto put = [&](const std::string& end, const waiting& what) {
    time["time_to_first_token" + end + "_seconds"] = what.first_token.value();
    time["time_per_output_token" + end + "_seconds"] = nullptr;
    if (what.output_token) time["time_per_output_token" + end + "_seconds"] = what.output_token->value();
  };
  put("", job.predicted());
  time["output_tokens_per_second"] = job.predicted().throughput.value();
  put("_floor", job.floor());
  time["output_tokens_per_second_at_floor"] = job.floor().throughput.value();
  answer.put("time", std::move(time));
  answer.put("constants", as_json(job.reached()));
  answer.put("error_bands", as_json(serving_bands(job.device(), !job.model().config().stack.sparse.empty())));
  answer.put("doubtful", job.doubtful());
  return answer.whole();
}

}  // namespace

reply report_serving(const serving_request& asked, output how) {
  const subject& model = find_subject(asked.model);
  const serving_job job(model, asked);
  return how == output::programs ? reply(for_programs(job)) : reply(for_people(job));
}

}  // namespace program
