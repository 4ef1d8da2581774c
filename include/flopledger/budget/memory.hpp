// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Memory of training, by device and by pipeline stage: a fold over the rows, by a recipe's formats and a plan's
/// sharding.
///
/// What is static (weights, gradients, optimizer) follows from each row's weights. What the blocks keep follows from
/// each row's saved operands. What is alive for a moment (gradients of one operation's operands, a weight gradient
/// before it is added to its accumulator) follows from the widest row. Nothing here knows the shape of a Transformer.

#include <flopledger/budget/memory_account.hpp>
#include <flopledger/budget/weights.hpp>
#include <flopledger/models/lora.hpp>
#include <flopledger/plan.hpp>

namespace flopledger {

/// How far predictions of the reserved memory were off in published runs, in per cent of what was measured: both ends 0
/// where there is no such run.
struct error_band {
  double lowest = 0, highest = 0;
};

/// What a framework does with memory beside the model's tensors: named, so that it can be argued with.
struct framework {
  bytes workspace =
      64.0 * prefix::mebi * unit::byte;  ///< two cuBLAS workspaces of 32 MiB, the size NVIDIA advises on Hopper
  bytes context{};                       ///< CUDA context, NCCL's buffers: outside the allocator, seen by nvidia-smi
  double fragmentation = 0.0;            ///< reserved by the allocator above what was allocated, a share of it
  bool accumulates_in_place = false;     ///< weight gradients go straight into the accumulator (Megatron-LM's fusion)
  bytes buckets{};                       ///< gradients on their way to be reduced
  double optimizer_copies = 0;           ///< bytes a parameter that the optimizer holds unsharded
  double step_bytes = 0;            ///< that the step copies gradients into, a parameter, sharded as its states are
  bool ends_stay_gathered = false;  ///< sharded embedding, last norm and head are whole all through a step
  error_band band{};                ///< of `memory_account::total()`
};

/// The same assumptions for every job of a framework, with the errors that docs/accuracy.md lists. A `fragmentation` of
/// 0.05 is what PyTorch's caching allocator reserves beyond the tensors in the middle of the published runs (0.03 to
/// 0.08).
namespace frameworks {
/// A product's weight gradient has a 16-bit tensor of its own even where its kernel sums into the FP32 accumulator
/// (core/tensor_parallel/layers.py allocates one after `grad_added_to_main_grad`).
inline constexpr framework megatron{.fragmentation = 0.05, .band = {-3.3, 1.6}};
/// The outermost unit, which holds what no block does, stays gathered after its forward pass, for its backward pass
/// comes next (`fully_shard` overrides `reshard_after_forward` for the root).
inline constexpr framework pytorch_fsdp{.fragmentation = 0.05, .ends_stay_gathered = true, .band = {-0.1, 9.5}};
/// ZeRO 1 and 2 (runtime/zero/stage_1_and_2.py): a bucket of 5·10⁸ 16-bit gradients (`reduce_bucket_size`), and in the
/// step the reduced gradients, their flat copy and its FP32 copy (2 + 2 + 4 bytes) together.
inline constexpr framework deepspeed{
    .fragmentation = 0.05, .buckets = 2 * 5e8 * unit::byte, .step_bytes = 2 + 2 + 4, .band = {-11.3, 11.5}};
/// BF16_Optimizer (runtime/bf16_optimizer.py): the 16-bit gradients of one micro-batch stay beside the FP32 ones that
/// they are added to, and the step copies nothing. Its recipe has FP32 gradients.
inline constexpr framework deepspeed_bf16{.fragmentation = 0.05, .optimizer_copies = 2, .band = {-11.3, 11.5}};
}  // namespace frameworks

/// Everything that the memory of a training job depends on, but the model.
struct training_setup {
  recipe precision{};
  flopledger::optimizer optimizer = optimizers::adamw;
  flopledger::plan plan{};
  flopledger::framework framework{};
};

namespace detail {

/// Bytes of one device that a group of rows takes.
struct footprint {
  double weights = 0, gradients = 0, optimizer = 0;
  double step = 0;                    ///< copies of gradients in the optimizer's step
  double whole_weights = 0;           ///< before ZeRO shards them, as a pass gathers them: in the activations' format
  double kept = 0;                    ///< activations of one micro-batch that outlive the forward pass
  double kept_alternate = 0;          ///< of the same rows, were attention and every other product kept (`alternate`)
  double kept_without_recompute = 0;  ///< of the same rows, were nothing recomputed: alive while a block runs again
  double working_set = 0;             ///< gradients of the widest operation's operands, and its weight gradient
  double logits = 0;                  ///< elements that the loss reads

  constexpr void add(const footprint& other, double times) {
    weights += times * other.weights;
    gradients += times * other.gradients;
    optimizer += times * other.optimizer;
    step += times * other.step;
    kept += times * other.kept;
    if (other.whole_weights > whole_weights) whole_weights = other.whole_weights;
    if (other.working_set > working_set) working_set = other.working_set;
  }
};

/// The fold. Rows come in the order in which they run, which recompute and fused projections depend on.
class footprint_fold {
 public:
  constexpr explicit footprint_fold(const training_setup& setup) : setup_(setup) {
    const flopledger::plan& p = setup.plan;
    const auto share = [](std::int64_t ranks) { return 1.0 / static_cast<double>(ranks); };
    tensor_ = share(p.tensor);
    sequence_ = p.sequence_parallel ? tensor_ : 1.0;
    context_ = share(p.context);
    expert_ = share(p.expert * p.tensor_of_experts());
    expert_tensor_ = share(p.tensor_of_experts());
    shard_ = share(p.shards());
    expert_shard_ = share(p.expert_data());
    element_ = setup.precision.activations.bytes_per_element();
    gradient_ = setup.precision.gradients.bytes_per_element();
    master_ = setup.precision.has_master_weights ? setup.precision.master_weights.bytes_per_element() : 0.0;
    const flopledger::optimizer& rule = setup.optimizer;
    moment_ =
        rule.moment_bytes > 0 ? rule.moment_bytes + rule.block_bytes : setup.precision.moments.bytes_per_element();
  }

  footprint sum{};

  constexpr void take(const row& r, std::int64_t times) {
    const auto n = static_cast<double>(times);
    if (r.kind == operation::loss) {
      for (const operand& o : r.operands)
        if (o.what == role::activation) sum.logits += n * o.elements * tensor_ * context_;
      return;
    }
    const bool again = runs_again(r);
    const bool touches_matrix = r.operands.begin()->what == role::attention_matrix;
    double written = 0, read = 0, weight_gradient = 0, matrices = 0;
    role output = role::none;
    bool has_own_input = false;
    for (const operand& o : r.operands) {
      if (o.what == role::none) break;
      if (o.what == role::weight || o.what == role::bias) {
        const double held = o.elements * share_of(o, true);
        hold(r, o, held, n);
        if (r.trainable) weight_gradient += held * element_;
        continue;
      }
      const double size = bytes_of(o) * share_of(o, false) * context_;
      if (o.what == role::activation && has(o.how, use::written)) written += size;
      if (o.what == role::activation && has(o.how, use::read)) read += size;
      if (o.what == role::attention_matrix && exists(r, o, touches_matrix)) matrices += size;
      if (has(o.how, use::written) && output == role::none) output = o.what;
      has_own_input = has_own_input || has(o.how, use::saved_for_weights);
      const bool saved = has(o.how, use::saved) || (r.trainable && has(o.how, use::saved_for_weights));
      if (!saved || !exists(r, o, touches_matrix)) continue;
      sum.kept_without_recompute += n * size;
      // What an operation that runs again has written is made anew: neither it nor the operation behind it keeps it.
      const bool made_again = has(o.how, use::read) ? previous_ran_again_ && o.what == previous_output_ : again;
      if (!made_again || o.what == role::statistic) sum.kept += n * size;
      if (r.kind == operation::softmax && o.what == role::statistic) sum.kept_alternate += n * size;
    }
    if (keeps_output(r)) sum.kept_alternate += n * written;
    widen(r, has_own_input, read, written + matrices, setup_.framework.accumulates_in_place ? 0.0 : weight_gradient);
    previous_ran_again_ = again;
    previous_output_ = output;
  }
 private:
  constexpr bool runs_again(const row& r) const {
    const flopledger::plan& p = setup_.plan;
    if (p.recompute == recompute::selective)
      return r.kind == operation::attention_scores || r.kind == operation::softmax || touches_scores(r);
    return p.recompute == recompute::kinds && p.recomputed_kinds.contains(r.kind);
  }
  // The first of every two products keeps its output, and so does attention.
  constexpr bool keeps_output(const row& r) {
    const bool product = r.kind == operation::projection || r.kind == operation::expert_projection;
    return product ? products_++ % 2 == 0 : r.kind == operation::attention_context;
  }
  static constexpr bool touches_scores(const row& r) {
    return r.kind == operation::dropout && r.operands.begin()->what == role::attention_matrix;
  }
  // A fused kernel has no attention matrix and makes its dropout mask anew; an explicit one needs no log-sum.
  constexpr bool exists(const row& r, const operand& o, bool touches_matrix) const {
    if (setup_.plan.attention == attention_kernel::fused)
      return o.what != role::attention_matrix && !(o.what == role::mask && touches_matrix);
    return !(o.what == role::statistic && r.kind == operation::softmax);
  }
  // The part of an operand that one rank has.
  constexpr double share_of(const operand& o, bool weight) const {
    switch (o.over) {
      case split::replicated:
        return 1;
      case split::tensor:
        return o.parts > 0 && setup_.plan.tensor > o.parts ? 1.0 / static_cast<double>(o.parts) : tensor_;
      case split::sequence:
        return weight ? 1 : sequence_;
      // Dispatch moves tokens between ranks and leaves as many on each: only the expert's own tensor group splits them.
      case split::expert:
        return weight ? expert_ : expert_tensor_;
    }
    return 1;
  }
  constexpr double bytes_of(const operand& o) const {
    switch (o.what) {
      case role::activation:
      case role::attention_matrix:
        return o.elements * element_;
      case role::mask:
        return o.elements;
      case role::statistic:
        return o.elements * 4;
      case role::index:
        return o.elements * 8;
      default:
        return 0;
    }
  }
  constexpr void hold(const row& r, const operand& o, double held, double n) {
    const zero stage = setup_.plan.sharding;
    const double shard = o.over == split::expert ? expert_shard_ : shard_;
    const double stored = weight_format(setup_.precision, r, o.what).bytes_per_element(), elements = n * held;
    sum.whole_weights += elements * (stored < element_ ? stored : element_);
    sum.weights += elements * stored * (stage >= zero::weights ? shard : 1.0);
    if (!r.trainable) return;
    sum.gradients += elements * gradient_ * (stage >= zero::gradients ? shard : 1.0);
    const double part = stage >= zero::optimizer ? shard : 1.0;
    sum.optimizer += n * optimizer_bytes(r, o, held) * part + elements * setup_.framework.optimizer_copies;
    sum.step += elements * setup_.framework.step_bytes * part;
  }
  constexpr double optimizer_bytes(const row& r, const operand& o, double held) const {
    const flopledger::optimizer& rule = setup_.optimizer;
    const bool matrix = o.what == role::weight && r.shape.k > 0 && r.shape.n > 0;
    if (rule.factored && matrix) {
      // One row and one column of the second moment stand for the matrix.
      const double count = r.shape.k * r.shape.n;
      return held * (master_ + (r.shape.k + r.shape.n) / count * moment_);
    }
    if (rule.factored && r.kind == operation::gather) {
      const double width = width_of_table(r);
      if (width > 0) return held * (master_ + (1 / width + width / o.elements) * moment_);
    }
    if (rule.factored) return held * (master_ + moment_);
    const bool inner = matrix && r.kind != operation::head;
    const double moments = rule.matrices_one_moment && inner ? 1.0 : rule.moments;
    return held * (master_ + moments * moment_);
  }
  static constexpr double width_of_table(const row& r) {
    double indices = 0, looked_up = 0;
    for (const operand& o : r.operands) {
      if (o.what == role::index) indices = o.elements;
      if (o.what == role::activation && has(o.how, use::written)) looked_up = o.elements;
    }
    return indices > 0 ? looked_up / indices : 0;
  }
  // Projections of one input (query, key and value; gate and up) run as one product: their gradients are alive
  // together.
  constexpr void widen(const row& r, bool has_own_input, double read, double written, double weight_gradient) {
    const bool joins = r.kind == operation::projection && previous_kind_ == operation::projection && !has_own_input;
    together_ = (joins ? together_ : read) + written + weight_gradient;
    if (together_ > sum.working_set) sum.working_set = together_;
    previous_kind_ = r.kind;
  }

  const training_setup& setup_;
  // One over the ranks that split something, and bytes of an element.
  double tensor_ = 1, sequence_ = 1, context_ = 1, expert_ = 1, expert_tensor_ = 1, shard_ = 1, expert_shard_ = 1;
  double element_ = 0, gradient_ = 0, master_ = 0, moment_ = 0;
  bool previous_ran_again_ = false;
  role previous_output_ = role::none;
  operation previous_kind_ = operation::custom;
  double together_ = 0;
  std::int64_t products_ = 0;
};

template <class Record>
constexpr footprint footprint_of(const training_setup& setup, Record&& record) {
  footprint_fold fold{setup};
  if (setup.plan.adapter_rank > 0) {
    with_adapters adapted{fold, setup.plan.adapter_rank};
    record(adapted);
  } else {
    record(fold);
  }
  return fold.sum;
}

}  // namespace detail

/// A training job: one model, lying over devices by a plan. The footprints of its different blocks are folded once; a
/// stage is then a sum over counts.
///
/// A template only so that a build that never asks pays nothing; the model is deduced: `training_memory(model, setup)`.
template <class Model>
class training_memory {
 public:
  constexpr training_memory(const Model& model, const training_setup& setup)
      : model_(model),
        setup_(setup),
        asked_(training_step(static_cast<double>(setup.plan.micro_batch), static_cast<double>(setup.plan.sequence))) {
    const stack& blocks = model_.stack;
    kinds_ = blocks.kinds();
    for (int kind = 0; kind < stack::kind_count; ++kind)
      if ((kind & ~kinds_) == 0)
        blocks_[kind] = detail::footprint_of(setup_, [&](auto& fold) { model_.record_block(fold, asked_, kind); });
    below_ = detail::footprint_of(setup_, [&](auto& fold) { model_.record_below(fold, asked_); });
    above_ =
        detail::footprint_of(setup_, [&](auto& fold) { model_.record_above(fold, asked_, setup_.plan.pipeline > 1); });
    half_ = setup_.precision.activations.bytes_per_element();
    block_input_ = block_input();
    for (int kind = 0; kind < stack::kind_count; ++kind) {
      if ((kind & ~kinds_) != 0) continue;
      if (blocks_[kind].working_set > widest_block_) widest_block_ = blocks_[kind].working_set;
      if (blocks_[kind].whole_weights > widest_block_weights_) widest_block_weights_ = blocks_[kind].whole_weights;
    }
  }

  /// What one device of a pipeline stage holds at its fullest moment.
  constexpr memory_account stage(std::int64_t stage) const {
    const plan& p = setup_.plan;
    const bool first = stage == 0, last = stage == p.pipeline - 1;
    detail::footprint held;  // static, and what one micro-batch keeps
    double alive_again = 0;
    for (std::int64_t piece = 0; piece < p.virtual_stages; ++piece) {
      const stage_layers range = layers_of(p, model_.stack, stage, piece);
      for (int kind = 0; kind < stack::kind_count; ++kind) {
        if ((kind & ~kinds_) != 0) continue;
        const detail::footprint& block = blocks_[kind];
        const auto count = static_cast<double>(
            kinds_ == 0 ? range.last - range.first : model_.stack.of_kind(kind, range.first, range.last).size());
        if (count == 0) continue;
        const bool whole = p.recompute == recompute::full || p.recompute == recompute::alternate;
        const double again = whole ? recomputed_of(kind, range) : 0.0;
        held.add(block, count);
        held.kept += again * (block_input_ - block.kept);
        if (p.recompute == recompute::alternate) held.kept += again * block.kept_alternate;
        if (again > 0 && block.kept_without_recompute > alive_again) alive_again = block.kept_without_recompute;
      }
    }
    double kept = held.kept;
    if (p.offload_activations) kept = held.kept / static_cast<double>(model_.stack.layers);
    kept *= in_flight(p, stage);
    if (first) {
      held.add(below_, 1);
      kept += in_flight(p, stage) * below_.kept;
    }
    double above_kept = 0;
    if (last) {
      above_kept = above_.kept;
      held.add(above_, 1);
    }
    return account_of(held, kept, above_kept, alive_again, first, last);
  }

  /// The stage that needs most: what decides.
  constexpr memory_account worst() const {
    memory_account found = stage(0);
    for (std::int64_t s = 1; s < setup_.plan.pipeline; ++s)
      if (const memory_account other = stage(s); other.total() > found.total()) found = other;
    return found;
  }
 private:
  constexpr double block_input() const {
    const plan& p = setup_.plan;
    const double split = static_cast<double>(p.context * (p.sequence_parallel ? p.tensor : 1));
    return asked_.token_count() * static_cast<double>(model_.stack.hidden) * half_ / split;
  }
  constexpr double recomputed_of(int kind, stage_layers range) const {
    const layer_set every = layer_set::every(setup_.plan.recompute_every, range.first, range.last);
    return static_cast<double>((model_.stack.of_kind(kind, range.first, range.last) & every).size());
  }
  constexpr memory_account account_of(const detail::footprint& held, double kept, double above_kept, double alive_again,
                                      bool first, bool last) const {
    const plan& p = setup_.plan;
    // Two moments can be the fullest: the loss, when no block runs, and a block's backward, when the logits are gone.
    const double in_blocks = alive_again + widest_block_;
    double logits = 0, at_loss = 0;
    if (last) {
      const double elements = above_.logits;
      const double half = half_;
      switch (p.loss) {
        case cross_entropy::explicit_softmax:
          logits = elements * (4 + half);
          break;
        case cross_entropy::fused:
          logits = elements * 4;
          break;
        case cross_entropy::eager:
          logits = elements * (half + 3 * 4);
          break;
        case cross_entropy::chunked:
          logits = elements * (4 + half) / static_cast<double>(p.loss_chunks);
          break;
      }
      // The head's working set has the gradient of all logits; what of it exists depends on the kernel.
      const double gradient = elements * half;
      const double chunk = gradient / static_cast<double>(p.loss_chunks);
      const double exists = p.loss == cross_entropy::explicit_softmax ? gradient
                            : p.loss == cross_entropy::chunked        ? chunk
                                                                      : 0.0;
      at_loss = above_.working_set - gradient + exists;
    }
    const bool loss_decides = last && logits + at_loss > in_blocks;

    memory_account account;
    const auto set = [&](memory_line line, double amount) { account[line] = amount * unit::byte; };
    set(memory_line::weights, p.offload_weights ? 2 * widest_weights() : held.weights);
    set(memory_line::gradients, held.gradients);
    set(memory_line::optimizer, p.offload_optimizer ? 0.0 : held.optimizer);
    set(memory_line::activations, kept + above_kept + (loss_decides ? 0.0 : alive_again));
    set(memory_line::logits, loss_decides ? logits : 0.0);
    account[memory_line::buffers] = communication_buffers(first, last) * unit::byte + setup_.framework.buckets;
    const double transient = loss_decides ? at_loss : widest_block_;
    account[memory_line::workspace] = (transient + held.step) * unit::byte + setup_.framework.workspace;
    account[memory_line::reserve] = setup_.framework.fragmentation * account.total() + setup_.framework.context;
    return account;
  }

  constexpr double widest_weights() const {
    const double ends = above_.whole_weights > below_.whole_weights ? above_.whole_weights : below_.whole_weights;
    const double blocks = widest_block_weights_;
    return ends > blocks ? ends : blocks;
  }
  constexpr double communication_buffers(bool first, bool last) const {
    const plan& p = setup_.plan;
    double buffers = 0;
    // One tensor sent and one received at a stage's boundary.
    if (p.pipeline > 1) buffers += 2 * block_input_;
    // The sequence-parallel input, gathered for the product that is running.
    if (p.sequence_parallel && p.tensor > 1) buffers += block_input_ * static_cast<double>(p.tensor);
    // The unit that runs and the one that is fetched ahead, and the gradient that waits to be scattered.
    if (p.sharding == zero::weights && p.shards() > 1) {
      const double ratio = setup_.precision.gradients.bytes_per_element() / half_;
      const bool stay = setup_.framework.ends_stay_gathered;
      buffers += (stay ? widest_block_weights_ : widest_weights()) * (2 + ratio);
      if (stay && first) buffers += below_.whole_weights;
      if (stay && last) buffers += above_.whole_weights;
    }
    return buffers;
  }

  const Model& model_;
  training_setup setup_;
  work asked_;
  int kinds_ = 0;
  detail::footprint blocks_[stack::kind_count]{};
  detail::footprint below_{}, above_{};
  double half_ = 0;  ///< bytes of an activation
  double block_input_ = 0, widest_block_ = 0, widest_block_weights_ = 0;
};

}  // namespace flopledger
