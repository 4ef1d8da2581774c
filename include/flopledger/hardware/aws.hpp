// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// AWS Trainium and Inferentia, by chip.
/// Above each device stand the codes of its sources (docs/hardware.md lists them).

#include <flopledger/hardware/device.hpp>

namespace flopledger::hardware {

/// W-TRN1 R-COMP R-TITAN
struct trainium1 : described_device<trainium1> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "trainium1",
        .vendor = "AWS",
        .product = "Trainium (trn1, per chip, 2 cores)",
        .form_factor = "cloud",
        .year = 2022,
        .architecture = "NeuronCore-v2",
        .fp32_vector = doubtful(teraflops(47.5)),
        .tf32 = teraflops(190),
        .bf16 = teraflops(190),
        .fp16 = teraflops(190),
        .fp8 = teraflops(190),
        .int8 = teraflops(380),
        .memory_type = "HBM",
        .nominal_memory = gibibytes(32),
        .memory_bandwidth = doubtful(gigabytes_per_second(820)),
        .last_level_cache = doubtful(mebibytes(52)),
        .scale_up_link = "NeuronLink-v2",
        .scale_up_bandwidth = doubtful(gigabytes_per_second(384)),
        .scale_up_devices = 16,
        .scale_out_bandwidth = gigabits_per_second(50),
        .evidence = evidence::a,
        .note = "INT8 420 in older documents; 820 GiB/s also printed",
    };
  }
};

/// W-TRN2 W-NKI R-STAS R-TITAN
struct trainium2 : described_device<trainium2> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "trainium2",
        .vendor = "AWS",
        .product = "Trainium2 (trn2, per chip, 8 cores)",
        .form_factor = "cloud",
        .year = 2024,
        .architecture = "NeuronCore-v3",
        .fp32_vector = doubtful(teraflops(181)),
        .tf32 = teraflops(667),
        .bf16 = teraflops(667),
        .fp16 = teraflops(667),
        .fp8 = teraflops(1299),
        .sparse_mode = sparsity::four_of_sixteen,
        .sparsity_factor = 4,
        .fp8_sparsity_factor = 1.97,
        .memory_type = doubtful("HBM3"),
        .nominal_memory = gibibytes(96),
        .memory_bandwidth = gigabytes_per_second(2900),
        .last_level_cache = doubtful(mebibytes(208)),
        .scale_up_link = "NeuronLink-v3",
        .scale_up_bandwidth = doubtful(gigabytes_per_second(640)),
        .scale_up_peer_bandwidth = doubtful(gigabytes_per_second(128)),
        .scale_up_devices = 16,
        .scale_out_bandwidth = gigabits_per_second(200),
        .evidence = evidence::a,
        .note = "sparse (16:4) is 2563 for 16-bit and FP8 alike; 2.9 or 3 TB/s by page",
    };
  }
};

/// W-INF2 W-NKI
struct inferentia2 : described_device<inferentia2> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "inferentia2",
        .vendor = "AWS",
        .product = "Inferentia2 (inf2, per chip, 2 cores)",
        .form_factor = "cloud",
        .year = 2023,
        .architecture = "NeuronCore-v2",
        .fp32_vector = doubtful(teraflops(47.5)),
        .tf32 = teraflops(190),
        .bf16 = teraflops(190),
        .fp16 = teraflops(190),
        .fp8 = teraflops(190),
        .int8 = teraflops(380),
        .memory_type = "HBM",
        .nominal_memory = gibibytes(32),
        .memory_bandwidth = doubtful(gigabytes_per_second(820)),
        .last_level_cache = doubtful(mebibytes(52)),
        .scale_up_link = "NeuronLink-v2 ring",
        .scale_up_bandwidth = doubtful(gigabytes_per_second(96)),
        .scale_up_devices = 12,
        .evidence = evidence::b,
        .note = "peak by one page alone",
    };
  }
};

}  // namespace flopledger::hardware
