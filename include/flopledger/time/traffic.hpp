// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What a pass moves between memory and the chip: every operation reads each of its operands and writes each of its
/// results once, at the format that a recipe gives to their role.

#include <flopledger/element_bytes.hpp>
#include <flopledger/ledger.hpp>
#include <flopledger/models/quantization.hpp>
#include <flopledger/precision.hpp>

namespace flopledger {

/// How the data of a pass is held. `checkpoint` is a view: what it looks at must outlive the fold.
struct data_formats {
  recipe precision{};
  const weight_storage* checkpoint = nullptr;  ///< weights as a checkpoint stores them, in place of the recipe's
  attention_kernel kernel = attention_kernel::fused;

  /// Bytes that `elements` of an operand take.
  constexpr double bytes_of(const row& r, const operand& o, double elements) const {
    if (checkpoint == nullptr || (o.what != role::weight && o.what != role::bias))
      return elements * element_bytes(r, o.what, precision, kernel);
    if (o.what == role::bias) return elements * checkpoint->dtype.bytes_per_element();
    const double one = r.shape.k > 0 ? r.shape.k * r.shape.n : o.read_elements();
    if (one <= 0) return 0;
    const stored_matrices stored = stored_matrix(*checkpoint, r, one);
    return elements * stored.bytes / (one * stored.layers);
  }
};

/// Bytes in the two directions.
struct movement {
  bytes read{}, written{};
  constexpr bytes total() const { return bytes::from_value(read.value() + written.value()); }
  constexpr movement& operator+=(const movement& more) {
    read = bytes::from_value(read.value() + more.read.value());
    written = bytes::from_value(written.value() + more.written.value());
    return *this;
  }
};

/// Bytes moved, by what they are. Biases count with the weights; `other` is statistics, masks and indices.
struct moved_bytes {
  movement weights{}, activations{}, kv_cache{}, other{};
  constexpr bytes total() const {
    double sum = 0;
    for (const movement* part : {&weights, &activations, &kv_cache, &other}) sum += part->total().value();
    return bytes::from_value(sum);
  }
  constexpr movement& of(role what) {
    switch (what) {
      case role::weight:
      case role::bias:
        return weights;
      case role::activation:
      case role::attention_matrix:
        return activations;
      case role::cache:
      case role::state:
        return kv_cache;
      default:
        return other;
    }
  }
};

/// False for an operation over nothing, such as a vision tower's without an image or an encoder's in a decode step: it
/// does not run, so its weights are not read either.
constexpr bool has_data(const row& r) {
  bool asks = false;
  for (const operand& o : r.operands) {
    if (o.what == role::none || o.what == role::weight || o.what == role::bias) continue;
    if (o.elements > 0) return true;
    asks = true;
  }
  return !asks;
}

/// A fold: bytes that the forward pass moves.
struct traffic {
  data_formats formats{};
  moved_bytes moved{};

  template <class Row = row>
  constexpr void take(const Row& r, std::int64_t times) {
    if (!has_data(r)) return;
    const auto n = static_cast<double>(times);
    for (const operand& o : r.operands) {
      if (o.what == role::none) continue;
      movement& here = moved.of(o.what);
      if (has(o.how, use::read)) here.read += n * formats.bytes_of(r, o, o.read_elements()) * unit::byte;
      if (has(o.how, use::written)) here.written += n * formats.bytes_of(r, o, o.elements) * unit::byte;
    }
  }
};

/// Bytes that one row moves.
template <class Row = row>
constexpr moved_bytes moved_by(const Row& r, const data_formats& formats) {
  traffic one{.formats = formats};
  one.take(r, 1);
  return one.moved;
}

}  // namespace flopledger
