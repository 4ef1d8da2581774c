// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/models/zoo/llama.hpp>
#include <flopledger/planning/scaling.hpp>

#include "catch.hpp"

namespace {

using namespace flopledger;
using namespace flopledger::planning;

std::vector<scaling_point> on_h100(plan p, scaling kind, std::int64_t most) {
  const node& in = hardware::dgx_h100::value;
  const training_setup setup{.precision = recipes::mixed_bf16::value, .plan = p};
  return scaled(models::llama3_1_8b::config, setup, machine_of(*in.device, setup.precision, setup.framework), in, kind,
                most);
}

}  // namespace

TEST_CASE("what all ranks do together stays, and ends where a rank has no whole micro-batch") {
  const auto points = on_h100({.sequence = 8192, .gradient_accumulation = 12, .data = 8}, scaling::strong, 1 << 20);
  REQUIRE(points.size() == 3);  // 12, 6 and 3 micro-batches
  for (const scaling_point& one : points) CHECK(one.layout.global_batch() == 96);
  CHECK(points.back().layout.devices() == 32);
  CHECK(points.back().step.total() < points.front().step.total());
}

TEST_CASE("what each rank does stays, up to as many devices as are asked for") {
  const auto points = on_h100({.sequence = 8192, .gradient_accumulation = 4, .data = 8}, scaling::weak, 100'000);
  REQUIRE(points.size() == 14);  // 8 to 65,536
  CHECK(points.back().layout.devices() == 65'536);
  CHECK(points.back().layout.global_batch() == 4 * 65'536);
  CHECK(points.back().tokens_a_second_per_device() < points.front().tokens_a_second_per_device());
  CHECK(points.back().tokens_a_second() > points.front().tokens_a_second());
}

// Narayanan et al. 2021, section 2.2: the bubble is (p - 1) / m of the time of a step's micro-batches.
TEST_CASE("fewer micro-batches on more replicas make a bubble that limits the step") {
  const auto points = on_h100({.sequence = 4096, .gradient_accumulation = 64, .data = 2, .tensor = 2, .pipeline = 8},
                              scaling::strong, 1 << 20);
  REQUIRE(points.size() == 7);
  const auto share = [&](std::size_t i) { return points[i].step.bubble / points[i].step.compute(); };
  CHECK_THAT(share(3) / share(0), Catch::Matchers::WithinRel(8, 0.1));
  CHECK(largest_loss(points.back().step) == step_loss::bubble);
}

TEST_CASE("a first plan that the model does not allow is refused") {
  CHECK_THROWS_AS(on_h100({.sequence = 8192, .tensor = 3}, scaling::weak, 64), impossible_plan);
}
