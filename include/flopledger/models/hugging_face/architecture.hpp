// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What a family of models says of itself: the names it goes by, what its reference implementation assumes where a
/// config.json says nothing, and the function that reads it.

#include <flopledger/models/block_shape.hpp>
#include <flopledger/models/hugging_face/config_fields.hpp>

namespace flopledger::hugging_face {

/// What a class puts on top of its stack.
enum class head_class : std::uint8_t {
  unknown,
  model,
  encoder,
  causal_language,
  masked_language,
  pretraining,
  conditional_generation,
  sequence_labels,
  token_labels,
  question_answering,
  image_labels
};

/// What the end of a class name says, or `unknown`.
constexpr head_class head_of_suffix(std::string_view suffix) {
  if (suffix == "ForCausalLM" || suffix == "LMHeadModel" || suffix == "ModelForCausalLM")
    return head_class::causal_language;
  if (suffix == "Model" || suffix == "TextModel") return head_class::model;
  if (suffix == "EncoderModel") return head_class::encoder;
  if (suffix == "ForMaskedLM") return head_class::masked_language;
  if (suffix == "ForPreTraining") return head_class::pretraining;
  if (suffix == "ForConditionalGeneration") return head_class::conditional_generation;
  if (suffix == "ForSequenceClassification") return head_class::sequence_labels;
  if (suffix == "ForTokenClassification") return head_class::token_labels;
  if (suffix == "ForQuestionAnswering") return head_class::question_answering;
  if (suffix == "ForImageClassification") return head_class::image_labels;
  return head_class::unknown;
}

struct architecture;

/// What `architecture::read` is given.
struct model_file {
  const config_fields& in;  ///< of the file's outermost object
  const architecture& known;
  head_class head = head_class::unknown;
  std::string_view class_name{};
  std::string_view model_type{};
};

/// One name of an architecture, with how its files are read. A family's file has a table of these and adds it to
/// `families` (models/hugging_face.hpp). Two names that are read by one function are one architecture.
///
/// Defaults are those of the configuration classes of transformers 4.57 (`configuration_*.py`), and for models that
/// bring their own code of the configuration file beside it. 0 means: no such default, or for `kv_heads` as many as
/// heads and for `head_dim` hidden / heads.
struct architecture {
  std::string_view model_type;
  std::string_view class_prefix;  ///< of the class names in `architectures`

  // One of the two. A decoder of one stack, which may stand inside a `text_config`, says its shape; anything else makes
  // its whole configuration from the file.
  block_shape (*shape)(const config_fields& in, const architecture& known) = nullptr;
  transformer_config (*read)(const model_file& file) = nullptr;

  head_class head = head_class::causal_language;  ///< where `architectures` says nothing
  bool decoder = true;                            ///< false: `read` decides what stands on top and minds its towers
  bool sees = false;                              ///< `read` knows vision_config
  bool headed_model = false;                      ///< the class that is named ...Model has a language head all the same

  bool whole_class = false;  ///< `class_prefix` is all of the name; the model_type is another architecture's

  bool tied = false;  ///< tie_word_embeddings
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t window = 0;  ///< sliding_window
  bool attention_bias = false;
  bool gated = true;
  double rotary_fraction = 1.0;
  activation_function activation = activation_function::silu;
  double dropout = 0;               ///< resid_pdrop, hidden_dropout_prob, dropout or dropout_rate
  std::int64_t shared_experts = 0;  ///< n_shared_experts, moe_num_shared_experts
  std::int64_t first_dense = 0;     ///< first_k_dense_replace
  // Only inside a `text_config`: a whole file that leaves these out is no model's.
  std::int64_t vocabulary = 0, hidden = 0, layers = 0, heads = 0, intermediate = 0;

  /// As a `text_config` inside of a file of the other.
  constexpr bool describes_blocks_as(const architecture& other) const {
    return (shape != nullptr && shape == other.shape) || reads_as(other);
  }
  constexpr bool reads_as(const architecture& other) const { return shape == other.shape && read == other.read; }
};

/// The same architecture under another model_type.
constexpr architecture also_named(std::string_view model_type, architecture known) {
  known.model_type = model_type;
  return known;
}

/// The table of one family's file.
struct family {
  template <std::size_t Count>
  constexpr family(const architecture (&table)[Count]) : first(table), count(Count) {}
  constexpr const architecture* begin() const { return first; }
  constexpr const architecture* end() const { return first + count; }

  const architecture* first;
  std::size_t count;
};

}  // namespace flopledger::hugging_face
