// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// How far predicted steps were off where published runs were compared. Written by tests/published/time_accuracy.cpp
/// --write-bands and checked with it: each figure comes from the rows of docs/accuracy_time.md.

#include <string_view>

namespace flopledger {

/// Of the rows of one published table that ran one kind of job, predicted over measured less one, in per cent.
struct compared_steps {
  std::string_view table, framework, family, device;  ///< the framework may be an engine
  bool mixture = false;                               ///< of experts
  bool unseen = true;                                 ///< no assumption of the framework was chosen on the table
  int rows = 0;
  double median = 0;  ///< of absolute errors
  int inside = 100;   ///< per cent of the rows between the ends; all of them where they are few
  double lowest = 0, highest = 0;
};

// clang-format off
inline constexpr compared_steps all_compared_steps[] = {
    {.table = "korthikanti2022_table5.csv", .framework = "megatron_2022", .family = "megatron", .device = "a100-sxm4-80gb", .mixture = false, .unseen = true, .rows = 8, .median = 3.7, .inside = 100, .lowest = -0.7, .highest = 6.3},
    {.table = "llm_foundry_mpt.csv", .framework = "llm_foundry", .family = "pytorch", .device = "h100-sxm5-80gb", .mixture = false, .unseen = true, .rows = 35, .median = 4.8, .inside = 80, .lowest = -9.1, .highest = 5.2},
    {.table = "llm_foundry_mpt.csv", .framework = "llm_foundry", .family = "pytorch", .device = "a100-sxm4-80gb", .mixture = false, .unseen = true, .rows = 30, .median = 7.4, .inside = 80, .lowest = -11.7, .highest = 10.7},
    {.table = "llm_foundry_mpt.csv", .framework = "llm_foundry", .family = "pytorch", .device = "a100-sxm4-40gb", .mixture = false, .unseen = true, .rows = 35, .median = 5.5, .inside = 80, .lowest = -9.6, .highest = -0.3},
    {.table = "torchtitan.csv", .framework = "pytorch_fsdp", .family = "pytorch", .device = "h100-sxm5-80gb", .mixture = false, .unseen = false, .rows = 2, .median = 4.9, .inside = 100, .lowest = -6.3, .highest = -3.5},
    {.table = "torchtitan.csv", .framework = "torchtitan_2024", .family = "pytorch", .device = "h100-sxm5-80gb", .mixture = false, .unseen = false, .rows = 8, .median = 4.0, .inside = 100, .lowest = -24.9, .highest = 4.4},
    {.table = "torchtitan.csv", .framework = "torchtitan", .family = "pytorch", .device = "h100-sxm5-80gb", .mixture = false, .unseen = false, .rows = 3, .median = 16.1, .inside = 100, .lowest = -38.7, .highest = -7.6},
    {.table = "torchtitan.csv", .framework = "torchtitan_async_tp", .family = "pytorch", .device = "h100-sxm5-80gb", .mixture = false, .unseen = false, .rows = 2, .median = 31.5, .inside = 100, .lowest = -43.5, .highest = -19.6},
    {.table = "torchtitan.csv", .framework = "torchtitan", .family = "pytorch", .device = "h200-sxm5-141gb", .mixture = false, .unseen = false, .rows = 2, .median = 17.3, .inside = 100, .lowest = -18.0, .highest = -16.6},
    {.table = "nvidia_nemo_bridge_training.csv", .framework = "nemo_bridge_26_06", .family = "megatron", .device = "gb300-nvl72", .mixture = true, .unseen = false, .rows = 6, .median = 11.6, .inside = 100, .lowest = -47.9, .highest = 8.3},
    {.table = "nvidia_nemo_bridge_training.csv", .framework = "nemo_bridge_26_06", .family = "megatron", .device = "gb200-nvl72", .mixture = true, .unseen = false, .rows = 6, .median = 12.2, .inside = 100, .lowest = -46.7, .highest = 8.7},
    {.table = "nvidia_nemo_bridge_training.csv", .framework = "nemo_bridge_26_06", .family = "megatron", .device = "b300-sxm", .mixture = true, .unseen = false, .rows = 2, .median = 26.5, .inside = 100, .lowest = -49.0, .highest = 4.1},
    {.table = "nvidia_nemo_bridge_training.csv", .framework = "nemo_bridge_26_06", .family = "megatron", .device = "h100-sxm5-80gb", .mixture = true, .unseen = false, .rows = 1, .median = 41.5, .inside = 100, .lowest = -41.5, .highest = -41.5},
    {.table = "nvidia_nemo_bridge_training.csv", .framework = "nemo_bridge_hybrid_ep", .family = "megatron", .device = "gb300-nvl72", .mixture = false, .unseen = false, .rows = 12, .median = 4.0, .inside = 80, .lowest = -14.6, .highest = 4.2},
    {.table = "nvidia_nemo_bridge_training.csv", .framework = "nemo_bridge_hybrid_ep", .family = "megatron", .device = "gb200-nvl72", .mixture = false, .unseen = false, .rows = 12, .median = 4.4, .inside = 80, .lowest = -18.4, .highest = 0.5},
    {.table = "nvidia_nemo_bridge_training.csv", .framework = "nemo_bridge_hybrid_ep", .family = "megatron", .device = "h100-sxm5-80gb", .mixture = false, .unseen = false, .rows = 4, .median = 3.2, .inside = 100, .lowest = -4.1, .highest = -1.6},
    {.table = "nvidia_nemo_bridge_training.csv", .framework = "nemo_bridge", .family = "megatron", .device = "gb300-nvl72", .mixture = true, .unseen = false, .rows = 6, .median = 11.2, .inside = 100, .lowest = -11.8, .highest = 12.0},
    {.table = "nvidia_nemo_bridge_training.csv", .framework = "nemo_bridge", .family = "megatron", .device = "gb200-nvl72", .mixture = true, .unseen = false, .rows = 5, .median = 16.4, .inside = 100, .lowest = -17.3, .highest = 2.3},
    {.table = "nvidia_nemo_bridge_training.csv", .framework = "nemo_bridge_hybrid_ep", .family = "megatron", .device = "b300-sxm", .mixture = true, .unseen = false, .rows = 8, .median = 17.6, .inside = 100, .lowest = -42.1, .highest = -4.9},
    {.table = "nvidia_nemo_bridge_training.csv", .framework = "nemo_bridge", .family = "megatron", .device = "b200-sxm", .mixture = true, .unseen = false, .rows = 7, .median = 24.6, .inside = 100, .lowest = -51.9, .highest = 46.7},
    {.table = "nvidia_nemo_bridge_training.csv", .framework = "nemo_bridge", .family = "megatron", .device = "h100-sxm5-80gb", .mixture = true, .unseen = false, .rows = 7, .median = 6.2, .inside = 100, .lowest = -49.7, .highest = 0.1},
    {.table = "nvidia_nemo_bridge_training.csv", .framework = "nemo_bridge_hybrid_ep", .family = "megatron", .device = "gb300-nvl72", .mixture = true, .unseen = false, .rows = 4, .median = 9.2, .inside = 100, .lowest = -10.9, .highest = -6.9},
    {.table = "nvidia_nemo_bridge_training.csv", .framework = "nemo_bridge_hybrid_ep", .family = "megatron", .device = "b200-sxm", .mixture = true, .unseen = false, .rows = 4, .median = 9.0, .inside = 100, .lowest = -25.1, .highest = 9.6},
    {.table = "nvidia_nemo_bridge_training.csv", .framework = "nemo_bridge_hybrid_ep", .family = "megatron", .device = "h100-sxm5-80gb", .mixture = true, .unseen = false, .rows = 4, .median = 0.9, .inside = 100, .lowest = -43.2, .highest = 0.5},
    {.table = "nvidia_nemo_bridge_training.csv", .framework = "nemo_bridge", .family = "megatron", .device = "gb300-nvl72", .mixture = false, .unseen = false, .rows = 1, .median = 10.6, .inside = 100, .lowest = -10.6, .highest = -10.6},
    {.table = "nvidia_nemo_bridge_training.csv", .framework = "nemo_bridge", .family = "megatron", .device = "gb200-nvl72", .mixture = false, .unseen = false, .rows = 3, .median = 4.4, .inside = 100, .lowest = -7.1, .highest = 0.4},
    {.table = "nvidia_nemo_bridge_training.csv", .framework = "nemo_bridge", .family = "megatron", .device = "h100-sxm5-80gb", .mixture = false, .unseen = false, .rows = 4, .median = 3.9, .inside = 100, .lowest = -6.0, .highest = -3.2},
    {.table = "nvidia_nemo_bridge_training.csv", .framework = "nemo_24", .family = "megatron", .device = "h100-sxm5-80gb", .mixture = false, .unseen = false, .rows = 9, .median = 3.4, .inside = 100, .lowest = -12.6, .highest = 4.2},
    {.table = "nvidia_nemo_bridge_training.csv", .framework = "megatron_core", .family = "megatron", .device = "h100-sxm5-80gb", .mixture = false, .unseen = false, .rows = 2, .median = 1.3, .inside = 100, .lowest = -1.7, .highest = -0.9},
    {.table = "simumax_b200.csv", .framework = "megatron_core_plain", .family = "megatron", .device = "b200-sxm", .mixture = false, .unseen = true, .rows = 16, .median = 3.4, .inside = 80, .lowest = -10.7, .highest = -0.2},
    {.table = "simumax_b200.csv", .framework = "megatron_core_plain", .family = "megatron", .device = "b200-sxm", .mixture = true, .unseen = true, .rows = 6, .median = 2.0, .inside = 100, .lowest = -4.2, .highest = 3.5},
    {.table = "megatron2021_table2.csv", .framework = "megatron_2022", .family = "megatron", .device = "a100-sxm4-80gb", .mixture = false, .unseen = true, .rows = 9, .median = 4.1, .inside = 100, .lowest = -24.8, .highest = 1.7},
    {.table = "megascale_175b_2.csv", .framework = "megatron_core_plain", .family = "megatron", .device = "a100-sxm4-80gb", .mixture = false, .unseen = true, .rows = 3, .median = 7.7, .inside = 100, .lowest = -13.2, .highest = -1.1},
    {.table = "nvidia_long_sequence_2.csv", .framework = "nemo_24", .family = "megatron", .device = "h100-sxm5-80gb", .mixture = false, .unseen = true, .rows = 3, .median = 5.7, .inside = 100, .lowest = -12.0, .highest = -2.4},
    {.table = "fms_fsdp_2.csv", .framework = "pytorch_fsdp", .family = "pytorch", .device = "a100-sxm4-80gb", .mixture = false, .unseen = true, .rows = 1, .median = 6.2, .inside = 100, .lowest = -6.2, .highest = -6.2},
    {.table = "fms_fsdp_2.csv", .framework = "pytorch_fsdp", .family = "pytorch", .device = "h100-sxm5-80gb", .mixture = false, .unseen = true, .rows = 1, .median = 9.0, .inside = 100, .lowest = -9.0, .highest = -9.0},
    {.table = "internlm_7b.csv", .framework = "internevo", .family = "internevo", .device = "a100-sxm4-80gb", .mixture = false, .unseen = false, .rows = 38, .median = 7.6, .inside = 80, .lowest = -17.5, .highest = -3.2},
    {.table = "bigscience_bloom_topology.csv", .framework = "megatron_deepspeed", .family = "deepspeed", .device = "a100-sxm4-80gb", .mixture = false, .unseen = true, .rows = 74, .median = 15.7, .inside = 80, .lowest = -30.7, .highest = -6.2},
    {.table = "bigscience_bloom_topology.csv", .framework = "megatron_deepspeed_bf16", .family = "deepspeed", .device = "a100-sxm4-80gb", .mixture = false, .unseen = true, .rows = 2, .median = 9.1, .inside = 100, .lowest = -15.4, .highest = -2.8},
    {.table = "vtrain_single_node.csv", .framework = "megatron_deepspeed_2023", .family = "deepspeed", .device = "a100-sxm4-80gb", .mixture = false, .unseen = true, .rows = 540, .median = 5.2, .inside = 80, .lowest = -18.7, .highest = 3.1},
    {.table = "vtrain_multi_node.csv", .framework = "megatron_deepspeed_2023", .family = "deepspeed", .device = "a100-sxm4-80gb", .mixture = false, .unseen = true, .rows = 73, .median = 10.3, .inside = 80, .lowest = -28.5, .highest = -1.3},
    {.table = "ttft_batch1.csv", .framework = "tensorrt_llm_0_9", .family = "tensorrt_llm", .device = "h100-sxm5-80gb", .mixture = false, .unseen = true, .rows = 10, .median = 9.5, .inside = 80, .lowest = -14.4, .highest = 16.3},
    {.table = "ttft_batch1.csv", .framework = "tensorrt_llm_0_9", .family = "tensorrt_llm", .device = "a100-sxm4-80gb", .mixture = false, .unseen = true, .rows = 10, .median = 13.7, .inside = 80, .lowest = -17.4, .highest = -3.6},
    {.table = "ttft_batch1.csv", .framework = "tensorrt_llm_0_9", .family = "tensorrt_llm", .device = "a100-sxm4-40gb", .mixture = false, .unseen = true, .rows = 2, .median = 6.2, .inside = 100, .lowest = -11.7, .highest = 0.8},
    {.table = "trtllm_v0_9_throughput.csv", .framework = "tensorrt_llm_0_9", .family = "tensorrt_llm", .device = "h100-sxm5-80gb", .mixture = false, .unseen = true, .rows = 13, .median = 3.2, .inside = 80, .lowest = -3.7, .highest = 7.1},
    {.table = "trtllm_v0_9_throughput.csv", .framework = "tensorrt_llm_0_9", .family = "tensorrt_llm", .device = "a100-sxm4-80gb", .mixture = false, .unseen = true, .rows = 13, .median = 3.3, .inside = 80, .lowest = -9.9, .highest = 2.0},
    {.table = "trtllm_v1_0_throughput.csv", .framework = "tensorrt_llm_1_0", .family = "tensorrt_llm", .device = "b200-sxm", .mixture = false, .unseen = true, .rows = 10, .median = 12.0, .inside = 80, .lowest = -17.3, .highest = -5.3},
    {.table = "trtllm_v1_0_throughput.csv", .framework = "tensorrt_llm_1_0", .family = "tensorrt_llm", .device = "h100-sxm5-80gb", .mixture = false, .unseen = true, .rows = 10, .median = 7.1, .inside = 80, .lowest = 5.1, .highest = 9.1},
    {.table = "trtllm_v1_0_throughput.csv", .framework = "tensorrt_llm_1_0", .family = "tensorrt_llm", .device = "b200-sxm", .mixture = true, .unseen = true, .rows = 10, .median = 31.4, .inside = 80, .lowest = -33.9, .highest = -21.2},
    {.table = "trtllm_v1_0_throughput.csv", .framework = "tensorrt_llm_1_0", .family = "tensorrt_llm", .device = "h200-sxm5-141gb", .mixture = true, .unseen = true, .rows = 10, .median = 14.0, .inside = 80, .lowest = -25.8, .highest = 1.3},
    {.table = "mlperf_offline.csv", .framework = "vllm", .family = "vllm", .device = "mi300x", .mixture = false, .unseen = true, .rows = 3, .median = 3.5, .inside = 100, .lowest = -5.9, .highest = -2.0},
    {.table = "mlperf_offline.csv", .framework = "tensorrt_llm_1_0", .family = "tensorrt_llm", .device = "h100-pcie-80gb", .mixture = false, .unseen = true, .rows = 1, .median = 18.4, .inside = 100, .lowest = -18.4, .highest = -18.4},
    {.table = "mlperf_offline.csv", .framework = "tensorrt_llm_1_0", .family = "tensorrt_llm", .device = "h100-sxm5-80gb", .mixture = false, .unseen = true, .rows = 5, .median = 0.4, .inside = 100, .lowest = -0.4, .highest = 1.7},
    {.table = "serving_engines.csv, time per token", .framework = "tensorrt_llm_1_0", .family = "tensorrt_llm", .device = "h100-sxm5-80gb", .mixture = false, .unseen = true, .rows = 177, .median = 6.0, .inside = 80, .lowest = -18.8, .highest = 12.7},
    {.table = "serving_engines.csv, time per token", .framework = "tensorrt_llm_1_0", .family = "tensorrt_llm", .device = "h100-sxm5-80gb", .mixture = true, .unseen = true, .rows = 5, .median = 77.3, .inside = 100, .lowest = -82.9, .highest = -54.3},
    {.table = "serving_engines.csv, time per token", .framework = "sglang", .family = "sglang", .device = "h200-sxm5-141gb", .mixture = false, .unseen = true, .rows = 46, .median = 11.3, .inside = 80, .lowest = -23.2, .highest = 13.1},
    {.table = "serving_engines.csv, time per token", .framework = "vllm", .family = "vllm", .device = "h200-sxm5-141gb", .mixture = false, .unseen = true, .rows = 21, .median = 109.7, .inside = 80, .lowest = 32.6, .highest = 213.1},
    {.table = "serving_engines.csv, time per token", .framework = "vllm_0_15", .family = "vllm", .device = "h200-sxm5-141gb", .mixture = true, .unseen = true, .rows = 66, .median = 5.6, .inside = 80, .lowest = -17.3, .highest = 3.2},
    {.table = "serving_engines.csv, time per token", .framework = "sglang", .family = "sglang", .device = "b200-sxm", .mixture = true, .unseen = true, .rows = 121, .median = 9.7, .inside = 80, .lowest = -27.9, .highest = 23.9},
    {.table = "serving_engines.csv, time per token", .framework = "vllm_0_15", .family = "vllm", .device = "b200-sxm", .mixture = true, .unseen = true, .rows = 74, .median = 23.8, .inside = 80, .lowest = 6.0, .highest = 37.1},
    {.table = "serving_engines.csv, time per token", .framework = "tensorrt_llm_1_0", .family = "tensorrt_llm", .device = "b200-sxm", .mixture = true, .unseen = true, .rows = 221, .median = 18.8, .inside = 80, .lowest = -17.9, .highest = 45.5},
    {.table = "serving_engines.csv, time per token", .framework = "tensorrt_llm_1_0", .family = "tensorrt_llm", .device = "h200-sxm5-141gb", .mixture = true, .unseen = true, .rows = 108, .median = 31.6, .inside = 80, .lowest = -46.1, .highest = 1.7},
    {.table = "serving_engines.csv, time per token", .framework = "vllm", .family = "vllm", .device = "b200-sxm", .mixture = true, .unseen = true, .rows = 10, .median = 35.7, .inside = 80, .lowest = 24.0, .highest = 62.2},
    {.table = "serving_engines.csv, time per token", .framework = "vllm", .family = "vllm", .device = "h200-sxm5-141gb", .mixture = true, .unseen = true, .rows = 9, .median = 7.7, .inside = 100, .lowest = -14.1, .highest = 9.1},
    {.table = "serving_engines.csv, time per token", .framework = "tensorrt_llm_1_0", .family = "tensorrt_llm", .device = "b200-sxm", .mixture = false, .unseen = true, .rows = 144, .median = 9.0, .inside = 80, .lowest = -21.9, .highest = 3.2},
    {.table = "serving_engines.csv, time per token", .framework = "vllm", .family = "vllm", .device = "b200-sxm", .mixture = false, .unseen = true, .rows = 120, .median = 6.4, .inside = 80, .lowest = -6.6, .highest = 16.3},
    {.table = "serving_engines.csv, time per token", .framework = "vllm", .family = "vllm", .device = "h100-sxm5-80gb", .mixture = false, .unseen = true, .rows = 45, .median = 4.0, .inside = 80, .lowest = -10.2, .highest = 3.9},
    {.table = "serving_engines.csv, time per token", .framework = "vllm", .family = "vllm", .device = "h100-sxm5-80gb", .mixture = true, .unseen = true, .rows = 11, .median = 804.9, .inside = 80, .lowest = -3.7, .highest = 1537.5},
    {.table = "serving_engines.csv, time to first token", .framework = "tensorrt_llm_1_0", .family = "tensorrt_llm", .device = "h100-sxm5-80gb", .mixture = false, .unseen = true, .rows = 177, .median = 44.6, .inside = 80, .lowest = -81.6, .highest = -12.6},
    {.table = "serving_engines.csv, time to first token", .framework = "tensorrt_llm_1_0", .family = "tensorrt_llm", .device = "h100-sxm5-80gb", .mixture = true, .unseen = true, .rows = 5, .median = 85.4, .inside = 100, .lowest = -90.8, .highest = -71.3},
    {.table = "serving_engines.csv, time to first token", .framework = "sglang", .family = "sglang", .device = "h200-sxm5-141gb", .mixture = false, .unseen = true, .rows = 46, .median = 40.7, .inside = 80, .lowest = -84.9, .highest = -10.2},
    {.table = "serving_engines.csv, time to first token", .framework = "vllm", .family = "vllm", .device = "h200-sxm5-141gb", .mixture = false, .unseen = true, .rows = 21, .median = 57.0, .inside = 80, .lowest = 15.0, .highest = 231.7},
    {.table = "serving_engines.csv, time to first token", .framework = "vllm_0_15", .family = "vllm", .device = "h200-sxm5-141gb", .mixture = true, .unseen = true, .rows = 66, .median = 24.9, .inside = 80, .lowest = -40.2, .highest = 10.8},
    {.table = "serving_engines.csv, time to first token", .framework = "sglang", .family = "sglang", .device = "b200-sxm", .mixture = true, .unseen = true, .rows = 121, .median = 59.3, .inside = 80, .lowest = -95.6, .highest = 15.8},
    {.table = "serving_engines.csv, time to first token", .framework = "vllm_0_15", .family = "vllm", .device = "b200-sxm", .mixture = true, .unseen = true, .rows = 74, .median = 31.6, .inside = 80, .lowest = -7.0, .highest = 58.3},
    {.table = "serving_engines.csv, time to first token", .framework = "tensorrt_llm_1_0", .family = "tensorrt_llm", .device = "b200-sxm", .mixture = true, .unseen = true, .rows = 221, .median = 50.5, .inside = 80, .lowest = -70.8, .highest = 63.2},
    {.table = "serving_engines.csv, time to first token", .framework = "tensorrt_llm_1_0", .family = "tensorrt_llm", .device = "h200-sxm5-141gb", .mixture = true, .unseen = true, .rows = 108, .median = 42.6, .inside = 80, .lowest = -79.9, .highest = -8.9},
    {.table = "serving_engines.csv, time to first token", .framework = "vllm", .family = "vllm", .device = "b200-sxm", .mixture = true, .unseen = true, .rows = 10, .median = 21.2, .inside = 80, .lowest = -34.9, .highest = 32.5},
    {.table = "serving_engines.csv, time to first token", .framework = "vllm", .family = "vllm", .device = "h200-sxm5-141gb", .mixture = true, .unseen = true, .rows = 9, .median = 19.4, .inside = 100, .lowest = -45.2, .highest = -7.5},
    {.table = "serving_engines.csv, time to first token", .framework = "tensorrt_llm_1_0", .family = "tensorrt_llm", .device = "b200-sxm", .mixture = false, .unseen = true, .rows = 144, .median = 17.3, .inside = 80, .lowest = -59.3, .highest = 25.7},
    {.table = "serving_engines.csv, time to first token", .framework = "vllm", .family = "vllm", .device = "b200-sxm", .mixture = false, .unseen = true, .rows = 120, .median = 17.8, .inside = 80, .lowest = -45.7, .highest = 2.0},
    {.table = "serving_engines.csv, time to first token", .framework = "vllm", .family = "vllm", .device = "h100-sxm5-80gb", .mixture = false, .unseen = true, .rows = 45, .median = 10.0, .inside = 80, .lowest = -11.3, .highest = 18.7},
    {.table = "serving_engines.csv, time to first token", .framework = "vllm", .family = "vllm", .device = "h100-sxm5-80gb", .mixture = true, .unseen = true, .rows = 11, .median = 98.5, .inside = 80, .lowest = -99.9, .highest = -39.0},
    {.table = "serving_engines.csv, whole requests", .framework = "tensorrt_llm_1_0", .family = "tensorrt_llm", .device = "h100-sxm5-80gb", .mixture = false, .unseen = true, .rows = 177, .median = 7.6, .inside = 80, .lowest = -24.3, .highest = 8.4},
    {.table = "serving_engines.csv, whole requests", .framework = "tensorrt_llm_1_0", .family = "tensorrt_llm", .device = "h100-sxm5-80gb", .mixture = true, .unseen = true, .rows = 5, .median = 77.6, .inside = 100, .lowest = -83.2, .highest = -54.9},
    {.table = "serving_engines.csv, whole requests", .framework = "sglang", .family = "sglang", .device = "h200-sxm5-141gb", .mixture = false, .unseen = true, .rows = 46, .median = 8.9, .inside = 80, .lowest = -24.5, .highest = 2.6},
    {.table = "serving_engines.csv, whole requests", .framework = "vllm", .family = "vllm", .device = "h200-sxm5-141gb", .mixture = false, .unseen = true, .rows = 21, .median = 107.6, .inside = 80, .lowest = 32.6, .highest = 190.8},
    {.table = "serving_engines.csv, whole requests", .framework = "vllm_0_15", .family = "vllm", .device = "h200-sxm5-141gb", .mixture = true, .unseen = true, .rows = 66, .median = 6.8, .inside = 80, .lowest = -18.2, .highest = 3.3},
    {.table = "serving_engines.csv, whole requests", .framework = "sglang", .family = "sglang", .device = "b200-sxm", .mixture = true, .unseen = true, .rows = 121, .median = 10.3, .inside = 80, .lowest = -35.2, .highest = 25.2},
    {.table = "serving_engines.csv, whole requests", .framework = "vllm_0_15", .family = "vllm", .device = "b200-sxm", .mixture = true, .unseen = true, .rows = 74, .median = 23.8, .inside = 80, .lowest = 6.4, .highest = 37.5},
    {.table = "serving_engines.csv, whole requests", .framework = "tensorrt_llm_1_0", .family = "tensorrt_llm", .device = "b200-sxm", .mixture = true, .unseen = true, .rows = 221, .median = 18.6, .inside = 80, .lowest = -17.5, .highest = 43.3},
    {.table = "serving_engines.csv, whole requests", .framework = "tensorrt_llm_1_0", .family = "tensorrt_llm", .device = "h200-sxm5-141gb", .mixture = true, .unseen = true, .rows = 108, .median = 31.2, .inside = 80, .lowest = -46.1, .highest = -1.8},
    {.table = "serving_engines.csv, whole requests", .framework = "vllm", .family = "vllm", .device = "b200-sxm", .mixture = true, .unseen = true, .rows = 10, .median = 34.6, .inside = 80, .lowest = 22.9, .highest = 61.7},
    {.table = "serving_engines.csv, whole requests", .framework = "vllm", .family = "vllm", .device = "h200-sxm5-141gb", .mixture = true, .unseen = true, .rows = 9, .median = 7.6, .inside = 100, .lowest = -14.0, .highest = 7.2},
    {.table = "serving_engines.csv, whole requests", .framework = "tensorrt_llm_1_0", .family = "tensorrt_llm", .device = "b200-sxm", .mixture = false, .unseen = true, .rows = 144, .median = 9.3, .inside = 80, .lowest = -22.5, .highest = 3.0},
    {.table = "serving_engines.csv, whole requests", .framework = "vllm", .family = "vllm", .device = "b200-sxm", .mixture = false, .unseen = true, .rows = 120, .median = 5.9, .inside = 80, .lowest = -6.6, .highest = 16.1},
    {.table = "serving_engines.csv, whole requests", .framework = "vllm", .family = "vllm", .device = "h100-sxm5-80gb", .mixture = false, .unseen = true, .rows = 45, .median = 3.9, .inside = 80, .lowest = -10.1, .highest = 3.6},
    {.table = "serving_engines.csv, whole requests", .framework = "vllm", .family = "vllm", .device = "h100-sxm5-80gb", .mixture = true, .unseen = true, .rows = 11, .median = 78.7, .inside = 80, .lowest = -7.3, .highest = 213.2},
    {.table = "gpt_fast.csv", .framework = "gpt_fast", .family = "gpt_fast", .device = "a100-sxm4-80gb", .mixture = false, .unseen = true, .rows = 13, .median = 10.9, .inside = 80, .lowest = -13.7, .highest = 28.1},
    {.table = "llamacpp_llama3_gpus.csv", .framework = "llama_cpp", .family = "llama_cpp", .device = "a100-pcie-80gb", .mixture = false, .unseen = true, .rows = 4, .median = 36.0, .inside = 100, .lowest = -37.8, .highest = -35.2},
    {.table = "llamacpp_llama3_gpus.csv", .framework = "llama_cpp", .family = "llama_cpp", .device = "a100-sxm4-80gb", .mixture = false, .unseen = true, .rows = 4, .median = 39.7, .inside = 100, .lowest = -41.0, .highest = -39.1},
    {.table = "llamacpp_llama3_gpus.csv", .framework = "llama_cpp", .family = "llama_cpp", .device = "a100-pcie-80gb", .mixture = false, .unseen = true, .rows = 4, .median = 16.8, .inside = 100, .lowest = -27.7, .highest = -12.4},
};
// clang-format on

}  // namespace flopledger
