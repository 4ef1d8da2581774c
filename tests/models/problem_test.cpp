// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// What a model described in C++ can be wrong in.
#include <flopledger/memory/training.hpp>
#include <flopledger/models/block_shape.hpp>
#include <flopledger/models/catalogue.hpp>
#include <flopledger/models/problem.hpp>

#include <string>

#include "catch.hpp"

using namespace flopledger;

namespace {

constexpr block_shape sound{.layers = 40, .hidden = 5120, .heads = 40, .intermediate = 13824, .vocabulary = 32000};

constexpr block_shape sparse() {
  block_shape s = sound;
  s.experts = 8;
  s.experts_per_token = 2;
  s.expert_intermediate = 4096;
  s.sparse = layer_set::range(0, 40);
  return s;
}

template <class Change>
std::string problem_after(Change&& change, block_shape shape = sound) {
  change(shape);
  const model_verdict found = problem_of(make_decoder("changed", shape));
  return found.ok() ? "" : std::string(sentence_of(found).c_str());
}

}  // namespace

TEST_CASE("a model that lacks a size, or whose sizes do not go together, is named with the field and its value") {
  CHECK(problem_after([](block_shape&) {}).empty());
  CHECK(problem_after([](block_shape&) {}, sparse()).empty());
  CHECK(problem_after([](block_shape& s) { s.heads = 48; }) ==
        "impossible model: attention.heads is 48, which does not divide hidden 5120; head_dim says how wide a head is");
  CHECK(problem_after([](block_shape& s) { s.heads = 48, s.head_dim = 128; }).empty());
  CHECK(problem_after([](block_shape& s) { s.kv_heads = 7; }) ==
        "impossible model: attention.kv_heads is 7, which does not divide attention.heads 40");
  CHECK(problem_after([](block_shape& s) { s.vocabulary = 0; }) ==
        "impossible model: embedding.vocabulary is 0, and must be at least 1");
  CHECK(problem_after([](block_shape& s) { s.hidden = 0; }) == "impossible model: hidden is 0, and must be at least 1");
  CHECK(problem_after([](block_shape& s) { s.layers = -1; }) ==
        "impossible model: layers is -1, and must be at least 1");
  CHECK(problem_after([](block_shape& s) { s.heads = 0; }) ==
        "impossible model: attention.heads is 0, and must be at least 1");
  CHECK(problem_after([](block_shape& s) { s.intermediate = 0; }) ==
        "impossible model: feed.intermediate is 0, and must be at least 1");
  CHECK(problem_after([](block_shape& s) { s.windowed = layer_set::range(0, 20); }) ==
        "impossible model: window is 0, and must be at least 1");
  CHECK(problem_after([](block_shape& s) { s.sparse = layer_set::range(0, 41); }, sparse()) ==
        "impossible model: sparse is 40 among its layers, but layers is 40");
  CHECK(problem_after([](block_shape& s) { s.sparse = {}; }, sparse()) ==
        "impossible model: mixture.experts is 8, but sparse names no layers that have them");
  CHECK(problem_after([](block_shape& s) { s.experts_per_token = 9; }, sparse()) ==
        "impossible model: mixture.experts_per_token is 9, more than mixture.experts, which is 8");
  CHECK(problem_after([](block_shape& s) { s.experts = 0; }, sparse()) ==
        "impossible model: mixture.experts is 0, and must be at least 1");
}

TEST_CASE("a problem of an encoder or a tower says so") {
  transformer_config model = make_decoder("two stacks", sound);
  model.encoder = model.stack;
  CHECK(problem_of(model).ok());
  model.encoder.attention.kv_heads = 3;
  CHECK(std::string(sentence_of(problem_of(model)).c_str()) ==
        "impossible model: encoder.attention.kv_heads is 3, which does not divide attention.heads 40");
}

TEST_CASE("every model of the zoo is possible") {
  for (const models::zoo_entry& entry : models::all) {
    INFO(entry.name);
    CHECK(problem_of(entry.describe()).ok());
  }
}

TEST_CASE("a job of an impossible model is refused with the sentence") {
  const transformer_config model =
      make_decoder("uneven", {.layers = 40, .hidden = 5120, .heads = 48, .intermediate = 13824, .vocabulary = 32000});
  const training_setup setup{.plan = {.sequence = 4096}};
  CHECK(verdict(setup.plan, model).problem == plan_problem::model);
  try {
    training_memory(model, setup);
    FAIL("it was answered");
  } catch (const error& refused) {
    CHECK(std::string(refused.what()) == sentence_of(problem_of(model)).c_str());
  }
}
