// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// InternLM and InternLM2.

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

constexpr block_shape internlm_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_dense_shape(in, known);
  const bool biased = in.flag_or(field::bias, known.attention_bias);
  set_attention_biases(s, biased, biased);
  return s;
}

inline constexpr architecture internlm_family[] = {
    {.model_type = "internlm", .class_prefix = "InternLM", .shape = internlm_shape, .attention_bias = true},
    {.model_type = "internlm2", .class_prefix = "InternLM2", .shape = internlm_shape, .attention_bias = true},
};

}  // namespace flopledger::hugging_face
