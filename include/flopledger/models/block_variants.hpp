// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Blocks of a stack that lack a sublayer or have widths of their own.

#include <flopledger/models/pattern.hpp>

namespace flopledger {

/// What stands where a block has a mixer, or a feed-forward layer.
enum class sublayer_form : std::uint8_t {
  whole,
  absent,     ///< not even its norm and its residual sum
  one_matrix  ///< a square matrix in its place (Nemotron-NAS)
};

/// In what a block differs from the stack's own.
struct block_variant {
  sublayer_form mixer = sublayer_form::whole, feed = sublayer_form::whole;
  std::int64_t kv_heads = 0;      ///< of attention; 0: the stack's own
  std::int64_t intermediate = 0;  ///< of the dense feed-forward layer; 0: the stack's own
  bool joins = false;             ///< attention reads two inputs side by side, each with a norm of its own (EAGLE-3)
  std::uint8_t of = 0;            ///< tells apart variants whose layers differ in the stack's sets
  friend constexpr bool operator==(const block_variant&, const block_variant&) = default;
};

/// The variants of a stack, numbered from 1, and which layer is of which; 0 is the stack's own block.
class block_variants {
 public:
  static constexpr int capacity = 31;

  constexpr bool empty() const { return size_ == 0; }
  constexpr int size() const { return size_; }
  constexpr const block_variant& operator[](int number) const { return known_[number - 1]; }

  /// Says that a layer is of a variant. False where the stack has too many variants for that.
  constexpr bool set(std::int64_t layer, const block_variant& as) {
    int number = 1;
    while (number <= size_ && !(known_[number - 1] == as)) ++number;
    if (number > capacity) return false;
    if (number > size_) known_[size_++] = as;
    const layer_set one = layer_set::range(layer, layer + 1);
    for (int bit = 0; bit < bits; ++bit)
      layers_[bit] = (number >> bit & 1) != 0 ? layers_[bit] | one : layers_[bit] - one;
    return true;
  }
  constexpr int number_of(std::int64_t layer) const {
    int number = 0;
    for (int bit = 0; bit < bits; ++bit) number += layers_[bit].contains(layer) ? 1 << bit : 0;
    return number;
  }
  /// Those of `among` that are of a variant.
  constexpr layer_set of(int number, layer_set among) const {
    for (int bit = 0; bit < bits; ++bit) among = (number >> bit & 1) != 0 ? among & layers_[bit] : among - layers_[bit];
    return among;
  }
 private:
  static constexpr int bits = 5;
  block_variant known_[capacity]{};
  int size_ = 0;
  layer_set layers_[bits]{};  // by the bits of their variants' numbers
};

}  // namespace flopledger
