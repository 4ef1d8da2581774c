// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A profile joined to the ledger: which rows took which time, which were not seen, and what no row explains.
///
/// Matrix products with shapes are joined by their sizes, exactly; everything else by kind, as the table of names has
/// it. What joins to nothing is the remainder, and stays in sight.

#include <flopledger/profile/recording.hpp>
#include <flopledger/profile/rules.hpp>
#include <flopledger/stable_order.hpp>
#include <flopledger/time/roofline.hpp>
#include <flopledger/utilisation.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace flopledger::profile {

/// What the profile is of.
struct asked_of_profile {
  bool backward = false;  ///< forward and backward pass, or the forward pass alone
  double steps = 1;
  data_formats formats{};
  machine_rates on{};  ///< none, peak 0: then there are neither floors nor utilisation
  double devices = 1;  ///< that share the work

  bool has_rates() const { return on.peak.value() > 0 && on.bandwidth.value() > 0; }
};

/// How a row of the ledger was found in the profile.
enum class finding : std::uint8_t {
  by_shape,    ///< as often as the ledger has it
  partly,      ///< by its shape, but less often
  more_often,  ///< by its shape, and more often: recomputed, or padded calls of the same size
  by_kind,     ///< time of its kind is there; which row it was the profile does not say
  fused,       ///< inside a fused attention kernel
  not_seen,
  nothing_to_see  ///< the row computes nothing that a profile shows
};
constexpr std::string_view name_of(finding how) {
  constexpr std::string_view names[] = {"by shape", "partly", "more often", "by kind", "fused", "not seen", "nothing"};
  return names[static_cast<int>(how)];
}

/// A row of the ledger and what the profile has of it, over all steps.
struct row_finding {
  entry what;
  finding how = finding::nothing_to_see;
  double expected_calls = 0, seen_calls = 0;  ///< of its products, forward and backward
  flops expected{}, seen{};                   ///< of its products
  seconds took{};                             ///< of products that have its shape; shared where rows are alike
  seconds floor{};                            ///< by the roofline; 0: none
};

/// Time of one kind of activity.
struct activity_time {
  activity what = activity::unknown;
  seconds took{};
  double share = 0;  ///< of all time in operators or kernels
  double calls = 0;
  bool explained = false;  ///< rows of the ledger stand for it
  seconds floor{};         ///< of those rows, by the roofline; 0: none
};

/// Names that no row explains.
struct stray {
  std::string name;
  activity what = activity::unknown;
  product shape{};
  double calls = 0;
  seconds took{};
};

struct reconciliation {
  std::string tool;
  measured_on basis =
      measured_on::device;  ///< where the times below were spent: on the device, where the profile shows one
  bool has_shapes = false;
  double steps = 1, devices = 1;
  std::vector<activity_time> activities;  ///< longest first; their shares sum to 1
  std::vector<row_finding> rows;
  std::vector<stray> strays;  ///< longest first

  seconds total{};       ///< in operators or kernels
  seconds explained{};   ///< of it, in what rows stand for
  seconds known{};       ///< in what is known, and in no ledger: communication, copies, the optimizer, the framework
  seconds mismatched{};  ///< in matrix products of sizes that the ledger does not have
  seconds unnamed{};     ///< in names that no rule has
  seconds host{};        ///< beside it on the host, where the basis is the device

  flops expected{};                ///< products of the ledger
  flops matched{};                 ///< of them, found by shape
  flops shaped{};                  ///< of all products with shapes, found or not
  std::optional<flops> counted{};  ///< by the profiler itself

  std::optional<seconds> elapsed{};                                  ///< all steps, on the clock
  std::optional<double> idle, communication, exposed_communication;  ///< shares of it
  std::optional<flop_rate> achieved{};                               ///< products of the ledger over it
  std::optional<double> mfu{};

  /// Share of time that rows of the ledger explain.
  double coverage() const { return total.value() > 0 ? explained.value() / total.value() : 0.0; }
  /// Share of the ledger's product FLOPs that was found by shape.
  double product_coverage() const { return expected.value() > 0 ? matched.value() / expected.value() : 0.0; }
  /// Share of time that no row explains.
  double remainder() const { return 1 - coverage(); }
};

namespace detail {

/// A product whichever way round it is computed: its two outer sizes in order, and the inner one.
using size_key = std::array<double, 4>;
inline size_key key_of(const product& p) { return {p.batch, std::min(p.m, p.n), std::max(p.m, p.n), p.k}; }
/// The three products of a row: forward, for the gradient of its left side, for that of its right side.
inline product left_gradient(const product& p) { return {.batch = p.batch, .m = p.m, .n = p.k, .k = p.n}; }
inline product right_gradient(const product& p) { return {.batch = p.batch, .m = p.k, .n = p.n, .k = p.m}; }

/// A product that runs: with weights, or between tokens.
constexpr bool is_product(const row& r) {
  return is_weight_product(r) || (is_attention_product(r.kind) && r.shape.batch > 0);
}
constexpr bool needs_left(const row& r) { return r.backward.input_products >= 1; }
constexpr bool needs_right(const row& r) {
  return r.backward.input_products >= 2 || (r.trainable && r.backward.weight_products >= 1);
}

class joiner {
 public:
  joiner(std::vector<row_finding>& rows, const recording& seen, measured_on basis, const asked_of_profile& asked)
      : rows_(rows), asked_(asked) {
    std::map<size_key, double> calls;
    for (const sample& s : seen.samples)
      if (s.where == basis && s.shape.batch > 0) calls[key_of(s.shape)] += s.calls;
    std::map<size_key, std::vector<candidate>> alone;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (is_product(rows_[i].what.what)) list(alone, {i}, rows_[i].what.what.shape);
    // Frameworks store projections of one input as one matrix: query, key and value, or gate and up.
    std::vector<bool> joined(rows_.size(), false);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      std::vector<std::size_t> group{i};
      product together = rows_[i].what.what.shape;
      if (joined[i] || !is_product(rows_[i].what.what)) continue;
      for (std::size_t j = i + 1; j < rows_.size(); ++j) {
        if (!runs_with(rows_[i], rows_[j])) continue;
        group.push_back(j);
        together.n += rows_[j].what.what.shape.n;
      }
      if (group.size() < 2) continue;
      // Seen more often than rows of that size by themselves would be.
      const size_key key = key_of(together);
      double own = 0;
      if (const auto same = alone.find(key); same != alone.end())
        for (const candidate& c : same->second) own += c.calls;
      if (const auto found = calls.find(key); found != calls.end() && found->second > own) {
        list(candidates_, group, together);
        for (const std::size_t member : group) joined[member] = true;
      }
    }
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (is_product(rows_[i].what.what) && !joined[i]) list(candidates_, {i}, rows_[i].what.what.shape);
  }

  /// Gives a sample's time to the rows that have its shape; false where none has.
  bool join(const sample& s) {
    const auto found = candidates_.find(key_of(s.shape));
    std::vector<const candidate*> able;
    if (found != candidates_.end()) {
      for (const candidate& c : found->second)
        if (s.when == phase::unknown || c.when == s.when) able.push_back(&c);
      // A forward product within the backward pass is recomputed.
      if (able.empty())
        for (const candidate& c : found->second) able.push_back(&c);
    }
    std::vector<candidate> of_experts;
    if (able.empty()) {
      of_experts = expert_candidates(s);
      for (const candidate& c : of_experts) able.push_back(&c);
    }
    double all = 0;
    for (const candidate* c : able) all += c->calls;
    if (all <= 0) return false;
    const double work = 2 * s.shape.batch * s.shape.m * s.shape.n * s.shape.k * s.calls;
    for (const candidate* c : able) {
      double columns = 0;
      for (const std::size_t i : c->rows) columns += rows_[i].what.what.shape.n;
      for (const std::size_t i : c->rows) {
        const double part = c->calls / all * rows_[i].what.what.shape.n / columns;
        rows_[i].took += part * s.self * unit::second;
        rows_[i].seen += part * work * unit::flop;
        rows_[i].seen_calls += c->calls / all * s.calls;
      }
    }
    return true;
  }
 private:
  struct candidate {
    std::vector<std::size_t> rows;
    phase when = phase::forward;
    double calls = 0;
  };

  void list(std::map<size_key, std::vector<candidate>>& into, const std::vector<std::size_t>& rows,
            const product& shape) const {
    const row& r = rows_[rows.front()].what.what;
    const double calls = static_cast<double>(rows_[rows.front()].what.times) * asked_.steps;
    into[key_of(shape)].push_back({rows, phase::forward, calls});
    if (!asked_.backward) return;
    if (needs_left(r)) into[key_of(left_gradient(shape))].push_back({rows, phase::backward, calls});
    if (needs_right(r)) into[key_of(right_gradient(shape))].push_back({rows, phase::backward, calls});
  }

  /// Of one block, and by their numbers one product.
  static bool runs_with(const row_finding& first, const row_finding& next) {
    const row &a = first.what.what, &b = next.what.what;
    return a.nth_joined > 0 && a.nth_joined == b.nth_joined && a.nth_product < b.nth_product && a.part == b.part &&
           a.block == b.block && first.what.times == next.what.times;
  }

  /// How many tokens an expert gets the router decides: two of the three sizes are the row's.
  std::vector<candidate> expert_candidates(const sample& s) const {
    std::vector<candidate> able;
    const size_key key = key_of(s.shape);
    const auto fits = [&](double outer, double inner) {
      return key[3] == inner && (key[1] == outer || key[2] == outer);
    };
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const row& r = rows_[i].what.what;
      if (r.kind != operation::expert_projection) continue;
      const double calls = static_cast<double>(rows_[i].what.times) * asked_.steps * r.shape.batch;
      const bool weights = key[1] == std::min(r.shape.n, r.shape.k) && key[2] == std::max(r.shape.n, r.shape.k);
      if (s.when != phase::backward && fits(r.shape.n, r.shape.k)) able.push_back({{i}, phase::forward, calls});
      if (!asked_.backward || s.when == phase::forward) continue;
      if (fits(r.shape.k, r.shape.n)) able.push_back({{i}, phase::backward, calls});
      if (weights) able.push_back({{i}, phase::backward, calls});
    }
    return able;
  }

  std::vector<row_finding>& rows_;
  const asked_of_profile& asked_;
  std::map<size_key, std::vector<candidate>> candidates_;
};

/// The least seconds of one row by the roofline. Each product of the backward pass takes as long as the forward's, for
/// it reads and writes the same three matrices in other roles; what only moves bytes moves their gradients backward.
inline seconds floor_of_row(const entry& e, const asked_of_profile& asked) {
  if (!has_data(e.what)) return {};
  const row& r = e.what;
  const seconds forward = floor_of(r, asked.formats, asked.on).longer();
  double passes = 1;
  if (asked.backward)
    passes += is_product(r) ? r.backward.input_products + (r.trainable ? r.backward.weight_products : 0.0) : 1.0;
  return passes * static_cast<double>(e.times) * asked.steps * forward;
}

/// FLOPs in whatever format the job computes in: work and peak of one reconciliation are of the same.
struct of_the_recipe;

}  // namespace detail

/// Joins a profile to the rows of a pass. Throws `impossible_utilisation` where the model would have run faster than
/// the device's peak: then steps, batch or pass are not those of the profile.
inline reconciliation reconcile(const recording& seen, const std::vector<entry>& ledger, const asked_of_profile& asked,
                                const rules& names = {}) {
  reconciliation all;
  all.tool = seen.tool;
  all.steps = asked.steps;
  all.devices = asked.devices;
  all.basis = seen.has(measured_on::device) || !seen.has(measured_on::host) ? measured_on::device : measured_on::host;

  for (const entry& e : ledger) {
    row_finding one{.what = e};
    const row& r = e.what;
    if (detail::is_product(r)) {
      const double products =
          1 + (asked.backward ? (detail::needs_left(r) ? 1.0 : 0.0) + (detail::needs_right(r) ? 1.0 : 0.0) : 0.0);
      one.expected_calls = static_cast<double>(e.times) * asked.steps * products;
      const macs multiplied = r.multiplied + (asked.backward ? backward_macs(r) : macs{});
      one.expected = static_cast<double>(e.times) * asked.steps * flops_per_mac * multiplied;
      all.expected += one.expected;
    }
    all.rows.push_back(one);
  }

  // Time by activity, and products by shape
  std::array<double, activity_count> took{}, calls{}, explained{};
  detail::joiner joiner(all.rows, seen, all.basis, asked);
  operation_set in_ledger;
  for (const entry& e : ledger)
    if (has_data(e.what)) in_ledger.bits_of_kinds |= operation_set{e.what.kind}.bits_of_kinds;
  for (const sample& s : seen.samples) {
    if (seen.has_flops && s.flops > 0) all.counted = all.counted.value_or(flops{}) + s.flops * unit::flop;
    if (s.where != all.basis) {
      all.host += s.self * unit::second;
      continue;
    }
    activity what = names.of(s.name);
    if (s.when == phase::optimizer && what != activity::communication && what != activity::product)
      what = activity::optimizer;
    const auto at = static_cast<std::size_t>(what);
    took[at] += s.self;
    calls[at] += s.calls;
    all.total += s.self * unit::second;
    bool stands_for_it = (carried_out_by(what).bits_of_kinds & in_ledger.bits_of_kinds) != 0;
    bool is_stray = !stands_for_it && what == activity::unknown;
    if (s.shape.batch > 0) {
      all.has_shapes = true;
      all.shaped += 2 * s.shape.batch * s.shape.m * s.shape.n * s.shape.k * s.calls * unit::flop;
      stands_for_it = joiner.join(s);
      is_stray = !stands_for_it;
    }
    if (stands_for_it) {
      explained[at] += s.self;
      all.explained += s.self * unit::second;
      continue;
    }
    if (!is_stray) {
      all.known += s.self * unit::second;
      continue;
    }
    (what == activity::product ? all.mismatched : all.unnamed) += s.self * unit::second;
    all.strays.push_back({s.name, what, s.shape, s.calls, s.self * unit::second});
  }
  if (seen.has_flops && !all.counted) all.counted = flops{};
  flopledger::detail::order_stably(all.strays, [](const stray& a, const stray& b) { return a.took > b.took; });

  // Rows
  const auto time_of = [&](activity what) { return took[static_cast<std::size_t>(what)]; };
  // A kernel for all of attention, or a function around its products.
  bool fused = time_of(activity::attention) > 0;
  for (const row_finding& one : all.rows)
    if (one.what.what.kind == operation::attention_scores && one.seen_calls > 0) fused = false;
  asked_of_profile floors = asked;
  floors.formats.kernel =
      fused || time_of(activity::softmax) <= 0 ? attention_kernel::fused : attention_kernel::explicit_matrix;
  std::array<double, activity_count> floor{};
  for (row_finding& one : all.rows) {
    const row& r = one.what.what;
    all.matched += std::min(one.seen, one.expected);
    if (asked.has_rates()) one.floor = detail::floor_of_row(one.what, floors) / asked.devices;
    activity home = activity::unknown;
    for (int i = 0; i < activity_count && home == activity::unknown; ++i)
      if (const auto what = static_cast<activity>(i);
          what != activity::attention && carried_out_by(what).contains(r.kind))
        home = what;
    const bool in_attention = carried_out_by(activity::attention).contains(r.kind);
    if (one.seen_calls > 0) {
      // Shares of alike rows sum to whole calls again, but for rounding.
      if (const double whole = std::round(one.seen_calls); std::abs(one.seen_calls - whole) < 1e-6 * whole)
        one.seen_calls = whole;
      const double often = one.seen_calls / one.expected_calls;
      one.how = often < 1 - 1e-9 ? finding::partly : often > 1 + 1e-9 ? finding::more_often : finding::by_shape;
    } else if (fused && in_attention) {
      one.how = finding::fused;
      home = activity::attention;
    } else if (home == activity::unknown || !has_data(r)) {
      one.how = finding::nothing_to_see;
    } else if (detail::is_product(r) && all.has_shapes && r.kind != operation::convolution) {
      one.how = finding::not_seen;
    } else {
      one.how = time_of(home) > 0 ? finding::by_kind : finding::not_seen;
    }
    if (one.how != finding::not_seen && one.how != finding::nothing_to_see)
      floor[static_cast<std::size_t>(home)] += one.floor.value();
  }

  // Activities
  for (int i = 0; i < activity_count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (calls[at] <= 0 && took[at] == 0) continue;
    activity_time one{.what = static_cast<activity>(i),
                      .took = took[at] * unit::second,
                      .share = all.total.value() > 0 ? took[at] / all.total.value() : 0.0,
                      .calls = calls[at],
                      .explained = explained[at] > 0};
    one.floor = floor[at] * unit::second;
    all.activities.push_back(one);
  }
  flopledger::detail::order_stably(all.activities,
                                   [](const activity_time& a, const activity_time& b) { return a.took > b.took; });

  // The clock
  if (seen.elapsed && *seen.elapsed > 0) {
    const double clock = *seen.elapsed;
    all.elapsed = clock * unit::second;
    const double of_all = clock * seen.devices;
    if (seen.busy) all.idle = std::max(0.0, 1 - *seen.busy / of_all);
    if (seen.communicating) all.communication = *seen.communicating / of_all;
    if (seen.exposed) all.exposed_communication = *seen.exposed / of_all;
    all.achieved = all.expected / *all.elapsed;
    if (asked.has_rates()) {
      const peak<detail::of_the_recipe> best{asked.devices * asked.on.peak};
      if (asked.backward)
        all.mfu = flopledger::mfu(model_work<pass::forward_backward, detail::of_the_recipe>{all.expected},
                                  measured<pass::forward_backward>(*all.elapsed), best);
      else
        all.mfu = flopledger::mfu(model_work<pass::forward, detail::of_the_recipe>{all.expected},
                                  measured<pass::forward>(*all.elapsed), best);
    }
  } else if (const double sum = took[static_cast<std::size_t>(activity::communication)];
             sum > 0 && all.total.value() > 0) {
    all.communication = sum / all.total.value();  // of what ran: the table has no clock
  }
  return all;
}

}  // namespace flopledger::profile
