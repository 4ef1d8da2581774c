// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// `flopledger count`: what a model holds and computes.

#include <flopledger/text/number.hpp>
#include <flopledger/text/table.hpp>

#include <fmt/format.h>

#include "counts.hpp"
#include "groups.hpp"
#include "json.hpp"
#include "program.hpp"

namespace program {
namespace {

using namespace flopledger;
using report::align;

/// One line of the table: an operation in all its instances, or a group of them.
struct line {
  parameters held{};
  macs multiplied{};
  flops products{}, elementwise{};

  void add(const entry& e, product_counting counting) {
    const auto n = static_cast<double>(e.times);
    held += n * e.what.held;
    multiplied += n * e.what.multiplied;
    products += n * product_flops(e.what, counting);
    elementwise += n * e.what.elementwise;
  }
};

std::string shape_of(const product& shape) {
  if (shape.batch <= 0) return "";
  std::string text =
      fmt::format("{}×{}×{}", report::three_digits(shape.m), report::in_full(shape.n), report::in_full(shape.k));
  return shape.batch == 1 ? text : report::in_full(shape.batch) + " of " + text;
}

std::string dash_for_none(double value, std::string text) { return value == 0 ? "-" : std::move(text); }

void add_line(report::table& table, const counts& found, std::string name, std::string times, std::string shape,
              const line& sums) {
  table.add({std::move(name), std::move(times), std::move(shape),
             dash_for_none(sums.held.value(), report::scaled(sums.held)),
             dash_for_none(sums.multiplied.value(), report::scaled(sums.multiplied.value(), "")),
             dash_for_none(sums.products.value(), report::scaled(sums.products.value(), "")),
             dash_for_none(sums.products.value(), report::percent(sums.products / found.products)),
             dash_for_none(sums.elementwise.value(), report::scaled(sums.elementwise.value(), ""))});
}

std::string operations_table(const counts& found) {
  report::table table({{"operation", align::left},
                       {"times", align::right},
                       {"m×n×k", align::right},
                       {"parameters", align::right},
                       {"MACs", align::right},
                       {"FLOPs", align::right},
                       {"%", align::right},
                       {"elementwise", align::right}});
  for (const group& g : groups_of(found.operations)) {
    const bool several = g.members.size() > 1;
    if (several) {
      line sums;
      for (const listed_operation& e : g.members) sums.add(e, found.counting);
      add_line(table, found, g.title, "", "", sums);
    }
    for (const listed_operation& e : g.members) {
      line sums;
      sums.add(e, found.counting);
      add_line(table, found, several ? "  " + group::short_name(e) : group::full_name(e), std::to_string(e.times),
               shape_of(e.what.shape), sums);
    }
  }
  return table.text();
}

std::string for_people(const subject& model, const counts& found) {
  report::table summary({{"", align::left}, {"", align::right}, {"", align::left}});
  const auto add = [&](const std::string& name, double value, const std::string& scaled) {
    summary.add({name, report::in_full(value), "= " + scaled});
  };
  add("parameters", found.held.value(), report::scaled(found.held));
  add("  active for a token", found.active.value(), report::scaled(found.active));
  add("  in tables that are looked up", found.tables.value(), report::scaled(found.tables));
  add("forward: multiply-adds", found.multiplied.value(), report::scaled(found.multiplied));
  add("forward: FLOPs of products", found.products.value(), report::scaled(found.products));
  add("forward: other FLOPs, elementwise", found.elementwise.value(), report::scaled(found.elementwise));
  if (found.training) add("training step: FLOPs of products", found.training->value(), report::scaled(*found.training));
  report::table header({{"", align::left}, {"", align::left}});
  header.add({"model", described(model.config())});
  header.add({"pass", described(model, found.pass)});
  header.add({"counting", fmt::format("attention {}; {}", name_of(found.pass.attention),
                                      found.counting == product_counting::conventional
                                          ? "a multiply-add is 2 FLOPs"
                                          : "an m×k by k×n product is mn(2k-1) FLOPs")});
  return fmt::format("{}\n{}\n{}\n{}\n", model.name, header.text(2), summary.text(2), operations_table(found)) +
         "Parameters and counts are those of all instances together; % is the share of the products' FLOPs.\n";
}

json for_programs(const subject& model, const counts& found) {
  json_answer answer;
  put_counts(answer, model, found);
  json operations = json::array();
  for (const listed_operation& e : found.operations)
    operations.push_back(operation_of(answer, e, found, fmt::format("operations[{}]", operations.size())));
  answer.put("operations", std::move(operations));
  return answer.whole();
}

}  // namespace

reply count(const work_request& asked, output how) {
  const subject& model = find_subject(asked.model);
  const counts found = counts_of(model, asked);
  return how == output::programs ? reply(for_programs(model, found)) : reply(for_people(model, found));
}

}  // namespace program
