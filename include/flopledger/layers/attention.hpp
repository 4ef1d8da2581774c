// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Attention: multi-head, grouped-query, multi-query, latent, windowed, sparse, and across to an encoder's tokens.

#include <flopledger/layers/elementwise.hpp>
#include <flopledger/layers/indexer.hpp>
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
  bool borrowed = false;        ///< keys and values are another layer's, and so is the cache that is read
  bool shared_cache = false;    ///< the cache is one latent for all heads, which tensor parallelism cannot split
  double latent = 0;            ///< of what the cache holds, that values are read from, where it is such a latent
  bool bidirectional = false;   ///< every token sees every token whatever the counting says
  bool sinks = false;           ///< one learned logit a head joins each softmax (gpt-oss)
  bool dropout = false;
  attention_span span = attention_span::whole;
  double window = 0, block = 1;
  bool across = false;  ///< keys and values come from an encoder's tokens (`work::source_of`)
  double ratio = 0;     ///< beside the tokens of the window, entries of so many tokens are attended to (DeepSeek-V4)
  double chosen = 0;    ///< of these, so many at most; 0: all

  /// What the products read: [queries, heads·key_dim], [keys, kv_heads·key_dim], [keys, kv_heads·value_dim].
  struct inputs {
    tensor query{}, key{}, value{};
  };

  /// scores: heads·pairs·key_dim MACs; context: heads·pairs·value_dim. Query heads count, never key/value heads:
  /// sharing keys saves projections and cache, not products. Backward: two products for each (dQ and dK, dP and dV).
  /// Returns [queries, heads·value_dim]. Of packed runs each has rows of its own, which read their parts of the inputs.
  constexpr tensor record(recording auto& into, const inputs& of_all, const work& asked) const {
    const tensor output = into.made(at(position::context), operation::attention_context);
    const bool one_run = asked.packed.begin() == asked.packed.end();
    const inputs from = one_run ? of_all : inputs{part_of(of_all.query), part_of(of_all.key), part_of(of_all.value)};
    asked.for_each_run([&](const sequences& run) {
      if (run.count <= 0) return;
      const extent e = extent_of(run, asked);
      into.take(scores_row(e, from));
      into.take(softmax_row(e));
      if (dropout && asked.training) into.take(dropout_row(e));
      into.take(context_row(e, from, output));
    });
    return output;
  }
  /// The layer by itself.
  constexpr void record(books auto& sink, const work& asked) const {
    recorder alone{sink};
    record(alone, {alone.enters(), alone.enters(), alone.enters()}, asked);
  }
 private:
  constexpr place at(position where) const { return {across ? sublayer::cross_attention : sublayer::attention, where}; }

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
    double computed = 1;
    std::int32_t query_parts = 0, kv_parts = 0;
    operand matrix{};  ///< what an explicit kernel holds: the rectangle, whatever is masked
  };
  constexpr extent extent_of(const sequences& run, const work& asked) const {
    const double source = asked.source_of(run);
    const double total = across ? source : run.total_length();
    double pairs = run.count * (across ? run.length * source
                                       : attended_pairs(run, bidirectional ? attention_counting::full : asked.attention,
                                                        span, window, block));
    double kept = across ? source : kept_tokens(run, span, window);
    double fresh = across ? (run.cached > 0 ? 0.0 : source) : run.length;
    double past = across ? source - fresh : attended_past(run, span, window);
    // A query computes with what it may see: all keys of a block, but of chosen ones only those.
    const bool few = span == attention_span::chosen && window < total;
    double keys = few ? window : run.length == 1 ? kept : total;
    if (ratio > 0) {
      const double entries = compressed_entries(total, ratio), before = compressed_entries(run.cached, ratio);
      const auto most = [](double some, double limit) { return limit > 0 && limit < some ? limit : some; };
      pairs += run.count * compressed_pairs(run, ratio, chosen);
      kept += entries;
      fresh += entries - before;
      past += most(before, chosen * run.length);
      keys += most(entries, chosen);
    }
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
        .computed = latent > 0 ? over_latents(pairs, run.count * past) : 1.0,
        .query_parts = parts,
        .kv_parts = static_cast<std::int32_t>(kv_heads),
        .matrix = {
            .what = role::attention_matrix, .over = split::tensor, .parts = parts, .elements = queries * heads * keys}};
  }
  // Cached latents are read as they are, in their width for keys and for values (DeepSeek-V2, section 2.1.2: the
  // up-projection is absorbed into queries and outputs), or made into heads anew, whichever is less.
  constexpr double over_latents(double pairs, double past) const {
    const double own = pairs * (key_dim + value_dim);
    const double absorbed = pairs * (cached_per_token + latent) - own;
    const double expanded = past * latent * (key_dim - (cached_per_token - latent) + value_dim);
    return own > 0 ? 1 + (absorbed < expanded ? absorbed : expanded) / own : 1.0;
  }
  // The matrix is read by the row behind the one that made it, which keeps what it needs of it.
  constexpr operand used(operand as, use how, operation maker) const {
    as.how = how;
    as.of.made_by = {.where = at(position::scores), .kind = maker};
    return as;
  }
  // Half of what a token leaves is keys, and half values; a latent is read by both products but held once.
  constexpr operand cache_operand(const extent& e, double per_token) const {
    return {.what = per_token > 0 ? role::cache : role::none,
            .how = use::read,
            .over = shared_cache ? split::replicated : split::tensor,
            .parts = e.kv_parts,
            .elements = borrowed ? 0.0 : e.kept * per_token,
            .touched = e.past * per_token};
  }

  constexpr row scores_row(const extent& e, const inputs& from) const {
    return {.name = text_of("attention.scores"),
            .where = at(position::scores),
            .kind = operation::attention_scores,
            .shape = {.batch = e.products, .m = e.length, .n = e.keys, .k = key_dim},
            .multiplied = macs::from_value(e.visible * key_dim),
            .computed = e.computed,
            .elementwise = flops::from_value(e.visible),
            .backward = {.input_products = 2, .elementwise = flops::from_value(e.visible)},
            .operands = {{.what = role::activation,
                          .how = use::read | use::saved,
                          .over = split::tensor,
                          .parts = e.query_parts,
                          .elements = e.queries * heads * key_dim,
                          .of = from.query},
                         {.what = role::activation,
                          .how = use::read | use::saved,
                          .over = split::tensor,
                          .parts = e.kv_parts,
                          .elements = e.fresh * kv_heads * key_dim,
                          .of = from.key},
                         used(e.matrix, use::written, operation::attention_scores),
                         cache_operand(e, shared_cache ? cached_per_token : cached_per_token / 2)}};
  }
  constexpr row softmax_row(const extent& e) const {
    const double stored = sinks ? heads : 0.0;
    return {.name = text_of("attention.softmax"),
            .where = at(position::softmax),
            .kind = operation::softmax,
            .held = parameters::from_value(stored),
            .active = parameters::from_value(stored),
            .elementwise = flops::from_value(5 * e.visible),
            .backward = {.elementwise = flops::from_value(4 * e.visible)},
            .operands = {used(e.matrix, use::read, operation::attention_scores),
                         used(e.matrix, use::written | use::saved, operation::softmax),
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
  constexpr row dropout_row(const extent& e) const {
    operand mask = used(e.matrix, use::written | use::saved, operation::dropout);
    mask.what = role::mask;
    return {.name = text_of("attention.dropout"),
            .where = at(position::probability_dropout),
            .kind = operation::dropout,
            .elementwise = flops::from_value(2 * e.visible),
            .backward = {.elementwise = flops::from_value(2 * e.visible)},
            .operands = {used(e.matrix, use::read, operation::softmax),
                         used(e.matrix, use::written | use::saved, operation::dropout), mask}};
  }
  constexpr row context_row(const extent& e, const inputs& from, const tensor& output) const {
    return {.name = text_of("attention.context"),
            .where = at(position::context),
            .kind = operation::attention_context,
            .shape = {.batch = e.products, .m = e.length, .n = value_dim, .k = e.keys},
            .multiplied = macs::from_value(e.visible * value_dim),
            .computed = e.computed,
            .backward = {.input_products = 2},
            .operands = {used(e.matrix, use::read, operation::softmax),
                         {.what = role::activation,
                          .how = use::read | use::saved,
                          .over = split::tensor,
                          .parts = e.kv_parts,
                          .elements = e.fresh * kv_heads * value_dim,
                          .of = from.value},
                         {.what = role::activation,
                          .how = use::written,
                          .over = split::tensor,
                          .parts = e.query_parts,
                          .elements = e.queries * heads * value_dim,
                          .of = output},
                         cache_operand(e, shared_cache ? 0.0 : cached_per_token / 2)}};
  }
};

/// Rotary embedding of `queries` and `keys` elements, in place: two multiplications and an addition an element (Su et
/// al. 2021, equation 34). Its backward is the inverse turn.
struct rotary_embedding {
  double queries = 0, keys = 0;
  std::int64_t heads = 0, kv_heads = 0;

  constexpr row as_row(place where, const tensor& query, const tensor& key, const tensor& turned_query,
                       const tensor& turned_key) const {
    const auto turned = [](use how, std::int64_t parts, double elements, const tensor& of) {
      return operand{.what = role::activation,
                     .how = how,
                     .over = split::tensor,
                     .parts = static_cast<std::int32_t>(parts),
                     .elements = elements,
                     .of = of};
    };
    return {.name = text_of("attention.rotary"),
            .where = where,
            .kind = operation::rotary,
            .elementwise = flops::from_value(3 * (queries + keys)),
            .backward = {.elementwise = flops::from_value(3 * (queries + keys))},
            .operands = {turned(use::read, heads, queries, query), turned(use::read, kv_heads, keys, key),
                         turned(use::written, heads, queries, turned_query),
                         turned(use::written, kv_heads, keys, turned_key)}};
  }
  /// Turns the queries and the keys of what attention reads.
  constexpr void record(recording auto& into, attention_core::inputs& of, sublayer in) const {
    const place where{in, position::rotary};
    const tensor query = into.made(where, operation::rotary), key = into.made(where, operation::rotary);
    into.take(as_row(where, of.query, of.key, query, key));
    of.query = query;
    of.key = key;
  }
};

/// What attention puts out, scaled by the sigmoid of a product of its input that is as wide.
constexpr tensor record_output_gate(recording auto& into, const tensor& x, const tensor& mixed, double rows,
                                    place where, const linear& widen) {
  const tensor gate = widen.record(into, x, rows, where, "attention.output_gate");
  return record_gated_activation(into, activation_function::sigmoid, gate, mixed, rows * static_cast<double>(widen.out),
                                 split::tensor, {where.in, position::activation}, "attention.gating");
}

/// Multi-head attention; grouped-query with fewer `kv_heads`, multi-query with one.
struct attention {
  std::int64_t hidden = 0, heads = 0, kv_heads = 0, head_dim = 0;
  std::int64_t input = 0;      ///< width of what is read; 0: the hidden width
  std::int64_t value_dim = 0;  ///< of a value; 0: as wide as a key (MiMo-V2 has narrower ones)
  bool query_bias = false, key_bias = false, value_bias = false, output_bias = false;
  qk_norm norm = qk_norm::none;
  norm_kind norm_as = norm_kind::rms;
  bool norm_bias = false;
  double rotary_dims = 0;  ///< of each head that the rotary embedding turns; 0: none
  bool sinks = false;
  bool bidirectional = false;
  bool cached = true;        ///< keys and values outlive the pass: false in an encoder
  bool output_gate = false;  ///< a product as wide as the queries scales what is put out, by its sigmoid (Qwen3-Next)
  bool dropout = false;
  attention_span span = attention_span::whole;
  std::int64_t window = 0;
  indexer index{};                 ///< that chooses the keys where `span` is so; absent without heads
  std::int64_t block = 1;          ///< tokens that it chooses at once
  std::int64_t source_hidden = 0;  ///< width of an encoder's output that keys and values are made of; 0:
                                   ///< self-attention. `work::source_of` says how many tokens it has.
  bool keys_are_values = false;    ///< one product makes both (Gemma-4's attention_k_eq_v)
  bool value_norm = false;         ///< values are normalised by head too, nothing learned (Gemma-3n)
  bool head_gate = false;          ///< each head's output is scaled by a sigmoid of its own (Step-3.5)
  bool borrowed = false;           ///< keys and values are an earlier layer's (Gemma-3n's num_kv_shared_layers)

  constexpr std::int64_t value_width() const { return value_dim > 0 ? value_dim : head_dim; }

  /// x and what it returns: [tokens, hidden].
  constexpr tensor record(recording auto& into, const tensor& x, const work& asked) const {
    const double rows = asked.token_count();
    const std::int64_t read = input > 0 ? input : hidden;
    const bool across = source_hidden > 0;
    const sublayer in = across ? sublayer::cross_attention : sublayer::attention;
    const double source_rows = across ? asked.source_token_count() : rows;
    const tensor source = across ? into.enters(position::encoder_output) : x;
    const auto query_parts = static_cast<std::int32_t>(heads), kv_parts = static_cast<std::int32_t>(kv_heads);
    attention_core::inputs from;
    const linear to_query{
        .in = read, .out = heads * head_dim, .bias = query_bias, .cut = tensor_cut::columns, .parts = query_parts};
    from.query =
        to_query.record(into, x, rows, {in, position::query}, across ? "cross_attention.query" : "attention.query");
    linear to_kv{.in = across ? source_hidden : read,
                 .out = kv_heads * head_dim,
                 .bias = key_bias,
                 .cut = tensor_cut::columns,
                 .parts = kv_parts};
    if (!borrowed) {
      from.key = from.value = to_kv.record(into, source, source_rows, {in, position::key},
                                           across ? "cross_attention.key" : "attention.key");
      to_kv.out = kv_heads * value_width();
      to_kv.bias = value_bias;
      if (!keys_are_values)
        from.value = to_kv.record(into, source, source_rows, {in, position::value},
                                  across ? "cross_attention.value" : "attention.value");
    }
    if (norm != qk_norm::none) {
      from.query = record_norm(into, from.query, rows, heads, {in, position::query_norm}, "attention.query_norm");
      if (!borrowed)
        from.key = record_norm(into, from.key, source_rows, kv_heads, {in, position::key_norm}, "attention.key_norm");
    }
    if (value_norm && !borrowed)
      from.value =
          normalization{.kind = norm_as, .width = value_width(), .weight = false, .over = split::tensor}.record(
              into, from.value, source_rows * static_cast<double>(kv_heads), {in, position::value_norm},
              "attention.value_norm");
    if (rotary_dims > 0)
      rotary_embedding{.queries = rows * static_cast<double>(heads) * rotary_dims,
                       .keys = borrowed ? 0.0 : source_rows * static_cast<double>(kv_heads) * rotary_dims,
                       .heads = heads,
                       .kv_heads = kv_heads}
          .record(into, from, in);
    if (index.heads > 0) index.record(into, x, x, asked);
    tensor mixed =
        attention_core{.heads = static_cast<double>(heads),
                       .kv_heads = static_cast<double>(kv_heads),
                       .key_dim = static_cast<double>(head_dim),
                       .value_dim = static_cast<double>(value_width()),
                       .cached_per_token = cached ? static_cast<double>(kv_heads * (head_dim + value_width())) : 0.0,
                       .borrowed = borrowed,
                       .bidirectional = bidirectional,
                       .sinks = sinks,
                       .dropout = dropout,
                       .span = span,
                       .window = static_cast<double>(window),
                       .block = static_cast<double>(block),
                       .across = across}
            .record(into, from, asked);
    if (head_gate) mixed = record_head_gate(into, x, mixed, rows);
    if (output_gate) mixed = record_output_gate(into, x, mixed, rows, {in, position::output_gate}, to_query);
    return linear{
        .in = heads * value_width(), .out = hidden, .bias = output_bias, .cut = tensor_cut::rows, .parts = query_parts}
        .record(into, mixed, rows, {in, position::output}, across ? "cross_attention.output" : "attention.output");
  }
  /// The layer by itself.
  constexpr void record(books auto& sink, const work& asked) const {
    recorder alone{sink};
    record(alone, alone.enters(), asked);
  }
 private:
  constexpr tensor record_head_gate(recording auto& into, const tensor& x, const tensor& mixed, double rows) const {
    const place where{sublayer::attention, position::head_gate};
    const auto parts = static_cast<std::int32_t>(heads);
    const tensor gate = linear{.in = hidden, .out = heads, .cut = tensor_cut::columns, .parts = parts}.record(
        into, x, rows, where, "attention.head_gate");
    const double gates = rows * static_cast<double>(heads), elements = gates * static_cast<double>(value_width());
    const tensor gated = into.made(where, operation::activation);
    const auto of_heads = [&](use how, double count, const tensor& of) {
      return operand{
          .what = role::activation, .how = how, .over = split::tensor, .parts = parts, .elements = count, .of = of};
    };
    // A sigmoid of three operations a head, and a multiplication an element.
    into.take(
        {.name = text_of("attention.head_gating"),
         .where = where,
         .kind = operation::activation,
         .elementwise = flops::from_value(3 * gates + elements),
         .backward = {.elementwise = flops::from_value(2 * gates + 3 * elements)},
         .operands = {of_heads(use::read | use::saved, gates, gate), of_heads(use::read | use::saved, elements, mixed),
                      of_heads(use::written, elements, gated)}});
    return gated;
  }
  constexpr tensor record_norm(recording auto& into, const tensor& x, double rows, std::int64_t count, place where,
                               const char* name) const {
    const bool of_all = norm == qk_norm::per_projection;
    const bool by_head = norm == qk_norm::per_head || norm == qk_norm::weightless;
    return normalization{.kind = norm_as,
                         .width = of_all || norm == qk_norm::every_head ? count * head_dim : head_dim,
                         .weight = norm != qk_norm::weightless,
                         .bias = norm_bias,
                         .over = split::tensor}
        .record(into, x, by_head ? rows * static_cast<double>(count) : rows, where, name);
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
  indexer index{};             ///< absent without heads: every query attends to all that it may see
  bool borrows_index = false;  ///< what an earlier layer's indexer chose is attended to (GLM-5.2's indexer_types)
  bool rotary = true;          ///< false: the dimensions are there and nothing is turned (Kimi-Linear)
  bool output_gate = false;    ///< as in `attention` (Kimi-K3)

  /// x and what it returns: [tokens, hidden].
  constexpr tensor record(recording auto& into, const tensor& x, const work& asked) const {
    const double rows = asked.token_count();
    const auto parts = static_cast<std::int32_t>(heads);
    const std::int64_t key_dim = nope_dim + rope_dim;
    attention_core::inputs from;
    tensor query_latent = x;
    if (query_rank > 0) {
      const tensor latent = linear{.in = hidden, .out = query_rank, .bias = bias}.record(
          into, x, rows, at(position::query_down), "attention.query_down");
      query_latent = normalization{.kind = norm_kind::rms, .width = query_rank}.record(
          into, latent, rows, at(position::query_norm), "attention.query_norm");
      from.query = linear{.in = query_rank, .out = heads * key_dim, .cut = tensor_cut::columns, .parts = parts}.record(
          into, query_latent, rows, at(position::query_up), "attention.query_up");
    } else {
      from.query = linear{.in = hidden, .out = heads * key_dim, .cut = tensor_cut::columns, .parts = parts}.record(
          into, x, rows, at(position::query), "attention.query");
    }
    const tensor latent = linear{.in = hidden, .out = latent_rank + rope_dim, .bias = bias}.record(
        into, x, rows, at(position::latent_down), "attention.latent_down");
    const tensor normed = normalization{.kind = norm_kind::rms, .width = latent_rank}.record(
        into, latent, rows, at(position::latent_norm), "attention.latent_norm");
    const tensor keys_and_values =
        linear{.in = latent_rank, .out = heads * (nope_dim + value_dim), .cut = tensor_cut::columns, .parts = parts}
            .record(into, normed, rows, at(position::latent_up), "attention.latent_up");
    from.key = from.value = part_of(keys_and_values);
    // Every head's query has a rotary part, and one rotary key serves them all.
    if (rotary && rope_dim > 0)
      rotary_embedding{.queries = rows * static_cast<double>(heads * rope_dim),
                       .keys = rows * static_cast<double>(rope_dim),
                       .heads = heads,
                       .kv_heads = 1}
          .record(into, from, sublayer::attention);
    const bool sparse = index.heads > 0;
    if (sparse && !borrows_index) index.record(into, x, query_latent, asked);
    tensor mixed = attention_core{.heads = static_cast<double>(heads),
                                  .kv_heads = static_cast<double>(heads),
                                  .key_dim = static_cast<double>(key_dim),
                                  .value_dim = static_cast<double>(value_dim),
                                  .cached_per_token = static_cast<double>(latent_rank + rope_dim),
                                  .shared_cache = true,
                                  .latent = static_cast<double>(latent_rank),
                                  .dropout = dropout,
                                  .span = sparse ? attention_span::chosen : attention_span::whole,
                                  .window = static_cast<double>(index.chosen)}
                       .record(into, from, asked);
    if (output_gate)
      mixed = record_output_gate(into, x, mixed, rows, at(position::output_gate),
                                 {.in = hidden, .out = heads * value_dim, .cut = tensor_cut::columns, .parts = parts});
    return linear{.in = heads * value_dim, .out = hidden, .bias = bias, .cut = tensor_cut::rows, .parts = parts}.record(
        into, mixed, rows, at(position::output), "attention.output");
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
