// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Attention: multi-head, grouped-query, multi-query, latent, windowed, and across to an encoder's tokens.

#include <flopledger/layers/elementwise.hpp>
#include <flopledger/layers/linear.hpp>

namespace flopledger {

/// How queries and keys are normalised before they meet.
enum class qk_norm : std::uint8_t {
  none,
  per_head,        ///< one vector of head_dim that all heads share (Qwen3, Gemma-3)
  every_head,      ///< a vector of head_dim for each head (Command-R+, StableLM-2-12B)
  per_projection,  ///< over the whole projection: heads·head_dim and kv_heads·head_dim (OLMo-2, OLMoE, MiniMax-M2)
  weightless       ///< normalised, nothing learned (Llama-4)
};

/// The part that every kind of attention shares: the products between tokens, without weights.
struct attention_core {
  double heads = 0, kv_heads = 0;
  double key_dim = 0;           ///< of a query and a key
  double value_dim = 0;         ///< of a value: the same but in latent attention
  double cached_per_token = 0;  ///< elements that one token leaves in the cache; 0: nothing outlives the pass
  bool shared_cache = false;    ///< the cache is one latent for all heads, which tensor parallelism cannot split
  bool bidirectional = false;   ///< every token sees every token whatever the counting says
  bool sinks = false;           ///< one learned logit a head joins each softmax (gpt-oss)
  bool dropout = false;
  attention_span span = attention_span::whole;
  double window = 0;
  bool across = false;  ///< keys and values come from an encoder's tokens (`work::source_of`)

  /// scores: heads·pairs·key_dim MACs; context: heads·pairs·value_dim. Query heads count, never key/value heads:
  /// sharing keys saves projections and cache, not products. Backward: two products for each (dQ and dK, dP and dV).
  constexpr void record(books auto& sink, const work& asked) const {
    asked.for_each_run([&](const sequences& run) {
      if (run.count <= 0) return;
      const extent e = extent_of(run, asked);
      sink.take(scores_row(e), 1);
      sink.take(softmax_row(e), 1);
      if (dropout && asked.training) sink.take(dropout_row(e), 1);
      sink.take(context_row(e), 1);
    });
  }
 private:
  /// What the rows of one run are made of, over all its sequences.
  struct extent {
    double length = 0;    ///< queries of one sequence
    double keys = 0;      ///< of one sequence
    double products = 0;  ///< one a head
    double queries = 0;
    double visible = 0;  ///< pairs of query and key, over all heads
    double fresh = 0;    ///< keys that this pass has made
    double kept = 0;     ///< tokens that a cache holds
    double past = 0;     ///< of these, read
    std::int32_t query_parts = 0, kv_parts = 0;
    operand matrix{};  ///< what an explicit kernel holds: the rectangle, whatever is masked
  };
  FLOPLEDGER_INLINE constexpr extent extent_of(const sequences& run, const work& asked) const {
    const double source = asked.source_of(run);
    const double total = across ? source : run.total_length();
    const double pairs =
        run.count *
        (across ? run.length * source
                : attended_pairs(run, bidirectional ? attention_counting::full : asked.attention, span, window));
    const double kept = across ? source : kept_tokens(run, span, window);
    const double fresh = across ? (run.cached > 0 ? 0.0 : source) : run.length;
    const double past = across ? source - fresh : attended_past(run, span, window);
    const double keys = run.length == 1 ? kept : total;
    const double queries = run.count * run.length;
    const auto parts = static_cast<std::int32_t>(heads);
    return {
        .length = run.length,
        .keys = keys,
        .products = run.count * heads,
        .queries = queries,
        .visible = pairs * heads,
        .fresh = run.count * fresh,
        .kept = run.count * kept,
        .past = run.count * past,
        .query_parts = parts,
        .kv_parts = static_cast<std::int32_t>(kv_heads),
        .matrix = {
            .what = role::attention_matrix, .over = split::tensor, .parts = parts, .elements = queries * heads * keys}};
  }
  FLOPLEDGER_INLINE static constexpr operand used(operand as, use how) {
    as.how = how;
    return as;
  }
  // Half of what a token leaves is keys, and half values; a latent is read by both products but held once.
  FLOPLEDGER_INLINE constexpr operand cache_operand(const extent& e, double per_token) const {
    return {.what = per_token > 0 ? role::cache : role::none,
            .how = use::read,
            .over = shared_cache ? split::replicated : split::tensor,
            .parts = e.kv_parts,
            .elements = e.kept * per_token,
            .touched = e.past * per_token};
  }

  FLOPLEDGER_INLINE constexpr row scores_row(const extent& e) const {
    return {.name = text_of("attention.scores"),
            .kind = operation::attention_scores,
            .shape = {.batch = e.products, .m = e.length, .n = e.keys, .k = key_dim},
            .multiplied = macs::from_value(e.visible * key_dim),
            .elementwise = flops::from_value(e.visible),
            .backward = {.input_products = 2, .elementwise = flops::from_value(e.visible)},
            .operands = {{.what = role::activation,
                          .how = use::read | use::saved,
                          .over = split::tensor,
                          .parts = e.query_parts,
                          .elements = e.queries * heads * key_dim},
                         {.what = role::activation,
                          .how = use::read | use::saved,
                          .over = split::tensor,
                          .parts = e.kv_parts,
                          .elements = e.fresh * kv_heads * key_dim},
                         used(e.matrix, use::written),
                         cache_operand(e, shared_cache ? cached_per_token : cached_per_token / 2)}};
  }
  FLOPLEDGER_INLINE constexpr row softmax_row(const extent& e) const {
    const double stored = sinks ? heads : 0.0;
    return {.name = text_of("attention.softmax"),
            .kind = operation::softmax,
            .held = parameters::from_value(stored),
            .active = parameters::from_value(stored),
            .elementwise = flops::from_value(5 * e.visible),
            .backward = {.elementwise = flops::from_value(4 * e.visible)},
            .operands = {used(e.matrix, use::read),
                         used(e.matrix, use::written | use::saved),
                         {.what = role::statistic,
                          .how = use::written | use::saved,
                          .over = split::tensor,
                          .parts = e.query_parts,
                          .elements = e.queries * heads},
                         {.what = sinks ? role::bias : role::none,
                          .how = use::read,
                          .over = split::tensor,
                          .parts = e.query_parts,
                          .elements = heads}}};
  }
  FLOPLEDGER_INLINE constexpr row dropout_row(const extent& e) const {
    operand mask = used(e.matrix, use::written | use::saved);
    mask.what = role::mask;
    return {.name = text_of("attention.dropout"),
            .kind = operation::dropout,
            .elementwise = flops::from_value(2 * e.visible),
            .backward = {.elementwise = flops::from_value(2 * e.visible)},
            .operands = {used(e.matrix, use::read), used(e.matrix, use::written | use::saved), mask}};
  }
  FLOPLEDGER_INLINE constexpr row context_row(const extent& e) const {
    return {.name = text_of("attention.context"),
            .kind = operation::attention_context,
            .shape = {.batch = e.products, .m = e.length, .n = value_dim, .k = e.keys},
            .multiplied = macs::from_value(e.visible * value_dim),
            .backward = {.input_products = 2},
            .operands = {used(e.matrix, use::read),
                         {.what = role::activation,
                          .how = use::read | use::saved,
                          .over = split::tensor,
                          .parts = e.kv_parts,
                          .elements = e.fresh * kv_heads * value_dim},
                         {.what = role::activation,
                          .how = use::written,
                          .over = split::tensor,
                          .parts = e.query_parts,
                          .elements = e.queries * heads * value_dim},
                         cache_operand(e, shared_cache ? 0.0 : cached_per_token / 2)}};
  }
};

/// Rotary embedding of `queries` and `keys` elements: two multiplications and an addition an element (Su et al. 2021,
/// equation 34). Its backward is the inverse turn.
FLOPLEDGER_INLINE constexpr row rotary_row(double queries, double keys, std::int64_t heads, std::int64_t kv_heads) {
  return {.name = text_of("attention.rotary"),
          .kind = operation::rotary,
          .elementwise = flops::from_value(3 * (queries + keys)),
          .backward = {.elementwise = flops::from_value(3 * (queries + keys))},
          .operands = {{.what = role::activation,
                        .how = use::read | use::written,
                        .over = split::tensor,
                        .parts = static_cast<std::int32_t>(heads),
                        .elements = queries},
                       {.what = role::activation,
                        .how = use::read | use::written,
                        .over = split::tensor,
                        .parts = static_cast<std::int32_t>(kv_heads),
                        .elements = keys}}};
}
constexpr void record_rotary(books auto& sink, double queries, double keys, std::int64_t heads, std::int64_t kv_heads) {
  sink.take(rotary_row(queries, keys, heads, kv_heads), 1);
}

/// Multi-head attention; grouped-query with fewer `kv_heads`, multi-query with one.
struct attention {
  std::int64_t hidden = 0, heads = 0, kv_heads = 0, head_dim = 0;
  bool query_bias = false, key_bias = false, value_bias = false, output_bias = false;
  qk_norm norm = qk_norm::none;
  norm_kind norm_as = norm_kind::rms;
  bool norm_bias = false;
  double rotary_dims = 0;  ///< of each head that the rotary embedding turns; 0: none
  bool sinks = false;
  bool bidirectional = false;
  bool cached = true;  ///< keys and values outlive the pass: false in an encoder
  bool output_gate = false;
  bool dropout = false;
  attention_span span = attention_span::whole;
  std::int64_t window = 0;
  std::int64_t source_hidden = 0;  ///< width of an encoder's output that keys and values are made of; 0:
                                   ///< self-attention. `work::source_of` says how many tokens it has.

  constexpr void record(books auto& sink, const work& asked) const {
    const double rows = asked.token_count();
    const bool across = source_hidden > 0;
    const double source_rows = across ? asked.source_token_count() : rows;
    const auto query_parts = static_cast<std::int32_t>(heads), kv_parts = static_cast<std::int32_t>(kv_heads);
    const char* const query_name = across ? "cross_attention.query" : "attention.query";
    linear{.in = hidden, .out = heads * head_dim, .bias = query_bias, .cut = tensor_cut::columns, .parts = query_parts}
        .record(sink, rows, query_name);
    linear into{.in = across ? source_hidden : hidden,
                .out = kv_heads * head_dim,
                .bias = key_bias,
                .cut = tensor_cut::columns,
                .keeps_input = across,
                .parts = kv_parts};
    into.record(sink, source_rows, across ? "cross_attention.key" : "attention.key");
    into.bias = value_bias;
    into.keeps_input = false;
    into.record(sink, source_rows, across ? "cross_attention.value" : "attention.value");
    if (norm != qk_norm::none) {
      record_norm(sink, rows, heads, "attention.query_norm");
      record_norm(sink, source_rows, kv_heads, "attention.key_norm");
    }
    if (rotary_dims > 0)
      record_rotary(sink, rows * static_cast<double>(heads) * rotary_dims,
                    source_rows * static_cast<double>(kv_heads) * rotary_dims, heads, kv_heads);
    attention_core{.heads = static_cast<double>(heads),
                   .kv_heads = static_cast<double>(kv_heads),
                   .key_dim = static_cast<double>(head_dim),
                   .value_dim = static_cast<double>(head_dim),
                   .cached_per_token = cached ? 2.0 * static_cast<double>(kv_heads * head_dim) : 0.0,
                   .bidirectional = bidirectional,
                   .sinks = sinks,
                   .dropout = dropout,
                   .span = span,
                   .window = static_cast<double>(window),
                   .across = across}
        .record(sink, asked);
    linear{.in = heads * head_dim, .out = hidden, .bias = output_bias, .cut = tensor_cut::rows, .parts = query_parts}
        .record(sink, rows, across ? "cross_attention.output" : "attention.output");
  }
 private:
  constexpr void record_norm(books auto& sink, double rows, std::int64_t count, const char* name) const {
    const bool of_all = norm == qk_norm::per_projection;
    const bool by_head = norm == qk_norm::per_head || norm == qk_norm::weightless;
    normalization{.kind = norm_as,
                  .width = of_all || norm == qk_norm::every_head ? count * head_dim : head_dim,
                  .weight = norm != qk_norm::weightless,
                  .bias = norm_bias,
                  .over = split::tensor}
        .record(sink, by_head ? rows * static_cast<double>(count) : rows, name);
  }
};

/// Multi-head latent attention (DeepSeek-V2, section 2.1): keys and values come from one cached latent a token, beside
/// a small rotary key that all heads share. Scores run over nope + rope dimensions, the context over value dimensions.
struct latent_attention {
  std::int64_t hidden = 0, heads = 0;
  std::int64_t query_rank = 0;  ///< 0: queries come straight from the hidden state
  std::int64_t latent_rank = 0;
  std::int64_t nope_dim = 0, rope_dim = 0, value_dim = 0;
  bool bias = false;  ///< on the two down-projections and the output
  bool dropout = false;

  constexpr void record(books auto& sink, const work& asked) const {
    const double rows = asked.token_count();
    const auto parts = static_cast<std::int32_t>(heads);
    const std::int64_t key_dim = nope_dim + rope_dim;
    if (query_rank > 0) {
      linear{.in = hidden, .out = query_rank, .bias = bias}.record(sink, rows, "attention.query_down");
      normalization{.kind = norm_kind::rms, .width = query_rank}.record(sink, rows, "attention.query_norm");
      linear{.in = query_rank, .out = heads * key_dim, .cut = tensor_cut::columns, .parts = parts}.record(
          sink, rows, "attention.query_up");
    } else {
      linear{.in = hidden, .out = heads * key_dim, .cut = tensor_cut::columns, .parts = parts}.record(
          sink, rows, "attention.query");
    }
    linear{.in = hidden, .out = latent_rank + rope_dim, .bias = bias, .keeps_input = false}.record(
        sink, rows, "attention.latent_down");
    normalization{.kind = norm_kind::rms, .width = latent_rank}.record(sink, rows, "attention.latent_norm");
    linear{.in = latent_rank, .out = heads * (nope_dim + value_dim), .cut = tensor_cut::columns, .parts = parts}.record(
        sink, rows, "attention.latent_up");
    // Every head's query has a rotary part, and one rotary key serves them all.
    if (rope_dim > 0)
      record_rotary(sink, rows * static_cast<double>(heads * rope_dim), rows * static_cast<double>(rope_dim), heads, 1);
    attention_core{.heads = static_cast<double>(heads),
                   .kv_heads = static_cast<double>(heads),
                   .key_dim = static_cast<double>(key_dim),
                   .value_dim = static_cast<double>(value_dim),
                   .cached_per_token = static_cast<double>(latent_rank + rope_dim),
                   .shared_cache = true,
                   .dropout = dropout}
        .record(sink, asked);
    linear{.in = heads * value_dim, .out = hidden, .bias = bias, .cut = tensor_cut::rows, .parts = parts}.record(
        sink, rows, "attention.output");
  }
};

}  // namespace flopledger
