// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/evidence/statistics.hpp>

#include <limits>
#include <numeric>
#include <vector>

#include "quantities.hpp"

namespace {
using namespace flopledger;
using namespace flopledger::literals;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
constexpr token_rate tokens_a_second(double n) { return n * (unit::token / unit::second); }
}  // namespace

TEST_CASE("percentiles by their definition") {
  std::vector<double> hundred(100);
  std::iota(hundred.rbegin(), hundred.rend(), 1.0);  // 100 … 1: order does not matter
  // NumPy: numpy.percentile(range(1, 101), [50, 95, 99]) is 50.5, 95.05, 99.01.
  CHECK_THAT(percentile(hundred, 0.50), WithinRel(50.5, 1e-12));
  CHECK_THAT(percentile(hundred, 0.95), WithinRel(95.05, 1e-12));
  CHECK_THAT(percentile(hundred, 0.99), WithinRel(99.01, 1e-12));
  CHECK(percentile(hundred, 0.50, percentile_rule::nearest_rank) == 50);
  CHECK(percentile(hundred, 0.95, percentile_rule::nearest_rank) == 95);
  CHECK(percentile(hundred, 0.99, percentile_rule::nearest_rank) == 99);
  CHECK(percentile(hundred, 0) == 1);
  CHECK(percentile(hundred, 1) == 100);
  CHECK(percentile(hundred, 0, percentile_rule::nearest_rank) == 1);
  const std::vector<double> five{15, 20, 35, 40, 50};
  CHECK(percentile(five, 0.30, percentile_rule::nearest_rank) == 20);
  CHECK(percentile(five, 0.40, percentile_rule::nearest_rank) == 20);
  CHECK_THAT(percentile(five, 0.40), WithinRel(29.0, 1e-12));
  CHECK(median(std::vector<double>{7}) == 7);
  CHECK_THROWS_AS(percentile({}, 0.5), bad_argument);
  CHECK_THROWS_AS(percentile(five, 50), bad_argument);
  CHECK_THROWS_AS(percentile(five, -0.1), bad_argument);
}

TEST_CASE("summary of samples") {
  const sample_summary s = summary_of(std::vector<double>{2, 4, 4, 4, 5, 5, 7, 9});
  CHECK(s.count == 8);
  CHECK(s.mean == 5);
  CHECK_THAT(s.deviation, WithinRel(2.13808993529940, 1e-12));  // √(32/7)
  CHECK_THAT(s.jitter, WithinRel(1.0, 1e-12));                  // (2+0+0+1+0+2+2)/7
  CHECK(s.lowest == 2);
  CHECK(s.highest == 9);
  CHECK_THAT(s.relative_deviation(), WithinRel(0.42761798705988, 1e-12));
  const sample_summary one = summary_of(std::vector<double>{3});
  CHECK(one.p99 == 3);
  CHECK(one.deviation == 0);
  CHECK(one.tail() == 1);
}

TEST_CASE("warm-up is trimmed") {
  std::vector<double> steps(30, 1.0);
  steps[0] = 30;
  steps[1] = 4;
  steps[2] = 1.5;
  steps[20] = 3;  // a straggler is no warm-up
  CHECK(warm_up_length(steps) == 3);
  CHECK(trimmed(steps, 3).size() == 27);
  CHECK(trimmed(steps).size() == 20);
  CHECK(trimmed(steps, 30).empty());
  CHECK(warm_up_length(std::vector<double>{1, 1, 1, 1, 1, 1}) == 0);
  CHECK(warm_up_length(std::vector<double>{9, 1}) == 0);
}

TEST_CASE("scaling efficiency, strong and weak") {
  HOLDS(strong_scaling_efficiency(80_s, 10_s, 8) == 1.0);
  HOLDS(strong_scaling_efficiency(80_s, 16_s, 8) == 0.625);
  HOLDS(weak_scaling_efficiency(10_s, 12.5_s) == 0.8);
  HOLDS(scaling_efficiency(tokens_a_second(1000), tokens_a_second(6400), 8) == 0.8);
}

TEST_CASE("water level and trend of memory") {
  HOLDS(water_level(72_GiB, 80_GiB) == 0.9);
  std::vector<double> growing;
  for (int i = 0; i < 50; ++i) growing.push_back(1e9 + 2e6 * i);
  CHECK_THAT(memory_trend(growing).value(), WithinRel(2e6, 1e-9));
  CHECK(memory_trend(std::vector<double>{5, 5, 5}).value() == 0);
  CHECK(memory_trend(std::vector<double>{5}).value() == 0);
  CHECK_THAT(steps_until_full(40_GB, 80_GB, 2_MB).value(), WithinRel(20000, 1e-12));
  CHECK_FALSE(steps_until_full(40_GB, 80_GB, 0_B).has_value());
  CHECK_FALSE(steps_until_full(40_GB, 80_GB, -1.0 * unit::byte).has_value());
  CHECK(steps_until_full(81_GB, 80_GB, 1_B).value() == 0);
}

TEST_CASE("devices for a demand") {
  // 1.3 · 100 requests/s · 2 TFLOP over 40 TFLOP/s: 6.5 devices.
  HOLDS(devices_for(100, 2, 40) == 7);
  HOLDS(devices_for(100, 2, 40, 0) == 5);
  HOLDS(devices_for(0, 2, 40) == 0);
  HOLDS(devices_for(100, 2, 20, 0) == 10);  // no rounding up of what divides
  CHECK(devices_for(3, 0.1, 0.3, 0) == 1);  // nor of what binary fractions say does not
  CHECK_THROWS_AS(devices_for(100, 2, 0), bad_argument);
  std::vector<double> demand(99, 10.0);
  demand.push_back(1000);
  CHECK(devices_for(demand, 1, 10, 0) == 1);         // P95, by default
  CHECK(devices_for(demand, 1, 10, 0, 1.0) == 100);  // the peak
  HOLDS(device_limits{.by_compute = 30, .by_bandwidth = 12, .by_cache = 20}.tightest() == 12);
  HOLDS(device_limits{.by_compute = 30, .by_bandwidth = 12, .by_cache = 5}.tightest() == 5);
}

TEST_CASE("samples that are no numbers are refused, and demands beyond counting") {
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(percentile(std::vector<double>{1, nothing, 2}, 0.5), bad_argument);
  CHECK_THROWS_AS(summary_of(std::vector<double>{nothing}), bad_argument);
  CHECK_THROWS_AS(devices_for(nothing, 1, 1), bad_argument);
  CHECK_THROWS_AS(devices_for(1, 1, nothing), bad_argument);
  CHECK_THROWS_AS(devices_for(1e300, 1e300, 1), bad_argument);
  CHECK_THROWS_AS(devices_for(1e18, 1, 1), bad_argument);
}
