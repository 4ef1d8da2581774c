// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// T5, BART and Whisper: an encoder, and a decoder that attends to it.

#include <flopledger/models/hugging_face/encoder.hpp>

namespace flopledger::hugging_face {

constexpr void attend_to_encoder(stack& decoder) {
  decoder.cross_attention = true;
  decoder.cross = decoder.attention;
  decoder.cross.source_hidden = decoder.hidden;
}

constexpr output_head read_decoder_head(const model_file& file, std::int64_t vocabulary) {
  if (file.head == head_class::conditional_generation)
    return {.outputs = vocabulary, .tied = file.in.flag_or(field::tie_word_embeddings, file.known.tied)};
  if (file.head != head_class::model) file.in.fail(config_problem::unknown, field::architectures);
  return {};
}

/// feed_forward_proj: an activation, behind "gated-" where a second matrix gates it.
constexpr void read_t5_feed_forward(const config_fields& in, const architecture& known, block_shape& s) {
  const json::slice kind = in.text(field::feed_forward_proj);
  s.gated = known.gated;
  s.activation = s.gated ? activation_function::gelu_tanh : activation_function::relu;
  if (kind.raw.empty()) return;
  s.gated = kind == "gated-gelu" || kind == "gated-silu" || kind == "gated-relu";
  if (kind == "gated-gelu")
    s.activation = activation_function::gelu_tanh;
  else if (kind == "gated-silu")
    s.activation = activation_function::silu;
  else if (kind == "gelu")
    s.activation = activation_function::gelu;
  else if (kind == "relu" || kind == "gated-relu")
    s.activation = activation_function::relu;
  else
    in.fail(config_problem::unknown, field::feed_forward_proj);
}

constexpr transformer_config read_t5(const model_file& file) {
  const config_fields& in = file.in;
  block_shape s;
  s.layers = in.layers(field::num_layers);
  s.hidden = in.count(field::d_model);
  s.heads = in.count(field::num_heads);
  s.head_dim = in.count(field::d_kv);
  s.intermediate = in.count(field::d_ff);
  s.vocabulary = in.count(field::vocab_size);
  s.rotary_fraction = 0;
  s.causal = false;
  s.context = in.count_or(field::n_positions, 512);
  read_t5_feed_forward(in, file.known, s);
  s.dropout = in.share_or(field::dropout_rate, file.known.dropout) > 0;
  check_shape(in, s, field::num_heads, field::num_heads, field::d_model);
  const std::int64_t buckets = in.count_or(field::relative_attention_num_buckets, 32);
  transformer_config made{.architecture = file.class_name, .context = s.context};
  made.embedding = {.vocabulary = s.vocabulary, .width = s.hidden};
  stack encoder = make_stack(s);
  encoder.relative_positions = buckets;
  if (file.head == head_class::encoder) {
    made.stack = encoder;
    return made;
  }
  made.encoder = encoder;
  s.layers = in.limited_layers(in.count_or(field::num_decoder_layers, s.layers), field::num_decoder_layers);
  s.causal = true;
  made.stack = make_stack(s);
  made.stack.relative_positions = buckets;
  attend_to_encoder(made.stack);
  made.head = read_decoder_head(file, s.vocabulary);
  return made;
}

/// What BART and Whisper share: both stacks' dimensions named one by one.
constexpr transformer_config read_named_stacks(const model_file& file, block_shape encoder) {
  const config_fields& in = file.in;
  block_shape s = encoder;
  s.activation = activation_named(in, field::activation_function, activation_function::gelu);
  s.dropout = in.share_or(field::dropout, file.known.dropout) > 0;
  check_shape(in, s, field::encoder_attention_heads, field::encoder_attention_heads, field::d_model);
  transformer_config made{.architecture = file.class_name};
  made.encoder = make_stack(s);
  s.layers = in.layers(field::decoder_layers);
  s.heads = in.count(field::decoder_attention_heads);
  s.intermediate = in.count(field::decoder_ffn_dim);
  s.causal = true;
  check_shape(in, s, field::decoder_attention_heads, field::decoder_attention_heads, field::d_model);
  made.stack = make_stack(s);
  attend_to_encoder(made.stack);
  return made;
}

constexpr block_shape read_named_encoder(const config_fields& in, norm_placement placement, bool final_norm) {
  const std::int64_t hidden = in.count(field::d_model);
  return encoder_shape(in.layers(field::encoder_layers), hidden, in.count(field::encoder_attention_heads),
                       in.count(field::encoder_ffn_dim), placement, final_norm);
}

constexpr transformer_config read_bart(const model_file& file) {
  const config_fields& in = file.in;
  transformer_config made = read_named_stacks(file, read_named_encoder(in, norms::post, false));
  const std::int64_t vocabulary = in.count(field::vocab_size), hidden = made.stack.hidden;
  made.context = in.count_or(field::max_position_embeddings, 1024);
  const std::int64_t positions = made.context + 2;  // two rows of offset
  made.embedding = {.vocabulary = vocabulary, .width = hidden, .positions = positions, .norm = true};
  made.encoder_embedding = {.width = hidden, .positions = positions, .norm = true};
  made.head = read_decoder_head(file, vocabulary);
  return made;
}

/// Whisper's encoder reads a spectrogram through two convolutions; its keys have no bias.
constexpr transformer_config read_whisper(const model_file& file) {
  const config_fields& in = file.in;
  block_shape encoder = read_named_encoder(in, norms::pre, true);
  encoder.key_bias = false;
  transformer_config made = read_named_stacks(file, encoder);
  const std::int64_t vocabulary = in.count(field::vocab_size), hidden = made.stack.hidden;
  const std::int64_t frames = in.count_or(field::max_source_positions, 1500);
  made.context = in.count_or(field::max_target_positions, 448);
  made.encoder_positions = frames;
  made.embedding = {.vocabulary = vocabulary, .width = hidden, .positions = made.context};
  made.encoder_embedding = {.width = hidden, .positions = frames, .learned_positions = false};  // sinusoids, stored
  made.audio_in = {.in = in.count_or(field::num_mel_bins, 80), .out = hidden, .input_grad = false};
  made.audio_down = {.in = hidden, .out = hidden};
  made.head = read_decoder_head(file, vocabulary);
  return made;
}

inline constexpr architecture encoder_decoder_family[] = {
    {.model_type = "t5",
     .class_prefix = "T5",
     .read = read_t5,
     .head = head_class::conditional_generation,
     .decoder = false,
     .tied = true,
     .gated = false,
     .dropout = 0.1},
    {.model_type = "mt5",
     .class_prefix = "MT5",
     .read = read_t5,
     .head = head_class::conditional_generation,
     .decoder = false,
     .dropout = 0.1},
    {.model_type = "bart",
     .class_prefix = "Bart",
     .read = read_bart,
     .head = head_class::conditional_generation,
     .decoder = false,
     .tied = true,
     .dropout = 0.1},
    {.model_type = "whisper",
     .class_prefix = "Whisper",
     .read = read_whisper,
     .head = head_class::conditional_generation,
     .decoder = false,
     .tied = true},
};

}  // namespace flopledger::hugging_face
