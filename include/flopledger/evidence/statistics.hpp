// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What a list of measured samples comes to, and the rates that services are judged by.
///
/// Samples are plain numbers in the caller's unit. Synchronise the device before each clock is read, leave the first 10
/// to 20 steps out, and report medians and percentiles: a mean alone hides both.

#include <flopledger/compiler.hpp>
#include <flopledger/errors.hpp>
#include <flopledger/time/token.hpp>
#include <flopledger/units.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace flopledger {

/// Which sample a percentile is. Tools differ, and at P99 of a hundred samples they differ by a whole sample.
enum class percentile_rule : std::uint8_t {
  linear,  ///< between the two nearest samples, at rank share·(n − 1): NumPy's default, type 7 of Hyndman and Fan
  nearest_rank  ///< the smallest sample with at least that share of all at or below it: an observed value, always
};

/// The sample below which `share` of all lie: `percentile(step_times, 0.99)`. Throws `bad_argument` without
/// samples, for one that is not a number, or for a share outside [0, 1].
inline double percentile(std::span<const double> samples, double share,
                         percentile_rule rule = percentile_rule::linear) {
  if (samples.empty()) detail::raise<bad_argument>("percentile: no samples");
  if (!(share >= 0 && share <= 1)) detail::raise<bad_argument>("percentile: the share lies between 0 and 1");
  for (const double sample : samples)
    if (std::isnan(sample)) detail::raise<bad_argument>("percentile: a sample is not a number");
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  const auto count = static_cast<double>(sorted.size());
  if (rule == percentile_rule::nearest_rank) {
    const double rank = std::ceil(share * count - 1e-9);
    return sorted[rank < 1 ? 0 : static_cast<std::size_t>(rank) - 1];
  }
  const double rank = share * (count - 1);
  const auto below = static_cast<std::size_t>(rank);
  if (below + 1 >= sorted.size()) return sorted.back();
  return sorted[below] + (rank - static_cast<double>(below)) * (sorted[below + 1] - sorted[below]);
}

inline double median(std::span<const double> samples) { return percentile(samples, 0.5); }

/// What a report prints of samples.
struct sample_summary {
  std::size_t count = 0;
  double lowest = 0, p50 = 0, p95 = 0, p99 = 0, highest = 0;
  double mean = 0;
  double deviation = 0;  ///< standard deviation, over n − 1
  double jitter = 0;     ///< mean of the absolute differences between one sample and the next
  constexpr double relative_deviation() const { return mean > 0 ? deviation / mean : 0; }
  /// P99 over P50: 1 where nothing lags.
  constexpr double tail() const { return p50 > 0 ? p99 / p50 : 0; }
};

inline sample_summary summary_of(std::span<const double> samples) {
  sample_summary s{.count = samples.size(),
                   .lowest = percentile(samples, 0),
                   .p50 = percentile(samples, 0.5),
                   .p95 = percentile(samples, 0.95),
                   .p99 = percentile(samples, 0.99),
                   .highest = percentile(samples, 1)};
  const auto count = static_cast<double>(samples.size());
  for (const double sample : samples) s.mean += sample / count;
  if (samples.size() < 2) return s;
  double squares = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    squares += (samples[i] - s.mean) * (samples[i] - s.mean);
    if (i > 0) s.jitter += std::abs(samples[i] - samples[i - 1]) / (count - 1);
  }
  s.deviation = std::sqrt(squares / (count - 1));
  return s;
}

/// Samples without the first `warm_up`, of which nothing is left where there are no more than those.
inline std::span<const double> trimmed(std::span<const double> samples, std::size_t warm_up = 10) {
  return samples.size() <= warm_up ? std::span<const double>{} : samples.subspan(warm_up);
}

/// How many samples at the start are warm-up: up to the last of the first half that exceeds the median of the second
/// half by more than `tolerance` of it. Compilation, allocation and caches make early steps long, never short.
inline std::size_t warm_up_length(std::span<const double> samples, double tolerance = 0.1) {
  if (samples.size() < 4) return 0;
  const std::size_t half = samples.size() / 2;
  const double settled = median(samples.subspan(half));
  std::size_t length = 0;
  // A late straggler is no warm-up: it ends with the first sample that has settled.
  while (length < half && samples[length] > (1 + tolerance) * settled) ++length;
  return length;
}

// Scaling
// --------------------------------------------------------------------------------------------------------------

/// The same problem on `devices` devices instead of one: time(1) / (n · time(n)).
constexpr double strong_scaling_efficiency(seconds on_one, seconds on_all, double devices) {
  return static_cast<double>(on_one / on_all) / devices;
}
/// A problem that grows with the devices: time(1) / time(n).
constexpr double weak_scaling_efficiency(seconds on_one, seconds on_all) { return on_one / on_all; }
/// The same in throughput: that of a device among `devices` over that of one alone.
constexpr double scaling_efficiency(token_rate of_one, token_rate of_all, double devices) {
  return static_cast<double>(of_all / of_one) / devices;
}

// Memory
// ---------------------------------------------------------------------------------------------------------------

/// Peak reserved memory of the worst rank, over what the device has.
constexpr double water_level(bytes peak_reserved, bytes available) { return peak_reserved / available; }

/// Bytes a step by which memory grows: the slope of a least-squares line through one sample a step. Warm-up left in
/// looks like a leak.
inline bytes memory_trend(std::span<const double> bytes_by_step) {
  const auto count = static_cast<double>(bytes_by_step.size());
  if (count < 2) return {};
  const double middle = (count - 1) / 2;
  double covariance = 0, variance = 0;
  for (std::size_t i = 0; i < bytes_by_step.size(); ++i) {
    const double from_middle = static_cast<double>(i) - middle;
    covariance += from_middle * bytes_by_step[i];
    variance += from_middle * from_middle;
  }
  return covariance / variance * unit::byte;
}

/// Steps until memory that grows so is full; none where it does not grow.
constexpr std::optional<double> steps_until_full(bytes used, bytes available, bytes growth_a_step) {
  if (!(growth_a_step > bytes{})) return std::nullopt;
  return used >= available ? 0.0 : static_cast<double>((available - used) / growth_a_step);
}

// Serving
// --------------------------------------------------------------------------------------------------------------

/// Devices for a demand: ⌈(1 + headroom) × demand × work a request ÷ what a device does⌉. `demand` is a percentile of
/// requests a second, `work` and `of_one_device` are in one unit of the caller's.
constexpr double devices_for(double demand, double work, double of_one_device, double headroom = 0.3) {
  if (!(of_one_device > 0 && demand >= 0 && work >= 0 && headroom >= 0))
    detail::raise<bad_argument>("devices_for: rates and work must not be negative, nor a device's rate 0");
  const double exact = (1 + headroom) * demand * work / of_one_device;
  if (!(exact < 9e15)) detail::raise<bad_argument>("devices_for: more devices than can be counted");
  const double whole = static_cast<double>(static_cast<std::int64_t>(exact));
  return exact - whole > 1e-9 * (1 + exact) ? whole + 1 : whole;
}
/// The same from samples of the demand.
inline double devices_for(std::span<const double> demand, double work, double of_one_device, double headroom = 0.3,
                          double share = 0.95) {
  return devices_for(percentile(demand, share), work, of_one_device, headroom);
}

/// What a device does in requests a second, by the tightest of what bounds it.
struct device_limits {
  double by_compute = 0, by_bandwidth = 0, by_cache = 0;  ///< requests a second each allows
  constexpr double tightest() const {
    const double lower = by_compute < by_bandwidth ? by_compute : by_bandwidth;
    return lower < by_cache ? lower : by_cache;
  }
};

}  // namespace flopledger
