// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Utilisation, between numbers of one calibre.
///
/// Work, measured time and peak each carry in their type what they are numbers of: which pass, which precision, dense
/// or sparse. Where two of them differ no function fits, and the compiler's message names the two types.
///
/// MFU: model FLOPs over time and peak (Chowdhery et al. 2022, appendix B). What is computed a second time never
/// counts. HFU counts it (Korthikanti et al. 2022). MBU: bytes that must move over time and bandwidth.

#include <flopledger/compiler.hpp>
#include <flopledger/errors.hpp>
#include <flopledger/hardware/device.hpp>
#include <flopledger/ledger.hpp>
#include <flopledger/parallel/device_rows.hpp>
#include <flopledger/parallel/recompute.hpp>
#include <flopledger/units.hpp>
#include <flopledger/work.hpp>

namespace flopledger {

/// What a time may cover. Never defined: only their names count.
namespace pass {
struct forward;
struct forward_backward;  ///< without the optimizer
struct training_step;     ///< with the optimizer, communication, data loading: everything between two steps
struct prefill;
struct decode_step;
}  // namespace pass

/// Whether a pass computes gradients. A pass of one's own says so by a specialisation.
template <class Pass>
inline constexpr bool has_backward = [] {
  static_assert(sizeof(Pass*) == 0, "not a pass: specialise `flopledger::has_backward<Pass>` for one of your own");
  return false;
}();
template <>
inline constexpr bool has_backward<pass::forward> = false;
template <>
inline constexpr bool has_backward<pass::forward_backward> = true;
template <>
inline constexpr bool has_backward<pass::training_step> = true;
template <>
inline constexpr bool has_backward<pass::prefill> = false;
template <>
inline constexpr bool has_backward<pass::decode_step> = false;

/// Whether zeros were skipped. Types beside the enumeration `sparsity`, for a compiler prints those by name.
struct dense {
  static constexpr sparsity mode = sparsity::dense;
};
struct two_of_four_sparse {
  static constexpr sparsity mode = sparsity::two_of_four;
};
struct four_of_sixteen_sparse {
  static constexpr sparsity mode = sparsity::four_of_sixteen;
};
struct unstructured_sparse {
  static constexpr sparsity mode = sparsity::unstructured;
};

// What is compared
// -----------------------------------------------------------------------------------------------------

/// FLOPs that the model asks for, whatever the hardware computes: matrix products, two FLOPs a multiply-add, each once.
template <class Pass, class Precision, class Sparsity = dense>
struct model_work {
  flops amount{};
};

/// FLOPs that the hardware computes: recomputed products too.
template <class Pass, class Precision, class Sparsity = dense>
struct hardware_work {
  flops amount{};
};

/// Bytes that a pass must move between memory and the chip.
template <class Pass>
struct moved {
  bytes amount{};
};

/// A measured time, and of what.
template <class Pass>
struct measured {
  seconds took{};
  constexpr measured(seconds amount) : took(amount) {}
  constexpr measured(const chrono_duration auto& duration) : took(elapsed(duration)) {}
};

/// The most that all devices together compute a second, in one precision.
template <class Precision, class Sparsity = dense>
struct peak {
  flop_rate rate{};
};

/// Peak of `devices` devices of one kind: `peak_on<bf16, hardware::h100_sxm5_80gb>(16)`.
template <class Precision, class Device, class Sparsity = dense>
constexpr peak<Precision, Sparsity> peak_on(double devices = 1) {
  return {devices * peak_of<Precision, Device, Sparsity::mode>};
}

/// The same at run time; throws `figure_not_published` where the device lacks the format.
template <class Precision, class Sparsity = dense>
constexpr peak<Precision, Sparsity> peak_on(const accelerator& device, double devices = 1) {
  return {devices * peak_rate(device, Precision::format.kind, Sparsity::mode)};
}

/// The bandwidth of all devices' memories together.
struct memory_peak {
  byte_rate rate{};
  constexpr memory_peak(byte_rate together) : rate(together) {}
};

// From the ledger
// ------------------------------------------------------------------------------------------------------

namespace detail {
struct product_macs {
  macs forward{}, backward{};
  constexpr void take(const row& r, std::int64_t times) {
    forward += static_cast<double>(times) * r.multiplied;
    backward += static_cast<double>(times) * backward_macs(r);
  }
};
}  // namespace detail

/// Model FLOPs of a pass over the work asked, with its attention counting: of the forward pass, and where the pass has
/// one, of the backward pass by each row's rule. `model_work_of<pass::training_step, bf16>(model, training_step(8,
/// 4096))`.
template <class Pass, class Precision, class Sparsity = dense, class Config>
constexpr model_work<Pass, Precision, Sparsity> model_work_of(const Config& model, const work& asked) {
  detail::product_macs sum;
  model.record(sum, asked);
  return {flops_per_mac * (has_backward<Pass> ? sum.forward + sum.backward : sum.forward)};
}

/// The same for a model that is a type: `model_work_of<models::llama3_8b, pass::forward, bf16>(forward(1, 8192))`.
template <class Model, class Pass, class Precision, class Sparsity = dense>
constexpr model_work<Pass, Precision, Sparsity> model_work_of(const work& asked) {
  return model_work_of<Pass, Precision, Sparsity>(Model::config, asked);
}

namespace detail {
/// A fold: FLOPs of what runs again. Whole blocks are recomputed in the main stack alone.
constexpr auto repeated_flops(const recompute_rule& rule) {
  return tally{flops{}, [rule](const row& r) {
                 const bool repeated = (rule.of_any_part() || r.part == model_part::main) && runs_again(rule, r.is());
                 return repeated ? flops_per_mac * r.multiplied : flops{};
               }};
}
}  // namespace detail

/// FLOPs of what runs a second time by a rule: `recomputed_flops(model, asked, {.how = recompute::selective})`.
template <class Config>
constexpr flops recomputed_flops(const Config& model, const work& asked, const recompute_rule& rule) {
  auto again = detail::repeated_flops(rule);
  model.record(again, asked);
  return again.total;
}

/// The same by a plan, which may repeat some blocks of a stage and not others, and may have adapters.
template <class Config>
constexpr flops recomputed_flops(const Config& model, const work& asked, const plan& p, bool joins_products = true) {
  if (p.recompute == recompute::none) return {};
  const recompute_rule rule = rule_of(p, joins_products);
  flops sum{};
  const auto add = [&](double blocks, auto&& record) {
    auto again = detail::repeated_flops(rule);
    record_adapted(again, p.adapter_rank, record);
    sum += blocks * again.total;
  };
  if (rule.of_any_part()) {
    add(1, [&](auto& sink) { model.record(sink, asked); });
    return sum;
  }
  model.stack.for_each_kind([&](block_kind kind) {
    double blocks = 0;
    for (std::int64_t stage = 0; stage < p.pipeline; ++stage)
      blocks += detail::count_of(model.stack, kind, p, stage).again;
    if (blocks > 0) add(blocks, [&](auto& sink) { model.record_block(sink, asked, kind); });
  });
  return sum;
}

/// What the hardware computes where some of the model's work runs a second time.
template <class Pass, class Precision, class Sparsity>
constexpr hardware_work<Pass, Precision, Sparsity> with_recompute(model_work<Pass, Precision, Sparsity> once,
                                                                  flops again) {
  return {once.amount + again};
}

// Several precisions in one step
// ---------------------------------------------------------------------------------------

/// A precision of its own: some of the step's products run in each of these.
template <class... Precisions>
struct blended;

/// Work in several precisions, and the peak that goes with it. The time at peak is the sum of each part's, so the peak
/// is the harmonic mean weighted by FLOPs: it belongs to these shares alone.
template <class Pass, class Sparsity, class... Precisions>
struct blend {
  double parts[sizeof...(Precisions)];

  constexpr explicit blend(model_work<Pass, Precisions, Sparsity>... each) : parts{each.amount.value()...} {}

  constexpr model_work<Pass, blended<Precisions...>, Sparsity> work() const {
    double sum = 0;
    for (const double part : parts) sum += part;
    return {sum * unit::flop};
  }
  constexpr flopledger::peak<blended<Precisions...>, Sparsity> peak(
      flopledger::peak<Precisions, Sparsity>... of_each) const {
    const double rates[] = {of_each.rate.value()...};
    double at_peak = 0;
    for (std::size_t i = 0; i < sizeof...(Precisions); ++i) at_peak += parts[i] / rates[i];
    return {work().amount / (at_peak * unit::second)};
  }
};
template <class Pass, class Sparsity, class... Precisions>
blend(model_work<Pass, Precisions, Sparsity>...) -> blend<Pass, Sparsity, Precisions...>;

// The shares
// -----------------------------------------------------------------------------------------------------------

/// More was reached than there is: numerator and denominator disagree.
struct impossible_utilisation : error {
  using error::error;
};

namespace detail {
// The text stands on the line that throws, for that line is what a compiler shows where an expression is constant.
constexpr double checked_flop_share(double share) {
  if (!(share >= 0)) detail::raise<impossible_utilisation>("utilisation: work, time and peak must be positive numbers");
  // clang-format off
  if (share > 1 + 1e-9) detail::raise<impossible_utilisation>("utilisation above 1, numerator and denominator disagree: a sparse product's work over a dense peak? another pass's time, or another step's? FLOPs counted twice (MAC for FLOP)? work of all devices over the peak of one?");
  // clang-format on
  return share;
}
constexpr double checked_byte_share(double share) {
  if (!(share >= 0))
    detail::raise<impossible_utilisation>("utilisation: bytes, time and bandwidth must be positive numbers");
  // clang-format off
  if (share > 1 + 1e-9) detail::raise<impossible_utilisation>("bandwidth utilisation above 1, numerator and denominator disagree: bytes that a cache served? GiB for GB? another pass's time? bytes of all devices over the bandwidth of one?");
  // clang-format on
  return share;
}
// Not a number where time or rate is none, which the check refuses.
constexpr double share_of(double amount, double took, double rate) {
  return took > 0 && rate > 0 ? amount / took / rate : -1.0;
}
}  // namespace detail

/// Model FLOPs utilisation. Above 1 it throws `impossible_utilisation`, and is no constant expression.
template <class Pass, class Precision, class Sparsity>
constexpr double mfu(model_work<Pass, Precision, Sparsity> done, measured<Pass> took, peak<Precision, Sparsity> best) {
  const double share = detail::share_of(done.amount.value(), took.took.value(), best.rate.value());
  return detail::checked_flop_share(share);
}

/// Hardware FLOPs utilisation: recomputed products count.
template <class Pass, class Precision, class Sparsity>
constexpr double hfu(hardware_work<Pass, Precision, Sparsity> done, measured<Pass> took,
                     peak<Precision, Sparsity> best) {
  const double share = detail::share_of(done.amount.value(), took.took.value(), best.rate.value());
  return detail::checked_flop_share(share);
}

/// Memory bandwidth utilisation: bytes that must move, over the bandwidth of all devices together.
template <class Pass>
constexpr double mbu(moved<Pass> done, measured<Pass> took, memory_peak best) {
  const double share = detail::share_of(done.amount.value(), took.took.value(), best.rate.value());
  return detail::checked_byte_share(share);
}

/// FLOP/s that the model got: the numerator of MFU.
template <class Pass, class Precision, class Sparsity>
constexpr flop_rate achieved_rate(model_work<Pass, Precision, Sparsity> done, measured<Pass> took) {
  return done.amount / took.took;
}

// Throughput
// -----------------------------------------------------------------------------------------------------------

/// Tokens a second at peak. MFU is also the achieved throughput over this one.
template <class Precision, class Sparsity>
constexpr token_rate ideal_throughput(peak<Precision, Sparsity> best, flops_per_token a_token) {
  return best.rate / a_token;
}

/// Work of a second at a measured throughput; its time is one second.
template <class Pass, class Precision, class Sparsity = dense>
constexpr model_work<Pass, Precision, Sparsity> work_of_a_second(token_rate throughput, flops_per_token a_token) {
  return {throughput * a_token * (1.0 * unit::second)};
}

/// The quick estimate: FLOPs a token of `active` parameters, 2 a parameter forward and 6 with the backward pass, the
/// attention core left out (Kaplan et al. 2020, section 2.1). The ledger counts; this guesses.
template <class Pass>
constexpr flops_per_token estimated_flops_per_token(parameters active) {
  return (has_backward<Pass> ? 6.0 : 2.0) * (unit::flop / (unit::parameter * unit::token)) * active;
}

// From a profiler
// ------------------------------------------------------------------------------------------------------

/// FLOP/s from a share of peak that a profiler shows for the matrix units. A busy share counts units that spin idle, so
/// this is an upper bound of what was computed.
template <class Precision, class Sparsity>
constexpr flop_rate achieved_rate(peak<Precision, Sparsity> best, double busy_share) {
  return detail::checked_flop_share(busy_share) * best.rate;
}

}  // namespace flopledger
