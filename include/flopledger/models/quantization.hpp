// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// How a checkpoint stores its weights: the dtype, and what its quantization says of the matrices.

#include <flopledger/ledger.hpp>
#include <flopledger/precision.hpp>
#include <flopledger/work.hpp>

namespace flopledger {

/// Whose files they are.
enum class quantization_method : std::uint8_t {
  none,
  fp8,
  gptq,
  awq,
  mxfp4,
  compressed_tensors,
  bitsandbytes,
  modelopt,
  fbgemm_fp8,
  hqq,
  aqlm,
  torchao,
  mlx,
  gguf
};

constexpr std::string_view name_of(quantization_method method) {
  constexpr std::string_view names[] = {"none",         "fp8",      "gptq",       "awq", "mxfp4", "compressed-tensors",
                                        "bitsandbytes", "modelopt", "fbgemm_fp8", "hqq", "aqlm",  "torchao",
                                        "mlx",          "gguf"};
  return names[static_cast<std::size_t>(method)];
}

/// What shares a scale.
enum class scale_scope : std::uint8_t {
  none,
  matrix,
  output,  ///< a row of the stored matrix: what makes one output
  group,   ///< `group_size` inputs of one output
  block    ///< `block_rows` outputs by `block_columns` inputs
};

/// How one matrix is stored: elements, and what stands beside them.
struct matrix_format {
  number_kind kind = number_kind::custom;
  double bits = 0;  ///< of one element, without what it shares
  scale_scope scope = scale_scope::none;
  std::int64_t group_size = 0;
  std::int64_t block_rows = 0, block_columns = 0;
  double scale_bytes = 0;             ///< of one scale
  double zero_point_bits = 0;         ///< of one zero point, of which there are as many as scales
  std::int64_t scales_of_scales = 0;  ///< scales that share a further one of FP32 (double quantisation); 0: none
  double bytes_an_input = 0;          ///< GPTQ's g_idx
  double bytes_a_matrix = 0;          ///< scales of the whole, shapes, codebooks
  friend constexpr bool operator==(const matrix_format&, const matrix_format&) = default;
};

namespace detail {
constexpr double ceiling_ratio(double n, double d) {
  const double whole = static_cast<double>(static_cast<std::int64_t>(n / d));
  return whole * d < n ? whole + 1 : whole;
}
}  // namespace detail

/// Scales of a matrix of `in` × `out`.
constexpr double scales_of(const matrix_format& format, double in, double out) {
  switch (format.scope) {
    case scale_scope::none:
      return 0;
    case scale_scope::matrix:
      return 1;
    case scale_scope::output:
      return out;
    case scale_scope::group:
      return out * detail::ceiling_ratio(in, static_cast<double>(format.group_size));
    case scale_scope::block:
      return detail::ceiling_ratio(out, static_cast<double>(format.block_rows)) *
             detail::ceiling_ratio(in, static_cast<double>(format.block_columns));
  }
  return 0;
}

/// Bytes of one stored matrix of `in` × `out`.
constexpr double bytes_of_matrix(const matrix_format& format, double in, double out) {
  const double scales = scales_of(format, in, out);
  const double further = format.scales_of_scales > 0
                             ? 4 * detail::ceiling_ratio(scales, static_cast<double>(format.scales_of_scales))
                             : 0.0;
  return detail::ceiling_ratio(in * out * format.bits, 8) + scales * (format.scale_bytes + format.zero_point_bits / 8) +
         further + in * format.bytes_an_input + format.bytes_a_matrix;
}

/// The layouts that files have.
namespace stored {
/// weight_scale_inv: one FP32 a block (DeepSeek-V3, README_WEIGHTS).
constexpr matrix_format fp8_blocks(std::int64_t rows, std::int64_t columns) {
  return {.kind = number_kind::fp8_e4m3,
          .bits = 8,
          .scope = scale_scope::block,
          .block_rows = rows,
          .block_columns = columns,
          .scale_bytes = 4};
}
/// weight_scale, FP32, and where the activations' scale is fixed input_scale (vLLM, quantization/fp8.py; modelopt).
constexpr matrix_format fp8_matrix(bool fixed_inputs) {
  return {.kind = number_kind::fp8_e4m3,
          .bits = 8,
          .scope = scale_scope::matrix,
          .scale_bytes = 4,
          .bytes_a_matrix = fixed_inputs ? 4.0 : 0.0};
}
/// weight_scale, FP32, one an output, and input_scale_ub (transformers, integrations/fbgemm_fp8.py).
inline constexpr matrix_format fbgemm_fp8{
    .kind = number_kind::fp8_e4m3, .bits = 8, .scope = scale_scope::output, .scale_bytes = 4, .bytes_a_matrix = 4};
/// One power-of-two scale of a byte a group of 32 inputs (OCP Microscaling 1.0); of FP4, two lie in a byte.
inline constexpr matrix_format mxfp4{
    .kind = number_kind::fp4, .bits = 4, .scope = scale_scope::group, .group_size = 32, .scale_bytes = 1};
inline constexpr matrix_format mxfp8{
    .kind = number_kind::fp8_e4m3, .bits = 8, .scope = scale_scope::group, .group_size = 32, .scale_bytes = 1};
/// FP4 with an FP8 scale a group of 16 inputs and an FP32 scale of the whole, and the activations' where they are
/// narrow too (modelopt: weight_scale_2, input_scale; compressed-tensors: weight_global_scale, input_global_scale).
constexpr matrix_format nvfp4(bool narrow_inputs) {
  return {.kind = number_kind::fp4,
          .bits = 4,
          .scope = scale_scope::group,
          .group_size = 16,
          .scale_bytes = 1,
          .bytes_a_matrix = narrow_inputs ? 8.0 : 4.0};
}
}  // namespace stored

/// In which formats the blocks of one kind store the matrix of a place, where that is not the usual one everywhere: so
/// many layers in each.
struct placed_formats {
  static constexpr int most_formats = 4;
  place where{};
  std::uint8_t kind = 0;  ///< `block_kind::number`
  std::int16_t layers[most_formats]{};
  double bits_of_layers = 0;  ///< an element takes, summed over `layers[0]` layers, where each may have a type of its
                              ///< own (GGUF); 0: the layers are those of the numbers
};

/// Storage of a model's weights. Norms, biases and tables of positions keep `dtype` under every method.
struct weight_storage {
  static constexpr int most_exceptions = 128;

  number_format dtype = bf16::format;
  quantization_method method = quantization_method::none;
  matrix_format formats[placed_formats::most_formats]{};  ///< number 0 stands for `dtype`, 1 is the usual one
  operation_set quantised{};                              ///< kinds of rows whose matrices are in the usual one
  int head_format = 0;   ///< number of the format of the product with the vocabulary, where `quantised` lacks it
  int table_format = 0;  ///< the same of the table of tokens
  bool towers = true;    ///< an encoder beside the language model is quantised as well
  placed_formats exceptions[most_exceptions]{};
  int exception_count = 0;
  number_format inputs{};        ///< what products are fed where activations are narrowed too; no bits: `dtype`
  number_format kv_cache{};      ///< that the file names; no bits: none
  double cache_scale_bytes = 0;  ///< of the scales that a layer's keys and values have in the file

  /// The number of the format that a row's matrix has but for exceptions.
  constexpr int usual_format(const row& r) const {
    if (quantised.contains(r.kind)) return towers || r.part != model_part::vision ? 1 : 0;
    if (r.where.at == position::table) return table_format;
    return r.kind == operation::head ? head_format : 0;
  }
  constexpr const placed_formats* exception_of(const row& r) const {
    if (r.part != model_part::main) return nullptr;
    for (int i = 0; i < exception_count; ++i)
      if (exceptions[i].where == r.where && exceptions[i].kind == r.block.number()) return &exceptions[i];
    return nullptr;
  }
};

/// A storage of one format in all products of the blocks: `storage_of(quantization_method::fp8,
/// stored::fp8_matrix(false))`.
constexpr weight_storage storage_of(quantization_method method, const matrix_format& format,
                                    const number_format& dtype = bf16::format) {
  weight_storage made{
      .dtype = dtype, .method = method, .quantised = {operation::projection, operation::expert_projection}};
  made.formats[1] = format;
  return made;
}

/// What one matrix of a row takes, summed over `layers` layers that may store it differently.
struct stored_matrices {
  double bytes = 0;           ///< elements, scales, zero points and indices
  double scale_elements = 0;  ///< numbers that scale others: what a hub's element count adds to the parameters
  double layers = 1;
};

/// The matrix of a row as a storage has it; `elements` are those of one matrix.
constexpr stored_matrices stored_matrix(const weight_storage& storage, const row& r, double elements) {
  const auto in_format = [&](int number) -> stored_matrices {
    if (number == 0) return {.bytes = elements * storage.dtype.bytes_per_element()};
    const matrix_format& format = storage.formats[number];
    // A table is no product: its groups lie along its entries.
    const double group = format.group_size > 0 ? static_cast<double>(format.group_size) : 1.0;
    const double in = r.shape.k > 0 ? r.shape.k : group, out = r.shape.k > 0 ? r.shape.n : elements / group;
    return {.bytes = bytes_of_matrix(format, in, out), .scale_elements = scales_of(format, in, out)};
  };
  const placed_formats* const named = storage.exception_count == 0 ? nullptr : storage.exception_of(r);
  if (named == nullptr) return in_format(storage.usual_format(r));
  if (named->bits_of_layers > 0)
    return {.bytes = elements * named->bits_of_layers / 8, .layers = static_cast<double>(named->layers[0])};
  stored_matrices sum{.layers = 0};
  for (int number = 0; number < placed_formats::most_formats; ++number) {
    if (named->layers[number] == 0) continue;
    const stored_matrices one = in_format(number);
    sum.bytes += named->layers[number] * one.bytes;
    sum.scale_elements += named->layers[number] * one.scale_elements;
    sum.layers += named->layers[number];
  }
  return sum;
}

/// A fold: bytes that a model's weights take as the checkpoint stores them.
struct stored_weights {
  weight_storage storage{};
  double bytes = 0;
  double scale_elements = 0;

  template <class Row = row>
  constexpr void take(const Row& r, std::int64_t times) {
    const auto n = static_cast<double>(times);
    for (const operand& o : r.operands) {
      if (o.what == role::none) break;
      if (o.what == role::cache && r.kind == operation::attention_scores && r.part == model_part::main)
        bytes += n * storage.cache_scale_bytes;
      if (o.what != role::weight && o.what != role::bias) continue;
      if (o.what == role::bias || o.elements == 0) {
        bytes += n * o.elements * storage.dtype.bytes_per_element();
        continue;
      }
      // A row of experts holds as many matrices as its product has batches; a plain one holds one.
      const double matrices = r.shape.k > 0 ? r.shape.batch : 1.0;
      const stored_matrices one = stored_matrix(storage, r, o.elements / matrices);
      bytes += n * matrices * one.bytes / one.layers;
      scale_elements += n * matrices * one.scale_elements / one.layers;
    }
  }
};

/// Bytes of a model's weights under a storage.
template <class Model>
constexpr bytes weight_bytes(const Model& model, const weight_storage& storage) {
  stored_weights fold{.storage = storage};
  model.record(fold, forward(1, 1));
  return bytes::from_value(fold.bytes);
}

}  // namespace flopledger
