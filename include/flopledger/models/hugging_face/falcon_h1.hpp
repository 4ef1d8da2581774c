// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Falcon-H1.

#include <flopledger/models/hugging_face/mamba2.hpp>

namespace flopledger::hugging_face {

/// Attention and Mamba-2 read one norm, and their outputs are summed (modeling_falcon_h1.py of transformers).
constexpr transformer_config read_falcon_h1(const model_file& file) {
  const config_fields& in = file.in;
  block_shape s = read_dense_shape(in, file.known);
  read_attention_bias(in, file.known, s);
  s.feed_bias = in.flag_or(field::mlp_bias, false);
  s.window = 0;
  transformer_config made = finish(in, s, file.class_name);
  made.stack.recurrence = recurrent_kind::mamba2;
  made.stack.recurrent = all_layers(s);
  made.stack.attends_beside_state = true;
  made.stack.mamba2 = read_expanded_mamba(in, s.hidden, {.heads = 128, .groups = 1, .state = 256, .width = 1024});
  made.stack.mamba2.output_bias = in.flag_or(field::projectors_bias, false);
  made.stack.mamba2.output_norm = in.flag_or(field::mamba_rms_norm, false);
  return made;
}

inline constexpr architecture falcon_h1_family[] = {
    {.model_type = "falcon_h1", .class_prefix = "FalconH1", .read = read_falcon_h1, .kv_heads = 8},
};

}  // namespace flopledger::hugging_face
