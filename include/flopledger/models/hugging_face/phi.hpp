// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Phi-1 to Phi-3, and Phi-3.5-MoE.

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

/// Phi-1 to 2: classic blocks, rotary positions, one norm for both sublayers.
constexpr block_shape phi_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_dense_shape(in, known);
  make_classic(s);
  s.activation = activation_named(in, field::hidden_act, known.activation);
  s.rotary_fraction = in.share_or(field::partial_rotary_factor, known.rotary_fraction);
  s.parallel = true;
  s.placement = norms::shared;
  s.head_bias = true;
  if (in.flag_or(field::qk_layernorm, false)) {
    s.query_key_norm = qk_norm::per_head;
    s.query_key_norm_kind = norm_kind::layer;
    s.query_key_norm_bias = true;
  }
  return s;
}

constexpr block_shape phi3_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_dense_shape(in, known);
  s.windowed = all_layers(s);
  return s;
}

constexpr block_shape phimoe_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_mixture_shape(in, known);
  read_attention_bias(in, known, s);
  s.norm = layer_norm;
  s.head_bias = in.flag_or(field::lm_head_bias, false);
  s.windowed = all_layers(s);
  return s;
}

inline constexpr architecture phi_family[] = {
    {.model_type = "phi",
     .class_prefix = "Phi",
     .shape = phi_shape,
     .gated = false,
     .rotary_fraction = 0.5,
     .activation = activation_function::gelu_tanh},
    {.model_type = "phi3", .class_prefix = "Phi3", .shape = phi3_shape},
    {.model_type = "phimoe", .class_prefix = "PhiMoE", .shape = phimoe_shape, .kv_heads = 8},
    {.model_type = "phimoe", .class_prefix = "Phimoe", .shape = phimoe_shape, .kv_heads = 8},
};

}  // namespace flopledger::hugging_face
