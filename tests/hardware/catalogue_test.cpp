// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// Every device that is described is in the catalogue, its figures agree with one another, and it is found by name. The
// figures themselves are not typed a second time here: tests/hardware/figures_test.cpp has those that others got wrong.

#include <flopledger/hardware/catalogue.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "catch.hpp"

using namespace flopledger;
using namespace Catch::Matchers;

namespace {

struct named_device {
  std::string name;
  const accelerator* device;
};
const named_device entries[] = {
#define FLOPLEDGER_DEVICE(NAME, ...) {#NAME, &hardware::NAME::value},
#include <flopledger/hardware/devices/all.inc>
#undef FLOPLEDGER_DEVICE
};

std::string id_of(const accelerator& device) { return std::string(std::string_view(device.id)); }

/// The names of the entries of one file, as they are typed.
std::vector<std::string> typed_in(const std::filesystem::path& path) {
  std::ifstream file(path);
  REQUIRE(file);
  std::vector<std::string> names;
  for (std::string line; std::getline(file, line);) {
    const std::string begin = "FLOPLEDGER_DEVICE(";
    if (line.starts_with(begin)) names.push_back(line.substr(begin.size(), line.find(',') - begin.size()));
  }
  return names;
}

}  // namespace

TEST_CASE("every entry of every file of devices is in the catalogue", "[hardware]") {
  std::vector<std::string> typed, listed;
  const std::filesystem::path folder = FLOPLEDGER_TEST_DATA "/../../include/flopledger/hardware/devices";
  for (const auto& file : std::filesystem::directory_iterator(folder))
    for (std::string& name : typed_in(file.path())) typed.push_back(std::move(name));
  for (const named_device& one : entries) listed.push_back(one.name);
  std::sort(typed.begin(), typed.end());
  std::sort(listed.begin(), listed.end());
  CHECK(typed == listed);
  REQUIRE(std::size(hardware::all) == std::size(entries));
  for (std::size_t i = 0; i < std::size(entries); ++i) CHECK(hardware::all[i] == entries[i].device);
}

TEST_CASE("a device's id is its name in C++ with '-' for '_', and no other has it", "[hardware]") {
  std::set<std::string> ids;
  for (const named_device& one : entries) {
    std::string expected = one.name;
    std::replace(expected.begin(), expected.end(), '_', '-');
    CHECK(id_of(*one.device) == expected);
    CHECK(ids.insert(expected).second);
  }
}

TEST_CASE("a description says what the device is, and its figures agree", "[hardware]") {
  for (const accelerator* device : hardware::all) {
    CAPTURE(id_of(*device));
    for (const label& text : {device->vendor, device->product, device->form_factor, device->architecture})
      CHECK(!text.empty());
    CHECK(device->year >= 2016);
    if (device->usable_memory.is_known() && device->nominal_memory.is_known()) {  // the label, or a little less
      const double share = device->usable_memory.value() / device->nominal_memory.value();
      CHECK(share > 0.9);
      CHECK(share <= 1.0);
    }
    // A narrower format is never slower.
    flop_rate wider{};
    for (const figure<flop_rate> accelerator::*format :
         {&accelerator::tf32, &accelerator::bf16, &accelerator::fp8, &accelerator::fp6, &accelerator::fp4}) {
      if (!(device->*format).is_known()) continue;
      CHECK((device->*format).value() >= wider);
      wider = (device->*format).value();
    }
    if (device->scale_up_peer_bandwidth.is_known())
      CHECK(device->scale_up_peer_bandwidth.value() <= device->scale_up_bandwidth.value());
    CHECK(device->lowest_price.is_known() == device->highest_price.is_known());
    if (device->lowest_price.is_known()) CHECK(device->lowest_price.value() <= device->highest_price.value());
    CHECK((device->sparse_mode == sparsity::dense) == !device->sparsity_factor.is_known());
  }
}

// Headlines of NVIDIA's pages: sparse FP4 of the RTX 50 series and the RTX PRO 5000, sparse INT4 of the RTX 40 series.
TEST_CASE("desktop boards reach their makers' headlines", "[hardware]") {
  const struct {
    const char* id;
    figure<flop_rate> accelerator::*format;
    double sparse_teraflops;
  } published[] = {{"rtx-5060", &accelerator::fp4, 614},
                   {"rtx-5060-ti-16gb", &accelerator::fp4, 759},
                   {"rtx-5070", &accelerator::fp4, 988},
                   {"rtx-5070-ti", &accelerator::fp4, 1406},
                   {"rtx-5080", &accelerator::fp4, 1801},
                   {"rtx-pro-5000-blackwell-48gb", &accelerator::fp4, 2064},
                   {"gb10", &accelerator::fp4, 1000},
                   {"rtx-4060", &accelerator::int8, 242},
                   {"rtx-4060-ti-8gb", &accelerator::int8, 353},
                   {"rtx-4070", &accelerator::int8, 466},
                   {"rtx-4070-super", &accelerator::int8, 568},
                   {"rtx-4070-ti", &accelerator::int8, 641},
                   {"rtx-4070-ti-super", &accelerator::int8, 706},
                   {"rtx-4080", &accelerator::int8, 780},
                   {"rtx-4080-super", &accelerator::int8, 836}};
  for (const auto& one : published) {
    CAPTURE(one.id);
    CHECK_THAT(2 * (hardware::find(one.id).*one.format).value().value() / 1e12, WithinRel(one.sparse_teraflops, 0.002));
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
  CHECK(id("rtx-pro-6") == "rtx-pro-6000-blackwell");
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

TEST_CASE("a device is found by its own name as people type it", "[hardware]") {
  const auto id = [](std::string_view name) { return std::string(std::string_view(hardware::find(name).id)); };
  CHECK(id("rtx4090") == "rtx-4090");
  CHECK(id("RTX4080") == "rtx-4080");  // not the Super
  CHECK(id("GeForce RTX 5070") == "rtx-5070");
  CHECK(id("m4") == "apple-m4");
  CHECK(id("m4 pro") == "apple-m4-pro");
  CHECK(id("h20") == "h20-sxm5-96gb");
  CHECK(id("h20-3e") == "h20-3e-141gb");
  CHECK(id("gb10") == "gb10");
  CHECK(id("h100nvl") == "h100-nvl-94gb");
  CHECK_THROWS_WITH(hardware::find("rtx4060ti"), Contains("rtx-4060-ti-8gb, rtx-4060-ti-16gb"));
}

TEST_CASE("a name that fits several devices is refused with all of them", "[hardware]") {
  CHECK_THROWS_AS(hardware::find("h100"), hardware::ambiguous_device);
  CHECK_THROWS_WITH(hardware::find("h100"), Matches("\"h100\" fits \\d+ devices: h100-sxm5-80gb, .*h100-nvl-94gb.*"));
  CHECK_THROWS_WITH(hardware::find("NVIDIA A100 80GB"), Matches(".*a100-sxm4-80gb, a100-pcie-80gb.*"));
  CHECK_THROWS_WITH(hardware::find("mi300"), Matches(".*mi300x, mi300a.*"));
  CHECK_THROWS_WITH(hardware::find("910b"),
                    Contains("devices: ascend-910b1, ascend-910b2, ascend-910b3, ascend-910b4"));
}

TEST_CASE("an unknown name is refused with the closest", "[hardware]") {
  CHECK_THROWS_AS(hardware::find("h100-smx5-80gb"), hardware::unknown_device);
  CHECK_THROWS_WITH(hardware::find("h100-smx5-80gb"), Matches(".*the closest: h100-sxm5-80gb.*"));
  CHECK_THROWS_WITH(hardware::find("b200-sxm-180gb"), Matches(".*the closest: b200-sxm"));
  CHECK_THROWS_WITH(hardware::find("rtx-3080"), Contains("the closest: rtx-3090, rtx-4080"));
  CHECK_THROWS_AS(hardware::find(""), hardware::unknown_device);
  CHECK_THROWS_AS(hardware::find("---"), hardware::unknown_device);
  CHECK_THROWS_AS(hardware::find(std::string(5000, 'x')), hardware::unknown_device);
}
