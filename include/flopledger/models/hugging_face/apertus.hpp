// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Apertus (Swiss AI Initiative, arXiv 2509.14233).

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

/// LLaMA's attention with queries and keys normalised by head, and two matrices with xIELU between them, whose two
/// numbers each layer learns.
constexpr block_shape apertus_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_dense_shape(in, known);
  read_attention_bias(in, known, s);
  s.gated = false;
  s.query_key_norm = qk_norm::per_head;
  return s;
}

inline constexpr architecture apertus_family[] = {
    {.model_type = "apertus",
     .class_prefix = "Apertus",
     .shape = apertus_shape,
     .activation = activation_function::xielu},
};

}  // namespace flopledger::hugging_face
