// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/hardware/cluster.hpp>
#include <flopledger/models/zoo/llama.hpp>
#include <flopledger/planning/cost.hpp>

#include "catch.hpp"

namespace {

using namespace flopledger;
using namespace flopledger::planning;
using Catch::Matchers::WithinRel;

constexpr device_price two_dollars = dollars_an_hour(2, "of an example", "2024-12-27");

using job = training<models::llama3_1_8b, recipes::mixed_bf16, optimizers::adamw,
                     plan{.sequence = 8192,
                          .gradient_accumulation = 8,
                          .data = 8,
                          .sharding = zero::optimizer,
                          .recompute = recompute::selective}>;
using one_node = cluster<hardware::dgx_h100>;
using run = training_run<job, 100'000'000'000>;

}  // namespace

static_assert(costs<run, one_node, two_dollars> < 20'000_USD && costs<run, one_node, two_dollars> > 5'000_USD);
static_assert(costs<run, one_node, two_dollars> < 0.02_MUSD);

// DeepSeek-V3's report, table 1: hours of 2,048 H800, at two dollars an hour.
TEST_CASE("DeepSeek-V3's bill is its device-hours at two dollars") {
  CHECK_THAT(cost_of(device_hours(2'664'000), two_dollars).value(), WithinRel(5'328'000.0, 1e-12));
  CHECK_THAT(cost_of(device_hours(2'788'000), two_dollars).value(), WithinRel(5'576'000.0, 1e-12));
  // 14.8 T tokens: 180 thousand hours a trillion, as the report says too.
  const token_rate all = 1e12 / (180e3 * 3600 / 2048) * (unit::token / unit::second);
  CHECK_THAT(training_cost(14.8e12 * unit::token, all, 2048, two_dollars).value(), WithinRel(5'328'000.0, 1e-3));
  CHECK_THAT(training_cost(14.8e12 * unit::token, all, 2048, two_dollars, 0.5).value(), WithinRel(10'656'000.0, 1e-3));
}

// 8 devices read 100,000 tokens a second or write 10,000: at two dollars each, 16 dollars an hour.
TEST_CASE("tokens cost what their share of the devices' time does") {
  const token_prices of = cost_of_tokens(8.0 / 100'000 * unit::second, 8.0 / 10'000 * unit::second, two_dollars);
  CHECK_THAT(of.input, WithinRel(16.0 / 3600 * 10, 1e-12));
  CHECK_THAT(of.output, WithinRel(16.0 / 3600 * 100, 1e-12));
  CHECK_THAT(cost_of_request(1000, 500, of).value(), WithinRel((1000 * of.input + 500 * of.output) / 1e6, 1e-12));
  CHECK_THAT(cost_of_tokens(8.0 / 100'000 * unit::second, {}, two_dollars, 0.5).input, WithinRel(2 * of.input, 1e-12));
}
