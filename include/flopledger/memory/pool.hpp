// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The KV pool of an engine that measures itself as it starts: a share of the device's memory, less weights, the peak
/// of the largest pass, and what lies outside of its allocator.

#include <flopledger/memory/serving.hpp>
#include <flopledger/standing.hpp>

namespace flopledger {

/// How an engine profiles itself.
struct memory_profile {
  known<double> utilisation{0.9};       ///< of the device's memory
  known<std::int64_t> tokens{8192};     ///< of the pass that it measures
  known<std::int64_t> sequences{1024};  ///< that sample in it
  known<double> sampling{};             ///< bytes a logit, beside the logit itself
  known<bytes> outside_alone{};         ///< context, kernels' own workspaces
  known<bytes> outside_together{};      ///< the same with the buffers of a group's messages
};

namespace memory_profiles {
/// vLLM on H100. Sampling by top-k and top-p sorts FP32 logits of every rank's whole vocabulary with 64-bit indices and
/// masks them. Graphs are captured afterwards, and not out of this share.
inline constexpr memory_profile vllm_0_19{
    .utilisation = {0.9, standing::from_code, "vLLM, `gpu_memory_utilization`"},
    .tokens = {8192, standing::from_code, "vLLM, `max_num_batched_tokens` of its server on H100"},
    .sequences = {1024, standing::from_code, "vLLM, `max_num_seqs` of its server on H100"},
    .sampling = {13, standing::from_code, "FP32, int64 and bool: vLLM, v1/sample/ops/topk_topp_sampler.py"},
    .outside_alone = {0.25 * prefix::gibi * unit::byte, standing::measured, "Llama-3.1-8B, published/vllm_memory.csv"},
    .outside_together = {2.1 * prefix::gibi * unit::byte, standing::measured,
                         "Llama-3.1-8B over 2 and 4 ranks, published/vllm_memory.csv"}};
}  // namespace memory_profiles

/// What an engine logs of its cache.
struct kv_pool {
  bytes weights{}, activations{}, outside{};  ///< that came off its share
  bytes size{};
  std::int64_t blocks = 0, tokens = 0;  ///< whole ones, of sequences whose layers all keep every token
};

/// The pool of each device, of which `physical` is the whole memory as the runtime reports it. Nothing is left where
/// the share is too small. A template only so that a build that never asks pays nothing.
template <class Model>
constexpr kv_pool kv_pool_of(const Model& model, serving_setup setup, const memory_profile& profile, bytes physical) {
  setup.chunk = profile.tokens;
  const serving_memory memory(model, setup);
  const memory_account pass = memory.passing(profile.sequences, 0);
  const recipe& precision = setup.formats.precision;
  const double element = precision.activations.bytes_per_element();
  const double logits = static_cast<double>(profile.sequences) * static_cast<double>(model.head.outputs);
  const double stream = static_cast<double>(profile.tokens) * static_cast<double>(model.stack.hidden) * element;
  const double sampled = logits * (element + profile.sampling) + stream,
               passed = pass[memory_line::activations].value();

  kv_pool pool;
  pool.weights = memory.weights(0);
  pool.activations = bytes::from_value(sampled > passed ? sampled : passed);
  pool.outside = setup.tensor * setup.pipeline > 1 ? profile.outside_together : profile.outside_alone;
  const double left =
      profile.utilisation * physical.value() - pool.weights.value() - pool.activations.value() - pool.outside.value();
  if (left <= 0) return pool;
  pool.size = bytes::from_value(left);
  const double a_block = memory.kv_cache_of_sequence(setup.block, 0).value();
  if (a_block > 0) pool.blocks = static_cast<std::int64_t>(left / a_block);
  pool.tokens = pool.blocks * setup.block;
  return pool;
}

}  // namespace flopledger
