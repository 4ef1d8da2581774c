// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/memory/serving.hpp>

#include "catch.hpp"
#include "known_models.hpp"

using namespace flopledger;
using known_models::small_dense, known_models::small_mixture;

namespace {

bool possible(const plan& p) { return verdict(p, small_dense).ok(); }

}  // namespace

TEST_CASE("counts that are no counts make a plan impossible") {
  CHECK(possible({.sequence = 64}));
  CHECK(verdict(plan{.micro_batch = 512, .data = 8}, small_dense).problem == plan_problem::no_sequence);
  CHECK(verdict(plan{.sequence = 64, .loss = cross_entropy::chunked, .loss_chunks = 0}, small_dense).problem ==
        plan_problem::not_positive);
  CHECK_FALSE(possible({.sequence = 64, .loss = cross_entropy::chunked, .loss_chunks = -1}));
  CHECK_FALSE(possible({.sequence = 64, .expert_tensor = -1}));
  CHECK_FALSE(possible({.sequence = 64, .pipeline = 4, .first_stage_layers = -4}));
  CHECK_FALSE(possible({.sequence = 64, .data = 8, .shard_group = -8}));
  CHECK_FALSE(possible({.sequence = 64, .adapter_rank = -1}));
  CHECK(verdict(plan{.sequence = 64, .data = std::int64_t{1} << 60, .tensor = 8}, small_dense).problem ==
        plan_problem::too_many_devices);
}

TEST_CASE("inner widths divide by the ranks that share them, and both numbers are said") {
  transformer_config narrow = small_dense;
  narrow.stack.feed.intermediate = 1540;
  const plan_verdict found = verdict(plan{.sequence = 64, .tensor = 8}, narrow);
  CHECK(found.problem == plan_problem::feed_forward_by_tensor);
  CHECK(found.value == 1540);
  CHECK(found.divisor == 8);
  CHECK(verdict(plan{.sequence = 64, .tensor = 4}, narrow).ok());
  CHECK(verdict(serving_setup{.tensor = 8}, narrow).problem == plan_problem::feed_forward_by_tensor);
  // An expert's width goes over the ranks that share one expert, a shared expert's over the tensor ranks.
  transformer_config mixed = small_mixture;
  mixed.stack.mixture.intermediate = 258;
  CHECK(verdict(plan{.sequence = 64, .data = 4, .tensor = 4, .expert_tensor = 1}, mixed).ok());
  CHECK(verdict(plan{.sequence = 64, .data = 4, .tensor = 4}, mixed).problem == plan_problem::feed_forward_by_tensor);
  CHECK(verdict(serving_setup{.tensor = 4}, mixed).problem == plan_problem::feed_forward_by_tensor);
  CHECK(verdict(serving_setup{.tensor = 4, .expert = 2}, mixed).ok());
  mixed.stack.mixture.shared_intermediate = 129;
  CHECK(verdict(plan{.sequence = 64, .data = 4, .tensor = 4, .expert_tensor = 1}, mixed).problem ==
        plan_problem::feed_forward_by_tensor);
  // A width that no layer has does not count.
  transformer_config all_sparse = small_mixture;
  all_sparse.stack.feed.intermediate = 1001;
  CHECK(verdict(plan{.sequence = 64, .tensor = 8, .expert_tensor = 1}, all_sparse).ok());
}

TEST_CASE("every layer stands in one stage of an uneven pipeline, and in one alone") {
  // One stage has one end only, and none may be empty.
  CHECK_FALSE(possible({.sequence = 64, .first_stage_layers = 14, .last_stage_layers = 14}));
  CHECK_FALSE(possible({.sequence = 64, .pipeline = 4, .first_stage_layers = 14, .last_stage_layers = 14}));
  CHECK(possible({.sequence = 64, .pipeline = 2, .first_stage_layers = 12, .last_stage_layers = 16}));
  for (const std::int64_t pieces : {1, 2}) {
    const plan p{.sequence = 64,
                 .gradient_accumulation = 4,
                 .pipeline = 4,
                 .virtual_stages = pieces,
                 .first_stage_layers = 6,
                 .last_stage_layers = 6};
    REQUIRE(possible(p));
    layer_set seen;
    std::int64_t held = 0;
    for (std::int64_t stage = 0; stage < p.pipeline; ++stage)
      for (std::int64_t piece = 0; piece < pieces; ++piece) {
        const stage_layers range = layers_of(p, small_dense.stack, stage, piece);
        held += range.last - range.first;
        seen = seen | layer_set::range(range.first, range.last);
      }
    CHECK(held == 28);
    CHECK(seen == layer_set::range(0, 28));
  }
  CHECK_FALSE(possible({.sequence = 64,
                        .gradient_accumulation = 4,
                        .pipeline = 4,
                        .virtual_stages = 2,
                        .first_stage_layers = 7,
                        .last_stage_layers = 7}));
}

TEST_CASE("a model without blocks has no pipeline, and its tower's heads divide") {
  transformer_config tower{.architecture = "tower"};
  tower.vision_only = true;
  tower.vision.stack = make_stack({.layers = 4, .hidden = 64, .heads = 4, .intermediate = 256});
  CHECK(verdict(plan{.sequence = 4, .tensor = 4}, tower).ok());
  CHECK(verdict(plan{.sequence = 7, .tensor = 7}, tower).problem == plan_problem::heads_by_tensor);
  CHECK(verdict(plan{.sequence = 4, .gradient_accumulation = 4, .pipeline = 4}, tower).problem ==
        plan_problem::layers_by_stages);
}
