// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The published times, each as a model, a plan, a device and a framework. What a table does not say is the
/// framework's.

#include <flopledger/hardware/apple.hpp>
#include <flopledger/time/serving.hpp>
#include <flopledger/time/step.hpp>

#include <functional>

#include "memory_cases.hpp"

namespace published {

/// The kind of job that a measurement is of.
struct job_kind {
  std::string_view name{}, family{}, device{};  ///< of a framework or an engine
  bool mixture = false;
  const framework* under = nullptr;
  const flopledger::engine* served_by = nullptr;
};

/// One measurement, its floor and its prediction. `fitted`: constants were taken from it, so it is no test.
struct timing {
  comparison row;
  double floor = 0;
  bool fitted = false;
  std::string group{};
  bool model_seen = false;  ///< a constant was taken from another row of the same model
  job_kind kind{};
};

struct time_table {
  std::string title, unit, text{};
  std::vector<timing> rows{};

  /// "korthikanti2022_table5.csv".
  std::string file() const {
    const auto open = title.find('(');
    return open == std::string::npos ? "" : title.substr(open + 1, title.find(')') - open - 1);
  }
  /// Whether a constant of the row's framework or engine was chosen on this whole table, as its source says.
  bool assumed(const timing& t) const {
    bool found = false;
    const auto look = [&](const char*, const auto& constant) {
      found = found || std::string(constant.source) == "chosen on published/" + file();
    };
    if (t.kind.under != nullptr) for_each_constant(*t.kind.under, look);
    if (t.kind.served_by != nullptr) for_each_constant(*t.kind.served_by, look);
    return found;
  }

  std::vector<comparison> chosen(const std::function<bool(const timing&)>& wanted) const {
    std::vector<comparison> found;
    for (const timing& t : rows)
      if (wanted(t)) found.push_back(t.row);
    return found;
  }
  /// Rows that no constant was fitted to.
  error_summary tests() const {
    return summarize(chosen([](const timing& t) { return !t.fitted; }));
  }
  /// Of these, the rows that no assumption was chosen on, and the others.
  error_summary unseen() const {
    return summarize(chosen([this](const timing& t) { return !t.fitted && !assumed(t); }));
  }
  error_summary chosen_on() const {
    return summarize(chosen([this](const timing& t) { return !t.fitted && assumed(t); }));
  }
  error_summary all() const {
    return summarize(chosen([](const timing&) { return true; }));
  }
  /// Measurements below their floor, but for those set aside.
  int impossible() const {
    int count = 0;
    for (const timing& t : rows) count += t.row.counts && t.row.measured < t.floor ? 1 : 0;
    return count;
  }
};

inline constexpr byte_rate gigabytes(double n) { return byte_rate::from_value(n * 1e9); }

// Products: Vidur's profiles ------------------------------------------------------------------------------------------

inline time_table compare_products() {
  time_table table{.title = "Products of one layer (vidur_layer_ops.csv)", .unit = "ms"};
  for (const record& r : read_table(data_path("vidur_layer_ops"))) {
    const bool hopper = r.text("gpu") == "h100", fitted = r.text("model").find("7b") != std::string::npos;
    const accelerator device = hopper ? hardware::h100_sxm5_80gb::value : hardware::a100_sxm4_80gb::value;
    const machine on = machine_of(device, recipes::fp16::value), ideal = on.floor();
    const double h = r.number("d_model"), f = r.number("d_ff"), t = r.number("tp"), m = r.number("n_tokens");
    const double wide = h / r.number("n_heads") * (r.number("n_heads") + 2 * r.number("n_kv_heads"));
    const auto add = [&](const char* column, double n, double k) {
      const bytes moved = 2 * (m * k + k * n + m * n) * unit::byte;
      const product shape{.batch = 1, .m = m, .n = n, .k = k};
      table.rows.push_back({{r.text("gpu") + " " + (fitted ? "Llama-2-7B " : "Llama-2-70B ") +
                                 std::string(column).substr(0, std::string(column).find('_')) + " TP " + r.text("tp") +
                                 ", " + r.text("n_tokens") + " tokens",
                             r.number(column), 1e3 * product_time(shape, moved, on).value()},
                            1e3 * product_time(shape, moved, ideal).value(),
                            fitted,
                            r.text("gpu") + (fitted ? ", Llama-2-7B" : ", Llama-2-70B")});
    };
    add("qkv_proj_ms", wide / t, h);
    add("o_proj_ms", h, h / t);
    add("up_proj_ms", 2 * f / t, h);
    add("down_proj_ms", h, f / t);
  }
  return table;
}

// Attention: FlashAttention-2's figure --------------------------------------------------------------------------------

inline time_table compare_attention() {
  time_table table{.title = "Fused attention, forward and backward (flash_attention.csv)", .unit = "ms"};
  const machine on = machine_of(hardware::a100_sxm4_80gb::value, recipes::bf16::value), ideal = on.floor();
  for (const record& r : read_table(data_path("flash_attention"))) {
    if (r.text("impl") != "FA2" || r.text("pass") != "fwd_bwd") continue;
    const bool causal = r.integer("causal") == 1;
    const double length = r.number("seq_len"), width = r.number("head_dim");
    const flops forward =
        4 * r.number("batch") * r.number("n_heads") * length * length * width / (causal ? 2 : 1) * unit::flop;
    // Queries, keys, values and outputs, 16 bits each.
    const bytes moved = 4 * r.number("batch") * r.number("n_heads") * length * width * 2 * unit::byte;
    const auto both = [&](const machine& m) {
      const attention_times one = attention_time(forward, moved, width, length, causal, m);
      return 1e3 * (one.forward + one.backward);
    };
    table.rows.push_back({{"heads of " + r.text("head_dim") + ", " + r.text("seq_len") + (causal ? ", causal" : ""),
                           1e-9 * r.number("flops_per_call") / r.number("tflops_pub"), both(on)},
                          both(ideal),
                          !causal || length <= 2048,
                          causal ? "causal" : "whole"});
  }
  return table;
}

/// A step from the tokens a second and device that a table prints.
inline double step_seconds(const record& r, const char* rate) {
  return r.number("global_batch_seq") * r.number("seq_len") / (r.number(rate) * r.number("n_gpu"));
}

// Training ------------------------------------------------------------------------------------------------------------

/// A step of a job on a device, predicted and at its floor: no losses, and communication that costs nothing.
struct step_case {
  job what;
  machine on;
  step_network network;
  const accelerator* device = nullptr;
  node in{};
  watts limit{};
  double scale_up = 0, scale_out = 0;  ///< GB/s and Gb/s that a table gives of one device's links; 0: the node's

  job_kind kind() const {
    const framework& under = *frameworks::find(what.setup.framework.name);
    return {under.name, under.family, device->id, !what.model.stack.sparse.empty(), &under};
  }
  /// On such nodes, with the device as the framework uses it.
  void on_nodes(const accelerator& each, const node& nodes) {
    on = machine_of(each, what.setup.precision, what.setup.framework, limit);
    device = nodes.device;
    in = nodes;
    const auto set = [](interconnect& link, double rate) {
      if (rate > 0) link.send = link.receive = link.to_one_peer = byte_rate::from_value(rate);
    };
    set(in.scale_up, scale_up * 1e9);
    set(in.scale_out, scale_out * 1e9 / 8);
    network = network_of(what.setup.plan, in);
  }
  step_time step() const { return training_time(what.model, what.setup, on, network).step(); }
  double predicted() const { return step().total().value(); }
  double floor() const {
    return training_time(what.model, without_losses(what.setup), on.floor(), {}).step().total().value();
  }
};

/// GPT as NVIDIA, and those who took Megatron-LM from it, train it.
inline transformer_config gpt_of(const record& r, std::int64_t vocabulary) {
  return make_decoder("megatron", classic_block({.layers = r.integer("n_layers"),
                                                 .hidden = r.integer("d_model"),
                                                 .heads = r.integer("n_heads"),
                                                 .intermediate = 4 * r.integer("d_model"),
                                                 .vocabulary = vocabulary,
                                                 .positions = r.integer("seq_len"),
                                                 .activation = activation_function::gelu,
                                                 .dropout = true}));
}

/// Korthikanti et al. 2022: Megatron-LM on A100 before FlashAttention, so explicit scores with a fused mask and
/// softmax, and dropout; FP32 gradients; one replica.
inline step_case korthikanti_case(const record& r) {
  const bool full = r.text("recompute") == "full";
  step_case c;
  c.what.model = gpt_of(r, r.integer("vocab"));
  c.what.setup.framework = frameworks::megatron_2022;
  c.what.setup.plan = {
      .sequence = r.integer("seq_len"),
      .micro_batch = r.integer("micro_batch"),
      .gradient_accumulation = r.integer("global_batch_seq") / r.integer("micro_batch") / r.integer("dp"),
      .data = r.integer("dp"),
      .tensor = r.integer("tp"),
      .pipeline = r.integer("pp"),
      .virtual_stages = r.integer("vpp"),
      .sequence_parallel = !full,
      .recompute = full ? recompute::full : recompute::selective,
      .attention = attention_kernel::explicit_matrix};
  c.what.setup.precision = formats_under(c.what.setup.framework, recipes::mixed_fp16::value, c.what.setup.plan);
  c.on_nodes(hardware::a100_sxm4_80gb::value, hardware::dgx_a100::value);
  return c;
}

inline time_table compare_korthikanti() {
  time_table table{.title = "Megatron-LM on A100 (korthikanti2022_table5.csv)", .unit = "s"};
  for (const record& r : read_table(data_path("korthikanti2022_table5"))) {
    const step_case c = korthikanti_case(r);
    table.rows.push_back({{r.text("model") + ", " + (r.text("recompute") == "full" ? "full" : "selective, sequence"),
                           r.number("iter_s_pub"), c.predicted()},
                          c.floor(),
                          false,
                          r.text("model"),
                          false,
                          c.kind()});
  }
  return table;
}

/// The same with the rate of products set so that the other models have no mean error: one constant, one model left
/// out.
inline time_table compare_korthikanti_left_out() {
  time_table table{.title = "Megatron-LM on A100, one model left out", .unit = "s"};
  const std::vector<record> rows = read_table(data_path("korthikanti2022_table5"));
  for (const record& out : rows) {
    const auto bias = [&](double products) {
      double sum = 0;
      for (const record& r : rows) {
        if (r.text("model") == out.text("model")) continue;
        step_case c = korthikanti_case(r);
        c.on.reached.products = products;
        sum += c.predicted() / r.number("iter_s_pub") - 1;
      }
      return sum;
    };
    double low = 0.6, high = 1.0;
    for (int i = 0; i < 20; ++i) {
      const double middle = (low + high) / 2;
      (bias(middle) > 0 ? low : high) = middle;
    }
    step_case c = korthikanti_case(out);
    const double floor = c.floor();
    c.on.reached.products = low;
    table.rows.push_back(
        {{out.text("model") + ", " + (out.text("recompute") == "full" ? "full" : "selective, sequence"),
          out.number("iter_s_pub"), c.predicted()},
         floor,
         false,
         out.text("model")});
  }
  return table;
}

/// LLM Foundry: FSDP in eager PyTorch, on DGX nodes.
inline step_case mpt_case(const record& r) {
  const std::string& gpu = r.text("gpu");
  const bool hopper = gpu == "h100_80gb";
  step_case c;
  c.what = mpt_job(r, r.integer("micro_batch_seq"));
  const node& in = hopper               ? hardware::dgx_h100::value
                   : gpu == "a100_80gb" ? hardware::dgx_a100::value
                                        : hardware::dgx_a100_40gb::value;
  c.on_nodes(*in.device, in);
  return c;
}

inline time_table compare_mpt_steps() {
  time_table table{.title = "LLM Foundry, MPT (llm_foundry_mpt.csv)", .unit = "s"};
  for (const record& r : read_table(data_path("llm_foundry_mpt"))) {
    const step_case c = mpt_case(r);
    table.rows.push_back({{r.text("model") + " " + r.text("gpu") + " x " + r.text("n_gpu") + ", " + r.text("seq_len") +
                               " x " + r.text("micro_batch_seq") + (r.text("precision") == "amp_fp8" ? ", FP8" : "") +
                               (r.text("act_ckpt_full") == "True" ? ", checkpointed" : ""),
                           r.number("iter_time_s"), c.predicted()},
                          c.floor(),
                          r.text("model") == "mpt-7b",
                          r.text("gpu"),
                          false,
                          c.kind()});
  }
  return table;
}

/// torchtitan: FSDP2 on H100 at 500 W with 2.4 TB/s, as the table's `gpu` says, or H200.
inline step_case titan_case(const record& r) {
  const bool newer = r.text("gpu").find("H200") != std::string::npos;
  step_case c;
  const bool narrow = r.text("precision").find("float8") != std::string::npos;
  c.what = torchtitan_job(r, narrow ? recipes::fp8::value : recipes::mixed_bf16::value);
  accelerator device = newer ? hardware::h200_sxm5_141gb::value : hardware::h100_sxm5_80gb::value;
  if (!newer) device.memory_bandwidth = gigabytes(2400);
  if (!newer) c.limit = watts::from_value(500);
  c.on_nodes(device, newer ? hardware::dgx_h200::value : hardware::dgx_h100::value);
  return c;
}

inline time_table compare_titan() {
  time_table table{.title = "torchtitan, Llama-3.1-8B (torchtitan.csv)", .unit = "s"};
  for (const record& r : read_table(data_path("torchtitan"))) {
    const step_case c = titan_case(r);
    const std::string& how = r.text("techniques");
    table.rows.push_back({{r.text("gpu").substr(0, 4) + " x " + r.text("n_gpu") + ", " + r.text("seq_len") + " x " +
                               r.text("local_batch") + ", TP " + r.text("tp") + " CP " + r.text("cp") + ", " +
                               how.substr(0, how.find('(')) + ", " + r.text("precision"),
                           step_seconds(r, "tokens_per_s_gpu_pub"), c.predicted()},
                          c.floor(),
                          how == "async TP+compile" && r.text("precision") == "bf16",
                          {},
                          false,
                          c.kind()});
  }
  return table;
}

inline bool from_26_06(const record& r) { return r.text("release") >= "26.06" && r.text("release") < "3"; }

inline const node& bridge_node(const record& r) {
  const std::string& system = r.text("system");
  if (system == "DGX-B200") return hardware::dgx_b200::value;
  if (system == "DGX-B300") return hardware::dgx_b300::value;
  if (system == "DGX-GB200") return hardware::gb200_nvl72_rack::value;
  if (system == "DGX-GB300") return hardware::gb300_nvl72_rack::value;
  return hardware::dgx_h100::value;
}

/// The framework of a row: by its release, and for HybridEP by what its recipe names (Qwen3 from 26.02 on, GPT-OSS
/// before 26.06 on B300 alone).
inline const framework& bridge_framework(const record& r) {
  const std::string& release = r.text("release");
  if (release > "3") return frameworks::megatron_core;  // Megatron-LM's README
  if (release < "25") return frameworks::nemo_24;
  if (from_26_06(r)) return frameworks::nemo_bridge_26_06;
  const bool oss = r.text("model_key").find("OSS") != std::string::npos;
  return release > "26" && (!oss || r.text("system") == "DGX-B300") ? frameworks::nemo_bridge_hybrid_ep
                                                                    : frameworks::nemo_bridge;
}

/// Megatron-Bridge and NeMo, pre-training.
inline step_case bridge_case(const record& r) {
  const std::string &model = r.text("model_key"), &precision = r.text("precision");
  const auto degree = [&](const char* column) {
    const bool given = r.has(column) && r.text(column) != "n/a";
    return given && r.integer(column) > 1 ? r.integer(column) : std::int64_t{1};
  };
  const bool gpt = model.find("GPT3") != std::string::npos, oss = model.find("OSS") != std::string::npos;
  block_shape s{.layers = r.integer("n_layers"),
                .hidden = r.integer("d_model"),
                .heads = r.integer("n_heads"),
                .kv_heads = r.integer("n_kv_heads"),
                .head_dim = r.integer("head_dim"),
                .intermediate = r.integer("d_ff"),
                .vocabulary = r.integer("vocab")};
  if (gpt) {
    s.gated = false;
    s.activation = activation_function::gelu;
    s.norm = {.kind = norm_kind::layer, .bias = true};
    s.rotary_fraction = 0;
    s.feed_bias = s.query_bias = s.key_bias = s.value_bias = s.output_bias = true;
    s.positions = r.integer("seq_len");
  }
  if (r.integer("n_experts") > 0) {
    s.experts = r.integer("n_experts");
    s.experts_per_token = r.integer("top_k");
    s.expert_intermediate = r.integer("d_ff");
    s.sparse = layer_set::range(0, s.layers);
  }
  if (model.find("Qwen") != std::string::npos) s.query_key_norm = qk_norm::per_head;
  if (oss) {
    // The model as OpenAI describes it (gpt-oss model card, section 2): gated experts, without which 128 of them would
    // not hold 117e9 parameters, and a window in every other layer. FLOPs that releases before 26.06 print count
    // neither; what ran did both.
    s.expert_bias = s.sinks = true;
    s.window = 128;
    s.windowed = layer_set::every(2, 0, s.layers);
  }
  const std::int64_t tensor = degree("tp"), pipeline = degree("pp"), context = degree("cp"), expert = degree("ep");
  const std::int64_t devices = r.integer("n_gpu"), data = devices / (tensor * pipeline * context);
  const std::int64_t micro_batches = r.integer("global_batch_seq") / (data * r.integer("micro_batch"));
  const bool sharded = degree("fsdp") > 1;
  step_case c;
  c.what.model = make_decoder("bridge", s);
  c.what.setup.framework = bridge_framework(r);
  c.what.setup.plan = {.sequence = r.integer("seq_len"),
                       .micro_batch = r.integer("micro_batch"),
                       .gradient_accumulation = micro_batches > 1 ? micro_batches : 1,
                       .data = data,
                       .tensor = tensor,
                       .pipeline = pipeline,
                       .context = context,
                       .expert = expert,
                       .expert_tensor = expert > 1 ? 1 : 0,
                       .virtual_stages = pipeline > 1 ? degree("vpp") : 1,
                       .sharding = sharded ? zero::weights : zero::optimizer,
                       .loss = cross_entropy::fused};
  // Releases of 2025 leave some recipes unnamed; all are 8 bits wide.
  const recipe& asked = precision == "BF16"                            ? recipes::mixed_bf16::value
                        : precision.find("NVFP4") != std::string::npos ? recipes::nvfp4::value
                        : precision.find("MX") != std::string::npos    ? recipes::mxfp8::value
                                                                       : recipes::fp8::value;
  c.what.setup.precision = formats_under(c.what.setup.framework, asked, c.what.setup.plan);
  c.on_nodes(*bridge_node(r).device, bridge_node(r));
  const std::string& system = r.text("system");
  const bool hopper = system == "DGX-H100";
  // Norms and activations run again where memory is short (configs/gpt_oss: `recompute_modules`).
  if (oss && !from_26_06(r) && (system == "DGX-GB200" || system == "DGX-B200" || hopper)) {
    c.what.setup.plan.recompute = recompute::kinds;
    c.what.setup.plan.recomputed_kinds = {operation::normalization, operation::activation};
  }
  return c;
}

inline time_table compare_bridge() {
  time_table table{.title = "Megatron-Bridge, NeMo, Megatron-LM (nvidia_nemo_bridge_training.csv)", .unit = "s"};
  for (const record& r : read_table(data_path("nvidia_nemo_bridge_training"))) {
    if (r.text("phase") != "pretrain") continue;  // packed sequences of unknown lengths
    const step_case c = bridge_case(r);
    const plan& p = c.what.setup.plan;
    const std::string &model = r.text("model_key"), &system = r.text("system");
    const bool dense = r.integer("n_experts") == 0, blackwell = system != "DGX-H100";
    const bool fitted = blackwell && (dense ? model == "LLAMA3-8B"
                                            : model.find("Qwen") == 0 && system == "DGX-GB200" && !from_26_06(r));
    table.rows.push_back(
        {{r.text("release") + " " + model + " " + system + " x " + r.text("n_gpu") + " " + r.text("precision") + ", " +
              r.text("seq_len") + " x " + r.text("micro_batch") + ", TP " + std::to_string(p.tensor) + " PP " +
              std::to_string(p.pipeline) + " CP " + std::to_string(p.context) + " EP " + std::to_string(p.expert),
          step_seconds(r, "tokens_per_s_gpu"), c.predicted()},
         c.floor(),
         fitted,
         model + (dense ? ", dense" : ", mixture"),
         model == "LLAMA3-8B" || model.find("Qwen") == 0,
         c.kind()});
  }
  return table;
}

/// Megatron-LM without overlap.
inline step_case simumax_case(const record& r) {
  step_case c;
  c.what = simumax_job(r);
  c.on_nodes(hardware::b200_sxm::value, hardware::dgx_b200::value);
  return c;
}

inline time_table compare_simumax_steps() {
  time_table table{.title = "Megatron-LM on B200 (simumax_b200.csv)", .unit = "ms"};
  for (const record& r : read_table(data_path("simumax_b200"))) {
    const step_case c = simumax_case(r);
    table.rows.push_back(
        {{r.text("case"), r.number("real_iter_ms"), 1e3 * c.predicted()}, 1e3 * c.floor(), false, {}, false, c.kind()});
  }
  return table;
}

// Serving -------------------------------------------------------------------------------------------------------------

/// A service under an engine, predicted and at its floor. What a table says beside that is its load.
struct serving_case {
  transformer_config model;
  data_formats formats;
  machine on;
  serving_group group;
  const flopledger::engine* under = nullptr;
  const accelerator* device = nullptr;  ///< none where the catalogue lacks the board
  double prompt = 1, output = 1, together = 1;

  job_kind kind() const {
    if (device == nullptr) return {};
    return {under->name, under->family, device->id, !model.stack.sparse.empty(), nullptr, under};
  }
  void under_engine(const flopledger::engine& asked) {
    under = &asked;
    formats.precision = formats_under(asked, formats.precision);
    formats.kernel = asked.attention;
  }
  /// On one node, with the device as the engine uses it.
  void on_node(const node& in, std::int64_t tensor) {
    device = in.device;
    on = machine_of(*device, formats.precision, *under);
    group = group_under(*under, tensor, 1, in);
  }
  serving_time<transformer_config> predicted() const { return {model, formats, on, group, *under, together == 1}; }
  serving_time<transformer_config> floor() const {
    return {model, formats, on.floor(), {.tensor = group.tensor}, engines::ideal};
  }
};

/// TensorRT-LLM and FasterTransformer: FP16 on A100; weights, products and cache in FP8 on H100.
inline serving_case trtllm_case(const record& r) {
  const std::string& name = r.text("model");
  const bool classic = name.find("GPT-J") != std::string::npos || name == "13B";
  block_shape s{.layers = r.integer("n_layers"),
                .hidden = r.integer("d_model"),
                .heads = r.integer("n_heads"),
                .kv_heads = r.integer("n_kv_heads"),
                .head_dim = r.integer("head_dim"),
                .intermediate = r.integer("d_ff"),
                .vocabulary = r.integer("vocab")};
  if (classic) {
    s.gated = false;
    s.activation = activation_function::gelu;
    s.norm = {.kind = norm_kind::layer, .bias = true};
    s.feed_bias = true;
    if (name != "13B") {
      s.parallel = true;
      s.placement = norms::shared;
    }
  }
  serving_case c;
  c.model = make_decoder("served", s);
  c.formats.precision = recipes::fp16::value;
  if (r.text("precision") == "fp8") {
    c.formats.precision.weights = c.formats.precision.compute = fp8_e4m3::format;
    c.formats.precision.kv_cache = fp8_e4m3::format;
  }
  c.under_engine(engines::tensorrt_llm_0_9);
  const std::string& gpu = r.text("gpu");
  c.on_node(gpu == "H100"   ? hardware::dgx_h100::value
            : gpu == "A100" ? hardware::dgx_a100::value
                            : hardware::dgx_a100_40gb::value,
            r.integer("tp"));
  c.prompt = r.number("input_len");
  return c;
}
/// The same, all prompts of a batch in one pass.
inline serving_case trtllm_batch_case(const record& r) {
  serving_case c = trtllm_case(r);
  c.output = r.number("output_len");
  c.together = r.number("batch");
  return c;
}

inline time_table compare_first_tokens() {
  time_table table{.title = "Time to first token, batch 1 (ttft_batch1.csv)", .unit = "ms"};
  for (const record& r : read_table(data_path("ttft_batch1"))) {
    const serving_case c = trtllm_case(r);
    table.rows.push_back({{r.text("model") + " " + r.text("gpu") + " TP " + r.text("tp") + ", " + r.text("input_len"),
                           r.number("ttft_ms_pub"), 1e3 * c.predicted().time_to_first_token(c.prompt).value()},
                          1e3 * c.floor().time_to_first_token(c.prompt).value(),
                          r.text("model").find("GPT-J") == 0 && c.prompt == 128,
                          {},
                          false,
                          c.kind()});
  }
  return table;
}

inline time_table compare_batches() {
  time_table table{.title = "Fixed batches, TensorRT-LLM 0.9 (trtllm_v0_9_throughput.csv)", .unit = "s"};
  for (const record& r : read_table(data_path("trtllm_v0_9_throughput"))) {
    const serving_case c = trtllm_batch_case(r);
    table.rows.push_back({{r.text("model") + " " + r.text("gpu") + " TP " + r.text("tp") + ", batch " +
                               r.text("batch") + ", " + r.text("input_len") + " + " + r.text("output_len"),
                           c.together * c.output / r.number("out_tok_s_total"),
                           c.predicted().end_to_end(c.prompt, c.output, c.together).value()},
                          c.floor().end_to_end(c.prompt, c.output, c.together).value(),
                          false,
                          {},
                          false,
                          c.kind()});
  }
  return table;
}

inline bool is_gpt_fast_decode(const record& r) {
  return r.text("model").find("speculative") == std::string::npos && r.text("gpu").find("A100") != std::string::npos;
}

/// gpt-fast: one sequence, weights alone quantised, head and table with them.
inline serving_case gpt_fast_case(const record& r) {
  const bool large = r.text("model") == "Llama-2-70B";
  serving_case c;
  c.model = make_decoder("llama-2", {.layers = large ? 80 : 32,
                                     .hidden = large ? 8192 : 4096,
                                     .heads = large ? 64 : 32,
                                     .kv_heads = large ? 8 : 32,
                                     .intermediate = large ? 28672 : 11008,
                                     .vocabulary = 32000});
  constexpr number_format group_32{
      .name = "int4", .kind = number_kind::int4, .bits = 4, .group_size = 32, .scale_bits = 16, .zero_point_bits = 16};
  c.formats.precision = recipes::bf16::value;
  if (r.text("quant") == "int8") c.formats.precision.weights = c.formats.precision.other_weights = int8::format;
  if (r.text("quant") == "int4-g32") c.formats.precision.weights = c.formats.precision.other_weights = group_32;
  c.under_engine(engines::gpt_fast);
  c.on_node(hardware::dgx_a100::value, r.integer("tp"));
  c.prompt = 105;  // a prompt of 5 and half of the 200 tokens that gpt-fast generates: the token in the middle
  c.output = 2;
  return c;
}

inline time_table compare_gpt_fast() {
  time_table table{.title = "Decode, batch 1 (gpt_fast.csv)", .unit = "ms"};
  for (const record& r : read_table(data_path("gpt_fast"))) {
    if (!is_gpt_fast_decode(r)) continue;
    const serving_case c = gpt_fast_case(r);
    table.rows.push_back({{r.text("model") + " " + r.text("quant") + " TP " + r.text("tp"),
                           1e3 / r.number("tokens_per_s_pub"), 1e3 * c.predicted().decode_step(1, c.prompt).value()},
                          1e3 * c.floor().decode_step(1, c.prompt).value(),
                          false,
                          {},
                          false,
                          c.kind()});
  }
  return table;
}

/// Boards of the llama.cpp table: FP16 with FP16 sums, INT8, GB/s, SMs (NVIDIA's "GA102" and "Ada" whitepapers and data
/// sheets); Apple's vector rate. `device`: of those that the catalogue has with these figures.
struct board {
  const char* name;
  double half, byte_wide, bandwidth, units;
  const accelerator* device = nullptr;
};
inline constexpr board boards[] = {
    {"3070", 81.3, 162.6, 448, 46},
    {"3090", 142, 284, 936, 82},
    {"4070 Ti", 160.4, 320.7, 504, 60},
    {"4080", 194.9, 389.9, 716.8, 76},
    {"RTX 4000 Ada", 106.9, 213.8, 360, 48},
    {"RTX 5000 Ada", 261.1, 522.1, 576, 100},
    {"RTX A6000", 154.8, 309.7, 768, 84},
    {"L40S", 362, 733, 864, 142},
    {"A100 PCIe", 312, 624, 1935, 108, &hardware::a100_pcie_80gb::value},
    {"A100 SXM", 312, 624, 2039, 108, &hardware::a100_sxm4_80gb::value},
    {"M1 Max", 10.6, 10.6, 400, 32},
    {"M3 Max", 14.2, 14.2, 400, 40},
    {"M1 7", 2.3, 2.3, 68.25, 7},
};

/// One device of a row.
inline serving_case llamacpp_case(const record& r) {
  const std::string &gpu = r.text("gpu"), &kind = r.text("model");
  const board* found = nullptr;
  for (const board& b : boards)
    if (gpu.find(b.name) == 0) found = &b;
  if (found == nullptr) throw std::runtime_error("no board " + gpu);
  const bool large = kind.find("70B") == 0, half = kind.find("F16") != std::string::npos;
  serving_case c;
  c.model = make_decoder("llama-3", {.layers = large ? 80 : 32,
                                     .hidden = large ? 8192 : 4096,
                                     .heads = large ? 64 : 32,
                                     .kv_heads = 8,
                                     .head_dim = 128,
                                     .intermediate = large ? 28672 : 14336,
                                     .vocabulary = 128256});
  c.formats.precision = recipes::fp16::value;
  const double bits = half ? 16 : r.number("model_bytes_gb") * 8e9 / (large ? 70.554e9 : 8.030e9);
  c.formats.precision.weights =
      c.formats.precision.other_weights = {.name = "file", .kind = number_kind::fp16, .bits = bits};
  c.under_engine(gpu[0] == 'M' ? engines::llama_cpp_metal : engines::llama_cpp);
  c.on.peak = flop_rate::from_value(1e12 * (half ? found->half : found->byte_wide));
  c.on.attention_peak = flop_rate::from_value(1e12 * found->half);
  c.on.bandwidth = gigabytes(found->bandwidth);
  c.on.units = found->units;
  c.on.reached = efficiency_under(*c.under, c.formats.precision, {});
  // The program knows neither other files nor layers split over devices.
  if (half && r.integer("n_gpu_layer_split") == 1) c.device = found->device;
  c.prompt = r.number("tokens");
  return c;
}

struct llamacpp_result {
  time_table generate{.title = "llama.cpp, generation (llamacpp_llama3_gpus.csv)", .unit = "ms a token"};
  time_table prompt{.title = "llama.cpp, prompt (llamacpp_llama3_gpus.csv)", .unit = "s"};
};

inline llamacpp_result compare_llamacpp() {
  llamacpp_result result;
  for (const record& r : read_table(data_path("llamacpp_llama3_gpus"))) {
    const std::string &gpu = r.text("gpu"), &kind = r.text("model");
    const bool large = kind.find("70B") == 0, half = kind.find("F16") != std::string::npos;
    const serving_case c = llamacpp_case(r);
    const double length = r.number("tokens"), devices = r.number("n_gpu_layer_split");
    const bool fitted = gpu == "3090 24GB" || gpu.find("M1 Max") == 0;
    const std::string name = gpu + ", " + kind + ", " + r.text("tokens");
    // Layers are split over the devices: a token passes them in turn, a prompt's pieces of 512 follow one another,
    // four to a batch.
    if (r.has("tg_tok_s"))
      result.generate.rows.push_back(
          {{name, 1e3 / r.number("tg_tok_s"), 1e3 * c.predicted().decode_step(1, length / 2).value()},
           1e3 * c.floor().decode_step(1, length / 2).value(),
           fitted,
           gpu,
           false,
           c.kind()});
    if (!r.has("pp_tok_s")) continue;
    const double pieces = length < 2048 ? length / 512 : 4, filled = pieces / (pieces + devices - 1);
    comparison prompt{
        name, length / r.number("pp_tok_s"),
        c.predicted().prefill_in_chunks(1, length, static_cast<double>(c.under->chunk)).value() / (devices * filled)};
    const bool broken = half && !large && (gpu.find("A100 SXM") == 0 || gpu.find("L40S") == 0);
    if (broken) {
      prompt.counts = false;
      prompt.note = "three to ten times below the neighbouring boards";
    }
    result.prompt.rows.push_back(
        {prompt, c.floor().prefill(1, length).value() / devices, fitted, gpu, false, broken ? job_kind{} : c.kind()});
  }
  return result;
}

}  // namespace published
