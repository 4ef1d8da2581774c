// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What measured steps of one cluster say of the constants behind its predictions: how much slower its kernels and its
/// network are than assumed. A few runs cannot tell many causes apart, so that only those are set which they identify.

#include <flopledger/compiler.hpp>
#include <flopledger/errors.hpp>
#include <flopledger/time/step.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace flopledger {

/// A step as it was predicted and as it was measured.
struct measured_run {
  step_time predicted{};
  seconds measured{};
};

/// A factor on a part of every predicted step. 1 where the runs do not identify it.
struct calibrated_factor {
  std::string_view name{}, of{};
  double value = 1;
  bool identified = false;
};

/// Of computation (clock, kernels, launches, bubble and optimizer) and of exposed communication.
struct step_calibration {
  calibrated_factor kernels{.name = "kernels", .of = "computation, bubble and optimizer"};
  calibrated_factor network{.name = "network", .of = "exposed communication"};

  constexpr step_time of(step_time predicted) const {
    for (seconds step_time::*part : {&step_time::forward, &step_time::backward, &step_time::recompute,
                                     &step_time::bubble, &step_time::optimizer, &step_time::host})
      predicted.*part = kernels.value * (predicted.*part);
    for (seconds step_time::*part :
         {&step_time::tensor_communication, &step_time::context_communication, &step_time::expert_communication,
          &step_time::pipeline_communication, &step_time::data_communication})
      predicted.*part = network.value * (predicted.*part);
    return predicted;
  }
};

namespace detail {

/// How far constants and measurements are thought to be off before any run is seen, as standard deviations: the errors
/// of docs/accuracy_time.md are some 10 % where computation dominates and several times that of networks; two runs of
/// one job differ by some per cent.
inline constexpr double kernels_uncertain = 0.2, network_uncertain = 0.5, runs_differ = 0.03;
/// A factor is identified where the runs leave less than this share of its uncertainty.
inline constexpr double identified_below = 0.5;

/// Least squares of the two factors with those uncertainties about 1 (a Gaussian prior), each run relative to its own
/// measured time.
class calibration_sums {
 public:
  constexpr void add(const measured_run& run) {
    if (!(run.measured > seconds{} && run.predicted.total() > seconds{}))
      raise<bad_argument>("calibrate: a run has a measured and a predicted step, both above zero");
    const double network = run.predicted.communication() / run.measured;
    const double loading = run.predicted.data_loading / run.measured;
    const double kernels = run.predicted.total() / run.measured - network - loading;
    const double weight = 1 / (runs_differ * runs_differ), left = 1 - loading - kernels - network;
    kernels_ += weight * kernels * kernels;
    both_ += weight * kernels * network;
    network_ += weight * network * network;
    kernels_left_ += weight * kernels * left;
    network_left_ += weight * network * left;
  }
  constexpr step_calibration solved() const {
    const double k = kernels_ + 1 / (kernels_uncertain * kernels_uncertain);
    const double n = network_ + 1 / (network_uncertain * network_uncertain);
    const double determinant = k * n - both_ * both_;
    const auto known = [&](double of_other, double uncertain) {  // compares variances
      const double bound = identified_below * uncertain;
      return of_other / determinant < bound * bound;
    };
    step_calibration made;
    made.kernels.identified = known(n, kernels_uncertain);
    made.network.identified = known(k, network_uncertain);
    if (made.kernels.identified && made.network.identified) {
      made.kernels.value += (n * kernels_left_ - both_ * network_left_) / determinant;
      made.network.value += (k * network_left_ - both_ * kernels_left_) / determinant;
    } else if (made.kernels.identified) {
      made.kernels.value += kernels_left_ / k;
    } else if (made.network.identified) {
      made.network.value += network_left_ / n;
    }
    return made;
  }
 private:
  double kernels_ = 0, both_ = 0, network_ = 0, kernels_left_ = 0, network_left_ = 0;
};

}  // namespace detail

/// The factors that bring predictions to measured steps. Throws `bad_argument` for a run without a time.
constexpr step_calibration calibrate(std::span<const measured_run> runs) {
  detail::calibration_sums sums;
  for (const measured_run& run : runs) sums.add(run);
  return sums.solved();
}

/// Predicted over measured less one of each run in turn, by the factors of the others: the lowest and the highest.
struct left_out_errors {
  std::size_t runs = 0;  ///< below 2 there is nothing to leave out
  double lowest = 0, highest = 0;
};
constexpr left_out_errors leave_one_out(std::span<const measured_run> runs) {
  left_out_errors found{.runs = runs.size()};
  if (runs.size() < 2) return found;
  for (std::size_t out = 0; out < runs.size(); ++out) {
    detail::calibration_sums sums;
    for (std::size_t i = 0; i < runs.size(); ++i)
      if (i != out) sums.add(runs[i]);
    const double error = sums.solved().of(runs[out].predicted).total() / runs[out].measured - 1;
    if (out == 0 || error < found.lowest) found.lowest = error;
    if (out == 0 || error > found.highest) found.highest = error;
  }
  return found;
}

}  // namespace flopledger
