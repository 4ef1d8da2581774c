// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What the models of the zoo stand on.

#include <flopledger/models/block_shape.hpp>
#include <flopledger/models/model.hpp>

namespace flopledger::models {

/// Base of a model of the zoo: its `config`, evaluated where it is first used and not before. That is why `describe` is
/// a function and `config` a member of a template: an evaluated config takes a compiler most of a millisecond.
template <class Self>
struct zoo_model {
  static constexpr transformer_config config = Self::describe();
};

namespace detail {
inline constexpr norm_config layer_norm{.kind = norm_kind::layer, .weight = true, .bias = true};

/// A classic block: LayerNorm, two matrices four times as wide, biases everywhere, no rotary positions.
constexpr block_shape classic(block_shape s) {
  s.norm = layer_norm;
  s.gated = false;
  s.activation = activation_function::gelu_tanh;
  s.query_bias = s.key_bias = s.value_bias = s.output_bias = s.feed_bias = true;
  s.rotary_fraction = 0;
  if (s.intermediate == 0) s.intermediate = 4 * s.hidden;
  return s;
}

/// The blocks of a vision tower: classic, before a final norm, every patch seeing every other.
constexpr block_shape vision_blocks(std::int64_t layers, std::int64_t hidden, std::int64_t heads,
                                    std::int64_t intermediate, activation_function activation) {
  block_shape s = classic({.layers = layers, .hidden = hidden, .heads = heads, .intermediate = intermediate});
  s.activation = activation;
  s.causal = false;
  return s;
}
}  // namespace detail

}  // namespace flopledger::models
