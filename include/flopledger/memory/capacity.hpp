// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The questions that memory answers backwards: how large a micro-batch, how few devices.

#include <flopledger/memory/serving.hpp>
#include <flopledger/memory/training.hpp>

namespace flopledger {

namespace detail {
constexpr std::int64_t greatest_common_divisor(std::int64_t a, std::int64_t b) {
  while (b != 0) {
    const std::int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

template <class Model>
constexpr bool fits_within(const Model& model, const training_setup& setup, bytes available) {
  return training_memory(model, setup).worst().total() <= available;
}
}  // namespace detail

/// Sequences that one micro-batch of this job can hold within `available` bytes of a device, of fewer than `below`
/// where that is given; 0: not even one, or the plan is impossible.
template <class Model>
constexpr std::int64_t largest_micro_batch(const Model& model, training_setup setup, bytes available,
                                           std::int64_t below = unlimited) {
  if (!verdict(setup.plan, model).ok()) return 0;
  return largest_that([&](std::int64_t n) {
    setup.plan.micro_batch = n;
    return n < below && detail::fits_within(model, setup, available);
  });
}

/// The longest sequence, in multiples of what context and sequence parallelism divide it by; 0: not even the shortest,
/// or the plan is impossible.
template <class Model>
constexpr std::int64_t largest_sequence(const Model& model, training_setup setup, bytes available) {
  const std::int64_t step = setup.plan.context * (setup.plan.sequence_parallel ? setup.plan.tensor : 1);
  setup.plan.sequence = step;
  if (!verdict(setup.plan, model).ok()) return 0;
  const std::int64_t steps = largest_that([&](std::int64_t n) {
    setup.plan.sequence = n * step;
    return detail::fits_within(model, setup, available);
  });
  return steps == unlimited ? unlimited : step * steps;
}

/// The fewest tensor-parallel devices, up to `most`, on which the load fits; 0: none. Degrees that the model does not
/// divide by are passed over.
template <class Model>
constexpr std::int64_t fewest_tensor_devices(const Model& model, serving_setup setup, bytes available,
                                             std::int64_t concurrency, std::int64_t context, std::int64_t most = 64) {
  for (setup.tensor = 1; setup.tensor <= most; ++setup.tensor)
    if (verdict(setup, model).ok() && serving_memory(model, setup).worst(concurrency, context).total() <= available)
      return setup.tensor;
  return 0;
}

/// The fewest data-parallel ranks, up to `most`, that the job fits on with its other degrees as they are; 0: none, or
/// the plan is impossible on any. The global batch is kept, or rounded up to what the ranks divide. More ranks help
/// only where something is sharded over them.
template <class Model>
constexpr std::int64_t fewest_data_ranks(const Model& model, training_setup setup, bytes available,
                                         std::int64_t most = 65536) {
  plan& p = setup.plan;
  if (!degrees_verdict(p).ok()) return 0;
  const std::int64_t micro_batches = p.data * p.gradient_accumulation;
  // Ranks that the groups of experts and of shards divide are multiples of one number.
  const auto needed_for = [](std::int64_t group, std::int64_t others) {
    return group / detail::greatest_common_divisor(group, others);
  };
  const std::int64_t experts = needed_for(p.expert * p.tensor_of_experts(), p.context * p.tensor),
                     shards = needed_for(p.shard_group > 0 ? p.shard_group : 1, p.context),
                     step = experts * needed_for(shards, experts);
  const auto lie_on = [&](std::int64_t ranks) {
    p.data = ranks;
    p.gradient_accumulation = (micro_batches + ranks - 1) / ranks;
    // Interleaving needs them in multiples of the stages.
    const std::int64_t group = p.virtual_stages > 1 ? p.pipeline : 1;
    p.gradient_accumulation = (p.gradient_accumulation + group - 1) / group * group;
  };
  const auto fits = [&](std::int64_t steps) {
    lie_on(step * steps);
    return verdict(p, model).ok() && detail::fits_within(model, setup, available);
  };
  lie_on(step);
  if (!verdict(p, model).ok()) return 0;
  // More ranks never need more, each having shorter shards and no more micro-batches, but for the first: with a second
  // one, buffers come to the group, or to that of an expert's copies.
  const std::int64_t experts_ranks = 2 * p.expert * p.tensor_of_experts(), others = p.context * p.tensor,
                     settled = experts_ranks > 2 * others ? (experts_ranks + others - 1) / others : 2;
  std::int64_t bad = (settled + step - 1) / step;
  const std::int64_t last = most / step;
  for (std::int64_t steps = 1; steps <= bad && steps <= last; ++steps)
    if (fits(steps)) return step * steps;
  if (bad >= last || !fits(last)) return 0;
  std::int64_t good = 2 * bad < last ? 2 * bad : last;
  while (!fits(good)) {
    bad = good;
    good = 2 * good < last ? 2 * good : last;
  }
  while (good - bad > 1) {
    const std::int64_t middle = bad + (good - bad) / 2;
    (fits(middle) ? good : bad) = middle;
  }
  return step * good;
}

}  // namespace flopledger
