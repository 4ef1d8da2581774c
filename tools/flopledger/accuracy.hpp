// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// How far the library's times were off where it was tried, from docs/accuracy_time.md.

#include <flopledger/hardware/device.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "json.hpp"

namespace program {

/// Of one published table, on rows that no constant was taken from: predicted over measured less one, in per cent.
struct error_band {
  std::string table;
  double rows = 0, median = 0, lowest = 0, highest = 0;  ///< median of absolute errors
};

/// All of the page.
std::vector<error_band> error_bands();

/// Those of the runs that resemble a training job on such a device under such a framework; of serving on it.
std::vector<error_band> training_bands(const flopledger::accelerator& device, std::string_view framework);
std::vector<error_band> serving_bands(const flopledger::accelerator& device);

/// Lines for people, and an array.
std::string described(const std::vector<error_band>& bands);
json as_json(const std::vector<error_band>& bands);

}  // namespace program
