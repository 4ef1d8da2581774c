// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// `flopledger report ... serve`: what a serving model takes of each device, and how long its users wait.

#include <flopledger/engines.hpp>
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
  seconds batch{};                        ///< all requests arriving together: prompts, then their tokens
};

/// The engine with what the user changed of it.
engine engine_of(const serving_request& asked) {
  engine made = *asked.engine;
  const auto milliseconds = [](known<seconds>& of, const std::optional<double>& given) {
    if (given) of = {*given * 1e-3 * unit::second, standing::assumed, "the request"};
  };
  milliseconds(made.a_request, asked.request_ms);
  milliseconds(made.a_pass, asked.pass_ms);
  milliseconds(made.a_token, asked.token_ms);
  if (asked.layout) made.layout = *asked.layout;
  if (asked.block) made.block.value = *asked.block;
  if (asked.chunk) made.chunk.value = *asked.chunk;
  if (asked.reserve_mib) made.reserve.value = as_double(*asked.reserve_mib) * prefix::mebi * unit::byte;
  return made;
}

class serving_job {
 public:
  serving_job(const subject& model, const serving_request& asked)
      : model_(model),
        asked_(asked),
        under_(engine_of(asked)),
        device_(find_device(asked.device)),
        recipe_(recipe_for_serving(model, asked.recipe)),
        budget_(budget_of(device_, asked.usable_per_mille)) {
    const transformer_config& config = model.config();
    if (config.vision_only || config.has_encoder())
      throw usage_error(model.name + ": serving is of decoders, and this model " +
                        (config.vision_only ? "reads images alone" : "has an encoder"));
    recipe_.precision = formats_under(under_, recipe_.precision);
    if (asked.kv_cache != nullptr) recipe_.precision.kv_cache = *asked.kv_cache;
    if (kv_cache_bytes(config, forward(1, 1), recipe_.precision.kv_cache) <= bytes{})
      throw usage_error(model.name + ": serving generates tokens, and the model keeps no cache");
    peak_ = peak_for(device_, recipe_.precision);
    tensor_ = asked.tensor.value_or(asked.devices.value_or(1));
    if (asked.devices && *asked.devices != tensor_)
      throw usage_error(fmt::format("--devices: {}, but one copy of the model lies on tensor {}",
                                    counted(*asked.devices, "device"), tensor_));
    constexpr std::int64_t most_passes = 100'000;
    if (asked.prompt / under_.chunk > most_passes)
      throw usage_error(fmt::format("--chunk: prompts of {} tokens in chunks of {} are more than {} passes",
                                    asked.prompt, under_.chunk.value, most_passes));
    node_ = node_for(device_, asked.links, tensor_);
    setup_ = {.formats = {.precision = recipe_.precision,
                          .checkpoint = recipe_.by_checkpoint ? &model.description.storage : nullptr,
                          .kernel = under_.attention},
              .tensor = tensor_,
              .expert = asked.expert,
              .layout = under_.layout,
              .block = under_.block,
              .chunk = under_.chunk,
              .reserve = under_.reserve};
    check(config);
    const serving_memory memory(config, setup_);
    account_ = memory.worst(asked.concurrency, context());
    if (budget_.available) most_ = memory.largest_concurrency(*budget_.available, context());
    a_sequence_ = memory.kv_cache_of_sequence(context(), 0);

    require_links(node_, tensor_);
    const machine on = machine_of(device_, recipe_.precision, under_);
    reached_ = on.reached;
    const serving_group shared = group_under(under_, tensor_, asked.expert, node_);
    predicted_ = waits({config, setup_.formats, on, shared, under_, asked.concurrency == 1}, under_);
    floor_ = waits({config, setup_.formats, on.floor(), {.tensor = tensor_, .expert = asked.expert}, engines::ideal},
                   engines::ideal);
  }

  const subject& model() const { return model_; }
  const serving_request& asked() const { return asked_; }
  const engine& under() const { return under_; }
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
  waiting waits(const serving_time<transformer_config>& time, const engine& under) const {
    const double prompt = as_double(asked_.prompt), output = as_double(asked_.output),
                 together = as_double(asked_.concurrency), chunk = as_double(under_.chunk);
    const seconds reading = time.prefill_in_chunks(1, prompt, chunk);
    const seconds decoding = time.decode(together, prompt, output);
    waiting found{.first_token = under.a_request.value + reading};
    if (asked_.output > 1) found.output_token = decoding / (output - 1);
    found.throughput = together * output * unit::token / (together * reading + decoding);
    found.batch = under.a_request.value + time.prefill_together(together, prompt, chunk) + decoding;
    return found;
  }

  const subject& model_;
  const serving_request& asked_;
  engine under_;
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
  const engine& under = job.under();
  const bool pages = under.layout == kv_layout::paged || under.layout == kv_layout::unified_pages;
  lines.add({"cache", fmt::format("{}{}, {} a sequence and device", flopledger::name_of(under.layout),
                                  pages ? fmt::format(", blocks of {}", counted(under.block, "token")) : "",
                                  report::scaled_binary(job.cache_of_sequence()))});
  const auto milliseconds = [](seconds time) { return report::three_digits(1e3 * time.value()); };
  lines.add(
      {"engine",
       fmt::format("{}: prompts in chunks of {}; {} ms a request, {} ms a pass and {} ms a token beside "
                   "the kernels; {:.0f} MiB reserved",
                   under.name, counted(under.chunk, "token"), milliseconds(under.a_request), milliseconds(under.a_pass),
                   milliseconds(under.a_token), under.reserve.value.value() / prefix::mebi)});
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
  times.add({"whole batch", report::scaled(job.predicted().batch), report::scaled(job.floor().batch),
             "all requests at once: their prompts, then their tokens"});
  return text + '\n' + times.text() + '\n' +
         described(serving_bands(job.device(), job.under(), !job.model().config().stack.sparse.empty()));
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
  load["engine"] = job.under().name;
  load["kv_layout"] = flopledger::name_of(job.under().layout);
  load["block"] = job.under().block.value;
  load["chunk"] = job.under().chunk.value;
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
    time["batch" + end + "_seconds"] = what.batch.value();
    if (what.output_token) time["time_per_output_token" + end + "_seconds"] = what.output_token->value();
  };
  put("", job.predicted());
  time["output_tokens_per_second"] = job.predicted().throughput.value();
  put("_floor", job.floor());
  time["output_tokens_per_second_at_floor"] = job.floor().throughput.value();
  answer.put("time", std::move(time));
  answer.put("constants", as_json(job.reached()));
  answer.put("error_bands",
             as_json(serving_bands(job.device(), job.under(), !job.model().config().stack.sparse.empty())));
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
