// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What the program is asked for a published row: the options of `flopledger report`, and the config.json of the
/// row's model.

#include <fmt/format.h>

#include "load_cases.hpp"
#include "training_cases.hpp"

namespace published {

/// "--device h100-sxm5-80gb --recipe fp8 train --framework …": all that a case says beside its model.
inline std::string program_options(const step_case& c) {
  const plan& p = c.what.setup.plan;
  std::string text =
      fmt::format("--device {} --recipe {} train --framework {} --sequence {} --micro-batch {} --global-batch {}",
                  c.device->id.c_str(), c.what.setup.precision.name, c.what.setup.framework.name, p.sequence,
                  p.micro_batch, p.global_batch());
  const auto number = [&](const char* option, std::int64_t value, std::int64_t usual) {
    if (value != usual) text += fmt::format(" {} {}", option, value);
  };
  number("--data", p.data, 1);
  number("--tensor", p.tensor, 1);
  number("--pipeline", p.pipeline, 1);
  number("--context", p.context, 1);
  number("--interleave", p.virtual_stages, 1);
  number("--expert", p.expert, 1);
  if (c.kind().mixture) number("--expert-tensor", p.expert_tensor, 0);
  number("--first-stage-layers", p.first_stage_layers, 0);
  number("--last-stage-layers", p.last_stage_layers, 0);
  number("--zero", static_cast<std::int64_t>(p.sharding), 0);
  if (!p.sequence_parallel && p.tensor > 1) text += " --no-sequence-parallel";
  if (p.attention == attention_kernel::explicit_matrix) text += " --attention explicit";
  switch (p.recompute) {
    case recompute::none:
      break;
    case recompute::selective:
      text += " --recompute selective";
      break;
    case recompute::full:
      text += " --recompute full";
      break;
    case recompute::alternate:
      text += " --recompute alternate";
      break;
    case recompute::kinds: {
      std::string names;
      for (const operation kind : {operation::normalization, operation::activation})
        if (p.recomputed_kinds.contains(kind)) (names += names.empty() ? "" : ",").append(name_of(kind));
      text += " --recompute " + names;
    }
  }
  if (c.scale_up > 0) text += fmt::format(" --scale-up {:g}", c.scale_up);
  if (c.scale_out > 0) text += fmt::format(" --network {:g}", c.scale_out);
  number("--shard-group", p.shard_group, 0);
  number("--recompute-every", p.recompute_every, 1);
  if (c.limit.value() > 0) text += fmt::format(" --power-limit {:.0f}", c.limit.value());
  if (c.on.bandwidth != c.device->memory_bandwidth.value())
    text += fmt::format(" --memory-bandwidth {:.0f}", c.on.bandwidth.value() / 1e9);
  return text;
}

/// "--device a100-sxm4-80gb --recipe fp16 serve --engine …" over `output` tokens of each request. Of quantised weights
/// the config.json says so.
inline std::string program_options(const serving_case& c) {
  std::string text = fmt::format("--device {}", c.device->id.c_str());
  const recipe& precision = c.formats.precision;
  if (precision.weights.bits >= 16) text += fmt::format(" --recipe {}", precision.name);
  text += fmt::format(" serve --engine {} --prompt {:.0f} --output {:.0f}", c.under->name, c.prompt, c.output);
  if (c.together > 1) text += fmt::format(" --concurrency {:.0f}", c.together);
  if (c.together > 1 && c.together * c.prompt > static_cast<double>(c.under->chunk))
    text += fmt::format(" --chunk {:.0f}", c.together * c.prompt);
  if (c.group.tensor > 1) text += fmt::format(" --tensor {}", c.group.tensor);
  if (precision.kv_cache.bits < 16) text += " --kv-cache fp8";
  return text;
}
/// The token in the middle of what a row of llama.cpp generates.
inline serving_case llamacpp_token_case(const record& r) {
  serving_case c = llamacpp_case(r);
  c.prompt /= 2;
  c.output = 2;
  return c;
}

/// A gated decoder with rotary embeddings, or experts in every layer.
inline std::string gated_config(const record& r, bool mixture = false, const std::string& layers = "n_layers") {
  std::string text =
      fmt::format(R"({{"model_type": "{}", "num_hidden_layers": {}, "hidden_size": {}, "num_attention_heads": {}, )"
                  R"("num_key_value_heads": {}, "head_dim": {}, "intermediate_size": {}, "vocab_size": {}, )"
                  R"("tie_word_embeddings": false, "max_position_embeddings": 131072)",
                  mixture ? "qwen3_moe" : "llama", r.integer(layers), r.integer("d_model"), r.integer("n_heads"),
                  r.integer("n_kv_heads"), r.integer("head_dim"), r.integer("d_ff"), r.integer("vocab"));
  if (mixture)
    text += fmt::format(
        R"(, "num_experts": {}, "num_experts_per_tok": {}, "moe_intermediate_size": {}, "decoder_sparse_step": 1, )"
        R"("norm_topk_prob": true, "mlp_only_layers": [])",
        r.integer("n_experts"), r.integer("top_k"), r.integer("d_ff"));
  return text + "}";
}

/// Llama's of a serving case; its matrices in FP8, where the case has them so.
inline std::string served_config(const serving_case& c) {
  const stack& blocks = c.model.stack;
  return fmt::format(
      R"({{"model_type": "llama", "num_hidden_layers": {}, "hidden_size": {}, "num_attention_heads": {}, )"
      R"("num_key_value_heads": {}, "head_dim": {}, "intermediate_size": {}, "vocab_size": {}, )"
      R"("tie_word_embeddings": false, "max_position_embeddings": 131072{}}})",
      blocks.layers, blocks.hidden, blocks.attention.heads, blocks.attention.kv_heads, blocks.attention.head_dim,
      blocks.feed.intermediate, c.model.embedding.vocabulary,
      c.formats.precision.weights.bits < 16 ? R"(, "quantization_config": {"quant_method": "fp8"})" : "");
}

/// A decoder as GPT-2's, with biases and learned positions.
inline std::string classic_config(const record& r, bool tied, double dropout) {
  return fmt::format(
      R"({{"model_type": "gpt2", "n_layer": {}, "n_embd": {}, "n_head": {}, "n_inner": {}, "vocab_size": {}, )"
      R"("n_positions": {}, "tie_word_embeddings": {}, "resid_pdrop": {}, "attn_pdrop": {}, "embd_pdrop": {}, )"
      R"("activation_function": "gelu"}})",
      r.integer("n_layers"), r.integer("d_model"), r.integer("n_heads"), r.integer("d_ff"), r.integer("vocab"),
      r.integer("seq_len"), tied, dropout, dropout, dropout);
}

/// A row as the program is asked for it.
struct program_row {
  std::string name, config, options;
  double predicted = 0;              ///< seconds, as the page has it
  const char* key = "step_seconds";  ///< of the answer's `time`
};

/// Of every table some rows, spread over it; of serving those whose model a config.json describes as the page has it.
inline std::vector<program_row> program_rows() {
  std::vector<program_row> rows;
  const auto some = [&](const std::string& table, std::size_t every, const auto& wanted, const auto& case_of,
                        const auto& config_of) {
    std::size_t seen = 0;
    for (const record& r : read_table(data_path(table))) {
      if (!wanted(r) || seen++ % every != 0) continue;
      const step_case c = case_of(r);
      rows.push_back({table + ": " + std::to_string(rows.size()), config_of(r), program_options(c), c.predicted()});
    }
  };
  const auto any = [](const record&) { return true; };
  some("korthikanti2022_table5", 3, any, korthikanti_case,
       [](const record& r) { return classic_config(r, true, 0.1); });
  some("llm_foundry_mpt", 25, any, mpt_case, [](const record& r) { return classic_config(r, true, 0); });
  some("torchtitan", 4, any, titan_case, [](const record& r) { return gated_config(r); });
  some(
      "nvidia_nemo_bridge_training", 12,
      [](const record& r) {
        return r.text("phase") == "pretrain" && r.text("model_key").find("OSS") == std::string::npos;
      },
      bridge_case,
      [](const record& r) {
        return r.text("model_key").find("GPT3") == std::string::npos ? gated_config(r, r.integer("n_experts") > 0)
                                                                     : classic_config(r, false, 0);
      });
  some(
      "simumax_b200", 4, [](const record& r) { return r.integer("n_experts") == 0; }, simumax_case,
      [](const record& r) { return gated_config(r, false, "n_layers_used"); });

  const auto of_table = [](std::string text, const char* change) { return text.insert(text.size() - 1, change); };
  some("internlm_7b", 12, any, internlm_case,
       [&](const record& r) { return of_table(gated_config(r), R"(, "attention_bias": true)"); });
  some("fms_fsdp_2", 1, any, fms_case, [](const record& r) { return gated_config(r); });
  some("vtrain_single_node", 200, any, vtrain_case, [](record r) {
    r.set("vocab", std::to_string(vtrain_vocabulary));
    return classic_config(r, true, 0.1);
  });

  const auto some_served = [&](const std::string& table, std::size_t every, const auto& case_of, const char* key,
                               const auto& wanted, const auto& predicted) {
    std::size_t seen = 0;
    for (const record& r : read_table(data_path(table))) {
      if (!wanted(r) || seen++ % every != 0) continue;
      const serving_case c = case_of(r);
      rows.push_back({table + ": " + std::to_string(rows.size()), served_config(c), program_options(c),
                      predicted(c, c.predicted()).value(), key});
    }
  };
  using timed = serving_time<transformer_config>;
  const auto of_llama = [](const record& r) { return r.text("model").find("LLaMA") == 0; };
  some_served("ttft_batch1", 3, trtllm_case, "time_to_first_token_seconds", of_llama,
              [](const serving_case& c, const timed& t) { return t.time_to_first_token(c.prompt); });
  some_served("trtllm_v0_9_throughput", 3, trtllm_batch_case, "batch_seconds", of_llama,
              [](const serving_case& c, const timed& t) { return t.end_to_end(c.prompt, c.output, c.together); });
  some_served(
      "gpt_fast", 2, gpt_fast_case, "time_per_output_token_seconds",
      [](const record& r) { return is_gpt_fast_decode(r) && r.text("quant") == "bf16"; },
      [](const serving_case& c, const timed& t) { return t.decode_step(1, c.prompt); });
  const auto known_board = [](const record& r) { return llamacpp_case(r).device != nullptr; };
  some_served("llamacpp_llama3_gpus", 2, llamacpp_token_case, "time_per_output_token_seconds", known_board,
              [](const serving_case& c, const timed& t) { return t.decode_step(1, c.prompt); });
  some_served("llamacpp_llama3_gpus", 2, llamacpp_case, "time_to_first_token_seconds", known_board,
              [](const serving_case& c, const timed& t) {
                return t.prefill_in_chunks(1, c.prompt, static_cast<double>(c.under->chunk));
              });

  std::size_t seen = 0;
  for (const record& r : read_table(data_path("serving_engines"))) {
    const bool dense = r.text("model").find("Llama-3.") == 0 && r.text("quant").find("fp4") == std::string::npos;
    if (!dense || r.integer("data") > 1 || r.integer("tensor") > 8 || seen++ % 40 != 0) continue;
    loaded_case c = load_case(r);
    const std::string options = program_options(c) + fmt::format(" --users {} --usable 90", r.integer("concurrency"));
    const double users = c.together = r.number("concurrency");
    const loaded_times found = under_load(
        c.predicted(), *c.under, {.concurrency = users, .prompt = c.prompt, .output = c.output, .places = c.places});
    rows.push_back({"serving_engines: " + std::to_string(rows.size()), served_config(c), options,
                    found.first_token.value(), "loaded_time_to_first_token_seconds"});
  }
  return rows;
}

}  // namespace published
