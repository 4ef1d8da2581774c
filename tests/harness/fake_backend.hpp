// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A device that is made up: results are right unless told otherwise, time is what a law says, memory ends where it is
/// told to. What the harness makes of it is then known beforehand.

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "backend.hpp"
#include "operands.hpp"
#include "plain_attention.hpp"

namespace harness_test {

using namespace harness;

class fake_backend;

/// Products and attention in plain loops, as their definitions have them; streams have no result.
class fake_kernel final : public kernel {
 public:
  fake_kernel(fake_backend& on, const kernel_shape& shape, std::uint64_t seed, double bytes);
  ~fake_kernel() override;
  void enqueue() override { ++runs; }
  std::vector<double> result(int which, std::span<const std::size_t> elements) override;
  std::string description() const override { return "made up"; }

  kernel_shape shape;
  int runs = 0;
 private:
  fake_backend& on_;
  std::uint64_t seed_;
  double bytes_;
};

class fake_backend final : public backend {
 public:
  // What a test may set.
  double product_rate = 1e12, attention_rate = 5e11, stream_rate = 1e11, start = 1e-6;  ///< FLOP/s, byte/s, s
  double memory_size = 1e30;
  double error = 0;  ///< added to every entry of a result
  std::vector<number_kind> formats{number_kind::fp32, number_kind::bf16};
  std::function<void(const kernel_shape&)> when_prepared{};  ///< may throw
  std::vector<double> clocks{1e9};                           ///< one after another, the last one stays

  // What a test may look at.
  int prepared = 0, timed = 0;
  double allocated = 0, peak_allocated = 0;
  std::vector<double> sizes_allocated;

  std::string name() const override { return "fake"; }
  std::string device() const override { return "a made-up device"; }
  facts provenance() const override { return {{"driver", "0.1"}, {"compiler", "none"}}; }
  bool supports(const kernel_shape& shape) const override {
    const number_kind format = std::visit([](const auto& s) { return s.format; }, shape);
    return std::find(formats.begin(), formats.end(), format) != formats.end();
  }
  std::optional<rated> peak(number_kind format) override {
    if (std::find(formats.begin(), formats.end(), format) == formats.end()) return std::nullopt;
    return rated{2 * product_rate, "made up", {}};
  }
  std::optional<rated> bandwidth() override { return rated{2 * stream_rate, "made up", {}}; }
  std::optional<double> clock() override {
    const double now = clocks.front();
    if (clocks.size() > 1) clocks.erase(clocks.begin());
    return now;
  }
  double cache_bytes() const override { return 1e6; }
  double memory_bytes() const override { return memory_size; }
  bool batch_runs_apart() const override { return true; }

  std::unique_ptr<kernel> prepare(const kernel_shape& shape, std::uint64_t seed, double footprint) override {
    if (when_prepared) when_prepared(shape);
    ++prepared;
    return std::make_unique<fake_kernel>(*this, shape, seed, std::max(footprint, bytes_of(shape)));
  }
  double time(std::span<kernel* const> sequence, int repetitions, timing_mode) override {
    ++timed;
    double sum = 0;
    for (kernel* const one : sequence) {
      for (int i = 0; i < repetitions; ++i) one->enqueue();
      sum += repetitions * seconds_of(dynamic_cast<fake_kernel&>(*one).shape);
    }
    return sum;
  }
  double least_sample() const override { return 0; }
  std::unique_ptr<buffer> allocate(double bytes) override;
  memory_use memory() const override {
    return {.allocated = allocated,
            .allocated_peak = peak_allocated,
            .reserved = allocated,
            .reserved_peak = peak_allocated};
  }
  void reset_memory_peaks() override { peak_allocated = allocated; }

  void take(double bytes) {
    if (allocated + bytes > memory_size) throw out_of_memory("the made-up device is full");
    allocated += bytes;
    peak_allocated = std::max(peak_allocated, allocated);
  }
  void give(double bytes) { allocated -= bytes; }

  /// The law: a start, and work at a rate.
  double seconds_of(const kernel_shape& shape) const {
    if (const auto* p = std::get_if<product_shape>(&shape))
      return static_cast<double>(p->batch) * start + 2 * p->macs() / product_rate;
    if (const auto* a = std::get_if<attention_shape>(&shape)) {
      const double pairs = static_cast<double>(a->batch * a->heads) * static_cast<double>(a->queries * a->keys);
      return start +
             (a->backward ? 2 : 1) * 2 * pairs * static_cast<double>(a->key_dim + a->value_dim) / attention_rate;
    }
    return start + bytes_of(shape) / stream_rate;
  }
  static double bytes_of(const kernel_shape& shape) {
    if (const auto* s = std::get_if<stream_shape>(&shape))
      return static_cast<double>(s->read + s->written) * static_cast<double>(size_of(s->format));
    if (const auto* p = std::get_if<product_shape>(&shape))
      return static_cast<double>(size_of(p->format)) * static_cast<double>(p->batch) *
             static_cast<double>(p->m * p->k + p->k * p->n + p->m * p->n);
    const auto& a = std::get<attention_shape>(shape);
    return static_cast<double>(size_of(a.format)) * static_cast<double>(a.batch * a.heads) *
           static_cast<double>((a.queries + a.keys) * (a.key_dim + a.value_dim));
  }
};

inline fake_kernel::fake_kernel(fake_backend& on, const kernel_shape& of, std::uint64_t seed, double bytes)
    : shape(of), on_(on), seed_(seed), bytes_(bytes) {
  on.take(bytes);
}
inline fake_kernel::~fake_kernel() { on_.give(bytes_); }

inline std::vector<double> fake_kernel::result(int which, std::span<const std::size_t> elements) {
  if (const auto* a = std::get_if<attention_shape>(&shape)) return plain_attention(*a, seed_).result(which, elements);
  std::vector<double> read;
  const auto* p = std::get_if<product_shape>(&shape);
  for (const std::size_t element : elements) {
    double sum = on_.error;
    if (p != nullptr) {
      const auto m = static_cast<std::size_t>(p->m), n = static_cast<std::size_t>(p->n),
                 k = static_cast<std::size_t>(p->k);
      const std::size_t b = element / (m * n), i = element / n % m, j = element % n;
      for (std::size_t l = 0; l < k; ++l)
        sum += operand_value(p->format, operand_seed(seed_, 0),
                             p->left_transposed ? (b * k + l) * m + i : (b * m + i) * k + l) *
               operand_value(p->format, operand_seed(seed_, 1),
                             p->right_transposed ? (b * n + j) * k + l : (b * k + l) * n + j);
    }
    read.push_back(sum);
  }
  return read;
}

class fake_buffer final : public buffer {
 public:
  fake_buffer(fake_backend& on, double bytes) : on_(on), bytes_(bytes) { on.take(bytes); }
  ~fake_buffer() override { on_.give(bytes_); }
 private:
  fake_backend& on_;
  double bytes_;
};
inline std::unique_ptr<buffer> fake_backend::allocate(double bytes) {
  sizes_allocated.push_back(bytes);
  return std::make_unique<fake_buffer>(*this, bytes);
}

}  // namespace harness_test
