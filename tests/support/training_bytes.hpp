// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What a parameter takes under Adam, from the fields of a recipe alone: its weight, its gradient, the optimizer's own
/// copy where there is one, and two moments.

#include <flopledger/precision.hpp>

namespace test {

constexpr flopledger::bytes_per_parameter optimizer_bytes(const flopledger::recipe& r) {
  const auto moments = 2.0 * r.moments.storage();
  return r.has_master_weights ? r.master_weights.storage() + moments : moments;
}

constexpr flopledger::bytes_per_parameter training_bytes(const flopledger::recipe& r) {
  return r.weights.storage() + r.gradients.storage() + optimizer_bytes(r);
}

}  // namespace test
