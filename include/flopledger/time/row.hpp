// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Seconds of a row: forward and backward on one device of a group that shares the model.

#include <flopledger/parallel/device_rows.hpp>
#include <flopledger/parallel/recompute.hpp>
#include <flopledger/time/attention.hpp>
#include <flopledger/time/execution.hpp>
#include <flopledger/time/product.hpp>

namespace flopledger::detail {

/// Seconds of rows, and the weights that one device holds. Routed experts' are apart, for their data-parallel ranks are
/// others.
struct block_seconds {
  double forward = 0, backward = 0;
  double again = 0;                        ///< of the forward, what runs once more
  double launches = 0;                     ///< operations of the forward
  double weights = 0, routed = 0;          ///< bytes, as a pass gathers them: at most the activations' format
  double trained = 0, trained_routed = 0;  ///< elements
  constexpr void add(const block_seconds& other, double times) {
    forward += times * other.forward;
    backward += times * other.backward;
    again += times * other.again;
    launches += times * other.launches;
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
      : attention(on),
        narrow(on, on.peak, as.bursts ? 1.0 : on.reached.sustained),
        plain(on.plain() == on.peak ? narrow : product_timer(on, on.plain(), as.bursts ? 1.0 : on.reached.sustained)),
        heads_and_queries(ranks.tensor * ranks.context),
        over(ranks),
        how(as),
        backward(with_backward),
        casts(r.compute.bits < 16 && r.activations.bits >= 16),
        fused(kernel == attention_kernel::fused),
        width(r.activations.bytes_per_element()),
        accumulated(2 * r.gradients.bytes_per_element()),
        shrunk(r.compute.bytes_per_element() / width),
        cast_weight(r.compute.bytes_per_element()),
        precision(r),
        checkpoint(stored),
        sizes(r, kernel) {
    weight_sizes[0] = weight_sizes[1] = r.other_weights.bytes_per_element();
    weight_sizes[2] = r.weights.bytes_per_element();
    weight_sizes[3] = r.frozen().bytes_per_element();
  }

  /// Bytes an element of weights in the checkpoint.
  constexpr double stored(const row& r, const operand& o) const {
    return data_formats{.precision = precision, .checkpoint = checkpoint}.bytes_of(
        r, operand{.what = o.what, .elements = 1}, 1);
  }

  attention_timer attention;
  product_timer narrow, plain;
  double heads_and_queries;  ///< ranks that share them
  const degrees& over;
  const execution& how;
  bool backward, casts, fused;
  double width, accumulated, shrunk;
  double cast_weight;  ///< bytes an element of a matrix that was cast
  const recipe& precision;
  const weight_storage* checkpoint;
  role_bytes sizes;          ///< of an element of data
  double weight_sizes[4]{};  ///< by class
};

/// What a `device_fold` makes of rows.
class time_part {
 public:
  constexpr explicit time_part(const row_clock& clock, const recompute_rule& again) : clock_(clock), again_(again) {}

  /// Of one row, on one device.
  struct seen {
    double weights = 0;            ///< bytes
    double used = 0;               ///< elements of them
    double read = 0, written = 0;  ///< of what is no activation
    double cache = 0;
    double columns = 0, columns_again = 0;  ///< of a product: all, and those that run once more
    constexpr void join(const seen& other) {
      weights += other.weights;
      used += other.used;
      columns += other.columns;
      columns_again += other.columns_again;
    }
  };

  constexpr void open() const {}
  constexpr void weight(seen& mine, const device_row& here, const row& r, const operand& o, int of_class,
                        double elements, double read) {
    held_.add(of_class, here.times * elements);
    double size = clock_.checkpoint == nullptr ? clock_.weight_sizes[of_class & 3] : clock_.stored(r, o);
    // A cast narrows what is wider; what is held in as few bits is read as it is.
    if (clock_.casts && is_block_product(r.kind) && o.what == role::weight && size > clock_.cast_weight)
      size = clock_.cast_weight;
    mine.weights += read * size;
    mine.used += read;
  }
  constexpr void data(seen& mine, const device_row& here, const device_data& one) const {
    if (one.what == role::activation) {
      if (!has(one.how, use::written)) return;
      mine.columns = here.shape.n;
      if (runs_again(again_, here.is)) mine.columns_again = here.shape.n;
      return;
    }
    const double size = clock_.sizes[one.what];
    if (outlives_pass(one.what)) {
      mine.cache += one.read * size;
      return;
    }
    if (has(one.how, use::read)) mine.read += one.read * size;
    if (has(one.how, use::written)) mine.written += one.elements * size;
  }
  constexpr void close(const seen& mine, const device_row& r) {
    moved m{.read = r.read * clock_.width + mine.read,
            .written = r.written * clock_.width + mine.written,
            .weights = mine.weights,
            .cache = mine.cache,
            .held = r.held,
            .used = mine.used};
    const operation kind = r.is.kind;
    pass_seconds one;
    double again = runs_again(again_, r.is) ? 1 : 0;  // of the forward pass, a share
    if (is_attention_product(kind)) {
      if (clock_.fused)
        attend(r, m, one);
      else
        attend_explicitly(r, m.read + m.written + m.cache, one);
    } else if (kind == operation::dispatch) {
      dispatch(r, one);
    } else if (r.shape.k > 0 && r.multiplied > 0) {
      if (r.is.nth_joined > 0) again = mine.columns_again / mine.columns;
      multiply(r, m, one);
    } else if (m.read + m.written + m.cache > 0) {
      stream(r, m, one);
    }
    if (one.forward > 0) sum_.launches += r.times * (clock_.fused && is_attention_product(kind) ? 0.5 : 1.0);
    sum_.forward += r.times * one.forward;
    sum_.backward += r.times * one.backward;
    sum_.again += r.times * again * one.forward;
  }

  /// The sum, once all rows were taken.
  constexpr block_seconds total() const {
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
    double held = 0, used = 0;  ///< elements of weights
  };

  constexpr void multiply(const device_row& r, moved& m, pass_seconds& one) const {
    const execution& how = clock_.how;
    const bool narrow = is_block_product(r.is.kind), routed = r.is.kind == operation::expert_projection;
    const product_timer& timer = narrow ? clock_.narrow : clock_.plain;
    if (clock_.casts && narrow) {
      if (how.cast_bytes > 0) one.forward += timer.stream(how.cast_bytes / clock_.width * m.read);
      if (clock_.backward) one.backward += timer.stream(how.cast_bytes / clock_.width * m.written);
      if (how.cast_weights) one.forward += timer.stream(how.cast_bytes * m.held);
      m.read *= clock_.shrunk;
    }
    const bool biased = r.weight_elementwise > 0;
    if (clock_.backward) {
      if (r.trainable) one.backward += timer.move(clock_.accumulated * m.held);
      if (biased) one.backward += timer.move(m.written);
    }
    if (biased && routed && r.is.where.at == position::down && how.expert_bias_forward + how.expert_bias_backward > 0) {
      const double outputs = m.written / clock_.width;
      one.forward += timer.stream(how.expert_bias_forward * outputs);
      if (clock_.backward) one.backward += timer.stream(how.expert_bias_backward * outputs);
    }
    const product_times took =
        timer.passes(local_shape(r, m.held > 0 ? m.used / m.held : 1.0), m.read + m.written + m.weights,
                     routed && !how.grouped_experts, clock_.backward && r.input_products > 0,
                     clock_.backward && r.trainable && r.weight_products > 0);
    one.forward += took.forward;
    one.backward += took.inputs + took.weights;
  }
  /// `reached`: of the experts, those that some token goes to.
  constexpr product local_shape(const device_row& r, double reached) const {
    const degrees& over = clock_.over;
    product local = r.shape;
    if (r.is.kind == operation::expert_projection) {
      // Tokens of all ranks meet at the experts of one: fewer experts, each with more tokens.
      const double parted = over.sequence > over.expert_tensor ? over.sequence / over.expert_tensor : 1.0;
      local.batch *= reached / over.expert;
      local.m *= (over.same_tokens ? 1.0 : over.expert) / over.context / parted / reached;
      (r.is.where.at == position::down ? local.k : local.n) /= over.expert_tensor;
      return local;
    }
    if (over.context > 1) local.m /= over.context;
    local.n *= r.cut_out;
    local.k *= r.cut_in;
    return local;
  }

  /// Experts' tokens, brought into the experts' order and back.
  constexpr void dispatch(const device_row& r, pass_seconds& one) const {
    const execution& how = clock_.how;
    one.forward = clock_.narrow.stream(how.expert_passes * clock_.width * r.sent) + how.expert_wait.value();
    if (clock_.backward) one.backward = one.forward;
  }

  /// A fused kernel. Each of its two rows carries its own product.
  constexpr void attend(const device_row& r, const moved& m, pass_seconds& one) const {
    const double head_dim = r.is.kind == operation::attention_scores ? r.shape.k : r.shape.n;
    const double square = r.shape.batch * r.shape.m * r.shape.n * r.shape.k;
    const double visible = r.multiplied, queries = r.shape.m;
    const bool causal = clock_.how.skips_masked && visible < square;
    // One query has no diagonal.
    const double diagonal = causal && queries > 1 ? r.shape.batch * head_dim * queries * (queries + 1) / 2 : 0.0;
    const double amount = 2 * r.computed * (clock_.how.skips_masked ? visible : square) / clock_.heads_and_queries;
    const attention_times took =
        clock_.attention.product(amount, clock_.plain.move(m.read + m.written + m.cache), head_dim, queries, causal,
                                 visible > 0 ? diagonal / visible : 0.0);
    one.forward = took.forward;
    if (clock_.backward) one.backward = took.backward;
  }

  /// Scores and probabilities through memory: whole squares, whatever is masked.
  constexpr void attend_explicitly(const device_row& r, double bytes_moved, pass_seconds& one) const {
    product local = r.shape;
    local.batch /= clock_.over.tensor;
    local.m /= clock_.over.context;
    one.forward = clock_.plain(local, bytes_moved);
    if (!clock_.backward) return;
    const bool scores = r.is.kind == operation::attention_scores;
    const product left{.batch = local.batch, .m = local.m, .n = local.k, .k = local.n};
    const product right{
        .batch = local.batch, .m = scores ? local.n : local.k, .n = scores ? local.k : local.n, .k = local.m};
    one.backward = clock_.plain(left, bytes_moved) + clock_.plain(right, bytes_moved);
  }

  /// What only moves bytes. Its backward reads what the forward read and the gradient of what it wrote, and writes the
  /// gradient of what it read.
  constexpr void stream(const device_row& r, const moved& m, pass_seconds& one) const {
    const execution& how = clock_.how;
    if (clock_.fused && r.of_matrix) return;
    double forward = m.read + m.written, backward = 0, passes = 1;
    switch (r.is.kind) {
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
  const recompute_rule& again_;
  block_seconds sum_{};
  held_elements held_{};
};

}  // namespace flopledger::detail
