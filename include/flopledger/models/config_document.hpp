// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The fields of a Hugging Face config.json that this library reads, and the document as it was read.

#include <flopledger/text/json.hpp>

#include <cstdint>
#include <string_view>

namespace flopledger {

/// A field, by the name it has in the file. An enumerator and not a string, because a compiler prints it where a
/// message has to name the field.
enum class config_field : std::uint8_t {
  none,
  _remove_final_layer_norm,
  activation_function,
  add_bias_linear,
  add_cross_attention,
  add_qkv_bias,
  alibi,
  architectures,
  attention_bias,
  attention_chunk_size,
  attention_dropout,
  attention_probs_dropout_prob,
  attention_types,
  attn_config,
  attn_layer_offset,
  attn_layer_period,
  attn_pdrop,
  attn_type,
  attn_type_list,
  bias,
  bits_,  // `bits` is a quantity of this namespace
  compression_config,
  conv_kernel,
  d_ff,
  d_kv,
  d_model,
  decoder_attention_heads,
  decoder_ffn_dim,
  decoder_layers,
  decoder_sparse_step,
  desc_act,
  dim,
  do_layer_norm_before,
  dropout,
  dropout_rate,
  dtype,
  dynamic,
  enable_bias,
  encoder_attention_heads,
  encoder_ffn_dim,
  encoder_layers,
  expand,
  expansion_ratio,
  expert_layer_offset,
  expert_layer_period,
  experts_per_token,
  feed_forward_proj,
  ffn_config,
  ffn_dim,
  ffn_hidden_size,
  ffn_type,
  first_k_dense_replace,
  fmt,
  group_size,
  head_dim,
  hidden_act,
  hidden_activation,
  hidden_dim,
  hidden_dropout,
  hidden_dropout_prob,
  hidden_size,
  id2label,
  ignored_layers,
  image_size,
  interleave_moe_layer_step,
  intermediate_size,
  intermediate_size_mlp,
  is_decoder,
  kv_channels,
  kv_lora_rank,
  kv_n_heads,
  layer_norm_elementwise_affine,
  layer_types,
  learned_pos_emb,
  lm_head,
  lm_head_bias,
  mamba_conv_bias,
  mamba_d_conv,
  mamba_d_state,
  mamba_dt_rank,
  mamba_expand,
  mamba_proj_bias,
  max_position_embeddings,
  max_seq_len,
  max_sequence_length,
  max_source_positions,
  max_target_positions,
  max_window_layers,
  mlp_bias,
  mlp_only_layers,
  mm_tokens_per_image,
  model_max_length,
  model_type,
  modules_in_block_to_quantize,
  modules_to_not_convert,
  moe_intermediate_size,
  moe_k,
  moe_layer_end_index,
  moe_layer_freq,
  moe_layer_interval,
  moe_layer_start_index,
  moe_layers,
  moe_num_experts,
  moe_num_shared_experts,
  moe_top_k,
  multi_query,
  multi_query_attention,
  multi_query_group_num,
  n_ctx,
  n_embd,
  n_embed,
  n_head,
  n_head_kv,
  n_heads,
  n_inner,
  n_layer,
  n_layers,
  n_positions,
  n_routed_experts,
  n_shared_experts,
  new_decoder_architecture,
  no_bias,
  no_rope_layer_interval,
  no_rope_layers,
  num_attention_heads,
  num_channels,
  num_decoder_layers,
  num_experts,
  num_experts_per_tok,
  num_heads,
  num_hidden_layers,
  num_key_value_heads,
  num_kv_heads,
  num_labels,
  num_layers,
  num_ln_in_parallel_attn,
  num_local_experts,
  num_mel_bins,
  num_shared_experts,
  padded_vocab_size,
  parallel_attn,
  partial_rotary_factor,
  patch_size,
  pixel_shuffle_ratio,
  position_embedding_type,
  projection_dim,
  projector_input_dim,
  projector_output_dim,
  q_lora_rank,
  qk_layernorm,
  qk_ln,
  qk_nope_head_dim,
  qk_norm,
  qk_rope_head_dim,
  qkv_bias,
  quant_method,
  quantization_config,
  relative_attention_num_buckets,
  resid_pdrop,
  rotary_dim,
  rotary_pct,
  seq_length,
  shared_expert_intermediate_size,
  shared_intermediate_size,
  sliding_window,
  sliding_window_pattern,
  state_size,
  sym,
  text_config,
  tie_word_embeddings,
  time_step_rank,
  topk_method,
  torch_dtype,
  type_vocab_size,
  use_bias,
  use_conv_bias,
  use_parallel_residual,
  use_qk_norm,
  use_qkv_bias,
  use_routing_bias,
  use_sliding_window,
  v_head_dim,
  vision_config,
  vision_output_dim,
  vision_use_head,
  vocab_size,
  weight_block_size,
  window_size,
  word_embed_proj_dim,
  zero_point,
};

namespace detail {
// In the order of the enumerators, which is the alphabet's: a key is found by halving.
inline constexpr std::string_view config_field_names[] = {
    "",
    "_remove_final_layer_norm",
    "activation_function",
    "add_bias_linear",
    "add_cross_attention",
    "add_qkv_bias",
    "alibi",
    "architectures",
    "attention_bias",
    "attention_chunk_size",
    "attention_dropout",
    "attention_probs_dropout_prob",
    "attention_types",
    "attn_config",
    "attn_layer_offset",
    "attn_layer_period",
    "attn_pdrop",
    "attn_type",
    "attn_type_list",
    "bias",
    "bits",
    "compression_config",
    "conv_kernel",
    "d_ff",
    "d_kv",
    "d_model",
    "decoder_attention_heads",
    "decoder_ffn_dim",
    "decoder_layers",
    "decoder_sparse_step",
    "desc_act",
    "dim",
    "do_layer_norm_before",
    "dropout",
    "dropout_rate",
    "dtype",
    "dynamic",
    "enable_bias",
    "encoder_attention_heads",
    "encoder_ffn_dim",
    "encoder_layers",
    "expand",
    "expansion_ratio",
    "expert_layer_offset",
    "expert_layer_period",
    "experts_per_token",
    "feed_forward_proj",
    "ffn_config",
    "ffn_dim",
    "ffn_hidden_size",
    "ffn_type",
    "first_k_dense_replace",
    "fmt",
    "group_size",
    "head_dim",
    "hidden_act",
    "hidden_activation",
    "hidden_dim",
    "hidden_dropout",
    "hidden_dropout_prob",
    "hidden_size",
    "id2label",
    "ignored_layers",
    "image_size",
    "interleave_moe_layer_step",
    "intermediate_size",
    "intermediate_size_mlp",
    "is_decoder",
    "kv_channels",
    "kv_lora_rank",
    "kv_n_heads",
    "layer_norm_elementwise_affine",
    "layer_types",
    "learned_pos_emb",
    "lm_head",
    "lm_head_bias",
    "mamba_conv_bias",
    "mamba_d_conv",
    "mamba_d_state",
    "mamba_dt_rank",
    "mamba_expand",
    "mamba_proj_bias",
    "max_position_embeddings",
    "max_seq_len",
    "max_sequence_length",
    "max_source_positions",
    "max_target_positions",
    "max_window_layers",
    "mlp_bias",
    "mlp_only_layers",
    "mm_tokens_per_image",
    "model_max_length",
    "model_type",
    "modules_in_block_to_quantize",
    "modules_to_not_convert",
    "moe_intermediate_size",
    "moe_k",
    "moe_layer_end_index",
    "moe_layer_freq",
    "moe_layer_interval",
    "moe_layer_start_index",
    "moe_layers",
    "moe_num_experts",
    "moe_num_shared_experts",
    "moe_top_k",
    "multi_query",
    "multi_query_attention",
    "multi_query_group_num",
    "n_ctx",
    "n_embd",
    "n_embed",
    "n_head",
    "n_head_kv",
    "n_heads",
    "n_inner",
    "n_layer",
    "n_layers",
    "n_positions",
    "n_routed_experts",
    "n_shared_experts",
    "new_decoder_architecture",
    "no_bias",
    "no_rope_layer_interval",
    "no_rope_layers",
    "num_attention_heads",
    "num_channels",
    "num_decoder_layers",
    "num_experts",
    "num_experts_per_tok",
    "num_heads",
    "num_hidden_layers",
    "num_key_value_heads",
    "num_kv_heads",
    "num_labels",
    "num_layers",
    "num_ln_in_parallel_attn",
    "num_local_experts",
    "num_mel_bins",
    "num_shared_experts",
    "padded_vocab_size",
    "parallel_attn",
    "partial_rotary_factor",
    "patch_size",
    "pixel_shuffle_ratio",
    "position_embedding_type",
    "projection_dim",
    "projector_input_dim",
    "projector_output_dim",
    "q_lora_rank",
    "qk_layernorm",
    "qk_ln",
    "qk_nope_head_dim",
    "qk_norm",
    "qk_rope_head_dim",
    "qkv_bias",
    "quant_method",
    "quantization_config",
    "relative_attention_num_buckets",
    "resid_pdrop",
    "rotary_dim",
    "rotary_pct",
    "seq_length",
    "shared_expert_intermediate_size",
    "shared_intermediate_size",
    "sliding_window",
    "sliding_window_pattern",
    "state_size",
    "sym",
    "text_config",
    "tie_word_embeddings",
    "time_step_rank",
    "topk_method",
    "torch_dtype",
    "type_vocab_size",
    "use_bias",
    "use_conv_bias",
    "use_parallel_residual",
    "use_qk_norm",
    "use_qkv_bias",
    "use_routing_bias",
    "use_sliding_window",
    "v_head_dim",
    "vision_config",
    "vision_output_dim",
    "vision_use_head",
    "vocab_size",
    "weight_block_size",
    "window_size",
    "word_embed_proj_dim",
    "zero_point",
};
inline constexpr int config_field_count = static_cast<int>(sizeof(config_field_names) / sizeof(std::string_view));

/// The field of that name, or `none`.
constexpr config_field field_named(json::slice key) {
  if (key.escaped) {
    for (int i = 1; i < config_field_count; ++i)
      if (key == config_field_names[i]) return static_cast<config_field>(i);
    return config_field::none;
  }
  int low = 1, high = config_field_count;
  while (low < high) {
    const int middle = (low + high) / 2;
    const int order = key.raw.compare(config_field_names[middle]);
    if (order == 0) return static_cast<config_field>(middle);
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return config_field::none;
}
}  // namespace detail

constexpr std::string_view name_of(config_field field) {
  return detail::config_field_names[static_cast<std::size_t>(field)];
}

/// What can be wrong with a configuration that is JSON, beside the JSON.
enum class config_problem : std::uint8_t {
  none,
  not_json,
  missing,        ///< the field is not there and has no default
  wrong_type,     ///< a string where a number belongs, and the like
  out_of_range,   ///< zero, negative, fractional or absurd
  contradictory,  ///< two fields cannot both be true
  duplicate,      ///< the field stands twice
  unknown,        ///< an architecture or a method that this library does not know: it does not guess
  too_large,      ///< more of something than this library counts
  impossible      ///< fields that go together one by one, and make no model (`problem_of`): `text` names the size
};

constexpr std::string_view describe(config_problem problem) {
  switch (problem) {
    case config_problem::none:
      return "no problem";
    case config_problem::not_json:
      return "not JSON";
    case config_problem::missing:
      return "is missing";
    case config_problem::wrong_type:
      return "has the wrong type";
    case config_problem::out_of_range:
      return "is out of range";
    case config_problem::contradictory:
      return "contradicts another field";
    case config_problem::duplicate:
      return "stands twice";
    case config_problem::unknown:
      return "is not known";
    case config_problem::too_large:
      return "is too large";
    case config_problem::impossible:
      return "no model can be made of these fields";
  }
  return "unknown problem";
}

/// The objects of a config.json that hold fields of their own.
enum class config_scope : std::uint8_t { top, text, vision, quantization, attention, feed_forward };

/// What went wrong first. `other` is the field that it contradicts; the numbers are what both said.
struct config_error_place {
  config_problem problem = config_problem::none;
  config_field field = config_field::none;
  std::uint32_t line = 0;
  json::problem json = json::problem::none;
  config_field other = config_field::none;
  std::int64_t value = 0, other_value = 0;
  std::string_view text{};
  bool is_string = false;  ///< `text` stood in quotes
};

namespace detail {
/// The known fields of a document, wherever in it they stand. Unknown ones are validated and forgotten.
struct config_document {
  static constexpr int scopes = 6, capacity = 160;
  static constexpr std::uint8_t null_place = 255;
  std::uint8_t index[scopes][config_field_count]{};  // into `values`; 0: absent, null_place: there, and null
  json::value values[capacity]{};
  int size = 1;
  bool present[scopes]{};
  config_error_place error{};

  constexpr void fail(config_problem problem, config_field field, std::uint32_t line) {
    if (error.problem == config_problem::none) error = {.problem = problem, .field = field, .line = line};
  }

  static constexpr config_scope scope_of(config_field field) {
    switch (field) {
      case config_field::text_config:
        return config_scope::text;
      case config_field::vision_config:
        return config_scope::vision;
      case config_field::quantization_config:
        return config_scope::quantization;
      case config_field::attn_config:
        return config_scope::attention;
      case config_field::ffn_config:
        return config_scope::feed_forward;
      default:
        return config_scope::top;
    }
  }

  constexpr bool store(config_scope scope, json::slice key, const json::value& value) {
    const config_field field = field_named(key);
    if (field == config_field::none) return true;
    std::uint8_t& place = index[static_cast<int>(scope)][static_cast<int>(field)];
    if (place != 0) {
      fail(config_problem::duplicate, field, value.line);
      return false;
    }
    if (value.type == json::kind::null) {
      place = null_place;
      return true;
    }
    if (size == capacity) {
      fail(config_problem::too_large, field, value.line);
      return false;
    }
    place = static_cast<std::uint8_t>(size);
    values[size++] = value;
    const config_scope inner = scope_of(field);
    // A wrapped language model may say inside its text_config how it is quantised.
    const bool nested = scope == config_scope::text && inner == config_scope::quantization;
    if ((scope != config_scope::top && !nested) || inner == config_scope::top) return true;
    if (value.type != json::kind::object) {
      fail(config_problem::wrong_type, field, value.line);
      error.text = value.text.raw;
      return false;
    }
    present[static_cast<int>(inner)] = true;
    json::for_each_member(value, [&](json::slice k, const json::value& v) { return store(inner, k, v); });
    return error.problem == config_problem::none;
  }

  constexpr void read(std::string_view text) {
    present[0] = true;
    const json::outcome outcome = json::for_each_member(
        text, [&](json::slice k, const json::value& v) { return store(config_scope::top, k, v); });
    if (!outcome.ok()) error = {.problem = config_problem::not_json, .line = outcome.line, .json = outcome.what};
  }
};
}  // namespace detail

}  // namespace flopledger
