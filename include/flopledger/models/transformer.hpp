// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A whole model as a value: embeddings, stacks of blocks, heads. One description serves decoders, encoders,
/// encoder-decoders, vision towers and hybrids, and records itself through the layers.

#include <flopledger/layers/attention.hpp>
#include <flopledger/layers/embedding.hpp>
#include <flopledger/layers/feed_forward.hpp>
#include <flopledger/layers/state_space.hpp>
#include <flopledger/models/pattern.hpp>

namespace flopledger {

/// Where a block normalises. Parallel blocks (GPT-J, Falcon) feed both sublayers from one norm or from one each.
struct norm_placement {
  bool mixer_in = true, mixer_out = false;
  bool feed_in = true, feed_out = false;
};
namespace norms {
inline constexpr norm_placement pre{};
inline constexpr norm_placement post{false, true, false, true};  ///< after each residual, or on each sublayer's output
inline constexpr norm_placement sandwich{true, true, true, true};   ///< Gemma-2, Grok-1
inline constexpr norm_placement shared{true, false, false, false};  ///< one norm for both sublayers of a parallel block
}  // namespace norms

/// A norm without its width, which the place where it stands knows.
struct norm_config {
  norm_kind kind = norm_kind::rms;
  bool weight = true;
  bool bias = false;
  constexpr normalization of(std::int64_t width) const {
    return {.kind = kind, .width = width, .weight = weight, .bias = bias};
  }
};

/// What mixes tokens in the layers of `stack::recurrent`.
enum class recurrent_kind : std::uint8_t { none, mamba, lightning };

/// What blocks may have. Who knows while compiling that a stack lacks some of it says so, and a build instantiates
/// less.
struct every_part {
  static constexpr bool recurrence = true, latent = true, mixture = true, cross = true;
};

/// A stack of `layers` blocks of one width. Layers differ only by the three sets: each set's layers are alike in it.
struct stack {
  std::int64_t layers = 0;
  std::int64_t hidden = 0;

  flopledger::attention attention{};  ///< of the layers that are neither recurrent nor latent
  latent_attention latent{};          ///< in place of it where `heads` is set
  recurrent_kind recurrence = recurrent_kind::none;
  flopledger::mamba mamba{};
  lightning_attention lightning{};
  layer_set recurrent{};  ///< layers that mix by `recurrence`
  layer_set windowed{};   ///< layers whose attention is limited to a window
  attention_span span = attention_span::sliding;
  std::int64_t window = 0;

  bool has_feed_forward = true;  ///< Mamba stacks have none
  feed_forward feed{};           ///< of the dense layers
  mixture_of_experts mixture{};  ///< of the layers in `sparse`
  layer_set sparse{};

  norm_config norm{};
  norm_placement placement{};
  bool parallel = false;         ///< attention and feed-forward side by side: one residual sum for both
  bool cross_attention = false;  ///< each layer also attends to an encoder
  flopledger::attention cross{};
  bool final_norm = true;
  std::int64_t relative_positions = 0;  ///< buckets of one bias table that all layers share (T5)
  bool residual_dropout = false;

  /// Blocks differ by three flags, so a stack has at most eight kinds of them: bit 0 recurrent, 1 windowed, 2 sparse.
  static constexpr int kind_count = 8;
  /// The flags in which some of this stack's blocks differ from the others.
  constexpr int kinds() const {
    return (recurrent.empty() ? 0 : 1) | (windowed.empty() ? 0 : 2) | (sparse.empty() ? 0 : 4);
  }

  /// Layers of [first, last) that are of one kind.
  constexpr layer_set of_kind(int kind, std::int64_t first, std::int64_t last) const {
    layer_set chosen = layer_set::range(first, last);
    chosen = (kind & 1) != 0 ? chosen & recurrent : chosen - recurrent;
    chosen = (kind & 2) != 0 ? chosen & windowed : chosen - windowed;
    return (kind & 4) != 0 ? chosen & sparse : chosen - sparse;
  }

  /// The blocks of [first, last), alike ones recorded once.
  template <class Parts = every_part>
  constexpr void record_blocks(books auto& sink, const work& asked, std::int64_t first, std::int64_t last) const {
    const int present = kinds();
    for (int kind = 0; kind < kind_count; ++kind) {
      if ((kind & ~present) != 0) continue;
      const std::int64_t alike = present == 0 ? last - first : of_kind(kind, first, last).size();
      if (alike == 0) continue;
      repeated times{sink, alike};
      record_block<Parts>(times, asked, kind);
    }
  }

  constexpr void record_below(books auto& sink) const {
    if (relative_positions > 0)
      embedding{.entries = relative_positions, .width = attention.heads}.record(sink, 0.0, "relative_positions");
  }
  constexpr void record_above(books auto& sink, const work& asked) const {
    if (final_norm) norm.of(hidden).record(sink, asked, "norm");
  }
  constexpr void record(books auto& sink, const work& asked) const {
    record_below(sink);
    record_blocks(sink, asked, 0, layers);
    record_above(sink, asked);
  }

  /// One block of a kind.
  template <class Parts = every_part>
  constexpr void record_block(books auto& sink, const work& asked, int kind) const {
    const double rows = asked.token_count();
    const double elements = rows * static_cast<double>(hidden);
    const bool drops = residual_dropout && asked.training;
    record_norm(sink, rows, placement.mixer_in, "attention.pre_norm");
    record_mixer<Parts>(sink, asked, (kind & 1) != 0, (kind & 2) != 0);
    record_norm(sink, rows, placement.mixer_out, "attention.post_norm");
    if (!parallel) record_residual(sink, elements, drops, "attention.residual_dropout", "attention.residual");
    if constexpr (Parts::cross)
      if (cross_attention) {
        record_norm(sink, rows, placement.mixer_in, "cross_attention.pre_norm");
        cross.record(sink, asked);
        record_norm(sink, rows, placement.mixer_out, "cross_attention.post_norm");
        record_residual(sink, elements, drops, "cross_attention.residual_dropout", "cross_attention.residual");
      }
    if (!has_feed_forward) return;
    record_norm(sink, rows, placement.feed_in, "feed_forward.pre_norm");
    const bool is_sparse = (kind & 4) != 0;
    if constexpr (Parts::mixture)
      if (is_sparse) mixture.record(sink, rows);
    if (!is_sparse) feed.record(sink, rows);
    record_norm(sink, rows, placement.feed_out, "feed_forward.post_norm");
    record_residual(sink, elements, drops, "feed_forward.residual_dropout", "feed_forward.residual");
    if (parallel) record_addition(sink, elements, "attention.residual");
  }
 private:
  constexpr void record_norm(books auto& sink, double rows, bool here, const char* name) const {
    if (here) norm.of(hidden).record(sink, rows, name);
  }
  static constexpr void record_residual(books auto& sink, double elements, bool drops, const char* dropout_name,
                                        const char* name) {
    if (drops) record_dropout(sink, elements, dropout_name);
    record_addition(sink, elements, name);
  }
  template <class Parts>
  constexpr void record_mixer(books auto& sink, const work& asked, bool is_recurrent, bool is_windowed) const {
    if constexpr (Parts::recurrence)
      if (is_recurrent) {
        if (recurrence == recurrent_kind::mamba) mamba.record(sink, asked);
        if (recurrence == recurrent_kind::lightning) lightning.record(sink, asked);
        return;
      }
    if constexpr (Parts::latent)
      if (latent.heads > 0) {
        latent.record(sink, asked);
        return;
      }
    flopledger::attention mixer = attention;
    if (is_windowed) {
      mixer.span = span;
      mixer.window = window;
    }
    mixer.record(sink, asked);
  }
};

/// What turns token numbers into the first hidden state.
struct text_embedding {
  std::int64_t vocabulary = 0;
  std::int64_t width = 0;         ///< of the tables; the stack's width where `projection` is off
  std::int64_t positions = 0;     ///< rows of the learned table, offset rows included; 0: none
  bool learned_positions = true;  ///< false: stored, but never trained
  std::int64_t token_types = 0;
  bool norm = false;
  bool projection = false;  ///< a matrix from `width` to the stack's width follows (OPT-350M)
};

/// What stands above the last hidden state. Everything is optional; whatever is there is recorded in this order.
struct output_head {
  bool pooler = false;      ///< tanh of a square matrix, on the first token of each sequence
  bool projection = false;  ///< a matrix from the stack's width to the embedding's (OPT-350M)
  bool transform = false;   ///< square matrix, activation and norm before the vocabulary (BERT's masked-token head)
  activation_function transform_activation = activation_function::gelu;
  std::int64_t outputs = 0;  ///< vocabulary, or labels; 0: no head
  bool tied = false;         ///< to the token embedding
  bool bias = false;
  bool on_sequence = false;          ///< runs once a sequence (labels), not once a token
  std::int64_t sequence_labels = 0;  ///< of a second head on the pooled token (BERT's next-sentence head: 2)
  std::int64_t projected = 0;        ///< a projection of the pooled token without bias (CLIP); 0: none
  bool loss = true;                  ///< training computes the cross-entropy of the outputs
};

/// A tower that reads images.
struct vision_tower {
  patch_embedding patches{};
  bool class_token = false;
  bool positions = true;  ///< a learned table, one row a patch and for the class token
  bool pre_norm = false;  ///< a norm before the first block (CLIP, Llama-4)
  flopledger::stack stack{};
  std::int64_t tokens_per_image = 0;  ///< that reach the text model after pooling; 0: all patches

  // What carries its output into the text model.
  bool soft_norm = false;      ///< Gemma-3: RMSNorm of the tower's width, then one matrix
  std::int64_t projector = 0;  ///< width that the tower's output is projected to; 0: no projector
  std::int64_t adapter_in = 0, adapter_hidden = 0, adapter_out = 0;  ///< Llama-4's two-matrix adapter; 0: none

  constexpr std::int64_t sequence_length() const { return patches.patches() + (class_token ? 1 : 0); }
};

/// A model. Fields that a model does not have stay at their defaults, and nothing is recorded for them.
struct transformer_config {
  std::string_view architecture{};  ///< Hugging Face class, or a family of one's own
  text_embedding embedding{};
  flopledger::stack stack{};  ///< decoder, or the encoder of an encoder-only model
  output_head head{};
  bool logit_scale = false;  ///< one learned temperature (CLIP)

  flopledger::stack encoder{};                    ///< of an encoder-decoder; absent with no layers
  text_embedding encoder_embedding{};             ///< its own tables; `vocabulary` 0: it shares the decoder's
  temporal_convolution audio_in{}, audio_down{};  ///< the two convolutions that Whisper's encoder starts with
  std::int64_t encoder_positions = 0;             ///< source tokens when the work does not say

  vision_tower vision{};     ///< absent with no layers
  bool vision_only = false;  ///< the model reads images and no text
  std::int64_t context = 0;  ///< longest sequence that the configuration names; 0: not said

  constexpr bool has_encoder() const { return encoder.layers > 0; }
  constexpr bool has_vision() const { return vision.stack.layers > 0; }

  /// The work with the source's length filled in where the configuration fixes it (Whisper's frames).
  constexpr work with_source(work asked) const {
    if (encoder_positions > 0 && asked.source_length == 0) asked.source_length = static_cast<double>(encoder_positions);
    return asked;
  }

  constexpr void record(books auto& sink, const work& asked) const {
    record_below(sink, asked);
    if (!vision_only) record_blocks(sink, asked, 0, stack.layers);
    record_above(sink, asked);
  }

  /// What runs before the first block: towers, encoder, tables. The first pipeline stage holds it.
  constexpr void record_below(books auto& sink, const work& asked) const {
    if (has_vision()) {
      in_part tower{sink, vision_only ? std::string_view{} : std::string_view{"vision"}, vision_only};
      record_vision(tower, asked);
    }
    if (has_encoder()) {
      in_part source{sink, "encoder"};
      record_encoder(source, asked);
    }
    if (vision_only) return;
    record_embedding(sink, asked);
    stack.record_below(sink);
  }

  /// One block of a kind (`stack::kinds`).
  template <class Parts = every_part>
  constexpr void record_block(books auto& sink, const work& asked, int kind) const {
    stack.record_block<Parts>(sink, with_source(asked), kind);
  }
  /// The blocks of [first, last).
  template <class Parts = every_part>
  constexpr void record_blocks(books auto& sink, const work& asked, std::int64_t first, std::int64_t last) const {
    stack.record_blocks<Parts>(sink, with_source(asked), first, last);
  }

  /// What runs after the last block. On a pipeline's last stage a tied head needs a copy of the table of the first.
  constexpr void record_above(books auto& sink, const work& asked, bool untied = false) const {
    if (vision_only) return;
    stack.record_above(sink, asked);
    output_head out = head;
    if (untied) out.tied = false;
    record_head(sink, out, stack, asked);
    if (logit_scale)
      sink.take({.name = text_of("logit_scale"),
                 .kind = operation::custom,
                 .held = parameters::from_value(1.0),
                 .active = parameters::from_value(1.0),
                 .operands = {{.what = role::weight, .how = use::read, .elements = 1}}},
                1);
  }

  /// The tables below the first block, and the sums of what they look up.
  constexpr void record_embedding(books auto& sink, const work& asked) const {
    record_tables(sink, embedding, stack, asked.token_count());
  }

  constexpr void record_head(books auto& sink, const output_head& out, const flopledger::stack& below,
                             const work& asked) const {
    const double first_tokens = asked.sequence_count();
    const double rows =
        out.on_sequence || asked.head == head_positions::last_token ? first_tokens : asked.token_count();
    const std::int64_t width = out.projection ? embedding.width : below.hidden;
    if (out.pooler) {
      linear{.in = below.hidden, .out = below.hidden, .bias = true}.record(sink, first_tokens, "pooler");
      record_activation(sink, activation_function::tanh, false, first_tokens * static_cast<double>(below.hidden),
                        split::replicated, "pooler.activation");
    }
    if (out.projected > 0) linear{.in = below.hidden, .out = out.projected}.record(sink, first_tokens, "projection");
    if (out.projection) linear{.in = below.hidden, .out = embedding.width}.record(sink, rows, "head.projection");
    if (out.transform) {
      linear{.in = width, .out = width, .bias = true}.record(sink, rows, "head.transform");
      record_activation(sink, out.transform_activation, false, rows * static_cast<double>(width), split::replicated,
                        "head.activation");
      below.norm.of(width).record(sink, rows, "head.norm");
    }
    if (out.outputs > 0) {
      linear{.in = width,
             .out = out.outputs,
             .bias = out.bias,
             .kind = operation::head,
             .cut = tensor_cut::columns,
             .tied = out.tied}
          .record(sink, rows, "head");
      if (asked.training && out.loss) record_loss(sink, rows, static_cast<double>(out.outputs));
    }
    if (out.sequence_labels > 0)
      linear{.in = below.hidden, .out = out.sequence_labels, .bias = true, .kind = operation::head}.record(
          sink, first_tokens, "head.next_sentence");
  }
 private:
  static constexpr void record_tables(books auto& sink, const text_embedding& tables, const flopledger::stack& above,
                                      double rows) {
    const double elements = rows * static_cast<double>(tables.projection ? above.hidden : tables.width);
    if (tables.vocabulary > 0)
      flopledger::embedding{.entries = tables.vocabulary, .width = tables.width}.record(sink, rows, "embedding");
    if (tables.positions > 0) {
      flopledger::embedding{.entries = tables.positions,
                            .width = tables.projection ? above.hidden : tables.width,
                            .trainable = tables.learned_positions}
          .record(sink, rows, "embedding.positions");
      record_addition(sink, elements, "embedding.position_sum");
    }
    if (tables.token_types > 0) {
      flopledger::embedding{.entries = tables.token_types, .width = tables.width}.record(sink, rows,
                                                                                         "embedding.token_types");
      record_addition(sink, elements, "embedding.token_type_sum");
    }
    if (tables.projection) linear{.in = tables.width, .out = above.hidden}.record(sink, rows, "embedding.projection");
    if (tables.norm) above.norm.of(above.hidden).record(sink, rows, "embedding.norm");
  }

  // Softmax and the logarithm of one probability a token; its gradient is the softmax less the target.
  static constexpr void record_loss(books auto& sink, double rows, double classes) {
    const double elements = rows * classes;
    sink.take(
        {.name = text_of("loss"),
         .kind = operation::loss,
         .elementwise = flops::from_value(5 * elements),
         .backward = {.elementwise = flops::from_value(2 * elements)},
         .operands =
             {{.what = role::activation, .how = use::read | use::saved, .over = split::tensor, .elements = elements},
              {.what = role::index, .how = use::read | use::saved, .elements = rows}}},
        1);
  }

  // The encoder runs once, before the first token is decoded.
  constexpr void record_encoder(books auto& sink, const work& asked) const {
    work source = with_source(asked);
    source.attention = attention_counting::full;
    source.new_only = true;
    if (source.source_length > 0) {
      source.run = {.count = source.sequence_count(), .length = source.source_length};
      source.packed = {};
    }
    if (audio_in.out > 0) {
      const double rows = source.token_count();
      audio_in.record(sink, 2 * rows, "audio.in");
      record_activation(sink, activation_function::gelu, false, 2 * rows * static_cast<double>(encoder.hidden),
                        split::replicated, "audio.in_activation");
      audio_down.record(sink, rows, "audio.down");
      record_activation(sink, activation_function::gelu, false, rows * static_cast<double>(encoder.hidden),
                        split::replicated, "audio.down_activation");
    }
    if (encoder_embedding.width > 0) record_tables(sink, encoder_embedding, encoder, source.token_count());
    encoder.record(sink, source);
  }

  constexpr void record_vision(books auto& sink, const work& asked) const {
    const double images =
        vision_only ? (asked.decoding() ? 0.0 : asked.sequence_count()) : asked.images * asked.sequence_count();
    const auto length = static_cast<double>(vision.sequence_length());
    const work seen{.run = {.count = images, .length = length}, .training = asked.training};
    const double rows = seen.token_count();
    const std::int64_t hidden = vision.stack.hidden;
    vision.patches.record(sink, images, "patches");
    if (vision.class_token) {
      const auto width = static_cast<double>(hidden);
      sink.take({.name = text_of("class_token"),
                 .kind = operation::custom,
                 .held = parameters::from_value(width),
                 .active = parameters::from_value(width),
                 .operands = {{.what = role::weight, .how = use::read, .elements = width},
                              {.what = role::activation, .how = use::written, .elements = images * width}}},
                1);
    }
    if (vision.positions) {
      flopledger::embedding{.entries = vision.sequence_length(), .width = hidden}.record(sink, rows, "positions");
      record_addition(sink, rows * static_cast<double>(hidden), "position_sum");
    }
    if (vision.pre_norm) vision.stack.norm.of(hidden).record(sink, seen, "pre_norm");
    vision.stack.record(sink, seen);
    const double carried = vision.tokens_per_image > 0 ? images * static_cast<double>(vision.tokens_per_image)
                                                       : images * static_cast<double>(vision.patches.patches());
    if (vision.adapter_in > 0) {
      linear{.in = vision.adapter_in, .out = vision.adapter_hidden}.record(sink, carried, "adapter.up");
      record_activation(sink, activation_function::gelu, false, carried * static_cast<double>(vision.adapter_hidden),
                        split::replicated, "adapter.activation");
      linear{.in = vision.adapter_hidden, .out = vision.adapter_out}.record(sink, carried, "adapter.down");
    }
    if (vision.soft_norm)
      normalization{.kind = norm_kind::rms, .width = hidden}.record(sink, carried, "projector.norm");
    if (vision.projector > 0)
      linear{.in = vision.adapter_out > 0 ? vision.adapter_out : hidden, .out = vision.projector}.record(sink, carried,
                                                                                                         "projector");
    if (vision_only) record_head(sink, head, vision.stack, seen);
  }
};

}  // namespace flopledger
