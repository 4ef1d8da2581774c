// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A device as the time model sees it: peaks of a recipe, bandwidth, and the shares of them that kernels reach.

#include <flopledger/hardware/efficiency.hpp>
#include <flopledger/precision.hpp>
#include <flopledger/time/calibration.hpp>

namespace flopledger {

/// The rates of a device for one recipe, and how much of them it reaches.
struct machine {
  flop_rate peak{};            ///< dense, of the products' format
  flop_rate attention_peak{};  ///< dense, of the format that attention runs in
  byte_rate bandwidth{};
  double units = 1;  ///< compute units that share a product
  efficiency reached{};
  flop_rate plain_peak{};     ///< dense, of the products that no recipe narrows (head, router); 0: as `peak`
  measured_rates measured{};  ///< stands in place of `reached` where there is such a curve

  constexpr flop_rate plain() const { return plain_peak.value() > 0 ? plain_peak : peak; }
  /// The same machine without losses.
  constexpr machine floor() const {
    machine ideal = *this;
    ideal.reached = efficiencies::ideal;
    ideal.measured = {};
    return ideal;
  }
};

/// A device under a recipe. Attention, the head and the router run in the format of the activations.
constexpr machine machine_of(const accelerator& device, const recipe& precision, const efficiency& reached) {
  machine made;
  made.peak = peak_rate(device, precision.compute.kind);
  const bool narrow = precision.compute.bits < 16;
  const figure<flop_rate> wide = device.bf16.is_known() ? device.bf16 : device.fp16;
  made.attention_peak = narrow && wide.is_known() ? wide.value() : made.peak;
  made.plain_peak = made.attention_peak;
  made.bandwidth = published(device, &accelerator::memory_bandwidth);
  made.units = device.compute_units.value_or(1.0);
  made.reached = reached;
  return made;
}
constexpr machine machine_of(const accelerator& device, const recipe& precision) {
  return machine_of(device, precision, efficiency_of(device));
}

/// The device that a calibration was measured on: its curves in place of any constant. `bad_calibration` where a format
/// of the recipe was not measured. A template, so that only who asks for it pays.
template <class Calibration>
requires std::same_as<Calibration, calibration>
constexpr machine machine_of(const Calibration& from, const recipe& precision) {
  const number_kind wide = detail::plain_format(precision);
  machine made;
  made.peak = flop_rate::from_value(detail::peak_of(from, precision.compute.kind));
  made.attention_peak = flop_rate::from_value(detail::peak_of(from, wide));
  made.plain_peak = made.attention_peak;
  made.bandwidth = byte_rate::from_value(from.bandwidth);
  made.reached.bandwidth = from.streams.rates.back() / from.bandwidth;
  made.reached.launch = seconds::from_value(from.launch);
  made.measured.products = detail::curve_of(from, precision.compute.kind);
  made.measured.plain_products = detail::curve_of(from, wide);
  made.measured.streams = &from.streams;
  for (const attention_curve& curve : from.attention)
    if (curve.format == wide) (curve.causal ? made.measured.causal_attention : made.measured.attention) = &curve;
  return made;
}

}  // namespace flopledger
