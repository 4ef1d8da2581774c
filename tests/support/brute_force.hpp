// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Counts by walking: every position, every head, every expert, every element. Slow, and written without a look at the
/// closed forms that it checks.

#include <flopledger/models/block_shape.hpp>

#include <cstdint>

namespace brute_force {

using flopledger::attention_counting;
using flopledger::attention_span;

/// Does the token at `query` see the one at `key`?
constexpr bool sees(std::int64_t query, std::int64_t key, attention_counting counting, attention_span span = {},
                    std::int64_t window = 0) {
  switch (span) {
    case attention_span::whole:
      return counting == attention_counting::full || key <= query;
    case attention_span::sliding:
      return key <= query && query - key < window;
    case attention_span::chunked:
      return key <= query && query / window == key / window;
    case attention_span::chosen:  // any `window` earlier tokens: as well the last
      return key <= query && query - key < window;
    case attention_span::around:
      return query - key < window && key - query < window;
  }
  return false;
}

/// Pairs of one sequence with `cached` tokens behind it and `length` new ones.
constexpr std::int64_t pairs(std::int64_t length, std::int64_t cached, attention_counting counting,
                             attention_span span = {}, std::int64_t window = 0) {
  std::int64_t seen = 0;
  for (std::int64_t query = cached; query < cached + length; ++query)
    for (std::int64_t key = 0; key < cached + length; ++key) seen += sees(query, key, counting, span, window) ? 1 : 0;
  return seen;
}

struct operations {
  std::int64_t multiplications = 0, additions = 0;
};

/// A matrix product carried out element by element.
constexpr operations product(std::int64_t m, std::int64_t n, std::int64_t k) {
  operations done;
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      done.multiplications += k;
      done.additions += k - 1;
    }
  return done;
}

/// Multiply-adds of a decoder's forward pass over one sequence, token by token and layer by layer. The head runs on
/// every token, or on the last alone.
constexpr std::int64_t forward_macs(const flopledger::block_shape& s, std::int64_t length, std::int64_t cached,
                                    attention_counting counting, bool head_on_last_only) {
  const std::int64_t head_dim = s.head_dim > 0 ? s.head_dim : s.hidden / s.heads;
  const std::int64_t kv_heads = s.kv_heads > 0 ? s.kv_heads : s.heads;
  std::int64_t macs = 0;
  for (std::int64_t layer = 0; layer < s.layers; ++layer) {
    const bool limited = s.windowed.contains(layer);
    for (std::int64_t token = cached; token < cached + length; ++token) {
      macs += s.hidden * s.heads * head_dim;   // query
      macs += s.hidden * kv_heads * head_dim;  // key
      macs += s.hidden * kv_heads * head_dim;  // value
      for (std::int64_t head = 0; head < s.heads; ++head)
        for (std::int64_t key = 0; key < cached + length; ++key)
          if (sees(token, key, counting, limited ? s.span : attention_span::whole, s.window))
            macs += head_dim + head_dim;      // one score, one weighted value
      macs += s.heads * head_dim * s.hidden;  // output
      const std::int64_t matrices = s.gated ? 3 : 2;
      if (s.sparse.contains(layer)) {
        macs += s.hidden * s.experts;  // router
        for (std::int64_t expert = 0; expert < s.experts; ++expert)
          if ((token + expert) % s.experts < s.experts_per_token)  // some choice of so many
            macs += matrices * s.hidden * s.expert_intermediate;
        macs += matrices * s.hidden * s.shared_intermediate;
        if (s.shared_intermediate > 0 && s.shared_gate) macs += s.hidden;
      } else {
        macs += matrices * s.hidden * s.intermediate;
      }
    }
  }
  for (std::int64_t token = 0; token < length; ++token)
    if (!head_on_last_only || token == length - 1) macs += s.hidden * s.vocabulary;
  return macs;
}

/// Weights of a decoder, layer by layer and vector by vector.
constexpr std::int64_t parameters(const flopledger::block_shape& s, bool active_only = false) {
  const std::int64_t head_dim = s.head_dim > 0 ? s.head_dim : s.hidden / s.heads;
  const std::int64_t kv_heads = s.kv_heads > 0 ? s.kv_heads : s.heads;
  const std::int64_t norm_vectors = (s.norm.weight ? 1 : 0) + (s.norm.bias ? 1 : 0);
  const std::int64_t norms_a_block = (s.placement.mixer_in ? 1 : 0) + (s.placement.mixer_out ? 1 : 0) +
                                     (s.placement.feed_in ? 1 : 0) + (s.placement.feed_out ? 1 : 0);
  const auto feed = [&](std::int64_t width, bool biased) {
    std::int64_t count = s.hidden * width + width * s.hidden;
    if (biased) count += width + s.hidden;
    if (s.gated) count += s.hidden * width + (biased ? width : 0);
    return count;
  };
  std::int64_t count = s.vocabulary * s.hidden + s.positions * s.hidden;
  for (std::int64_t layer = 0; layer < s.layers; ++layer) {
    for (std::int64_t head = 0; head < s.heads; ++head)
      count += s.hidden * head_dim + (s.query_bias ? head_dim : 0) + head_dim * s.hidden + (s.sinks ? 1 : 0);
    for (std::int64_t head = 0; head < kv_heads; ++head)
      count += 2 * s.hidden * head_dim + (s.key_bias ? head_dim : 0) + (s.value_bias ? head_dim : 0);
    if (s.output_bias) count += s.hidden;
    if (s.query_key_norm == flopledger::qk_norm::per_head) count += 2 * head_dim;
    count += norms_a_block * norm_vectors * s.hidden;
    if (s.sparse.contains(layer)) {
      count += s.hidden * s.experts + (s.router_bias ? s.experts : 0) + (s.correction_bias ? s.experts : 0);
      for (std::int64_t expert = 0; expert < (active_only ? s.experts_per_token : s.experts); ++expert)
        count += feed(s.expert_intermediate, s.expert_bias);
      if (s.shared_intermediate > 0)
        count += feed(s.shared_intermediate, s.expert_bias) + (s.shared_gate ? s.hidden : 0);
    } else {
      count += feed(s.intermediate, s.feed_bias);
    }
  }
  if (s.final_norm) count += norm_vectors * s.hidden;
  if (!s.tied) count += s.hidden * s.vocabulary;
  if (s.head_bias) count += s.vocabulary;
  return count;
}

}  // namespace brute_force
