// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// The CPU as a device: OpenBLAS and oneDNN multiply, loops of our own do the rest, std::chrono::steady_clock tells the
/// time.

#include <flopledger/hardware/device.hpp>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include <fmt/format.h>

#include "kernels.hpp"
#include "processor.hpp"
#include "products.hpp"

namespace harness::cpu {
namespace {

using clock_type = std::chrono::steady_clock;
double since(clock_type::time_point start) { return std::chrono::duration<double>(clock_type::now() - start).count(); }

class held_pages final : public buffer {
 public:
  held_pages(memory_account& from, double bytes) : memory_(from, static_cast<std::size_t>(bytes)) {}
 private:
  pages memory_;
};

class cpu_backend final : public backend {
 public:
  explicit cpu_backend(const backend_options& options)
      : processor_(this_processor()),
        loops_(loops_for(processor_)),
        // Beyond nine tenths of what is free, the machine would swap or kill.
        cpu_time_(options.cpu_time),
        memory_(options.memory_limit.value_or(0.9 * processor_.memory_bytes)),
        threads_(options.threads) {
    if (!multiplies(number_kind::fp32))
      throw unavailable("the CPU back end was built without OpenBLAS and oneDNN (libopenblas-dev, libdnnl-dev)");
    set_threads(options.threads);
  }

  std::string name() const override { return "cpu"; }
  std::string device() const override {
    const int threads = threads_.threads();
    return fmt::format("{}, {} thread{}", processor_.name, threads, threads == 1 ? "" : "s");
  }
  facts provenance() const override {
    facts known{{"processor", processor_.name},
                {"vendor", processor_.vendor},
                {"family", std::to_string(processor_.family)},
                {"threads", std::to_string(threads_.threads())},
                {"processors_of_the_machine", std::to_string(std::thread::hardware_concurrency())},
                {"clock", cpu_time_ ? "processor time of the thread" : "std::chrono::steady_clock"},
                {"nominal_clock_hz", fmt::format("{:.0f}", processor_.nominal_clock)},
                {"last_level_cache_bytes", fmt::format("{:.0f}", processor_.cache_bytes)},
                {"memory_limit_bytes", fmt::format("{:.0f}", memory_.limit())},
                {"vectors", loops_.name},
                {"compiler", __VERSION__}};
    for (auto& library : libraries()) known.push_back(std::move(library));
    return known;
  }

  bool supports(const kernel_shape& shape) const override {
    if (const auto* product = std::get_if<product_shape>(&shape)) return multiplies(product->format);
    if (const auto* attention = std::get_if<attention_shape>(&shape))
      return attention->format != number_kind::int8 && multiplies(attention->format);
    return true;
  }

  std::optional<rated> peak(number_kind format) override {
    const std::optional<cycle_rate> a_cycle = multiply_adds_a_cycle(processor_, format);
    const double measured = format == number_kind::fp32 ? multiply_add_rate() : 0;
    if (!a_cycle || !clock()) {
      if (format != number_kind::fp32) return std::nullopt;
      return rated{measured, fmt::format("measured: a loop of multiply-adds, {}", loops_.name), measured};
    }
    const double hz = top_clock();
    rated known{2 * a_cycle->multiply_adds * hz * threads_.threads(),
                fmt::format("{} × {} × 2 FLOP × {:.3f} GHz (measured)", threads_.threads(), a_cycle->units, hz / 1e9)};
    if (format == number_kind::fp32) known.checked = measured;
    return known;
  }

  std::optional<rated> bandwidth() override {
    if (!bandwidth_) bandwidth_ = measured_bandwidth();
    return bandwidth_;
  }

  std::optional<double> clock() override {
    const std::optional<double> now = core_clock();
    if (now) top_clock_ = std::max(top_clock_, *now);
    return now;
  }
  double cache_bytes() const override { return processor_.cache_bytes; }
  double memory_bytes() const override { return memory_.limit(); }
  bool batch_runs_apart() const override { return true; }

  std::unique_ptr<kernel> prepare(const kernel_shape& shape, std::uint64_t seed, double footprint) override {
    return std::visit(
        [&](const auto& s) {
          return make_kernel(s, seed, footprint, {memory_, threads_, loops_});
        },
        shape);
  }

  double time(std::span<kernel* const> sequence, int repetitions, timing_mode mode) override {
    if (mode == timing_mode::cold) flush();
    const double start = now();
    for (int i = 0; i < repetitions; ++i)
      for (kernel* const one : sequence) one->enqueue();
    return now() - start;
  }
  double least_sample() const override { return 1e-4; }  // four thousand times what steady_clock takes to read

  std::unique_ptr<buffer> allocate(double bytes) override { return std::make_unique<held_pages>(memory_, bytes); }
  memory_use memory() const override { return memory_.use(); }
  void reset_memory_peaks() override { memory_.reset_peak(); }
 private:
  double now() const {
    if (!cpu_time_) return std::chrono::duration<double>(clock_type::now().time_since_epoch()).count();
    return thread_seconds();
  }

  /// The highest clock of several looks: what the peak is made of.
  double top_clock() {
    for (int i = 0; i < 10; ++i) clock();
    return top_clock_;
  }

  /// FLOP/s of all threads.
  double multiply_add_rate() {
    constexpr long rounds = 200'000;
    double best = 0;
    for (int i = 0; i < 10; ++i) {
      const auto start = clock_type::now();
      threads_.split(threads_.threads(), [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t one = first; one < last; ++one) kept_ = loops_.multiply_add(rounds);
      });
      const double amount = 2 * static_cast<double>(rounds * loops_.multiply_adds_a_round) * threads_.threads();
      best = std::max(best, amount / since(start));
    }
    return best;
  }

  /// Two numbers read and one written, far beyond the cache.
  rated measured_bandwidth() {
    const double bytes = std::max(8 * processor_.cache_bytes, 64e6);
    const auto each = static_cast<std::int64_t>(bytes / 12);
    const auto ready = make_kernel(stream_shape{.read = 2 * each, .written = each}, 1, 0, {memory_, threads_, loops_});
    double best = 0;
    for (int i = 0; i < 10; ++i) {
      const double start = now();
      ready->enqueue();
      best = std::max(best, 12 * static_cast<double>(each) / (now() - start));
    }
    return {best, fmt::format("measured: the best of 10 sums of two arrays, {:.0f} MB moved", bytes / 1e6), best};
  }

  void flush() {
    if (flushed_.size() == 0) flushed_ = pages(memory_, static_cast<std::size_t>(3 * processor_.cache_bytes));
    std::memset(flushed_.data(), ++pattern_, flushed_.size());
  }

  processor processor_;
  const loops& loops_;
  bool cpu_time_;
  memory_account memory_;
  pool threads_;
  double top_clock_ = 0;
  std::optional<rated> bandwidth_;
  pages flushed_;
  unsigned char pattern_ = 0;
  volatile float kept_ = 0;
};

}  // namespace
}  // namespace harness::cpu

namespace harness {
std::unique_ptr<backend> make_cpu_backend(const backend_options& options) {
  return std::make_unique<cpu::cpu_backend>(options);
}
}  // namespace harness
