// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The models that other people's counts were taken of, by their dimensions.

#include <flopledger/models/block_shape.hpp>

#include <functional>
#include <utility>

namespace counted_models {

using namespace flopledger;

/// A model of any type behind one, so that rules are compiled once and not once for each model.
class any_model {
 public:
  struct any_sink {
    std::function<void(const row&, std::int64_t)> take_row;
    void take(const row& r, std::int64_t times) { take_row(r, times); }
  };
  template <class Model>
  any_model(Model model)
      : record_into_([held = std::move(model)](any_sink& sink, const work& asked) { held.record(sink, asked); }) {}
  void record(books auto& sink, const work& asked) const {
    any_sink all{[&sink](const row& r, std::int64_t times) { sink.take(r, times); }};
    record_into_(all, asked);
  }
 private:
  std::function<void(any_sink&, const work&)> record_into_;
};

/// GPT of karpathy/nanoGPT and of Hugging Face: tied head, biases everywhere or nowhere.
constexpr block_shape gpt(std::int64_t layers, std::int64_t hidden, std::int64_t heads, std::int64_t vocabulary,
                          std::int64_t positions, bool biases) {
  return {.layers = layers,
          .hidden = hidden,
          .heads = heads,
          .head_dim = hidden / heads,  // of BLOOM's trials some have a rest
          .intermediate = 4 * hidden,
          .vocabulary = vocabulary,
          .tied = true,
          .positions = positions,
          .query_bias = biases,
          .key_bias = biases,
          .value_bias = biases,
          .output_bias = biases,
          .feed_bias = biases,
          .gated = false,
          .activation = activation_function::gelu_tanh,
          .norm = {.kind = norm_kind::layer, .bias = biases},
          .rotary_fraction = 0};
}

/// GPTModel of rasbt/LLMs-from-scratch: untied head without bias, biases of queries, keys and values by choice.
constexpr block_shape rasbt_gpt(std::int64_t layers, std::int64_t hidden, std::int64_t heads, std::int64_t vocabulary,
                                std::int64_t positions, bool qkv_bias) {
  block_shape s = gpt(layers, hidden, heads, vocabulary, positions, true);
  s.tied = false;
  s.query_bias = s.key_bias = s.value_bias = qkv_bias;
  return s;
}

constexpr block_shape llama(std::int64_t layers, std::int64_t hidden, std::int64_t heads, std::int64_t kv_heads,
                            std::int64_t intermediate, std::int64_t vocabulary) {
  return {.layers = layers,
          .hidden = hidden,
          .heads = heads,
          .kv_heads = kv_heads,
          .intermediate = intermediate,
          .vocabulary = vocabulary};
}

constexpr transformer_config decoder(const block_shape& s) { return make_decoder("test", s); }

/// nn.MultiheadAttention over one sequence.
constexpr attention self_attention(std::int64_t hidden, std::int64_t heads, std::int64_t kv_heads,
                                   std::int64_t head_dim, bool biases) {
  return {.hidden = hidden,
          .heads = heads,
          .kv_heads = kv_heads,
          .head_dim = head_dim,
          .query_bias = biases,
          .key_bias = biases,
          .value_bias = biases,
          .output_bias = biases,
          .cached = false};
}

/// nn.TransformerEncoderLayer: norms after each residual, ReLU.
constexpr stack encoder_layer(std::int64_t hidden, std::int64_t heads, std::int64_t intermediate) {
  return {.layers = 1,
          .hidden = hidden,
          .attention = self_attention(hidden, heads, heads, hidden / heads, true),
          .feed = {.hidden = hidden,
                   .intermediate = intermediate,
                   .gated = false,
                   .up_bias = true,
                   .down_bias = true,
                   .activation = activation_function::relu},
          .norm = {.kind = norm_kind::layer, .bias = true},
          .placement = norms::post,
          .final_norm = false};
}

/// BertModel with its pooler, or BertForMaskedLM.
constexpr transformer_config bert(std::int64_t layers, std::int64_t hidden, std::int64_t heads,
                                  std::int64_t intermediate, std::int64_t vocabulary, std::int64_t positions,
                                  bool masked_tokens) {
  transformer_config c{.architecture = "BertModel"};
  c.embedding = {.vocabulary = vocabulary, .width = hidden, .positions = positions, .token_types = 2, .norm = true};
  c.stack = encoder_layer(hidden, heads, intermediate);
  c.stack.layers = layers;
  c.stack.feed.activation = activation_function::gelu;
  if (masked_tokens)
    c.head = {.transform = true, .outputs = vocabulary, .tied = true, .bias = true};
  else
    c.head = {.pooler = true};
  return c;
}

/// A product between tokens and nothing else.
struct core_alone {
  double heads = 0, width = 0;
  bool scores_only = false;
  constexpr void record(books auto& sink, const work& asked) const {
    filtered kept{sink, [this](const row& r) { return !scores_only || r.kind == operation::attention_scores; }};
    attention_core{.heads = heads, .kv_heads = heads, .key_dim = width, .value_dim = width}.record(kept, asked);
  }
};

/// Chinchilla's blocks have relative positions (Transformer-XL): one more matrix and two vectors a layer, which only
/// the parameters count.
struct chinchilla {
  transformer_config config;
  constexpr void record(books auto& sink, const work& asked) const {
    config.record(sink, asked);
    const auto width = static_cast<double>(config.stack.hidden);
    const parameters stored = (width * width + 2 * width) * unit::parameter;
    sink.take({.name = "relative_positions", .held = stored, .active = stored}, config.stack.layers);
  }
};

}  // namespace counted_models
