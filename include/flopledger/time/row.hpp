// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Seconds of a row: forward and backward on one device of a group that shares the model.

#include <flopledger/parallel/device_rows.hpp>
#include <flopledger/time/product.hpp>

namespace flopledger {

/// How a framework runs the operations: named, so that it can be argued with.
struct execution {
  /// Passes that code without a fusing compiler takes over what norms, activation functions and rotary embeddings move
  /// (PyTorch's eager mode: each of their steps is a kernel, some through FP32). 1: fused kernels or a compiler.
  double eager_passes = 1;
  /// Bytes an element that the loss moves over the logits, forward and backward together. Megatron-LM's FP32 loss: cast
  /// 2 + 4, maximum 4, exponential 8, gradient 8, cast 4 + 2. A compiled loss reads twice and writes once in 16 bits.
  double loss_bytes = 32;
  /// Experts' tokens, forward: written in the experts' order and read again, twice where they also travel.
  double expert_passes = 6;
  bool grouped_experts = true;  ///< one kernel for all experts of a product; else one each, with its own last wave
  /// Bytes an element that adding the biases of experts' outputs moves, forward and backward, where it is no part of
  /// the product: Megatron-LM weights them by the router's probabilities in eager PyTorch (TEGroupedMLP's
  /// `_apply_bias`).
  double expert_bias_forward = 0, expert_bias_backward = 0;
  /// Seconds that a device waits in each pass over a layer of experts: the host has to read how many tokens each expert
  /// got before it can launch what follows.
  seconds expert_wait{};
  /// Bytes an element of casting a product's operand to 8 bits or fewer: read for its maximum, read, written along rows
  /// and along columns.
  double cast_bytes = 6;
  bool cast_weights = false;  ///< cast in every micro-batch, where they are gathered anew
  bool skips_masked = true;   ///< a fused causal kernel leaves out the blocks that the mask covers
  bool bursts = false;        ///< runs for moments, as kernels do in a benchmark: the clock need not fall
  seconds data_loading{};     ///< exposed, a step
};

/// Rows that run once more in the backward pass, where rows decide it and not whole blocks.
enum class recompute_rows : std::uint8_t {
  none,
  attention,  ///< its core
  alternate,  ///< all but the attention core and every other product
  kinds       ///< those of a set
};

namespace detail {

/// Which rows run once more in the backward pass, where that is decided by row.
struct repeat_rule {
  recompute_rows which = recompute_rows::none;
  operation_set kinds{};
};

/// Seconds of rows, and the weights that one device holds. Routed experts' are apart, for their data-parallel ranks are
/// others.
struct block_seconds {
  double forward = 0, backward = 0;
  double again = 0;                        ///< of the forward, what runs once more
  double weights = 0, routed = 0;          ///< bytes, as a pass gathers them: at most the activations' format
  double trained = 0, trained_routed = 0;  ///< elements
  constexpr void add(const block_seconds& other, double times) {
    forward += times * other.forward;
    backward += times * other.backward;
    again += times * other.again;
    weights += times * other.weights;
    routed += times * other.routed;
    trained += times * other.trained;
    trained_routed += times * other.trained_routed;
  }
};

/// What is the same for all rows of a job, worked out once. What it is made of must outlive it.
struct row_clock {
  constexpr row_clock(const machine& on, const recipe& r, attention_kernel kernel, const degrees& ranks,
                      const execution& as, bool with_backward, const weight_storage* stored = nullptr)
      : rates(on.reached.attention),
        measured(on.measured),
        narrow(on, on.peak, as.bursts ? 1.0 : on.reached.sustained),
        plain(on.plain() == on.peak ? narrow : product_timer(on, on.plain(), as.bursts ? 1.0 : on.reached.sustained)),
        a_flop_of_attention(2 / (on.attention_peak.value() * ranks.tensor * ranks.context)),
        over(ranks),
        how(as),
        backward(with_backward),
        casts(r.compute.bits < 16 && r.activations.bits >= 16),
        fused(kernel == attention_kernel::fused),
        width(r.activations.bytes_per_element()),
        accumulated(2 * r.gradients.bytes_per_element()),
        shrunk(r.compute.bytes_per_element() / width),
        precision(r),
        checkpoint(stored) {
    const auto set = [&](role what, double size) { sizes[static_cast<int>(what)] = size; };
    weight_sizes[0] = weight_sizes[1] = r.other_weights.bytes_per_element();
    weight_sizes[2] = r.weights.bytes_per_element();
    weight_sizes[3] = r.frozen().bytes_per_element();
    set(role::activation, width);
    set(role::attention_matrix, fused ? 0.0 : width);
    set(role::mask, 1);
    set(role::statistic, 4);
    set(role::cache, r.kv_cache.bytes_per_element());
    set(role::index, 4);
  }

  /// Bytes an element of weights in the checkpoint.
  FLOPLEDGER_INLINE constexpr double stored(const row& r, const operand& o) const {
    return data_formats{.precision = precision, .checkpoint = checkpoint}.bytes_of(
        row{.name = r.name, .part = r.part, .kind = r.kind, .trainable = r.trainable, .shape = r.shape},
        operand{.what = o.what}, 1);
  }

  const attention_rates& rates;
  const measured_rates& measured;
  product_timer narrow, plain;
  double a_flop_of_attention;
  const degrees& over;
  const execution& how;
  bool backward, casts, fused;
  double width, accumulated, shrunk;
  const recipe& precision;
  const weight_storage* checkpoint;
  double sizes[9]{};         ///< bytes an element, by role
  double weight_sizes[4]{};  ///< by class
};

/// What a `device_fold` makes of rows. They come in the order in which they run: projections of the same input in a row
/// are one product, as frameworks store them.
class time_part {
 public:
  constexpr explicit time_part(const row_clock& clock, const repeat_rule& rule) : clock_(clock), rule_(rule) {}

  /// Of one row, on one device.
  struct seen {
    double weights = 0;            ///< bytes
    double read = 0, written = 0;  ///< of what is no activation
    double cache = 0;
  };

  FLOPLEDGER_INLINE constexpr void weight(seen& mine, const device_row& here, const row& r, const operand& o,
                                          int of_class, double elements, double read) {
    held_.add(of_class, here.times * elements);
    mine.weights += read * (clock_.checkpoint == nullptr ? clock_.weight_sizes[of_class & 3] : clock_.stored(r, o));
  }
  FLOPLEDGER_INLINE constexpr void keep(const device_row&, const row&, const operand&, double) const {}
  FLOPLEDGER_INLINE constexpr void other(seen& mine, const device_row&, const row&, const operand& o,
                                         double share) const {
    const double size = clock_.sizes[static_cast<int>(o.what)] * share;
    if (o.what == role::cache) {
      mine.cache += o.read_elements() * size;
      return;
    }
    if (has(o.how, use::read)) mine.read += o.read_elements() * size;
    if (has(o.how, use::written)) mine.written += o.elements * size;
  }
  FLOPLEDGER_INLINE constexpr void close(const seen& mine, const device_row& r, const row&) {
    moved m{.read = r.read * clock_.width + mine.read,
            .written = r.written * clock_.width + mine.written,
            .weights = mine.weights,
            .cache = mine.cache,
            .held = r.held,
            .keeps_input = r.has_own_input()};
    const bool attention = r.kind == operation::attention_scores || r.kind == operation::attention_context;
    const bool again = rule_.which != recompute_rows::none && repeats(r, attention);
    pass_seconds one;
    if (!attention && r.shape.k > 0 && r.multiplied > 0) {
      // The product itself is timed when it is known that no other joins it.
      multiply(r, m, again, one);
    } else {
      if (attention) {
        if (clock_.fused)
          attend(r, m, one);
        else
          attend_explicitly(r, m.read + m.written + m.cache, one);
      } else if (m.read + m.written + m.cache > 0) {
        stream(r, m, one);
      }
      if (pending_.times > 0) finish();
      activated_ = r.kind == operation::activation;
    }
    sum_.forward += r.times * one.forward;
    sum_.backward += r.times * one.backward;
    if (again) sum_.again += r.times * one.forward;
  }

  /// The sum, once all rows were taken.
  constexpr block_seconds total() {
    if (pending_.times > 0) finish();
    block_seconds all = sum_;
    if (!clock_.backward) return all;
    held_.for_each([&](int of_class, double elements) {
      const double size = clock_.weight_sizes[of_class & 3];
      (is_routed(of_class) ? all.routed : all.weights) += elements * (size < clock_.width ? size : clock_.width);
      if (!is_frozen(of_class)) (is_routed(of_class) ? all.trained_routed : all.trained) += elements;
    });
    return all;
  }
 private:
  struct pass_seconds {
    double forward = 0, backward = 0;
  };
  /// Bytes.
  struct moved {
    double read = 0, written = 0, weights = 0, cache = 0;
    double held = 0;  ///< elements of weights
    bool keeps_input = false;
  };
  struct waiting {
    product shape{};
    double bytes = 0, times = 0;
    double columns_again = 0;  ///< of its columns, those that run once more
    bool narrow = false, apart = false, inputs = false, weights = false;
  };

  FLOPLEDGER_INLINE constexpr bool repeats(const device_row& r, bool attention) {
    const bool matrix = r.of_matrix;
    switch (rule_.which) {
      case recompute_rows::attention:
        return attention || matrix;
      case recompute_rows::alternate:
        if (attention || matrix) return false;
        return r.shape.k <= 0 || (++products_ % 2) == 0;
      case recompute_rows::kinds:
        return rule_.kinds.contains(r.kind);
      case recompute_rows::none:
        break;
    }
    return false;
  }

  constexpr void finish() {
    const product_timer& timer = pending_.narrow ? clock_.narrow : clock_.plain;
    const product_times took =
        timer.passes(pending_.shape, pending_.bytes, pending_.apart, pending_.inputs, pending_.weights);
    sum_.forward += pending_.times * took.forward;
    sum_.backward += pending_.times * (took.inputs + took.weights);
    if (pending_.columns_again > 0)
      sum_.again += pending_.times * took.forward * pending_.columns_again / pending_.shape.n;
    pending_.times = 0;
  }

  FLOPLEDGER_INLINE constexpr void multiply(const device_row& r, moved& m, bool again, pass_seconds& one) {
    const degrees& over = clock_.over;
    const execution& how = clock_.how;
    const bool routed = r.kind == operation::expert_projection;
    product local = r.shape;
    if (routed) {
      // Tokens of all ranks meet at the experts of one: fewer experts, each with more tokens.
      const double parted = over.sequence > over.expert_tensor ? over.sequence / over.expert_tensor : 1.0;
      local.batch /= over.expert;
      local.m *= over.expert / over.context / parted;
      (activated_ ? local.k : local.n) /= over.expert_tensor;
    } else {
      if (over.context > 1) local.m /= over.context;
      local.n *= r.cut_out;
      local.k *= r.cut_in;
    }
    const bool narrow = r.kind == operation::projection || routed;
    if (r.kind == operation::router) dispatched_ = false;
    const product_timer& timer = narrow ? clock_.narrow : clock_.plain;
    const double travelling = m.read;  // before any cast
    if (clock_.casts && narrow) {
      const double cast = how.cast_bytes / clock_.width;
      if (m.keeps_input) one.forward += timer.stream(cast * m.read);
      if (clock_.backward) one.backward += timer.stream(cast * m.written);
      if (how.cast_weights) one.forward += timer.stream(how.cast_bytes * m.held);
      m.read *= clock_.shrunk;
      m.weights *= clock_.shrunk;
    }
    if (routed && !dispatched_) {  // by the router before it
      dispatched_ = true;
      const double around = timer.stream(how.expert_passes * travelling) + how.expert_wait.value();
      one.forward += around;
      if (clock_.backward) one.backward += around;
    }
    const bool biased = r.weight_elementwise > 0;
    if (clock_.backward) {
      if (r.trainable) one.backward += timer.move(clock_.accumulated * m.held);
      if (biased) one.backward += timer.move(m.written);
    }
    if (routed && biased && activated_ && how.expert_bias_forward + how.expert_bias_backward > 0) {
      const double outputs = m.written / clock_.width;
      one.forward += timer.stream(how.expert_bias_forward * outputs);
      if (clock_.backward) one.backward += timer.stream(how.expert_bias_backward * outputs);
    }
    // A product of the same input as the one before joins it.
    const bool joins = pending_.times == r.times && !m.keeps_input && pending_.shape.k == local.k &&
                       pending_.shape.m == local.m && pending_.shape.batch == local.batch && pending_.narrow == narrow;
    if (joins) {
      pending_.shape.n += local.n;
      pending_.bytes += m.written + m.weights;
    } else {
      if (pending_.times > 0) finish();
      pending_ = {.shape = local,
                  .bytes = m.read + m.written + m.weights,
                  .times = r.times,
                  .narrow = narrow,
                  .apart = routed && !how.grouped_experts,
                  .inputs = clock_.backward && r.input_products > 0,
                  .weights = clock_.backward && r.trainable && r.weight_products > 0};
    }
    if (again) pending_.columns_again += local.n;
  }

  /// A fused kernel: forward two products, backward five for those two (Dao 2023, section 3.1.2). Each of the two rows
  /// carries its own.
  FLOPLEDGER_INLINE constexpr void attend(const device_row& r, const moved& m, pass_seconds& one) const {
    const double head_dim = r.kind == operation::attention_scores ? r.shape.k : r.shape.n;
    const double square = r.shape.batch * r.shape.m * r.shape.n * r.shape.k;
    const double visible = r.multiplied;
    const bool causal = clock_.how.skips_masked && visible < square;
    const double ramp = causal && clock_.rates.ramp > 0 ? r.shape.m / (r.shape.m + clock_.rates.ramp) : 1.0;
    const double pairs = clock_.how.skips_masked ? visible : square;
    const double moving = clock_.plain.move(m.read + m.written + m.cache);
    if (const attention_curve* curve = clock_.measured.attention_of(causal); curve != nullptr) {
      const double amount = 2 * pairs / (clock_.over.tensor * clock_.over.context);
      const double took = amount * curve->forward_flop(head_dim, r.shape.m);
      one.forward = (took > moving ? took : moving) + clock_.plain.launch() / 2;
      if (clock_.backward)
        one.backward = 2 * amount * curve->backward_flop(head_dim, r.shape.m) + clock_.plain.launch() / 2;
      return;
    }
    const double computing = pairs * clock_.a_flop_of_attention / (clock_.rates.of(head_dim) * ramp);
    one.forward = (computing > moving ? computing : moving) + clock_.plain.launch() / 2;
    if (clock_.backward) one.backward = 2.5 * computing / clock_.rates.backward + clock_.plain.launch() / 2;
  }

  /// Scores and probabilities through memory: whole squares, whatever is masked.
  FLOPLEDGER_INLINE constexpr void attend_explicitly(const device_row& r, double bytes_moved, pass_seconds& one) const {
    product local = r.shape;
    local.batch /= clock_.over.tensor;
    local.m /= clock_.over.context;
    one.forward = clock_.plain(local, bytes_moved);
    if (!clock_.backward) return;
    const bool scores = r.kind == operation::attention_scores;
    const product left{.batch = local.batch, .m = local.m, .n = local.k, .k = local.n};
    const product right{
        .batch = local.batch, .m = scores ? local.n : local.k, .n = scores ? local.k : local.n, .k = local.m};
    one.backward = clock_.plain(left, bytes_moved) + clock_.plain(right, bytes_moved);
  }

  /// What only moves bytes. Its backward reads what the forward read and the gradient of what it wrote, and writes the
  /// gradient of what it read.
  FLOPLEDGER_INLINE constexpr void stream(const device_row& r, const moved& m, pass_seconds& one) const {
    const execution& how = clock_.how;
    if (clock_.fused && r.of_matrix) return;
    double forward = m.read + m.written, backward = 0, passes = 1;
    switch (r.kind) {
      case operation::loss: {
        const double logits = m.read / clock_.width;
        forward = how.loss_bytes * logits * 0.6;
        backward = how.loss_bytes * logits * 0.4;
        break;
      }
      case operation::gather:
        forward += m.weights;
        backward = 2 * m.written + (r.trainable ? clock_.accumulated * m.held : 0.0);
        break;
      case operation::addition:  // backward: the sum of the two gradients where the stream was forked
      case operation::dropout:
        backward = forward;
        break;
      case operation::rotary:
        passes = how.eager_passes;
        backward = forward;
        break;
      case operation::normalization:
      case operation::activation:
        passes = how.eager_passes;
        backward = forward + m.read;
        break;
      case operation::softmax:
        backward = forward + m.written;
        break;
      case operation::recurrence:
        backward = 2 * forward;
        forward += m.cache + m.weights;
        break;
      default:
        backward = forward + m.read;
        forward += m.cache + m.weights;
    }
    one.forward = clock_.plain.stream(passes * forward);
    if (clock_.backward && backward > 0) one.backward = clock_.plain.stream(passes * backward);
  }

  const row_clock& clock_;
  const repeat_rule& rule_;
  block_seconds sum_{};
  held_elements held_{};
  waiting pending_{};
  bool dispatched_ = false;
  bool activated_ = false;  ///< the last row without a product was an activation function: experts' outputs come next
  int products_ = 0;
};

}  // namespace detail

}  // namespace flopledger
