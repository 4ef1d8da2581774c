// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Mixers that carry a state instead of a cache: Mamba's selective scan and lightning (linear) attention.

#include <flopledger/layers/elementwise.hpp>
#include <flopledger/layers/linear.hpp>

namespace flopledger {

/// Mamba (Gu and Dao 2023, section 3.4): in → depthwise convolution → selective scan → out.
struct mamba {
  std::int64_t hidden = 0, inner = 0, state = 16, kernel = 4, step_rank = 0;
  bool projection_bias = false, convolution_bias = true;
  bool inner_norms = false;  ///< RMSNorms on step, B and C (Jamba)

  /// x and what it returns: [tokens, hidden].
  constexpr tensor record(recording auto& into, const tensor& x, const work& asked) const {
    const double rows = asked.token_count();
    const auto width = static_cast<double>(inner), depth = static_cast<double>(state);
    const tensor both =
        linear{.in = hidden, .out = 2 * inner, .bias = projection_bias, .cut = tensor_cut::columns}.record(
            into, x, rows, at(position::input), "mamba.in");
    const tensor convolved = into.made(at(position::convolution), operation::convolution);
    into.take(convolution_row(asked, rows, width, part_of(both), convolved));
    const tensor made = linear{.in = inner, .out = step_rank + 2 * state, .cut = tensor_cut::rows}.record(
        into, convolved, rows, at(position::scan_parameters), "mamba.parameters");
    tensor rank = part_of(made), in_and_out = part_of(made);
    if (inner_norms) {
      const auto norm = [&](std::int64_t of, const char* name) {
        return normalization{.kind = norm_kind::rms, .width = of}.record(into, part_of(made), rows,
                                                                         at(position::inner_norm), name);
      };
      rank = norm(step_rank, "mamba.step_norm");
      in_and_out = part_of(norm(state, "mamba.input_norm"));
      norm(state, "mamba.output_norm");
    }
    const tensor step = linear{.in = step_rank, .out = inner, .bias = true, .cut = tensor_cut::columns}.record(
        into, rank, rows, at(position::step), "mamba.step");
    const tensor scanned = into.made(at(position::scan), operation::recurrence);
    into.take(scan_row(asked, rows, width, depth, {convolved, part_of(both), step, in_and_out}, scanned));
    return linear{.in = inner, .out = hidden, .bias = projection_bias, .cut = tensor_cut::rows}.record(
        into, scanned, rows, at(position::output), "mamba.out");
  }
  /// The layer by itself.
  constexpr void record(books auto& sink, const work& asked) const {
    recorder alone{sink};
    record(alone, alone.enters(), asked);
  }
 private:
  static constexpr place at(position where) { return {sublayer::recurrence, where}; }

  /// What the scan reads: x, its gate z, the step Δ, and B with C.
  struct scan_inputs {
    tensor x{}, gate{}, step{}, in_and_out{};
  };
  // h ← exp(Δ·A)·h + Δ·B·x and y = C·h + D·x: nine operations an element of the state, and the gate's SiLU.
  static constexpr row scan_row(const work& asked, double rows, double width, double depth, const scan_inputs& from,
                                const tensor& y) {
    const double weights = width * depth + width, operations = rows * width * (9 * depth + 7);
    const auto kept = [&](double elements, const tensor& of) {
      return operand{.what = role::activation,
                     .how = use::read | use::saved,
                     .over = split::tensor,
                     .elements = elements,
                     .of = of};
    };
    return {
        .name = text_of("mamba.scan"),
        .where = at(position::scan),
        .kind = operation::recurrence,
        .held = parameters::from_value(weights),
        .active = parameters::from_value(weights),
        .elementwise = flops::from_value(operations),
        .backward = {.elementwise = flops::from_value(2 * operations)},
        .operands = {
            {.what = role::weight, .how = use::read, .over = split::tensor, .elements = weights},
            kept(rows * width, from.x),
            kept(rows * width, from.gate),
            kept(rows * width, from.step),
            kept(rows * 2 * depth, from.in_and_out),
            {.what = role::activation, .how = use::written, .over = split::tensor, .elements = rows * width, .of = y},
            {.what = role::cache,
             .how = use::read,
             .over = split::tensor,
             .elements = asked.sequence_count() * width * depth,
             .touched = asked.cached_sequence_count() * width * depth}}};
  }
  constexpr row convolution_row(const work& asked, double rows, double width, const tensor& x, const tensor& y) const {
    const auto taps = static_cast<double>(kernel);
    const double biases = convolution_bias ? width : 0.0;
    const parameters stored = parameters::from_value(width * taps + biases);
    return {
        .name = text_of("mamba.convolution"),
        .where = at(position::convolution),
        .kind = operation::convolution,
        .shape = {.batch = width, .m = rows, .n = 1, .k = taps},
        .held = stored,
        .active = stored,
        .multiplied = macs::from_value(rows * width * taps),
        .elementwise = flops::from_value(rows * (biases + 4 * width)),
        .backward = {.input_products = 1,
                     .weight_products = 1,
                     .elementwise = flops::from_value(rows * 5 * width),
                     .weight_elementwise = flops::from_value(rows * biases)},
        .operands = {
            {.what = role::weight, .how = use::read, .over = split::tensor, .elements = width * taps},
            {.what = role::activation,
             .how = use::read | use::saved,
             .over = split::tensor,
             .elements = rows * width,
             .of = x},
            {.what = role::activation, .how = use::written, .over = split::tensor, .elements = rows * width, .of = y},
            {.what = convolution_bias ? role::bias : role::none,
             .how = use::read,
             .over = split::tensor,
             .elements = biases},
            {.what = role::cache,
             .how = use::read,
             .over = split::tensor,
             .elements = asked.sequence_count() * width * taps,
             .touched = asked.cached_sequence_count() * width * taps}}};
  }
};

/// Lightning attention (MiniMax-01, section 2.2.1): linear attention over a head_dim × head_dim state a head, gated.
struct lightning_attention {
  std::int64_t hidden = 0, heads = 0, head_dim = 0;

  /// x and what it returns: [tokens, hidden].
  constexpr tensor record(recording auto& into, const tensor& x, const work& asked) const {
    const double rows = asked.token_count();
    const auto parts = static_cast<std::int32_t>(heads);
    const double elements = rows * static_cast<double>(heads * head_dim);
    const linear widen{.in = hidden, .out = heads * head_dim, .cut = tensor_cut::columns, .parts = parts};
    const tensor query = widen.record(into, x, rows, at(position::query), "attention.query");
    const tensor key = widen.record(into, x, rows, at(position::key), "attention.key");
    const tensor value = widen.record(into, x, rows, at(position::value), "attention.value");
    const tensor mixed = into.made(at(position::scan), operation::recurrence);
    into.take(recurrence_row(asked, rows, {query, key, value}, mixed));
    const tensor normed =
        normalization{.kind = norm_kind::rms, .width = heads * head_dim, .over = split::tensor}.record(
            into, mixed, rows, at(position::inner_norm), "attention.norm");
    const tensor gate = widen.record(into, x, rows, at(position::gate), "attention.gate");
    const tensor gated = record_gated_activation(into, activation_function::silu, gate, normed, elements, split::tensor,
                                                 at(position::activation), "attention.gating");
    return linear{.in = heads * head_dim, .out = hidden, .cut = tensor_cut::rows, .parts = parts}.record(
        into, gated, rows, at(position::output), "attention.output");
  }
  /// The layer by itself.
  constexpr void record(books auto& sink, const work& asked) const {
    recorder alone{sink};
    record(alone, alone.enters(), asked);
  }
 private:
  static constexpr place at(position where) { return {sublayer::recurrence, where}; }

  struct recurrence_inputs {
    tensor query{}, key{}, value{};
  };
  // The state takes kᵀ·v and is read by q: two products of head_dim × head_dim a head and token.
  constexpr row recurrence_row(const work& asked, double rows, const recurrence_inputs& from, const tensor& y) const {
    const auto count = static_cast<double>(heads), width = static_cast<double>(head_dim);
    const auto parts = static_cast<std::int32_t>(heads);
    const auto of_heads = [&](use how, const tensor& of) {
      return operand{.what = role::activation,
                     .how = how,
                     .over = split::tensor,
                     .parts = parts,
                     .elements = rows * count * width,
                     .of = of};
    };
    return {.name = text_of("attention.recurrence"),
            .where = at(position::scan),
            .kind = operation::recurrence,
            .shape = {.batch = count, .m = rows, .n = width, .k = 2 * width},
            .multiplied = macs::from_value(2 * rows * count * width * width),
            .elementwise = flops::from_value(rows * count * width * width),
            .backward = {.input_products = 2, .elementwise = flops::from_value(rows * count * width * width)},
            .operands = {of_heads(use::read | use::saved, from.query),
                         of_heads(use::read | use::saved, from.key),
                         of_heads(use::read | use::saved, from.value),
                         of_heads(use::written, y),
                         {.what = role::cache,
                          .how = use::read,
                          .over = split::tensor,
                          .parts = parts,
                          .elements = asked.sequence_count() * count * width * width,
                          .touched = asked.cached_sequence_count() * count * width * width}}};
  }
};

}  // namespace flopledger
