// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Falcon.

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

constexpr transformer_config read_falcon(const model_file& file) {
  const config_fields& in = file.in;
  block_shape s;
  make_classic(s);
  s.layers = in.layers(field::num_hidden_layers, field::n_layer);
  s.hidden = in.count(field::hidden_size);
  s.heads = in.count_of(field::num_attention_heads, field::n_head);
  s.vocabulary = in.count(field::vocab_size);
  s.intermediate = in.count_or(field::ffn_hidden_size, 4 * s.hidden);
  s.activation =
      activation_named(in, in.which(field::hidden_act, field::activation_function), activation_function::gelu);
  s.tied = in.flag_or(field::tie_word_embeddings, file.known.tied);
  s.context = in.count_or(field::max_position_embeddings, 2048);
  const bool alibi = in.flag_or(field::alibi, false);
  s.rotary_fraction = alibi ? 0 : 1;
  // The 40B's first files ("RefinedWeb") are of the new architecture without saying so.
  const bool newer = in.flag_or(field::new_decoder_architecture, file.model_type == "RefinedWeb");
  const field kv = in.which(field::num_kv_heads, field::n_head_kv);
  if (newer)
    s.kv_heads = in.count_or(kv, s.heads);
  else if (in.flag_or(field::multi_query, true))
    s.kv_heads = 1;
  const bool biased = in.flag_or(field::bias, false);
  set_attention_biases(s, biased, biased);
  s.feed_bias = biased;
  s.parallel = newer || in.flag_or(field::parallel_attn, true);
  const bool two_norms = newer ? in.count_or(field::num_ln_in_parallel_attn, 2) == 2 : !s.parallel;
  s.placement = two_norms ? norms::pre : norms::shared;
  check_shape(in, s, in.which(field::num_attention_heads, field::n_head), kv);
  return make_decoder(file.class_name, s);
}

inline constexpr architecture falcon_family[] = {
    {.model_type = "falcon", .class_prefix = "Falcon", .read = read_falcon, .tied = true},
    {.model_type = "RefinedWeb", .class_prefix = "RW", .read = read_falcon, .tied = true},
    {.model_type = "RefinedWebModel", .class_prefix = "RW", .read = read_falcon, .tied = true},
};

}  // namespace flopledger::hugging_face
