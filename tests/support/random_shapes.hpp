// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Models drawn at random, small enough to walk through and of every kind: the same ones on every machine.

#include <flopledger/models/block_shape.hpp>

#include <cstdint>
#include <random>

namespace test {

class random_shapes {
 public:
  explicit random_shapes(std::uint32_t seed) : bits_(seed) {}

  /// An integer of [low, high]. Not std::uniform_int_distribution, whose draws differ between standard libraries.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(bits_() % static_cast<std::uint32_t>(high - low + 1));
  }
  bool coin() { return between(0, 1) == 1; }
  /// 1, 2, 4 … up to 2 to the power of `most`.
  std::int64_t power_of_two(int most) { return std::int64_t{1} << between(0, most); }

  flopledger::layer_set layers(std::int64_t count) {
    flopledger::layer_set set;
    for (std::int64_t i = 0; i < count; ++i)
      if (coin()) set.insert(i);
    return set;
  }

  /// A decoder with attention of any kind but latent.
  flopledger::block_shape decoder() {
    using namespace flopledger;
    block_shape s;
    s.layers = between(1, 9);
    s.kv_heads = between(1, 4);
    s.heads = s.kv_heads * between(1, 4);
    s.head_dim = between(1, 8);
    s.hidden = between(1, 40);
    s.intermediate = between(1, 60);
    s.vocabulary = between(1, 100);
    s.tied = coin();
    s.head_bias = coin();
    s.positions = coin() ? between(1, 50) : 0;
    s.query_bias = coin();
    s.key_bias = coin();
    s.value_bias = coin();
    s.output_bias = coin();
    s.feed_bias = coin();
    s.gated = coin();
    s.activation = coin() ? activation_function::silu : activation_function::gelu;
    s.norm = {.kind = coin() ? norm_kind::rms : norm_kind::layer, .weight = true, .bias = coin()};
    s.placement = coin() ? norms::pre : coin() ? norms::post : norms::sandwich;
    s.parallel = coin();
    s.final_norm = coin();
    s.query_key_norm = coin() ? qk_norm::per_head : qk_norm::none;
    s.rotary_fraction = coin() ? 1.0 : 0.0;
    s.sinks = coin();
    s.dropout = coin();
    s.window = between(1, 12);
    s.span = coin() ? attention_span::sliding : attention_span::chunked;
    s.windowed = layers(s.layers);
    s.experts = between(2, 8);
    s.experts_per_token = between(1, s.experts);
    s.expert_intermediate = between(1, 20);
    s.shared_intermediate = coin() ? between(1, 20) : 0;
    s.shared_gate = coin();
    s.router_bias = coin();
    s.correction_bias = coin();
    s.expert_bias = coin();
    s.sparse = layers(s.layers);
    return s;
  }

  /// The same, half of them with latent attention.
  flopledger::block_shape any_decoder() {
    flopledger::block_shape s = decoder();
    if (coin()) {
      s.query_rank = coin() ? between(1, 10) : 0;
      s.latent_rank = between(1, 10);
      s.nope_dim = between(1, 8);
      s.rope_dim = between(1, 4);
      s.value_dim = between(1, 8);
    }
    return s;
  }

  flopledger::attention_counting counting() { return static_cast<flopledger::attention_counting>(between(0, 2)); }

  /// A pass of any kind. What is packed is no part of it.
  flopledger::work pass() {
    const auto batch = static_cast<double>(between(1, 4)), length = static_cast<double>(between(1, 24));
    switch (between(0, 3)) {
      case 0:
        return flopledger::forward(batch, length, counting());
      case 1:
        return flopledger::prefill(batch, length, counting());
      case 2:
        return flopledger::training_step(batch, length, counting());
      default:
        return flopledger::decode_step(batch, length);
    }
  }
 private:
  std::mt19937 bits_;
};

}  // namespace test
