// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Bytes that a block keeps for its backward pass, in the terms of Korthikanti et al. 2022, section 4.1: two bytes an
/// activation, one a dropped element, and no statistics, which the paper neglects.

#include <flopledger/ledger.hpp>

#include <cstdint>

namespace test {

struct saved_bytes {
  double tensor_parallel = 1;
  bool sequence_parallel = false;
  bool fused = false;  ///< scores, probabilities and their dropout mask never leave the kernel
  double total = 0;
  flopledger::counted_tensors kept{};

  constexpr void take(const flopledger::row& r, std::int64_t times) {
    using flopledger::role;
    if (r.opens) kept = {};
    bool in_the_kernel = false;
    for (const flopledger::operand& o : r.operands)
      in_the_kernel = in_the_kernel || (fused && o.what == role::attention_matrix);
    for (const flopledger::operand& o : r.operands) {
      if (!is_saved(r, o) || !kept.add(o.of)) continue;
      double width = 0;
      if (o.what == role::activation) width = 2;
      if (o.what == role::attention_matrix) width = fused ? 0 : 2;
      if (o.what == role::mask) width = in_the_kernel ? 0 : 1;
      total += static_cast<double>(times) * width * o.elements / ranks_of(o);
    }
  }
 private:
  constexpr double ranks_of(const flopledger::operand& o) const {
    if (o.over == flopledger::split::tensor)
      return o.parts > 0 && o.parts < tensor_parallel ? static_cast<double>(o.parts) : tensor_parallel;
    return o.over == flopledger::split::sequence && sequence_parallel ? tensor_parallel : 1.0;
  }
};

/// Of `layers` blocks of a model.
constexpr double saved_by_blocks(const auto& model, const flopledger::work& asked, std::int64_t layers,
                                 saved_bytes fold = {}) {
  model.stack.record_blocks(fold, asked, 0, layers);
  return fold.total;
}

}  // namespace test
