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
    const std::int64_t last = blocks.layers - 1;
    int kind = 0;
    for (int candidate = 0; candidate < flopledger::stack::kind_count; ++candidate)
      if ((candidate & ~blocks.kinds()) == 0 && blocks.of_kind(candidate, last, last + 1).size() > 0) kind = candidate;
    repeated each{sink, depth};
    for (int i = 0; i < 2; ++i) blocks.norm.of(blocks.hidden).record(each, rows, "mtp.norm");
    linear{.in = 2 * blocks.hidden, .out = blocks.hidden}.record(each, rows, "mtp.projection");
    model.record_block(each, asked, kind);
    blocks.norm.of(blocks.hidden).record(each, rows, "mtp.norm");
    output_head shared = model.head;
    shared.tied = true;
    model.record_head(each, shared, blocks, asked);
  }
};

}  // namespace flopledger
