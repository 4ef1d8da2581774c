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

  constexpr void record(books auto& sink, const work& asked) const {
    const double rows = asked.token_count();
    const auto width = static_cast<double>(inner), depth = static_cast<double>(state);
    linear{.in = hidden, .out = 2 * inner, .bias = projection_bias, .cut = tensor_cut::columns}.record(sink, rows,
                                                                                                       "mamba.in");
    record_convolution(sink, asked, rows, width);
    linear{.in = inner, .out = step_rank + 2 * state, .cut = tensor_cut::rows}.record(sink, rows, "mamba.parameters");
    if (inner_norms) {
      normalization{.kind = norm_kind::rms, .width = step_rank}.record(sink, rows, "mamba.step_norm");
      normalization{.kind = norm_kind::rms, .width = state}.record(sink, rows, "mamba.input_norm");
      normalization{.kind = norm_kind::rms, .width = state}.record(sink, rows, "mamba.output_norm");
    }
    linear{.in = step_rank, .out = inner, .bias = true, .cut = tensor_cut::columns}.record(sink, rows, "mamba.step");
    // h ← exp(Δ·A)·h + Δ·B·x and y = C·h + D·x: nine operations an element of the state, and the gate's SiLU.
    const parameters stored = parameters::from_value(width * depth + width);
    const flops scan = flops::from_value(rows * width * (9 * depth + 7));
    sink.take({.name = text_of("mamba.scan"),
               .kind = operation::recurrence,
               .held = stored,
               .active = stored,
               .elementwise = scan,
               .backward = {.elementwise = 2.0 * scan},
               .operands =
                   {{.what = role::weight, .how = use::read, .over = split::tensor, .elements = width * depth + width},
                    {.what = role::activation,
                     .how = use::read | use::saved,
                     .over = split::tensor,
                     .elements = rows * (3 * width + 2 * depth)},
                    {.what = role::activation, .how = use::written, .over = split::tensor, .elements = rows * width},
                    {.what = role::cache,
                     .how = use::read,
                     .over = split::tensor,
                     .elements = asked.sequence_count() * width * depth,
                     .touched = asked.cached_sequence_count() * width * depth}}},
              1);
    linear{.in = inner, .out = hidden, .bias = projection_bias, .cut = tensor_cut::rows}.record(sink, rows,
                                                                                                "mamba.out");
  }
 private:
  constexpr void record_convolution(books auto& sink, const work& asked, double rows, double width) const {
    const auto taps = static_cast<double>(kernel);
    const double biases = convolution_bias ? width : 0.0;
    const parameters stored = parameters::from_value(width * taps + biases);
    sink.take(
        {.name = text_of("mamba.convolution"),
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
         .operands = {{.what = role::weight, .how = use::read, .over = split::tensor, .elements = width * taps},
                      {.what = role::activation,
                       .how = use::read | use::saved,
                       .over = split::tensor,
                       .elements = rows * width},
                      {.what = role::activation, .how = use::written, .over = split::tensor, .elements = rows * width},
                      {.what = convolution_bias ? role::bias : role::none,
                       .how = use::read,
                       .over = split::tensor,
                       .elements = biases},
                      {.what = role::cache,
                       .how = use::read,
                       .over = split::tensor,
                       .elements = asked.sequence_count() * width * taps,
                       .touched = asked.cached_sequence_count() * width * taps}}},
        1);
  }
};

/// Lightning attention (MiniMax-01, section 2.2.1): linear attention over a head_dim × head_dim state a head, gated.
struct lightning_attention {
  std::int64_t hidden = 0, heads = 0, head_dim = 0;

  constexpr void record(books auto& sink, const work& asked) const {
    const double rows = asked.token_count();
    const auto count = static_cast<double>(heads), width = static_cast<double>(head_dim);
    const auto parts = static_cast<std::int32_t>(heads);
    linear into{.in = hidden, .out = heads * head_dim, .cut = tensor_cut::columns, .parts = parts};
    into.record(sink, rows, "attention.query");
    into.keeps_input = false;
    into.record(sink, rows, "attention.key");
    into.record(sink, rows, "attention.value");
    // The state takes kᵀ·v and is read by q: two products of head_dim × head_dim a head and token.
    sink.take({.name = text_of("attention.recurrence"),
               .kind = operation::recurrence,
               .shape = {.batch = count, .m = rows, .n = width, .k = 2 * width},
               .multiplied = macs::from_value(2 * rows * count * width * width),
               .elementwise = flops::from_value(rows * count * width * width),
               .backward = {.input_products = 2, .elementwise = flops::from_value(rows * count * width * width)},
               .operands = {{.what = role::activation,
                             .how = use::read | use::saved,
                             .over = split::tensor,
                             .parts = parts,
                             .elements = 3 * rows * count * width},
                            {.what = role::activation,
                             .how = use::written,
                             .over = split::tensor,
                             .parts = parts,
                             .elements = rows * count * width},
                            {.what = role::cache,
                             .how = use::read,
                             .over = split::tensor,
                             .parts = parts,
                             .elements = asked.sequence_count() * count * width * width,
                             .touched = asked.cached_sequence_count() * count * width * width}}},
              1);
    normalization{.kind = norm_kind::rms, .width = heads * head_dim, .over = split::tensor}.record(sink, rows,
                                                                                                   "attention.norm");
    into.record(sink, rows, "attention.gate");
    record_activation(sink, activation_function::silu, true, rows * count * width, split::tensor, "attention.gating");
    linear{.in = heads * head_dim, .out = hidden, .cut = tensor_cut::rows, .parts = parts}.record(sink, rows,
                                                                                                  "attention.output");
  }
};

}  // namespace flopledger
