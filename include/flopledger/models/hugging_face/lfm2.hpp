// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// LFM2 and its mixtures: short convolutions, and attention in a few layers.

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

/// `layer_types`, or `full_attn_idxs` of the layers that attend: with neither, all do.
constexpr layer_set read_convolving_layers(const config_fields& in, std::int64_t layers) {
  if (in.has(field::layer_types))
    return read_named_layers(
        in, field::layer_types, layers, [](json::slice name) { return name == "conv"; },
        [](json::slice name) { return name == "full_attention"; });
  if (!in.has(field::full_attn_idxs)) return {};
  layer_set attending;
  in.each(field::full_attn_idxs, [&](const json::value& v, std::int64_t) {
    const json::exact_integer layer = json::as_integer(v);
    if (!layer.ok || layer.value < 0 || layer.value >= layers)
      in.fail(config_problem::out_of_range, field::full_attn_idxs, v.text);
    else
      attending.insert(layer.value);
  });
  return layer_set::range(0, layers) - attending;
}

/// Two thirds of what is written, times a factor, up to a multiple (Lfm2MLP), unless the file says not to.
constexpr std::int64_t read_adjusted_width(const config_fields& in, std::int64_t written) {
  if (!in.flag_or(field::block_auto_adjust_ff_dim, true)) return written;
  const std::int64_t narrowed = 2 * written / 3;
  if (in.has_null(field::block_ffn_dim_multiplier)) return narrowed;
  const json::value* factor = in.find(field::block_ffn_dim_multiplier);
  const double times = factor != nullptr ? factor->real : 1.0;
  if (!(times > 0) || times > 64) in.fail(config_problem::out_of_range, field::block_ffn_dim_multiplier);
  const std::int64_t multiple = in.count_or(field::block_multiple_of, 256);
  const auto wide = static_cast<std::int64_t>((times > 0 && times <= 64 ? times : 1.0) * static_cast<double>(narrowed));
  return (wide + multiple - 1) / multiple * multiple;
}

/// Whichever name ties the head; the older one counts first, as the reference reads them.
constexpr block_shape read_lfm2_block(const config_fields& in, const architecture& known) {
  block_shape s = read_shape(in, known);
  s.tied = in.flag_or(field::tie_embedding, s.tied);
  s.query_key_norm = qk_norm::per_head;
  s.window = 0;
  return s;
}

constexpr transformer_config finish_lfm2(const model_file& file, const block_shape& s) {
  const config_fields& in = file.in;
  transformer_config made = finish(in, s, file.class_name);
  made.stack.recurrence = recurrent_kind::convolution;
  made.stack.recurrent = read_convolving_layers(in, s.layers);
  made.stack.convolution = {
      .hidden = s.hidden, .kernel = in.count_or(field::conv_L_cache, 3), .bias = in.flag_or(field::conv_bias, false)};
  return made;
}

constexpr transformer_config read_lfm2(const model_file& file) {
  const config_fields& in = file.in;
  block_shape s = read_lfm2_block(in, file.known);
  s.intermediate = read_adjusted_width(in, in.count(in.which(field::block_ff_dim, field::intermediate_size)));
  return finish_lfm2(file, s);
}

constexpr transformer_config read_lfm2_moe(const model_file& file) {
  const config_fields& in = file.in;
  block_shape s = read_lfm2_block(in, file.known);
  s.intermediate = in.count(field::intermediate_size);
  s.experts = in.count_or(field::num_experts, 32);
  s.experts_per_token = in.count_or(field::num_experts_per_tok, 4);
  s.expert_intermediate = in.count_or(field::moe_intermediate_size, 1792);
  s.correction_bias = in.flag_or(field::use_expert_bias, true);
  s.sparse = layer_set::range(in.count_or(field::num_dense_layers, 2, 0), s.layers);
  return finish_lfm2(file, s);
}

inline constexpr architecture lfm2_family[] = {
    {.model_type = "lfm2", .class_prefix = "Lfm2", .read = read_lfm2, .tied = true, .kv_heads = 8},
    {.model_type = "lfm2_moe", .class_prefix = "Lfm2Moe", .read = read_lfm2_moe, .tied = true, .kv_heads = 8},
};

}  // namespace flopledger::hugging_face
