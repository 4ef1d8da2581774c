// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// `flopledger mfu`: the share of the peak that a measured step reached.

#include <flopledger/counting/catalogue.hpp>
#include <flopledger/text/number.hpp>
#include <flopledger/text/table.hpp>
#include <flopledger/utilisation.hpp>

#include <string>

#include <fmt/format.h>

#include "conventions.hpp"
#include "device_choice.hpp"
#include "json.hpp"
#include "program.hpp"
#include "subject.hpp"
#include "training_job.hpp"

namespace program {
namespace {

using namespace flopledger;
using report::align;

/// The precisions that the user named: work and peak are of them alike.
struct narrow_products;
struct wide_products;
using asked_precision = blended<narrow_products, wide_products>;
using step_work = model_work<pass::training_step, asked_precision>;

/// A training step's products, those apart that a recipe of 8 bits or fewer leaves wider.
struct products_by_width {
  macs narrow{}, wide{};
  void take(const row& r, std::int64_t times) {
    (is_block_product(r.kind) ? narrow : wide) += static_cast<double>(times) * (r.multiplied + backward_macs(r));
  }
};

struct answered {
  const counting::listed_convention& rule;
  step_work done;
  flops again{};
  flopledger::peak<asked_precision> best;
  figure<flop_rate> peak_of_one;
  double mfu = 0, hfu = 0;
};

answered answer_of(const subject& model, const accelerator& device, const mfu_request& asked) {
  const counting::listed_convention& rule = find_convention(asked.convention, "--convention");
  if (rule.covers != counting::passes::forward_and_backward)
    throw usage_error(
        fmt::format("--convention: {} covers the {} pass alone, and a training step is forward and backward", rule.name,
                    counting::name_of(rule.covers)));
  const work step = training_step(static_cast<double>(asked.global_batch), static_cast<double>(asked.sequence));
  const transformer_config& config = model.config();
  const counting::implementation& written = find_implementation(asked.written_in, config);
  const auto peak_of = [&](number_kind precision) {
    const figure<flop_rate> peak = dense_peak_figure(device, precision);
    if (peak.is_known()) return peak;
    throw usage_error(
        fmt::format("{}: no dense {} peak is published", std::string_view(device.id), flopledger::name_of(precision)));
  };
  figure<flop_rate> peak = peak_of(asked.precision);
  if (asked.attention_precision) {
    const figure<flop_rate> wide = peak_of(*asked.attention_precision);
    products_by_width sum;
    config.record(sum, step);
    const blend shares(model_work<pass::training_step, narrow_products>{flops_per_mac * sum.narrow},
                       model_work<pass::training_step, wide_products>{flops_per_mac * sum.wide});
    const flop_rate together = shares.peak({peak.value()}, {wide.value()}).rate;
    peak = peak.is_doubtful() || wide.is_doubtful() ? doubtful(together) : figure<flop_rate>(together);
  }
  const auto done_by = [&](const counting::listed_convention& by) {
    return step_work{counting::count(config, step, by, written).operations()};
  };
  // What runs again counts its attention as what ran first does.
  const auto again_by = [&](const counting::listed_convention& by) {
    const work as_counted = by.asks(step, written);
    return recomputed_flops(config, as_counted, recompute_rule{.how = asked.again});
  };
  answered found{.rule = rule,
                 .done = done_by(rule),
                 .again = again_by(rule),
                 .best = {static_cast<double>(asked.devices) * peak.value()},
                 .peak_of_one = peak};
  const measured<pass::training_step> took(asked.step_time * unit::second);
  const auto share_of = [&](flops amount) { return (amount / took.took / found.best.rate).value(); };
  const counting::listed_convention* triangle = counting::find(causal_convention);
  const bool full = triangle != nullptr && rule.asks(step, written).attention == attention_counting::full;
  const auto checked = [&](const char* name, flops amount, auto&& share, auto&& by_triangle) {
    try {
      return share();
    } catch (const impossible_utilisation& problem) {
      throw usage_error(above_one(name, share_of(amount), problem.what(), full ? share_of(by_triangle()) : 0));
    }
  };
  found.mfu = checked(
      "MFU", found.done.amount, [&] { return flopledger::mfu(found.done, took, found.best); },
      [&] { return done_by(*triangle).amount; });
  const hardware_work all = with_recompute(found.done, found.again);
  found.hfu = checked(
      "HFU", all.amount, [&] { return hfu(all, took, found.best); },
      [&] { return done_by(*triangle).amount + again_by(*triangle); });
  return found;
}

std::string for_people(const subject& model, const accelerator& device, const mfu_request& asked,
                       const answered& found) {
  report::table lines({{"", align::left}, {"", align::left}});
  const seconds took = asked.step_time * unit::second;
  const double tokens = static_cast<double>(asked.global_batch) * static_cast<double>(asked.sequence);
  lines.add({"step",
             fmt::format("{} of {}{} in {}", counted(asked.global_batch, "sequence"), counted(asked.sequence, "token"),
                         beyond_context(model.config(), static_cast<double>(asked.sequence)), report::scaled(took))});
  lines.add({"convention", fmt::format("{}: {}", found.rule.name, found.rule.counts)});
  lines.add({"model FLOPs", fmt::format("{} a step", report::scaled(found.done.amount))});
  lines.add({"achieved",
             fmt::format("{}, {} a device", report::scaled(achieved_rate(found.done, {took})),
                         report::scaled(achieved_rate(found.done, {took}) / static_cast<double>(asked.devices)))});
  std::string formats(flopledger::name_of(asked.precision));
  if (asked.attention_precision)
    formats = fmt::format("{}, and {} in attention, router and head, weighted by FLOPs", formats,
                          flopledger::name_of(*asked.attention_precision));
  lines.add({"peak",
             fmt::format("{}, {}{} a device: {}, dense", report::scaled(found.best.rate),
                         report::scaled(found.peak_of_one.value()), doubt(found.peak_of_one.is_doubtful()), formats)});
  lines.add(
      {"throughput", fmt::format("{} tokens a second and device",
                                 report::three_digits(tokens / asked.step_time / static_cast<double>(asked.devices)))});
  lines.add({"MFU", report::percent(found.mfu) + " %"});
  lines.add({"HFU", fmt::format("{} %, recompute {}", report::percent(found.hfu), name_of(asked.again))});
  std::string text =
      fmt::format("{} on {}\n", model.name, described(device, static_cast<double>(asked.devices))) + lines.text(2);
  // The same step by other conventions, for MFUs are compared across them.
  const work step = training_step(static_cast<double>(asked.global_batch), static_cast<double>(asked.sequence));
  text += "By other conventions:";
  const char* separator = " ";
  for (const char* other : {"model-flops", "model-flops-causal", "6nd", "palm", "megatron-lm-0.12"}) {
    const counting::listed_convention* rule = counting::find(other);
    if (rule == nullptr || rule->name == found.rule.name) continue;
    const counting::restated_utilisation restated = counting::restate(
        found.mfu, found.rule, *rule, model.config(), step, find_implementation(asked.written_in, model.config()));
    text += fmt::format("{}{} {} %{}", separator, other, report::percent(restated.share),
                        restated.above_one ? " (above 1)" : "");
    separator = ", ";
  }
  return text + ".\n";
}

json for_programs(const subject& model, const accelerator& device, const mfu_request& asked, const answered& found) {
  json_answer answer;
  const seconds took = asked.step_time * unit::second;
  const double tokens = static_cast<double>(asked.global_batch) * static_cast<double>(asked.sequence);
  answer.put("model", model.name);
  answer.put("device", std::string_view(device.id));
  answer.put("devices", asked.devices);
  answer.put("global_batch", asked.global_batch);
  answer.put("sequence", asked.sequence);
  answer.put("step_seconds", asked.step_time);
  answer.put("precision", flopledger::name_of(asked.precision));
  answer.put("attention_precision", flopledger::name_of(asked.attention_precision.value_or(asked.precision)));
  answer.put("convention", found.rule.name);
  answer.put("recompute", name_of(asked.again));
  answer.count("model_flops_per_step", found.done.amount.value());
  answer.count("recomputed_flops_per_step", found.again.value());
  answer.put("achieved_flop_per_second", achieved_rate(found.done, {took}).value());
  answer.count("peak_flop_per_second", found.best.rate.value());
  answer.count("peak_flop_per_second_per_device", found.peak_of_one.value().value());
  answer.put("tokens_per_second_per_device", tokens / asked.step_time / static_cast<double>(asked.devices));
  answer.put("mfu", found.mfu);
  answer.put("hfu", found.hfu);
  json doubtful = json::array();
  if (found.peak_of_one.is_doubtful()) doubtful.push_back("peak_flop_per_second");
  answer.put("doubtful", std::move(doubtful));
  return answer.whole();
}

}  // namespace

reply mfu(const mfu_request& asked, output how) {
  const subject& model = find_subject(asked.model);
  const accelerator& device = find_device(asked.device);
  const answered found = answer_of(model, device, asked);
  return how == output::programs ? reply(for_programs(model, device, asked, found))
                                 : reply(for_people(model, device, asked, found));
}

}  // namespace program
