// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What outlives a pass: keys, values, latents and states.

#include <flopledger/ledger.hpp>
#include <flopledger/precision.hpp>
#include <flopledger/work.hpp>

namespace flopledger {

/// A fold: elements that the cache holds after the pass, and those of states.
struct cached_elements {
  double held = 0, states = 0;

  template <class Row = row>
  constexpr void take(const Row& r, std::int64_t times) {
    r.operands.for_each([&](const operand& o) {
      if (o.what == role::cache) held += static_cast<double>(times) * o.elements;
      if (o.what == role::state) states += static_cast<double>(times) * o.elements;
    });
  }
  constexpr double bytes_in(const number_format& format, const number_format& of_states) const {
    return held * format.bytes_per_element() + states * of_states.bytes_per_element();
  }
};

/// Bytes of the cache after a pass, over all its sequences, with the states beside it.
template <class Model>
constexpr bytes kv_cache_bytes(const Model& model, const work& asked, const number_format& format,
                               const number_format& of_states) {
  cached_elements fold;
  model.record(fold, asked);
  return bytes::from_value(fold.bytes_in(format, of_states));
}
template <class Model>
constexpr bytes kv_cache_bytes(const Model& model, const work& asked, const number_format& of_all) {
  return kv_cache_bytes(model, asked, of_all, of_all);
}

/// Bytes that one more token adds while no window is full. States that do not grow add nothing, nor does what an
/// encoder left: hence the difference between two tokens and one, beside a source of one length.
template <class Model>
constexpr bytes_per_token kv_cache_bytes_per_token(const Model& model, const number_format& format) {
  work one = forward(1, 1), two = forward(1, 2);
  one.source_length = two.source_length = 1;
  return bytes_per_token::from_value(kv_cache_bytes(model, two, format).value() -
                                     kv_cache_bytes(model, one, format).value());
}

}  // namespace flopledger
