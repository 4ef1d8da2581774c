// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// How much of its published rates a device reaches, by few constants with physical causes, one set a device family.

#include <flopledger/hardware/device.hpp>
#include <flopledger/standing.hpp>

namespace flopledger {

/// What a fused attention kernel reaches of the dense peak of its format, forward, by the width of a head. Between the
/// widths it is interpolated.
struct attention_rates {
  double wide_64 = 1, wide_128 = 1, wide_256 = 1;
  double backward = 1;  ///< rate of the backward kernel over the forward's
  double ramp = 0;  ///< tokens: a causal kernel over n of them reaches n/(n + ramp), for its diagonal blocks are half
                    ///< masked and its first rows are short

  constexpr double of(double head_dim) const {
    if (head_dim <= 64) return wide_64;
    if (head_dim <= 128) return wide_64 + (wide_128 - wide_64) * (head_dim - 64) / 64;
    if (head_dim <= 256) return wide_128 + (wide_256 - wide_128) * (head_dim - 128) / 128;
    return wide_256;
  }
};

/// The kernels that frameworks ship, each with the figure that its rates were read from.
namespace attention_kernels {
/// FlashAttention-2 on A100: tests/data/published/flash_attention.csv, forward and backward together, long sequences
/// without a mask (176 and 203 of 312 TFLOP/s); the ramp from its causal bars at 512 to 2048 tokens.
inline constexpr attention_rates flash_2_ampere{
    .wide_64 = 0.58, .wide_128 = 0.67, .wide_256 = 0.67, .backward = 0.95, .ramp = 420};
/// FlashAttention-2 on H100: 324, 370 and 326 TFLOP/s forward (Shah et al. 2024, figure 5, heads of 64, 128 and 256);
/// backward 0.87 of that (322 of 370, figure 6).
inline constexpr attention_rates flash_2_hopper{
    .wide_64 = 0.33, .wide_128 = 0.374, .wide_256 = 0.33, .backward = 0.87, .ramp = 420};
/// cuDNN 9 on H100: 413, 600 and 580 TFLOP/s forward (the same figure); backward 0.86 of it (518 of
/// 600).
inline constexpr attention_rates cudnn_hopper{
    .wide_64 = 0.42, .wide_128 = 0.61, .wide_256 = 0.59, .backward = 0.86, .ramp = 420};
/// cuDNN 9.13 on B200: FlashAttention-4 reports 1605 TFLOP/s and 1.3 times cuDNN, so 1235 of 2250; exponentials bound
/// it, which do not speed up with heads of 64. Backward 0.8 of it (shared memory bounds that one).
inline constexpr attention_rates cudnn_blackwell{
    .wide_64 = 0.33, .wide_128 = 0.55, .wide_256 = 0.55, .backward = 0.80, .ramp = 420};
}  // namespace attention_kernels

/// Every constant says what causes it. Efficiency 1 and no overhead give the pure roofline.
struct efficiency {
  double products = 1;    ///< of the peak, inside a full tile of the largest shape (clock, issue)
  double tile_reuse = 0;  ///< loses I/(I + this) on a tile of intensity I = m·n/(m + n): operands come from cache
  double fill_depth = 0;  ///< steps along k that a tile takes before and after its products (pipeline fill, epilogue)
  bool waves = false;     ///< tiles run in waves over the compute units; a last wave that is not full costs a whole one
  double bandwidth = 1;   ///< of the memory's published bandwidth, streaming
  seconds launch{};       ///< least time between the starts of two dependent kernels
  double sustained = 1;   ///< of the products' rate, held for minutes: under a steady load of matrix products the clock
                          ///< falls until the device draws no more than its power limit
  attention_rates attention{};
  watts power{};                     ///< least power limit of the boards that these constants were held against
  flop_rate peak{};                  ///< of 16 bits, dense, of these boards
  standing how = standing::assumed;  ///< on the device that takes these constants
  std::string_view source{};         ///< what they were measured on, and by whom
};

namespace efficiencies {
/// No cause at all: the floor.
inline constexpr efficiency ideal{.source = "none: the floor"};

/// A100. Products, reuse, fill, bandwidth and launch from Vidur's profiles of Llama-2-7B's products on A100-80
/// (tests/data/published/vidur_layer_ops.csv; its Llama-2-70B rows are left for testing).
inline constexpr efficiency ampere{.products = 0.84,
                                   .tile_reuse = 16,
                                   .fill_depth = 64,
                                   .waves = true,
                                   .bandwidth = 0.80,
                                   .launch = seconds::from_value(5e-6),
                                   .sustained = 1.0,
                                   .attention = attention_kernels::flash_2_ampere,
                                   .power = watts::from_value(400),
                                   .peak = flop_rate::from_value(312e12),
                                   .how = standing::measured,
                                   .source = "A100 SXM: Vidur's profiles of products"};
/// H100, H200: the same from Vidur's H100 profiles. Sustained: MPT-7B's steps on H100 at 700 W
/// (published/llm_foundry_mpt.csv; the other sizes are left for testing).
inline constexpr efficiency hopper{.products = 0.88,
                                   .tile_reuse = 32,
                                   .fill_depth = 256,
                                   .waves = true,
                                   .bandwidth = 0.88,
                                   .launch = seconds::from_value(5e-6),
                                   .sustained = 0.80,
                                   .attention = attention_kernels::cudnn_hopper,
                                   .power = watts::from_value(700),
                                   .peak = flop_rate::from_value(989.4e12),
                                   .how = standing::measured,
                                   .source = "H100 SXM: Vidur's profiles of products, LLM Foundry's steps of MPT-7B"};
/// B200, GB200: the largest product reported for B200 reaches 0.776 of the dense peak (published/gemm_measured.csv)
/// against 0.803 on H100, hence 0.85; tiles, fill, bandwidth and launch as on Hopper. Sustained: Llama-3-8B steps in
/// 8-bit formats on B200 and GB200 (published/nvidia_nemo_bridge_training.csv).
inline constexpr efficiency blackwell{
    .products = 0.85,
    .tile_reuse = 32,
    .fill_depth = 256,
    .waves = true,
    .bandwidth = 0.88,
    .launch = seconds::from_value(5e-6),
    .sustained = 0.60,
    .attention = attention_kernels::cudnn_blackwell,
    .power = watts::from_value(1000),
    .peak = flop_rate::from_value(2250e12),
    .how = standing::measured,
    .source = "B200: its largest product, steps of Llama-3-8B; tiles, memory and launch of H100 SXM"};
/// B300, GB300: Blackwell with 1.1 and 1.4 times its power. Sustained: Llama-3-8B steps on GB300 (the same table, which
/// has B300, too).
inline constexpr efficiency blackwell_ultra{
    .products = 0.85,
    .tile_reuse = 32,
    .fill_depth = 256,
    .waves = true,
    .bandwidth = 0.88,
    .launch = seconds::from_value(5e-6),
    .sustained = 0.75,
    .attention = attention_kernels::cudnn_blackwell,
    .power = watts::from_value(1100),
    .peak = flop_rate::from_value(2250e12),
    .how = standing::measured,
    .source = "GB300: steps of Llama-3-8B; products of B200; tiles, memory and launch of H100 SXM"};
/// MI300X. Products: the largest one reported reaches 0.514 of the peak (published/gemm_measured.csv), which is 0.55
/// inside its tiles; tiles, memory and launch of A100 SXM.
inline constexpr efficiency cdna_3{
    .products = 0.55,
    .tile_reuse = 16,
    .fill_depth = 64,
    .waves = true,
    .bandwidth = 0.80,
    .launch = seconds::from_value(5e-6),
    .attention = attention_kernels::flash_2_ampere,
    .power = watts::from_value(750),
    .peak = flop_rate::from_value(1307.4e12),
    .how = standing::measured,
    .source = "MI300X: its largest product; tiles, memory, launch and attention of A100"};
/// Boards with GDDR memory (GeForce, RTX, L40S, A10): as A100, but for the memory, of which an RTX 3090 reaches 0.92
/// reading FP16 weights (published/llamacpp_llama3_gpus.csv).
inline constexpr efficiency gddr{
    .products = 0.84,
    .tile_reuse = 16,
    .fill_depth = 64,
    .waves = true,
    .bandwidth = 0.92,
    .launch = seconds::from_value(5e-6),
    .attention = attention_kernels::flash_2_ampere,
    .source = "products, tiles, launch and attention of A100 SXM; memory of an RTX 3090 under llama.cpp"};
}  // namespace efficiencies

/// The constants where the power limit is lowered to a share of the data sheet's: every clock is assumed to fall with
/// it, so all that computes does.
constexpr efficiency at_power(efficiency full, double share) {
  full.power *= share;
  full.how = standing::assumed;
  full.sustained *= share;
  for (double* rate : {&full.attention.wide_64, &full.attention.wide_128, &full.attention.wide_256}) *rate *= share;
  return full;
}

/// The constants of a device, which say how they are known. Measured: on its family, under no higher power limit than
/// its own. Assumed: on boards of more power, whose clocks fall with the watts (but for boards of so much lower a peak
/// that they have more watts for each FLOP); or on another family, for nobody measured its own: then an RTX 3090 stands
/// for GDDR memory and A100 SXM for the rest, and only `efficiencies::ideal`, the floor, is known to hold.
constexpr efficiency efficiency_of(const accelerator& device) {
  const auto of_family = [&]() -> const efficiency& {
    switch (device.family) {
      case device_family::ampere:
        return efficiencies::ampere;
      case device_family::hopper:
        return efficiencies::hopper;
      case device_family::blackwell:
        return efficiencies::blackwell;
      case device_family::blackwell_ultra:
        return efficiencies::blackwell_ultra;
      case device_family::cdna_3:
        return efficiencies::cdna_3;
      case device_family::gddr:
        return efficiencies::gddr;
      case device_family::unmeasured:
        break;
    }
    const bool gddr = std::string_view(device.memory_type.value_or("")).starts_with("GDDR");
    return gddr ? efficiencies::gddr : efficiencies::ampere;
  };
  efficiency taken = of_family();
  if (device.family == device_family::unmeasured) {
    taken.how = standing::assumed;
    return taken;
  }
  if (!device.tdp.is_known() || device.tdp.value() >= taken.power) return taken;
  const double share = device.tdp.value().value() / taken.power.value();
  taken.how = standing::assumed;
  const bool lower_peak = device.bf16.is_known() && device.bf16.value().value() / taken.peak.value() <= share;
  return lower_peak ? taken : at_power(taken, share);
}

}  // namespace flopledger
