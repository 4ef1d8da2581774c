// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What jobs cost. The price of a device-hour is the user's: none is hidden in here. And the guard on a bill:
/// `static_assert(costs<run, cluster<hardware::dgx_h100, 8>, price> < 2_MUSD)`.

#include <flopledger/job.hpp>
#include <flopledger/planning/energy.hpp>

#include <string_view>

namespace flopledger {
inline namespace literals {
constexpr us_dollars operator""_MUSD(long double n) {
  return us_dollars::from_value(static_cast<double>(n) * prefix::mega);
}
constexpr us_dollars operator""_MUSD(unsigned long long n) {
  return us_dollars::from_value(static_cast<double>(n) * prefix::mega);
}
}  // namespace literals
}  // namespace flopledger

namespace flopledger::planning {

/// What a device costs, from whom and when.
struct device_price {
  dollar_rate rate{};  ///< of one device
  std::string_view provider{}, date{};
};
/// Dollars a device-hour.
constexpr device_price dollars_an_hour(double dollars, std::string_view provider = {}, std::string_view date = {}) {
  return {dollars * unit::us_dollar / (3600.0 * unit::second), provider, date};
}

constexpr us_dollars cost_of(seconds device_time, const device_price& price) { return device_time * price.rate; }

/// A training run: of so many tokens, with so many devices at that rate. `goodput` is the share of the time that
/// trains: restarts and checkpoints take the rest.
constexpr us_dollars training_cost(tokens text, token_rate all_devices, double devices, const device_price& price,
                                   double goodput = 1) {
  return cost_of(devices / goodput * (text / all_devices), price);
}

/// Dollars a million tokens.
struct token_prices {
  double input = 0, output = 0;
};
/// What tokens cost a service: device-time of a token that is read and of one that is written, at a share of the time
/// that the devices serve.
constexpr token_prices cost_of_tokens(seconds device_time_in, seconds device_time_out, const device_price& price,
                                      double utilisation = 1) {
  const auto million = [&](seconds one) { return cost_of(1e6 / utilisation * one, price).value(); };
  return {million(device_time_in), million(device_time_out)};
}
constexpr us_dollars cost_of_request(double input, double output, const token_prices& of) {
  return (input * of.input + output * of.output) / 1e6 * unit::us_dollar;
}

/// A training job with the text that it reads.
template <class Job, std::int64_t Tokens>
struct training_run : Job {
  static constexpr tokens text = static_cast<double>(Tokens) * unit::token;
};

/// What a run costs on a cluster, by the predicted step.
template <class Run, class Cluster, const device_price& Price>
inline constexpr us_dollars costs = training_cost(Run::text,
                                                  tokens_a_second(Run::setup.plan, step_of<Run, Cluster>.total()),
                                                  static_cast<double>(Cluster::value.devices()), Price);

}  // namespace flopledger::planning
