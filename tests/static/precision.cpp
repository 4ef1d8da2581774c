// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// Formats and recipes: what an element takes, and what a parameter takes in training.

#include <flopledger/precision.hpp>

#include <string_view>

namespace {
namespace fl = flopledger;
namespace unit = flopledger::unit;
using namespace flopledger::literals;

constexpr auto a_parameter(double amount) { return amount * (unit::byte / unit::parameter); }

// Bits the arithmetic sees, bits memory holds -----------------------------------------------------------------------
template <class Format>
constexpr bool is(std::string_view name, fl::number_kind kind, double bits, double stored) {
  constexpr fl::number_format f = Format::format;
  return f.name == name && f.kind == kind && f.bits == bits && f.bits_per_element() == stored &&
         f.bytes_per_element() == stored / 8 && fl::storage<Format> == a_parameter(stored / 8) &&
         f.storage() == fl::storage<Format> && fl::number_format_type<Format>;
}
static_assert(is<fl::fp64>("fp64", fl::number_kind::fp64, 64, 64));
static_assert(is<fl::fp32>("fp32", fl::number_kind::fp32, 32, 32));
static_assert(is<fl::tf32>("tf32", fl::number_kind::tf32, 19, 32));  // 1 + 8 + 10 bits, held as FP32
static_assert(is<fl::bf16>("bf16", fl::number_kind::bf16, 16, 16));
static_assert(is<fl::fp16>("fp16", fl::number_kind::fp16, 16, 16));
static_assert(is<fl::fp8_e4m3>("fp8_e4m3", fl::number_kind::fp8_e4m3, 8, 8));
static_assert(is<fl::fp8_e5m2>("fp8_e5m2", fl::number_kind::fp8_e5m2, 8, 8));
static_assert(is<fl::fp6>("fp6", fl::number_kind::fp6, 6, 6));
static_assert(is<fl::fp4>("fp4", fl::number_kind::fp4, 4, 4));
static_assert(is<fl::int8>("int8", fl::number_kind::int8, 8, 8));
// OCP Microscaling: 32 elements of 4 bits and one scale of 8 bits are 17 bytes.
static_assert(is<fl::mxfp4>("mxfp4", fl::number_kind::fp4, 4, 4.25) && 17.0 * 8 / 32 == 4.25);
// NVFP4: 16 elements of 4 bits and one scale of 8 bits are 9 bytes.
static_assert(is<fl::nvfp4>("nvfp4", fl::number_kind::fp4, 4, 4.5) && 9.0 * 8 / 16 == 4.5);
// INT4 in groups of 128: 64 bytes, two for the scale, and half a byte more for a zero point.
static_assert(is<fl::int4<>>("int4", fl::number_kind::int4, 4, 4.125) && 66.0 * 8 / 128 == 4.125);
static_assert(is<fl::int4<128, fl::zero_points::none>>("int4", fl::number_kind::int4, 4, 4.125));
static_assert(is<fl::int4<128, fl::zero_points::packed>>("int4", fl::number_kind::int4, 4, 4.15625));
static_assert(is<fl::int4<32>>("int4", fl::number_kind::int4, 4, 4.5));
static_assert(is<fl::int4<64, fl::zero_points::packed>>("int4", fl::number_kind::int4, 4, 4.3125));

// A format of one's own: 32 elements of 8 bits with one FP16 scale, 34 bytes (llama.cpp's Q8_0).
struct q8_0 {
  static constexpr fl::number_format format{.name = "q8_0", .bits = 8, .group_size = 32, .scale_bits = 16};
};
static_assert(is<q8_0>("q8_0", fl::number_kind::custom, 8, 8.5));
static_assert(fl::storage<q8_0> * (32.0 * unit::parameter) == 34_B);
// Without its scales a format is not what memory holds: MXFP4 takes 6.25 % more than half a byte.
static_assert(fl::storage<fl::mxfp4> * 32_parameters != 16_B && fl::storage<fl::mxfp4> * 32_parameters == 17_B);

struct nothing {};
struct wrong_type {
  static constexpr int format = 8;
};
static_assert(!fl::number_format_type<nothing> && !fl::number_format_type<wrong_type> && !fl::number_format_type<int>);

// Recipes -----------------------------------------------------------------------------------------------------------
using namespace fl::recipes;
static_assert(mixed_bf16::value.has_master_weights && !fl::recipes::bf16::value.has_master_weights);
static_assert(fl::recipes::tf32::value.compute.kind == fl::number_kind::tf32);
static_assert(fl::recipes::tf32::value.weights.kind == fl::number_kind::fp32);
static_assert(fl::recipes::fp8::value.compute.kind == fl::number_kind::fp8_e4m3);
static_assert(fl::recipes::fp8::value.weights.kind == fl::number_kind::bf16);
static_assert(w8a16::value.weights.bytes_per_element() == 1 && w8a16::value.compute.kind == fl::number_kind::bf16);
static_assert(w8a8::value.compute.kind == fl::number_kind::int8 && w8a8::value.activations.bytes_per_element() == 1);
static_assert(w4a16::value.weights.bits_per_element() == 4.15625);
static_assert(fl::recipes::mxfp4::value.weights.bits_per_element() == 4.25);
static_assert(fl::recipes::fp16::value.kv_cache.kind == fl::number_kind::fp16);

// Every recipe is found by its own name, and no two share one.
static_assert([] {
  for (const fl::recipe* a : all)
    if (fl::recipes::find(a->name) != a || a->name.empty()) return false;
  return true;
}());
static_assert(fl::recipes::find("bf17") == nullptr && fl::recipes::find("") == nullptr);
static_assert(fl::recipes::find("mixed-bf16") == &mixed_bf16::value);
}  // namespace
