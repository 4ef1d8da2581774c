// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The load that a service carries within limits on its latency.

#include <flopledger/planning/serving_simulation.hpp>

namespace flopledger::planning {

/// Within what a share of the requests must stay: of each limit by itself, as service levels are written.
struct latency_limits {
  seconds first_token{}, output_token{};
  double share = 0.95;
};

/// Whether a load kept the limits. A service that falls behind does not: its queue grows as long as requests come.
inline bool keeps(const served_requests& served, const latency_limits& limits) {
  const auto first = [](const served_request& one) { return one.time_to_first_token(); };
  const auto token = [](const served_request& one) { return one.time_per_output_token(); };
  return served.percentile(limits.share, first) <= limits.first_token &&
         served.percentile(limits.share, token) <= limits.output_token;
}

/// The largest load, within a hundredth, for which `good(load)` holds, from `least` on; 0 where it does not hold for
/// that, and a million times `least` where it holds for that. It holds for no load above one that it does not hold for.
template <class Good>
double largest_load_by(const Good& good, double least) {
  if (!good(least)) return 0;
  double low = least, high = 2 * least;
  for (; good(high); high *= 2) {
    if (high > 1e6 * least) return high;
    low = high;
  }
  while (high / low > 1.01) {
    const double middle = std::sqrt(low * high);
    (good(middle) ? low : high) = middle;
  }
  return low;
}

/// The highest rate at which one server keeps the limits, over that of `arrivals`; 0 where it keeps them for no load.
/// `arrivals` hold enough requests to show a queue that grows.
template <class PassTime>
double largest_load(const std::vector<arrival>& arrivals, const batch_limits& batch, const latency_limits& limits,
                    const PassTime& pass) {
  return largest_load_by(
      [&](double load) { return keeps(simulate(stretched(arrivals, 1 / load), batch, pass), limits); }, 1.0 / 1024);
}

}  // namespace flopledger::planning
