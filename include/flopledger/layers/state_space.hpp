// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Mixers that carry a state instead of a cache: the selective scans of Mamba and Mamba-2, and lightning (linear)
/// attention.

#include <flopledger/layers/elementwise.hpp>
#include <flopledger/layers/linear.hpp>

namespace flopledger {

/// What a mixer carries from one token to the next, `of_sequence` elements a sequence.
constexpr operand carried_state(const work& asked, double of_sequence, std::int32_t parts = 0) {
  return {.what = role::state,
          .how = use::read,
          .over = split::tensor,
          .parts = parts,
          .elements = asked.sequence_count() * of_sequence,
          .touched = asked.cached_sequence_count() * of_sequence};
}

/// A convolution over the last `taps` tokens of each channel by itself, with its activation in the same kernel. The
/// inputs of the taps are a state.
struct depthwise_convolution {
  std::int64_t channels = 0, taps = 4;
  bool bias = false;
  activation_function activation = activation_function::silu;
  std::int32_t parts = 0;

  constexpr row as_row(const work& asked, const char* name, const tensor& x, const tensor& y) const {
    const double rows = asked.token_count(), width = static_cast<double>(channels), kernel = static_cast<double>(taps);
    const double biases = bias ? width : 0.0, acted = flops_of(activation);
    const parameters stored = parameters::from_value(width * kernel + biases);
    return {
        .name = text_of(name),
        .where = y.made_by.where,
        .kind = operation::convolution,
        .shape = {.batch = width, .m = rows, .n = 1, .k = kernel},
        .held = stored,
        .active = stored,
        .multiplied = macs::from_value(rows * width * kernel),
        .elementwise = flops::from_value(rows * (biases + acted * width)),
        .backward = {.input_products = 1,
                     .weight_products = 1,
                     .elementwise = flops::from_value(acted > 0 ? rows * (acted + 1) * width : 0.0),
                     .weight_elementwise = flops::from_value(rows * biases)},
        .operands = {
            {.what = role::weight, .how = use::read, .over = split::tensor, .parts = parts, .elements = width * kernel},
            {.what = role::activation,
             .how = use::read | use::saved,
             .over = split::tensor,
             .parts = parts,
             .elements = rows * width,
             .of = x},
            {.what = role::activation,
             .how = use::written,
             .over = split::tensor,
             .parts = parts,
             .elements = rows * width,
             .of = y},
            carried_state(asked, width * kernel, parts),
            {.what = bias ? role::bias : role::none,
             .how = use::read,
             .over = split::tensor,
             .parts = parts,
             .elements = biases}}};
  }
  /// Convolves x, [tokens, channels].
  constexpr tensor record(recording auto& into, const tensor& x, const work& asked, const char* name) const {
    const tensor y = into.made({sublayer::recurrence, position::convolution}, operation::convolution);
    into.take(as_row(asked, name, x, y));
    return y;
  }
};

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
    const tensor convolved = depthwise_convolution{.channels = inner, .taps = kernel, .bias = convolution_bias}.record(
        into, part_of(both), asked, "mamba.convolution");
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
            carried_state(asked, width * depth)}};
  }
};

/// Mamba-2 (Dao and Gu 2024, section 7.1): one product makes gate, x, B, C and the step; x, B and C are convolved, and
/// each head's state of head_dim × state decays by one number a token. An RMSNorm of the gated output follows, by
/// groups.
struct mamba2 {
  std::int64_t hidden = 0, heads = 0, head_dim = 0;
  std::int64_t groups = 1, state = 128, kernel = 4;
  bool projection_bias = false, output_bias = false, convolution_bias = true;
  bool output_norm = true;

  constexpr std::int64_t inner() const { return heads * head_dim; }

  /// x and what it returns: [tokens, hidden].
  constexpr tensor record(recording auto& into, const tensor& x, const work& asked) const {
    const double rows = asked.token_count(), elements = rows * static_cast<double>(inner());
    const auto parts = static_cast<std::int32_t>(heads);
    const std::int64_t convolved_width = inner() + 2 * groups * state;
    const tensor made = linear{.in = hidden,
                               .out = inner() + convolved_width + heads,
                               .bias = projection_bias,
                               .cut = tensor_cut::columns,
                               .parts = parts}
                            .record(into, x, rows, at(position::input), "mamba.in");
    const tensor convolved =
        depthwise_convolution{.channels = convolved_width, .taps = kernel, .bias = convolution_bias, .parts = parts}
            .record(into, part_of(made), asked, "mamba.convolution");
    const tensor scanned = into.made(at(position::scan), operation::recurrence);
    into.take(scan_row(asked, convolved, part_of(made), scanned));
    tensor gated = record_gated_activation(into, activation_function::silu, part_of(made), scanned, elements,
                                           split::tensor, at(position::activation), "mamba.gating");
    if (output_norm)
      gated = normalization{.width = inner(), .over = split::tensor, .groups = groups}.record(
          into, gated, rows, at(position::inner_norm), "mamba.norm");
    return linear{.in = inner(), .out = hidden, .bias = output_bias, .cut = tensor_cut::rows, .parts = parts}.record(
        into, gated, rows, at(position::output), "mamba.out");
  }
  /// The layer by itself.
  constexpr void record(books auto& sink, const work& asked) const {
    recorder alone{sink};
    record(alone, alone.enters(), asked);
  }
 private:
  static constexpr place at(position where) { return {sublayer::recurrence, where}; }

  // h ← exp(Δ·A)·h + (Δ·x)·Bᵀ and y = h·C + D·x: two products of head_dim × state a head and token, and a
  // multiplication an element of the state. Of each head Δ = softplus(δ + bias) and exp(Δ·A): six operations. `made`
  // holds δ.
  constexpr row scan_row(const work& asked, const tensor& convolved, const tensor& made, const tensor& y) const {
    const double rows = asked.token_count(), count = static_cast<double>(heads), width = static_cast<double>(head_dim),
                 depth = static_cast<double>(state), weights = 3 * count;
    const auto parts = static_cast<std::int32_t>(heads);
    const double operations = rows * (count * width * (depth + 3) + 6 * count);
    const auto of_heads = [&](use how, double elements, const tensor& of) {
      return operand{
          .what = role::activation, .how = how, .over = split::tensor, .parts = parts, .elements = elements, .of = of};
    };
    const double read = rows * (count * width + 2 * static_cast<double>(groups) * depth);
    return {.name = text_of("mamba.scan"),
            .where = at(position::scan),
            .kind = operation::recurrence,
            .shape = {.batch = count, .m = rows, .n = width, .k = 2 * depth},
            .held = parameters::from_value(weights),
            .active = parameters::from_value(weights),
            .multiplied = macs::from_value(2 * rows * count * width * depth),
            .elementwise = flops::from_value(operations),
            .backward = {.input_products = 2, .elementwise = flops::from_value(2 * operations)},
            .operands = {
                {.what = role::weight, .how = use::read, .over = split::tensor, .parts = parts, .elements = weights},
                of_heads(use::read | use::saved, read, convolved),
                of_heads(use::read | use::saved, rows * count, made),
                of_heads(use::written, rows * count * width, y),
                carried_state(asked, count * width * depth, parts)}};
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
            .operands = {of_heads(use::read | use::saved, from.query), of_heads(use::read | use::saved, from.key),
                         of_heads(use::read | use::saved, from.value), of_heads(use::written, y),
                         carried_state(asked, count * width * width, parts)}};
  }
};

}  // namespace flopledger
