// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What `flopledger plan` is asked.

#include <flopledger/planning/search.hpp>

#include <optional>
#include <string>
#include <vector>

#include "program.hpp"

namespace program {

/// The plans of a training job to choose from. Degrees without values take all that devices, layers and batch divide
/// by.
struct plan_request {
  std::string model;
  device_request device{};
  const flopledger::recipe* recipe = nullptr;  ///< null: mixed-bf16
  std::optional<std::int64_t> sequence{};
  std::int64_t images = 0, adapter_rank = 0;
  flopledger::plan_space space{};
  std::vector<flopledger::recompute> ways{};  ///< of recompute; none: none, selective and full
  std::vector<std::int64_t> every{};          ///< blocks of full recompute; none: each
  const flopledger::optimizer* rule = &flopledger::optimizers::adamw;
  const flopledger::framework* framework = &flopledger::frameworks::megatron_core;
  changed_members members{};  ///< of the framework
  flopledger::goal best_in = flopledger::goal::fastest;
  flopledger::trade front = flopledger::trade::none;
  std::int64_t top = 5, threads = 0;
  bool without_rules = false, exhaustive = false, explained = false;
  std::optional<double> price{};        ///< USD a device-hour
  std::optional<double> power_limit{};  ///< W
  link_request links{};
  std::int64_t usable_per_mille = 0;
};

reply plan_training(const plan_request& asked, output how);

}  // namespace program
