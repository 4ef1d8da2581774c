// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "sweep.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace harness {
namespace {

class sweeper {
 public:
  sweeper(backend& on, const sweep_sizes& sizes, const measuring& how, statistic which, const sweep_progress& progress)
      : on_(on), sizes_(sizes), how_(how), which_(which), progress_(progress) {}

  double seconds(const kernel_shape& shape) {
    if (progress_.before) progress_.before(described(shape));
    const measurement done = measure(on_, shape, how_);
    if (progress_.after) progress_.after(done);
    return value_of(done.taken, which_);
  }

  calibration_data::products products(number_kind format) {
    calibration_data::products curve{
        .format = format, .batch_runs_apart = on_.batch_runs_apart(), .m = sizes_.m, .n = sizes_.n, .k = sizes_.k};
    for (const double m : sizes_.m)
      for (const double n : sizes_.n)
        for (const double k : sizes_.k) {
          const product_shape shape{.m = whole(m), .n = whole(n), .k = whole(k), .format = format};
          curve.rates.push_back(2 * shape.macs() / seconds(shape));
        }
    return curve;
  }

  /// False where the back end has no attention of that format.
  bool attention(number_kind format, bool causal, std::vector<calibration_data::attention>& into) {
    calibration_data::attention curve{
        .format = format, .causal = causal, .head_dims = sizes_.head_dims, .lengths = sizes_.lengths};
    for (const double head_dim : sizes_.head_dims)
      for (const double length : sizes_.lengths) {
        attention_shape shape{.queries = whole(length),
                              .keys = whole(length),
                              .key_dim = whole(head_dim),
                              .value_dim = whole(head_dim),
                              .format = format,
                              .causal = causal};
        shape.heads = shape.kv_heads = std::max<std::int64_t>(8, whole(sizes_.attention_tokens / length));
        const double pairs = causal ? length * (length + 1) / 2 : length * length;
        const double flops = 2 * 2 * static_cast<double>(shape.heads) * pairs * head_dim;
        if (!on_.supports(shape)) return false;
        curve.forward.push_back(flops / seconds(shape));
        shape.backward = true;
        if (!on_.supports(shape)) return false;
        curve.backward.push_back(2 * flops / seconds(shape));
      }
    into.push_back(std::move(curve));
    return true;
  }

  void streams(calibration_data& into) {
    into.stream_sizes = sizes_.streams;
    for (const double size : sizes_.streams) {
      // Two numbers read and one written: what a residual does.
      const std::int64_t each = std::max<std::int64_t>(1, whole(size / 12));
      into.stream_rates.push_back(size / seconds(stream_shape{.read = 2 * each, .written = each}));
    }
    into.launch = seconds(stream_shape{.read = 1, .written = 1});
  }
 private:
  static std::int64_t whole(double size) { return static_cast<std::int64_t>(std::llround(size)); }

  backend& on_;
  const sweep_sizes& sizes_;
  const measuring& how_;
  statistic which_;
  const sweep_progress& progress_;
};

}  // namespace

sweep_sizes sizes_for(double flops_per_second, double largest) {
  sweep_sizes sizes;
  if (flops_per_second < 1e13) {
    // A processor. No powers of two: rows whose distance is a multiple of a page fall into the same sets of its caches,
    // which costs a product some 7 % here, and few models are so wide that theirs do.
    sizes = {.m = {1, 16, 64, 256, 1024},
             .n = {64, 320, 1280, 5120},
             .k = {64, 320, 1280, 5120},
             .head_dims = {64, 128},
             .lengths = {64, 256, 1024},
             .streams = {12e3, 120e3, 1.2e6, 12e6, 120e6},
             .attention_tokens = 2048};
  } else {
    sizes = {.m = {1, 16, 128, 512, 2048, 8192, 16384},
             .n = {128, 512, 2048, 8192, 16384},
             .k = {128, 512, 2048, 8192, 16384},
             .head_dims = {64, 128},
             .lengths = {128, 512, 2048, 8192},
             .streams = {12e3, 120e3, 1.2e6, 12e6, 120e6, 1.2e9},
             .attention_tokens = 65536};
  }
  if (largest > 0)
    for (std::vector<double>* axis : {&sizes.m, &sizes.n, &sizes.k, &sizes.lengths}) {
      const double least = axis->front();
      std::erase_if(*axis, [&](double size) { return size > largest && size > least; });
    }
  return sizes;
}

calibration_data sweep(backend& on, std::span<const number_kind> formats, const sweep_sizes& sizes,
                       const measuring& how, statistic which, const sweep_progress& progress) {
  calibration_data data{.backend = on.name(),
                        .device = on.device(),
                        .mode = std::string(name_of(how.mode)),
                        .statistic = std::string(name_of(which)),
                        .provenance = on.provenance()};
  sweeper running(on, sizes, how, which, progress);
  running.streams(data);
  const std::optional<rated> bandwidth = on.bandwidth();
  data.bandwidth = bandwidth ? bandwidth->value : *std::max_element(data.stream_rates.begin(), data.stream_rates.end());
  for (const number_kind format : formats) {
    if (!on.supports(product_shape{.format = format}))
      throw unavailable(fmt::format("{} multiplies no {}", on.device(), flopledger::name_of(format)));
    data.product_curves.push_back(running.products(format));
    for (const bool causal : {false, true})
      if (!running.attention(format, causal, data.attention_curves)) break;
    // Looked at last, when the clock has been seen under load.
    if (std::optional<rated> peak = on.peak(format)) {
      data.peaks.push_back({format, std::move(*peak)});
    } else {
      const std::vector<double>& rates = data.product_curves.back().rates;
      data.peaks.push_back(
          {format, {*std::max_element(rates.begin(), rates.end()), "the fastest product measured", {}}});
    }
  }
  return data;
}

}  // namespace harness
