// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Bytes of the weights under a recipe.

#include <flopledger/ledger.hpp>
#include <flopledger/precision.hpp>
#include <flopledger/work.hpp>

namespace flopledger {

/// The format that a recipe holds an operand's weights in: a quantised one goes to the matrices inside the blocks
/// alone.
constexpr const number_format& weight_format(const recipe& precision, const row& r, role what) {
  const bool matrix =
      what == role::weight && (r.kind == operation::projection || r.kind == operation::expert_projection);
  if (!matrix) return precision.other_weights;
  return r.trainable ? precision.weights : precision.frozen();
}

/// A fold: bytes of all weights that are held.
struct recipe_weights {
  const recipe& precision;
  double held = 0;

  template <class Row = row>
  constexpr void take(const Row& r, std::int64_t times) {
    r.operands.for_each([&](const operand& o) {
      if (o.what == role::weight || o.what == role::bias)
        held += static_cast<double>(times) * o.elements * weight_format(precision, r, o.what).bytes_per_element();
    });
  }
};

template <class Model>
constexpr bytes weight_bytes(const Model& model, const recipe& precision) {
  recipe_weights fold{.precision = precision};
  model.record(fold, forward(1, 1));
  return bytes::from_value(fold.held);
}

}  // namespace flopledger
