// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// Each layer by itself, against counts by walking (brute_force.hpp) or by hand.

#include <flopledger/memory/kv_cache.hpp>
#include <flopledger/models/block_shape.hpp>

#include "brute_force.hpp"
#include "known_models.hpp"

namespace {
namespace fl = flopledger;
namespace unit = flopledger::unit;
using namespace flopledger::literals;
using fl::attention_counting;
using fl::attention_span;
using fl::operation;
using fl::row;
using fl::work;

// Layers that take a number of rows and a name.
constexpr fl::totals over_rows(const auto& layer, double rows) {
  fl::totals sum;
  layer.record(sum, rows, "layer");
  return sum;
}
constexpr double macs_of(const auto& layer, const work& asked) {
  return fl::total<&row::multiplied>(layer, asked).value();
}
constexpr double held_by(const auto& layer) { return fl::total<&row::held>(layer, fl::forward(1, 1)).value(); }
constexpr double active_in(const auto& layer) { return fl::total<&row::active>(layer, fl::forward(1, 1)).value(); }
// MACs of one kind of row.
constexpr double macs_of(const auto& layer, const work& asked, operation kind) {
  fl::tally chosen{0.0, [kind](const row& r) { return r.kind == kind ? r.multiplied.value() : 0.0; }};
  layer.record(chosen, asked);
  return chosen.total;
}
constexpr double core_macs(const auto& layer, const work& asked) {
  return macs_of(layer, asked, operation::attention_scores) + macs_of(layer, asked, operation::attention_context);
}
constexpr bool has_row(const auto& layer, const work& asked, std::string_view name) {
  fl::tally found{0.0, [name](const row& r) { return r.name == name ? 1.0 : 0.0; }};
  layer.record(found, asked);
  return found.total > 0;
}

// Pairs of query and key --------------------------------------------------------------------------------------------
constexpr bool pairs_match(attention_counting counting, attention_span span) {
  for (std::int64_t length = 1; length <= 9; ++length)
    for (std::int64_t cached = 0; cached <= 7; ++cached)
      for (std::int64_t window = 1; window <= (span == attention_span::whole ? 1 : 18); ++window) {
        const fl::sequences run{.length = static_cast<double>(length), .cached = static_cast<double>(cached)};
        // A window as long as the sequence limits nothing, and then the counting decides.
        const bool limits = span == attention_span::whole || window < length + cached;
        if (!limits && counting == attention_counting::full) continue;
        const auto walked = static_cast<double>(brute_force::pairs(length, cached, counting, span, window));
        if (fl::attended_pairs(run, counting, span, static_cast<double>(window)) != walked) return false;
      }
  return true;
}
static_assert(pairs_match(attention_counting::full, attention_span::whole));
static_assert(pairs_match(attention_counting::causal, attention_span::whole));
static_assert(pairs_match(attention_counting::causal, attention_span::sliding));
static_assert(pairs_match(attention_counting::full, attention_span::sliding));
static_assert(pairs_match(attention_counting::causal, attention_span::chunked));
static_assert(pairs_match(attention_counting::full, attention_span::chunked));
// Half of the square is neither: it leaves out half of the diagonal.
static_assert(fl::attended_pairs({.length = 8}, attention_counting::causal_half) == 32);
static_assert(fl::attended_pairs({.length = 8}, attention_counting::causal) == 36);
// One new token has nothing to halve.
static_assert(fl::attended_pairs({.length = 1, .cached = 9}, attention_counting::causal_half) == 10);
static_assert(fl::attended_pairs({.length = 2, .cached = 9}, attention_counting::causal_half) == 20);
// No window is longer than its sequence.
static_assert(fl::attended_pairs({.length = 8}, attention_counting::full, attention_span::sliding, 8) == 64);
static_assert(fl::attended_pairs({.length = 8}, attention_counting::full, attention_span::sliding, 7) == 35);

static_assert(fl::attended_past({.length = 3, .cached = 6}) == 6);
// A chunk of a prompt behind a window of 4: its first token, number 7, sees numbers 4 to 6 of the past.
static_assert(fl::attended_past({.length = 3, .cached = 6}, attention_span::sliding, 4) == 3);
static_assert(fl::attended_past({.length = 3, .cached = 2}, attention_span::sliding, 4) == 2);
static_assert(fl::attended_past({.length = 1, .cached = 9}, attention_span::sliding, 4) == 3);
static_assert(fl::attended_past({.length = 3, .cached = 6}, attention_span::chunked, 4) == 2);
static_assert(fl::attended_past({.length = 3, .cached = 8}, attention_span::chunked, 4) == 0);
static_assert(fl::kept_tokens({.length = 3, .cached = 6}) == 9);
static_assert(fl::kept_tokens({.length = 3, .cached = 6}, attention_span::sliding, 4) == 4);
static_assert(fl::kept_tokens({.length = 1, .cached = 2}, attention_span::sliding, 4) == 3);

// Work --------------------------------------------------------------------------------------------------------------
static_assert(fl::forward(3, 5).token_count() == 15 && fl::forward(3, 5).sequence_count() == 3);
static_assert(fl::decode_step(3, 5).token_count() == 3 && fl::decode_step(3, 5).run.total_length() == 6);
static_assert(fl::decode_step(3, 5).decoding() && !fl::prefill(3, 5).decoding());
static_assert(fl::training_step(1, 1).training && !fl::forward(1, 1).training && !fl::prefill(1, 1).training);
constexpr fl::sequences unequal[] = {{.count = 2, .length = 5}, {.count = 1, .length = 7}};
static_assert(fl::packed(unequal).token_count() == 17 && fl::packed(unequal).sequence_count() == 3);
constexpr fl::sequences going_on[] = {{.count = 2, .length = 1, .cached = 5}, {.count = 1, .length = 1, .cached = 7}};
static_assert(fl::packed(going_on).decoding() && !fl::packed(unequal).decoding());

// Linear ------------------------------------------------------------------------------------------------------------
constexpr fl::totals plain = over_rows(fl::linear{.in = 7, .out = 5}, 3);
static_assert(plain.multiplied.value() == static_cast<double>(brute_force::product(3, 5, 7).multiplications));
static_assert(plain.held == 35_parameters && plain.active == 35_parameters && plain.elementwise == 0_FLOP);
static_assert(plain.multiplied_backward == 2.0 * plain.multiplied);  // dX and dW
constexpr fl::totals biased = over_rows(fl::linear{.in = 7, .out = 5, .bias = true}, 3);
static_assert(biased.held == 40_parameters && biased.multiplied == plain.multiplied && biased.elementwise == 15_FLOP);
// Its weights are somebody else's: computed with, not stored.
constexpr fl::totals tied = over_rows(fl::linear{.in = 7, .out = 5, .tied = true}, 3);
static_assert(tied.held == 0_parameters && tied.multiplied == plain.multiplied);
// Nothing before it learns: dW alone.
static_assert(over_rows(fl::linear{.in = 7, .out = 5, .input_grad = false}, 3).multiplied_backward == plain.multiplied);
static_assert([] {  // frozen: dX alone
  fl::totals sum;
  fl::frozen still{sum};
  fl::linear{.in = 7, .out = 5, .bias = true}.record(still, 3.0, "frozen");
  return sum.multiplied_backward == plain.multiplied && sum.elementwise_backward == 0_FLOP;
}());

// Look-ups ----------------------------------------------------------------------------------------------------------
constexpr fl::embedding table{.entries = 1000, .width = 8};
static_assert(over_rows(table, 3).held == 8000_parameters);
static_assert(over_rows(table, 3).multiplied == 0_MAC && over_rows(table, 3).multiplied_backward == 0_MAC);
static_assert(over_rows(table, 3).elementwise == 0_FLOP);
static_assert(over_rows(table, 3).elementwise_backward == 24_FLOP);  // each token's gradient added to its row
static_assert(over_rows(fl::embedding{.entries = 1000, .width = 8, .trainable = false}, 3).elementwise_backward ==
              0_FLOP);
static_assert([] {  // bytes, not FLOPs: three rows are read, not the table
  fl::element_counts counted;
  table.record(counted, 3.0, "embedding");
  return counted.read == 3 * 8 + 3 && counted.written == 24;
}());
// A patch is a product over its pixels: ViT-B/16 at 224.
constexpr fl::patch_embedding patches{.image_size = 224, .patch_size = 16, .hidden = 768};
static_assert(patches.patches() == 196);
static_assert(over_rows(patches, 2).multiplied.value() == 2.0 * 196 * 768 * (3 * 16 * 16));
static_assert(over_rows(patches, 2).held.value() == 768 * 768 + 768);
static_assert(over_rows(patches, 2).multiplied_backward == over_rows(patches, 2).multiplied);  // pixels do not learn
static_assert(over_rows(fl::temporal_convolution{.in = 80, .out = 384}, 100).multiplied.value() ==
              100.0 * 80 * 3 * 384);

// Norms -------------------------------------------------------------------------------------------------------------
static_assert(over_rows(fl::normalization{.width = 8}, 3).held == 8_parameters);
static_assert(over_rows(fl::normalization{.width = 8, .weight = false}, 3).held == 0_parameters);
static_assert(over_rows(fl::normalization{.kind = fl::norm_kind::layer, .width = 8, .bias = true}, 3).held ==
              16_parameters);
static_assert(over_rows(fl::normalization{.kind = fl::norm_kind::none, .width = 8}, 3).held == 0_parameters);
static_assert(over_rows(fl::normalization{.width = 8}, 3).multiplied == 0_MAC);
static_assert(over_rows(fl::normalization{.width = 8}, 3).elementwise == 96_FLOP);  // square, add, scale, weight

// Feed-forward ------------------------------------------------------------------------------------------------------
static_assert(macs_of(fl::feed_forward{.hidden = 4, .intermediate = 16, .gated = false}, fl::forward(2, 3)) ==
              6 * 2 * 64);
static_assert(macs_of(fl::feed_forward{.hidden = 4, .intermediate = 16}, fl::forward(2, 3)) == 6 * 3 * 64);
static_assert(held_by(fl::feed_forward{
                  .hidden = 4, .intermediate = 16, .gated = false, .up_bias = true, .down_bias = true}) ==
              2 * 64 + 16 + 4);
static_assert(held_by(fl::feed_forward{.hidden = 4, .intermediate = 16, .up_bias = true}) == 3 * 64 + 2 * 16);

// Experts -----------------------------------------------------------------------------------------------------------
constexpr fl::mixture_of_experts experts{.hidden = 4, .experts = 6, .experts_per_token = 2, .intermediate = 5};
static_assert(held_by(experts) == 4 * 6 + 6 * 3 * 20);    // all of them, and the router
static_assert(active_in(experts) == 4 * 6 + 2 * 3 * 20);  // those of one token
static_assert([] {                                        // each token, each expert it goes to, each matrix
  double walked = 0;
  for (int token = 0; token < 10; ++token) {
    walked += 4 * 6;
    for (int expert = 0; expert < 6; ++expert)
      if (expert == token % 6 || expert == (token + 3) % 6) walked += 3 * 4 * 5;
  }
  return macs_of(experts, fl::forward(2, 5)) == walked;
}());
// Shared experts see every token and are always active; a learned gate is one more vector.
constexpr fl::mixture_of_experts with_shared{.hidden = 4,
                                             .experts = 6,
                                             .experts_per_token = 2,
                                             .intermediate = 5,
                                             .router_bias = true,
                                             .correction_bias = true,
                                             .shared_intermediate = 7,
                                             .shared_gate = true};
static_assert(held_by(with_shared) - held_by(experts) == 6 + 6 + 3 * 28 + 4);
static_assert(active_in(with_shared) - active_in(experts) == 6 + 6 + 3 * 28 + 4);
static_assert(macs_of(with_shared, fl::forward(1, 10)) - macs_of(experts, fl::forward(1, 10)) == 10 * (3 * 28 + 4));
static_assert(fl::totals_of(experts, fl::forward(1, 10)).multiplied_backward ==
              2.0 * fl::totals_of(experts, fl::forward(1, 10)).multiplied);

// Expected distinct experts: every way in which three tokens can each choose two of four, walked through.
static_assert([] {
  int choices[6][2]{}, count = 0;
  for (int a = 0; a < 4; ++a)
    for (int b = a + 1; b < 4; ++b) {
      choices[count][0] = a;
      choices[count][1] = b;
      ++count;
    }
  double touched = 0;
  for (const auto& x : choices)
    for (const auto& y : choices)
      for (const auto& z : choices) {
        bool used[4]{};
        for (const auto* choice : {&x, &y, &z}) used[(*choice)[0]] = used[(*choice)[1]] = true;
        for (const bool one : used) touched += one ? 1 : 0;
      }
  return fl::expected_distinct_experts(4, 2, 3) == touched / (6 * 6 * 6);
}());
static_assert(fl::expected_distinct_experts(8, 2, 1) == 2 && fl::expected_distinct_experts(8, 8, 1) == 8);
static_assert(fl::expected_distinct_experts(8, 2, 0) == 0 && fl::expected_distinct_experts(0, 0, 5) == 0);
static_assert(fl::expected_distinct_experts(8, 2, 1000) > 7.999 && fl::expected_distinct_experts(8, 2, 1000) <= 8);

// Attention ---------------------------------------------------------------------------------------------------------
constexpr fl::attention heads{.hidden = 12, .heads = 6, .kv_heads = 6, .head_dim = 4};
constexpr fl::attention grouped{.hidden = 12, .heads = 6, .kv_heads = 2, .head_dim = 4};
constexpr fl::attention one_key{.hidden = 12, .heads = 6, .kv_heads = 1, .head_dim = 4};
// head_dim stands apart from hidden / heads: 6 · 4 is not 12.
static_assert(held_by(heads) == 12 * (6 + 6 + 6) * 4 + 6 * 4 * 12);
static_assert(held_by(grouped) == 12 * (6 + 2 + 2) * 4 + 6 * 4 * 12);
static_assert(held_by(one_key) == 12 * (6 + 1 + 1) * 4 + 6 * 4 * 12);
// Sharing keys saves projections and cache, never scores.
static_assert(core_macs(heads, fl::forward(2, 5)) == 2.0 * 2 * 6 * 25 * 4);
static_assert(core_macs(grouped, fl::forward(2, 5)) == core_macs(heads, fl::forward(2, 5)));
static_assert(core_macs(one_key, fl::forward(2, 5)) == core_macs(heads, fl::forward(2, 5)));
static_assert(macs_of(heads, fl::forward(2, 5)) - macs_of(grouped, fl::forward(2, 5)) == 10.0 * 12 * 2 * 4 * 4);
static_assert(fl::kv_cache_bytes(heads, fl::forward(2, 5), fl::bf16::format) == 2.0 * 2 * 5 * 6 * 4 * 2 * unit::byte);
static_assert(fl::kv_cache_bytes(grouped, fl::forward(2, 5), fl::bf16::format) == 2.0 * 2 * 5 * 2 * 4 * 2 * unit::byte);
// Two products for each in backward: dQ and dK, dP and dV. Frozen weights save none of them.
constexpr double core_backward(bool frozen) {
  double sum = 0;
  fl::tally products{0.0, [](const row& r) {
                       return r.kind == operation::attention_scores || r.kind == operation::attention_context
                                  ? fl::backward_macs(r).value()
                                  : 0.0;
                     }};
  fl::frozen still{products};
  if (frozen)
    grouped.record(still, fl::training_step(2, 5));
  else
    grouped.record(products, fl::training_step(2, 5));
  sum += products.total;
  return sum;
}
static_assert(core_backward(false) == 2 * core_macs(grouped, fl::forward(2, 5)));
static_assert(core_backward(true) == core_backward(false));
// Biases of each projection.
static_assert(held_by(fl::attention{.hidden = 12, .heads = 6, .kv_heads = 2, .head_dim = 4, .query_bias = true}) ==
              held_by(grouped) + 24);
static_assert(held_by(fl::attention{.hidden = 12, .heads = 6, .kv_heads = 2, .head_dim = 4, .key_bias = true}) ==
              held_by(grouped) + 8);
static_assert(held_by(fl::attention{.hidden = 12, .heads = 6, .kv_heads = 2, .head_dim = 4, .value_bias = true}) ==
              held_by(grouped) + 8);
static_assert(held_by(fl::attention{.hidden = 12, .heads = 6, .kv_heads = 2, .head_dim = 4, .output_bias = true}) ==
              held_by(grouped) + 12);
static_assert(held_by(fl::attention{.hidden = 12, .heads = 6, .kv_heads = 2, .head_dim = 4, .sinks = true}) ==
              held_by(grouped) + 6);
// Norms of queries and keys.
constexpr double norm_weights(fl::qk_norm norm) {
  return held_by(fl::attention{.hidden = 12, .heads = 6, .kv_heads = 2, .head_dim = 4, .norm = norm}) -
         held_by(grouped);
}
static_assert(norm_weights(fl::qk_norm::none) == 0 && norm_weights(fl::qk_norm::weightless) == 0);
static_assert(norm_weights(fl::qk_norm::per_head) == 4 + 4);
static_assert(norm_weights(fl::qk_norm::every_head) == 24 + 8);
static_assert(norm_weights(fl::qk_norm::per_projection) == 24 + 8);
// Windows and chunks, layer by layer.
constexpr fl::attention sliding{
    .hidden = 12, .heads = 6, .kv_heads = 2, .head_dim = 4, .span = attention_span::sliding, .window = 3};
constexpr fl::attention chunked{
    .hidden = 12, .heads = 6, .kv_heads = 2, .head_dim = 4, .span = attention_span::chunked, .window = 3};
static_assert(core_macs(sliding, fl::forward(1, 8)) ==
              2.0 * 6 * 4 * static_cast<double>(brute_force::pairs(8, 0, {}, attention_span::sliding, 3)));
static_assert(core_macs(chunked, fl::forward(1, 8)) ==
              2.0 * 6 * 4 * static_cast<double>(brute_force::pairs(8, 0, {}, attention_span::chunked, 3)));
static_assert(fl::kv_cache_bytes(sliding, fl::forward(1, 8), fl::int8::format) == 2.0 * 3 * 2 * 4 * unit::byte);
// An encoder sees both ways whatever is asked, and keeps nothing.
constexpr fl::attention both_ways{
    .hidden = 12, .heads = 6, .kv_heads = 6, .head_dim = 4, .bidirectional = true, .cached = false};
static_assert(core_macs(both_ways, fl::forward(1, 5, attention_counting::causal)) == 2.0 * 6 * 25 * 4);
static_assert(fl::kv_cache_bytes(both_ways, fl::forward(1, 5), fl::bf16::format) == 0_B);
// Across: queries of 5 tokens by keys of 7 of another width, in no order.
constexpr fl::attention across{.hidden = 12, .heads = 6, .kv_heads = 6, .head_dim = 4, .source_hidden = 20};
constexpr work beside_seven(work asked) {
  asked.source_length = 7;
  return asked;
}
constexpr work reading = beside_seven(fl::forward(2, 5, attention_counting::causal));
static_assert(core_macs(across, reading) == 2.0 * 2 * 6 * 5 * 7 * 4);
static_assert(held_by(across) == 12 * 24 + 2 * 20 * 24 + 24 * 12);
static_assert(macs_of(across, reading, operation::projection) == 2.0 * (5 * 12 * 24 * 2 + 7 * 20 * 24 * 2));
// While decoding its keys and values are there already.
constexpr work writing = beside_seven(fl::decode_step(2, 5));
static_assert(macs_of(across, writing, operation::projection) == 2.0 * (12 * 24 * 2));
static_assert(core_macs(across, writing) == 2.0 * 2 * 6 * 7 * 4);

// Packed or not.
constexpr fl::sequences two_going_on[] = {{.count = 2, .length = 1, .cached = 5}};
static_assert(macs_of(across, beside_seven(fl::packed(two_going_on))) == macs_of(across, writing));

// Latent attention: scores over 3 + 2 dimensions, context over 4; one latent and one rotary key a token are kept.
constexpr fl::latent_attention latent{
    .hidden = 12, .heads = 6, .query_rank = 7, .latent_rank = 5, .nope_dim = 3, .rope_dim = 2, .value_dim = 4};
static_assert(macs_of(latent, fl::forward(2, 5), operation::attention_scores) == 2.0 * 6 * 25 * 5);
static_assert(macs_of(latent, fl::forward(2, 5), operation::attention_context) == 2.0 * 6 * 25 * 4);
static_assert(held_by(latent) == 12 * 7 + 7 + 7 * 6 * 5 + 12 * (5 + 2) + 5 + 5 * 6 * (3 + 4) + 6 * 4 * 12);
static_assert(fl::kv_cache_bytes(latent, fl::forward(2, 5), fl::bf16::format) == 2.0 * 5 * (5 + 2) * 2 * unit::byte);
static_assert(has_row(latent, fl::forward(1, 1), "attention.rotary"));
static_assert(!has_row(grouped, fl::forward(1, 1), "attention.rotary"));

// Decoding one token is the difference of two prefills that its token lies between.
constexpr bool decode_is_a_difference(const auto& layer) {
  for (int context = 1; context < 9; ++context) {
    const double longer = core_macs(layer, fl::prefill(3, context + 1, attention_counting::causal));
    const double shorter = core_macs(layer, fl::prefill(3, context, attention_counting::causal));
    if (core_macs(layer, fl::decode_step(3, context)) != longer - shorter) return false;
  }
  return true;
}
static_assert(decode_is_a_difference(heads) && decode_is_a_difference(grouped) && decode_is_a_difference(latent));
static_assert(decode_is_a_difference(sliding) && decode_is_a_difference(chunked));

// Packed sequences are the sum of what they are alone, and never look across.
static_assert([] {
  for (const attention_counting counting :
       {attention_counting::full, attention_counting::causal, attention_counting::causal_half}) {
    const double together = core_macs(grouped, fl::packed(unequal, counting));
    const double alone =
        core_macs(grouped, fl::forward(2, 5, counting)) + core_macs(grouped, fl::forward(1, 7, counting));
    const double as_one = core_macs(grouped, fl::forward(1, 17, counting));
    if (together != alone || together >= as_one) return false;
  }
  return macs_of(grouped, fl::packed(unequal), operation::projection) ==
         macs_of(grouped, fl::forward(1, 17), operation::projection);
}());

// Whole models ------------------------------------------------------------------------------------------------------
constexpr fl::block_shape small{.layers = 3,
                                .hidden = 12,
                                .heads = 6,
                                .kv_heads = 2,
                                .head_dim = 4,
                                .intermediate = 10,
                                .vocabulary = 31,
                                .positions = 9,
                                .query_bias = true,
                                .output_bias = true,
                                .feed_bias = true,
                                .placement = fl::norms::sandwich,
                                .query_key_norm = fl::qk_norm::per_head,
                                .sinks = true,
                                .window = 3,
                                .windowed = fl::layer_set::every(2, 1, 3),
                                .experts = 4,
                                .experts_per_token = 2,
                                .expert_intermediate = 5,
                                .shared_intermediate = 6,
                                .shared_gate = true,
                                .router_bias = true,
                                .sparse = fl::layer_set::range(1, 3)};
constexpr fl::transformer_config small_model = known_models::decoder(small);
static_assert(held_by(small_model) == static_cast<double>(brute_force::parameters(small)));
static_assert(active_in(small_model) == static_cast<double>(brute_force::parameters(small, true)));
static_assert(macs_of(small_model, fl::forward(1, 8)) ==
              static_cast<double>(brute_force::forward_macs(small, 8, 0, attention_counting::full, false)));
static_assert(macs_of(small_model, fl::prefill(2, 8, attention_counting::causal)) ==
              2.0 * static_cast<double>(brute_force::forward_macs(small, 8, 0, attention_counting::causal, true)));
static_assert(macs_of(small_model, fl::decode_step(5, 7)) ==
              5.0 * static_cast<double>(brute_force::forward_macs(small, 1, 7, attention_counting::causal, true)));
static_assert(fl::totals_of(small_model, fl::forward(1, 8)).multiplied_backward ==
              2.0 * fl::totals_of(small_model, fl::forward(1, 8)).multiplied);

// A prompt's logits are wanted once a sequence, a training step's once a token.
static_assert(macs_of(small_model, fl::prefill(2, 8), operation::head) == 2.0 * 12 * 31);
static_assert(macs_of(small_model, fl::forward(2, 8), operation::head) == 2.0 * 8 * 12 * 31);
static_assert(macs_of(small_model, fl::decode_step(2, 8), operation::head) == 2.0 * 12 * 31);

// Stages of a pipeline hold together what the stack holds, wherever it is cut.
static_assert([] {
  const work asked = fl::training_step(2, 8, attention_counting::causal);
  fl::totals whole;
  small_model.stack.record_blocks(whole, asked, 0, 3);
  for (std::int64_t cut = 0; cut <= 3; ++cut) {
    fl::totals parts;
    small_model.stack.record_blocks(parts, asked, 0, cut);
    small_model.stack.record_blocks(parts, asked, cut, 3);
    if (parts.held != whole.held || parts.multiplied != whole.multiplied || parts.active != whole.active ||
        parts.elementwise_backward != whole.elementwise_backward)
      return false;
  }
  return true;
}());

// Only training drops out and computes a loss.
constexpr fl::transformer_config dropping = known_models::decoder(known_models::gpt2_shape(2, 16, 2, 16, 16));
static_assert(has_row(dropping, fl::training_step(1, 4), "attention.dropout"));
static_assert(has_row(dropping, fl::training_step(1, 4), "loss"));
static_assert(!has_row(dropping, fl::forward(1, 4), "attention.dropout") &&
              !has_row(dropping, fl::forward(1, 4), "loss"));
static_assert(macs_of(dropping, fl::training_step(1, 4)) == macs_of(dropping, fl::forward(1, 4)));

// Mixers with a state: nothing grows with the context.
constexpr fl::mamba scan{.hidden = 4, .inner = 8, .state = 3, .kernel = 4, .step_rank = 2};
static_assert(held_by(scan) == 4 * 16 + (8 * 4 + 8) + 8 * (2 + 6) + (2 * 8 + 8) + (8 * 3 + 8) + 8 * 4);
static_assert(macs_of(scan, fl::forward(1, 10)) == 10.0 * (4 * 16 + 8 * 4 + 8 * 8 + 2 * 8 + 8 * 4));
static_assert(macs_of(scan, fl::decode_step(1, 5)) == macs_of(scan, fl::decode_step(1, 5000)));
static_assert(fl::kv_cache_bytes(scan, fl::decode_step(1, 5), fl::fp32::format) ==
              fl::kv_cache_bytes(scan, fl::decode_step(1, 5000), fl::fp32::format));
constexpr fl::lightning_attention linear_attention{.hidden = 8, .heads = 2, .head_dim = 4};
static_assert(macs_of(linear_attention, fl::forward(1, 10)) == 10.0 * (5 * 8 * 8 + 2 * 2 * 4 * 4));
static_assert(macs_of(linear_attention, fl::decode_step(1, 5)) == macs_of(linear_attention, fl::decode_step(1, 5000)));
}  // namespace
