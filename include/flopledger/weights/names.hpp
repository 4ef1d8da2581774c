// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What checkpoints call the tensors that a model's rows hold: a table of modules for each family of architectures.
///
/// Names by transformers 4.57 (`modeling_*.py`), whose `state_dict` a checkpoint is, and by the model's own code where
/// there is none. A place that a table lacks has no name, and then the family is refused.

#include <flopledger/ledger.hpp>

#include <span>
#include <string_view>

namespace flopledger::weights {

/// The module that holds the weights of a place. `{layer}` and `{expert}` stand for their numbers. Places that share a
/// module are one matrix, joined along the outputs in the order of their rows; a module of experts without `{expert}`
/// holds all of them.
struct module_name {
  place where{};
  std::string_view module{};
  std::string_view weight = ".weight", bias = ".bias";  ///< what follows it in the name of a tensor
  bool inputs_first = false;                            ///< the matrix is stored as inputs by outputs
  std::string_view bias_type{};                         ///< that a bias has whatever the others have; empty: theirs
};

/// The names of an architecture: its own before those that it shares.
struct checkpoint_names {
  std::string_view model_type{};
  std::span<const module_name> own{}, common{};
  std::string_view prefix = "model.";  ///< that the files of a bare model lack
  std::string_view buffers[3]{};       ///< ends of names of tensors that are computed, and that some files hold

  constexpr const module_name* find(place where) const {
    for (const std::span<const module_name> table : {own, common})
      for (const module_name& one : table)
        if (one.where == where) return &one;
    return nullptr;
  }
};

namespace detail {

constexpr place of_attention(position at) { return {sublayer::attention, at}; }
constexpr place of_feed(position at) { return {sublayer::feed_forward, at}; }
constexpr place of_experts(position at) { return {sublayer::experts, at}; }
constexpr place of_shared(position at) { return {sublayer::shared_expert, at}; }
constexpr place beside(position at) { return {sublayer::outside, at}; }

// clang-format off
inline constexpr module_name llama_modules[] = {
    {beside(position::table),              "model.embed_tokens"},
    {beside(position::final_norm),         "model.norm"},
    {beside(position::head),               "lm_head"},
    {of_attention(position::norm),         "model.layers.{layer}.input_layernorm"},
    {of_attention(position::query),        "model.layers.{layer}.self_attn.q_proj"},
    {of_attention(position::key),          "model.layers.{layer}.self_attn.k_proj"},
    {of_attention(position::value),        "model.layers.{layer}.self_attn.v_proj"},
    {of_attention(position::query_norm),   "model.layers.{layer}.self_attn.q_norm"},
    {of_attention(position::key_norm),     "model.layers.{layer}.self_attn.k_norm"},
    {of_attention(position::output),       "model.layers.{layer}.self_attn.o_proj"},
    {of_feed(position::norm),              "model.layers.{layer}.post_attention_layernorm"},
    {of_feed(position::gate),              "model.layers.{layer}.mlp.gate_proj"},
    {of_feed(position::up),                "model.layers.{layer}.mlp.up_proj"},
    {of_feed(position::down),              "model.layers.{layer}.mlp.down_proj"},
};
/// Norms on both sides of a sublayer (Gemma-2 and 3).
inline constexpr module_name gemma2_modules[] = {
    {of_attention(position::output_norm),  "model.layers.{layer}.post_attention_layernorm"},
    {of_feed(position::norm),              "model.layers.{layer}.pre_feedforward_layernorm"},
    {of_feed(position::output_norm),       "model.layers.{layer}.post_feedforward_layernorm"},
};
/// Norms of what a sublayer puts out alone (OLMo-2, EXAONE-4).
inline constexpr module_name olmo2_modules[] = {
    {of_attention(position::output_norm),  "model.layers.{layer}.post_attention_layernorm"},
    {of_feed(position::output_norm),       "model.layers.{layer}.post_feedforward_layernorm"},
};
inline constexpr module_name mixtral_modules[] = {
    {of_experts(position::router),         "model.layers.{layer}.block_sparse_moe.gate"},
    {of_experts(position::gate),           "model.layers.{layer}.block_sparse_moe.experts.{expert}.w1"},
    {of_experts(position::up),             "model.layers.{layer}.block_sparse_moe.experts.{expert}.w3"},
    {of_experts(position::down),           "model.layers.{layer}.block_sparse_moe.experts.{expert}.w2"},
};
inline constexpr module_name qwen_moe_modules[] = {
    {of_experts(position::router),         "model.layers.{layer}.mlp.gate"},
    {of_experts(position::gate),           "model.layers.{layer}.mlp.experts.{expert}.gate_proj"},
    {of_experts(position::up),             "model.layers.{layer}.mlp.experts.{expert}.up_proj"},
    {of_experts(position::down),           "model.layers.{layer}.mlp.experts.{expert}.down_proj"},
    {of_shared(position::gate),            "model.layers.{layer}.mlp.shared_expert.gate_proj"},
    {of_shared(position::up),              "model.layers.{layer}.mlp.shared_expert.up_proj"},
    {of_shared(position::down),            "model.layers.{layer}.mlp.shared_expert.down_proj"},
    {of_shared(position::scale),           "model.layers.{layer}.mlp.shared_expert_gate"},
};
/// DeepSeek's correction biases are FP32 in checkpoints of any format (DeepSeek-V3, README_WEIGHTS and its files).
inline constexpr module_name deepseek_modules[] = {
    {of_attention(position::query_down),   "model.layers.{layer}.self_attn.q_a_proj"},
    {of_attention(position::query_norm),   "model.layers.{layer}.self_attn.q_a_layernorm"},
    {of_attention(position::query_up),     "model.layers.{layer}.self_attn.q_b_proj"},
    {of_attention(position::latent_down),  "model.layers.{layer}.self_attn.kv_a_proj_with_mqa"},
    {of_attention(position::latent_norm),  "model.layers.{layer}.self_attn.kv_a_layernorm"},
    {of_attention(position::latent_up),    "model.layers.{layer}.self_attn.kv_b_proj"},
    {.where = of_experts(position::router), .module = "model.layers.{layer}.mlp.gate",
     .bias = ".e_score_correction_bias", .bias_type = "F32"},
    {of_experts(position::gate),           "model.layers.{layer}.mlp.experts.{expert}.gate_proj"},
    {of_experts(position::up),             "model.layers.{layer}.mlp.experts.{expert}.up_proj"},
    {of_experts(position::down),           "model.layers.{layer}.mlp.experts.{expert}.down_proj"},
    {of_shared(position::gate),            "model.layers.{layer}.mlp.shared_experts.gate_proj"},
    {of_shared(position::up),              "model.layers.{layer}.mlp.shared_experts.up_proj"},
    {of_shared(position::down),            "model.layers.{layer}.mlp.shared_experts.down_proj"},
};
inline constexpr module_name phi3_modules[] = {
    {of_attention(position::query),        "model.layers.{layer}.self_attn.qkv_proj"},
    {of_attention(position::key),          "model.layers.{layer}.self_attn.qkv_proj"},
    {of_attention(position::value),        "model.layers.{layer}.self_attn.qkv_proj"},
    {of_feed(position::gate),              "model.layers.{layer}.mlp.gate_up_proj"},
    {of_feed(position::up),                "model.layers.{layer}.mlp.gate_up_proj"},
};
inline constexpr module_name gpt_oss_modules[] = {
    {.where = of_attention(position::softmax), .module = "model.layers.{layer}.self_attn.sinks", .bias = ""},
    {of_experts(position::router),         "model.layers.{layer}.mlp.router"},
    {of_experts(position::gate),           "model.layers.{layer}.mlp.experts.gate_up_proj", "", "_bias", true},
    {of_experts(position::up),             "model.layers.{layer}.mlp.experts.gate_up_proj", "", "_bias", true},
    {of_experts(position::down),           "model.layers.{layer}.mlp.experts.down_proj", "", "_bias", true},
};
/// Conv1D stores inputs by outputs.
inline constexpr module_name gpt2_modules[] = {
    {beside(position::table),              "transformer.wte"},
    {beside(position::position_table),     "transformer.wpe"},
    {beside(position::final_norm),         "transformer.ln_f"},
    {beside(position::head),               "lm_head"},
    {of_attention(position::norm),         "transformer.h.{layer}.ln_1"},
    {of_attention(position::query),        "transformer.h.{layer}.attn.c_attn", ".weight", ".bias", true},
    {of_attention(position::key),          "transformer.h.{layer}.attn.c_attn", ".weight", ".bias", true},
    {of_attention(position::value),        "transformer.h.{layer}.attn.c_attn", ".weight", ".bias", true},
    {of_attention(position::output),       "transformer.h.{layer}.attn.c_proj", ".weight", ".bias", true},
    {of_feed(position::norm),              "transformer.h.{layer}.ln_2"},
    {of_feed(position::up),                "transformer.h.{layer}.mlp.c_fc", ".weight", ".bias", true},
    {of_feed(position::down),              "transformer.h.{layer}.mlp.c_proj", ".weight", ".bias", true},
};
inline constexpr module_name gpt_neox_modules[] = {
    {beside(position::table),              "gpt_neox.embed_in"},
    {beside(position::final_norm),         "gpt_neox.final_layer_norm"},
    {beside(position::head),               "embed_out"},
    {of_attention(position::norm),         "gpt_neox.layers.{layer}.input_layernorm"},
    {of_attention(position::query),        "gpt_neox.layers.{layer}.attention.query_key_value"},
    {of_attention(position::key),          "gpt_neox.layers.{layer}.attention.query_key_value"},
    {of_attention(position::value),        "gpt_neox.layers.{layer}.attention.query_key_value"},
    {of_attention(position::output),       "gpt_neox.layers.{layer}.attention.dense"},
    {of_feed(position::norm),              "gpt_neox.layers.{layer}.post_attention_layernorm"},
    {of_feed(position::up),                "gpt_neox.layers.{layer}.mlp.dense_h_to_4h"},
    {of_feed(position::down),              "gpt_neox.layers.{layer}.mlp.dense_4h_to_h"},
};

/// An architecture whose names are LLaMA's, but for some.
constexpr checkpoint_names like_llama(std::string_view model_type, std::span<const module_name> own = {}) {
  return {.model_type = model_type, .own = own, .common = llama_modules, .buffers = {".rotary_emb.inv_freq"}};
}

inline constexpr checkpoint_names known_names[] = {
    like_llama("llama"),
    like_llama("Yi"),
    like_llama("yi"),
    like_llama("mistral"),
    like_llama("ministral3"),
    like_llama("granite"),
    like_llama("smollm3"),
    like_llama("ernie4_5"),
    like_llama("qwen2"),
    like_llama("qwen3"),
    like_llama("gemma"),
    like_llama("mixtral", mixtral_modules),
    like_llama("phimoe", mixtral_modules),
    like_llama("qwen2_moe", qwen_moe_modules),
    like_llama("qwen3_moe", qwen_moe_modules),
    like_llama("olmoe", qwen_moe_modules),
    like_llama("gemma2", gemma2_modules),
    like_llama("gemma3_text", gemma2_modules),
    like_llama("olmo2", olmo2_modules),
    like_llama("exaone4", olmo2_modules),
    like_llama("phi3", phi3_modules),
    like_llama("gpt_oss", gpt_oss_modules),
    like_llama("deepseek_v2", deepseek_modules),
    like_llama("deepseek_v3", deepseek_modules),
    like_llama("kimi_k2", deepseek_modules),
    {.model_type = "gpt2", .own = gpt2_modules, .prefix = "transformer.", .buffers = {".attn.bias", ".attn.masked_bias"}},
    {.model_type = "gpt_neox", .own = gpt_neox_modules, .prefix = "gpt_neox.",
     .buffers = {".attention.bias", ".attention.masked_bias", ".rotary_emb.inv_freq"}},
};
// clang-format on

}  // namespace detail

/// Null for an architecture whose names are not known here.
constexpr const checkpoint_names* find_names(std::string_view model_type) {
  for (const checkpoint_names& one : detail::known_names)
    if (one.model_type == model_type) return &one;
  return nullptr;
}

}  // namespace flopledger::weights
