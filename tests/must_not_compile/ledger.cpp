// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// Misuse of rows and sinks.

#include <flopledger/layers/linear.hpp>

using namespace flopledger;
using namespace flopledger::literals;

struct two_products {
  constexpr void record(books auto& sink, const work& asked) const {
    linear{.in = 4, .out = 8}.record(sink, asked, "up");
    linear{.in = 8, .out = 4}.record(sink, asked, "down");
  }
};

template <std::size_t Capacity>
constexpr ledger<Capacity> stored(const auto& model) {
  ledger<Capacity> rows;
  model.record(rows, forward(1, 1));
  return rows;
}
constexpr auto large_enough = stored<2>(two_products{});
static_assert(large_enough.size == 2);
static_assert(total<&row::held>(two_products{}, forward(1, 1)) == 64_parameters);

struct no_layer {};
struct no_sink {
  double sum = 0;
};

// forbid: was not declared|undeclared identifier|internal compiler error

// case: LEDGER_TOO_SMALL
// expect: capacity_exceeded
// expect: stored<1>|Capacity = 1|ledger<1>
// max-lines-gcc: 20
// max-lines-clang: 32
#ifdef CASE_LEDGER_TOO_SMALL
constexpr auto too_small = stored<1>(two_products{});
#endif

// case: SINK_TAKES_NO_ROWS
// expect: books
// expect: no_sink
// expect: take
// max-lines: 30
#ifdef CASE_SINK_TAKES_NO_ROWS
constexpr double summed() {
  no_sink sink;
  two_products{}.record(sink, forward(1, 1));
  return sink.sum;
}
#endif

// case: FOLD_OVER_NO_SINK
// expect: books
// expect: no_sink
// max-lines: 40
#ifdef CASE_FOLD_OVER_NO_SINK
constexpr double repeated_sum() {
  no_sink sink;
  two_products{}.record(repeated<no_sink>{sink, 2}, forward(1, 1));
  return sink.sum;
}
#endif

// case: LAYER_RECORDS_NOTHING
// expect: no_layer
// expect: record
// max-lines: 20
#ifdef CASE_LAYER_RECORDS_NOTHING
constexpr auto nothing = total<&row::held>(no_layer{}, forward(1, 1));
#endif

// case: OPERATIONS_IN_THE_COLUMN_OF_MULTIPLY_ADDS
// expect: dimension::flop
// expect: dimension::mac
// max-lines: 30
#ifdef CASE_OPERATIONS_IN_THE_COLUMN_OF_MULTIPLY_ADDS
constexpr row mistaken{.name = "product", .multiplied = 128_FLOP};
#endif

// case: NUMBER_IN_THE_COLUMN_OF_PARAMETERS
// expect: dimension::parameter
// expect: double
// max-lines: 30
#ifdef CASE_NUMBER_IN_THE_COLUMN_OF_PARAMETERS
constexpr row unitless{.name = "product", .held = 64.0};
#endif

// case: PRODUCTS_SUMMED_WITH_ELEMENTWISE_WORK
// expect: dimension::flop
// expect: dimension::mac
// max-lines: 48
#ifdef CASE_PRODUCTS_SUMMED_WITH_ELEMENTWISE_WORK
constexpr totals all = totals_of(two_products{}, forward(1, 1));
constexpr auto everything = all.multiplied + all.elementwise;
#endif

// case: EIGHT_OPERANDS
// expect: .operands
// max-lines: 10
#ifdef CASE_EIGHT_OPERANDS
constexpr row crowded{
    .name = "crowd",
    .operands = {operand{}, operand{}, operand{}, operand{}, operand{}, operand{}, operand{}, operand{}}};
#endif
