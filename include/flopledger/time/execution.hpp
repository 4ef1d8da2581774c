// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// How the rows of a job run: what the time of a row needs of a framework, a plan, a recipe and a machine, in plain
/// numbers.

#include <flopledger/frameworks.hpp>
#include <flopledger/time/machine.hpp>

namespace flopledger {

/// Bytes an element of casting a product's operand to 8 bits or fewer. It is read for the maximum that its one scale
/// needs (blocks with power-of-two scales of their own need none beforehand), read, and written in each layout: along
/// rows and along columns where blocks have scales or where the matrix unit multiplies along rows alone.
constexpr double cast_bytes(const number_format& to, bool any_layout) {
  const bool blocks = to.group_size > 0, whole_scale = !blocks || to.bits < 8;  // FP4 blocks have a tensor's scale too
  const double layouts = blocks || !any_layout ? 2 : 1;
  return (whole_scale ? 2.0 : 0.0) + 2 + layouts * to.bits / 8;
}

/// Made from a framework by `execution_of`, or from an engine.
struct execution {
  double eager_passes = 1;      ///< over what norms, activation functions and rotary embeddings move
  double loss_bytes = 32;       ///< an element of the logits, forward and backward together
  double expert_passes = 6;     ///< over experts' tokens, forward
  bool grouped_experts = true;  ///< one kernel for all experts of a product
  double expert_bias_forward = 0, expert_bias_backward = 0;  ///< bytes an element
  seconds expert_wait{};                                     ///< for the host, in each pass over a layer of experts
  double cast_bytes = 6;                                     ///< an element of a product's operands
  bool cast_weights = false;                                 ///< in every micro-batch, where they are gathered anew
  bool skips_masked = true;  ///< a fused causal kernel leaves out the blocks that the mask covers
  bool bursts = false;       ///< runs for moments, as kernels do in a benchmark: the clock need not fall
};

/// Bytes an element that a loss moves over the logits, forward and backward together. Explicit: cast 2 + 4, maximum 4,
/// exponential 8, gradient 8, cast 4 + 2. Eager: PyTorch's own functions, each step a kernel through FP32.
constexpr double loss_bytes(const framework& under, cross_entropy loss) {
  switch (loss) {
    case cross_entropy::explicit_softmax:
      return 32;
    case cross_entropy::eager:
      return 48;
    case cross_entropy::chunked:
      return 12;
    case cross_entropy::fused:
      break;
  }
  return under.fused_loss;
}

constexpr execution execution_of(const framework& under, const plan& p, const recipe& precision, const machine& on) {
  return {.eager_passes = under.eager_passes,
          .loss_bytes = loss_bytes(under, p.loss),
          .expert_passes = under.expert_passes,
          .grouped_experts = under.grouped_experts,
          .expert_bias_forward = under.expert_bias_forward,
          .expert_bias_backward = under.expert_bias_backward,
          .expert_wait = under.expert_wait,
          .cast_bytes = under.casts * cast_bytes(precision.compute, on.any_layout),
          .cast_weights = p.sharding == zero::weights,
          .skips_masked = !under.computes_masked};
}

}  // namespace flopledger
