// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What the models of the zoo stand on.

#include <flopledger/models/block_shape.hpp>
#include <flopledger/models/model.hpp>

#include <string_view>

namespace flopledger::models {

/// Who made a model, or what it descends from.
enum class family : std::uint8_t {
  baichuan,
  bart,
  bert,
  bloom,
  clip,
  cohere,
  dbrx,
  deepseek,
  dots,
  ernie,
  falcon,
  gemma,
  glm,
  gpt,
  granite,
  grok,
  internlm,
  jamba,
  kimi,
  llama,
  mamba,
  minimax,
  mistral,
  mixtral,
  mpt,
  nemotron,
  olmo,
  opt,
  phi,
  pythia,
  qwen,
  smollm,
  solar,
  stablelm,
  starcoder,
  t5,
  vit,
  whisper,
  yi,
};

constexpr std::string_view name_of(family made_by) {
  constexpr const char* names[] = {
      "baichuan", "bart",    "bert",    "bloom",    "clip",      "cohere",   "dbrx",     "deepseek", "dots", "ernie",
      "falcon",   "gemma",   "glm",     "gpt",      "granite",   "grok",     "internlm", "jamba",    "kimi", "llama",
      "mamba",    "minimax", "mistral", "mixtral",  "mpt",       "nemotron", "olmo",     "opt",      "phi",  "pythia",
      "qwen",     "smollm",  "solar",   "stablelm", "starcoder", "t5",       "vit",      "whisper",  "yi"};
  return names[static_cast<std::size_t>(made_by)];
}

/// Base of a model of the zoo. Nothing of a model is evaluated before it is used, for one evaluated config takes a
/// compiler half a millisecond, and the zoo is in every translation unit: `config` and the names are members of a
/// template, and what describes a model is one itself, which a compiler reads but does not analyse.
template <class Self, models::family Family>
struct zoo_model {
  static constexpr std::string_view name = Self::title;
  static constexpr std::string_view family = name_of(Family);
  static constexpr transformer_config config = Self::describe();
};

namespace detail {
inline constexpr norm_config layer_norm{.kind = norm_kind::layer, .weight = true, .bias = true};

/// A classic block: LayerNorm, two matrices four times as wide, biases everywhere, no rotary positions.
template <class T = void>
constexpr block_shape classic(block_shape s) {
  s.norm = layer_norm;
  s.gated = false;
  s.activation = activation_function::gelu_tanh;
  s.query_bias = s.key_bias = s.value_bias = s.output_bias = s.feed_bias = true;
  s.rotary_fraction = 0;
  if (s.intermediate == 0) s.intermediate = 4 * s.hidden;
  return s;
}

/// The blocks of a vision tower: classic, before a final norm, every patch seeing every other.
template <class T = void>
constexpr block_shape vision_blocks(std::int64_t layers, std::int64_t hidden, std::int64_t heads,
                                    std::int64_t intermediate, activation_function activation) {
  block_shape s = classic<T>({.layers = layers, .hidden = hidden, .heads = heads, .intermediate = intermediate});
  s.activation = activation;
  s.causal = false;
  return s;
}
}  // namespace detail

}  // namespace flopledger::models
