// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Linear attention by the gated delta rule: each head's state of key_dim × value_dim decays, gives up what it held for
/// a key, and takes the new value (Yang et al. 2024, "Gated Delta Networks", equation 10). Counted as the recurrence
/// states it, whatever blocks of tokens a kernel computes at once.

#include <flopledger/layers/state_space.hpp>

namespace flopledger {

/// The recurrence of `heads` states: S ← α·S, then S ← S + k·(β·(v − Sᵀ·k))ᵀ, and Sᵀ·q.
struct delta_recurrence {
  double heads = 0, key_dim = 0, value_dim = 0;
  double key_heads = 0;  ///< that make queries and keys
  double decays = 0;     ///< numbers α of a token: one a head, or one a channel of the keys
  double weights = 0;    ///< that the decay is made with

  /// Queries and keys beside values, or all three in one tensor; decays beside β, or both in one.
  struct inputs {
    tensor query_key{}, value{}, decay{}, strength{};
    bool joined = false;
  };

  // Three products of key_dim × value_dim a head and token, and a multiplication by α an element of the state. A query
  // and a key are normalised (three operations an element), the query is scaled; v − Sᵀ·k and its scaling are two. The
  // decay is −exp(A)·softplus(x + b), and α its exponential: seven; β is a sigmoid: three.
  constexpr row as_row(const work& asked, const char* name, const inputs& from, const tensor& y) const {
    const double rows = asked.token_count(), of_state = heads * key_dim * value_dim;
    const auto parts = static_cast<std::int32_t>(heads);
    const double operations =
        rows * (of_state + 7 * key_heads * key_dim + 2 * heads * value_dim + 7 * decays + 3 * heads);
    const auto of_heads = [&](use how, double elements, const tensor& of) {
      return operand{.what = role::activation,
                     .how = how,
                     .over = split::tensor,
                     .parts = parts,
                     .elements = rows * elements,
                     .of = of};
    };
    const double keys = key_heads * key_dim, values = heads * value_dim;
    const use kept = use::read | use::saved;
    const operand weight{
        .what = role::weight, .how = use::read, .over = split::tensor, .parts = parts, .elements = weights};
    const operand state = carried_state(asked, of_state, parts);
    row made{.name = text_of(name),
             .where = {sublayer::recurrence, position::scan},
             .kind = operation::recurrence,
             .shape = {.batch = heads, .m = rows, .n = value_dim, .k = 3 * key_dim},
             .held = parameters::from_value(weights),
             .active = parameters::from_value(weights),
             .multiplied = macs::from_value(3 * rows * of_state),
             .elementwise = flops::from_value(operations),
             .backward = {.input_products = 2, .elementwise = flops::from_value(2 * operations)}};
    if (from.joined)
      made.operands = {weight, of_heads(kept, 2 * keys + values, from.query_key),
                       of_heads(kept, decays + heads, from.decay), of_heads(use::written, values, y), state};
    else
      made.operands = {weight,
                       of_heads(kept, 2 * keys, from.query_key),
                       of_heads(kept, values, from.value),
                       of_heads(kept, decays, from.decay),
                       of_heads(kept, heads, from.strength),
                       of_heads(use::written, values, y),
                       state};
    return made;
  }
};

/// What stands behind the recurrence: an RMSNorm of each head's output, its gate, and the product back to `hidden`, cut
/// over tensor ranks by `parts`. `gate` and what was `read` are [rows, heads · head_dim].
constexpr tensor record_delta_output(recording auto& into, const tensor& read, const tensor& gate,
                                     activation_function gating, double rows, std::int64_t heads, std::int64_t head_dim,
                                     std::int64_t hidden, std::int32_t parts) {
  const auto at = [](position where) { return place{sublayer::recurrence, where}; };
  const std::int64_t width = heads * head_dim;
  const tensor normed = normalization{.width = head_dim, .over = split::tensor}.record(
      into, read, rows * static_cast<double>(heads), at(position::inner_norm), "delta.norm");
  const tensor gated = record_gated_activation(into, gating, gate, normed, rows * static_cast<double>(width),
                                               split::tensor, at(position::activation), "delta.gating");
  return linear{.in = width, .out = hidden, .cut = tensor_cut::rows, .parts = parts}.record(
      into, gated, rows, at(position::output), "delta.output");
}

/// The gated delta network of Qwen3-Next (Qwen3NextGatedDeltaNet of transformers): queries, keys and values of one
/// product, convolved; one decay and one β a value head; an RMSNorm of each head's output, gated.
struct gated_delta_network {
  std::int64_t hidden = 0;
  std::int64_t key_heads = 0, value_heads = 0, key_dim = 0, value_dim = 0;
  std::int64_t kernel = 4;

  /// x and what it returns: [tokens, hidden].
  constexpr tensor record(recording auto& into, const tensor& x, const work& asked) const {
    const double rows = asked.token_count();
    const auto parts = static_cast<std::int32_t>(key_heads);
    const std::int64_t keys = key_heads * key_dim, values = value_heads * value_dim;
    const double heads = static_cast<double>(value_heads);
    const auto widen = [&](std::int64_t out, position where, const char* name) {
      return linear{.in = hidden, .out = out, .cut = tensor_cut::columns, .parts = parts}.record(into, x, rows,
                                                                                                 at(where), name);
    };
    const tensor mixed = widen(2 * keys + values, position::input, "delta.query_key_value");
    const tensor gate = widen(values, position::gate, "delta.gate");
    const tensor scan_parameters = widen(2 * value_heads, position::scan_parameters, "delta.decay_and_strength");
    const tensor convolved =
        depthwise_convolution{.channels = 2 * keys + values, .taps = kernel, .parts = parts}.record(
            into, mixed, asked, "delta.convolution");
    const tensor read = into.made(at(position::scan), operation::recurrence);
    into.take(delta_recurrence{.heads = heads,
                               .key_dim = static_cast<double>(key_dim),
                               .value_dim = static_cast<double>(value_dim),
                               .key_heads = static_cast<double>(key_heads),
                               .decays = heads,
                               .weights = 2 * heads}
                  .as_row(asked, "delta.recurrence", {.query_key = convolved, .decay = scan_parameters, .joined = true},
                          read));
    return record_delta_output(into, read, gate, activation_function::silu, rows, value_heads, value_dim, hidden,
                               parts);
  }
  /// The layer by itself.
  constexpr void record(books auto& sink, const work& asked) const {
    recorder alone{sink};
    record(alone, alone.enters(), asked);
  }
 private:
  static constexpr place at(position where) { return {sublayer::recurrence, where}; }
};

/// Kimi Delta Attention (Kimi Linear 2025, section 3; KimiDeltaAttention of its modeling_kimi.py): queries, keys and
/// values each convolved; a decay a channel, made through a narrow product; a gate made so too, or by one whole
/// product.
struct kimi_delta_attention {
  std::int64_t hidden = 0, heads = 0, head_dim = 0;
  std::int64_t kernel = 4;
  bool whole_gate = false;

  /// x and what it returns: [tokens, hidden].
  constexpr tensor record(recording auto& into, const tensor& x, const work& asked) const {
    const double rows = asked.token_count();
    const auto parts = static_cast<std::int32_t>(heads);
    const std::int64_t width = heads * head_dim;
    const double count = static_cast<double>(heads), of_head = static_cast<double>(head_dim);
    const auto widen = [&](std::int64_t in, std::int64_t out, const tensor& from, position where, const char* name) {
      return linear{.in = in, .out = out, .cut = tensor_cut::columns, .parts = parts}.record(into, from, rows,
                                                                                             at(where), name);
    };
    const auto narrow = [&](position where, const char* name) {
      return linear{.in = hidden, .out = head_dim}.record(into, x, rows, at(where), name);
    };
    const auto convolve = [&](const tensor& of, const char* name) {
      return depthwise_convolution{.channels = width, .taps = kernel, .parts = parts}.record(into, of, asked, name);
    };
    delta_recurrence::inputs from;
    const tensor query = widen(hidden, width, x, position::query, "delta.query");
    const tensor key = widen(hidden, width, x, position::key, "delta.key");
    const tensor value = widen(hidden, width, x, position::value, "delta.value");
    convolve(query, "delta.query_convolution");
    convolve(key, "delta.key_convolution");
    from.value = convolve(value, "delta.value_convolution");
    from.decay =
        widen(head_dim, width, narrow(position::scan_parameters, "delta.decay_down"), position::step, "delta.decay_up");
    from.strength = widen(hidden, heads, x, position::write_strength, "delta.strength");
    const tensor read = into.made(at(position::scan), operation::recurrence);
    into.take(delta_recurrence{.heads = count,
                               .key_dim = of_head,
                               .value_dim = of_head,
                               .key_heads = count,
                               .decays = count * of_head,
                               .weights = count + count * of_head}
                  .as_row(asked, "delta.recurrence", from, read));
    const tensor gate = whole_gate ? widen(hidden, width, x, position::gate, "delta.gate")
                                   : widen(head_dim, width, narrow(position::gate_down, "delta.gate_down"),
                                           position::gate, "delta.gate");
    return record_delta_output(into, read, gate, activation_function::sigmoid, rows, heads, head_dim, hidden, parts);
  }
  /// The layer by itself.
  constexpr void record(books auto& sink, const work& asked) const {
    recorder alone{sink};
    record(alone, alone.enters(), asked);
  }
 private:
  static constexpr place at(position where) { return {sublayer::recurrence, where}; }
};

}  // namespace flopledger
