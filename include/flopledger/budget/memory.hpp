// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Memory of training, by device and by pipeline stage: a fold over the rows, by a recipe's formats and a plan's
/// sharding.
///
/// What is static (weights, gradients, optimizer) follows from each row's weights. What the blocks keep follows from
/// each row's saved operands. What is alive for a moment (gradients of one operation's operands, a weight gradient
/// before it is added to its accumulator) follows from the widest row. Nothing here knows the shape of a Transformer.

#include <flopledger/budget/device_rows.hpp>
#include <flopledger/budget/memory_account.hpp>
#include <flopledger/budget/weights.hpp>

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

/// What is the same for all rows of a job, worked out once: bytes an element, and the parts that ZeRO leaves on a
/// device.
class footprint_rules {
 public:
  constexpr explicit footprint_rules(const training_setup& setup) : optimizer_(setup.optimizer) {
    const flopledger::plan& p = setup.plan;
    const recipe& formats = setup.precision;
    fused = p.attention == attention_kernel::fused;
    attention_again = p.recompute == recompute::selective;
    if (p.recompute == recompute::kinds) again = p.recomputed_kinds;
    rows_again = attention_again || p.recompute == recompute::kinds;
    alternate = p.recompute == recompute::alternate;
    plain = !optimizer_.factored && !optimizer_.matrices_one_moment;
    element = formats.activations.bytes_per_element();
    gradient_element = setup.framework.accumulates_in_place ? 0.0 : element;
    const auto set = [&](role what, double size) { bytes[static_cast<int>(what)] = size; };
    set(role::activation, element);
    set(role::attention_matrix, fused ? 0.0 : element);
    set(role::mask, 1);
    set(role::statistic, 4);
    set(role::index, 8);

    const double master = formats.has_master_weights ? formats.master_weights.bytes_per_element() : 0.0;
    const double moment = optimizer_.moment_bytes > 0 ? optimizer_.moment_bytes + optimizer_.block_bytes
                                                      : formats.moments.bytes_per_element();
    const double stored[] = {formats.other_weights.bytes_per_element(), formats.weights.bytes_per_element(),
                             formats.frozen_weights.bytes_per_element()};
    const double gradient = formats.gradients.bytes_per_element();
    const double shards[] = {1.0 / static_cast<double>(p.shards()), 1.0 / static_cast<double>(p.expert_data())};
    for (int i = 0; i < weight_classes; ++i) {
      const double shard = shards[is_routed(i) ? 1 : 0];
      const auto part = [&](zero from) { return p.sharding >= from ? shard : 1.0; };
      held_bytes& of_one = held[i];
      const double size = stored[!is_matrix(i) ? 0 : is_frozen(i) ? 2 : 1];
      of_one.weights = size * part(zero::weights);
      of_one.whole = size < element ? size : element;
      if (is_frozen(i)) continue;
      of_one.gradients = gradient * part(zero::gradients);
      of_one.master = master * part(zero::optimizer) + setup.framework.optimizer_copies;
      of_one.moment = moment * part(zero::optimizer);
      of_one.states = plain ? of_one.master + optimizer_.moments * of_one.moment : 0.0;
      of_one.step = setup.framework.step_bytes * part(zero::optimizer);
    }
  }

  /// Of weights, a parameter.
  struct held_bytes {
    double weights = 0, whole = 0, gradients = 0, master = 0, moment = 0, states = 0, step = 0;
  };

  /// Moments that the optimizer keeps of each element of an operand.
  constexpr double moments(const row& r, const operand& o) const {
    if (plain) return optimizer_.moments;
    const bool matrix = o.what == role::weight && r.shape.k > 0 && r.shape.n > 0;
    if (optimizer_.factored) {
      // One row and one column of the second moment stand for the matrix.
      if (matrix) return (r.shape.k + r.shape.n) / (r.shape.k * r.shape.n);
      const double width = r.kind == operation::gather ? width_of_table(r) : 0.0;
      return width > 0 ? 1 / width + width / o.elements : 1.0;
    }
    return matrix && r.kind != operation::head ? 1.0 : optimizer_.moments;
  }

  bool fused = true, attention_again = false;
  operation_set again{};        ///< kinds that run once more
  bool rows_again = false;      ///< some rows do, others not
  bool alternate = false;       ///< `recompute::alternate`
  bool plain = true;            ///< every parameter has the same states
  double element = 0;           ///< bytes of an activation
  double gradient_element = 0;  ///< of a weight's gradient before it is added to its accumulator
  double bytes[9]{};            ///< of an element, by role; none of what does not exist
  held_bytes held[weight_classes]{};
 private:
  static constexpr double width_of_table(const row& r) {
    double indices = 0, looked_up = 0;
    for (const operand& o : r.operands) {
      if (o.what == role::index) indices = o.elements;
      if (o.what == role::activation && has(o.how, use::written)) looked_up = o.elements;
    }
    return indices > 0 ? looked_up / indices : 0;
  }

  const flopledger::optimizer& optimizer_;
};

/// What a `device_fold` makes of rows. They come in the order in which they run, which recompute and fused projections
/// depend on.
class footprint_part {
 public:
  constexpr explicit footprint_part(const footprint_rules& rules) : rules_(rules) {}

  /// The sum, once all rows were taken.
  constexpr footprint total() const {
    footprint all = sum_;
    held_.for_each([&](int of_class, double elements) {
      const footprint_rules::held_bytes& one = rules_.held[of_class];
      all.weights += elements * one.weights;
      all.whole_weights += elements * one.whole;
      all.gradients += elements * one.gradients;
      all.optimizer += elements * one.states;
      all.step += elements * one.step;
    });
    return all;
  }

  /// Of one row.
  struct seen {
    double matrices = 0;
  };

  constexpr void weight(const seen&, const device_row& here, const row& r, const operand& o, int of_class,
                        double elements, double) {
    held_.add(of_class, here.times * elements);
    if (rules_.plain || !r.trainable) return;
    const footprint_rules::held_bytes& one = rules_.held[of_class];
    sum_.optimizer += here.times * elements * (one.master + rules_.moments(r, o) * one.moment);
  }

  /// An activation, or another operand, that is kept for the backward pass.
  constexpr void keep(const device_row& here, const row& r, const operand& o, double elements) {
    if (r.kind == operation::loss) return;  // it has lines of its own
    const double kept = here.times * elements * rules_.bytes[static_cast<int>(o.what)];
    sum_.kept_without_recompute += kept;
    if (!rules_.rows_again || o.what == role::statistic || !made_again(r, o)) sum_.kept += kept;
  }

  constexpr void other(seen& mine, const device_row& here, const row& r, const operand& o, double share) {
    const double elements = o.elements * share;
    if (o.what == role::attention_matrix) mine.matrices += elements * rules_.bytes[static_cast<int>(o.what)];
    if (!has(o.how, use::saved) && !(r.trainable && has(o.how, use::saved_for_weights))) return;
    // A fused kernel makes its dropout mask anew; an explicit one needs no log-sum_.
    if (rules_.fused ? o.what == role::mask && touches_matrix(r)
                     : o.what == role::statistic && r.kind == operation::softmax)
      return;
    keep(here, r, o, elements);
    if (o.what == role::statistic && r.kind == operation::softmax) sum_.kept_alternate += here.times * elements * 4;
  }

  constexpr void close(const seen& mine, const device_row& here, const row& r) {
    if (r.kind == operation::loss) {
      sum_.logits += here.times * here.read;
      return;
    }
    const double written = here.written * rules_.element;
    if (rules_.alternate && keeps_output(r)) sum_.kept_alternate += here.times * written;
    // Projections of one input (query, key and value; gate and up) run as one product: their gradients are alive
    // together.
    const bool projection = r.kind == operation::projection, joins = projection && joinable_ && !here.has_own_input();
    together_ = (joins ? together_ : here.read * rules_.element) + written + mine.matrices +
                (r.trainable ? here.held * rules_.gradient_element : 0.0);
    if (together_ > sum_.working_set) sum_.working_set = together_;
    joinable_ = projection;
    if (!rules_.rows_again) return;
    previous_ran_again_ = runs_again(r);
    previous_output_ = output_of(r);
  }
 private:
  // The first of every two products keeps its output, and so does attention.
  constexpr bool keeps_output(const row& r) {
    const bool product = r.kind == operation::projection || r.kind == operation::expert_projection;
    return product ? products_++ % 2 == 0 : r.kind == operation::attention_context;
  }
  static constexpr bool touches_matrix(const row& r) { return r.operands.begin()->what == role::attention_matrix; }
  constexpr bool runs_again(const row& r) const {
    return rules_.again.contains(r.kind) ||
           (rules_.attention_again && (r.kind == operation::attention_scores || r.kind == operation::softmax ||
                                       (r.kind == operation::dropout && touches_matrix(r))));
  }
  // What an operation that runs again has written is made anew: neither it nor the operation behind it keeps it.
  constexpr bool made_again(const row& r, const operand& o) const {
    return has(o.how, use::read) ? previous_ran_again_ && o.what == previous_output_ : runs_again(r);
  }
  static constexpr role output_of(const row& r) {
    for (const operand& o : r.operands)
      if (has(o.how, use::written) && o.what != role::weight && o.what != role::bias) return o.what;
    return role::none;
  }

  const footprint_rules& rules_;
  footprint sum_{};
  held_elements held_{};
  bool previous_ran_again_ = false, joinable_ = false;
  role previous_output_ = role::none;
  double together_ = 0;
  std::int64_t products_ = 0;
};

}  // namespace detail

template <class>
class training_account;

/// A training job: one model, lying over devices by a plan. The footprints of its different blocks are folded once; a
/// stage is then a sum over counts. An encoder or a vision tower lies below the blocks, on the first stage; whatever it
/// keeps for the backward pass counts there.
///
/// A template only so that a build that never asks pays nothing; the model is deduced: `training_memory(model, setup)`.
template <class Model>
class training_memory {
 public:
  constexpr training_memory(const Model& model, const training_setup& setup) : training_memory(setup, model) {
    const detail::footprint_rules rules(setup);
    const detail::device_shares shares(detail::degrees_of(plan_));
    detail::for_each_group(model_, detail::micro_batch_of(plan_), plan_, [&](int group, auto&& record) {
      detail::footprint_part part(rules);
      detail::fold_rows(plan_, shares, part, record);
      groups_[group] = part.total();
    });
    finish();
  }

  /// What one device of a pipeline stage holds at its fullest moment.
  constexpr memory_account stage(std::int64_t stage) const {
    const plan& p = plan_;
    const bool first = stage == 0, last = stage == p.pipeline - 1;
    detail::footprint held;  // static, and what one micro-batch keeps
    double alive_again = 0;
    for (int kind = 0; kind <= kinds_; ++kind) {
      if ((kind & ~kinds_) != 0) continue;
      const detail::footprint& block = groups_[kind];
      const detail::kind_count count = detail::count_of(model_.stack, kinds_, kind, p, stage);
      if (count.layers == 0) continue;
      held.add(block, count.layers);
      held.kept += count.again * (block_input_ - block.kept);
      if (p.recompute == recompute::alternate) held.kept += count.again * block.kept_alternate;
      if (count.again > 0 && block.kept_without_recompute > alive_again) alive_again = block.kept_without_recompute;
    }
    double kept = held.kept;
    if (p.offload_activations) kept = held.kept / static_cast<double>(model_.stack.layers);
    const double passes = in_flight(p, stage);
    kept *= passes;
    if (first) {
      held.add(below(), 1);
      kept += passes * below().kept;
    }
    double above_kept = 0;
    if (last) {
      above_kept = above().kept;
      held.add(above(), 1);
    }
    return account_of(held, kept, above_kept, alive_again, first, last);
  }

  /// The stage that needs most: what decides.
  constexpr memory_account worst() const {
    memory_account found = stage(0);
    double most = found.total().value();
    // Of stages that are alike, the earliest holds most micro-batches.
    const bool alike = detail::inner_stages_alike(kinds_, plan_);
    for (std::int64_t s = 1; s < plan_.pipeline; s = alike && s == 1 ? plan_.pipeline - 1 : s + 1) {
      const memory_account other = stage(s);
      const double needed = other.total().value();
      if (needed <= most) continue;
      found = other;
      most = needed;
    }
    return found;
  }
 private:
  template <class>
  friend class training_account;

  /// Without rows yet.
  constexpr training_memory(const training_setup& setup, const Model& model)
      : model_(model),
        plan_(setup.plan),
        framework_(setup.framework),
        kinds_(model.stack.kinds()),
        half_(setup.precision.activations.bytes_per_element()),
        gradient_(setup.precision.gradients.bytes_per_element()) {}

  constexpr void finish() {
    const plan& p = plan_;
    const double split = static_cast<double>(p.context * (p.sequence_parallel ? p.tensor : 1));
    block_input_ =
        static_cast<double>(p.micro_batch * p.sequence) * static_cast<double>(model_.stack.hidden) * half_ / split;
    for (int kind = 0; kind <= kinds_; ++kind) {
      if ((kind & ~kinds_) != 0) continue;
      if (groups_[kind].working_set > widest_block_) widest_block_ = groups_[kind].working_set;
      if (groups_[kind].whole_weights > widest_block_weights_) widest_block_weights_ = groups_[kind].whole_weights;
    }
  }
  constexpr const detail::footprint& below() const { return groups_[detail::below_blocks]; }
  constexpr const detail::footprint& above() const { return groups_[detail::above_blocks]; }

  constexpr memory_account account_of(const detail::footprint& held, double kept, double above_kept, double alive_again,
                                      bool first, bool last) const {
    const plan& p = plan_;
    // Two moments can be the fullest: the loss, when no block runs, and a block's backward, when the logits are gone.
    const double in_blocks = alive_again + widest_block_;
    double logits = 0, at_loss = 0;
    if (last) {
      const double elements = above().logits;
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
      at_loss = above().working_set - gradient + exists;
    }
    const bool loss_decides = last && logits + at_loss > in_blocks;

    memory_account account;
    const auto set = [&](memory_line line, double amount) { account[line] = amount * unit::byte; };
    set(memory_line::weights, p.offload_weights ? 2 * widest_weights() : held.weights);
    set(memory_line::gradients, held.gradients);
    set(memory_line::optimizer, p.offload_optimizer ? 0.0 : held.optimizer);
    set(memory_line::activations, kept + above_kept + (loss_decides ? 0.0 : alive_again));
    set(memory_line::logits, loss_decides ? logits : 0.0);
    account[memory_line::buffers] = communication_buffers(first, last) * unit::byte + framework_.buckets;
    const double transient = loss_decides ? at_loss : widest_block_;
    account[memory_line::workspace] = (transient + held.step) * unit::byte + framework_.workspace;
    account[memory_line::reserve] = framework_.fragmentation * account.total() + framework_.context;
    return account;
  }

  constexpr double widest_weights() const {
    const double ends = above().whole_weights > below().whole_weights ? above().whole_weights : below().whole_weights;
    const double blocks = widest_block_weights_;
    return ends > blocks ? ends : blocks;
  }
  constexpr double communication_buffers(bool first, bool last) const {
    const plan& p = plan_;
    double buffers = 0;
    // One tensor sent and one received at a stage's boundary.
    if (p.pipeline > 1) buffers += 2 * block_input_;
    // The sequence-parallel input, gathered for the product that is running.
    if (p.sequence_parallel && p.tensor > 1) buffers += block_input_ * static_cast<double>(p.tensor);
    // The unit that runs and the one that is fetched ahead, and the gradient that waits to be scattered.
    if (p.sharding == zero::weights && p.shards() > 1) {
      const double ratio = gradient_ / half_;
      const bool stay = framework_.ends_stay_gathered;
      buffers += (stay ? widest_block_weights_ : widest_weights()) * (2 + ratio);
      if (stay && first) buffers += below().whole_weights;
      if (stay && last) buffers += above().whole_weights;
    }
    return buffers;
  }

  const Model& model_;
  plan plan_;
  framework framework_;
  int kinds_ = 0;
  double half_ = 0;  ///< bytes of an activation
  double gradient_ = 0;
  double block_input_ = 0, widest_block_ = 0, widest_block_weights_ = 0;
  detail::footprint groups_[detail::group_count]{};
};

}  // namespace flopledger
