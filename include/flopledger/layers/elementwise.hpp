// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Operations without a matrix product: normalisation, residual addition, activation functions, dropout.
///
/// Every arithmetic operation counts one, a transcendental function too (exp, erf, tanh, a square root): tools differ
/// here by small factors, and none of it shows in a count of matrix products.

#include <flopledger/ledger.hpp>
#include <flopledger/work.hpp>

namespace flopledger {

enum class norm_kind : std::uint8_t { none, layer, rms };

/// LayerNorm (Ba et al. 2016) or RMSNorm (Zhang and Sennrich 2019) over the last dimension.
struct normalization {
  norm_kind kind = norm_kind::rms;
  std::int64_t width = 0;
  bool weight = true;
  bool bias = false;
  split over =
      split::sequence;      ///< heads are split by tensor parallelism, the hidden width only with sequence parallelism
  std::int64_t groups = 1;  ///< parts of the width that are normalised each by itself

  /// FLOPs an element: RMSNorm 3 (square, add, scale), LayerNorm 5 (sum, centre, square, add, scale), and one each for
  /// weight and bias. Backward: twice that, and the gradients of weight and bias.
  constexpr row as_row(double rows, const char* name, const tensor& x, const tensor& y) const {
    const auto columns = static_cast<double>(width);
    const double affine = (weight ? 1.0 : 0.0) + (bias ? 1.0 : 0.0);
    const double operations = (kind == norm_kind::rms ? 3.0 : 5.0) + affine;
    const double elements = rows * columns;
    const parameters stored = parameters::from_value(affine * columns);
    return {.name = text_of(name),
            .where = y.made_by.where,
            .kind = operation::normalization,
            .held = stored,
            .active = stored,
            .elementwise = flops::from_value(elements * operations),
            .backward = {.elementwise = flops::from_value(elements * 2.0 * operations),
                         .weight_elementwise = flops::from_value(elements * affine)},
            .operands = {
                {.what = role::activation, .how = use::read | use::saved, .over = over, .elements = elements, .of = x},
                {.what = role::activation, .how = use::written, .over = over, .elements = elements, .of = y},
                {.what = role::statistic,
                 .how = use::written | use::saved,
                 .over = over,
                 .elements = rows * static_cast<double>(groups) * (kind == norm_kind::rms ? 1.0 : 2.0)},
                {.what = affine > 0 ? role::weight : role::none, .how = use::read, .elements = affine * columns}}};
  }
  /// Normalises x, [rows, width]; without a norm it is x.
  constexpr tensor record(recording auto& into, const tensor& x, double rows, place where, const char* name) const {
    if (kind == norm_kind::none) return x;
    const tensor y = into.made(where, operation::normalization);
    into.take(as_row(rows, name, x, y));
    return y;
  }
  /// The layer by itself.
  constexpr void record(books auto& sink, double rows, const char* name) const {
    recorder alone{sink};
    record(alone, alone.enters(), rows, {}, name);
  }
  constexpr void record(books auto& sink, const work& asked, const char* name) const {
    record(sink, asked.token_count(), name);
  }
};

/// x + y over rows·width elements: a residual, or embeddings that are summed. Its backward passes the gradient on.
constexpr row addition_row(double elements, const char* name, const tensor& x, const tensor& y, const tensor& sum) {
  return {
      .name = text_of(name),
      .where = sum.made_by.where,
      .kind = operation::addition,
      .elementwise = flops::from_value(elements),
      .operands = {
          {.what = role::activation, .how = use::read, .over = split::sequence, .elements = elements, .of = x},
          {.what = role::activation, .how = use::read, .over = split::sequence, .elements = elements, .of = y},
          {.what = role::activation, .how = use::written, .over = split::sequence, .elements = elements, .of = sum}}};
}
constexpr tensor record_addition(recording auto& into, const tensor& x, const tensor& y, double elements, place where,
                                 const char* name) {
  const tensor sum = into.made(where, operation::addition);
  into.take(addition_row(elements, name, x, y, sum));
  return sum;
}

/// Dropout with probability p: a mask of a byte an element is kept, the output scaled by 1/(1−p).
constexpr row dropout_row(double elements, const char* name, const tensor& x, const tensor& y) {
  return {.name = text_of(name),
          .where = y.made_by.where,
          .kind = operation::dropout,
          .elementwise = flops::from_value(2 * elements),
          .backward = {.elementwise = flops::from_value(2 * elements)},
          .operands = {
              {.what = role::activation, .how = use::read, .over = split::sequence, .elements = elements, .of = x},
              {.what = role::activation, .how = use::written, .over = split::sequence, .elements = elements, .of = y},
              {.what = role::mask, .how = use::written | use::saved, .over = split::sequence, .elements = elements}}};
}
constexpr tensor record_dropout(recording auto& into, const tensor& x, double elements, place where, const char* name) {
  const tensor y = into.made(where, operation::dropout);
  into.take(dropout_row(elements, name, x, y));
  return y;
}

enum class activation_function : std::uint8_t {
  identity,
  relu,
  relu_squared,
  gelu,
  gelu_tanh,
  quick_gelu,
  sigmoid,
  silu,
  tanh,
  xielu,
  situ
};

/// FLOPs an element of the function itself.
constexpr double flops_of(activation_function f) {
  switch (f) {
    case activation_function::identity:
      return 0;
    case activation_function::relu:
      return 1;
    case activation_function::relu_squared:
      return 2;
    case activation_function::gelu:
      return 5;  // x/2·(1 + erf(x/√2))
    case activation_function::gelu_tanh:
      return 9;  // x/2·(1 + tanh(√(2/π)·(x + 0.044715·x³)))
    case activation_function::quick_gelu:
      return 5;  // x·σ(1.702·x)
    case activation_function::sigmoid:
      return 3;  // 1/(1 + exp(−x))
    case activation_function::silu:
      return 4;  // x·σ(x)
    case activation_function::situ:
      return 10;  // β·tanh(x/β)·σ(x), and γ·tanh(·/γ) of what it multiplies (Kimi K3, equation 12)
    case activation_function::tanh:
      return 1;
    case activation_function::xielu:
      return 4;  // α·x² + β·x, or α·(eˣ − 1 − x) + β·x
  }
  return 0;
}
/// Numbers that a function learns: xIELU's two α (Huang and Schlag 2024, arXiv 2411.13010).
constexpr double parameters_of(activation_function f) { return f == activation_function::xielu ? 2 : 0; }

/// f(x) over so many elements; one kernel, which keeps its input.
constexpr row activation_row(activation_function f, double elements, split over, const char* name, const tensor& x,
                             const tensor& y) {
  const double learned = parameters_of(f);
  return {.name = text_of(name),
          .where = y.made_by.where,
          .kind = operation::activation,
          .held = parameters::from_value(learned),
          .active = parameters::from_value(learned),
          .elementwise = flops::from_value(elements * flops_of(f)),
          .backward = {.elementwise = flops::from_value(elements * (flops_of(f) + 1)),
                       .weight_elementwise = flops::from_value(elements * learned)},
          .operands = {
              {.what = role::activation, .how = use::read | use::saved, .over = over, .elements = elements, .of = x},
              {.what = role::activation, .how = use::written, .over = over, .elements = elements, .of = y},
              {.what = learned > 0 ? role::weight : role::none, .how = use::read, .elements = learned}}};
}
constexpr tensor record_activation(recording auto& into, activation_function f, const tensor& x, double elements,
                                   split over, place where, const char* name) {
  const tensor y = into.made(where, operation::activation);
  into.take(activation_row(f, elements, over, name, x, y));
  return y;
}

/// f(gate)·x over so many elements; one fused kernel, so what it keeps is its inputs and not f(gate).
constexpr row gated_activation_row(activation_function f, double elements, split over, const char* name,
                                   const tensor& gate, const tensor& x, const tensor& y) {
  const use kept = use::read | use::saved;
  return {.name = text_of(name),
          .where = y.made_by.where,
          .kind = operation::activation,
          .elementwise = flops::from_value(elements * (flops_of(f) + 1)),
          .backward = {.elementwise = flops::from_value(elements * (flops_of(f) + 4))},
          .operands = {{.what = role::activation, .how = kept, .over = over, .elements = elements, .of = gate},
                       {.what = role::activation, .how = kept, .over = over, .elements = elements, .of = x},
                       {.what = role::activation, .how = use::written, .over = over, .elements = elements, .of = y}}};
}
constexpr tensor record_gated_activation(recording auto& into, activation_function f, const tensor& gate,
                                         const tensor& x, double elements, split over, place where, const char* name) {
  const tensor y = into.made(where, operation::activation);
  into.take(gated_activation_row(f, elements, over, name, gate, x, y));
  return y;
}

}  // namespace flopledger
