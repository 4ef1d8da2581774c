// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A whole model as a value: embeddings, stacks of blocks, heads. One description serves decoders, encoders,
/// encoder-decoders, vision towers and hybrids, and records itself through the layers.

#include <flopledger/layers/attention.hpp>
#include <flopledger/layers/compressed_attention.hpp>
#include <flopledger/layers/delta_rule.hpp>
#include <flopledger/layers/depth_residual.hpp>
#include <flopledger/layers/embedding.hpp>
#include <flopledger/layers/feed_forward.hpp>
#include <flopledger/layers/hyper_connection.hpp>
#include <flopledger/layers/short_convolution.hpp>
#include <flopledger/layers/state_space.hpp>
#include <flopledger/models/block_variants.hpp>

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
enum class recurrent_kind : std::uint8_t { none, mamba, mamba2, lightning, gated_delta, kimi_delta, convolution };

/// What blocks may have. Who knows while compiling that a stack lacks some of it says so, and a build instantiates
/// less.
struct every_part {
  static constexpr bool recurrence = true, latent = true, mixture = true, cross = true, streams = true,
                        layer_extras = true;
};

/// A stack of `layers` blocks of one width. Layers differ only by the three sets: each set's layers are alike in it.
struct stack {
  std::int64_t layers = 0;
  std::int64_t hidden = 0;

  flopledger::attention attention{};  ///< of the layers that are neither recurrent nor latent
  latent_attention latent{};          ///< in place of it where `heads` is set
  compressed_attention compressed{};  ///< in place of both where `heads` is set; windowed layers have the window alone
  std::int64_t heavy_ratio = 0;       ///< tokens of an entry in the `reduced` layers, which have no indexer
  recurrent_kind recurrence = recurrent_kind::none;
  flopledger::mamba mamba{};
  flopledger::mamba2 mamba2{};
  lightning_attention lightning{};
  gated_delta_network delta{};
  kimi_delta_attention kimi_delta{};
  short_convolution convolution{};
  layer_set recurrent{};              ///< layers that mix by `recurrence`
  bool attends_beside_state = false;  ///< and by attention too: both read one norm, and what they put out is summed
  layer_set windowed{};               ///< layers whose attention is limited to a window
  attention_span span = attention_span::sliding;
  std::int64_t window = 0;
  flopledger::attention windowed_attention{};  ///< of the windowed layers, in place of `attention` where heads is set
  layer_set reduced{};  ///< layers whose attention takes a part from an earlier layer: keys and values (Gemma-3n), or
                        ///< the choice of an indexer (GLM-5.2)

  bool has_feed_forward = true;  ///< Mamba stacks have none
  feed_forward feed{};           ///< of the dense layers
  mixture_of_experts mixture{};  ///< of the layers in `sparse`
  layer_set sparse{};
  layer_set hashed{};  ///< of these, layers whose experts are chosen by the number of the token
  hyper_connection streams{};
  bool feed_beside_experts = false;  ///< sparse layers have the dense feed-forward layer too, each with norms (Gemma-4)
  std::int64_t reduced_intermediate = 0;  ///< of the dense layer in `reduced` layers; 0: as in the others
  std::int64_t layer_input = 0;  ///< width of what each layer reads beside the hidden state (Gemma-3n); 0: nothing
  bool layer_scale = false;      ///< a learned number scales what each block puts out (Gemma-4)
  depth_residual depth{};
  block_variants variants{};  ///< layers that lack a sublayer or have widths of their own

  norm_config norm{};
  norm_placement placement{};
  bool parallel = false;         ///< attention and feed-forward side by side: one residual sum for both
  bool cross_attention = false;  ///< each layer also attends to an encoder
  flopledger::attention cross{};
  bool final_norm = true;
  std::int64_t relative_positions = 0;  ///< buckets of one bias table that all layers share (T5)
  bool residual_dropout = false;

  /// What tensor parallelism cuts of the recurrent mixer: its heads, or its channels where it has none.
  constexpr std::int64_t recurrent_parts() const {
    switch (recurrence) {
      case recurrent_kind::mamba:
        return mamba.inner;
      case recurrent_kind::mamba2:
        return mamba2.heads;
      case recurrent_kind::lightning:
        return lightning.heads;
      case recurrent_kind::gated_delta:
        return delta.key_heads;
      case recurrent_kind::kimi_delta:
        return kimi_delta.heads;
      case recurrent_kind::convolution:
        return convolution.hidden;
      case recurrent_kind::none:
        break;
    }
    return 0;
  }
  /// What its state has of each.
  constexpr std::int64_t recurrent_state() const {
    switch (recurrence) {
      case recurrent_kind::mamba:
        return mamba.state;
      case recurrent_kind::mamba2:
        return mamba2.head_dim * mamba2.state;
      case recurrent_kind::lightning:
        return lightning.head_dim;
      case recurrent_kind::gated_delta:
        return delta.key_dim * delta.value_dim * delta.value_heads;
      case recurrent_kind::kimi_delta:
        return kimi_delta.head_dim;
      case recurrent_kind::convolution:
        return convolution.kernel;
      case recurrent_kind::none:
        break;
    }
    return 0;
  }

  /// In what some of this stack's blocks differ from the others.
  constexpr block_kind kinds() const {
    return {!recurrent.empty(), !windowed.empty(), !sparse.empty(), !reduced.empty(), !hashed.empty()};
  }

  /// Layers of [first, last) that are of one kind.
  constexpr layer_set of_kind(block_kind kind, std::int64_t first, std::int64_t last) const {
    layer_set chosen = variants.of(kind.variant, layer_set::range(first, last));
    if (kind.variant > 0) return chosen;
    chosen = kind.recurrent ? chosen & recurrent : chosen - recurrent;
    chosen = kind.windowed ? chosen & windowed : chosen - windowed;
    chosen = kind.sparse ? chosen & sparse : chosen - sparse;
    chosen = kind.reduced ? chosen & reduced : chosen - reduced;
    return kind.hashed ? chosen & hashed : chosen - hashed;
  }

  constexpr block_kind kind_of(std::int64_t layer) const {
    block_kind kind{recurrent.contains(layer), windowed.contains(layer), sparse.contains(layer),
                    reduced.contains(layer), hashed.contains(layer)};
    kind.variant = static_cast<std::uint8_t>(variants.number_of(layer));
    return kind;
  }
  /// No block differs from another.
  constexpr bool all_alike() const { return kinds() == block_kind{} && variants.empty(); }

  /// Calls `visit(kind)` with each kind of block that this stack may hold.
  constexpr void for_each_kind(auto&& visit) const {
    const block_kind present = kinds();
    for (int number = 0; number <= present.number(); ++number)
      if (const block_kind kind = block_kind::of_number(number);
          kind.within(present) && (variants.empty() || !of_kind(kind, 0, layers).empty()))
        visit(kind);
    for (int variant = 1; variant <= variants.size(); ++variant)
      if (const std::int64_t layer = variants.of(variant, layer_set::range(0, layers)).first(); layer < layers)
        visit(kind_of(layer));
  }
  /// The number of blocks of [first, last) that are of a kind.
  constexpr std::int64_t count_of(block_kind kind, std::int64_t first, std::int64_t last) const {
    return all_alike() ? last - first : of_kind(kind, first, last).size();
  }

  /// The blocks of [first, last), alike ones recorded once.
  template <class Parts = every_part>
  constexpr void record_blocks(books auto& sink, const work& asked, std::int64_t first, std::int64_t last) const {
    for_each_kind([&](block_kind kind) {
      const std::int64_t alike = count_of(kind, first, last);
      if (alike == 0) return;
      repeated times{sink, alike};
      record_block<Parts>(times, asked, kind);
    });
  }

  constexpr void record_below(books auto& sink) const {
    if (relative_positions == 0) return;
    recorder into{sink};
    embedding{.entries = relative_positions, .width = attention.heads}.record(
        into, 0.0, {sublayer::outside, position::position_table}, "relative_positions");
  }
  /// x and what it returns: [tokens, hidden].
  constexpr tensor record_above(recording auto& into, const tensor& x, const work& asked) const {
    const tensor last = depth.present() ? depth.record(into, x, asked.token_count(), sublayer::outside) : x;
    const tensor read = streams.present() ? streams.record_above(into, last, asked.token_count()) : last;
    if (!final_norm) return read;
    return norm.of(hidden).record(into, read, asked.token_count(), {sublayer::outside, position::final_norm}, "norm");
  }
  constexpr void record(books auto& sink, const work& asked) const {
    record_below(sink);
    record_blocks(sink, asked, 0, layers);
    recorder into{sink};
    record_above(into, into.enters(), asked);
  }

  /// Mixers and feed-forward layers that a block of a kind lacks, of the two that others have.
  constexpr int missing_sublayers(block_kind kind) const {
    const block_variant variant = variant_of(kind);
    return (variant.mixer != sublayer_form::whole ? 1 : 0) +
           (has_feed_forward && variant.feed != sublayer_form::whole ? 1 : 0);
  }
  /// The same of all blocks.
  constexpr double missing_sublayers() const {
    double missing = 0;
    for_each_kind(
        [&](block_kind kind) { missing += static_cast<double>(count_of(kind, 0, layers)) * missing_sublayers(kind); });
    return missing;
  }

  /// One block of a kind.
  template <class Parts = every_part>
  constexpr void record_block(books auto& sink, const work& asked, block_kind kind) const {
    recorder into{sink, kind};
    const block_work of{asked.token_count(), asked.token_count() * static_cast<double>(hidden),
                        residual_dropout && asked.training};
    const block_variant variant = variant_of(kind);
    const bool mixes = variant.mixer != sublayer_form::absent;
    const tensor x = into.enters();
    if constexpr (Parts::streams)
      if (streams.present()) return record_streams<Parts>(into, x, asked, of, kind);
    const tensor chosen = mixes ? record_choice<Parts>(into, x, of, sublayer::attention) : x;
    const tensor read =
        record_norm(into, chosen, of, mixes && placement.mixer_in, sublayer::attention, "attention.pre_norm");
    tensor mixed = x, y = x;
    if (variant.joins) record_norm(into, into.enters(), of, true, sublayer::attention, "attention.second_pre_norm");
    if (mixes) {
      mixed = record_mixer<Parts>(into, read, asked, kind);
      mixed = record_output_norm(into, mixed, of, placement.mixer_out, sublayer::attention, "attention.post_norm");
      if (!parallel)
        y = record_residual(into, x, mixed, of, sublayer::attention, "attention.residual_dropout",
                            "attention.residual");
    }
    if constexpr (Parts::cross)
      if (cross_attention) y = record_cross_attention(into, y, asked, of);
    if (!has_feed_forward || variant.feed == sublayer_form::absent) return;
    // Side by side, both sublayers read the block's input, or one norm of it.
    const tensor entering =
        parallel && !placement.feed_in ? read : record_choice<Parts>(into, y, of, sublayer::feed_forward);
    const tensor fed =
        record_norm(into, entering, of, placement.feed_in, sublayer::feed_forward, "feed_forward.pre_norm");
    tensor made;
    bool is_made = false;
    if constexpr (Parts::layer_extras)
      if (feed_beside_experts && kind.sparse) {
        made = record_both_fed(into, y, fed, of);
        is_made = true;
      }
    if (!is_made) made = record_fed<Parts>(into, fed, of.rows, kind);
    made = record_output_norm(into, made, of, placement.feed_out, sublayer::feed_forward, "feed_forward.post_norm");
    y = record_residual(into, y, made, of, sublayer::feed_forward, "feed_forward.residual_dropout",
                        "feed_forward.residual");
    if (parallel && mixes)
      record_addition(into, y, mixed, of.elements, {sublayer::attention, position::residual}, "attention.residual");
    if constexpr (Parts::layer_extras) {
      if (layer_input > 0) y = record_layer_input(into, y, of);
      if (layer_scale) record_layer_scale(into, y, of);
    }
  }
 private:
  constexpr block_variant variant_of(block_kind kind) const {
    return kind.variant > 0 ? variants[kind.variant] : block_variant{};
  }
  /// Of one pass over a block.
  struct block_work {
    double rows = 0, elements = 0;  ///< of the hidden state
    bool drops = false;
  };
  template <class Parts>
  constexpr tensor record_choice(recording auto& into, const tensor& x, const block_work& of, sublayer in) const {
    if constexpr (Parts::layer_extras)
      if (depth.present()) return depth.record(into, x, of.rows, in);
    return x;
  }
  template <class Parts>
  constexpr tensor record_fed(recording auto& into, const tensor& x, double rows, block_kind kind) const {
    if constexpr (Parts::mixture)
      if (kind.sparse) {
        mixture_of_experts one = mixture;
        if (!kind.hashed) one.hashed_tokens = 0;
        return one.record(into, x, rows);
      }
    return record_dense<Parts>(into, x, rows, kind);
  }
  /// The sum of a dense layer and of experts, which read the residual stream x through norms of their own.
  constexpr tensor record_both_fed(recording auto& into, const tensor& x, const tensor& fed,
                                   const block_work& of) const {
    constexpr sublayer in = sublayer::experts;
    tensor dense = feed.record(into, fed, of.rows);
    dense = record_output_norm(into, dense, of, true, sublayer::feed_forward, "feed_forward.norm");
    const tensor read = record_norm(into, x, of, true, in, "experts.pre_norm");
    tensor chosen = mixture.record(into, read, x, of.rows);
    chosen = record_output_norm(into, chosen, of, true, in, "experts.post_norm");
    return record_addition(into, dense, chosen, of.elements, {in, position::residual}, "experts.sum");
  }
  /// What the token's own vector for this layer adds: gated by the hidden state, widened, normalised (Gemma-3n's
  /// per-layer embeddings).
  constexpr tensor record_layer_input(recording auto& into, const tensor& x, const block_work& of) const {
    const double elements = of.rows * static_cast<double>(layer_input);
    const auto at = [](position where) { return place{sublayer::custom, where}; };
    const tensor gate =
        linear{.in = hidden, .out = layer_input}.record(into, x, of.rows, at(position::layer_gate), "layer_input.gate");
    const tensor gated =
        record_gated_activation(into, feed.activation, gate, into.enters(position::layer_input), elements,
                                split::sequence, at(position::activation), "layer_input.activation");
    tensor made = linear{.in = layer_input, .out = hidden}.record(into, gated, of.rows, at(position::layer_output),
                                                                  "layer_input.output");
    made = norm.of(hidden).record(into, made, of.rows, at(position::output_norm), "layer_input.norm");
    return record_addition(into, x, made, of.elements, at(position::residual), "layer_input.residual");
  }
  static constexpr void record_layer_scale(recording auto& into, const tensor& x, const block_work& of) {
    const place where{sublayer::custom, position::layer_scale};
    const tensor y = into.made(where, operation::custom);
    const auto activation = [&](use how, const tensor& one) {
      return operand{.what = role::activation, .how = how, .over = split::sequence, .elements = of.elements, .of = one};
    };
    into.take({.name = text_of("layer_scale"),
               .where = where,
               .kind = operation::custom,
               .held = parameters::from_value(1.0),
               .active = parameters::from_value(1.0),
               .elementwise = flops::from_value(of.elements),
               .backward = {.elementwise = flops::from_value(of.elements),
                            .weight_elementwise = flops::from_value(2 * of.elements)},
               .operands = {activation(use::read | use::saved_for_weights, x),
                            activation(use::written, y),
                            {.what = role::weight, .how = use::read, .elements = 1}}});
  }
  /// A block between several residual streams: each sublayer reads them collapsed.
  template <class Parts>
  constexpr void record_streams(recording auto& into, const tensor& x, const work& asked, const block_work& of,
                                block_kind kind) const {
    constexpr sublayer mixing = sublayer::attention, feeding = sublayer::feed_forward;
    tensor read = streams.record_in(into, x, of.rows, mixing);
    read = record_norm(into, read, of, placement.mixer_in, mixing, "attention.pre_norm");
    const tensor y = streams.record_out(into, x, record_mixer<Parts>(into, read, asked, kind), of.rows, mixing);
    read = streams.record_in(into, y, of.rows, feeding);
    read = record_norm(into, read, of, placement.feed_in, feeding, "feed_forward.pre_norm");
    streams.record_out(into, y, record_fed<Parts>(into, read, of.rows, kind), of.rows, feeding);
  }
  constexpr tensor record_norm(recording auto& into, const tensor& x, const block_work& of, bool here, sublayer in,
                               const char* name) const {
    return here ? norm.of(hidden).record(into, x, of.rows, {in, position::norm}, name) : x;
  }
  constexpr tensor record_output_norm(recording auto& into, const tensor& x, const block_work& of, bool here,
                                      sublayer in, const char* name) const {
    return here ? norm.of(hidden).record(into, x, of.rows, {in, position::output_norm}, name) : x;
  }
  static constexpr tensor record_residual(recording auto& into, const tensor& x, const tensor& made,
                                          const block_work& of, sublayer in, const char* dropout_name,
                                          const char* name) {
    const tensor kept =
        of.drops ? record_dropout(into, made, of.elements, {in, position::residual_dropout}, dropout_name) : made;
    return record_addition(into, x, kept, of.elements, {in, position::residual}, name);
  }
  constexpr tensor record_cross_attention(recording auto& into, const tensor& x, const work& asked,
                                          const block_work& of) const {
    constexpr sublayer in = sublayer::cross_attention;
    const tensor read = record_norm(into, x, of, placement.mixer_in, in, "cross_attention.pre_norm");
    const tensor mixed = record_output_norm(into, cross.record(into, read, asked), of, placement.mixer_out, in,
                                            "cross_attention.post_norm");
    return record_residual(into, x, mixed, of, in, "cross_attention.residual_dropout", "cross_attention.residual");
  }
  template <class Parts>
  constexpr tensor record_mixer(recording auto& into, const tensor& x, const work& asked, block_kind kind) const {
    const block_variant variant = variant_of(kind);
    if constexpr (Parts::layer_extras)
      if (variant.mixer == sublayer_form::one_matrix)
        return record_square(into, x, asked.token_count(), {sublayer::attention, position::output}, "attention.linear");
    if constexpr (Parts::recurrence)
      if (kind.recurrent) {
        const tensor carried = record_recurrence(into, x, asked);
        if (!attends_beside_state) return carried;
        return record_addition(into, attention.record(into, x, asked), carried,
                               asked.token_count() * static_cast<double>(hidden),
                               {sublayer::recurrence, position::residual}, "mixers.sum");
      }
    if constexpr (Parts::latent)
      if (compressed.heads > 0) {
        compressed_attention mixer = compressed;
        if (kind.windowed || kind.reduced) mixer.index_heads = 0;
        if (kind.windowed) mixer.ratio = 0;
        if (kind.reduced) mixer.ratio = heavy_ratio;
        return mixer.record(into, x, asked);
      }
    if constexpr (Parts::latent)
      if (latent.heads > 0) {
        latent_attention mixer = latent;
        mixer.borrows_index = kind.reduced;
        return mixer.record(into, x, asked);
      }
    flopledger::attention mixer = kind.windowed && windowed_attention.heads > 0 ? windowed_attention : attention;
    mixer.borrowed = kind.reduced;
    if (variant.kv_heads > 0) mixer.kv_heads = variant.kv_heads;
    if (variant.joins) mixer.input = 2 * hidden;
    if (kind.windowed) {
      mixer.span = span;
      mixer.window = window;
    }
    return mixer.record(into, x, asked);
  }
  constexpr tensor record_recurrence(recording auto& into, const tensor& x, const work& asked) const {
    switch (recurrence) {
      case recurrent_kind::mamba:
        return mamba.record(into, x, asked);
      case recurrent_kind::mamba2:
        return mamba2.record(into, x, asked);
      case recurrent_kind::lightning:
        return lightning.record(into, x, asked);
      case recurrent_kind::gated_delta:
        return delta.record(into, x, asked);
      case recurrent_kind::kimi_delta:
        return kimi_delta.record(into, x, asked);
      case recurrent_kind::convolution:
        return convolution.record(into, x, asked);
      case recurrent_kind::none:
        break;
    }
    return x;
  }
  constexpr tensor record_square(recording auto& into, const tensor& x, double rows, place where,
                                 const char* name) const {
    return linear{.in = hidden, .out = hidden}.record(into, x, rows, where, name);
  }
  template <class Parts>
  constexpr tensor record_dense(recording auto& into, const tensor& x, double rows, block_kind kind) const {
    const block_variant variant = variant_of(kind);
    if constexpr (Parts::layer_extras)
      if (variant.feed == sublayer_form::one_matrix)
        return record_square(into, x, rows, {sublayer::feed_forward, position::down}, "feed_forward.linear");
    feed_forward one = feed;
    if (kind.reduced && reduced_intermediate > 0) one.intermediate = reduced_intermediate;
    if (variant.intermediate > 0) one.intermediate = variant.intermediate;
    return one.record(into, x, rows);
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
  std::int64_t layer_vocabulary =
      0;                      ///< tokens that have a vector for each layer (`stack::layer_input`); 0: there are none
  std::int64_t features = 0;  ///< width of another model's hidden states, which one matrix brings in beside (EAGLE-3)
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

/// What joins neighbouring patches to one token of the text model (Qwen2-VL, section 2.1): a norm of each patch, two
/// matrices over all of them together, with biases, and a GELU between.
struct patch_merger {
  std::int64_t merged = 0;  ///< patches that make a token; 0: there is no merger
  std::int64_t out = 0;     ///< width of the text model
  norm_config norm{.kind = norm_kind::layer, .weight = true, .bias = true};
  bool bias = true;
  norm_config norm_out{.kind = norm_kind::none};  ///< of what it puts out (Kimi-K3)
  std::int64_t deep = 0;  ///< further ones, fed from blocks in between, which normalise what they joined (Qwen3-VL)
};

/// A tower that reads images.
struct vision_tower {
  patch_embedding patches{};
  bool class_token = false;
  bool positions = true;           ///< a learned table, one row a patch and for the class token
  std::int64_t position_rows = 0;  ///< rows of that table; 0: as many as are looked up
  bool pre_norm = false;           ///< a norm before the first block (CLIP, Llama-4)
  flopledger::stack stack{};
  std::int64_t tokens_per_image = 0;  ///< that reach the text model after pooling; 0: all patches

  // What carries its output into the text model.
  std::int64_t merged_patches = 0;  ///< neighbours that one matrix makes one vector of; 0: none
  std::int64_t merged_width = 0;    ///< of that vector; 0: the tower's own
  bool merged_norm = true;          ///< a norm stands before the matrix (Mistral-3)
  bool merged_bias = false;
  std::int64_t resampled_width =
      0;                          ///< ERNIE-4.5-VL: two matrices each over the neighbours and over two frames; 0: none
  std::int64_t gated_merger = 0;  ///< inner width of a gated feed-forward layer behind a square matrix and a LayerNorm
                                  ///< (GLM-4.5V); 0: there is none
  bool standardized = false;      ///< pooled vectors are shifted and scaled by two learned ones (Gemma-4)
  bool soft_norm_weight = true;   ///< the norm before the projector has a weight
  bool soft_norm = false;         ///< Gemma-3: RMSNorm of the tower's width, then one matrix
  std::int64_t projector = 0;     ///< width that the tower's output is projected to; 0: no projector
  std::int64_t adapter_in = 0, adapter_hidden = 0, adapter_out = 0;  ///< Llama-4's two-matrix adapter; 0: none
  patch_merger merger{};                                             ///< in place of these where `merged` is set

  constexpr std::int64_t sequence_length() const { return patches.patches() + (class_token ? 1 : 0); }
};

/// What the block of a module that predicts a further token is like: the stack's last, or another of its kinds.
struct prediction_block {
  bool as_last = true;
  block_kind kind{};      ///< where it is not as the last
  block_kind second{};    ///< of a further block, where `two`
  bool two = false;       ///< one sublayer each (Nemotron-3)
  bool own_head = false;  ///< the module has a vocabulary matrix of its own (Step-3.5)
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

  // Modules that predict further tokens are in the checkpoint and run where somebody asks for them: they are recorded
  // by `multi_token_prediction`, and not with the model.
  std::int64_t prediction_layers = 0;
  prediction_block prediction{};

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
      in_part tower{sink, vision_only ? model_part::main : model_part::vision, vision_only};
      record_vision(tower, asked);
    }
    if (has_encoder()) {
      in_part source{sink, model_part::encoder};
      record_encoder(source, asked);
    }
    if (vision_only) return;
    record_embedding(sink, asked);
    stack.record_below(sink);
  }

  /// One block of a kind.
  template <class Parts = every_part>
  constexpr void record_block(books auto& sink, const work& asked, block_kind kind) const {
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
    recorder into{sink};
    const tensor last = stack.record_above(into, into.enters(), asked);
    output_head out = head;
    if (untied) out.tied = false;
    record_head(into, last, out, stack, asked);
    if (logit_scale)
      into.take({.name = text_of("logit_scale"),
                 .where = {sublayer::outside, position::scale},
                 .held = parameters::from_value(1.0),
                 .active = parameters::from_value(1.0),
                 .operands = {{.what = role::weight, .how = use::read, .elements = 1}}});
  }

  /// The tables below the first block, and the sums of what they look up.
  constexpr void record_embedding(books auto& sink, const work& asked) const {
    recorder into{sink};
    record_tables(into, embedding, stack, asked.token_count());
  }

  /// What stands above the last hidden state x, [tokens, hidden].
  constexpr void record_head(recording auto& into, const tensor& x, const output_head& out,
                             const flopledger::stack& below, const work& asked) const {
    const double first_tokens = asked.sequence_count();
    const bool last_only = out.on_sequence || asked.head == head_positions::last_token;
    const double rows = last_only ? first_tokens : asked.token_count();
    const std::int64_t width = out.projection ? embedding.width : below.hidden;
    tensor pooled = part_of(x);
    if (out.pooler) {
      pooled = linear{.in = below.hidden, .out = below.hidden, .bias = true}.record(into, pooled, first_tokens,
                                                                                    at(position::pooler), "pooler");
      pooled =
          record_activation(into, activation_function::tanh, pooled, first_tokens * static_cast<double>(below.hidden),
                            split::replicated, at(position::pooler), "pooler.activation");
    }
    if (out.projected > 0)
      linear{.in = below.hidden, .out = out.projected}.record(into, pooled, first_tokens, at(position::projection),
                                                              "projection");
    tensor read = last_only ? part_of(x) : x;
    if (out.projection)
      read = linear{.in = below.hidden, .out = embedding.width}.record(into, read, rows, at(position::projection),
                                                                       "head.projection");
    if (out.transform) {
      read = linear{.in = width, .out = width, .bias = true}.record(into, read, rows, at(position::transform),
                                                                    "head.transform");
      read = record_activation(into, out.transform_activation, read, rows * static_cast<double>(width),
                               split::replicated, at(position::activation), "head.activation");
      read = below.norm.of(width).record(into, read, rows, at(position::norm), "head.norm");
    }
    if (out.outputs > 0) {
      const tensor logits = linear{.in = width,
                                   .out = out.outputs,
                                   .bias = out.bias,
                                   .kind = operation::head,
                                   .cut = tensor_cut::columns,
                                   .tied = out.tied}
                                .record(into, read, rows, at(position::head), "head");
      if (asked.training && out.loss) into.take(loss_row(rows, static_cast<double>(out.outputs), logits));
    }
    if (out.sequence_labels > 0)
      linear{.in = below.hidden, .out = out.sequence_labels, .bias = true, .kind = operation::head}.record(
          into, pooled, first_tokens, at(position::head), "head.next_sentence");
  }
 private:
  static constexpr place at(position where) { return {sublayer::outside, where}; }

  // Each token's vectors for all layers: looked up, and made of the first hidden state by one matrix with a norm
  // behind.
  static constexpr void record_layer_inputs(recording auto& into, const tensor& x, const text_embedding& tables,
                                            const flopledger::stack& above, double rows) {
    const std::int64_t width = above.layers * above.layer_input;
    const auto layers = static_cast<double>(above.layers);
    const tensor looked_up = flopledger::embedding{.entries = tables.layer_vocabulary, .width = width}.record(
        into, rows, at(position::layer_input), "embedding.layer_inputs");
    const tensor made = linear{.in = above.hidden, .out = width}.record(into, x, rows, at(position::projection),
                                                                        "embedding.layer_projection");
    const tensor normed =
        above.norm.of(above.layer_input).record(into, made, rows * layers, at(position::norm), "embedding.layer_norm");
    record_addition(into, looked_up, normed, rows * static_cast<double>(width), at(position::position_sum),
                    "embedding.layer_sum");
  }

  static constexpr tensor record_tables(recording auto& into, const text_embedding& tables,
                                        const flopledger::stack& above, double rows) {
    const double elements = rows * static_cast<double>(tables.projection ? above.hidden : tables.width);
    tensor x;
    if (tables.vocabulary > 0)
      x = flopledger::embedding{.entries = tables.vocabulary, .width = tables.width}.record(
          into, rows, at(position::table), "embedding");
    if (tables.positions > 0) {
      const tensor added = flopledger::embedding{.entries = tables.positions,
                                                 .width = tables.projection ? above.hidden : tables.width,
                                                 .trainable = tables.learned_positions}
                               .record(into, rows, at(position::position_table), "embedding.positions");
      x = record_addition(into, x, added, elements, at(position::position_sum), "embedding.position_sum");
    }
    if (tables.token_types > 0) {
      const tensor added = flopledger::embedding{.entries = tables.token_types, .width = tables.width}.record(
          into, rows, at(position::token_type_table), "embedding.token_types");
      x = record_addition(into, x, added, elements, at(position::token_type_sum), "embedding.token_type_sum");
    }
    if (tables.projection)
      x = linear{.in = tables.width, .out = above.hidden}.record(into, x, rows, at(position::projection),
                                                                 "embedding.projection");
    if (tables.layer_vocabulary > 0) record_layer_inputs(into, x, tables, above, rows);
    if (tables.features > 0)
      linear{.in = tables.features, .out = above.hidden}.record(into, into.enters(), rows, at(position::projection),
                                                                "embedding.features");
    if (tables.norm) x = above.norm.of(above.hidden).record(into, x, rows, at(position::norm), "embedding.norm");
    return x;
  }

  // Softmax and the logarithm of one probability a token; its gradient is the softmax less the target.
  static constexpr row loss_row(double rows, double classes, const tensor& logits) {
    const double elements = rows * classes;
    return {.name = text_of("loss"),
            .where = at(position::loss),
            .kind = operation::loss,
            .elementwise = flops::from_value(5 * elements),
            .backward = {.elementwise = flops::from_value(2 * elements)},
            .operands = {{.what = role::activation,
                          .how = use::read | use::saved,
                          .over = split::tensor,
                          .elements = elements,
                          .of = logits},
                         {.what = role::index, .how = use::read | use::saved, .elements = rows}}};
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
    recorder into{sink};
    if (audio_in.out > 0) {
      const double rows = source.token_count(), width = static_cast<double>(encoder.hidden);
      const auto acted = [&](const tensor& x, double elements, const char* name) {
        return record_activation(into, activation_function::gelu, x, elements, split::replicated,
                                 at(position::activation), name);
      };
      const tensor first = audio_in.record(into, into.enters(), 2 * rows, "audio.in");
      const tensor read = acted(first, 2 * rows * width, "audio.in_activation");
      acted(audio_down.record(into, read, rows, "audio.down"), rows * width, "audio.down_activation");
    }
    if (encoder_embedding.width > 0) record_tables(into, encoder_embedding, encoder, source.token_count());
    encoder.record(sink, source);
  }

  constexpr void record_vision(books auto& sink, const work& asked) const {
    const double images =
        vision_only ? (asked.decoding() ? 0.0 : asked.sequence_count()) : asked.images * asked.sequence_count();
    const auto length = static_cast<double>(vision.sequence_length());
    const work seen{.run = {.count = images, .length = length}, .training = asked.training};
    const double rows = seen.token_count();
    const std::int64_t hidden = vision.stack.hidden;
    recorder below{sink};
    tensor x = vision.patches.record(below, images, "patches");
    if (vision.class_token) {
      const auto width = static_cast<double>(hidden);
      below.take({.name = text_of("class_token"),
                  .where = at(position::custom),
                  .held = parameters::from_value(width),
                  .active = parameters::from_value(width),
                  .operands = {{.what = role::weight, .how = use::read, .elements = width},
                               {.what = role::activation, .how = use::written, .elements = images * width}}});
    }
    if (vision.positions) {
      const tensor added =
          flopledger::embedding{.entries = vision.position_rows > 0 ? vision.position_rows : vision.sequence_length(),
                                .width = hidden}
              .record(below, rows, at(position::position_table), "positions");
      x = record_addition(below, x, added, rows * static_cast<double>(hidden), at(position::position_sum),
                          "position_sum");
    }
    if (vision.pre_norm) vision.stack.norm.of(hidden).record(below, x, rows, at(position::norm), "pre_norm");
    vision.stack.record_below(sink);
    vision.stack.record_blocks(sink, seen, 0, vision.stack.layers);
    recorder above{sink};
    const tensor last = vision.stack.record_above(above, above.enters(), seen);
    record_carrier(above, part_of(last), images);
    if (vision_only) record_head(above, last, head, vision.stack, seen);
  }

  constexpr void record_mergers(recording auto& into, const tensor& x, double images) const {
    const patch_merger& by = vision.merger;
    const double patches = images * static_cast<double>(vision.patches.patches());
    const double joined_tokens = patches / static_cast<double>(by.merged);
    const std::int64_t width = vision.stack.hidden, joined = by.merged * width;
    for (std::int64_t i = 0; i <= by.deep; ++i) {
      const bool last = i == by.deep;
      const tensor normed = by.norm.of(last ? width : joined)
                                .record(into, last ? x : into.enters(), last ? patches : joined_tokens,
                                        at(position::norm), "merger.norm");
      const tensor wide = linear{.in = joined, .out = joined, .bias = by.bias}.record(
          into, normed, joined_tokens, at(position::projection), "merger.up");
      const tensor acted =
          record_activation(into, activation_function::gelu, wide, joined_tokens * static_cast<double>(joined),
                            split::replicated, at(position::activation), "merger.activation");
      const tensor made = linear{.in = joined, .out = by.out, .bias = by.bias}.record(
          into, acted, joined_tokens, at(position::projection), "merger.down");
      by.norm_out.of(by.out).record(into, made, joined_tokens, at(position::output_norm), "merger.output_norm");
    }
  }

  constexpr tensor record_gated_merger(recording auto& into, tensor x, double rows, std::int64_t width) const {
    const double elements = rows * static_cast<double>(width), inner = rows * static_cast<double>(vision.gated_merger);
    x = linear{.in = width, .out = width}.record(into, x, rows, at(position::projection), "merger.projection");
    x = normalization{.kind = norm_kind::layer, .width = width, .bias = true}.record(into, x, rows, at(position::norm),
                                                                                     "merger.output_norm");
    x = record_activation(into, activation_function::gelu, x, elements, split::replicated, at(position::activation),
                          "merger.activation");
    const linear widen{.in = width, .out = vision.gated_merger};
    const tensor gate = widen.record(into, x, rows, at(position::gate), "merger.gate");
    const tensor up = widen.record(into, x, rows, at(position::up), "merger.up");
    const tensor made = record_gated_activation(into, vision.stack.feed.activation, gate, up, inner, split::replicated,
                                                at(position::activation), "merger.gating");
    return linear{.in = vision.gated_merger, .out = width}.record(into, made, rows, at(position::down), "merger.down");
  }

  /// Two matrices and a norm over so many vectors each, first of neighbours and then of two frames, and one into the
  /// text model with a norm behind (VariableResolutionResampler of ERNIE-4.5-VL).
  constexpr void record_resampler(recording auto& into, tensor x, double rows) const {
    const std::int64_t width = vision.resampled_width;
    const double elements = rows * static_cast<double>(width);
    for (const std::int64_t in : {width, 2 * width}) {
      x = linear{.in = in, .out = width, .bias = true}.record(into, part_of(x), rows, at(position::projection),
                                                              "resampler.up");
      x = record_activation(into, activation_function::gelu, x, elements, split::replicated, at(position::activation),
                            "resampler.activation");
      x = linear{.in = width, .out = width, .bias = true}.record(into, x, rows, at(position::projection),
                                                                 "resampler.down");
      x = normalization{.kind = norm_kind::layer, .width = width, .bias = true}.record(
          into, x, rows, at(position::norm), "resampler.norm");
    }
    x = linear{.in = width, .out = stack.hidden, .bias = true}.record(into, x, rows, at(position::projection),
                                                                      "resampler.projection");
    stack.norm.of(stack.hidden).record(into, x, rows, at(position::norm), "resampler.output_norm");
  }

  // What brings a tower's output, x, into the text model.
  constexpr void record_carrier(recording auto& into, tensor x, double images) const {
    const std::int64_t hidden = vision.stack.hidden;
    if (vision.merger.merged > 0) return record_mergers(into, x, images);
    const double carried = vision.tokens_per_image > 0 ? images * static_cast<double>(vision.tokens_per_image)
                                                       : images * static_cast<double>(vision.patches.patches());
    if (vision.resampled_width > 0) return record_resampler(into, x, carried);
    if (vision.merged_patches > 0) {
      if (vision.merged_norm)
        x = vision.stack.norm.of(hidden).record(into, x, carried * static_cast<double>(vision.merged_patches),
                                                at(position::norm), "merger.norm");
      const std::int64_t width = vision.merged_width > 0 ? vision.merged_width : hidden;
      x = linear{.in = hidden * vision.merged_patches, .out = width, .bias = vision.merged_bias}.record(
          into, part_of(x), carried, at(position::projection), "merger");
      if (vision.gated_merger > 0) x = record_gated_merger(into, x, carried, width);
    }
    if (vision.adapter_in > 0) {
      x = linear{.in = vision.adapter_in, .out = vision.adapter_hidden}.record(into, x, carried,
                                                                               at(position::projection), "adapter.up");
      x = record_activation(into, activation_function::gelu, x, carried * static_cast<double>(vision.adapter_hidden),
                            split::replicated, at(position::activation), "adapter.activation");
      x = linear{.in = vision.adapter_hidden, .out = vision.adapter_out}.record(
          into, x, carried, at(position::projection), "adapter.down");
    }
    if (vision.standardized)
      x = normalization{.kind = norm_kind::rms, .width = hidden, .bias = true}.record(
          into, x, carried, at(position::scale), "standardization");
    if (vision.soft_norm)
      x = normalization{.kind = norm_kind::rms, .width = hidden, .weight = vision.soft_norm_weight}.record(
          into, x, carried, at(position::norm), "projector.norm");
    if (vision.projector > 0)
      linear{.in = vision.adapter_out > 0 ? vision.adapter_out : hidden, .out = vision.projector}.record(
          into, x, carried, at(position::projection), "projector");
  }
};

}  // namespace flopledger
