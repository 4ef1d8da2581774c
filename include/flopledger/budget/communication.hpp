// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Collectives as volume and as time, and the transfers of a training step by group.
///
/// Volume is bytes that one device sends; M is always the full array: what an all-gather leaves on each device, what a
/// reduce-scatter starts from, what an all-reduce holds. Time is a latency term plus volume over bandwidth (α–β), by an
/// algorithm and a protocol with names.

#include <flopledger/budget/device_rows.hpp>
#include <flopledger/budget/weights.hpp>
#include <flopledger/hardware/cluster.hpp>

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

// Overlap
// --------------------------------------------------------------------------------------------------------------

/// What of a communication's time is left to see where a share of it runs beside computation.
constexpr seconds exposed_time(seconds communication, double overlapped_share) {
  return (1 - overlapped_share) * communication;
}
/// The same where what hides it lasts only so long: a communication cannot hide behind less computation than itself.
constexpr seconds exposed_time(seconds communication, double overlapped_share, seconds beside) {
  const seconds hidden = overlapped_share * communication;
  return communication - (hidden < beside ? hidden : beside);
}

// The transfers of a training step. An encoder or a tower below the stack that a plan cuts adds the sums of its own
// regions, on the first stage; nothing else of theirs travels but their weights.
// -------------------------------------------------------------------------------------

/// One collective of a step: `times` times with `full` bytes, as each device of the group sees it.
struct transfer {
  label name{};
  flopledger::group over = group::data;
  collective what = collective::all_reduce;
  bytes full{};
  double times = 0;
};

/// The collectives of one kind of parallelism in a step, on one device.
class transfers {
 public:
  static constexpr int capacity = 16;  // four a stack, two a table
  constexpr void add(const transfer& one) {
    if (one.times > 0 && one.full.value() > 0) items_[size_++] = one;
  }
  constexpr const transfer* begin() const { return items_; }
  constexpr const transfer* end() const { return items_ + size_; }
  constexpr bool empty() const { return size_ == 0; }

  /// Bytes that the device sends in a step.
  constexpr bytes sent(const plan& p) const {
    bytes sum{};
    for (const transfer& one : *this)
      sum += one.times * sent_bytes(one.what, static_cast<double>(ranks_of(one.over, p)), one.full);
    return sum;
  }
  /// Their time, one after another, on such nodes.
  constexpr seconds time(const plan& p, const node& in, const rank_order& order = {},
                         algorithm how = algorithm::fastest) const {
    seconds sum{};
    group_span over{};
    const transfer* before = nullptr;
    for (const transfer& one : *this) {
      if (before == nullptr || before->over != one.over) over = span_of(one.over, p, in.devices, order);
      before = &one;
      sum += one.times * collective_time(one.what, one.full, over, in, how);
    }
    return sum;
  }
 private:
  transfer items_[capacity]{};
  int size_ = 0;
};

/// Bytes of weights and gradients that one device holds before ZeRO shards them. Experts are apart, for their replicas
/// are other ranks.
struct stage_weights {
  bytes weights{}, gradients{};
  bytes expert_weights{}, expert_gradients{};
};

namespace detail {
/// What a `device_fold` makes of rows.
struct stage_weight_part {
  const recipe& precision;
  stage_weights sum{};

  struct seen {};
  constexpr void weight(seen&, const device_row& here, const row& r, const operand& o, int of_class, double elements,
                        double) {
    const bool expert = is_routed(of_class);
    const double held = here.times * elements;
    (expert ? sum.expert_weights : sum.weights) +=
        held * weight_format(precision, r, o.what).bytes_per_element() * unit::byte;
    if (r.trainable)
      (expert ? sum.expert_gradients : sum.gradients) += held * precision.gradients.bytes_per_element() * unit::byte;
  }
  constexpr void keep(const device_row&, const row&, const operand&, double) const {}
  constexpr void other(seen&, const device_row&, const row&, const operand&, double) const {}
  constexpr void close(const seen&, const device_row&, const row&) const {}
};

/// Blocks of a stage with and without routed experts, and how many of them run again.
struct block_counts {
  double dense = 0, sparse = 0, dense_again = 0, sparse_again = 0;
  constexpr double all() const { return dense + sparse; }
  constexpr double all_again() const { return dense_again + sparse_again; }
  constexpr void add(int kind, const kind_count& count, const plan& p) {
    const double again = p.recompute == recompute::full ? count.again : 0.0;
    ((kind & 4) != 0 ? sparse : dense) += count.layers;
    ((kind & 4) != 0 ? sparse_again : dense_again) += again;
  }
};
constexpr block_counts blocks_of(const stack& blocks, const plan& p, std::int64_t stage) {
  block_counts counts;
  const int kinds = blocks.kinds();
  for (int kind = 0; kind <= kinds; ++kind)
    if ((kind & ~kinds) == 0) counts.add(kind, count_of(blocks, kinds, kind, p, stage), p);
  return counts;
}

/// The hidden state of a micro-batch on one context rank, whole over the tensor group.
constexpr bytes hidden_state(const transformer_config& model, const plan& p, const recipe& precision) {
  return static_cast<double>(p.micro_batch * p.sequence) / static_cast<double>(p.context) *
         static_cast<double>(model.stack.hidden) * precision.activations.bytes_per_element() * unit::byte;
}
constexpr double micro_batches(const plan& p) { return static_cast<double>(p.gradient_accumulation); }
constexpr double tensor_split(const plan& p) { return p.sequence_parallel ? static_cast<double>(p.tensor) : 1.0; }
}  // namespace detail

/// What a stage's devices hold: a fold over its rows.
constexpr stage_weights weights_of(const transformer_config& model, const plan& p, const recipe& precision,
                                   std::int64_t stage = 0) {
  detail::stage_weight_part part{precision};
  const detail::device_shares shares(detail::degrees_of(p));
  detail::fold_rows(p, shares, part, [&](auto& sink) {
    const work one = training_step(1, 1);
    for (std::int64_t piece = 0; piece < p.virtual_stages; ++piece) {
      const stage_layers range = layers_of(p, model.stack, stage, piece);
      model.stack.record_blocks(sink, model.with_source(one), range.first, range.last);
    }
    if (stage == 0) model.record_below(sink, one);
    if (stage == p.pipeline - 1) model.record_above(sink, one, p.pipeline > 1);
  });
  return part.sum;
}

/// When gathered weights are let go, where ZeRO-3 shards them.
enum class resharding : std::uint8_t {
  each_micro_batch,  ///< gathered again for every forward and every backward pass, gradients reduced each time (FSDP)
  each_step          ///< gathered twice a step, gradients reduced once
};

/// How context-parallel ranks see one another's keys and values.
enum class context_exchange : std::uint8_t {
  ring,       ///< each block of keys and values travels round (Liu et al. 2023)
  all_to_all  ///< sequence split for head split, before and behind the attention core (DeepSpeed Ulysses, 2023)
};

namespace detail {

// What causes transfers, one function a kind of parallelism: each hands them to `to.add`. They are written down here
// alone; `transfers` keeps them, and the time of a step adds them up.

constexpr void add_data_parallel(auto& to, const stage_weights& held, const plan& p, double rounds) {
  if (p.sharding == zero::none) {
    to.add({"gradients", group::data, collective::all_reduce, held.gradients, 1});
    to.add({"expert gradients", group::expert_data, collective::all_reduce, held.expert_gradients, 1});
    return;
  }
  const double gathers = p.sharding == zero::weights ? 2 * rounds : 1;
  to.add({"gradients", group::shard, collective::reduce_scatter, held.gradients, rounds});
  to.add({"weights", group::shard, collective::all_gather, held.weights, gathers});
  to.add({"expert gradients", group::expert_data, collective::reduce_scatter, held.expert_gradients, rounds});
  to.add({"expert weights", group::expert_data, collective::all_gather, held.expert_weights, gathers});
  if (p.shard_group > 0 && ranks_of(group::replica, p) > 1)
    to.add({"sharded gradients", group::replica, collective::all_reduce,
            held.gradients / static_cast<double>(p.shards()), rounds});
}

/// `m`: micro-batches; `whole`: `hidden_state`.
constexpr void add_tensor_parallel(auto& to, const stack& blocks, const plan& p, const block_counts& count, bytes whole,
                                   double m) {
  if (p.tensor <= 1) return;
  const double dense = tensor_regions(blocks, false, true),
               sparse = tensor_regions(blocks, true, p.tensor_of_experts() > 1);
  const double regions = count.dense * dense + count.sparse * sparse;
  const double again = count.dense_again * dense + count.sparse_again * sparse;
  if (!p.sequence_parallel) {
    to.add({"forward", group::tensor, collective::all_reduce, whole, m * (regions + again)});
    to.add({"backward", group::tensor, collective::all_reduce, whole, m * regions});
    return;
  }
  to.add({"forward, gathered", group::tensor, collective::all_gather, whole, m * (regions + again)});
  to.add({"forward, reduced", group::tensor, collective::reduce_scatter, whole, m * (regions + again)});
  to.add({"backward, gathered", group::tensor, collective::all_gather, whole, m * 2 * regions});
  to.add({"backward, reduced", group::tensor, collective::reduce_scatter, whole, m * regions});
}

/// The rows of a table that is split by its entries.
constexpr void add_table(auto& to, const plan& p, bytes whole, double m) {
  if (p.sequence_parallel) {
    to.add({"embedding", group::tensor, collective::reduce_scatter, whole, m});
    to.add({"embedding, backward", group::tensor, collective::all_gather, whole, m});
  } else {
    to.add({"embedding", group::tensor, collective::all_reduce, whole, m});
  }
}

/// What runs below the first block, for one micro-batch of `asked`: an encoder with its table, a vision tower. Neither
/// runs again under full recompute, which is of the blocks above.
template <class Model>
constexpr void add_tensor_parallel_below(auto& to, const Model& model, const work& asked, const plan& p, double width,
                                         double m) {
  if (p.tensor <= 1 || (!model.has_encoder() && !model.has_vision())) return;
  const auto summed = [&](const stack& blocks, double tokens_in_all, bool has_table) {
    const double here = tokens_in_all / static_cast<double>(p.context);
    const bytes whole = bytes::from_value(here * static_cast<double>(blocks.hidden) * width);
    add_tensor_parallel(to, blocks, p, {.dense = static_cast<double>(blocks.layers)}, whole, m);
    if (has_table) add_table(to, p, whole, m);
  };
  if (model.has_encoder())
    summed(model.encoder, model.with_source(asked).source_token_count(), model.encoder_embedding.width > 0);
  if (model.has_vision()) {
    const double images = model.vision_only ? asked.sequence_count() : asked.images * asked.sequence_count();
    summed(model.vision.stack, images * static_cast<double>(model.vision.sequence_length()), false);
  }
}

constexpr void add_vocabulary_parallel(auto& to, const plan& p, std::int64_t stage, bytes whole, double m) {
  if (p.tensor <= 1) return;
  if (stage == 0) add_table(to, p, whole, m);
  if (stage == p.pipeline - 1) {
    if (p.sequence_parallel) {
      to.add({"head, input", group::tensor, collective::all_gather, whole, 2 * m});
      to.add({"head, input gradient", group::tensor, collective::reduce_scatter, whole, m});
    } else {
      to.add({"head, input gradient", group::tensor, collective::all_reduce, whole, m});
    }
    const bytes statistic = static_cast<double>(p.micro_batch * p.sequence) / static_cast<double>(p.context) *
                            fp32::format.bytes_per_element() * unit::byte;
    to.add({"loss", group::tensor, collective::all_reduce, statistic, 3 * m});
  }
}

constexpr void add_pipeline(auto& to, const plan& p, std::int64_t stage, bytes whole, double m) {
  if (p.pipeline <= 1) return;
  const bytes passed = whole / tensor_split(p);
  const auto pieces = static_cast<double>(p.virtual_stages);
  to.add({"outputs", group::pipeline, collective::send_receive, passed,
          m * (stage == p.pipeline - 1 ? pieces - 1 : pieces)});
  to.add({"gradients of inputs", group::pipeline, collective::send_receive, passed,
          m * (stage == 0 ? pieces - 1 : pieces)});
}

constexpr void add_context_parallel(auto& to, const stack& blocks, const plan& p, const block_counts& count,
                                    double width, double m, context_exchange how) {
  if (p.context <= 1) return;
  const bool latent = blocks.latent.heads > 0;
  const auto heads = static_cast<double>(latent ? blocks.latent.heads : blocks.attention.heads);
  const auto kv_heads = static_cast<double>(latent ? blocks.latent.heads : blocks.attention.kv_heads);
  const auto key_width =
      static_cast<double>(latent ? blocks.latent.nope_dim + blocks.latent.rope_dim : blocks.attention.head_dim);
  const auto value_width = static_cast<double>(latent ? blocks.latent.value_dim : blocks.attention.head_dim);
  const auto tensor = static_cast<double>(p.tensor);
  const double kv_here = kv_heads > tensor ? kv_heads / tensor : 1;
  // Elements a token, on one tensor rank.
  const double key_value = kv_here * (key_width + value_width);
  const double query_output = heads / tensor * (key_width + value_width);
  const auto tokens_here = static_cast<double>(p.micro_batch * p.sequence) / static_cast<double>(p.context);
  if (how == context_exchange::ring) {
    const double hops = static_cast<double>(p.context - 1);
    const bytes block = tokens_here * key_value * width * unit::byte;
    to.add({"keys and values", group::context, collective::send_receive, block,
            m * hops * (2 * count.all() + count.all_again())});
    to.add({"their gradients", group::context, collective::send_receive, block, m * hops * count.all()});
    return;
  }
  const bytes exchanged = tokens_here * (query_output + key_value) * width * unit::byte;
  // Four all-to-alls of a quarter each, on average: queries, keys, values, output.
  to.add({"queries, keys, values, output", group::context, collective::all_to_all, exchanged / 4.0,
          m * 4 * (2 * count.all() + count.all_again())});
}

constexpr void add_expert_parallel(auto& to, const stack& blocks, const plan& p, const block_counts& count, bytes whole,
                                   double m) {
  if (p.expert <= 1) return;
  const bytes routed = whole / tensor_split(p) * static_cast<double>(blocks.mixture.experts_per_token);
  to.add({"dispatch", group::expert, collective::all_to_all, routed, m * (2 * count.sparse + count.sparse_again)});
  to.add({"combine", group::expert, collective::all_to_all, routed, m * (2 * count.sparse + count.sparse_again)});
}

}  // namespace detail

/// Data parallelism, a step: an all-reduce of the gradients; with ZeRO-1 and 2 a reduce-scatter of the gradients and an
/// all-gather of the weights; with ZeRO-3 two all-gathers of the weights and a reduce-scatter of the gradients
/// (Rajbhandari et al. 2020, section 7). With hybrid sharding, what is sharded inside a group is summed across groups.
constexpr transfers data_parallel_transfers(const stage_weights& held, const plan& p,
                                            resharding when = resharding::each_micro_batch) {
  transfers made;
  detail::add_data_parallel(
      made, held, p,
      p.sharding == zero::weights && when == resharding::each_micro_batch ? detail::micro_batches(p) : 1.0);
  return made;
}
constexpr transfers data_parallel_transfers(const transformer_config& model, const plan& p, const recipe& precision,
                                            std::int64_t stage = 0, resharding when = resharding::each_micro_batch) {
  return data_parallel_transfers(weights_of(model, p, precision, stage), p, when);
}

/// Tensor parallelism, a step on one stage: each of a block's two regions ends in an all-reduce forward and begins with
/// one backward. With sequence parallelism each of those is an all-gather and a reduce-scatter, and the region's input
/// is gathered once more backward (Korthikanti et al. 2022, section 4.2.2). Full recompute repeats the forward's. Where
/// experts are not cut by tensor, their region has none.
constexpr transfers tensor_parallel_transfers(const transformer_config& model, const plan& p, const recipe& precision,
                                              std::int64_t stage = 0) {
  transfers made;
  detail::add_tensor_parallel(made, model.stack, p, detail::blocks_of(model.stack, p, stage),
                              detail::hidden_state(model, p, precision), detail::micro_batches(p));
  if (stage == 0)
    detail::add_tensor_parallel_below(made, model, detail::micro_batch_of(p), p,
                                      precision.activations.bytes_per_element(), detail::micro_batches(p));
  return made;
}

/// Vocabulary parallelism, a step: the looked-up rows are summed on the first stage; on the last, the head's input
/// gradient is, and the loss exchanges a maximum, a sum and the target's logit in FP32 a token, never the logits.
constexpr transfers vocabulary_parallel_transfers(const transformer_config& model, const plan& p,
                                                  const recipe& precision, std::int64_t stage = 0) {
  transfers made;
  detail::add_vocabulary_parallel(made, p, stage, detail::hidden_state(model, p, precision), detail::micro_batches(p));
  return made;
}

/// Pipeline parallelism, a step: what a stage passes on forward and back, for each of its pieces. The first stage has
/// nobody to send a gradient to, the last nobody to send an output to.
constexpr transfers pipeline_transfers(const transformer_config& model, const plan& p, const recipe& precision,
                                       std::int64_t stage = 0) {
  transfers made;
  detail::add_pipeline(made, p, stage, detail::hidden_state(model, p, precision), detail::micro_batches(p));
  return made;
}

/// Context parallelism, a step. Ring: each rank passes its keys and values c − 1 times forward; backward they go round
/// once more, their gradients with them. All-to-all: queries, keys, values and output forward, their gradients
/// backward.
constexpr transfers context_parallel_transfers(const transformer_config& model, const plan& p, const recipe& precision,
                                               std::int64_t stage = 0, context_exchange how = context_exchange::ring) {
  transfers made;
  detail::add_context_parallel(made, model.stack, p, detail::blocks_of(model.stack, p, stage),
                               precision.activations.bytes_per_element(), detail::micro_batches(p), how);
  return made;
}

/// Expert parallelism, a step: each token goes to its experts and comes back, forward and backward: four all-to-alls a
/// layer. (e−1)/e of what is dispatched leaves the device.
constexpr transfers expert_parallel_transfers(const transformer_config& model, const plan& p, const recipe& precision,
                                              std::int64_t stage = 0) {
  transfers made;
  detail::add_expert_parallel(made, model.stack, p, detail::blocks_of(model.stack, p, stage),
                              detail::hidden_state(model, p, precision), detail::micro_batches(p));
  return made;
}

/// All of a step's transfers on one stage, by what causes them.
struct step_transfers {
  transfers tensor{}, vocabulary{}, context{}, expert{}, pipeline{}, data{};

  constexpr bytes sent(const plan& p) const {
    return tensor.sent(p) + vocabulary.sent(p) + context.sent(p) + expert.sent(p) + pipeline.sent(p) + data.sent(p);
  }
};

constexpr step_transfers transfers_of(const transformer_config& model, const plan& p, const recipe& precision,
                                      std::int64_t stage = 0, context_exchange how = context_exchange::ring) {
  return {.tensor = tensor_parallel_transfers(model, p, precision, stage),
          .vocabulary = vocabulary_parallel_transfers(model, p, precision, stage),
          .context = context_parallel_transfers(model, p, precision, stage, how),
          .expert = expert_parallel_transfers(model, p, precision, stage),
          .pipeline = pipeline_transfers(model, p, precision, stage),
          .data = data_parallel_transfers(model, p, precision, stage)};
}

}  // namespace flopledger
