// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// How far the library's times were off where it was tried, as docs/accuracy_time.md lists them.

#include <flopledger/engines.hpp>
#include <flopledger/frameworks.hpp>
#include <flopledger/hardware/device.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "json.hpp"

namespace program {

/// Of one published table, on rows that no constant was fitted to: predicted over measured less one, in per cent.
struct error_band {
  std::string table, ran_under;
  bool unseen = true;           ///< no assumption was chosen on them either
  double rows = 0, median = 0;  ///< median of absolute errors
  int inside = 100;             ///< per cent of the rows between the ends
  double lowest = 0, highest = 0;
};

/// Those of the runs that resemble a training job: of the framework on the device, of models as dense. None where no
/// such run was compared: another framework's errors say nothing of it.
std::vector<error_band> training_bands(const flopledger::accelerator& device, const flopledger::framework& under,
                                       bool mixture);
/// The same of an engine.
std::vector<error_band> serving_bands(const flopledger::accelerator& device, const flopledger::engine& under,
                                      bool mixture);

/// Lines for people, and an array.
std::string described(const std::vector<error_band>& bands);
json as_json(const std::vector<error_band>& bands);

}  // namespace program
