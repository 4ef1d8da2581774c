// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// Writes docs/accuracy_time.md: what operations, training steps and serving took, and what the library says.

#include <fmt/format.h>

#include "generated_page.hpp"
#include "load_cases.hpp"
#include "program_rows.hpp"

namespace {

using namespace published;

std::string summary_line(const std::string& what, const error_summary& s) {
  if (s.count == 0) return {};
  return fmt::format("| {} | {} | {:.1f} | {:.1f} | {:+.1f} | {:+.1f} | {:+.1f} |\n", what, s.count, s.median_absolute,
                     s.mean_absolute, s.bias, s.lowest, s.highest);
}

constexpr const char* summary_head =
    "| table | rows | median abs. | mean abs. | bias | lowest | highest |\n"
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n";

std::string rows_of(const time_table& table, const std::function<bool(const timing&)>& wanted) {
  std::string text = fmt::format(
      "\n| case | measured, {0} | floor, {0} | predicted, {0} | error, % |\n| --- | ---: | ---: | ---: | ---: |\n",
      table.unit);
  for (const timing& t : table.rows)
    if (wanted(t))
      text += fmt::format("| {} | {:.4g} | {:.4g} | {:.4g} | {:+.1f}{}{} |\n", t.row.name, t.row.measured, t.floor,
                          t.row.predicted, t.row.error_percent(), t.fitted ? " (fitted)" : "",
                          t.row.counts ? "" : " (set aside)");
  return text;
}

std::vector<std::string> groups_of(const time_table& table) {
  std::vector<std::string> names;
  for (const timing& t : table.rows)
    if (std::find(names.begin(), names.end(), t.group) == names.end()) names.push_back(t.group);
  return names;
}

std::string groups(const time_table& table) {
  std::string text = std::string("\n") + summary_head;
  for (const std::string& name : groups_of(table)) {
    const auto rows = table.chosen([&](const timing& t) { return t.group == name; });
    const bool fitted = !table.chosen([&](const timing& t) { return t.group == name && t.fitted; }).empty();
    text += summary_line(name + (fitted ? " (fitted, all or some)" : ""), summarize(rows));
  }
  return text;
}

/// Rows that no constant was fitted to, a group each, and those of models of which none was fitted in any row.
std::string by_models(const time_table& table) {
  std::string text = std::string("\nRows that no constant was fitted to, by model:\n\n") + summary_head;
  for (const std::string& name : groups_of(table)) {
    const auto rows = table.chosen([&](const timing& t) { return t.group == name && !t.fitted; });
    if (!rows.empty()) text += summary_line(name, summarize(rows));
  }
  return text + summary_line("all models without a calibrated row",
                             summarize(table.chosen([](const timing& t) { return !t.model_seen; })));
}

std::string outliers(const time_table& table, double bound, const char* why) {
  std::size_t count = 0;
  for (const timing& t : table.rows) count += t.row.counts && std::abs(t.row.error_percent()) > bound ? 1 : 0;
  return fmt::format("\nBeyond {:.0f} %: {} of {}. {}\n", bound, count, table.rows.size(), why);
}

bool everything(const timing&) { return true; }
std::function<bool(const timing&)> beyond(double bound) {
  return [bound](const timing& t) { return std::abs(t.row.error_percent()) > bound || !t.row.counts; };
}

struct section {
  time_table table;
  std::string assumed, named;
  double bound = 25;
  bool by_group = false;  ///< groups and outliers in place of all rows
  bool by_model = false;  ///< `by_models` before them
  std::string command{};  ///< that asks the program for the first row
  std::string note{};     ///< which row that is, and what of the answer
};

/// For the first row of a table that is wanted.
template <class Case>
std::string command_of(
    const std::string& table, Case (*case_of)(const record&),
    const std::function<bool(const record&)>& wanted = [](const record&) { return true; }) {
  const std::vector<record> rows = read_table(data_path(table));
  const auto first = std::find_if(rows.begin(), rows.end(), wanted);
  return "flopledger report config.json " + program_options(case_of(*first));
}

bool is_pretraining(const record& r) { return r.text("phase") == "pretrain"; }
bool is_on_known_board(const record& r) { return llamacpp_case(r).device != nullptr; }

std::vector<section> sections() {
  const llamacpp_result llamacpp = compare_llamacpp();
  const load_result loads = compare_loads();
  return {
      {compare_products(),
       "Bytes and products as the table's shapes give them; query, key and value as one product, gate and up as one.\n"
       "Calibrated on Llama-2-7B, tested on Llama-2-70B.\n",
       "They are single products where cuBLAS picks a slow kernel: neighbours in tokens or in tensor-parallel degree\n"
       "jump by a third (H100, 70B, 1024 tokens: down takes 0.846 ms, more than half of the 1.281 ms at 2048).",
       25, true},
      {compare_attention(),
       "FlashAttention-2 on A100. Calibrated on the figure's bars without a mask and its causal ones up to 2048; "
       "tested\n"
       "on the longer causal ones.\n",
       "At 512 tokens and heads of 64 a kernel is shorter than the ramp knows."},
      {compare_korthikanti(),
       "Megatron-LM before FlashAttention: explicit scores over whole squares, a fused mask and softmax, dropout on\n"
       "scores and residuals, FP32 gradients accumulated in every micro-batch, FP32 loss. Stages pass on each tensor\n"
       "rank's part alone. Nothing is hidden. No constant is taken from this table; the best public tool, tuned to "
       "it,\n"
       "reaches 3.65 % on average and 8.87 % at worst.\n",
       "", 10, false, false, command_of("korthikanti2022_table5", korthikanti_case)},
      {compare_korthikanti_left_out(),
       "The share of the peak that products reach (one constant) set so that the other three models have no mean "
       "error,\n"
       "then the model left out predicted.\n",
       "", 10},
      {compare_mpt_steps(),
       "FSDP's first version in eager PyTorch, on DGX nodes. FlashAttention-2 that computes the masked half too (with\n"
       "ALiBi's bias), and nothing of FSDP's messages hidden: MPT-7B's rows from 512 to 65,536 tokens, on 8 to 512\n"
       "devices, show both. Calibrated on MPT-7B: these two, and H100's sustained rate. Tested on all other sizes.\n",
       "MPT-760M on A100-80GB at 512 and 1024 tokens is slower than the same job on A100-40GB, which no other size "
       "is.\n"
       "MPT-30B at 8192 tokens takes one sequence at a time and is a third slower a token than at 4096 on A100 and "
       "H100\n"
       "alike; the rest of the tables gives no cause.",
       25, false, false, command_of("llm_foundry_mpt", mpt_case)},
      {compare_titan(),
       "H100 with 96 GB, 500 of 700 W and 2.4 TB/s: all rates of computing fall with the power. Eager code passes 2.5\n"
       "times over norms, rotary embeddings and activation functions, the loss of December 2024 is eager, and "
       "attention\n"
       "is FlashAttention-2, which torchtitan asks for on Hopper. Selective recompute runs every other product again.\n"
       "Calibrated: the share of messages that asynchronous tensor parallelism hides (0.4), on its BF16 row. Chosen "
       "on\n"
       "this table: nine parts in ten of FSDP's messages hidden, and the passes of eager code.\n",
       "Row-wise FP8 with tensor parallelism casts and multiplies by kernels slower than those without scales a row.\n"
       "Context parallelism over 4 and 8 ranks in December 2024 waited for its ring, and its causal work was uneven.",
       25, false, false, command_of("torchtitan", titan_case)},
      {compare_bridge(),
       "Pre-training rows (fine-tuning packs sequences of unknown lengths). 0.7 of tensor-parallel and 0.9 of\n"
       "data-parallel messages hidden, half of the stages' where interleaved: shares chosen on this table, so that "
       "none\n"
       "of its rows is a blind test. A fused loss. A GB200 rack's devices are one NVLink domain. From Bridge's recipes "
       "(scripts/performance/configs): gradients of 16 bits from 2025 on;\n"
       "HybridEP for Qwen3 from 26.02 on and for GPT-OSS from 26.06 on and on B300, an all-to-all otherwise; norms "
       "and\n"
       "activations of GPT-OSS that run again on GB200, B200 and H100. Experts' output biases of GPT-OSS are added in\n"
       "eager PyTorch before 26.06 (Megatron-LM, experts.py). Calibrated: the sustained rates of Blackwell and of\n"
       "Blackwell Ultra on Llama-3-8B, the wait for the host in layers of experts (1.85 ms a pass before release\n"
       "26.06) on Qwen3-30B on GB200. Tested on everything else. GPT-OSS is the model as published, gated and\n"
       "windowed, whatever FLOPs a release prints.\n",
       "All but two are mixtures of experts, whose time is the software's: Qwen3-30B on H100 took 51 s in 26.02 and\n"
       "29 s in 26.02.01, GPT-OSS 1.6 times the time of 26.06 in 26.06.01. GPT-OSS is predicted a sixth too fast: "
       "where\n"
       "one replica of its experts fills the rack (GB200, GB300) by a tenth, where eight nodes each hold one (B200,\n"
       "B300) by a quarter, as if nothing of the experts' gradients and weights were hidden, and where experts lie "
       "over\n"
       "eight nodes of B300 with 800 Gb/s a device by two fifths; MXFP8 from 26.06 on by a\n"
       "sixth although its recipe would even hide the all-to-all. The dense ones (GB300, 26.02.01): MXFP8 names four\n"
       "stages that do not interleave for eight micro-batches, which would idle longer than the difference; NVFP4 "
       "took\n"
       "longer unstaged than in stages.",
       25, false, true, command_of("nvidia_nemo_bridge_training", bridge_case, is_pretraining)},
      {compare_simumax_steps(),
       "Megatron-LM, nothing hidden, distributed optimizer, cuDNN's attention, FP32 loss. All constants are from "
       "other\n"
       "tables: sustained rate and host's wait from Megatron-Bridge, links from a B200 all-reduce sweep and NCCL's "
       "tuner (hardware/cluster.hpp), attention "
       "from\n"
       "the FlashAttention-4 report. Context parallelism as a ring of keys and values.\n",
       "", 12, false, false, command_of("simumax_b200", simumax_case)},
      {compared("Megatron-LM of 2021, MT-NLG (megatron2021_table2.csv)", megatron_2021_rows()),
       "Before FlashAttention, sequence parallelism and selective recompute; no constant is taken from these rows.\n"
       "Times follow from the table's TFLOP/s by the paper's equation; MT-NLG's are printed (mtnlg.csv). Rows of\n"
       "ZeRO-3, the paper's rival, are left out.\n",
       "MT-NLG has the links and plans of the 530B rows and took a quarter longer than they; its paper does not say\n"
       "what else it did.",
       20, false, false, command_of("megatron2021_table2", megatron_2021_case, is_megatron)},
      {compared("Megatron-LM on thousands of A100 (megascale_175b_2.csv)", megascale_rows()),
       "Nothing hidden, as before Megatron-LM overlapped its messages; micro-batches of one sequence and GPT-3's\n"
       "vocabulary, which the table does not give. The error grows with the devices: no term stands for stragglers.\n",
       "", 20, false, false, command_of("megascale_175b_2", megascale_case)},
      {compared("Long sequences on H100 (nvidia_long_sequence_2.csv)", long_sequence_rows()),
       "NeMo 24.07 in FP8, attention by FlashAttention-2 and counted in full in the printed TFLOP/s.\n", "", 15},
      {compared("FMS, FSDP (fms_fsdp_2.csv)", fms_rows()),
       "Eager PyTorch; every other block runs again. Nothing was chosen on this table.\n", "", 15, false, false,
       command_of("fms_fsdp_2", fms_case)},
      {compared("InternEvo, InternLM-7B (internlm_7b.csv)", internlm_rows()),
       "ZeRO-1 over all devices or over eight, FlashAttention-2. Chosen on this table: the passes of eager code\n"
       "(seven, which one node asks for), and 2.8 ms for each rank's broadcast of its weights.\n",
       "One or two micro-batches on 512 and 1024 devices take half a second more than on few: what a large network\n"
       "costs beside the broadcasts is not modelled.",
       15, false, false, command_of("internlm_7b", internlm_case)},
      {compared("BLOOM's topologies (bigscience_bloom_topology.csv)", bloom_rows()),
       "Jean Zay: pairs of devices joined by four NVLinks (100 GB/s) and 50 Gb/s of Omni-Path a device; explicit\n"
       "attention, full recompute, nothing hidden. No constant is taken from this table.\n",
       "Heads whose width is no multiple of eight (108, 150) run by kernels of their own, which are not modelled.", 25,
       true, false, command_of("bigscience_bloom_topology", bloom_case, has_bloom_time)},
      {compared("vTrain's plans on one node (vtrain_single_node.csv)", vtrain_rows("vtrain_single_node")),
       "GPT of width 1024: the host launches operations more slowly than the device computes them. Calibrated: 82 µs\n"
       "for each operation of the ledger and pass, on the 180 plans of 24 layers. The others, of 12, 16 and 20 layers\n"
       "of the same width on the same node, are a weak test. vTrain, which profiles the layers, is 8.4 % off.\n",
       "Two or four stages with micro-batches of four or eight: what DeepSpeed's schedule waits between stages is not\n"
       "modelled.",
       40, true, false, command_of("vtrain_single_node", vtrain_case)},
      {compared("vTrain's plans on many nodes (vtrain_multi_node.csv)", vtrain_rows("vtrain_multi_node")),
       "39 and 3.6 billion parameters on 512 and 64 devices; nothing was chosen on this table. vTrain is 14.7 % off.\n",
       "Many stages with micro-batches of two or three.", 40, true, false,
       command_of("vtrain_multi_node", vtrain_case)},
      {compare_first_tokens(),
       "One prompt, no queue. FP8 weights, products and cache on H100, FP16 on A100. Kernels run in a burst, at full\n"
       "clock. Calibrated: 2.5 ms a request for the host, on GPT-J's rows of 128 tokens.\n",
       "The FP8 figures on H100 are from three releases that differ by a third from one another for the same case.", 25,
       false, false, command_of("ttft_batch1", trtllm_case), " (time to first token; FP8 stands in the config.json)"},
      {compare_batches(), "A fixed batch: all prompts in one pass, then decode steps; nothing calibrated here.\n", "",
       20, false, false, command_of("trtllm_v0_9_throughput", trtllm_batch_case),
       " (whole batch; FP8 stands in the config.json)"},
      {compare_throughput(),
       "As many requests at once as memory holds, 2048 or the run has, whichever is least; nine tenths of the memory "
       "are\n"
       "taken. The floor is the bound of throughput. Calibrated: the host's time a token, on Llama-3.1-8B on H200;\n"
       "launches, messages and the host's time a pass come from serving_engines.csv.\n",
       "Llama-4-Scout at 20,000 tokens keeps chunks of 8192 in three layers of four: its engine may have kept all. "
       "Qwen3\n"
       "is predicted too fast: nothing stands for what grouped products of FP4 lose.",
       25, false, false, "", ""},
      {compare_offline(),
       "FP8, a copy on two H100 or on one MI300X, as many requests at once as memory holds; prompts of 294 tokens, "
       "which\n"
       "the table does not say (from memory). H100 PCIe computes by its watts, MI300X by its largest product; its "
       "engine\n"
       "of 2024 takes the host's times of vLLM in 2025. Nothing calibrated here.\n",
       ""},
      {loads.token,
       fmt::format(
           "A closed loop: so many users, each of whom sends the next request when the last has ended, ten in all. Of\n"
           "{} rows {} are predicted; {} name more ranks than their node has devices, and {} let attention run on "
           "data\n"
           "ranks, which serving does not know. Memory limits how many decode at once (nine tenths of it are taken).\n"
           "Calibrated on one model and device an engine: launches, short all-reduces, the host's time a pass and a "
           "token\n"
           "(`include/flopledger/engines.hpp`); these rows are left out of the tests.\n",
           loads.rows, loads.token.rows.size(), loads.contradictory,
           loads.rows - static_cast<int>(loads.token.rows.size()) - loads.contradictory),
       "vLLM with 512 users of gpt-oss on H100 shows the time a token of few sequences: its server held fewer than "
       "memory\n"
       "does. Llama-3.1-8B's FP8 checkpoint under vLLM takes half of the host's time that Llama-3.1-70B shows. "
       "TensorRT-LLM's\n"
       "DeepSeek-R1 of early 2026 drafts tokens, which its rows do not say; its gpt-oss on H200 is a development "
       "release.",
       100, true},
      {loads.first,
       "The same rows: the running step's rest, the prompts before, one's own; what all users' first requests wait for "
       "one\n"
       "another, a tenth of them; and the server's front end, calibrated with the above.\n",
       "SGLang's DeepSeek-R1 of 2025 on B200 waits for seconds at any load, as if kernels were compiled first.\n"
       "Llama-3.1-8B under TensorRT-LLM 1.0.0rc3 waits for one place more than there are users.",
       200, true},
      {loads.request, "The same rows: from a request's arrival to its last token.\n", "", 100, true},
      {compare_gpt_fast(),
       "One sequence, compiled; nothing calibrated here. An all-reduce of a decode step takes 20 µs, as short NCCL\n"
       "messages do.\n",
       "Llama-2-7B over 4 and 8 devices: its captured graph starts all-reduces sooner than 20 µs.", 20, false, false,
       command_of("gpt_fast", gpt_fast_case, is_gpt_fast_decode), " (per output token)"},
      {llamacpp.generate,
       "Rates of llama.cpp's own kernels from one RTX 3090 and from the M1 Max; tested on all other boards. Boards "
       "that\n"
       "the catalogue lacks are described in tests/published/time_cases.hpp. Layers are split over devices, which "
       "take\n"
       "turns.\n",
       "A100: llama.cpp's vector kernels reach half of HBM's bandwidth where they reach nine tenths of GDDR's, and "
       "less\n"
       "with four boards.",
       25, true, false, command_of("llamacpp_llama3_gpus", llamacpp_token_case, is_on_known_board),
       " of a board in the catalogue (per output token)"},
      {llamacpp.prompt,
       "Activations and attention scores in FP32, prompts in pieces of 512. Floor: FP16 sums for F16 files and INT8 "
       "for\n"
       "quantised ones, which are the rates that its kernels use.\n",
       "Set aside before predicting: A100 SXM and L40S with 8B F16, three to ten times below neighbouring boards.\n"
       "Quantised prompts on A100 and with several boards run further below the peak than on GeForce.",
       40, true, false, command_of("llamacpp_llama3_gpus", llamacpp_case, is_on_known_board),
       " of a board in the catalogue (time to first token)"}};
}

/// What one measured step of each table says of the others.
std::string one_step_section() {
  std::string lines;
  int tables = 0, nearer = 0;
  for (const training_table& table : all_training_tables()) {
    const calibrated_errors e = calibrated_on_one(table.rows);
    ++tables;
    nearer += e.calibrated < e.plain ? 1 : 0;
    lines +=
        fmt::format("| {} | {} | {:.1f} | {:.1f} | {:.1f} |\n", table.name, e.rows, e.by_mfu, e.calibrated, e.plain);
  }
  return fmt::format(
             "\n### One measured step sets the constants\n\n"
             "Each row in turn is the one measured run of a cluster (`--calibrate`, time/calibration_from_runs.hpp).\n"
             "It sets the factor on computation, or on communication, that it identifies, and the other rows of its\n"
             "framework and device are predicted. Beside it the same by the run's MFU, taken as a constant, and the\n"
             "predictions without any run. Medians of absolute errors in per cent over all pairs. What is odd about\n"
             "the one run goes into all others: on {} of {} tables they come nearer than without it.\n\n"
             "| table | rows | by its MFU | calibrated | without a run |\n| --- | ---: | ---: | ---: | ---: |\n",
             nearer, tables) +
         lines;
}

std::string page() {
  const std::vector<section> all = sections();
  std::string text =
      "## Time of operations, training steps and serving\n\n"
      "Errors are predicted over measured less one, in per cent; a positive one says too slow. The floor is the\n"
      "roofline: peaks and bandwidths of the data sheet, communication for nothing. Constants: one set a device "
      "family,\n"
      "in `include/flopledger/hardware/efficiency.hpp`, each with its cause and its source. Rows from which a "
      "constant\n"
      "was taken are marked as fitted and left out of the first table.\n\n"
      "Tests, rows that no constant and no assumption has seen:\n\n";
  text += summary_head;
  for (const section& s : all) text += summary_line(s.table.title, s.table.unseen());
  text +=
      "\nRows that no constant was fitted to one by one, but on which an assumption of their framework was chosen\n"
      "(`include/flopledger/frameworks.hpp` names the tables: shares of messages that are hidden, passes of eager "
      "code):\n\n";
  text += summary_head;
  for (const section& s : all) text += summary_line(s.table.title, s.table.chosen_on());
  text += "\nAll rows, fitted ones among them:\n\n";
  text += summary_head;
  for (const section& s : all) text += summary_line(s.table.title, s.table.all());
  text += "\nMeasurements below their floor: ";
  int impossible = 0;
  std::size_t aside = 0;
  for (const section& s : all) {
    impossible += s.table.impossible();
    for (const timing& t : s.table.rows) aside += t.row.counts ? 0 : 1;
  }
  text += fmt::format("{}. Set aside before predicting: {} rows.\n", impossible, aside);
  text += one_step_section();
  text +=
      "\n### Constants\n\n"
      "| constant | Ampere | Hopper | Blackwell | Blackwell Ultra | cause |\n| --- | ---: | ---: | ---: | ---: | --- "
      "|\n";
  const efficiency families[] = {efficiencies::ampere, efficiencies::hopper, efficiencies::blackwell,
                                 efficiencies::blackwell_ultra};
  const auto line = [&](const char* name, const char* cause, auto value) {
    text += fmt::format("| {} |", name);
    for (const efficiency& e : families) text += fmt::format(" {:.3g} |", value(e));
    text += fmt::format(" {} |\n", cause);
  };
  line("products", "clock and issue inside a full tile", [](const efficiency& e) { return e.products; });
  line("tile reuse", "operands come from cache", [](const efficiency& e) { return e.tile_reuse; });
  line("fill depth", "a tile's start and end, in steps along k", [](const efficiency& e) { return e.fill_depth; });
  line("bandwidth", "of the memory's, streaming", [](const efficiency& e) { return e.bandwidth; });
  line("launch, us", "between dependent kernels", [](const efficiency& e) { return 1e6 * e.launch.value(); });
  line("sustained", "the clock at the power limit, for minutes", [](const efficiency& e) { return e.sustained; });
  line("attention, heads of 64", "fused kernel", [](const efficiency& e) { return e.attention.wide_64; });
  line("attention, heads of 128", "fused kernel", [](const efficiency& e) { return e.attention.wide_128; });
  line("attention, backward", "over forward", [](const efficiency& e) { return e.attention.backward; });
  line("attention, ramp", "tokens, causal", [](const efficiency& e) { return e.attention.ramp; });
  for (const section& s : all) {
    text += "\n### " + s.table.title + "\n\n" + s.assumed;
    if (!s.command.empty())
      text += fmt::format("\nThe program says so of the first row{}:\n\n```text\n{}\n```\n", s.note, s.command);
    if (s.by_model) text += by_models(s.table);
    if (s.by_group)
      text += groups(s.table) + outliers(s.table, s.bound, s.named.c_str()) + rows_of(s.table, beyond(s.bound));
    else
      text += (s.named.empty() ? std::string{} : outliers(s.table, s.bound, s.named.c_str())) +
              rows_of(s.table, everything);
  }
  return text;
}

/// Errors by table, framework, device and kind of model, as a header: rows that no constant was fitted to.
std::string bands_header() {
  std::string text = R"(// SPDX-License-Identifier: BSL-1.0
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
)";
  for (const section& s : sections()) {
    std::vector<const timing*> firsts;
    const auto alike = [](const timing& a, const timing& b) {
      return a.kind.name == b.kind.name && a.kind.device == b.kind.device && a.kind.mixture == b.kind.mixture;
    };
    if (s.table.file().empty()) continue;
    for (const timing& t : s.table.rows) {
      if (t.kind.name.empty() || t.fitted) continue;
      if (std::none_of(firsts.begin(), firsts.end(), [&](const timing* f) { return alike(*f, t); }))
        firsts.push_back(&t);
    }
    for (const timing* f : firsts) {
      const error_summary e = summarize(s.table.chosen([&](const timing& t) { return !t.fitted && alike(*f, t); }));
      const bool many = e.count >= 10;
      text += fmt::format(
          "    {{.table = \"{}\", .framework = \"{}\", .family = \"{}\", .device = \"{}\", .mixture = {}, "
          ".unseen = {}, .rows = {}, .median = {:.1f}, .inside = {}, .lowest = {:.1f}, .highest = {:.1f}}},\n",
          s.table.file(), f->kind.name, f->kind.family, f->kind.device, f->kind.mixture, !s.table.assumed(*f), e.count,
          e.median_absolute, many ? 80 : 100, many ? e.tenth : e.lowest, many ? e.ninetieth : e.highest);
    }
  }
  return text + "};\n// clang-format on\n\n}  // namespace flopledger\n";
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc == 3 ? argv[1] : "";
  if (mode == "--write-bands") {
    std::ofstream(argv[2]) << bands_header();
    return 0;
  }
  if (mode == "--check-bands") {
    if (published::read_file(argv[2]) == bands_header()) return 0;
    std::fprintf(stderr, "%s is not what the rows give; write it with %s --write-bands %s\n", argv[2], argv[0],
                 argv[2]);
    return 1;
  }
  return published::serve_section(argc, argv, "time", page());
}
