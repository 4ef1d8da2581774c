// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Attention by its definition and its gradients by the chain rule, in plain loops.

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "backend.hpp"
#include "operands.hpp"

namespace harness_test {

using namespace harness;

/// Attention as its definition has it, in double; wrong where `spoil` says so.
class plain_attention final : public kernel {
 public:
  plain_attention(const attention_shape& s, std::uint64_t seed) : s_(s), seed_(seed) {}
  std::function<double(int, std::size_t, double)> spoil = [](int, std::size_t, double right) { return right; };
  void enqueue() override {}
  std::string description() const override { return "plain loops"; }
  std::vector<double> result(int which, std::span<const std::size_t> elements) override {
    const std::vector<double> all = s_.backward ? gradient(which) : output();
    std::vector<double> read;
    for (const std::size_t element : elements) read.push_back(spoil(which, element, all.at(element)));
    return read;
  }
 private:
  using index = std::size_t;
  double at(int which, index b, index h, index heads, index t, index tokens, index d, index dims) const {
    return operand_value(s_.format, operand_seed(seed_, which), ((b * heads + h) * tokens + t) * dims + d);
  }
  template <class Visit>
  void for_each_row(Visit&& visit) const {
    const auto heads = static_cast<index>(s_.heads), kv = static_cast<index>(s_.kv_heads),
               q = static_cast<index>(s_.queries), n = static_cast<index>(s_.keys), e = static_cast<index>(s_.key_dim);
    for (index b = 0; b < static_cast<index>(s_.batch); ++b)
      for (index h = 0; h < heads; ++h)
        for (index i = 0; i < q; ++i) {
          std::vector<double> p(n);
          double sum = 0;
          for (index j = 0; j < n; ++j) {
            if (s_.causal && j > i + n - q) continue;
            double score = 0;
            for (index d = 0; d < e; ++d)
              score += at(0, b, h, heads, i, q, d, e) * at(1, b, h * kv / heads, kv, j, n, d, e);
            sum += p[j] = std::exp(score / std::sqrt(static_cast<double>(e)));
          }
          for (double& one : p) one /= sum;
          visit(b, h, h * kv / heads, i, p);
        }
  }
  std::vector<double> output() const {
    const auto heads = static_cast<index>(s_.heads), kv = static_cast<index>(s_.kv_heads),
               q = static_cast<index>(s_.queries), n = static_cast<index>(s_.keys),
               f = static_cast<index>(s_.value_dim);
    std::vector<double> out(static_cast<index>(s_.batch) * heads * q * f);
    for_each_row([&](index b, index h, index shared, index i, const std::vector<double>& p) {
      for (index d = 0; d < f; ++d)
        for (index j = 0; j < n; ++j) out[((b * heads + h) * q + i) * f + d] += p[j] * at(2, b, shared, kv, j, n, d, f);
    });
    return out;
  }
  // By the chain rule, nothing shared with the code under test.
  std::vector<double> gradient(int which) const {
    const auto heads = static_cast<index>(s_.heads), kv = static_cast<index>(s_.kv_heads),
               q = static_cast<index>(s_.queries), n = static_cast<index>(s_.keys), e = static_cast<index>(s_.key_dim),
               f = static_cast<index>(s_.value_dim), batch = static_cast<index>(s_.batch);
    std::vector<double> dq(batch * heads * q * e), dk(batch * kv * n * e), dv(batch * kv * n * f);
    for_each_row([&](index b, index h, index shared, index i, const std::vector<double>& p) {
      std::vector<double> dp(n);
      double mean = 0;
      for (index j = 0; j < n; ++j) {
        for (index d = 0; d < f; ++d) {
          const double g = at(3, b, h, heads, i, q, d, f);
          dp[j] += g * at(2, b, shared, kv, j, n, d, f);
          dv[((b * kv + shared) * n + j) * f + d] += p[j] * g;
        }
        mean += p[j] * dp[j];
      }
      for (index j = 0; j < n; ++j) {
        const double ds = p[j] * (dp[j] - mean) / std::sqrt(static_cast<double>(e));
        for (index d = 0; d < e; ++d) {
          dq[((b * heads + h) * q + i) * e + d] += ds * at(1, b, shared, kv, j, n, d, e);
          dk[((b * kv + shared) * n + j) * e + d] += ds * at(0, b, h, heads, i, q, d, e);
        }
      }
    });
    return which == 0 ? dq : which == 1 ? dk : dv;
  }

  attention_shape s_;
  std::uint64_t seed_;
};

}  // namespace harness_test
