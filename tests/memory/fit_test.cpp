// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/flopledger.hpp>
#include <flopledger/hardware/catalogue.hpp>
#include <flopledger/memory/fit.hpp>
#include <flopledger/models/zoo.hpp>

#include "catch.hpp"

using namespace flopledger;

TEST_CASE("a 7B model in 16 bits takes two boards of 12 GiB, and in 4 bits one") {
  constexpr serving_setup wide{.formats = {.precision = recipes::fp16::value}};
  constexpr serving_setup narrow{.formats = {.precision = recipes::w4a16::value}};
  constexpr bytes board = 12.0 * prefix::gibi * unit::byte;
  const transformer_config model = models::llama2_7b::config;
  const serving_fit in_16_bits = fit_of(model, wide, 1, 2048, board), in_4_bits = fit_of(model, narrow, 1, 2048, board);
  CHECK(!in_16_bits.fits);
  CHECK(in_16_bits.most_sequences == 0);
  CHECK(in_16_bits.fewest_devices == 2);
  CHECK(in_4_bits.fits);
  CHECK(in_4_bits.fewest_devices == 1);
  CHECK(in_4_bits.longest_context >= 2048);
}

TEST_CASE("a training job that fits is on as many devices as it has") {
  const transformer_config model = models::llama3_2_1b::config;
  const training_setup setup{.precision = recipes::mixed_bf16::value, .plan = {.sequence = 2048}};
  const training_fit found = fit_of(model, setup, {.device = 80.0 * prefix::gibi * unit::byte});
  CHECK(found.fits);
  CHECK(found.fewest_devices == 1);
  CHECK(found.largest_micro_batch >= 1);
  CHECK(found.longest_sequence >= 2048);
}

TEST_CASE("formats of 8 and 4 bits are offered where their products are") {
  STATIC_REQUIRE(serves_in(hardware::h100_sxm5_80gb::value, recipes::w8a8_fp8::value));
  STATIC_REQUIRE(!serves_in(hardware::a100_sxm4_80gb::value, recipes::w8a8_fp8::value));
  STATIC_REQUIRE(!serves_in(hardware::h100_sxm5_80gb::value, recipes::w4a4_nvfp4::value));
  STATIC_REQUIRE(serves_in(hardware::t4::value, recipes::w4a16::value));
}
