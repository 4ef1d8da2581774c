// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A trace of requests: CSV with the columns time, prompt and output, or a JSON object with these keys a line.

#include <flopledger/planning/arrivals.hpp>

#include <string>
#include <vector>

namespace program {

/// In the order of their time, which is seconds. A file that cannot be read is a `failure`, and so is one without two
/// requests that are some time apart.
std::vector<flopledger::planning::arrival> read_trace(const std::string& path);

}  // namespace program
