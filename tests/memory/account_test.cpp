// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/memory/account.hpp>

#include "catch.hpp"

using namespace flopledger;

// nvidia-smi reports 81,559 MiB for an H100 of 80 GB; 95 % of them are 77,481.05.
TEST_CASE("a share of a device's memory is whole mebibytes, rounded down") {
  const bytes h100 = 81'559.0 * prefix::mebi * unit::byte;
  CHECK(usable_mebibytes(h100, 950) == 77'481);
  CHECK(usable_mebibytes(h100, 1000) == 81'559);
  CHECK(usable_mebibytes(bytes{}, 950) == 0);
}

TEST_CASE("what is needed is rounded up") {
  CHECK(mebibytes_of(bytes{}) == 0);
  CHECK(mebibytes_of(1.0 * unit::byte) == 1);
  CHECK(mebibytes_of(1'048'576.0 * unit::byte) == 1);
  CHECK(mebibytes_of(1'048'577.0 * unit::byte) == 2);
  CHECK(mebibytes_of(1e300 * unit::byte) == std::int64_t{1} << 62);
}

TEST_CASE("an allocator's figure is the total without the reserve, and the largest line is named") {
  memory_account account;
  account[memory_line::weights] = 3.0 * unit::byte;
  account[memory_line::activations] = 5.0 * unit::byte;
  account[memory_line::reserve] = 2.0 * unit::byte;
  CHECK(account.total().value() == 10);
  CHECK(account.allocated().value() == 8);
  CHECK(account.largest() == memory_line::activations);
  CHECK(account.possible());
  account[memory_line::buffers] = -1.0 * unit::byte;
  CHECK(!account.possible());
}

TEST_CASE("the largest number that fits is found, none, or no end of them") {
  CHECK(largest_that([](std::int64_t n) { return n <= 1000; }) == 1000);
  CHECK(largest_that([](std::int64_t n) { return n < 1; }) == 0);
  CHECK(largest_that([](std::int64_t) { return true; }) == unlimited);
}
