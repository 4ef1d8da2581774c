// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// The table that the headers were written from (tests/data/hardware.csv), cell by cell, and the look-up by name.

#include <flopledger/hardware/catalogue.hpp>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "catch.hpp"

using namespace flopledger;
using namespace Catch::Matchers;

namespace {

using table_row = std::map<std::string, std::string>;

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"') {
      if (quoted && i + 1 < line.size() && line[i + 1] == '"')
        cells.back() += line[++i];
      else
        quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else if (c != '\r') {
      cells.back() += c;
    }
  }
  return cells;
}

std::vector<table_row> read_table() {
  std::ifstream file(FLOPLEDGER_TEST_DATA "/hardware.csv");
  REQUIRE(file);
  std::string line;
  std::getline(file, line);
  const auto columns = cells_of(line);
  std::vector<table_row> rows;
  while (std::getline(file, line)) {
    const auto cells = cells_of(line);
    REQUIRE(cells.size() == columns.size());
    table_row row;
    for (std::size_t i = 0; i < cells.size(); ++i) row[columns[i]] = cells[i];
    rows.push_back(row);
  }
  return rows;
}

const std::vector<table_row>& table() {
  static const auto rows = read_table();
  return rows;
}

/// One row against one device; remembers which columns were compared.
struct comparison {
  const table_row& row;
  std::set<std::string> uncertain, compared{};

  explicit comparison(const table_row& of) : row(of) {
    std::istringstream words(of.at("uncertain_columns"));
    for (std::string word; words >> word;) uncertain.insert(word);
  }

  const std::string& cell(const std::string& column) {
    compared.insert(column);
    return row.at(column);
  }

  void text(const std::string& column, std::string_view ours) { CHECK(cell(column) == ours); }

  /// `scale` is what one unit of the column is in the library's units.
  template <class Value>
  void number(const std::string& column, const figure<Value>& ours, double scale, std::set<std::string> also = {}) {
    CAPTURE(column);
    const std::string& theirs = cell(column);
    bool doubt = uncertain.count(column) > 0;
    for (const auto& other : also) {
      compared.insert(other);
      doubt = doubt || uncertain.count(other) > 0;
    }
    REQUIRE(ours.is_known() == !theirs.empty());
    if (theirs.empty()) return;
    CHECK(ours.is_doubtful() == doubt);
    CHECK_THAT(in_library_units(ours), WithinRel(std::stod(theirs) * scale, 1e-14));
  }

  void known_text(const std::string& column, const figure<label>& ours) {
    CAPTURE(column);
    const std::string& theirs = cell(column);
    REQUIRE(ours.is_known() == !theirs.empty());
    if (theirs.empty()) return;
    CHECK(std::string_view(ours.value()) == theirs);
    CHECK(ours.is_doubtful() == (uncertain.count(column) > 0));
  }

  static double in_library_units(const figure<double>& ours) { return ours.value(); }
  template <class Value>
  static double in_library_units(const figure<Value>& ours) {
    return ours.value().value();
  }
};

}  // namespace

TEST_CASE("every row of the table is a device, in the same order within a vendor", "[hardware]") {
  CHECK(std::size(hardware::all) == 81);
  REQUIRE(std::size(hardware::all) == table().size());
  std::map<std::string, std::vector<std::string>> theirs, ours;
  for (const auto& row : table()) theirs[row.at("vendor")].push_back(row.at("id"));
  for (const accelerator* device : hardware::all) ours[device->vendor.c_str()].emplace_back(device->id.c_str());
  for (auto& [vendor, ids] : theirs) {
    CAPTURE(vendor);
    if (vendor == "Intel" || vendor == "AMD") {  // the processors stand last in the table
      std::sort(ids.begin(), ids.end());
      std::sort(ours[vendor].begin(), ours[vendor].end());
    }
    CHECK(ours[vendor] == ids);
  }
}

TEST_CASE("every cell of the table: equal, absent where empty, doubtful where uncertain", "[hardware]") {
  for (const auto& row : table()) {
    CAPTURE(row.at("id"));
    const accelerator& device = hardware::find(row.at("id"));
    comparison of(row);
    of.text("id", device.id);
    of.text("vendor", device.vendor);
    of.text("product", device.product);
    of.text("form_factor", device.form_factor);
    CHECK(of.cell("year") == std::to_string(device.year));
    of.text("architecture", device.architecture);
    of.known_text("compute_capability", device.compute_capability);
    of.number("fp64_vector_tflops", device.fp64_vector, 1e12);
    of.number("fp64_matrix_tflops", device.fp64_matrix, 1e12);
    of.number("fp32_vector_tflops", device.fp32_vector, 1e12);
    of.number("fp16_vector_tflops", device.fp16_vector, 1e12);
    of.number("tf32_matrix_tflops", device.tf32, 1e12);
    of.number("bf16_matrix_tflops", device.bf16, 1e12);
    of.number("fp16_matrix_acc32_tflops", device.fp16, 1e12);
    of.number("fp16_matrix_acc16_tflops", device.fp16_accumulate_fp16, 1e12);
    of.number("fp8_matrix_acc32_tflops", device.fp8, 1e12);
    of.number("fp8_matrix_acc16_tflops", device.fp8_accumulate_fp16, 1e12);
    of.number("fp6_matrix_tflops", device.fp6, 1e12);
    of.number("fp4_matrix_tflops", device.fp4, 1e12);
    of.number("int8_matrix_tops", device.int8, 1e12);
    of.number("int4_matrix_tops", device.int4, 1e12);
    of.number("compute_units", device.compute_units, 1);
    of.number("clock_mhz_reproducing_peak", device.clock, 1e6);
    of.number("flops_per_clock_per_unit_bf16_or_fp16", device.flops_per_clock_per_unit, 1);
    of.known_text("mem_type", device.memory_type);
    of.number("mem_nominal_bytes", device.nominal_memory, 1, {"mem_label", "mem_label_unit"});
    of.number("mem_tool_reported_mib", device.usable_memory, 1048576);
    of.number("mem_bw_gb_per_s", device.memory_bandwidth, 1e9);
    of.number("l2_mib", device.l2_cache, 1048576);
    of.number("llc_or_sram_mib", device.last_level_cache, 1048576);
    of.known_text("scaleup_link", device.scale_up_link);
    of.number("scaleup_gb_per_s_per_direction", device.scale_up_bandwidth, 1e9);
    of.number("scaleup_peer_gb_per_s_per_direction", device.scale_up_peer_bandwidth, 1e9);
    of.number("scaleup_domain_devices", device.scale_up_devices, 1);
    of.number("scaleout_gbit_per_s_per_device", device.scale_out_bandwidth, 1e9 / 8);
    of.known_text("host_link", device.host_link);
    of.number("host_link_gb_per_s_per_direction", device.host_link_bandwidth, 1e9);
    of.number("tdp_w", device.tdp, 1);

    // What a link moves both ways is twice what it moves one way.
    const std::string& both = of.cell("scaleup_gb_per_s_bidirectional");
    REQUIRE(device.scale_up_bandwidth.is_known() == !both.empty());
    if (!both.empty())
      CHECK_THAT(both_directions(device.scale_up_bandwidth.value()).value(), WithinRel(std::stod(both) * 1e9, 1e-14));

    // No sparse mode: 1 in the table, absent in the headers.
    const std::string& factor = of.cell("sparsity_factor");
    CHECK((device.sparse_mode == sparsity::dense) == (factor == "1"));
    CHECK(device.sparsity_factor.is_known() == (factor != "1"));
    if (device.sparsity_factor.is_known()) CHECK(device.sparsity_factor.value() == std::stod(factor));
    CHECK(device.sparsity_factor.is_doubtful() == (of.uncertain.count("sparsity_factor") > 0));
    const std::string& fp4_factor = of.cell("fp4_sparsity_factor");
    if (!fp4_factor.empty()) {
      const double expected = std::stod(fp4_factor);
      const auto ours = sparsity_factor_figure(device, number_kind::fp4);
      CHECK(ours.is_known() == expected > 1);
      CHECK(ours.value_or(1) == expected);
    }

    const std::string& price = of.cell("price_usd_per_device_hour");
    REQUIRE(device.lowest_price.is_known() == !price.empty());
    REQUIRE(device.highest_price.is_known() == !price.empty());
    if (!price.empty()) {
      const auto dash = price.find('-');
      CHECK_THAT(device.lowest_price.value().value() * 3600, WithinRel(std::stod(price.substr(0, dash)), 1e-14));
      CHECK_THAT(device.highest_price.value().value() * 3600, WithinRel(std::stod(price.substr(dash + 1)), 1e-14));
    }
    CHECK(of.cell("evidence") == std::string(1, static_cast<char>('A' + static_cast<int>(device.evidence))));

    // Sources stand above each device, notes were reworded; nothing else is left out.
    of.compared.insert({"sources", "notes", "uncertain_columns"});
    for (const auto& [column, cell] : row) {
      CAPTURE(column);
      CHECK(of.compared.count(column) == 1);
    }
  }
}

TEST_CASE("units, clock and FLOPs a clock give the 16-bit peak within 1.2 %", "[hardware]") {
  int checked = 0;
  for (const accelerator* device : hardware::all) {
    if (!device->compute_units.is_known() || !device->clock.is_known() || !device->flops_per_clock_per_unit.is_known())
      continue;
    figure<flop_rate> peak = device->fp16;  // the faster of both where they differ
    if (device->bf16.is_known() && (!peak.is_known() || device->bf16.value() > peak.value())) peak = device->bf16;
    if (!peak.is_known()) peak = device->fp16_accumulate_fp16;
    if (!peak.is_known()) peak = device->fp16_vector;
    CAPTURE(device->id.c_str());
    REQUIRE(peak.is_known());
    const double product = device->compute_units.value() * device->clock.value().value() *
                           device->flops_per_clock_per_unit.value() / peak.value().value();
    if (device->id == "tpu-v2")
      CHECK_THAT(product, WithinAbs(1.019, 0.001));
    else if (device->id == "ascend-910a")
      CHECK_THAT(product, WithinAbs(1.024, 0.001));
    else
      CHECK_THAT(product, WithinAbs(1.0, 0.012));
    ++checked;
  }
  CHECK(checked > 60);
}

TEST_CASE("a device is found by id, by words and by their beginnings", "[hardware]") {
  const auto id = [](std::string_view name) { return std::string(std::string_view(hardware::find(name).id)); };
  for (const accelerator* device : hardware::all) {
    CHECK(&hardware::find(device->id) == device);
  }
  CHECK(id("H100-SXM5-80GB") == "h100-sxm5-80gb");
  CHECK(id("h100_sxm5_80gb") == "h100-sxm5-80gb");
  CHECK(id("h100-nvl") == "h100-nvl-94gb");
  CHECK(id("H100 NVL") == "h100-nvl-94gb");
  CHECK(id("rtx-pro") == "rtx-pro-6000-blackwell");
  CHECK(id("v5p") == "tpu-v5p");
  // As drivers name them.
  CHECK(id("NVIDIA H100 80GB HBM3") == "h100-sxm5-80gb");
  CHECK(id("NVIDIA A100-SXM4-80GB") == "a100-sxm4-80gb");
  CHECK(id("NVIDIA A100 80GB PCIe") == "a100-pcie-80gb");
  CHECK(id("NVIDIA GeForce RTX 4090") == "rtx-4090");
  CHECK(id("NVIDIA RTX 6000 Ada Generation") == "rtx-6000-ada");
}

TEST_CASE("a name inside another is not taken for it", "[hardware]") {
  const auto id = [](std::string_view name) { return std::string(std::string_view(hardware::find(name).id)); };
  CHECK(id("NVIDIA L4") == "l4");
  CHECK(id("NVIDIA L40") == "l40");
  CHECK(id("NVIDIA L40S") == "l40s");
  CHECK(id("NVIDIA A10") == "a10");
  CHECK(id("NVIDIA A10G") == "a10g");
  CHECK(id("NVIDIA B200") == "b200-sxm");
  CHECK(id("GB200") == "gb200-nvl72");
  CHECK(id("NVIDIA H200") == "h200-sxm5-141gb");
  CHECK(id("NVIDIA H20") == "h20-sxm5-96gb");
  CHECK_THROWS_AS(hardware::find("NVIDIA RTX A4000"), hardware::unknown_device);
  CHECK_THROWS_AS(hardware::find("p3"), hardware::unknown_device);
}

TEST_CASE("a name that fits several devices is refused with all of them", "[hardware]") {
  CHECK_THROWS_AS(hardware::find("h100"), hardware::ambiguous_device);
  CHECK_THROWS_WITH(hardware::find("h100"),
                    Equals("\"h100\" fits 3 devices: h100-sxm5-80gb, h100-pcie-80gb, h100-nvl-94gb"));
  CHECK_THROWS_WITH(hardware::find("NVIDIA A100 80GB"), Matches(".*a100-sxm4-80gb, a100-pcie-80gb.*"));
  CHECK_THROWS_WITH(hardware::find("mi300"), Matches(".*mi300x, mi300a.*"));
  CHECK_THROWS_WITH(hardware::find("910b"), Matches(".*fits 4 devices.*"));
}

TEST_CASE("an unknown name is refused with the closest", "[hardware]") {
  CHECK_THROWS_AS(hardware::find("h100-smx5-80gb"), hardware::unknown_device);
  CHECK_THROWS_WITH(hardware::find("h100-smx5-80gb"), Matches(".*the closest: h100-sxm5-80gb.*"));
  CHECK_THROWS_AS(hardware::find(""), hardware::unknown_device);
  CHECK_THROWS_AS(hardware::find("---"), hardware::unknown_device);
  CHECK_THROWS_AS(hardware::find(std::string(5000, 'x')), hardware::unknown_device);
}
