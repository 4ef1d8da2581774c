// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// OpenAI's models, EleutherAI's, and BigCode's.

#include <flopledger/models/zoo/zoo_model.hpp>

namespace flopledger::models {

namespace detail {
/// GPT-2 (Radford et al. 2019): LayerNorm before, two matrices, biases everywhere, learned positions, a tied head.
template <class T = void>
constexpr transformer_config gpt2(std::int64_t layers, std::int64_t hidden, std::int64_t heads,
                                  std::int64_t positions = 1024) {
  block_shape s = classic<T>({.layers = layers, .hidden = hidden, .heads = heads, .vocabulary = 50257, .tied = true});
  s.positions = s.context = positions;
  s.dropout = true;
  return make_decoder<T>("GPT2LMHeadModel", s);
}

/// GPT-NeoX and Pythia: attention and feed-forward side by side with a norm each, a quarter of each head rotary.
template <class T = void>
constexpr transformer_config gpt_neox(block_shape s) {
  s = classic<T>(s);
  s.activation = activation_function::gelu;
  s.rotary_fraction = 0.25;
  s.parallel = true;
  s.context = 2048;
  return make_decoder<T>("GPTNeoXForCausalLM", s);
}

/// gpt-oss: mixtures with biases, a learned sink a head, every second layer windowed from the first on.
template <class T = void>
constexpr transformer_config gpt_oss(block_shape s) {
  s.hidden = s.intermediate = s.expert_intermediate = 2880;
  s.heads = s.head_dim = 64;
  s.kv_heads = 8;
  s.vocabulary = 201088;
  s.query_bias = s.key_bias = s.value_bias = s.output_bias = true;
  s.sinks = s.router_bias = s.expert_bias = true;
  s.experts_per_token = 4;
  s.window = 128;
  s.windowed = layer_set::every(2, 0, s.layers);
  s.sparse = layer_set::range(0, s.layers);
  s.context = 131072;
  return make_decoder<T>("GptOssForCausalLM", s);
}

/// StarCoder2: grouped queries and a window over the habits of GPT-2.
template <class T = void>
constexpr transformer_config starcoder2(block_shape s) {
  s = classic<T>(s);
  s.rotary_fraction = 1.0;
  s.vocabulary = 49152;
  s.window = 4096;
  s.windowed = layer_set::range(0, s.layers);
  s.context = 16384;
  return make_decoder<T>("Starcoder2ForCausalLM", s);
}
}  // namespace detail

struct gpt2_small : zoo_model<gpt2_small, family::gpt> {
  static constexpr const char* title = "GPT-2 small";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::gpt2<T>(12, 768, 12);
  }
};

struct gpt2_medium : zoo_model<gpt2_medium, family::gpt> {
  static constexpr const char* title = "GPT-2 medium";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::gpt2<T>(24, 1024, 16);
  }
};

struct gpt2_large : zoo_model<gpt2_large, family::gpt> {
  static constexpr const char* title = "GPT-2 large";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::gpt2<T>(36, 1280, 20);
  }
};

struct gpt2_xl : zoo_model<gpt2_xl, family::gpt> {
  static constexpr const char* title = "GPT-2 XL";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::gpt2<T>(48, 1600, 25);
  }
};

/// 1.3B follows from 16 heads of 128; table 2.1 of the paper says 24.
struct gpt3_xl : zoo_model<gpt3_xl, family::gpt> {
  static constexpr const char* title = "GPT-3 XL";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::gpt2<T>(24, 2048, 16, 2048);
  }
};

struct gpt3_6_7b : zoo_model<gpt3_6_7b, family::gpt> {
  static constexpr const char* title = "GPT-3 6.7B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::gpt2<T>(32, 4096, 32, 2048);
  }
};

/// Brown et al. 2020, table 2.1, in the shape of GPT-2 as the paper says; its sparse attention was never published.
struct gpt3_175b : zoo_model<gpt3_175b, family::gpt> {
  static constexpr const char* title = "GPT-3 175B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::gpt2<T>(96, 12288, 96, 2048);
  }
};

/// Attention and feed-forward side by side on one norm; biases in the feed-forward and the head alone.
struct gpt_j_6b : zoo_model<gpt_j_6b, family::gpt> {
  static constexpr const char* title = "GPT-J-6B";
  template <class T = void>
  static constexpr transformer_config describe() {
    block_shape s =
        detail::classic<T>({.layers = 28, .hidden = 4096, .heads = 16, .vocabulary = 50400, .context = 2048});
    s.query_bias = s.key_bias = s.value_bias = s.output_bias = false;
    s.head_bias = s.parallel = true;
    s.placement = norms::shared;
    s.rotary_fraction = 0.25;
    return make_decoder<T>("GPTJForCausalLM", s);
  }
};

/// Every second layer attends to the last 256 tokens; a bias on the attention's output alone.
struct gpt_neo_2_7b : zoo_model<gpt_neo_2_7b, family::gpt> {
  static constexpr const char* title = "GPT-Neo-2.7B";
  template <class T = void>
  static constexpr transformer_config describe() {
    block_shape s = detail::classic<T>({.layers = 32, .hidden = 2560, .heads = 20, .vocabulary = 50257, .tied = true});
    s.query_bias = s.key_bias = s.value_bias = false;
    s.positions = s.context = 2048;
    s.window = 256;
    s.windowed = layer_set::every(2, 1, s.layers);
    return make_decoder<T>("GPTNeoForCausalLM", s);
  }
};

struct gpt_neox_20b : zoo_model<gpt_neox_20b, family::gpt> {
  static constexpr const char* title = "GPT-NeoX-20B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::gpt_neox<T>({.layers = 44, .hidden = 6144, .heads = 64, .vocabulary = 50432});
  }
};

struct pythia_6_9b : zoo_model<pythia_6_9b, family::pythia> {
  static constexpr const char* title = "Pythia-6.9B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::gpt_neox<T>({.layers = 32, .hidden = 4096, .heads = 32, .vocabulary = 50432});
  }
};

struct pythia_12b : zoo_model<pythia_12b, family::pythia> {
  static constexpr const char* title = "Pythia-12B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::gpt_neox<T>({.layers = 36, .hidden = 5120, .heads = 40, .vocabulary = 50688});
  }
};

struct gpt_oss_20b : zoo_model<gpt_oss_20b, family::gpt> {
  static constexpr const char* title = "gpt-oss-20b";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::gpt_oss<T>({.layers = 24, .experts = 32});
  }
};

struct gpt_oss_120b : zoo_model<gpt_oss_120b, family::gpt> {
  static constexpr const char* title = "gpt-oss-120b";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::gpt_oss<T>({.layers = 36, .experts = 128});
  }
};

/// One key/value head for 48 query heads; GPT-2 otherwise.
struct starcoder_15b : zoo_model<starcoder_15b, family::starcoder> {
  static constexpr const char* title = "StarCoder-15B";
  template <class T = void>
  static constexpr transformer_config describe() {
    block_shape s = detail::classic<T>(
        {.layers = 40, .hidden = 6144, .heads = 48, .kv_heads = 1, .vocabulary = 49152, .tied = true});
    s.positions = s.context = 8192;
    s.dropout = true;
    return make_decoder<T>("GPTBigCodeForCausalLM", s);
  }
};

struct starcoder2_3b : zoo_model<starcoder2_3b, family::starcoder> {
  static constexpr const char* title = "StarCoder2-3B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::starcoder2<T>({.layers = 30, .hidden = 3072, .heads = 24, .kv_heads = 2, .tied = true});
  }
};

struct starcoder2_15b : zoo_model<starcoder2_15b, family::starcoder> {
  static constexpr const char* title = "StarCoder2-15B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::starcoder2<T>({.layers = 40, .hidden = 6144, .heads = 48, .kv_heads = 4});
  }
};

}  // namespace flopledger::models
