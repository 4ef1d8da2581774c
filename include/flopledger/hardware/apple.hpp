// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Apple GPUs.
/// Arithmetic of cores x 128 x 2 x clock; Apple itself publishes few peaks. The memory is the largest configuration, of
/// which the GPU may use about three quarters by default.
/// Above each device stand the codes of its sources (docs/hardware.md lists them).

#include <flopledger/hardware/device.hpp>

namespace flopledger::hardware {

/// AP-PR P-HMC-APPLE P-WCCF
struct apple_m1_max : described_device<apple_m1_max> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "apple-m1-max",
        .vendor = "Apple",
        .product = "M1 Max (32-core GPU)",
        .form_factor = "SoC",
        .year = 2021,
        .architecture = "Apple GPU",
        .fp32_vector = doubtful(teraflops(10.6)),
        .fp16_vector = doubtful(teraflops(10.6)),
        .compute_units = 32,
        .clock = doubtful(megahertz(1296)),
        .flops_per_clock_per_unit = doubtful(256),
        .memory_type = "LPDDR5(X) unified",
        .nominal_memory = gibibytes(64),
        .memory_bandwidth = gigabytes_per_second(400),
        .scale_up_link = "none",
        .scale_up_devices = 1,
        .evidence = evidence::c,
    };
  }
};

/// AP-PR P-HMC-APPLE P-WCCF
struct apple_m1_ultra : described_device<apple_m1_ultra> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "apple-m1-ultra",
        .vendor = "Apple",
        .product = "M1 Ultra (64-core GPU)",
        .form_factor = "SoC",
        .year = 2022,
        .architecture = "Apple GPU",
        .fp32_vector = doubtful(teraflops(21.2)),
        .fp16_vector = doubtful(teraflops(21.2)),
        .compute_units = 64,
        .clock = doubtful(megahertz(1296)),
        .flops_per_clock_per_unit = doubtful(256),
        .memory_type = "LPDDR5(X) unified",
        .nominal_memory = gibibytes(128),
        .memory_bandwidth = gigabytes_per_second(800),
        .scale_up_link = "none",
        .scale_up_devices = 1,
        .evidence = evidence::c,
    };
  }
};

/// AP-PR P-HMC-APPLE P-WCCF
struct apple_m2_max : described_device<apple_m2_max> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "apple-m2-max",
        .vendor = "Apple",
        .product = "M2 Max (38-core GPU)",
        .form_factor = "SoC",
        .year = 2023,
        .architecture = "Apple GPU",
        .fp32_vector = doubtful(teraflops(13.6)),
        .fp16_vector = doubtful(teraflops(13.6)),
        .compute_units = 38,
        .clock = doubtful(megahertz(1398)),
        .flops_per_clock_per_unit = doubtful(256),
        .memory_type = "LPDDR5(X) unified",
        .nominal_memory = gibibytes(96),
        .memory_bandwidth = gigabytes_per_second(400),
        .scale_up_link = "none",
        .scale_up_devices = 1,
        .evidence = evidence::c,
    };
  }
};

/// AP-PR P-HMC-APPLE P-WCCF
struct apple_m2_ultra : described_device<apple_m2_ultra> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "apple-m2-ultra",
        .vendor = "Apple",
        .product = "M2 Ultra (76-core GPU)",
        .form_factor = "SoC",
        .year = 2023,
        .architecture = "Apple GPU",
        .fp32_vector = doubtful(teraflops(27.2)),
        .fp16_vector = doubtful(teraflops(27.2)),
        .compute_units = 76,
        .clock = doubtful(megahertz(1398)),
        .flops_per_clock_per_unit = doubtful(256),
        .memory_type = "LPDDR5(X) unified",
        .nominal_memory = gibibytes(192),
        .memory_bandwidth = gigabytes_per_second(800),
        .scale_up_link = "none",
        .scale_up_devices = 1,
        .evidence = evidence::c,
    };
  }
};

/// AP-PR P-HMC-APPLE P-WCCF
struct apple_m3_max : described_device<apple_m3_max> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "apple-m3-max",
        .vendor = "Apple",
        .product = "M3 Max (40-core GPU)",
        .form_factor = "SoC",
        .year = 2023,
        .architecture = "Apple GPU",
        .fp32_vector = doubtful(teraflops(14.3)),
        .fp16_vector = doubtful(teraflops(14.3)),
        .compute_units = 40,
        .clock = doubtful(megahertz(1398)),
        .flops_per_clock_per_unit = doubtful(256),
        .memory_type = "LPDDR5(X) unified",
        .nominal_memory = gibibytes(128),
        .memory_bandwidth = gigabytes_per_second(400),
        .scale_up_link = "none",
        .scale_up_devices = 1,
        .evidence = evidence::c,
    };
  }
};

/// AP-PR P-HMC-APPLE P-WCCF
struct apple_m3_ultra : described_device<apple_m3_ultra> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "apple-m3-ultra",
        .vendor = "Apple",
        .product = "M3 Ultra (80-core GPU)",
        .form_factor = "SoC",
        .year = 2025,
        .architecture = "Apple GPU",
        .fp32_vector = doubtful(teraflops(28.6)),
        .fp16_vector = doubtful(teraflops(28.6)),
        .compute_units = 80,
        .clock = doubtful(megahertz(1398)),
        .flops_per_clock_per_unit = doubtful(256),
        .memory_type = "LPDDR5(X) unified",
        .nominal_memory = gibibytes(512),
        .memory_bandwidth = gigabytes_per_second(819),
        .scale_up_link = "none",
        .scale_up_devices = 1,
        .evidence = evidence::c,
    };
  }
};

/// AP-PR P-HMC-APPLE P-WCCF
struct apple_m4_max : described_device<apple_m4_max> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "apple-m4-max",
        .vendor = "Apple",
        .product = "M4 Max (40-core GPU)",
        .form_factor = "SoC",
        .year = 2024,
        .architecture = "Apple GPU",
        .fp32_vector = doubtful(teraflops(16.2)),
        .fp16_vector = doubtful(teraflops(16.2)),
        .compute_units = 40,
        .clock = doubtful(megahertz(1578)),
        .flops_per_clock_per_unit = doubtful(256),
        .memory_type = "LPDDR5(X) unified",
        .nominal_memory = gibibytes(128),
        .memory_bandwidth = gigabytes_per_second(546),
        .scale_up_link = "none",
        .scale_up_devices = 1,
        .evidence = evidence::c,
    };
  }
};

}  // namespace flopledger::hardware
