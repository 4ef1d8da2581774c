// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// BLOOM.

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

constexpr transformer_config read_bloom(const model_file& file) {
  const config_fields& in = file.in;
  block_shape s;
  make_classic(s);
  s.layers = in.layers(field::n_layer, field::num_hidden_layers);
  s.hidden = in.count_of(field::hidden_size, field::n_embed);
  s.heads = in.count_of(field::n_head, field::num_attention_heads);
  s.vocabulary = in.count(field::vocab_size);
  s.intermediate = 4 * s.hidden;
  s.activation = activation_function::gelu_tanh;
  s.tied = in.flag_or(field::tie_word_embeddings, file.known.tied);
  s.context = in.count_or(field::seq_length, 2048);
  check_shape(in, s, in.which(field::n_head, field::num_attention_heads), field::num_key_value_heads,
              in.which(field::hidden_size, field::n_embed));
  transformer_config made = make_decoder(file.class_name, s);
  made.embedding.norm = true;
  return made;
}

inline constexpr architecture bloom_family[] = {
    {.model_type = "bloom", .class_prefix = "Bloom", .read = read_bloom, .tied = true},
};

}  // namespace flopledger::hugging_face
