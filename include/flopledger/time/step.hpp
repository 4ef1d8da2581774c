// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Time of a training step, by its causes: each operation forward and backward, what runs again, what the pipeline
/// idles, what communication is not hidden, the optimizer.

#include <flopledger/compiler.hpp>
#include <flopledger/memory/training.hpp>
#include <flopledger/parallel/transfers.hpp>
#include <flopledger/time/overlap.hpp>
#include <flopledger/time/row.hpp>

namespace flopledger {

/// What one rank of a group can send, one way, and the time that starting takes. Libraries send short messages by a
/// protocol that starts sooner and moves half as much (a flag beside every word: NCCL's LL).
struct group_link {
  byte_rate bandwidth{};    ///< achieved by large messages
  seconds latency{};        ///< of one collective with large messages
  seconds quick_latency{};  ///< with short ones; 0: there is no such protocol
};

/// The links that the groups of a plan cross.
struct step_network {
  group_link tensor{}, context{}, expert{}, data{}, pipeline{};
  std::int64_t expert_nodes = 1;  ///< that an expert group lies over
};

/// The line that a collective's time follows over a group on such nodes: its slope between 64 MiB and 1 GiB, where it
/// starts, and where short messages start. Throws `figure_not_published` where a link that the group crosses has no
/// bandwidth: nothing travels for free.
constexpr group_link link_over(group which, collective what, const plan& p, const node& in,
                               const rank_order& order = {}) {
  const group_span over = span_of(which, p, in.devices, order);
  if (over.ranks <= 1) return {};
  const auto must_carry = [&](const interconnect& crossed, std::string_view what_it_is) {
    if (!(crossed.send.value() > 0))
      detail::raise<figure_not_published>(in.id, ": the bandwidth of its ", what_it_is, " is not published");
  };
  if (over.ranks_a_node > 1 || !over.crosses_network()) must_carry(in.scale_up, "scale-up link");
  if (over.crosses_network()) must_carry(in.scale_out, "network");
  const auto time = [&](double size) { return collective_time(what, size * unit::byte, over, in).value(); };
  const double small = 64 * prefix::mebi, large = prefix::gibi,
               per_byte = (time(large) - time(small)) / (large - small);
  const double sent = bus_factor(what, static_cast<double>(over.ranks));
  const double start = time(small) - small * per_byte;
  return {.bandwidth = sent / per_byte * (unit::byte / unit::second),
          .latency = (start > 0 ? start : 0.0) * unit::second,
          .quick_latency = time(prefix::kibi) * unit::second};
}

/// The links that a plan's groups cross on such nodes. Without sequence parallelism the tensor group
/// sums; with it, it gathers and scatters.
constexpr step_network network_of(const plan& p, const node& in, const rank_order& order = {}) {
  const collective summed = p.sequence_parallel ? collective::all_gather : collective::all_reduce;
  return {.tensor = link_over(group::tensor, summed, p, in, order),
          .context = link_over(group::context, collective::all_gather, p, in, order),
          .expert = link_over(group::expert, collective::all_to_all, p, in, order),
          .data = link_over(p.sharding == zero::none ? group::data : group::shard, collective::reduce_scatter, p, in,
                            order),
          .pipeline = link_over(group::pipeline, collective::send_receive, p, in, order),
          .expert_nodes = span_of(group::expert, p, in.devices, order).nodes};
}

/// Seconds of a step on the device that is busiest.
struct step_time {
  seconds forward{}, backward{}, recompute{}, bubble{};
  seconds tensor_communication{}, context_communication{}, expert_communication{}, pipeline_communication{},
      data_communication{};
  seconds optimizer{}, data_loading{};
  seconds host{};  ///< that the device waits for the host to launch what it computes

  constexpr seconds communication() const {
    return tensor_communication + context_communication + expert_communication + pipeline_communication +
           data_communication;
  }
  constexpr seconds compute() const { return forward + backward; }
  constexpr seconds total() const {
    return compute() + recompute + bubble + communication() + optimizer + data_loading + host;
  }
};

// What a step's time comes to
// ------------------------------------------------------------------------------------------

/// Tokens that all replicas read, a second.
constexpr token_rate tokens_a_second(const plan& p, seconds step) {
  return static_cast<double>(p.global_batch() * p.sequence) * unit::token / step;
}
/// Time to train on an amount of text.
constexpr seconds time_to_train(tokens text, const plan& p, seconds step) { return text / tokens_a_second(p, step); }
constexpr double in_days(seconds time) { return time.value() / 86400; }

/// Where the time of a measured step went beyond its floor. The parts add up to the gap; the remainder is what no part
/// explains, and below zero where they explain too much.
struct step_gap {
  seconds measured{}, floor{};
  seconds recompute{}, communication{}, bubble{};
  seconds kernels{};  ///< products below the peak, operations that only move bytes, optimizer, launches
  seconds data_loading{};
  seconds remainder{};

  constexpr seconds gap() const { return measured - floor; }
  constexpr seconds explained() const { return recompute + communication + bubble + kernels + data_loading; }
  /// Of the measured step, so that the shares and the floor's make one.
  constexpr double share(seconds part) const { return part / measured; }
};

/// The gap between a measured step and the floor (the products of forward and backward at the peak, nothing else), put
/// down to the causes of a prediction.
constexpr step_gap attribute(seconds measured, seconds floor, const step_time& predicted) {
  step_gap parts{.measured = measured,
                 .floor = floor,
                 .recompute = predicted.recompute,
                 .communication = predicted.communication(),
                 .bubble = predicted.bubble,
                 .kernels = predicted.compute() + predicted.optimizer + predicted.host - floor,
                 .data_loading = predicted.data_loading};
  parts.remainder = parts.gap() - parts.explained();
  return parts;
}

namespace detail {

/// Seconds of transfers over one kind of link.
class transfer_clock {
 public:
  constexpr transfer_clock(const group_link& link, double ranks, double pieces = 1)
      : a_byte_(link.bandwidth.value() > 0 && ranks > 1 ? 1 / link.bandwidth.value() : 0.0),
        latency_(link.latency.value()),
        quick_latency_(link.quick_latency.value()),
        ring_(ranks > 1 ? (ranks - 1) / ranks : 0.0),
        pieces_(pieces),
        a_piece_(1 / pieces) {}

  /// Seconds of one collective that sends `sent` bytes from each rank.
  constexpr double message(double sent) const {
    if (a_byte_ <= 0 || sent <= 0) return 0;
    const double bulk = sent * a_byte_ + latency_;
    if (quick_latency_ <= 0) return bulk;
    const double quick = 2 * sent * a_byte_ + quick_latency_;
    return quick < bulk ? quick : bulk;
  }
  /// Of one that leaves (g−1)/g of `whole` bytes on each rank's link.
  constexpr double ring(double whole) const { return message(whole * ring_); }

  constexpr double of(const transfer& t) const {
    double sent = t.full.value() * a_piece_;
    if (t.what != collective::send_receive) sent *= t.what == collective::all_reduce ? 2 * ring_ : ring_;
    return t.times * pieces_ * message(sent);
  }
 private:
  double a_byte_, latency_, quick_latency_, ring_;
  double pieces_, a_piece_;  ///< messages that a transfer is cut into
};

/// The same for data parallelism, whose groups differ: routed experts' replicas are other ranks.
struct data_clock {
  transfer_clock dense, routed, replica;

  /// Weights are gathered in as many units of their own.
  constexpr data_clock(const plan& p, const group_link& link, double units, double routed_units)
      : dense(link, static_cast<double>(ranks_of(p.sharding == zero::none ? group::data : group::shard, p)), units),
        routed(link, static_cast<double>(p.expert_data()), routed_units > 1 ? routed_units : 1),
        replica(link, static_cast<double>(ranks_of(group::replica, p)), units) {}
  constexpr double of(const transfer& t) const {
    return (t.over == group::expert_data ? routed : t.over == group::replica ? replica : dense).of(t);
  }
};

/// Adds up what a clock says of transfers.
template <class Clock>
struct time_of_all {
  const Clock& clock;
  double seconds = 0;
  constexpr void add(const transfer& t) {
    if (t.full.value() > 0) seconds += clock.of(t);
  }
};
template <class Clock>
time_of_all(const Clock&) -> time_of_all<Clock>;

/// What experts' messages are of an all-to-all that sends a token to each of its experts, by the places that it must
/// reach: where experts are drawn evenly, a place other than its own holds one of `chosen` with 1 - (1 -
/// 1/places)^chosen.
constexpr double dispatched_share(expert_dispatch how, std::int64_t chosen, double places) {
  if (how == expert_dispatch::all_to_all || places <= 1 || chosen < 1) return 1;
  double missed = 1;
  for (std::int64_t i = 0; i < chosen; ++i) missed *= 1 - 1 / places;
  return (places - 1) * (1 - missed) / (static_cast<double>(chosen) * (1 - 1 / places));
}

}  // namespace detail

/// The same job at its floor: no losses beyond those of the machine, and nothing waits. On `machine::floor()` and links
/// that cost nothing it is the roofline of the plan.
constexpr training_setup without_losses(training_setup job) {
  job.framework = frameworks::ideal;
  job.plan.loss = cross_entropy::fused;
  return job;
}

/// A training job on devices of one kind: its step, part by part. The blocks are folded once by kind; what a plan does
/// with them is arithmetic. An encoder or a vision tower runs below the blocks, on the first stage, over as many source
/// tokens as target ones where the model does not fix them, and over the images of the plan. Their sums over a tensor
/// group count; what an encoder's attention exchanges over a context group does not. A plan that the model does not
/// allow is refused by `impossible_plan`.
///
/// A template only so that a build that never asks pays nothing; the model is deduced.
template <class Model>
class training_time {
 public:
  constexpr training_time(const Model& model, const training_setup& setup, const machine& on,
                          const step_network& network)
      : training_time(setup, model, on, network) {
    const detail::degrees over = detail::degrees_of(plan_);
    const execution how = execution_of(setup.framework, plan_, setup.precision, on);
    const detail::row_clock clock(on, setup.precision, plan_.attention, over, how, true);
    const bool joins = setup.framework.joins_products;
    const recompute_rule blocks_again = rule_of(plan_, joins), others_again = rule_of(plan_, joins, true);
    const detail::device_shares shares(over);
    detail::for_each_group(model_, detail::micro_batch_of(plan_), plan_, [&](const detail::row_group<Model>& group) {
      detail::time_part part(clock, group.beside_blocks() ? others_again : blocks_again);
      detail::fold_rows(plan_, shares, part, group);
      groups_[group.number] = part.total();
    });
  }

  /// The same rows under another plan, which must lay each of them alike (`lays_alike`), over its own links.
  constexpr void lie_by(const training_setup& setup, const step_network& network) {
    plan_ = setup.plan;
    network_ = network;
    overlap_ = hidden_shares(setup.framework.overlap, plan_);
    exchange_ = setup.framework.exchange;
    expert_share_ = share_of_experts(setup, network);
    tensor_ = {network.tensor, static_cast<double>(plan_.tensor)};
    pipeline_ = {network.pipeline, static_cast<double>(plan_.pipeline)};
  }

  /// Seconds of one step. Stages work on micro-batches in turn: the slowest sets the pace, the others fill and drain.
  constexpr step_time step() const {
    const plan& p = plan_;
    const auto micro_batches = static_cast<double>(p.gradient_accumulation),
               pieces = static_cast<double>(p.virtual_stages);
    pass_seconds slowest;
    double pace = -1, others = 0;
    detail::block_seconds held;
    pass_seconds beside;  // of the stage that holds most
    blocks_here blocks = blocks_of(0);
    const auto visit = [&](std::int64_t s, double times) {
      detail::block_seconds here = blocks.work;
      const pass_seconds one = pass(s, blocks, here);
      const double time = one.total();
      others += times * time;
      if (here.weights + here.routed > held.weights + held.routed) {
        held = here;
        beside = one;
      }
      if (time > pace) {
        pace = time;
        slowest = one;
      }
    };
    const bool even = p.first_stage_layers == 0 && p.last_stage_layers == 0;
    visit(0, 1);
    if (detail::inner_stages_alike(model_.stack, p)) {
      if (!even) blocks = blocks_of(1);
      visit(1, static_cast<double>(p.pipeline - 2));
      if (!even) blocks = blocks_of(p.pipeline - 1);
      visit(p.pipeline - 1, 1);
    } else {
      for (std::int64_t s = 1; s < p.pipeline; ++s) {
        blocks = blocks_of(s);
        visit(s, 1);
      }
    }
    others -= pace;
    // The zero-bubble schedule fills two thirds of the bubble with weight gradients (Qi et al. 2024, table 1: ZB-H1).
    const double idle = p.schedule == pipeline_schedule::zero_bubble ? 1.0 / 3 : 1.0;
    step_time step = slowest.times(micro_batches);
    step.bubble = idle * others / pieces * unit::second;
    if (p.sharding != zero::weights)
      step.data_communication += (once_a_step(held, beside) + shard_messages()) * unit::second;
    step.optimizer = optimizer_seconds(held) * unit::second;
    step.data_loading = loading_;
    return step;
  }

  /// Seconds of one micro-batch, forward and backward, on one stage.
  constexpr step_time pass(std::int64_t stage) const {
    const blocks_here blocks = blocks_of(stage);
    detail::block_seconds here = blocks.work;
    return pass(stage, blocks, here).times(1);
  }
 private:
  template <class>
  friend class training_account;

  /// Without rows yet. The plan is checked first of all: what follows divides by its degrees.
  constexpr training_time(const training_setup& setup, const Model& model, const machine& on,
                          const step_network& network)
      : model_(model),
        plan_(detail::must_be_possible(setup.plan, model)),
        network_(network),
        overlap_(setup.framework.overlap, setup.plan),
        exchange_(setup.framework.exchange),
        expert_share_(share_of_experts(setup, network)),
        loading_(setup.framework.data_loading),
        host_launch_(setup.framework.host_launch.value.value()),
        shard_message_(setup.framework.shard_message.value.value()),
        width_(setup.precision.activations.bytes_per_element()),
        gradient_(setup.precision.gradients.bytes_per_element()),
        whole_(static_cast<double>(plan_.micro_batch * plan_.sequence) / static_cast<double>(plan_.context) *
               static_cast<double>(model.stack.hidden) * width_),
        a_byte_(1 / (on.bandwidth.value() * on.reached.bandwidth)),
        tensor_(network.tensor, static_cast<double>(plan_.tensor)),
        pipeline_(network.pipeline, static_cast<double>(plan_.pipeline)) {
    const recipe& r = setup.precision;
    const double master = r.has_master_weights ? r.master_weights.bytes_per_element() : 0.0;
    // Every state is read and written once, the gradient read twice (its norm first), the weights written.
    updated_ = 2 * (master + setup.optimizer.moments * r.moments.bytes_per_element()) + 2 * gradient_ +
               r.weights.bytes_per_element();
  }

  constexpr double share_of_experts(const training_setup& setup, const step_network& network) const {
    const std::int64_t places = network.expert_nodes > 1 ? network.expert_nodes : setup.plan.expert;
    return detail::dispatched_share(setup.framework.dispatch, model_.stack.mixture.experts_per_token,
                                    static_cast<double>(places));
  }

  /// Of one micro-batch.
  struct pass_seconds {
    double forward = 0, backward = 0, recompute = 0, tensor = 0, context = 0, expert = 0, pipeline = 0, data = 0;
    double host = 0;
    constexpr double total() const {
      return forward + backward + recompute + tensor + context + expert + pipeline + data + host;
    }
    constexpr step_time times(double n) const {
      return {.forward = n * forward * unit::second,
              .backward = n * backward * unit::second,
              .recompute = n * recompute * unit::second,
              .tensor_communication = n * tensor * unit::second,
              .context_communication = n * context * unit::second,
              .expert_communication = n * expert * unit::second,
              .pipeline_communication = n * pipeline * unit::second,
              .data_communication = n * data * unit::second,
              .host = n * host * unit::second};
    }
  };
  /// The blocks of a stage: seconds, whole recompute of some of them, and what their groups send.
  struct blocks_here {
    detail::block_seconds work{};
    detail::block_counts count{};
    double again = 0;
    double tensor = 0, context = 0, expert = 0;
  };

  constexpr blocks_here blocks_of(std::int64_t stage) const {
    const plan& p = plan_;
    blocks_here made;
    model_.stack.for_each_kind([&](block_kind kind) {
      const detail::block_seconds& one = groups_[kind.number()];
      const detail::kind_count alike = detail::count_of(model_.stack, kind, p, stage);
      made.work.add(one, alike.layers);
      made.count.add(model_.stack, kind, alike, p);
      made.again += alike.again * one.again;
    });
    const bytes whole = whole_ * unit::byte;
    if (p.tensor > 1) {
      detail::time_of_all sum{tensor_};
      detail::add_tensor_parallel(sum, model_.stack, p, made.count, whole, 1);
      made.tensor = sum.seconds;
    }
    if (p.context > 1) {
      // As many messages as there are other ranks make one round.
      const auto ranks = static_cast<double>(p.context);
      const detail::transfer_clock clock(network_.context, ranks, 1 / (ranks - 1));
      detail::time_of_all sum{clock};
      detail::add_context_parallel(sum, model_.stack, p, made.count, width_, 1, exchange_);
      made.context = sum.seconds;
    }
    if (p.expert > 1) {
      group_link link = network_.expert;
      link.bandwidth /= expert_share_;
      const detail::transfer_clock clock(link, static_cast<double>(p.expert));
      detail::time_of_all sum{clock};
      detail::add_expert_parallel(sum, model_.stack, p, made.count, whole, 1);
      made.expert = sum.seconds;
    }
    return made;
  }

  /// `here` has the blocks' work already.
  constexpr pass_seconds pass(std::int64_t stage, const blocks_here& blocks, detail::block_seconds& here) const {
    const plan& p = plan_;
    const bool first = stage == 0, last = stage == p.pipeline - 1;
    const bool by_block = p.recompute == recompute::full || p.recompute == recompute::alternate;
    double again = blocks.again;
    if (first) here.add(groups_[detail::below_blocks], 1);
    if (last) here.add(groups_[detail::above_blocks], 1);
    if (!by_block) again = here.again;
    pass_seconds one{.forward = here.forward, .backward = here.backward, .recompute = again};
    const double computing = here.forward + here.backward + again;
    const bytes whole = whole_ * unit::byte;
    if (p.tensor > 1) {
      double seen = blocks.tensor;
      if (first || last) {
        detail::time_of_all sum{tensor_};
        detail::add_vocabulary_parallel(sum, p, stage, whole, 1);
        if (first && (model_.has_encoder() || model_.has_vision()))
          detail::add_tensor_parallel_below(sum, model_, detail::micro_batch_of(p), p, width_, 1);
        seen += sum.seconds;
      }
      one.tensor = exposed_time(seen, overlap_.tensor, computing);
    }
    one.context = exposed_time(blocks.context, overlap_.context, computing);
    one.expert = exposed_time(blocks.expert, overlap_.expert, computing);
    if (p.pipeline > 1) {
      // Each rank of a tensor group sends its part alone; without sequence parallelism the parts are gathered on the
      // other side (Narayanan et al. 2021, section 4.1).
      const bool parted = !p.sequence_parallel && p.tensor > 1;
      detail::time_of_all sum{pipeline_};
      detail::add_pipeline(sum, p, stage, parted ? whole / static_cast<double>(p.tensor) : whole, 1);
      double time = sum.seconds;
      if (parted) {
        const double ends = (first ? 1 : 0) + (last ? 1 : 0);
        time += (2 * static_cast<double>(p.virtual_stages) - ends) * tensor_.ring(whole_);
      }
      one.pipeline = (1 - overlap_.pipeline) * time;
    }
    // The host launches the device's operations and its sums in turn, and each pass over an operation alike.
    if (host_launch_ > 0 && here.forward > 0) {
      const double launching = host_launch_ * here.launches * (2 + again / here.forward);
      const double busy = computing + one.tensor;
      one.host = launching > busy ? launching - busy : 0.0;
    }
    if (p.sharding == zero::weights) {
      // Weights gathered for the forward and for the backward pass, gradients scattered, one unit a block.
      const detail::data_clock clock(p, network_.data, blocks.count.all() + 1, blocks.count.sparse);
      detail::time_of_all sum{clock};
      detail::add_data_parallel(sum, weights_of(here), p, 1);
      one.data = exposed_time(sum.seconds, overlap_.data, computing);
    }
    return one;
  }

  constexpr stage_weights weights_of(const detail::block_seconds& held) const {
    return {.weights = held.weights * unit::byte,
            .gradients = held.trained * gradient_ * unit::byte,
            .expert_weights = held.routed * unit::byte,
            .expert_gradients = held.trained_routed * gradient_ * unit::byte};
  }
  /// Gradients reduced and weights gathered once a step, where not every micro-batch does it: beside the backward pass
  /// of the last micro-batch and the forward pass of the first, for gradients are not complete before and weights are
  /// not there yet. Interleaved, the stages' micro-batches of the other pieces run beside those of one.
  constexpr double once_a_step(const detail::block_seconds& held, const pass_seconds& beside) const {
    const plan& p = plan_;
    if (p.data * p.context <= 1 && p.expert_data() <= 1) return 0;
    const detail::data_clock once(p, network_.data, 1, 1);
    struct {
      const detail::data_clock& clock;
      double gradients = 0, weights = 0;
      constexpr void add(const transfer& t) {
        if (t.full.value() > 0) (t.what == collective::all_gather ? weights : gradients) += clock.of(t);
      }
    } seen{once};
    detail::add_data_parallel(seen, weights_of(held), p, 1);
    const auto pieces = static_cast<double>(p.virtual_stages);
    const double passes = ((pieces - 1) * static_cast<double>(p.pipeline) + 1) / pieces;
    return exposed_time(seen.gradients, overlap_.data, passes * (beside.backward + beside.recompute)) +
           exposed_time(seen.weights, overlap_.data, passes * beside.forward);
  }
  /// Where each rank sends the weights that it updated by itself.
  constexpr double shard_messages() const {
    const std::int64_t shards = plan_.sharding == zero::none ? 1 : plan_.shards();
    return shards > 1 ? shard_message_ * static_cast<double>(shards) : 0.0;
  }
  /// Where gradients are summed in a buffer of their own, it is set to zero and scaled by the ranks, all of it.
  constexpr double optimizer_seconds(const detail::block_seconds& held) const {
    const plan& p = plan_;
    const double all = held.trained + held.trained_routed;
    const double own = p.sharding >= zero::optimizer ? held.trained / static_cast<double>(p.shards()) +
                                                           held.trained_routed / static_cast<double>(p.expert_data())
                                                     : all;
    const double buffer = p.sharding == zero::weights ? 0.0 : 3 * gradient_ * all;
    return (buffer + own * updated_) * a_byte_;
  }

  const Model& model_;
  plan plan_;
  step_network network_;
  /// Shares of each group's messages that run beside computation.
  struct hidden_shares {
    constexpr hidden_shares(const overlaps& of, const plan& p)
        : tensor(of.tensor),
          context(of.context),
          expert(of.expert),
          pipeline(p.virtual_stages > 1 ? of.interleaved : of.pipeline),
          data(of.data) {}
    double tensor, context, expert, pipeline, data;
  };
  hidden_shares overlap_;
  context_exchange exchange_;
  double expert_share_;
  seconds loading_;
  double host_launch_, shard_message_;
  double width_, gradient_;
  double whole_;    ///< bytes of the hidden state of one micro-batch on one context rank, whole over the tensor group
  double a_byte_;   ///< seconds of moving one
  double updated_;  ///< bytes that the optimizer moves, a parameter
  detail::transfer_clock tensor_, pipeline_;
  detail::block_seconds groups_[detail::group_count]{};
};

/// Whether two plans of one job lay every row alike, so that what was recorded under one holds under the other
/// (`lie_by`): they may differ in how many stages and pieces hold the blocks, how many micro-batches and replicas there
/// are, which of the blocks run again, and what is sharded or offloaded, but for whether weights are gathered.
constexpr bool lays_alike(const plan& a, const plan& b) {
  const auto ranks = [](const plan& p) { return p.tensor_of_experts(); };
  return a.sequence == b.sequence && a.images == b.images && a.micro_batch == b.micro_batch && a.tensor == b.tensor &&
         a.context == b.context && a.expert == b.expert && ranks(a) == ranks(b) &&
         a.sequence_parallel == b.sequence_parallel && (a.pipeline > 1) == (b.pipeline > 1) &&
         (a.sharding == zero::weights) == (b.sharding == zero::weights) && a.recompute == b.recompute &&
         a.recomputed_kinds.bits_of_kinds == b.recomputed_kinds.bits_of_kinds && a.adapter_rank == b.adapter_rank &&
         a.attention == b.attention && a.loss == b.loss;
}

/// Memory and step time of one job from one recording of its rows.
template <class Model>
class training_account {
 public:
  constexpr training_account(const Model& model, const training_setup& setup, const machine& on,
                             const step_network& network)
      : memory_(setup, model.stack), time_(setup, model, on, network) {
    const plan& p = setup.plan;
    const execution how = execution_of(setup.framework, p, setup.precision, on);
    const detail::degrees over = detail::degrees_of(p);
    const detail::footprint_rules rules(setup);
    const detail::row_clock clock(on, setup.precision, p.attention, over, how, true);
    const recompute_rule blocks_again = rule_of(p, rules.joins_products),
                         others_again = rule_of(p, rules.joins_products, true);
    const detail::device_shares shares(over);
    detail::for_each_group(model, detail::micro_batch_of(p), p, [&](const detail::row_group<Model>& group) {
      const recompute_rule& again = group.beside_blocks() ? others_again : blocks_again;
      detail::footprint_part footprint(rules, again, memory_.shapes_);
      detail::time_part time(clock, again);
      detail::both_parts both{footprint, time};
      detail::fold_rows(p, shares, both, group);
      memory_.take(group.number, footprint);
      time_.groups_[group.number] = time.total();
    });
    memory_.finish(rules);
  }

  /// The same rows under another plan.
  constexpr void lie_by(const training_setup& setup, const step_network& network) {
    memory_.lie_by(setup);
    time_.lie_by(setup, network);
  }
  constexpr void offload_as(const plan& p) { memory_.offload_as(p); }

  constexpr const training_memory& memory() const { return memory_; }
  constexpr const training_time<Model>& time() const { return time_; }
  constexpr memory_account worst() const { return memory_.worst(); }
  constexpr step_time step() const { return time_.step(); }
 private:
  training_memory memory_;
  training_time<Model> time_;
};

}  // namespace flopledger
