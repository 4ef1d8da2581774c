// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#include "measured.hpp"

#include <flopledger/text/number.hpp>
#include <flopledger/text/table.hpp>

#include "verification.hpp"

namespace harness {

using namespace flopledger;

namespace {

constexpr std::string_view mode =
    "steady: runs back to back on the same arrays, between a barrier and each rank's own end, the greatest over ranks";

double check(transport& by, exchange& ready, const exchange_shape& shape) {
  by.time(ready, 1);
  const difference found = check_received(shape, by.rank(), ready.received());
  const double wrong = by.sum(static_cast<double>(found.wrong));
  const double checked = by.sum(static_cast<double>(found.checked));
  if (wrong == 0) return checked;
  const std::string which = std::string(name_of(shape.what)) + " of " + report::in_full(shape.size().value()) +
                            " bytes among " + std::to_string(shape.ranks) + " ranks: rank " + std::to_string(by.rank());
  if (found.wrong == 0) throw wrong_result(which + " is right, but another is not");
  throw wrong_result(which + ": " + std::to_string(found.wrong) + " of " + std::to_string(found.checked) +
                     " checked elements are wrong; " + found.first);
}

}  // namespace

measured_exchange measured(transport& by, const exchange_shape& shape, const sampling_rule& rule) {
  const std::unique_ptr<exchange> ready = by.prepare(shape);
  measured_exchange one{.shape = shape, .checked = check(by, *ready, shape), .times = {}};
  // All ranks see the same times and the same clock, and so they stop together. A barrier lets ranks go some
  // microseconds apart: what is shorter than a hundred times that is repeated.
  one.times = take_samples({.run = [&](int runs) { return by.greatest(by.time(*ready, runs)); },
                            .wall = [&] { return by.greatest(wall_seconds()); },
                            .least_sample = 200e-6},
                           rule);
  return one;
}

seconds median_time(const measured_exchange& one) { return one.times.median() * unit::second; }
byte_rate algorithm_bandwidth(const measured_exchange& one) {
  return flopledger::algorithm_bandwidth(one.shape.size(), median_time(one));
}
byte_rate bus_bandwidth(const measured_exchange& one) {
  return flopledger::bus_bandwidth(one.shape.what, one.shape.ranks, one.shape.size(), median_time(one));
}

void fit(collectives_record& record) {
  record.fits.clear();
  record.link.reset();
  for (const collective what : all_collectives) {
    std::vector<sized_time> of_it;
    for (const measured_exchange& one : record.measurements)
      if (one.shape.what == what) of_it.push_back({one.shape.size(), median_time(one)});
    if (of_it.size() < 2) continue;
    record.fits.push_back({what, fitted_line(of_it)});
    if (what == collective::send_receive && record.fits.back().own.beta > 0)
      record.link = link_of(record.fits.back().own);
  }
}

namespace {

const latency_line* line_of(const collectives_record& record, collective what) {
  for (const fitted_collective& one : record.fits)
    if (one.what == what) return &one.own;
  return nullptr;
}

std::string time_and_ratio(seconds expected, seconds took) {
  return report::scaled(expected) + " (" + report::fixed(expected / took, 2) + ")";
}

}  // namespace

std::string text_of(const collectives_record& record) {
  using report::align;
  std::string text = "collectives by " + record.transport_name + " among " + std::to_string(record.ranks) +
                     " ranks, FP32, every result checked\n";
  (text += mode) += "\n\n";
  report::table rows({{"collective", align::left},
                      {"size"},
                      {"median"},
                      {"IQR %"},
                      {"least"},
                      {"n"},
                      {"algbw GB/s"},
                      {"busbw GB/s"},
                      {"own line (ratio)"},
                      {"ring of the link (ratio)"},
                      {"", align::left}});
  for (const measured_exchange& one : record.measurements) {
    const seconds took = median_time(one);
    const latency_line* own = line_of(record, one.shape.what);
    const auto gigabytes = [](byte_rate rate) { return report::fixed(rate.value() / prefix::giga, 3); };
    rows.add({std::string(name_of(one.shape.what)), report::scaled_binary(one.shape.size()), report::scaled(took),
              report::percent(one.times.interquartile_range() / one.times.median()),
              report::scaled(one.times.lowest() * unit::second), std::to_string(one.times.samples.size()),
              gigabytes(algorithm_bandwidth(one)), gigabytes(bus_bandwidth(one)),
              own != nullptr ? time_and_ratio(own->at(one.shape.size()), took) : "",
              record.link ? time_and_ratio(
                                ring_prediction(one.shape.what, one.shape.ranks, one.shape.size(), *record.link), took)
                          : "",
              std::string(one.times.unmet.empty() ? "" : "capped: " + one.times.unmet) +
                  (one.times.throttled() ? " drifting" : "")});
  }
  text += rows.text();
  if (record.fits.empty()) return text;
  text += "\nlines t = α + S/B, least squares of the medians' relative errors\n";
  report::table lines({{"collective", align::left}, {"α"}, {"B GB/s"}, {"greatest error %"}});
  for (const fitted_collective& one : record.fits)
    lines.add({std::string(name_of(one.what)), report::scaled(one.own.alpha),
               one.own.beta > 0 ? report::fixed(1 / one.own.beta / prefix::giga, 3) : "none seen",
               report::percent(one.own.worst_error)});
  text += lines.text();
  if (record.link)
    text +=
        "\nring of the link: what the library's ring takes with the α and B of send/receive as a hop and a link; it "
        "charges\n"
        "nothing for forming sums, which a device does beside the transfer and a host's processor does not\n";
  return text;
}

nlohmann::ordered_json json_of(const collectives_record& record) {
  using json = nlohmann::ordered_json;
  json whole{{"schema", "flopledger.collectives"}, {"version", 1}};
  json& provenance = whole["provenance"] = json::object();
  for (const auto& [key, value] : record.provenance) provenance[key] = value;
  whole["transport"] = record.transport_name;
  whole["ranks"] = record.ranks;
  whole["element"] = "fp32";
  whole["mode"] = mode;
  json& list = whole["measurements"] = json::array();
  for (const measured_exchange& one : record.measurements) {
    json entry{{"collective", name_of(one.shape.what)},
               {"full_bytes", static_cast<std::int64_t>(one.shape.size().value())},
               {"checked_elements", static_cast<std::int64_t>(one.checked)},
               {"median_seconds", one.times.median()},
               {"interquartile_range_seconds", one.times.interquartile_range()},
               {"least_seconds", one.times.lowest()},
               {"samples", one.times.samples.size()},
               {"runs_a_sample", one.times.repetitions},
               {"algorithm_bandwidth_bytes_per_second", algorithm_bandwidth(one).value()},
               {"bus_bandwidth_bytes_per_second", bus_bandwidth(one).value()},
               {"warm_up_settled", one.times.settled},
               {"drifted", one.times.drifted}};
    entry["stopped_by_cap_with_unmet"] = one.times.unmet.empty() ? json() : json(one.times.unmet);
    if (const latency_line* own = line_of(record, one.shape.what))
      entry["own_line_seconds"] = own->at(one.shape.size()).value();
    if (record.link)
      entry["ring_of_the_link_seconds"] =
          ring_prediction(one.shape.what, one.shape.ranks, one.shape.size(), *record.link).value();
    entry["warm_up_seconds"] = one.times.warm_up;
    entry["sample_seconds"] = one.times.samples;
    list.push_back(std::move(entry));
  }
  json& lines = whole["lines"] = json::array();
  for (const fitted_collective& one : record.fits)
    lines.push_back({{"collective", name_of(one.what)},
                     {"alpha_seconds", one.own.alpha.value()},
                     {"beta_seconds_per_byte", one.own.beta},
                     {"greatest_relative_error", one.own.worst_error}});
  if (record.link)
    whole["link"] = {{"latency_seconds", record.link->latency.value()},
                     {"bytes_per_second", record.link->rate.value()}};
  return whole;
}

}  // namespace harness
