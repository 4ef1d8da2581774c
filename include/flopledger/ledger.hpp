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
#include <flopledger/errors.hpp>
#include <flopledger/units.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace flopledger {

/// A text whose length the compiler knows; left to `std::string_view` it counts the letters one by one.
constexpr std::string_view text_of(const char* literal) { return {literal, detail::length_of(literal)}; }

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
  dispatch,    ///< tokens on their way to the experts that the router chose: no product, and no byte at the least
  loss,
  custom
};
inline constexpr int operation_count = static_cast<int>(operation::custom) + 1;

constexpr std::string_view name_of(operation kind) {
  constexpr const char* names[operation_count] = {
      "gather",           "projection", "expert_projection", "router",   "head",       "convolution",
      "attention_scores", "softmax",    "attention_context", "rotary",   "activation", "normalization",
      "addition",         "dropout",    "recurrence",        "dispatch", "loss",       "custom"};
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

/// The part of a block that an operation stands in.
enum class sublayer : std::uint8_t {
  outside,  ///< below the blocks or above them
  attention,
  cross_attention,  ///< to an encoder's tokens
  recurrence,       ///< a mixer with a state in place of attention
  feed_forward,
  experts,        ///< routed ones, with their router
  shared_expert,  ///< the one that sees every token
  custom
};

/// What an operation is there. Whatever a rule or a fold must tell apart has a position of its own; a user's own
/// operations are `custom`.
enum class position : std::uint8_t {
  // Of a sublayer
  norm,         ///< of its input
  output_norm,  ///< of what it puts out
  residual_dropout,
  residual,
  // Of attention
  query,
  key,
  value,
  query_down,  ///< to the latent that queries come from
  query_up,
  query_norm,
  key_norm,
  latent_down,  ///< to the latent of keys and values
  latent_norm,
  latent_up,
  rotary,
  scores,
  softmax,
  probability_dropout,
  context,
  output,
  output_gate,  ///< what scales attention's output
  value_norm,
  head_gate,  ///< one number a head that scales what it puts out
  // Of an indexer, which chooses the keys that a query attends to
  index_query,
  index_query_norm,
  index_key,
  index_key_norm,
  index_weight,
  index_rotary,
  index_scores,
  index_choice,
  // Of entries that several tokens are compressed to
  compressed,
  compression_gate,
  compression,
  compression_norm,
  output_down,  ///< to the low rank that the output passes through
  // Of several residual streams
  stream_weights,
  stream_collapse,
  stream_mix,
  residual_choice,  ///< among the residuals of earlier blocks
  // Of an input of a layer's own
  layer_input,
  layer_gate,
  layer_output,
  layer_scale,
  // Of mixers with a state
  input,  ///< the product that they begin with
  convolution,
  scan_parameters,  ///< of the scan, made of its input
  write_strength,   ///< how much of a new value replaces what the state holds (the delta rule's β)
  inner_norm,
  step,
  gate_down,  ///< to the small width that a gate of low rank comes from
  scan,
  // Of feed-forward layers and experts; the gate of a mixer too
  router,
  dispatch,
  gate,
  up,
  activation,
  down,
  combine,  ///< the sum of the experts' outputs
  scale,    ///< of the shared expert's output
  // Outside the blocks
  table,  ///< of tokens
  position_table,
  position_sum,
  token_type_table,
  token_type_sum,
  patches,
  projection,  ///< of a width to another: of the table's, of a tower's, of a pooled token
  final_norm,
  pooler,
  transform,  ///< below a head
  head,
  loss,
  encoder_output,   ///< that the blocks of a decoder attend to
  prediction_norm,  ///< of a module that predicts a further token
  prediction_projection,
  custom
};

/// Where an operation stands.
struct place {
  sublayer in = sublayer::custom;
  position at = position::custom;
  friend constexpr bool operator==(const place&, const place&) = default;
};

/// What a row is, as far as decisions go. The products of a block's weights are numbered as they come; those that read
/// one tensor and that frameworks store as one matrix have one number among the joined.
struct identity {
  place where{};
  operation kind = operation::custom;
  std::uint8_t nth_product = 0, nth_joined = 0;  ///< from 1; 0: no product of a block's weights
};

/// A tensor, by the number that it has in its block, with the identity of the row that made it. Number 0 is nobody
/// else's: a tensor that no other row is known to share.
struct tensor {
  std::uint8_t id = 0;
  identity made_by{};
};
/// A part of a tensor, which stands beside its other parts.
constexpr tensor part_of(tensor whole) {
  whole.id = 0;
  return whole;
}

/// The stack of the model that a row stands in.
enum class model_part : std::uint8_t {
  main,  ///< the one that the model is named for
  encoder,
  vision
};
constexpr std::string_view name_of(model_part which) {
  constexpr std::string_view names[] = {"", "encoder", "vision"};
  return names[static_cast<std::size_t>(which)];
}

/// How a block may differ from others of its stack.
struct block_kind {
  bool recurrent = false;    ///< mixes tokens by a state
  bool windowed = false;     ///< its attention is limited to a window
  bool sparse = false;       ///< its feed-forward layer is a mixture of experts
  bool reduced = false;      ///< its attention lacks a part that others' have (`stack::reduced`)
  bool hashed = false;       ///< its experts are chosen by the number of the token
  std::uint8_t variant = 0;  ///< of its stack, which the others then follow from; 0: none

  static constexpr int plain = 32, count = plain + 31;
  constexpr int number() const {
    if (variant > 0) return plain - 1 + variant;
    return (recurrent ? 1 : 0) + (windowed ? 2 : 0) + (sparse ? 4 : 0) + (reduced ? 8 : 0) + (hashed ? 16 : 0);
  }
  /// The kind without a variant that has a number.
  static constexpr block_kind of_number(int n) {
    return {n % 2 != 0, n / 2 % 2 != 0, n / 4 % 2 != 0, n / 8 % 2 != 0, n / 16 != 0};
  }
  /// Differs in nothing that `some` does not differ in.
  constexpr bool within(const block_kind& some) const { return (number() & ~some.number()) == 0; }
  friend constexpr bool operator==(const block_kind&, const block_kind&) = default;
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
  cache,             ///< keys, values and latents that outlive the pass
  state,             ///< of a recurrence or a convolution, which outlives the pass, too
  index
};
inline constexpr int role_count = static_cast<int>(role::index) + 1;
constexpr bool outlives_pass(role what) { return what == role::cache || what == role::state; }

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
  tensor of{};             ///< which one it is; of what a row writes, the maker is the row
  constexpr double read_elements() const { return touched < 0 ? elements : touched; }
};

/// Up to seven operands; those that are not used come last. Members and no array, for a compiler that evaluates a row
/// fills the places of an array one by one, at three times the cost.
struct operand_list {
  operand first{}, second{}, third{}, fourth{}, fifth{}, sixth{}, seventh{};

  static constexpr int capacity = 7;
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
      case 5:
        return sixth;
      default:
        return seventh;
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
    if (seventh.what != role::none) visit(seventh);
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
  /// All places.
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
  std::string_view name{};  ///< for people: nothing is decided by it
  place where{};
  operation kind = operation::custom;
  std::uint8_t nth_product = 0, nth_joined = 0;  ///< as in `identity`
  model_part part = model_part::main;
  block_kind block{};  ///< of a row inside the blocks
  bool opens = false;  ///< the first of a block, or of what lies beside the blocks: tensors are numbered anew
  bool trainable = true;
  product shape{};
  parameters held{};    ///< weights that are stored: what memory counts
  parameters active{};  ///< weights that one token uses: what compute counts
  macs multiplied{};    ///< multiply-adds of the forward pass, by the attention counting asked for
  double computed = 1;  ///< times `multiplied` that a kernel must compute at the least, where that is not what is
                        ///< counted: queries that read cached latents work in their width
  flops elementwise{};  ///< whatever is not a matrix product
  backward_rule backward{};
  operand_list operands{};

  constexpr identity is() const {
    return {.where = where, .kind = kind, .nth_product = nth_product, .nth_joined = nth_joined};
  }
};

// What rows are, said once ------------------------------------------------------------------------------------------

/// A product of tokens by weights inside the blocks: what recipes narrow and quantisation methods store.
constexpr bool is_block_product(operation kind) {
  return kind == operation::projection || kind == operation::expert_projection;
}
/// The product of attention's core: between tokens, without weights.
constexpr bool is_attention_product(operation kind) {
  return kind == operation::attention_scores || kind == operation::attention_context;
}
/// All that a fused attention kernel does: both products, the softmax and the dropout of what it gives.
constexpr bool is_attention_core(const identity& is) {
  return is_attention_product(is.kind) || is.kind == operation::softmax ||
         (is.kind == operation::dropout && is.where.at == position::probability_dropout);
}
/// A product with weights that runs: whatever is none of attention's.
constexpr bool is_weight_product(const row& r) {
  return !is_attention_product(r.kind) && r.shape.k > 0 && r.multiplied.value() > 0;
}
/// FLOPs that a kernel must compute at the least.
template <class Row = row>
constexpr flops computed_flops(const Row& r) {
  return flops::from_value(2 * r.multiplied.value() * r.computed);
}
/// Kept for the backward pass. What only the gradient of frozen weights would need is not.
constexpr bool is_saved(const row& r, const operand& o) {
  return has(o.how, r.trainable ? use::saved | use::saved_for_weights : use::saved);
}

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

// What layers write into
// -------------------------------------------------------------------------------------------------

/// Numbers the tensors of a block, and its products.
class tensor_numbers {
 public:
  /// A tensor that comes from outside the block: its input, unless it says what else.
  constexpr tensor enters(position as = position::custom) {
    return {.id = next(), .made_by = {.where = {.in = sublayer::outside, .at = as}}};
  }
  /// What an operation writes.
  constexpr tensor made(place where, operation kind) {
    return {.id = next(), .made_by = {.where = where, .kind = kind}};
  }
  /// What a product of `input` with weights writes.
  constexpr tensor product_of(const tensor& input, place where, operation kind) {
    tensor output = made(where, kind);
    if (is_block_product(kind)) {
      output.made_by.nth_product = ++products_;
      output.made_by.nth_joined = joined_number(input.id, where, kind);
    }
    return output;
  }
 private:
  static constexpr std::uint8_t most_tensors = 63;  // a set of them is a word
  static constexpr int remembered = 4;              // products of one tensor stand no further apart

  /// Query, key and value are stored as one matrix, and so are gate and up; nobody stores both together, even where
  /// both read one tensor.
  static constexpr position joined_as(position at) {
    switch (at) {
      case position::key:
      case position::value:
      case position::query_down:
      case position::latent_down:
      case position::output_gate:
        return position::query;
      case position::up:
        return position::gate;
      default:
        return at;
    }
  }
  constexpr std::uint8_t joined_number(std::uint8_t input, place where, operation kind) {
    const auto word = [](auto part) { return static_cast<std::uint32_t>(part); };
    const std::uint32_t is = word(input) << 24 | word(kind) << 16 | word(where.in) << 8 | word(joined_as(where.at));
    for (const joined& one : recent_)
      if (input != 0 && one.is == is) return one.number;
    ++groups_;
    recent_[groups_ % remembered] = {is, groups_};
    return groups_;
  }
  /// Those beyond are nobody else's, as number 0 says.
  constexpr std::uint8_t next() { return tensors_ < most_tensors ? ++tensors_ : std::uint8_t{0}; }

  /// A product by its input, kind and place, and the number of those that run as one with it.
  struct joined {
    std::uint32_t is = 0;
    std::uint8_t number = 0;
  };
  std::uint8_t tensors_ = 0;
  std::uint8_t products_ = 0, groups_ = 0;
  joined recent_[remembered]{};
};

/// Records one block, or what lies beside the blocks, into a sink: hands out tensors, and says of each row in what kind
/// of block it stands.
template <books Sink>
class recorder : public tensor_numbers {
 public:
  constexpr explicit recorder(Sink& into, block_kind block = {}) : into_(into), block_(block) {}
  constexpr void take(row&& r) {
    r.block = block_;
    r.opens = first_;
    first_ = false;
    into_.take(r, 1);
  }
 private:
  Sink& into_;
  block_kind block_;
  bool first_ = true;
};

/// What a layer records itself into.
template <class T>
concept recording = std::derived_from<T, tensor_numbers>;

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

/// Rows recorded through it belong to that part of the model. What a text token never passes through is
/// held but not active: publishers count a multimodal model's active parameters over its text model alone.
template <books Sink>
struct in_part {
  Sink& inner;
  model_part part;
  bool active = true;
  constexpr void take(const row& r, std::int64_t n) {
    row named = r;
    named.part = part;
    if (!active) named.active = {};
    inner.take(named, n);
  }
};
template <books Sink>
in_part(Sink&, model_part) -> in_part<Sink>;
template <books Sink>
in_part(Sink&, model_part, bool) -> in_part<Sink>;

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

/// The tensors of a block that a fold has counted.
class counted_tensors {
 public:
  /// True the first time; a tensor that nobody else shares is always new.
  constexpr bool add(const tensor& one) {
    const std::uint64_t bit = std::uint64_t{1} << one.id;
    const bool is_new = one.id == 0 || (bits_ & bit) == 0;
    bits_ |= bit;
    return is_new;
  }
 private:
  std::uint64_t bits_ = 0;
};

/// Elements that the operations read, write and save, whatever their format. What several rows save is saved once.
struct element_counts {
  double read = 0, written = 0, saved = 0;
  counted_tensors kept{};
  constexpr void take(const row& r, std::int64_t times) {
    if (r.opens) kept = {};
    for (const operand& o : r.operands) {
      if (o.what == role::none) continue;
      const auto n = static_cast<double>(times);
      if (has(o.how, use::read)) read += n * o.read_elements();
      if (has(o.how, use::written)) written += n * o.elements;
      if (is_saved(r, o) && kept.add(o.of)) saved += n * o.elements;
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
    if (size == Capacity) detail::raise<capacity_exceeded>(Capacity);
    entries[size].what = r;
    entries[size].times = times;
    ++size;
  }
  constexpr const entry* begin() const { return entries; }
  constexpr const entry* end() const { return entries + size; }
  constexpr const entry& operator[](std::size_t i) const { return entries[i]; }

  using capacity_exceeded = flopledger::capacity_exceeded;
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
