// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// LLaMA, and families whose blocks are its own.

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

constexpr block_shape llama_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_dense_shape(in, known);
  read_attention_bias(in, known, s);
  s.feed_bias = in.flag_or(field::mlp_bias, false);
  return s;
}

inline constexpr architecture llama_family[] = {
    {.model_type = "llama", .class_prefix = "Llama", .shape = llama_shape},
    {.model_type = "llama", .class_prefix = "LLaMA", .shape = llama_shape},
    {.model_type = "yi", .class_prefix = "Yi", .shape = llama_shape},
    {.model_type = "Yi", .class_prefix = "Yi", .shape = llama_shape},
    {.model_type = "granite", .class_prefix = "Granite", .shape = llama_shape},
};

}  // namespace flopledger::hugging_face
