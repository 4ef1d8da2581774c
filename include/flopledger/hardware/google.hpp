// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Google TPUs, by chip (two TensorCores a chip in v2 to v4, v5p and v7).
/// Above each device stand the codes of its sources (docs/hardware.md lists them).

#include <flopledger/hardware/device.hpp>

namespace flopledger::hardware {

/// G-DSA R-LIGHT P-ELEK
struct tpu_v2 : described_device<tpu_v2> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "tpu-v2",
        .vendor = "Google",
        .product = "TPU v2 (per chip, 2 cores)",
        .form_factor = "cloud",
        .year = 2017,
        .architecture = "TPU v2",
        .bf16 = teraflops(45),
        .compute_units = 2,
        .clock = megahertz(700),
        .flops_per_clock_per_unit = 32768,
        .memory_type = "HBM",
        .nominal_memory = gibibytes(16),
        .memory_bandwidth = doubtful(gigabytes_per_second(700)),
        .scale_up_link = "ICI 2D torus (4 links)",
        .scale_up_bandwidth = doubtful(gigabytes_per_second(248)),
        .scale_up_peer_bandwidth = doubtful(gigabytes_per_second(62)),
        .scale_up_devices = 256,
        .tdp = doubtful(watts_of_power(280)),
        .evidence = evidence::b,
        .note = "45 published, 45.9 by units and clock",
    };
  }
};

/// G-TPU3 G-DSA R-LIGHT
struct tpu_v3 : described_device<tpu_v3> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "tpu-v3",
        .vendor = "Google",
        .product = "TPU v3 (per chip, 2 cores)",
        .form_factor = "cloud",
        .year = 2018,
        .architecture = "TPU v3",
        .bf16 = teraflops(123),
        .compute_units = 4,
        .clock = megahertz(940),
        .flops_per_clock_per_unit = 32768,
        .memory_type = "HBM2",
        .nominal_memory = gibibytes(32),
        .memory_bandwidth = gigabytes_per_second(900),
        .scale_up_link = "ICI 2D torus (4 links)",
        .scale_up_bandwidth = doubtful(gigabytes_per_second(328)),
        .scale_up_peer_bandwidth = doubtful(gigabytes_per_second(82)),
        .scale_up_devices = 1024,
        .tdp = doubtful(watts_of_power(450)),
        .evidence = evidence::a,
        .note = "two TensorCores a chip",
    };
  }
};

/// G-TPU4 R-LIGHT R-TITAN R-MAXT R-SCAL
struct tpu_v4 : described_device<tpu_v4> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "tpu-v4",
        .vendor = "Google",
        .product = "TPU v4 (per chip)",
        .form_factor = "cloud",
        .year = 2021,
        .architecture = "TPU v4",
        .bf16 = teraflops(275),
        .int8 = teraflops(275),
        .compute_units = 8,
        .clock = megahertz(1050),
        .flops_per_clock_per_unit = 32768,
        .memory_type = "HBM2",
        .nominal_memory = gibibytes(32),
        .memory_bandwidth = gigabytes_per_second(1200),
        .last_level_cache = doubtful(mebibytes(128)),
        .scale_up_link = "ICI 3D torus (6 links)",
        .scale_up_bandwidth = doubtful(gigabytes_per_second(300)),
        .scale_up_peer_bandwidth = gigabytes_per_second(50),
        .scale_up_devices = 4096,
        .tdp = doubtful(watts_of_power(192)),
        .evidence = evidence::a,
        .note = "INT8 is no faster than BF16; 192 W is the measured highest",
    };
  }
};

/// G-TPU5E R-LIGHT R-TITAN R-MAXT R-SCAL R-MLP
struct tpu_v5e : described_device<tpu_v5e> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "tpu-v5e",
        .vendor = "Google",
        .product = "TPU v5e (per chip)",
        .form_factor = "cloud",
        .year = 2023,
        .architecture = "TPU v5e",
        .bf16 = teraflops(197),
        .fp8 = doubtful(teraflops(197)),
        .int8 = teraflops(394),
        .compute_units = 4,
        .clock = megahertz(1500),
        .flops_per_clock_per_unit = 32768,
        .memory_type = "HBM2",
        .nominal_memory = doubtful(gibibytes(16)),
        .memory_bandwidth = gigabytes_per_second(819),
        .scale_up_link = "ICI 2D torus (4 links)",
        .scale_up_bandwidth = gigabytes_per_second(200),
        .scale_up_peer_bandwidth = gigabytes_per_second(50),
        .scale_up_devices = 256,
        .scale_out_bandwidth = gigabits_per_second(25),
        .evidence = evidence::a,
        .note = "INT8 also printed 393, bandwidth 800 GiB/s",
    };
  }
};

/// G-TPU5P R-TITAN R-MAXT R-SCAL R-STAS
struct tpu_v5p : described_device<tpu_v5p> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "tpu-v5p",
        .vendor = "Google",
        .product = "TPU v5p (per chip)",
        .form_factor = "cloud",
        .year = 2023,
        .architecture = "TPU v5p",
        .bf16 = teraflops(459),
        .fp8 = teraflops(459),
        .int8 = teraflops(918),
        .compute_units = 8,
        .clock = megahertz(1750),
        .flops_per_clock_per_unit = 32768,
        .memory_type = "HBM2e",
        .nominal_memory = doubtful(gibibytes(95)),
        .memory_bandwidth = gigabytes_per_second(2765),
        .scale_up_link = "ICI 3D torus (6 links)",
        .scale_up_bandwidth = gigabytes_per_second(600),
        .scale_up_peer_bandwidth = gigabytes_per_second(100),
        .scale_up_devices = 8960,
        .scale_out_bandwidth = gigabits_per_second(50),
        .evidence = evidence::a,
        .note = "FP8 at the BF16 rate; 95 GB and 95 GiB are both printed",
    };
  }
};

/// G-TPU6E R-TITAN R-MAXT R-SCAL R-MLP
struct tpu_v6e : described_device<tpu_v6e> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "tpu-v6e",
        .vendor = "Google",
        .product = "TPU v6e Trillium (per chip)",
        .form_factor = "cloud",
        .year = 2024,
        .architecture = "TPU v6e",
        .bf16 = teraflops(918),
        .fp8 = teraflops(918),
        .int8 = teraflops(1836),
        .memory_type = doubtful("HBM3"),
        .nominal_memory = gibibytes(32),
        .memory_bandwidth = gigabytes_per_second(1638),
        .scale_up_link = "ICI 2D torus (4 links)",
        .scale_up_bandwidth = gigabytes_per_second(400),
        .scale_up_peer_bandwidth = gigabytes_per_second(100),
        .scale_up_devices = 256,
        .evidence = evidence::a,
        .note = "FP8 at the BF16 rate",
    };
  }
};

/// G-TPU7 R-TITAN R-STAS P-HYPER
struct tpu_v7 : described_device<tpu_v7> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "tpu-v7",
        .vendor = "Google",
        .product = "TPU7x Ironwood (per chip, 2 TensorCores)",
        .form_factor = "cloud",
        .year = 2025,
        .architecture = "TPU7x",
        .bf16 = teraflops(2307),
        .fp8 = teraflops(4614),
        .memory_type = doubtful("HBM3e"),
        .nominal_memory = gibibytes(192),
        .memory_bandwidth = doubtful(gigabytes_per_second(7380)),
        .scale_up_link = "ICI 3D torus (6 links)",
        .scale_up_bandwidth = gigabytes_per_second(600),
        .scale_up_peer_bandwidth = gigabytes_per_second(100),
        .scale_up_devices = 9216,
        .evidence = evidence::a,
        .note = "two devices to JAX: 1153.5 TFLOP/s and 96 GiB each",
    };
  }
};

}  // namespace flopledger::hardware
