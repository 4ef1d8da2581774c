// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// Rows, sinks and folds, on layers small enough to add up by hand.

#include <flopledger/layers/embedding.hpp>
#include <flopledger/layers/feed_forward.hpp>
#include <flopledger/ledger.hpp>

#include "known_models.hpp"

namespace {
namespace fl = flopledger;
namespace unit = flopledger::unit;
using namespace flopledger::literals;
using fl::operation;
using fl::row;

constexpr row product_row{.name = "product",
                          .kind = operation::projection,
                          .shape = {.batch = 1, .m = 3, .n = 5, .k = 7},
                          .held = 35_parameters,
                          .active = 35_parameters,
                          .multiplied = 105_MAC,
                          .elementwise = 15_FLOP,
                          .backward = {.input_products = 1, .weight_products = 1, .weight_elementwise = 15_FLOP}};
constexpr row custom_row{
    .name = "convolution of somebody's own", .elementwise = 11_FLOP, .backward = {.elementwise = 22_FLOP}};

struct two_rows {
  constexpr void record(fl::books auto& sink, const fl::work&) const {
    sink.take(product_row, 1);
    sink.take(custom_row, 2);
  }
};
struct two_rows_backwards {
  constexpr void record(fl::books auto& sink, const fl::work&) const {
    sink.take(custom_row, 2);
    sink.take(product_row, 1);
  }
};
constexpr fl::work any = fl::forward(1, 1);

// What is a sink, and what can be asked ----------------------------------------------------------------------------
struct no_sink {};
struct wrong_sink {
  constexpr void take(int, int) {}
};
static_assert(fl::books<fl::totals> && fl::books<fl::sum<&row::held>> && fl::books<fl::element_counts>);
static_assert(fl::books<fl::ledger<1>> && fl::books<fl::repeated<fl::totals>> && fl::books<fl::frozen<fl::totals>>);
static_assert(!fl::books<int> && !fl::books<no_sink> && !fl::books<wrong_sink>);
static_assert(fl::recordable<two_rows, fl::work> && fl::recordable<fl::transformer_config, fl::work>);
static_assert(!fl::recordable<no_sink, fl::work>);

// Sums --------------------------------------------------------------------------------------------------------------
static_assert(fl::total<&row::held>(two_rows{}, any) == 35_parameters);
static_assert(fl::total<&row::multiplied>(two_rows{}, any) == 105_MAC);
static_assert(fl::total<&row::elementwise>(two_rows{}, any) == 37_FLOP);  // 15 + 2 · 11

constexpr fl::totals both = fl::totals_of(two_rows{}, any);
static_assert(both.held == 35_parameters && both.active == 35_parameters && both.trainable == 35_parameters);
static_assert(both.multiplied == 105_MAC && both.multiplied_backward == 210_MAC);
static_assert(both.elementwise == 37_FLOP && both.elementwise_backward == 59_FLOP);  // 15 + 2 · 22

// A column that is summed alone is the column of all totals, and the order of rows makes no difference.
constexpr fl::totals other_way = fl::totals_of(two_rows_backwards{}, any);
static_assert(other_way.held == both.held && other_way.multiplied == both.multiplied);
static_assert(other_way.elementwise == both.elementwise && other_way.elementwise_backward == both.elementwise_backward);

static_assert([] {
  fl::tally named{0.0, [](const row& r) { return r.name == "product" ? 1.0 : 0.0; }};
  two_rows{}.record(named, any);
  return named.total == 1.0;
}());
static_assert([] {
  fl::tally products{fl::flops{}, [](const row& r) { return fl::product_flops(r); }};
  two_rows{}.record(products, any);
  return products.total == 210_FLOP;
}());

// Repetition --------------------------------------------------------------------------------------------------------
static_assert([] {
  fl::totals sum;
  fl::repeated outer{sum, 3};
  fl::repeated inner{outer, 5};
  two_rows{}.record(inner, any);
  return sum.held == 15.0 * 35_parameters && sum.multiplied == 15.0 * 105_MAC && sum.elementwise == 15.0 * 37_FLOP;
}());
// Repetition of nothing is nothing, and one more level changes nothing.
static_assert([] {
  fl::totals sum;
  fl::repeated never{sum, 0};
  two_rows{}.record(never, any);
  fl::repeated once{sum, 1};
  fl::repeated once_more{once, 1};
  two_rows{}.record(once_more, any);
  return sum.held == 35_parameters && sum.multiplied == 105_MAC;
}());
// Recorded n times is recorded once through `repeated`.
static_assert([] {
  fl::totals walked, counted;
  for (int i = 0; i < 80; ++i) two_rows{}.record(walked, any);
  fl::repeated times{counted, 80};
  two_rows{}.record(times, any);
  return walked.multiplied == counted.multiplied && walked.elementwise == counted.elementwise;
}());

// Frozen weights ----------------------------------------------------------------------------------------------------
static_assert(fl::backward_macs(product_row) == 210_MAC);
static_assert(fl::backward_elementwise(product_row) == 15_FLOP);
static_assert([] {
  fl::totals sum;
  fl::frozen still{sum};
  two_rows{}.record(still, any);
  return sum.multiplied == both.multiplied && sum.multiplied_backward == 105_MAC && sum.held == both.held &&
         sum.trainable == 0_parameters && sum.elementwise_backward == 44_FLOP;
}());
static_assert([] {  // within a repetition as outside of it
  fl::totals sum;
  fl::repeated times{sum, 4};
  fl::frozen still{times};
  two_rows{}.record(still, any);
  two_rows{}.record(times, any);
  return sum.multiplied_backward == 4.0 * 315_MAC && sum.trainable == 4.0 * 35_parameters &&
         sum.held == 8.0 * 35_parameters;
}());

// Parts and filters -------------------------------------------------------------------------------------------------
static_assert([] {
  fl::ledger<4> stored;
  fl::in_part seeing{stored, fl::model_part::vision, false};
  two_rows{}.record(seeing, any);
  fl::in_part reading{stored, fl::model_part::encoder};
  two_rows{}.record(reading, any);
  return stored[0].what.part == fl::model_part::vision && stored[0].what.active == 0_parameters &&
         stored[0].what.held == 35_parameters && stored[2].what.part == fl::model_part::encoder &&
         stored[2].what.active == 35_parameters && stored[2].what.multiplied == 105_MAC;
}());
static_assert([] {
  fl::totals sum;
  fl::filtered customs{sum, [](const row& r) { return r.kind == operation::custom; }};
  two_rows{}.record(customs, any);
  return sum.held == 0_parameters && sum.elementwise == 22_FLOP;
}());
// What two filters split, they share out without loss.
static_assert([] {
  fl::totals dense, sparse;
  fl::filtered to_dense{dense, [](const row& r) { return r.kind != operation::expert_projection; }};
  fl::filtered to_sparse{sparse, [](const row& r) { return r.kind == operation::expert_projection; }};
  known_models::mixtral_8x7b.record(to_dense, any);
  known_models::mixtral_8x7b.record(to_sparse, any);
  const fl::totals all = fl::totals_of(known_models::mixtral_8x7b, any);
  return dense.held + sparse.held == all.held && dense.multiplied + sparse.multiplied == all.multiplied &&
         sparse.held == 45'097'156'608.0 * unit::parameter;  // 32 layers · 8 experts · 3 · 4096 · 14336
}());

// Operands ----------------------------------------------------------------------------------------------------------
static_assert(fl::has(fl::use::read | fl::use::saved, fl::use::saved));
static_assert(!fl::has(fl::use::read | fl::use::written, fl::use::saved));
static_assert(!fl::has(fl::use::saved, fl::use::saved_for_weights) && !fl::has(fl::use::none, fl::use::read));
static_assert(fl::operand{.elements = 100}.read_elements() == 100);
static_assert(fl::operand{.elements = 100, .touched = 3}.read_elements() == 3);
static_assert(fl::operand{.elements = 100, .touched = 0}.read_elements() == 0);

// A place left empty in the middle hides nothing behind it.
constexpr row with_a_gap{
    .name = "gap",
    .operands = {{.what = fl::role::weight, .how = fl::use::read, .elements = 2},
                 {.what = fl::role::none, .how = fl::use::read, .elements = 1000},
                 {.what = fl::role::activation, .how = fl::use::read | fl::use::saved, .elements = 5},
                 {.what = fl::role::activation, .how = fl::use::read | fl::use::saved_for_weights, .elements = 7},
                 {.what = fl::role::activation, .how = fl::use::written, .elements = 11},
                 {.what = fl::role::cache, .how = fl::use::read, .elements = 13, .touched = 1}}};
constexpr fl::element_counts elements_of(const row& r, std::int64_t times) {
  fl::element_counts counted;
  counted.take(r, times);
  return counted;
}
static_assert(elements_of(with_a_gap, 1).read == 2 + 5 + 7 + 1 && elements_of(with_a_gap, 1).written == 11);
static_assert(elements_of(with_a_gap, 1).saved == 12 && elements_of(with_a_gap, 10).saved == 120);
static_assert([] {  // frozen: what only the weights' gradient needs is not kept
  fl::element_counts counted;
  fl::frozen still{counted};
  still.take(with_a_gap, 1);
  return counted.saved == 5 && counted.read == 15;
}());

// Countings of a product --------------------------------------------------------------------------------------------
// m·k·n multiplications and m·n·(k−1) additions, counted out.
constexpr double strict_operations(int m, int n, int k) {
  double multiplications = 0, additions = 0;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      for (int l = 0; l < k; ++l) {
        multiplications += 1;
        additions += l > 0 ? 1 : 0;
      }
  return multiplications + additions;
}
static_assert(fl::product_flops(product_row) == 210_FLOP);
static_assert(fl::product_flops(product_row, fl::product_counting::conventional) == 210_FLOP);
static_assert(fl::product_flops(product_row, fl::product_counting::strict) == strict_operations(3, 5, 7) * unit::flop);
static_assert(fl::product_flops(product_row, fl::product_counting::strict) == 195_FLOP);  // 105 + 15 · 6
static_assert(fl::product_flops(custom_row, fl::product_counting::strict) == 0_FLOP);     // no product at all
static_assert(fl::product_flops({.name = "outer", .shape = {.batch = 1, .m = 2, .n = 2, .k = 1}, .multiplied = 4_MAC},
                                fl::product_counting::strict) == 4_FLOP);  // sums of one number add nothing

// The stored ledger -------------------------------------------------------------------------------------------------
constexpr auto stored_model = [] {
  fl::ledger<64> rows;
  known_models::gpt_oss_120b.record(rows, fl::training_step(2, 300, fl::attention_counting::causal));
  return rows;
}();
static_assert([] {
  fl::totals sum;
  for (const fl::entry& e : stored_model) sum.take(e.what, e.times);
  const fl::totals folded =
      fl::totals_of(known_models::gpt_oss_120b, fl::training_step(2, 300, fl::attention_counting::causal));
  return sum.held == folded.held && sum.active == folded.active && sum.trainable == folded.trainable &&
         sum.multiplied == folded.multiplied && sum.multiplied_backward == folded.multiplied_backward &&
         sum.elementwise == folded.elementwise && sum.elementwise_backward == folded.elementwise_backward;
}());
static_assert(stored_model.size == static_cast<std::size_t>(stored_model.end() - stored_model.begin()));
static_assert(stored_model.size < 64 && stored_model[0].what.name == "embedding" && stored_model[0].times == 1);
// A ledger that is just large enough takes everything.
static_assert([] {
  fl::ledger<2> rows;
  two_rows{}.record(rows, any);
  return rows.size == 2 && rows[1].times == 2;
}());

// Kinds -------------------------------------------------------------------------------------------------------------
static_assert(fl::name_of(operation::gather) == "gather" && fl::name_of(operation::custom) == "custom");
static_assert(fl::name_of(operation::attention_scores) == "attention_scores");
static_assert(fl::name_of(operation::head) == "head" && fl::name_of(operation::recurrence) == "recurrence");
static_assert(fl::name_of(operation::loss) == "loss" && fl::name_of(operation::dropout) == "dropout");
static_assert(row{}.kind == operation::custom && row{}.trainable);  // unless a layer says otherwise
}  // namespace
