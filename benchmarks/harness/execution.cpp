// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "execution.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "operands.hpp"

namespace harness {
namespace {

using namespace flopledger;

std::int64_t whole(double size) { return static_cast<std::int64_t>(std::llround(size)); }

/// The time model of single rows: nothing joins them, one device has them whole.
class row_clockwork {
 public:
  row_clockwork(const machine& on, const recipe& precision, const execution& how, bool backward)
      : on_(on), precision_(precision), how_(how), backward_(backward) {}

  struct both {
    double forward = 0, backward = 0;
  };
  both of(std::span<const row> rows) const {
    const detail::degrees alone{};
    const detail::row_clock clock(on_, precision_, attention_kernel::fused, alone, how_, backward_);
    const recompute_rule nothing{};
    const detail::device_shares whole_shares(alone);
    detail::time_part timed(clock, nothing);
    detail::device_fold fold(whole_shares, timed);
    for (const row& r : rows) fold.take(r, 1);
    fold.close();
    const detail::block_seconds sum = timed.total();
    return {sum.forward, sum.backward};
  }
 private:
  machine on_;
  recipe precision_;
  execution how_;
  bool backward_;
};

/// A machine on which a byte takes a second and everything else nothing: the time model's seconds are its bytes.
machine byte_counter() {
  machine counting;
  counting.peak = counting.attention_peak = flop_rate::from_value(1e60);
  counting.bandwidth = byte_rate::from_value(1);
  return counting;
}

std::string full_name(const row& r) {
  std::string name(name_of(r.part));
  if (!name.empty()) name += ' ';
  return name += r.name;
}

/// Turns the rows of a group, in their order, into lines.
class line_maker {
 public:
  line_maker(const job& asked, const machines& on) : asked_(asked), on_(on), formats_{.precision = asked.precision} {
    how_.bursts = true;
  }

  /// `times`: how often the group stands in the pass; `in_layer`: it is the layer that is run as a sequence.
  void add(std::span<const entry> rows, double times, bool in_layer) {
    std::vector<row> attention;
    for (const entry& e : rows) {
      const row& r = e.what;
      const double all = times * static_cast<double>(e.times), here = in_layer ? static_cast<double>(e.times) : 0.0;
      if (r.kind == operation::attention_scores) attention.clear();
      if (is_attention_core(r.is())) {
        attention.push_back(r);
        if (r.kind == operation::attention_context) add_attention(attention, all, here);
      } else if (has_data(r)) {
        is_weight_product(r) ? add_product(r, all, here) : add_stream(r, all, here);
      }
    }
  }

  std::vector<line> finish() && {
    std::vector<line> lines = std::move(forward_);
    std::move(backward_.rbegin(), backward_.rend(), std::back_inserter(lines));
    return lines;
  }
 private:
  struct pair_of_lines {
    line forward, backward;
  };

  bool training() const { return asked_.pass.training; }

  /// The lines of rows without their kernels: what the library says of them.
  pair_of_lines described(std::span<const row> rows, number_kind format, const execution& how, double all,
                          double here) const {
    pair_of_lines made;
    line& f = made.forward;
    f = {.name = full_name(rows.front()), .kind = rows.front().kind, .format = format, .times = all};
    f.times_in_layer = here;
    f.rows.assign(rows.begin(), rows.end());
    made.backward = f;
    made.backward.backward = true;
    for (const row& r : rows) {
      f.macs += r.multiplied.value();
      made.backward.macs += backward_macs(r).value();
    }
    const auto bytes = row_clockwork(byte_counter(), asked_.precision, how, training()).of(rows);
    const auto predicted = row_clockwork(on_.predicting, asked_.precision, how, training()).of(rows);
    f.bytes = bytes.forward;
    made.backward.bytes = bytes.backward;
    f.predicted = predicted.forward;
    made.backward.predicted = predicted.backward;
    return made;
  }
  void keep(pair_of_lines&& made) {
    for (line* one : {&made.forward, &made.backward}) {
      if (one->parts.empty()) continue;
      const double peak =
          (one->format == product_format(asked_.precision) ? on_.floor.peak : on_.floor.plain()).value();
      one->floor = std::max(2 * one->macs / peak, one->bytes / on_.floor.bandwidth.value());
      (one->backward ? backward_ : forward_).push_back(std::move(*one));
    }
  }

  void add_product(const row& r, double all, double here) {
    const bool narrow = is_block_product(r.kind);
    const number_kind format = narrow ? product_format(asked_.precision) : plain_format(asked_.precision);
    const row rows[] = {r};
    pair_of_lines made = described(rows, format, how_, all, here);

    product_shape shape{.batch = whole(r.shape.batch),
                        .m = whole(r.shape.m),
                        .n = whole(r.shape.n),
                        .k = whole(r.shape.k),
                        .format = format};
    if (r.shape.m < 1) {
      // Fewer tokens than experts: as many experts as there are tokens, one each.
      shape.batch = std::max<std::int64_t>(1, whole(r.shape.batch * r.shape.m));
      shape.m = 1;
    }
    if (std::fabs(shape.macs() - made.forward.macs) > 0.5)
      made.forward.note = made.backward.note = fmt::format("run as {} products of {} rows", shape.batch, shape.m);
    const auto product = [&](std::string_view what, std::int64_t m, std::int64_t n, std::int64_t k, bool left,
                             bool right) {
      product_shape turned = shape;
      turned.m = m;
      turned.n = n;
      turned.k = k;
      turned.left_transposed = left;
      turned.right_transposed = right;
      return part{.what = what, .shape = turned, .macs = turned.macs()};
    };
    made.forward.parts.push_back(product("product", shape.m, shape.n, shape.k, false, true));
    if (training() && r.backward.input_products > 0)
      made.backward.parts.push_back(product("input gradient", shape.m, shape.k, shape.n, false, false));
    if (training() && r.trainable && r.backward.weight_products > 0)
      made.backward.parts.push_back(product("weight gradient", shape.n, shape.k, shape.m, true, false));

    // What the model lets the product move beside its operands: all bytes, less those of each product.
    execution bare = how_;
    bare.cast_bytes = 0;
    const double operands = row_clockwork(byte_counter(), asked_.precision, bare, false).of(rows).forward;
    add_bytes(made.forward, made.forward.bytes - operands, 0.5, "bytes beside");
    const auto products = static_cast<double>(made.backward.parts.size());
    add_bytes(made.backward, made.backward.bytes - products * operands, 0.5, "bytes beside");
    keep(std::move(made));
  }

  void add_attention(std::span<const row> rows, double all, double here) {
    const row& scores = rows.front();
    const row& context = rows.back();
    pair_of_lines made = described(rows, plain_format(asked_.precision), how_, all, here);
    made.forward.name = full_name({.name = "attention", .part = scores.part});
    made.backward.name = made.forward.name;
    const auto heads_of = [](const row& r, int which) { return std::max(1, r.operands[which].parts); };
    attention_shape shape{.heads = heads_of(scores, 0), .kv_heads = heads_of(scores, 1)};
    shape.batch = std::max<std::int64_t>(1, whole(scores.shape.batch) / shape.heads);
    shape.queries = whole(scores.shape.m);
    shape.keys = whole(scores.shape.n);
    shape.key_dim = whole(scores.shape.k);
    shape.value_dim = whole(context.shape.n);
    shape.format = made.forward.format;
    const double square = scores.shape.batch * scores.shape.m * scores.shape.n;
    const double visible = scores.multiplied.value() / scores.shape.k;
    shape.causal = shape.queries > 1 && visible < square;
    const auto queries = static_cast<double>(shape.queries), keys = static_cast<double>(shape.keys);
    const double pairs = static_cast<double>(shape.batch * shape.heads) *
                         (shape.causal ? queries * (keys - queries) + queries * (queries + 1) / 2 : queries * keys);
    const double executed = pairs * static_cast<double>(shape.key_dim + shape.value_dim);
    if (visible < 0.9 * pairs) made.forward.note = made.backward.note = "run without its window";
    made.forward.parts.push_back({.what = "attention", .shape = shape, .macs = executed});
    // The backward pass moves at least what the forward pass did; the time model lets its products bound it.
    made.backward.bytes = std::max(made.backward.bytes, made.forward.bytes);
    if (training()) {
      shape.backward = true;
      made.backward.parts.push_back({.what = "attention", .shape = shape, .macs = 2 * executed});
    }
    keep(std::move(made));
  }

  void add_stream(const row& r, double all, double here) {
    const row rows[] = {r};
    pair_of_lines made = described(rows, asked_.precision.activations.kind, how_, all, here);
    const movement moved = [&] {
      movement sum;
      const moved_bytes m = moved_by(r, formats_);
      for (const movement& one : {m.weights, m.activations, m.kv_cache, m.other}) sum += one;
      return sum;
    }();
    const double read = moved.total() > bytes{} ? static_cast<double>(moved.read / moved.total()) : 0.5;
    add_bytes(made.forward, made.forward.bytes, read, "bytes");
    add_bytes(made.backward, made.backward.bytes, read, "bytes");
    keep(std::move(made));
  }

  void add_bytes(line& to, double amount, double read, std::string_view what) const {
    if (amount < 0.5) return;
    const number_kind format = asked_.precision.activations.kind;
    const double elements = amount / static_cast<double>(size_of(format));
    to.parts.push_back({.what = what,
                        .shape = stream_shape{.read = std::max<std::int64_t>(1, whole(read * elements)),
                                              .written = std::max<std::int64_t>(1, whole((1 - read) * elements)),
                                              .format = format}});
  }

  const job& asked_;
  const machines& on_;
  data_formats formats_;
  execution how_{};
  std::vector<line> forward_, backward_;
};

}  // namespace

number_kind product_format(const recipe& precision) { return precision.compute.kind; }
number_kind plain_format(const recipe& precision) { return detail::plain_format(precision); }

execution_plan plan_of(const transformer_config& model, const job& asked, const machines& on) {
  transformer_config config = model;
  if (asked.layers > config.stack.layers)
    throw std::invalid_argument(fmt::format("--layers: {} of a model that has {}", asked.layers, config.stack.layers));
  if (asked.layers > 0) config.stack.layers = asked.layers;
  const work pass = config.with_source(asked.pass);
  execution_plan plan{.lines = {}, .layers = config.vision_only ? 0 : config.stack.layers};

  line_maker maker(asked, on);
  std::vector<entry> rows;
  const auto group = [&](double times, bool in_layer, auto&& record) {
    rows.clear();
    stored_in sink{rows};
    record(sink);
    maker.add(rows, times, in_layer);
  };
  group(1, false, [&](auto& sink) { config.record_below(sink, pass); });
  if (!config.vision_only) {
    // Of several kinds of blocks, the one that there are most of is run as a sequence.
    const stack& blocks = config.stack;
    std::vector<std::pair<block_kind, std::int64_t>> present;
    blocks.for_each_kind([&](block_kind kind) {
      if (const std::int64_t count = blocks.count_of(kind, 0, blocks.layers); count > 0)
        present.emplace_back(kind, count);
    });
    const auto most = std::max_element(present.begin(), present.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    for (const auto& [kind, count] : present) {
      const bool in_layer = kind == most->first;
      if (in_layer) plan.layers_of_kind = count;
      group(static_cast<double>(count), in_layer,
            [&, of_kind = kind](auto& sink) { config.record_block(sink, pass, of_kind); });
    }
  }
  group(1, false, [&](auto& sink) { config.record_above(sink, pass); });
  plan.lines = std::move(maker).finish();
  return plan;
}

double ledger_macs(std::span<const line> lines) {
  double sum = 0;
  for (const line& one : lines) sum += one.times * one.macs;
  return sum;
}

}  // namespace harness
