// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// gpt-oss.

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

constexpr block_shape gpt_oss_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_shape(in, known);
  read_attention_bias(in, known, s);
  s.experts = in.count_of(field::num_local_experts, field::num_experts);
  s.experts_per_token = in.count_of(field::num_experts_per_tok, field::experts_per_token);
  s.expert_intermediate = s.intermediate = in.count(field::intermediate_size);
  s.expert_bias = s.router_bias = true;
  s.sinks = true;
  s.sparse = all_layers(s);
  if (!read_layer_types(in, s)) s.windowed = layer_set::every(2, 0, s.layers);
  return s;
}

inline constexpr architecture gpt_oss_family[] = {
    {.model_type = "gpt_oss",
     .class_prefix = "GptOss",
     .shape = gpt_oss_shape,
     .kv_heads = 8,
     .head_dim = 64,
     .window = 128,
     .attention_bias = true},
};

}  // namespace flopledger::hugging_face
