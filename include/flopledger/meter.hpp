// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A meter for training loops: made once from a run, it takes the time of each step and says what share of the peak the
/// step reached.
///
///   training_meter meter(metered(job, dense_peak_figure(device, number_kind::bf16)));
///   ...
///   const meter_reading now = meter.step(clock::now() - begun);      // any std::chrono duration
///
/// A step never throws and never allocates. What cannot be, such as a step of no time or more than the peak, is flagged
/// and the training goes on. The meter synchronises nothing: a time taken before the device has finished is the time of
/// a launch. meter_writers.hpp writes what it says; hardware/runtime_name.hpp knows devices by the names that CUDA
/// reports; `ranks_differ` of evidence/diagnosis.hpp finds a slow one among the times of all ranks.

#include <flopledger/evidence/statistics.hpp>
#include <flopledger/job.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace flopledger {

/// What one step does on all devices together. Steps of packed or unequally long sequences bring their own:
/// `model_work_of<pass::training_step, bf16>(model, work)` counts it.
struct step_work {
  flops model_flops{};       ///< each product once, attention as the user counts it
  flops recomputed_flops{};  ///< what runs a second time
  tokens read{};
};

/// What a meter must know of a run.
struct metered_run {
  step_work of_a_step{};
  double devices = 1;
  /// Dense, of one device, at the precision of the products. Where it is absent the meter says throughput and no
  /// utilisation: another device's peak would be a wrong number.
  figure<flop_rate> peak{};
  step_time predicted{};  ///< nothing: the meter knows of no prediction
  seconds floor{};        ///< of the same step, at the peak
};

/// A job that a meter watches. LoRA and frozen parts count as the job counts them.
constexpr metered_run metered(const training_job& job, figure<flop_rate> peak_of_one,
                              attention_counting by = attention_counting::full) {
  const plan& p = job.setup().plan;
  return {.of_a_step = {.model_flops = job.model_flops(by),
                        .recomputed_flops = job.recomputed_flops(by),
                        .read = static_cast<double>(p.global_batch() * p.sequence) * unit::token},
          .devices = job.devices(),
          .peak = peak_of_one,
          .predicted = job.step(),
          .floor = job.floor()};
}

/// Milliseconds between two CUDA events, as `cudaEventElapsedTime` gives them.
constexpr seconds cuda_milliseconds(float between) { return 1e-3 * static_cast<double>(between) * unit::second; }

struct meter_settings {
  std::int64_t warm_up = 10;  ///< first steps that count nowhere: they compile and allocate
  std::int64_t window = 50;   ///< steps that averages and percentiles look back, at most `training_meter::most_steps`
  double fall = 0.1;          ///< of the best window's rate, from which on a lower one is an alarm
  double growth = 1e-5;       ///< of the memory in use, a step: a tenth in ten thousand steps
};

enum class step_flag : std::uint8_t {
  none,
  no_time,    ///< the duration is not above zero: the step counts nowhere
  above_peak  ///< more FLOPs than the peak allows: work, time or peak is of something else
};

constexpr std::string_view name_of(step_flag flag) {
  constexpr std::string_view names[] = {"none", "no time", "above the peak"};
  return names[static_cast<std::size_t>(flag)];
}

/// Rates over some steps. Shares are absent where the peak is not known.
struct metered_rates {
  seconds step{};  ///< mean
  token_rate throughput{};
  std::optional<double> mfu{}, hfu{};
};

/// What one step says.
struct meter_reading {
  std::int64_t number = 0;  ///< from 1, over all steps
  bool warm_up = false;
  step_flag flag = step_flag::none;
  metered_rates rates{};
  seconds beyond_prediction{};  ///< below zero where the step was faster; 0 without a prediction
};

/// What gives cause to look. Each is absent where there is none.
struct meter_alarms {
  std::optional<double> utilisation_fell{};  ///< share that the window lies under the best one
  std::optional<bytes> memory_grows{};       ///< a step, over the window
};

/// Everything that is worth writing down, at one moment.
struct meter_report {
  meter_reading last{};
  metered_rates window{}, run{};  ///< warm-up left out
  std::int64_t window_steps = 0, run_steps = 0;
  sample_summary step_seconds{};  ///< of the window
  figure<flop_rate> peak{};       ///< of one device: an MFU says nothing without it
  double devices = 1;
  step_gap gap{};  ///< of the window's mean step, by the causes of the prediction
  meter_alarms alarms{};
};

class training_meter {
 public:
  static constexpr std::size_t most_steps = 256;

  /// Throws `bad_argument` for a run of no tokens, of no devices, or a window that it cannot hold.
  explicit training_meter(const metered_run& run, const meter_settings& settings = {})
      : run_(run), settings_(settings) {
    if (!(run.of_a_step.read > tokens{} && run.of_a_step.model_flops > flops{}))
      detail::raise<bad_argument>("training_meter: a step reads tokens and computes FLOPs; this one has none");
    if (!(run.devices >= 1)) detail::raise<bad_argument>("training_meter: a run has at least one device");
    if (!(settings.window >= 1 && settings.window <= static_cast<std::int64_t>(most_steps)))
      detail::raise<bad_argument>("training_meter: a window has 1 to 256 steps, not " +
                                  std::to_string(settings.window));
    if (settings.warm_up < 0)
      detail::raise<bad_argument>("training_meter: warm-up of " + std::to_string(settings.warm_up) + " steps");
    last_steps_.room = memory_.room = static_cast<std::size_t>(settings.window);
  }

  const metered_run& run() const noexcept { return run_; }

  /// One step of the run's own work.
  meter_reading step(measured<pass::training_step> took) noexcept { return step(took, run_.of_a_step); }
  /// One step of other work: packed sequences, a last batch that is not full.
  meter_reading step(measured<pass::training_step> took, const step_work& done) noexcept {
    const double duration = took.took.value();
    last_ = {.number = ++steps_, .warm_up = steps_ <= settings_.warm_up};
    if (!(duration > 0 && std::isfinite(duration))) {
      last_.flag = step_flag::no_time;
      return last_;
    }
    const sums of_step{duration, done.model_flops.value(), done.recomputed_flops.value(), done.read.value()};
    last_.rates = rates_of(of_step, 1);
    if (last_.rates.hfu.value_or(0) > 1 + 1e-9) last_.flag = step_flag::above_peak;
    if (run_.predicted.total() > seconds{}) last_.beyond_prediction = took.took - run_.predicted.total();
    if (!last_.warm_up) keep(of_step);
    return last_;
  }

  /// Memory in use after a step, so that what grows is seen.
  void memory(bytes in_use) noexcept { memory_.push(in_use.value()); }

  /// Of the last steps, warm-up left out.
  metered_rates window() const noexcept { return rates_of(window_, static_cast<double>(last_steps_.count)); }
  metered_rates whole_run() const noexcept { return rates_of(all_, static_cast<double>(counted_)); }

  meter_alarms alarms() const noexcept {
    meter_alarms found;
    const double fell = best_ > 0 && last_steps_.full() ? 1 - window_.model / window_.time / best_ : 0;
    if (fell > settings_.fall) found.utilisation_fell = fell;
    std::array<double, most_steps> held{};
    const std::span<const double> in_order = memory_.in_order(held, [](double in_use) { return in_use; });
    if (in_order.size() >= 2) {
      const bytes growth = memory_trend(in_order);
      if (growth.value() > settings_.growth * in_order.front()) found.memory_grows = growth;
    }
    return found;
  }

  /// For a log's interval and not for each step: it sorts, and allocates to do so.
  meter_report report() const {
    std::array<double, most_steps> held{};
    const std::span<const double> in_order =
        last_steps_.in_order(held, [](const sums& of_step) { return of_step.time; });
    meter_report found{.last = last_,
                       .window = window(),
                       .run = whole_run(),
                       .window_steps = static_cast<std::int64_t>(last_steps_.count),
                       .run_steps = counted_,
                       .peak = run_.peak,
                       .devices = run_.devices,
                       .alarms = alarms()};
    if (in_order.empty()) return found;
    found.step_seconds = summary_of(in_order);
    if (run_.predicted.total() > seconds{}) found.gap = attribute(found.window.step, run_.floor, run_.predicted);
    return found;
  }
 private:
  struct sums {
    double time = 0, model = 0, again = 0, read = 0;
    constexpr void add(const sums& more, double sign = 1) {
      time += sign * more.time;
      model += sign * more.model;
      again += sign * more.again;
      read += sign * more.read;
    }
  };
  /// The last samples of a row, up to `room` of them.
  template <class Sample>
  struct ring {
    std::array<Sample, most_steps> samples{};
    std::size_t room = 1, next = 0, count = 0;

    constexpr bool full() const { return count == room; }
    constexpr void push(const Sample& one) {
      samples[next] = one;
      next = next + 1 == room ? 0 : next + 1;
      if (count < room) ++count;
    }
    /// What `number_of` makes of each, oldest first.
    template <class Number>
    std::span<const double> in_order(std::array<double, most_steps>& into, Number number_of) const {
      const std::size_t first = full() ? next : 0;
      for (std::size_t i = 0; i < count; ++i) into[i] = number_of(samples[(first + i) % count]);
      return {into.data(), count};
    }
  };

  metered_rates rates_of(const sums& over, double steps) const noexcept {
    metered_rates found;
    if (!(over.time > 0 && steps > 0)) return found;
    found.step = over.time / steps * unit::second;
    found.throughput = over.read / over.time * (unit::token / unit::second);
    const double best = run_.peak.value_or({}).value() * run_.devices;
    if (best > 0) {
      found.mfu = over.model / over.time / best;
      found.hfu = (over.model + over.again) / over.time / best;
    }
    return found;
  }

  void keep(const sums& of_step) noexcept {
    if (last_steps_.full()) window_.add(last_steps_.samples[last_steps_.next], -1);
    last_steps_.push(of_step);
    window_.add(of_step);
    if (last_steps_.next == 0) {  // what rounding adds up to is dropped once a window
      window_ = {};
      for (std::size_t i = 0; i < last_steps_.count; ++i) window_.add(last_steps_.samples[i]);
    }
    all_.add(of_step);
    ++counted_;
    if (last_steps_.full()) {
      const double rate = window_.model / window_.time;
      if (rate > best_) best_ = rate;
    }
  }

  metered_run run_;
  meter_settings settings_;
  std::int64_t steps_ = 0, counted_ = 0;
  double best_ = 0;  ///< FLOP/s of the best full window
  sums all_{}, window_{};
  ring<sums> last_steps_{};
  ring<double> memory_{};
  meter_reading last_{};
};

}  // namespace flopledger
