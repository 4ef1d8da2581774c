// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Time of a training step, by its causes: each operation forward and backward, what runs again, what the pipeline
/// idles, what communication is not hidden, the optimizer.

#include <flopledger/budget/communication.hpp>
#include <flopledger/budget/memory.hpp>
#include <flopledger/budget/row_time.hpp>

namespace flopledger {

/// What one rank of a group can send, one way, and the time that starting takes. Libraries send short messages by a
/// protocol that starts sooner and moves half as much (a flag beside every word: NCCL's LL).
struct group_link {
  byte_rate bandwidth{};    ///< achieved by large messages
  seconds latency{};        ///< of one collective with large messages
  seconds quick_latency{};  ///< with short ones; 0: there is no such protocol
};

/// The links that the groups of a plan cross, and how much of each group's traffic runs beside computation where there
/// is computation to hide it: an explicit share, 0 where everything waits.
struct step_network {
  group_link tensor{}, context{}, expert{}, data{}, pipeline{};
  double tensor_overlap = 0, context_overlap = 0, expert_overlap = 0, data_overlap = 0, pipeline_overlap = 0;
};

/// The line that a collective's time follows over a group on such nodes: its slope between 64 MiB and 1 GiB, where it
/// starts, and where short messages start.
constexpr group_link link_over(group which, collective what, const plan& p, const node& in,
                               const rank_order& order = {}) {
  const group_span over = span_of(which, p, in.devices, order);
  if (over.ranks <= 1) return {};
  const auto time = [&](double size) { return collective_time(what, size * unit::byte, over, in).value(); };
  const double small = 64 * prefix::mebi, large = prefix::gibi,
               per_byte = (time(large) - time(small)) / (large - small);
  const double sent = bus_factor(what, static_cast<double>(over.ranks));
  const double start = time(small) - small * per_byte;
  return {.bandwidth = sent / per_byte * (unit::byte / unit::second),
          .latency = (start > 0 ? start : 0.0) * unit::second,
          .quick_latency = time(prefix::kibi) * unit::second};
}

/// The links that a plan's groups cross on such nodes, nothing hidden. Without sequence parallelism the tensor group
/// sums; with it, it gathers and scatters.
constexpr step_network network_of(const plan& p, const node& in, const rank_order& order = {}) {
  const collective summed = p.sequence_parallel ? collective::all_gather : collective::all_reduce;
  return {.tensor = link_over(group::tensor, summed, p, in, order),
          .context = link_over(group::context, collective::all_gather, p, in, order),
          .expert = link_over(group::expert, collective::all_to_all, p, in, order),
          .data = link_over(p.sharding == zero::none ? group::data : group::shard, collective::reduce_scatter, p, in,
                            order),
          .pipeline = link_over(group::pipeline, collective::send_receive, p, in, order)};
}

/// Seconds of a step on the device that is busiest.
struct step_time {
  seconds forward{}, backward{}, recompute{}, bubble{};
  seconds tensor_communication{}, context_communication{}, expert_communication{}, pipeline_communication{},
      data_communication{};
  seconds optimizer{}, data_loading{};

  constexpr seconds communication() const {
    return tensor_communication + context_communication + expert_communication + pipeline_communication +
           data_communication;
  }
  constexpr seconds compute() const { return forward + backward; }
  constexpr seconds total() const {
    return compute() + recompute + bubble + communication() + optimizer + data_loading;
  }
};

// What a step's time comes to
// ------------------------------------------------------------------------------------------

/// Sequences that all replicas read in a step, a second.
constexpr hertz samples_a_second(const plan& p, seconds step) { return static_cast<double>(p.global_batch()) / step; }
/// Tokens that they read, a second.
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
                 .kernels = predicted.compute() + predicted.optimizer - floor,
                 .data_loading = predicted.data_loading};
  parts.remainder = parts.gap() - parts.explained();
  return parts;
}

namespace detail {

constexpr repeat_rule rule_of(const plan& p) {
  switch (p.recompute) {
    case recompute::selective:
      return {.which = recompute_rows::attention};
    case recompute::alternate:
      return {.which = recompute_rows::alternate};
    case recompute::kinds:
      return {.which = recompute_rows::kinds, .kinds = p.recomputed_kinds};
    case recompute::none:
    case recompute::full:
      break;
  }
  return {};
}

/// Seconds of the rows that `record` hands to the fold it is given.
template <class Record>
constexpr block_seconds seconds_of(const plan& p, const row_clock& clock, Record&& record) {
  time_fold fold{clock, rule_of(p)};
  if (p.adapter_rank > 0) {
    with_adapters adapted{fold, p.adapter_rank};
    record(adapted);
  } else {
    record(fold);
  }
  return fold.total();
}

/// Seconds of one collective that sends `sent` bytes from each rank.
constexpr double collective_seconds(double sent, const group_link& link) {
  const double rate = link.bandwidth.value();
  if (rate <= 0 || sent <= 0) return 0;
  const double bulk = sent / rate + link.latency.value();
  if (link.quick_latency.value() <= 0) return bulk;
  const double quick = 2 * sent / rate + link.quick_latency.value();
  return quick < bulk ? quick : bulk;
}

/// Seconds of a ring collective that leaves (g−1)/g of `whole` bytes on each rank's link.
constexpr double ring_seconds(double whole, double ranks, const group_link& link) {
  return ranks <= 1 ? 0.0 : collective_seconds(whole * (ranks - 1) / ranks, link);
}

/// What of `communication` is seen when a share of it may run beside `computing`.
constexpr double exposed(double communication, double share, double computing) {
  const double hidden = share * (communication < computing ? communication : computing);
  return communication - hidden;
}

}  // namespace detail

/// A training job on devices of one kind: its step, part by part. The blocks are folded once by kind; what a plan does
/// with them is arithmetic.
class training_time {
 public:
  constexpr training_time(const transformer_config& model, const training_setup& setup, const machine& on,
                          const step_network& network, const execution& how = {})
      : model_(model), setup_(setup), on_(on), network_(network), how_(how) {
    const plan& p = setup_.plan;
    asked_ =
        training_step(static_cast<double>(p.micro_batch), static_cast<double>(p.sequence), attention_counting::causal);
    const auto tensor = static_cast<double>(p.tensor);
    const data_formats formats{.precision = setup_.precision, .kernel = p.attention};
    const detail::row_clock clock{on_,
                                  formats,
                                  {.tensor = tensor,
                                   .sequence = p.sequence_parallel ? tensor : 1.0,
                                   .context = static_cast<double>(p.context),
                                   .expert = static_cast<double>(p.expert),
                                   .expert_tensor = static_cast<double>(p.tensor_of_experts())},
                                  how,
                                  true};
    kinds_ = model_.stack.kinds();
    for (int kind = 0; kind < stack::kind_count; ++kind)
      if ((kind & ~kinds_) == 0)
        blocks_[kind] = detail::seconds_of(p, clock, [&](auto& fold) { model_.record_block(fold, asked_, kind); });
    below_ = detail::seconds_of(p, clock, [&](auto& fold) { model_.record_below(fold, asked_); });
    above_ = detail::seconds_of(p, clock, [&](auto& fold) { model_.record_above(fold, asked_, p.pipeline > 1); });
  }

  /// Seconds of one step. Stages work on micro-batches in turn: the slowest sets the pace, the others fill and drain.
  constexpr step_time step() const {
    const plan& p = setup_.plan;
    const auto micro_batches = static_cast<double>(p.gradient_accumulation),
               pieces = static_cast<double>(p.virtual_stages);
    step_time slowest;
    double pace = -1, others = 0;
    held_weights held;
    const auto visit = [&](std::int64_t s, double times) {
      held_weights here;
      const step_time one = pass(s, here);
      const double time = one.total().value();
      others += times * time;
      if (here.all > held.all) held = here;
      if (time > pace) {
        pace = time;
        slowest = one;
      }
    };
    if (kinds_ == 0 && p.pipeline > 3) {  // the stages between the first and the last are alike
      visit(0, 1);
      visit(1, static_cast<double>(p.pipeline - 2));
      visit(p.pipeline - 1, 1);
    } else {
      for (std::int64_t s = 0; s < p.pipeline; ++s) visit(s, 1);
    }
    others -= pace;
    step_time step = slowest;
    for (seconds* part :
         {&step.forward, &step.backward, &step.recompute, &step.tensor_communication, &step.context_communication,
          &step.expert_communication, &step.pipeline_communication, &step.data_communication})
      *part *= micro_batches;
    // The zero-bubble schedule fills two thirds of the bubble with weight gradients (Qi et al. 2024, table 1: ZB-H1).
    const double idle = p.schedule == pipeline_schedule::zero_bubble ? 1.0 / 3 : 1.0;
    step.bubble = idle * others / pieces * unit::second;
    step.data_communication += once_a_step(held) * unit::second;
    step.optimizer = optimizer_seconds(held) * unit::second;
    step.data_loading = how_.data_loading;
    return step;
  }

  /// Seconds of one micro-batch, forward and backward, on one stage.
  constexpr step_time pass(std::int64_t stage) const {
    held_weights held;
    return pass(stage, held);
  }
 private:
  /// Elements of weights on one device; routed experts' have data-parallel ranks of their own.
  struct held_weights {
    double all = 0, routed = 0;
  };

  constexpr step_time pass(std::int64_t stage, held_weights& on_device) const {
    const plan& p = setup_.plan;
    detail::block_seconds work_here;
    double dense = 0, sparse = 0, again = 0;
    for (std::int64_t piece = 0; piece < p.virtual_stages; ++piece) {
      const stage_layers range = layers_of(p, model_.stack, stage, piece);
      for (int kind = 0; kind < stack::kind_count; ++kind) {
        if ((kind & ~kinds_) != 0) continue;
        const auto count = static_cast<double>(
            kinds_ == 0 ? range.last - range.first : model_.stack.of_kind(kind, range.first, range.last).size());
        if (count == 0) continue;
        work_here.add(blocks_[kind], count);
        ((kind & 4) != 0 ? sparse : dense) += count;
        if (p.recompute == recompute::full)
          again += blocks_[kind].forward *
                   (p.recompute_every == 1
                        ? count
                        : static_cast<double>((model_.stack.of_kind(kind, range.first, range.last) &
                                               layer_set::every(p.recompute_every, range.first, range.last))
                                                  .size()));
      }
    }
    const double recomputed = p.recompute == recompute::full ? again : work_here.again;
    const double recomputed_share =
        p.recompute == recompute::full && work_here.forward > 0 ? again / work_here.forward : 0.0;
    if (stage == 0) work_here.add(below_, 1);
    if (stage == p.pipeline - 1) work_here.add(above_, 1);

    on_device = {.all = work_here.weights, .routed = work_here.routed};

    step_time one;
    one.forward = work_here.forward * unit::second;
    one.backward = work_here.backward * unit::second;
    one.recompute = recomputed * unit::second;
    const double whole = activation_bytes();
    // A region's all-reduce, or with sequence parallelism its all-gather and reduce-scatter, is two ring passes; the
    // backward pass gathers once more (Korthikanti et al. 2022, section 4.2.2). The table's output is summed, the
    // head's input gathered.
    const double regions = 2 * dense + (p.tensor_of_experts() > 1 ? 2 : 1) * sparse;
    const double gathers = p.sequence_parallel ? 1 : 0;
    double passes = regions * (2 * (1 + recomputed_share) + 2 + gathers);
    double calls = passes;
    if (!p.sequence_parallel) calls /= 2;  // an all-reduce starts once
    if (stage == 0) passes += 2, calls += 1 + gathers;
    if (stage == p.pipeline - 1) passes += 2 + gathers, calls += 1 + 2 * gathers;
    const double computing = (one.forward + one.backward + one.recompute).value();
    const double tensor_bytes = calls > 0 ? whole * passes / calls : 0.0;
    one.tensor_communication =
        detail::exposed(calls * detail::ring_seconds(tensor_bytes, static_cast<double>(p.tensor), network_.tensor),
                        network_.tensor_overlap, computing) *
        unit::second;
    one.context_communication =
        detail::exposed((dense + sparse) * context_seconds(), network_.context_overlap, computing) * unit::second;
    // Dispatch and combine, forward and backward.
    const double split = p.sequence_parallel ? static_cast<double>(p.tensor) : 1.0;
    const double routed = whole / split * static_cast<double>(model_.stack.mixture.experts_per_token);
    one.expert_communication =
        detail::exposed(sparse * (4 + 2 * recomputed_share) *
                            detail::ring_seconds(routed, static_cast<double>(p.expert), network_.expert),
                        network_.expert_overlap, computing) *
        unit::second;
    // Each rank of a tensor group sends its part alone; without sequence parallelism the parts are gathered on the
    // other side (Narayanan et al. 2021, section 4.1).
    if (p.pipeline > 1) {
      const auto tensor = static_cast<double>(p.tensor);
      const double hop = detail::collective_seconds(whole / tensor, network_.pipeline) +
                         (p.sequence_parallel ? 0.0 : detail::ring_seconds(whole, tensor, network_.tensor));
      one.pipeline_communication =
          (1 - network_.pipeline_overlap) * 2 * static_cast<double>(p.virtual_stages) * hop * unit::second;
    }
    if (p.sharding == zero::weights) {
      // Weights gathered for the forward and for the backward pass, gradients scattered, one unit a block.
      const double held = work_here.weights, units = dense + sparse + 1, ranks = static_cast<double>(p.shards());
      const double gathered = held * width(), reduced = held * setup_.precision.gradients.bytes_per_element();
      const double all = units * (2 * detail::ring_seconds(gathered / units, ranks, network_.data) +
                                  detail::ring_seconds(reduced / units, ranks, network_.data));
      one.data_communication = detail::exposed(all, network_.data_overlap, computing) * unit::second;
    }
    return one;
  }

  /// Of one layer: each rank passes its keys and values on c − 1 times, and their gradients back.
  constexpr double context_seconds() const {
    const plan& p = setup_.plan;
    if (p.context == 1) return 0;
    const stack& s = model_.stack;
    const double of_token =
        s.latent.heads > 0
            ? static_cast<double>(s.latent.heads * (s.latent.nope_dim + s.latent.rope_dim + s.latent.value_dim))
            : 2.0 * static_cast<double>(s.attention.kv_heads * s.attention.head_dim);
    const double key_values =
        of_token / static_cast<double>(p.tensor) * static_cast<double>(p.micro_batch * p.sequence) * width();
    return 3 * detail::ring_seconds(key_values, static_cast<double>(p.context), network_.context);
  }
  constexpr double width() const { return setup_.precision.activations.bytes_per_element(); }
  /// The hidden state of one micro-batch on one context rank, whole over the tensor group.
  constexpr double activation_bytes() const {
    return asked_.token_count() / static_cast<double>(setup_.plan.context) * static_cast<double>(model_.stack.hidden) *
           width();
  }
  /// Gradients reduced and weights gathered once a step, where not every micro-batch does it.
  constexpr double once_a_step(const held_weights& held) const {
    const plan& p = setup_.plan;
    if (p.sharding == zero::weights) return 0;
    const double gradient = setup_.precision.gradients.bytes_per_element();
    const double moved = p.sharding == zero::none ? 2 * gradient : gradient + width();
    const double dense = (held.all - held.routed) * moved, routed = held.routed * moved;
    return (1 - network_.data_overlap) *
           (detail::ring_seconds(dense, static_cast<double>(p.data * p.context), network_.data) +
            detail::ring_seconds(routed, static_cast<double>(p.expert_data()), network_.data));
  }
  /// Every state is read and written once, the gradient read twice (its norm first), the 16-bit weights written. Where
  /// gradients are summed in a buffer of their own, it is set to zero and scaled by the ranks, all of it.
  constexpr double optimizer_seconds(const held_weights& held) const {
    const plan& p = setup_.plan;
    const recipe& r = setup_.precision;
    const bool sharded = p.sharding >= zero::optimizer;
    const double own = sharded ? (held.all - held.routed) / static_cast<double>(p.shards()) +
                                     held.routed / static_cast<double>(p.expert_data())
                               : held.all;
    const double states = (r.has_master_weights ? r.master_weights.bytes_per_element() : 0.0) +
                          setup_.optimizer.moments * r.moments.bytes_per_element();
    const double gradient = r.gradients.bytes_per_element();
    const double buffer = p.sharding == zero::weights ? 0.0 : 3 * gradient * held.all;
    const double moved = buffer + own * (2 * states + 2 * gradient + r.weights.bytes_per_element());
    return moved / (on_.bandwidth.value() * on_.reached.bandwidth);
  }

  const transformer_config& model_;
  training_setup setup_;
  machine on_;
  step_network network_;
  execution how_;
  work asked_{};
  int kinds_ = 0;
  detail::block_seconds blocks_[stack::kind_count]{};
  detail::block_seconds below_{}, above_{};
};

}  // namespace flopledger
