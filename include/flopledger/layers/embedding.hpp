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

  constexpr row as_row(double rows, const char* name, const tensor& y) const {
    const double stored = static_cast<double>(entries) * static_cast<double>(width);
    const double looked_up = rows * static_cast<double>(width);
    return {
        .name = text_of(name),
        .where = y.made_by.where,
        .kind = operation::gather,
        .trainable = trainable,
        .held = parameters::from_value(stored),
        .active = parameters::from_value(stored),
        .backward = {.weight_elementwise = flops::from_value(looked_up)},
        .operands = {
            {.what = role::weight, .how = use::read, .over = split::tensor, .elements = stored, .touched = looked_up},
            {.what = role::index, .how = use::read | use::saved_for_weights, .over = split::sequence, .elements = rows},
            {.what = role::activation, .how = use::written, .over = split::sequence, .elements = looked_up, .of = y}}};
  }
  /// Looks up so many rows: [rows, width].
  constexpr tensor record(recording auto& into, double rows, place where, const char* name) const {
    const tensor y = into.made(where, operation::gather);
    into.take(as_row(rows, name, y));
    return y;
  }
  /// The layer by itself.
  constexpr void record(books auto& sink, double rows, const char* name) const {
    recorder alone{sink};
    record(alone, rows, {.in = sublayer::outside, .at = position::table}, name);
  }
  constexpr void record(books auto& sink, const work& asked, const char* name) const {
    record(sink, asked.token_count(), name);
  }
};

/// Square patches of an image, each by one weight matrix: a convolution whose stride is its kernel, hence a plain
/// product (Dosovitskiy et al. 2021, equation 1).
struct patch_embedding {
  std::int64_t image_size = 0, patch_size = 0, channels = 3, hidden = 0;
  bool bias = true;
  std::int64_t patches_per_image = 0;  ///< of images that are no square of one size; 0: as many as the square has

  constexpr std::int64_t patches() const {
    return patches_per_image > 0 ? patches_per_image : (image_size / patch_size) * (image_size / patch_size);
  }
  /// [images·patches, hidden].
  constexpr tensor record(recording auto& into, double images, const char* name) const {
    return linear{.in = channels * patch_size * patch_size,
                  .out = hidden,
                  .bias = bias,
                  .kind = operation::convolution,
                  .input_grad = false}
        .record(into, into.enters(), images * static_cast<double>(patches()),
                {.in = sublayer::outside, .at = position::patches}, name);
  }
  /// The layer by itself.
  constexpr void record(books auto& sink, double images, const char* name) const {
    recorder alone{sink};
    record(alone, images, name);
  }
};

/// A one-dimensional convolution over time, [rows, in] → [rows, out], as a product over kernel·in inputs.
struct temporal_convolution {
  std::int64_t in = 0, out = 0, kernel = 3;
  bool bias = true;
  bool input_grad = true;

  constexpr tensor record(recording auto& into, const tensor& x, double rows, const char* name) const {
    return linear{.in = in * kernel, .out = out, .bias = bias, .kind = operation::convolution, .input_grad = input_grad}
        .record(into, x, rows, {.in = sublayer::outside, .at = position::convolution}, name);
  }
  /// The layer by itself.
  constexpr void record(books auto& sink, double rows, const char* name) const {
    recorder alone{sink};
    record(alone, alone.enters(), rows, name);
  }
};

}  // namespace flopledger
