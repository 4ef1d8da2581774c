// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Gaudi, Data Center GPU Max, and Xeon with AMX.
/// Above each device stand the codes of its sources (docs/hardware.md lists them).

#include <flopledger/hardware/device.hpp>

namespace flopledger::hardware {

/// I-G2 R-STAS R-HLV
struct gaudi2 : described_device<gaudi2> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "gaudi2",
        .vendor = "Intel",
        .product = "Gaudi 2 (HL-225)",
        .form_factor = "OAM",
        .year = 2022,
        .architecture = "Gaudi 2",
        .bf16 = teraflops(432),
        .fp8 = teraflops(865),
        .compute_units = 2,
        .clock = megahertz(1650),
        .flops_per_clock_per_unit = 131'072,
        .memory_type = "HBM2e",
        .nominal_memory = doubtful(gibibytes(96)),
        .memory_bandwidth = gigabytes_per_second(2460),
        .last_level_cache = mebibytes(48),
        .scale_up_link = "RoCE 21 x 100 GbE",
        .scale_up_bandwidth = gigabytes_per_second(262.5),
        .scale_up_peer_bandwidth = gigabytes_per_second(37.5),
        .scale_up_devices = 8,
        .scale_out_bandwidth = gigabits_per_second(300),
        .host_link = "PCIe 4 x16",
        .host_link_bandwidth = gigabytes_per_second(31.5),
        .tdp = watts_of_power(600),
        .evidence = evidence::a,
        .note = "24 ports, 21 of them scale-up",
    };
  }
};

/// I-G3 I-NET R-STAS R-HLV R-GENZ
struct gaudi3 : described_device<gaudi3> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "gaudi3",
        .vendor = "Intel",
        .product = "Gaudi 3 (HL-325L OAM)",
        .form_factor = "OAM",
        .year = 2024,
        .architecture = "Gaudi 3",
        .tf32 = doubtful(teraflops(459)),
        .bf16 = teraflops(1677),
        .fp16 = doubtful(teraflops(459)),
        .fp8 = teraflops(1677),
        .compute_units = 8,
        .clock = megahertz(1600),
        .flops_per_clock_per_unit = 131'072,
        .memory_type = "HBM2e",
        .nominal_memory = doubtful(gibibytes(128)),
        .memory_bandwidth = gigabytes_per_second(3700),
        .last_level_cache = mebibytes(96),
        .scale_up_link = "RoCE 21 x 200 GbE",
        .scale_up_bandwidth = gigabytes_per_second(525),
        .scale_up_peer_bandwidth = gigabytes_per_second(75),
        .scale_up_devices = 8,
        .scale_out_bandwidth = gigabits_per_second(600),
        .host_link = "PCIe 5 x16",
        .host_link_bandwidth = gigabytes_per_second(63.0),
        .tdp = watts_of_power(900),
        .evidence = evidence::d,
        .note = "1835 BF16 is at 1750 MHz; shipped parts run at 1600: 1677",
    };
  }
};

/// I-PVC R-TITAN
struct max_1550 : described_device<max_1550> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "max-1550",
        .vendor = "Intel",
        .product = "Data Center GPU Max 1550 (Ponte Vecchio, 2 stacks)",
        .form_factor = "OAM",
        .year = 2023,
        .architecture = "Xe-HPC",
        .fp64_vector = teraflops(52.4),
        .fp64_matrix = doubtful(teraflops(52.4)),
        .fp32_vector = teraflops(52.4),
        .fp16_vector = doubtful(teraflops(104.9)),
        .tf32 = teraflops(419.4),
        .bf16 = teraflops(838.9),
        .fp16 = teraflops(838.9),
        .int8 = teraflops(1677.7),
        .compute_units = 1024,
        .clock = megahertz(1600),
        .flops_per_clock_per_unit = 512,
        .memory_type = "HBM2e",
        .nominal_memory = gibibytes(128),
        .memory_bandwidth = gigabytes_per_second(3276.8),
        .l2_cache = mebibytes(408),
        .scale_up_link = "Xe Link (16 ports)",
        .scale_up_bandwidth = doubtful(gigabytes_per_second(424)),
        .scale_up_devices = 8,
        .scale_out_bandwidth = doubtful(gigabits_per_second(200)),
        .host_link = "PCIe 5 x16",
        .host_link_bandwidth = gigabytes_per_second(63.0),
        .tdp = watts_of_power(600),
        .evidence = evidence::b,
        .note = "two stacks, one device each in flat mode",
    };
  }
};

/// I-SPR P-REALG
struct xeon_8480plus : described_device<xeon_8480plus> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "xeon-8480plus",
        .vendor = "Intel",
        .product = "Xeon Platinum 8480+ (one socket, AMX)",
        .form_factor = "CPU socket",
        .year = 2023,
        .architecture = "Sapphire Rapids",
        .fp64_vector = teraflops(3.6),
        .fp32_vector = teraflops(7.2),
        .bf16 = teraflops(114.7),
        .int8 = teraflops(229.4),
        .compute_units = 56,
        .clock = megahertz(2000),
        .flops_per_clock_per_unit = 1024,
        .memory_type = "DDR5",
        .memory_bandwidth = gigabytes_per_second(307.2),
        .last_level_cache = mebibytes(105),
        .scale_up_link = doubtful("UPI 2.0"),
        .scale_up_bandwidth = doubtful(gigabytes_per_second(48)),
        .scale_up_devices = 2,
        .host_link = "PCIe 5 x16",
        .host_link_bandwidth = gigabytes_per_second(63.0),
        .tdp = watts_of_power(350),
        .evidence = evidence::b,
        .note = "at the 2.0 GHz base clock; all-core AMX turbo differs",
    };
  }
};

}  // namespace flopledger::hardware
