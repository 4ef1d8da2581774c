// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// Every row of the table of evidence: seen, and just not seen.

#include <flopledger/evidence/diagnosis.hpp>

#include <limits>
#include <vector>

#include "quantities.hpp"

namespace {
using namespace flopledger;
using namespace flopledger::literals;
using Catch::Matchers::WithinRel;
}  // namespace

TEST_CASE("compute and bandwidth, high and low") {
  REQUIRE(bound_of(0.1, 0.8));
  CHECK(bound_of(0.1, 0.8)->what == bottleneck::memory_bandwidth);
  CHECK(bound_of(0.8, 0.1)->what == bottleneck::compute);
  CHECK(bound_of(0.02, 0.14)->what == bottleneck::launch_or_starved);  // the 7B decode at 50 ms a token
  CHECK(bound_of(0.02, 0.14)->evidence == "compute at 2.0 %, bandwidth at 14.0 %");
  CHECK_FALSE(bound_of(0.8, 0.8));
  CHECK_FALSE(bound_of(0.5, 0.5));
  CHECK(bound_of(0.5, 0.5, 0.45) == std::nullopt);
  CHECK(bound_of(0.5, 0.4, 0.45)->what == bottleneck::compute);
}

TEST_CASE("communication over 20 %, or over 30 % by another source") {
  CHECK(communication_bound(250_ms, 1_s)->what == bottleneck::communication);
  CHECK_FALSE(communication_bound(250_ms, 1_s, 0.3));
  CHECK_FALSE(communication_bound(150_ms, 1_s));
  CHECK(communication_exposed(80_ms, 100_ms)->what == bottleneck::exposed_communication);
  CHECK_FALSE(communication_exposed(30_ms, 100_ms));
  CHECK_FALSE(communication_exposed(0_ms, 0_ms));
}

TEST_CASE("memory full and idle, fragmented, leaking") {
  CHECK(capacity_bound(0.95, 0.2)->what == bottleneck::memory_capacity);
  CHECK_FALSE(capacity_bound(0.95, 0.6));
  CHECK_FALSE(capacity_bound(0.7, 0.2));
  CHECK(memory_fragmented(40_GB, 60_GB, false)->evidence == "reserved is 50.0 % above allocated");
  CHECK_FALSE(memory_fragmented(40_GB, 43_GB, false));
  CHECK(memory_fragmented(40_GB, 43_GB, true)->what == bottleneck::fragmentation);
  std::vector<double> leaking, steady;
  for (int i = 0; i < 100; ++i) {
    leaking.push_back(40e9 + 8e6 * i);
    steady.push_back(40e9 + (i % 2) * 1e6);
  }
  CHECK(memory_leaks(leaking)->what == bottleneck::leak);
  CHECK_FALSE(memory_leaks(steady));
  CHECK_FALSE(memory_leaks({}));
}

TEST_CASE("steps that swing with a period") {
  std::vector<double> swinging, noisy, steady(40, 1.0);
  unsigned state = 1;
  for (int i = 0; i < 40; ++i) {
    swinging.push_back(i % 8 == 0 ? 2.0 : 1.0);
    state = state * 1103515245U + 12345U;
    noisy.push_back(1.0 + 0.01 * static_cast<double>((state >> 16) % 100) / 100);
  }
  const auto found = steps_swing(swinging);
  REQUIRE(found);
  CHECK(found->what == bottleneck::periodic_stall);
  CHECK(found->evidence.find("every 8 steps") != std::string::npos);
  CHECK(period_of(swinging).period == 8);
  CHECK_THAT(period_of(swinging).correlation, WithinRel(1.0, 0.2));
  CHECK_FALSE(steps_swing(noisy));
  CHECK_FALSE(steps_swing(steady));
}

TEST_CASE("ranks that differ, and tails") {
  CHECK(ranks_differ(std::vector<double>{1, 1, 1, 1.2})->evidence == "rank 3 takes 20.0 % longer than the median rank");
  CHECK_FALSE(ranks_differ(std::vector<double>{1, 1.01, 0.99, 1.02}));
  CHECK_FALSE(ranks_differ(std::vector<double>{1}));
  std::vector<double> latencies(95, 1.0);
  latencies.insert(latencies.end(), 5, 4.0);
  CHECK(tail_lags(latencies)->what == bottleneck::tail_latency);
  CHECK_FALSE(tail_lags(std::vector<double>(100, 1.0)));
  CHECK_FALSE(tail_lags({}));
}

TEST_CASE("everything that the evidence points to, and nothing that was not measured") {
  CHECK(diagnose({}).empty());
  const std::vector<double> ranks{1, 1, 1.5};
  const auto found = diagnose({.compute_utilisation = 0.2,
                               .bandwidth_utilisation = 0.1,
                               .step = 1_s,
                               .communication = 400_ms,
                               .exposed_communication = 390_ms,
                               .water_level = 0.97,
                               .allocated = 60_GB,
                               .reserved = 78_GB,
                               .time_by_rank = ranks});
  REQUIRE(found.size() == 6);
  CHECK(found[0].what == bottleneck::launch_or_starved);
  CHECK(found[1].what == bottleneck::communication);
  CHECK(found[2].what == bottleneck::exposed_communication);
  CHECK(found[3].what == bottleneck::memory_capacity);
  CHECK(found[4].what == bottleneck::fragmentation);
  CHECK(found[5].what == bottleneck::imbalance);
  for (const finding& one : found) {
    CHECK_FALSE(one.evidence.empty());
    CHECK_FALSE(one.name().empty());
    CHECK_FALSE(one.to_try().empty());
  }
}

TEST_CASE("what a claim can have been at most") {
  CHECK_THAT(most_recompute(0.43008_s).value(), WithinRel(0.14336, 1e-12));
  CHECK_THAT(most_saved_by_reading_less(14_GB, 7_GB, 2_TB / unit::second).value(), WithinRel(3.5e-3, 1e-12));
}

TEST_CASE("nothing is concluded from what is not a number") {
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(bound_of(nothing, nothing));
  CHECK_FALSE(communication_bound(0_s, 0_s));
  CHECK_FALSE(communication_exposed(0_s, 0_s));
  CHECK_FALSE(capacity_bound(0.99, nothing));
  CHECK_FALSE(memory_fragmented(0_B, 0_B, false));
  const std::vector<double> zeros(20, 0.0);
  CHECK(diagnose({.bytes_by_step = zeros, .step_times = zeros, .time_by_rank = zeros, .latencies = zeros}).empty());
  // A number too long to be written out still reads as one.
  const auto huge = communication_bound(seconds::from_value(1e300), 1_s);
  REQUIRE(huge);
  CHECK(huge->evidence.find("1e+302 %") != std::string::npos);
}
