// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// What is known of devices in a constant expression. The whole catalogue is gone through in tests/hardware.

#include <flopledger/hardware/catalogue.hpp>

#include <type_traits>

using namespace flopledger;

static_assert(std::is_aggregate_v<accelerator>);

// Figures have dimensions; the wrong one initialises nothing.
static_assert(std::is_convertible_v<bytes, figure<bytes>>);
static_assert(!std::is_convertible_v<bytes, figure<byte_rate>>);
static_assert(!std::is_convertible_v<bits, figure<bytes>>);
static_assert(!std::is_convertible_v<double, figure<bytes>>);
static_assert(!std::is_convertible_v<figure<bytes>, bytes>);

// Absent is not zero.
static_assert(!figure<watts>{}.is_known());
static_assert(figure<watts>(0_W).is_known());
static_assert(figure<watts>{}.value_or(7_W) == 7_W);
static_assert(doubtful(350_W).is_known() && doubtful(350_W).is_doubtful() && doubtful(350_W).value() == 350_W);
static_assert(!figure<watts>(350_W).is_doubtful());

// One figure, three ways.
using h100 = hardware::h100_sxm5_80gb;
static_assert(usable_memory<h100> == 81559_MiB);
static_assert(figure_of<h100, &accelerator::usable_memory> == 81559_MiB);
static_assert(published(h100::value, &accelerator::usable_memory) == 81559_MiB);
static_assert(name_of(&accelerator::usable_memory) == "usable_memory");

static_assert(nominal_memory<h100> == 80_GiB);
static_assert(memory_bandwidth<h100> == 3350_GB / unit::second);
static_assert(both_directions(scale_up_bandwidth<h100>) == 900_GB / unit::second);
static_assert(scale_up_peer_bandwidth<hardware::mi300x> == 64_GB / unit::second);
static_assert(figure_of<hardware::a100_sxm4_80gb, &accelerator::scale_out_bandwidth> == 25_GB / unit::second);
static_assert(figure_of<h100, &accelerator::tdp> == 700_W);

// Peaks: dense and summed in FP32 unless asked otherwise.
static_assert(peak_of<bf16, h100> == 989.4_TFLOP / unit::second);
static_assert(peak_of<bf16, h100, sparsity::two_of_four> == 2.0 * peak_of<bf16, h100>);
static_assert(peak_of<fp8_e4m3, h100> == peak_of<fp8_e5m2, h100>);
static_assert(peak_of<tf32, h100> == 494.7_TFLOP / unit::second);
static_assert(peak_of<fp32, h100> == 66.9_TFLOP / unit::second);
static_assert(peak_of<mxfp4, hardware::b200_sxm> == peak_of<nvfp4, hardware::b200_sxm>);
static_assert(peak_of<fp64, hardware::a100_sxm4_80gb> == 19.5_TFLOP / unit::second);
static_assert(peak_of<fp64, hardware::xeon_8480plus> == 3.6_TFLOP / unit::second);
static_assert(peak_of<fp16, hardware::rtx_3090, sparsity::dense, accumulation::fp16> ==
              2.0 * peak_of<fp16, hardware::rtx_3090>);

// What a device lacks can be asked before it is used.
static_assert(publishes_peak<hardware::v100_pcie, fp16> && !publishes_peak<hardware::v100_pcie, bf16>);
static_assert(!publishes_peak<h100, int4<>> && !publishes_peak<h100, fp4>);
static_assert(publishes<h100, &accelerator::usable_memory> && !publishes<hardware::mi100, &accelerator::usable_memory>);
static_assert(!publishes_peak<hardware::mi355x, fp4, sparsity::two_of_four>);
static_assert(!publishes_peak<hardware::trainium2, bf16, sparsity::two_of_four>);

// A doubtful factor or peak makes a doubtful product.
static_assert(peak_figure(hardware::cerebras_wse3::value, number_kind::fp16, sparsity::unstructured).is_doubtful());

// A device is a type with a constant `value`; nothing else is.
struct no_value {};
struct value_of_another_type {
  static constexpr int value = 80;
};
struct value_not_constant {
  static accelerator value;
};
static_assert(accelerator_type<h100> && accelerator_type<const h100>);
static_assert(!accelerator_type<int> && !accelerator_type<no_value> && !accelerator_type<value_of_another_type> &&
              !accelerator_type<value_not_constant>);
static_assert(checked_device<h100>::value.id == "h100-sxm5-80gb");
