// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Several residual streams in place of one (Zhu et al. 2024, arXiv 2409.19606), as DeepSeek-V4 constrains them.

#include <flopledger/layers/elementwise.hpp>

namespace flopledger {

/// Manifold-constrained hyper-connections (Xie et al. 2025, arXiv 2512.24880; DeepSeek-V4, section 2.2): of all streams
/// together one matrix makes how they are collapsed into a sublayer's input, how its output is spread over them, and
/// how they are mixed, a matrix that Sinkhorn and Knopp's iterations make doubly stochastic.
struct hyper_connection {
  std::int64_t hidden = 0;
  std::int64_t streams = 1;  ///< 1: a plain residual
  std::int64_t iterations = 20;

  constexpr bool present() const { return streams > 1; }

  /// What the sublayer reads, [rows, hidden], of the streams, [rows, streams·hidden].
  constexpr tensor record_in(recording auto& into, const tensor& x, double rows, sublayer in) const {
    const double n = count();
    return collapse(into, x, rows, in, (2 + n) * n, 3, "streams.mixing", static_cast<double>(4 * iterations) * n * n);
  }
  /// The streams behind a sublayer that made `made`.
  constexpr tensor record_out(recording auto& into, const tensor& x, const tensor& made, double rows,
                              sublayer in) const {
    const place where{in, position::stream_mix};
    const double elements = rows * width(), wide = elements * count();
    const tensor y = into.made(where, operation::custom);
    into.take({.name = text_of("streams.sum"),
               .where = where,
               .kind = operation::custom,
               .elementwise = flops::from_value(2 * wide * count() + 2 * wide),
               .backward = {.elementwise = flops::from_value(4 * wide * count() + 4 * wide)},
               .operands = {activation(use::read | use::saved, wide, x),
                            activation(use::read | use::saved, elements, made), activation(use::written, wide, y)}});
    return y;
  }
  /// What the last norm reads: the streams collapsed by weights of their own.
  constexpr tensor record_above(recording auto& into, const tensor& x, double rows) const {
    return collapse(into, x, rows, sublayer::outside, count(), 1, "streams.head", 0);
  }
 private:
  constexpr double count() const { return static_cast<double>(streams); }
  constexpr double width() const { return static_cast<double>(hidden); }
  static constexpr operand activation(use how, double elements, const tensor& of) {
    return {.what = role::activation, .how = how, .over = split::sequence, .elements = elements, .of = of};
  }

  // One product over all streams, normalised without a weight, and the sum that it weighs.
  constexpr tensor collapse(recording auto& into, const tensor& x, double rows, sublayer in, double outputs,
                            double scales, const char* name, double more) const {
    const double inputs = count() * width(), weights = inputs * outputs, beside = outputs + scales;
    const place mixing{in, position::stream_weights}, summing{in, position::stream_collapse};
    const tensor weighed = into.made(mixing, operation::custom), y = into.made(summing, operation::custom);
    into.take({.name = text_of(name),
               .where = mixing,
               .kind = operation::custom,
               .shape = {.batch = 1, .m = rows, .n = outputs, .k = inputs},
               .held = parameters::from_value(weights + beside),
               .active = parameters::from_value(weights + beside),
               .multiplied = macs::from_value(rows * weights),
               .elementwise = flops::from_value(rows * (3 * inputs + 4 * outputs + more)),
               .backward = {.input_products = 1,
                            .weight_products = 1,
                            .elementwise = flops::from_value(rows * (6 * inputs + 8 * outputs + 2 * more)),
                            .weight_elementwise = flops::from_value(rows * outputs)},
               .operands = {{.what = role::weight, .how = use::read, .elements = weights},
                            activation(use::read | use::saved, rows * inputs, x),
                            activation(use::written | use::saved, rows * outputs, weighed),
                            {.what = role::bias, .how = use::read, .elements = beside}}});
    into.take({.name = text_of("streams.collapse"),
               .where = summing,
               .kind = operation::custom,
               .elementwise = flops::from_value(2 * rows * inputs),
               .backward = {.elementwise = flops::from_value(4 * rows * inputs)},
               .operands = {activation(use::read | use::saved, rows * inputs, x),
                            activation(use::written, rows * width(), y)}});
    return y;
  }
};

}  // namespace flopledger
