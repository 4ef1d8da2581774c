// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The indexer of sparse attention: a small attention of its own that chooses the keys which the large one reads.

#include <flopledger/layers/compressor.hpp>
#include <flopledger/layers/elementwise.hpp>
#include <flopledger/layers/linear.hpp>

namespace flopledger {

/// DeepSeek-V3.2's lightning indexer (arXiv 2512.02556, equation 1): every query scores every earlier token by
/// Σ over heads of w·ReLU(q·k), and the `chosen` best are attended to. Its heads share one key a token, which a cache
/// of its own holds. It learns from a loss of its own, and no gradient of it reaches the block (section 2.1.1).
struct indexer {
  std::int64_t hidden = 0;
  std::int64_t query_in = 0;  ///< width of the latent that its queries are made of
  std::int64_t heads = 0;     ///< 0: there is no indexer
  std::int64_t head_dim = 0, rope_dim = 0;
  std::int64_t chosen = 0;  ///< tokens, or entries, that a query attends to at most
  bool by_head = false;     ///< MiniMax-M3: each head chooses by itself, blocks by their best token, so that no weight
                            ///< sums heads; its queries are normalised too, and all norms are RMSNorms
  std::int64_t ratio = 0;   ///< tokens of an entry, which has a compressor of its own (DeepSeek-V4); 0: of tokens

  /// x: [tokens, hidden]; query_latent: [tokens, query_in].
  constexpr void record(recording auto& into, const tensor& x, const tensor& query_latent, const work& asked) const {
    const double rows = asked.token_count();
    const auto project = [&](const tensor& from, std::int64_t in, std::int64_t out, position where, const char* name) {
      return linear{.in = in, .out = out, .input_grad = false}.record(into, from, rows, at(where), name);
    };
    inputs from;
    from.query = project(query_latent, query_in, heads * head_dim, position::index_query, "attention.index_query");
    if (ratio > 0) {
      from.key =
          compressor{.hidden = hidden, .width = head_dim, .ratio = ratio, .rope_dim = rope_dim, .overlapping = true}
              .record(into, x, asked);
    } else {
      const tensor key = project(x, hidden, head_dim, position::index_key, "attention.index_key");
      from.key = key_norm().record(into, key, rows, at(position::index_key_norm), "attention.index_key_norm");
    }
    if (by_head)
      from.query = key_norm().record(into, from.query, rows * static_cast<double>(heads),
                                     at(position::index_query_norm), "attention.index_query_norm");
    else
      from.weight = project(x, hidden, heads, position::index_weight, "attention.index_weight");
    if (rope_dim > 0) turn(into, from, rows);
    record_choice(into, from, asked);
  }
  /// The layer by itself.
  constexpr void record(books auto& sink, const work& asked) const {
    recorder alone{sink};
    record(alone, alone.enters(), alone.enters(), asked);
  }
 private:
  static constexpr place at(position where) { return {sublayer::attention, where}; }
  struct inputs {
    tensor query{}, key{}, weight{};
  };
  constexpr normalization key_norm() const {
    return {.kind = by_head ? norm_kind::rms : norm_kind::layer, .width = head_dim, .bias = !by_head};
  }

  constexpr void turn(recording auto& into, inputs& from, double rows) const {
    const double queries = rows * static_cast<double>(heads * rope_dim),
                 keys = ratio > 0 ? 0.0 : rows * static_cast<double>(rope_dim);
    const tensor query = into.made(at(position::index_rotary), operation::rotary);
    const tensor key = into.made(at(position::index_rotary), operation::rotary);
    into.take({.name = text_of("attention.index_rotary"),
               .where = at(position::index_rotary),
               .kind = operation::rotary,
               .elementwise = flops::from_value(3 * (queries + keys)),
               .backward = {.elementwise = flops::from_value(3 * (queries + keys))},
               .operands = {activation(use::read, queries, from.query), activation(use::read, keys, from.key),
                            activation(use::written, queries, query), activation(use::written, keys, key)}});
    from.query = query;
    from.key = key;
  }
  static constexpr operand activation(use how, double elements, const tensor& of) {
    return {.what = role::activation, .how = how, .over = split::sequence, .elements = elements, .of = of};
  }

  constexpr void record_choice(recording auto& into, const inputs& of_all, const work& asked) const {
    const bool one_run = asked.packed.begin() == asked.packed.end();
    const inputs from = one_run ? of_all : inputs{part_of(of_all.query), part_of(of_all.key), part_of(of_all.weight)};
    asked.for_each_run([&](const sequences& run) {
      if (run.count <= 0) return;
      const double pairs = run.count * (ratio > 0 ? compressed_pairs(run, static_cast<double>(ratio))
                                                  : attended_pairs(run, asked.attention));
      into.take(scores_row(run, pairs, from));
      into.take(choice_row(run, pairs));
    });
  }
  /// Of a sequence that has so many tokens: what its queries are scored against.
  constexpr double keys_of(double length) const {
    return ratio > 0 ? compressed_entries(length, static_cast<double>(ratio)) : length;
  }
  // One number a pair of query and key, in FP32 whatever the recipe.
  constexpr operand scores(const sequences& run, use how) const {
    return {.what = role::statistic,
            .how = how,
            .over = split::sequence,
            .elements =
                run.count * run.length * keys_of(run.total_length()) * (by_head ? static_cast<double>(heads) : 1.0)};
  }
  constexpr row scores_row(const sequences& run, double pairs, const inputs& from) const {
    const auto count = static_cast<double>(heads), width = static_cast<double>(head_dim);
    const double queries = run.count * run.length;
    const use kept = use::read | use::saved;
    // ReLU, the head's weight and the sum over heads; or the best of a block.
    const flops beside = flops::from_value((by_head ? 1 : 3) * pairs * count);
    return {.name = text_of("attention.index_scores"),
            .where = at(position::index_scores),
            .kind = operation::custom,
            .shape = {.batch = run.count * count, .m = run.length, .n = keys_of(run.total_length()), .k = width},
            .multiplied = macs::from_value(pairs * count * width),
            .elementwise = beside,
            .backward = {.input_products = 2, .elementwise = beside},
            .operands = {
                activation(kept, queries * count * width, from.query),
                activation(kept, run.count * (keys_of(run.total_length()) - keys_of(run.cached)) * width, from.key),
                activation(kept, by_head ? 0.0 : queries * count, from.weight),
                scores(run, use::written),
                {.what = role::cache,
                 .how = use::read,
                 .elements = run.count * keys_of(run.total_length()) * width,
                 .touched = run.count * keys_of(run.cached) * width}}};
  }
  constexpr row choice_row(const sequences& run, double pairs) const {
    const auto most = static_cast<double>(chosen);
    const double keys = keys_of(run.total_length()), each = keys < most ? keys : most;
    return {.name = text_of("attention.index_choice"),
            .where = at(position::index_choice),
            .kind = operation::custom,
            .elementwise = flops::from_value(pairs),
            .operands = {scores(run, use::read),
                         {.what = role::index,
                          .how = use::written,
                          .over = split::sequence,
                          .elements = run.count * run.length * each}}};
  }
};

}  // namespace flopledger
