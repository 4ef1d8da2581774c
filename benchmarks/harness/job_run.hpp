// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A plan measured: every line's kernels by themselves, and one layer as a sequence.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "execution.hpp"
#include "measurement.hpp"
#include "sweep.hpp"

namespace harness {

struct measured_line {
  const line* of = nullptr;
  std::vector<std::shared_ptr<const measurement>> parts{};  ///< alike shapes share one
  double seconds = 0;                                       ///< of one instance
  double spread = 0;                                        ///< interquartile ranges of its parts over the seconds
  bool throttled = false, capped = false;
};

/// Lines added up.
struct summary {
  double macs = 0;   ///< by the ledger
  double ideal = 0;  ///< seconds of the multiply-adds at the peak of their format
  double floor = 0, predicted = 0, measured = 0;
  double mfu() const { return measured > 0 ? ideal / measured : 0; }
};

struct job_run {
  execution_plan plan{};
  std::vector<measured_line> lines{};
  statistic which = statistic::median;
  std::optional<sample_set> layer{};  ///< run as a sequence

  summary forward{}, backward{}, whole{};  ///< of the pass
  summary of_layer{};                      ///< of the layer that is run as a sequence
};

/// Dense peaks that utilisation is of.
using peaks_by_format = std::function<double(number_kind)>;

/// Runs every kernel of the plan; `unavailable` where the device has one of them not.
job_run run_job(backend& on, execution_plan plan, const peaks_by_format& peaks, const measuring& how, statistic which,
                const sweep_progress& progress = {});

}  // namespace harness
