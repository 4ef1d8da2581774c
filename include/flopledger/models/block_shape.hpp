// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The dimensions and habits of a model, each said once, and the configuration that they make.

#include <flopledger/models/transformer.hpp>

namespace flopledger {

/// One stack in the terms that papers and configurations use. `transformer_config` holds what the layers need, where a
/// width stands in many places; here it stands in one, and `make_stack` spreads it.
struct block_shape {
  std::int64_t layers = 0, hidden = 0, heads = 0;
  std::int64_t kv_heads = 0;      ///< 0: as many as heads
  std::int64_t head_dim = 0;      ///< 0: hidden / heads, which must have no remainder then
  std::int64_t intermediate = 0;  ///< of the dense feed-forward layers
  std::int64_t vocabulary = 0;    ///< rows of the token table, padding included
  bool tied = false;
  bool head_bias = false;
  std::int64_t positions = 0;  ///< rows of a learned table; 0: rotary, ALiBi or none

  bool query_bias = false, key_bias = false, value_bias = false, output_bias = false;
  bool feed_bias = false;
  bool gated = true;
  activation_function activation = activation_function::silu;
  norm_config norm{};
  norm_placement placement = norms::pre;
  bool parallel = false;
  bool final_norm = true;
  qk_norm query_key_norm = qk_norm::none;
  norm_kind query_key_norm_kind = norm_kind::rms;
  bool query_key_norm_bias = false;
  double rotary_fraction = 1.0;  ///< of each head's width; 0: none
  bool sinks = false;
  bool output_gate = false;
  bool dropout = false;
  bool causal = true;

  std::int64_t window = 0;
  attention_span span = attention_span::sliding;
  layer_set windowed{};

  std::int64_t experts = 0, experts_per_token = 0, expert_intermediate = 0;
  std::int64_t shared_intermediate = 0;
  std::int64_t expert_latent = 0;  ///< width that routed experts work on; 0: the hidden width
  bool shared_gate = false, router_bias = false, correction_bias = false, expert_bias = false;
  layer_set sparse{};

  std::int64_t query_rank = 0, latent_rank = 0, nope_dim = 0, rope_dim = 0;
  std::int64_t value_dim = 0;  ///< 0, where there is no latent: as wide as a key
  bool latent_bias = false;
  std::int64_t index_heads = 0, index_dim = 0, index_chosen = 0;
  layer_set reduced{};

  std::int64_t context = 0;
};

/// Layers below `layers` that are `last` of every `period`: Gemma-3's global layers are the sixth of every six.
constexpr layer_set every_last_of(std::int64_t period, std::int64_t layers) {
  return layer_set::every(period, period - 1, layers);
}

constexpr mixture_of_experts make_mixture(const block_shape& s) {
  return {.hidden = s.hidden,
          .experts = s.experts,
          .experts_per_token = s.experts_per_token,
          .intermediate = s.expert_intermediate,
          .gated = s.gated,
          .up_bias = s.expert_bias,
          .down_bias = s.expert_bias,
          .router_bias = s.router_bias,
          .correction_bias = s.correction_bias,
          .shared_intermediate = s.shared_intermediate,
          .shared_gate = s.shared_gate,
          .activation = s.activation,
          .latent = s.expert_latent};
}

constexpr attention make_attention(const block_shape& s) {
  // A quotient with a remainder is no width: `problem_of` refuses what has none.
  const bool divides = s.heads > 0 && s.hidden % s.heads == 0;
  const std::int64_t head_dim = s.head_dim > 0 ? s.head_dim : divides ? s.hidden / s.heads : 0;
  return {.hidden = s.hidden,
          .heads = s.heads,
          .kv_heads = s.kv_heads > 0 ? s.kv_heads : s.heads,
          .head_dim = head_dim,
          .value_dim = s.value_dim,
          .query_bias = s.query_bias,
          .key_bias = s.key_bias,
          .value_bias = s.value_bias,
          .output_bias = s.output_bias,
          .norm = s.query_key_norm,
          .norm_as = s.query_key_norm_kind,
          .norm_bias = s.query_key_norm_bias,
          .rotary_dims = s.rotary_fraction * static_cast<double>(head_dim),
          .sinks = s.sinks,
          .bidirectional = !s.causal,
          .cached = s.causal,
          .output_gate = s.output_gate,
          .dropout = s.dropout};
}

constexpr stack make_stack(const block_shape& s) {
  stack made{.layers = s.layers,
             .hidden = s.hidden,
             .attention = make_attention(s),
             .windowed = s.windowed,
             .span = s.span,
             .window = s.window,
             .reduced = s.reduced,
             .feed = {.hidden = s.hidden,
                      .intermediate = s.intermediate,
                      .gated = s.gated,
                      .up_bias = s.feed_bias,
                      .down_bias = s.feed_bias,
                      .activation = s.activation},
             .mixture = make_mixture(s),
             .sparse = s.sparse,
             .norm = s.norm,
             .placement = s.placement,
             .parallel = s.parallel,
             .final_norm = s.final_norm,
             .residual_dropout = s.dropout};
  if (s.latent_rank > 0)
    made.latent = {.hidden = s.hidden,
                   .heads = s.heads,
                   .query_rank = s.query_rank,
                   .latent_rank = s.latent_rank,
                   .nope_dim = s.nope_dim,
                   .rope_dim = s.rope_dim,
                   .value_dim = s.value_dim,
                   .bias = s.latent_bias,
                   .index = {.hidden = s.hidden,
                             .query_in = s.query_rank,
                             .heads = s.index_heads,
                             .head_dim = s.index_dim,
                             .rope_dim = s.rope_dim,
                             .chosen = s.index_chosen}};
  return made;
}

/// A decoder: token table, blocks, final norm, head on the vocabulary.
///
/// A template with nothing to deduce, so that a template that describes a model can make its call depend on its own
/// argument, `make_decoder<T>(…)`: a compiler then analyses the description only where it is used.
template <class = void>
constexpr transformer_config make_decoder(std::string_view architecture, const block_shape& s) {
  return {.architecture = architecture,
          .embedding = {.vocabulary = s.vocabulary, .width = s.hidden, .positions = s.positions},
          .stack = make_stack(s),
          .head = {.outputs = s.vocabulary, .tied = s.tied, .bias = s.head_bias},
          .context = s.context};
}

}  // namespace flopledger
