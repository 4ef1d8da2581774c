// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A matrix of weights: [tokens, in] → [tokens, out].

#include <flopledger/ledger.hpp>
#include <flopledger/work.hpp>

namespace flopledger {

/// How tensor parallelism cuts a weight matrix (Shoeybi et al. 2019, section 3).
enum class tensor_cut : std::uint8_t {
  whole,    ///< every rank holds it
  columns,  ///< by outputs: the input is whole on every rank, the output is cut
  rows      ///< by inputs: the input is cut, the output is summed over the ranks
};

struct linear {
  std::int64_t in = 0, out = 0;
  bool bias = false;
  operation kind = operation::projection;
  tensor_cut cut = tensor_cut::whole;
  bool tied = false;       ///< the weights are stored elsewhere (a head that uses the embedding's table)
  bool input_grad = true;  ///< false where nothing before it learns (the patches of an image)
  std::int32_t parts = 0;  ///< the most ranks that can hold a different part; 0: no limit

  /// 2·tokens·in·out FLOPs; in·out (+ out) parameters; bias: tokens·out additions. Backward: dX = dY·Wᵀ and dW = Xᵀ·dY.
  constexpr row as_row(double rows, const char* name, const tensor& x, const tensor& y) const {
    const auto inputs = static_cast<double>(in), outputs = static_cast<double>(out);
    const double weights = inputs * outputs, biases = bias ? outputs : 0.0, biased = rows * biases;
    const double stored = (tied ? 0.0 : weights) + biases;
    const split by_tensor = cut == tensor_cut::whole ? split::replicated : split::tensor;
    return {.name = text_of(name),
            .where = y.made_by.where,
            .kind = kind,
            .nth_product = y.made_by.nth_product,
            .nth_joined = y.made_by.nth_joined,
            .shape = {.batch = 1, .m = rows, .n = outputs, .k = inputs},
            .held = parameters::from_value(stored),
            .active = parameters::from_value(stored),
            .multiplied = macs::from_value(rows * weights),
            .elementwise = flops::from_value(biased),
            .backward = {.input_products = input_grad ? 1.0 : 0.0,
                         .weight_products = 1,
                         .weight_elementwise = flops::from_value(biased)},
            .operands = {{.what = role::weight,
                          .how = use::read,
                          .over = by_tensor,
                          .parts = parts,
                          .elements = tied ? 0.0 : weights,
                          .touched = weights},
                         {.what = role::activation,
                          .how = use::read | use::saved_for_weights,
                          .over = cut == tensor_cut::rows ? split::tensor : split::sequence,
                          .parts = cut == tensor_cut::rows ? parts : 0,
                          .elements = rows * inputs,
                          .of = x},
                         {.what = role::activation,
                          .how = use::written,
                          .over = cut == tensor_cut::columns ? split::tensor : split::sequence,
                          .parts = cut == tensor_cut::columns ? parts : 0,
                          .elements = rows * outputs,
                          .of = y},
                         {.what = bias ? role::bias : role::none,
                          .how = use::read,
                          .over = cut == tensor_cut::columns ? split::tensor : split::replicated,
                          .parts = cut == tensor_cut::columns ? parts : 0,
                          .elements = biases}}};
  }
  /// Records the product of x, [rows, in], and returns what it writes, [rows, out].
  constexpr tensor record(recording auto& into, const tensor& x, double rows, place where, const char* name) const {
    const tensor y = into.product_of(x, where, kind);
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

/// As many matrices as groups, each for its part of the input: [tokens, groups·in] → [tokens, groups·out].
struct grouped_linear {
  std::int64_t in = 0, out = 0, groups = 1;

  constexpr tensor record(recording auto& into, const tensor& x, double rows, place where, const char* name) const {
    const auto count = static_cast<double>(groups), inputs = static_cast<double>(in),
               outputs = static_cast<double>(out);
    const double weights = count * inputs * outputs;
    const auto parts = static_cast<std::int32_t>(groups);
    const tensor y = into.product_of(x, where, operation::projection);
    const auto cut = [parts](role what, use how, double elements, const tensor& of) {
      return operand{.what = what, .how = how, .over = split::tensor, .parts = parts, .elements = elements, .of = of};
    };
    into.take({.name = text_of(name),
               .where = where,
               .kind = operation::projection,
               .nth_product = y.made_by.nth_product,
               .nth_joined = y.made_by.nth_joined,
               .shape = {.batch = count, .m = rows, .n = outputs, .k = inputs},
               .held = parameters::from_value(weights),
               .active = parameters::from_value(weights),
               .multiplied = macs::from_value(rows * weights),
               .backward = {.input_products = 1, .weight_products = 1},
               .operands = {cut(role::weight, use::read, weights, {}),
                            cut(role::activation, use::read | use::saved_for_weights, rows * count * inputs, x),
                            cut(role::activation, use::written, rows * count * outputs, y)}});
    return y;
  }
};

}  // namespace flopledger
