// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// EXAONE-4 (LG AI Research, arXiv 2507.11407).

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

/// sliding_window_pattern: "LLLG" gives the layers a window (L) or none (G), over and over, and a number makes the last
/// of so many global. Spelled out, the pattern leaves the last layer global whatever its letter
/// (configuration_exaone4.py).
constexpr layer_set read_window_letters(const config_fields& in, std::int64_t layers) {
  const json::value* pattern = in.find(field::sliding_window_pattern);
  if (pattern == nullptr || pattern->type != json::kind::string)
    return layer_set::range(0, layers) - every_last_of(in.count_or(field::sliding_window_pattern, 4), layers);
  const std::string_view letters = pattern->text.raw;
  if (letters.empty() || letters.find_first_not_of("LG") != std::string_view::npos) {
    in.fail(config_problem::unknown, field::sliding_window_pattern);
    return {};
  }
  layer_set windowed;
  for (std::int64_t i = 0; i + 1 < layers; ++i)
    if (letters[static_cast<std::size_t>(i) % letters.size()] == 'L') windowed.insert(i);
  return windowed;
}

/// LLaMA's block with its norms behind the sublayers, queries and keys normalised by head, and windows in a pattern.
constexpr block_shape exaone4_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_dense_shape(in, known);
  s.placement = norms::post;
  s.query_key_norm = qk_norm::per_head;
  if (!read_layer_types(in, s)) s.windowed = read_window_letters(in, s.layers);
  return s;
}

inline constexpr architecture exaone_family[] = {
    {.model_type = "exaone4", .class_prefix = "Exaone4", .shape = exaone4_shape, .kv_heads = 32, .window = 4096},
};

}  // namespace flopledger::hugging_face
