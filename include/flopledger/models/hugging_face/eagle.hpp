// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// EAGLE-3: a small model that drafts for a larger one.

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

/// LLaMA's blocks, as vLLM reads them (vllm/model_executor/models/llama_eagle3.py): one matrix brings three hidden
/// states of the target in, the first block reads that beside the embedding, and the head may have a vocabulary of its
/// own.
constexpr transformer_config read_eagle3(const model_file& file) {
  const config_fields& in = file.in;
  block_shape s = read_dense_shape(in, file.known);
  read_attention_bias(in, file.known, s);
  s.feed_bias = in.flag_or(field::mlp_bias, false);
  s.window = 0;
  transformer_config made = finish(in, s, file.class_name);
  made.head.outputs = in.count_or(field::draft_vocab_size, s.vocabulary);
  made.embedding.features = 3 * in.count_or(field::target_hidden_size, s.hidden);
  made.stack.variants.set(0, {.joins = true});
  return made;
}

/// Their files have the model_type of the target.
inline constexpr architecture eagle_family[] = {
    {.model_type = "llama", .class_prefix = "LlamaForCausalLMEagle3", .read = read_eagle3, .whole_class = true},
    {.model_type = "llama", .class_prefix = "Eagle3LlamaForCausalLM", .read = read_eagle3, .whole_class = true},
};

}  // namespace flopledger::hugging_face
