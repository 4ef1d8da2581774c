// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/hardware/cluster.hpp>
#include <flopledger/hardware/nvidia.hpp>
#include <flopledger/models/block_shape.hpp>
#include <flopledger/planning/sensitivity.hpp>

#include <vector>

#include "catch.hpp"

namespace {

namespace planning = flopledger::planning;
using flopledger::machine;
using flopledger::plan;

constexpr flopledger::transformer_config raised_model() {
  return flopledger::make_decoder(
      "test", {.layers = 16, .hidden = 4096, .heads = 32, .kv_heads = 8, .intermediate = 14336, .vocabulary = 32000});
}

machine raised_from() {
  return flopledger::machine_of(flopledger::hardware::h100_sxm5_80gb::value, flopledger::recipes::mixed_bf16::value);
}

/// What each rate saves of a step, as a share of it.
std::vector<double> saved_by(const plan& p, const machine& on, double times) {
  const auto model = raised_model();
  flopledger::training_setup setup{.precision = flopledger::recipes::mixed_bf16::value};
  setup.plan = p;
  const auto& in = flopledger::hardware::dgx_h100::value;
  const auto network = p.devices() > 1 ? flopledger::network_of(p, in) : flopledger::step_network{};
  const double step = flopledger::training_time(model, setup, on, network).step().total().value();
  std::vector<double> saved;
  for (const planning::raised_step& one : planning::sensitivities(model, setup, on, in, times))
    saved.push_back(1 - one.step.total().value() / step);
  return saved;
}

}  // namespace

TEST_CASE("ten per cent more of a rate saves a step no more than an eleventh, and the rates together no more either") {
  const plan plans[] = {{.sequence = 4096},
                        {.sequence = 4096, .tensor = 8},
                        {.sequence = 4096, .gradient_accumulation = 8, .data = 4, .tensor = 8, .pipeline = 2}};
  for (const plan& p : plans) {
    double sum = 0;
    for (const double saved : saved_by(p, raised_from(), 1.1)) {
      CHECK(saved >= -1e-12);
      sum += saved;
    }
    CHECK(sum > 0);
    CHECK(sum <= 1.0 / 11 + 1e-3);  // parts that hide beside others may each count
  }
}

TEST_CASE("a link that no message crosses saves nothing, and one that is crossed something") {
  const auto alone = saved_by({.sequence = 4096}, raised_from(), 1.1);
  CHECK(alone[2] == 0);
  CHECK(alone[3] == 0);
  const auto inside = saved_by({.sequence = 4096, .tensor = 8}, raised_from(), 1.1);
  CHECK(inside[2] > 0);
  CHECK(inside[3] == 0);
  const auto across =
      saved_by({.sequence = 4096, .gradient_accumulation = 16, .tensor = 8, .pipeline = 16}, raised_from(), 1.1);
  CHECK(across[3] > 0);
}

TEST_CASE("a rate that is not raised saves nothing, and one that is no rate is refused") {
  for (const double saved : saved_by({.sequence = 4096, .data = 16, .tensor = 2}, raised_from(), 1.0))
    CHECK(saved == 0);
  CHECK_THROWS_AS(saved_by({.sequence = 4096}, raised_from(), 0), flopledger::bad_argument);
}
