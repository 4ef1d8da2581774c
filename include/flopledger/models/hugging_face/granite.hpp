// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Granite's mixtures (its dense models are LLaMA's blocks), and Granite-4, most of whose layers scan.

#include <flopledger/models/hugging_face/mamba2.hpp>

namespace flopledger::hugging_face {

constexpr block_shape granitemoe_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_mixture_shape(in, known);
  read_attention_bias(in, known, s);
  return s;
}

/// Granite-4 (modeling_granitemoehybrid.py of transformers): Mamba-2 or attention, then a feed-forward layer that every
/// token meets, beside experts where there are any. Positions only where `position_embedding_type` is "rope".
constexpr transformer_config read_granite_hybrid(const model_file& file) {
  const config_fields& in = file.in;
  block_shape s = read_shape(in, file.known);
  read_attention_bias(in, file.known, s);
  s.window = 0;
  const json::slice positions = in.text(field::position_embedding_type);
  if (!positions.raw.empty() && !(positions == "rope") && !(positions == "nope"))
    in.fail(config_problem::unknown, field::position_embedding_type);
  if (!(positions == "rope")) s.rotary_fraction = 0;
  s.experts = in.count_or(field::num_local_experts, 8, 0);
  const std::int64_t shared = in.count_or(field::shared_intermediate_size, 1024);
  s.intermediate = shared;
  if (s.experts > 0) {
    s.experts_per_token = in.count_or(field::num_experts_per_tok, 2);
    s.expert_intermediate = in.count(field::intermediate_size);
    s.shared_intermediate = shared;
    s.sparse = all_layers(s);
  }
  transformer_config made = finish(in, s, file.class_name);
  const field list = in.which(field::layer_types, field::layers_block_type);
  made.stack.recurrent = in.has(list) ? read_named_layers(
                                            in, list, s.layers, [](json::slice name) { return name == "mamba"; },
                                            [](json::slice name) { return name == "attention"; })
                                      : all_layers(s);
  if (made.stack.recurrent.empty()) return made;
  made.stack.recurrence = recurrent_kind::mamba2;
  made.stack.mamba2 = read_expanded_mamba(in, s.hidden, {.heads = 128, .groups = 1, .state = 256});
  return made;
}

inline constexpr architecture granite_family[] = {
    {.model_type = "granitemoehybrid", .class_prefix = "GraniteMoeHybrid", .read = read_granite_hybrid},
    {.model_type = "granitemoe", .class_prefix = "GraniteMoe", .shape = granitemoe_shape},
};

}  // namespace flopledger::hugging_face
