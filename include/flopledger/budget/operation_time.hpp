// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The time of one operation on one device: the roofline with its causes of loss.

#include <flopledger/budget/traffic.hpp>
#include <flopledger/hardware/efficiency.hpp>

namespace flopledger {

/// The rates of a device for one recipe, and how much of them it reaches.
struct machine {
  flop_rate peak{};            ///< dense, of the products' format
  flop_rate attention_peak{};  ///< dense, of the format that attention runs in
  byte_rate bandwidth{};
  double units = 1;  ///< compute units that share a product
  efficiency reached{};
};

namespace detail {
constexpr double whole_tiles(double n, double tile) {
  const auto count = static_cast<double>(static_cast<std::int64_t>(n / tile));
  return count * tile < n ? count + 1 : count;
}

struct tile {
  double m, n;
};
// Shapes that libraries ship for 16-bit products; smaller ones exist to fill the device when there are few tiles.
inline constexpr tile tile_shapes[] = {{256, 128}, {128, 256}, {128, 128}, {64, 256}, {128, 64}, {64, 128}, {64, 64}};
}  // namespace detail

/// Seconds of `shape` on the compute units alone: whole tiles, in whole waves, each with its fill, by the fastest of
/// the shapes and of the ways to split k that a library would choose between.
constexpr double product_seconds(const product& shape, const machine& on) {
  const efficiency& e = on.reached;
  const double peak = on.peak.value();
  const double ideal = 2 * shape.batch * shape.m * shape.n * shape.k / peak;
  if (!e.waves) return ideal / e.products;
  const double largest = 256.0 * 128.0 / (256.0 + 128.0);
  const double a_unit = peak / on.units;
  double best = -1;
  for (const detail::tile& t : detail::tile_shapes) {
    const double count = shape.batch * detail::whole_tiles(shape.m, t.m) * detail::whole_tiles(shape.n, t.n);
    const double intensity = t.m * t.n / (t.m + t.n);
    const double reached = e.products * intensity / (intensity + e.tile_reuse) * (1 + e.tile_reuse / largest);
    const auto with_parts = [&](double parts) {
      const double in_wave = 2 * t.m * t.n * (shape.k / parts + e.fill_depth) / (a_unit * reached);
      double time = detail::whole_tiles(count * parts, on.units) * in_wave;
      // Partial sums go to memory and come back, a few of them through the cache.
      if (parts > 1)
        time += 2 * parts * shape.batch * shape.m * shape.n * 4 * 0.3 / (on.bandwidth.value() * e.bandwidth);
      if (best < 0 || time < best) best = time;
    };
    with_parts(1);
    if (count < on.units)
      for (const double parts : {2.0, 4.0, 8.0})
        if (shape.k / parts >= 512) with_parts(parts);
  }
  return best;
}

/// Seconds of a product with its operands' bytes: whichever takes longer, and the launch.
constexpr seconds product_time(const product& shape, bytes moved, const machine& on) {
  const double compute = product_seconds(shape, on);
  const double memory = moved.value() / (on.bandwidth.value() * on.reached.bandwidth);
  return ((compute > memory ? compute : memory) + on.reached.launch.value()) * unit::second;
}

/// Seconds of what only moves bytes.
constexpr seconds streaming_time(bytes moved, const machine& on) {
  return (moved.value() / (on.bandwidth.value() * on.reached.bandwidth) + on.reached.launch.value()) * unit::second;
}

}  // namespace flopledger
