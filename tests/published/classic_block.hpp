// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The block of GPT-3's time, which many published runs share: LayerNorm, two matrices, biases everywhere, tied tables,
/// no rotary positions.

#include <flopledger/models/block_shape.hpp>

namespace published {

inline flopledger::block_shape classic_block(flopledger::block_shape s) {
  s.tied = true;
  s.query_bias = s.key_bias = s.value_bias = s.output_bias = s.feed_bias = true;
  s.gated = false;
  s.norm = {.kind = flopledger::norm_kind::layer, .bias = true};
  s.rotary_fraction = 0;
  return s;
}

}  // namespace published
