// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// `flopledger report`: what a model holds, moves and takes at least on a device.

#include <flopledger/text/number.hpp>
#include <flopledger/text/table.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "counts.hpp"
#include "device_choice.hpp"
#include "device_job.hpp"
#include "groups.hpp"
#include "json.hpp"
#include "program.hpp"

namespace program {
namespace {

using namespace flopledger;
using report::align;

/// One line of the table: an operation in all its instances, or a group of them.
struct line {
  parameters held{};
  flops products{};
  bytes moved{};
  seconds time{}, compute_bound{};

  void add(const entry& e, const device_job& job) {
    const auto n = static_cast<double>(e.times);
    const floor_times times = floor_of(e.what, job.formats(), job.rates());
    held += n * e.what.held;
    products += n * product_flops(e.what);
    moved += n * moved_by(e.what, job.formats()).total();
    time += n * times.longer();
    if (times.is_compute_bound()) compute_bound += n * times.longer();
  }
  const char* bound() const {
    if (time <= seconds{}) return "";
    if (compute_bound >= time) return "compute";
    return compute_bound <= seconds{} ? "bandwidth" : "both";
  }
};

std::string operations_table(const counts& found, const device_job& job) {
  report::table table({{"operation", align::left},
                       {"times", align::right},
                       {"parameters", align::right},
                       {"FLOPs", align::right},
                       {"%", align::right},
                       {"bytes", align::right},
                       {"FLOP/B", align::right},
                       {"floor", align::right},
                       {"%", align::right},
                       {"bound by", align::left}});
  const auto add = [&](std::string name, std::string times, const line& sums) {
    const auto or_dash = [](double value, std::string text) { return value == 0 ? std::string("-") : std::move(text); };
    const double intensity = sums.moved > bytes{} ? (sums.products / sums.moved).value() : 0.0;
    table.add({std::move(name), std::move(times), or_dash(sums.held.value(), report::scaled(sums.held)),
               or_dash(sums.products.value(), report::scaled(sums.products.value(), "")),
               or_dash(sums.products.value(), report::percent(sums.products / found.products)),
               or_dash(sums.moved.value(), report::scaled(sums.moved)),
               or_dash(intensity, report::three_digits(intensity)),
               or_dash(sums.time.value(), report::scaled(sums.time)),
               or_dash(sums.time.value(), report::percent(sums.time / job.floors().one_after_another)),
               job.known().both() ? sums.bound() : "-"});
  };
  for (const group& g : groups_of(found.operations)) {
    const bool several = g.members.size() > 1;
    if (several) {
      line sums;
      for (const listed_operation& e : g.members) sums.add(e, job);
      add(g.title, "", sums);
    }
    for (const listed_operation& e : g.members) {
      line sums;
      sums.add(e, job);
      add(several ? "  " + group::short_name(e) : group::full_name(e), std::to_string(e.times), sums);
    }
  }
  return table.text();
}

/// "w4a16: block matrices in int4; other weights, activations, KV cache, products in bf16; sums in fp32".
std::string recipe_line(const device_job& job) {
  const recipe& used = job.precision();
  const bool integers = used.compute.kind == number_kind::int8 || used.compute.kind == number_kind::int4;
  const bool whole = !job.by_checkpoint() && used.weights.name == used.other_weights.name;
  struct part {
    std::string_view name, format;
  };
  const part parts[] = {{whole ? "weights" : "block matrices", job.by_checkpoint() ? "" : used.weights.name},
                        {"other weights", whole ? "" : used.other_weights.name},
                        {"activations", used.activations.name},
                        {"KV cache", used.kv_cache.name},
                        {"products", used.compute.name},
                        {"sums", integers ? "int32" : used.accumulation.name}};
  std::vector<std::string> lists;  // of the names that share a format
  std::vector<std::string_view> formats;
  for (const part& one : parts) {
    if (one.format.empty()) continue;
    const auto known = std::find(formats.begin(), formats.end(), one.format);
    if (known == formats.end()) {
      formats.push_back(one.format);
      lists.emplace_back(one.name);
    } else {
      lists[static_cast<std::size_t>(known - formats.begin())].append(", ").append(one.name);
    }
  }
  std::string text(used.name);
  text += job.by_checkpoint() ? ": quantised matrices as the checkpoint has them" : ":";
  for (std::size_t i = 0; i < lists.size(); ++i)
    text += fmt::format("{} {} in {}", i > 0 || job.by_checkpoint() ? ";" : "", lists[i], formats[i]);
  return text;
}

std::string header(const subject& model, const counts& found, const device_job& job) {
  report::table lines({{"", align::left}, {"", align::left}});
  lines.add({"model", described(model.config())});
  lines.add({"pass", described(model, found.pass)});
  lines.add({"recipe", recipe_line(job)});
  lines.add({"counting", fmt::format("attention {}; a multiply-add is 2 FLOPs", name_of(found.pass.attention))});
  lines.add({"floors", fmt::format("dense peak; {} attention; every operation reads its operands and writes its "
                                   "results once",
                                   job.formats().kernel == attention_kernel::fused ? "fused" : "explicit")});
  return fmt::format("{} on {}\n", model.name, described(job.device(), job.devices())) + lines.text(2);
}

std::string summary(const subject& model, const counts& found, const device_job& job) {
  report::table lines({{"", align::left}, {"", align::right}, {"", align::left}});
  const roofline& floors = job.floors();
  const std::string active =
      found.active == found.held ? "" : fmt::format("; {} active for a token", report::scaled(found.active));
  lines.add({"parameters", report::scaled(found.held), report::in_full(found.held.value()) + active});
  lines.add({"weights", report::scaled_binary(job.weights())});
  if (job.kv_cache() > bytes{})
    lines.add({"KV cache", report::scaled_binary(job.kv_cache()),
               fmt::format("{} a token", report::scaled_binary(job.kv_cache_per_token() * (1.0 * unit::token)))});
  lines.add({"forward pass", report::scaled(found.products),
             fmt::format("in matrix products; {} elementwise beside them; {} moved", report::scaled(found.elementwise),
                         report::scaled(job.moved().total()))});
  if (found.training)
    lines.add({"training step", report::scaled(*found.training), "in matrix products, forward and backward"});
  const known_rates known = job.known();
  const auto rate_or_dash = [](const auto& rate) {
    return rate.is_known() ? report::scaled(rate.value()) + doubt(rate.is_doubtful()) : std::string("-");
  };
  lines.add(
      {job.devices() > 1 ? "each device" : "device", rate_or_dash(job.peak()),
       fmt::format("in {}; {} of bandwidth{}", flopledger::name_of(job.precision().compute.kind),
                   rate_or_dash(job.bandwidth()),
                   known.both() ? fmt::format("; in balance at {} FLOP/B",
                                              report::three_digits((job.rates().peak / job.rates().bandwidth).value()))
                                : "")});
  if (!known.any()) return lines.text(2);
  const bool images = model.config().vision_only;
  const double done = images ? found.pass.run.count : found.pass.token_count();
  const std::string least = fmt::format("at most {} {}/s", report::fixed(done / floors.one_after_another.value(), 0),
                                        images ? "images" : "tokens");
  if (!known.both()) {
    lines.add({"floor", report::scaled(floors.one_after_another),
               fmt::format("{} alone: {}", known.bandwidth ? "bandwidth" : "compute", least)});
    return lines.text(2);
  }
  lines.add({"floor", report::scaled(floors.one_after_another),
             "one operation after another, each by its slower side: " + least});
  lines.add({"  overlapped", report::scaled(floors.total.longer()),
             fmt::format("the longer of {} of compute and {} of bandwidth", report::scaled(floors.total.compute),
                         report::scaled(floors.total.bandwidth))});
  return lines.text(2);
}

/// What dominates, and whether it fits.
std::string conclusion(const counts& found, const device_job& job) {
  const roofline& floors = job.floors();
  std::string dominant;
  seconds longest{};
  for (const group& g : groups_of(found.operations)) {
    line sums;
    for (const listed_operation& e : g.members) sums.add(e, job);
    if (sums.time > longest) {
      longest = sums.time;
      dominant = g.title;
    }
  }
  std::string text =
      job.known().both() ? "" : "Floors are of what is known: " + without_times(job.device(), job.precision()) + ".\n";
  if (job.known().both()) {
    const double by_compute = floors.compute_bound / floors.one_after_another;
    text = fmt::format("{} % of the floor is {}; {} % of it all is bound by {}.\n",
                       report::percent(longest / floors.one_after_another), dominant,
                       report::percent(by_compute >= 0.5 ? by_compute : 1 - by_compute),
                       by_compute >= 0.5 ? "compute" : "bandwidth");
  }

  const bytes needed = job.weights() + job.kv_cache();
  text += fmt::format("Weights and KV cache take {}", report::scaled_binary(needed));
  if (!job.memory().is_known()) return text + "; the device's memory is not published.\n";
  const budget one = budget_of(job.device(), guarded_per_mille);
  const bytes available = job.devices() * *one.available;
  const std::string of = fmt::format("{}, {} % of the {}{}{}{}", report::scaled_binary(available),
                                     guarded_per_mille / 10, report::scaled_binary(job.devices() * *one.device),
                                     doubt(job.memory().is_doubtful()), job.memory_is_nominal() ? " (nominal)" : "",
                                     job.devices() > 1 ? fmt::format(" on {} devices", job.devices()) : "");
  text += needed <= available
              ? fmt::format(" of {}: they fit, and {} remain for activations and the rest.\n", of,
                            report::scaled_binary(available - needed))
              : fmt::format(" of {}: they do not fit, {} too much.\n", of, report::scaled_binary(needed - available));
  return text;
}

std::string for_people(const subject& model, const counts& found, const device_job& job) {
  return header(model, found, job) + '\n' + summary(model, found, job) + '\n' + operations_table(found, job) + '\n' +
         conclusion(found, job);
}

json for_programs(const subject& model, const counts& found, const device_job& job) {
  json_answer answer;
  put_counts(answer, model, found);
  const roofline& floors = job.floors();
  answer.put("device", std::string_view(job.device().id));
  answer.count("devices", job.devices());
  answer.put("recipe", job.precision().name);
  answer.put("recipe_is_of_the_checkpoint", job.by_checkpoint());
  answer.put("computes_in", job.precision().compute.name);
  answer.put("attention_kernel", job.formats().kernel == attention_kernel::fused ? "fused" : "explicit");
  const known_rates known = job.known();
  const auto put_if = [&](bool is, const char* key, double value) {
    if (is)
      answer.put(key, value);
    else
      answer.put(key, nullptr);
  };
  const auto count_rate = [&](const char* key, const auto& rate) {
    if (rate.is_known())
      answer.count(key, rate.value().value());
    else
      answer.put(key, nullptr);
  };
  count_rate("peak_flop_per_second", job.peak());
  count_rate("memory_bandwidth_bytes_per_second", job.bandwidth());
  answer.count("weights_bytes", job.weights().value());
  answer.count("kv_cache_bytes_per_token", job.kv_cache_per_token().value());
  answer.count("kv_cache_bytes", job.kv_cache().value());
  const bytes needed = job.weights() + job.kv_cache();
  if (const budget one = budget_of(job.device(), guarded_per_mille); one.available) {
    answer.count("available_bytes", (job.devices() * *one.available).value());
    answer.count("device_bytes", one.device->value());
    answer.put("fits", needed <= job.devices() * *one.available);
  } else {
    for (const char* key : {"available_bytes", "device_bytes", "fits"}) answer.put(key, nullptr);
  }
  answer.put("usable_percent", guarded_per_mille / 10);
  json moved = json::object();
  const auto put_moved = [&](const char* key, const movement& amount) {
    for (const auto& [direction, value] : {std::pair{"read", amount.read}, {"written", amount.written}}) {
      const std::string name = fmt::format("{}_{}_bytes", key, direction);
      answer.count(moved, name, value.value(), "moved." + name);
    }
  };
  put_moved("weights", job.moved().weights);
  put_moved("activations", job.moved().activations);
  put_moved("kv_cache", job.moved().kv_cache);
  put_moved("other", job.moved().other);
  answer.put("moved", std::move(moved));
  answer.count("moved_bytes", job.moved().total().value());
  put_if(known.peak, "floor_compute_seconds", floors.total.compute.value());
  put_if(known.bandwidth, "floor_bandwidth_seconds", floors.total.bandwidth.value());
  put_if(known.any(), "floor_seconds", floors.one_after_another.value());
  put_if(known.any(), "floor_overlapped_seconds", floors.total.longer().value());
  answer.put("doubtful", job.doubtful());
  json operations = json::array();
  for (const listed_operation& e : found.operations) {
    const std::string path = fmt::format("operations[{}]", operations.size());
    json one = operation_of(answer, e, found, path);
    const floor_times times = floor_of(e.what, job.formats(), job.rates());
    answer.count(one, "moved_bytes", moved_by(e.what, job.formats()).total().value(), path + ".moved_bytes");
    one["floor_compute_seconds"] = one["floor_bandwidth_seconds"] = one["bound_by"] = nullptr;
    if (known.peak) one["floor_compute_seconds"] = times.compute.value();
    if (known.bandwidth) one["floor_bandwidth_seconds"] = times.bandwidth.value();
    if (known.both()) one["bound_by"] = times.is_compute_bound() ? "compute" : "bandwidth";
    operations.push_back(std::move(one));
  }
  answer.put("operations", std::move(operations));
  return answer.whole();
}

}  // namespace

reply report(const report_request& asked, output how) {
  const subject& model = find_subject(asked.model);
  const counts found = counts_of(model, asked);
  const device_job job(model, found.pass, asked);
  return how == output::programs ? reply(for_programs(model, found, job)) : reply(for_people(model, found, job));
}

}  // namespace program
