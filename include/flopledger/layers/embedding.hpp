// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Tables that are looked up, and images cut into patches.

#include <flopledger/layers/linear.hpp>

namespace flopledger {

/// A table of `entries` vectors of `width`: tokens, learned positions, token types. Looking up is no product: it reads
/// one vector a token and computes nothing; its backward adds each token's gradient to one row.
struct embedding {
  std::int64_t entries = 0, width = 0;
  bool trainable = true;  ///< false for a stored table that is never learned (Whisper's sinusoids)

  FLOPLEDGER_INLINE constexpr row as_row(double rows, const char* name) const {
    const double stored = static_cast<double>(entries) * static_cast<double>(width);
    const double looked_up = rows * static_cast<double>(width);
    return {
        .name = text_of(name),
        .kind = operation::gather,
        .trainable = trainable,
        .held = parameters::from_value(stored),
        .active = parameters::from_value(stored),
        .backward = {.weight_elementwise = flops::from_value(looked_up)},
        .operands = {
            {.what = role::weight, .how = use::read, .over = split::tensor, .elements = stored, .touched = looked_up},
            {.what = role::index, .how = use::read | use::saved_for_weights, .over = split::sequence, .elements = rows},
            {.what = role::activation, .how = use::written, .over = split::sequence, .elements = looked_up}}};
  }
  constexpr void record(books auto& sink, double rows, const char* name) const { sink.take(as_row(rows, name), 1); }
  constexpr void record(books auto& sink, const work& asked, const char* name) const {
    record(sink, asked.token_count(), name);
  }
};

/// Square patches of an image, each by one weight matrix: a convolution whose stride is its kernel, hence a plain
/// product (Dosovitskiy et al. 2021, equation 1).
struct patch_embedding {
  std::int64_t image_size = 0, patch_size = 0, channels = 3, hidden = 0;
  bool bias = true;

  constexpr std::int64_t patches() const { return (image_size / patch_size) * (image_size / patch_size); }
  constexpr void record(books auto& sink, double images, const char* name) const {
    linear{.in = channels * patch_size * patch_size,
           .out = hidden,
           .bias = bias,
           .kind = operation::convolution,
           .input_grad = false}
        .record(sink, images * static_cast<double>(patches()), name);
  }
};

/// A one-dimensional convolution over time, [rows, in] → [rows, out], as a product over kernel·in inputs.
struct temporal_convolution {
  std::int64_t in = 0, out = 0, kernel = 3;
  bool bias = true;
  bool input_grad = true;

  constexpr void record(books auto& sink, double rows, const char* name) const {
    linear{.in = in * kernel, .out = out, .bias = bias, .kind = operation::convolution, .input_grad = input_grad}
        .record(sink, rows, name);
  }
};

}  // namespace flopledger
