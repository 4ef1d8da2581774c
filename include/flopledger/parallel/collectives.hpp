// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Collectives as volume and as time.
///
/// Volume is bytes that one device sends; M is always the full array: what an all-gather leaves on each device, what a
/// reduce-scatter starts from, what an all-reduce holds. Time is a latency term plus volume over bandwidth (α–β), by an
/// algorithm and a protocol with names.

#include <flopledger/parallel/groups.hpp>

namespace flopledger {

enum class collective : std::uint8_t {
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  broadcast,
  reduce,
  send_receive
};

constexpr std::string_view name_of(collective what) {
  constexpr std::string_view names[] = {"all-reduce", "all-gather", "reduce-scatter", "all-to-all",
                                        "broadcast",  "reduce",     "send/receive"};
  return names[static_cast<std::size_t>(what)];
}

/// Bytes that a device sends, over bytes of the full array. It is also nccl-tests' bus bandwidth over its algorithm
/// bandwidth (doc/PERFORMANCE.md): what a link has to carry, whatever the number of ranks.
constexpr double bus_factor(collective what, double ranks) {
  if (ranks <= 1) return 0;
  switch (what) {
    case collective::all_reduce:
      return 2 * (ranks - 1) / ranks;
    case collective::all_gather:
    case collective::reduce_scatter:
    case collective::all_to_all:
      return (ranks - 1) / ranks;
    case collective::broadcast:
    case collective::reduce:
    case collective::send_receive:
      return 1;
  }
  return 0;
}

/// Bytes that one device sends.
constexpr bytes sent_bytes(collective what, double ranks, bytes full) { return bus_factor(what, ranks) * full; }

/// nccl-tests' two rates of a measured time. `full` is S of its tables: bytes of the full array.
constexpr byte_rate algorithm_bandwidth(bytes full, seconds took) { return full / took; }
constexpr byte_rate bus_bandwidth(collective what, double ranks, bytes full, seconds took) {
  return bus_factor(what, ranks) * algorithm_bandwidth(full, took);
}
/// The time behind a published bus bandwidth.
constexpr seconds time_at_bus_bandwidth(collective what, double ranks, bytes full, byte_rate bus) {
  return bus_factor(what, ranks) * full / bus;
}

// Algorithms and protocols
// ---------------------------------------------------------------------------------------------

enum class algorithm : std::uint8_t {
  fastest,       ///< of those that the links allow, as a library's tuner picks
  ring,          ///< every rank passes on to the next: least volume, latency grows with the ranks
  tree,          ///< up and down two binary trees over nodes, chains inside them: latency grows with the logarithm
  hierarchical,  ///< inside each node, then across nodes on every device's own adapter, then inside again
  in_switch      ///< the switch sums (NVLink SHARP, InfiniBand SHARP): each device sends its array once
};

/// How a message is split into pieces with flags. What it costs in latency and in bandwidth decides which one a size
/// wants.
struct protocol {
  label name{};
  double share = 1;          ///< of the scale-up bandwidth that payload reaches
  double network_share = 1;  ///< of the network's
  double launch = 0;         ///< seconds to start
  double ramp = 0;           ///< seconds a pass over the ring takes to fill its buffers
  double tree_share = 1;     ///< of what its trees reach in full
  double tree_launch = 0;
  double ring_hop[3]{};  ///< seconds of one step, by `link_kind`
  double tree_hop[3]{};
};

/// NCCL's protocols. Launch and hop latencies and the shares on a network are those of its own tuner (NVIDIA/nccl,
/// src/graph/tuning.cc of 2.19: baseLat, hwLat). What that model leaves out is taken from the sweep of eight B200 in
/// one node (stas00/ml-engineering, network/README.md), with NVLink at 740 of 900 GB/s and 14 hops:
/// - LL128's share 0.60: median of what the 16, 32 and 64 MiB rows imply (0.59, 0.60, 0.65);
/// - LL128's ramp: the median of the rows from 32 KiB to 1 MiB, 48.6 us, less launch and hops, over two passes: 4 us;
/// - Simple's ramp: the 64 MiB row, 293.2 us, less 158.7 us of volume, launch and hops, over two passes: 39 us.
namespace nccl {
inline constexpr protocol ll{.name = "LL",
                             .share = 1.0 / 4,
                             .network_share = 1.0 / 4,
                             .launch = 6.6e-6,
                             .tree_share = 1 / 3.8,
                             .tree_launch = 6.8e-6,
                             .ring_hop = {0.6e-6, 1.0e-6, 2.7e-6},
                             .tree_hop = {0.6e-6, 1.0e-6, 5.0e-6}};
inline constexpr protocol ll128{.name = "LL128",
                                .share = 0.60,
                                .network_share = 0.92,
                                .launch = 14e-6,
                                .ramp = 4e-6,
                                .tree_share = 120.0 / 128,
                                .tree_launch = 14e-6,
                                .ring_hop = {1.9e-6, 2.5e-6, 4.0e-6},
                                .tree_hop = {1.25e-6, 1.9e-6, 8.5e-6}};
inline constexpr protocol simple{.name = "Simple",
                                 .share = 1,
                                 .network_share = 1,
                                 .launch = 8.4e-6,
                                 .ramp = 39e-6,
                                 .tree_launch = 0,
                                 .ring_hop = {3.4e-6, 5.7e-6, 14.0e-6},
                                 .tree_hop = {28e-6, 28e-6, 28e-6}};
inline constexpr const protocol* protocols[] = {&ll, &ll128, &simple};
/// In-switch reduction: hwLat of NVLS and of the tree over its nodes.
inline constexpr double in_switch_hop = 23e-6, in_switch_network_hop = 14e-6;
/// Share of a ring's bandwidth that trees reach.
inline constexpr double tree_share = 0.92;
}  // namespace nccl

namespace detail {

constexpr double log2_ceiling(std::int64_t n) {
  double steps = 0;
  for (std::int64_t reached_ranks = 1; reached_ranks < n; reached_ranks *= 2) ++steps;
  return steps;
}

constexpr double smaller(double a, double b) { return a < b ? a : b; }

/// Bytes a second that a ring keeps up, inside a node and out of it. Across nodes every device uses its own share of
/// the adapters, so as many of them work for the group as it has ranks in a node.
struct ring_rates {
  double inside = 0, outside = 0;

  constexpr ring_rates(const group_span& over, const node& in) {
    const auto rate = [](const interconnect& link_between) {
      return smaller(link_between.send.value(), link_between.receive.value()) * link_between.reached *
             link_between.both_ways;
    };
    inside = rate(in.scale_up);
    if (over.crosses_network()) outside = static_cast<double>(over.ranks_a_node) * rate(in.scale_out);
  }
  /// Through the narrowest place, at shares of each.
  constexpr double narrowest(const group_span& over, double share, double network_share) const {
    if (!over.crosses_network()) return inside * share;
    const double out = outside * network_share;
    return over.ranks_a_node > 1 ? smaller(inside * share, out) : out;
  }
};

constexpr double ring_seconds_of(collective what, double full, const group_span& over, const node& in,
                                 const ring_rates& rates, const protocol& by) {
  const auto ranks = static_cast<double>(over.ranks), nodes = static_cast<double>(over.nodes);
  const double passes = what == collective::all_reduce ? 2 : 1;
  const double steps = passes * (ranks - 1);
  const double network_steps = over.crosses_network() ? smaller(passes * nodes, steps) : 0;
  const double hop = by.ring_hop[static_cast<int>(in.scale_up.kind)] + in.scale_up.latency.value();
  const double network_hop = by.ring_hop[static_cast<int>(link_kind::network)] + in.scale_out.latency.value();
  return by.launch + passes * by.ramp + (steps - network_steps) * hop + network_steps * network_hop +
         bus_factor(what, ranks) * full / rates.narrowest(over, by.share, by.network_share);
}

/// An all-reduce up and down a tree of nodes. Volume: each array crosses a link up and down.
constexpr double tree_seconds(double full, const group_span& over, const node& in, const ring_rates& rates,
                              const protocol& by) {
  const double hop = by.tree_hop[static_cast<int>(in.scale_up.kind)] + in.scale_up.latency.value();
  const double network_hop = by.tree_hop[static_cast<int>(link_kind::network)] + in.scale_out.latency.value();
  const double depth = 2 * (static_cast<double>(over.ranks_a_node - 1) * hop + log2_ceiling(over.nodes) * network_hop);
  const double rate = rates.narrowest(over, 1, 1) * nccl::tree_share * by.tree_share / 2;
  return by.tree_launch + 2 * by.ramp + depth + full / rate;
}

/// Sums inside the switch. One pass up and one down, at the switch's share of the link and the adapters' rate.
constexpr double in_switch_seconds(collective what, double full, const group_span& over, const node& in) {
  const auto ranks = static_cast<double>(over.ranks);
  double rate = in.scale_up.send.value() * in.scale_up.in_switch;
  double latency = nccl::in_switch_hop;
  if (over.crosses_network()) {
    const double outside = static_cast<double>(over.ranks_a_node) * in.scale_out.sustained().value();
    rate = smaller(rate, outside);
    latency += 2 * log2_ceiling(over.nodes) * (nccl::in_switch_network_hop + in.scale_out.latency.value());
  }
  const double volume = what == collective::all_reduce ? full : full * (ranks - 1) / ranks;
  return latency + (what == collective::all_reduce ? 2 : 1) * nccl::simple.ramp + volume / rate;
}

/// Every device to every other at once: what stays in the node and what leaves it run beside each other.
constexpr double all_to_all_seconds(double full, const group_span& over, const node& in) {
  const auto ranks = static_cast<double>(over.ranks), near = static_cast<double>(over.ranks_a_node);
  const double part = full / ranks;
  const double peers = near - 1;
  const double lanes = smaller(in.scale_up.send.value(), peers * in.scale_up.to_one_peer.value());
  const double inside = peers > 0 ? peers * part / (lanes * in.scale_up.reached * in.scale_up.both_ways) : 0.0;
  const protocol& by = nccl::simple;
  double outside = 0, latency = by.launch + by.ring_hop[static_cast<int>(in.scale_up.kind)];
  if (over.crosses_network()) {
    outside = (ranks - near) * part / in.scale_out.sustained().value();
    latency = by.launch + by.ring_hop[static_cast<int>(link_kind::network)] + in.scale_out.latency.value();
  }
  return latency + (inside > outside ? inside : outside);
}

/// One message from one device to another: no ring to fill, one direction.
constexpr double message_seconds(double full, const group_span& over, const node& in) {
  const interconnect& link_between = link_of(over, in);
  const protocol& by = nccl::simple;
  return by.launch + by.ring_hop[static_cast<int>(link_between.kind)] + link_between.latency.value() +
         full / (link_between.to_one_peer.value() * link_between.reached);
}

}  // namespace detail

/// Time of a collective by one protocol of the library's, by ring or tree.
constexpr seconds collective_time(collective what, bytes full, const group_span& over, const node& in, algorithm how,
                                  const protocol& by) {
  if (over.ranks <= 1 || full.value() <= 0) return {};
  const detail::ring_rates rates(over, in);
  if (how == algorithm::tree && what == collective::all_reduce)
    return detail::tree_seconds(full.value(), over, in, rates, by) * unit::second;
  return detail::ring_seconds_of(what, full.value(), over, in, rates, by) * unit::second;
}

/// Time of a collective over a group of ranks on such nodes, by the fastest protocol for its size.
constexpr seconds collective_time(collective what, bytes full, const group_span& over, const node& in,
                                  algorithm how = algorithm::fastest) {
  if (over.ranks <= 1 || full.value() <= 0) return {};
  const double size = full.value();
  if (what == collective::all_to_all) return detail::all_to_all_seconds(size, over, in) * unit::second;
  if (what == collective::send_receive) return detail::message_seconds(size, over, in) * unit::second;
  if (how == algorithm::in_switch) return detail::in_switch_seconds(what, size, over, in) * unit::second;
  const bool sums = what == collective::all_reduce;
  if (how == algorithm::hierarchical && over.crosses_network() && over.ranks_a_node > 1 && sums) {
    const group_span inside{over.ranks_a_node, 1, over.ranks_a_node};
    const group_span across{over.nodes, over.nodes, 1};
    return collective_time(collective::reduce_scatter, full, inside, in) +
           collective_time(what, full / static_cast<double>(over.ranks_a_node), across, in) +
           collective_time(collective::all_gather, full, inside, in);
  }
  const detail::ring_rates rates(over, in);
  const bool only_tree = how == algorithm::tree && sums;
  const bool tree_too = how == algorithm::fastest && over.crosses_network() && sums;
  double best = only_tree ? detail::tree_seconds(size, over, in, rates, nccl::simple)
                          : detail::ring_seconds_of(what, size, over, in, rates, nccl::simple);
  for (const protocol* by : nccl::protocols) {
    if (!only_tree) best = detail::smaller(best, detail::ring_seconds_of(what, size, over, in, rates, *by));
    if (only_tree || tree_too) best = detail::smaller(best, detail::tree_seconds(size, over, in, rates, *by));
  }
  // NCCL sums in the switch by itself inside a node, from three ranks on.
  if (how == algorithm::fastest && in.scale_up.in_switch > 0 && !over.crosses_network() && sums && over.ranks > 2)
    best = detail::smaller(best, detail::in_switch_seconds(what, size, over, in));
  return best * unit::second;
}

}  // namespace flopledger
