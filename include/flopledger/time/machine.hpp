// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A device as the time model sees it: peaks of a recipe, bandwidth, and the shares of them that kernels reach.

#include <flopledger/frameworks.hpp>
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
  bool any_layout = false;    ///< multiplies 8-bit operands whichever way they lie, and needs no turned copy of them
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

/// A device under a recipe, with constants that `reached` says the standing of. Attention, the head and the router run
/// in the format of the activations.
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
  // Not Ada, Hopper or GeForce's Blackwell (TransformerEngine, nvte_is_non_tn_fp8_gemm_supported).
  made.any_layout = device.family == device_family::blackwell || device.family == device_family::blackwell_ultra;
  return made;
}
constexpr machine machine_of(const accelerator& device, const recipe& precision) {
  return machine_of(device, precision, efficiency_of(device));
}

/// What a framework's fused attention reaches of a device.
constexpr attention_rates attention_rates_of(attention_library kernel, const accelerator& device) {
  const bool hopper = device.family == device_family::hopper;
  return kernel == attention_library::flash_2 && hopper ? attention_kernels::flash_2_hopper
                                                        : efficiency_of(device).attention;
}

/// For types, where their values are meant.
template <class Device, class Recipe>
requires accelerator_type<Device> || number_format_type<Recipe>
constexpr machine machine_of(const Device&, const Recipe&) {
  static_assert(sizeof(Device) == 0,
                "machine_of takes values, of a device and of a recipe: `machine_of(hardware::h100_sxm5_80gb::value, "
                "recipes::mixed_bf16::value)`");
  return {};
}

/// The device as a framework uses it, under a power limit. 0: the data sheet's.
constexpr machine machine_of(const accelerator& device, const recipe& precision, const framework& under,
                             watts limit = {}) {
  efficiency reached = efficiency_of(device);
  reached.attention = attention_rates_of(under.attention, device);
  if (limit.value() > 0) reached = at_power(reached, limit / published(device, &accelerator::tdp));
  return machine_of(device, precision, reached);
}

/// The device that a calibration was measured on: its curves in place of any constant. `bad_calibration` where a format
/// of the recipe was not measured. A template, so that only who asks for it pays.
template <class Calibration>
requires std::same_as<Calibration, calibration>
constexpr machine machine_of(const Calibration& from, const recipe& precision) {
  const number_kind wide = detail::plain_format(precision);
  machine made;
  made.peak = detail::peak_of(from, precision.compute.kind);
  made.attention_peak = detail::peak_of(from, wide);
  made.plain_peak = made.attention_peak;
  made.bandwidth = from.bandwidth;
  made.reached.bandwidth = from.streams.rates.back() / from.bandwidth.value();
  made.reached.launch = from.launch;
  made.reached.how = standing::measured;
  made.reached.source = from.device;
  made.measured.products = detail::curve_of(from, precision.compute.kind);
  made.measured.plain_products = detail::curve_of(from, wide);
  made.measured.streams = &from.streams;
  for (const attention_curve& curve : from.attention)
    if (curve.format == wide) (curve.causal ? made.measured.causal_attention : made.measured.attention) = &curve;
  return made;
}

}  // namespace flopledger
