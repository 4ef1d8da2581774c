// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "accuracy.hpp"

#include <flopledger/text/number.hpp>
#include <flopledger/text/table.hpp>
#include <flopledger/time/compared.hpp>

#include <functional>
#include <utility>

#include <fmt/format.h>

namespace program {
namespace {

using namespace flopledger;

std::vector<error_band> that_are(const std::function<bool(const compared_steps&)>& wanted) {
  std::vector<error_band> found;
  for (const compared_steps& one : all_compared_steps)
    if (wanted(one))
      found.push_back({.table = std::string(one.table),
                       .ran_under = std::string(one.framework),
                       .unseen = one.unseen,
                       .rows = static_cast<double>(one.rows),
                       .median = one.median,
                       .inside = one.inside,
                       .lowest = one.lowest,
                       .highest = one.highest});
  return found;
}

/// Of the framework or engine on the device, and of no other.
template <class Software>
std::vector<error_band> bands_of(const accelerator& device, const Software& under, bool mixture) {
  return that_are([&](const compared_steps& one) {
    return one.device == std::string_view(device.id) && one.mixture == mixture && one.framework == under.name;
  });
}

}  // namespace

std::vector<error_band> training_bands(const accelerator& device, const framework& under, bool mixture) {
  return bands_of(device, under, mixture);
}

std::vector<error_band> serving_bands(const accelerator& device, const engine& under, bool mixture) {
  return bands_of(device, under, mixture);
}

std::string described(const std::vector<error_band>& bands) {
  if (bands.empty())
    return "Times: no published run of this kind on such a device was compared (docs/accuracy_time.md).\n";
  report::table lines({{"", report::align::left}, {"", report::align::left}, {""}, {"", report::align::left}});
  for (const error_band& one : bands)
    lines.add({one.table, one.ran_under, counted(static_cast<std::int64_t>(one.rows), "row"),
               fmt::format("median {:.1f} %, {}from {:+.1f} to {:+.1f} %{}", one.median,
                           one.inside < 100 ? fmt::format("{} % of them ", one.inside) : "", one.lowest, one.highest,
                           one.unseen ? "" : ", where its assumptions were chosen")});
  return "Times, predicted over measured less one where it was tried (docs/accuracy_time.md):\n" + lines.text(2);
}

json as_json(const std::vector<error_band>& bands) {
  json all = json::array();
  for (const error_band& one : bands) {
    json band;
    band["table"] = one.table;
    band["framework"] = one.ran_under;
    band["unseen"] = one.unseen;
    band["page"] = "docs/accuracy_time.md";
    put_number(band, "rows", one.rows);
    band["median_percent"] = one.median;
    band["inside_percent"] = one.inside;
    band["lowest_percent"] = one.lowest;
    band["highest_percent"] = one.highest;
    all.push_back(std::move(band));
  }
  return all;
}

}  // namespace program
