// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/time/token.hpp>

#include "quantities.hpp"

namespace {
using namespace flopledger;
using namespace flopledger::literals;
using Catch::Matchers::WithinRel;
}  // namespace

TEST_CASE("time per output token leaves the first one out, and one token has none") {
  CHECK_THAT(time_per_output_token(5.1_s, 0.1_s, 101)->value(), WithinRel(0.05, 1e-12));
  CHECK(!time_per_output_token(1_s, 1_s, 1).has_value());
}

TEST_CASE("TPOT: TTFT 500 ms, nine more tokens of 20 ms each") {
  constexpr seconds end_to_end = 680_ms;
  constexpr auto each = time_per_output_token(end_to_end, 500_ms, 10);
  REQUIRE(each.has_value());
  CHECK_THAT(each->value(), WithinRel(0.020, 1e-12));  // not 68 ms, E2E over all ten
  HOLDS(!time_per_output_token(end_to_end, 500_ms, 1).has_value());
  HOLDS(!time_per_output_token(end_to_end, 500_ms, 0).has_value());
}
