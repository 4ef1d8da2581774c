// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Keys and values of several tokens made one entry (DeepSeek-V4, sections 2.3.1 and 2.3.2).

#include <flopledger/layers/elementwise.hpp>
#include <flopledger/layers/linear.hpp>

namespace flopledger {

/// Every `ratio` tokens leave one entry of `width`: a sum of their projections, weighted by a softmax over gates and a
/// learned position bias, normalised and turned. Where windows overlap, each token has a second projection for the
/// entry behind its own, and an entry is made of 2·ratio of them. Tokens whose window is not full yet wait in a state.
struct compressor {
  std::int64_t hidden = 0, width = 0, ratio = 1, rope_dim = 0;
  bool overlapping = false;

  constexpr std::int64_t columns() const { return overlapping ? 2 * width : width; }

  /// x: [tokens, hidden]; returns the new entries, [entries, width].
  constexpr tensor record(recording auto& into, const tensor& x, const work& asked) const {
    const double rows = asked.token_count();
    const linear widen{.in = hidden, .out = columns()};
    const tensor values = widen.record(into, x, rows, at(position::compressed), "attention.compressed");
    const tensor gates = widen.record(into, x, rows, at(position::compression_gate), "attention.compression_gate");
    double entries = 0;
    asked.for_each_run([&](const sequences& run) {
      entries += run.count * (compressed_entries(run.total_length(), most()) - compressed_entries(run.cached, most()));
    });
    const tensor pooled = into.made(at(position::compression), operation::custom);
    into.take(pooling_row(asked, rows, entries, values, gates, pooled));
    const tensor normed = normalization{.kind = norm_kind::rms, .width = width}.record(
        into, pooled, entries, at(position::compression_norm), "attention.compression_norm");
    const double turned = entries * static_cast<double>(rope_dim);
    const tensor key = into.made(at(position::compression), operation::rotary);
    into.take({.name = text_of("attention.compression_rotary"),
               .where = at(position::compression),
               .kind = operation::rotary,
               .elementwise = flops::from_value(3 * turned),
               .backward = {.elementwise = flops::from_value(3 * turned)},
               .operands = {activation(use::read, turned, normed), activation(use::written, turned, key)}});
    return key;
  }
 private:
  static constexpr place at(position where) { return {sublayer::attention, where}; }
  static constexpr operand activation(use how, double elements, const tensor& of) {
    return {.what = role::activation, .how = how, .over = split::sequence, .elements = elements, .of = of};
  }
  constexpr double most() const { return static_cast<double>(ratio); }

  // A bias, an exponential, a division, a product and two sums an element. The state holds the projections and gates of
  // the windows that are open (kv_state and score_state of DeepSeek's inference/model.py).
  constexpr row pooling_row(const work& asked, double rows, double entries, const tensor& values, const tensor& gates,
                            const tensor& y) const {
    const double across = static_cast<double>(columns()), elements = rows * across, biases = most() * across;
    const double state = 2 * most() * across * (overlapping ? 2.0 : 1.0);
    return {
        .name = text_of("attention.compression"),
        .where = at(position::compression),
        .kind = operation::custom,
        .held = parameters::from_value(biases),
        .active = parameters::from_value(biases),
        .elementwise = flops::from_value(6 * elements),
        .backward = {.elementwise = flops::from_value(8 * elements), .weight_elementwise = flops::from_value(elements)},
        .operands = {activation(use::read | use::saved, elements, values),
                     activation(use::read | use::saved, elements, gates),
                     activation(use::written, entries * static_cast<double>(width), y),
                     {.what = role::weight, .how = use::read, .elements = biases},
                     {.what = role::cache,
                      .how = use::read,
                      .elements = asked.sequence_count() * state,
                      .touched = asked.cached_sequence_count() * state}}};
  }
};

}  // namespace flopledger
