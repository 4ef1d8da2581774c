// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/hardware/catalogue.hpp>
#include <flopledger/hardware/formats.hpp>

#include "catch.hpp"

using namespace flopledger;

namespace {
constexpr number_kind products_of(const accelerator& device, const recipe& asked) {
  return run_on(device, asked).compute.kind;
}
}  // namespace

TEST_CASE("recipes run in the products that a device has") {
  // Turing, Volta and Ascend 310P have FP16 and no BF16.
  STATIC_REQUIRE(products_of(hardware::t4::value, recipes::w4a16::value) == number_kind::fp16);
  STATIC_REQUIRE(products_of(hardware::v100_sxm2_32gb::value, recipes::qlora::value) == number_kind::fp16);
  STATIC_REQUIRE(products_of(hardware::a100_sxm4_80gb::value, recipes::w4a16::value) == number_kind::bf16);
  // Of products in 16 bits with FP32 sums, Apple's GPUs have the FP32 rate.
  CHECK(products_of(hardware::find("apple-m2-ultra"), recipes::bf16::value) == number_kind::fp32);
  // What names its products keeps them, whether the device has them or not.
  STATIC_REQUIRE(products_of(hardware::t4::value, recipes::mixed_bf16::value) == number_kind::bf16);
  STATIC_REQUIRE(products_of(hardware::a100_sxm4_80gb::value, recipes::fp8::value) == number_kind::fp8_e4m3);
}

TEST_CASE("8-bit weights keep their products where the device has them, and become W8A16 where not") {
  STATIC_REQUIRE(products_of(hardware::h100_sxm5_80gb::value, recipes::w8a8::value) == number_kind::int8);
  constexpr recipe widened = run_on(hardware::v100_sxm2_32gb::value, recipes::w8a8::value);
  STATIC_REQUIRE(widened.compute.kind == number_kind::fp16);
  STATIC_REQUIRE(widened.activations.kind == number_kind::fp16);
  STATIC_REQUIRE(widened.weights.kind == number_kind::int8);
}
