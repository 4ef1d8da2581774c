// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// Mixing units. What can be asked without an error stands in tests/static/units.cpp; here is what Boost refuses inside
// a function body, where no `requires` sees it, and what the compilers say: both dimensions, by name.

#include <flopledger/precision.hpp>

#include <chrono>

using namespace flopledger;
using namespace flopledger::literals;

constexpr flops needs_flops(flops amount) { return amount; }
constexpr seconds needs_seconds(seconds time) { return time; }

static_assert(needs_flops(flops_per_mac * 1_MAC) == 2_FLOP);
static_assert(1_Gparameters * storage<bf16> == 2_GB);

// forbid: was not declared|undeclared identifier|unable to find|no matching literal operator|internal compiler error

// case: MULTIPLY_ADDS_ADDED_TO_OPERATIONS
// expect: dimension::mac
// expect: dimension::flop
// expect: operator[+]|binary expression
// max-lines: 40
#ifdef CASE_MULTIPLY_ADDS_ADDED_TO_OPERATIONS
constexpr auto sum = 1_FLOP + 1_MAC;
#endif

// case: MULTIPLY_ADDS_ADDED_IN_PLACE
// expect: dimension::mac
// expect: dimension::flop
// max-lines: 60
#ifdef CASE_MULTIPLY_ADDS_ADDED_IN_PLACE
constexpr flops add_in_place(flops total, macs more) { return total += more; }
constexpr flops added = add_in_place(1_FLOP, 1_MAC);
#endif

// case: MULTIPLY_ADDS_SUBTRACTED_IN_PLACE
// expect: dimension::mac
// expect: dimension::flop
// max-lines: 60
#ifdef CASE_MULTIPLY_ADDS_SUBTRACTED_IN_PLACE
constexpr flops subtract_in_place(flops total, macs less) { return total -= less; }
constexpr flops left = subtract_in_place(1_FLOP, 1_MAC);
#endif

// case: MULTIPLY_ADDS_CAST_TO_OPERATIONS
// expect: dimension::mac
// expect: dimension::flop
// max-lines: 30
#ifdef CASE_MULTIPLY_ADDS_CAST_TO_OPERATIONS
constexpr flops cast{1_MAC};
#endif

// case: MULTIPLY_ADDS_ASSIGNED_TO_OPERATIONS
// expect: dimension::mac
// expect: dimension::flop
// max-lines: 48
#ifdef CASE_MULTIPLY_ADDS_ASSIGNED_TO_OPERATIONS
constexpr flops assign(macs products) {
  flops work;
  work = products;
  return work;
}
constexpr flops assigned = assign(1_MAC);
#endif

// case: MULTIPLY_ADDS_FOR_OPERATIONS
// expect: dimension::mac
// expect: dimension::flop
// max-lines: 8
#ifdef CASE_MULTIPLY_ADDS_FOR_OPERATIONS
constexpr flops passed = needs_flops(1_MAC);
#endif

// case: AMOUNT_FOR_A_RATE
// expect: time_base_dimension
// expect: dimension::flop
// max-lines: 24
#ifdef CASE_AMOUNT_FOR_A_RATE
constexpr flop_rate peak = 312_TFLOP;
#endif

// case: RATE_ADDED_TO_AN_AMOUNT
// expect: time_base_dimension
// expect: dimension::flop
// max-lines: 40
#ifdef CASE_RATE_ADDED_TO_AN_AMOUNT
constexpr auto sum_of_rate = 1_TFLOP + 1_TFLOP / unit::second;
#endif

// case: BYTES_A_SECOND_FOR_FLOPS_A_SECOND
// expect: information_base_dimension
// expect: dimension::flop
// max-lines: 24
#ifdef CASE_BYTES_A_SECOND_FOR_FLOPS_A_SECOND
constexpr flop_rate bandwidth = 3.35_TB / unit::second;
#endif

// case: BITS_FOR_BYTES
// expect: bit_base_unit
// max-lines: 24
#ifdef CASE_BITS_FOR_BYTES
constexpr bytes moved = 400_Gbit;
#endif

// case: BITS_ADDED_TO_BYTES
// expect: bit_base_unit
// max-lines: 40
#ifdef CASE_BITS_ADDED_TO_BYTES
constexpr bytes moved_more = 50_GB + 400_Gbit;
#endif

// case: BITS_ADDED_IN_PLACE
// expect: bit_base_unit
// max-lines: 60
#ifdef CASE_BITS_ADDED_IN_PLACE
constexpr bytes add_bits(bytes total, bits more) { return total += more; }
constexpr bytes with_bits = add_bits(1_GB, 8_Gbit);
#endif

// case: BITS_COMPARED_WITH_BYTES
// expect: bit_base_unit
// max-lines: 30
#ifdef CASE_BITS_COMPARED_WITH_BYTES
static_assert(80_GB == 640_Gbit);
#endif

// case: NUMBER_FOR_BYTES
// expect: information_base_dimension
// expect: double
// max-lines: 24
#ifdef CASE_NUMBER_FOR_BYTES
constexpr bytes memory = 80e9;
#endif

// case: NUMBER_CAST_TO_BYTES
// expect: information_base_dimension
// max-lines: 66
#ifdef CASE_NUMBER_CAST_TO_BYTES
constexpr bytes cast_memory{80e9};
#endif

// case: NUMBER_ADDED_IN_PLACE
// expect: operator[+]=
// expect: quantity.*double
// max-lines: 40
#ifdef CASE_NUMBER_ADDED_IN_PLACE
constexpr flops add_number(flops total) { return total += 1.0; }
#endif

// case: BYTES_FOR_A_NUMBER
// expect: information_base_dimension
// max-lines: 30
#ifdef CASE_BYTES_FOR_A_NUMBER
constexpr double number = 80_GB;
#endif

// case: PARAMETERS_FOR_BYTES
// expect: dimension::parameter
// expect: information_base_dimension
// max-lines: 24
#ifdef CASE_PARAMETERS_FOR_BYTES
constexpr bytes weights = 70_Gparameters;
#endif

// case: PARAMETERS_IN_NO_FORMAT
// expect: not a number format: it needs .static constexpr flopledger::number_format format
// max-lines: 32
#ifdef CASE_PARAMETERS_IN_NO_FORMAT
constexpr bytes formless = 70_Gparameters * storage<float>;
#endif

// case: TOKENS_FOR_PARAMETERS
// expect: dimension::token
// expect: dimension::parameter
// max-lines: 24
#ifdef CASE_TOKENS_FOR_PARAMETERS
constexpr parameters trained = 15_Ttokens;
#endif

// case: OPERATIONS_A_PARAMETER_LEFT_OVER
// expect: dimension::token
// expect: dimension::flop
// max-lines: 24
#ifdef CASE_OPERATIONS_A_PARAMETER_LEFT_OVER
// Six operations a parameter and token, times parameters: still a token short of an amount.
constexpr flops forgotten = 6.0 * unit::flop / (unit::parameter * unit::token) * 7_Gparameters;
#endif

// case: CLOCK_TIME_FOR_SECONDS
// expect: chrono
// expect: time_base_dimension
// max-lines: 12
#ifdef CASE_CLOCK_TIME_FOR_SECONDS
constexpr seconds step = needs_seconds(std::chrono::milliseconds{500});  // elapsed(...) says how long it is
#endif

// case: NUMBER_FOR_A_DURATION
// expect: chrono_duration
// max-lines: 28
#ifdef CASE_NUMBER_FOR_A_DURATION
constexpr seconds bare = elapsed(0.5);
#endif

// case: WATTS_FOR_JOULES
// expect: -2
// expect: -3
// max-lines: 24
#ifdef CASE_WATTS_FOR_JOULES
constexpr joules spent = 700_W;
#endif
