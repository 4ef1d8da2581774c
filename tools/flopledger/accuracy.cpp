// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "accuracy.hpp"

#include <flopledger/hardware/efficiency.hpp>
#include <flopledger/text/number.hpp>
#include <flopledger/text/table.hpp>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "accuracy_table.hpp"

namespace program {
namespace {

using namespace flopledger;

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == std::string_view::npos ? "" : std::string(text.substr(first, last - first + 1));
}

double number_of(std::string_view text) {
  double value = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::vector<error_band> that_hold(const std::vector<std::string_view>& words) {
  std::vector<error_band> found;
  for (error_band& one : error_bands())
    if (std::any_of(words.begin(), words.end(),
                    [&](std::string_view word) { return one.table.find(word) != std::string::npos; }))
      found.push_back(std::move(one));
  return found;
}

/// The family whose published runs a device resembles: none for a board of less power than theirs. The table of boards
/// with GDDR memory holds many of them, though the constants are of one.
device_family compared_family(const accelerator& device) {
  const bool compared = efficiency_of(device).how == standing::measured || device.family == device_family::gddr;
  return compared ? device.family : device_family::unmeasured;
}

}  // namespace

std::vector<error_band> error_bands() {
  std::vector<error_band> found;
  std::istringstream page{accuracy_table};
  for (std::string line; std::getline(page, line);) {
    if (line.empty() || line[0] != '|') continue;
    std::vector<std::string> cells;
    for (std::size_t at = 1, next = 0; (next = line.find('|', at)) != std::string::npos; at = next + 1)
      cells.push_back(trimmed(std::string_view(line).substr(at, next - at)));
    const bool is_row = cells.size() == 7 && number_of(cells[1]) > 0;
    if (is_row)
      found.push_back({.table = cells[0],
                       .rows = number_of(cells[1]),
                       .median = number_of(cells[2]),
                       .lowest = number_of(cells[5]),
                       .highest = number_of(cells[6])});
  }
  return found;
}

std::vector<error_band> training_bands(const accelerator& device, std::string_view framework) {
  const device_family family = compared_family(device);
  const bool ampere = family == device_family::ampere, hopper = family == device_family::hopper,
             blackwell = family == device_family::blackwell || family == device_family::blackwell_ultra;
  std::vector<std::string_view> tables;
  if (framework == "pytorch_fsdp") {
    if (ampere || hopper) tables.emplace_back("llm_foundry_mpt.csv");
    if (hopper) tables.emplace_back("torchtitan.csv");
  } else if (framework == "megatron") {
    if (ampere) tables.emplace_back("korthikanti2022_table5.csv");
    if (hopper || blackwell) tables.emplace_back("nvidia_nemo_bridge_training.csv");
    if (blackwell) tables.emplace_back("simumax_b200.csv");
  }
  return that_hold(tables);
}

std::vector<error_band> serving_bands(const accelerator& device) {
  switch (compared_family(device)) {
    case device_family::gddr:
      return that_hold({"llamacpp_llama3_gpus.csv"});
    case device_family::ampere:
    case device_family::hopper:
      return that_hold({"ttft_batch1.csv", "trtllm_v0_9_throughput.csv", "gpt_fast.csv"});
    case device_family::blackwell:
    case device_family::blackwell_ultra:
    case device_family::unmeasured:
      break;
  }
  return {};
}

std::string described(const std::vector<error_band>& bands) {
  if (bands.empty())
    return "Times: no published run of this kind on such a device was compared (docs/accuracy_time.md).\n";
  report::table lines({{"", report::align::left}, {""}, {"", report::align::left}});
  for (const error_band& one : bands)
    lines.add({one.table, fmt::format("{} rows", one.rows),
               fmt::format("median {:.1f} %, from {:+.1f} to {:+.1f} %", one.median, one.lowest, one.highest)});
  return "Times, predicted over measured less one where it was tried (docs/accuracy_time.md):\n" + lines.text(2);
}

json as_json(const std::vector<error_band>& bands) {
  json all = json::array();
  for (const error_band& one : bands) {
    json band;
    band["table"] = one.table;
    band["page"] = "docs/accuracy_time.md";
    put_number(band, "rows", one.rows);
    band["median_percent"] = one.median;
    band["lowest_percent"] = one.lowest;
    band["highest_percent"] = one.highest;
    all.push_back(std::move(band));
  }
  return all;
}

}  // namespace program
