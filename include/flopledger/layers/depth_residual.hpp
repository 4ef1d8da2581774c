// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Residuals that are attended to over depth (Kimi K3, section 2.2, equations 8 to 10; KimiAttentionResidual of its
/// modeling_kimi_linear.py): what a sublayer reads is a sum of the running residual and of what stood at the end of
/// each earlier group of blocks, weighed by the softmax of one learned query on their norms.

#include <flopledger/layers/elementwise.hpp>

namespace flopledger {

struct depth_residual {
  std::int64_t hidden = 0;  ///< 0: a plain residual
  double sources = 0;       ///< that are summed, on the average of all blocks: alike blocks are recorded once

  constexpr bool present() const { return hidden > 0; }

  /// x and what it returns: [rows, hidden].
  constexpr tensor record(recording auto& into, const tensor& x, double rows, sublayer in) const {
    const place where{in, position::residual_choice};
    const double width = static_cast<double>(hidden), elements = rows * width;
    const tensor y = into.made(where, operation::custom);
    // Of each source a norm (four operations an element), a product with the query and its part of the sum (two each),
    // and a softmax over all (five).
    const double operations = sources * (8 * elements + 5 * rows);
    into.take(
        {.name = text_of("residual.choice"),
         .where = where,
         .kind = operation::custom,
         .held = parameters::from_value(2 * width),
         .active = parameters::from_value(2 * width),
         .elementwise = flops::from_value(operations),
         .backward = {.elementwise = flops::from_value(2 * operations)},
         .operands = {
             {.what = role::weight, .how = use::read, .elements = 2 * width},
             {.what = role::activation,
              .how = use::read | use::saved,
              .over = split::sequence,
              .elements = elements,
              .of = x},
             {.what = role::activation,
              .how = use::read,
              .over = split::sequence,
              .elements = (sources - 1) * elements},
             {.what = role::activation, .how = use::written, .over = split::sequence, .elements = elements, .of = y}}});
    return y;
  }
};

}  // namespace flopledger
