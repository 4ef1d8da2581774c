// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Falcon, BLOOM, OPT, MPT, DBRX and Grok.

#include <flopledger/models/zoo/zoo_model.hpp>

namespace flopledger::models {

namespace detail {
/// Falcon: no biases, ungated GELU, attention and feed-forward side by side.
template <class T = void>
constexpr transformer_config falcon(block_shape s) {
  s.norm = layer_norm;
  s.gated = false;
  s.activation = activation_function::gelu;
  s.intermediate = 4 * s.hidden;
  s.vocabulary = 65024;
  s.tied = s.parallel = true;
  s.context = 2048;
  return make_decoder<T>("FalconForCausalLM", s);
}

/// OPT: GPT-2's block with ReLU; its position table begins two rows late.
template <class T = void>
constexpr transformer_config opt(std::int64_t layers, std::int64_t hidden, std::int64_t heads) {
  block_shape s = classic<T>({.layers = layers, .hidden = hidden, .heads = heads, .vocabulary = 50272, .tied = true});
  s.activation = activation_function::relu;
  s.positions = 2050;
  s.dropout = true;
  s.context = 2048;
  return make_decoder<T>("OPTForCausalLM", s);
}

/// BLOOM: GPT-2's block with ALiBi and a norm above the embedding.
template <class T = void>
constexpr transformer_config bloom(std::int64_t layers, std::int64_t hidden, std::int64_t heads) {
  transformer_config made = make_decoder<T>(
      "BloomForCausalLM",
      classic(
          {.layers = layers, .hidden = hidden, .heads = heads, .vocabulary = 250880, .tied = true, .context = 2048}));
  made.embedding.norm = true;
  return made;
}

/// MPT: no biases at all, ALiBi.
template <class T = void>
constexpr transformer_config mpt(block_shape s) {
  s.norm = {.kind = norm_kind::layer, .weight = true, .bias = false};
  s.gated = false;
  s.activation = activation_function::gelu;
  s.rotary_fraction = 0;
  s.intermediate = 4 * s.hidden;
  s.vocabulary = 50432;
  s.tied = true;
  return make_decoder<T>("MPTForCausalLM", s);
}
}  // namespace detail

/// One key/value head, and one norm for both sublayers.
struct falcon_7b : zoo_model<falcon_7b, family::falcon> {
  static constexpr const char* title = "Falcon-7B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::falcon<T>({.layers = 32, .hidden = 4544, .heads = 71, .kv_heads = 1, .placement = norms::shared});
  }
};

struct falcon_40b : zoo_model<falcon_40b, family::falcon> {
  static constexpr const char* title = "Falcon-40B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::falcon<T>({.layers = 60, .hidden = 8192, .heads = 128, .kv_heads = 8});
  }
};

/// Tied; its files hold the head a second time, hence the 179.5B that are often given.
struct falcon_180b : zoo_model<falcon_180b, family::falcon> {
  static constexpr const char* title = "Falcon-180B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::falcon<T>({.layers = 80, .hidden = 14848, .heads = 232, .kv_heads = 8});
  }
};

struct bloom_7b1 : zoo_model<bloom_7b1, family::bloom> {
  static constexpr const char* title = "BLOOM-7b1";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::bloom<T>(30, 4096, 32);
  }
};

struct bloom_176b : zoo_model<bloom_176b, family::bloom> {
  static constexpr const char* title = "BLOOM-176B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::bloom<T>(70, 14336, 112);
  }
};

struct opt_6_7b : zoo_model<opt_6_7b, family::opt> {
  static constexpr const char* title = "OPT-6.7B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::opt<T>(32, 4096, 32);
  }
};

struct opt_13b : zoo_model<opt_13b, family::opt> {
  static constexpr const char* title = "OPT-13B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::opt<T>(40, 5120, 40);
  }
};

struct opt_30b : zoo_model<opt_30b, family::opt> {
  static constexpr const char* title = "OPT-30B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::opt<T>(48, 7168, 56);
  }
};

struct opt_66b : zoo_model<opt_66b, family::opt> {
  static constexpr const char* title = "OPT-66B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::opt<T>(64, 9216, 72);
  }
};

struct opt_175b : zoo_model<opt_175b, family::opt> {
  static constexpr const char* title = "OPT-175B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::opt<T>(96, 12288, 96);
  }
};

struct mpt_7b : zoo_model<mpt_7b, family::mpt> {
  static constexpr const char* title = "MPT-7B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::mpt<T>({.layers = 32, .hidden = 4096, .heads = 32, .context = 2048});
  }
};

struct mpt_30b : zoo_model<mpt_30b, family::mpt> {
  static constexpr const char* title = "MPT-30B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::mpt<T>({.layers = 48, .hidden = 7168, .heads = 64, .context = 8192});
  }
};

struct dbrx : zoo_model<dbrx, family::dbrx> {
  static constexpr const char* title = "DBRX";
  template <class T = void>
  static constexpr transformer_config describe() {
    return make_decoder<T>("DbrxForCausalLM", {.layers = 40,
                                               .hidden = 6144,
                                               .heads = 48,
                                               .kv_heads = 8,
                                               .vocabulary = 100352,
                                               .norm = {.kind = norm_kind::layer, .weight = true, .bias = false},
                                               .experts = 16,
                                               .experts_per_token = 4,
                                               .expert_intermediate = 10752,
                                               .sparse = layer_set::range(0, 40),
                                               .context = 32768});
  }
};

struct grok_1 : zoo_model<grok_1, family::grok> {
  static constexpr const char* title = "Grok-1";
  template <class T = void>
  static constexpr transformer_config describe() {
    return make_decoder<T>("Grok1ModelForCausalLM", {.layers = 64,
                                                     .hidden = 6144,
                                                     .heads = 48,
                                                     .kv_heads = 8,
                                                     .intermediate = 32768,
                                                     .vocabulary = 131072,
                                                     .tied = true,
                                                     .activation = activation_function::gelu_tanh,
                                                     .placement = norms::sandwich,
                                                     .experts = 8,
                                                     .experts_per_token = 2,
                                                     .expert_intermediate = 32768,
                                                     .sparse = layer_set::range(0, 64),
                                                     .context = 8192});
  }
};

}  // namespace flopledger::models
