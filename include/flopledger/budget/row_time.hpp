// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Seconds of a row: forward and backward on one device of a group that shares the model.

#include <flopledger/budget/operation_time.hpp>

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

namespace detail {

/// Over how many ranks each kind of split goes.
struct degrees {
  double tensor = 1, sequence = 1, context = 1, expert = 1, expert_tensor = 1;

  constexpr double of(const operand& o) const {
    switch (o.over) {
      case split::replicated:
        return 1;
      case split::tensor:
        return o.parts > 0 && tensor > static_cast<double>(o.parts) ? static_cast<double>(o.parts) : tensor;
      case split::sequence:
        return sequence;
      case split::expert:
        if (o.what == role::weight || o.what == role::bias) return expert * expert_tensor;
        return expert_tensor > sequence ? expert_tensor : sequence;
    }
    return 1;
  }
};

struct row_seconds {
  double forward = 0, backward = 0;
  double weights = 0;  ///< elements that one device holds
  constexpr void add(const row_seconds& more) {
    forward += more.forward;
    backward += more.backward;
    weights += more.weights;
  }
};

/// Times rows. Rows come in the order in which they run: projections of the same input in a row are one product, as
/// frameworks store them.
class row_timer {
 public:
  constexpr row_timer(const machine& on, const data_formats& formats, const degrees& over, const execution& how,
                      bool with_backward)
      : reached_(on.reached),
        narrow_(on, on.peak, how.bursts ? 1.0 : on.reached.sustained),
        plain_(on, on.plain(), how.bursts ? 1.0 : on.reached.sustained),
        attention_peak_(on.attention_peak.value()),
        formats_(formats),
        over_(over),
        how_(how),
        with_backward_(with_backward),
        casts_(formats.precision.compute.bits < 16 && formats.precision.activations.bits >= 16),
        width_(formats.precision.activations.bytes_per_element()),
        accumulated_(2 * formats.precision.gradients.bytes_per_element()) {}

  const degrees& over() const { return over_; }

  /// The seconds that a row adds to what came before it: those of a product that takes it in are counted once.
  constexpr row_seconds take(const row& r) {
    row_seconds one;
    const bool product_row = r.multiplied.value() > 0 && r.shape.k > 0;
    const bool attention = r.kind == operation::attention_scores || r.kind == operation::attention_context;
    double read = 0, written = 0, weights = 0, cut_in = 1, cut_out = 1, cache = 0;
    bool keeps_input = false, frozen = !r.trainable;
    for (const operand& o : r.operands) {
      if (o.what == role::none) break;
      const double ranks = over_.of(o);
      if (o.what == role::weight || o.what == role::bias) {
        one.weights += o.elements / ranks;
        weights += formats_.bytes_of(r, o, o.read_elements()) / ranks;
        continue;
      }
      if (o.what == role::cache) {
        cache += formats_.bytes_of(r, o, o.read_elements()) / ranks / over_.context;
        continue;
      }
      if (o.what == role::activation && o.over == split::tensor) (has(o.how, use::read) ? cut_in : cut_out) = ranks;
      if (has(o.how, use::saved_for_weights) && o.what == role::activation) keeps_input = true;
      if (has(o.how, use::read)) read += formats_.bytes_of(r, o, o.read_elements()) / ranks / over_.context;
      if (has(o.how, use::written)) written += formats_.bytes_of(r, o, o.elements) / ranks / over_.context;
    }
    if (attention) {
      last_ = {};
      if (formats_.kernel == attention_kernel::fused)
        attend(r, read, written, cache, one);
      else
        attend_explicitly(r, read + written + cache, one);
    } else if (product_row) {
      multiply(r, cut_in, cut_out, read, written, weights, keeps_input, frozen, one);
    } else {
      last_ = {};
      if (read + written + cache > 0) stream(r, read, written, cache, weights, frozen, one);
    }
    return one;
  }
 private:
  struct merged {
    product shape{};
    double read = 0, written = 0, weights = 0;
    double forward = 0, backward = 0;
    bool narrow = false;
  };

  constexpr void multiply(const row& r, double cut_in, double cut_out, double read, double written, double weights,
                          bool keeps_input, bool frozen, row_seconds& one) {
    const bool routed = r.kind == operation::expert_projection;
    product local = r.shape;
    if (routed) {
      // Tokens of all ranks meet at the experts of one: fewer experts, each with more tokens.
      const double parted = over_.sequence > over_.expert_tensor ? over_.sequence / over_.expert_tensor : 1.0;
      local.batch /= over_.expert;
      local.m *= over_.expert / over_.context / parted;
      (r.shape.n > r.shape.k ? local.n : local.k) /= over_.expert_tensor;
    } else {
      local.m /= over_.context;
      local.n /= cut_out;
      local.k /= cut_in;
    }
    const bool narrow = r.kind == operation::projection || routed;
    if (r.kind == operation::router) dispatched_ = false;
    const product_timer& timer = narrow ? narrow_ : plain_;
    if (casts_ && narrow) {
      const double shrunk = formats_.precision.compute.bytes_per_element() / width_;
      if (keeps_input) one.forward += narrow_.stream(how_.cast_bytes / width_ * read);
      if (with_backward_) one.backward += narrow_.stream(how_.cast_bytes / width_ * written);
      if (how_.cast_weights) one.forward += narrow_.stream(how_.cast_bytes * one.weights);
      read *= shrunk;
      weights *= shrunk;
    }
    if (routed && !dispatched_) {  // by the router before it
      dispatched_ = true;
      const double around = narrow_.stream(how_.expert_passes * read) + how_.expert_wait.value();
      one.forward += around;
      if (with_backward_) one.backward += around;
    }
    // A product of the same input as the one before joins it.
    const bool joins = !keeps_input && last_.shape.k == local.k && last_.shape.m == local.m &&
                       last_.shape.batch == local.batch && last_.narrow == narrow && last_.shape.n > 0;
    merged all{.shape = local, .read = read, .written = written, .weights = weights, .narrow = narrow};
    double before_forward = 0, before_backward = 0;
    if (joins) {
      all.shape.n += last_.shape.n;
      all.written += last_.written;
      all.weights += last_.weights;
      before_forward = last_.forward;
      before_backward = last_.backward;
    }
    const double moved = all.read + all.written + all.weights;
    const bool apart = routed && !how_.grouped_experts;
    const auto time = [&](const product& s) { return apart ? timer.each(s, moved) : timer(s, moved); };
    all.forward = time(all.shape);
    one.forward += all.forward - before_forward;
    if (with_backward_) {
      const product& s = all.shape;
      if (r.backward.input_products > 0) all.backward += time({.batch = s.batch, .m = s.m, .n = s.k, .k = s.n});
      if (!frozen && r.backward.weight_products > 0)
        all.backward += time({.batch = s.batch, .m = s.k, .n = s.n, .k = s.m});
      one.backward += all.backward - before_backward;
      if (!frozen) one.backward += timer.move(accumulated_ * one.weights);
      if (r.backward.weight_elementwise.value() > 0) one.backward += timer.move(written);
    }
    last_ = all;
  }

  /// A fused kernel: forward two products, backward five for those two (Dao 2023, section 3.1.2). Each of the two rows
  /// carries its own.
  constexpr void attend(const row& r, double read, double written, double cache, row_seconds& one) const {
    const bool scores = r.kind == operation::attention_scores;
    const double head_dim = scores ? r.shape.k : r.shape.n;
    const double square = r.shape.batch * r.shape.m * r.shape.n * r.shape.k;
    const double visible = r.multiplied.value();
    const bool causal = how_.skips_masked && visible < square;
    const attention_rates& rates = reached_.attention;
    const double ramp = causal && rates.ramp > 0 ? r.shape.m / (r.shape.m + rates.ramp) : 1.0;
    const double computing = 2 * (how_.skips_masked ? visible : square) / over_.tensor / over_.context /
                             (attention_peak_ * rates.of(head_dim) * ramp);
    const double moving = plain_.move(read + written + cache);
    one.forward = (computing > moving ? computing : moving) + plain_.launch() / 2;
    if (with_backward_) one.backward = 2.5 * computing / rates.backward + plain_.launch() / 2;
  }

  /// Scores and probabilities through memory: whole squares, whatever is masked.
  constexpr void attend_explicitly(const row& r, double moved, row_seconds& one) const {
    product local = r.shape;
    local.batch /= over_.tensor;
    local.m /= over_.context;
    one.forward = plain_(local, moved);
    if (!with_backward_) return;
    const bool scores = r.kind == operation::attention_scores;
    const product left{.batch = local.batch, .m = local.m, .n = local.k, .k = local.n};
    const product right{
        .batch = local.batch, .m = scores ? local.n : local.k, .n = scores ? local.k : local.n, .k = local.m};
    one.backward = plain_(left, moved) + plain_(right, moved);
  }

  /// What only moves bytes. Its backward reads what the forward read and the gradient of what it wrote, and writes the
  /// gradient of what it read.
  constexpr void stream(const row& r, double read, double written, double cache, double weights, bool frozen,
                        row_seconds& one) const {
    const bool inside = r.operands.begin()->what == role::attention_matrix;
    if (inside && formats_.kernel == attention_kernel::fused) return;
    double forward = read + written, backward = 0, passes = 1;
    switch (r.kind) {
      case operation::loss: {
        const double logits = read / width_;
        forward = how_.loss_bytes * logits * 0.6;
        backward = how_.loss_bytes * logits * 0.4;
        break;
      }
      case operation::gather:
        forward += weights;
        backward = 2 * written + (frozen ? 0.0 : accumulated_ * one.weights);
        break;
      case operation::addition:
      case operation::dropout:
        // Of an addition, the sum of the two gradients where the stream was forked.
        backward = read + written;
        break;
      case operation::rotary:
        passes = how_.eager_passes;
        backward = read + written;
        break;
      case operation::normalization:
      case operation::activation:
        passes = how_.eager_passes;
        backward = 2 * read + written;
        break;
      case operation::softmax:
        backward = read + 2 * written;
        break;
      case operation::recurrence:
        forward += cache + weights;
        backward = 2 * (read + written);
        break;
      default:
        forward += cache + weights;
        backward = 2 * read + written;
    }
    one.forward = plain_.stream(passes * forward);
    if (with_backward_ && backward > 0) one.backward = plain_.stream(passes * backward);
  }

  const efficiency& reached_;
  product_timer narrow_, plain_;
  double attention_peak_ = 0;
  data_formats formats_;
  degrees over_;
  execution how_;
  bool with_backward_ = false, casts_ = false;
  double width_ = 2, accumulated_ = 0;
  merged last_{};
  bool dispatched_ = false;
};

}  // namespace detail

}  // namespace flopledger
