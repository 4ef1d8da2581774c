// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Llama-4.

#include <flopledger/models/hugging_face/tower.hpp>

namespace flopledger::hugging_face {

/// Llama-4's sparse layers one by one.
constexpr layer_set read_moe_layers(const config_fields& in, std::int64_t layers) {
  layer_set sparse;
  in.each(field::moe_layers, [&](const json::value& v, std::int64_t) {
    const json::exact_integer layer = json::as_integer(v);
    if (!layer.ok || layer.value < 0 || layer.value >= layers)
      in.fail(config_problem::out_of_range, field::moe_layers, v.text);
    else
      sparse.insert(layer.value);
  });
  return sparse;
}

/// Llama-4's no_rope_layers: 1 or true a layer that turns its queries and sees its chunk alone, 0 one that sees
/// everything. An empty list means the default.
constexpr bool read_chunked_layers(const config_fields& in, block_shape& s) {
  layer_set chunked;
  const std::int64_t named = in.each(field::no_rope_layers, [&](const json::value& v, std::int64_t i) {
    const bool number = v.type == json::kind::integer || v.type == json::kind::real;
    if (!number && v.type != json::kind::boolean) in.fail(config_problem::wrong_type, field::no_rope_layers, v.text);
    if ((number ? v.real != 0 : v.truth) && i < layer_set::capacity) chunked.insert(i);
  });
  if (named == 0) return false;
  if (named != s.layers) in.contradict(field::no_rope_layers, named, field::num_hidden_layers, s.layers);
  s.windowed = chunked;
  return true;
}

constexpr block_shape llama4_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_shape(in, known);
  read_attention_bias(in, known, s);
  s.intermediate = in.count_or(field::intermediate_size_mlp, known.intermediate);
  s.experts = in.count_or(field::num_local_experts, 16);
  s.experts_per_token = in.count_or(field::num_experts_per_tok, 1);
  s.expert_intermediate = s.shared_intermediate = in.count_or(field::intermediate_size, 8192);
  const std::int64_t step = in.count_or(field::interleave_moe_layer_step, 1);
  s.sparse = layer_set::every(step, step - 1, s.layers);
  if (in.has(field::moe_layers)) s.sparse = read_moe_layers(in, s.layers);
  if (in.flag_or(field::use_qk_norm, true)) s.query_key_norm = qk_norm::weightless;
  // Every fourth layer has no rotary positions and sees everything; the others see their own chunk.
  s.span = attention_span::chunked;
  s.window = in.has_null(field::attention_chunk_size) ? 0 : in.count_or(field::attention_chunk_size, 8192);
  if (!read_layer_types(in, s) && !read_chunked_layers(in, s))
    s.windowed = all_layers(s) - every_last_of(in.count_or(field::no_rope_layer_interval, 4), s.layers);
  return s;
}

constexpr transformer_config read_llama4(const model_file& file) {
  transformer_config made = read_wrapped(file, file.model_type == "llama4");
  if (!has_tower(file.in)) return made;
  const config_fields vision = file.in.in(config_scope::vision);
  // Defaults of Llama4VisionConfig.
  made.vision =
      read_tower(vision, {.hidden = 768, .intermediate = 5632, .layers = 34, .heads = 16, .image = 448, .patch = 14},
                 true, activation_function::gelu);
  made.vision.patches.bias = false;
  made.vision.pre_norm = true;
  const double ratio = vision.share_or(field::pixel_shuffle_ratio, 0.5, 1.0 / 64);
  const double shuffled = static_cast<double>(made.vision.stack.hidden) / (ratio * ratio);
  made.vision.adapter_in = static_cast<std::int64_t>(shuffled);
  made.vision.adapter_hidden = vision.count_or(field::projector_input_dim, 4096);
  made.vision.adapter_out = vision.count_or(field::projector_output_dim, 4096);
  made.vision.projector = made.stack.hidden;
  made.vision.tokens_per_image =
      static_cast<std::int64_t>(static_cast<double>(made.vision.patches.patches()) * ratio * ratio);
  return made;
}

inline constexpr architecture llama4{.model_type = "llama4",
                                     .class_prefix = "Llama4",
                                     .shape = llama4_shape,
                                     .read = read_llama4,
                                     .sees = true,
                                     .kv_heads = 8,
                                     .head_dim = 128,
                                     .vocabulary = 202048,
                                     .hidden = 5120,
                                     .layers = 48,
                                     .heads = 40,
                                     .intermediate = 16384};

inline constexpr architecture llama4_family[] = {
    llama4,
    also_named("llama4_text", llama4),
};

}  // namespace flopledger::hugging_face
