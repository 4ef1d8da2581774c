// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// A job that cannot be is refused when it is made.
#include <flopledger/memory/capacity.hpp>
#include <flopledger/models/block_shape.hpp>
#include <flopledger/time/step.hpp>

#include <climits>
#include <cmath>
#include <string>

#include "catch.hpp"

using namespace flopledger;

namespace {

const transformer_config llama = make_decoder(
    "llama-3.1-8b",
    {.layers = 32, .hidden = 4096, .heads = 32, .kv_heads = 8, .intermediate = 14336, .vocabulary = 128256});
const machine on{.bandwidth = 1e12 * (unit::byte / unit::second)};

template <class Make>
std::string refusal_of(Make&& make) {
  try {
    make();
    return "";
  } catch (const impossible_plan& refused) {
    CHECK_FALSE(refused.judged.ok());
    return refused.what();
  }
}

}  // namespace

TEST_CASE("memory, time and account of an impossible plan are refused with the two numbers") {
  const std::string heads = "impossible plan: attention heads do not divide by the tensor-parallel degree: 32 by 3";
  const std::string degree = "impossible plan: a degree must be at least 1, and no count below 0: 0 by 1";
  const training_setup uneven{.plan = {.sequence = 4096, .tensor = 3, .pipeline = 5}};
  const training_setup nobody{.plan = {.sequence = 4096, .data = 0}};
  CHECK(refusal_of([&] { training_memory(llama, uneven); }) == heads);
  CHECK(refusal_of([&] { training_memory(llama, nobody); }) == degree);
  CHECK(refusal_of([&] { training_time(llama, uneven, on, {}); }) == heads);
  CHECK(refusal_of([&] { training_time(llama, nobody, on, {}); }) == degree);
  CHECK(refusal_of([&] { training_account(llama, uneven, on, {}); }) == heads);
  CHECK(refusal_of([&] { training_account(llama, nobody, on, {}); }) == degree);
  CHECK(refusal_of([&] { training_memory(llama, training_setup{.plan = {.sequence = 4096}}); }).empty());
}

TEST_CASE("a service that cannot be is refused, and so is one of nothing") {
  CHECK(refusal_of([&] { serving_memory(llama, serving_setup{.tensor = 3}); }) ==
        "impossible plan: attention heads do not divide by the tensor-parallel degree: 32 by 3");
  const serving_memory memory(llama, serving_setup{});
  CHECK(refusal_of([&] { memory.worst(1, -1); }) ==
        "impossible plan: a service's context is at least one token: -1 by 1");
  CHECK(refusal_of([&] { memory.worst(0, 1); }) == "impossible plan: a service holds at least one sequence: 0 by 1");
}

TEST_CASE("pages of the longest context that an integer counts are counted") {
  const serving_memory memory(llama, serving_setup{.layout = kv_layout::paged});
  const double held = memory.worst(1, INT64_MAX)[memory_line::kv_cache].value();
  CHECK(std::abs(held / (static_cast<double>(INT64_MAX) * 131072) - 1) < 1e-9);
}

TEST_CASE("ranks of an expert that a dense model does not have divide the ranks that there are") {
  CHECK(verdict(plan{.sequence = 4096, .expert_tensor = 2}, llama).problem == plan_problem::expert_ranks);
  CHECK(verdict(plan{.sequence = 4096, .tensor = 2, .expert_tensor = 2}, llama).ok());
}

TEST_CASE("no number of data ranks makes an impossible plan possible") {
  const bytes room = 80e9 * unit::byte;
  for (const plan& p : {plan{.sequence = 4096, .tensor = 3}, plan{.sequence = 4096, .pipeline = 0},
                        plan{.sequence = 4096, .expert = 8}, plan{.sequence = 4096, .data = 0}, plan{}})
    CHECK(fewest_data_ranks(llama, {.plan = p}, room) == 0);
  CHECK(fewest_data_ranks(llama, {.plan = {.sequence = 4096, .sharding = zero::weights, .shard_group = 4}}, room) == 4);
}
