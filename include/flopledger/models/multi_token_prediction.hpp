// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A decoder with modules that predict further tokens (DeepSeek-V3, section 2.2): each joins the last hidden state with
/// the next token's embedding by one matrix, runs one more block like the last, and uses the model's own head.

#include <flopledger/models/transformer.hpp>

namespace flopledger {

struct multi_token_prediction {
  transformer_config model{};
  std::int64_t depth = 1;

  constexpr void record(books auto& sink, const work& asked) const {
    model.record(sink, asked);
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
    model.record_block(each, asked, blocks.kind_of(blocks.layers - 1));
    recorder above{each};
    output_head shared = model.head;
    shared.tied = true;
    model.record_head(above, normed(above, above.enters()), shared, blocks, asked);
  }
};

}  // namespace flopledger
