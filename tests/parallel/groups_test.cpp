// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/parallel/groups.hpp>

#include "catch.hpp"

using namespace flopledger;

namespace {

void check_lies(const group_span& over, std::int64_t ranks, std::int64_t nodes, std::int64_t a_node) {
  CHECK(over.ranks == ranks);
  CHECK(over.nodes == nodes);
  CHECK(over.ranks_a_node == a_node);
}

}  // namespace

// The example of Megatron-LM's `initialize_model_parallel` (core/parallel_state.py): 16 GPUs in two boxes, tensor 2,
// pipeline 4: tensor groups [g0, g1], data groups [g0, g2], pipeline groups [g0, g4, g8, g12].
TEST_CASE("groups lie over two boxes as Megatron-LM lists them") {
  const plan p{.data = 2, .tensor = 2, .pipeline = 4};
  check_lies(span_of(group::tensor, p, 8), 2, 1, 2);
  check_lies(span_of(group::data, p, 8), 2, 1, 2);
  check_lies(span_of(group::pipeline, p, 8), 4, 2, 2);
  // With --use-tp-pp-dp-mapping stages are [g0, g2, g4, g6], and replicas [g0, g8].
  const rank_order& order = rank_orders::tensor_context_pipeline_data;
  check_lies(span_of(group::pipeline, p, 8, order), 4, 1, 4);
  check_lies(span_of(group::data, p, 8, order), 2, 2, 1);
}

// DeepSpeed, runtime/pipe/topology.py: axes pipe, data, model, the last innermost. On two nodes of four with pipeline
// 2, model 2 and data 2, ranks of a stage are 0 to 3.
TEST_CASE("stages are outermost in DeepSpeed's topology") {
  const plan p{.data = 2, .tensor = 2, .pipeline = 2};
  check_lies(span_of(group::data, p, 4), 2, 1, 2);
  check_lies(span_of(group::pipeline, p, 4), 2, 2, 1);
  CHECK(span_of(group::pipeline, p, 4).crosses_network());
}

TEST_CASE("a group takes the narrowest link that it crosses") {
  const node& in = hardware::dgx_h100::value;
  const plan p{.data = 2, .tensor = 8};
  CHECK(&link_of(span_of(group::tensor, p, in.devices), in) == &in.scale_up);
  CHECK(&link_of(span_of(group::data, p, in.devices), in) == &in.scale_out);
}
