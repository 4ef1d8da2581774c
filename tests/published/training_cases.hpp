// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Published training steps of tables that give a plan and a rate or a time: as time_cases.hpp.

#include <flopledger/evidence/statistics.hpp>
#include <flopledger/time/calibration_from_runs.hpp>

#include "time_cases.hpp"

namespace published {

inline transformer_config llama_of(const record& r, bool biased = false) {
  return make_decoder("llama", {.layers = r.integer("n_layers"),
                                .hidden = r.integer("d_model"),
                                .heads = r.integer("n_heads"),
                                .kv_heads = r.integer("n_kv_heads"),
                                .head_dim = r.integer("head_dim"),
                                .intermediate = r.integer("d_ff"),
                                .vocabulary = r.integer("vocab"),
                                .query_bias = biased,
                                .key_bias = biased,
                                .value_bias = biased,
                                .output_bias = biased});
}

/// The time of a step that reached so many TFLOP/s a device by Narayanan et al. 2021, equation 3: four passes, full
/// recompute.
inline double seconds_by_megatron(const record& r) {
  const double batch = r.number("global_batch_seq"), s = r.number("seq_len"), layers = r.number("n_layers"),
               h = r.number("d_model");
  const double flops = 96 * batch * s * layers * h * h * (1 + s / (6 * h) + r.number("vocab") / (16 * layers * h));
  return flops / (1e12 * r.number("tflops_gpu_pub") * r.number("n_gpu"));
}

/// Jean Zay's nodes: "NVLink 4 inter-gpu connects", four of 25 GB/s, and four 100 Gb/s Omni-Path adapters for eight
/// A100 (bigscience, train/tr11-176B-ml/README.md).
inline step_case bloom_case(const record& r) {
  step_case c;
  c.what = bloom_job(r);
  c.scale_up = 100;
  c.scale_out = 50;
  c.on_nodes(hardware::a100_sxm4_80gb::value, hardware::dgx_a100::value);
  return c;
}
/// "x" stands for a run that did not get as far.
inline bool has_bloom_time(const record& r) { return r.has("sec_per_iter_pub") && r.text("sec_per_iter_pub") != "x"; }

inline step_case internlm_case(const record& r) {
  step_case c;
  c.what.model = llama_of(r, true);
  training_setup& setup = c.what.setup;
  setup.framework = frameworks::internevo;
  setup.plan = {.sequence = r.integer("seq_len"),
                .micro_batch = r.integer("micro_batch"),
                .gradient_accumulation = r.integer("micro_num"),
                .data = r.integer("n_gpu"),
                .sharding = zero::optimizer,
                .shard_group = r.integer("zero1_group") > 0 ? r.integer("zero1_group") : 0,
                .recompute = r.text("act_ckpt") == "full" ? recompute::full : recompute::none,
                .loss = setup.framework.loss};
  setup.precision = formats_under(setup.framework, recipes::mixed_bf16::value, setup.plan);
  c.scale_out = 50;
  c.on_nodes(hardware::a100_sxm4_80gb::value, hardware::dgx_a100::value);
  return c;
}

/// GPT in FP16 by the columns of a table: full recompute, scores through memory, no sequence parallelism.
inline step_case fp16_gpt_case(const record& r, std::int64_t vocabulary, const framework& under, std::int64_t data,
                               zero sharding) {
  step_case c;
  c.what.model = gpt_of(r, vocabulary);
  training_setup& setup = c.what.setup;
  setup.framework = under;
  setup.plan = {.sequence = r.integer("seq_len"),
                .micro_batch = r.integer("micro_batch"),
                .gradient_accumulation = r.integer("global_batch_seq") / (data * r.integer("micro_batch")),
                .data = data,
                .tensor = r.integer("tp"),
                .pipeline = r.integer("pp"),
                .sequence_parallel = false,
                .sharding = sharding,
                .recompute = recompute::full,
                .attention = attention_kernel::explicit_matrix,
                .loss = under.loss};
  setup.precision = formats_under(under, recipes::mixed_fp16::value, setup.plan);
  c.on_nodes(hardware::a100_sxm4_80gb::value, hardware::dgx_a100::value);
  return c;
}

/// Narayanan et al. 2021, table 2, and Megatron-Turing NLG.
inline step_case megatron_2021_case(const record& r) {
  const std::int64_t data = r.integer("n_gpu") / (r.integer("tp") * r.integer("pp"));
  return fp16_gpt_case(r, r.integer("vocab"), frameworks::megatron_2022, data, zero::none);
}
inline bool is_megatron(const record& r) { return r.text("scheme") == "PTD"; }

/// Megatron-LM as MegaScale's authors compare it, before its messages were hidden.
inline step_case megascale_case(const record& r) {
  step_case c;
  c.what.model = gpt_of(r, 51200);
  training_setup& setup = c.what.setup;
  setup.framework = frameworks::megatron_core_plain;
  const std::int64_t data = r.integer("n_gpu") / (r.integer("tp") * r.integer("pp"));
  setup.plan = {.sequence = r.integer("seq_len"),
                .gradient_accumulation = r.integer("global_batch_seq") / data,
                .data = data,
                .tensor = r.integer("tp"),
                .pipeline = r.integer("pp"),
                .virtual_stages = r.integer("vpp"),
                .sharding = zero::optimizer,
                .loss = setup.framework.loss};
  setup.precision = formats_under(setup.framework, recipes::mixed_bf16::value, setup.plan);
  c.on_nodes(hardware::a100_sxm4_80gb::value, hardware::dgx_a100::value);
  return c;
}

inline constexpr std::int64_t vtrain_vocabulary = 51200;  // the table gives none

/// The tables name no sharding. The 3.6B model ran with one device a copy, where DeepSpeed's FP16 optimizer needs 24
/// bytes a parameter unsharded (runtime/fp16/fused_optimizer.py: weights, gradients, states of 12, and 8 that the step
/// copies gradients into): all of the device's 80 GiB before any activation. So states were sharded.
inline step_case vtrain_case(const record& r) {
  return fp16_gpt_case(r, vtrain_vocabulary, frameworks::megatron_deepspeed_2023, r.integer("dp"), zero::optimizer);
}

/// FMS: every other block runs again.
inline step_case fms_case(const record& r) {
  step_case c;
  c.what.model = llama_of(r);
  training_setup& setup = c.what.setup;
  setup.framework = frameworks::pytorch_fsdp;
  setup.plan = {.sequence = r.integer("seq_len"),
                .micro_batch = r.integer("local_batch"),
                .data = r.integer("n_gpu"),
                .sharding = zero::weights,
                .recompute = recompute::full,
                .recompute_every = 2,
                .loss = setup.framework.loss};
  setup.precision = formats_under(setup.framework, recipes::mixed_bf16::value, setup.plan);
  const node& in = r.text("gpu").starts_with("H100") ? hardware::dgx_h100::value : hardware::dgx_a100::value;
  c.on_nodes(*in.device, in);
  return c;
}

/// NeMo 24.07 in FP8, with and without context parallelism.
inline step_case long_sequence_case(const record& r, bool with_context) {
  step_case c;
  c.what.model = llama_of(r);
  training_setup& setup = c.what.setup;
  setup.framework = frameworks::nemo_24;
  const std::int64_t context = with_context ? r.integer("cp") : 1;
  const std::int64_t data = r.integer("n_gpu") / r.integer("tp") / context;
  setup.plan = {.sequence = r.integer("seq_len"),
                .gradient_accumulation = r.integer("batch_seq") / data,
                .data = data,
                .tensor = r.integer("tp"),
                .pipeline = r.integer("pp"),
                .context = context,
                .sharding = zero::optimizer,
                .loss = setup.framework.loss};
  setup.precision = formats_under(setup.framework, recipes::fp8::value, setup.plan);
  c.on_nodes(hardware::h100_sxm5_80gb::value, hardware::dgx_h100::value);
  return c;
}

/// One measured step.
struct training_row {
  std::string name, group;
  step_case what;
  double measured = 0;
  bool fitted = false;
};

inline std::string plan_name(const plan& p) {
  return "DP " + std::to_string(p.data) + " TP " + std::to_string(p.tensor) + " PP " + std::to_string(p.pipeline) +
         ", micro " + std::to_string(p.micro_batch);
}

using training_rows = std::vector<training_row>;

inline time_table compared(std::string title, const training_rows& rows) {
  time_table table{.title = std::move(title), .unit = "s"};
  for (const training_row& one : rows)
    table.rows.push_back({{one.name, one.measured, one.what.predicted()},
                          one.what.floor(),
                          one.fitted,
                          one.group,
                          false,
                          one.what.kind()});
  return table;
}

inline training_rows bloom_rows() {
  training_rows rows;
  for (const record& r : read_table(data_path("bigscience_bloom_topology")))
    if (has_bloom_time(r))
      rows.push_back({bloom_name(r),
                      r.integer("d_model") / r.integer("n_heads") % 8 == 0 ? "heads of 8 n" : "other heads",
                      bloom_case(r), r.number("sec_per_iter_pub")});
  return rows;
}
inline training_rows internlm_rows() {
  training_rows rows;
  for (const record& r : read_table(data_path("internlm_7b"))) {
    const step_case c = internlm_case(r);
    const plan& p = c.what.setup.plan;
    rows.push_back(
        {r.text("test") + ", " + r.text("n_gpu") + " devices, " + r.text("micro_batch") + " x " + r.text("micro_num") +
             (p.recompute == recompute::full ? ", checkpointed" : ""),
         p.shard_group == 0 ? "shards over all" : "shards over 8", c,
         static_cast<double>(p.micro_batch * p.gradient_accumulation * p.sequence) / r.number("tokens_per_s_gpu_pub")});
  }
  return rows;
}
inline training_rows megatron_2021_rows() {
  training_rows rows;
  for (const record& r : read_table(data_path("megatron2021_table2")))
    if (is_megatron(r))
      rows.push_back({r.text("params_b") + "B on " + r.text("n_gpu"), "Megatron-LM", megatron_2021_case(r),
                      seconds_by_megatron(r)});
  for (const record& r : read_table(data_path("mtnlg")))
    rows.push_back(
        {r.text("model") + " on " + r.text("n_gpu"), "MT-NLG", megatron_2021_case(r), r.number("iter_s_pub")});
  return rows;
}
inline training_rows megascale_rows() {
  training_rows rows;
  for (const record& r : read_table(data_path("megascale_175b_2")))
    rows.push_back({"175B on " + r.text("n_gpu"), {}, megascale_case(r), r.number("iter_s_pub")});
  return rows;
}
inline training_rows vtrain_rows(const std::string& table) {
  training_rows rows;
  for (const record& r : read_table(data_path(table))) {
    const step_case c = vtrain_case(r);
    rows.push_back({r.text("n_layers") + " x " + r.text("d_model") + " on " + r.text("n_gpu") + ", " +
                        r.text("global_batch_seq") + ", " + plan_name(c.what.setup.plan),
                    r.text("n_layers") + " x " + r.text("d_model"), c, r.number("iter_ms_pub") / 1e3,
                    table == "vtrain_single_node" && r.integer("n_layers") == 24});
  }
  return rows;
}
inline training_rows fms_rows() {
  training_rows rows;
  for (const record& r : read_table(data_path("fms_fsdp_2")))
    rows.push_back({r.text("model") + " on " + r.text("n_gpu") + " x " + r.text("gpu"),
                    {},
                    fms_case(r),
                    r.number("local_batch") * r.number("seq_len") / r.number("tokens_per_s_gpu_pub")});
  return rows;
}
/// NeMo 24.07 counts attention in full.
inline training_rows long_sequence_rows() {
  training_rows rows;
  for (const record& r : read_table(data_path("nvidia_long_sequence_2")))
    for (const bool with_context : {false, true}) {
      if (with_context && r.integer("cp") == 1) continue;
      const double flops = r.number("batch_seq") * r.number("seq_len") * 1e9 * r.number("gflop_per_token_full");
      const char* rate = with_context ? "tflops_gpu_with_cp" : "tflops_gpu_without_cp";
      rows.push_back({r.text("seq_len") + " tokens, " + r.text("n_gpu") + " devices" +
                          (with_context ? ", CP " + r.text("cp") : ""),
                      {},
                      long_sequence_case(r, with_context),
                      flops / (1e12 * r.number("n_gpu") * r.number(rate))});
    }
  return rows;
}

/// Of a table that time_cases.hpp compares row by row.
template <class Wanted, class Seconds>
training_rows rows_of(const char* table, step_case (*case_of)(const record&), Wanted wanted, Seconds seconds_of) {
  training_rows rows;
  for (const record& r : read_table(data_path(table)))
    if (wanted(r)) rows.push_back({{}, {}, case_of(r), seconds_of(r)});
  return rows;
}

/// Every published table of training steps.
struct training_table {
  std::string name;
  training_rows rows;
  bool is_chosen = false;  ///< its plans are those that somebody chose to train by, no sweep
};
inline std::vector<training_table> all_training_tables() {
  const auto every = [](const record&) { return true; };
  const auto column = [](const char* name, double unit_of = 1) {
    return [=](const record& r) { return unit_of * r.number(name); };
  };
  const auto by_rate = [](const char* rate) { return [=](const record& r) { return step_seconds(r, rate); }; };
  const auto pretraining = [](const record& r) { return r.text("phase") == "pretrain"; };
  constexpr bool chosen = true;
  return {{"korthikanti2022_table5", rows_of("korthikanti2022_table5", korthikanti_case, every, column("iter_s_pub")),
           chosen},
          {"megatron2021_table2, mtnlg", megatron_2021_rows(), chosen},
          {"megascale_175b_2", megascale_rows(), chosen},
          {"nvidia_nemo_bridge_training",
           rows_of("nvidia_nemo_bridge_training", bridge_case, pretraining, by_rate("tokens_per_s_gpu")), chosen},
          {"nvidia_long_sequence_2", long_sequence_rows(), chosen},
          {"simumax_b200", rows_of("simumax_b200", simumax_case, every, column("real_iter_ms", 1e-3))},
          {"llm_foundry_mpt", rows_of("llm_foundry_mpt", mpt_case, every, column("iter_time_s"))},
          {"torchtitan", rows_of("torchtitan", titan_case, every, by_rate("tokens_per_s_gpu_pub")), chosen},
          {"internlm_7b", internlm_rows()},
          {"bigscience_bloom_topology", bloom_rows()},
          {"vtrain_single_node", vtrain_rows("vtrain_single_node")},
          {"vtrain_multi_node", vtrain_rows("vtrain_multi_node")}};
}

// One measured step sets the constants
// ---------------------------------------------------------------------------------

/// Of every pair of rows of one kind of job: the error on the second, after the first set what it can; and by its MFU.
struct calibrated_errors {
  std::size_t rows = 0;
  double plain = 0, by_mfu = 0, calibrated = 0;  ///< medians of absolute errors, per cent
};

inline double middle_of(const std::vector<double>& values) { return values.empty() ? 0 : median(values); }

/// Model FLOPs of a step over the peak of its devices.
inline double at_peak(const step_case& c) {
  const plan& p = c.what.setup.plan;
  const work step = training_step(static_cast<double>(p.global_batch()), static_cast<double>(p.sequence));
  const totals all = totals_of(c.what.model, step);
  const flops done = flops_per_mac * (all.multiplied + all.multiplied_backward);
  return (done / c.on.peak).value() / static_cast<double>(p.devices());
}

inline calibrated_errors calibrated_on_one(const training_rows& rows) {
  struct seen {
    measured_run run;
    double ideal = 0;
    std::string kind;
  };
  std::vector<seen> all;
  for (const training_row& one : rows) {
    const job_kind kind = one.what.kind();
    all.push_back({{one.what.step(), one.measured * unit::second},
                   at_peak(one.what),
                   std::string(kind.name) + std::string(kind.device)});
  }
  calibrated_errors found{.rows = rows.size()};
  std::vector<double> plain, by_mfu, calibrated;
  const auto off = [](double predicted, seconds took) { return 100 * std::abs(predicted / took.value() - 1); };
  for (const seen& one : all) {
    plain.push_back(off(one.run.predicted.total().value(), one.run.measured));
    const step_calibration made = calibrate(std::span(&one.run, 1));
    for (const seen& other : all) {
      if (&other == &one || other.kind != one.kind) continue;
      calibrated.push_back(off(made.of(other.run.predicted).total().value(), other.run.measured));
      by_mfu.push_back(off(other.ideal * one.run.measured.value() / one.ideal, other.run.measured));
    }
  }
  found.plain = middle_of(plain);
  found.by_mfu = middle_of(by_mfu);
  found.calibrated = middle_of(calibrated);
  return found;
}

}  // namespace published
