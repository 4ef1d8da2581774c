// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Predicted against measured, and what a list of such pairs comes to.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace published {

struct comparison {
  std::string name;
  double measured = 0, predicted = 0;
  std::string note{};
  bool counts = true;  ///< false: set aside before predicting, and why stands in the note

  double error_percent() const { return 100 * (predicted / measured - 1); }
};

struct error_summary {
  std::size_t count = 0;
  double median_absolute = 0, mean_absolute = 0, bias = 0, lowest = 0, highest = 0;
  double tenth = 0, ninetieth = 0;  ///< percentiles of the errors: 80 % of the rows lie between them
  double worst() const { return std::max(-lowest, highest); }
};

inline error_summary summarize(const std::vector<comparison>& rows) {
  std::vector<double> errors, absolute;
  for (const comparison& row : rows)
    if (row.counts) errors.push_back(row.error_percent());
  error_summary s;
  s.count = errors.size();
  if (errors.empty()) return s;
  for (const double e : errors) {
    absolute.push_back(std::abs(e));
    s.bias += e / static_cast<double>(errors.size());
    s.mean_absolute += std::abs(e) / static_cast<double>(errors.size());
  }
  std::sort(absolute.begin(), absolute.end());
  const std::size_t middle = absolute.size() / 2;
  s.median_absolute = absolute.size() % 2 == 1 ? absolute[middle] : (absolute[middle - 1] + absolute[middle]) / 2;
  std::sort(errors.begin(), errors.end());
  const auto percentile = [&](double share) {
    const double at = share * static_cast<double>(errors.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, errors.size() - 1);
    return errors[below] + (at - static_cast<double>(below)) * (errors[above] - errors[below]);
  };
  s.tenth = percentile(0.1);
  s.ninetieth = percentile(0.9);
  s.lowest = *std::min_element(errors.begin(), errors.end());
  s.highest = *std::max_element(errors.begin(), errors.end());
  return s;
}

}  // namespace published
