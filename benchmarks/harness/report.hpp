// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What was measured, as people and as programs read it. The JSON keeps every sample and where it is from
/// (docs/harness.md).

#include <optional>
#include <string>
#include <vector>

#include "job_run.hpp"
#include "largest_batch.hpp"
#include "request.hpp"

namespace harness {

inline constexpr std::string_view results_schema = "flopledger.harness";
inline constexpr int results_version = 1;

/// Peaks and bandwidth that shares and floors are of, and what predicts.
struct yardsticks {
  struct peak {
    number_kind format = number_kind::custom;
    rated rate;
  };
  std::vector<peak> peaks;
  rated bandwidth;
  std::string prediction;  ///< "calibration FILE", "constants of DEVICE"; empty: nothing predicts

  double peak_of(number_kind format) const;
};

std::string head_text(const request& asked, const backend& on, const yardsticks& against);
json head_json(const request& asked, const backend& on, std::string_view what);
json to_json(const rated& rate, const char* unit);
json to_json(const sample_set& taken);
json to_json(const measurement& done);

std::string job_text(const job_run& done, const yardsticks& against);
void put_job(json& document, const job_run& done, const yardsticks& against);
std::string job_svg(const std::string& title, const std::string& subtitle, const job_run& done,
                    const yardsticks& against);

std::string calibration_text(const calibration_data& data);
std::string batch_text(const largest_batch_found& found);
json to_json(const largest_batch_found& found);

}  // namespace harness
