// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#include "layout.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "operands.hpp"

namespace harness::cuda {
namespace {

element stored_as(number_kind format) {
  switch (format) {
    case number_kind::fp32:
    case number_kind::tf32:
      return element::fp32;
    case number_kind::bf16:
      return element::bf16;
    case number_kind::fp16:
      return element::fp16;
    case number_kind::fp8_e4m3:
      return element::fp8_e4m3;
    case number_kind::int8:
      return element::int8;
    default:
      throw std::invalid_argument("cuda: no products of this format");
  }
}

element result_of(element operand) {
  if (operand == element::int8) return element::int32;
  return operand == element::fp8_e4m3 ? element::bf16 : operand;
}

arithmetic sums_of(number_kind format) {
  if (format == number_kind::int8) return arithmetic::int32;
  return format == number_kind::tf32 ? arithmetic::fp32_by_tf32 : arithmetic::fp32;
}

void check(std::int64_t value, const char* what) {
  // cuBLASLt: usually only sizes that an int32 holds are supported.
  if (value < 1 || value > std::numeric_limits<std::int32_t>::max())
    throw std::invalid_argument(std::string("cuda product: ") + what + " is " + std::to_string(value) +
                                "; it must lie between 1 and 2147483647");
}

constexpr std::int64_t rounded_up(std::int64_t value, std::int64_t to) { return (value + to - 1) / to * to; }

/// A row-major matrix of so many rows and columns, by columns: its transpose.
column_major by_columns(element kind, std::int64_t rows, std::int64_t columns) {
  return {.kind = kind, .rows = columns, .columns = rows, .leading = columns, .stride = rows * columns};
}

}  // namespace

std::size_t product_layout::place_of(std::size_t of_result) const {
  const auto wide = static_cast<std::size_t>(n), high = static_cast<std::size_t>(m);
  const std::size_t column = of_result % wide, row = of_result / wide % high, matrix = of_result / (wide * high);
  return matrix * static_cast<std::size_t>(d.stride) + row * static_cast<std::size_t>(d.leading) + column;
}

product_layout layout_of(const product_shape& shape) {
  check(shape.batch, "batch");
  check(shape.m, "m");
  check(shape.n, "n");
  check(shape.k, "k");
  const element kind = stored_as(shape.format);
  const bool narrow = size_of(kind) == 1;
  const std::int64_t k = narrow ? rounded_up(shape.k, 16) : shape.k, n = narrow ? rounded_up(shape.n, 16) : shape.n;
  product_layout made;
  made.batch = shape.batch;
  made.sums = sums_of(shape.format);
  made.m = shape.m;
  made.n = shape.n;

  // Left, m×k: by columns k×m, which is B as it stands. Right, stored n×k: by columns k×n, which A's transpose reads.
  const bool left_turns = narrow && shape.left_transposed, right_turns = narrow && !shape.right_transposed;
  const bool left_transposed = shape.left_transposed != left_turns,
             right_transposed = shape.right_transposed != right_turns;
  made.left = {.rows = shape.left_transposed ? shape.k : shape.m,
               .columns = shape.left_transposed ? shape.m : shape.k,
               .transposed = left_turns,
               .stored_rows = left_transposed ? k : shape.m,
               .stored_columns = left_transposed ? shape.m : k};
  made.right = {.rows = shape.right_transposed ? shape.n : shape.k,
                .columns = shape.right_transposed ? shape.k : shape.n,
                .transposed = right_turns,
                .stored_rows = right_transposed ? n : k,
                .stored_columns = right_transposed ? k : n};
  made.a = by_columns(kind, made.right.stored_rows, made.right.stored_columns);
  made.b = by_columns(kind, made.left.stored_rows, made.left.stored_columns);
  made.d = by_columns(result_of(kind), shape.m, n);
  made.transposes_a = right_transposed;
  made.transposes_b = left_transposed;
  return made;
}

std::vector<std::byte> rearranged(std::span<const std::byte> stored, std::int64_t batch, std::size_t size,
                                  const rearrangement& to) {
  const auto rows = static_cast<std::size_t>(to.rows), columns = static_cast<std::size_t>(to.columns),
             wide = static_cast<std::size_t>(to.stored_columns), matrices = static_cast<std::size_t>(batch);
  const std::size_t of_one = static_cast<std::size_t>(to.stored_rows) * wide;
  if (stored.size() != matrices * rows * columns * size)
    throw std::invalid_argument("rearranged: " + std::to_string(stored.size()) + " bytes are not " +
                                std::to_string(matrices * rows * columns * size));
  std::vector<std::byte> made(matrices * of_one * size);
  // In blocks, for a row of one is a column of the other.
  constexpr std::size_t block = 32;
  for (std::size_t b = 0; b < matrices; ++b)
    for (std::size_t i0 = 0; i0 < rows; i0 += block)
      for (std::size_t j0 = 0; j0 < columns; j0 += block)
        for (std::size_t i = i0; i < std::min(rows, i0 + block); ++i)
          for (std::size_t j = j0; j < std::min(columns, j0 + block); ++j) {
            const std::size_t place = to.transposed ? j * wide + i : i * wide + j;
            std::memcpy(&made[(b * of_one + place) * size], &stored[((b * rows + i) * columns + j) * size], size);
          }
  return made;
}

std::string description_of(const product_layout& layout) {
  std::string text = std::string(layout.transposes_a ? "T" : "N") + (layout.transposes_b ? "T" : "N");
  if (layout.left.transposed) text += ", left operand stored transposed";
  if (layout.right.transposed) text += ", right operand stored transposed";
  const std::int64_t k = layout.transposes_a ? layout.a.rows : layout.a.columns;
  const std::int64_t asked = layout.left.transposed == layout.transposes_b ? layout.left.columns : layout.left.rows;
  if (layout.d.rows != layout.n || k != asked)
    text += ", padded to n " + std::to_string(layout.d.rows) + " and k " + std::to_string(k);
  return text;
}

std::size_t sets_for(double footprint, double bytes_of_one_set) {
  if (!(footprint > bytes_of_one_set) || !(bytes_of_one_set > 0)) return 1;
  // Beyond this, pointers of sets of a few bytes would be all that is made.
  constexpr double most = 4096;
  return static_cast<std::size_t>(std::min(most, std::ceil(footprint / bytes_of_one_set)));
}

std::size_t attention_products::score_count() const {
  return static_cast<std::size_t>(matrices) * static_cast<std::size_t>(rows) * static_cast<std::size_t>(scores.n);
}

attention_products products_of(const attention_shape& shape) {
  if (shape.kv_heads < 1 || shape.heads % shape.kv_heads != 0)
    throw std::invalid_argument("cuda attention: " + std::to_string(shape.heads) + " heads do not share " +
                                std::to_string(shape.kv_heads) + " key/value heads evenly");
  const std::int64_t matrices = shape.batch * shape.kv_heads;
  const std::int64_t rows = shape.heads / shape.kv_heads * shape.queries;
  const auto product = [&](std::int64_t m, std::int64_t n, std::int64_t k, bool left_transposed,
                           bool right_transposed) {
    return product_shape{.batch = matrices,
                         .m = m,
                         .n = n,
                         .k = k,
                         .format = shape.format,
                         .left_transposed = left_transposed,
                         .right_transposed = right_transposed};
  };
  return {.matrices = matrices,
          .rows = rows,
          .scores = product(rows, shape.keys, shape.key_dim, false, true),
          .output = product(rows, shape.value_dim, shape.keys, false, false),
          .value_gradient = product(shape.keys, shape.value_dim, rows, true, false),
          .probability_gradient = product(rows, shape.keys, shape.value_dim, false, true),
          .query_gradient = product(rows, shape.key_dim, shape.keys, false, false),
          .key_gradient = product(shape.keys, shape.key_dim, rows, true, false)};
}

std::vector<float> causal_mask(const attention_shape& shape) {
  const attention_products parts = products_of(shape);
  std::vector<float> mask(static_cast<std::size_t>(parts.rows * shape.keys), 0.0F);
  for (std::int64_t row = 0; row < parts.rows; ++row) {
    const std::int64_t query = row % shape.queries;
    const std::int64_t seen = std::max<std::int64_t>(query + 1 + shape.keys - shape.queries, 0);
    for (std::int64_t key = seen; key < shape.keys; ++key)
      mask[static_cast<std::size_t>(row * shape.keys + key)] = hidden_score;
  }
  return mask;
}

std::vector<std::byte> stored_mask(std::span<const float> mask, element kind) {
  std::uint32_t whole = 0;
  std::memcpy(&whole, &hidden_score, sizeof whole);
  const std::uint16_t in_bf16 = static_cast<std::uint16_t>(whole >> 16U);
  constexpr std::uint16_t in_fp16 = 0xf753;  // −(1 + 851/1024)·2^14
  const std::size_t size = size_of(kind);
  std::vector<std::byte> made(mask.size() * size);
  for (std::size_t i = 0; i < mask.size(); ++i) {
    if (mask[i] == 0) continue;
    const void* const stored = kind == element::fp32   ? static_cast<const void*>(&hidden_score)
                               : kind == element::bf16 ? &in_bf16
                                                       : &in_fp16;
    std::memcpy(&made[i * size], stored, size);
  }
  return made;
}

stream_parts parts_of(const stream_shape& shape) {
  const std::size_t size = harness::size_of(shape.format);
  const std::size_t read = static_cast<std::size_t>(shape.read) * size,
                    written = static_cast<std::size_t>(shape.written) * size;
  const std::size_t both = std::min(read, written);
  return {.copied = both, .set = written - both, .summed = read - both};
}

}  // namespace harness::cuda
