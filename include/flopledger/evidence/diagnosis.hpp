// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Evidence read: each function takes what was measured and says what it points to, with the numbers, and where to
/// look.
///
/// Thresholds are rules of thumb, so each is an argument with its default's source beside it. A finding is a direction,
/// not a proof: two can hold at once, and the remedy of one often shows the next.

#include <flopledger/evidence/statistics.hpp>

#include <charconv>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace flopledger {

enum class bottleneck : std::uint8_t {
  memory_bandwidth,
  compute,
  launch_or_starved,
  communication,
  exposed_communication,
  memory_capacity,
  fragmentation,
  leak,
  periodic_stall,
  imbalance,
  tail_latency
};

constexpr std::string_view name_of(bottleneck what) {
  constexpr std::string_view names[] = {"memory bandwidth",
                                        "compute",
                                        "launch-bound or starved",
                                        "communication",
                                        "exposed communication",
                                        "memory capacity",
                                        "fragmentation",
                                        "leak",
                                        "periodic stall",
                                        "straggler or imbalance",
                                        "tail latency"};
  return names[static_cast<std::size_t>(what)];
}

/// What helps, in the order in which it is usually tried.
constexpr std::string_view remedies_of(bottleneck what) {
  constexpr std::string_view remedies[] = {
      "read less: quantise weights or cache, fuse operations, batch more",
      "faster precision, more devices, fewer FLOPs; check that recompute is needed",
      "fuse operations, capture graphs, enlarge the batch, look at the data pipeline and the host's profile",
      "another plan (keep tensor parallelism inside a node), compression, accumulation, overlap",
      "overlap gradients with the backward pass, prefetch weights, split micro-batches",
      "recompute, accumulate gradients, shard or offload states, pool the cache",
      "allocator settings (expandable segments), fewer distinct shapes",
      "what is kept between steps: losses with their graphs, lists of outputs, growing caches",
      "prefetch and more loader workers; topology and shared links; checkpoints and evaluation",
      "placement, cooling and clocks of the slow rank; how work is divided (experts, lengths, stages)",
      "batching policy, prefetch, asynchronous loading, garbage collection"};
  return remedies[static_cast<std::size_t>(what)];
}

/// What was found, the numbers it rests on, and what to try.
struct finding {
  bottleneck what = bottleneck::compute;
  std::string evidence{};
  constexpr std::string_view name() const { return name_of(what); }
  constexpr std::string_view to_try() const { return remedies_of(what); }
};

namespace detail {
inline std::string number_text(double value, int decimals) {
  char buffer[64];
  std::to_chars_result end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, decimals);
  if (end.ec != std::errc{}) end = std::to_chars(buffer, buffer + sizeof buffer, value);  // too long written out
  return {buffer, end.ptr};
}
inline std::string percent_text(double share) { return number_text(100 * share, 1) + " %"; }
}  // namespace detail

/// Which of a device's two rates bounds it, by how much of each is used. Neither being used says that it waits: for
/// launches, for data, for other ranks. Nothing is said between the thresholds.
inline std::optional<finding> bound_of(double compute_utilisation, double bandwidth_utilisation, double high = 0.6,
                                       double low = 0.4) {
  const std::string numbers = "compute at " + detail::percent_text(compute_utilisation) + ", bandwidth at " +
                              detail::percent_text(bandwidth_utilisation);
  if (bandwidth_utilisation >= high && compute_utilisation < high)
    return finding{bottleneck::memory_bandwidth, numbers};
  if (compute_utilisation >= high && bandwidth_utilisation < high) return finding{bottleneck::compute, numbers};
  if (compute_utilisation < low && bandwidth_utilisation < low) return finding{bottleneck::launch_or_starved, numbers};
  return std::nullopt;
}

/// Communication of the step against the step: over 20 % it bounds. Another source says 30 %.
inline std::optional<finding> communication_bound(seconds communication, seconds step, double threshold = 0.2) {
  const double share = communication / step;
  if (!(share > threshold)) return std::nullopt;
  return finding{bottleneck::communication, "communication is " + detail::percent_text(share) + " of the step, above " +
                                                detail::percent_text(threshold)};
}

/// Communication that computation does not hide adds to the step: more than half of it, and it does so needlessly.
inline std::optional<finding> communication_exposed(seconds exposed, seconds communication, double threshold = 0.5) {
  if (communication <= seconds{}) return std::nullopt;
  const double share = exposed / communication;
  if (!(share > threshold)) return std::nullopt;
  return finding{bottleneck::exposed_communication, detail::percent_text(share) +
                                                        " of the communication is not hidden (" +
                                                        detail::number_text(1e3 * exposed.value(), 1) + " ms a step)"};
}

/// Memory is full while compute idles: it, not compute, sets the batch. 90 % is what allocators start to stall at.
inline std::optional<finding> capacity_bound(double water_level, double compute_utilisation, double full = 0.9,
                                             double low = 0.4) {
  if (!(water_level >= full && compute_utilisation < low)) return std::nullopt;
  return finding{bottleneck::memory_capacity, "memory at " + detail::percent_text(water_level) + ", compute at " +
                                                  detail::percent_text(compute_utilisation)};
}

/// Reserved far above allocated: a fifth more, where 3 to 8 % are usual. Out of memory with free memory says the same.
inline std::optional<finding> memory_fragmented(bytes allocated, bytes reserved, bool out_of_memory_with_free_memory,
                                                double threshold = 0.2) {
  const double above = static_cast<double>(reserved / allocated) - 1;
  if (!(above > threshold) && !out_of_memory_with_free_memory) return std::nullopt;
  return finding{bottleneck::fragmentation, "reserved is " + detail::percent_text(above) + " above allocated" +
                                                (out_of_memory_with_free_memory ? ", and an allocation failed" : "")};
}

/// Memory that grows from step to step: more than a hundred thousandth of itself each, a tenth in ten thousand steps.
inline std::optional<finding> memory_leaks(std::span<const double> bytes_by_step, double threshold = 1e-5) {
  if (bytes_by_step.size() < 2) return std::nullopt;
  const bytes growth = memory_trend(bytes_by_step);
  if (!(growth.value() > threshold * median(bytes_by_step))) return std::nullopt;
  return finding{bottleneck::leak, "memory grows by " + detail::number_text(growth.value() / prefix::mebi, 3) +
                                       " MiB a step over " + std::to_string(bytes_by_step.size()) + " steps"};
}

/// A period in the samples: steps at which they repeat, and how well (1: exactly).
struct periodicity {
  std::size_t period = 0;
  double correlation = 0;
};

/// The lag, from 2 to a third of the samples, at which they resemble themselves most.
inline periodicity period_of(std::span<const double> samples) {
  periodicity best;
  if (samples.size() < 6) return best;
  double mean = 0, variance = 0;
  for (const double sample : samples) mean += sample / static_cast<double>(samples.size());
  for (const double sample : samples) variance += (sample - mean) * (sample - mean);
  if (variance <= 0) return best;
  for (std::size_t lag = 2; lag <= samples.size() / 3; ++lag) {
    double sum = 0, first = 0, second = 0;
    for (std::size_t i = lag; i < samples.size(); ++i) {
      const double now = samples[i] - mean, before = samples[i - lag] - mean;
      sum += now * before;
      first += now * now;
      second += before * before;
    }
    if (first <= 0 || second <= 0) continue;
    const double correlation = sum / std::sqrt(first * second);
    if (correlation > best.correlation + 1e-9) best = {lag, correlation};  // multiples of a period lie behind it
  }
  return best;
}

/// Step times that swing with a period: more than 5 % of their mean, and alike one period on.
inline std::optional<finding> steps_swing(std::span<const double> step_times, double deviation = 0.05,
                                          double correlation = 0.5) {
  if (step_times.size() < 6) return std::nullopt;
  const sample_summary s = summary_of(step_times);
  const periodicity found = period_of(step_times);
  if (s.relative_deviation() <= deviation || found.correlation <= correlation) return std::nullopt;
  return finding{bottleneck::periodic_stall, "step times swing by " + detail::percent_text(s.relative_deviation()) +
                                                 " and repeat every " + std::to_string(found.period) + " steps"};
}

/// Ranks that differ: the slowest more than 5 % above the median.
inline std::optional<finding> ranks_differ(std::span<const double> time_by_rank, double threshold = 0.05) {
  if (time_by_rank.size() < 2) return std::nullopt;
  const auto slowest = std::max_element(time_by_rank.begin(), time_by_rank.end());
  const double middle = median(time_by_rank), above = *slowest / middle - 1;
  if (!(above > threshold)) return std::nullopt;
  return finding{bottleneck::imbalance, "rank " + std::to_string(slowest - time_by_rank.begin()) + " takes " +
                                            detail::percent_text(above) + " longer than the median rank"};
}

/// P99 far above P50: twice.
inline std::optional<finding> tail_lags(std::span<const double> latencies, double threshold = 2) {
  if (latencies.empty()) return std::nullopt;
  const sample_summary s = summary_of(latencies);
  if (!(s.tail() > threshold)) return std::nullopt;
  return finding{bottleneck::tail_latency, "P99 is " + detail::number_text(s.tail(), 2) + " times P50"};
}

/// What a run left behind; whatever was not measured stays empty, and nothing is concluded from it.
struct run_evidence {
  std::optional<double> compute_utilisation{}, bandwidth_utilisation{};
  std::optional<seconds> step{}, communication{}, exposed_communication{};
  std::optional<double> water_level{};
  std::optional<bytes> allocated{}, reserved{};
  bool out_of_memory_with_free_memory = false;
  std::span<const double> bytes_by_step{}, step_times{}, time_by_rank{}, latencies{};
};

/// Everything that the evidence points to.
inline std::vector<finding> diagnose(const run_evidence& seen) {
  std::vector<finding> found;
  const auto keep = [&](std::optional<finding> one) {
    if (one) found.push_back(*std::move(one));
  };
  if (seen.compute_utilisation && seen.bandwidth_utilisation)
    keep(bound_of(*seen.compute_utilisation, *seen.bandwidth_utilisation));
  if (seen.communication && seen.step) keep(communication_bound(*seen.communication, *seen.step));
  if (seen.exposed_communication && seen.communication)
    keep(communication_exposed(*seen.exposed_communication, *seen.communication));
  if (seen.water_level && seen.compute_utilisation) keep(capacity_bound(*seen.water_level, *seen.compute_utilisation));
  if (seen.allocated && seen.reserved)
    keep(memory_fragmented(*seen.allocated, *seen.reserved, seen.out_of_memory_with_free_memory));
  keep(memory_leaks(seen.bytes_by_step));
  keep(steps_swing(seen.step_times));
  keep(ranks_differ(seen.time_by_rank));
  keep(tail_lags(seen.latencies));
  return found;
}

// Claims about a step
// ----------------------------------------------------------------------------------------------------

/// The most that one more forward pass can add to a step whose floor is forward and backward: a third. A claim above it
/// is none of recompute's.
constexpr seconds most_recompute(seconds forward_and_backward) { return forward_and_backward / 3.0; }

/// The most that reading fewer bytes can save of a measured time: the time that those bytes take. What a step loses
/// beyond it had another cause.
constexpr seconds most_saved_by_reading_less(bytes before, bytes after, byte_rate bandwidth) {
  return (before - after) / bandwidth;
}

}  // namespace flopledger
