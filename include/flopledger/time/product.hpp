// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The time of one operation on one device: the roofline with its causes of loss.

#include <flopledger/time/machine.hpp>
#include <flopledger/time/traffic.hpp>

namespace flopledger {

namespace detail {

/// n ≥ 0 tiles, the last one whole even where it is not full; less than a billionth of one is rounding.
constexpr double whole(double n) { return static_cast<double>(static_cast<std::int64_t>(n + (1 - 1e-9))); }

struct tile {
  double m = 0, n = 0;
};
// Shapes that libraries ship for 16-bit products, the most reused operands first; smaller ones exist to fill the device
// when there are few tiles, and one of 16 rows, the matrix units' own least, for the few tokens of a decode step.
inline constexpr tile tile_shapes[] = {{256, 128}, {128, 256}, {128, 128}, {128, 64}, {64, 64}, {16, 128}};
inline constexpr int tile_count = 6;

/// A dimension in tiles of each size.
struct tiled {
  double size, wide, half;
  constexpr tiled(double of) : size(of), wide(whole(of / 256)), half(whole(of / 128)) {}
  constexpr double in(double tile_size) const {
    return tile_size > 128 ? wide : tile_size > 64 ? half : whole(size / tile_size);
  }
};

constexpr double intensity(const tile& t) { return t.m * t.n / (t.m + t.n); }

}  // namespace detail

/// Seconds of a product forward and backward.
struct product_times {
  double forward = 0, inputs = 0, weights = 0;
};

/// Times products at one peak: what is the same for all of them is worked out once.
class product_timer {
 public:
  constexpr product_timer() = default;
  constexpr product_timer(const machine& on, flop_rate peak, double steady)
      : whole_rate_(peak.value() * on.reached.products * steady),
        units_(on.units),
        a_unit_(1 / on.units),
        fill_(on.reached.fill_depth),
        launch_(on.reached.launch.value()),
        a_byte_(1 / (on.bandwidth.value() * on.reached.bandwidth)),
        waves_(on.reached.waves),
        curve_(peak == on.peak ? on.measured.products : on.measured.plain_products),
        streams_(on.measured.streams) {
    // A tile of intensity I reaches I/(I + reuse), over what the largest shape reaches.
    const double reuse = on.reached.tile_reuse;
    const double at_best = 2 / (whole_rate_ * (1 + reuse / detail::intensity(detail::tile_shapes[0])));
    for (int i = 0; i < detail::tile_count; ++i) {
      const detail::tile& t = detail::tile_shapes[i];
      least_[i] = at_best * (1 + reuse * (1 / t.m + 1 / t.n));
      a_step_[i] = t.m * t.n * units_ * least_[i];
    }
  }

  /// Seconds on the compute units alone: whole tiles, in whole waves, each with its fill, by the fastest of the shapes
  /// and of the ways to split k that a library would choose between. A shape that could not win even without waste is
  /// not tried.
  constexpr double compute(const product& shape) const {
    if (curve_ != nullptr) return curve_->seconds(shape);
    return waves_ ? fastest(shape.batch, shape.m, shape.n, shape.k)
                  : 2 * shape.batch * shape.m * shape.n * shape.k / whole_rate_;
  }

  /// With its operands' bytes: whichever takes longer, and the launch.
  constexpr double operator()(const product& shape, double bytes_moved) const {
    return slower(compute(shape), bytes_moved * a_byte_);
  }
  /// A product forward and, where asked, backward: m×n by n×k for the gradient of its input, k×m by m×n for that of its
  /// weights. `apart`: each of the batch is a kernel of its own, with its own last wave, as experts' products can be.
  constexpr product_times passes(const product& shape, double bytes_moved, bool apart, bool inputs,
                                 bool weights) const {
    const double moving = bytes_moved * a_byte_;
    product_times took;
    if (curve_ != nullptr) {
      const double kernels = apart ? shape.batch : 1, batch = apart ? 1 : shape.batch;
      const auto timed = [&](double m, double n, double k) {
        return kernels * curve_->seconds({.batch = batch, .m = m, .n = n, .k = k});
      };
      took.forward = timed(shape.m, shape.n, shape.k);
      if (inputs) took.inputs = timed(shape.m, shape.k, shape.n);
      if (weights) took.weights = timed(shape.k, shape.n, shape.m);
      return took;
    }
    if (!waves_) {
      took.forward = slower(compute(shape), moving);
      took.inputs = inputs ? took.forward : 0.0;
      took.weights = weights ? took.forward : 0.0;
      return took;
    }
    const double batch = apart ? 1 : shape.batch, kernels = apart ? shape.batch : 1;
    const detail::tiled m(shape.m), n(shape.n), k(shape.k);
    took.forward = slower(kernels * fastest(batch, m, n, shape.k), moving);
    if (inputs) took.inputs = slower(kernels * fastest(batch, m, k, shape.n), moving);
    if (weights) took.weights = slower(kernels * fastest(batch, k, n, shape.m), moving);
    return took;
  }
  /// What only moves bytes.
  constexpr double stream(double bytes_moved) const {
    return streams_ != nullptr ? streams_->seconds(bytes_moved) : bytes_moved * a_byte_ + launch_;
  }
  constexpr double move(double bytes_moved) const { return bytes_moved * a_byte_; }
  constexpr double launch() const { return launch_; }
 private:
  constexpr double slower(double computing, double moving) const {
    if (curve_ != nullptr) return computing;  // measured with its bytes and its launch
    return (computing > moving ? computing : moving) + launch_;
  }
  constexpr double fastest(double batch, const detail::tiled& m, const detail::tiled& n, double k) const {
    const double count = batch * m.wide * n.half, turned = batch * m.half * n.wide;
    double best = tried(0, count, batch, m, n, k);
    const double amount = batch * m.size * n.size * k;
    if (amount * least_[1] >= best) return best;
    if (turned != count) best = smaller(best, tried(1, turned, batch, m, n, k));
    for (int i = 2; i < detail::tile_count; ++i) {
      if (amount * least_[i] >= best) break;
      const detail::tile& t = detail::tile_shapes[i];
      best = smaller(best, tried(i, batch * m.in(t.m) * n.in(t.n), batch, m, n, k));
    }
    return best;
  }
  /// By as many tiles of one shape.
  constexpr double tried(int i, double count, double batch, const detail::tiled& m, const detail::tiled& n,
                         double k) const {
    double best = detail::whole(count * a_unit_) * a_step_[i] * (k + fill_);
    if (count >= units_) return best;
    for (const double parts : {2.0, 4.0, 8.0}) {
      if (k < 512 * parts) break;
      // Partial sums go to memory and come back, the most of them through the cache.
      const double sums = 2 * parts * batch * m.size * n.size * 4 * 0.3 * a_byte_;
      const double split = detail::whole(count * parts * a_unit_) * a_step_[i] * (k / parts + fill_) + sums;
      best = smaller(best, split);
    }
    return best;
  }
  static constexpr double smaller(double a, double b) { return b < a ? b : a; }

  double whole_rate_ = 1, units_ = 1, a_unit_ = 1, fill_ = 0, launch_ = 0, a_byte_ = 0;
  bool waves_ = false;
  const product_curve* curve_ = nullptr;
  const stream_curve* streams_ = nullptr;
  double a_step_[detail::tile_count]{};  ///< seconds a step along k of one wave, times the units
  double least_[detail::tile_count]{};   ///< seconds a multiply-add at best
};

/// Seconds of a product with its operands' bytes: whichever takes longer, and the launch.
constexpr seconds product_time(const product& shape, bytes moved, const machine& on) {
  return product_timer{on, on.peak, 1}(shape, moved.value()) * unit::second;
}

/// Seconds of what only moves bytes.
constexpr seconds streaming_time(bytes moved, const machine& on) {
  return product_timer{on, on.peak, 1}.stream(moved.value()) * unit::second;
}

}  // namespace flopledger
