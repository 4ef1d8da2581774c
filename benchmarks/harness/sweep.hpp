// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Single products, attention and streams over a grid of sizes: the curves of a calibration.

#include <functional>
#include <span>
#include <string>

#include "calibration_file.hpp"
#include "measurement.hpp"

namespace harness {

/// Which of the samples stands for them all. On a machine that others use the lowest is the one without them.
enum class statistic : std::uint8_t { median, lowest };
constexpr std::string_view name_of(statistic which) { return which == statistic::median ? "median" : "lowest"; }
inline double value_of(const sample_set& taken, statistic which) {
  return which == statistic::median ? taken.median() : taken.lowest();
}

struct sweep_sizes {
  std::vector<double> m{}, n{}, k{};
  std::vector<double> head_dims{}, lengths{};
  std::vector<double> streams{};  ///< bytes
  double attention_tokens = 0;    ///< times heads, of one launch
};

/// Sizes that a device of that peak runs in a minute or so a format; none beyond `largest` where that is above 0.
sweep_sizes sizes_for(double flops_per_second, double largest = 0);

/// Called before each measurement, with what it is of; and after it, with the measurement.
struct sweep_progress {
  std::function<void(const std::string&)> before{};
  std::function<void(const measurement&)> after{};
};

calibration_data sweep(backend& on, std::span<const number_kind> formats, const sweep_sizes& sizes,
                       const measuring& how, statistic which, const sweep_progress& progress = {});

}  // namespace harness
