// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Cerebras, Groq and Graphcore.
/// Above each device stand the codes of its sources (docs/hardware.md lists them).

#include <flopledger/hardware/device.hpp>

namespace flopledger::hardware {

/// CB-WSE2 P-AIWIKI
struct cerebras_wse2 : described_device<cerebras_wse2> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "cerebras-wse2",
        .vendor = "Cerebras",
        .product = "WSE-2 (CS-2)",
        .form_factor = "wafer",
        .year = 2021,
        .architecture = "WSE-2",
        .fp16 = doubtful(teraflops(7500)),
        .compute_units = 850'000,
        .clock = doubtful(megahertz(1100)),
        .flops_per_clock_per_unit = doubtful(8),
        .memory_type = "on-wafer SRAM",
        .nominal_memory = doubtful(gigabytes(40)),
        .memory_bandwidth = gigabytes_per_second(20'000'000),
        .scale_up_link = "SwarmX",
        .scale_up_bandwidth = doubtful(gigabytes_per_second(150)),
        .scale_up_devices = doubtful(192),
        .tdp = doubtful(watts_of_power(23000)),
        .evidence = evidence::c,
        .note = "no dense peak is stated: cores x 4-wide FMA x clock; power of a CS-2",
    };
  }
};

/// CB-WSE3 P-NEXT P-YOBI
struct cerebras_wse3 : described_device<cerebras_wse3> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "cerebras-wse3",
        .vendor = "Cerebras",
        .product = "WSE-3 (CS-3)",
        .form_factor = "wafer",
        .year = 2024,
        .architecture = "WSE-3",
        .fp16 = doubtful(teraflops(15800)),
        .sparse_mode = sparsity::unstructured,
        .sparsity_factor = doubtful(8),
        .compute_units = 900'000,
        .clock = doubtful(megahertz(1100)),
        .flops_per_clock_per_unit = doubtful(16),
        .memory_type = "on-wafer SRAM",
        .nominal_memory = doubtful(gigabytes(44)),
        .memory_bandwidth = gigabytes_per_second(21'000'000),
        .scale_up_link = "SwarmX",
        .scale_up_bandwidth = doubtful(gigabytes_per_second(150)),
        .scale_up_devices = 2048,
        .tdp = doubtful(watts_of_power(23000)),
        .evidence = evidence::c,
        .note = "headline 125 PF counts unstructured sparsity; power of a CS-3",
    };
  }
};

/// GQ-PB P-TPU-GROQ
struct groq_lpu1 : described_device<groq_lpu1> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "groq-lpu1",
        .vendor = "Groq",
        .product = "LPU v1 (GroqChip / TSP)",
        .form_factor = "PCIe",
        .year = 2020,
        .architecture = "TSP",
        .fp16 = teraflops(188),
        .int8 = teraflops(750),
        .memory_type = "on-chip SRAM",
        .nominal_memory = doubtful(megabytes(230)),
        .memory_bandwidth = gigabytes_per_second(80000),
        .last_level_cache = doubtful(mebibytes(230)),
        .scale_up_link = "RealScale C2C (16 links)",
        .scale_up_devices = doubtful(576),
        .host_link = "PCIe 4 x16",
        .host_link_bandwidth = gigabytes_per_second(31.5),
        .tdp = doubtful(watts_of_power(300)),
        .evidence = evidence::b,
        .note = "215 W typical, 300 W at most",
    };
  }
};

/// GC-DS
struct graphcore_gc200 : described_device<graphcore_gc200> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "graphcore-gc200",
        .vendor = "Graphcore",
        .product = "Colossus Mk2 GC200 IPU",
        .form_factor = "IPU-M2000",
        .year = 2020,
        .architecture = "Mk2 IPU",
        .fp32_vector = doubtful(teraflops(62.5)),
        .fp16_accumulate_fp16 = teraflops(250),
        .compute_units = 1472,
        .clock = megahertz(1325),
        .flops_per_clock_per_unit = 128,
        .memory_type = "on-chip SRAM",
        .nominal_memory = doubtful(megabytes(900)),
        .memory_bandwidth = gigabytes_per_second(47500),
        .scale_up_link = "IPU-Link",
        .scale_up_bandwidth = doubtful(gigabytes_per_second(160)),
        .scale_up_devices = doubtful(64),
        .host_link = "PCIe 4 x16",
        .host_link_bandwidth = gigabytes_per_second(31.5),
        .tdp = doubtful(watts_of_power(150)),
        .evidence = evidence::b,
        .note = "250 sums in FP16; no FP32-sum figure is published",
    };
  }
};

/// GC-BOW P-CONV P-TALENT
struct graphcore_bow : described_device<graphcore_bow> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "graphcore-bow",
        .vendor = "Graphcore",
        .product = "Bow IPU",
        .form_factor = "Bow-2000",
        .year = 2022,
        .architecture = "Mk2 IPU (WoW)",
        .fp32_vector = doubtful(teraflops(87.5)),
        .fp16_accumulate_fp16 = teraflops(350),
        .compute_units = 1472,
        .clock = megahertz(1850),
        .flops_per_clock_per_unit = 128,
        .memory_type = "on-chip SRAM",
        .nominal_memory = doubtful(megabytes(900)),
        .memory_bandwidth = gigabytes_per_second(65400),
        .scale_up_link = "IPU-Link",
        .scale_up_bandwidth = doubtful(gigabytes_per_second(160)),
        .scale_up_devices = doubtful(64),
        .host_link = "PCIe 4 x16",
        .host_link_bandwidth = gigabytes_per_second(31.5),
        .evidence = evidence::a,
        .note = "350 sums in FP16; no FP32-sum figure is published",
    };
  }
};

}  // namespace flopledger::hardware
