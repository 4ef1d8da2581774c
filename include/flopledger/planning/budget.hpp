// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Budgets of a training run: what failures and checkpoints take of its time, devices for a deadline, and how large a
/// model a budget of FLOPs should train on how many tokens.

#include <flopledger/errors.hpp>
#include <flopledger/units.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

namespace flopledger::planning {

// Failures and checkpoints -----------------------------------------------------------------------------------------

/// What interrupts a run, and what it costs.
struct interruptions {
  seconds between_failures_of_a_device{};  ///< mean; 0: none fails
  seconds checkpoint{};                    ///< that the run stands still for one
  seconds restart{};                       ///< from the failure until it trains again

  constexpr seconds between_failures(double devices) const { return between_failures_of_a_device / devices; }
};

/// The mean time between failures of a device in a run of so many, from how many there were.
constexpr seconds time_between_failures(double devices, seconds observed, double failures) {
  if (!(failures > 0)) flopledger::detail::raise<bad_argument>("no failures: their mean distance is unknown");
  return devices / failures * observed;
}

/// Young 1974: √(2·C·M) between checkpoints of C, where failures are M apart.
inline seconds young_interval(seconds checkpoint, seconds between_failures) {
  return seconds::from_value(std::sqrt(2 * checkpoint.value() * between_failures.value()));
}
/// Daly 2006, equation 37: the same to higher order; where a checkpoint takes longer than 2·M, M.
inline seconds daly_interval(seconds checkpoint, seconds between_failures) {
  const double c = checkpoint.value(), m = between_failures.value();
  if (c >= 2 * m) return between_failures;
  const double ratio = c / (2 * m);
  return seconds::from_value(std::sqrt(2 * c * m) * (1 + std::sqrt(ratio) / 3 + ratio / 9) - c);
}

/// The share of a run's time that trains, with checkpoints so far apart. Failures come at random (Daly 2006, equation
/// 20): M·e^(R/M)·(e^((τ+C)/M) − 1) of time for τ of work.
inline double goodput(const interruptions& of, double devices, seconds interval) {
  const double work = interval.value(), checkpoint = of.checkpoint.value();
  if (!(work > 0)) flopledger::detail::raise<bad_argument>("checkpoints must be some time apart");
  if (of.between_failures_of_a_device.value() <= 0) return work / (work + checkpoint);
  const double m = of.between_failures(devices).value();
  return work / (m * std::exp(of.restart.value() / m) * std::expm1((work + checkpoint) / m));
}
/// With checkpoints at Daly's interval.
inline double goodput(const interruptions& of, double devices) {
  if (of.between_failures_of_a_device.value() <= 0) return 1;
  if (of.checkpoint.value() <= 0) return goodput(of, devices, seconds::from_value(1));
  return goodput(of, devices, daly_interval(of.checkpoint, of.between_failures(devices)));
}

/// Time to train on a text at that rate of all devices, interruptions included.
inline seconds time_to_train(tokens text, token_rate all_devices, double devices, const interruptions& of) {
  return text / all_devices / goodput(of, devices);
}

/// The fewest devices of those offered, in their order, that read the text before the deadline; 0: none.
/// `rate(devices)` is the token rate of so many.
template <class Counts, class Rate>
double devices_for_deadline(tokens text, seconds deadline, const interruptions& of, const Counts& offered,
                            const Rate& rate) {
  for (const auto& devices : offered) {
    const auto n = static_cast<double>(devices);
    if (time_to_train(text, rate(n), n, of) <= deadline) return n;
  }
  return 0;
}

// Compute-optimal models -------------------------------------------------------------------------------------------

/// Hoffmann et al. 2022 ("Chinchilla"), three ways to the same question.
enum class chinchilla : std::uint8_t {
  training_curves,  ///< approach 1: the envelope of training curves, N ∝ C^0.50
  iso_flop,         ///< approach 2: minima of profiles of equal FLOPs, N ∝ C^0.49
  parametric        ///< approach 3: the fitted loss E + A/N^α + B/D^β
};

/// A model's size and the text to train it on.
struct optimal_run {
  parameters size{};
  tokens text{};
};

namespace detail {
/// Approach 3's fit (Hoffmann et al. 2022, equation 10), as printed. Rounded so, it trains smaller models on more text
/// than its own table A3 (Besiroglu et al. 2024 find the printed fit off).
struct chinchilla_fit {
  double e = 1.69, a = 406.4, b = 410.7, alpha = 0.34, beta = 0.28;
};
}  // namespace detail

/// The loss of approach 3, nats a token.
inline double chinchilla_loss(parameters size, tokens text) {
  const detail::chinchilla_fit fit;
  return fit.e + fit.a / std::pow(size.value(), fit.alpha) + fit.b / std::pow(text.value(), fit.beta);
}

/// Of so many FLOPs, 6 a parameter and token. Approaches 1 and 2 are anchored where their table A3 has a model of 10
/// billion parameters: 1.23e22 and 1.32e22 FLOPs.
inline optimal_run optimal_for(flops budget, chinchilla by) {
  const double c = budget.value();
  if (!(c > 0)) flopledger::detail::raise<bad_argument>("a budget is more than 0 FLOPs");
  double n = 0;
  switch (by) {
    case chinchilla::training_curves:
      n = 10e9 * std::pow(c / 1.23e22, 0.50);
      break;
    case chinchilla::iso_flop:
      n = 10e9 * std::pow(c / 1.32e22, 0.49);
      break;
    case chinchilla::parametric: {
      const detail::chinchilla_fit fit;
      const double g = std::pow(fit.alpha * fit.a / (fit.beta * fit.b), 1 / (fit.alpha + fit.beta));
      n = g * std::pow(c / 6, fit.beta / (fit.alpha + fit.beta));
      break;
    }
  }
  return {parameters::from_value(n), tokens::from_value(c / (6 * n))};
}

/// The model of approach 3 that reaches the same loss with the fewest FLOPs of training and of so many tokens of
/// inference together (2 a parameter and token; Sardana et al. 2023).
inline optimal_run optimal_with_inference(double loss, tokens inferred) {
  const detail::chinchilla_fit fit;
  if (!(loss > fit.e)) flopledger::detail::raise<bad_argument>("no model reaches a loss below that of the text itself");
  // Text that a model needs falls with its size; the sum has one minimum, found by thirds over the logarithm.
  const auto text = [&](double n) {
    const double left = loss - fit.e - fit.a / std::pow(n, fit.alpha);
    return left > 0 ? std::pow(fit.b / left, 1 / fit.beta) : std::numeric_limits<double>::infinity();
  };
  const auto spent = [&](double log_n) {
    const double n = std::exp(log_n);
    return n * (6 * text(n) + 2 * inferred.value());
  };
  const double least = std::pow(fit.a / (loss - fit.e), 1 / fit.alpha);
  double low = std::log(least) + 1e-9, high = low + 20;
  for (int i = 0; i < 200; ++i) {
    const double third = (high - low) / 3;
    (spent(low + third) < spent(high - third) ? high : low) =
        spent(low + third) < spent(high - third) ? high - third : low + third;
  }
  const double n = std::exp((low + high) / 2);
  return {parameters::from_value(n), tokens::from_value(text(n))};
}

}  // namespace flopledger::planning
