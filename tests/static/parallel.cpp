// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// Links by direction, groups over nodes, and volumes of collectives.

#include <flopledger/parallel/transfers.hpp>

namespace {
namespace fl = flopledger;
namespace unit = flopledger::unit;
using namespace flopledger::literals;
using fl::collective, fl::group, fl::plan, fl::span_of;

// Links: one direction, and what headlines add up.
using fl::hardware::dgx_a100, fl::hardware::dgx_h100, fl::hardware::dgx_b200, fl::hardware::mi300x_platform;
static_assert(dgx_a100::value.scale_up.send == 300_GB / unit::second);
static_assert(fl::both_directions(dgx_a100::value.scale_up) == 600_GB / unit::second);
static_assert(dgx_h100::value.scale_up.send == 450_GB / unit::second);
static_assert(fl::both_directions(dgx_b200::value.scale_up) == 1800_GB / unit::second);
static_assert(dgx_a100::value.scale_out.send == 25_GB / unit::second);
static_assert(dgx_h100::value.scale_out.send == 50_GB / unit::second && dgx_h100::value.adapters == 8);
static_assert(mi300x_platform::value.scale_up.send == 448_GB / unit::second);
static_assert(mi300x_platform::value.scale_up.to_one_peer == 64_GB / unit::second);    // a mesh: one lane a peer
static_assert(dgx_h100::value.scale_up.to_one_peer == dgx_h100::value.scale_up.send);  // a switch
constexpr fl::interconnect lopsided{.send = 50_GB / unit::second, .receive = 20_GB / unit::second, .reached = 0.5};
static_assert(lopsided.sustained() == 10_GB / unit::second);
static_assert(fl::both_directions(lopsided) == 70_GB / unit::second);

// Weights arrive over the host's link: 140 GB at 24 of 31.5 GB/s.
static_assert(fl::cold_start(140_GB, dgx_a100::value.host) > 5.83_s);
static_assert(fl::cold_start(140_GB, dgx_a100::value.host) < 5.84_s);

// Nodes and clusters.
static_assert(fl::cluster<dgx_h100, 4>::value.devices() == 32);
static_assert(fl::memory_bandwidth<fl::cluster<dgx_h100, 2>> == 16.0 * (3350_GB / unit::second));
static_assert(fl::hardware::find_node("dgx-h100") == &dgx_h100::value);
static_assert(fl::hardware::find_node("dgx") == nullptr);
static_assert(fl::node_type<dgx_h100> && !fl::node_type<fl::hardware::mi300x>);

// Groups over nodes of eight: tensor inside, then context, data, pipeline outside.
constexpr plan job{.data = 16, .tensor = 4, .pipeline = 4, .context = 2};
static_assert(job.devices() == 512);
constexpr bool lies(fl::group_span s, std::int64_t ranks, std::int64_t nodes, std::int64_t ranks_a_node) {
  return s.ranks == ranks && s.nodes == nodes && s.ranks_a_node == ranks_a_node;
}
static_assert(lies(span_of(group::tensor, job, 8), 4, 1, 4));
static_assert(lies(span_of(group::context, job, 8), 2, 1, 2));
static_assert(lies(span_of(group::data, job, 8), 32, 16, 2));  // data × context: two context ranks share a node
static_assert(lies(span_of(group::pipeline, job, 8), 4, 4, 1));
static_assert(!span_of(group::tensor, job, 8).crosses_network() && span_of(group::pipeline, job, 8).crosses_network());
static_assert(&fl::link_of(span_of(group::tensor, job, 8), dgx_h100::value) == &dgx_h100::value.scale_up);
static_assert(&fl::link_of(span_of(group::data, job, 8), dgx_h100::value) == &dgx_h100::value.scale_out);
// In the other order stages lie inside a node when the degrees are small.
constexpr plan small{.data = 8, .tensor = 2, .pipeline = 4};
static_assert(lies(span_of(group::pipeline, small, 8, fl::rank_orders::tensor_context_pipeline_data), 4, 1, 4));
static_assert(lies(span_of(group::pipeline, small, 8), 4, 4, 1));
static_assert(lies(span_of(group::data, small, 8), 8, 2, 4));
static_assert(lies(span_of(group::data, small, 8, fl::rank_orders::tensor_context_pipeline_data), 8, 8, 1));
// A whole job in one node; a tensor group wider than a node; one that straddles.
static_assert(lies(span_of(group::data, plan{.data = 8}, 8), 8, 1, 8));
static_assert(lies(span_of(group::tensor, plan{.data = 2, .tensor = 16}, 8), 16, 2, 8));
static_assert(span_of(group::tensor, plan{.data = 8, .tensor = 3}, 8).crosses_network());
// Hybrid sharding: shards inside, replicas across.
constexpr plan hybrid{.data = 64, .sharding = fl::zero::weights, .shard_group = 8};
static_assert(lies(span_of(group::shard, hybrid, 8), 8, 1, 8));
static_assert(lies(span_of(group::replica, hybrid, 8), 8, 8, 1));
// Experts over the ranks of a stage, from the innermost on.
constexpr plan experts{.data = 16, .tensor = 2, .expert = 8, .expert_tensor = 1};
static_assert(lies(span_of(group::expert, experts, 8), 8, 1, 8));
static_assert(lies(span_of(group::expert_data, experts, 8), 4, 4, 1));
constexpr plan cut_experts{.data = 16, .tensor = 2, .expert = 8};
static_assert(lies(span_of(group::expert, cut_experts, 8), 8, 2, 4));
static_assert(lies(span_of(group::expert_tensor, cut_experts, 8), 2, 1, 2));

// Volumes, a device: M is the full array.
static_assert(fl::sent_bytes(collective::all_reduce, 8, 8_GB) == 14_GB);
static_assert(fl::sent_bytes(collective::all_gather, 8, 8_GB) == 7_GB);
static_assert(fl::sent_bytes(collective::reduce_scatter, 8, 8_GB) == 7_GB);
static_assert(fl::sent_bytes(collective::all_to_all, 8, 8_GB) == 7_GB);
static_assert(fl::sent_bytes(collective::broadcast, 8, 8_GB) == 8_GB);
static_assert(fl::sent_bytes(collective::all_reduce, 1, 8_GB) == 0_GB);
// An all-reduce is a reduce-scatter and an all-gather.
static_assert(fl::bus_factor(collective::all_reduce, 6) ==
              fl::bus_factor(collective::reduce_scatter, 6) + fl::bus_factor(collective::all_gather, 6));

// Gradients of 140 GB over 100 GB/s: 1.4 s if the volume is the parameters', 2(g−1)/g of it in a ring.
static_assert(140_GB / (100_GB / unit::second) == 1.4_s);
static_assert(fl::time_at_bus_bandwidth(collective::all_reduce, 8, 140_GB, 100_GB / unit::second) == 2.45_s);
static_assert(fl::bus_bandwidth(collective::all_reduce, 8, 140_GB, 2.45_s) == 100_GB / unit::second);

// Time: nothing for one rank or no bytes, more for more.
constexpr auto node = fl::hardware::dgx_h100::value;
constexpr fl::group_span eight{8, 1, 8}, over_four_nodes{32, 4, 8}, alone{1, 1, 1};
static_assert(fl::collective_time(collective::all_reduce, 1_GB, alone, node) == 0_s);
static_assert(fl::collective_time(collective::all_reduce, 0_B, eight, node) == 0_s);
static_assert(fl::collective_time(collective::all_reduce, 1_GB, eight, node) <
              fl::collective_time(collective::all_reduce, 2_GB, eight, node));
static_assert(fl::collective_time(collective::all_reduce, 1_GB, eight, node) <
              fl::collective_time(collective::all_reduce, 1_GB, over_four_nodes, node));
}  // namespace
