// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/hardware/nvidia.hpp>
#include <flopledger/models/block_shape.hpp>
#include <flopledger/parallel/plan.hpp>
#include <flopledger/time/timeline.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "catch.hpp"

namespace {

using namespace flopledger;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

/// As in the papers' figures: a backward pass takes twice a forward pass.
std::vector<stage_passes> alike(std::int64_t stages) {
  return std::vector<stage_passes>(static_cast<std::size_t>(stages), {1 * unit::second, 2 * unit::second});
}

double end_of(const std::vector<timeline_slot>& slots) {
  double end = 0;
  for (const timeline_slot& one : slots) end = std::max(end, one.ends().value());
  return end;
}

/// No two slots of a stage at once; what a pass works on is there when it begins; every pass is there once.
void check_possible(const pipeline_shape& shape, const std::vector<timeline_slot>& slots) {
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t, bool>, timeline_slot> by_pass;
  std::map<std::int64_t, double> free;
  for (const timeline_slot& one : slots) {
    CHECK(one.begins.value() >= free[one.stage]);
    free[one.stage] = one.ends().value();
    CHECK(by_pass.emplace(std::tuple{one.stage, one.what.piece, one.what.micro_batch, one.what.backward}, one).second);
  }
  CHECK(by_pass.size() == static_cast<std::size_t>(2 * shape.stages * shape.micro_batches * shape.pieces));
  for (const timeline_slot& slot : slots) {
    const std::int64_t stage = slot.stage, piece = slot.what.piece;
    const bool backward = slot.what.backward;
    const auto begins_after = [&](std::int64_t s, std::int64_t c, bool back) {
      CHECK(slot.begins >= by_pass.at({s, c, slot.what.micro_batch, back}).ends());
    };
    if (backward) begins_after(stage, piece, false);
    if (!backward && stage > 0) begins_after(stage - 1, piece, false);
    if (!backward && stage == 0 && piece > 0) begins_after(shape.stages - 1, piece - 1, false);
    if (backward && stage + 1 < shape.stages) begins_after(stage + 1, piece, true);
    if (backward && stage + 1 == shape.stages && piece + 1 < shape.pieces) begins_after(0, piece + 1, true);
  }
}

/// Forward passes of a stage, in pieces, whose backward pass has not ended, at most.
std::int64_t held_at_once(const std::vector<timeline_slot>& slots, std::int64_t stage) {
  std::int64_t held = 0, most = 0;
  for (const timeline_slot& one : slots)
    if (one.stage == stage) most = std::max(most, held += one.what.backward ? -1 : 1);
  return most;
}

const pipeline_shape shapes[] = {{1, 3, 1}, {4, 8, 1}, {4, 2, 1}, {8, 64, 1}, {4, 8, 2}, {2, 4, 4}, {4, 4, 3}};

}  // namespace

TEST_CASE("the bubble of a pipeline of equal stages is (p - 1)/m of the work, and 1/v of it interleaved") {
  // Narayanan et al. 2021, sections 2.2 and 2.3.
  for (const pipeline_shape& shape : shapes) {
    const auto p = static_cast<double>(shape.stages), m = static_cast<double>(shape.micro_batches),
               v = static_cast<double>(shape.pieces);
    const double work = 3 * m, end = end_of(scheduled(shape, alike(shape.stages)));
    CHECK_THAT((end - work) / work, WithinAbs((p - 1) / (m * v), 1e-12));
  }
}

TEST_CASE("no stage does two things at once, and nothing begins before what it needs") {
  for (const pipeline_shape& shape : shapes) {
    check_possible(shape, scheduled(shape, alike(shape.stages)));
    std::vector<stage_passes> uneven = alike(shape.stages);
    uneven.front().forward *= 1.3;
    uneven.back().backward *= 1.7;
    check_possible(shape, scheduled(shape, uneven));
  }
}

TEST_CASE("a stage holds as many micro-batches as its memory is counted with") {
  for (const pipeline_shape& shape : shapes)
    for (std::int64_t s = 0; s < shape.stages; ++s) {
      const plan p{
          .gradient_accumulation = shape.micro_batches, .pipeline = shape.stages, .virtual_stages = shape.pieces};
      const auto held = static_cast<double>(held_at_once(scheduled(shape, alike(shape.stages)), s));
      CHECK_THAT(held / static_cast<double>(shape.pieces), WithinRel(in_flight(p, s), 1e-12));
    }
}

TEST_CASE("a timeline ends with its step, whatever the plan") {
  const transformer_config model = make_decoder(
      "test", {.layers = 16, .hidden = 4096, .heads = 32, .kv_heads = 8, .intermediate = 14336, .vocabulary = 32000});
  const machine on = machine_of(hardware::h100_sxm5_80gb::value, recipes::mixed_bf16::value);
  const group_link link{byte_rate::from_value(48e9), seconds::from_value(60e-6)};
  const step_network network{.tensor = link, .data = link, .pipeline = link};
  for (const plan& p :
       {plan{.sequence = 4096}, plan{.sequence = 4096, .gradient_accumulation = 8, .data = 2, .pipeline = 4},
        plan{.sequence = 4096,
        .gradient_accumulation = 8,
        .tensor = 2,
        .pipeline = 4,
        .virtual_stages = 2,
        .recompute = recompute::full},
        plan{.sequence = 4096, .gradient_accumulation = 2, .data = 4, .sharding = zero::weights}}) {
    training_setup setup{.precision = recipes::mixed_bf16::value};
    setup.plan = p;
    setup.framework.data_loading = {seconds::from_value(0.02)};
    const step_timeline made = timeline_of(model, setup, on, network);
    const step_time step = training_time(model, setup, on, network).step();
    check_possible(made.shape, made.slots);
    CHECK(made.ends == step.total());
    CHECK_THAT((made.passes_end + made.idle_beyond + made.exchange + made.optimizer).value(),
               WithinRel(step.total().value(), 1e-12));
    CHECK(made.slots.front().begins.value() == 0.02);
    // The first stage embeds and the last one has the head, so that the stages are uneven: by less than a tenth.
    CHECK_THAT(made.idle_beyond / made.ends, WithinAbs(0, 0.1));
    if (p.pipeline == 1) CHECK_THAT(made.idle_beyond.value(), WithinAbs(0, 1e-9));
  }
}

TEST_CASE("a schedule without a known order has no timeline") {
  CHECK_THROWS_AS(scheduled({4, 6, 2}, alike(4)), no_timeline);
  CHECK_THROWS_AS(scheduled({4, 8, 1}, alike(3)), no_timeline);
  const transformer_config model = make_decoder(
      "test", {.layers = 4, .hidden = 64, .heads = 4, .kv_heads = 4, .intermediate = 128, .vocabulary = 100});
  training_setup setup{.precision = recipes::mixed_bf16::value};
  setup.plan = {.sequence = 64, .pipeline = 2, .schedule = pipeline_schedule::zero_bubble};
  const machine on = machine_of(hardware::h100_sxm5_80gb::value, recipes::mixed_bf16::value);
  CHECK_THROWS_AS(timeline_of(model, setup, on, step_network{}), no_timeline);
}
