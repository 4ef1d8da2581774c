// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Huawei Ascend.
/// The 910B bins carry cores x 16^3 x 2 x clock of the platform files that CANN ships; press figures for the same bins
/// are 1.06 to 1.14 times as high, so their peaks are doubtful throughout.
/// Above each device stand the codes of its sources (docs/hardware.md lists them).

#include <flopledger/hardware/device.hpp>

namespace flopledger::hardware {

/// H-HC31 P-VENG P-ELECF C-INI
struct ascend_910a : described_device<ascend_910a> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "ascend-910a",
        .vendor = "Huawei",
        .product = "Ascend 910 (910A, gen 1)",
        .form_factor = "module",
        .year = 2019,
        .architecture = "Da Vinci dav-c100",
        .fp16 = teraflops(256),
        .int8 = teraflops(512),
        .compute_units = 32,
        .clock = doubtful(megahertz(1000)),
        .flops_per_clock_per_unit = 8192,
        .memory_type = "HBM2",
        .nominal_memory = gibibytes(32),
        .memory_bandwidth = doubtful(gigabytes_per_second(1200)),
        .l2_cache = mebibytes(32),
        .scale_up_link = "HCCS (3 ports)",
        .scale_up_bandwidth = doubtful(gigabytes_per_second(90)),
        .scale_up_peer_bandwidth = gigabytes_per_second(30),
        .scale_up_devices = doubtful(4),
        .scale_out_bandwidth = gigabits_per_second(100),
        .host_link = "PCIe 4 x16",
        .host_link_bandwidth = gigabytes_per_second(31.5),
        .tdp = watts_of_power(310),
        .evidence = evidence::a,
        .note = "sold as 256, 262 by units and clock; no BF16; CANN's plain \"Ascend910B\" is this generation",
    };
  }
};

/// C-INI
struct ascend_910b1 : described_device<ascend_910b1> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "ascend-910b1",
        .vendor = "Huawei",
        .product = "Ascend 910B1 (A2)",
        .form_factor = "module",
        .year = 2023,
        .architecture = "Da Vinci dav-c220",
        .bf16 = doubtful(teraflops(363.7)),
        .fp16 = doubtful(teraflops(363.7)),
        .int8 = doubtful(teraflops(727.4)),
        .int4 = doubtful(teraflops(1454.8)),
        .compute_units = 24,
        .clock = megahertz(1850),
        .flops_per_clock_per_unit = 8192,
        .memory_type = doubtful("HBM2e"),
        .nominal_memory = gibibytes(64),
        .memory_bandwidth = doubtful(gigabytes_per_second(1600)),
        .l2_cache = mebibytes(192),
        .scale_up_link = "HCCS (7 links, full mesh)",
        .scale_up_bandwidth = doubtful(gigabytes_per_second(196)),
        .scale_up_peer_bandwidth = doubtful(gigabytes_per_second(28)),
        .scale_up_devices = 8,
        .scale_out_bandwidth = doubtful(gigabits_per_second(200)),
        .host_link = doubtful("PCIe 5 x16"),
        .host_link_bandwidth = doubtful(gigabytes_per_second(63.0)),
        .tdp = doubtful(watts_of_power(400)),
        .evidence = evidence::d,
        .note = "peak of the platform file; the press has 414",
    };
  }
};

/// C-INI R-VERL
struct ascend_910b2 : described_device<ascend_910b2> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "ascend-910b2",
        .vendor = "Huawei",
        .product = "Ascend 910B2 (A2)",
        .form_factor = "module",
        .year = 2023,
        .architecture = "Da Vinci dav-c220",
        .bf16 = doubtful(teraflops(353.9)),
        .fp16 = doubtful(teraflops(353.9)),
        .int8 = doubtful(teraflops(707.8)),
        .int4 = doubtful(teraflops(1415.6)),
        .compute_units = 24,
        .clock = megahertz(1800),
        .flops_per_clock_per_unit = 8192,
        .memory_type = doubtful("HBM2e"),
        .nominal_memory = gibibytes(64),
        .memory_bandwidth = doubtful(gigabytes_per_second(1600)),
        .l2_cache = mebibytes(192),
        .scale_up_link = "HCCS (7 links, full mesh)",
        .scale_up_bandwidth = doubtful(gigabytes_per_second(196)),
        .scale_up_peer_bandwidth = doubtful(gigabytes_per_second(28)),
        .scale_up_devices = 8,
        .scale_out_bandwidth = doubtful(gigabits_per_second(200)),
        .host_link = doubtful("PCIe 5 x16"),
        .host_link_bandwidth = doubtful(gigabytes_per_second(63.0)),
        .tdp = doubtful(watts_of_power(400)),
        .evidence = evidence::d,
        .note = "peak of the platform file; the press has 376",
    };
  }
};

/// C-INI
struct ascend_910b3 : described_device<ascend_910b3> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "ascend-910b3",
        .vendor = "Huawei",
        .product = "Ascend 910B3 (A2)",
        .form_factor = "module",
        .year = 2023,
        .architecture = "Da Vinci dav-c220",
        .bf16 = doubtful(teraflops(294.9)),
        .fp16 = doubtful(teraflops(294.9)),
        .int8 = doubtful(teraflops(589.8)),
        .int4 = doubtful(teraflops(1179.6)),
        .compute_units = 20,
        .clock = megahertz(1800),
        .flops_per_clock_per_unit = 8192,
        .memory_type = doubtful("HBM2e"),
        .nominal_memory = gibibytes(64),
        .memory_bandwidth = doubtful(gigabytes_per_second(1600)),
        .l2_cache = mebibytes(192),
        .scale_up_link = "HCCS (7 links, full mesh)",
        .scale_up_bandwidth = doubtful(gigabytes_per_second(196)),
        .scale_up_peer_bandwidth = doubtful(gigabytes_per_second(28)),
        .scale_up_devices = 8,
        .scale_out_bandwidth = doubtful(gigabits_per_second(200)),
        .host_link = doubtful("PCIe 5 x16"),
        .host_link_bandwidth = doubtful(gigabytes_per_second(63.0)),
        .tdp = doubtful(watts_of_power(400)),
        .evidence = evidence::d,
        .note = "peak of the platform file; the press has 313",
    };
  }
};

/// C-INI H-A2 R-VLLMASC
struct ascend_910b4 : described_device<ascend_910b4> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "ascend-910b4",
        .vendor = "Huawei",
        .product = "Ascend 910B4 (A2)",
        .form_factor = "module",
        .year = 2023,
        .architecture = "Da Vinci dav-c220",
        .bf16 = doubtful(teraflops(245.8)),
        .fp16 = doubtful(teraflops(245.8)),
        .int8 = doubtful(teraflops(491.6)),
        .int4 = doubtful(teraflops(983.2)),
        .compute_units = 20,
        .clock = megahertz(1500),
        .flops_per_clock_per_unit = 8192,
        .memory_type = doubtful("HBM2e"),
        .nominal_memory = gibibytes(32),
        .memory_bandwidth = doubtful(gigabytes_per_second(800)),
        .l2_cache = mebibytes(96),
        .scale_up_link = "HCCS (7 links, full mesh)",
        .scale_up_bandwidth = doubtful(gigabytes_per_second(196)),
        .scale_up_peer_bandwidth = doubtful(gigabytes_per_second(28)),
        .scale_up_devices = 8,
        .scale_out_bandwidth = doubtful(gigabits_per_second(200)),
        .host_link = doubtful("PCIe 5 x16"),
        .host_link_bandwidth = doubtful(gigabytes_per_second(63.0)),
        .evidence = evidence::d,
        .note = "peak of the platform file; the press has 280; bin B4-1 has 64 GB",
    };
  }
};

/// H-CM384 C-INI P-BESTHUB P-CRC P-TREND
struct ascend_910c : described_device<ascend_910c> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "ascend-910c",
        .vendor = "Huawei",
        .product = "Ascend 910C (A3, two dies)",
        .form_factor = "module",
        .year = 2024,
        .architecture = "Da Vinci dav-c220 x2",
        .bf16 = doubtful(teraflops(752)),
        .fp16 = doubtful(teraflops(752)),
        .int8 = doubtful(teraflops(1504)),
        .compute_units = 48,
        .clock = doubtful(megahertz(1912)),
        .flops_per_clock_per_unit = 8192,
        .memory_type = doubtful("HBM2e"),
        .nominal_memory = gibibytes(128),
        .memory_bandwidth = doubtful(gigabytes_per_second(3200)),
        .l2_cache = mebibytes(384),
        .scale_up_link = "UB (Unified Bus)",
        .scale_up_bandwidth = doubtful(gigabytes_per_second(392)),
        .scale_up_devices = 384,
        .scale_out_bandwidth = gigabits_per_second(400),
        .evidence = evidence::d,
        .note = "two devices to software, of 376 TFLOP/s by the CloudMatrix384 paper, 363.7 by the platform file",
    };
  }
};

/// C-INI H-300I
struct ascend_310p3 : described_device<ascend_310p3> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "ascend-310p3",
        .vendor = "Huawei",
        .product = "Ascend 310P3 (Atlas 300I Pro; 300I Duo has two)",
        .form_factor = "PCIe",
        .year = 2021,
        .architecture = "Da Vinci dav-m200",
        .fp16 = teraflops(69.5),
        .int8 = teraflops(138.9),
        .compute_units = 8,
        .clock = megahertz(1060),
        .flops_per_clock_per_unit = 8192,
        .memory_type = doubtful("LPDDR4X"),
        .nominal_memory = doubtful(gigabytes(24)),
        .memory_bandwidth = doubtful(gigabytes_per_second(204.8)),
        .l2_cache = mebibytes(16),
        .scale_up_link = "none",
        .scale_up_devices = 1,
        .host_link = "PCIe 4 x16",
        .host_link_bandwidth = gigabytes_per_second(31.5),
        .tdp = doubtful(watts_of_power(72)),
        .evidence = evidence::b,
        .note = "no BF16; memory is decimal in the platform file",
    };
  }
};

}  // namespace flopledger::hardware
