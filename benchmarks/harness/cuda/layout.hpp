// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// How a product of row-major matrices is put to cuBLASLt, which reads matrices by columns. Nothing here needs CUDA.
///
/// A row-major matrix is, in the same memory, its transpose by columns. So C = L·R is asked for as Cᵀ = Rᵀ·Lᵀ:
/// cuBLASLt's A is the right operand, its B the left one, and its m is the n of the shape.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "backend.hpp"

namespace harness::cuda {

/// Of the elements in memory. TF32 is FP32 there.
enum class element : std::uint8_t { fp32, bf16, fp16, fp8_e4m3, int8, int32 };
constexpr std::size_t size_of(element kind) {
  return kind == element::fp32 || kind == element::int32 ? 4 : kind == element::bf16 || kind == element::fp16 ? 2 : 1;
}

/// What products are multiplied and summed in.
enum class arithmetic : std::uint8_t { fp32, fp32_by_tf32, int32 };

/// A matrix by columns.
struct column_major {
  element kind = element::fp32;
  std::int64_t rows = 0, columns = 0;
  std::int64_t leading = 0;  ///< elements from one column to the next
  std::int64_t stride = 0;   ///< elements from one matrix of the batch to the next
  friend constexpr bool operator==(const column_major&, const column_major&) = default;
};

/// What a dense operand becomes before it is handed over.
struct rearrangement {
  std::int64_t rows = 0, columns = 0;                ///< row-major, as the shape has it
  bool transposed = false;                           ///< stored by columns of that instead
  std::int64_t stored_rows = 0, stored_columns = 0;  ///< row-major, padded with zeros
  constexpr bool is_plain() const { return !transposed && stored_rows == rows && stored_columns == columns; }
};

struct product_layout {
  std::int64_t batch = 1;
  arithmetic sums = arithmetic::fp32;
  bool transposes_a = false, transposes_b = false;  ///< CUBLAS_OP_T, else CUBLAS_OP_N
  column_major a{}, b{}, d{};                       ///< A: right operand, B: left operand, D: result
  rearrangement left{}, right{};
  std::int64_t m = 0, n = 0;  ///< of the result that was asked for, without padding

  std::size_t elements_of_left() const { return elements(batch, b); }
  std::size_t elements_of_right() const { return elements(batch, a); }
  std::size_t elements_of_result() const { return elements(batch, d); }
  /// Where in D an element of the row-major result [batch, m, n] stands.
  std::size_t place_of(std::size_t of_result) const;
 private:
  static std::size_t elements(std::int64_t batch, const column_major& of) {
    return static_cast<std::size_t>(batch * of.stride);
  }
};

/// Matrices of 8 bits go to the tensor cores as TN alone (A transposed, B not), and 16 elements of k and of n at a time
/// (cuBLAS, cublasLtMatmul: FP8 wants its leading dimensions aligned to 16 bytes, regular INT8 kernels m and k
/// multiples of 4). What is not so is stored so: the operands are transposed and padded with zeros while they are made,
/// as frameworks do when they cast, and none of it is timed; the padding's multiply-adds are.
product_layout layout_of(const product_shape& shape);

/// One operand's matrices, put as `to` says. `stored` holds batch × rows × columns elements of `size` bytes.
std::vector<std::byte> rearranged(std::span<const std::byte> stored, std::int64_t batch, std::size_t size,
                                  const rearrangement& to);

/// "TN", as cuBLASLt's A and B; with what was done to the operands.
std::string description_of(const product_layout& layout);

/// Sets of operands that reach a footprint together: at least one.
std::size_t sets_for(double footprint, double bytes_of_one_set);

/// Attention as batched products: query heads that share keys and values stand one below the other as one matrix. Both
/// passes run over the scores as [batch × kv_heads, queries × sharing heads, keys].
struct attention_products {
  std::int64_t matrices = 1, rows = 1;  ///< batch × kv_heads; queries × heads a kv_head
  product_shape scores;                 ///< Q·Kᵀ
  product_shape output;                 ///< P·V
  product_shape value_gradient;         ///< Pᵀ·dO
  product_shape probability_gradient;   ///< dO·Vᵀ
  product_shape query_gradient;         ///< dS·K
  product_shape key_gradient;           ///< dSᵀ·Q
  std::size_t score_count() const;
};
attention_products products_of(const attention_shape& shape);

/// What is added to a score that a causal query must not see: its exponential is 0 in every format, and it is itself
/// finite in all of them, so that nothing becomes a NaN.
inline constexpr float hidden_score = -30000;

/// The additive mask of one of the matrices, row by row: 0 where a query sees a key, `hidden_score` elsewhere.
/// The last query sees the last key.
std::vector<float> causal_mask(const attention_shape& shape);
/// The same in a format: FP16 holds −30000 exactly, BF16 −29952.
std::vector<std::byte> stored_mask(std::span<const float> mask, element kind);

/// How a stream of bytes is made of what the libraries have: as much as is both read and written is copied, what is
/// written beyond that is set, what is read beyond that is summed (cublasSasum, of 4-byte numbers).
struct stream_parts {
  std::size_t copied = 0, set = 0, summed = 0;  ///< bytes
};
stream_parts parts_of(const stream_shape& shape);

}  // namespace harness::cuda
