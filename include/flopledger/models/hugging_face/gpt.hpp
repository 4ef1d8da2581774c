// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// GPT-2 and its descendants GPT-J, GPT-BigCode, GPT-Neo and GPT-NeoX.

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

/// What GPT-2, GPT-J and GPT-BigCode share: n_embd, n_layer, n_head.
constexpr block_shape read_gpt2_shape(const config_fields& in, const architecture& known) {
  block_shape s;
  make_classic(s);
  s.layers = in.layers(field::n_layer, field::num_hidden_layers);
  s.hidden = in.count_of(field::n_embd, field::hidden_size);
  s.heads = in.count_of(field::n_head, field::num_attention_heads);
  s.vocabulary = in.count(field::vocab_size);
  s.head_dim = in.count_or(field::head_dim, 0);  // only GPT-3's paper needs it: 40 heads of 128 on 5140
  s.intermediate = in.count_or(field::n_inner, 4 * s.hidden);
  s.activation = activation_named(in, field::activation_function, activation_function::gelu_tanh);
  s.tied = in.flag_or(field::tie_word_embeddings, known.tied);
  s.context = in.count_or(in.which(field::n_positions, field::n_ctx, field::max_position_embeddings), 1024);
  s.dropout = in.share_or(field::resid_pdrop, known.dropout) > 0;
  return s;
}

constexpr transformer_config finish_gpt2(const config_fields& in, const block_shape& s, std::string_view class_name) {
  check_shape(in, s, in.which(field::n_head, field::num_attention_heads), field::multi_query,
              in.which(field::n_embd, field::hidden_size));
  return make_decoder(class_name, s);
}

constexpr transformer_config read_gpt2(const model_file& file) {
  block_shape s = read_gpt2_shape(file.in, file.known);
  s.positions = s.context;
  return finish_gpt2(file.in, s, file.class_name);
}

constexpr transformer_config read_gpt_bigcode(const model_file& file) {
  block_shape s = read_gpt2_shape(file.in, file.known);
  s.positions = s.context;
  if (file.in.flag_or(field::multi_query, true)) s.kv_heads = 1;
  return finish_gpt2(file.in, s, file.class_name);
}

/// GPT-J: rotary positions, one norm for both sublayers.
constexpr transformer_config read_gptj(const model_file& file) {
  block_shape s = read_gpt2_shape(file.in, file.known);
  s.parallel = true;
  s.placement = norms::shared;
  s.head_bias = true;
  set_attention_biases(s, false, false);
  s.rotary_fraction = read_rotary_dim(file.in, s.heads > 0 ? s.hidden / s.heads : 0, 64);
  return finish_gpt2(file.in, s, file.class_name);
}

/// attention_types: [[["global", "local"], 12]] repeats the inner list; what stands for "local" looks at a window.
/// Nothing named means every second layer.
constexpr void read_attention_types(const config_fields& in, block_shape& s) {
  std::int64_t layer = 0;
  in.each(field::attention_types, [&](const json::value& group, std::int64_t) {
    json::value kinds{};
    std::int64_t repeat = 0, part = 0;
    json::for_each_element(group, [&](const json::value& v) {
      if (part++ == 0)
        kinds = v;
      else
        repeat = json::as_integer(v).value;
    });
    if (part != 2 || repeat < 1 || kinds.type != json::kind::array) {
      in.fail(config_problem::out_of_range, field::attention_types, group.text);
      return;
    }
    for (std::int64_t i = 0; i < repeat && layer <= s.layers; ++i) {
      const std::int64_t before = layer;
      json::for_each_element(kinds, [&](const json::value& v) {
        if (v.text == "local") {
          if (layer < layer_set::capacity) s.windowed.insert(layer);
        } else if (!(v.text == "global")) {
          in.fail(config_problem::unknown, field::attention_types, v.text);
        }
        ++layer;
      });
      if (layer == before) break;  // nothing is repeated
    }
  });
  if (layer != 0 && layer != s.layers)
    in.contradict(field::attention_types, layer, in.which(field::num_layers, field::num_hidden_layers), s.layers);
  if (layer == 0) s.windowed = layer_set::every(2, 1, s.layers);
}

constexpr transformer_config read_gpt_neo(const model_file& file) {
  const config_fields& in = file.in;
  block_shape s;
  make_classic(s);
  s.layers = in.layers(field::num_layers, field::num_hidden_layers);
  s.hidden = in.count(field::hidden_size);
  s.heads = in.count_of(field::num_heads, field::num_attention_heads);
  s.vocabulary = in.count(field::vocab_size);
  s.intermediate = in.count_or(field::intermediate_size, 4 * s.hidden);
  s.activation = activation_named(in, field::activation_function, activation_function::gelu_tanh);
  s.tied = in.flag_or(field::tie_word_embeddings, file.known.tied);
  s.positions = s.context = in.count_or(field::max_position_embeddings, 2048);
  set_attention_biases(s, false, true);
  s.window = in.count_or(field::window_size, 256);
  read_attention_types(in, s);
  check_shape(in, s, in.which(field::num_heads, field::num_attention_heads));
  return make_decoder(file.class_name, s);
}

constexpr transformer_config read_gpt_neox(const model_file& file) {
  const config_fields& in = file.in;
  block_shape s = read_shape(in, file.known);
  make_classic(s);
  s.intermediate = in.count(field::intermediate_size);
  s.activation = activation_named(in, field::hidden_act, activation_function::gelu);
  s.rotary_fraction = in.share_or(field::rotary_pct, 0.25);
  s.parallel = in.flag_or(field::use_parallel_residual, true);
  const bool biased = in.flag_or(field::attention_bias, true);
  set_attention_biases(s, biased, biased);
  return finish(in, s, file.class_name);
}

inline constexpr architecture gpt_family[] = {
    {.model_type = "gpt2", .class_prefix = "GPT2", .read = read_gpt2, .tied = true, .dropout = 0.1},
    {.model_type = "gptj", .class_prefix = "GPTJ", .read = read_gptj},
    {.model_type = "gpt_bigcode", .class_prefix = "GPTBigCode", .read = read_gpt_bigcode, .tied = true, .dropout = 0.1},
    {.model_type = "gpt_neo", .class_prefix = "GPTNeo", .read = read_gpt_neo, .tied = true},
    {.model_type = "gpt_neox", .class_prefix = "GPTNeoX", .read = read_gpt_neox, .gated = false},
};

}  // namespace flopledger::hugging_face
