// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The gated short convolution of LFM2 (Lfm2ShortConv of transformers): one product makes B, C and x; B·x is convolved
/// channel by channel, and C times that is projected.

#include <flopledger/layers/state_space.hpp>

namespace flopledger {

struct short_convolution {
  std::int64_t hidden = 0, kernel = 3;
  bool bias = false;  ///< of the convolution and of both products

  /// x and what it returns: [tokens, hidden].
  constexpr tensor record(recording auto& into, const tensor& x, const work& asked) const {
    const double rows = asked.token_count(), elements = rows * static_cast<double>(hidden);
    const tensor made = linear{.in = hidden, .out = 3 * hidden, .bias = bias, .cut = tensor_cut::columns}.record(
        into, x, rows, at(position::input), "convolution.in");
    const auto gated = [&](const tensor& of, position where, const char* name) {
      return record_gated_activation(into, activation_function::identity, part_of(made), of, elements, split::tensor,
                                     at(where), name);
    };
    const tensor entering = gated(part_of(made), position::gate, "convolution.gating_in");
    const tensor convolved =
        depthwise_convolution{
            .channels = hidden, .taps = kernel, .bias = bias, .activation = activation_function::identity}
            .record(into, entering, asked, "convolution");
    const tensor leaving = gated(convolved, position::activation, "convolution.gating_out");
    return linear{.in = hidden, .out = hidden, .bias = bias, .cut = tensor_cut::rows}.record(
        into, leaving, rows, at(position::output), "convolution.out");
  }
  /// The layer by itself.
  constexpr void record(books auto& sink, const work& asked) const {
    recorder alone{sink};
    record(alone, alone.enters(), asked);
  }
 private:
  static constexpr place at(position where) { return {sublayer::recurrence, where}; }
};

}  // namespace flopledger
