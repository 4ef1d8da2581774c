// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The least time a forward pass takes on a device: each operation by its products at the peak rate, or by its bytes
/// at the memory's bandwidth, whichever is longer (Williams et al. 2009).

#include <flopledger/time/machine.hpp>
#include <flopledger/time/traffic.hpp>

namespace flopledger {

/// The two rates that bound an operation.
struct machine_rates {
  flop_rate peak{};  ///< of the products that a recipe narrows
  byte_rate bandwidth{};
  flop_rate plain{};  ///< of attention, the head and the router; 0: as `peak`

  constexpr const flop_rate& peak_of(operation kind) const {
    return is_block_product(kind) || plain.value() <= 0 ? peak : plain;
  }
};

/// The rates of a machine, `times` over.
template <class Machine = machine>
constexpr machine_rates rates_of(const Machine& on, double times = 1) {
  return {.peak = times * on.peak, .bandwidth = times * on.bandwidth, .plain = times * on.plain()};
}

/// A time by each of the two rates.
struct floor_times {
  seconds compute{}, bandwidth{};
  constexpr bool is_compute_bound() const { return compute >= bandwidth; }
  constexpr seconds longer() const { return is_compute_bound() ? compute : bandwidth; }
};

/// Floors of one row. Elementwise FLOPs run beside the matrix unit, at rates of their own: their bytes bound them.
template <class Row = row>
constexpr floor_times floor_of(const Row& r, const data_formats& formats, const machine_rates& rates) {
  return {.compute = computed_flops(r) / rates.peak_of(r.kind),
          .bandwidth = moved_by(r, formats).total() / rates.bandwidth};
}

/// A fold: floors of the forward pass.
struct roofline {
  data_formats formats{};
  machine_rates rates{};
  floor_times total{};          ///< of all products, and of all bytes
  seconds one_after_another{};  ///< the sum of each operation's longer time
  seconds compute_bound{};      ///< of it, in operations that compute bounds

  template <class = void>
  constexpr void take(const row& r, std::int64_t times) {
    const auto n = static_cast<double>(times);
    const floor_times here = floor_of(r, formats, rates);
    total.compute += n * here.compute;
    total.bandwidth += n * here.bandwidth;
    one_after_another += n * here.longer();
    if (here.is_compute_bound()) compute_bound += n * here.compute;
  }
};

/// A fold: seconds of all products at the peak of their format, each once forward and by its rule backward. What runs
/// again does not count.
struct products_at_peak {
  const machine& on;
  double total = 0;

  constexpr void take(const row& r, std::int64_t times) {
    const flop_rate rate = is_attention_product(r.kind) ? on.attention_peak
                           : is_block_product(r.kind)   ? on.peak
                                                        : on.plain();
    const macs all = r.multiplied + backward_macs(r);
    total += static_cast<double>(times) * (flops_per_mac * all / rate).value();
  }
};

}  // namespace flopledger
