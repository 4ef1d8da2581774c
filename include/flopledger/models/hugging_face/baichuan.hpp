// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Baichuan.

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

constexpr block_shape baichuan_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_dense_shape(in, known);
  // The 13B models have ALiBi, and their files name no positions but the tokenizer's.
  if (!in.has(field::max_position_embeddings) && in.has(field::model_max_length)) {
    s.rotary_fraction = 0;
    s.context = in.count(field::model_max_length);
  }
  return s;
}

inline constexpr architecture baichuan_family[] = {
    {.model_type = "baichuan", .class_prefix = "Baichuan", .shape = baichuan_shape},
    {.model_type = "baichuan", .class_prefix = "BaiChuan", .shape = baichuan_shape},
};

}  // namespace flopledger::hugging_face
