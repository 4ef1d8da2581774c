// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/planning/serving_plan.hpp>

#include "catch.hpp"

namespace {

using namespace flopledger;
using namespace flopledger::planning;
using namespace flopledger::literals;
using Catch::Matchers::WithinRel;

/// A pass of 10 ms with 50 µs a token.
const auto slow_passes = [](const pass_load& load) {
  return seconds::from_value(10e-3 + 50e-6 * static_cast<double>(load.prompt_tokens + load.decoding));
};

}  // namespace

TEST_CASE("the largest load is where the limits break") {
  const batch_limits batch{.cache_tokens = 400'000};
  const std::vector<arrival> a_second =
      arrivals_of({.rate = 1.0 / 1_s, .prompt = {.mean = 512}, .output = {.mean = 128}}, 2000);
  const latency_limits limits{.first_token = 500_ms, .output_token = 40_ms};
  const double most = largest_load(a_second, batch, limits, slow_passes);
  CHECK(keeps(simulate(stretched(a_second, 1 / most), batch, slow_passes), limits));
  CHECK(!keeps(simulate(stretched(a_second, 1 / (1.02 * most)), batch, slow_passes), limits));
  CHECK(largest_load(a_second, batch, {.first_token = 500_ms, .output_token = 20_ms}, slow_passes) < most);
  CHECK(largest_load(a_second, batch, {.first_token = 1_us, .output_token = 20_ms}, slow_passes) == 0);
}

TEST_CASE("a single server breaks where M/M/1 says that its 95th percentile passes the limit") {
  // Prompts of a second on average: the time in system is exponential with mean 1/(1 − ρ).
  const auto by_tokens_read = [](const pass_load& load) {
    return seconds::from_value(1e-4 * static_cast<double>(load.prompt_tokens));
  };
  const std::vector<arrival> arrivals = arrivals_of(
      {.rate = 1.0 / 1_s, .prompt = {.is = length_distribution::shape::exponential, .mean = 10'000}}, 50'000);
  const batch_limits one_at_a_time{.sequences = 1, .pass_tokens = 1'000'000'000};
  const double most = largest_load(arrivals, one_at_a_time, {.first_token = 10_s, .output_token = 1_s}, by_tokens_read);
  CHECK_THAT(most, WithinRel(1 - std::log(20.0) / 10, 0.05));
}
