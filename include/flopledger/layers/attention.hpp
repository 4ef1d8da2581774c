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
      record_run(sink, run, pairs, keys, run.count * fresh, run.count * kept, run.count * past, asked.training);
    });
  }
 private:
  constexpr void record_run(books auto& sink, const sequences& run, double pairs, double keys, double fresh,
                            double kept, double past, bool training) const {
    const double queries = run.count * run.length;
    const double products = run.count * heads;
    const double matrix = queries * heads * keys;  // what an explicit kernel holds: the rectangle, whatever is masked
    const double visible = pairs * heads;
    const auto query_parts = static_cast<std::int32_t>(heads), kv_parts = static_cast<std::int32_t>(kv_heads);
    const bool drops = dropout && training;
    const split cache_split = shared_cache ? split::replicated : split::tensor;
    // Half of what a token leaves is keys; a latent is read by both products but held once.
    const double cached_keys = shared_cache ? cached_per_token : cached_per_token / 2;
    const double cached_values = shared_cache ? 0 : cached_per_token / 2;
    sink.take({.name = "attention.scores",
               .kind = operation::attention_scores,
               .shape = {.batch = products, .m = run.length, .n = keys, .k = key_dim},
               .multiplied = macs::from_value(visible * key_dim),
               .elementwise = flops::from_value(visible),
               .backward = {.input_products = 2, .elementwise = flops::from_value(visible)},
               .operands = {{.what = role::activation,
                             .how = use::read | use::saved,
                             .over = split::tensor,
                             .parts = query_parts,
                             .elements = queries * heads * key_dim},
                            {.what = role::activation,
                             .how = use::read | use::saved,
                             .over = split::tensor,
                             .parts = kv_parts,
                             .elements = fresh * kv_heads * key_dim},
                            {.what = role::attention_matrix,
                             .how = use::written,
                             .over = split::tensor,
                             .parts = query_parts,
                             .elements = matrix},
                            {.what = cached_keys > 0 ? role::cache : role::none,
                             .how = use::read,
                             .over = cache_split,
                             .parts = kv_parts,
                             .elements = kept * cached_keys,
                             .touched = past * cached_keys}}},
              1);
    sink.take({.name = "attention.softmax",
               .kind = operation::softmax,
               .held = parameters::from_value(sinks ? heads : 0.0),
               .active = parameters::from_value(sinks ? heads : 0.0),
               .elementwise = flops::from_value(5 * visible),
               .backward = {.elementwise = flops::from_value(4 * visible)},
               .operands = {{.what = role::attention_matrix,
                             .how = use::read,
                             .over = split::tensor,
                             .parts = query_parts,
                             .elements = matrix},
                            {.what = role::attention_matrix,
                             .how = use::written | use::saved,
                             .over = split::tensor,
                             .parts = query_parts,
                             .elements = matrix},
                            {.what = role::statistic,
                             .how = use::written | use::saved,
                             .over = split::tensor,
                             .parts = query_parts,
                             .elements = queries * heads},
                            {.what = sinks ? role::bias : role::none,
                             .how = use::read,
                             .over = split::tensor,
                             .parts = query_parts,
                             .elements = heads}}},
              1);
    if (drops)
      sink.take({.name = "attention.dropout",
                 .kind = operation::dropout,
                 .elementwise = flops::from_value(2 * visible),
                 .backward = {.elementwise = flops::from_value(2 * visible)},
                 .operands = {{.what = role::attention_matrix,
                               .how = use::read,
                               .over = split::tensor,
                               .parts = query_parts,
                               .elements = matrix},
                              {.what = role::attention_matrix,
                               .how = use::written | use::saved,
                               .over = split::tensor,
                               .parts = query_parts,
                               .elements = matrix},
                              {.what = role::mask,
                               .how = use::written | use::saved,
                               .over = split::tensor,
                               .parts = query_parts,
                               .elements = matrix}}},
                1);
    sink.take({.name = "attention.context",
               .kind = operation::attention_context,
               .shape = {.batch = products, .m = run.length, .n = value_dim, .k = keys},
               .multiplied = macs::from_value(visible * value_dim),
               .backward = {.input_products = 2},
               .operands = {{.what = role::attention_matrix,
                             .how = use::read,
                             .over = split::tensor,
                             .parts = query_parts,
                             .elements = matrix},
                            {.what = role::activation,
                             .how = use::read | use::saved,
                             .over = split::tensor,
                             .parts = kv_parts,
                             .elements = fresh * kv_heads * value_dim},
                            {.what = role::activation,
                             .how = use::written,
                             .over = split::tensor,
                             .parts = query_parts,
                             .elements = queries * heads * value_dim},
                            {.what = cached_values > 0 ? role::cache : role::none,
                             .how = use::read,
                             .over = cache_split,
                             .parts = kv_parts,
                             .elements = kept * cached_values,
                             .touched = past * cached_values}}},
              1);
  }
};

/// Rotary embedding of `queries` and `keys` elements: two multiplications and an addition an element (Su et al. 2021,
/// equation 34). Its backward is the inverse turn.
constexpr void record_rotary(books auto& sink, double queries, double keys, std::int64_t heads, std::int64_t kv_heads) {
  sink.take({.name = "attention.rotary",
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
                           .elements = keys}}},
            1);
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
    const std::string_view query_name = across ? "cross_attention.query" : "attention.query";
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
    record_norms(sink, rows, source_rows);
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
  constexpr void record_norms(books auto& sink, double rows, double source_rows) const {
    if (norm == qk_norm::none) return;
    const bool whole = norm == qk_norm::per_projection;
    const bool weight = norm != qk_norm::weightless;
    const auto record_one = [&](double vectors_of, std::int64_t count, std::string_view name) {
      const std::int64_t width = whole || norm == qk_norm::every_head ? count * head_dim : head_dim;
      const double vectors = norm == qk_norm::per_head || norm == qk_norm::weightless
                                 ? vectors_of * static_cast<double>(count)
                                 : vectors_of;
      normalization{.kind = norm_as, .width = width, .weight = weight, .bias = norm_bias, .over = split::tensor}.record(
          sink, vectors, name);
    };
    record_one(rows, heads, "attention.query_norm");
    record_one(source_rows, kv_heads, "attention.key_norm");
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
