// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What an accelerator is: its published figures, and the ways to read them.
///
/// A device is a type with a `static constexpr accelerator value`. Each figure is published, doubtful or absent; an
/// absent one cannot be read: it is a compile error on a type and `figure_not_published` on a value.

#include <flopledger/compiler.hpp>
#include <flopledger/errors.hpp>
#include <flopledger/precision.hpp>
#include <flopledger/units.hpp>

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace flopledger {

/// What a data sheet says of a figure. Doubtful: sources disagree, or only one of little weight has it.
enum class publication : std::uint8_t { absent, published, doubtful };

/// A figure that the description of a device lacks was asked for at run time.
struct figure_not_published : error {
  /// Says its parts one after another.
  template <class First, class... Rest>
  requires std::is_convertible_v<const First&, std::string_view>
  explicit figure_not_published(const First& first, const Rest&... rest)
      : error(((sentence() << std::string_view(first)) << ... << std::string_view(rest)).c_str()) {}
};

/// A text of a description. It measures itself only when read, which is kinder to a compiler than a `string_view`.
class label {
 public:
  constexpr label() = default;
  constexpr label(const char* text) : text_(text) {}
  constexpr operator std::string_view() const { return text_; }
  constexpr const char* c_str() const { return text_; }
  constexpr bool empty() const { return *text_ == '\0'; }

  template <std::convertible_to<std::string_view> Text>
  friend constexpr bool operator==(label one, const Text& other) {
    return std::string_view(one).compare(other) == 0;
  }
  template <class Stream>
  friend auto& operator<<(Stream& out, label text) {
    return out << std::string_view(text);
  }
 private:
  const char* text_ = "";
};

/// A figure of a data sheet. Default-constructed it is absent, which is not zero.
/// `Value` is a quantity, a plain number or a label. A quantity is kept as its number in the library's units: a
/// catalogue of quantities would cost a compiler twice as much.
template <class Value>
class figure {
  using kept = std::conditional_t<std::is_same_v<Value, label>, label, double>;
 public:
  constexpr figure() = default;
  constexpr figure(kept amount, publication how) : kept_(amount), publication_(how) {}
  constexpr figure(Value amount) requires std::is_same_v<Value, kept> : figure(amount, publication::published) {}
  constexpr figure(Value amount) requires(!std::is_same_v<Value, kept>)
      : figure(amount.value(), publication::published) {}
  constexpr figure(const char* text) requires std::is_same_v<Value, label> : figure(text, publication::published) {}

  constexpr bool is_known() const { return publication_ != publication::absent; }
  constexpr bool is_doubtful() const { return publication_ == publication::doubtful; }

  /// Throws where the figure is absent; `published(device, &accelerator::tdp)` then names it, too.
  constexpr Value value() const {
    if (!is_known()) detail::raise<figure_not_published>("a figure that is not published was read");
    return amount();
  }
  constexpr Value value_or(Value otherwise) const { return is_known() ? amount() : otherwise; }

  /// Marks a figure that is to be treated as unconfirmed: `.bf16 = doubtful(teraflops(752))`.
  friend constexpr figure doubtful(figure amount) { return {amount.kept_, publication::doubtful}; }
 private:
  constexpr Value amount() const {
    if constexpr (std::is_same_v<Value, kept>)
      return kept_;
    else
      return Value::from_value(kept_);
  }

  kept kept_{};
  publication publication_ = publication::absent;
};

template <class Unit>
constexpr figure<quantity<Unit>> doubtful(quantity<Unit> amount) {
  return {amount.value(), publication::doubtful};
}
constexpr figure<double> doubtful(double amount) { return {amount, publication::doubtful}; }
constexpr figure<label> doubtful(const char* text) { return {text, publication::doubtful}; }

using dollar_rate = detail::quantity_of<dimension::power<dimension::time, -1>, dimension::power<dimension::money, 1>>;

/// The units of data sheets. Rates are decimal, always: a terabyte per second is 10^12 B/s.
/// A quantity (`80_GiB`, `700_W`) initialises a figure as well; these cost a compiler a third of that.
constexpr figure<flop_rate> teraflops(double n) { return {n * prefix::tera, publication::published}; }
constexpr figure<hertz> megahertz(double n) { return {n * prefix::mega, publication::published}; }
constexpr figure<bytes> mebibytes(double n) { return {n * prefix::mebi, publication::published}; }
constexpr figure<bytes> gibibytes(double n) { return {n * prefix::gibi, publication::published}; }
constexpr figure<bytes> megabytes(double n) { return {n * prefix::mega, publication::published}; }
constexpr figure<bytes> gigabytes(double n) { return {n * prefix::giga, publication::published}; }
constexpr figure<byte_rate> gigabytes_per_second(double n) { return {n * prefix::giga, publication::published}; }
constexpr figure<byte_rate> gigabits_per_second(double n) { return {n * prefix::giga / 8.0, publication::published}; }
constexpr figure<watts> watts_of_power(double n) { return {n, publication::published}; }
constexpr figure<dollar_rate> dollars_per_hour(double n) { return {n / 3600.0, publication::published}; }

/// Which zeros a matrix unit skips. A peak is dense unless a sparse one is asked for by name.
enum class sparsity : std::uint8_t { dense, two_of_four, four_of_sixteen, unstructured };

/// What a matrix product sums in. FP16 is the faster, narrower one that GeForce headlines quote.
enum class accumulation : std::uint8_t { fp32, fp16 };

/// How well the 16-bit peak is supported.
enum class evidence : std::uint8_t {
  a,  ///< two or more sources agree
  b,  ///< one source read, and the vendor's document as recalled
  c,  ///< the vendor's document as recalled, or arithmetic, alone
  d   ///< sources disagree; the row states a choice
};

/// Devices with one set of constants, which were measured on some of them (hardware/efficiency.hpp).
enum class device_family : std::uint8_t {
  unmeasured,       ///< only the floor is known
  ampere,           ///< GA100
  hopper,           ///< GH100
  blackwell,        ///< B100, B200
  blackwell_ultra,  ///< B300
  cdna_3,           ///< MI300X
  gddr              ///< NVIDIA's boards of Ampere and Ada with GDDR memory
};

/// An accelerator as its data sheet has it. Every peak is dense: FLOP/s, one multiply-add being two. Matrix peaks
/// accumulate in FP32 (INT32 for integers) unless the name says otherwise.
struct accelerator {
  label id{};
  label vendor{};
  label product{};
  label form_factor{};
  int year = 0;  ///< of introduction
  label architecture{};
  device_family family = device_family::unmeasured;
  /// What CUDA and ROCm call it (`cudaDeviceProp::name`), between "; ". Empty where software sees another device than
  /// the data sheet describes, such as one of the two dies of an MI250X.
  label runtime_names{};
  figure<label> compute_capability{};  ///< NVIDIA

  figure<flop_rate> fp64_vector{};
  figure<flop_rate> fp64_matrix{};
  figure<flop_rate> fp32_vector{};
  figure<flop_rate> fp16_vector{};
  figure<flop_rate> tf32{};
  figure<flop_rate> bf16{};
  figure<flop_rate> fp16{};
  figure<flop_rate> fp16_accumulate_fp16{};
  figure<flop_rate> fp8{};
  figure<flop_rate> fp8_accumulate_fp16{};
  figure<flop_rate> fp6{};
  figure<flop_rate> fp4{};
  figure<flop_rate> int8{};
  figure<flop_rate> int4{};

  sparsity sparse_mode = sparsity::dense;  ///< dense: none
  figure<double> sparsity_factor{};        ///< sparse peak over dense peak, of all formats but those below
  figure<double> fp8_sparsity_factor{};    ///< overrides; 1: no sparse mode for this format
  figure<double> fp6_sparsity_factor{};
  figure<double> fp4_sparsity_factor{};

  figure<double> compute_units{};  ///< SMs, compute units, cores
  figure<hertz> clock{};           ///< that reproduces the published 16-bit peak; not always the highest
  figure<double> flops_per_clock_per_unit{};

  figure<label> memory_type{};
  figure<bytes> nominal_memory{};  ///< the label, in the unit that it means
  figure<bytes> usable_memory{};   ///< what nvidia-smi or rocm-smi reports
  figure<byte_rate> memory_bandwidth{};
  figure<bytes> l2_cache{};
  figure<bytes> last_level_cache{};  ///< or on-chip SRAM

  figure<label> scale_up_link{};
  figure<byte_rate> scale_up_bandwidth{};       ///< one direction, all links of the device
  figure<byte_rate> scale_up_peer_bandwidth{};  ///< one direction, to one peer
  figure<double> scale_up_devices{};            ///< of one domain
  figure<byte_rate> scale_out_bandwidth{};      ///< one direction, the network's share of one device
  figure<label> host_link{};
  figure<byte_rate> host_link_bandwidth{};  ///< one direction

  figure<watts> tdp{};
  figure<dollar_rate> lowest_price{};  ///< rent of one device
  figure<dollar_rate> highest_price{};

  flopledger::evidence evidence = evidence::c;
  label note{};
};

/// Calls `visit(name, member)` for every figure: `device.*member` is it.
constexpr void for_each_figure(auto&& visit) {
#define FLOPLEDGER_FIGURE(NAME) visit(#NAME, &accelerator::NAME)
  FLOPLEDGER_FIGURE(compute_capability);
  FLOPLEDGER_FIGURE(fp64_vector);
  FLOPLEDGER_FIGURE(fp64_matrix);
  FLOPLEDGER_FIGURE(fp32_vector);
  FLOPLEDGER_FIGURE(fp16_vector);
  FLOPLEDGER_FIGURE(tf32);
  FLOPLEDGER_FIGURE(bf16);
  FLOPLEDGER_FIGURE(fp16);
  FLOPLEDGER_FIGURE(fp16_accumulate_fp16);
  FLOPLEDGER_FIGURE(fp8);
  FLOPLEDGER_FIGURE(fp8_accumulate_fp16);
  FLOPLEDGER_FIGURE(fp6);
  FLOPLEDGER_FIGURE(fp4);
  FLOPLEDGER_FIGURE(int8);
  FLOPLEDGER_FIGURE(int4);
  FLOPLEDGER_FIGURE(sparsity_factor);
  FLOPLEDGER_FIGURE(fp8_sparsity_factor);
  FLOPLEDGER_FIGURE(fp6_sparsity_factor);
  FLOPLEDGER_FIGURE(fp4_sparsity_factor);
  FLOPLEDGER_FIGURE(compute_units);
  FLOPLEDGER_FIGURE(clock);
  FLOPLEDGER_FIGURE(flops_per_clock_per_unit);
  FLOPLEDGER_FIGURE(memory_type);
  FLOPLEDGER_FIGURE(nominal_memory);
  FLOPLEDGER_FIGURE(usable_memory);
  FLOPLEDGER_FIGURE(memory_bandwidth);
  FLOPLEDGER_FIGURE(l2_cache);
  FLOPLEDGER_FIGURE(last_level_cache);
  FLOPLEDGER_FIGURE(scale_up_link);
  FLOPLEDGER_FIGURE(scale_up_bandwidth);
  FLOPLEDGER_FIGURE(scale_up_peer_bandwidth);
  FLOPLEDGER_FIGURE(scale_up_devices);
  FLOPLEDGER_FIGURE(scale_out_bandwidth);
  FLOPLEDGER_FIGURE(host_link);
  FLOPLEDGER_FIGURE(host_link_bandwidth);
  FLOPLEDGER_FIGURE(tdp);
  FLOPLEDGER_FIGURE(lowest_price);
  FLOPLEDGER_FIGURE(highest_price);
#undef FLOPLEDGER_FIGURE
}

/// The name of a figure as the description spells it.
template <class Value>
constexpr std::string_view name_of(figure<Value> accelerator::*which) {
  std::string_view found;
  for_each_figure([&](std::string_view name, auto member) {
    if constexpr (std::is_same_v<decltype(member), figure<Value> accelerator::*>)
      if (member == which) found = name;
  });
  return found;
}

/// A figure of a device, or `figure_not_published` with the names of both: `published(device, &accelerator::tdp)`.
template <class Value>
constexpr Value published(const accelerator& device, figure<Value> accelerator::*which) {
  if (!(device.*which).is_known())
    detail::raise<figure_not_published>(device.id, ": ", name_of(which), " is not published");
  return (device.*which).value();
}

/// What a link moves in both directions together: what NVIDIA's "900 GB/s NVLink" counts.
constexpr byte_rate both_directions(byte_rate one_direction) {
  return byte_rate::from_value(2 * one_direction.value());
}

constexpr std::string_view name_of(sparsity mode) {
  switch (mode) {
    case sparsity::dense:
      return "dense";
    case sparsity::two_of_four:
      return "2:4 sparse";
    case sparsity::four_of_sixteen:
      return "4:16 sparse";
    case sparsity::unstructured:
      return "unstructured sparse";
  }
  return "";
}

constexpr std::string_view name_of(number_kind kind) {
  switch (kind) {
    case number_kind::fp64:
      return "fp64";
    case number_kind::fp32:
      return "fp32";
    case number_kind::tf32:
      return "tf32";
    case number_kind::bf16:
      return "bf16";
    case number_kind::fp16:
      return "fp16";
    case number_kind::fp8_e4m3:
    case number_kind::fp8_e5m2:
      return "fp8";
    case number_kind::fp6:
      return "fp6";
    case number_kind::fp4:
      return "fp4";
    case number_kind::int8:
      return "int8";
    case number_kind::int4:
      return "int4";
    case number_kind::custom:
      break;
  }
  return "custom format";
}

/// The fastest dense rate of a matrix product with such inputs. FP64 runs on the matrix unit where there is one, FP32
/// (as distinct from TF32) and packed FP16 sums on the vector units.
template <class Device = accelerator>
constexpr figure<flop_rate> dense_peak_figure(const Device& device, number_kind kind,
                                              accumulation sums = accumulation::fp32) {
  if (sums == accumulation::fp16) {
    if (kind == number_kind::fp16)
      return device.fp16_accumulate_fp16.is_known() ? device.fp16_accumulate_fp16 : device.fp16_vector;
    if (kind == number_kind::fp8_e4m3 || kind == number_kind::fp8_e5m2) return device.fp8_accumulate_fp16;
    return {};
  }
  switch (kind) {
    case number_kind::fp64:
      return device.fp64_matrix.is_known() ? device.fp64_matrix : device.fp64_vector;
    case number_kind::fp32:
      return device.fp32_vector;
    case number_kind::tf32:
      return device.tf32;
    case number_kind::bf16:
      return device.bf16;
    case number_kind::fp16:
      return device.fp16;
    case number_kind::fp8_e4m3:
    case number_kind::fp8_e5m2:
      return device.fp8;
    case number_kind::fp6:
      return device.fp6;
    case number_kind::fp4:
      return device.fp4;
    case number_kind::int8:
      return device.int8;
    case number_kind::int4:
      return device.int4;
    case number_kind::custom:
      break;
  }
  return {};
}

/// Sparse over dense, of one format; absent where the device has no such mode for it.
template <class Device = accelerator>
constexpr figure<double> sparsity_factor_figure(const Device& device, number_kind kind) {
  if (kind == number_kind::fp64 || kind == number_kind::fp32) return {};
  figure<double> factor = device.sparsity_factor;
  if ((kind == number_kind::fp8_e4m3 || kind == number_kind::fp8_e5m2) && device.fp8_sparsity_factor.is_known())
    factor = device.fp8_sparsity_factor;
  if (kind == number_kind::fp6 && device.fp6_sparsity_factor.is_known()) factor = device.fp6_sparsity_factor;
  if (kind == number_kind::fp4 && device.fp4_sparsity_factor.is_known()) factor = device.fp4_sparsity_factor;
  return factor.value_or(1.0) > 1.0 ? factor : figure<double>{};
}

/// The peak of a device, absent where it is not published. A sparse one is the dense one times the format's factor.
template <class Device = accelerator>
constexpr figure<flop_rate> peak_figure(const Device& device, number_kind kind, sparsity mode = sparsity::dense,
                                        accumulation sums = accumulation::fp32) {
  const figure<flop_rate> dense = dense_peak_figure(device, kind, sums);
  if (mode == sparsity::dense || !dense.is_known()) return dense;
  const figure<double> factor = sparsity_factor_figure(device, kind);
  if (mode != device.sparse_mode || !factor.is_known()) return {};
  return {dense.value().value() * factor.value(),
          dense.is_doubtful() || factor.is_doubtful() ? publication::doubtful : publication::published};
}

/// The peak of a device at run time, or `figure_not_published`.
template <class Device = accelerator>
constexpr flop_rate peak_rate(const Device& device, number_kind kind, sparsity mode = sparsity::dense,
                              accumulation sums = accumulation::fp32) {
  const figure<flop_rate> peak = peak_figure(device, kind, mode, sums);
  if (!peak.is_known())
    detail::raise<figure_not_published>(device.id, ": ", name_of(mode), " ", name_of(kind),
                                        sums == accumulation::fp16 ? " peak with FP16 sums" : " peak",
                                        " is not published");
  return peak.value();
}

namespace hardware {
/// What the devices of the catalogue stand on: the description is evaluated where it is used, so that a device that
/// nobody asks about costs a compiler the reading of its name.
template <class Self>
struct described_device {
  static constexpr accelerator value = Self::template describe<>();
};
}  // namespace hardware

/// Makes an entry of hardware/devices/ a type. The catalogue makes of the same entry an element of its list.
#define FLOPLEDGER_DEVICE_TYPE(NAME, ...) \
  struct NAME : described_device<NAME> {  \
    template <class A = accelerator>      \
    static constexpr A describe() {       \
      return A __VA_ARGS__;               \
    }                                     \
  };

/// What a device is to the library: a type with a constant `value` that has at least an id.
template <class Device>
concept accelerator_type = requires {
  requires std::same_as<std::remove_cvref_t<decltype(Device::value)>, accelerator>;
  typename std::bool_constant<Device::value.id.empty()>;
};

namespace detail {
template <class Device>
inline constexpr accelerator undescribed{};
template <class Device>
inline constexpr const accelerator& described = []() -> const accelerator& {
  constexpr bool is_accelerator = accelerator_type<Device>;
  static_assert(is_accelerator, "not an accelerator: it needs `static constexpr flopledger::accelerator value`");
  if constexpr (is_accelerator)
    return Device::value;
  else
    return undescribed<Device>;
}();

template <class Format>
inline constexpr number_kind kind_of = [] {
  constexpr bool is_format = number_format_type<Format>;
  static_assert(
      is_format,
      "not a number format: it needs `static constexpr flopledger::number_format format` of more than 0 bits");
  if constexpr (is_format)
    return Format::format.kind;
  else
    return number_kind::custom;
}();
}  // namespace detail

/// Checks hard, so that nothing is answered about a type that is no device.
template <class Device>
struct checked_device {
  static constexpr const accelerator& value = detail::described<Device>;
};

/// True of a device that has the figure: `publishes<hardware::v100_pcie, &accelerator::bf16>`.
template <class Device, auto Figure>
concept publishes = (checked_device<Device>::value.*Figure).is_known();

template <class Device, class Format, sparsity Mode = sparsity::dense, accumulation Sums = accumulation::fp32>
concept publishes_peak = peak_figure(checked_device<Device>::value, detail::kind_of<Format>, Mode, Sums)
.is_known();

/// Any figure of a device type: `figure_of<hardware::t4, &accelerator::tdp>`.
template <class Device, auto Figure>
inline constexpr auto figure_of = [] {
  constexpr auto figure = detail::described<Device>.*Figure;
  constexpr bool is_published = !accelerator_type<Device> || figure.is_known();
  static_assert(is_published, "this figure of this device is not published");
  return figure.value_or({});
}();

/// The peak of a device type: dense, summed in FP32, unless asked otherwise.
template <class Format, class Device, sparsity Mode = sparsity::dense, accumulation Sums = accumulation::fp32>
inline constexpr flop_rate peak_of = [] {
  constexpr auto figure = peak_figure(detail::described<Device>, detail::kind_of<Format>, Mode, Sums);
  constexpr bool is_published = !accelerator_type<Device> || !number_format_type<Format> || figure.is_known();
  static_assert(is_published, "this peak of this device is not published");
  return figure.value_or({});
}();

template <class Device>
inline constexpr bytes usable_memory = figure_of<Device, &accelerator::usable_memory>;
template <class Device>
inline constexpr bytes nominal_memory = figure_of<Device, &accelerator::nominal_memory>;
template <class Device>
inline constexpr byte_rate memory_bandwidth = figure_of<Device, &accelerator::memory_bandwidth>;
/// One direction, all links of the device together.
template <class Device>
inline constexpr byte_rate scale_up_bandwidth = figure_of<Device, &accelerator::scale_up_bandwidth>;
/// One direction, to one peer: far below the total in a mesh or a torus.
template <class Device>
inline constexpr byte_rate scale_up_peer_bandwidth = figure_of<Device, &accelerator::scale_up_peer_bandwidth>;

}  // namespace flopledger
