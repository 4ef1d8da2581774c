// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The questions that memory answers backwards: how large a micro-batch, how few devices.

#include <flopledger/budget/memory.hpp>
#include <flopledger/budget/serving_memory.hpp>

namespace flopledger {

/// Sequences that one micro-batch of this job can hold within `available` bytes of a device; 0: not even one.
template <class Model>
constexpr std::int64_t largest_micro_batch(const Model& model, training_setup setup, bytes available) {
  return largest_that([&](std::int64_t n) {
    setup.plan.micro_batch = n;
    return training_memory(model, setup).worst().total() <= available;
  });
}

/// The longest sequence, in multiples of what context and sequence parallelism divide it by; 0: not even the shortest.
template <class Model>
constexpr std::int64_t largest_sequence(const Model& model, training_setup setup, bytes available) {
  const std::int64_t step = setup.plan.context * (setup.plan.sequence_parallel ? setup.plan.tensor : 1);
  return step * largest_that([&](std::int64_t n) {
           setup.plan.sequence = n * step;
           return training_memory(model, setup).worst().total() <= available;
         });
}

/// The fewest tensor-parallel devices, up to `most`, on which the load fits; 0: none. Degrees that the heads do not
/// divide by are passed over.
template <class Model>
constexpr std::int64_t fewest_tensor_devices(const Model& model, serving_setup setup, bytes available,
                                             std::int64_t concurrency, std::int64_t context, std::int64_t most = 64) {
  const std::int64_t heads = model.stack.latent.heads > 0 ? model.stack.latent.heads : model.stack.attention.heads;
  for (std::int64_t degree = 1; degree <= most; ++degree) {
    if (heads % degree != 0) continue;
    setup.tensor = degree;
    if (serving_memory(model, setup).worst(concurrency, context).total() <= available) return degree;
  }
  return 0;
}

/// The fewest data-parallel ranks, in powers of two up to `most`, that the job fits on with its other degrees as they
/// are and the global batch kept where it divides; 0: none. More ranks help only where something is sharded over them.
template <class Model>
constexpr std::int64_t fewest_data_ranks(const Model& model, training_setup setup, bytes available,
                                         std::int64_t most = 65536) {
  const std::int64_t micro_batches = setup.plan.data * setup.plan.gradient_accumulation;
  for (std::int64_t ranks = 1; ranks <= most; ranks *= 2) {
    setup.plan.data = ranks;
    setup.plan.gradient_accumulation = micro_batches % ranks == 0 ? micro_batches / ranks : 1;
    if (!verdict(setup.plan, model).ok()) continue;
    if (training_memory(model, setup).worst().total() <= available) return ranks;
  }
  return 0;
}

}  // namespace flopledger
