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
  bool keeps_input = true;  ///< false where another row already keeps the same tensor (key and value beside query)
  bool tied = false;        ///< the weights are stored elsewhere (a head that uses the embedding's table)
  bool input_grad = true;   ///< false where nothing before it learns (the patches of an image)
  std::int32_t parts = 0;   ///< the most ranks that can hold a different part; 0: no limit

  /// 2·tokens·in·out FLOPs; in·out (+ out) parameters; bias: tokens·out additions. Backward: dX = dY·Wᵀ and dW = Xᵀ·dY.
  FLOPLEDGER_INLINE constexpr row as_row(double rows, const char* name) const {
    const auto inputs = static_cast<double>(in), outputs = static_cast<double>(out);
    const double weights = inputs * outputs, biases = bias ? outputs : 0.0, biased = rows * biases;
    const double stored = (tied ? 0.0 : weights) + biases;
    const split by_tensor = cut == tensor_cut::whole ? split::replicated : split::tensor;
    return {.name = text_of(name),
            .kind = kind,
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
                          .how = keeps_input ? use::read | use::saved_for_weights : use::read,
                          .over = cut == tensor_cut::rows ? split::tensor : split::sequence,
                          .parts = cut == tensor_cut::rows ? parts : 0,
                          .elements = rows * inputs},
                         {.what = role::activation,
                          .how = use::written,
                          .over = cut == tensor_cut::columns ? split::tensor : split::sequence,
                          .parts = cut == tensor_cut::columns ? parts : 0,
                          .elements = rows * outputs},
                         {.what = bias ? role::bias : role::none,
                          .how = use::read,
                          .over = cut == tensor_cut::columns ? split::tensor : split::replicated,
                          .parts = cut == tensor_cut::columns ? parts : 0,
                          .elements = biases}}};
  }
  constexpr void record(books auto& sink, double rows, const char* name) const { sink.take(as_row(rows, name), 1); }
  constexpr void record(books auto& sink, const work& asked, const char* name) const {
    record(sink, asked.token_count(), name);
  }
};

}  // namespace flopledger
