// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "operands.hpp"

#include <flopledger/hardware/device.hpp>

#include <array>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>

namespace harness {
namespace {

using flopledger::number_kind;

/// splitmix64 (Steele, Lea and Flood 2014): element i of a stream is a hash of its place.
constexpr std::uint64_t mixed(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = (seed << 32U) + (index + 1) * 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

/// A binary format of few bits: sign, exponent, mantissa.
struct small_float {
  int mantissa = 0, bias = 0;
  int bits = 16;
};
constexpr small_float layout_of(number_kind format) {
  switch (format) {
    case number_kind::bf16:
      return {.mantissa = 7, .bias = 127, .bits = 16};
    case number_kind::fp16:
      return {.mantissa = 10, .bias = 15, .bits = 16};
    default:
      return {.mantissa = 3, .bias = 7, .bits = 8};  // E4M3 (Micikevicius et al. 2022)
  }
}

/// To the nearest, ties to even; |value| ≤ 1, so that nothing overflows. A subnormal number and a normal one differ by
/// the hidden bit alone, which the sum below carries into the exponent.
std::uint16_t encoded(double value, const small_float& f) {
  const double size = std::fabs(value);
  int exponent = 0;
  std::frexp(size, &exponent);
  exponent = size == 0 ? 1 - f.bias : std::max(exponent - 1, 1 - f.bias);
  const auto steps = static_cast<unsigned>(std::nearbyint(std::ldexp(size, f.mantissa - exponent)));
  const unsigned magnitude =
      (static_cast<unsigned>(exponent + f.bias - 1) << static_cast<unsigned>(f.mantissa)) + steps;
  const unsigned sign = std::signbit(value) ? 1U << static_cast<unsigned>(f.bits - 1) : 0U;
  return static_cast<std::uint16_t>(magnitude | sign);
}

double decoded_small(unsigned stored, const small_float& f) {
  const unsigned sign = 1U << static_cast<unsigned>(f.bits - 1);
  const unsigned magnitude = stored & (sign - 1);
  const unsigned one = 1U << static_cast<unsigned>(f.mantissa);
  const auto exponent = static_cast<int>(magnitude >> static_cast<unsigned>(f.mantissa));
  const unsigned fraction = magnitude & (one - 1);
  const double size = exponent == 0 ? std::ldexp(fraction, 1 - f.bias - f.mantissa)
                                    : std::ldexp(one + fraction, exponent - f.bias - f.mantissa);
  return (stored & sign) != 0 ? -size : size;
}

/// What each of 2^16 numbers is stored as, for the formats where rounding one at a time would take minutes.
using code_table = std::array<std::uint16_t, 65536>;
template <number_kind Format>
const code_table& codes() {
  static const code_table table = [] {
    code_table made{};
    for (std::size_t i = 0; i < made.size(); ++i) {
      if constexpr (Format == number_kind::int8)
        made[i] = static_cast<std::uint8_t>(static_cast<std::int8_t>(static_cast<int>(i * 255 / made.size()) - 127));
      else
        made[i] = encoded((static_cast<double>(i) - 32768) / 32768, layout_of(Format));
    }
    return made;
  }();
  return table;
}
const code_table& codes_of(number_kind format) {
  switch (format) {
    case number_kind::bf16:
      return codes<number_kind::bf16>();
    case number_kind::fp16:
      return codes<number_kind::fp16>();
    case number_kind::int8:
      return codes<number_kind::int8>();
    default:
      return codes<number_kind::fp8_e4m3>();
  }
}

float whole_float(number_kind format, std::uint64_t hash) {
  // Of 24 bits, each exact; TF32 has 11, so that the matrix unit reads what is stored.
  if (format == number_kind::tf32)
    return static_cast<float>(static_cast<std::int32_t>(hash >> 53U) - 1024) * (1.0F / 1024);
  return static_cast<float>(static_cast<std::int32_t>(hash >> 40U) - 8388608) * (1.0F / 8388608);
}

}  // namespace

std::size_t size_of(number_kind format) {
  switch (format) {
    case number_kind::fp32:
    case number_kind::tf32:
      return 4;
    case number_kind::bf16:
    case number_kind::fp16:
      return 2;
    case number_kind::fp8_e4m3:
    case number_kind::int8:
      return 1;
    default:
      throw std::invalid_argument("no operands of format " + std::string(flopledger::name_of(format)));
  }
}

void fill_operand(number_kind format, std::uint64_t seed, std::size_t first, std::span<std::byte> into) {
  const std::size_t size = size_of(format), count = into.size() / size;
  std::byte* next = into.data();
  if (size == 4) {
    for (std::size_t i = 0; i < count; ++i, next += size) {
      const float value = whole_float(format, mixed(seed, first + i));
      std::memcpy(next, &value, size);
    }
    return;
  }
  const code_table& code = codes_of(format);
  for (std::size_t i = 0; i < count; ++i, next += size) {
    const std::uint16_t value = code[mixed(seed, first + i) >> 48U];
    if (size == 2)
      std::memcpy(next, &value, size);
    else
      *next = static_cast<std::byte>(value);
  }
}

std::vector<std::byte> operand_bytes(number_kind format, std::uint64_t seed, std::size_t elements) {
  std::vector<std::byte> made(elements * size_of(format));
  fill_operand(format, seed, 0, made);
  return made;
}

double operand_value(number_kind format, std::uint64_t seed, std::size_t index) {
  std::byte stored[4];
  fill_operand(format, seed, index, std::span(stored, size_of(format)));
  return decoded(format, stored);
}

double decoded(number_kind format, const std::byte* stored) {
  switch (size_of(format)) {
    case 4: {
      float value = 0;
      std::memcpy(&value, stored, sizeof value);
      return value;
    }
    case 2: {
      std::uint16_t bits = 0;
      std::memcpy(&bits, stored, sizeof bits);
      return decoded_small(bits, layout_of(format));
    }
    default:
      if (format == number_kind::int8) return static_cast<std::int8_t>(*stored);
      return decoded_small(static_cast<unsigned>(*stored), layout_of(format));
  }
}

}  // namespace harness
