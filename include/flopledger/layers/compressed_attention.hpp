// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// DeepSeek-V4's attention: one vector a token that is key and value of every head, a window of such tokens, and beyond
/// it compressed entries.

#include <flopledger/layers/attention.hpp>
#include <flopledger/layers/compressor.hpp>

namespace flopledger {

/// Layers differ in what lies beyond the window: nothing, entries of few tokens of which an indexer chooses
/// (compressed sparse attention, section 2.3.1), or entries of many tokens, all attended to (heavily compressed
/// attention, section 2.3.2). Queries come from a latent; the output passes through a low rank for each group of heads.
struct compressed_attention {
  std::int64_t hidden = 0;
  std::int64_t heads = 0;  ///< 0: there is no such attention
  std::int64_t head_dim = 0, rope_dim = 0, query_rank = 0;
  std::int64_t output_groups = 1, output_rank = 0;
  std::int64_t window = 0;
  std::int64_t ratio = 0;        ///< tokens of an entry; 0: the window alone
  std::int64_t index_heads = 0;  ///< 0: every entry is attended to
  std::int64_t index_dim = 0, index_chosen = 0;

  /// x and what it returns: [tokens, hidden].
  constexpr tensor record(recording auto& into, const tensor& x, const work& asked) const {
    const double rows = asked.token_count();
    const auto parts = static_cast<std::int32_t>(heads);
    const tensor down =
        linear{.in = hidden, .out = query_rank}.record(into, x, rows, at(position::query_down), "attention.query_down");
    const tensor latent =
        normalization{.width = query_rank}.record(into, down, rows, at(position::query_norm), "attention.query_norm");
    attention_core::inputs from;
    from.query = linear{.in = query_rank, .out = heads * head_dim, .cut = tensor_cut::columns, .parts = parts}.record(
        into, latent, rows, at(position::query_up), "attention.query_up");
    from.query = normalization{.width = head_dim, .weight = false, .over = split::tensor}.record(
        into, from.query, rows * static_cast<double>(heads), at(position::query_norm), "attention.query_head_norm");
    const tensor key = linear{.in = hidden, .out = head_dim}.record(into, x, rows, at(position::key), "attention.key");
    from.key = from.value =
        normalization{.width = head_dim}.record(into, key, rows, at(position::key_norm), "attention.key_norm");
    rotary_embedding{.queries = rows * static_cast<double>(heads * rope_dim),
                     .keys = rows * static_cast<double>(rope_dim),
                     .heads = heads,
                     .kv_heads = 1}
        .record(into, from, sublayer::attention);
    const bool chooses = index_heads > 0;
    if (ratio > 0) {
      compressor{.hidden = hidden, .width = head_dim, .ratio = ratio, .rope_dim = rope_dim, .overlapping = chooses}
          .record(into, x, asked);
      if (chooses)
        indexer{.hidden = hidden,
                .query_in = query_rank,
                .heads = index_heads,
                .head_dim = index_dim,
                .rope_dim = rope_dim,
                .chosen = index_chosen,
                .ratio = ratio}
            .record(into, x, latent, asked);
    }
    const tensor mixed = attention_core{.heads = static_cast<double>(heads),
                                        .kv_heads = 1,
                                        .key_dim = static_cast<double>(head_dim),
                                        .value_dim = static_cast<double>(head_dim),
                                        .cached_per_token = static_cast<double>(head_dim),
                                        .shared_cache = true,
                                        .sinks = true,
                                        .span = attention_span::sliding,
                                        .window = static_cast<double>(window),
                                        .ratio = static_cast<double>(ratio),
                                        .chosen = chooses ? static_cast<double>(index_chosen) : 0.0}
                             .record(into, from, asked);
    // A value is turned as its key is, so that the output is turned back.
    attention_core::inputs back{.query = mixed};
    rotary_embedding{.queries = rows * static_cast<double>(heads * rope_dim), .heads = heads, .kv_heads = 1}.record(
        into, back, sublayer::attention);
    const tensor low =
        grouped_linear{.in = heads * head_dim / output_groups, .out = output_rank, .groups = output_groups}.record(
            into, back.query, rows, at(position::output_down), "attention.output_down");
    return linear{.in = output_groups * output_rank, .out = hidden, .cut = tensor_cut::rows}.record(
        into, low, rows, at(position::output), "attention.output");
  }
  /// The layer by itself.
  constexpr void record(books auto& sink, const work& asked) const {
    recorder alone{sink};
    record(alone, alone.enters(), asked);
  }
 private:
  static constexpr place at(position where) { return {sublayer::attention, where}; }
};

}  // namespace flopledger
