// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// Units: what mixes, what does not, and that a prefix means what it says.

#include <flopledger/hardware/device.hpp>
#include <flopledger/units.hpp>

#include <boost/units/make_system.hpp>
#include <boost/units/systems/information/bit.hpp>
#include <boost/units/systems/information/byte.hpp>
#include <boost/units/systems/si/energy.hpp>
#include <boost/units/systems/si/length.hpp>
#include <boost/units/systems/si/mass.hpp>
#include <boost/units/systems/si/power.hpp>
#include <boost/units/systems/si/time.hpp>

#include <chrono>
#include <concepts>
#include <type_traits>

namespace {
namespace fl = flopledger;
namespace unit = flopledger::unit;
using namespace flopledger::literals;

// Two quantities mix where any operator that wants alike operands takes them, or one converts to the other.
template <class A, class B>
concept mixes = requires(A a, B b) {
  a + b;
}
|| requires(A a, B b) { a - b; }
|| requires(A a, B b) { a < b; }
|| requires(A a, B b) { a == b; }
|| std::convertible_to<B, A> || std::convertible_to<A, B>;
template <class A, class B>
concept alike = requires(A a, B b) {
  { a + b } -> std::same_as<A>;
  { a - b } -> std::same_as<A>;
  { a < b } -> std::same_as<bool>;
  { a == b } -> std::same_as<bool>;
};

// What is spelled out is what Boost computes
// ---------------------------------------------------------------------------
static_assert(
    std::same_as<fl::unit_system, boost::units::make_system<
                                      fl::base_unit::flop, fl::base_unit::mac, fl::base_unit::token,
                                      fl::base_unit::parameter, fl::base_unit::us_dollar,
                                      boost::units::information::byte_base_unit, boost::units::si::second_base_unit,
                                      boost::units::si::meter_base_unit, boost::units::si::kilogram_base_unit>::type>);
template <class Stated, class Over, class Under>
concept is_quotient = std::same_as<Stated, decltype(Over{} / Under{})>;
static_assert(is_quotient<fl::flop_rate, fl::flops, fl::seconds>);
static_assert(is_quotient<fl::mac_rate, fl::macs, fl::seconds>);
static_assert(is_quotient<fl::byte_rate, fl::bytes, fl::seconds>);
static_assert(is_quotient<fl::token_rate, fl::tokens, fl::seconds>);
static_assert(is_quotient<fl::hertz, double, fl::seconds>);
static_assert(is_quotient<fl::watts, fl::joules, fl::seconds>);
static_assert(is_quotient<fl::dollar_rate, fl::us_dollars, fl::seconds>);
static_assert(is_quotient<fl::bytes_per_parameter, fl::bytes, fl::parameters>);
static_assert(is_quotient<fl::bytes_per_token, fl::bytes, fl::tokens>);
static_assert(is_quotient<fl::flops_per_token, fl::flops, fl::tokens>);
static_assert(is_quotient<fl::flops_per_byte, fl::flops, fl::bytes>);
static_assert(is_quotient<std::remove_const_t<decltype(fl::flops_per_mac)>, fl::flops, fl::macs>);
static_assert(std::same_as<fl::joules::unit_type::dimension_type, boost::units::energy_dimension>);
static_assert(std::same_as<fl::watts::unit_type::dimension_type, boost::units::power_dimension>);

// Alike -----------------------------------------------------------------------------------------------------------
static_assert(alike<fl::flops, fl::flops>);
static_assert(alike<fl::macs, fl::macs>);
static_assert(alike<fl::bytes, fl::bytes>);
static_assert(alike<fl::bits, fl::bits>);
static_assert(alike<fl::flop_rate, fl::flop_rate>);
static_assert(alike<fl::us_dollars, fl::us_dollars>);

// Never mixed -----------------------------------------------------------------------------------------------------
// A multiply-add is two operations, and stands for itself until `flops_per_mac` says so.
static_assert(!mixes<fl::macs, fl::flops>);
static_assert(!mixes<fl::mac_rate, fl::flop_rate>);
static_assert(!mixes<fl::flops, decltype(fl::flops_per_mac)>);
// An amount is no rate.
static_assert(!mixes<fl::flops, fl::flop_rate>);
static_assert(!mixes<fl::bytes, fl::byte_rate>);
static_assert(!mixes<fl::tokens, fl::token_rate>);
static_assert(!mixes<fl::joules, fl::watts>);
static_assert(!mixes<fl::seconds, fl::hertz>);
// Eight bits are a byte only through `in_bytes` and `in_bits`.
static_assert(!mixes<fl::bytes, fl::bits>);
static_assert(!mixes<fl::byte_rate, decltype(fl::bits{} / (1.0 * unit::second))>);
// A parameter has no size but in a format.
static_assert(!mixes<fl::parameters, fl::bytes>);
static_assert(!mixes<fl::parameters, fl::bytes_per_parameter>);
static_assert(!mixes<fl::bytes, fl::bytes_per_parameter>);
// What is counted is never what it costs.
static_assert(!mixes<fl::tokens, fl::parameters>);
static_assert(!mixes<fl::tokens, fl::flops>);
static_assert(!mixes<fl::tokens, fl::bytes>);
static_assert(!mixes<fl::flops, fl::bytes>);
static_assert(!mixes<fl::flops, fl::parameters>);
static_assert(!mixes<fl::flops, fl::flops_per_token>);
static_assert(!mixes<fl::flops, fl::flops_per_byte>);
static_assert(!mixes<fl::flop_rate, fl::byte_rate>);
static_assert(!mixes<fl::flops, fl::seconds>);
static_assert(!mixes<fl::us_dollars, fl::joules>);
static_assert(!mixes<fl::seconds, fl::metres>);
static_assert(!mixes<fl::kilograms, fl::metres>);
static_assert(!mixes<fl::hertz, fl::token_rate>);

// A plain number is no quantity, and a quantity no plain number.
template <class Quantity>
constexpr bool keeps_apart_from_numbers =
    !mixes<Quantity, double> && !mixes<Quantity, int> && !std::constructible_from<Quantity, double> &&
    !std::constructible_from<Quantity, int> && !std::assignable_from<Quantity&, double> && !requires(Quantity q) {
  q += 1.0;
}
&&!requires(Quantity q) { static_cast<double>(q); };
static_assert(keeps_apart_from_numbers<fl::flops>);
static_assert(keeps_apart_from_numbers<fl::macs>);
static_assert(keeps_apart_from_numbers<fl::tokens>);
static_assert(keeps_apart_from_numbers<fl::parameters>);
static_assert(keeps_apart_from_numbers<fl::us_dollars>);
static_assert(keeps_apart_from_numbers<fl::bytes>);
static_assert(keeps_apart_from_numbers<fl::bits>);
static_assert(keeps_apart_from_numbers<fl::seconds>);
static_assert(keeps_apart_from_numbers<fl::flop_rate>);
static_assert(keeps_apart_from_numbers<fl::bytes_per_parameter>);
// A ratio of alike quantities is one.
static_assert(std::convertible_to<decltype(fl::flops{} / fl::flops{}), double>);
static_assert(!std::convertible_to<decltype(fl::flops{} / fl::macs{}), double>);

// A bare duration is no quantity either: it says how long only through `elapsed`.
static_assert(!mixes<fl::seconds, std::chrono::seconds>);

// Conversions that are meant --------------------------------------------------------------------------------------
// Boost's own units of the same base convert where a function asks for ours.
constexpr fl::bytes as_bytes(fl::bytes amount) { return amount; }
constexpr fl::seconds as_seconds(fl::seconds time) { return time; }
constexpr fl::joules as_joules(fl::joules energy) { return energy; }
constexpr fl::watts as_watts(fl::watts power) { return power; }
constexpr fl::metres as_metres(fl::metres length) { return length; }
constexpr fl::kilograms as_kilograms(fl::kilograms mass) { return mass; }
constexpr fl::flop_rate as_rate(fl::flop_rate rate) { return rate; }

static_assert(as_bytes(3.0 * boost::units::information::bytes) == 3_B);
static_assert(as_seconds(0.5 * boost::units::si::seconds) == 500_ms);
static_assert(as_joules(2.0 * boost::units::si::joules) == 2_J);
static_assert(as_joules(2.0 * boost::units::si::watts * (3.0 * boost::units::si::seconds)) == 6_J);
static_assert(as_watts(700.0 * boost::units::si::watts) == 0.7_kW);
static_assert(as_watts(2_J / (4_s)) == 0.5_W);
static_assert(as_metres(2.0 * boost::units::si::metres) == 2.0 * unit::metre);
static_assert(as_kilograms(2.0 * boost::units::si::kilograms) == 2.0 * unit::kilogram);
static_assert(as_rate(6_TFLOP / (2.0 * boost::units::si::seconds)) == 3_TFLOP / (1_s));
// And they do not where the base differs.
static_assert(
    !std::invocable<decltype(as_bytes), boost::units::quantity<boost::units::information::bit_base_unit::unit_type>>);
static_assert(!std::invocable<decltype(as_bytes), double>);
static_assert(!std::invocable<decltype(as_seconds), std::chrono::milliseconds>);
static_assert(!std::invocable<decltype(as_rate), fl::flops>);
static_assert(!std::invocable<decltype(as_rate), fl::mac_rate>);
static_assert(!std::invocable<decltype(as_joules), fl::watts>);

static_assert(fl::in_bytes(8_bit) == 1_B);
static_assert(fl::in_bytes(400_Gbit) == 50_GB);
static_assert(fl::in_bits(1_B) == 8_bit);
static_assert(fl::in_bits(fl::in_bytes(3_Mbit)) == 3000_kbit);

static_assert(fl::elapsed(std::chrono::seconds{3}) == 3_s);
static_assert(fl::elapsed(std::chrono::milliseconds{1500}) == 1.5_s);
static_assert(fl::elapsed(std::chrono::microseconds{250}) == 0.25_ms);
static_assert(fl::elapsed(std::chrono::nanoseconds{1'000'000'000}) == 1_s);
static_assert(fl::elapsed(std::chrono::hours{2}) == 7200_s);
static_assert(fl::elapsed(std::chrono::duration<double>{0.1}) == 0.1_s);
static_assert(fl::elapsed(std::chrono::duration<double, std::milli>{0.5}) == 0.5_ms);
static_assert(fl::chrono_duration<std::chrono::minutes>);
static_assert(!fl::chrono_duration<double>);
static_assert(!fl::chrono_duration<fl::seconds>);

// One conversion from multiply-adds to operations -------------------------------------------------------------------
static_assert(fl::flops_per_mac * 1_MAC == 2_FLOP);
static_assert(std::same_as<decltype(fl::flops_per_mac * fl::macs{}), fl::flops>);
static_assert(1_FLOP / fl::flops_per_mac == 0.5_MAC);

// Derived units -----------------------------------------------------------------------------------------------------
static_assert(std::same_as<decltype(fl::parameters{} * fl::bytes_per_parameter{}), fl::bytes>);
static_assert(std::same_as<decltype(fl::tokens{} * fl::bytes_per_token{}), fl::bytes>);
static_assert(std::same_as<decltype(fl::flops_per_token{} * fl::token_rate{}), fl::flop_rate>);
static_assert(std::same_as<decltype(fl::flop_rate{} / fl::byte_rate::from_value(1)), fl::flops_per_byte>);
static_assert(std::same_as<decltype(fl::watts{} * fl::seconds{}), fl::joules>);
// "6ND": six operations a parameter and token.
static_assert(
    std::same_as<decltype(6.0 * unit::flop / (unit::parameter * unit::token) * fl::parameters{} * fl::tokens{}),
                 fl::flops>);

// Prefixes ----------------------------------------------------------------------------------------------------------
static_assert(1_kFLOP == 1e3 * unit::flop && 1_MFLOP == 1e6 * unit::flop && 1_GFLOP == 1e9 * unit::flop);
static_assert(1_TFLOP == 1e12 * unit::flop && 1_PFLOP == 1e15 * unit::flop && 1_EFLOP == 1e18 * unit::flop);
static_assert(1_kMAC == 1e3 * unit::mac && 1_MMAC == 1e6 * unit::mac && 1_GMAC == 1e9 * unit::mac);
static_assert(1_TMAC == 1e12 * unit::mac && 1_PMAC == 1e15 * unit::mac && 1_EMAC == 1e18 * unit::mac);
static_assert(1_kB == 1e3 * unit::byte && 1_MB == 1e6 * unit::byte && 1_GB == 1e9 * unit::byte);
static_assert(1_TB == 1e12 * unit::byte && 1_PB == 1e15 * unit::byte && 1_EB == 1e18 * unit::byte);
static_assert(1_ktokens == 1e3 * unit::token && 15_Ttokens == 15e12 * unit::token && 1_Mtokens == 1e6 * unit::token);
static_assert(1_kparameters == 1e3 * unit::parameter && 70_Gparameters == 70e9 * unit::parameter);
static_assert(1_KiB == 1024_B && 1_MiB == 1024_KiB && 1_GiB == 1024_MiB && 1_TiB == 1024_GiB);
static_assert(1_s == 1000_ms && 1_ms == 1000_us && 1_ns == 1e-9 * unit::second);
static_assert(1_kW == 1000_W && 1_J == 1_W * 1_s && 2_USD == 2.0 * unit::us_dollar);
static_assert(1_kbit == 1000_bit && 1_Mbit == 1000_kbit && 1_Gbit == 1000_Mbit);
static_assert(2.5_GB == 2500_MB && 0.5_GiB == 512_MiB && 3.35_TB == 3350_GB);  // whole and fractional literals

// A GiB is 7.4 % more than a GB, and only the prefix tells.
static_assert(80_GiB != 80_GB && 80_GiB > 85.8_GB && 80_GiB < 85.9_GB);
static_assert(1_KiB != 1_kB && 1_MiB != 1_MB && 1_TiB != 1_TB);
static_assert(fl::in_gib(80_GiB) == 80 && fl::in_gb(80_GB) == 80 && fl::in_mib(80_GiB) == 81'920);
static_assert(fl::in_gb(80_GiB) == 85.899'345'92);
static_assert(fl::in_gib(80_GB) < 74.51 && fl::in_gib(80_GB) > 74.50);

// Integers ----------------------------------------------------------------------------------------------------------
static_assert(fl::is_exact_count(0) && fl::is_exact_count(-0.0) && fl::is_exact_count(1) && fl::is_exact_count(-1));
static_assert(fl::is_exact_count(9'007'199'254'740'991.0) && fl::is_exact_count(-9'007'199'254'740'991.0));
static_assert(fl::is_exact_count(9'007'199'254'740'992.0) && fl::is_exact_count(-9'007'199'254'740'992.0));
// 2^53 + 2 is a `double`, but so would be what 2^53 + 1 and 2^53 + 3 round to.
static_assert(!fl::is_exact_count(9'007'199'254'740'994.0) && !fl::is_exact_count(-9'007'199'254'740'994.0));
static_assert(!fl::is_exact_count(0.5) && !fl::is_exact_count(-1e-300) && !fl::is_exact_count(4503599627370495.5));
static_assert(!fl::is_exact_count(1e300) && !fl::is_exact_count(-1e300));
static_assert(!fl::is_exact_count(__builtin_inf()) && !fl::is_exact_count(-__builtin_inf()));
static_assert(!fl::is_exact_count(__builtin_nan("")));

// Ordinals ----------------------------------------------------------------------------------------------------------
// Boost orders dimensions and base units by number: two with one number would be one. Its own are negative, so ours
// meet only each other's and a user's. (Boost refuses a number that stands twice where both are seen: hence one
// translation unit that sees them all.)
template <class... Ordered>
constexpr bool all_apart = [] {
  const long numbers[] = {Ordered::value...};
  for (const long& a : numbers)
    for (const long& b : numbers)
      if (&a != &b && a == b) return false;
  return true;
}();
static_assert(all_apart<fl::dimension::flop, fl::dimension::mac, fl::dimension::token, fl::dimension::parameter,
                        fl::dimension::money, boost::units::time_base_dimension, boost::units::length_base_dimension,
                        boost::units::mass_base_dimension, boost::units::information_base_dimension>);
static_assert(all_apart<fl::base_unit::flop, fl::base_unit::mac, fl::base_unit::token, fl::base_unit::parameter,
                        fl::base_unit::us_dollar, boost::units::si::second_base_unit, boost::units::si::meter_base_unit,
                        boost::units::cgs::gram_base_unit, boost::units::information::bit_base_unit>);
static_assert(fl::dimension::flop::value > 0 && boost::units::time_base_dimension::value < 0);

// A quantity takes the room of its number.
static_assert(sizeof(fl::flops) == sizeof(double) && std::is_standard_layout_v<fl::flops>);
static_assert(sizeof(fl::flop_rate) == sizeof(double) && sizeof(fl::bits) == sizeof(double));
static_assert(fl::flops{}.value() == 0 && fl::bytes{}.value() == 0);
}  // namespace

// The units can be imported alone, without the names that clash with <cstddef> and <chrono>.
namespace importing_units_alone {
using namespace flopledger::unit;
static_assert(2.0 * flop / (1.0 * mac) == flopledger::flops_per_mac);
static_assert(8.0 * bit == flopledger::in_bits(1.0 * byte));
}  // namespace importing_units_alone
