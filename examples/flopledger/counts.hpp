// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The counts that `count` and `report` share.

#include <optional>
#include <vector>

#include "subject.hpp"

namespace program {

struct counts {
  flopledger::work pass;
  flopledger::product_counting counting{};
  flopledger::parameters held{}, active{}, tables{};
  flopledger::macs multiplied{};
  flopledger::flops products{}, elementwise{};
  /// Products of forward and backward; none for a pass that is no training step (tokens are cached), and by the
  /// conventional count alone.
  std::optional<flopledger::flops> training{};
  std::vector<flopledger::entry> operations;
};

counts counts_of(const subject& model, const work_request& asked);

}  // namespace program
