// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/memory/serving.hpp>

#include "catch.hpp"
#include "known_models.hpp"

using namespace flopledger;
using known_models::small_dense, known_models::small_mixture;

TEST_CASE("a service that cannot be is refused") {
  const auto problem = [](serving_setup setup, const transformer_config& model) {
    setup.formats.precision = recipes::bf16::value;
    return verdict(setup, model).problem;
  };
  CHECK(problem({.tensor = 8}, small_dense) == plan_problem::none);
  CHECK(problem({.tensor = 24}, small_dense) == plan_problem::none);  // each key/value head on three ranks
  CHECK(problem({.tensor = 100000}, small_dense) == plan_problem::heads_by_tensor);
  CHECK(problem({.tensor = 12}, small_dense) == plan_problem::kv_heads_by_tensor);
  CHECK(problem({.pipeline = 5}, small_dense) == plan_problem::none);  // stages need not be equally long
  CHECK(problem({.pipeline = 29}, small_dense) == plan_problem::layers_by_stages);
  CHECK(problem({.expert = 8}, small_dense) == plan_problem::experts_by_expert);
  CHECK(problem({.expert = 100000}, small_mixture) == plan_problem::experts_by_expert);
  CHECK(problem({.tensor = 0}, small_dense) == plan_problem::not_positive);
  CHECK(problem({.chunk = 0}, small_dense) == plan_problem::not_positive);
  CHECK(problem({.reserve = -1.0 * unit::byte}, small_dense) == plan_problem::not_positive);
}

TEST_CASE("more ranks for the experts never hold more") {
  const transformer_config model = small_mixture;
  bytes before{};
  for (const std::int64_t ranks : {1, 2, 4, 8, 16}) {
    serving_setup setup{.tensor = 4, .expert = ranks};
    setup.formats.precision = recipes::bf16::value;
    REQUIRE(verdict(setup, model).ok());
    const bytes held = serving_memory(model, setup).weights(0);
    if (ranks > 1) CHECK(held <= before);
    before = held;
  }
}

TEST_CASE("an encoder's and a tower's activations are part of a pass") {
  transformer_config tower{.architecture = "tower"};
  tower.vision_only = true;
  tower.vision.patches = {.image_size = 224, .patch_size = 16, .hidden = 64};
  tower.vision.stack = make_stack({.layers = 4, .hidden = 64, .heads = 4, .intermediate = 256, .causal = false});
  serving_setup setup{};
  setup.formats.precision = recipes::bf16::value;
  // The widest operation of a block: 196 patches of 64 read and 256 written, or the same back.
  CHECK(serving_memory(tower, setup).passing(1, 0)[memory_line::activations] >= 2.0 * 196 * (64 + 256) * unit::byte);
}
