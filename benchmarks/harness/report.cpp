// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "report.hpp"

#include <flopledger/text/number.hpp>
#include <flopledger/text/table.hpp>

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "roofline_plot.hpp"

namespace harness {
namespace {

using flopledger::report::align;
using flopledger::report::fixed;
using flopledger::report::percent;
using flopledger::report::scaled;
using flopledger::report::table;

std::string seconds_text(double value) { return value > 0 ? scaled(value, "s") : "-"; }
std::string ratio_text(double value, double over) { return value > 0 && over > 0 ? fixed(value / over, 2) : "-"; }

std::string rated_text(const rated& rate, std::string_view unit) {
  std::string text = fmt::format("{} ({}", scaled(rate.value, unit), rate.derivation);
  if (rate.checked) text += fmt::format("; a loop reaches {}", scaled(*rate.checked, unit));
  return text + ')';
}

const char* direction(const line& one) { return one.backward ? "backward" : "forward"; }

std::string marks_of(const measured_line& one) {
  std::string marks;
  const auto mark = [&](bool there, const std::string& text) {
    if (there) marks += (marks.empty() ? "" : "; ") + text;
  };
  mark(one.throttled, "slowed down");
  mark(one.capped, "ended by wall time");
  mark(!one.of->note.empty(), one.of->note);
  return marks;
}

void add_summary(table& to, const std::string& name, const summary& sum, double measured) {
  to.add({name, seconds_text(sum.floor), seconds_text(sum.predicted), seconds_text(measured),
          ratio_text(sum.predicted, measured), measured > 0 ? percent(sum.ideal / measured) : "-"});
}

json shape_json(const kernel_shape& shape) {
  if (const auto* p = std::get_if<product_shape>(&shape))
    return {{"kind", "product"},
            {"format", flopledger::name_of(p->format)},
            {"batch", p->batch},
            {"m", p->m},
            {"n", p->n},
            {"k", p->k},
            {"left_transposed", p->left_transposed},
            {"right_transposed", p->right_transposed}};
  if (const auto* a = std::get_if<attention_shape>(&shape))
    return {{"kind", "attention"},       {"format", flopledger::name_of(a->format)},
            {"batch", a->batch},         {"heads", a->heads},
            {"kv_heads", a->kv_heads},   {"queries", a->queries},
            {"keys", a->keys},           {"key_dim", a->key_dim},
            {"value_dim", a->value_dim}, {"causal", a->causal},
            {"backward", a->backward}};
  const auto& s = std::get<stream_shape>(shape);
  return {{"kind", "stream"},
          {"format", flopledger::name_of(s.format)},
          {"read_elements", s.read},
          {"written_elements", s.written}};
}

json or_null(double value) { return value > 0 ? json(value) : json(); }
json or_null(const std::optional<double>& value) { return value ? json(*value) : json(); }

json to_json(const summary& sum, double measured) {
  return {{"macs", sum.macs},
          {"floor_seconds", sum.floor},
          {"predicted_seconds", or_null(sum.predicted)},
          {"measured_seconds", or_null(measured)},
          {"mfu", measured > 0 ? json(sum.ideal / measured) : json()}};
}

json to_json(const memory_use& use) {
  return {{"allocated_bytes", use.allocated},
          {"allocated_peak_bytes", use.allocated_peak},
          {"reserved_bytes", use.reserved},
          {"reserved_peak_bytes", use.reserved_peak}};
}

}  // namespace

double yardsticks::peak_of(number_kind format) const {
  for (const peak& one : peaks)
    if (one.format == format) return one.rate.value;
  throw std::invalid_argument(fmt::format("no peak of {}", flopledger::name_of(format)));
}

std::string head_text(const request& asked, const backend& on, const yardsticks& against) {
  std::string text = fmt::format("{}: {}\n", on.name(), on.device());
  for (const auto& peak : against.peaks)
    text += fmt::format("peak of {}: {}\n", flopledger::name_of(peak.format), rated_text(peak.rate, "FLOP/s"));
  if (against.bandwidth.value > 0) text += fmt::format("memory: {}\n", rated_text(against.bandwidth, "B/s"));
  text += fmt::format("{}; the {} of the samples\n", name_of(asked.how.mode), name_of(asked.which));
  return text;
}

json head_json(const request& asked, const backend& on, std::string_view what) {
  json provenance = json::object();
  for (const auto& [key, value] : on.provenance()) provenance[key] = value;
#ifdef HARNESS_REVISION
  provenance["source_revision_when_configured"] = HARNESS_REVISION;
#endif
#ifdef HARNESS_FLAGS
  provenance["compiler_flags"] = HARNESS_FLAGS;
#endif
  const sampling_rule& rule = asked.how.rule;
  return {{"schema", results_schema},
          {"version", results_version},
          {"what", what},
          {"command", asked.command},
          {"backend", on.name()},
          {"device", on.device()},
          {"provenance", std::move(provenance)},
          {"mode", name_of(asked.how.mode)},
          {"statistic", name_of(asked.which)},
          {"operands", "uniform in [-1, 1), int8 in [-127, 127]"},
          {"seed", asked.how.seed},
          {"sampling",
           {{"least_samples", rule.least_samples},
            {"least_seconds", rule.least_time},
            {"noise", rule.noise},
            {"most_seconds", rule.most_time}}}};
}

json to_json(const rated& rate, const char* unit) {
  json one{{unit, rate.value}, {"derivation", rate.derivation}};
  if (rate.checked) one[std::string("checked_") + unit] = *rate.checked;
  return one;
}

json to_json(const sample_set& taken) {
  return {{"median_seconds", taken.median()},
          {"lowest_seconds", taken.lowest()},
          {"interquartile_range_seconds", taken.interquartile_range()},
          {"count", taken.samples.size()},
          {"repetitions_a_sample", taken.repetitions},
          {"warm_up_settled", taken.settled},
          {"stopped_by", taken.stopped == stop_reason::quiet ? "rule" : "wall time"},
          {"unmet", taken.unmet},
          {"clock_before_hz", or_null(taken.clock_before)},
          {"clock_after_hz", or_null(taken.clock_after)},
          {"clock_fell", taken.clock_fell},
          {"drifted", taken.drifted},
          {"warm_up_seconds", taken.warm_up},
          {"samples_seconds", taken.samples}};
}

json to_json(const measurement& done) {
  return {{"shape", shape_json(done.shape)},
          {"by", done.by},
          {"verified",
           {{"entries", done.checked.entries},
            {"largest_error_over_allowed", done.checked.largest_error},
            {"left_out", done.checked.left_out}}},
          {"taken", to_json(done.taken)}};
}

std::string job_text(const job_run& done, const yardsticks& against) {
  table rows({{"operation", align::left},
              {"pass", align::left},
              {"times", align::right},
              {"FLOPs", align::right},
              {"floor", align::right},
              {"predicted", align::right},
              {"measured", align::right},
              {"±%", align::right},
              {"pred/meas", align::right},
              {"MFU %", align::right},
              {"", align::left}});
  const bool predicts = !against.prediction.empty();
  for (const measured_line& one : done.lines) {
    const line& l = *one.of;
    const double predicted = predicts ? l.predicted : 0;
    rows.add({l.name, direction(l), fixed(l.times, 0), l.macs > 0 ? scaled(2 * l.macs, "") : "-", seconds_text(l.floor),
              seconds_text(predicted), seconds_text(one.seconds), percent(one.spread / 2),
              ratio_text(predicted, one.seconds),
              l.macs > 0 ? percent(2 * l.macs / against.peak_of(l.format) / one.seconds) : "-", marks_of(one)});
  }
  table sums({{"", align::left},
              {"floor", align::right},
              {"predicted", align::right},
              {"measured", align::right},
              {"pred/meas", align::right},
              {"MFU %", align::right}});
  const auto sum = [&](const std::string& name, summary of, double measured) {
    if (!predicts) of.predicted = 0;
    add_summary(sums, name, of, measured);
  };
  if (done.layer) {
    sum("a layer, row by row", done.of_layer, done.of_layer.measured);
    sum("a layer, as one sequence", done.of_layer, value_of(*done.layer, done.which));
  }
  sum("forward pass", done.forward, done.forward.measured);
  if (done.backward.measured > 0) {
    sum("backward pass", done.backward, done.backward.measured);
    sum("both", done.whole, done.whole.measured);
  }
  std::string text = rows.text() + '\n' + sums.text();
  if (predicts) text += "\npredicted by " + against.prediction + '\n';
  if (done.layer && done.layer->throttled()) text += "the layer slowed down while it was sampled\n";
  return text;
}

void put_job(json& document, const job_run& done, const yardsticks& against) {
  const bool predicts = !against.prediction.empty();
  json peaks = json::array(), lines = json::array(), kernels = json::array();
  for (const auto& peak : against.peaks) {
    json one = to_json(peak.rate, "flops_per_second");
    one["format"] = flopledger::name_of(peak.format);
    peaks.push_back(std::move(one));
  }
  std::vector<const measurement*> known;
  const auto number_of = [&](const measurement* one) {
    const auto found = std::find(known.begin(), known.end(), one);
    if (found != known.end()) return found - known.begin();
    known.push_back(one);
    kernels.push_back(to_json(*one));
    return static_cast<std::ptrdiff_t>(known.size()) - 1;
  };
  for (const measured_line& one : done.lines) {
    const line& l = *one.of;
    json parts = json::array();
    for (std::size_t i = 0; i < l.parts.size(); ++i)
      parts.push_back(
          {{"what", l.parts[i].what}, {"executed_macs", l.parts[i].macs}, {"kernel", number_of(one.parts[i].get())}});
    lines.push_back({{"operation", l.name},
                     {"kind", flopledger::name_of(l.kind)},
                     {"pass", direction(l)},
                     {"format", flopledger::name_of(l.format)},
                     {"times", l.times},
                     {"times_in_layer", l.times_in_layer},
                     {"macs", l.macs},
                     {"bytes", l.bytes},
                     {"floor_seconds", l.floor},
                     {"predicted_seconds", predicts ? json(l.predicted) : json()},
                     {"measured_seconds", one.seconds},
                     {"mfu", l.macs > 0 ? json(2 * l.macs / against.peak_of(l.format) / one.seconds) : json()},
                     {"note", l.note},
                     {"parts", std::move(parts)}});
  }
  const auto sum = [&](summary of, double measured) {
    if (!predicts) of.predicted = 0;
    return to_json(of, measured);
  };
  document["peaks"] = std::move(peaks);
  document["memory"] = to_json(against.bandwidth, "bytes_per_second");
  document["prediction"] = predicts ? json(against.prediction) : json();
  document["layers"] = done.plan.layers;
  document["lines"] = std::move(lines);
  document["kernels"] = std::move(kernels);
  if (done.layer) {
    document["layer"] = {{"alike", done.plan.layers_of_kind},
                         {"row_by_row", sum(done.of_layer, done.of_layer.measured)},
                         {"as_one_sequence", sum(done.of_layer, value_of(*done.layer, done.which))},
                         {"taken", to_json(*done.layer)}};
  }
  document["forward"] = sum(done.forward, done.forward.measured);
  document["backward"] = sum(done.backward, done.backward.measured);
  document["both"] = sum(done.whole, done.whole.measured);
}

std::string job_svg(const std::string& title, const std::string& subtitle, const job_run& done,
                    const yardsticks& against) {
  roofline_chart chart{.title = title, .subtitle = subtitle, .peaks = {}, .bandwidths = {}, .points = {}};
  for (const auto& peak : against.peaks)
    chart.peaks.push_back(
        {std::string(flopledger::name_of(peak.format)), flopledger::flop_rate::from_value(peak.rate.value)});
  chart.bandwidths.push_back({"memory", flopledger::byte_rate::from_value(against.bandwidth.value)});
  for (const measured_line& one : done.lines) {
    const line& l = *one.of;
    if (l.macs <= 0 || l.bytes <= 0) continue;
    chart.points.push_back({.label = l.name,
                            .kind = std::string(flopledger::name_of(l.kind)),
                            .pass = direction(l),
                            .intensity = flopledger::flops_per_byte::from_value(2 * l.macs / l.bytes),
                            .achieved = flopledger::flop_rate::from_value(2 * l.macs / one.seconds)});
  }
  return roofline_svg(chart);
}

std::string calibration_text(const calibration_data& data) {
  table streams({{"bytes", align::right}, {"bandwidth", align::right}});
  for (std::size_t i = 0; i < data.stream_sizes.size(); ++i)
    streams.add({scaled(data.stream_sizes[i], "B"), scaled(data.stream_rates[i], "B/s")});
  std::string text = streams.text();
  text += fmt::format("least kernel: {}\n", scaled(data.launch, "s"));
  for (const auto& curve : data.product_curves) {
    text += fmt::format("\nproducts of {}, m×n·k\n", flopledger::name_of(curve.format));
    std::vector<flopledger::report::column> columns{{"m", align::right}, {"n", align::right}};
    for (const double k : curve.k) columns.push_back({fmt::format("k {}", k), align::right});
    table products(columns);
    std::size_t at = 0;
    for (const double m : curve.m)
      for (const double n : curve.n) {
        std::vector<std::string> cells{fixed(m, 0), fixed(n, 0)};
        for (std::size_t l = 0; l < curve.k.size(); ++l) cells.push_back(scaled(curve.rates[at++], "FLOP/s"));
        products.add(cells);
      }
    text += products.text();
  }
  for (const auto& curve : data.attention_curves) {
    text += fmt::format("\nattention in {}{}\n", flopledger::name_of(curve.format), curve.causal ? ", causal" : "");
    table rates(
        {{"width", align::right}, {"length", align::right}, {"forward", align::right}, {"backward", align::right}});
    for (std::size_t i = 0; i < curve.head_dims.size(); ++i)
      for (std::size_t j = 0; j < curve.lengths.size(); ++j) {
        const std::size_t at = i * curve.lengths.size() + j;
        rates.add({fixed(curve.head_dims[i], 0), fixed(curve.lengths[j], 0), scaled(curve.forward[at], "FLOP/s"),
                   scaled(curve.backward[at], "FLOP/s")});
      }
    text += rates.text();
  }
  return text;
}

std::string batch_text(const largest_batch_found& found) {
  table trials({{"batch", align::right},
                {"", align::left},
                {"allocated peak", align::right},
                {"reserved peak", align::right},
                {"predicted", align::right}});
  const auto binary = [](double bytes) { return flopledger::report::scaled_binary(bytes * flopledger::unit::byte); };
  for (const batch_trial& one : found.trials)
    trials.add({std::to_string(one.batch), one.fits ? "fits" : "out of memory", binary(one.peaks.allocated_peak),
                binary(one.peaks.reserved_peak), binary(one.predicted)});
  return trials.text() + fmt::format("\nlargest batch in {}: {} measured, {} predicted\n", binary(found.available),
                                     found.measured, found.predicted);
}

json to_json(const largest_batch_found& found) {
  json trials = json::array();
  for (const batch_trial& one : found.trials)
    trials.push_back(
        {{"batch", one.batch}, {"fits", one.fits}, {"memory", to_json(one.peaks)}, {"predicted_bytes", one.predicted}});
  return {{"measured", found.measured},
          {"predicted", found.predicted},
          {"available_bytes", found.available},
          {"trials", std::move(trials)}};
}

}  // namespace harness
