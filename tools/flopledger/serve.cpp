// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// `flopledger report ... serve`: what a serving model takes of each device, and how long its users wait.

#include <flopledger/job.hpp>
#include <flopledger/text/number.hpp>
#include <flopledger/text/table.hpp>
#include <flopledger/time/load.hpp>

#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "accuracy.hpp"
#include "changed_members.hpp"
#include "device_choice.hpp"
#include "memory_answer.hpp"
#include "program.hpp"
#include "training_job.hpp"

namespace program {
namespace {

using namespace flopledger;
using report::align;

constexpr double as_double(std::int64_t n) { return static_cast<double>(n); }

/// The engine with what the user changed of it.
engine engine_of(const serving_request& asked) {
  engine made = *asked.engine;
  change(made, asked.members);
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

class serving_job : public flopledger::serving_job {
 public:
  serving_job(const subject& model, const serving_request& asked) : serving_job(model, asked, laid_out(model, asked)) {}

  const subject& model() const { return model_; }
  const accelerator& device() const { return laid_.device; }
  const recipe& precision() const { return setup().formats.precision; }
  bool by_checkpoint() const { return setup().formats.checkpoint != nullptr; }
  const node& in() const { return laid_.in; }
  std::int64_t tensor() const { return setup().tensor; }
  std::int64_t context() const { return load().context(); }
  const program::budget& budget() const { return budget_; }
  bool fits() const { return budget_.fits(whole_account(memory()).total); }
  const std::vector<std::string>& changed() const { return changed_; }
  /// Which rates are published: times stand on both, floors on either.
  known_rates known() const { return rates_known(laid_.device, precision()); }
  /// Sequences at once; none where the device's memory is not published.
  std::optional<std::int64_t> most() const {
    if (!budget_.available) return {};
    return largest_concurrency(model_.config(), *budget_.available);
  }
  /// A closed loop of users, and how many of their requests memory holds at once, on average half of each output there.
  struct loaded {
    std::int64_t users, places;
    loaded_times times;
  };
  /// None where no users were asked for, or neither the memory nor the rates are published.
  std::optional<loaded> under_load() const {
    if (!laid_.users || !budget_.available || !known().both()) return {};
    const served_load& each = load();
    const std::int64_t places =
        serving_memory(model_.config(), setup()).largest_concurrency(*budget_.available, each.prompt + each.output / 2);
    if (places < 1) return {};
    const serving_time time(model_.config(), setup().formats, laid_.on, laid_.group, under(), *laid_.users == 1);
    return loaded{*laid_.users, places,
                  flopledger::under_load(time, under(),
                                         {.concurrency = as_double(*laid_.users),
                                          .prompt = as_double(each.prompt),
                                          .output = as_double(each.output),
                                          .places = as_double(places)})};
  }
  std::vector<std::string> ways_to_fit() const {
    std::vector<std::string> found;
    if (!budget_.available || fits()) return found;
    for (const remedy& one : remedies(model_.config(), *budget_.available)) {
      found.emplace_back(described(one).c_str());
      // What memory has room for, the model need not have been trained for.
      if (one.what == change::context) found.back() += beyond_context(model_.config(), static_cast<double>(one.to));
    }
    return found;
  }
  std::vector<std::string> doubtful() const {
    std::vector<std::string> keys;
    if (laid_.peak.is_doubtful()) keys.emplace_back("peak_flop_per_second");
    if (laid_.device.memory_bandwidth.is_doubtful()) keys.emplace_back("memory_bandwidth_bytes_per_second");
    if (memory_of(laid_.device).is_doubtful()) keys.emplace_back("available_bytes");
    return keys;
  }
 private:
  /// What was asked, as the library takes it.
  struct laid_out {
    const accelerator& device;
    engine under;
    served_load load;
    serving_setup setup;
    figure<flop_rate> peak;
    node in;
    machine on{};
    serving_group group{};
    std::optional<std::int64_t> users;

    laid_out(const subject& model, const serving_request& asked)
        : device(find_device(asked.device)),
          under(engine_of(asked)),
          load{.prompt = asked.prompt, .output = asked.output, .concurrency = asked.concurrency},
          users(asked.users) {
      const transformer_config& config = model.config();
      const chosen_recipe chosen = formats_to_serve(model, asked.recipe, asked.kv_cache, device);
      const std::int64_t tensor = asked.tensor.value_or(asked.devices.value_or(1));
      setup = setup_under(
          under,
          {.precision = chosen.precision, .checkpoint = chosen.by_checkpoint ? &model.description.storage : nullptr},
          tensor, asked.expert);
      peak = dense_peak_figure(device, setup.formats.precision.compute.kind);
      if (asked.devices && *asked.devices != tensor)
        throw usage_error(fmt::format("--devices: {}, but one copy of the model lies on tensor {}",
                                      counted(*asked.devices, "device"), tensor));
      constexpr std::int64_t most_passes = 100'000;
      if (asked.prompt / under.chunk > most_passes)
        throw usage_error(fmt::format("--chunk: prompts of {} tokens in chunks of {} are more than {} passes",
                                      asked.prompt, under.chunk.value, most_passes));
      in = node_for(device, asked.links, tensor);
      if (const plan_verdict found = verdict(setup, load, config); !found.ok()) {
        std::string_view option = option_of(found, {.tensor = tensor, .expert = asked.expert});
        if (option == "--tensor" && !asked.tensor) option = "--devices";
        throw usage_error(impossible(found, option));
      }
      require_links(in, tensor);
      on = machine_of(bounding(device, setup.formats.precision), setup.formats.precision, under);
      group = group_under(under, setup.tensor, setup.expert, in);
    }
  };
  serving_job(const subject& model, const serving_request& asked, const laid_out& as)
      : flopledger::serving_job(model.config(), as.setup, as.under, as.load, as.on, as.group),
        model_(model),
        laid_(as),
        budget_(budget_of(as.device, asked.usable_per_mille)),
        changed_(paths_of(asked.members)) {}

  const subject& model_;
  laid_out laid_;
  program::budget budget_;
  std::vector<std::string> changed_;
};

constexpr auto lines_of_serving = {memory_line::weights, memory_line::kv_cache, memory_line::activations,
                                   memory_line::logits};

std::string header(const serving_job& job) {
  const served_load& asked = job.load();
  report::table lines({{"", align::left}, {"", align::left}});
  lines.add({"model", described(job.model().config())});
  lines.add({"load",
             fmt::format("{} at once, prompts of {}, {} out: a context of {}{}", counted(asked.concurrency, "sequence"),
                         counted(asked.prompt, "token"), counted(asked.output, "token"), job.context(),
                         beyond_context(job.model().config(), as_double(job.context())))});
  lines.add({"recipe", fmt::format("{}: {}, activations {}, products {}, KV cache {}", job.precision().name,
                                   job.by_checkpoint() ? "weights as the checkpoint has them"
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
      {"engine", fmt::format("{}{}: prompts in chunks of {}; {} ms a request, {} ms a pass and {} ms a token beside "
                             "the kernels; {:.0f} MiB reserved",
                             under.name, described(job.changed()), counted(under.chunk, "token"),
                             milliseconds(under.a_request), milliseconds(under.a_pass), milliseconds(under.a_token),
                             under.reserve.value.value() / prefix::mebi)});
  if (job.tensor() > 1) lines.add({"links", fmt::format("tensor {}; {}", job.tensor(), described(job.in()))});
  lines.add({"efficiency", described(job.reached())});
  return fmt::format("Serving {} on {}\n", job.model().name, described(job.device(), as_double(job.tensor()))) +
         lines.text(2);
}

std::string described(const serving_job::loaded& load) {
  report::table times({{"under load", align::left}, {""}, {"", align::left}});
  times.add({"to first token", report::scaled(load.times.first_token), "from a request's arrival"});
  if (load.times.output_token)
    times.add({"per output token", report::scaled(*load.times.output_token), "prompts read between"});
  times.add({"request", report::scaled(load.times.request), "to its last token"});
  times.add({"output tokens a second", report::three_digits(load.times.throughput.value()), "all users'"});
  return fmt::format("{}, each with ten requests one after another; memory holds {} at once.\n",
                     counted(load.users, "user"), counted(load.places, "request")) +
         times.text();
}

std::string for_people(const serving_job& job) {
  const memory_account& account = job.memory();
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
  if (const std::optional<std::int64_t> most = job.most())
    text += fmt::format("At most {} of {} {} at once.\n", counted(*most, "sequence"), counted(job.context(), "token"),
                        *most == 1 ? "fits" : "fit");
  for (const std::string& remedy : job.ways_to_fit()) text += "  would fit: " + remedy + '\n';

  const known_rates known = job.known();
  if (!known.both()) text += "No times are predicted: " + without_times(job.device(), job.precision()) + ".\n";
  if (!known.any()) return text;
  const auto if_known = [](bool is, std::string shown) { return is ? std::move(shown) : std::string("-"); };
  const auto predicted = [&](std::string shown) { return if_known(known.both(), std::move(shown)); };
  report::table times({{"time", align::left}, {""}, {"floor"}, {"", align::left}});
  times.add({"to first token", predicted(report::scaled(job.times().first_token)),
             report::scaled(job.floors().first_token), "one request, no queue"});
  if (job.times().output_token)
    times.add({"per output token", predicted(report::scaled(*job.times().output_token)),
               report::scaled(*job.floors().output_token),
               job.load().concurrency == 1
                   ? "alone, no prefill between"
                   : fmt::format("{} decode together, no prefill between", job.load().concurrency)});
  times.add({"output tokens a second", predicted(report::three_digits(job.times().throughput.value())),
             report::three_digits(job.floors().throughput.value()), "all sequences, prompts read beside them"});
  times.add({"whole batch", predicted(report::scaled(job.times().batch)), report::scaled(job.floors().batch),
             "all requests at once: their prompts, then their tokens"});
  text += '\n' + times.text();
  if (!known.both()) return text;
  if (const auto loaded = job.under_load()) text += '\n' + described(*loaded);
  return text + '\n' + described(serving_bands(job.device(), job.under(), !job.model().config().stack.sparse.empty()));
}

json for_programs(const serving_job& job) {
  const served_load& asked = job.load();
  json_answer answer;
  answer.put("model", job.model().name);
  answer.put("architecture", job.model().config().architecture);
  answer.put("device", std::string_view(job.device().id));
  answer.put("devices", job.tensor());
  answer.put("recipe", job.precision().name);
  answer.put("recipe_is_of_the_checkpoint", job.by_checkpoint());
  answer.put("computes_in", job.precision().compute.name);
  json load;
  load["prompt"] = asked.prompt;
  load["output"] = asked.output;
  load["context"] = job.context();
  load["concurrency"] = asked.concurrency;
  load["tensor"] = job.tensor();
  load["expert"] = job.setup().expert;
  load["kv_cache"] = job.precision().kv_cache.name;
  load["engine"] = job.under().name;
  load["changed_members"] = job.changed();
  load["kv_layout"] = flopledger::name_of(job.under().layout);
  load["block"] = job.under().block.value;
  load["chunk"] = job.under().chunk.value;
  answer.put("load", std::move(load));
  json memory;
  put_memory(answer, memory, "memory", job.memory(), job.budget(), lines_of_serving, false);
  memory["max_concurrency"] = nullptr;
  if (const std::optional<std::int64_t> most = job.most()) memory["max_concurrency"] = *most;
  const double a_sequence = whole_bytes(job.cache_of_sequence());
  answer.count(memory, "kv_cache_bytes_per_sequence", a_sequence, "memory.kv_cache_bytes_per_sequence");
  if (a_sequence != job.cache_of_sequence().value()) answer.rounded("memory.kv_cache_bytes_per_sequence");
  memory["device_bytes"] = nullptr;
  if (job.budget().device) answer.count(memory, "device_bytes", job.budget().device->value(), "memory.device_bytes");
  memory["usable_percent"] = static_cast<double>(job.budget().usable_per_mille) / 10;
  memory["remedies"] = job.ways_to_fit();
  answer.put("memory", std::move(memory));
  json time;
  const auto put = [&](const std::string& end, const std::string& throughput, const serving_times& what, bool known) {
    const std::string first = "time_to_first_token" + end + "_seconds", batch = "batch" + end + "_seconds",
                      output = "time_per_output_token" + end + "_seconds";
    time[first] = time[output] = time[batch] = time[throughput] = nullptr;
    if (!known) return;
    time[first] = what.first_token.value();
    if (what.output_token) time[output] = what.output_token->value();
    time[batch] = what.batch.value();
    time[throughput] = what.throughput.value();
  };
  put("", "output_tokens_per_second", job.times(), job.known().both());
  put("_floor", "output_tokens_per_second_at_floor", job.floors(), job.known().any());
  if (const auto loaded = job.under_load()) {
    time["loaded_users"] = loaded->users;
    time["loaded_places"] = loaded->places;
    time["loaded_time_to_first_token_seconds"] = loaded->times.first_token.value();
    time["loaded_time_per_output_token_seconds"] = nullptr;
    if (loaded->times.output_token) time["loaded_time_per_output_token_seconds"] = loaded->times.output_token->value();
    time["loaded_request_seconds"] = loaded->times.request.value();
    time["loaded_output_tokens_per_second"] = loaded->times.throughput.value();
  }
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
