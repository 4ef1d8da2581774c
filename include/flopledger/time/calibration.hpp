// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Rates that were measured on a device, as plain data: what the time model takes in place of the constants of
/// efficiency.hpp. benchmarks/harness measures them and reads them from a file (docs/harness.md); whoever measures with
/// other means fills the same structures, in a constant expression too.

#include <flopledger/compiler.hpp>
#include <flopledger/errors.hpp>
#include <flopledger/hardware/device.hpp>
#include <flopledger/ledger.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace flopledger {

/// A calibration lacks what was asked of it, or contradicts itself.
struct bad_calibration : error {
  using error::error;
};

namespace detail {

/// Where a size lies among those that were measured. A kernel's time grows by a fixed start and a part in proportion to
/// the size, so between two sizes the time is taken as a straight line, which makes the time a unit of work linear in
/// 1/size. Below the first size the line of the first two goes on; beyond the last size the rate stays.
struct grid_place {
  std::size_t below = 0;
  double weight_above = 0;  ///< of the next size; negative below the first

  constexpr grid_place(std::span<const double> axis, double size) {
    if (axis.size() < 2 || !(size > 0)) return;
    if (size >= axis.back()) {
      below = axis.size() - 1;
      return;
    }
    while (axis[below + 1] < size) ++below;
    const double low = 1 / axis[below], high = 1 / axis[below + 1];
    weight_above = (low - 1 / size) / (low - high);
  }

  /// `at(0)` of the size below and `at(1)` of the next, weighted; a unit of work never takes less than at the first
  /// size.
  constexpr double between(auto&& at) const {
    const double here = at(0);
    if (weight_above == 0) return here;
    const double there = here + weight_above * (at(1) - here);
    return weight_above < 0 && there < here ? here : there;
  }
};

}  // namespace detail

// The curves are views of plain numbers, as files and other programs have them; a member says their unit.

/// What products of one format reach, on a grid of shapes.
struct product_curve {
  number_kind format = number_kind::custom;
  std::span<const double> m{}, n{}, k{};  ///< ascending
  std::span<const double> rates{};        ///< FLOP/s at [m][n][k], k running fastest
  bool batch_runs_apart = false;          ///< the products of a batch run one after another

  constexpr double seconds(const product& shape) const {
    const detail::grid_place at_m(m, batch_runs_apart ? shape.m : shape.batch * shape.m), at_n(n, shape.n),
        at_k(k, shape.k);
    const double a_flop = at_m.between([&](std::size_t i) {
      return at_n.between([&](std::size_t j) {
        return at_k.between([&](std::size_t l) {
          return 1 / rates[((at_m.below + i) * n.size() + at_n.below + j) * k.size() + at_k.below + l];
        });
      });
    });
    return 2 * shape.batch * shape.m * shape.n * shape.k * a_flop;
  }
};

/// What attention reaches, by the width of a head and the length of a sequence. FLOPs are those of the pairs that the
/// mask leaves, two products forward and four backward; scores that a backward kernel computes again are not counted.
struct attention_curve {
  number_kind format = number_kind::custom;
  bool causal = false;
  std::span<const double> head_dims{}, lengths{};  ///< ascending
  std::span<const double> forward{}, backward{};   ///< FLOP/s at [head_dim][length], length running fastest

  constexpr double forward_flop(double head_dim, double length) const { return a_flop(forward, head_dim, length); }
  constexpr double backward_flop(double head_dim, double length) const { return a_flop(backward, head_dim, length); }
 private:
  /// Seconds a FLOP. Below the least sizes the rate stays: a decode step's one query is bound by the bytes of its keys.
  constexpr double a_flop(std::span<const double> rates, double head_dim, double length) const {
    const detail::grid_place d(head_dims, head_dim > head_dims.front() ? head_dim : head_dims.front()),
        l(lengths, length > lengths.front() ? length : lengths.front());
    return d.between([&](std::size_t i) {
      return l.between([&](std::size_t j) { return 1 / rates[(d.below + i) * lengths.size() + l.below + j]; });
    });
  }
};

/// What operations reach that only move bytes, by the bytes that they move, read and written together.
struct stream_curve {
  std::span<const double> sizes{};  ///< bytes, ascending
  std::span<const double> rates{};  ///< byte/s

  constexpr double seconds(double size) const {
    const detail::grid_place p(sizes, size);
    return size * p.between([&](std::size_t i) { return 1 / rates[p.below + i]; });
  }
};

/// The dense peak of a format.
struct format_peak {
  number_kind format = number_kind::custom;
  flop_rate rate{};
};

/// Everything that was measured on one device. Views: what they look at must outlive whatever is made of them.
struct calibration {
  std::string_view device{};
  std::span<const format_peak> peaks{};
  byte_rate bandwidth{};  ///< at best: what the device's memory is rated at
  seconds launch{};       ///< between the starts of two kernels with nothing to do
  std::span<const product_curve> products{};
  std::span<const attention_curve> attention{};
  stream_curve streams{};
};

/// Of a calibration, what one recipe uses; all null: nothing was measured.
struct measured_rates {
  const product_curve* products = nullptr;        ///< of the format that the recipe computes in
  const product_curve* plain_products = nullptr;  ///< of the products that no recipe narrows
  const attention_curve* attention = nullptr;
  const attention_curve* causal_attention = nullptr;
  const stream_curve* streams = nullptr;

  constexpr const attention_curve* attention_of(bool causal) const { return causal ? causal_attention : attention; }
};

namespace detail {

/// What attention, head and router run in: nothing narrower than 16 bits.
template <class Recipe>
constexpr number_kind plain_format(const Recipe& precision) {
  if (precision.compute.bits >= 16) return precision.compute.kind;
  return precision.activations.bits >= 16 ? precision.activations.kind : precision.other_weights.kind;
}

// Templates, so that a build that only includes the header need not learn how to join strings.
template <class Kind>
[[noreturn]] constexpr void lacks(std::string_view device, const char* what, Kind format) {
  detail::raise<bad_calibration>("calibration of " + std::string(device) + ": no " + what + " of " +
                                 std::string(name_of(format)));
}

template <class Calibration>
constexpr const product_curve* curve_of(const Calibration& from, number_kind format) {
  for (const product_curve& curve : from.products)
    if (curve.format == format) return &curve;
  lacks(from.device, "curve of products", format);
}
template <class Calibration>
constexpr flop_rate peak_of(const Calibration& from, number_kind format) {
  for (const format_peak& peak : from.peaks)
    if (peak.format == format) return peak.rate;
  lacks(from.device, "peak", format);
}

}  // namespace detail

}  // namespace flopledger
