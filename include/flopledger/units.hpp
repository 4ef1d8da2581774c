// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Dimensions, units, quantities and literals.
///
/// One system holds everything the books need: our own FLOP, MAC, token, parameter and money beside Boost's byte,
/// second, metre and kilogram. Whatever has the same base units converts implicitly at a function's parameter (Boost's
/// own `information::byte`, `si::second`, `si::joule`); whatever has not, does not compile: a MAC is not a FLOP, a FLOP
/// is not a FLOP/s, a bit is not a byte. The representation is `double`: nothing overflows, and integers are exact up
/// to 2^53.

#include <flopledger/compiler.hpp>

#include <boost/units/base_dimension.hpp>
#include <boost/units/base_unit.hpp>
#include <boost/units/base_units/information/byte.hpp>
#include <boost/units/base_units/si/kilogram.hpp>
#include <boost/units/base_units/si/meter.hpp>
#include <boost/units/base_units/si/second.hpp>
#include <boost/units/homogeneous_system.hpp>
#include <boost/units/physical_dimensions/information.hpp>
#include <boost/units/physical_dimensions/length.hpp>
#include <boost/units/physical_dimensions/mass.hpp>
#include <boost/units/physical_dimensions/time.hpp>
#include <boost/units/quantity.hpp>

#include <cstdint>

namespace flopledger {

namespace dimension {
// Boost.Units reserves negative ordinals for itself; 7101 to 7105 are ours, and tests/static/units.cpp asserts that
// they stay apart from every header of the library.
struct flop : boost::units::base_dimension<flop, 7101> {};
struct mac : boost::units::base_dimension<mac, 7102> {};
struct token : boost::units::base_dimension<token, 7103> {};
struct parameter : boost::units::base_dimension<parameter, 7104> {};
struct money : boost::units::base_dimension<money, 7105> {};
using information = boost::units::information_base_dimension;
using length = boost::units::length_base_dimension;
using mass = boost::units::mass_base_dimension;
using time = boost::units::time_base_dimension;

template <class Base, long Exponent>
using power = boost::units::dim<Base, boost::units::static_rational<Exponent>>;
}  // namespace dimension

namespace base_unit {
struct flop : boost::units::base_unit<flop, dimension::flop::dimension_type, 7101> {};
struct mac : boost::units::base_unit<mac, dimension::mac::dimension_type, 7102> {};
struct token : boost::units::base_unit<token, dimension::token::dimension_type, 7103> {};
struct parameter : boost::units::base_unit<parameter, dimension::parameter::dimension_type, 7104> {};
struct us_dollar : boost::units::base_unit<us_dollar, dimension::money::dimension_type, 7105> {};
}  // namespace base_unit

namespace detail {
/// A list of Boost's. Its ordinals order it, Boost's own before ours: spelled out in that order, systems and dimensions
/// cost a compiler a fiftieth less of all that it does for this library than computed by `make_system` and `divides`.
/// tests/static/units.cpp asserts that both are the same types.
template <class... Items>
struct list_of {
  using type = boost::units::dimensionless_type;
};
template <class First, class... Rest>
struct list_of<First, Rest...> {
  using type = boost::units::list<First, typename list_of<Rest...>::type>;
};
}  // namespace detail

/// The one system of units of the library.
using unit_system = boost::units::homogeneous_system<
    detail::list_of<boost::units::information::byte_base_unit, boost::units::si::meter_base_unit,
                    boost::units::si::kilogram_base_unit, boost::units::si::second_base_unit, base_unit::flop,
                    base_unit::mac, base_unit::token, base_unit::parameter, base_unit::us_dollar>::type>;

}  // namespace flopledger

/// A unit converts to itself. Boost would find that out by taking both apart for each of our units, wherever a quantity
/// is copied: a fiftieth of what including this library costs a compiler. Our system's types exist in no translation
/// unit that does not see this.
template <class Dimension>
struct boost::units::is_implicitly_convertible<boost::units::unit<Dimension, flopledger::unit_system>,
                                               boost::units::unit<Dimension, flopledger::unit_system>>
    : boost::mpl::true_ {};

namespace flopledger {

template <class Dimension>
using unit_of = boost::units::unit<Dimension, unit_system>;

template <class Unit>
using quantity = boost::units::quantity<Unit, double>;

namespace detail {
/// A quantity whose dimension is this product of powers, in the order of their ordinals.
template <class... Powers>
using quantity_of = quantity<unit_of<typename list_of<Powers...>::type>>;
}  // namespace detail

using flops = quantity<unit_of<dimension::flop::dimension_type>>;
using macs = quantity<unit_of<dimension::mac::dimension_type>>;
using tokens = quantity<unit_of<dimension::token::dimension_type>>;
using parameters = quantity<unit_of<dimension::parameter::dimension_type>>;
using us_dollars = quantity<unit_of<dimension::money::dimension_type>>;
using bytes = quantity<unit_of<boost::units::information_dimension>>;
using seconds = quantity<unit_of<boost::units::time_dimension>>;
using metres = quantity<unit_of<boost::units::length_dimension>>;
using kilograms = quantity<unit_of<boost::units::mass_dimension>>;
using joules = detail::quantity_of<dimension::power<dimension::length, 2>, dimension::power<dimension::mass, 1>,
                                   dimension::power<dimension::time, -2>>;
using watts = detail::quantity_of<dimension::power<dimension::length, 2>, dimension::power<dimension::mass, 1>,
                                  dimension::power<dimension::time, -3>>;

/// Boost's bit: an eighth of a byte, and never taken for one (`in_bytes`, `in_bits` convert).
using bits = boost::units::quantity<boost::units::information::bit_base_unit::unit_type, double>;

// The namespace can be imported alone; `byte` and `second` would clash with other libraries' names in the outer one.
namespace unit {
inline constexpr flops::unit_type flop{};
inline constexpr macs::unit_type mac{};
inline constexpr tokens::unit_type token{};
inline constexpr parameters::unit_type parameter{};
inline constexpr us_dollars::unit_type us_dollar{};
inline constexpr bytes::unit_type byte{};
inline constexpr seconds::unit_type second{};
inline constexpr unit_of<boost::units::length_dimension> metre{};
inline constexpr unit_of<boost::units::mass_dimension> kilogram{};
inline constexpr joules::unit_type joule{};
inline constexpr watts::unit_type watt{};
inline constexpr bits::unit_type bit{};
}  // namespace unit

using flop_rate = detail::quantity_of<dimension::power<dimension::time, -1>, dimension::power<dimension::flop, 1>>;
using mac_rate = detail::quantity_of<dimension::power<dimension::time, -1>, dimension::power<dimension::mac, 1>>;
using byte_rate =
    detail::quantity_of<dimension::power<dimension::information, 1>, dimension::power<dimension::time, -1>>;
using token_rate = detail::quantity_of<dimension::power<dimension::time, -1>, dimension::power<dimension::token, 1>>;
using hertz = detail::quantity_of<dimension::power<dimension::time, -1>>;
using bytes_per_parameter =
    detail::quantity_of<dimension::power<dimension::information, 1>, dimension::power<dimension::parameter, -1>>;
using bytes_per_token =
    detail::quantity_of<dimension::power<dimension::information, 1>, dimension::power<dimension::token, -1>>;
using flops_per_token =
    detail::quantity_of<dimension::power<dimension::flop, 1>, dimension::power<dimension::token, -1>>;
using flops_per_byte =
    detail::quantity_of<dimension::power<dimension::information, -1>, dimension::power<dimension::flop, 1>>;

/// The one way from multiply-adds to operations.
inline constexpr auto flops_per_mac =
    detail::quantity_of<dimension::power<dimension::flop, 1>, dimension::power<dimension::mac, -1>>::from_value(2.0);

/// Decimal and binary prefixes, for what a literal cannot say: `n * prefix::gibi * unit::byte`.
namespace prefix {
inline constexpr double kilo = 1e3, mega = 1e6, giga = 1e9, tera = 1e12, peta = 1e15, exa = 1e18, zetta = 1e21;
inline constexpr double milli = 1e-3, micro = 1e-6, nano = 1e-9;
inline constexpr double kibi = 1024.0, mebi = 1048576.0, gibi = 1073741824.0, tebi = 1099511627776.0;
}  // namespace prefix

// By reference, here and elsewhere: to copy a quantity that is not const costs a compiler all its conversions.
constexpr bytes in_bytes(const bits& amount) { return bytes::from_value(amount.value() / 8.0); }
constexpr bits in_bits(const bytes& amount) { return bits::from_value(amount.value() * 8.0); }

/// The plain number behind a quantity, in the unit that the name says.
constexpr double in_gib(const bytes& amount) { return amount.value() / prefix::gibi; }
constexpr double in_mib(const bytes& amount) { return amount.value() / prefix::mebi; }
constexpr double in_gb(const bytes& amount) { return amount.value() / prefix::giga; }

/// True where a value is an integer that a `double` holds exactly, so that it may be printed in full.
constexpr bool is_exact_count(double value) {
  return value >= -9007199254740992.0 && value <= 9007199254740992.0 &&
         static_cast<double>(static_cast<std::int64_t>(value)) == value;
}

/// Anything shaped like a `std::chrono::duration`, without the cost of including `<chrono>`.
template <class Duration>
concept chrono_duration = requires(const Duration& d) {
  {d.count()};
  {Duration::period::num};
  {Duration::period::den};
};

/// A `std::chrono` duration as seconds.
constexpr seconds elapsed(const chrono_duration auto& duration) {
  using period = typename std::remove_cvref_t<decltype(duration)>::period;
  return static_cast<double>(duration.count()) * static_cast<double>(period::num) / static_cast<double>(period::den) *
         unit::second;
}

/// `80_GiB`, `3.35_TB`, `312_TFLOP / unit::second`: decimal prefixes are powers of ten, binary ones of two, always.
inline namespace literals {
// A macro because a literal's suffix cannot be a template argument; each line makes the integer and the floating form.
#define FLOPLEDGER_LITERAL(SUFFIX, TYPE, SCALE)                                                                    \
  constexpr TYPE operator""_##SUFFIX(long double n) { return TYPE::from_value(static_cast<double>(n) * (SCALE)); } \
  constexpr TYPE operator""_##SUFFIX(unsigned long long n) {                                                       \
    return TYPE::from_value(static_cast<double>(n) * (SCALE));                                                     \
  }
#define FLOPLEDGER_DECIMAL_LITERALS(SUFFIX, TYPE)   \
  FLOPLEDGER_LITERAL(SUFFIX, TYPE, 1.0)             \
  FLOPLEDGER_LITERAL(k##SUFFIX, TYPE, prefix::kilo) \
  FLOPLEDGER_LITERAL(M##SUFFIX, TYPE, prefix::mega) \
  FLOPLEDGER_LITERAL(G##SUFFIX, TYPE, prefix::giga) \
  FLOPLEDGER_LITERAL(T##SUFFIX, TYPE, prefix::tera) \
  FLOPLEDGER_LITERAL(P##SUFFIX, TYPE, prefix::peta) \
  FLOPLEDGER_LITERAL(E##SUFFIX, TYPE, prefix::exa)
FLOPLEDGER_DECIMAL_LITERALS(FLOP, flops)
FLOPLEDGER_DECIMAL_LITERALS(MAC, macs)
FLOPLEDGER_DECIMAL_LITERALS(B, bytes)
FLOPLEDGER_DECIMAL_LITERALS(tokens, tokens)
FLOPLEDGER_DECIMAL_LITERALS(parameters, parameters)
FLOPLEDGER_LITERAL(KiB, bytes, prefix::kibi)
FLOPLEDGER_LITERAL(MiB, bytes, prefix::mebi)
FLOPLEDGER_LITERAL(GiB, bytes, prefix::gibi)
FLOPLEDGER_LITERAL(TiB, bytes, prefix::tebi)
FLOPLEDGER_LITERAL(s, seconds, 1.0)
FLOPLEDGER_LITERAL(ms, seconds, prefix::milli)
FLOPLEDGER_LITERAL(us, seconds, prefix::micro)
FLOPLEDGER_LITERAL(ns, seconds, prefix::nano)
FLOPLEDGER_LITERAL(W, watts, 1.0)
FLOPLEDGER_LITERAL(kW, watts, prefix::kilo)
FLOPLEDGER_LITERAL(J, joules, 1.0)
FLOPLEDGER_LITERAL(USD, us_dollars, 1.0)
FLOPLEDGER_LITERAL(bit, bits, 1.0)
FLOPLEDGER_LITERAL(kbit, bits, prefix::kilo)
FLOPLEDGER_LITERAL(Mbit, bits, prefix::mega)
FLOPLEDGER_LITERAL(Gbit, bits, prefix::giga)
#undef FLOPLEDGER_DECIMAL_LITERALS
#undef FLOPLEDGER_LITERAL
}  // namespace literals

}  // namespace flopledger
