// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// `--calibrate FILE`: measured steps of the user's own cluster, each line of the file a request of `explain`.

#include <flopledger/time/calibration_from_runs.hpp>

#include <string>

#include "json.hpp"

namespace program {

struct run_calibration {
  std::string file;
  flopledger::step_calibration made;
  flopledger::left_out_errors errors;
};

/// Throws `usage_error`, which names the line, where one of the file is no such request.
run_calibration calibration_by(const std::string& file);

/// Lines for people, and an object.
std::string described(const run_calibration& by);
json as_json(const run_calibration& by);

}  // namespace program
