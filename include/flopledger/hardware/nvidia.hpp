// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// NVIDIA GPUs.
/// Data-sheet headlines from Ampere on are mostly 2:4 sparse; the peaks here are dense.
/// Above each device stand the codes of its sources (docs/hardware.md lists them).

#include <flopledger/hardware/device.hpp>

namespace flopledger::hardware {

/// N-PASCAL R-STAS
struct p100_sxm2 : described_device<p100_sxm2> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "p100-sxm2",
        .vendor = "NVIDIA",
        .product = "Tesla P100 SXM2 16GB",
        .form_factor = "SXM2",
        .year = 2016,
        .architecture = "Pascal GP100",
        .compute_capability = "6.0",
        .fp64_vector = teraflops(5.3),
        .fp32_vector = teraflops(10.6),
        .fp16_vector = teraflops(21.2),
        .compute_units = 56,
        .clock = megahertz(1480),
        .flops_per_clock_per_unit = 256,
        .memory_type = "HBM2",
        .nominal_memory = gibibytes(16),
        .usable_memory = doubtful(mebibytes(16384)),
        .memory_bandwidth = gigabytes_per_second(732),
        .l2_cache = mebibytes(4),
        .scale_up_link = "NVLink 1",
        .scale_up_bandwidth = gigabytes_per_second(80),
        .scale_up_devices = 8,
        .scale_out_bandwidth = gigabits_per_second(50),
        .host_link = "PCIe 3 x16",
        .host_link_bandwidth = gigabytes_per_second(15.75),
        .tdp = watts_of_power(300),
        .evidence = evidence::c,
        .note = "no matrix unit: FP16 is the packed vector rate",
    };
  }
};

/// N-PASCAL
struct p100_pcie_16gb : described_device<p100_pcie_16gb> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "p100-pcie-16gb",
        .vendor = "NVIDIA",
        .product = "Tesla P100 PCIe 16GB",
        .form_factor = "PCIe",
        .year = 2016,
        .architecture = "Pascal GP100",
        .compute_capability = "6.0",
        .fp64_vector = teraflops(4.7),
        .fp32_vector = teraflops(9.3),
        .fp16_vector = teraflops(18.7),
        .compute_units = 56,
        .clock = megahertz(1303),
        .flops_per_clock_per_unit = 256,
        .memory_type = "HBM2",
        .nominal_memory = gibibytes(16),
        .usable_memory = doubtful(mebibytes(16384)),
        .memory_bandwidth = gigabytes_per_second(732),
        .l2_cache = mebibytes(4),
        .scale_up_link = "none",
        .scale_up_devices = 1,
        .host_link = "PCIe 3 x16",
        .host_link_bandwidth = gigabytes_per_second(15.75),
        .tdp = watts_of_power(250),
        .evidence = evidence::c,
        .note = "no matrix unit; a 12 GB variant has 549 GB/s",
    };
  }
};

/// N-VOLTA R-LIGHT R-COMP R-LLMA
struct v100_sxm2_16gb : described_device<v100_sxm2_16gb> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "v100-sxm2-16gb",
        .vendor = "NVIDIA",
        .product = "Tesla V100 SXM2 16GB",
        .form_factor = "SXM2",
        .year = 2017,
        .architecture = "Volta GV100",
        .compute_capability = "7.0",
        .fp64_vector = teraflops(7.8),
        .fp32_vector = teraflops(15.7),
        .fp16_vector = teraflops(31.4),
        .fp16 = teraflops(125),
        .fp16_accumulate_fp16 = teraflops(125),
        .compute_units = 80,
        .clock = megahertz(1530),
        .flops_per_clock_per_unit = 1024,
        .memory_type = "HBM2",
        .nominal_memory = gibibytes(16),
        .usable_memory = doubtful(mebibytes(16384)),
        .memory_bandwidth = gigabytes_per_second(900),
        .l2_cache = mebibytes(6),
        .scale_up_link = "NVLink 2",
        .scale_up_bandwidth = gigabytes_per_second(150),
        .scale_up_devices = 8,
        .scale_out_bandwidth = gigabits_per_second(50),
        .host_link = "PCIe 3 x16",
        .host_link_bandwidth = gigabytes_per_second(15.75),
        .tdp = watts_of_power(300),
        .evidence = evidence::a,
        .note = "no BF16, TF32 or INT8 matrix unit",
    };
  }
};

/// N-VOLTA R-LIGHT R-COMP R-LLMA
struct v100_sxm2_32gb : described_device<v100_sxm2_32gb> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "v100-sxm2-32gb",
        .vendor = "NVIDIA",
        .product = "Tesla V100 SXM2 32GB",
        .form_factor = "SXM2 / SXM3",
        .year = 2018,
        .architecture = "Volta GV100",
        .compute_capability = "7.0",
        .fp64_vector = teraflops(7.8),
        .fp32_vector = teraflops(15.7),
        .fp16_vector = teraflops(31.4),
        .fp16 = teraflops(125),
        .fp16_accumulate_fp16 = teraflops(125),
        .compute_units = 80,
        .clock = megahertz(1530),
        .flops_per_clock_per_unit = 1024,
        .memory_type = "HBM2",
        .nominal_memory = gibibytes(32),
        .usable_memory = doubtful(mebibytes(32768)),
        .memory_bandwidth = gigabytes_per_second(900),
        .l2_cache = mebibytes(6),
        .scale_up_link = "NVLink 2",
        .scale_up_bandwidth = gigabytes_per_second(150),
        .scale_up_devices = 16,
        .scale_out_bandwidth = gigabits_per_second(50),
        .host_link = "PCIe 3 x16",
        .host_link_bandwidth = gigabytes_per_second(15.75),
        .tdp = watts_of_power(300),
        .evidence = evidence::a,
        .note = "domain of 16 in a DGX-2, 8 in a DGX-1",
    };
  }
};

/// N-VOLTA R-LIGHT R-COMP R-LLMA
struct v100_pcie : described_device<v100_pcie> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "v100-pcie",
        .vendor = "NVIDIA",
        .product = "Tesla V100 PCIe 16/32GB",
        .form_factor = "PCIe",
        .year = 2017,
        .architecture = "Volta GV100",
        .compute_capability = "7.0",
        .fp64_vector = teraflops(7.0),
        .fp32_vector = teraflops(14.0),
        .fp16_vector = teraflops(28.0),
        .fp16 = teraflops(112),
        .fp16_accumulate_fp16 = teraflops(112),
        .compute_units = 80,
        .clock = megahertz(1380),
        .flops_per_clock_per_unit = 1024,
        .memory_type = "HBM2",
        .nominal_memory = gibibytes(32),
        .usable_memory = doubtful(mebibytes(32768)),
        .memory_bandwidth = gigabytes_per_second(900),
        .l2_cache = mebibytes(6),
        .scale_up_link = "none",
        .scale_up_devices = 1,
        .host_link = "PCIe 3 x16",
        .host_link_bandwidth = gigabytes_per_second(15.75),
        .tdp = watts_of_power(250),
        .evidence = evidence::a,
        .note = "also sold with 16 GB; the V100S has 130 TFLOP/s and 1134 GB/s",
    };
  }
};

/// N-T4 R-LIGHT R-COMP R-SMI R-MLP
struct t4 : described_device<t4> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "t4",
        .vendor = "NVIDIA",
        .product = "T4",
        .form_factor = "PCIe LP",
        .year = 2018,
        .architecture = "Turing TU104",
        .compute_capability = "7.5",
        .fp32_vector = teraflops(8.1),
        .fp16_vector = teraflops(16.2),
        .fp16 = teraflops(65),
        .fp16_accumulate_fp16 = teraflops(65),
        .int8 = teraflops(130),
        .int4 = teraflops(260),
        .compute_units = 40,
        .clock = megahertz(1590),
        .flops_per_clock_per_unit = 1024,
        .memory_type = "GDDR6",
        .nominal_memory = gibibytes(16),
        .usable_memory = mebibytes(15360),
        .memory_bandwidth = doubtful(gigabytes_per_second(320)),
        .l2_cache = mebibytes(4),
        .scale_up_link = "none",
        .scale_up_devices = 1,
        .host_link = "PCIe 3 x16",
        .host_link_bandwidth = gigabytes_per_second(15.75),
        .tdp = watts_of_power(70),
        .evidence = evidence::a,
        .note = "data sheet says \"320+\" GB/s; no BF16",
    };
  }
};

/// N-A10 R-COMP R-LLMA R-SMI R-MLP
struct a10 : described_device<a10> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "a10",
        .vendor = "NVIDIA",
        .product = "A10",
        .form_factor = "PCIe",
        .year = 2021,
        .architecture = "Ampere GA102",
        .compute_capability = "8.6",
        .fp32_vector = teraflops(31.2),
        .tf32 = teraflops(62.5),
        .bf16 = teraflops(125),
        .fp16 = teraflops(125),
        .fp16_accumulate_fp16 = teraflops(125),
        .int8 = teraflops(250),
        .int4 = teraflops(500),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = 72,
        .clock = megahertz(1695),
        .flops_per_clock_per_unit = 1024,
        .memory_type = "GDDR6",
        .nominal_memory = gibibytes(24),
        .usable_memory = mebibytes(23028),
        .memory_bandwidth = gigabytes_per_second(600),
        .l2_cache = mebibytes(6),
        .scale_up_link = "none",
        .scale_up_devices = 1,
        .host_link = "PCIe 4 x16",
        .host_link_bandwidth = gigabytes_per_second(31.5),
        .tdp = watts_of_power(150),
        .evidence = evidence::a,
    };
  }
};

/// N-A10G R-LLMA R-SMI P-BASETEN
struct a10g : described_device<a10g> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "a10g",
        .vendor = "NVIDIA",
        .product = "A10G (AWS G5)",
        .form_factor = "PCIe",
        .year = 2021,
        .architecture = "Ampere GA102",
        .compute_capability = "8.6",
        .fp32_vector = teraflops(35.0),
        .tf32 = teraflops(35.0),
        .bf16 = teraflops(70),
        .fp16 = teraflops(70),
        .fp16_accumulate_fp16 = doubtful(teraflops(140)),
        .int8 = doubtful(teraflops(140)),
        .int4 = doubtful(teraflops(280)),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = 80,
        .clock = megahertz(1710),
        .flops_per_clock_per_unit = 512,
        .memory_type = "GDDR6",
        .nominal_memory = gibibytes(24),
        .usable_memory = mebibytes(23028),
        .memory_bandwidth = gigabytes_per_second(600),
        .l2_cache = doubtful(mebibytes(6)),
        .scale_up_link = "none",
        .scale_up_devices = 1,
        .host_link = "PCIe 4 x16",
        .host_link_bandwidth = gigabytes_per_second(31.5),
        .tdp = watts_of_power(300),
        .evidence = evidence::b,
        .note = "not an A10: half the matrix rate",
    };
  }
};

/// N-A30 R-AIC R-NANO R-MLP
struct a30 : described_device<a30> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "a30",
        .vendor = "NVIDIA",
        .product = "A30",
        .form_factor = "PCIe",
        .year = 2021,
        .architecture = "Ampere GA100",
        .compute_capability = "8.0",
        .fp64_vector = teraflops(5.2),
        .fp64_matrix = teraflops(10.3),
        .fp32_vector = teraflops(10.3),
        .tf32 = doubtful(teraflops(82.5)),
        .bf16 = teraflops(165),
        .fp16 = teraflops(165),
        .fp16_accumulate_fp16 = teraflops(165),
        .int8 = teraflops(330),
        .int4 = teraflops(661),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = 56,
        .clock = megahertz(1440),
        .flops_per_clock_per_unit = 2048,
        .memory_type = "HBM2",
        .nominal_memory = gibibytes(24),
        .usable_memory = doubtful(mebibytes(24576)),
        .memory_bandwidth = gigabytes_per_second(933),
        .l2_cache = mebibytes(24),
        .scale_up_link = "NVLink 3 bridge (pair)",
        .scale_up_bandwidth = gigabytes_per_second(100),
        .scale_up_peer_bandwidth = gigabytes_per_second(100),
        .scale_up_devices = 2,
        .host_link = "PCIe 4 x16",
        .host_link_bandwidth = gigabytes_per_second(31.5),
        .tdp = watts_of_power(165),
        .evidence = evidence::a,
        .note = "TF32 is printed as 82; half of 165 is 82.5",
    };
  }
};

/// N-A40 R-NANO R-VERL R-VIEW R-AIC
struct a40 : described_device<a40> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "a40",
        .vendor = "NVIDIA",
        .product = "A40",
        .form_factor = "PCIe",
        .year = 2020,
        .architecture = "Ampere GA102",
        .compute_capability = "8.6",
        .fp32_vector = teraflops(37.4),
        .tf32 = teraflops(74.8),
        .bf16 = teraflops(149.7),
        .fp16 = teraflops(149.7),
        .fp16_accumulate_fp16 = teraflops(149.7),
        .int8 = teraflops(299.3),
        .int4 = teraflops(598.7),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = 84,
        .clock = megahertz(1740),
        .flops_per_clock_per_unit = 1024,
        .memory_type = "GDDR6",
        .nominal_memory = gibibytes(48),
        .usable_memory = doubtful(mebibytes(46068)),
        .memory_bandwidth = gigabytes_per_second(696),
        .l2_cache = mebibytes(6),
        .scale_up_link = "NVLink 3 bridge (pair)",
        .scale_up_bandwidth = gigabytes_per_second(56.25),
        .scale_up_peer_bandwidth = gigabytes_per_second(56.25),
        .scale_up_devices = 2,
        .host_link = "PCIe 4 x16",
        .host_link_bandwidth = gigabytes_per_second(31.5),
        .tdp = watts_of_power(300),
        .evidence = evidence::a,
        .note = "memory as reported with ECC on",
    };
  }
};

/// N-GA102 R-TITAN R-LLMA R-VIEW R-SMI
struct rtx_a6000 : described_device<rtx_a6000> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "rtx-a6000",
        .vendor = "NVIDIA",
        .product = "RTX A6000",
        .form_factor = "PCIe",
        .year = 2020,
        .architecture = "Ampere GA102",
        .compute_capability = "8.6",
        .fp32_vector = teraflops(38.7),
        .tf32 = teraflops(77.4),
        .bf16 = teraflops(154.8),
        .fp16 = teraflops(154.8),
        .fp16_accumulate_fp16 = teraflops(154.8),
        .int8 = teraflops(309.7),
        .int4 = teraflops(619.3),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = 84,
        .clock = megahertz(1800),
        .flops_per_clock_per_unit = 1024,
        .memory_type = "GDDR6",
        .nominal_memory = gibibytes(48),
        .usable_memory = mebibytes(49140),
        .memory_bandwidth = gigabytes_per_second(768),
        .l2_cache = mebibytes(6),
        .scale_up_link = "NVLink 3 bridge (pair)",
        .scale_up_bandwidth = gigabytes_per_second(56.25),
        .scale_up_peer_bandwidth = gigabytes_per_second(56.25),
        .scale_up_devices = 2,
        .host_link = "PCIe 4 x16",
        .host_link_bandwidth = gigabytes_per_second(31.5),
        .tdp = watts_of_power(300),
        .evidence = evidence::a,
        .note = "full-rate FP32 accumulation, unlike GeForce",
    };
  }
};

/// N-A100 R-LIGHT R-COMP R-LLMA R-STAS R-MLP
struct a100_sxm4_40gb : described_device<a100_sxm4_40gb> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "a100-sxm4-40gb",
        .vendor = "NVIDIA",
        .product = "A100 SXM4 40GB",
        .form_factor = "SXM4",
        .year = 2020,
        .architecture = "Ampere GA100",
        .compute_capability = "8.0",
        .fp64_vector = teraflops(9.7),
        .fp64_matrix = teraflops(19.5),
        .fp32_vector = teraflops(19.5),
        .fp16_vector = teraflops(78),
        .tf32 = teraflops(156),
        .bf16 = teraflops(312),
        .fp16 = teraflops(312),
        .fp16_accumulate_fp16 = teraflops(312),
        .int8 = teraflops(624),
        .int4 = teraflops(1248),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = 108,
        .clock = megahertz(1410),
        .flops_per_clock_per_unit = 2048,
        .memory_type = "HBM2",
        .nominal_memory = gibibytes(40),
        .usable_memory = doubtful(mebibytes(40960)),
        .memory_bandwidth = gigabytes_per_second(1555),
        .l2_cache = mebibytes(40),
        .scale_up_link = "NVLink 3",
        .scale_up_bandwidth = gigabytes_per_second(300),
        .scale_up_peer_bandwidth = gigabytes_per_second(300),
        .scale_up_devices = 8,
        .scale_out_bandwidth = gigabits_per_second(200),
        .host_link = "PCIe 4 x16",
        .host_link_bandwidth = gigabytes_per_second(31.5),
        .tdp = watts_of_power(400),
        .evidence = evidence::a,
        .note = "early drivers report 40536 MiB",
    };
  }
};

/// N-A100 R-LIGHT R-COMP R-LLMA R-AIC R-STAS R-SMI R-MLP P-MERCATUS
struct a100_sxm4_80gb : described_device<a100_sxm4_80gb> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "a100-sxm4-80gb",
        .vendor = "NVIDIA",
        .product = "A100 SXM4 80GB",
        .form_factor = "SXM4",
        .year = 2020,
        .architecture = "Ampere GA100",
        .compute_capability = "8.0",
        .fp64_vector = teraflops(9.7),
        .fp64_matrix = teraflops(19.5),
        .fp32_vector = teraflops(19.5),
        .fp16_vector = teraflops(78),
        .tf32 = teraflops(156),
        .bf16 = teraflops(312),
        .fp16 = teraflops(312),
        .fp16_accumulate_fp16 = teraflops(312),
        .int8 = teraflops(624),
        .int4 = teraflops(1248),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = 108,
        .clock = megahertz(1410),
        .flops_per_clock_per_unit = 2048,
        .memory_type = "HBM2e",
        .nominal_memory = gibibytes(80),
        .usable_memory = mebibytes(81920),
        .memory_bandwidth = gigabytes_per_second(2039),
        .l2_cache = mebibytes(40),
        .scale_up_link = "NVLink 3",
        .scale_up_bandwidth = gigabytes_per_second(300),
        .scale_up_peer_bandwidth = gigabytes_per_second(300),
        .scale_up_devices = 8,
        .scale_out_bandwidth = gigabits_per_second(200),
        .host_link = "PCIe 4 x16",
        .host_link_bandwidth = gigabytes_per_second(31.5),
        .tdp = watts_of_power(400),
        .lowest_price = dollars_per_hour(0.80),
        .highest_price = dollars_per_hour(3.00),
        .evidence = evidence::a,
        .note = "early drivers report 81251 MiB",
    };
  }
};

/// N-A100 R-LLMA R-MLP
struct a100_pcie_40gb : described_device<a100_pcie_40gb> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "a100-pcie-40gb",
        .vendor = "NVIDIA",
        .product = "A100 PCIe 40GB",
        .form_factor = "PCIe",
        .year = 2020,
        .architecture = "Ampere GA100",
        .compute_capability = "8.0",
        .fp64_vector = teraflops(9.7),
        .fp64_matrix = teraflops(19.5),
        .fp32_vector = teraflops(19.5),
        .fp16_vector = teraflops(78),
        .tf32 = teraflops(156),
        .bf16 = teraflops(312),
        .fp16 = teraflops(312),
        .fp16_accumulate_fp16 = teraflops(312),
        .int8 = teraflops(624),
        .int4 = teraflops(1248),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = 108,
        .clock = megahertz(1410),
        .flops_per_clock_per_unit = 2048,
        .memory_type = "HBM2",
        .nominal_memory = gibibytes(40),
        .usable_memory = doubtful(mebibytes(40960)),
        .memory_bandwidth = gigabytes_per_second(1555),
        .l2_cache = mebibytes(40),
        .scale_up_link = "NVLink 3 bridge (pair)",
        .scale_up_bandwidth = gigabytes_per_second(300),
        .scale_up_peer_bandwidth = gigabytes_per_second(300),
        .scale_up_devices = 2,
        .host_link = "PCIe 4 x16",
        .host_link_bandwidth = gigabytes_per_second(31.5),
        .tdp = watts_of_power(250),
        .evidence = evidence::a,
        .note = "NVLink only inside a bridged pair; 250 W sustain less than the peak",
    };
  }
};

/// N-A100 R-AIC R-LLMA R-STAS R-SMI R-MLP
struct a100_pcie_80gb : described_device<a100_pcie_80gb> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "a100-pcie-80gb",
        .vendor = "NVIDIA",
        .product = "A100 PCIe 80GB",
        .form_factor = "PCIe",
        .year = 2021,
        .architecture = "Ampere GA100",
        .compute_capability = "8.0",
        .fp64_vector = teraflops(9.7),
        .fp64_matrix = teraflops(19.5),
        .fp32_vector = teraflops(19.5),
        .fp16_vector = teraflops(78),
        .tf32 = teraflops(156),
        .bf16 = teraflops(312),
        .fp16 = teraflops(312),
        .fp16_accumulate_fp16 = teraflops(312),
        .int8 = teraflops(624),
        .int4 = teraflops(1248),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = 108,
        .clock = megahertz(1410),
        .flops_per_clock_per_unit = 2048,
        .memory_type = "HBM2e",
        .nominal_memory = gibibytes(80),
        .usable_memory = mebibytes(81920),
        .memory_bandwidth = gigabytes_per_second(1935),
        .l2_cache = mebibytes(40),
        .scale_up_link = "NVLink 3 bridge (pair)",
        .scale_up_bandwidth = gigabytes_per_second(300),
        .scale_up_peer_bandwidth = gigabytes_per_second(300),
        .scale_up_devices = 2,
        .host_link = "PCIe 4 x16",
        .host_link_bandwidth = gigabytes_per_second(31.5),
        .tdp = watts_of_power(300),
        .evidence = evidence::a,
        .note = "NVLink only inside a bridged pair",
    };
  }
};

/// N-A800 R-VIEW R-VERL R-SMI
struct a800_sxm4_80gb : described_device<a800_sxm4_80gb> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "a800-sxm4-80gb",
        .vendor = "NVIDIA",
        .product = "A800 SXM4 80GB (China)",
        .form_factor = "SXM4",
        .year = 2022,
        .architecture = "Ampere GA100",
        .compute_capability = "8.0",
        .fp64_vector = teraflops(9.7),
        .fp64_matrix = teraflops(19.5),
        .fp32_vector = teraflops(19.5),
        .fp16_vector = teraflops(78),
        .tf32 = teraflops(156),
        .bf16 = teraflops(312),
        .fp16 = teraflops(312),
        .fp16_accumulate_fp16 = teraflops(312),
        .int8 = teraflops(624),
        .int4 = teraflops(1248),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = 108,
        .clock = megahertz(1410),
        .flops_per_clock_per_unit = 2048,
        .memory_type = "HBM2e",
        .nominal_memory = gibibytes(80),
        .usable_memory = mebibytes(81920),
        .memory_bandwidth = gigabytes_per_second(2039),
        .l2_cache = mebibytes(40),
        .scale_up_link = doubtful("NVLink 3 (8 of 12 links)"),
        .scale_up_bandwidth = doubtful(gigabytes_per_second(200)),
        .scale_up_peer_bandwidth = gigabytes_per_second(200),
        .scale_up_devices = 8,
        .scale_out_bandwidth = gigabits_per_second(200),
        .host_link = "PCIe 4 x16",
        .host_link_bandwidth = gigabytes_per_second(31.5),
        .tdp = watts_of_power(400),
        .evidence = evidence::a,
        .note = "an A100 with 400 GB/s NVLink instead of 600, both directions",
    };
  }
};

/// N-HOPPER N-H100 R-LIGHT R-COMP R-TITAN R-AIC R-STAS R-SMI R-MLP P-MERCATUS
struct h100_sxm5_80gb : described_device<h100_sxm5_80gb> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "h100-sxm5-80gb",
        .vendor = "NVIDIA",
        .product = "H100 SXM5 80GB",
        .form_factor = "SXM5",
        .year = 2022,
        .architecture = "Hopper GH100",
        .compute_capability = "9.0",
        .fp64_vector = teraflops(33.5),
        .fp64_matrix = teraflops(66.9),
        .fp32_vector = teraflops(66.9),
        .fp16_vector = teraflops(133.8),
        .tf32 = teraflops(494.7),
        .bf16 = teraflops(989.4),
        .fp16 = teraflops(989.4),
        .fp16_accumulate_fp16 = teraflops(989.4),
        .fp8 = teraflops(1978.9),
        .fp8_accumulate_fp16 = teraflops(1978.9),
        .int8 = teraflops(1978.9),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = 132,
        .clock = megahertz(1830),
        .flops_per_clock_per_unit = 4096,
        .memory_type = "HBM3",
        .nominal_memory = gibibytes(80),
        .usable_memory = mebibytes(81559),
        .memory_bandwidth = gigabytes_per_second(3350),
        .l2_cache = mebibytes(50),
        .scale_up_link = "NVLink 4",
        .scale_up_bandwidth = gigabytes_per_second(450),
        .scale_up_peer_bandwidth = gigabytes_per_second(450),
        .scale_up_devices = 8,
        .scale_out_bandwidth = gigabits_per_second(400),
        .host_link = "PCIe 5 x16",
        .host_link_bandwidth = gigabytes_per_second(63.0),
        .tdp = watts_of_power(700),
        .lowest_price = dollars_per_hour(1.99),
        .highest_price = dollars_per_hour(5.00),
        .evidence = evidence::a,
        .note = "headline 1979 BF16 and 3958 FP8 are sparse; no INT4 matrix unit",
    };
  }
};

/// N-HOPPER N-H100 R-LIGHT R-COMP R-TITAN R-AIC R-LLMA R-MLP
struct h100_pcie_80gb : described_device<h100_pcie_80gb> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "h100-pcie-80gb",
        .vendor = "NVIDIA",
        .product = "H100 PCIe 80GB",
        .form_factor = "PCIe",
        .year = 2022,
        .architecture = "Hopper GH100",
        .compute_capability = "9.0",
        .fp64_vector = teraflops(25.6),
        .fp64_matrix = teraflops(51.2),
        .fp32_vector = teraflops(51.2),
        .fp16_vector = teraflops(102.4),
        .tf32 = teraflops(378),
        .bf16 = teraflops(756),
        .fp16 = teraflops(756),
        .fp16_accumulate_fp16 = teraflops(756),
        .fp8 = teraflops(1513),
        .fp8_accumulate_fp16 = teraflops(1513),
        .int8 = teraflops(1513),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = 114,
        .clock = megahertz(1620),
        .flops_per_clock_per_unit = 4096,
        .memory_type = "HBM2e",
        .nominal_memory = gibibytes(80),
        .usable_memory = doubtful(mebibytes(81559)),
        .memory_bandwidth = doubtful(gigabytes_per_second(2039)),
        .l2_cache = mebibytes(50),
        .scale_up_link = "NVLink 4 bridge (pair)",
        .scale_up_bandwidth = gigabytes_per_second(300),
        .scale_up_peer_bandwidth = gigabytes_per_second(300),
        .scale_up_devices = 2,
        .scale_out_bandwidth = doubtful(gigabits_per_second(400)),
        .host_link = "PCIe 5 x16",
        .host_link_bandwidth = gigabytes_per_second(63.0),
        .tdp = watts_of_power(350),
        .evidence = evidence::a,
        .note = "bandwidth is printed as 2.0 or 2.039 TB/s",
    };
  }
};

/// N-H100 R-TITAN R-NANO P-JISHU R-SMI R-MLP
struct h100_nvl_94gb : described_device<h100_nvl_94gb> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "h100-nvl-94gb",
        .vendor = "NVIDIA",
        .product = "H100 NVL 94GB (per GPU)",
        .form_factor = "PCIe",
        .year = 2023,
        .architecture = "Hopper GH100",
        .compute_capability = "9.0",
        .fp64_vector = teraflops(30),
        .fp64_matrix = teraflops(60),
        .fp32_vector = teraflops(60),
        .fp16_vector = doubtful(teraflops(120)),
        .tf32 = teraflops(417.5),
        .bf16 = teraflops(835.5),
        .fp16 = teraflops(835.5),
        .fp16_accumulate_fp16 = teraflops(835.5),
        .fp8 = teraflops(1670.5),
        .fp8_accumulate_fp16 = teraflops(1670.5),
        .int8 = teraflops(1670.5),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = doubtful(132),
        .clock = doubtful(megahertz(1545)),
        .flops_per_clock_per_unit = 4096,
        .memory_type = "HBM3",
        .nominal_memory = gibibytes(94),
        .usable_memory = mebibytes(95830),
        .memory_bandwidth = gigabytes_per_second(3900),
        .l2_cache = mebibytes(50),
        .scale_up_link = "NVLink 4 bridge (pair)",
        .scale_up_bandwidth = gigabytes_per_second(300),
        .scale_up_peer_bandwidth = gigabytes_per_second(300),
        .scale_up_devices = 2,
        .scale_out_bandwidth = doubtful(gigabits_per_second(400)),
        .host_link = "PCIe 5 x16",
        .host_link_bandwidth = gigabytes_per_second(63.0),
        .tdp = watts_of_power(400),
        .evidence = evidence::a,
        .note = "one GPU; the first announcement quoted a pair, sparse",
    };
  }
};

/// N-H800 R-VERL R-SMI P-ASTRO
struct h800_sxm5_80gb : described_device<h800_sxm5_80gb> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "h800-sxm5-80gb",
        .vendor = "NVIDIA",
        .product = "H800 SXM5 80GB (China)",
        .form_factor = "SXM5",
        .year = 2023,
        .architecture = "Hopper GH100",
        .compute_capability = "9.0",
        .fp64_vector = doubtful(teraflops(1)),
        .fp64_matrix = doubtful(teraflops(1)),
        .fp32_vector = teraflops(67),
        .tf32 = teraflops(494.5),
        .bf16 = teraflops(989.4),
        .fp16 = teraflops(989.4),
        .fp16_accumulate_fp16 = teraflops(989.4),
        .fp8 = teraflops(1978.9),
        .fp8_accumulate_fp16 = teraflops(1978.9),
        .int8 = teraflops(1978.9),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = 132,
        .clock = megahertz(1830),
        .flops_per_clock_per_unit = 4096,
        .memory_type = "HBM3",
        .nominal_memory = gibibytes(80),
        .usable_memory = mebibytes(81559),
        .memory_bandwidth = gigabytes_per_second(3350),
        .l2_cache = doubtful(mebibytes(50)),
        .scale_up_link = doubtful("NVLink 4 (8 of 18 links)"),
        .scale_up_bandwidth = doubtful(gigabytes_per_second(200)),
        .scale_up_peer_bandwidth = gigabytes_per_second(200),
        .scale_up_devices = 8,
        .scale_out_bandwidth = gigabits_per_second(400),
        .host_link = "PCIe 5 x16",
        .host_link_bandwidth = gigabytes_per_second(63.0),
        .tdp = watts_of_power(700),
        .evidence = evidence::a,
        .note = "an H100 with 400 GB/s NVLink, both directions, and little FP64",
    };
  }
};

/// P-ZANG P-WILLIT R-TITAN R-VERL R-SMI
struct h20_sxm5_96gb : described_device<h20_sxm5_96gb> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "h20-sxm5-96gb",
        .vendor = "NVIDIA",
        .product = "H20 SXM5 96GB (China)",
        .form_factor = "SXM5",
        .year = 2023,
        .architecture = "Hopper GH100",
        .compute_capability = "9.0",
        .fp64_vector = doubtful(teraflops(1)),
        .fp32_vector = teraflops(44),
        .tf32 = teraflops(74),
        .bf16 = teraflops(148),
        .fp16 = teraflops(148),
        .fp16_accumulate_fp16 = doubtful(teraflops(148)),
        .fp8 = teraflops(296),
        .fp8_accumulate_fp16 = doubtful(teraflops(296)),
        .int8 = teraflops(296),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = 78,
        .memory_type = "HBM3",
        .nominal_memory = gibibytes(96),
        .usable_memory = doubtful(mebibytes(97871)),
        .memory_bandwidth = doubtful(gigabytes_per_second(4000)),
        .l2_cache = doubtful(mebibytes(60)),
        .scale_up_link = "NVLink 4",
        .scale_up_bandwidth = gigabytes_per_second(450),
        .scale_up_peer_bandwidth = gigabytes_per_second(450),
        .scale_up_devices = 8,
        .scale_out_bandwidth = doubtful(gigabits_per_second(400)),
        .host_link = "PCIe 5 x16",
        .host_link_bandwidth = gigabytes_per_second(63.0),
        .tdp = doubtful(watts_of_power(400)),
        .evidence = evidence::a,
        .note = "400 W published, a 500 W limit seen; a 141 GB variant exists",
    };
  }
};

/// N-H200 R-TITAN R-COMP R-AIC R-STAS R-SMI R-MLP P-MERCATUS
struct h200_sxm5_141gb : described_device<h200_sxm5_141gb> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "h200-sxm5-141gb",
        .vendor = "NVIDIA",
        .product = "H200 SXM5 141GB",
        .form_factor = "SXM5",
        .year = 2024,
        .architecture = "Hopper GH100",
        .compute_capability = "9.0",
        .fp64_vector = teraflops(33.5),
        .fp64_matrix = teraflops(66.9),
        .fp32_vector = teraflops(66.9),
        .fp16_vector = teraflops(133.8),
        .tf32 = teraflops(494.7),
        .bf16 = teraflops(989.4),
        .fp16 = teraflops(989.4),
        .fp16_accumulate_fp16 = teraflops(989.4),
        .fp8 = teraflops(1978.9),
        .fp8_accumulate_fp16 = teraflops(1978.9),
        .int8 = teraflops(1978.9),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = 132,
        .clock = megahertz(1830),
        .flops_per_clock_per_unit = 4096,
        .memory_type = "HBM3e",
        .nominal_memory = gibibytes(141),
        .usable_memory = mebibytes(143'771),
        .memory_bandwidth = gigabytes_per_second(4800),
        .l2_cache = doubtful(mebibytes(50)),
        .scale_up_link = "NVLink 4",
        .scale_up_bandwidth = gigabytes_per_second(450),
        .scale_up_peer_bandwidth = gigabytes_per_second(450),
        .scale_up_devices = 8,
        .scale_out_bandwidth = gigabits_per_second(400),
        .host_link = "PCIe 5 x16",
        .host_link_bandwidth = gigabytes_per_second(63.0),
        .tdp = watts_of_power(700),
        .lowest_price = dollars_per_hour(2.50),
        .highest_price = dollars_per_hour(7.00),
        .evidence = evidence::a,
        .note = "data-sheet peaks are sparse",
    };
  }
};

/// N-GH200 R-STAS R-SMI R-MLP
struct gh200_96gb : described_device<gh200_96gb> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "gh200-96gb",
        .vendor = "NVIDIA",
        .product = "GH200 Grace Hopper 96GB (GPU part)",
        .form_factor = "Superchip",
        .year = 2023,
        .architecture = "Hopper GH100",
        .compute_capability = "9.0",
        .fp64_vector = teraflops(33.5),
        .fp64_matrix = teraflops(66.9),
        .fp32_vector = teraflops(66.9),
        .fp16_vector = teraflops(133.8),
        .tf32 = teraflops(494.7),
        .bf16 = teraflops(989.4),
        .fp16 = teraflops(989.4),
        .fp16_accumulate_fp16 = teraflops(989.4),
        .fp8 = teraflops(1978.9),
        .fp8_accumulate_fp16 = teraflops(1978.9),
        .int8 = teraflops(1978.9),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = 132,
        .clock = megahertz(1830),
        .flops_per_clock_per_unit = 4096,
        .memory_type = "HBM3",
        .nominal_memory = gibibytes(96),
        .usable_memory = mebibytes(97871),
        .memory_bandwidth = gigabytes_per_second(4000),
        .l2_cache = doubtful(mebibytes(50)),
        .scale_up_link = "NVLink 4",
        .scale_up_bandwidth = gigabytes_per_second(450),
        .scale_up_peer_bandwidth = gigabytes_per_second(450),
        .scale_up_devices = doubtful(32),
        .scale_out_bandwidth = gigabits_per_second(400),
        .host_link = "NVLink-C2C",
        .host_link_bandwidth = gigabytes_per_second(450),
        .tdp = watts_of_power(900),
        .evidence = evidence::a,
        .note = "450 to 1000 W for CPU, GPU and memory together; domain of 32 only in an NVL32",
    };
  }
};

/// N-GH200 R-GENZ R-MLP
struct gh200_144gb : described_device<gh200_144gb> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "gh200-144gb",
        .vendor = "NVIDIA",
        .product = "GH200 Grace Hopper 144GB HBM3e (GPU part)",
        .form_factor = "Superchip",
        .year = 2024,
        .architecture = "Hopper GH100",
        .compute_capability = "9.0",
        .fp64_vector = teraflops(33.5),
        .fp64_matrix = teraflops(66.9),
        .fp32_vector = teraflops(66.9),
        .fp16_vector = teraflops(133.8),
        .tf32 = teraflops(494.7),
        .bf16 = teraflops(989.4),
        .fp16 = teraflops(989.4),
        .fp16_accumulate_fp16 = teraflops(989.4),
        .fp8 = teraflops(1978.9),
        .fp8_accumulate_fp16 = teraflops(1978.9),
        .int8 = teraflops(1978.9),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = 132,
        .clock = megahertz(1830),
        .flops_per_clock_per_unit = 4096,
        .memory_type = "HBM3e",
        .nominal_memory = gibibytes(144),
        .memory_bandwidth = doubtful(gigabytes_per_second(4900)),
        .l2_cache = doubtful(mebibytes(50)),
        .scale_up_link = "NVLink 4",
        .scale_up_bandwidth = gigabytes_per_second(450),
        .scale_up_peer_bandwidth = gigabytes_per_second(450),
        .scale_up_devices = 2,
        .scale_out_bandwidth = gigabits_per_second(400),
        .host_link = "NVLink-C2C",
        .host_link_bandwidth = gigabytes_per_second(450),
        .tdp = watts_of_power(900),
        .evidence = evidence::a,
        .note = "also listed as 141 GB and 4.8 TB/s",
    };
  }
};

/// N-BWBRIEF R-GENZ R-NANO P-GLENN
struct b100_sxm : described_device<b100_sxm> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "b100-sxm",
        .vendor = "NVIDIA",
        .product = "B100 SXM",
        .form_factor = "SXM6",
        .year = 2024,
        .architecture = "Blackwell",
        .compute_capability = "10.0",
        .fp64_vector = doubtful(teraflops(30)),
        .fp64_matrix = doubtful(teraflops(30)),
        .fp32_vector = doubtful(teraflops(60)),
        .tf32 = doubtful(teraflops(900)),
        .bf16 = teraflops(1750),
        .fp16 = teraflops(1750),
        .fp16_accumulate_fp16 = teraflops(1750),
        .fp8 = teraflops(3500),
        .fp6 = teraflops(3500),
        .fp4 = teraflops(7000),
        .int8 = teraflops(3500),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .memory_type = "HBM3e",
        .nominal_memory = doubtful(gibibytes(192)),
        .memory_bandwidth = gigabytes_per_second(8000),
        .scale_up_link = "NVLink 5",
        .scale_up_bandwidth = gigabytes_per_second(900),
        .scale_up_peer_bandwidth = gigabytes_per_second(900),
        .scale_up_devices = 8,
        .scale_out_bandwidth = gigabits_per_second(400),
        .host_link = "PCIe 5 x16",
        .host_link_bandwidth = gigabytes_per_second(63.0),
        .tdp = watts_of_power(700),
        .evidence = evidence::b,
        .note = "announced figures; hardly shipped",
    };
  }
};

/// N-BWBRIEF N-HGX N-DGXB200 R-TITAN R-AIC R-STAS R-NANO R-VERL R-SMI R-MLP P-GLENN P-FIBER P-VERDA
struct b200_sxm : described_device<b200_sxm> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "b200-sxm",
        .vendor = "NVIDIA",
        .product = "B200 SXM (HGX/DGX)",
        .form_factor = "SXM6",
        .year = 2024,
        .architecture = "Blackwell",
        .compute_capability = "10.0",
        .fp64_vector = doubtful(teraflops(37)),
        .fp64_matrix = doubtful(teraflops(37)),
        .fp32_vector = doubtful(teraflops(75)),
        .tf32 = doubtful(teraflops(1125)),
        .bf16 = teraflops(2250),
        .fp16 = teraflops(2250),
        .fp16_accumulate_fp16 = teraflops(2250),
        .fp8 = teraflops(4500),
        .fp6 = teraflops(4500),
        .fp4 = teraflops(9000),
        .int8 = teraflops(4500),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = 148,
        .memory_type = "HBM3e",
        .nominal_memory = gibibytes(180),
        .usable_memory = mebibytes(183'359),
        .memory_bandwidth = doubtful(gigabytes_per_second(7700)),
        .l2_cache = mebibytes(126),
        .scale_up_link = "NVLink 5",
        .scale_up_bandwidth = gigabytes_per_second(900),
        .scale_up_peer_bandwidth = gigabytes_per_second(900),
        .scale_up_devices = 8,
        .scale_out_bandwidth = gigabits_per_second(400),
        .host_link = "PCIe 5 x16",
        .host_link_bandwidth = gigabytes_per_second(63.0),
        .tdp = watts_of_power(1000),
        .evidence = evidence::a,
        .note = "headline 4.5 PF BF16 is sparse; the 2024 brief had 192 GB and FP64 40",
    };
  }
};

/// N-BWULTRA N-HGX N-DGXB300 R-AIC R-STAS R-TITAN P-GLENN P-FIBER P-VERDA
struct b300_sxm : described_device<b300_sxm> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "b300-sxm",
        .vendor = "NVIDIA",
        .product = "B300 SXM (HGX/DGX, Blackwell Ultra)",
        .form_factor = "SXM6",
        .year = 2025,
        .architecture = "Blackwell Ultra",
        .compute_capability = "10.3",
        .fp64_vector = doubtful(teraflops(1.25)),
        .fp64_matrix = doubtful(teraflops(1.25)),
        .fp32_vector = doubtful(teraflops(75)),
        .tf32 = doubtful(teraflops(1125)),
        .bf16 = teraflops(2250),
        .fp16 = teraflops(2250),
        .fp16_accumulate_fp16 = teraflops(2250),
        .fp8 = teraflops(4500),
        .fp6 = teraflops(4500),
        .fp4 = doubtful(teraflops(13500)),
        .int8 = doubtful(teraflops(153.5)),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .fp4_sparsity_factor = 1.33,
        .memory_type = "HBM3e",
        .nominal_memory = gibibytes(270),
        .usable_memory = mebibytes(275'040),
        .memory_bandwidth = doubtful(gigabytes_per_second(7700)),
        .scale_up_link = "NVLink 5",
        .scale_up_bandwidth = gigabytes_per_second(900),
        .scale_up_peer_bandwidth = gigabytes_per_second(900),
        .scale_up_devices = 8,
        .scale_out_bandwidth = gigabits_per_second(800),
        .host_link = "PCIe 6 x16",
        .host_link_bandwidth = gigabytes_per_second(121.0),
        .tdp = doubtful(watts_of_power(1100)),
        .evidence = evidence::d,
        .note = "FP4 is printed as 13.1, 13.5 and 14 PF dense, 18 PF sparse; INT8 was cut to about 1/30",
    };
  }
};

/// N-GB200 N-BWBRIEF R-TITAN R-AIC R-STAS R-VERL R-NANO P-GLENN
struct gb200_nvl72 : described_device<gb200_nvl72> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "gb200-nvl72",
        .vendor = "NVIDIA",
        .product = "GB200 NVL72 (per GPU)",
        .form_factor = "Superchip / rack",
        .year = 2024,
        .architecture = "Blackwell",
        .compute_capability = "10.0",
        .fp64_vector = doubtful(teraflops(40)),
        .fp64_matrix = doubtful(teraflops(40)),
        .fp32_vector = doubtful(teraflops(80)),
        .tf32 = teraflops(1250),
        .bf16 = teraflops(2500),
        .fp16 = teraflops(2500),
        .fp16_accumulate_fp16 = teraflops(2500),
        .fp8 = teraflops(5000),
        .fp6 = teraflops(5000),
        .fp4 = teraflops(10000),
        .int8 = teraflops(5000),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = 148,
        .clock = megahertz(2062),
        .flops_per_clock_per_unit = 8192,
        .memory_type = "HBM3e",
        .nominal_memory = gibibytes(186),
        .usable_memory = mebibytes(189'471),
        .memory_bandwidth = gigabytes_per_second(8000),
        .l2_cache = mebibytes(126),
        .scale_up_link = "NVLink 5",
        .scale_up_bandwidth = gigabytes_per_second(900),
        .scale_up_peer_bandwidth = gigabytes_per_second(900),
        .scale_up_devices = 72,
        .scale_out_bandwidth = doubtful(gigabits_per_second(400)),
        .host_link = "NVLink-C2C (per superchip)",
        .host_link_bandwidth = doubtful(gigabytes_per_second(450)),
        .tdp = watts_of_power(1200),
        .evidence = evidence::a,
        .note = "one GPU of a rack of 72; a superchip is two",
    };
  }
};

/// N-GB300 N-BWULTRA R-TITAN R-AIC R-STAS P-GLENN P-VERDA
struct gb300_nvl72 : described_device<gb300_nvl72> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "gb300-nvl72",
        .vendor = "NVIDIA",
        .product = "GB300 NVL72 (per GPU, Blackwell Ultra)",
        .form_factor = "Superchip / rack",
        .year = 2025,
        .architecture = "Blackwell Ultra",
        .compute_capability = "10.3",
        .fp64_vector = doubtful(teraflops(1.3)),
        .fp64_matrix = doubtful(teraflops(1.3)),
        .fp32_vector = doubtful(teraflops(80)),
        .tf32 = teraflops(1250),
        .bf16 = teraflops(2500),
        .fp16 = teraflops(2500),
        .fp16_accumulate_fp16 = teraflops(2500),
        .fp8 = teraflops(5000),
        .fp6 = teraflops(5000),
        .fp4 = teraflops(15000),
        .int8 = teraflops(165),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .fp4_sparsity_factor = 1.33,
        .memory_type = "HBM3e",
        .nominal_memory = gibibytes(279),
        .usable_memory = mebibytes(284'208),
        .memory_bandwidth = gigabytes_per_second(8000),
        .scale_up_link = "NVLink 5",
        .scale_up_bandwidth = gigabytes_per_second(900),
        .scale_up_peer_bandwidth = gigabytes_per_second(900),
        .scale_up_devices = 72,
        .scale_out_bandwidth = gigabits_per_second(800),
        .host_link = "NVLink-C2C (per superchip)",
        .host_link_bandwidth = doubtful(gigabytes_per_second(450)),
        .tdp = watts_of_power(1400),
        .evidence = evidence::a,
        .note = "one GPU of a rack of 72; FP4 is 20 PF sparse, 15 PF dense; INT8 was cut to about 1/30",
    };
  }
};

/// N-GA102 R-LLMC R-NANO R-LIGHT R-MLP
struct rtx_3090 : described_device<rtx_3090> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "rtx-3090",
        .vendor = "NVIDIA",
        .product = "GeForce RTX 3090",
        .form_factor = "PCIe",
        .year = 2020,
        .architecture = "Ampere GA102",
        .compute_capability = "8.6",
        .fp64_vector = teraflops(0.556),
        .fp32_vector = teraflops(35.6),
        .fp16_vector = teraflops(35.6),
        .tf32 = teraflops(35.6),
        .bf16 = teraflops(71),
        .fp16 = teraflops(71),
        .fp16_accumulate_fp16 = teraflops(142),
        .int8 = teraflops(284),
        .int4 = teraflops(568),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = 82,
        .clock = megahertz(1695),
        .flops_per_clock_per_unit = 512,
        .memory_type = "GDDR6X",
        .nominal_memory = gibibytes(24),
        .usable_memory = doubtful(mebibytes(24576)),
        .memory_bandwidth = gigabytes_per_second(936),
        .l2_cache = mebibytes(6),
        .scale_up_link = "NVLink 3 bridge (pair)",
        .scale_up_bandwidth = gigabytes_per_second(56.25),
        .scale_up_peer_bandwidth = gigabytes_per_second(56.25),
        .scale_up_devices = 2,
        .host_link = "PCIe 4 x16",
        .host_link_bandwidth = gigabytes_per_second(31.5),
        .tdp = watts_of_power(350),
        .evidence = evidence::a,
        .note = "FP32 accumulation at half rate",
    };
  }
};

/// N-ADA R-LLMC R-NANO R-LIGHT P-HMC
struct rtx_4090 : described_device<rtx_4090> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "rtx-4090",
        .vendor = "NVIDIA",
        .product = "GeForce RTX 4090",
        .form_factor = "PCIe",
        .year = 2022,
        .architecture = "Ada AD102",
        .compute_capability = "8.9",
        .fp64_vector = teraflops(1.29),
        .fp32_vector = teraflops(82.6),
        .fp16_vector = teraflops(82.6),
        .tf32 = teraflops(82.6),
        .bf16 = teraflops(165.2),
        .fp16 = teraflops(165.2),
        .fp16_accumulate_fp16 = teraflops(330.3),
        .fp8 = teraflops(330.3),
        .fp8_accumulate_fp16 = teraflops(660.6),
        .int8 = teraflops(660.6),
        .int4 = teraflops(1321.2),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = 128,
        .clock = megahertz(2520),
        .flops_per_clock_per_unit = 512,
        .memory_type = "GDDR6X",
        .nominal_memory = gibibytes(24),
        .usable_memory = doubtful(mebibytes(24564)),
        .memory_bandwidth = gigabytes_per_second(1008),
        .l2_cache = mebibytes(72),
        .scale_up_link = "none",
        .scale_up_devices = 1,
        .host_link = "PCIe 4 x16",
        .host_link_bandwidth = gigabytes_per_second(31.5),
        .tdp = watts_of_power(450),
        .evidence = evidence::a,
        .note = "FP32 accumulation at half rate: 330 needs FP16 sums",
    };
  }
};

/// N-RTXBW R-NANO R-SMI P-SPHERON P-LXF
struct rtx_5090 : described_device<rtx_5090> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "rtx-5090",
        .vendor = "NVIDIA",
        .product = "GeForce RTX 5090",
        .form_factor = "PCIe",
        .year = 2025,
        .architecture = "Blackwell GB202",
        .compute_capability = "12.0",
        .fp64_vector = teraflops(1.64),
        .fp32_vector = teraflops(104.8),
        .fp16_vector = teraflops(104.8),
        .tf32 = teraflops(104.8),
        .bf16 = teraflops(209.5),
        .fp16 = teraflops(209.5),
        .fp16_accumulate_fp16 = teraflops(419),
        .fp8 = teraflops(419),
        .fp8_accumulate_fp16 = teraflops(838),
        .fp4 = teraflops(1676),
        .int8 = teraflops(838),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = 170,
        .clock = megahertz(2407),
        .flops_per_clock_per_unit = 512,
        .memory_type = "GDDR7",
        .nominal_memory = gibibytes(32),
        .usable_memory = mebibytes(32607),
        .memory_bandwidth = gigabytes_per_second(1792),
        .l2_cache = mebibytes(96),
        .scale_up_link = "none",
        .scale_up_devices = 1,
        .host_link = "PCIe 5 x16",
        .host_link_bandwidth = gigabytes_per_second(63.0),
        .tdp = watts_of_power(575),
        .evidence = evidence::a,
        .note = "838 FP16 in the press is sparse and sums in FP16",
    };
  }
};

/// N-ADA R-SMI
struct rtx_6000_ada : described_device<rtx_6000_ada> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "rtx-6000-ada",
        .vendor = "NVIDIA",
        .product = "RTX 6000 Ada Generation",
        .form_factor = "PCIe",
        .year = 2022,
        .architecture = "Ada AD102",
        .compute_capability = "8.9",
        .fp32_vector = teraflops(91.1),
        .fp16_vector = teraflops(91.1),
        .tf32 = teraflops(182.1),
        .bf16 = teraflops(364.2),
        .fp16 = teraflops(364.2),
        .fp16_accumulate_fp16 = teraflops(364.2),
        .fp8 = teraflops(728.5),
        .fp8_accumulate_fp16 = doubtful(teraflops(728.5)),
        .int8 = teraflops(728.5),
        .int4 = doubtful(teraflops(1457)),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = 142,
        .clock = megahertz(2505),
        .flops_per_clock_per_unit = 1024,
        .memory_type = "GDDR6",
        .nominal_memory = gibibytes(48),
        .usable_memory = doubtful(mebibytes(49140)),
        .memory_bandwidth = gigabytes_per_second(960),
        .l2_cache = mebibytes(96),
        .scale_up_link = "none",
        .scale_up_devices = 1,
        .host_link = "PCIe 4 x16",
        .host_link_bandwidth = gigabytes_per_second(31.5),
        .tdp = watts_of_power(300),
        .evidence = evidence::b,
        .note = "full-rate FP32 accumulation, unlike GeForce",
    };
  }
};

/// N-PROBW R-AIC P-TOPCPU
struct rtx_pro_6000_blackwell : described_device<rtx_pro_6000_blackwell> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "rtx-pro-6000-blackwell",
        .vendor = "NVIDIA",
        .product = "RTX PRO 6000 Blackwell Workstation/Server Edition",
        .form_factor = "PCIe",
        .year = 2025,
        .architecture = "Blackwell GB202",
        .compute_capability = "12.0",
        .fp32_vector = teraflops(126),
        .fp16_vector = teraflops(126),
        .tf32 = doubtful(teraflops(251.9)),
        .bf16 = teraflops(503.8),
        .fp16 = teraflops(503.8),
        .fp16_accumulate_fp16 = teraflops(503.8),
        .fp8 = teraflops(1007.6),
        .fp8_accumulate_fp16 = doubtful(teraflops(1007.6)),
        .fp4 = teraflops(2015.2),
        .int8 = teraflops(1007.6),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = 188,
        .clock = doubtful(megahertz(2617)),
        .flops_per_clock_per_unit = 1024,
        .memory_type = "GDDR7",
        .nominal_memory = gibibytes(96),
        .usable_memory = mebibytes(97887),
        .memory_bandwidth = gigabytes_per_second(1792),
        .l2_cache = mebibytes(128),
        .scale_up_link = "none",
        .scale_up_devices = 1,
        .host_link = "PCIe 5 x16",
        .host_link_bandwidth = gigabytes_per_second(63.0),
        .tdp = watts_of_power(600),
        .evidence = evidence::b,
        .note = "the Max-Q edition is 300 W",
    };
  }
};

/// N-L4 R-AIC R-LIGHT R-NANO R-SMI R-MLP
struct l4 : described_device<l4> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "l4",
        .vendor = "NVIDIA",
        .product = "L4",
        .form_factor = "PCIe LP",
        .year = 2023,
        .architecture = "Ada AD104",
        .compute_capability = "8.9",
        .fp32_vector = teraflops(30.3),
        .fp16_vector = teraflops(30.3),
        .tf32 = teraflops(60.5),
        .bf16 = teraflops(121),
        .fp16 = teraflops(121),
        .fp16_accumulate_fp16 = teraflops(121),
        .fp8 = teraflops(242.5),
        .fp8_accumulate_fp16 = doubtful(teraflops(242.5)),
        .int8 = teraflops(242.5),
        .int4 = doubtful(teraflops(485)),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = 58,
        .clock = megahertz(2040),
        .flops_per_clock_per_unit = 1024,
        .memory_type = "GDDR6",
        .nominal_memory = gibibytes(24),
        .usable_memory = mebibytes(23034),
        .memory_bandwidth = gigabytes_per_second(300),
        .l2_cache = mebibytes(48),
        .scale_up_link = "none",
        .scale_up_devices = 1,
        .host_link = "PCIe 4 x16",
        .host_link_bandwidth = gigabytes_per_second(31.5),
        .tdp = watts_of_power(72),
        .evidence = evidence::a,
        .note = "headline 242 BF16 and 485 FP8 are sparse",
    };
  }
};

/// N-L40 R-VERL R-VIEW R-LIGHT R-MLP
struct l40 : described_device<l40> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "l40",
        .vendor = "NVIDIA",
        .product = "L40",
        .form_factor = "PCIe",
        .year = 2022,
        .architecture = "Ada AD102",
        .compute_capability = "8.9",
        .fp32_vector = teraflops(90.5),
        .fp16_vector = teraflops(90.5),
        .tf32 = teraflops(90.5),
        .bf16 = teraflops(181.05),
        .fp16 = teraflops(181.05),
        .fp16_accumulate_fp16 = doubtful(teraflops(362.1)),
        .fp8 = teraflops(362),
        .int8 = teraflops(362),
        .int4 = teraflops(724),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = 142,
        .clock = megahertz(2490),
        .flops_per_clock_per_unit = 512,
        .memory_type = "GDDR6",
        .nominal_memory = gibibytes(48),
        .usable_memory = doubtful(mebibytes(46068)),
        .memory_bandwidth = gigabytes_per_second(864),
        .l2_cache = mebibytes(96),
        .scale_up_link = "none",
        .scale_up_devices = 1,
        .host_link = "PCIe 4 x16",
        .host_link_bandwidth = gigabytes_per_second(31.5),
        .tdp = watts_of_power(300),
        .evidence = evidence::a,
        .note = "half the matrix rate of the L40S",
    };
  }
};

/// N-L40S R-TITAN R-AIC R-STAS R-VERL R-NANO R-MLP
struct l40s : described_device<l40s> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "l40s",
        .vendor = "NVIDIA",
        .product = "L40S",
        .form_factor = "PCIe",
        .year = 2023,
        .architecture = "Ada AD102",
        .compute_capability = "8.9",
        .fp32_vector = teraflops(91.6),
        .fp16_vector = teraflops(91.6),
        .tf32 = teraflops(183),
        .bf16 = teraflops(362.05),
        .fp16 = teraflops(362.05),
        .fp16_accumulate_fp16 = teraflops(362.05),
        .fp8 = teraflops(733),
        .fp8_accumulate_fp16 = doubtful(teraflops(733)),
        .int8 = teraflops(733),
        .int4 = doubtful(teraflops(733)),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = 142,
        .clock = megahertz(2490),
        .flops_per_clock_per_unit = 1024,
        .memory_type = "GDDR6",
        .nominal_memory = gibibytes(48),
        .usable_memory = mebibytes(46068),
        .memory_bandwidth = gigabytes_per_second(864),
        .l2_cache = mebibytes(96),
        .scale_up_link = "none",
        .scale_up_devices = 1,
        .host_link = "PCIe 4 x16",
        .host_link_bandwidth = gigabytes_per_second(31.5),
        .tdp = watts_of_power(350),
        .evidence = evidence::a,
        .note = "data sheet mixes clocks: FP8 is 2.02 times FP16",
    };
  }
};

/// N-ORIN P-MZPH R-MLP
struct jetson_agx_orin_64gb : described_device<jetson_agx_orin_64gb> {
  template <class A = accelerator>
  static constexpr A describe() {
    return A{
        .id = "jetson-agx-orin-64gb",
        .vendor = "NVIDIA",
        .product = "Jetson AGX Orin 64GB (GPU part)",
        .form_factor = "SoM",
        .year = 2022,
        .architecture = "Ampere GA10B",
        .compute_capability = "8.7",
        .fp32_vector = teraflops(5.3),
        .fp16_vector = doubtful(teraflops(10.6)),
        .bf16 = doubtful(teraflops(42.5)),
        .fp16 = doubtful(teraflops(42.5)),
        .int8 = teraflops(85),
        .sparse_mode = sparsity::two_of_four,
        .sparsity_factor = 2,
        .compute_units = 16,
        .clock = megahertz(1300),
        .flops_per_clock_per_unit = 2048,
        .memory_type = "LPDDR5 (shared with CPU)",
        .nominal_memory = gibibytes(64),
        .memory_bandwidth = gigabytes_per_second(204.8),
        .l2_cache = mebibytes(4),
        .scale_up_link = "none",
        .scale_up_devices = 1,
        .tdp = watts_of_power(60),
        .evidence = evidence::b,
        .note = "headline 275 TOPS is sparse INT8, 105 of it from the DLAs",
    };
  }
};

}  // namespace flopledger::hardware
