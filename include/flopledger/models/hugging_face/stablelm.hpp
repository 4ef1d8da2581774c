// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// StableLM.

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

constexpr block_shape stablelm_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_dense_shape(in, known);
  s.norm = layer_norm;
  set_attention_biases(s, in.flag_or(field::use_qkv_bias, false), false);
  if (in.flag_or(field::use_parallel_residual, false)) {
    s.parallel = true;
    s.placement = norms::shared;
  }
  if (in.flag_or(field::qk_layernorm, false)) {
    s.query_key_norm = qk_norm::every_head;
    s.query_key_norm_kind = norm_kind::layer;
  }
  return s;
}

inline constexpr architecture stablelm_family[] = {
    {.model_type = "stablelm",
     .class_prefix = "StableLm",
     .shape = stablelm_shape,
     .kv_heads = 32,
     .rotary_fraction = 0.25},
    {.model_type = "stablelm_epoch", .class_prefix = "StableLMEpoch", .shape = stablelm_shape, .rotary_fraction = 0.25},
};

}  // namespace flopledger::hugging_face
