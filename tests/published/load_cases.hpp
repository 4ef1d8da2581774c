// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Published engines under load: closed loops of users (time to first token, time per token, whole requests), and the
/// largest throughput of a full device.

#include <flopledger/hardware/amd.hpp>
#include <flopledger/memory/serving.hpp>
#include <flopledger/models/zoo/deepseek.hpp>
#include <flopledger/models/zoo/gpt.hpp>
#include <flopledger/models/zoo/llama.hpp>
#include <flopledger/models/zoo/qwen.hpp>
#include <flopledger/time/load.hpp>

#include <algorithm>

#include "time_cases.hpp"

namespace published {

struct served_model {
  const char* name;
  const transformer_config* shape;
};
inline constexpr served_model served_models[] = {
    {"Llama-3.1-8B", &models::llama3_1_8b::config},   {"Llama-3.1-70B", &models::llama3_1_70b::config},
    {"Llama-3.3-70B", &models::llama3_1_70b::config}, {"gpt-oss-120b", &models::gpt_oss_120b::config},
    {"DeepSeek-R1", &models::deepseek_v3::config},    {"Qwen3-30B-A3B", &models::qwen3_30b_a3b::config},
    {"Llama-4-Scout", &models::llama4_scout::config}};

inline const transformer_config& served_model_named(const std::string& name) {
  for (const served_model& one : served_models)
    if (name.find(one.name) == 0) return *one.shape;
  throw std::runtime_error("no model " + name);
}

/// gpt-oss holds its experts in MXFP4 and multiplies in 16 bits.
inline constexpr weight_storage experts_in_mxfp4{
    .method = quantization_method::mxfp4, .formats = {{}, stored::mxfp4}, .quantised = {operation::expert_projection}};

/// A service with all that a node's memory holds: nine tenths of each device, the engines' usual share.
struct loaded_case : serving_case {
  double places = 1;

  loaded_case(const std::string& name, const std::string& quant, const engine& by, const node& in, std::int64_t tensor,
              std::int64_t expert, double users_prompt, double users_output) {
    model = served_model_named(name);
    model.vision = {};
    formats.precision = recipes::bf16::value;
    if (!quant.empty()) formats.precision.kv_cache = fp8_e4m3::format;
    if (name.find("gpt-oss") == 0)
      formats.checkpoint = &experts_in_mxfp4;
    else if (quant.find("fp4") != std::string::npos)
      formats.precision.weights = formats.precision.compute = nvfp4::format;
    else if (!quant.empty())
      formats.precision.weights = formats.precision.compute = fp8_e4m3::format;
    under_engine(by);
    on_node(in, tensor);
    group.expert = expert;
    prompt = users_prompt;
    output = users_output;
    const serving_memory memory(model, {.formats = formats,
                                        .tensor = tensor,
                                        .expert = expert,
                                        .layout = by.layout,
                                        .block = by.block,
                                        .chunk = by.chunk});
    // On average half of the output is there.
    const auto most =
        memory.largest_concurrency(0.9 * published_memory(*in.device), static_cast<std::int64_t>(prompt + output / 2));
    places = static_cast<double>(std::max<std::int64_t>(most, 1));
  }
  static bytes published_memory(const accelerator& each) {
    return each.usable_memory.is_known() ? each.usable_memory.value() : each.nominal_memory.value();
  }
};

inline const node& node_named(const std::string& name) {
  const std::string device = name.substr(0, 4);
  if (device == "h100" || device == "H100") return hardware::dgx_h100::value;
  if (device == "h200" || device == "H200") return hardware::dgx_h200::value;
  return hardware::dgx_b200::value;
}

inline const engine& engine_of(const record& r) {
  if (r.text("engine") == "trtllm") return engines::tensorrt_llm_1_0;
  if (r.text("engine") == "sglang") return engines::sglang;
  return r.text("release") >= "0.15" ? engines::vllm_0_15 : engines::vllm;  // unnamed releases are of October 2025
}

/// The rows that an engine's constants were fitted on.
inline bool fitted_to_engine(const record& r) {
  const std::string &by = r.text("engine"), &release = r.text("release"), &model = r.text("model"),
                    &system = r.text("system");
  if (by == "sglang") return release == "0.5.9" && model == "DeepSeek-R1" && system == "h200_sxm";
  if (release == "0.18.0") return model == "gpt-oss-120b" && system == "h100_sxm";
  return model == "Llama-3.1-70B" && system == "h200_sxm";
}

inline loaded_case load_case(const record& r) {
  return {r.text("model"),     r.text("quant"),     engine_of(r),       node_named(r.text("system")),
          r.integer("tensor"), r.integer("expert"), r.number("prompt"), r.number("output")};
}

struct load_result {
  time_table first{.title = "Under load (serving_engines.csv, time to first token)", .unit = "ms"};
  time_table token{.title = "Under load (serving_engines.csv, time per token)", .unit = "ms"};
  time_table request{.title = "Under load (serving_engines.csv, whole requests)", .unit = "s"};
  int rows = 0, contradictory = 0;
};

inline load_result compare_loads() {
  load_result result;
  for (const record& r : read_table(data_path("serving_engines"))) {
    ++result.rows;
    // Degrees beyond the node's eight devices; and attention by data ranks, which serving does not know.
    const bool beyond = r.integer("tensor") * r.integer("data") > 8;
    result.contradictory += beyond ? 1 : 0;
    if (beyond || r.integer("data") > 1) continue;
    loaded_case c = load_case(r);
    const double users = c.together = r.number("concurrency");
    const closed_loop load{.concurrency = users, .prompt = c.prompt, .output = c.output, .places = c.places};
    const loaded_times found = under_load(c.predicted(), *c.under, load);
    const serving_time<transformer_config> floor = c.floor();
    const double first = 1e3 * found.first_token.value(), token = 1e3 * found.output_token->value();
    const double first_measured = r.number("ttft_ms_pub"), token_measured = r.number("tpot_ms_pub");
    const std::string group = std::string(c.under->name) + ", " + r.text("model") + ", " + r.text("system") +
                              (r.text("quant").empty() ? "" : ", " + r.text("quant"));
    const std::string name = r.text("engine") + " " + r.text("release") + " " + r.text("model") + " " +
                             r.text("system") + " x " + r.text("tensor") + ", " + r.text("prompt") + " + " +
                             r.text("output") + ", " + r.text("concurrency") + " users";
    const bool fitted = fitted_to_engine(r);
    result.first.rows.push_back({{name, first_measured, first},
                                 1e3 * floor.time_to_first_token(c.prompt).value(),
                                 fitted,
                                 group,
                                 false,
                                 c.kind()});
    // At the least each token takes a step of one sequence: how many decode together, memory decides.
    result.token.rows.push_back(
        {{name, token_measured, token}, 1e3 * floor.decode_step(1, c.prompt).value(), fitted, group, false, c.kind()});
    result.request.rows.push_back(
        {{name, 1e-3 * (first_measured + (c.output - 1) * token_measured), found.request.value()},
         floor.end_to_end(c.prompt, c.output).value(),
         fitted,
         group,
         false,
         c.kind()});
  }
  return result;
}

// TensorRT-LLM 1.0 at its largest throughput --------------------------------------------------------------------------

inline loaded_case throughput_case(const record& r) {
  return {r.text("model"),           r.text("quant"),       engines::tensorrt_llm_1_0,
          node_named(r.text("gpu")), r.integer("tp"),       1,
          r.number("input_len"),     r.number("output_len")};
}

/// As many requests at once as memory holds, or the engine's 2048 (TensorRT-LLM, llmapi/llm_args.py,
/// `max_batch_size`), or the run has.
inline time_table compare_throughput() {
  time_table table{.title = "Largest throughput, TensorRT-LLM 1.0 (trtllm_v1_0_throughput.csv)", .unit = "us a token"};
  for (const record& r : read_table(data_path("trtllm_v1_0_throughput"))) {
    loaded_case c = throughput_case(r);
    const double together = c.together = std::min({c.places, 2048.0, r.number("n_requests")});
    const auto chunk = static_cast<double>(c.under->chunk);
    const token_rate bound = output_bound(c.model, c.formats, rates_of(c.on, static_cast<double>(c.group.tensor)),
                                          together, c.prompt, c.output);
    table.rows.push_back({{r.text("model") + " " + r.text("gpu") + " x " + r.text("tp") + ", " + r.text("input_len") +
                               " + " + r.text("output_len"),
                           1e6 / r.number("total_output_tok_s_pub"),
                           1e6 / c.predicted().output_throughput(together, c.prompt, c.output, chunk).value()},
                          1e6 / bound.value(),
                          r.text("model") == "Llama-3.1-8B" && r.text("gpu") == "H200",
                          r.text("model") + " " + r.text("gpu"),
                          false,
                          c.kind()});
  }
  return table;
}

// MLPerf's Llama-2-70B, offline --------------------------------------------------------------------------------------

/// A copy of the model in FP8 on as few devices as hold it; prompts of 294 tokens on average (MLPerf's Open Orca set),
/// answers as the run counted them.
inline loaded_case offline_case(const record& r) {
  static const node pcie = node_of(hardware::h100_pcie_80gb::value, 8);
  const std::string& device = r.text("accelerator");
  const bool amd = device.find("MI300X") != std::string::npos;
  const node& in = amd                                        ? hardware::mi300x_platform::value
                   : device.find("PCIe") != std::string::npos ? pcie
                                                              : hardware::dgx_h100::value;
  loaded_case c("Llama-3.1-70B", "fp8", amd ? engines::vllm : engines::tensorrt_llm_1_0, in, amd ? 1 : 2, 1, 294,
                r.number("tokens_per_s") / r.number("samples_per_s"));
  c.model.embedding.vocabulary = c.model.head.outputs = 32000;  // Llama-2-70B has the same blocks
  return c;
}

inline time_table compare_offline() {
  time_table table{.title = "MLPerf inference 4.1, Llama-2-70B offline (mlperf_offline.csv)", .unit = "us a token"};
  for (const record& r : read_table(data_path("mlperf_offline"))) {
    loaded_case c = offline_case(r);
    const double together = c.together = std::min(c.places, 2048.0);
    const double copies = r.number("devices") / static_cast<double>(c.group.tensor);
    const auto chunk = static_cast<double>(c.under->chunk);
    const token_rate bound = output_bound(c.model, c.formats, rates_of(c.on, static_cast<double>(c.group.tensor)),
                                          together, c.prompt, c.output);
    table.rows.push_back(
        {{r.text("submitter") + " " + r.text("system"), 1e6 / r.number("tokens_per_s"),
          1e6 / (copies * c.predicted().output_throughput(together, c.prompt, c.output, chunk).value())},
         1e6 / (copies * bound.value()),
         false,
         std::string(c.device->id),
         false,
         c.kind()});
  }
  return table;
}

}  // namespace published
