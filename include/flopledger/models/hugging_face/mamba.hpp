// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Mamba, Falcon-Mamba, and Jamba, which mixes Mamba with attention.

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

/// The rank of the step's projection: a number, or "auto" for a sixteenth of the width.
constexpr std::int64_t read_step_rank(const config_fields& in, field f, std::int64_t hidden) {
  const json::value* rank = in.find(f);
  const std::int64_t automatic = (hidden + 15) / 16;
  return rank != nullptr && rank->type == json::kind::string ? automatic : in.count_or(f, automatic);
}

constexpr transformer_config read_mamba(const model_file& file) {
  const config_fields& in = file.in;
  block_shape s;
  s.layers = in.layers(field::num_hidden_layers, field::n_layer);
  s.hidden = in.count_of(field::hidden_size, field::d_model);
  s.vocabulary = in.count(field::vocab_size);
  s.tied = in.flag_or(field::tie_word_embeddings, file.known.tied);
  check_shape(in, s);
  transformer_config made = make_decoder(file.class_name, s);
  const std::int64_t inner = in.count_or(field::expand, 2) * s.hidden;
  if (in.has(field::intermediate_size) && in.count(field::intermediate_size) != inner)
    in.contradict(field::intermediate_size, in.count(field::intermediate_size), field::expand,
                  in.count_or(field::expand, 2));
  made.stack.recurrence = recurrent_kind::mamba;
  made.stack.recurrent = layer_set::range(0, s.layers);
  made.stack.has_feed_forward = false;
  made.stack.mamba = {.hidden = s.hidden,
                      .inner = inner,
                      .state = in.count_or(field::state_size, 16),
                      .kernel = in.count_or(field::conv_kernel, 4),
                      .step_rank = read_step_rank(in, field::time_step_rank, s.hidden),
                      .projection_bias = in.flag_or(field::use_bias, false),
                      .convolution_bias = in.flag_or(field::use_conv_bias, true)};
  return made;
}

constexpr transformer_config read_jamba(const model_file& file) {
  const config_fields& in = file.in;
  block_shape s = read_shape(in, file.known);
  s.rotary_fraction = 0;
  s.intermediate = s.expert_intermediate = in.count(field::intermediate_size);
  s.experts = in.count_or(field::num_experts, 16);
  s.experts_per_token = in.count_or(field::num_experts_per_tok, 2);
  if (s.experts > 1)
    s.sparse = layer_set::every(in.count_or(field::expert_layer_period, 2),
                                in.count_or(field::expert_layer_offset, 1, 0), s.layers);
  transformer_config made = finish(in, s, file.class_name);
  const std::int64_t period = in.count_or(field::attn_layer_period, 8),
                     offset = in.count_or(field::attn_layer_offset, 4, 0);
  if (offset >= period) in.contradict(field::attn_layer_offset, offset, field::attn_layer_period, period);
  const std::int64_t sparse_period = in.count_or(field::expert_layer_period, 2);
  if (const std::int64_t first = in.count_or(field::expert_layer_offset, 1, 0); first >= sparse_period)
    in.contradict(field::expert_layer_offset, first, field::expert_layer_period, sparse_period);
  const layer_set attending = layer_set::every(period, offset, s.layers);
  made.stack.recurrence = recurrent_kind::mamba;
  made.stack.recurrent = layer_set::range(0, s.layers) - attending;
  made.stack.mamba = {.hidden = s.hidden,
                      .inner = in.count_or(field::mamba_expand, 2) * s.hidden,
                      .state = in.count_or(field::mamba_d_state, 16),
                      .kernel = in.count_or(field::mamba_d_conv, 4),
                      .step_rank = read_step_rank(in, field::mamba_dt_rank, s.hidden),
                      .projection_bias = in.flag_or(field::mamba_proj_bias, false),
                      .convolution_bias = in.flag_or(field::mamba_conv_bias, true),
                      .inner_norms = true};
  return made;
}

inline constexpr architecture mamba_family[] = {
    {.model_type = "mamba", .class_prefix = "Mamba", .read = read_mamba, .tied = true},
    {.model_type = "falcon_mamba", .class_prefix = "FalconMamba", .read = read_mamba, .tied = true},
    {.model_type = "jamba", .class_prefix = "Jamba", .read = read_jamba, .kv_heads = 8},
};

}  // namespace flopledger::hugging_face
