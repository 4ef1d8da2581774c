// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// How many samples are enough, and what they come to. The rule is one for every back end: warm up until the duration
/// has settled; sample until there are enough samples, enough time and little noise; stop at the cap of wall time, and
/// say so.

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace harness {

struct sampling_rule {
  std::size_t least_samples = 10;
  double least_time = 0.1;  ///< seconds, of all samples together
  double noise = 0.01;      ///< half of the median's 95 % interval, over the median
  double settled = 0.05;    ///< three runs in a row this near to their median end the warm-up
  double most_warm_up = 2;  ///< seconds of wall time
  double most_time = 10;    ///< seconds of wall time, warm-up included
  double drop = 0.05;       ///< of the clock, or drift of the samples, that counts as throttling
};

enum class stop_reason { quiet, wall_time };

struct sample_set {
  std::vector<double> warm_up, samples;  ///< seconds of one run, every one that was taken
  int repetitions = 1;                   ///< runs that one sample is the mean of
  bool settled = true;                   ///< the warm-up ended by itself
  stop_reason stopped = stop_reason::quiet;
  std::string unmet{};                                  ///< what the cap of wall time left unmet
  std::optional<double> clock_before{}, clock_after{};  ///< Hz
  bool clock_fell = false;                              ///< of the compute units
  bool drifted = false;                                 ///< the last samples take longer than the first, beyond noise

  bool throttled() const { return clock_fell || drifted; }
  double median() const;
  double lowest() const;
  double interquartile_range() const;
};

/// Half of the 95 % interval of the median over the median: 1.57·IQR/√n (McGill, Tukey and Larsen 1978). It falls as
/// samples are added, and an interrupt among a hundred samples does not move it; +∞ for fewer than four.
double noise_of(std::span<const double> samples);

/// The last third of the samples against the first: whether it takes longer by more than `drop` and than both thirds'
/// noise.
bool drift_in(std::span<const double> samples, double drop);

/// What is sampled, and the clocks that it is sampled by; tests hand in ones of their own.
struct sampled_work {
  std::function<double(int)> run;                  ///< seconds that so many repetitions take
  std::function<double()> wall;                    ///< seconds since any moment
  std::function<std::optional<double>()> clock{};  ///< Hz of the compute units
  double least_sample = 0;                         ///< seconds that a sample lasts at least
  bool may_repeat = true;                          ///< false: every run is a sample of its own (cold)
};
sample_set take_samples(const sampled_work& work, const sampling_rule& rule);

/// std::chrono::steady_clock in seconds.
double wall_seconds();

}  // namespace harness
