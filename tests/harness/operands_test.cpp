// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// Operands: formats by their published bit patterns, and the same numbers by index as by block.

#include "operands.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <set>
#include <stdexcept>

#include "catch.hpp"

using namespace harness;
using flopledger::number_kind;

namespace {

double of_bits(number_kind format, std::uint16_t bits) {
  std::byte stored[2];
  std::memcpy(stored, &bits, sizeof bits);
  return decoded(format, stored);
}

}  // namespace

TEST_CASE("stored elements are read as their formats define them") {
  // BF16 is the upper half of FP32; 0x3f80 is one, 0xc049 is −3.140625.
  CHECK(of_bits(number_kind::bf16, 0x3f80) == 1.0);
  CHECK(of_bits(number_kind::bf16, 0xc049) == -3.140625);
  // IEEE 754-2019 binary16: 0x3c00 one, 0x3555 the nearest to a third, 0x0001 the least subnormal, 0x7bff the greatest.
  CHECK(of_bits(number_kind::fp16, 0x3c00) == 1.0);
  CHECK(of_bits(number_kind::fp16, 0x3555) == 0.333251953125);
  CHECK(of_bits(number_kind::fp16, 0x0001) == 0x1p-24);
  CHECK(of_bits(number_kind::fp16, 0x7bff) == 65504.0);
  // OCP 8-bit floating point 1.0, table 2: E4M3 0x38 is one, 0x7e is 448, 0x01 is 2⁻⁹, 0x08 is 2⁻⁶.
  CHECK(of_bits(number_kind::fp8_e4m3, 0x38) == 1.0);
  CHECK(of_bits(number_kind::fp8_e4m3, 0x7e) == 448.0);
  CHECK(of_bits(number_kind::fp8_e4m3, 0x01) == 0x1p-9);
  CHECK(of_bits(number_kind::fp8_e4m3, 0x08) == 0x1p-6);
  CHECK(of_bits(number_kind::int8, 0x00ff) == -1.0);
}

TEST_CASE("operands are the same by index and by block, and random") {
  const number_kind format = GENERATE(number_kind::fp32, number_kind::tf32, number_kind::bf16, number_kind::fp16,
                                      number_kind::fp8_e4m3, number_kind::int8);
  constexpr std::size_t count = 20000;
  const std::vector<std::byte> block = operand_bytes(format, 7, count);
  REQUIRE(block.size() == count * size_of(format));
  std::set<double> seen;
  double sum = 0, squares = 0;
  const double scale = format == number_kind::int8 ? 127 : 1;
  for (std::size_t i = 0; i < count; ++i) {
    const double value = operand_value(format, 7, i);
    REQUIRE(value == decoded(format, block.data() + i * size_of(format)));
    REQUIRE(std::fabs(value) <= scale);
    sum += value / scale;
    squares += value * value / scale / scale;
    seen.insert(value);
  }
  // Uniform in [−1, 1): mean 0 and mean square 1/3, within five deviations of 20000 draws.
  CHECK(std::fabs(sum / count) < 5 * 0.577 / std::sqrt(count));
  CHECK(std::fabs(squares / count - 1.0 / 3) < 5 * 0.298 / std::sqrt(count));
  CHECK(seen.size() > (format == number_kind::fp8_e4m3 ? 90U : 200U));
}

TEST_CASE("seeds differ, and so do a kernel's operands") {
  CHECK(operand_value(number_kind::fp32, 1, 0) != operand_value(number_kind::fp32, 2, 0));
  CHECK(operand_seed(1, 3) != operand_seed(2, 0));
  CHECK(operand_seed(1, 0) != operand_seed(1, 1));
}

TEST_CASE("TF32 operands are what the matrix unit reads") {
  // 1 + 10 bits: a multiple of 2⁻¹⁰ below one is held exactly.
  for (std::size_t i = 0; i < 1000; ++i) {
    const double value = operand_value(number_kind::tf32, 3, i) * 1024;
    CHECK(value == std::floor(value));
  }
}

TEST_CASE("a format without products is refused by name") {
  CHECK_THROWS_AS(size_of(number_kind::fp4), std::invalid_argument);
  CHECK_THROWS_WITH(size_of(number_kind::fp4), "no operands of format fp4");
}
