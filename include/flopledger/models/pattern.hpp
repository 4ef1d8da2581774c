// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Which layers of a stack are of which kind.

#include <flopledger/compiler.hpp>
#include <flopledger/errors.hpp>

#include <bit>
#include <cstdint>

namespace flopledger {

/// A set of layer numbers, counted from 0. A value of four words, so that the alike layers of a stack of any pattern
/// are counted (for the model, or for one pipeline stage of it) without walking through them.
class layer_set {
 public:
  static constexpr std::int64_t capacity = 256;

  constexpr layer_set() = default;

  /// Layers first, first + step, … below last.
  static constexpr layer_set every(std::int64_t step, std::int64_t first, std::int64_t last) {
    layer_set set;
    for (std::int64_t i = first; i < last; i += step) set.insert(i);
    return set;
  }
  static constexpr layer_set range(std::int64_t first, std::int64_t last) { return below(last) - below(first); }

  constexpr void insert(std::int64_t layer) {
    if (layer < 0 || layer >= capacity) detail::raise<too_many_layers>(layer);
    words_[layer / 64] |= std::uint64_t{1} << (layer % 64);
  }
  struct too_many_layers : error {
    explicit too_many_layers(std::int64_t number)
        : error((sentence() << "layer " << number << " is outside the " << capacity << " that a set holds").c_str()),
          layer(number) {}
    std::int64_t layer;
  };
  constexpr bool contains(std::int64_t layer) const { return ((words_[layer / 64] >> (layer % 64)) & 1U) != 0; }
  constexpr bool empty() const { return (words_[0] | words_[1] | words_[2] | words_[3]) == 0; }
  /// The lowest; `capacity` of an empty set.
  constexpr std::int64_t first() const {
    for (int i = 0; i < 4; ++i)
      if (words_[i] != 0) return std::int64_t{64} * i + std::countr_zero(words_[i]);
    return capacity;
  }
  constexpr std::int64_t size() const {
    std::int64_t count = 0;
    for (const std::uint64_t word : words_) count += std::popcount(word);
    return count;
  }

  friend constexpr layer_set operator&(layer_set a, const layer_set& b) {
    for (int i = 0; i < 4; ++i) a.words_[i] &= b.words_[i];
    return a;
  }
  friend constexpr layer_set operator|(layer_set a, const layer_set& b) {
    for (int i = 0; i < 4; ++i) a.words_[i] |= b.words_[i];
    return a;
  }
  friend constexpr layer_set operator-(layer_set a, const layer_set& b) {
    for (int i = 0; i < 4; ++i) a.words_[i] &= ~b.words_[i];
    return a;
  }
  friend constexpr bool operator==(const layer_set&, const layer_set&) = default;
 private:
  static constexpr layer_set below(std::int64_t last) {
    layer_set set;
    for (int i = 0; i < 4; ++i) {
      const std::int64_t here = last - std::int64_t{64} * i;
      set.words_[i] = here <= 0 ? 0 : here >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1;
    }
    return set;
  }
  std::uint64_t words_[4]{};
};

}  // namespace flopledger
