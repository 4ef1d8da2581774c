// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Qwen, from the first generation to the third.

#include <flopledger/models/zoo/zoo_model.hpp>

namespace flopledger::models {

namespace detail {
/// Qwen to Qwen2.5: LLaMA's block with biases on queries, keys and values.
template <class T = void>
constexpr transformer_config qwen(block_shape s, std::string_view architecture = "Qwen2ForCausalLM") {
  s.query_bias = s.key_bias = s.value_bias = true;
  return make_decoder<T>(architecture, s);
}

/// Qwen2-MoE: besides, every layer a mixture with one gated shared expert.
template <class T = void>
constexpr transformer_config qwen2_moe(block_shape s) {
  s.shared_gate = true;
  s.sparse = layer_set::range(0, s.layers);
  return qwen<T>(s, "Qwen2MoeForCausalLM");
}

/// Qwen3: no biases, queries and keys normalised by head, heads of 128 whatever the width.
template <class T = void>
constexpr transformer_config qwen3(block_shape s) {
  s.head_dim = 128;
  s.query_key_norm = qk_norm::per_head;
  s.sparse = layer_set::range(0, s.experts > 0 ? s.layers : 0);
  return make_decoder<T>(s.experts > 0 ? "Qwen3MoeForCausalLM" : "Qwen3ForCausalLM", s);
}
}  // namespace detail

struct qwen2_1_5b : zoo_model<qwen2_1_5b, family::qwen> {
  static constexpr const char* title = "Qwen2-1.5B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::qwen<T>({.layers = 28,
                            .hidden = 1536,
                            .heads = 12,
                            .kv_heads = 2,
                            .intermediate = 8960,
                            .vocabulary = 151936,
                            .tied = true,
                            .context = 131072});
  }
};

struct qwen2_7b : zoo_model<qwen2_7b, family::qwen> {
  static constexpr const char* title = "Qwen2-7B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::qwen<T>({.layers = 28,
                            .hidden = 3584,
                            .heads = 28,
                            .kv_heads = 4,
                            .intermediate = 18944,
                            .vocabulary = 152064,
                            .context = 131072});
  }
};

struct qwen2_72b : zoo_model<qwen2_72b, family::qwen> {
  static constexpr const char* title = "Qwen2-72B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::qwen<T>({.layers = 80,
                            .hidden = 8192,
                            .heads = 64,
                            .kv_heads = 8,
                            .intermediate = 29568,
                            .vocabulary = 152064,
                            .context = 131072});
  }
};

struct qwen2_5_0_5b : zoo_model<qwen2_5_0_5b, family::qwen> {
  static constexpr const char* title = "Qwen2.5-0.5B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::qwen<T>({.layers = 24,
                            .hidden = 896,
                            .heads = 14,
                            .kv_heads = 2,
                            .intermediate = 4864,
                            .vocabulary = 151936,
                            .tied = true,
                            .context = 32768});
  }
};

struct qwen2_5_1_5b : zoo_model<qwen2_5_1_5b, family::qwen> {
  static constexpr const char* title = "Qwen2.5-1.5B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::qwen<T>({.layers = 28,
                            .hidden = 1536,
                            .heads = 12,
                            .kv_heads = 2,
                            .intermediate = 8960,
                            .vocabulary = 151936,
                            .tied = true,
                            .context = 131072});
  }
};

struct qwen2_5_3b : zoo_model<qwen2_5_3b, family::qwen> {
  static constexpr const char* title = "Qwen2.5-3B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::qwen<T>({.layers = 36,
                            .hidden = 2048,
                            .heads = 16,
                            .kv_heads = 2,
                            .intermediate = 11008,
                            .vocabulary = 151936,
                            .tied = true,
                            .context = 32768});
  }
};

struct qwen2_5_7b : zoo_model<qwen2_5_7b, family::qwen> {
  static constexpr const char* title = "Qwen2.5-7B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::qwen<T>({.layers = 28,
                            .hidden = 3584,
                            .heads = 28,
                            .kv_heads = 4,
                            .intermediate = 18944,
                            .vocabulary = 152064,
                            .context = 131072});
  }
};

struct qwen2_5_14b : zoo_model<qwen2_5_14b, family::qwen> {
  static constexpr const char* title = "Qwen2.5-14B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::qwen<T>({.layers = 48,
                            .hidden = 5120,
                            .heads = 40,
                            .kv_heads = 8,
                            .intermediate = 13824,
                            .vocabulary = 152064,
                            .context = 131072});
  }
};

struct qwen2_5_32b : zoo_model<qwen2_5_32b, family::qwen> {
  static constexpr const char* title = "Qwen2.5-32B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::qwen<T>({.layers = 64,
                            .hidden = 5120,
                            .heads = 40,
                            .kv_heads = 8,
                            .intermediate = 27648,
                            .vocabulary = 152064,
                            .context = 131072});
  }
};

struct qwen2_5_72b : zoo_model<qwen2_5_72b, family::qwen> {
  static constexpr const char* title = "Qwen2.5-72B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::qwen<T>({.layers = 80,
                            .hidden = 8192,
                            .heads = 64,
                            .kv_heads = 8,
                            .intermediate = 29568,
                            .vocabulary = 152064,
                            .context = 131072});
  }
};

struct qwen1_5_moe_a2_7b : zoo_model<qwen1_5_moe_a2_7b, family::qwen> {
  static constexpr const char* title = "Qwen1.5-MoE-A2.7B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::qwen2_moe<T>({.layers = 24,
                                 .hidden = 2048,
                                 .heads = 16,
                                 .intermediate = 5632,
                                 .vocabulary = 151936,
                                 .experts = 60,
                                 .experts_per_token = 4,
                                 .expert_intermediate = 1408,
                                 .shared_intermediate = 5632,
                                 .context = 8192});
  }
};

struct qwen2_57b_a14b : zoo_model<qwen2_57b_a14b, family::qwen> {
  static constexpr const char* title = "Qwen2-57B-A14B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::qwen2_moe<T>({.layers = 28,
                                 .hidden = 3584,
                                 .heads = 28,
                                 .kv_heads = 4,
                                 .intermediate = 18944,
                                 .vocabulary = 151936,
                                 .experts = 64,
                                 .experts_per_token = 8,
                                 .expert_intermediate = 2560,
                                 .shared_intermediate = 20480,
                                 .context = 131072});
  }
};

struct qwen3_0_6b : zoo_model<qwen3_0_6b, family::qwen> {
  static constexpr const char* title = "Qwen3-0.6B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::qwen3<T>({.layers = 28,
                             .hidden = 1024,
                             .heads = 16,
                             .kv_heads = 8,
                             .intermediate = 3072,
                             .vocabulary = 151936,
                             .tied = true,
                             .context = 40960});
  }
};

struct qwen3_1_7b : zoo_model<qwen3_1_7b, family::qwen> {
  static constexpr const char* title = "Qwen3-1.7B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::qwen3<T>({.layers = 28,
                             .hidden = 2048,
                             .heads = 16,
                             .kv_heads = 8,
                             .intermediate = 6144,
                             .vocabulary = 151936,
                             .tied = true,
                             .context = 40960});
  }
};

struct qwen3_4b : zoo_model<qwen3_4b, family::qwen> {
  static constexpr const char* title = "Qwen3-4B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::qwen3<T>({.layers = 36,
                             .hidden = 2560,
                             .heads = 32,
                             .kv_heads = 8,
                             .intermediate = 9728,
                             .vocabulary = 151936,
                             .tied = true,
                             .context = 40960});
  }
};

struct qwen3_8b : zoo_model<qwen3_8b, family::qwen> {
  static constexpr const char* title = "Qwen3-8B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::qwen3<T>({.layers = 36,
                             .hidden = 4096,
                             .heads = 32,
                             .kv_heads = 8,
                             .intermediate = 12288,
                             .vocabulary = 151936,
                             .context = 40960});
  }
};

struct qwen3_14b : zoo_model<qwen3_14b, family::qwen> {
  static constexpr const char* title = "Qwen3-14B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::qwen3<T>({.layers = 40,
                             .hidden = 5120,
                             .heads = 40,
                             .kv_heads = 8,
                             .intermediate = 17408,
                             .vocabulary = 151936,
                             .context = 40960});
  }
};

struct qwen3_32b : zoo_model<qwen3_32b, family::qwen> {
  static constexpr const char* title = "Qwen3-32B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::qwen3<T>({.layers = 64,
                             .hidden = 5120,
                             .heads = 64,
                             .kv_heads = 8,
                             .intermediate = 25600,
                             .vocabulary = 151936,
                             .context = 40960});
  }
};

struct qwen3_30b_a3b : zoo_model<qwen3_30b_a3b, family::qwen> {
  static constexpr const char* title = "Qwen3-30B-A3B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::qwen3<T>({.layers = 48,
                             .hidden = 2048,
                             .heads = 32,
                             .kv_heads = 4,
                             .intermediate = 6144,
                             .vocabulary = 151936,
                             .experts = 128,
                             .experts_per_token = 8,
                             .expert_intermediate = 768,
                             .context = 40960});
  }
};

struct qwen3_235b_a22b : zoo_model<qwen3_235b_a22b, family::qwen> {
  static constexpr const char* title = "Qwen3-235B-A22B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::qwen3<T>({.layers = 94,
                             .hidden = 4096,
                             .heads = 64,
                             .kv_heads = 4,
                             .intermediate = 12288,
                             .vocabulary = 151936,
                             .experts = 128,
                             .experts_per_token = 8,
                             .expert_intermediate = 1536,
                             .context = 40960});
  }
};

struct qwen3_coder_480b_a35b : zoo_model<qwen3_coder_480b_a35b, family::qwen> {
  static constexpr const char* title = "Qwen3-Coder-480B-A35B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::qwen3<T>({.layers = 62,
                             .hidden = 6144,
                             .heads = 96,
                             .kv_heads = 8,
                             .intermediate = 8192,
                             .vocabulary = 151936,
                             .experts = 160,
                             .experts_per_token = 8,
                             .expert_intermediate = 2560,
                             .context = 262144});
  }
};

}  // namespace flopledger::models
