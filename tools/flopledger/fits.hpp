// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What is asked without a plan in mind: what fits on a device, and devices side by side.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "program.hpp"

namespace program {

/// A model on a device.
struct fit_request {
  std::string model;
  device_request device{};
  const flopledger::recipe* recipe = nullptr;  ///< null: as the checkpoint is stored; of training mixed-bf16
  std::int64_t usable_per_mille = 0;           ///< 0: the guard's margin
};
struct serving_fit_request : fit_request {
  std::optional<std::int64_t> context{};  ///< none: as `sequence_of` the model
  std::int64_t concurrency = 1, tensor = 1;
};
struct training_fit_request : fit_request {
  std::optional<std::int64_t> sequence{};
  std::int64_t micro_batch = 1;
  const flopledger::framework* framework = &flopledger::frameworks::megatron_core;
  changed_members members{};
  const flopledger::optimizer* rule = &flopledger::optimizers::adamw;
};

/// A model on several devices, by their names.
struct compare_request {
  std::string model;
  std::vector<std::string> devices{};
  const flopledger::recipe* recipe = nullptr;  ///< of serving
  std::int64_t prompt = 1024, output = 128, concurrency = 1, tensor = 1;
  std::optional<std::int64_t> sequence{};
  std::int64_t data = 8;
};

reply fit(const fit_request& asked, output how);
reply fit_serving(const serving_fit_request& asked, output how);
reply fit_training(const training_fit_request& asked, output how);
reply compare(const compare_request& asked, output how);

}  // namespace program
