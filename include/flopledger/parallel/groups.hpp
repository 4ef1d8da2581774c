// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The groups of ranks that a plan makes, and which link of a node each of them crosses.

#include <flopledger/hardware/cluster.hpp>
#include <flopledger/parallel/plan.hpp>

namespace flopledger {

/// Ranks that communicate with one another.
enum class group : std::uint8_t {
  tensor,
  context,
  pipeline,
  data,     ///< replicas of the dense weights: data × context ranks
  shard,    ///< those that share one copy of what ZeRO shards
  replica,  ///< those that hold the same shard (hybrid sharding)
  expert,   ///< those that share a layer's experts
  expert_tensor,
  expert_data  ///< replicas of one expert
};

constexpr std::string_view name_of(group which) {
  constexpr std::string_view names[] = {"tensor",  "context", "pipeline",      "data",       "shard",
                                        "replica", "expert",  "expert tensor", "expert data"};
  return names[static_cast<std::size_t>(which)];
}

/// In which order the degrees are laid over consecutive ranks, innermost first.
struct rank_order {
  group inner_to_outer[4] = {group::tensor, group::context, group::data, group::pipeline};
};
namespace rank_orders {
inline constexpr rank_order tensor_context_data_pipeline{};  ///< Megatron-LM's default, and DeepSpeed's
/// Stages inside, replicas outside: Megatron-LM's `--use-tp-pp-dp-mapping`.
inline constexpr rank_order tensor_context_pipeline_data{{group::tensor, group::context, group::pipeline, group::data}};
}  // namespace rank_orders

/// How a group lies over nodes.
struct group_span {
  std::int64_t ranks = 1;
  std::int64_t nodes = 1;
  std::int64_t ranks_a_node = 1;  ///< the fewest in one node
  constexpr bool crosses_network() const { return nodes > 1; }
};

/// Ranks of a group under a plan.
constexpr std::int64_t ranks_of(group which, const plan& p) {
  switch (which) {
    case group::tensor:
      return p.tensor;
    case group::context:
      return p.context;
    case group::pipeline:
      return p.pipeline;
    case group::data:
      return p.data * p.context;
    case group::shard:
      return p.shards();
    case group::replica:
      return p.data * p.context / p.shards();
    case group::expert:
      return p.expert;
    case group::expert_tensor:
      return p.tensor_of_experts();
    case group::expert_data:
      return p.expert_data();
  }
  return 1;
}

/// Nodes that a group touches, and how many of its ranks share one, with ranks laid out in the order given. Experts lie
/// over the ranks of a stage, from the innermost on.
constexpr group_span span_of(group which, const plan& p, std::int64_t devices_a_node, const rank_order& order = {}) {
  const std::int64_t wanted = ranks_of(which, p);
  // Which coordinates the group's ranks differ in, how many ranks of those lie inside each step of it.
  const auto has_coordinate = [&](group degree) {
    switch (which) {
      case group::tensor:
      case group::context:
      case group::pipeline:
        return degree == which;
      case group::data:
      case group::shard:
      case group::replica:
        return degree == group::data || degree == group::context;
      default:
        return degree != group::pipeline;
    }
  };
  std::int64_t skip = 1, left = wanted;
  if (which == group::replica) skip = p.shards();
  if (which == group::expert) skip = p.tensor_of_experts();
  if (which == group::expert_data) skip = p.expert * p.tensor_of_experts();
  std::int64_t stride = 1, inside = 1;
  for (const group degree : order.inner_to_outer) {
    const std::int64_t whole = degree == group::tensor    ? p.tensor
                               : degree == group::context ? p.context
                               : degree == group::data    ? p.data
                                                          : p.pipeline;
    if (has_coordinate(degree)) {
      const std::int64_t passed = skip < whole ? skip : whole;
      skip = skip > passed ? skip / passed : 1;
      std::int64_t taken = whole / passed < left ? whole / passed : left;
      if (taken < 1) taken = 1;
      left /= taken;
      const std::int64_t step = stride * passed;
      if (step < devices_a_node && taken > 1) {
        const std::int64_t fitting = devices_a_node / step;
        if (taken <= fitting && devices_a_node % (step * taken) == 0)
          inside *= taken;
        else if (taken > fitting && taken % fitting == 0)
          inside *= fitting;
        // else: some group straddles two nodes unevenly, and its thinnest part has one rank
      }
    }
    stride *= whole;
  }
  if (p.devices() <= devices_a_node) inside = wanted;
  return {.ranks = wanted, .nodes = (wanted + inside - 1) / inside, .ranks_a_node = inside};
}

/// The narrowest link that a group crosses.
constexpr const interconnect& link_of(const group_span& over, const node& in) {
  return over.crosses_network() ? in.scale_out : in.scale_up;
}

}  // namespace flopledger
