// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Memory of training, by device and by pipeline stage: a fold over the rows, by a recipe's formats and a plan's
/// sharding.
///
/// What is static (weights, gradients, optimizer) follows from each row's weights. What the blocks keep follows from
/// each row's saved operands. What is alive for a moment (gradients of one operation's operands, a weight gradient
/// before it is added to its accumulator) follows from the widest row. Nothing here knows the shape of a Transformer.

#include <flopledger/element_bytes.hpp>
#include <flopledger/frameworks.hpp>
#include <flopledger/memory/account.hpp>
#include <flopledger/parallel/device_rows.hpp>
#include <flopledger/parallel/recompute.hpp>

#include <type_traits>

namespace flopledger {

/// Everything that the memory and the time of a training job depend on beside the model, the machine and its network.
struct training_setup {
  recipe precision{};
  flopledger::optimizer optimizer = optimizers::adamw;
  flopledger::plan plan{};
  flopledger::framework framework{};
};

namespace detail {

/// Shapes of the blocks' weights, told apart for a framework that keeps a gradient for each.
class weight_shapes {
 public:
  /// The bit of a shape, of which one device's part has so many elements.
  constexpr std::uint32_t bit_of(double k, double n, double elements) {
    for (int i = 0; i < count_; ++i)
      if (known_[i].k == k && known_[i].n == n && known_[i].elements == elements) return std::uint32_t{1} << i;
    if (count_ == most) return 0;
    known_[count_] = {k, n, elements};
    return std::uint32_t{1} << count_++;
  }
  constexpr double elements_of(std::uint32_t bits) const {
    double sum = 0;
    for (; bits != 0; bits &= bits - 1) sum += known_[std::countr_zero(bits)].elements;
    return sum;
  }
 private:
  static constexpr int most = 32;  // a block has some eight, and kinds of blocks share most of them
  struct shape {
    double k = 0, n = 0, elements = 0;
  };
  shape known_[most]{};
  int count_ = 0;
};

/// Weights that a framework gathers, scatters and offloads together: a block, or what lies below or above the blocks,
/// with one block of an encoder or a tower.
struct unit_bytes {
  double weights = 0;   ///< as they are held
  double gathered = 0;  ///< those that ZeRO shards, as a pass gathers them: in the activations' format
  double summed = 0;    ///< gradients of those, before they are scattered

  constexpr void raise_to(const unit_bytes& other) {
    if (other.weights > weights) weights = other.weights;
    if (other.gathered > gathered) gathered = other.gathered;
    if (other.summed > summed) summed = other.summed;
  }
};

/// Bytes of one device that a group of rows takes.
struct footprint {
  double weights = 0, gradients = 0, optimizer = 0;
  double step = 0;                    ///< copies of gradients in the optimizer's step
  double roots = 0;                   ///< of second moments, in the optimizer's step
  double gathered = 0, summed = 0;    ///< of all its units
  unit_bytes unit{};                  ///< the largest
  std::uint32_t shapes = 0;           ///< of weights, whose gradients a framework keeps allocated
  double kept = 0;                    ///< activations of one micro-batch that outlive the forward pass
  double kept_without_recompute = 0;  ///< of the same rows, were nothing recomputed: alive while a block runs again
  double made_again = 0;              ///< of what is saved, what operations make once more
  double source = 0;                  ///< an encoder's output, which all blocks read
  double working_set = 0;             ///< gradients of the widest operation's operands, and its weight gradient
  double logits = 0;                  ///< elements that the loss reads

  constexpr void add(const footprint& other, double times) {
    weights += times * other.weights;
    gradients += times * other.gradients;
    optimizer += times * other.optimizer;
    step += times * other.step;
    roots += times * other.roots;
    kept += times * other.kept;
    gathered += times * other.gathered;
    summed += times * other.summed;
    if (other.source > source) source = other.source;
    shapes |= other.shapes;
  }
};

/// Weights of a group of rows in elements, by class. Their bytes follow from how a plan shards them.
struct held_weights {
  held_elements all{}, unit{};
  double moments[weight_classes]{};  ///< that an optimizer keeps which does not treat every parameter alike
};

/// What is the same for all rows of a job, worked out once: bytes an element, and the parts that ZeRO leaves on a
/// device.
class footprint_rules {
 public:
  constexpr explicit footprint_rules(const training_setup& setup)
      : bytes(setup.precision, setup.plan.attention), optimizer_(setup.optimizer) {
    const flopledger::plan& p = setup.plan;
    const recipe& formats = setup.precision;
    fused = p.attention == attention_kernel::fused;
    plain = !optimizer_.factored && !optimizer_.matrices_one_moment;
    element = bytes[role::activation];
    gradient_element = setup.framework.accumulates_in_place ? 0.0 : element;
    keeps_gradients = setup.framework.keeps_weight_gradients;
    weighs_inside = setup.framework.weighs_inside_experts;
    joins_products = setup.framework.joins_products;
    gathered_inputs =
        setup.framework.keeps_gathered_inputs && p.sequence_parallel ? static_cast<double>(p.tensor) : 1.0;
    experts_apart = static_cast<double>(p.expert);

    const row any{};
    const auto of_weight = [&](purpose why) { return element_bytes(any, role::weight, formats, p.attention, why); };
    const double master = of_weight(purpose::master), gradient = of_weight(purpose::gradient);
    const double moment =
        optimizer_.moment_bytes > 0 ? optimizer_.moment_bytes + optimizer_.block_bytes : of_weight(purpose::moment);
    const bool makes_roots =
        optimizer_.divides_by_root && setup.framework.update == optimizer_update::foreach && !p.offload_optimizer;
    const double stored[] = {formats.other_weights.bytes_per_element(), formats.weights.bytes_per_element(),
                             formats.frozen().bytes_per_element()};
    const double shards[] = {1.0 / static_cast<double>(p.shards()), 1.0 / static_cast<double>(p.expert_data())};
    for (int routed = 0; routed < 2; ++routed) {
      const double shard = shards[routed];
      const bool sharded = p.sharding == zero::weights && shard < 1;
      const auto part = [&](zero from) { return p.sharding >= from ? shard : 1.0; };
      held_bytes trained;
      trained.gradients = gradient * part(zero::gradients);
      trained.summed = sharded ? gradient : 0.0;
      trained.master = master * (setup.framework.whole_master_weights ? 1.0 : part(zero::optimizer)) +
                       setup.framework.optimizer_copies;
      trained.moment = moment * part(zero::optimizer);
      trained.states = trained.master + (plain ? optimizer_.moments * trained.moment : 0.0);
      trained.step = setup.framework.step_bytes * part(zero::optimizer);
      trained.roots = makes_roots ? trained.moment : 0.0;
      for (int i = 0; i < 4; ++i) {
        held_bytes& of_one = held[4 * routed + i];
        const double size = stored[!is_matrix(i) ? 0 : is_frozen(i) ? 2 : 1];
        if (!is_frozen(i)) of_one = trained;
        of_one.weights = size * part(zero::weights);
        of_one.gathered = !sharded ? 0.0 : size < element ? size : element;
      }
    }
  }

  /// Of weights, a parameter.
  struct held_bytes {
    double weights = 0, gathered = 0, gradients = 0, summed = 0, master = 0, moment = 0, states = 0, step = 0;
    double roots = 0;
  };

  /// Adds what weights take to a group that has none of theirs yet.
  constexpr void add_weights(footprint& to, const held_weights& of) const {
    of.unit.for_each([&](int of_class, double elements) {
      const held_bytes& one = held[of_class];
      to.unit.weights += elements * one.weights;
      to.unit.gathered += elements * one.gathered;
      to.unit.summed += elements * one.summed;
    });
    of.all.for_each([&](int of_class, double elements) {
      const held_bytes& one = held[of_class];
      to.weights += elements * one.weights;
      to.gathered += elements * one.gathered;
      to.gradients += elements * one.gradients;
      to.summed += elements * one.summed;
      to.optimizer += elements * one.states + of.moments[of_class] * one.moment;
      to.step += elements * one.step;
      to.roots += elements * one.roots;
    });
  }

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

  role_bytes bytes;  ///< of an element of data
  bool fused = true;
  bool plain = true;             ///< every parameter has the same states
  double element = 0;            ///< bytes of an activation
  double gradient_element = 0;   ///< of a weight's gradient before it is added to its accumulator
  bool keeps_gradients = false;  ///< `framework::keeps_weight_gradients`
  bool weighs_inside = false;    ///< `framework::weighs_inside_experts`
  bool joins_products = true;
  double gathered_inputs = 1;  ///< how much larger an input is kept that tensor ranks gathered
  double experts_apart = 1;    ///< ranks that experts lie over
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

/// What a `device_fold` makes of rows.
class footprint_part {
 public:
  constexpr footprint_part(const footprint_rules& rules, const recompute_rule& again, weight_shapes& shapes)
      : rules_(rules), again_(again), shapes_(shapes) {}

  /// The sum, once all rows were taken, without what weights take: that follows from `held`.
  constexpr footprint total() const {
    footprint all = sum_;
    if (again_.how == recompute::none) all.kept = all.kept_without_recompute;
    return all;
  }
  constexpr const held_weights& held() const { return held_; }

  /// Of one row.
  struct seen {
    double matrices = 0;
    double weights = 0;           ///< elements of a matrix
    bool cut_by_columns = false;  ///< its weights, by tensor ranks
    constexpr void join(const seen& other) { weights += other.weights; }
  };

  constexpr void weight(seen& mine, const device_row& here, const row& r, const operand& o, int of_class,
                        double elements, double) {
    held_.all.add(of_class, here.times * elements);
    held_.unit.add(of_class, elements);
    if (o.what == role::weight) {
      mine.weights = elements;
      mine.cut_by_columns = o.over == split::tensor;
    }
    if (!rules_.plain && r.trainable) held_.moments[of_class] += here.times * elements * rules_.moments(r, o);
  }

  constexpr void open() { saved_ = kept_ = made_again_ = {}; }

  constexpr void data(seen& mine, const device_row& here, const device_data& one) {
    const double size = one.elements * rules_.bytes[one.what];
    if (one.what == role::attention_matrix) mine.matrices += size;
    if ((!one.saved && again_.how == recompute::none) || never_kept(here.is, one.what)) return;
    const double kept = here.times * size * gathered(mine, here.is.kind, one);
    if (one.saved) once(sum_.kept_without_recompute, saved_, one.of, kept);
    if (again_.how == recompute::none) return;
    const fate is = fate_of(again_, here.is, one.how, one.of.made_by, one.saved);
    if (is == fate::kept) once(sum_.kept, kept_, one.of, kept);
    if (is == fate::made_again && one.saved) once(sum_.made_again, made_again_, one.of, kept);
  }

  constexpr void close(const seen& mine, const device_row& here) {
    if (here.is.kind == operation::loss) {
      sum_.logits += here.times * here.read;
      return;
    }
    const bool keeps_gradient = rules_.keeps_gradients && is_block_product(here.is.kind);
    const double alive = (here.read + here.written) * rules_.element + mine.matrices +
                         (here.trainable && !keeps_gradient ? here.held * rules_.gradient_element : 0.0);
    if (alive > sum_.working_set) sum_.working_set = alive;
    if (keeps_gradient && here.trainable) add_shape(mine, here);
  }
 private:
  /// The loss's tensors have lines of their own; a fused kernel makes its dropout mask anew; an explicit one needs no
  /// log-sum.
  constexpr bool never_kept(const identity& is, role what) const {
    if (outlives_pass(what) || is.kind == operation::loss) return true;
    if (rules_.weighs_inside && is.where.at == position::combine) return true;
    return rules_.fused ? what == role::mask && is.where.at == position::probability_dropout
                        : what == role::statistic && is.kind == operation::softmax;
  }
  /// How much larger an input is kept that tensor ranks gathered for a product.
  constexpr double gathered(const seen& mine, operation kind, const device_data& one) const {
    const bool product = kind == operation::projection || kind == operation::head;
    return mine.cut_by_columns && product && one.what == role::activation && one.over == split::sequence
               ? rules_.gathered_inputs
               : 1.0;
  }
  /// Adds a tensor once, however many rows need it; an encoder's output once for all blocks.
  constexpr void once(double& sum, counted_tensors& known, const tensor& of, double amount) {
    if (!known.add(of)) return;
    if (of.made_by.where.at == position::encoder_output)
      sum_.source = amount;
    else
      sum += amount;
  }
  // Each expert has a matrix of the shape; their gradients come one after another.
  constexpr void add_shape(const seen& mine, const device_row& here) {
    const double local = here.is.kind == operation::expert_projection ? here.shape.batch / rules_.experts_apart : 1.0;
    if (mine.weights > 0) sum_.shapes |= shapes_.bit_of(here.shape.k, here.shape.n, mine.weights / local);
  }

  const footprint_rules& rules_;
  const recompute_rule& again_;
  weight_shapes& shapes_;
  footprint sum_{};
  held_weights held_{};
  counted_tensors saved_{}, kept_{}, made_again_{};
};

}  // namespace detail

template <class>
class training_account;

/// A training job: one model, lying over devices by a plan. The footprints of its different blocks are folded once; a
/// stage is then a sum over counts. An encoder or a vision tower lies below the blocks, on the first stage; whatever it
/// keeps for the backward pass counts there. A plan that the model does not allow (`verdict(plan, model)`) is refused
/// by `impossible_plan`.
class training_memory {
 public:
  /// Who knows while compiling that a plan has no adapters says `std::false_type`: they would be instantiated beside
  /// the rest.
  template <class Model, bool MayAdapt = true>
  constexpr training_memory(const Model& model, const training_setup& setup, std::bool_constant<MayAdapt> = {})
      : training_memory(setup, model.stack) {
    detail::must_be_possible(plan_, model);
    const detail::footprint_rules rules(setup);
    const detail::device_shares shares(detail::degrees_of(plan_));
    const recompute_rule blocks_again = rule_of(plan_, rules.joins_products),
                         others_again = rule_of(plan_, rules.joins_products, true);
    detail::for_each_group(model, detail::micro_batch_of(plan_), plan_, [&](const detail::row_group<Model>& group) {
      detail::footprint_part part(rules, group.beside_blocks() ? others_again : blocks_again, shapes_);
      detail::fold_rows<MayAdapt>(plan_, shares, part, group);
      take(group.number, part);
    });
    finish(rules);
  }

  /// The same rows under another plan, which must lay each of them alike: `lays_alike`.
  constexpr void lie_by(const training_setup& setup) {
    plan_ = setup.plan;
    finish(detail::footprint_rules(setup));
  }
  /// The same plan with what another offloads.
  constexpr void offload_as(const plan& p) {
    plan_.offload_optimizer = p.offload_optimizer;
    plan_.offload_weights = p.offload_weights;
    plan_.offload_activations = p.offload_activations;
  }

  /// What one device of a pipeline stage holds at its fullest moment.
  constexpr memory_account stage(std::int64_t stage) const {
    const plan& p = plan_;
    const bool first = stage == 0, last = stage == p.pipeline - 1;
    detail::footprint held;  // static, and what the blocks keep of one micro-batch
    moment in_blocks{.transient = widest_block_};
    double widest_kept = 0;
    const bool by_block = p.recompute == recompute::full || p.recompute == recompute::alternate;
    blocks_.for_each_kind([&](block_kind kind) {
      const detail::footprint& block = groups_[kind.number()];
      const detail::kind_count count = detail::count_of(blocks_, kind, p, stage);
      if (count.layers == 0) return;
      held.add(block, count.layers);
      if (!by_block) {
        raise(in_blocks.made_again, block.made_again);
        raise(widest_kept, block.kept);
        return;
      }
      // Of those that do not run again, all that their backward pass needs is kept.
      const double whole = count.layers - count.again;
      held.kept += whole * (block.kept_without_recompute - block.kept);
      if (count.again > 0) {
        raise(in_blocks.alive_again, block.kept_without_recompute);
        raise(widest_kept, block.kept);
      }
      if (whole > 0) raise(widest_kept, block.kept_without_recompute);
    });
    held.kept += held.source;
    const double passes = in_flight(p, stage), one_pass = held.kept;
    double blocks_keep = passes * one_pass;
    // Offloaded, one block's stay beside those that are on their way.
    if (p.offload_activations && blocks_keep > 2 * widest_kept) blocks_keep = 2 * widest_kept;
    double kept = blocks_keep;
    if (first) {
      held.add(below(), 1);
      kept += passes * below().kept;
    }
    if (last) {
      held.add(above(), 1);
      kept += above().kept;
    }
    // These moments can be the fullest: the last block's backward, when the logits are gone; the loss, when no block
    // runs; the first block's backward; the backward of what lies below the blocks; and the optimizer's step. Where
    // gradients are made anew, those of a backward pass exist from its end on.
    const double freed = blocks_keep < one_pass ? blocks_keep : one_pass;
    const bool fresh = framework_.fresh_gradients && p.gradient_accumulation == 1;
    const double buffers = communication_buffers(held, stage);
    if (fresh) in_blocks.gradients_to_come = held.gradients - (last ? above().gradients : 0.0);
    moment fullest = in_blocks;
    const auto compare = [&fullest](const moment& other) {
      if (other.total() > fullest.total()) fullest = other;
    };
    if (last) {
      moment at_loss = loss();
      if (fresh) at_loss.gradients_to_come = held.gradients;
      compare(at_loss);
    }
    if (fresh) {
      moment in_first_block = in_blocks;
      in_first_block.alive_again -= freed > widest_kept ? freed - widest_kept : 0.0;
      in_first_block.gradients_to_come = first ? below().gradients : 0.0;
      compare(in_first_block);
    }
    if (first) compare({.alive_again = -freed, .transient = below().working_set});
    if (held.roots > 0) compare({.alive_again = -kept, .transient = held.roots, .buffers_gone = buffers});
    return account_of(held, kept, fullest, buffers, stage);
  }

  /// The stage that needs most: what decides.
  constexpr memory_account worst() const {
    memory_account found = stage(0);
    double most = found.total().value();
    // Of stages that are alike, the earliest holds most micro-batches.
    const bool alike = detail::inner_stages_alike(blocks_, plan_);
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
  constexpr training_memory(const training_setup& setup, const stack& blocks)
      : blocks_(blocks),
        plan_(setup.plan),
        framework_(setup.framework),
        half_(setup.precision.activations.bytes_per_element()) {}

  constexpr void take(int group, const detail::footprint_part& part) {
    rows_[group] = part.total();
    held_[group] = part.held();
  }
  constexpr void finish(const detail::footprint_rules& rules) {
    const plan& p = plan_;
    for (int group = 0; group < detail::group_count; ++group) {
      groups_[group] = rows_[group];
      rules.add_weights(groups_[group], held_[group]);
    }
    const double split = static_cast<double>(p.context * (p.sequence_parallel ? p.tensor : 1));
    block_input_ =
        static_cast<double>(p.micro_batch * p.sequence) * static_cast<double>(blocks_.hidden) * half_ / split;
    widest_block_ = 0;
    widest_ = {};
    blocks_.for_each_kind([&](block_kind kind) {
      raise(widest_block_, groups_[kind.number()].working_set);
      widest_.raise_to(groups_[kind.number()].unit);
    });
  }
  constexpr const detail::footprint& below() const { return groups_[detail::below_blocks]; }
  constexpr const detail::footprint& above() const { return groups_[detail::above_blocks]; }

  static constexpr void raise(double& most, double other) {
    if (other > most) most = other;
  }

  /// What is alive beside all that is kept.
  struct moment {
    double alive_again = 0;  ///< activations of a block that ran again, less those that are freed already
    double made_again = 0;   ///< by operations that run again, one block's
    double logits = 0;
    double transient = 0;  ///< gradients of the operation that runs, or the optimizer's own tensors
    double gradients_to_come = 0, buffers_gone = 0;  ///< of what is kept, not there
    constexpr double total() const {
      return alive_again + made_again + logits + transient - gradients_to_come - buffers_gone;
    }
  };
  constexpr moment loss() const {
    const plan& p = plan_;
    const double elements = above().logits, half = half_;
    // The head's working set has the gradient of all logits; what of it exists depends on the kernel.
    const double gradient = elements * half, beside = above().working_set - gradient;
    switch (p.loss) {
      case cross_entropy::explicit_softmax:
        return {.logits = elements * (4 + half), .transient = beside + gradient};
      case cross_entropy::fused:
        return {.logits = elements * 4, .transient = beside};
      case cross_entropy::eager:
        // Over tensor ranks PyTorch has another function (torch/distributed/tensor/parallel/loss.py): its backward pass
        // holds the log-softmax and three more of its size.
        return {.logits = elements * (p.tensor > 1 ? 4 * 4 : half + 3 * 4), .transient = beside};
      case cross_entropy::chunked:
        break;
    }
    const auto chunks = static_cast<double>(p.loss_chunks);
    return {.logits = elements * (4 + half) / chunks, .transient = beside + gradient / chunks};
  }

  constexpr memory_account account_of(const detail::footprint& held, double kept, const moment& fullest, double buffers,
                                      std::int64_t stage) const {
    const plan& p = plan_;
    memory_account account;
    const auto set = [&](memory_line line, double amount) { account[line] = bytes::from_value(amount); };
    // Offloaded, a unit's weights run while the next one's arrive.
    const double streamed = with_neighbour(&detail::unit_bytes::weights, stage, true);
    set(memory_line::weights, p.offload_weights && streamed < held.weights ? streamed : held.weights);
    set(memory_line::gradients, held.gradients - fullest.gradients_to_come);
    set(memory_line::optimizer, p.offload_optimizer ? 0.0 : held.optimizer);
    set(memory_line::activations, kept + fullest.alive_again);
    set(memory_line::logits, fullest.logits);
    set(memory_line::buffers, buffers - fullest.buffers_gone + framework_.buckets.value.value());
    const double gradients = half_ * shapes_.elements_of(held.shapes);
    const double scratch = fullest.made_again + fullest.transient + gradients + held.step;
    set(memory_line::workspace, scratch + framework_.workspace.value.value());
    set(memory_line::reserve, framework_.fragmentation * account.total().value() + framework_.context.value.value());
    return account;
  }

  constexpr double communication_buffers(const detail::footprint& held, std::int64_t stage) const {
    const plan& p = plan_;
    const bool torch = framework_.torch_pipeline;
    double buffers = 0;
    // One tensor sent and one received at a stage's boundary.
    if (p.pipeline > 1) {
      const double outputs = in_flight(p, stage) + static_cast<double>(p.gradient_accumulation);
      buffers += block_input_ * (torch ? outputs * static_cast<double>(p.virtual_stages) : 2);
    }
    // The sequence-parallel input, gathered for the product that is running, and its gradient before it is scattered.
    if (p.sequence_parallel && p.tensor > 1)
      buffers += block_input_ * static_cast<double>(p.tensor) * (framework_.keeps_gathered_inputs ? 1 : 2);
    if (p.sharding != zero::weights) return buffers;
    if (torch && p.pipeline > 1) return buffers + held.gathered + held.summed;
    // The unit that runs and the one that is fetched ahead, and the gradient that waits to be scattered.
    const bool stay = framework_.ends_stay_gathered, first = stage == 0, last = stage == p.pipeline - 1;
    buffers += with_neighbour(&detail::unit_bytes::gathered, stage, !stay);
    double waiting = widest_.summed;
    if (!stay && first) raise(waiting, below().unit.summed);
    if (!stay && last) raise(waiting, above().unit.summed);
    buffers += waiting;
    if (stay && first) buffers += below().unit.gathered;
    if (stay && last) buffers += above().unit.gathered;
    return buffers;
  }
  /// Of two units that follow each other: two blocks, or a block and what lies below or above the blocks.
  constexpr double with_neighbour(double detail::unit_bytes::*of, std::int64_t stage, bool ends) const {
    double neighbour = widest_.*of;
    if (ends && stage == 0) raise(neighbour, below().unit.*of);
    if (ends && stage == plan_.pipeline - 1) raise(neighbour, above().unit.*of);
    return widest_.*of + neighbour;
  }

  stack blocks_;
  plan plan_;
  framework framework_;
  double half_ = 0;  ///< bytes of an activation
  double block_input_ = 0, widest_block_ = 0;
  detail::unit_bytes widest_{};  ///< of the blocks
  detail::weight_shapes shapes_{};
  detail::footprint rows_[detail::group_count]{};  ///< of the rows alone
  detail::held_weights held_[detail::group_count]{};
  detail::footprint groups_[detail::group_count]{};  ///< with what their weights take
};

}  // namespace flopledger
