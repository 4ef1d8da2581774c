// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// How much of its published rates a device reaches, by few constants with physical causes, one set a device family.

#include <flopledger/hardware/device.hpp>

namespace flopledger {

/// Every constant says what causes it. Efficiency 1 and no overhead give the pure roofline.
struct efficiency {
  double products = 1;    ///< of the peak, inside a full tile of the largest shape (power, clock, issue)
  double tile_reuse = 0;  ///< loses I/(I + this) on a tile of intensity I = m·n/(m + n): operands come from cache
  double fill_depth = 0;  ///< steps along k that a tile takes before and after its products (pipeline fill, epilogue)
  bool waves = false;     ///< tiles run in waves over the compute units; a last wave that is not full costs a whole one
  double bandwidth = 1;   ///< of the memory's published bandwidth, streaming
  seconds launch{};       ///< least time between the starts of two dependent kernels
  double attention_64 = 1;        ///< of the peak, a fused kernel's forward pass with heads of 64
  double attention_128 = 1;       ///< with heads of 128
  double attention_backward = 1;  ///< the backward kernel's rate over the forward's
  double attention_ramp = 0;  ///< tokens of query at which a causal kernel reaches half of what long ones do beyond it
};

namespace efficiencies {
/// No cause at all: the floor.
inline constexpr efficiency ideal{};

/// A100. Products, reuse, fill, bandwidth and launch from Vidur's profiles of Llama-2-7B's products on A100-80
/// (tests/data/published/vidur_layer_ops.csv; its Llama-2-70B rows are left for testing); attention from
/// FlashAttention-2's figure for A100 (published/flash_attention.csv), forward and backward together.
inline constexpr efficiency ampere{.products = 0.84,
                                   .tile_reuse = 16,
                                   .fill_depth = 64,
                                   .waves = true,
                                   .bandwidth = 0.80,
                                   .launch = seconds::from_value(5e-6),
                                   .attention_64 = 0.58,
                                   .attention_128 = 0.66,
                                   .attention_backward = 0.95,
                                   .attention_ramp = 560};
/// H100, H200: the same from Vidur's H100 profiles.
inline constexpr efficiency hopper{.products = 0.88,
                                   .tile_reuse = 32,
                                   .fill_depth = 256,
                                   .waves = true,
                                   .bandwidth = 0.88,
                                   .launch = seconds::from_value(5e-6),
                                   .attention_64 = 0.45,
                                   .attention_128 = 0.55,
                                   .attention_backward = 0.85,
                                   .attention_ramp = 560};
/// B200: the largest product reported for it reaches 0.776 of the dense peak (published/gemm_measured.csv) against
/// 0.803 on H100; all else as on Hopper.
inline constexpr efficiency blackwell{.products = 0.85,
                                      .tile_reuse = 32,
                                      .fill_depth = 256,
                                      .waves = true,
                                      .bandwidth = 0.88,
                                      .launch = seconds::from_value(5e-6),
                                      .attention_64 = 0.40,
                                      .attention_128 = 0.50,
                                      .attention_backward = 0.85,
                                      .attention_ramp = 560};
}  // namespace efficiencies

}  // namespace flopledger
