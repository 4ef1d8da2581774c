// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "measurement.hpp"

namespace harness {
namespace {

constexpr double caches = 3;  // operands rotate through so many times the cache, as CUTLASS's profiler does

sample_set sample(backend& on, std::span<kernel* const> sequence, const measuring& how) {
  return take_samples({.run = [&](int repetitions) { return on.time(sequence, repetitions, how.mode); },
                       .wall = wall_seconds,
                       .clock = [&] { return on.clock(); },
                       .least_sample = on.least_sample(),
                       .may_repeat = how.mode == timing_mode::steady},
                      how.rule);
}

}  // namespace

measurement measure(backend& on, const kernel_shape& shape, const measuring& how) {
  const double footprint = how.mode == timing_mode::steady ? caches * on.cache_bytes() : 0.0;
  const std::unique_ptr<kernel> ready = on.prepare(shape, how.seed, footprint);
  measurement done{.shape = shape, .by = ready->description()};
  if (how.verifies) done.checked = verify(*ready, shape, how.seed);
  kernel* const sequence[] = {ready.get()};
  done.taken = sample(on, sequence, how);
  return done;
}

sample_set measure_sequence(backend& on, std::span<const kernel_shape> shapes, const measuring& how) {
  const double footprint = how.mode == timing_mode::steady ? caches * on.cache_bytes() : 0.0;
  std::vector<std::unique_ptr<kernel>> ready;
  std::vector<kernel*> sequence;
  for (const kernel_shape& shape : shapes) {
    // Each its share: a set that comes round again has had all the others' operands pass through the cache.
    ready.push_back(on.prepare(shape, how.seed, footprint / static_cast<double>(shapes.size())));
    sequence.push_back(ready.back().get());
  }
  return sample(on, sequence, how);
}

}  // namespace harness
