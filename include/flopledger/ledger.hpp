// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Rows, the sinks that take them, and the folds that sum them.
///
/// A layer records each of its operations as one `row`: what kind it is, the shape of its matrix product, its
/// parameters, its multiply-adds, its elementwise FLOPs, and what it reads, writes and keeps for the backward pass.
/// Rows go into a sink. A fold is a sink that adds up and stores nothing; a stored ledger is one more sink. Whatever
/// this library says of a model is a fold over its rows: no cost is written down a second time.

#include <flopledger/compiler.hpp>
#include <flopledger/units.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

/// Inlined where a layer records its rows, for there kinds, roles and uses of operands are known and most of a fold
/// melts away. Only where a compiler optimises: elsewhere it would cost a build minutes and gain nothing.
#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__)
#define FLOPLEDGER_INLINE
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FLOPLEDGER_INLINE
#endif
#endif
#ifndef FLOPLEDGER_INLINE
#define FLOPLEDGER_INLINE [[gnu::always_inline]]
#endif

namespace flopledger {

/// A text whose length the compiler knows; left to `std::string_view` it counts the letters one by one.
constexpr std::string_view text_of(const char* literal) { return {literal, __builtin_strlen(literal)}; }

/// What an operation is. Counting rules decide by kind, so what is none of these is `custom`, never the nearest one.
enum class operation : std::uint8_t {
  gather,             ///< a table look-up: bytes, no product
  projection,         ///< activations by a weight matrix
  expert_projection,  ///< the same, each token by the weights of its own experts
  router,             ///< the product that scores experts, and the choice among them
  head,               ///< the product with the vocabulary (or with labels)
  convolution,
  attention_scores,  ///< queries by keys
  softmax,
  attention_context,  ///< probabilities by values
  rotary,             ///< rotary position embedding
  activation,         ///< the non-linearity of a feed-forward layer, its gate's multiplication included
  normalization,
  addition,  ///< residuals, and the sum of embeddings
  dropout,
  recurrence,  ///< the scan of a state-space layer or of linear attention
  loss,
  custom
};

constexpr std::string_view name_of(operation kind) {
  constexpr const char* names[] = {
      "gather",           "projection", "expert_projection", "router", "head",       "convolution",
      "attention_scores", "softmax",    "attention_context", "rotary", "activation", "normalization",
      "addition",         "dropout",    "recurrence",        "loss",   "custom"};
  return names[static_cast<std::size_t>(kind)];
}

/// A set of operation kinds.
class operation_set {
 public:
  constexpr operation_set() = default;
  constexpr operation_set(std::initializer_list<operation> kinds) {
    for (const operation kind : kinds) bits_of_kinds |= bit(kind);
  }
  constexpr operation_set(std::uint32_t set) : bits_of_kinds(set) {}  ///< nvcc writes a template argument so: `{6}`
  constexpr bool contains(operation kind) const { return (bits_of_kinds & bit(kind)) != 0; }

  std::uint32_t bits_of_kinds = 0;  ///< public, for a template argument must be
 private:
  static constexpr std::uint32_t bit(operation kind) { return std::uint32_t{1} << static_cast<std::uint32_t>(kind); }
};

/// What an operand is to its operation.
enum class role : std::uint8_t {
  none,  ///< an unused place of a row's list
  weight,
  bias,
  activation,
  attention_matrix,  ///< scores or probabilities, one a pair of tokens: a fused kernel never writes them
  mask,              ///< one a dropped element: a byte
  statistic,         ///< means, deviations, log-sums: FP32 in every recipe
  cache,             ///< keys, values, latents and states that outlive the pass
  index
};

/// Whether the attention matrix goes through memory.
enum class attention_kernel : std::uint8_t {
  fused,           ///< the scores stay on the chip; the output and one statistic a query are kept (FlashAttention)
  explicit_matrix  ///< scores and probabilities are written, read and kept
};

/// What the operation does with an operand; a set.
enum class use : std::uint8_t {
  none = 0,
  read = 1,
  written = 2,
  saved = 4,             ///< kept until the backward pass, for the gradient of the inputs
  saved_for_weights = 8  ///< kept for the gradient of the weights alone: frozen weights free it
};
constexpr use operator|(use a, use b) {
  return static_cast<use>(static_cast<std::uint8_t>(a) | static_cast<std::uint8_t>(b));
}
constexpr bool has(use set, use one) { return (static_cast<std::uint8_t>(set) & static_cast<std::uint8_t>(one)) != 0; }

/// Along which degrees of a parallel plan an operand may be split. Whatever is counted by tokens also splits over data
/// and context ranks.
enum class split : std::uint8_t {
  replicated,
  tensor,    ///< by heads, by columns or by rows
  sequence,  ///< over the tensor group, but only where sequence parallelism is on
  expert,    ///< by experts, and within one over the expert-tensor group
};

/// One tensor that an operation touches.
struct operand {
  role what = role::none;
  use how = use::none;
  split over = split::replicated;
  std::int32_t parts = 0;  ///< the most parts that `over` can make (key/value heads replicate beyond); 0: no such limit
  double elements = 0;     ///< held, written or saved
  double touched = -1;     ///< read, where that is not all of them (rows of a table, experts that were chosen); -1: all
  constexpr double read_elements() const { return touched < 0 ? elements : touched; }
};

/// Up to six operands; those that are not used come last. Members and no array, for a compiler that evaluates a row
/// fills the places of an array one by one, at three times the cost.
struct operand_list {
  operand first{}, second{}, third{}, fourth{}, fifth{}, sixth{};

  static constexpr int capacity = 6;
  constexpr const operand& operator[](int place) const {
    switch (place) {
      case 0:
        return first;
      case 1:
        return second;
      case 2:
        return third;
      case 3:
        return fourth;
      case 4:
        return fifth;
      default:
        return sixth;
    }
  }

  /// Calls `visit` with those that are used.
  constexpr void for_each(auto&& visit) const {
    if (first.what != role::none) visit(first);
    if (second.what != role::none) visit(second);
    if (third.what != role::none) visit(third);
    if (fourth.what != role::none) visit(fourth);
    if (fifth.what != role::none) visit(fifth);
    if (sixth.what != role::none) visit(sixth);
  }

  class iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = operand;
    using difference_type = std::ptrdiff_t;
    using pointer = const operand*;
    using reference = const operand&;
    constexpr iterator() = default;
    constexpr iterator(const operand_list& of, int place) : of_(&of), place_(place) {}
    constexpr const operand& operator*() const { return (*of_)[place_]; }
    constexpr const operand* operator->() const { return &(*of_)[place_]; }
    constexpr iterator& operator++() {
      ++place_;
      return *this;
    }
    constexpr iterator operator++(int) {
      const iterator before = *this;
      ++place_;
      return before;
    }
    constexpr bool operator==(const iterator& other) const { return place_ == other.place_; }
   private:
    const operand_list* of_ = nullptr;
    int place_ = 0;
  };
  /// All six places.
  constexpr iterator begin() const { return {*this, 0}; }
  constexpr iterator end() const { return {*this, capacity}; }
};

/// `batch` products of an m×k by a k×n matrix; all zero where the operation is no product.
struct product {
  double batch = 0, m = 0, n = 0, k = 0;
};

/// How many products of the forward's size the backward pass takes, and its elementwise parts.
struct backward_rule {
  double input_products = 0;   ///< for the gradients of what flows in
  double weight_products = 0;  ///< for the gradients of the weights; none where they are frozen
  flops elementwise{};
  flops weight_elementwise{};  ///< for the gradients of biases and norms; none where they are frozen
};

/// One operation of the model, for all the tokens asked. A sink takes it with how often the model holds it.
struct row {
  std::string_view name;
  std::string_view part{};  ///< the tower or stack it stands in: empty for the one a model is named for
  operation kind = operation::custom;
  bool trainable = true;
  product shape{};
  parameters held{};    ///< weights that are stored: what memory counts
  parameters active{};  ///< weights that one token uses: what compute counts
  macs multiplied{};    ///< multiply-adds of the forward pass, by the attention counting asked for
  flops elementwise{};  ///< whatever is not a matrix product
  backward_rule backward{};
  operand_list operands{};
};

/// What takes rows. `times` says how often the recorded row stands in the model.
template <class Sink>
concept books = requires(Sink& sink, const row& r, std::int64_t times) {
  sink.take(r, times);
};

// What computes with quantities is a template here and there for no other reason than this: a build that only includes
// the header need not instantiate the arithmetic.

/// Multiply-adds of the backward pass, by the row's own rule.
template <class Row = row>
constexpr macs backward_macs(const Row& r) {
  const double products = r.backward.input_products + (r.trainable ? r.backward.weight_products : 0.0);
  return macs::from_value(products * r.multiplied.value());
}

/// What the backward pass computes beside matrix products, by the row's own rule.
template <class Row = row>
constexpr flops backward_elementwise(const Row& r) {
  const double weights = r.trainable ? r.backward.weight_elementwise.value() : 0.0;
  return flops::from_value(r.backward.elementwise.value() + weights);
}

// Sinks that pass on
// -----------------------------------------------------------------------------------------------------

/// Everything recorded through it stands `times` times; nests.
template <books Sink>
struct repeated {
  Sink& inner;
  std::int64_t times;
  constexpr void take(const row& r, std::int64_t n) { inner.take(r, times * n); }
};
template <books Sink>
repeated(Sink&, std::int64_t) -> repeated<Sink>;

/// Rows recorded through it belong to the named part ("encoder", "vision"). What a text token never passes through is
/// held but not active: publishers count a multimodal model's active parameters over its text model alone.
template <books Sink>
struct in_part {
  Sink& inner;
  std::string_view part;
  bool active = true;
  constexpr void take(const row& r, std::int64_t n) {
    row named = r;
    named.part = part;
    if (!active) named.active = {};
    inner.take(named, n);
  }
};
template <books Sink>
in_part(Sink&, std::string_view) -> in_part<Sink>;
template <books Sink>
in_part(Sink&, std::string_view, bool) -> in_part<Sink>;

/// Rows recorded through it hold frozen weights: no gradient is computed or kept for them.
template <books Sink>
struct frozen {
  Sink& inner;
  constexpr void take(const row& r, std::int64_t n) {
    row still = r;
    still.trainable = false;
    inner.take(still, n);
  }
};
template <books Sink>
frozen(Sink&) -> frozen<Sink>;

/// Passes on only the rows that `Predicate` accepts.
template <books Sink, class Predicate>
struct filtered {
  Sink& inner;
  Predicate accepts;
  constexpr void take(const row& r, std::int64_t n) {
    if (accepts(r)) inner.take(r, n);
  }
};
template <books Sink, class Predicate>
filtered(Sink&, Predicate) -> filtered<Sink, Predicate>;

// Folds
// --------------------------------------------------------------------------------------------------------------------

/// Sums one column of the rows.
template <auto Column>
struct sum {
  std::remove_cvref_t<decltype(row{}.*Column)> total{};
  constexpr void take(const row& r, std::int64_t times) { total += static_cast<double>(times) * (r.*Column); }
};

/// Sums what `Function` says of a row: `tally{flops{}, [](const row& r) { return ...; }}`.
template <class Total, class Function>
struct tally {
  Total total;
  Function of;
  constexpr void take(const row& r, std::int64_t times) { total += static_cast<double>(times) * of(r); }
};
template <class Total, class Function>
tally(Total, Function) -> tally<Total, Function>;

/// Elements that the operations read, write and save, whatever their format.
struct element_counts {
  double read = 0, written = 0, saved = 0;
  constexpr void take(const row& r, std::int64_t times) {
    for (const operand& o : r.operands) {
      if (o.what == role::none) continue;
      const auto n = static_cast<double>(times);
      if (has(o.how, use::read)) read += n * o.read_elements();
      if (has(o.how, use::written)) written += n * o.elements;
      if (has(o.how, use::saved) || (r.trainable && has(o.how, use::saved_for_weights))) saved += n * o.elements;
    }
  }
};

/// All columns in one pass: what a summary or ten assertions on one model need.
struct totals {
  parameters held{}, active{}, trainable{};
  macs multiplied{}, multiplied_backward{};
  flops elementwise{}, elementwise_backward{};
  // On plain numbers, for every row of every model that a build asserts something of passes here: an operator of a
  // quantity takes a compiler four calls to evaluate.
  template <class Row = row>
  constexpr void take(const Row& r, std::int64_t times) {
    const auto n = static_cast<double>(times);
    const auto add = [n](auto& sum, double amount) {
      sum = std::remove_reference_t<decltype(sum)>::from_value(sum.value() + n * amount);
    };
    add(held, r.held.value());
    add(active, r.active.value());
    if (r.trainable) add(trainable, r.held.value());
    add(multiplied, r.multiplied.value());
    add(multiplied_backward, backward_macs(r).value());
    add(elementwise, r.elementwise.value());
    add(elementwise_backward, backward_elementwise(r).value());
  }
};

/// What can be asked for its rows: layers, configurations, a user's own.
template <class Model, class Work>
concept recordable = requires(const Model& model, totals& sink, const Work& asked) {
  model.record(sink, asked);
};

/// A fold: whether the rows agree with themselves. Memory counts operands, so a row must hold its parameters in them,
/// and leave no place free before the last.
struct row_agreement {
  bool holds = true;
  template <class Row = row>
  constexpr void take(const Row& r, std::int64_t times) {
    double weights = 0;
    bool ended = false;
    for (const operand& o : r.operands) {
      if (o.what == role::weight || o.what == role::bias) weights += o.elements;
      holds = holds && o.elements >= 0 && !(ended && o.what != role::none);
      ended = ended || o.what == role::none;
    }
    holds = holds && times >= 0 && weights == r.held.value() && r.active.value() >= 0 && r.multiplied.value() >= 0 &&
            r.elementwise.value() >= 0;
  }
};

/// The total of one column: `total<&row::multiplied>(model, forward(1, 8192))`.
template <auto Column, class Model, class Work>
constexpr auto total(const Model& model, const Work& asked) {
  sum<Column> column;
  model.record(column, asked);
  return column.total;
}

/// Every total of one piece of work.
template <class Model, class Work>
constexpr totals totals_of(const Model& model, const Work& asked) {
  totals all;
  model.record(all, asked);
  return all;
}

/// The one conversion of products to operations, by its convention.
enum class product_counting : std::uint8_t {
  conventional,  ///< 2·m·k·n: a multiply-add is two operations
  strict         ///< m·k·n multiplications and m·n·(k−1) additions
};

/// FLOPs of a row's matrix products in the forward pass.
template <class Row = row>
constexpr flops product_flops(const Row& r, product_counting counting = product_counting::conventional) {
  const flops conventional = flops_per_mac * r.multiplied;
  if (counting == product_counting::conventional || r.shape.k <= 0) return conventional;
  // One addition fewer than multiplications an output. A score that is not attended to is no output; a row of the
  // context is one however few keys it sums over.
  const double outputs =
      r.kind == operation::attention_scores ? r.multiplied.value() / r.shape.k : r.shape.batch * r.shape.m * r.shape.n;
  return flops::from_value(conventional.value() - outputs);
}

// The stored ledger
// --------------------------------------------------------------------------------------------------------

/// A row with how often the model holds it.
struct entry {
  row what;
  std::int64_t times = 1;
};

/// Stores rows in an array of its own. One row too many is an error, at compile time as at run time.
template <std::size_t Capacity>
struct ledger {
  entry entries[Capacity]{};
  std::size_t size = 0;

  constexpr void take(const row& r, std::int64_t times) {
    if (size == Capacity) detail::raise(capacity_exceeded{Capacity});
    entries[size].what = r;
    entries[size].times = times;
    ++size;
  }
  constexpr const entry* begin() const { return entries; }
  constexpr const entry* end() const { return entries + size; }
  constexpr const entry& operator[](std::size_t i) const { return entries[i]; }

  struct capacity_exceeded {
    std::size_t capacity;
  };
};

/// Stores rows in a container of the caller's choice (`std::vector<entry>`): no capacity to exceed.
template <class Container>
struct stored_in {
  Container& entries;
  constexpr void take(const row& r, std::int64_t times) { entries.push_back({r, times}); }
};
template <class Container>
stored_in(Container&) -> stored_in<Container>;

}  // namespace flopledger
