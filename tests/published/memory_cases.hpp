// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The published training runs, each as a model, a plan and a framework. What a table does not say is the framework's.

#include <flopledger/hardware/nvidia.hpp>
#include <flopledger/memory/training.hpp>
#include <flopledger/models/block_shape.hpp>

#include <cmath>
#include <string>
#include <vector>

#include "classic_block.hpp"
#include "csv.hpp"
#include "statistics.hpp"

namespace published {

using namespace flopledger;

inline std::string data_path(const std::string& table) {
  return std::string(FLOPLEDGER_TEST_DATA) + "/published/" + table + ".csv";
}

struct job {
  transformer_config model;
  training_setup setup;
  memory_account worst() const { return training_memory(model, setup).worst(); }
};

// SimuMax on B200: Megatron-LM, distributed optimizer, FP32 gradients, fused loss -------------------------------------

inline job simumax_job(const record& r) {
  block_shape s{.layers = r.integer("n_layers_used"),
                .hidden = r.integer("d_model"),
                .heads = r.integer("n_heads"),
                .kv_heads = r.integer("n_kv_heads"),
                .head_dim = r.integer("head_dim"),
                .intermediate = r.integer("d_ff"),
                .vocabulary = r.integer("vocab")};
  if (r.integer("n_experts") > 0) {
    s.experts = r.integer("n_experts");
    s.experts_per_token = r.integer("top_k");
    s.expert_intermediate = r.integer("moe_ff");
    s.sparse = layer_set::range(r.integer("dense_layers"), s.layers);
    // The models' own configurations, which the table leaves out: latent attention, and two shared experts of
    // DeepSeek-V2 or one of DeepSeek-V3.
    s.shared_intermediate = (r.text("case").starts_with("deepseekv3") ? 1 : 2) * s.expert_intermediate;
    s.query_rank = 1536;
    s.latent_rank = 512;
    s.nope_dim = 128;
    s.rope_dim = 64;
    s.value_dim = 128;
  }
  training_setup setup{.framework = frameworks::megatron_core_plain};
  setup.plan = {.sequence = r.integer("seq_len"),
                .micro_batch = r.integer("micro_batch"),
                .gradient_accumulation = r.integer("microbatches_per_step"),
                .data = r.integer("dp"),
                .tensor = r.integer("tp"),
                .pipeline = r.integer("pp"),
                .context = r.integer("cp"),
                .expert = r.integer("ep"),
                .expert_tensor = 1,
                .sharding = zero::optimizer,
                .loss = setup.framework.loss};
  setup.precision = formats_under(setup.framework, recipes::mixed_bf16::value, setup.plan);
  return {make_decoder("simumax", s), setup};
}

struct simumax_result {
  std::vector<comparison> allocated, reserved;
};

/// Runs that differ in the number of micro-batches alone were measured once (and print the same figure): one of each.
inline simumax_result compare_simumax() {
  simumax_result result;
  std::map<std::string, bool> seen;
  for (const record& r : read_table(data_path("simumax_b200"))) {
    std::string name = r.text("case");
    if (const auto at = name.find("_mbc"); at != std::string::npos) name.erase(at);
    if (seen[name]) continue;
    seen[name] = true;
    const memory_account account = simumax_job(r).worst();
    result.allocated.push_back({name, r.number("real_max_alloc_gib"), in_gib(account.allocated())});
    result.reserved.push_back({name, r.number("real_max_reserved_gib"), in_gib(account.total())});
  }
  return result;
}

/// Llama-3-405B and DeepSeek-V3 of the same source, of which allocated memory is printed.
inline std::vector<comparison> compare_simumax_more() {
  std::vector<comparison> rows;
  for (const record& r : read_table(data_path("simumax_b200_more")))
    rows.push_back({r.text("case"), r.number("real_max_alloc_gib"), in_gib(simumax_job(r).worst().allocated())});
  return rows;
}

// torchtitan: FSDP2, FP32 weights and gradients sharded, 16 bits to compute with --------------------------------------

/// By the source's date, and by what a row's techniques name.
inline const framework& torchtitan_framework(const record& r) {
  const auto says = [&](const char* word) { return r.text("techniques").find(word) != std::string::npos; };
  if (!says("compile")) return frameworks::pytorch_fsdp;
  if (r.text("source").find("202412") != std::string::npos) return frameworks::torchtitan_2024;
  return says("async") ? frameworks::torchtitan_async_tp : frameworks::torchtitan;
}

/// Float8 changes no saved tensor.
inline job torchtitan_job(const record& r, const recipe& asked = recipes::mixed_bf16::value) {
  const block_shape s{.layers = r.integer("n_layers"),
                      .hidden = r.integer("d_model"),
                      .heads = r.integer("n_heads"),
                      .kv_heads = r.integer("n_kv_heads"),
                      .head_dim = r.integer("head_dim"),
                      .intermediate = r.integer("d_ff"),
                      .vocabulary = r.integer("vocab")};
  training_setup setup{.framework = torchtitan_framework(r)};
  setup.plan = {.sequence = r.integer("seq_len"),
                .micro_batch = r.integer("local_batch"),
                .data = r.integer("fsdp"),
                .tensor = r.integer("tp"),
                .pipeline = r.integer("pp"),
                .context = r.integer("cp"),
                .sharding = zero::weights,
                .recompute = r.text("act_ckpt") == "full" ? recompute::full : recompute::alternate,
                .loss = setup.framework.loss};
  if (plan& p = setup.plan; p.pipeline > 1) {
    // As many micro-batches as stages; the layers that are left over go to the inner stages.
    p.gradient_accumulation = p.pipeline;
    p.micro_batch /= p.pipeline;
    if (s.layers % p.pipeline != 0) p.first_stage_layers = p.last_stage_layers = s.layers / p.pipeline;
  }
  setup.precision = formats_under(setup.framework, asked, setup.plan);
  return {make_decoder("torchtitan", s), setup};
}

/// Of the table, or of the other models in the same source.
inline std::vector<comparison> compare_torchtitan(const std::string& table = "torchtitan") {
  std::vector<comparison> rows;
  for (const record& r : read_table(data_path(table))) {
    if (!r.has("mem_gib_pub")) continue;
    const std::string size = table == "torchtitan" ? "" : r.text("model").substr(7) + ", ";
    const std::string name = size + r.text("gpu").substr(0, 4) + " " + r.text("n_gpu") + " x, " + r.text("seq_len") +
                             " x " + r.text("local_batch") + ", CP " + r.text("cp") + ", " + r.text("techniques");
    rows.push_back({name, r.number("mem_gib_pub"), in_gib(torchtitan_job(r).worst().total())});
  }
  return rows;
}

// Fine-tuning in PyTorch, BF16 throughout, one micro-batch a step ---------------------------------------------------

inline job fine_tuning_job(const record& r) {
  training_setup setup{.precision = recipes::bf16::value, .framework = frameworks::pytorch_fsdp};
  setup.plan = {.sequence = r.integer("seq_len"),
                .micro_batch = r.integer("local_batch"),
                .data = r.integer("n_gpu"),
                .sharding = r.integer("n_gpu") > 1 ? zero::weights : zero::none,
                .recompute = recompute::full,
                .loss = r.text("loss") == "chunked" ? cross_entropy::chunked : cross_entropy::eager};
  return {make_decoder("fine_tuned", {.layers = r.integer("n_layers"),
                                      .hidden = r.integer("d_model"),
                                      .heads = r.integer("n_heads"),
                                      .kv_heads = r.integer("n_kv_heads"),
                                      .head_dim = r.integer("head_dim"),
                                      .intermediate = r.integer("d_ff"),
                                      .vocabulary = r.integer("vocab")}),
          setup};
}

inline std::vector<comparison> compare_fine_tuning() {
  std::vector<comparison> rows;
  for (const record& r : read_table(data_path("fms_acceleration"))) {
    const double gib = 1e9 / prefix::gibi;
    rows.push_back(
        {r.text("model") + " on " + r.text("n_gpu") + " x A100, " + r.text("local_batch") + " of " + r.text("seq_len"),
         gib * r.number("mem_gb_pub"), in_gib(fine_tuning_job(r).worst().allocated())});
  }
  return rows;
}

// BigScience, before BLOOM: Megatron-DeepSpeed, ZeRO-1, full recompute, explicit attention ----------------------------

/// The rows of width 14,400 carry a number of layers that was worked out from a rounded model size. Their own TFLOP/s
/// are 8·N·tokens / time / devices with N of the blocks alone, which gives the layers back (80, 78, 77, 81), and the
/// chronicle's text says 8 layers a stage where no time is printed.
inline std::int64_t bloom_layers(const record& r) {
  if (r.integer("d_model") != 14400) return r.integer("n_layers");
  if (!r.has("sec_per_iter_pub")) return 8 * r.integer("pp");
  const double tokens = r.number("global_batch_seq") * r.number("seq_len"), h = r.number("d_model");
  const double size = r.number("tflops_gpu_pub") * 1e12 * r.number("sec_per_iter_pub") * r.number("n_gpu") / 8 / tokens;
  return std::llround(size / (12 * h * h + 13 * h));
}

inline job bloom_job(const record& r) {
  transformer_config model =
      make_decoder("bloom", classic_block({.layers = bloom_layers(r),
                                           .hidden = r.integer("d_model"),
                                           .heads = r.integer("n_heads"),
                                           .head_dim = r.integer("d_model") / r.integer("n_heads"),
                                           .intermediate = 4 * r.integer("d_model"),
                                           .vocabulary = r.integer("vocab"),
                                           .activation = activation_function::gelu_tanh}));
  model.embedding.norm = true;
  // The chronicle: gradients are summed in 16 bits until 28 February 2022, from then on in FP32 by BF16_Optimizer.
  // Where layers do not divide by the stages, embedding and head take the place of a layer each.
  const bool late = r.text("note").find("02-28") != std::string::npos;
  training_setup setup{.framework = late ? frameworks::megatron_deepspeed_bf16 : frameworks::megatron_deepspeed};
  const std::int64_t tensor = r.integer("tp"), pipeline = r.integer("pp");
  const std::int64_t data = r.has("dp") ? r.integer("dp") : r.integer("n_gpu") / (tensor * pipeline);
  setup.plan = {.sequence = r.integer("seq_len"),
                .micro_batch = r.integer("micro_batch"),
                .gradient_accumulation = r.integer("global_batch_seq") / (data * r.integer("micro_batch")),
                .data = data,
                .tensor = tensor,
                .pipeline = pipeline,
                .sequence_parallel = false,
                .sharding = zero::optimizer,
                .recompute = recompute::full,
                .attention = attention_kernel::explicit_matrix,
                .loss = setup.framework.loss};
  setup.precision =
      formats_under(setup.framework, late ? recipes::mixed_bf16::value : recipes::mixed_fp16::value, setup.plan);
  if (model.stack.layers % pipeline != 0)
    setup.plan.first_stage_layers = setup.plan.last_stage_layers = (model.stack.layers + 2) / pipeline - 1;
  return {model, setup};
}

/// Rows that contradict others of the table, named before anything was predicted: the table's line and why.
inline std::string bloom_contradiction(std::int64_t line) {
  switch (line) {
    case 634:
      return "micro-batch 2 prints 65 GB, and micro-batch 4 of the same job (line 635) 56";
    case 635:
      return "micro-batch 4 prints 56 GB, and micro-batch 2 of the same job (line 634) 65";
    case 739:
    case 882:
      return "96 heads print 59 GB, and 128 heads, all else equal (line 740), 54";
    case 740:
      return "128 heads print 54 GB, and 96 heads, all else equal (lines 739 and 882), 59";
    case 658:
    case 659:
      return "6 layers are labelled 18B, as the 10 layers of line 660 are, and the printed global batch is not the "
             "run's";
    case 660:
      return "10 layers are labelled 18B, as the 6 layers of line 658 are, and the printed global batch is not the "
             "run's";
  }
  return {};
}

/// nvidia-smi prints MiB, and the chronicle's GB are thousands of them: its 80 cannot be GiB on a device that has 80.00
/// in all.
inline double bloom_gib(double printed) { return printed * 1000 / 1024; }

inline std::string bloom_name(const record& r) {
  const std::string heads = r.text("n_heads") == "64" ? "" : ", " + r.text("n_heads") + " heads";
  const std::string which = r.has("line") ? "line " + r.text("line") : r.text("note");
  return which + ": " + std::to_string(bloom_layers(r)) + " x " + r.text("d_model") + heads + ", DP " +
         std::to_string(bloom_job(r).setup.plan.data) + " TP " + r.text("tp") + " PP " + r.text("pp") + ", micro " +
         r.text("micro_batch");
}

/// A row that a guard judges: whether it ran, and what is predicted for it.
struct verdict_row {
  std::string name;
  double needed_gib = 0, available_gib = 0;
  bool ran = true;
  bool fits(double share) const { return needed_gib <= share * available_gib; }
};

/// The share of a device's memory that a guard promises a job of a framework.
inline double promised_share(const framework& of) { return usable_per_mille(of) / 1000.0; }

struct bloom_result {
  std::vector<comparison> rows;
  std::vector<verdict_row> verdicts;
};

/// Of the table, or of the chronicle's other runs, which it leaves out.
inline bloom_result compare_bloom(const std::string& table = "bigscience_bloom_topology") {
  bloom_result result;
  const double available = in_gib(usable_memory<hardware::a100_sxm4_80gb>);
  for (const record& r : read_table(data_path(table))) {
    const std::string& printed = r.text("max_mem_gb_first_last_stage");
    if (printed.empty()) continue;
    const double predicted = in_gib(bloom_job(r).worst().total());
    const bool ran = printed != "OOM";
    result.verdicts.push_back({bloom_name(r), predicted, available, ran});
    if (!ran) continue;
    const std::string why = bloom_contradiction(r.integer("line"));
    result.rows.push_back({bloom_name(r), bloom_gib(std::stod(printed)), predicted, why, why.empty()});
  }
  return result;
}

// LLM Foundry: Composer's FSDP, MPT models ----------------------------------------------------------------------------

inline job mpt_job(const record& r, std::int64_t micro_batch) {
  const block_shape s = classic_block({.layers = r.integer("n_layers"),
                                       .hidden = r.integer("d_model"),
                                       .heads = r.integer("n_heads"),
                                       .intermediate = r.integer("d_ff"),
                                       .vocabulary = r.integer("vocab"),
                                       .positions = r.integer("seq_len"),
                                       .activation = activation_function::gelu});
  const bool whole_weights = r.text("sharding") == "SHARD_GRAD_OP";
  training_setup setup{.framework = frameworks::llm_foundry};
  setup.plan = {.sequence = r.integer("seq_len"),
                .micro_batch = micro_batch,
                .gradient_accumulation = r.integer("grad_accum"),
                .data = r.integer("n_gpu"),
                .sharding = whole_weights ? zero::gradients : zero::weights,
                .recompute = r.text("act_ckpt_full") == "True" ? recompute::full : recompute::none,
                .loss = setup.framework.loss};
  const bool narrow = r.text("precision") == "amp_fp8";
  setup.precision =
      formats_under(setup.framework, narrow ? recipes::fp8::value : recipes::mixed_bf16::value, setup.plan);
  return {make_decoder("mpt", s), setup};
}

inline double mpt_available_gib(const record& r) {
  const std::string& device = r.text("gpu");
  if (device == "a100_40gb") return in_gib(usable_memory<hardware::a100_sxm4_40gb>);
  return in_gib(device == "a100_80gb" ? usable_memory<hardware::a100_sxm4_80gb>
                                      : usable_memory<hardware::h100_sxm5_80gb>);
}

struct mpt_row {
  std::string name;
  verdict_row used, doubled;
};

inline std::vector<mpt_row> compare_mpt() {
  std::vector<mpt_row> rows;
  for (const record& r : read_table(data_path("llm_foundry_mpt"))) {
    const std::string name = r.text("model") + " " + r.text("gpu") + " x " + r.text("n_gpu") + ", " +
                             r.text("seq_len") + " x " + r.text("micro_batch_seq") +
                             (r.text("act_ckpt_full") == "True" ? ", checkpointed" : "");
    const std::int64_t used = r.integer("micro_batch_seq");
    const double available = mpt_available_gib(r);
    rows.push_back({name,
                    {name, in_gib(mpt_job(r, used).worst().total()), available, true},
                    {name, in_gib(mpt_job(r, 2 * used).worst().total()), available, false}});
  }
  return rows;
}

}  // namespace published
