// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "verification.hpp"

#include <flopledger/hardware/device.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include <fmt/format.h>

#include "operands.hpp"

namespace harness {
namespace {

using flopledger::number_kind;

/// What a reference says of an entry, and how far a right result may be from it.
struct expected {
  double value = 0, tolerance = 0;
};

/// Half a step of the format that a result is stored in, doubled for the result that lies just beside a tie.
double result_step(number_kind format) {
  switch (format) {
    case number_kind::int8:
      return 0;
    case number_kind::bf16:
    case number_kind::fp8_e4m3:  // stored as BF16
      return 0x1p-8;
    case number_kind::fp16:
      return 0x1p-11;
    default:
      return 0x1p-24;
  }
}

/// What summing loses, of the sum of magnitudes: FP32 rounds each of k additions, in √k steps on average. Hopper's FP8
/// sums keep 14 bits (DeepSeek-V3, section 3.3.2). INT32 loses nothing.
double summing_step(number_kind format, double terms) {
  if (format == number_kind::int8) return 0;
  if (format == number_kind::fp8_e4m3) return 0x1p-12;
  return 0x1p-22 * std::sqrt(terms);
}

std::size_t index(std::int64_t value) { return static_cast<std::size_t>(value); }

expected product_entry(const product_shape& s, std::uint64_t seed, std::size_t element) {
  const std::size_t m = index(s.m), n = index(s.n), k = index(s.k);
  const std::size_t b = element / (m * n), i = element / n % m, j = element % n;
  double sum = 0, magnitudes = 0;
  for (std::size_t l = 0; l < k; ++l) {
    const std::size_t left = s.left_transposed ? (b * k + l) * m + i : (b * m + i) * k + l;
    const std::size_t right = s.right_transposed ? (b * n + j) * k + l : (b * k + l) * n + j;
    const double term =
        operand_value(s.format, operand_seed(seed, 0), left) * operand_value(s.format, operand_seed(seed, 1), right);
    sum += term;
    magnitudes += std::fabs(term);
  }
  return {.value = sum,
          .tolerance =
              result_step(s.format) * std::fabs(sum) + summing_step(s.format, static_cast<double>(k)) * magnitudes};
}

/// Attention in double, a row at a time.
class attention_reference {
 public:
  attention_reference(const attention_shape& s, std::uint64_t seed)
      : s_(s), seed_(seed), scale_(1 / std::sqrt(static_cast<double>(s.key_dim))) {}

  expected output(std::size_t element) const {
    const place at = place_of(element, s_.heads, s_.queries, s_.value_dim);
    const std::vector<double> p = probabilities(at.batch, at.head, at.token);
    double sum = 0, magnitudes = 0;
    for (std::size_t j = 0; j < p.size(); ++j) {
      const double term = p[j] * value(at.batch, at.head, j, at.dim);
      sum += term;
      magnitudes += std::fabs(term);
    }
    return {sum, step() * magnitudes};
  }
  expected query_gradient(std::size_t element) const {
    const place at = place_of(element, s_.heads, s_.queries, s_.key_dim);
    const std::vector<double> ds = score_gradients(at.batch, at.head, at.token, nullptr);
    double sum = 0, magnitudes = 0;
    for (std::size_t j = 0; j < ds.size(); ++j) add(ds[j] * key(at.batch, at.head, j, at.dim), sum, magnitudes);
    return {sum, gradient_step() * magnitudes};
  }
  expected key_gradient(std::size_t element) const {
    const place at = place_of(element, s_.kv_heads, s_.keys, s_.key_dim);
    return over_queries(
        at, [&](std::size_t head, std::size_t i, double, double ds) { return ds * query(at.batch, head, i, at.dim); });
  }
  expected value_gradient(std::size_t element) const {
    const place at = place_of(element, s_.kv_heads, s_.keys, s_.value_dim);
    return over_queries(
        at, [&](std::size_t head, std::size_t i, double p, double) { return p * gradient(at.batch, head, i, at.dim); });
  }
  /// Multiply-adds of one entry of the gradient of keys or values.
  double column_cost() const {
    return static_cast<double>(s_.heads) / static_cast<double>(s_.kv_heads) * static_cast<double>(s_.queries) *
           static_cast<double>(s_.keys) * static_cast<double>(s_.key_dim + s_.value_dim);
  }
 private:
  struct place {
    std::size_t batch = 0, head = 0, token = 0, dim = 0;
  };
  static place place_of(std::size_t element, std::int64_t heads, std::int64_t count, std::int64_t dims) {
    const std::size_t h = index(heads), t = index(count), d = index(dims);
    return {element / (h * t * d), element / (t * d) % h, element / d % t, element % d};
  }
  static void add(double term, double& sum, double& magnitudes) {
    sum += term;
    magnitudes += std::fabs(term);
  }

  double at(int which, std::size_t batch, std::size_t head, std::int64_t heads, std::size_t token, std::int64_t count,
            std::size_t dim, std::int64_t dims) const {
    return operand_value(s_.format, operand_seed(seed_, which),
                         ((batch * index(heads) + head) * index(count) + token) * index(dims) + dim);
  }
  double query(std::size_t b, std::size_t head, std::size_t i, std::size_t d) const {
    return at(0, b, head, s_.heads, i, s_.queries, d, s_.key_dim);
  }
  std::size_t shared(std::size_t head) const { return head / (index(s_.heads) / index(s_.kv_heads)); }
  double key(std::size_t b, std::size_t head, std::size_t j, std::size_t d) const {
    return at(1, b, shared(head), s_.kv_heads, j, s_.keys, d, s_.key_dim);
  }
  double value(std::size_t b, std::size_t head, std::size_t j, std::size_t d) const {
    return at(2, b, shared(head), s_.kv_heads, j, s_.keys, d, s_.value_dim);
  }
  double gradient(std::size_t b, std::size_t head, std::size_t i, std::size_t d) const {
    return at(3, b, head, s_.heads, i, s_.queries, d, s_.value_dim);
  }

  /// Of the keys that a query sees; the last query sees the last key.
  std::vector<double> probabilities(std::size_t b, std::size_t head, std::size_t i) const {
    const std::size_t keys = index(s_.keys);
    const std::size_t seen = s_.causal ? i + 1 + keys - index(s_.queries) : keys;
    std::vector<double> p(seen);
    double highest = -1e300, sum = 0;
    for (std::size_t j = 0; j < seen; ++j) {
      for (std::size_t d = 0; d < index(s_.key_dim); ++d) p[j] += query(b, head, i, d) * key(b, head, j, d);
      p[j] *= scale_;
      highest = std::max(highest, p[j]);
    }
    for (double& one : p) sum += one = std::exp(one - highest);
    for (double& one : p) one /= sum;
    return p;
  }
  /// Gradients of the scores before they are scaled, times the scale; `p` takes the probabilities.
  std::vector<double> score_gradients(std::size_t b, std::size_t head, std::size_t i, std::vector<double>* kept) const {
    std::vector<double> p = probabilities(b, head, i), ds(p.size());
    double mean = 0;
    for (std::size_t j = 0; j < p.size(); ++j) {
      for (std::size_t d = 0; d < index(s_.value_dim); ++d) ds[j] += gradient(b, head, i, d) * value(b, head, j, d);
      mean += p[j] * ds[j];
    }
    for (std::size_t j = 0; j < p.size(); ++j) ds[j] = p[j] * (ds[j] - mean) * scale_;
    if (kept != nullptr) *kept = std::move(p);
    return ds;
  }
  template <class Term>
  expected over_queries(const place& at, Term&& term) const {
    const std::size_t group = index(s_.heads) / index(s_.kv_heads);
    double sum = 0, magnitudes = 0;
    std::vector<double> p;
    for (std::size_t head = at.head * group; head < (at.head + 1) * group; ++head)
      for (std::size_t i = 0; i < index(s_.queries); ++i) {
        const std::vector<double> ds = score_gradients(at.batch, head, i, &p);
        if (at.token < p.size()) add(term(head, i, p[at.token], ds[at.token]), sum, magnitudes);
      }
    return {sum, gradient_step() * magnitudes};
  }

  /// Probabilities are rounded to the operands' format before they meet the values.
  double step() const {
    switch (s_.format) {
      case number_kind::fp32:
        return 0x1p-16;
      case number_kind::tf32:
      case number_kind::fp16:
        return 0x1p-9;
      default:
        return 0x1p-7;
    }
  }
  /// Differences of gradients lose a few bits more.
  double gradient_step() const { return 8 * step(); }

  attention_shape s_;
  std::uint64_t seed_;
  double scale_;
};

/// The corners of a tensor whose rows have `row` elements, and `some` entries in between, the same ones always.
std::vector<std::size_t> sampled(std::size_t count, std::size_t row, std::size_t some) {
  std::vector<std::size_t> picked;
  if (count <= some) {
    for (std::size_t i = 0; i < count; ++i) picked.push_back(i);
    return picked;
  }
  picked = {0, row - 1, count - row, count - 1};
  std::mt19937_64 draw(count);
  while (picked.size() < some) picked.push_back(draw() % count);
  std::sort(picked.begin(), picked.end());
  picked.erase(std::unique(picked.begin(), picked.end()), picked.end());
  return picked;
}

void compare(kernel& ready, int which, const std::vector<std::size_t>& entries, std::string_view of,
             const std::function<expected(std::size_t)>& reference, verified& found) {
  const std::vector<double> got = ready.result(which, entries);
  if (got.size() != entries.size())
    throw wrong_result(
        fmt::format("{}: {} entries of the result were read, {} asked for", of, got.size(), entries.size()));
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const expected right = reference(entries[i]);
    const double error = std::fabs(got[i] - right.value);
    if (!(error <= right.tolerance))
      throw wrong_result(fmt::format("{}: entry {} is {:.9g}, the reference {:.9g} (allowed: ±{:.2g})", of, entries[i],
                                     got[i], right.value, right.tolerance));
    if (right.tolerance > 0) found.largest_error = std::max(found.largest_error, error / right.tolerance);
    ++found.entries;
  }
}

verified verify_product(kernel& ready, const product_shape& s, std::uint64_t seed, const std::string& name) {
  verified found;
  compare(
      ready, 0, sampled(index(s.batch) * index(s.m) * index(s.n), index(s.n), 64), name,
      [&](std::size_t element) { return product_entry(s, seed, element); }, found);
  return found;
}

verified verify_attention(kernel& ready, const attention_shape& s, std::uint64_t seed, const std::string& name) {
  const attention_reference reference(s, seed);
  verified found;
  const std::size_t rows = index(s.batch) * index(s.heads) * index(s.queries),
                    key_rows = index(s.batch) * index(s.kv_heads) * index(s.keys);
  if (!s.backward) {
    compare(
        ready, 0, sampled(rows * index(s.value_dim), index(s.value_dim), 16), name,
        [&](std::size_t element) { return reference.output(element); }, found);
    return found;
  }
  compare(
      ready, 0, sampled(rows * index(s.key_dim), index(s.key_dim), 16), name + ", gradient of the queries",
      [&](std::size_t element) { return reference.query_gradient(element); }, found);
  constexpr double affordable = 1e8;
  if (reference.column_cost() > affordable) {
    found.left_out = "gradients of keys and values";
    return found;
  }
  compare(
      ready, 1, sampled(key_rows * index(s.key_dim), index(s.key_dim), 4), name + ", gradient of the keys",
      [&](std::size_t element) { return reference.key_gradient(element); }, found);
  compare(
      ready, 2, sampled(key_rows * index(s.value_dim), index(s.value_dim), 4), name + ", gradient of the values",
      [&](std::size_t element) { return reference.value_gradient(element); }, found);
  return found;
}

}  // namespace

verified verify(kernel& ready, const kernel_shape& shape, std::uint64_t seed) {
  const std::string name = described(shape);
  if (const auto* product = std::get_if<product_shape>(&shape)) return verify_product(ready, *product, seed, name);
  if (const auto* attention = std::get_if<attention_shape>(&shape))
    return verify_attention(ready, *attention, seed, name);
  return {};
}

std::string described(const kernel_shape& shape) {
  if (const auto* p = std::get_if<product_shape>(&shape))
    return fmt::format("{} product {}×[{}×{}·{}×{}]{}{}", flopledger::name_of(p->format), p->batch, p->m, p->k, p->k,
                       p->n, p->left_transposed ? ", left transposed" : "",
                       p->right_transposed ? ", right transposed" : "");
  if (const auto* a = std::get_if<attention_shape>(&shape))
    return fmt::format("{} attention {}{}, {}×{} heads ({} of keys), {} queries, {} keys, width {}/{}",
                       flopledger::name_of(a->format), a->backward ? "backward" : "forward",
                       a->causal ? ", causal" : "", a->batch, a->heads, a->kv_heads, a->queries, a->keys, a->key_dim,
                       a->value_dim);
  const auto& s = std::get<stream_shape>(shape);
  return fmt::format("{} stream of {} elements read and {} written", flopledger::name_of(s.format), s.read, s.written);
}

}  // namespace harness
