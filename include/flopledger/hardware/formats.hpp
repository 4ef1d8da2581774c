// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What a device computes a recipe in, where its matrix unit lacks the recipe's own format.

#include <flopledger/hardware/device.hpp>
#include <flopledger/precision.hpp>

namespace flopledger {

/// Whether a recipe stores its matrices narrower than 16 bits, so that kernels may widen them as they read them.
constexpr bool stores_narrow(const recipe& asked) { return asked.weights.bits < 16 || asked.frozen().bits < 16; }

namespace detail {
/// Products of 16 bits run on the FP32 units where there are no 16-bit ones with FP32 sums (Apple's GPUs, P100): every
/// 16-bit number is an FP32 number.
template <class Device>
constexpr recipe on_what_there_is(const Device& device, recipe asked) {
  const bool lacks_16_bits = !device.bf16.is_known() && !device.fp16.is_known();
  if (asked.compute.bits == 16 && lacks_16_bits && device.fp32_vector.is_known()) asked.compute = fp32::format;
  return asked;
}
}  // namespace detail

/// A recipe whose weights are stored narrow, on a device. Where that lacks the products, kernels widen the weights to
/// 16 bits as they read them, as vLLM's Marlin kernels do before Hopper; and the 16 bits are FP16 where it has no BF16
/// (T4, V100, Ascend 310P).
template <class Device = accelerator>
constexpr recipe run_widened_on(const Device& device, recipe asked) {
  const auto has = [&](const number_format& format) { return dense_peak_figure(device, format.kind).is_known(); };
  if (has(asked.compute)) return asked;
  number_format wide = asked.activations.bits == 16 ? asked.activations : bf16::format;
  if (!has(wide) && has(fp16::format)) wide = fp16::format;
  for (number_format* format : {&asked.weights, &asked.other_weights, &asked.gradients, &asked.kv_cache})
    if (format->bits == 16) *format = wide;
  asked.activations = asked.compute = wide;
  return detail::on_what_there_is(device, asked);
}

/// A recipe on a device: of narrow weights (w8a16, w4a16, QLoRA) as above, else in the products that it names, whether
/// the device has a peak for them or not.
template <class Device = accelerator>
constexpr recipe run_on(const Device& device, const recipe& asked) {
  return stores_narrow(asked) ? run_widened_on(device, asked) : detail::on_what_there_is(device, asked);
}

}  // namespace flopledger
