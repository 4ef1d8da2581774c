// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// When each stage of a pipeline works on which micro-batch of a step, forward and backward.

#include <flopledger/compiler.hpp>
#include <flopledger/time/step.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace flopledger {

/// A plan whose stages follow an order that is not written down here, or a pipeline that is none.
struct no_timeline : error {
  using error::error;
};

struct pipeline_shape {
  std::int64_t stages = 1, micro_batches = 1;
  std::int64_t pieces = 1;  ///< of the model on each stage
};

/// One micro-batch through one piece of one stage, one way.
struct pipeline_pass {
  std::int64_t micro_batch = 0, piece = 0;
  bool backward = false;
};

/// What a stage does, in this order: forward passes until the first micro-batch can come back, then one forward and one
/// backward in turn (Narayanan et al. 2021, section 2.2). With several pieces as many micro-batches as there are stages
/// run through one piece before the next, and 2·(stages − stage − 1) + (pieces − 1)·stages passes go before
/// (Megatron-LM, core/pipeline_parallel/schedules.py).
inline std::vector<pipeline_pass> order_of(const pipeline_shape& shape, std::int64_t stage) {
  const std::int64_t stages = shape.stages, micro_batches = shape.micro_batches, pieces = shape.pieces;
  const std::int64_t all = micro_batches * pieces, round = stages * pieces;
  const auto pass = [&](std::int64_t number, bool backward) {
    if (pieces == 1) return pipeline_pass{number, 0, backward};
    const std::int64_t in_round = number % round, piece = in_round / stages;
    return pipeline_pass{number / round * stages + in_round % stages, backward ? pieces - 1 - piece : piece, backward};
  };
  const std::int64_t later = stages - 1 - stage, wanted = pieces == 1 ? later : 2 * later + (pieces - 1) * stages,
                     before = wanted < all ? wanted : all;
  std::vector<pipeline_pass> order;
  order.reserve(static_cast<std::size_t>(2 * all));
  for (std::int64_t i = 0; i < before; ++i) order.push_back(pass(i, false));
  for (std::int64_t i = 0; i + before < all; ++i) {
    order.push_back(pass(i + before, false));
    order.push_back(pass(i, true));
  }
  for (std::int64_t i = all - before; i < all; ++i) order.push_back(pass(i, true));
  return order;
}

/// What one micro-batch takes of a stage, all its pieces.
struct stage_passes {
  seconds forward{}, backward{};
};

struct timeline_slot {
  std::int64_t stage = 0;
  pipeline_pass what{};
  seconds begins{}, lasts{};
  constexpr seconds ends() const { return begins + lasts; }
};

/// Every pass as early as its order and the pass that it waits for allow, from `start` on, stage after stage. Throws
/// `no_timeline` where the shape has no order: interleaved stages take micro-batches in rounds of as many as there are
/// stages.
inline std::vector<timeline_slot> scheduled(const pipeline_shape& shape, const std::vector<stage_passes>& each,
                                            seconds start = {}) {
  const std::int64_t stages = shape.stages, micro_batches = shape.micro_batches, pieces = shape.pieces;
  if (stages < 1 || micro_batches < 1 || pieces < 1 || each.size() != static_cast<std::size_t>(stages))
    detail::raise<no_timeline>(
        "a pipeline has a stage, a micro-batch and a piece at least, and the times of each stage");
  if (pieces > 1 && micro_batches % stages != 0)
    detail::raise<no_timeline>("interleaved stages take micro-batches in rounds of as many as there are stages");
  constexpr double not_yet = -1;
  const auto place = [=](std::int64_t stage, const pipeline_pass& one) {
    return static_cast<std::size_t>(((one.backward ? pieces + one.piece : one.piece) * stages + stage) * micro_batches +
                                    one.micro_batch);
  };
  std::vector<double> ended(static_cast<std::size_t>(2 * pieces * stages * micro_batches), not_yet);
  // When what a pass works on is there: from the stage before it, or from the last stage's piece before its own.
  const auto ready = [&](std::int64_t stage, const pipeline_pass& one) {
    const bool backward = one.backward;
    const std::int64_t first = backward ? stages - 1 : 0, last = backward ? 0 : stages - 1;
    const std::int64_t first_piece = backward ? pieces - 1 : 0, toward = backward ? -1 : 1;
    if (stage != first) return ended[place(stage - toward, one)];
    if (one.piece != first_piece) return ended[place(last, {one.micro_batch, one.piece - toward, backward})];
    return backward ? ended[place(stage, {one.micro_batch, one.piece, false})] : start.value();
  };
  std::vector<std::vector<pipeline_pass>> orders;
  for (std::int64_t s = 0; s < stages; ++s) orders.push_back(order_of(shape, s));
  std::vector<std::vector<timeline_slot>> slots(orders.size());
  const auto advance = [&](std::size_t s) {
    const auto stage = static_cast<std::int64_t>(s);
    const std::size_t done = slots[s].size();
    while (slots[s].size() < orders[s].size()) {
      const pipeline_pass& next = orders[s][slots[s].size()];
      const double there = ready(stage, next);
      if (there == not_yet) break;
      const double free = slots[s].empty() ? start.value() : slots[s].back().ends().value();
      const seconds whole = next.backward ? each[s].backward : each[s].forward;
      slots[s].push_back(
          {stage, next, (there > free ? there : free) * unit::second, whole / static_cast<double>(pieces)});
      ended[place(stage, next)] = slots[s].back().ends().value();
    }
    return slots[s].size() > done;
  };
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t s = 0; s < slots.size(); ++s) moved = advance(s) || moved;
  }
  std::vector<timeline_slot> all;
  for (const std::vector<timeline_slot>& of_stage : slots) all.insert(all.end(), of_stage.begin(), of_stage.end());
  return all;
}

/// A step laid out in time. It ends with the step's own sum: the data's loading comes first, the pipeline's passes
/// next, then what the step counts of idle time beyond them, and last what comes once a step.
struct step_timeline {
  pipeline_shape shape{};
  std::vector<timeline_slot> slots{};
  seconds passes_end{};  ///< the last pass
  /// Idle time that the step counts and this order does not have: the step waits for the slowest stage with every
  /// micro-batch, where uneven stages make up for some of it. Below zero where the order has more.
  seconds idle_beyond{};
  seconds data_loading{}, exchange{}, optimizer{};
  seconds ends{};
};

/// A stage's exchanges and its waits for the host are half of the forward pass's and half of the backward pass's
/// (assumed: tensor, context and expert groups exchange as much in each); what runs again is of the backward pass.
constexpr stage_passes passes_of(const step_time& one) {
  const seconds shared = one.communication() + one.host;
  return {.forward = one.forward + shared / 2.0, .backward = one.backward + one.recompute + shared / 2.0};
}

/// The timeline of a training step. Throws `no_timeline` for the zero-bubble schedule, whose backward passes are cut in
/// two.
template <class Model>
step_timeline timeline_of(const Model& model, const training_setup& setup, const machine& on,
                          const step_network& network) {
  const plan& p = setup.plan;
  if (p.schedule == pipeline_schedule::zero_bubble)
    detail::raise<no_timeline>("the zero-bubble schedule cuts backward passes in two, and its order is not known here");
  const training_time time(model, setup, on, network);
  const step_time step = time.step();
  std::vector<stage_passes> each;
  for (std::int64_t s = 0; s < p.pipeline; ++s) each.push_back(passes_of(time.pass(s)));
  step_timeline made{.shape = {p.pipeline, p.gradient_accumulation, p.virtual_stages}};
  made.slots = scheduled(made.shape, each, step.data_loading);
  made.data_loading = step.data_loading;
  // Where weights are gathered for every micro-batch, the exchange is part of its passes.
  if (p.sharding != zero::weights) made.exchange = step.data_communication;
  made.optimizer = step.optimizer;
  made.ends = step.total();
  for (const timeline_slot& one : made.slots)
    if (one.ends() > made.passes_end) made.passes_end = one.ends();
  made.idle_beyond = made.ends - made.optimizer - made.exchange - made.passes_end;
  return made;
}

}  // namespace flopledger
