// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// How a checkpoint stores its weights: the dtype, and what quantization_config says of the matrices inside the blocks.

#include <flopledger/ledger.hpp>
#include <flopledger/precision.hpp>
#include <flopledger/work.hpp>

namespace flopledger {

enum class quantization_method : std::uint8_t { none, fp8, gptq, awq, mxfp4 };

constexpr std::string_view name_of(quantization_method method) {
  switch (method) {
    case quantization_method::none:
      return "none";
    case quantization_method::fp8:
      return "fp8";
    case quantization_method::gptq:
      return "gptq";
    case quantization_method::awq:
      return "awq";
    case quantization_method::mxfp4:
      return "mxfp4";
  }
  return "none";
}

/// Storage of a model's weights. Embeddings, norms, routers, biases and the head keep `dtype` under every method.
struct weight_storage {
  number_format dtype = bf16::format;
  quantization_method method = quantization_method::none;
  std::int64_t bits = 16;
  std::int64_t group_size = 0;  ///< inputs that share a scale (GPTQ, AWQ, MXFP4); 0: a whole column
  std::int64_t block_rows = 0;  ///< of an FP8 scale's block; 0: one scale a matrix
  std::int64_t block_columns = 0;
  bool towers = true;  ///< a vision tower is quantised as well

  /// Whether the method quantises the matrices of this row. MXFP4 as gpt-oss uses it holds experts alone; the others
  /// hold every linear layer of the blocks, but neither the router nor the head.
  constexpr bool quantises(operation kind) const {
    if (method == quantization_method::none) return false;
    if (method == quantization_method::mxfp4) return kind == operation::expert_projection;
    return is_block_product(kind);
  }
  constexpr bool quantises_row(const row& r) const {
    return quantises(r.kind) && (towers || r.part != model_part::vision);
  }
};

namespace detail {
constexpr double ceiling_ratio(double n, double d) {
  const double whole = static_cast<double>(static_cast<std::int64_t>(n / d));
  return whole * d < n ? whole + 1 : whole;
}
}  // namespace detail

/// What one stored matrix of `in` × `out` takes beside its elements.
struct quantized_matrix {
  double bytes = 0;           ///< elements, scales, zero points and indices
  double scale_elements = 0;  ///< numbers that scale others: what a hub's element count adds to the parameters
};

/// Bytes of one quantised matrix, by the layout that each method's files have.
constexpr quantized_matrix stored_matrix(const weight_storage& storage, double in, double out) {
  const auto group = static_cast<double>(storage.group_size);
  const double groups = storage.group_size > 0 ? detail::ceiling_ratio(in, group) : 1.0;
  switch (storage.method) {
    case quantization_method::none:
      break;
    case quantization_method::fp8: {
      // weight_scale_inv: one FP32 a block (DeepSeek-V3 README_WEIGHTS), or one a matrix.
      const double scales = storage.block_rows > 0
                                ? detail::ceiling_ratio(out, static_cast<double>(storage.block_rows)) *
                                      detail::ceiling_ratio(in, static_cast<double>(storage.block_columns))
                                : 1.0;
      return {.bytes = in * out + 4 * scales, .scale_elements = scales};
    }
    case quantization_method::gptq:
    case quantization_method::awq: {
      // qweight and qzeros pack 32/bits numbers in an int32, scales are FP16; GPTQ adds g_idx, an int32 an input.
      const double element = static_cast<double>(storage.bits) / 8;
      const double indices = storage.method == quantization_method::gptq ? 4 * in : 0.0;
      return {.bytes = in * out * element + groups * out * (element + 2) + indices, .scale_elements = groups * out};
    }
    case quantization_method::mxfp4:
      // Two FP4 in a byte; one power-of-two scale of a byte a group of 32 inputs (OCP Microscaling 1.0).
      return {.bytes = in * out / 2 + groups * out, .scale_elements = groups * out};
  }
  return {.bytes = in * out * storage.dtype.bytes_per_element()};
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
      if (o.what != role::weight && o.what != role::bias) continue;
      if (o.what == role::weight && o.elements > 0 && storage.quantises_row(r)) {
        // A row of experts holds as many matrices as its product has batches; a plain one holds one.
        const quantized_matrix one = stored_matrix(storage, r.shape.k, r.shape.n);
        bytes += n * r.shape.batch * one.bytes;
        scale_elements += n * r.shape.batch * one.scale_elements;
      } else {
        bytes += n * o.elements * storage.dtype.bytes_per_element();
      }
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
