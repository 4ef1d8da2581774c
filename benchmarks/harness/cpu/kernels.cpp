// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "../operands.hpp"
#include "products.hpp"

namespace harness::cpu {
namespace {

/// Sets whose bytes reach the footprint together.
std::size_t sets_for(double bytes, double footprint) {
  return static_cast<std::size_t>(std::max(1.0, std::ceil(footprint / bytes)));
}

std::size_t count(std::int64_t a, std::int64_t b, std::int64_t c = 1, std::int64_t d = 1) {
  return static_cast<std::size_t>(a) * static_cast<std::size_t>(b) * static_cast<std::size_t>(c) *
         static_cast<std::size_t>(d);
}

/// Sets of tensors with the same random numbers in each, taken one after another.
class operand_sets {
 public:
  /// A tensor: its elements, and which seed it is made of; −1: not filled.
  struct tensor {
    std::size_t elements = 0, element_bytes = 4;
    int seed = -1;
  };
  /// One set: where each tensor begins.
  using set = std::vector<std::byte*>;

  operand_sets(memory_account& memory, const std::vector<tensor>& tensors, number_kind format, std::uint64_t seed,
               double footprint) {
    double bytes = 0;
    for (const tensor& one : tensors) bytes += static_cast<double>(one.elements * one.element_bytes);
    sets_.resize(sets_for(bytes, footprint));
    for (const tensor& one : tensors) {
      const std::size_t size = one.elements * one.element_bytes, apart = (size + 63) / 64 * 64;
      const pages& all = memory_.emplace_back(memory, apart * sets_.size());
      if (one.seed >= 0) fill_operand(format, operand_seed(seed, one.seed), 0, {all.data(), size});
      for (std::size_t i = 0; i < sets_.size(); ++i) {
        sets_[i].push_back(all.data() + i * apart);
        if (one.seed >= 0 && i > 0) std::memcpy(sets_[i].back(), all.data(), size);
      }
    }
  }
  const set& first() const { return sets_[0]; }
  const set& next() {
    const set& here = sets_[at_];
    at_ = at_ + 1 == sets_.size() ? 0 : at_ + 1;
    return here;
  }
  std::size_t size() const { return sets_.size(); }
 private:
  std::vector<pages> memory_;
  std::vector<set> sets_;
  std::size_t at_ = 0;
};

template <class T>
T* as(std::byte* data) {
  return reinterpret_cast<T*>(data);
}

std::size_t size_of_result(number_kind format) { return format == number_kind::bf16 ? 2 : 4; }

double result_at(std::byte* from, number_kind format, std::size_t element) {
  if (format == number_kind::int8) return static_cast<double>(as<std::int32_t>(from)[element]);
  return decoded(format, from + element * size_of_result(format));
}

class product_kernel final : public kernel {
 public:
  product_kernel(const product_shape& s, std::uint64_t seed, double footprint, const resources& use)
      : s_(s),
        sets_(use.memory,
              {{count(s.batch, s.m, s.k), size_of(s.format), 0},
               {count(s.batch, s.k, s.n), size_of(s.format), 1},
               {count(s.batch, s.m, s.n), size_of_result(s.format), -1}},
              s.format, seed, footprint),
        product_(make_product({.m = s.m,
                               .n = s.n,
                               .k = s.k,
                               .left_transposed = s.left_transposed,
                               .right_transposed = s.right_transposed,
                               .format = s.format,
                               .result = s.format})) {
    run(sets_.first());
  }
  void enqueue() override { run(sets_.next()); }
  std::vector<double> result(int, std::span<const std::size_t> elements) override {
    run(sets_.first());
    std::vector<double> read;
    for (const std::size_t element : elements) read.push_back(result_at(sets_.first()[2], s_.format, element));
    return read;
  }
  std::string description() const override {
    return fmt::format("{}, {} sets of operands", product_->description(), sets_.size());
  }
 private:
  void run(const operand_sets::set& set) {
    const std::size_t left = count(s_.m, s_.k) * size_of(s_.format), right = count(s_.k, s_.n) * size_of(s_.format),
                      result = count(s_.m, s_.n) * size_of_result(s_.format);
    for (std::size_t b = 0; b < static_cast<std::size_t>(s_.batch); ++b)
      product_->run(set[0] + b * left, set[1] + b * right, set[2] + b * result);
  }
  product_shape s_;
  operand_sets sets_;
  std::unique_ptr<matrix_product> product_;
};

/// Two products with a softmax between them, the scores of one head at a time in FP32; backward five products, the
/// probabilities computed again. Probabilities and their gradients meet the next product in the operands' format.
class attention_kernel final : public kernel {
 public:
  attention_kernel(const attention_shape& s, std::uint64_t seed, double footprint, const resources& use)
      : s_(s),
        use_(use),
        element_(size_of(s.format)),
        sets_(use.memory, tensors_of(s), s.format, seed, footprint),
        scores_(use.memory, matrix() * 4),
        gradients_(use.memory, s.backward ? matrix() * 4 : 0),
        narrowed_(use.memory, s.format == number_kind::bf16 ? matrix() * 2 : 0),
        sum_(use.memory, s.backward ? count(s.keys, std::max(s.key_dim, s.value_dim)) * 4 : 0) {
    const auto make = [&](std::int64_t m, std::int64_t n, std::int64_t k, bool left, bool right, number_kind result) {
      return make_product({.m = m,
                           .n = n,
                           .k = k,
                           .left_transposed = left,
                           .right_transposed = right,
                           .format = s.format,
                           .result = result});
    };
    const number_kind own = s.format, wide = number_kind::fp32;
    score_ = make(s.queries, s.keys, s.key_dim, false, true, wide);
    if (!s.backward) {
      context_ = make(s.queries, s.value_dim, s.keys, false, false, own);
    } else {
      probability_gradient_ = make(s.queries, s.keys, s.value_dim, false, true, wide);
      query_gradient_ = make(s.queries, s.key_dim, s.keys, false, false, own);
      key_gradient_ = make(s.keys, s.key_dim, s.queries, true, false, wide);
      value_gradient_ = make(s.keys, s.value_dim, s.queries, true, false, wide);
    }
    run(sets_.first());
  }
  void enqueue() override { run(sets_.next()); }
  std::vector<double> result(int which, std::span<const std::size_t> elements) override {
    run(sets_.first());
    std::byte* const from = sets_.first()[static_cast<std::size_t>(which) + (s_.backward ? 4 : 3)];
    std::vector<double> read;
    // Gradients of keys and values sum over the heads that share them, in FP32.
    const number_kind format = s_.backward && which > 0 ? number_kind::fp32 : s_.format;
    for (const std::size_t element : elements) read.push_back(result_at(from, format, element));
    return read;
  }
  std::string description() const override {
    return fmt::format("{} products and softmax by {}, scores of one head in memory, {}", s_.backward ? "five" : "two",
                       use_.with.name, score_->description());
  }
 private:
  static std::vector<operand_sets::tensor> tensors_of(const attention_shape& s) {
    const std::size_t size = size_of(s.format);
    const std::size_t q = count(s.batch, s.heads, s.queries, s.key_dim),
                      k = count(s.batch, s.kv_heads, s.keys, s.key_dim),
                      v = count(s.batch, s.kv_heads, s.keys, s.value_dim),
                      o = count(s.batch, s.heads, s.queries, s.value_dim);
    if (!s.backward) return {{q, size, 0}, {k, size, 1}, {v, size, 2}, {o, size, -1}};
    return {{q, size, 0}, {k, size, 1}, {v, size, 2}, {o, size, 3}, {q, size, -1}, {k, 4, -1}, {v, 4, -1}};
  }
  std::size_t matrix() const { return count(s_.queries, s_.keys); }

  void run(const operand_sets::set& set) {
    const std::int64_t group = s_.heads / s_.kv_heads;
    for (std::int64_t b = 0; b < s_.batch; ++b)
      for (std::int64_t head = 0; head < s_.heads; ++head) {
        const auto own = static_cast<std::size_t>(b * s_.heads + head),
                   shared = static_cast<std::size_t>(b * s_.kv_heads + head / group);
        const place at{.query = own * count(s_.queries, s_.key_dim),
                       .key = shared * count(s_.keys, s_.key_dim),
                       .value = shared * count(s_.keys, s_.value_dim),
                       .output = own * count(s_.queries, s_.value_dim),
                       .first_of_group = head % group == 0};
        if (s_.backward)
          backward(set, at);
        else
          forward(set, at);
      }
  }
  struct place {
    std::size_t query = 0, key = 0, value = 0, output = 0;
    bool first_of_group = true;
  };

  void probabilities(const operand_sets::set& set, const place& at) {
    auto* const scores = scores_.as<float>();
    score_->run(set[0] + at.query * element_, set[1] + at.key * element_, scores);
    const float scale = 1 / std::sqrt(static_cast<float>(s_.key_dim));
    use_.threads.split(s_.queries, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) {
        const std::int64_t seen = s_.causal ? i + 1 + s_.keys - s_.queries : s_.keys;
        use_.with.softmax(scores + i * s_.keys, s_.keys, seen, scale);
      }
    });
  }
  /// A matrix of scores as the next product reads it.
  const void* operand(const float* matrix) {
    if (s_.format != number_kind::bf16) return matrix;
    auto* const narrow = narrowed_.as<unsigned short>();
    use_.threads.split(s_.queries, [&](std::int64_t first, std::int64_t last) {
      use_.with.to_bf16(matrix + first * s_.keys, narrow + first * s_.keys, (last - first) * s_.keys);
    });
    return narrow;
  }
  void forward(const operand_sets::set& set, const place& at) {
    probabilities(set, at);
    context_->run(operand(scores_.as<float>()), set[2] + at.value * element_, set[3] + at.output * element_);
  }
  /// Adds up what the heads of a group say of the keys and values that they share.
  void accumulate(matrix_product& by, const void* left, const void* right, float* into, std::size_t elements,
                  bool first) {
    if (first) return by.run(left, right, into);
    auto* const sum = sum_.as<float>();
    by.run(left, right, sum);
    for (std::size_t i = 0; i < elements; ++i) into[i] += sum[i];
  }
  void backward(const operand_sets::set& set, const place& at) {
    probabilities(set, at);
    auto* const p = scores_.as<float>();
    auto* const ds = gradients_.as<float>();
    const std::byte* const gradient = set[3] + at.output * element_;
    accumulate(*value_gradient_, operand(p), gradient, as<float>(set[6]) + at.value, count(s_.keys, s_.value_dim),
               at.first_of_group);
    probability_gradient_->run(gradient, set[2] + at.value * element_, ds);
    const float scale = 1 / std::sqrt(static_cast<float>(s_.key_dim));
    use_.threads.split(s_.queries, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i)
        use_.with.softmax_gradient(p + i * s_.keys, ds + i * s_.keys, s_.keys, scale);
    });
    const void* const narrow = operand(ds);
    query_gradient_->run(narrow, set[1] + at.key * element_, set[4] + at.query * element_);
    accumulate(*key_gradient_, narrow, set[0] + at.query * element_, as<float>(set[5]) + at.key,
               count(s_.keys, s_.key_dim), at.first_of_group);
  }

  attention_shape s_;
  resources use_;
  std::size_t element_;
  operand_sets sets_;
  pages scores_, gradients_, narrowed_, sum_;
  std::unique_ptr<matrix_product> score_, context_, probability_gradient_, query_gradient_, key_gradient_,
      value_gradient_;
};

class stream_kernel final : public kernel {
 public:
  stream_kernel(const stream_shape& s, std::uint64_t seed, double footprint, const resources& use)
      : use_(use),
        read_(floats(s.read, s.format)),
        written_(floats(s.written, s.format)),
        sets_(use.memory, {{static_cast<std::size_t>(read_), 4, 0}, {static_cast<std::size_t>(written_), 4, -1}},
              number_kind::fp32, seed, footprint) {
    run(sets_.first());
  }
  void enqueue() override { run(sets_.next()); }
  std::vector<double> result(int, std::span<const std::size_t>) override { return {}; }
  std::string description() const override { return std::string("a loop over floats, ") + use_.with.name; }
 private:
  static std::int64_t floats(std::int64_t elements, number_kind format) {
    return (elements * static_cast<std::int64_t>(size_of(format)) + 3) / 4;
  }
  void run(const operand_sets::set& set) {
    const auto* const from = as<float>(set[0]);
    auto* const to = as<float>(set[1]);
    if (use_.threads.threads() == 1) return use_.with.stream(from, read_, to, written_);
    // Each thread a part of both.
    constexpr std::int64_t parts = 1024;
    use_.threads.split(parts, [&](std::int64_t first, std::int64_t last) {
      const auto cut = [](std::int64_t all, std::int64_t at) { return all * at / parts; };
      use_.with.stream(from + cut(read_, first), cut(read_, last) - cut(read_, first), to + cut(written_, first),
                       cut(written_, last) - cut(written_, first));
    });
  }
  resources use_;
  std::int64_t read_, written_;
  operand_sets sets_;
};

}  // namespace

std::unique_ptr<kernel> make_kernel(const product_shape& shape, std::uint64_t seed, double footprint, resources use) {
  return std::make_unique<product_kernel>(shape, seed, footprint, use);
}
std::unique_ptr<kernel> make_kernel(const attention_shape& shape, std::uint64_t seed, double footprint, resources use) {
  return std::make_unique<attention_kernel>(shape, seed, footprint, use);
}
std::unique_ptr<kernel> make_kernel(const stream_shape& shape, std::uint64_t seed, double footprint, resources use) {
  return std::make_unique<stream_kernel>(shape, seed, footprint, use);
}

}  // namespace harness::cpu
