// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Rows as one device of a group sees them: the part of each operand that it has, by one rule for memory, time and
/// communication; the fold that hands every operand with its part to what counts it; and the groups of rows that a job
/// is made of, so that alike blocks are recorded once.

#include <flopledger/models/lora.hpp>
#include <flopledger/parallel/plan.hpp>

#include <bit>

namespace flopledger::detail {

/// Over how many ranks each kind of split goes.
struct degrees {
  double tensor = 1, sequence = 1, context = 1, expert = 1, expert_tensor = 1;
  bool same_tokens = false;  ///< the ranks of an expert group hold the same tokens, as those of one copy that serves
};

/// Those of a plan; without sequence parallelism nothing splits over the sequence.
constexpr degrees degrees_of(const plan& p) {
  const auto tensor = static_cast<double>(p.tensor);
  return {.tensor = tensor,
          .sequence = p.sequence_parallel ? tensor : 1.0,
          .context = static_cast<double>(p.context),
          .expert = static_cast<double>(p.expert),
          .expert_tensor = static_cast<double>(p.tensor_of_experts())};
}

/// The part of an operand that one device has.
class device_shares {
 public:
  constexpr explicit device_shares(const degrees& over) : context(over.context), tensor_(over.tensor) {
    const double whole = 1 / over.context, by_tensor = 1 / over.tensor;
    const double by_sequence = over.sequence == over.tensor ? by_tensor : 1 / over.sequence;
    // Dispatch moves tokens between ranks and leaves as many on each, so they stay split as the sequence is; where the
    // tensor group of an expert is larger than that, it splits them further.
    const double by_expert_tensor = over.expert_tensor == over.tensor ? by_tensor : 1 / over.expert_tensor;
    const double narrower = by_expert_tensor < by_sequence ? by_expert_tensor : by_sequence;
    weight_[1] = by_tensor;
    weight_[3] = by_expert_tensor / over.expert;
    data_[0] = whole;
    data_[1] = by_tensor * whole;
    data_[2] = by_sequence * whole;
    data_[3] = (over.same_tokens ? by_expert_tensor / over.expert : narrower) * whole;
  }

  constexpr double of_weight(const operand& o) const {
    return o.over == split::tensor ? weight_[1] * copies(o) : weight_[static_cast<int>(o.over)];
  }
  constexpr double of_data(const operand& o) const {
    return o.over == split::tensor ? data_[1] * copies(o) : data_[static_cast<int>(o.over)];
  }

  double context;
 private:
  // Heads beyond the ranks' number are held more than once.
  constexpr double copies(const operand& o) const { return o.parts > 0 && tensor_ > o.parts ? tensor_ / o.parts : 1.0; }

  double tensor_;
  double weight_[4]{1, 1, 1, 1}, data_[4]{};  ///< by `split`
};

/// Weights that are held alike: 0 and 1 what no method quantises, 2 and 3 the matrices inside the blocks (as in
/// `weight_format`), odd ones frozen; 4 more for routed experts', whose replicas are other ranks.
inline constexpr int weight_classes = 8;
constexpr bool is_frozen(int of_class) { return (of_class & 1) != 0; }
constexpr bool is_matrix(int of_class) { return (of_class & 2) != 0; }
constexpr bool is_routed(int of_class) { return (of_class & 4) != 0; }
constexpr int class_of(const row& r) { return (is_block_product(r.kind) ? 2 : 0) + (r.trainable ? 0 : 1); }
constexpr int class_of(int of_row, const operand& o) {
  return (o.what == role::weight ? of_row : of_row & 1) + (o.over == split::expert ? 4 : 0);
}
/// Elements of weights, by class.
struct held_elements {
  double of[weight_classes]{};
  unsigned present = 0;  ///< a bit a class

  constexpr void add(int of_class, double elements) {
    of[of_class] += elements;
    present |= 1U << of_class;
  }
  constexpr void for_each(auto&& visit) const {
    for (unsigned left = present; left != 0; left &= left - 1) {
      const int of_class = std::countr_zero(left);
      visit(of_class, of[of_class]);
    }
  }
};

/// A row as one device has it: sums over its operands, and its product as it is cut.
struct device_row {
  identity is{};
  bool trainable = true;
  bool of_matrix = false;  ///< its first operand is scores or probabilities
  double times = 1;
  double held = 0;                 ///< elements of weights
  double read = 0, written = 0;    ///< elements of activations
  double sent = 0;                 ///< elements that are dispatched to experts
  double cut_in = 1, cut_out = 1;  ///< how its product is cut by tensor
  product shape{};
  double multiplied = 0;
  double computed = 1;                                                     ///< times that
  double input_products = 0, weight_products = 0, weight_elementwise = 0;  ///< backward

  /// Takes the columns of a product of the same input beside its own.
  constexpr void join(const device_row& other) {
    shape.n = shape.n * cut_out + other.shape.n * other.cut_out;
    cut_out = 1;
    held += other.held;
    written += other.written;
    multiplied += other.multiplied;
    weight_elementwise += other.weight_elementwise;
  }
};

/// Data that a row touches, as one device has it.
struct device_data {
  role what = role::none;
  use how = use::none;
  split over = split::replicated;
  bool saved = false;
  tensor of{};
  double elements = 0, read = 0;  ///< held, written or saved; and those of them that are read
};

/// The fold. Activations, which most operands are, are summed here; what a `Part` makes of them and of the rest is its
/// own: it sees each weight, each operand that is data, and the row when it is complete. Products of one tensor, which
/// frameworks store as one matrix, reach it as one: they wait for each other, and the rest passes at once, for no part
/// minds the order.
template <class Part>
class device_fold {
 public:
  constexpr device_fold(const device_shares& shares, Part& part) : shares_(shares), part_(part) {}

  constexpr void take(const row& r, std::int64_t times) {
    if (r.opens) {
      close();
      part_.open();
    }
    const operand_list& all = r.operands;
    device_row here{.is = r.is(),
                    .trainable = r.trainable,
                    .of_matrix = all.first.what == role::attention_matrix,
                    .times = static_cast<double>(times),
                    .shape = r.shape,
                    .multiplied = r.multiplied.value(),
                    .computed = r.computed,
                    .input_products = r.backward.input_products,
                    .weight_products = r.backward.weight_products,
                    .weight_elementwise = r.backward.weight_elementwise.value()};
    typename Part::seen mine;
    static_assert(operand_list::capacity == 7);
    static_cast<void>(see(mine, here, r, all.first) && see(mine, here, r, all.second) &&
                      see(mine, here, r, all.third) && see(mine, here, r, all.fourth) &&
                      see(mine, here, r, all.fifth) && see(mine, here, r, all.sixth) &&
                      see(mine, here, r, all.seventh));
    if (r.nth_joined == 0)
      part_.close(mine, here);
    else
      wait(mine, here);
  }
  /// Hands the products over that wait.
  constexpr void close() {
    for (int i = 0; i < waiting_; ++i) part_.close(products_[i].mine, products_[i].here);
    waiting_ = 0;
  }
 private:
  struct product_of_block {
    device_row here{};
    typename Part::seen mine{};
  };
  constexpr void wait(const typename Part::seen& mine, const device_row& here) {
    for (int i = 0; i < waiting_; ++i) {
      if (products_[i].here.is.nth_joined != here.is.nth_joined) continue;
      products_[i].here.join(here);
      products_[i].mine.join(mine);
      return;
    }
    if (waiting_ == most_waiting) close();
    products_[waiting_++] = {here, mine};
  }

  /// False after the last operand.
  constexpr bool see(typename Part::seen& mine, device_row& here, const row& r, const operand& o) {
    const role what = o.what;
    if (what == role::none) return false;
    if (what == role::weight || what == role::bias) {
      const double share = shares_.of_weight(o), elements = o.elements * share;
      here.held += elements;
      part_.weight(mine, here, r, o, class_of(class_of(r), o), elements, o.touched < 0 ? elements : o.touched * share);
      return true;
    }
    const double share = shares_.of_data(o), elements = o.elements * share;
    const device_data one{.what = what,
                          .how = o.how,
                          .over = o.over,
                          .saved = is_saved(r, o),
                          .of = o.of,
                          .elements = elements,
                          .read = o.touched < 0 ? elements : o.touched * share};
    if (what == role::activation) {
      const bool read = has(one.how, use::read), written = has(one.how, use::written);
      if (read) here.read += one.read;
      if (written) here.written += elements;
      if (!read && !written) here.sent += elements;
      if (one.over == split::tensor) (read ? here.cut_in : here.cut_out) = share * shares_.context;
    }
    part_.data(mine, here, one);
    return true;
  }

  static constexpr int most_waiting = 4;  // those of one tensor stand no further apart

  const device_shares& shares_;
  Part& part_;
  int waiting_ = 0;
  product_of_block products_[most_waiting]{};
};

/// Two parts that see the same rows: what is recorded once feeds both.
template <class First, class Second>
struct both_parts {
  First& first;
  Second& second;
  struct seen {
    typename First::seen first;
    typename Second::seen second;
    constexpr void join(const seen& other) {
      first.join(other.first);
      second.join(other.second);
    }
  };

  constexpr void open() {
    first.open();
    second.open();
  }
  constexpr void weight(seen& mine, const device_row& here, const row& r, const operand& o, int of_class,
                        double elements, double read) {
    first.weight(mine.first, here, r, o, of_class, elements, read);
    second.weight(mine.second, here, r, o, of_class, elements, read);
  }
  constexpr void data(seen& mine, const device_row& here, const device_data& one) {
    first.data(mine.first, here, one);
    second.data(mine.second, here, one);
  }
  constexpr void close(const seen& mine, const device_row& here) {
    first.close(mine.first, here);
    second.close(mine.second, here);
  }
};
template <class First, class Second>
both_parts(First&, Second&) -> both_parts<First, Second>;

/// Hands the rows that `record` records to a part, as one device sees them. Who knows while compiling that a plan has
/// no adapters says so, for they would be instantiated beside the rest.
template <bool MayAdapt = true, class Part, class Record>
constexpr void fold_rows(const plan& p, const device_shares& shares, Part& part, Record&& record) {
  device_fold<Part> fold(shares, part);
  if constexpr (MayAdapt)
    record_adapted(fold, p.adapter_rank, record);
  else
    record(fold);
  fold.close();
}

/// Layers of a stage that are of one kind, and how many of them whole recompute repeats.
struct kind_count {
  double layers = 0, again = 0;
};
constexpr kind_count count_of(const stack& blocks, block_kind kind, const plan& p, std::int64_t stage) {
  const bool whole = p.recompute == recompute::full || p.recompute == recompute::alternate;
  const bool all_alike = blocks.all_alike();
  kind_count count;
  for (std::int64_t piece = 0; piece < p.virtual_stages; ++piece) {
    const stage_layers range = layers_of(p, blocks, stage, piece);
    const std::int64_t all = range.last - range.first;
    if (all_alike) {
      count.layers += static_cast<double>(all);
      if (whole)
        count.again +=
            static_cast<double>(p.recompute_every == 1 ? all : (all + p.recompute_every - 1) / p.recompute_every);
      continue;
    }
    const layer_set of_kind = blocks.of_kind(kind, range.first, range.last);
    const auto here = static_cast<double>(of_kind.size());
    count.layers += here;
    if (whole)
      count.again +=
          p.recompute_every == 1
              ? here
              : static_cast<double>((of_kind & layer_set::every(p.recompute_every, range.first, range.last)).size());
  }
  return count;
}

/// Regions of a block that tensor parallelism cuts: each ends in a sum over the group. Side by side they share one; an
/// encoder's tokens are attended to in one more; experts that lie whole on their ranks have none, but shared ones do.
constexpr double tensor_regions(const stack& blocks, bool sparse, bool experts_are_cut) {
  const double mixers = blocks.cross_attention ? 2 : 1;
  if (!blocks.has_feed_forward || blocks.parallel) return mixers;
  return sparse && !experts_are_cut && blocks.mixture.shared_intermediate == 0 ? mixers : mixers + 1;
}

/// Where all blocks are alike, so are the stages between the first and the last.
constexpr bool inner_stages_alike(const stack& blocks, const plan& p) { return blocks.all_alike() && p.pipeline > 3; }

/// The groups of rows that a job is made of: the kinds of blocks by their numbers, what runs below them, what above.
inline constexpr int below_blocks = block_kind::count, above_blocks = below_blocks + 1, group_count = above_blocks + 1;

/// The rows of one group, for a sink to be called with.
template <class Model>
struct row_group {
  const Model& model;
  const work& asked;
  bool untied;  ///< a head on a stage of its own
  int number;
  block_kind block{};

  constexpr bool beside_blocks() const { return number >= below_blocks; }
  constexpr void operator()(auto& sink) const {
    if (number == below_blocks)
      model.record_below(sink, asked);
    else if (number == above_blocks)
      model.record_above(sink, asked, untied);
    else
      model.record_block(sink, asked, block);
  }
};

/// Calls `visit` with each group that is there.
template <class Model, class Visit>
constexpr void for_each_group(const Model& model, const work& asked, const plan& p, Visit&& visit) {
  row_group<Model> group{.model = model, .asked = asked, .untied = p.pipeline > 1, .number = 0};
  model.stack.for_each_kind([&](block_kind kind) {
    group.number = kind.number();
    group.block = kind;
    visit(group);
  });
  for (const int beside : {below_blocks, above_blocks}) {
    group.number = beside;
    visit(group);
  }
}

/// One micro-batch of a job.
constexpr work micro_batch_of(const plan& p) {
  work asked =
      training_step(static_cast<double>(p.micro_batch), static_cast<double>(p.sequence), attention_counting::causal);
  asked.images = static_cast<double>(p.images);
  return asked;
}

}  // namespace flopledger::detail
