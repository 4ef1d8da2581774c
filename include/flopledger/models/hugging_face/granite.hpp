// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Granite's mixtures (its dense models are LLaMA's blocks).

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

constexpr block_shape granitemoe_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_mixture_shape(in, known);
  read_attention_bias(in, known, s);
  return s;
}

inline constexpr architecture granite_family[] = {
    {.model_type = "granitemoe", .class_prefix = "GraniteMoe", .shape = granitemoe_shape},
};

}  // namespace flopledger::hugging_face
