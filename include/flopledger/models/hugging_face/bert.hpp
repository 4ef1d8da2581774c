// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// BERT, RoBERTa, XLM-RoBERTa, CamemBERT and DistilBERT; the class decides what stands on top.

#include <flopledger/models/hugging_face/encoder.hpp>

namespace flopledger::hugging_face {

/// Relative positions have tables of their own, and a decoder has a mask and a cache.
constexpr void refuse_other_encoders(const config_fields& in) {
  if (in.has(field::position_embedding_type) && !(in.text(field::position_embedding_type) == "absolute"))
    in.fail(config_problem::unknown, field::position_embedding_type);
  if (in.flag_or(field::is_decoder, false)) in.fail(config_problem::unknown, field::is_decoder);
}

/// What a class has on top. `pooled`: BERT's first token goes through a dense layer; `paired`: and a second head says
/// whether two sentences belong together.
constexpr output_head read_bert_head(const model_file& file, std::int64_t vocabulary, bool pooled, bool paired) {
  const config_fields& in = file.in;
  const std::int64_t labels = read_label_count(in);
  switch (file.head) {
    case head_class::model:
      return {.pooler = pooled};
    case head_class::masked_language:
      return {
          .transform = true, .outputs = vocabulary, .tied = in.flag_or(field::tie_word_embeddings, true), .bias = true};
    case head_class::pretraining:
      if (!paired) in.fail(config_problem::unknown, field::architectures);
      return {.pooler = true,
              .transform = true,
              .outputs = vocabulary,
              .tied = in.flag_or(field::tie_word_embeddings, true),
              .bias = true,
              .sequence_labels = 2};
    // The dense layer in front of RoBERTa's and DistilBERT's labels has a pooler's shape.
    case head_class::sequence_labels:
      return {.pooler = true, .outputs = labels, .bias = true, .on_sequence = true};
    case head_class::token_labels:
      return {.outputs = labels, .bias = true};
    case head_class::question_answering:
      return {.outputs = 2, .bias = true};
    default:
      in.fail(config_problem::unknown, field::architectures);
      return {};
  }
}

/// Tables and blocks of one shape.
constexpr transformer_config make_bert(const model_file& file, const block_shape& s, std::int64_t token_types) {
  transformer_config made{.architecture = file.class_name, .stack = make_stack(s), .context = s.context};
  made.embedding = {
      .vocabulary = s.vocabulary, .width = s.hidden, .positions = s.context, .token_types = token_types, .norm = true};
  return made;
}

constexpr transformer_config read_bert_body(const model_file& file) {
  const config_fields& in = file.in;
  block_shape s =
      encoder_shape(in.layers(field::num_hidden_layers), in.count(field::hidden_size),
                    in.count(field::num_attention_heads), in.count(field::intermediate_size), norms::post, false);
  s.activation = activation_named(in, field::hidden_act, activation_function::gelu);
  s.vocabulary = in.count(field::vocab_size);
  s.dropout = in.share_or(in.which(field::hidden_dropout_prob, field::dropout), file.known.dropout) > 0;
  s.context = in.count_or(field::max_position_embeddings, 512);
  check_shape(in, s);
  refuse_other_encoders(in);
  return make_bert(file, s, in.count_or(field::type_vocab_size, 2));
}

constexpr transformer_config read_bert(const model_file& file) {
  transformer_config made = read_bert_body(file);
  made.head = read_bert_head(file, made.embedding.vocabulary, true, true);
  return made;
}

constexpr transformer_config read_roberta(const model_file& file) {
  transformer_config made = read_bert_body(file);
  made.head = read_bert_head(file, made.embedding.vocabulary, true, false);
  return made;
}

constexpr transformer_config read_distilbert(const model_file& file) {
  const config_fields& in = file.in;
  block_shape s = encoder_shape(
      in.layers(field::n_layers, field::num_hidden_layers), in.count_of(field::dim, field::hidden_size),
      in.count_of(field::n_heads, field::num_attention_heads), in.count(field::hidden_dim), norms::post, false);
  s.activation = activation_named(in, field::activation_function, activation_function::gelu);
  s.vocabulary = in.count(field::vocab_size);
  s.dropout = in.share_or(in.which(field::hidden_dropout_prob, field::dropout), file.known.dropout) > 0;
  s.context = in.count_or(field::max_position_embeddings, 512);
  check_shape(in, s, field::n_heads, field::num_key_value_heads, field::dim);
  refuse_other_encoders(in);
  transformer_config made = make_bert(file, s, 0);
  made.head = read_bert_head(file, s.vocabulary, false, false);
  return made;
}

inline constexpr architecture bert_family[] = {
    {.model_type = "bert",
     .class_prefix = "Bert",
     .read = read_bert,
     .head = head_class::model,
     .decoder = false,
     .dropout = 0.1},
    {.model_type = "roberta",
     .class_prefix = "Roberta",
     .read = read_roberta,
     .head = head_class::model,
     .decoder = false,
     .dropout = 0.1},
    {.model_type = "xlm-roberta",
     .class_prefix = "XLMRoberta",
     .read = read_roberta,
     .head = head_class::model,
     .decoder = false,
     .dropout = 0.1},
    {.model_type = "camembert",
     .class_prefix = "Camembert",
     .read = read_roberta,
     .head = head_class::model,
     .decoder = false,
     .dropout = 0.1},
    {.model_type = "distilbert",
     .class_prefix = "DistilBert",
     .read = read_distilbert,
     .head = head_class::model,
     .decoder = false,
     .dropout = 0.1},
};

}  // namespace flopledger::hugging_face
