// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Xiaomi's MiMo: 7B, which is Qwen2 with modules that predict further tokens, and the mixtures V2.

#include <flopledger/models/hugging_face/qwen.hpp>

namespace flopledger::hugging_face {

/// A mixture without shared experts. Most layers see a window only, and have another number of key and value heads and
/// a sink for each head; values are narrower than keys (modeling_mimo_v2_flash.py of XiaomiMiMo/MiMo-V2-Flash).
constexpr block_shape mimo_v2_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_dense_shape(in, known);
  set_attention_biases(s, in.flag_or(field::attention_bias, false), false);
  s.value_dim = in.count_or(field::v_head_dim, 128);
  s.sinks = in.flag_or(field::add_full_attention_sink_bias, false);
  read_routed_experts(in, known, s,
                      in.has(field::moe_layer_freq) && !in.has(field::mlp_layer_types)
                          ? read_marked_layers(in, field::moe_layer_freq, s.layers)
                          : layer_set::range(1, s.layers));
  read_sparse_layers(in, s);
  s.correction_bias = true;
  s.window = in.count_or(in.which(field::sliding_window, field::sliding_window_size), known.window);
  if (in.has(field::hybrid_layer_pattern))
    s.windowed = read_marked_layers(in, field::hybrid_layer_pattern, s.layers);
  else if (!read_layer_types(in, s))
    s.windowed = layer_set::range(1, s.layers) - every_last_of(6, s.layers);
  return s;
}

constexpr transformer_config read_mimo_v2(const model_file& file) {
  transformer_config made = read_wrapped(file);
  const config_fields wrapped = file.in.in(config_scope::text);
  const config_fields& in = wrapped.present() ? wrapped : file.in;
  attention& other = made.stack.windowed_attention = made.stack.attention;
  const double turned = other.rotary_dims / static_cast<double>(other.head_dim > 0 ? other.head_dim : 1);
  other.heads = in.count_or(field::swa_num_attention_heads, other.heads);
  other.kv_heads = in.count_or(field::swa_num_key_value_heads, 8);
  other.head_dim = in.count_or(field::swa_head_dim, other.head_dim);
  other.value_dim = in.count_or(field::swa_v_head_dim, other.value_dim);
  other.rotary_dims = turned * static_cast<double>(other.head_dim);
  other.sinks = in.flag_or(field::add_swa_attention_sink_bias, true);
  // Its modules have a dense block with a window, and a file's count of them may be missing (mimo_v2_flash_mtp.py).
  made.prediction = {.as_last = false, .kind = {.windowed = true}};
  return made;
}

inline constexpr architecture mimo_v2{.model_type = "mimo_v2_flash",
                                      .class_prefix = "MiMoV2Flash",
                                      .shape = mimo_v2_shape,
                                      .read = read_mimo_v2,
                                      .kv_heads = 4,
                                      .head_dim = 192,
                                      .window = 128,
                                      .rotary_fraction = 0.334};

inline constexpr architecture mimo_family[] = {
    {.model_type = "mimo", .class_prefix = "MiMo", .shape = qwen2_shape, .kv_heads = 32, .window = 4096},
    mimo_v2,
};

}  // namespace flopledger::hugging_face
