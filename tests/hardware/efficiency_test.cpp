// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// How the constants of each device are known, and a constant that is worked out from the table that it cites.

#include <flopledger/hardware/catalogue.hpp>
#include <flopledger/hardware/efficiency.hpp>
#include <flopledger/time/product.hpp>

#include <algorithm>
#include <string>

#include "../published/csv.hpp"
#include "catch.hpp"

using namespace flopledger;
using namespace Catch::Matchers;

namespace {

standing standing_of(const char* device) { return efficiency_of(hardware::find(device)).how; }

/// The largest share of the dense bf16 peak that a product is reported to reach on a device.
double best_share(const std::string& device) {
  double best = 0;
  for (const published::record& r : published::read_table(FLOPLEDGER_TEST_DATA "/published/gemm_measured.csv"))
    if (r.text("device") == device && r.text("dtype") == "bf16")
      best = std::max(best, r.number("tflops_measured") / r.number("peak_tflops"));
  REQUIRE(best > 0);
  return best;
}

}  // namespace

TEST_CASE("constants are measured where a device of the family was, under no higher power limit", "[hardware]") {
  for (const char* device : {"a100-sxm4-40gb", "a100-sxm4-80gb", "a800-sxm4-80gb", "h100-sxm5-80gb", "h800-sxm5-80gb",
                             "h200-sxm5-141gb", "gh200-96gb", "b200-sxm", "gb200-nvl72", "b300-sxm", "gb300-nvl72"}) {
    CAPTURE(device);
    CHECK(standing_of(device) == standing::measured);
  }
  // Boards of less power, whose clock falls further under load.
  for (const char* device : {"a100-pcie-80gb", "a30", "h100-pcie-80gb", "h100-nvl-94gb", "h20-sxm5-96gb", "b100-sxm"}) {
    CAPTURE(device);
    CHECK(standing_of(device) == standing::assumed);
  }
}

TEST_CASE("no device takes another family's constants without saying so", "[hardware]") {
  for (const accelerator* device : hardware::all) {
    CAPTURE(std::string(std::string_view(device->id)));
    const efficiency taken = efficiency_of(*device);
    CHECK(!taken.source.empty());
    if (device->vendor != "NVIDIA" && device->family != device_family::unmeasured)
      CHECK(device->family == device_family::cdna_3);
    if (device->family == device_family::unmeasured) CHECK(taken.how == standing::assumed);
    const bool gddr = taken.source == efficiencies::gddr.source;
    CHECK(gddr == std::string_view(device->memory_type.value_or("")).starts_with("GDDR"));
  }
  // What has a measured family's name alone: another chip.
  CHECK(hardware::jetson_agx_orin_64gb::value.family == device_family::unmeasured);
  CHECK(hardware::rtx_5090::value.family == device_family::unmeasured);
}

TEST_CASE("a machine carries the standing of its constants", "[hardware]") {
  CHECK(machine_of(hardware::h100_sxm5_80gb::value, recipes::bf16::value).reached.how == standing::measured);
  CHECK(machine_of(hardware::mi250x::value, recipes::bf16::value).reached.how == standing::assumed);
  const efficiency own{.products = 0.7, .how = standing::measured, .source = "our own sweep"};
  CHECK(machine_of(hardware::mi300x::value, recipes::bf16::value, own).reached.source == "our own sweep");
  CHECK(at_power(efficiencies::hopper, 0.5).how == standing::assumed);
}

TEST_CASE("Blackwell's products are Hopper's by the largest product reported for each", "[hardware]") {
  const double derived = efficiencies::hopper.products * best_share("NVIDIA B200 SXM") / best_share("NVIDIA H100 SXM");
  CHECK_THAT(efficiencies::blackwell.products, WithinAbs(derived, 0.005));
  CHECK(efficiencies::blackwell_ultra.products == efficiencies::blackwell.products);
}

TEST_CASE("the clocks of a board of less power fall with its watts", "[hardware]") {
  // H100 PCIe: 350 of 700 W; H20: 500 W for a sixth of the peak.
  CHECK_THAT(efficiency_of(hardware::h100_pcie_80gb::value).sustained, WithinRel(efficiencies::hopper.sustained / 2));
  CHECK(efficiency_of(hardware::h20_sxm5_96gb::value).sustained == efficiencies::hopper.sustained);
  CHECK(efficiency_of(hardware::h100_pcie_80gb::value).bandwidth == efficiencies::hopper.bandwidth);
}

TEST_CASE("MI300X's products are by the largest one reported", "[hardware]") {
  const machine on = machine_of(hardware::mi300x::value, recipes::bf16::value);
  const double m = 10240, n = 15360, k = 8192;
  const double rate = 2 * m * n * k / product_time({.batch = 1, .m = m, .n = n, .k = k}, 0 * unit::byte, on).value();
  CHECK_THAT(rate / on.peak.value(), WithinAbs(best_share("AMD MI300X"), 0.03));
}
