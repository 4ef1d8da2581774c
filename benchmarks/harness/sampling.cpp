// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "sampling.hpp"

#include <flopledger/evidence/statistics.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace harness {
namespace {

/// Three runs in a row that are alike.
bool has_settled(std::span<const double> runs, double tolerance) {
  if (runs.size() < 3) return false;
  const std::span<const double> last = runs.last(3);
  const double middle = flopledger::median(last);
  return std::all_of(last.begin(), last.end(),
                     [&](double one) { return std::fabs(one - middle) <= tolerance * middle; });
}

double range_of(std::span<const double> samples) {
  return flopledger::percentile(samples, 0.75) - flopledger::percentile(samples, 0.25);
}

/// Repetitions until a sample is long enough to be told well by the clock.
int repetitions_for(double one_run, const sampled_work& work) {
  if (!work.may_repeat || one_run >= work.least_sample) return 1;
  constexpr double most = 1e6;
  return static_cast<int>(std::min(most, std::ceil(work.least_sample / std::max(one_run, 1e-12))));
}

}  // namespace

double sample_set::median() const { return flopledger::median(samples); }
double sample_set::lowest() const { return flopledger::percentile(samples, 0); }
double sample_set::interquartile_range() const { return range_of(samples); }

double noise_of(std::span<const double> samples) {
  if (samples.size() < 4) return std::numeric_limits<double>::infinity();
  return 1.57 * range_of(samples) / (std::sqrt(static_cast<double>(samples.size())) * flopledger::median(samples));
}

bool drift_in(std::span<const double> samples, double drop) {
  const std::size_t third = samples.size() / 3;
  if (third < 4) return false;
  const std::span<const double> first = samples.first(third), last = samples.last(third);
  const double before = flopledger::median(first), after = flopledger::median(last);
  return after > before * (1 + std::max(drop, noise_of(first) + noise_of(last)));
}

sample_set take_samples(const sampled_work& work, const sampling_rule& rule) {
  sample_set taken;
  const double start = work.wall();
  const auto elapsed = [&] { return work.wall() - start; };

  while (!has_settled(taken.warm_up, rule.settled)) {
    if (!taken.warm_up.empty() && elapsed() >= std::min(rule.most_warm_up, rule.most_time)) {
      taken.settled = false;
      break;
    }
    const int repetitions = taken.warm_up.empty() ? 1 : repetitions_for(taken.warm_up.back(), work);
    taken.warm_up.push_back(work.run(repetitions) / repetitions);
  }
  taken.repetitions = repetitions_for(flopledger::median(taken.warm_up), work);

  if (work.clock) taken.clock_before = work.clock();
  double sum = 0;
  const auto unmet = [&]() -> std::string {
    if (taken.samples.size() < rule.least_samples) return "least samples";
    if (sum < rule.least_time) return "least time";
    if (noise_of(taken.samples) > rule.noise) return "noise";
    return {};
  };
  for (;;) {
    const double one = work.run(taken.repetitions);
    taken.samples.push_back(one / taken.repetitions);
    sum += one;
    taken.unmet = unmet();
    if (taken.unmet.empty()) break;
    if (elapsed() >= rule.most_time) {
      taken.stopped = stop_reason::wall_time;
      break;
    }
  }
  if (work.clock) taken.clock_after = work.clock();
  if (taken.clock_before && taken.clock_after)
    taken.clock_fell = *taken.clock_after < (1 - rule.drop) * *taken.clock_before;
  taken.drifted = drift_in(taken.samples, rule.drop);
  return taken;
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace harness
