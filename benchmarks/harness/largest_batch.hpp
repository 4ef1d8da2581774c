// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The largest batch of a training step that a device takes: weights, gradients, optimizer states and everything that
/// the ledger says is kept for the backward pass are allocated, one by one, and every operation is run beside them.
/// Only `out_of_memory` counts as too large; whatever else goes wrong comes out.

#include <cstdint>
#include <functional>
#include <vector>

#include "execution.hpp"

namespace harness {

struct batch_trial {
  std::int64_t batch = 0;
  bool fits = false;
  memory_use peaks{};    ///< allocated_peak and reserved_peak of the trial
  double predicted = 0;  ///< bytes, by the memory model
};

struct largest_batch_found {
  std::int64_t measured = 0, predicted = 0;
  double available = 0;  ///< bytes
  std::vector<batch_trial> trials;
};

/// What is searched for: a training step of a model, one device.
struct batch_question {
  flopledger::transformer_config model{};
  flopledger::recipe precision{};
  std::int64_t sequence = 1;
  std::int64_t layers = 0;
  double workspace = 0;  ///< bytes that the back end's libraries take, for the prediction
};

/// One step of so many sequences; throws `out_of_memory` where it does not fit.
void run_step(backend& on, const batch_question& asked, std::int64_t batch);

largest_batch_found largest_batch(backend& on, const batch_question& asked,
                                  const std::function<void(const batch_trial&)>& after = {});

}  // namespace harness
