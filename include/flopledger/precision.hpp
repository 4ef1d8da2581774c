// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Number formats as types, and recipes: which format each part of a job is held and computed in.

#include <flopledger/text/lookup.hpp>
#include <flopledger/units.hpp>

#include <concepts>
#include <cstdint>
#include <string_view>

namespace flopledger {

/// The formats a matrix unit may take as input. What a device's peak is listed by.
enum class number_kind : std::uint8_t {
  fp64,
  fp32,
  tf32,
  bf16,
  fp16,
  fp8_e4m3,
  fp8_e5m2,
  fp6,
  fp4,
  int8,
  int4,
  custom
};

/// A format as a value: what one element takes in storage, its share of group scales and zero points included.
struct number_format {
  std::string_view name;
  number_kind kind = number_kind::custom;
  double bits = 0;             ///< of one element as the arithmetic sees it
  double stored_bits = 0;      ///< of one element in memory, where not `bits`: TF32 computes with 19 and takes 32
  double group_size = 0;       ///< elements that share a scale; 0: none
  double scale_bits = 0;       ///< of one scale
  double zero_point_bits = 0;  ///< of one zero point; 0: symmetric

  /// Bits an element takes in memory, shared scales and zero points included.
  constexpr double bits_per_element() const {
    return (stored_bits > 0 ? stored_bits : bits) +
           (group_size > 0 ? (scale_bits + zero_point_bits) / group_size : 0.0);
  }
  constexpr double bytes_per_element() const { return bits_per_element() / 8.0; }
  constexpr bytes_per_parameter storage() const { return bytes_per_parameter::from_value(bytes_per_element()); }
};

/// What a user's own format must hold: `static constexpr number_format format`, whose elements have bits.
template <class Format>
concept number_format_type = requires {
  { Format::format } -> std::convertible_to<number_format>;
  requires number_format(Format::format)
  .bits > 0;
};

/// Bytes a parameter takes in a format: `parameter_count<Model> * storage<bf16>`.
template <class Format>
inline constexpr bytes_per_parameter storage = [] {
  static_assert(
      number_format_type<Format>,
      "not a number format: it needs `static constexpr flopledger::number_format format` of more than 0 bits");
  return Format::format.storage();
}();

struct fp64 {
  static constexpr number_format format{.name = "fp64", .kind = number_kind::fp64, .bits = 64};
};
struct fp32 {
  static constexpr number_format format{.name = "fp32", .kind = number_kind::fp32, .bits = 32};
};
/// FP32 in memory; the matrix unit reads 8 bits of exponent and 10 of mantissa (NVIDIA A100 whitepaper).
struct tf32 {
  static constexpr number_format format{.name = "tf32", .kind = number_kind::tf32, .bits = 19, .stored_bits = 32};
};
struct bf16 {
  static constexpr number_format format{.name = "bf16", .kind = number_kind::bf16, .bits = 16};
};
struct fp16 {
  static constexpr number_format format{.name = "fp16", .kind = number_kind::fp16, .bits = 16};
};
struct fp8_e4m3 {
  static constexpr number_format format{.name = "fp8_e4m3", .kind = number_kind::fp8_e4m3, .bits = 8};
};
struct fp8_e5m2 {
  static constexpr number_format format{.name = "fp8_e5m2", .kind = number_kind::fp8_e5m2, .bits = 8};
};
struct fp6 {
  static constexpr number_format format{.name = "fp6", .kind = number_kind::fp6, .bits = 6};
};
struct fp4 {
  static constexpr number_format format{.name = "fp4", .kind = number_kind::fp4, .bits = 4};
};
/// OCP Microscaling formats 1.0: FP4 (E2M1) with one 8-bit power-of-two scale a block of 32.
struct mxfp4 {
  static constexpr number_format format{
      .name = "mxfp4", .kind = number_kind::fp4, .bits = 4, .group_size = 32, .scale_bits = 8};
};
/// FP4 (E2M1) with one FP8 (E4M3) scale a block of 16; the one FP32 scale a tensor is below counting.
struct nvfp4 {
  static constexpr number_format format{
      .name = "nvfp4", .kind = number_kind::fp4, .bits = 4, .group_size = 16, .scale_bits = 8};
};
/// OCP Microscaling formats 1.0: FP8 (E4M3) with one 8-bit power-of-two scale a block of 32.
struct mxfp8 {
  static constexpr number_format format{
      .name = "mxfp8", .kind = number_kind::fp8_e4m3, .bits = 8, .group_size = 32, .scale_bits = 8};
};
struct int8 {
  static constexpr number_format format{.name = "int8", .kind = number_kind::int8, .bits = 8};
};

enum class zero_points : bool { none, packed };

/// 4-bit integers with one FP16 scale a group and, where asymmetric, one packed 4-bit zero point (GPTQ, AWQ).
template <std::int64_t GroupSize = 128, zero_points ZeroPoints = zero_points::none>
struct int4 {
  static_assert(GroupSize > 0, "int4: the group size must be positive");
  static constexpr number_format format{.name = "int4",
                                        .kind = number_kind::int4,
                                        .bits = 4,
                                        .group_size = static_cast<double>(GroupSize),
                                        .scale_bits = 16,
                                        .zero_point_bits = ZeroPoints == zero_points::packed ? 4.0 : 0.0};
};

/// Which format each part of a job uses. `master_weights` and the moments count only for training.
struct recipe {
  std::string_view name;
  number_format weights = bf16::format;        ///< of the matrices inside the blocks
  number_format other_weights = bf16::format;  ///< embeddings, norms, biases, routers, head: what no method quantises
  number_format frozen_weights{};  ///< of those matrices that are not trained (QLoRA's base); no bits: as `weights`
  number_format activations = bf16::format;
  number_format gradients = bf16::format;
  number_format master_weights = fp32::format;  ///< the optimizer's own copy; read only where `has_master_weights`
  bool has_master_weights = false;
  number_format moments = fp32::format;
  number_format accumulation = fp32::format;  ///< inside a matrix product
  number_format compute = bf16::format;       ///< what the matrix unit is fed
  number_format kv_cache = bf16::format;
  number_format recurrent_state{};  ///< of a recurrence and its convolution; no bits: as `activations`, which engines
                                    ///< keep whatever the cache's format is (vLLM, `mamba_cache_dtype`)

  /// What weights that are not trained are held in.
  constexpr const number_format& frozen() const { return frozen_weights.bits > 0 ? frozen_weights : weights; }
  constexpr const number_format& state() const { return recurrent_state.bits > 0 ? recurrent_state : activations; }
};

/// Whether every format of a recipe has bits: one that was never set would take no memory.
template <class Recipe = recipe>
constexpr bool possible(const Recipe& formats) {
  for (const number_format* one :
       {&formats.weights, &formats.other_weights, &formats.frozen(), &formats.activations, &formats.gradients,
        &formats.master_weights, &formats.moments, &formats.accumulation, &formats.compute, &formats.kv_cache})
    if (!(one->bits > 0 && one->bits_per_element() > 0)) return false;
  return true;
}

namespace recipes {
struct fp32 {
  static constexpr recipe value{.name = "fp32",
                                .weights = flopledger::fp32::format,
                                .other_weights = flopledger::fp32::format,
                                .activations = flopledger::fp32::format,
                                .gradients = flopledger::fp32::format,
                                .compute = flopledger::fp32::format,
                                .kv_cache = flopledger::fp32::format};
};
/// FP32 everywhere in memory; matrix products in TF32.
struct tf32 {
  static constexpr recipe value{.name = "tf32",
                                .weights = flopledger::fp32::format,
                                .other_weights = flopledger::fp32::format,
                                .activations = flopledger::fp32::format,
                                .gradients = flopledger::fp32::format,
                                .compute = flopledger::tf32::format,
                                .kv_cache = flopledger::fp32::format};
};
/// 16-bit everything, moments included: what serving uses, and the 8 bytes a parameter of pure BF16 training.
struct bf16 {
  static constexpr recipe value{.name = "bf16", .moments = flopledger::bf16::format};
};
struct fp16 {
  static constexpr recipe value{.name = "fp16",
                                .weights = flopledger::fp16::format,
                                .other_weights = flopledger::fp16::format,
                                .activations = flopledger::fp16::format,
                                .gradients = flopledger::fp16::format,
                                .moments = flopledger::fp16::format,
                                .compute = flopledger::fp16::format,
                                .kv_cache = flopledger::fp16::format};
};
/// 16-bit weights, activations and gradients beside FP32 master weights and moments (Micikevicius et al. 2018).
struct mixed_bf16 {
  static constexpr recipe value{.name = "mixed-bf16", .has_master_weights = true};
};
struct mixed_fp16 {
  static constexpr recipe value{.name = "mixed-fp16",
                                .weights = flopledger::fp16::format,
                                .other_weights = flopledger::fp16::format,
                                .activations = flopledger::fp16::format,
                                .gradients = flopledger::fp16::format,
                                .has_master_weights = true,
                                .compute = flopledger::fp16::format,
                                .kv_cache = flopledger::fp16::format};
};
/// Training: matrix products in FP8; weights held in 16 bits and cast as they are used (NVIDIA Transformer Engine).
struct fp8 {
  static constexpr recipe value{.name = "fp8", .has_master_weights = true, .compute = flopledger::fp8_e4m3::format};
};
/// The same with a scale of each block of 32, and in FP4 with one of each block of 16 (NVIDIA Blackwell's).
struct mxfp8 {
  static constexpr recipe value{.name = "mxfp8", .has_master_weights = true, .compute = flopledger::mxfp8::format};
};
struct nvfp4 {
  static constexpr recipe value{.name = "nvfp4", .has_master_weights = true, .compute = flopledger::nvfp4::format};
};
/// Serving: 8-bit weights, products in 16 bits.
struct w8a16 {
  static constexpr recipe value{.name = "w8a16", .weights = flopledger::int8::format};
};
/// Serving: 8-bit weights and activations, products in INT8.
struct w8a8 {
  static constexpr recipe value{.name = "w8a8",
                                .weights = flopledger::int8::format,
                                .activations = flopledger::int8::format,
                                .compute = flopledger::int8::format};
};
/// Serving: FP8 weights and products, activations narrowed as they are read; what an FP8 checkpoint is.
struct w8a8_fp8 {
  static constexpr recipe value{
      .name = "w8a8-fp8", .weights = flopledger::fp8_e4m3::format, .compute = flopledger::fp8_e4m3::format};
};
/// Serving: NVFP4 weights and products.
struct w4a4_nvfp4 {
  static constexpr recipe value{
      .name = "w4a4-nvfp4", .weights = flopledger::nvfp4::format, .compute = flopledger::nvfp4::format};
};
/// Serving: 4-bit weights in groups of 128 with packed zero points, products in 16 bits.
struct w4a16 {
  static constexpr recipe value{.name = "w4a16", .weights = int4<128, zero_points::packed>::format};
};
/// Serving: MXFP4 weights, products in 16 bits.
struct mxfp4 {
  static constexpr recipe value{.name = "mxfp4", .weights = flopledger::mxfp4::format};
};

/// QLoRA (Dettmers et al. 2023): the frozen base in 4 bits with an 8-bit scale a block of 64, adapters in 16 bits.
struct qlora {
  static constexpr recipe value{
      .name = "qlora",
      .frozen_weights = {.name = "nf4", .kind = number_kind::fp4, .bits = 4, .group_size = 64, .scale_bits = 8},
      .has_master_weights = true};
};

/// Every recipe of this header, for a look-up by name.
inline constexpr const recipe* all[] = {&fp32::value,       &tf32::value,       &bf16::value,  &fp16::value,
                                        &mixed_bf16::value, &mixed_fp16::value, &fp8::value,   &w8a16::value,
                                        &w8a8::value,       &w8a8_fp8::value,   &w4a16::value, &w4a4_nvfp4::value,
                                        &qlora::value,      &mxfp4::value,      &mxfp8::value, &nvfp4::value};

/// The recipe of that name, or null.
template <class Text>
constexpr const recipe* find(const Text& name) {
  return text::find_named(all, name);
}
}  // namespace recipes

}  // namespace flopledger
