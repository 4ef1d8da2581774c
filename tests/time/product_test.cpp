// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/hardware/nvidia.hpp>
#include <flopledger/time/product.hpp>

#include "catch.hpp"

namespace {

using namespace flopledger;
using namespace flopledger::literals;
using Catch::Matchers::WithinRel;

constexpr machine h100 = machine_of(hardware::h100_sxm5_80gb::value, recipes::mixed_bf16::value);

/// Of a product on the compute units alone.
double compute_seconds(const product& shape, const machine& on) { return product_timer{on, on.peak, 1}.compute(shape); }

}  // namespace

TEST_CASE("a product without losses takes its FLOPs over the peak, or its bytes over the bandwidth") {
  constexpr machine on = h100.floor();
  const product large{.batch = 1, .m = 8192, .n = 8192, .k = 8192};
  CHECK_THAT(product_time(large, 3 * 2 * 8192.0 * 8192 * unit::byte, on).value(),
             WithinRel(2 * 8192.0 * 8192 * 8192 / on.peak.value(), 1e-12));
  const product one_row{.batch = 1, .m = 1, .n = 8192, .k = 8192};
  CHECK_THAT(product_time(one_row, 2 * 8192.0 * 8192 * unit::byte, on).value(),
             WithinRel(2 * 8192.0 * 8192 / on.bandwidth.value(), 1e-12));
}

TEST_CASE("H100 and H200 differ in their memory alone, and so do their times") {
  const machine h200 = machine_of(hardware::h200_sxm5_141gb::value, recipes::mixed_bf16::value);
  const product large{.batch = 1, .m = 8192, .n = 8192, .k = 8192};
  CHECK(product_time(large, 1_MB, h200) == product_time(large, 1_MB, h100));
  // 4.8 TB/s for 3.35; the launch is left out.
  const auto moving = [](const machine& on) { return (streaming_time(2_GB, on) - streaming_time(1_GB, on)).value(); };
  CHECK_THAT(moving(h100) / moving(h200), WithinRel(4.8 / 3.35, 0.01));
}

TEST_CASE("a lower power limit slows what computes, not what moves bytes") {
  machine limited = h100;
  limited.reached = at_power(limited.reached, 0.5);
  const product large{.batch = 1, .m = 8192, .n = 8192, .k = 8192};
  const double whole = product_timer(h100, h100.peak, h100.reached.sustained).compute(large);
  CHECK_THAT(product_timer(limited, limited.peak, limited.reached.sustained).compute(large),
             WithinRel(2 * whole, 1e-12));
  CHECK(streaming_time(1_GB, limited) == streaming_time(1_GB, h100));
}

TEST_CASE("a tile more than a wave costs another wave") {
  const machine& on = h100;
  const double full = compute_seconds({.batch = 1, .m = 256 * 12, .n = 128 * 11, .k = 65536}, on);  // 132 tiles
  const double more = compute_seconds({.batch = 1, .m = 256 * 12 + 64, .n = 128 * 11, .k = 65536}, on);
  CHECK(more > 1.05 * full);
  CHECK(full >= 2 * 256.0 * 12 * 128 * 11 * 65536 / on.peak.value());
}
