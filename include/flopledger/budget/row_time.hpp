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

/// Rows that run once more in the backward pass, where rows decide it and not whole blocks.
enum class recompute_rows : std::uint8_t {
  none,
  attention,  ///< its core
  alternate,  ///< all but the attention core and every other product
  kinds       ///< those of a set
};

namespace detail {

/// Over how many ranks each kind of split goes.
struct degrees {
  double tensor = 1, sequence = 1, context = 1, expert = 1, expert_tensor = 1;
};

/// Which rows run once more in the backward pass, where that is decided by row.
struct repeat_rule {
  recompute_rows which = recompute_rows::none;
  operation_set kinds{};
};

/// Seconds of rows, and the elements of weights that one device holds.
struct block_seconds {
  double forward = 0, backward = 0;
  double again = 0;  ///< of the forward, what runs once more
  double weights = 0;
  double routed = 0;  ///< of them, experts'
  constexpr void add(const block_seconds& other, double times) {
    forward += times * other.forward;
    backward += times * other.backward;
    again += times * other.again;
    weights += times * other.weights;
    routed += times * other.routed;
  }
};

/// What is the same for all rows of a job, worked out once.
struct row_clock {
  constexpr row_clock(const machine& on, const data_formats& formats, const degrees& over, const execution& how,
                      bool with_backward)
      : rates(on.reached.attention),
        narrow(on, on.peak, how.bursts ? 1.0 : on.reached.sustained),
        plain(on.plain() == on.peak ? narrow : product_timer(on, on.plain(), how.bursts ? 1.0 : on.reached.sustained)),
        a_flop_of_attention(2 / (on.attention_peak.value() * over.tensor * over.context)),
        formats_(formats),
        over_(over),
        how_(how),
        backward(with_backward),
        casts(formats.precision.compute.bits < 16 && formats.precision.activations.bits >= 16),
        fused(formats.kernel == attention_kernel::fused),
        width(formats.precision.activations.bytes_per_element()),
        accumulated(2 * formats.precision.gradients.bytes_per_element()) {
    const recipe& r = formats.precision;
    const auto set = [&](role what, double size) { sizes[static_cast<int>(what)] = size; };
    set(role::activation, width);
    set(role::attention_matrix, fused ? 0.0 : width);
    set(role::mask, 1);
    set(role::statistic, 4);
    set(role::cache, r.kv_cache.bytes_per_element());
    set(role::index, 4);
    matrix = r.weights.bytes_per_element();
    frozen_matrix = r.frozen_weights.bytes_per_element();
    set(role::weight, r.other_weights.bytes_per_element());
    set(role::bias, r.other_weights.bytes_per_element());
    shrunk = r.compute.bytes_per_element() / width;
    const double wider = over.expert_tensor > over.sequence ? over.expert_tensor : over.sequence;
    const double ranks[] = {1, over.tensor, over.sequence, wider};
    for (int i = 0; i < 4; ++i) {
      weight_share[i] = 1 / ranks[i];
      data_share[i] = 1 / (ranks[i] * over.context);
    }
    weight_share[3] = 1 / (over.expert * over.expert_tensor);
  }

  /// Bytes an element of weights.
  constexpr double weight_size(const row& r, const operand& o) const {
    if (formats_.checkpoint != nullptr) return formats_.bytes_of(r, o, 1);
    const bool in_block = r.kind == operation::projection || r.kind == operation::expert_projection;
    if (o.what == role::bias || !in_block) return sizes[static_cast<int>(role::weight)];
    return r.trainable ? matrix : frozen_matrix;
  }

  attention_rates rates;
  product_timer narrow, plain;
  double a_flop_of_attention;
  const data_formats& formats_;
  degrees over_;
  execution how_;
  bool backward, casts, fused;
  double width, accumulated;
  double sizes[9]{};  ///< bytes an element, by role
  double matrix = 0, frozen_matrix = 0, shrunk = 1;
  double weight_share[4]{}, data_share[4]{};  ///< of a whole operand, by its split
};

/// The fold. Rows come in the order in which they run: projections of the same input in a row are one product, as
/// frameworks store them.
class time_fold {
 public:
  constexpr explicit time_fold(const row_clock& clock, const repeat_rule& rule = {}) : clock_(clock), rule_(rule) {}

  constexpr void take(const row& r, std::int64_t times) {
    const auto n = static_cast<double>(times);
    const bool product_row = r.multiplied.value() > 0 && r.shape.k > 0;
    const bool attention = r.kind == operation::attention_scores || r.kind == operation::attention_context;
    const bool again = rule_.which != recompute_rows::none && repeats(r, attention);
    moved m;
    block_seconds one;
    for (const operand& o : r.operands) {
      if (o.what == role::none) break;
      const auto way = static_cast<int>(o.over);
      // Heads beyond the ranks' number are held more than once.
      const bool limited = o.parts > 0 && o.over == split::tensor && clock_.over_.tensor > static_cast<double>(o.parts);
      const double limit = limited ? clock_.over_.tensor / static_cast<double>(o.parts) : 1.0;
      if (o.what == role::weight || o.what == role::bias) {
        const double share = clock_.weight_share[way] * limit;
        one.weights += o.elements * share;
        m.weights += o.read_elements() * share * clock_.weight_size(r, o);
        continue;
      }
      const double size = clock_.sizes[static_cast<int>(o.what)] * clock_.data_share[way] * limit;
      if (o.what == role::cache) {
        m.cache += o.read_elements() * size;
        continue;
      }
      if (o.what == role::activation) {
        if (o.over == split::tensor) (has(o.how, use::read) ? m.cut_in : m.cut_out) = clock_.weight_share[way] * limit;
        if (has(o.how, use::saved_for_weights)) m.keeps_input = true;
      }
      if (has(o.how, use::read)) m.read += o.read_elements() * size;
      if (has(o.how, use::written)) m.written += o.elements * size;
    }
    if (product_row && !attention) {
      multiply(r, m, n, again, one);
      // The product itself is timed when it is known that no other joins it.
      one.again = again ? one.forward : 0.0;
      sum_.add(one, n);
      return;
    }
    if (attention) {
      if (clock_.fused)
        attend(r, m, one);
      else
        attend_explicitly(r, m.read + m.written + m.cache, one);
    } else if (m.read + m.written + m.cache > 0) {
      stream(r, m, one);
    }
    one.again = again ? one.forward : 0.0;
    finish();
    sum_.add(one, n);
  }

  /// The sum, once all rows were taken.
  constexpr block_seconds total() {
    finish();
    return sum_;
  }
 private:
  /// Bytes that a row moves on one device, and how its product is cut.
  struct moved {
    double read = 0, written = 0, weights = 0, cache = 0;
    double cut_in = 1, cut_out = 1;
    bool keeps_input = false;
  };
  struct waiting {
    product shape{};
    double bytes = 0, times = 0;
    double columns_again = 0;  ///< of its columns, those that run once more
    bool narrow = false, apart = false, inputs = false, weights = false;
  };

  constexpr bool repeats(const row& r, bool attention) {
    const bool matrix = r.operands.begin()->what == role::attention_matrix;
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
    if (pending_.times <= 0) return;
    const waiting p = pending_;
    pending_.times = 0;
    const product_timer& timer = p.narrow ? clock_.narrow : clock_.plain;
    const auto time = [&](const product& s) { return p.apart ? timer.each(s, p.bytes) : timer(s, p.bytes); };
    const product& s = p.shape;
    block_seconds one{.forward = time(s)};
    if (p.columns_again > 0) one.again = one.forward * p.columns_again / s.n;
    if (p.inputs) one.backward += time({.batch = s.batch, .m = s.m, .n = s.k, .k = s.n});
    if (p.weights) one.backward += time({.batch = s.batch, .m = s.k, .n = s.n, .k = s.m});
    sum_.add(one, p.times);
  }

  constexpr void multiply(const row& r, moved& m, double times, bool again, block_seconds& one) {
    const degrees& over = clock_.over_;
    const execution& how = clock_.how_;
    const bool routed = r.kind == operation::expert_projection;
    product local = r.shape;
    if (routed) {
      // Tokens of all ranks meet at the experts of one: fewer experts, each with more tokens.
      const double parted = over.sequence > over.expert_tensor ? over.sequence / over.expert_tensor : 1.0;
      local.batch /= over.expert;
      local.m *= over.expert / over.context / parted;
      (r.shape.n > r.shape.k ? local.n : local.k) /= over.expert_tensor;
    } else {
      if (over.context > 1) local.m /= over.context;
      local.n *= m.cut_out;
      local.k *= m.cut_in;
    }
    const bool narrow = r.kind == operation::projection || routed;
    if (r.kind == operation::router) dispatched_ = false;
    const product_timer& timer = narrow ? clock_.narrow : clock_.plain;
    if (clock_.casts && narrow) {
      const double cast = how.cast_bytes / clock_.width;
      if (m.keeps_input) one.forward += timer.stream(cast * m.read);
      if (clock_.backward) one.backward += timer.stream(cast * m.written);
      if (how.cast_weights) one.forward += timer.stream(how.cast_bytes * one.weights);
      m.read *= clock_.shrunk;
      m.weights *= clock_.shrunk;
    }
    if (routed) one.routed = one.weights;
    if (routed && !dispatched_) {  // by the router before it
      dispatched_ = true;
      const double around = timer.stream(how.expert_passes * m.read) + how.expert_wait.value();
      one.forward += around;
      if (clock_.backward) one.backward += around;
    }
    if (clock_.backward) {
      if (r.trainable) one.backward += timer.move(clock_.accumulated * one.weights);
      if (r.backward.weight_elementwise.value() > 0) one.backward += timer.move(m.written);
    }
    // A product of the same input as the one before joins it.
    const bool joins = pending_.times == times && !m.keeps_input && pending_.shape.k == local.k &&
                       pending_.shape.m == local.m && pending_.shape.batch == local.batch && pending_.narrow == narrow;
    if (joins) {
      pending_.shape.n += local.n;
      pending_.bytes += m.written + m.weights;
    } else {
      finish();
      pending_ = {.shape = local,
                  .bytes = m.read + m.written + m.weights,
                  .times = times,
                  .narrow = narrow,
                  .apart = routed && !how.grouped_experts,
                  .inputs = clock_.backward && r.backward.input_products > 0,
                  .weights = clock_.backward && r.trainable && r.backward.weight_products > 0};
    }
    if (again) pending_.columns_again += local.n;
  }

  /// A fused kernel: forward two products, backward five for those two (Dao 2023, section 3.1.2). Each of the two rows
  /// carries its own.
  constexpr void attend(const row& r, const moved& m, block_seconds& one) const {
    const double head_dim = r.kind == operation::attention_scores ? r.shape.k : r.shape.n;
    const double square = r.shape.batch * r.shape.m * r.shape.n * r.shape.k;
    const double visible = r.multiplied.value();
    const bool causal = clock_.how_.skips_masked && visible < square;
    const double ramp = causal && clock_.rates.ramp > 0 ? r.shape.m / (r.shape.m + clock_.rates.ramp) : 1.0;
    const double computing =
        (clock_.how_.skips_masked ? visible : square) * clock_.a_flop_of_attention / (clock_.rates.of(head_dim) * ramp);
    const double moving = clock_.plain.move(m.read + m.written + m.cache);
    one.forward = (computing > moving ? computing : moving) + clock_.plain.launch() / 2;
    if (clock_.backward) one.backward = 2.5 * computing / clock_.rates.backward + clock_.plain.launch() / 2;
  }

  /// Scores and probabilities through memory: whole squares, whatever is masked.
  constexpr void attend_explicitly(const row& r, double bytes_moved, block_seconds& one) const {
    product local = r.shape;
    local.batch /= clock_.over_.tensor;
    local.m /= clock_.over_.context;
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
  constexpr void stream(const row& r, const moved& m, block_seconds& one) const {
    const execution& how = clock_.how_;
    if (clock_.fused && r.operands.begin()->what == role::attention_matrix) return;
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
        backward = 2 * m.written + (r.trainable ? clock_.accumulated * one.weights : 0.0);
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
  repeat_rule rule_;
  block_seconds sum_{};
  waiting pending_{};
  bool dispatched_ = false;
  int products_ = 0;
};

}  // namespace detail

}  // namespace flopledger
