// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// `flopledger reconcile`: a profile beside the ledger of the model that it was taken of.

#include <flopledger/profile/read.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "option_kinds.hpp"
#include "program.hpp"

namespace program {

/// What the profiled steps run.
enum class passes { forward, forward_backward, training };

struct reconcile_request {
  work_request over;                ///< the model and the pass of one step
  std::vector<std::string> traces;  ///< paths
  std::string device;
  double devices = 1;
  std::optional<double> steps{};
  passes covered = passes::forward;
  const flopledger::recipe* precision = nullptr;
  flopledger::profile::format written = flopledger::profile::format::automatic;
  std::vector<std::string> rules;  ///< PATTERN=KIND
  json_flag json;
};

void add_reconcile(CLI::App& app, std::function<std::string()>& answer);

}  // namespace program
