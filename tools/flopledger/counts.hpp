// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The counts that `count` and `report` share.

#include <cstdint>
#include <optional>
#include <vector>

#include "subject.hpp"

namespace program {

/// An operation, and the window that limits it: layers with one and layers without record rows of the same name.
struct listed_operation : flopledger::entry {
  std::int64_t window = 0;
};

struct counts {
  flopledger::work pass;
  flopledger::product_counting counting{};
  flopledger::parameters held{}, active{}, tables{};
  flopledger::macs multiplied{};
  flopledger::flops products{}, elementwise{};
  /// Products of forward and backward; none for a pass that is no training step (tokens are cached), and by the
  /// conventional count alone.
  std::optional<flopledger::flops> training{};
  std::vector<listed_operation> operations;
};

counts counts_of(const subject& model, const work_request& asked);

}  // namespace program
