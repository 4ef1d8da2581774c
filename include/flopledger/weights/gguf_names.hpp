// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What GGUF files call tensors and fields, for the architectures of llama.cpp that are read.
///
/// Names of tensors by gguf-py/gguf/constants.py (TENSOR_NAMES), of fields by the same (Keys) and by what
/// convert_hf_to_gguf.py writes under them, in ggml-org/llama.cpp.

#include <flopledger/weights/gguf.hpp>
#include <flopledger/weights/names.hpp>

#include <span>
#include <string_view>

namespace flopledger::weights {

/// A key of GGUF behind "{architecture}.", and the field of a config.json that it was made of.
struct gguf_field {
  std::string_view key{}, field{};
  bool required = false;
};

/// One of llama.cpp's architectures.
struct gguf_architecture {
  std::string_view name{};                      ///< general.architecture
  std::string_view model_type{}, class_name{};  ///< of the config.json that it was made of
  std::span<const gguf_field> fields{};         ///< beside those of all
  std::span<const module_name> modules{};       ///< beside those of all
  bool experts = false;                         ///< it is this one where the file says expert_count
};

namespace detail {
// clang-format off
inline constexpr module_name gguf_modules[] = {
    {beside(position::table),              "token_embd"},
    {beside(position::final_norm),         "output_norm"},
    {beside(position::head),               "output"},
    {of_attention(position::norm),         "blk.{layer}.attn_norm"},
    {of_attention(position::query),        "blk.{layer}.attn_q"},
    {of_attention(position::key),          "blk.{layer}.attn_k"},
    {of_attention(position::value),        "blk.{layer}.attn_v"},
    {of_attention(position::query_norm),   "blk.{layer}.attn_q_norm"},
    {of_attention(position::key_norm),     "blk.{layer}.attn_k_norm"},
    {of_attention(position::output),       "blk.{layer}.attn_output"},
    {of_attention(position::output_norm),  "blk.{layer}.post_attention_norm"},
    {of_feed(position::norm),              "blk.{layer}.ffn_norm"},
    {of_feed(position::gate),              "blk.{layer}.ffn_gate"},
    {of_feed(position::up),                "blk.{layer}.ffn_up"},
    {of_feed(position::down),              "blk.{layer}.ffn_down"},
    {of_feed(position::output_norm),       "blk.{layer}.post_ffw_norm"},
    {of_experts(position::router),         "blk.{layer}.ffn_gate_inp"},
    {of_experts(position::gate),           "blk.{layer}.ffn_gate_exps"},
    {of_experts(position::up),             "blk.{layer}.ffn_up_exps"},
    {of_experts(position::down),           "blk.{layer}.ffn_down_exps"},
    {of_shared(position::gate),            "blk.{layer}.ffn_gate_shexp"},
    {of_shared(position::up),              "blk.{layer}.ffn_up_shexp"},
    {of_shared(position::down),            "blk.{layer}.ffn_down_shexp"},
    {of_shared(position::scale),           "blk.{layer}.ffn_gate_inp_shexp"},
};
inline constexpr module_name gguf_phi3_modules[] = {
    {of_attention(position::query),        "blk.{layer}.attn_qkv"},
    {of_attention(position::key),          "blk.{layer}.attn_qkv"},
    {of_attention(position::value),        "blk.{layer}.attn_qkv"},
    {of_feed(position::gate),              "blk.{layer}.ffn_up"},
    {of_feed(position::up),                "blk.{layer}.ffn_up"},
};
/// The norm before the experts is called by what stands before it.
inline constexpr module_name gguf_gpt_oss_modules[] = {
    {.where = of_attention(position::softmax), .module = "blk.{layer}.attn_sinks", .bias = ".weight"},
    {of_feed(position::norm),              "blk.{layer}.post_attention_norm"},
};

inline constexpr gguf_field gguf_fields[] = {
    {"block_count", "num_hidden_layers", true},
    {"embedding_length", "hidden_size", true},
    {"attention.head_count", "num_attention_heads", true},
    {"attention.head_count_kv", "num_key_value_heads", false},
    {"attention.key_length", "head_dim", false},
    {"context_length", "max_position_embeddings", false},
};
inline constexpr gguf_field dense_fields[] = {{"feed_forward_length", "intermediate_size", true}};
inline constexpr gguf_field windowed_fields[] = {
    {"feed_forward_length", "intermediate_size", true},
    {"attention.sliding_window", "sliding_window", false},
};
inline constexpr gguf_field mixtral_fields[] = {
    {"feed_forward_length", "intermediate_size", true},
    {"expert_count", "num_local_experts", true},
    {"expert_used_count", "num_experts_per_tok", true},
};
inline constexpr gguf_field qwen_moe_fields[] = {
    {"feed_forward_length", "intermediate_size", true},
    {"expert_count", "num_experts", true},
    {"expert_used_count", "num_experts_per_tok", true},
    {"expert_feed_forward_length", "moe_intermediate_size", true},
    {"expert_shared_feed_forward_length", "shared_expert_intermediate_size", false},
};
inline constexpr gguf_field gpt_oss_fields[] = {
    {"expert_feed_forward_length", "intermediate_size", true},
    {"expert_count", "num_local_experts", true},
    {"expert_used_count", "num_experts_per_tok", true},
    {"attention.sliding_window", "sliding_window", true},
};

inline constexpr gguf_architecture gguf_architectures[] = {
    {.name = "llama", .model_type = "mixtral", .class_name = "MixtralForCausalLM", .fields = mixtral_fields, .experts = true},
    {.name = "llama", .model_type = "llama", .class_name = "LlamaForCausalLM", .fields = dense_fields},
    {.name = "granite", .model_type = "granite", .class_name = "GraniteForCausalLM", .fields = dense_fields},
    {.name = "qwen2", .model_type = "qwen2", .class_name = "Qwen2ForCausalLM", .fields = dense_fields},
    {.name = "qwen2moe", .model_type = "qwen2_moe", .class_name = "Qwen2MoeForCausalLM", .fields = qwen_moe_fields},
    {.name = "qwen3", .model_type = "qwen3", .class_name = "Qwen3ForCausalLM", .fields = dense_fields},
    {.name = "qwen3moe", .model_type = "qwen3_moe", .class_name = "Qwen3MoeForCausalLM", .fields = qwen_moe_fields},
    {.name = "gemma", .model_type = "gemma", .class_name = "GemmaForCausalLM", .fields = dense_fields},
    {.name = "gemma2", .model_type = "gemma2", .class_name = "Gemma2ForCausalLM", .fields = windowed_fields},
    {.name = "gemma3", .model_type = "gemma3_text", .class_name = "Gemma3ForCausalLM", .fields = windowed_fields},
    {.name = "phi3", .model_type = "phi3", .class_name = "Phi3ForCausalLM", .fields = windowed_fields, .modules = gguf_phi3_modules},
    {.name = "gpt-oss", .model_type = "gpt_oss", .class_name = "GptOssForCausalLM", .fields = gpt_oss_fields, .modules = gguf_gpt_oss_modules},
};
// clang-format on
}  // namespace detail

/// Null for an architecture that is not read.
constexpr const gguf_architecture* find_gguf_architecture(std::string_view name, bool has_experts) {
  for (const gguf_architecture& one : detail::gguf_architectures)
    if (one.name == name && (has_experts || !one.experts)) return &one;
  return nullptr;
}

/// The names of its tensors. Tables of rotary frequencies are computed.
constexpr checkpoint_names names_of(const gguf_architecture& known) {
  return {.model_type = known.model_type,
          .own = known.modules,
          .common = detail::gguf_modules,
          .prefix = {},
          .buffers = {"rope_freqs.weight", "rope_factors_long.weight", "rope_factors_short.weight"}};
}

/// The architecture of a file. Throws `unreadable` for one that is not read.
inline const gguf_architecture& architecture_of(const gguf_file& file) {
  const metadata_value* said = file.find("general.architecture");
  if (said == nullptr || said->is != metadata_value::kind::text)
    detail::refuse(file.name + ": general.architecture is missing");
  const metadata_value* experts = file.find(said->text + ".expert_count");
  const gguf_architecture* known = find_gguf_architecture(said->text, experts != nullptr && experts->integer > 0);
  if (known == nullptr)
    detail::refuse(file.name + ": general.architecture is " + detail::in_quotes(said->text) +
                   ", which this library does not know and will not guess");
  return *known;
}

}  // namespace flopledger::weights
