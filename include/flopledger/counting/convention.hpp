// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Counting conventions: what somebody else's counter or formula makes of the rows of a ledger.
///
/// A convention is a type that says what it charges for one row. The sum over a model's rows is then what that tool
/// prints, and where two tools differ, the rows say why. A rule of one's own needs a name, the passes it covers, what
/// it does with rows of kind `custom`, and a function:
///
///     struct projections_only {
///       static constexpr std::string_view name = "projections only";
///       static constexpr auto covers = counting::passes::forward;
///       static constexpr auto custom = counting::custom_rows::not_seen;
///       constexpr flops charge(const row& r, const work&) const {
///         return r.kind == operation::projection ? flops_per_mac * r.multiplied : flops{};
///       }
///     };
///
/// It may also have `asks` (the work it wants the model asked for), `facts` (filled from the whole model before the
/// first charge), `multiplied` and `held` (what else the tool prints), `divisor` and `truncates`.

#include <flopledger/compiler.hpp>
#include <flopledger/errors.hpp>
#include <flopledger/ledger.hpp>
#include <flopledger/work.hpp>

#include <concepts>
#include <utility>

namespace flopledger::counting {

/// What a rule does with rows that are of no kind it knows: a user's own operations.
enum class custom_rows : std::uint8_t {
  not_seen,  ///< never charged: the rule is not even asked
  charged    ///< the rule is asked, and answers for them as for any other row
};

/// Which passes a convention's number covers. Numbers of different passes compare nothing.
enum class passes : std::uint8_t { forward, backward, forward_and_backward };

constexpr std::string_view name_of(passes covered) {
  constexpr std::string_view names[] = {"forward", "backward", "forward and backward"};
  return names[static_cast<std::size_t>(covered)];
}

/// What some rules need to know of the whole model before they can charge one row of it.
struct model_facts {
  double experts = 0, experts_per_token = 0;
  double expert_width = 0;  ///< of one routed expert
  double dense_width = 0;   ///< of the feed-forward layers that are not mixtures; 0: there are none

  constexpr void take(const row& r, std::int64_t) {
    const bool down = r.where.at == position::down;
    if (r.kind == operation::expert_projection) {
      experts = r.shape.batch;
      experts_per_token = experts * (r.active.value() / r.held.value());
      expert_width = down ? r.shape.k : r.shape.n;
    } else if (r.kind == operation::projection && r.where.in == sublayer::feed_forward) {
      dense_width = down ? r.shape.k : r.shape.n;
    }
  }
  /// How much more runs where every expert is run on every token.
  constexpr double all_over_chosen() const { return experts_per_token > 0 ? experts / experts_per_token : 1.0; }
};

template <class Rule>
concept convention = requires(const Rule& rule, const row& r, const work& asked) {
  { Rule::name } -> std::convertible_to<std::string_view>;
  { Rule::covers } -> std::convertible_to<passes>;
  { Rule::custom } -> std::convertible_to<custom_rows>;
  rule.charge(r, asked);
};

/// `flops` or `macs`: what the tool reports.
template <class Rule>
using charge_of = decltype(std::declval<const Rule&>().charge(std::declval<const row&>(), std::declval<const work&>()));

/// Both in one unit, for comparison only: a MAC is two FLOPs.
constexpr flops in_flops(flops amount) { return amount; }
constexpr flops in_flops(macs amount) { return flops_per_mac * amount; }

template <class Rule>
inline constexpr bool reports_macs = std::same_as<charge_of<Rule>, macs>;

// What a rule says, or what holds where it says nothing
// ---------------------------------------------------------------------------------

/// The work that the rule wants the model asked for: counters see the full square of attention whatever is masked.
template <class Rule>
constexpr work asked_by(const Rule& rule, const work& asked) {
  if constexpr (requires { rule.asks(asked); })
    return rule.asks(asked);
  else
    return asked;
}

/// The rule, told about the model.
template <class Rule, class Model>
constexpr Rule informed(Rule rule, const Model& model, const work& asked) {
  if constexpr (requires { rule.facts; }) model.record(rule.facts, asked);
  return rule;
}

template <class Rule>
constexpr auto charged(const Rule& rule, const row& r, const work& asked) {
  if (Rule::custom == custom_rows::not_seen && r.kind == operation::custom) return charge_of<Rule>{};
  return rule.charge(r, asked);
}

/// What the sum of the charges is divided by (ptflops: the batch).
template <class Rule>
constexpr double divisor_of(const Rule& rule, const work& asked) {
  if constexpr (requires { rule.divisor(asked); })
    return rule.divisor(asked);
  else
    return 1.0;
}

constexpr double truncated(double value) { return static_cast<double>(static_cast<std::int64_t>(value)); }

/// The fold: a sink that sums what a rule charges for each row.
template <class Rule>
struct counted {
  static_assert(convention<Rule>,
                "not a counting convention: it needs `name`, `covers`, `custom` (what it does with custom rows) and "
                "`charge(row, work)`");
  Rule rule;
  work asked;
  charge_of<Rule> total{};

  constexpr void take(const row& r, std::int64_t times) {
    total += static_cast<double>(times) * charged(rule, r, asked);
  }
  /// What the tool prints.
  constexpr charge_of<Rule> value() const {
    const double sum = total.value() / divisor_of(rule, asked);
    if constexpr (requires { Rule::truncates; }) return charge_of<Rule>::from_value(truncated(sum));
    return charge_of<Rule>::from_value(sum);
  }
};

/// What the tool prints of a model: `count(known::gpt2, forward(1, 1024), conventions::thop{written_in::nano_gpt})`.
template <class Model, class Rule>
constexpr charge_of<Rule> count(const Model& model, const work& asked, const Rule& rule) {
  const work as_asked = asked_by(rule, asked);
  counted<Rule> sum{informed(rule, model, as_asked), as_asked};
  model.record(sum, as_asked);
  return sum.value();
}

/// The MACs that a tool prints beside its FLOPs.
template <class Model, class Rule>
constexpr macs count_macs(const Model& model, const work& asked, const Rule& rule) {
  if constexpr (requires { rule.multiplied(row{}, asked); }) {
    const work as_asked = asked_by(rule, asked);
    const Rule told = informed(rule, model, as_asked);
    tally all{macs{}, [&](const row& r) { return told.multiplied(r, as_asked); }};
    model.record(all, as_asked);
    return all.total;
  } else {
    static_assert(reports_macs<Rule>, "this convention reports no MACs");
    return count(model, asked, rule);
  }
}

/// The parameters that a tool prints: those the model holds, but where its rule says otherwise.
template <class Model, class Rule>
constexpr parameters count_parameters(const Model& model, const work& asked, const Rule& rule) {
  const work as_asked = asked_by(rule, asked);
  tally all{parameters{}, [&](const row& r) {
              if constexpr (requires { rule.held(r, as_asked); })
                return rule.held(r, as_asked);
              else
                return r.held;
            }};
  model.record(all, as_asked);
  return all.total;
}

// Two conventions
// --------------------------------------------------------------------------------------------------------

/// A row that two conventions charge differently. Both charges are in FLOPs and for all `times` that the row stands in
/// the model, so that a tool's MACs and another's FLOPs compare.
struct differing_row {
  std::string_view name{};
  model_part part = model_part::main;
  operation kind = operation::custom;
  double times = 0;
  flops first{}, second{};
};

/// The rows that explain why two conventions differ, and what each sums to. `second - first` is the sum of the rows'.
template <std::size_t Capacity>
struct differences {
  differing_row rows[Capacity]{};
  std::size_t size = 0;
  flops first{}, second{};

  constexpr const differing_row* begin() const { return rows; }
  constexpr const differing_row* end() const { return rows + size; }
  using capacity_exceeded = flopledger::capacity_exceeded;
};

/// The same rows under two charges. Each is `flops(const row&)`, with the work that its convention asks for.
template <std::size_t Capacity, class Model, class First, class Second>
constexpr differences<Capacity> difference_of_charges(const Model& model, const work& first_asked, First first,
                                                      const work& second_asked, Second second) {
  differences<Capacity> found;
  tally every{0.0, [&](const row& r) {
                if (found.size == Capacity) detail::raise<capacity_exceeded>(Capacity);
                found.rows[found.size++] = {
                    .name = r.name, .part = r.part, .kind = r.kind, .times = 0, .first = first(r)};
                return 0.0;
              }};
  model.record(every, first_asked);
  // The model records the same rows for both pieces of work; only sizes differ.
  struct second_pass {
    differences<Capacity>& found;
    Second& charge;
    std::size_t next = 0;
    constexpr void take(const row& r, std::int64_t times) {
      differing_row& here = found.rows[next++];
      here.times = static_cast<double>(times);
      here.first *= here.times;
      here.second = here.times * charge(r);
    }
  } rest{found, second};
  model.record(rest, second_asked);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < found.size; ++i) {
    const differing_row& here = found.rows[i];
    found.first += here.first;
    found.second += here.second;
    if (here.first != here.second) {
      const differing_row differs = here;
      found.rows[kept++] = differs;
    }
  }
  found.size = kept;
  return found;
}

/// What a rule charges for a row, in FLOPs and after its division.
template <class Rule>
constexpr flops charge_in_flops(const Rule& rule, const row& r, const work& asked) {
  return in_flops(charged(rule, r, asked)) / divisor_of(rule, asked);
}

/// Which rows two conventions count differently, and how: `difference(model, forward(1, 1024), thop{...}, full{})`.
template <std::size_t Capacity = 512, class Model, class First, class Second>
constexpr differences<Capacity> difference(const Model& model, const work& asked, const First& first,
                                           const Second& second) {
  const work first_asked = asked_by(first, asked), second_asked = asked_by(second, asked);
  const First one = informed(first, model, first_asked);
  const Second other = informed(second, model, second_asked);
  return difference_of_charges<Capacity>(
      model, first_asked, [&](const row& r) { return charge_in_flops(one, r, first_asked); }, second_asked,
      [&](const row& r) { return charge_in_flops(other, r, second_asked); });
}

/// A utilisation under another convention than its own. Above 1 it is flagged, not refused: somebody else's numerator
/// may have counted what no device computes.
struct restated_utilisation {
  double share = 0;
  bool above_one = false;
};

/// A published MFU, restated: the time and the peak are the same, only the numerator changes. The model and the work
/// are those of the published step.
template <class From, class To, class Model>
constexpr restated_utilisation restate(double published, const From& from, const To& to, const Model& model,
                                       const work& asked) {
  static_assert(From::covers == To::covers, "an MFU of one pass cannot be restated under a convention of another");
  const double share =
      published * (in_flops(count(model, asked, to)).value() / in_flops(count(model, asked, from)).value());
  return {share, share > 1};
}

// What several rules ask of a row
// ----------------------------------------------------------------------------------------

/// Multiply-adds of a row, attention over the full rectangle of queries and keys, whatever is masked.
constexpr double unmasked_macs(const row& r) {
  return is_attention_product(r.kind) ? r.shape.batch * r.shape.m * r.shape.n * r.shape.k : r.multiplied.value();
}

/// True of the attention rows of a windowed layer, where the row was recorded with full counting.
constexpr bool is_windowed(const row& r) {
  return is_attention_product(r.kind) && r.multiplied.value() < unmasked_macs(r) * (1 - 1e-9);
}

/// Elements that the operation writes.
constexpr double written_elements(const row& r) {
  for (const operand& o : r.operands)
    if ((o.what == role::activation || o.what == role::attention_matrix) && has(o.how, use::written) &&
        r.kind != operation::rotary)
      return o.elements;
  return 0;
}

/// Activations that it reads: of a gated activation twice what it writes.
constexpr double read_elements(const row& r) {
  double sum = 0;
  for (const operand& o : r.operands)
    if (o.what == role::activation && has(o.how, use::read)) sum += o.elements;
  return sum;
}

/// Elements that a rotary embedding turns.
constexpr double turned_elements(const row& r) { return read_elements(r); }

/// Length of one bias vector; an expert's own where there are several.
constexpr double bias_length(const row& r) {
  for (const operand& o : r.operands)
    if (o.what == role::bias)
      return r.kind == operation::expert_projection && r.shape.batch > 0 ? o.elements / r.shape.batch : o.elements;
  return 0;
}

/// Vectors that a norm works on: the statistics it keeps are one a vector for RMSNorm, two for LayerNorm.
constexpr double normalised_vectors(const row& r) {
  const double elements = written_elements(r);
  if (elements <= 0) return 0;
  const double operations = r.elementwise.value() / elements;
  const bool rms = r.held.value() > 0 ? operations < 5.5 : operations < 4;
  for (const operand& o : r.operands)
    if (o.what == role::statistic) return rms ? o.elements : o.elements / 2;
  return 0;
}

}  // namespace flopledger::counting
