// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A decoder with modules that predict further tokens (DeepSeek-V3, section 2.2): each joins the last hidden state with
/// the next token's embedding by one matrix, runs one more block, and uses the model's own head.

#include <flopledger/models/transformer.hpp>

namespace flopledger {

struct multi_token_prediction {
  transformer_config model{};
  std::int64_t depth = 1;

  constexpr void record(books auto& sink, const work& asked) const {
    model.record(sink, asked);
    record_modules(sink, asked);
  }
  /// The modules alone.
  constexpr void record_modules(books auto& sink, const work& asked) const {
    if (depth == 0) return;
    const double rows = asked.token_count();
    const flopledger::stack& blocks = model.stack;
    repeated each{sink, depth};
    recorder below{each};
    const auto normed = [&](recording auto& into, const tensor& x) {
      return blocks.norm.of(blocks.hidden)
          .record(into, x, rows, {sublayer::outside, position::prediction_norm}, "mtp.norm");
    };
    const tensor last = normed(below, below.enters());
    normed(below, below.enters());
    linear{.in = 2 * blocks.hidden, .out = blocks.hidden}.record(
        below, part_of(last), rows, {sublayer::outside, position::prediction_projection}, "mtp.projection");
    const prediction_block& one = model.prediction;
    model.record_block(each, asked, one.as_last ? blocks.kind_of(blocks.layers - 1) : one.kind);
    if (one.two) model.record_block(each, asked, one.second);
    recorder above{each};
    output_head head = model.head;
    head.tied = !one.own_head;
    const tensor made = above.enters();
    const tensor read = blocks.streams.present() ? blocks.streams.record_above(above, made, rows) : made;
    model.record_head(above, normed(above, read), head, blocks, asked);
  }
};

/// A model with as many such modules as its configuration names.
constexpr multi_token_prediction with_prediction(const transformer_config& model) {
  return {.model = model, .depth = model.prediction_layers};
}

}  // namespace flopledger
