// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What an element takes: by its role, under a recipe, for a purpose. Memory, traffic, time and serving ask here.

#include <flopledger/ledger.hpp>
#include <flopledger/precision.hpp>
#include <flopledger/work.hpp>

namespace flopledger {

/// The format that a recipe holds a row's weights in: a quantised one goes to the matrices inside the blocks alone.
constexpr const number_format& weight_format(const recipe& precision, const row& r, role what) {
  if (what != role::weight || !is_block_product(r.kind)) return precision.other_weights;
  return r.trainable ? precision.weights : precision.frozen();
}

/// What is held of an element.
enum class purpose : std::uint8_t {
  value,     ///< the number itself
  gradient,  ///< as it is summed over micro-batches
  master,    ///< the copy that the optimizer steps
  moment     ///< one state of the optimizer, in the recipe's own format
};

/// Bytes of an element of an operand. Weights and biases are those of the row; of gradients, masters and moments only
/// these have any.
constexpr double element_bytes(const row& r, role what, const recipe& precision, attention_kernel kernel,
                               purpose why = purpose::value) {
  if (what == role::weight || what == role::bias) {
    switch (why) {
      case purpose::value:
        return weight_format(precision, r, what).bytes_per_element();
      case purpose::gradient:
        return precision.gradients.bytes_per_element();
      case purpose::master:
        return precision.has_master_weights ? precision.master_weights.bytes_per_element() : 0.0;
      case purpose::moment:
        return precision.moments.bytes_per_element();
    }
  }
  if (why != purpose::value) return 0;
  switch (what) {  // without a default, so that a role without a size is a warning
    case role::activation:
      return precision.activations.bytes_per_element();
    case role::attention_matrix:  // a fused kernel never writes it
      return kernel == attention_kernel::fused ? 0 : precision.activations.bytes_per_element();
    case role::mask:
      return 1;
    case role::statistic:
      return fp32::format.bytes_per_element();
    case role::cache:
      return precision.kv_cache.bytes_per_element();
    case role::state:
      return precision.state().bytes_per_element();
    case role::index:
      return 8;  // torch.int64
    case role::weight:
    case role::bias:
    case role::none:
      break;
  }
  return 0;
}

/// The sizes of all roles but weights, worked out once.
struct role_bytes {
  double of[role_count]{};
  constexpr role_bytes(const recipe& precision, attention_kernel kernel) {
    const row any{};
    for (int what = 0; what < role_count; ++what)
      of[what] = element_bytes(any, static_cast<role>(what), precision, kernel);
  }
  constexpr double operator[](role what) const { return of[static_cast<int>(what)]; }
};

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
