// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// What the CUDA back end makes of shapes before any device is asked: layouts by columns, transposes, padding, and how
// attention and streams are put together. Products are formed here as BLAS defines them, by columns.

#include <cmath>
#include <set>

#include "catch.hpp"
#include "cuda/layout.hpp"
#include "operands.hpp"

namespace {

using namespace harness;
using namespace harness::cuda;

constexpr number_kind formats[] = {number_kind::fp32, number_kind::tf32,     number_kind::bf16,
                                   number_kind::fp16, number_kind::fp8_e4m3, number_kind::int8};

// D = op(A)·op(B), each matrix by columns with its leading dimension: what GEMM is (Dongarra et al. 1990), on numbers.
std::vector<double> multiplied(const product_layout& layout, const std::vector<double>& a,
                               const std::vector<double>& b) {
  std::vector<double> d(layout.elements_of_result(), std::nan(""));
  const auto at = [](const std::vector<double>& of, const column_major& shape, std::int64_t matrix, std::int64_t row,
                     std::int64_t column) {
    REQUIRE((row < shape.rows && column < shape.columns));
    return of.at(static_cast<std::size_t>(matrix * shape.stride + column * shape.leading + row));
  };
  const std::int64_t k = layout.transposes_a ? layout.a.rows : layout.a.columns;
  REQUIRE(k == (layout.transposes_b ? layout.b.columns : layout.b.rows));
  REQUIRE(layout.d.rows == (layout.transposes_a ? layout.a.columns : layout.a.rows));
  REQUIRE(layout.d.columns == (layout.transposes_b ? layout.b.rows : layout.b.columns));
  for (std::int64_t matrix = 0; matrix < layout.batch; ++matrix)
    for (std::int64_t i = 0; i < layout.d.rows; ++i)
      for (std::int64_t j = 0; j < layout.d.columns; ++j) {
        double sum = 0;
        for (std::int64_t l = 0; l < k; ++l)
          sum += (layout.transposes_a ? at(a, layout.a, matrix, l, i) : at(a, layout.a, matrix, i, l)) *
                 (layout.transposes_b ? at(b, layout.b, matrix, j, l) : at(b, layout.b, matrix, l, j));
        d[static_cast<std::size_t>(matrix * layout.d.stride + j * layout.d.leading + i)] = sum;
      }
  return d;
}

// Operands as the back end hands them over, decoded.
std::vector<double> handed_over(const product_shape& shape, std::uint64_t seed, const rearrangement& to) {
  const std::size_t size = harness::size_of(shape.format);
  const auto count = static_cast<std::size_t>(shape.batch * to.rows * to.columns);
  const std::vector<std::byte> bytes = rearranged(operand_bytes(shape.format, seed, count), shape.batch, size, to);
  std::vector<double> values;
  for (std::size_t i = 0; i < bytes.size(); i += size) values.push_back(decoded(shape.format, &bytes[i]));
  return values;
}

std::string message_of(const auto& call) {
  try {
    call();
  } catch (const std::exception& e) {
    return e.what();
  }
  return {};
}

}  // namespace

TEST_CASE("cuda: a row-major product comes out of one by columns, in every format and order") {
  for (const number_kind format : formats)
    for (const bool left_transposed : {false, true})
      for (const bool right_transposed : {false, true}) {
        const product_shape shape{.batch = 2,
                                  .m = 3,
                                  .n = 5,
                                  .k = 7,
                                  .format = format,
                                  .left_transposed = left_transposed,
                                  .right_transposed = right_transposed};
        const product_layout layout = layout_of(shape);
        const std::vector<double> left = handed_over(shape, 11, layout.left),
                                  right = handed_over(shape, 12, layout.right);
        CHECK(left.size() == layout.elements_of_left());
        CHECK(right.size() == layout.elements_of_right());
        const std::vector<double> d = multiplied(layout, right, left);
        for (std::size_t b = 0; b < 2; ++b)
          for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 5; ++j) {
              double sum = 0;
              for (std::size_t l = 0; l < 7; ++l)
                sum += operand_value(format, 11, left_transposed ? (b * 7 + l) * 3 + i : (b * 3 + i) * 7 + l) *
                       operand_value(format, 12, right_transposed ? (b * 5 + j) * 7 + l : (b * 7 + l) * 5 + j);
              CHECK(std::fabs(d.at(layout.place_of((b * 3 + i) * 5 + j)) - sum) < 1e-9);
            }
      }
}

TEST_CASE("cuda: matrices of 8 bits are TN, aligned and padded, and the others as they stand") {
  for (const number_kind format : {number_kind::fp8_e4m3, number_kind::int8})
    for (const bool left_transposed : {false, true})
      for (const bool right_transposed : {false, true}) {
        const product_layout layout = layout_of({.m = 3,
                                                 .n = 40,
                                                 .k = 100,
                                                 .format = format,
                                                 .left_transposed = left_transposed,
                                                 .right_transposed = right_transposed});
        CHECK(layout.transposes_a);
        CHECK_FALSE(layout.transposes_b);
        // cuBLAS, cublasLtMatmul: 16-byte leading dimensions for FP8; m and k multiples of 4 for INT8
        CHECK(layout.a.leading % 16 == 0);
        CHECK(layout.b.leading % 16 == 0);
        CHECK(layout.d.leading % 16 == 0);
        CHECK(layout.d.columns == 3);  // rows of activations are not padded
        CHECK(layout.d.kind == (format == number_kind::int8 ? element::int32 : element::bf16));
        CHECK(layout.sums == (format == number_kind::int8 ? arithmetic::int32 : arithmetic::fp32));
      }
  const product_layout plain = layout_of({.m = 3, .n = 5, .k = 7, .format = number_kind::bf16});
  CHECK(plain.left.is_plain());
  CHECK(plain.right.is_plain());
  CHECK(plain.a == column_major{.kind = element::bf16, .rows = 7, .columns = 5, .leading = 7, .stride = 35});
  CHECK(plain.b == column_major{.kind = element::bf16, .rows = 7, .columns = 3, .leading = 7, .stride = 21});
  CHECK(plain.d == column_major{.kind = element::bf16, .rows = 5, .columns = 3, .leading = 5, .stride = 15});
  CHECK(layout_of({.m = 3, .n = 5, .k = 7, .format = number_kind::tf32}).sums == arithmetic::fp32_by_tf32);
  CHECK(layout_of({.m = 3, .n = 32, .k = 64, .format = number_kind::fp8_e4m3}).left.is_plain());

  CHECK(description_of(plain) == "TN");
  CHECK(description_of(layout_of({.m = 3, .n = 5, .k = 7, .format = number_kind::fp8_e4m3, .left_transposed = true})) ==
        "TN, left operand stored transposed, padded to n 16 and k 16");
  CHECK(description_of(layout_of({.m = 3, .n = 16, .k = 32, .format = number_kind::int8, .right_transposed = false})) ==
        "TN, right operand stored transposed");
  CHECK(description_of(layout_of({.m = 3, .n = 5, .k = 7, .left_transposed = true, .right_transposed = false})) ==
        "NT");
}

TEST_CASE("cuda: shapes that are none are refused by name") {
  CHECK(message_of([] { layout_of({.m = 0, .n = 5, .k = 7}); }) ==
        "cuda product: m is 0; it must lie between 1 and 2147483647");
  CHECK(message_of([] { layout_of({.m = 1, .n = 5, .k = std::int64_t{1} << 31}); }).find("k is 2147483648") !=
        std::string::npos);
  CHECK_FALSE(message_of([] { layout_of({.m = 1, .n = 5, .k = 7, .format = number_kind::fp4}); }).empty());
  CHECK_FALSE(message_of([] { products_of({.heads = 6, .kv_heads = 4}); }).empty());
  CHECK_FALSE(message_of([] {
                rearranged({}, 1, 4, {.rows = 2, .columns = 2, .stored_rows = 2, .stored_columns = 2});
              }).empty());
}

TEST_CASE("cuda: sets reach a footprint together") {
  CHECK(sets_for(0, 100) == 1);
  CHECK(sets_for(99, 100) == 1);
  CHECK(sets_for(101, 100) == 2);
  CHECK(sets_for(1000, 100) == 10);
  CHECK(sets_for(1e12, 1) == 4096);
  CHECK(sets_for(1e9, 0) == 1);
}

// Attention written out over heads, in double, beside the same by the batched products: Q·Kᵀ, softmax, P·V, and the
// five products of the backward pass (Dao 2022, appendix B.2).
TEST_CASE("cuda: attention's products share keys and values among heads as attention does") {
  const attention_shape shape{.batch = 2,
                              .heads = 4,
                              .kv_heads = 2,
                              .queries = 3,
                              .keys = 5,
                              .key_dim = 6,
                              .value_dim = 7,
                              .format = number_kind::fp32,
                              .causal = true};
  const attention_products parts = products_of(shape);
  CHECK(parts.matrices == 4);
  CHECK(parts.rows == 6);
  CHECK(parts.score_count() == 4 * 6 * 5);
  // As many multiply-adds as attention has: forward two products, backward five with the scores once more.
  CHECK(parts.scores.macs() + parts.output.macs() == 2. * 4 * 3 * 5 * (6 + 7));
  CHECK(parts.value_gradient.macs() + parts.probability_gradient.macs() + parts.query_gradient.macs() +
            parts.key_gradient.macs() ==
        2. * 4 * 3 * 5 * 2 * (6 + 7));

  const auto numbers = [](std::uint64_t seed, std::size_t count) {
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(operand_value(number_kind::fp32, seed, i));
    return values;
  };
  const std::vector<double> q = numbers(1, 2 * 4 * 3 * 6), k = numbers(2, 2 * 2 * 5 * 6), v = numbers(3, 2 * 2 * 5 * 7),
                            g = numbers(4, 2 * 4 * 3 * 7);
  const auto product = [](const product_shape& s, const std::vector<double>& left, const std::vector<double>& right) {
    const product_layout layout = layout_of(s);
    REQUIRE(left.size() == layout.elements_of_left());
    REQUIRE(right.size() == layout.elements_of_right());
    return multiplied(layout, right, left);
  };
  const double scale = 1 / std::sqrt(6.0);
  std::vector<double> p = product(parts.scores, q, k);
  const std::vector<float> mask = causal_mask(shape);
  REQUIRE(mask.size() == 6 * 5);
  for (std::size_t row = 0; row < p.size() / 5; ++row) {
    double sum = 0;
    for (std::size_t j = 0; j < 5; ++j)
      sum += p[row * 5 + j] = std::exp(scale * p[row * 5 + j] + mask[(row % 6) * 5 + j]);
    for (std::size_t j = 0; j < 5; ++j) p[row * 5 + j] /= sum;
  }
  const std::vector<double> out = product(parts.output, p, v);
  const std::vector<double> dv = product(parts.value_gradient, p, g);
  std::vector<double> ds = product(parts.probability_gradient, g, v);
  for (std::size_t row = 0; row < p.size() / 5; ++row) {
    double mean = 0;
    for (std::size_t j = 0; j < 5; ++j) mean += p[row * 5 + j] * ds[row * 5 + j];
    for (std::size_t j = 0; j < 5; ++j) ds[row * 5 + j] = scale * p[row * 5 + j] * (ds[row * 5 + j] - mean);
  }
  const std::vector<double> dq = product(parts.query_gradient, ds, k), dk = product(parts.key_gradient, ds, q);

  std::vector<double> right_dk(dk.size()), right_dv(dv.size());
  for (std::size_t b = 0; b < 2; ++b)
    for (std::size_t h = 0; h < 4; ++h)
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t kv = b * 2 + h / 2, row = (b * 4 + h) * 3 + i, seen = i + 3;  // query 2 sees all five keys
        std::vector<double> w(seen), dw(seen);
        double sum = 0, mean = 0;
        for (std::size_t j = 0; j < seen; ++j) {
          for (std::size_t d = 0; d < 6; ++d) w[j] += q[row * 6 + d] * k[(kv * 5 + j) * 6 + d];
          sum += w[j] = std::exp(w[j] * scale);
        }
        for (std::size_t j = 0; j < seen; ++j) {
          w[j] /= sum;
          for (std::size_t d = 0; d < 7; ++d) dw[j] += g[row * 7 + d] * v[(kv * 5 + j) * 7 + d];
          mean += w[j] * dw[j];
        }
        for (std::size_t d = 0; d < 7; ++d) {
          double o = 0;
          for (std::size_t j = 0; j < seen; ++j) {
            o += w[j] * v[(kv * 5 + j) * 7 + d];
            right_dv[(kv * 5 + j) * 7 + d] += w[j] * g[row * 7 + d];
          }
          CHECK(std::fabs(out[row * 7 + d] - o) < 1e-12);
        }
        for (std::size_t d = 0; d < 6; ++d) {
          double of_query = 0;
          for (std::size_t j = 0; j < seen; ++j) {
            const double s = scale * w[j] * (dw[j] - mean);
            of_query += s * k[(kv * 5 + j) * 6 + d];
            right_dk[(kv * 5 + j) * 6 + d] += s * q[row * 6 + d];
          }
          CHECK(std::fabs(dq[row * 6 + d] - of_query) < 1e-12);
        }
      }
  for (std::size_t i = 0; i < dk.size(); ++i) CHECK(std::fabs(dk[i] - right_dk[i]) < 1e-12);
  for (std::size_t i = 0; i < dv.size(); ++i) CHECK(std::fabs(dv[i] - right_dv[i]) < 1e-12);
}

TEST_CASE("cuda: a hidden score is finite in every format, and its exponential is nothing") {
  CHECK(hidden_score > -65504);  // the largest FP16
  CHECK(std::exp(hidden_score + 1000.0F) == 0.0F);
  const std::vector<float> mask = causal_mask({.heads = 1, .kv_heads = 1, .queries = 2, .keys = 2});
  CHECK(mask == std::vector<float>{0, hidden_score, 0, 0});
  const std::pair<element, number_kind> stored[] = {
      {element::fp32, number_kind::fp32}, {element::bf16, number_kind::bf16}, {element::fp16, number_kind::fp16}};
  for (const auto& [kind, format] : stored) {
    const std::vector<std::byte> bytes = stored_mask(mask, kind);
    REQUIRE(bytes.size() == 4 * harness::cuda::size_of(kind));
    CHECK(decoded(format, bytes.data()) == 0);
    const double hidden = decoded(format, &bytes[harness::cuda::size_of(kind)]);
    CHECK(std::fabs(hidden - hidden_score) <= (format == number_kind::bf16 ? 48 : 0));
  }
}

TEST_CASE("cuda: a stream reads and writes what it is asked to") {
  for (const auto& [read, written] : {std::pair{100, 100}, {100, 40}, {40, 100}, {0, 100}, {100, 0}}) {
    const stream_parts parts = parts_of({.read = read, .written = written, .format = number_kind::bf16});
    CHECK(parts.copied + parts.summed == static_cast<std::size_t>(2 * read));
    CHECK(parts.copied + parts.set == static_cast<std::size_t>(2 * written));
    CHECK((parts.set == 0 || parts.summed == 0));
  }
}
