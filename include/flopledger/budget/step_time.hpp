// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Time of a training step, by its causes: each operation forward and backward, what runs again, what the pipeline
/// idles, what communication is not hidden, the optimizer.

#include <flopledger/budget/memory.hpp>
#include <flopledger/budget/operation_time.hpp>

namespace flopledger {

/// What one rank of a group can send, one way, and the time that starting takes.
struct group_link {
  byte_rate bandwidth{};  ///< achieved by large messages
  seconds latency{};      ///< of one step of a collective
};

/// The links that the groups of a plan cross, and how much of each group's traffic runs beside computation: an explicit
/// share, 0 where everything waits.
struct step_network {
  group_link tensor{}, context{}, expert{}, data{}, pipeline{};
  double tensor_overlap = 0, context_overlap = 0, expert_overlap = 0, data_overlap = 0, pipeline_overlap = 0;
};

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

namespace detail {

/// Forward, backward and repeated seconds of the rows of one block, for one micro-batch.
struct block_seconds {
  double forward = 0, backward = 0, again = 0;
  double weights = 0;       ///< elements held by one device
  double routed_bytes = 0;  ///< what one all-to-all carries
  constexpr void add(const block_seconds& other, double times) {
    forward += times * other.forward;
    backward += times * other.backward;
    again += times * other.again;
    weights += times * other.weights;
  }
};

/// The fold. Products are cut as their operands are split; attention runs as one kernel.
class time_fold {
 public:
  constexpr time_fold(const training_setup& setup, const machine& on)
      : setup_(setup),
        on_(on),
        formats_{.precision = setup.precision, .kernel = setup.plan.attention},
        tensor_(static_cast<double>(setup.plan.tensor)),
        sequence_(setup.plan.sequence_parallel ? tensor_ : 1.0),
        context_(static_cast<double>(setup.plan.context)),
        expert_(static_cast<double>(setup.plan.expert)),
        expert_tensor_(static_cast<double>(setup.plan.tensor_of_experts())) {}

  block_seconds sum{};

  constexpr void take(const row& r, std::int64_t times) {
    const auto n = static_cast<double>(times);
    const block_seconds one = seconds_of(r);
    sum.add(one, n);
  }
 private:
  constexpr bool selective(const row& r) const {
    const plan& p = setup_.plan;
    if (p.recompute == recompute::selective)
      return r.kind == operation::attention_scores || r.kind == operation::softmax ||
             r.kind == operation::attention_context ||
             (r.kind == operation::dropout && r.operands.begin()->what == role::attention_matrix);
    return p.recompute == recompute::kinds && p.recomputed_kinds.contains(r.kind);
  }

  constexpr double ranks_of(const operand& o) const {
    switch (o.over) {
      case split::replicated:
        return 1;
      case split::tensor:
        return o.parts > 0 && tensor_ > static_cast<double>(o.parts) ? static_cast<double>(o.parts) : tensor_;
      case split::sequence:
        return sequence_;
      case split::expert:
        return o.what == role::weight || o.what == role::bias ? expert_ * expert_tensor_ : expert_tensor_;
    }
    return 1;
  }

  constexpr block_seconds seconds_of(const row& r) const {
    block_seconds one;
    const bool attention = r.kind == operation::attention_scores || r.kind == operation::attention_context;
    double activations = 0, weights = 0;
    double cut_in = 1, cut_out = 1;
    for (const operand& o : r.operands) {
      if (o.what == role::none) break;
      const double ranks = ranks_of(o);
      if (o.what == role::weight || o.what == role::bias) {
        one.weights += o.elements / ranks;
        weights += o.read_elements() / ranks;
        continue;
      }
      if (o.what == role::activation && o.over == split::tensor) (has(o.how, use::read) ? cut_in : cut_out) = ranks;
      const double size = formats_.bytes_of(r, o, o.elements) / ranks / context_;
      if (has(o.how, use::read)) activations += size;
      if (has(o.how, use::written)) activations += size;
    }
    if (attention) {
      attend(r, one);
    } else if (r.multiplied.value() > 0 && r.shape.k > 0) {
      multiply(r, cut_in, cut_out, activations, weights, one);
    } else if (activations > 0 && !inside_attention(r)) {
      one.forward = streaming_time(activations * unit::byte, on_).value();
      // Reads what the forward pass read and the gradient of what it wrote, writes the gradient of what it read.
      one.backward = r.kind == operation::addition ? 0.0 : streaming_time(1.5 * activations * unit::byte, on_).value();
    }
    if (selective(r)) one.again = one.forward;
    return one;
  }

  constexpr bool inside_attention(const row& r) const {
    return setup_.plan.attention == attention_kernel::fused && r.operands.begin()->what == role::attention_matrix;
  }

  constexpr void multiply(const row& r, double cut_in, double cut_out, double activations, double weights,
                          block_seconds& one) const {
    const bool routed = r.kind == operation::expert_projection;
    product local = r.shape;
    if (routed) {
      // Tokens of all ranks meet at the experts of one: fewer experts, each with more tokens.
      local.batch /= expert_;
      local.m *= expert_ / context_;
      local.n /= r.shape.n > r.shape.k ? expert_tensor_ : 1.0;
      local.k /= r.shape.n > r.shape.k ? 1.0 : expert_tensor_;
    } else {
      local.m /= context_;
      local.n /= cut_out;
      local.k /= cut_in;
    }
    const double held = weights * setup_.precision.compute.bytes_per_element();
    one.forward = product_time(local, (activations + held) * unit::byte, on_).value();
    const product inputs{.batch = local.batch, .m = local.m, .n = local.k, .k = local.n};
    const product gradient{.batch = local.batch, .m = local.k, .n = local.n, .k = local.m};
    if (r.backward.input_products > 0)
      one.backward += product_time(inputs, (activations + held) * unit::byte, on_).value();
    if (r.trainable && r.backward.weight_products > 0) {
      const double accumulated = 2 * weights * setup_.precision.gradients.bytes_per_element();
      one.backward += product_time(gradient, (activations + accumulated) * unit::byte, on_).value();
    }
  }

  // A fused kernel: the products at its own rate, which grows with the length; backward computes the scores once more,
  // five products for the forward's two (Dao 2023, section 3.1.2).
  constexpr void attend(const row& r, block_seconds& one) const {
    const efficiency& e = on_.reached;
    const double head_dim = r.kind == operation::attention_scores ? r.shape.k : r.shape.n;
    const double rate = head_dim <= 64 ? e.attention_64 : e.attention_128;
    const double length = r.shape.m;
    const double ramp = e.attention_ramp > 0 ? length / (length + e.attention_ramp) : 1.0;
    const double heads = tensor_;
    const double flops_here = 2 * r.multiplied.value() / heads / context_;
    const double forward = flops_here / (on_.attention_peak.value() * rate * ramp);
    one.forward = forward + on_.reached.launch.value() / 2;
    one.backward = 2.5 * forward / e.attention_backward + on_.reached.launch.value() / 2;
  }

  const training_setup& setup_;
  const machine& on_;
  data_formats formats_;
  double tensor_, sequence_, context_, expert_, expert_tensor_;
};

/// Seconds of a ring collective that leaves (g−1)/g of `whole` bytes on each rank's link.
constexpr double ring_seconds(double whole, double ranks, const group_link& link) {
  if (ranks <= 1 || whole <= 0) return 0;
  const double rate = link.bandwidth.value();
  return (rate > 0 ? whole * (ranks - 1) / ranks / rate : 0.0) + (ranks - 1) * link.latency.value();
}

}  // namespace detail

/// A training job on devices of one kind: its step, part by part. The blocks are folded once by kind; what a plan does
/// with them is arithmetic.
class training_time {
 public:
  constexpr training_time(const transformer_config& model, const training_setup& setup, const machine& on,
                          const step_network& network)
      : model_(model), setup_(setup), on_(on), network_(network) {
    const plan& p = setup_.plan;
    asked_ =
        training_step(static_cast<double>(p.micro_batch), static_cast<double>(p.sequence), attention_counting::causal);
    kinds_ = model_.stack.kinds();
    for (int kind = 0; kind < stack::kind_count; ++kind)
      if ((kind & ~kinds_) == 0) blocks_[kind] = folded([&](auto& fold) { model_.record_block(fold, asked_, kind); });
    below_ = folded([&](auto& fold) { model_.record_below(fold, asked_); });
    above_ = folded([&](auto& fold) { model_.record_above(fold, asked_, p.pipeline > 1); });
  }

  /// Seconds of one step. Stages work on micro-batches in turn: the slowest sets the pace, the others fill and drain.
  constexpr step_time step() const {
    const plan& p = setup_.plan;
    const auto micro_batches = static_cast<double>(p.gradient_accumulation),
               pieces = static_cast<double>(p.virtual_stages);
    step_time slowest;
    double pace = -1, others = 0;
    for (std::int64_t s = 0; s < p.pipeline; ++s) {
      const step_time one = pass(s);
      const double here = one.total().value();
      others += here;
      if (here > pace) {
        pace = here;
        slowest = one;
      }
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
    step.data_communication += once_a_step() * unit::second;
    step.optimizer = optimizer_seconds() * unit::second;
    return step;
  }

  /// Seconds of one micro-batch, forward and backward, on one stage.
  constexpr step_time pass(std::int64_t stage) const {
    const plan& p = setup_.plan;
    detail::block_seconds work_here;
    double dense = 0, sparse = 0, again = 0;
    for (std::int64_t piece = 0; piece < p.virtual_stages; ++piece) {
      const stage_layers range = layers_of(p, model_.stack, stage, piece);
      for (int kind = 0; kind < stack::kind_count; ++kind) {
        if ((kind & ~kinds_) != 0) continue;
        const layer_set layers = model_.stack.of_kind(kind, range.first, range.last);
        const auto count = static_cast<double>(kinds_ == 0 ? range.last - range.first : layers.size());
        if (count == 0) continue;
        work_here.add(blocks_[kind], count);
        ((kind & 4) != 0 ? sparse : dense) += count;
        if (p.recompute == recompute::full)
          again += blocks_[kind].forward *
                   static_cast<double>((layers & layer_set::every(p.recompute_every, range.first, range.last)).size());
      }
    }
    const double recomputed = p.recompute == recompute::full ? again : work_here.again;
    const double recomputed_share =
        p.recompute == recompute::full && work_here.forward > 0 ? again / work_here.forward : 0.0;
    if (stage == 0) work_here.add(below_, 1);
    if (stage == p.pipeline - 1) work_here.add(above_, 1);

    step_time one;
    one.forward = work_here.forward * unit::second;
    one.backward = work_here.backward * unit::second;
    one.recompute = recomputed * unit::second;
    const double whole = activation_bytes();
    // A region's all-reduce, or with sequence parallelism its all-gather and reduce-scatter, is two ring passes; the
    // backward pass gathers once more (Korthikanti et al. 2022, section 4.2.2).
    const double regions = 2 * dense + (p.tensor_of_experts() > 1 ? 2 : 1) * sparse;
    const double passes = regions * (2 * (1 + recomputed_share) + 2 + (p.sequence_parallel ? 1 : 0));
    one.tensor_communication = (1 - network_.tensor_overlap) * passes *
                               detail::ring_seconds(whole, static_cast<double>(p.tensor), network_.tensor) *
                               unit::second;
    // Each rank passes its keys and values on c − 1 times, and their gradients back.
    const double key_values = 2.0 *
                              static_cast<double>(model_.stack.attention.kv_heads * model_.stack.attention.head_dim) /
                              static_cast<double>(p.tensor) * static_cast<double>(p.micro_batch * p.sequence) * width();
    one.context_communication = (1 - network_.context_overlap) * (dense + sparse) * 3 *
                                detail::ring_seconds(key_values, static_cast<double>(p.context), network_.context) *
                                unit::second;
    // Dispatch and combine, forward and backward.
    const double split = p.sequence_parallel ? static_cast<double>(p.tensor) : 1.0;
    const double routed = whole / split * static_cast<double>(model_.stack.mixture.experts_per_token);
    one.expert_communication = (1 - network_.expert_overlap) * sparse * 4 *
                               detail::ring_seconds(routed, static_cast<double>(p.expert), network_.expert) *
                               unit::second;
    if (p.pipeline > 1 && network_.pipeline.bandwidth.value() > 0)
      one.pipeline_communication =
          (1 - network_.pipeline_overlap) * 2 * static_cast<double>(p.virtual_stages) *
          (whole / split / network_.pipeline.bandwidth.value() + network_.pipeline.latency.value()) * unit::second;
    if (p.sharding == zero::weights) {
      const double held = work_here.weights;
      const double gathered = 2 * held * width() + held * setup_.precision.gradients.bytes_per_element();
      one.data_communication = (1 - network_.data_overlap) *
                               detail::ring_seconds(gathered, static_cast<double>(p.shards()), network_.data) *
                               unit::second;
    }
    return one;
  }
 private:
  template <class Record>
  constexpr detail::block_seconds folded(Record&& record) const {
    detail::time_fold fold{setup_, on_};
    if (setup_.plan.adapter_rank > 0) {
      with_adapters adapted{fold, setup_.plan.adapter_rank};
      record(adapted);
    } else {
      record(fold);
    }
    return fold.sum;
  }
  constexpr double width() const { return setup_.precision.activations.bytes_per_element(); }
  /// The hidden state of one micro-batch on one context rank, whole over the tensor group.
  constexpr double activation_bytes() const {
    return asked_.token_count() / static_cast<double>(setup_.plan.context) * static_cast<double>(model_.stack.hidden) *
           width();
  }
  constexpr double stage_weights() const {
    double most = 0;
    for (std::int64_t s = 0; s < setup_.plan.pipeline; ++s) {
      double held = (s == 0 ? below_.weights : 0.0) + (s == setup_.plan.pipeline - 1 ? above_.weights : 0.0);
      for (std::int64_t piece = 0; piece < setup_.plan.virtual_stages; ++piece) {
        const stage_layers range = layers_of(setup_.plan, model_.stack, s, piece);
        for (int kind = 0; kind < stack::kind_count; ++kind)
          if ((kind & ~kinds_) == 0)
            held += blocks_[kind].weights *
                    static_cast<double>(kinds_ == 0 ? range.last - range.first
                                                    : model_.stack.of_kind(kind, range.first, range.last).size());
      }
      if (held > most) most = held;
    }
    return most;
  }
  /// Gradients reduced and weights gathered once a step, where not every micro-batch does it.
  constexpr double once_a_step() const {
    const plan& p = setup_.plan;
    if (p.sharding == zero::weights || p.data * p.context == 1) return 0;
    const double held = stage_weights(), ranks = static_cast<double>(p.data * p.context);
    const double gradients = held * setup_.precision.gradients.bytes_per_element();
    const double moved = p.sharding == zero::none ? 2 * gradients : gradients + held * width();
    return (1 - network_.data_overlap) * detail::ring_seconds(moved, ranks, network_.data);
  }
  /// Every state is read and written once, the gradient read twice (its norm first), the 16-bit weights written.
  constexpr double optimizer_seconds() const {
    const plan& p = setup_.plan;
    const recipe& r = setup_.precision;
    const double shards = p.sharding >= zero::optimizer ? static_cast<double>(p.shards()) : 1.0;
    const double states = (r.has_master_weights ? r.master_weights.bytes_per_element() : 0.0) +
                          setup_.optimizer.moments * r.moments.bytes_per_element();
    const double moved =
        stage_weights() / shards * (2 * states + 2 * r.gradients.bytes_per_element() + r.weights.bytes_per_element());
    return moved / (on_.bandwidth.value() * on_.reached.bandwidth);
  }

  const transformer_config& model_;
  training_setup setup_;
  machine on_;
  step_network network_;
  work asked_{};
  int kinds_ = 0;
  detail::block_seconds blocks_[stack::kind_count]{};
  detail::block_seconds below_{}, above_{};
};

}  // namespace flopledger
