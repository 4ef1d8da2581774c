// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// AMD GPUs, and EPYC.
/// Above each device stand the codes of its sources (docs/hardware.md lists them).

#include <flopledger/hardware/device.hpp>

namespace flopledger::hardware {

/// A-MI100 R-LLMA A-ROCM-MI100
struct mi100 : described_device<mi100> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "mi100",
        .vendor = "AMD",
        .product = "Instinct MI100",
        .form_factor = "PCIe",
        .year = 2020,
        .architecture = "CDNA gfx908",
        .fp64_vector = teraflops(11.5),
        .fp32_vector = teraflops(23.1),
        .bf16 = teraflops(92.3),
        .fp16 = teraflops(184.6),
        .int8 = teraflops(184.6),
        .int4 = doubtful(teraflops(184.6)),
        .compute_units = 120,
        .clock = megahertz(1502),
        .flops_per_clock_per_unit = 1024,
        .memory_type = "HBM2",
        .nominal_memory = gibibytes(32),
        .memory_bandwidth = gigabytes_per_second(1228.8),
        .l2_cache = mebibytes(8),
        .scale_up_link = "Infinity Fabric (3 links, hive of 4)",
        .scale_up_bandwidth = gigabytes_per_second(138),
        .scale_up_peer_bandwidth = gigabytes_per_second(46),
        .scale_up_devices = 4,
        .host_link = "PCIe 4 x16",
        .host_link_bandwidth = gigabytes_per_second(31.5),
        .tdp = watts_of_power(300),
        .evidence = evidence::b,
        .note = "BF16 at half the FP16 rate",
    };
  }
};

/// A-MI210 R-IND R-LLMA
struct mi210 : described_device<mi210> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "mi210",
        .vendor = "AMD",
        .product = "Instinct MI210",
        .form_factor = "PCIe",
        .year = 2022,
        .architecture = "CDNA2 gfx90a",
        .fp64_vector = teraflops(22.6),
        .fp64_matrix = teraflops(45.3),
        .fp32_vector = teraflops(22.6),
        .bf16 = teraflops(181.0),
        .fp16 = teraflops(181.0),
        .int8 = teraflops(181.0),
        .int4 = doubtful(teraflops(181.0)),
        .compute_units = 104,
        .clock = megahertz(1700),
        .flops_per_clock_per_unit = 1024,
        .memory_type = "HBM2e",
        .nominal_memory = gibibytes(64),
        .memory_bandwidth = gigabytes_per_second(1638.4),
        .l2_cache = mebibytes(8),
        .scale_up_link = "Infinity Fabric (3 links)",
        .scale_up_bandwidth = gigabytes_per_second(150),
        .scale_up_peer_bandwidth = gigabytes_per_second(50),
        .scale_up_devices = 4,
        .host_link = "PCIe 4 x16",
        .host_link_bandwidth = gigabytes_per_second(31.5),
        .tdp = watts_of_power(300),
        .evidence = evidence::a,
        .note = "INT8 at the FP16 rate",
    };
  }
};

/// A-MI250X R-TITAN R-STAS R-LLMA R-NANO
struct mi250x : described_device<mi250x> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "mi250x",
        .vendor = "AMD",
        .product = "Instinct MI250X (whole OAM, 2 GCDs)",
        .form_factor = "OAM",
        .year = 2021,
        .architecture = "CDNA2 gfx90a",
        .fp64_vector = teraflops(47.9),
        .fp64_matrix = teraflops(95.7),
        .fp32_vector = teraflops(47.9),
        .bf16 = teraflops(383.0),
        .fp16 = teraflops(383.0),
        .int8 = teraflops(383.0),
        .int4 = doubtful(teraflops(383.0)),
        .compute_units = 220,
        .clock = megahertz(1700),
        .flops_per_clock_per_unit = 1024,
        .memory_type = "HBM2e",
        .nominal_memory = gibibytes(128),
        .memory_bandwidth = gigabytes_per_second(3276.8),
        .l2_cache = mebibytes(16),
        .scale_up_link = "Infinity Fabric 3 (8 links)",
        .scale_up_bandwidth = doubtful(gigabytes_per_second(400)),
        .scale_up_devices = doubtful(8),
        .scale_out_bandwidth = doubtful(gigabits_per_second(200)),
        .host_link = "PCIe 4 x16",
        .host_link_bandwidth = gigabytes_per_second(31.5),
        .tdp = watts_of_power(560),
        .evidence = evidence::a,
        .note = "two devices to software: 191.5 TFLOP/s BF16 and 64 GiB each",
    };
  }
};

/// A-MI300X A-ROCM R-IND R-STAS R-NANO R-SMI R-MLP
struct mi300x : described_device<mi300x> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "mi300x",
        .vendor = "AMD",
        .product = "Instinct MI300X",
        .form_factor = "OAM",
        .year = 2023,
        .architecture = "CDNA3 gfx942",
        .fp64_vector = teraflops(81.7),
        .fp64_matrix = teraflops(163.4),
        .fp32_vector = teraflops(163.4),
        .tf32 = teraflops(653.7),
        .bf16 = teraflops(1307.4),
        .fp16 = teraflops(1307.4),
        .fp8 = teraflops(2614.9),
        .int8 = teraflops(2614.9),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = 304,
        .clock = megahertz(2100),
        .flops_per_clock_per_unit = 2048,
        .memory_type = "HBM3",
        .nominal_memory = gibibytes(192),
        .usable_memory = mebibytes(196'592),
        .memory_bandwidth = gigabytes_per_second(5300),
        .l2_cache = mebibytes(32),
        .last_level_cache = mebibytes(256),
        .scale_up_link = "Infinity Fabric (7 links, full mesh)",
        .scale_up_bandwidth = gigabytes_per_second(448),
        .scale_up_peer_bandwidth = gigabytes_per_second(64),
        .scale_up_devices = 8,
        .scale_out_bandwidth = gigabits_per_second(400),
        .host_link = "PCIe 5 x16",
        .host_link_bandwidth = gigabytes_per_second(63.0),
        .tdp = watts_of_power(750),
        .evidence = evidence::a,
        .note = "128 GB/s a link counts both directions",
    };
  }
};

/// A-MI300A R-IND R-NANO
struct mi300a : described_device<mi300a> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "mi300a",
        .vendor = "AMD",
        .product = "Instinct MI300A (APU)",
        .form_factor = "SH5 socket",
        .year = 2023,
        .architecture = "CDNA3 gfx942",
        .fp64_vector = teraflops(61.3),
        .fp64_matrix = teraflops(122.6),
        .fp32_vector = teraflops(122.6),
        .tf32 = teraflops(490.3),
        .bf16 = teraflops(980.6),
        .fp16 = teraflops(980.6),
        .fp8 = teraflops(1961.2),
        .int8 = teraflops(1961.2),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = 228,
        .clock = megahertz(2100),
        .flops_per_clock_per_unit = 2048,
        .memory_type = "HBM3 (shared with CPU)",
        .nominal_memory = gibibytes(128),
        .memory_bandwidth = gigabytes_per_second(5300),
        .l2_cache = mebibytes(24),
        .last_level_cache = mebibytes(256),
        .scale_up_link = "Infinity Fabric (2 links per peer)",
        .scale_up_bandwidth = doubtful(gigabytes_per_second(384)),
        .scale_up_peer_bandwidth = doubtful(gigabytes_per_second(128)),
        .scale_up_devices = 4,
        .host_link = "PCIe 5 x16",
        .host_link_bandwidth = gigabytes_per_second(63.0),
        .tdp = watts_of_power(550),
        .evidence = evidence::b,
        .note = "550 to 760 W",
    };
  }
};

/// A-MI325X A-ROCM R-STAS R-TITAN R-NANO
struct mi325x : described_device<mi325x> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "mi325x",
        .vendor = "AMD",
        .product = "Instinct MI325X",
        .form_factor = "OAM",
        .year = 2024,
        .architecture = "CDNA3 gfx942",
        .fp64_vector = teraflops(81.7),
        .fp64_matrix = teraflops(163.4),
        .fp32_vector = teraflops(163.4),
        .tf32 = teraflops(653.7),
        .bf16 = teraflops(1307.4),
        .fp16 = teraflops(1307.4),
        .fp8 = teraflops(2614.9),
        .int8 = teraflops(2614.9),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = 304,
        .clock = megahertz(2100),
        .flops_per_clock_per_unit = 2048,
        .memory_type = "HBM3e",
        .nominal_memory = gibibytes(256),
        .memory_bandwidth = gigabytes_per_second(6000),
        .l2_cache = mebibytes(32),
        .last_level_cache = mebibytes(256),
        .scale_up_link = "Infinity Fabric (7 links, full mesh)",
        .scale_up_bandwidth = gigabytes_per_second(448),
        .scale_up_peer_bandwidth = gigabytes_per_second(64),
        .scale_up_devices = 8,
        .scale_out_bandwidth = gigabits_per_second(400),
        .host_link = "PCIe 5 x16",
        .host_link_bandwidth = gigabytes_per_second(63.0),
        .tdp = watts_of_power(1000),
        .evidence = evidence::a,
        .note = "announced with 288 GB, shipped with 256",
    };
  }
};

/// A-MI350X A-ROCM R-IND R-STAS R-SMI
struct mi350x : described_device<mi350x> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "mi350x",
        .vendor = "AMD",
        .product = "Instinct MI350X",
        .form_factor = "OAM",
        .year = 2025,
        .architecture = "CDNA4 gfx950",
        .fp64_vector = teraflops(72.1),
        .fp64_matrix = teraflops(72.1),
        .fp32_vector = teraflops(144.2),
        .bf16 = teraflops(2306.9),
        .fp16 = teraflops(2306.9),
        .fp8 = teraflops(4613.7),
        .fp6 = doubtful(teraflops(9227.5)),
        .fp4 = doubtful(teraflops(9227.5)),
        .int8 = teraflops(4613.7),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .fp6_sparsity_factor = 1,
        .fp4_sparsity_factor = 1,
        .compute_units = 256,
        .clock = megahertz(2200),
        .flops_per_clock_per_unit = 4096,
        .memory_type = "HBM3e",
        .nominal_memory = gibibytes(288),
        .usable_memory = mebibytes(294'896),
        .memory_bandwidth = gigabytes_per_second(8000),
        .l2_cache = mebibytes(32),
        .last_level_cache = mebibytes(256),
        .scale_up_link = "Infinity Fabric (7 links, full mesh)",
        .scale_up_bandwidth = doubtful(gigabytes_per_second(537.6)),
        .scale_up_peer_bandwidth = gigabytes_per_second(76.8),
        .scale_up_devices = 8,
        .scale_out_bandwidth = gigabits_per_second(400),
        .host_link = "PCIe 5 x16",
        .host_link_bandwidth = gigabytes_per_second(63.0),
        .tdp = watts_of_power(1000),
        .evidence = evidence::a,
        .note = "no TF32; FP6 and FP4 have no sparse mode",
    };
  }
};

/// A-MI355X A-ROCM R-STAS R-TITAN R-NANO R-SMI
struct mi355x : described_device<mi355x> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "mi355x",
        .vendor = "AMD",
        .product = "Instinct MI355X",
        .form_factor = "OAM",
        .year = 2025,
        .architecture = "CDNA4 gfx950",
        .fp64_vector = teraflops(78.6),
        .fp64_matrix = teraflops(78.6),
        .fp32_vector = teraflops(157.3),
        .bf16 = teraflops(2516.6),
        .fp16 = teraflops(2516.6),
        .fp8 = teraflops(5033.2),
        .fp6 = teraflops(10066.3),
        .fp4 = teraflops(10066.3),
        .int8 = teraflops(5033.2),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .fp6_sparsity_factor = 1,
        .fp4_sparsity_factor = 1,
        .compute_units = 256,
        .clock = megahertz(2400),
        .flops_per_clock_per_unit = 4096,
        .memory_type = "HBM3e",
        .nominal_memory = gibibytes(288),
        .usable_memory = mebibytes(294'896),
        .memory_bandwidth = gigabytes_per_second(8000),
        .l2_cache = mebibytes(32),
        .last_level_cache = mebibytes(256),
        .scale_up_link = "Infinity Fabric (7 links, full mesh)",
        .scale_up_bandwidth = doubtful(gigabytes_per_second(537.6)),
        .scale_up_peer_bandwidth = gigabytes_per_second(76.8),
        .scale_up_devices = 8,
        .scale_out_bandwidth = gigabits_per_second(400),
        .host_link = "PCIe 5 x16",
        .host_link_bandwidth = gigabytes_per_second(63.0),
        .tdp = watts_of_power(1400),
        .evidence = evidence::a,
        .note = "no TF32; FP6 and FP4 have no sparse mode; 10.1 PF FP8 elsewhere is sparse",
    };
  }
};

/// A-7900XTX
struct rx_7900_xtx : described_device<rx_7900_xtx> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "rx-7900-xtx",
        .vendor = "AMD",
        .product = "Radeon RX 7900 XTX",
        .form_factor = "PCIe",
        .year = 2022,
        .architecture = "RDNA3 gfx1100",
        .fp32_vector = teraflops(61.4),
        .fp16_vector = teraflops(122.8),
        .bf16 = teraflops(122.8),
        .fp16 = teraflops(122.8),
        .int8 = doubtful(teraflops(122.8)),
        .int4 = doubtful(teraflops(245.6)),
        .compute_units = 96,
        .clock = megahertz(2500),
        .flops_per_clock_per_unit = 512,
        .memory_type = "GDDR6",
        .nominal_memory = gibibytes(24),
        .memory_bandwidth = gigabytes_per_second(960),
        .l2_cache = mebibytes(6),
        .last_level_cache = mebibytes(96),
        .scale_up_link = "none",
        .scale_up_devices = 1,
        .host_link = "PCIe 4 x16",
        .host_link_bandwidth = gigabytes_per_second(31.5),
        .tdp = watts_of_power(355),
        .evidence = evidence::c,
        .note = "FP32 needs dual issue",
    };
  }
};

/// A-EPYC
struct epyc_9654 : described_device<epyc_9654> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "epyc-9654",
        .vendor = "AMD",
        .product = "EPYC 9654 (one socket)",
        .form_factor = "CPU socket",
        .year = 2022,
        .architecture = "Zen 4 Genoa",
        .fp64_vector = teraflops(3.7),
        .fp32_vector = teraflops(7.4),
        .bf16 = doubtful(teraflops(14.7)),
        .int8 = doubtful(teraflops(29.5)),
        .compute_units = 96,
        .clock = megahertz(2400),
        .flops_per_clock_per_unit = 64,
        .memory_type = "DDR5",
        .memory_bandwidth = gigabytes_per_second(460.8),
        .last_level_cache = mebibytes(384),
        .scale_up_link = "xGMI3",
        .scale_up_bandwidth = doubtful(gigabytes_per_second(96)),
        .scale_up_devices = 2,
        .host_link = "PCIe 5 x16",
        .host_link_bandwidth = gigabytes_per_second(63.0),
        .tdp = watts_of_power(360),
        .evidence = evidence::c,
        .note = "at the 2.4 GHz base clock",
    };
  }
};

}  // namespace flopledger::hardware
