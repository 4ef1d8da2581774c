// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/text/number.hpp>

#include <limits>

#include "catch.hpp"

using namespace flopledger;
using namespace flopledger::literals;

TEST_CASE("quantities are scaled to three digits") {
  CHECK(report::scaled(70'274'254'897'152_FLOP) == "70.3 TFLOP");
  CHECK(report::scaled(8'030'261'248_parameters) == "8.03 G");
  CHECK(report::scaled(0_FLOP) == "0 FLOP");
  CHECK(report::scaled(96_parameters) == "96");
  CHECK(report::scaled(1_B) == "1 B");
  CHECK(report::scaled(0.0784 * unit::second) == "78.4 ms");
  CHECK(report::scaled(5.01e-6 * unit::second) == "5.01 µs");
  CHECK(report::scaled(3.35_TB / unit::second) == "3.35 TB/s");
  CHECK(report::scaled(1e-30 * unit::second) == "0.00 ps");
  CHECK(report::scaled(1e30, "FLOP") == "1000000 YFLOP");
  CHECK(report::scaled(std::numeric_limits<double>::infinity(), "s") == "inf Ys");
}

TEST_CASE("a number that would round to a thousand takes the next prefix") {
  CHECK(report::scaled(999'499_B) == "999 kB");
  CHECK(report::scaled(999'500_B) == "1.00 MB");
  CHECK(report::scaled(9'996_B) == "10.0 kB");
  CHECK(report::scaled(99'960_B) == "100 kB");
  CHECK(report::scaled(0.0009996 * unit::second) == "1.00 ms");
}

TEST_CASE("memory is scaled by powers of two, and says so") {
  CHECK(report::scaled_binary(16'060'522'496_B) == "14.96 GiB");
  CHECK(report::scaled_binary(512_MiB) == "512 MiB");
  CHECK(report::scaled_binary(128_KiB) == "128 KiB");
  CHECK(report::scaled_binary(81559_MiB) == "79.65 GiB");
  CHECK(report::scaled_binary(1'000_B) == "0.98 KiB");
  CHECK(report::scaled_binary(0_B) == "0 B");
}

TEST_CASE("an integer is printed in full, or is said to be rounded") {
  CHECK(report::in_full(8030261248.0) == "8030261248");
  CHECK(report::in_full(9007199254740992.0) == "9007199254740992");
  CHECK(report::in_full(9007199254740994.0) == "9007199254740994 (rounded)");
  CHECK(report::in_full(0.5) == "0.5 (rounded)");
}

TEST_CASE("a share that does not show is not nothing") {
  CHECK(report::percent(0.342) == "34.2");
  CHECK(report::percent(0.0001) == "<0.1");
  CHECK(report::percent(0) == "0.0");
  CHECK(report::percent(1) == "100.0");
}
