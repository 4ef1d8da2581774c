// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// What goes together in a utilisation, and what does not.

#include <flopledger/models/zoo/llama.hpp>
#include <flopledger/parallel/groups.hpp>
#include <flopledger/utilisation.hpp>

#include <boost/units/systems/si/time.hpp>

#include <chrono>

namespace {
namespace fl = flopledger;
namespace pass = flopledger::pass;
namespace unit = flopledger::unit;
using namespace flopledger::literals;
using fl::bf16, fl::fp8_e4m3, fl::dense, fl::two_of_four_sparse;

template <class Work, class Time, class Peak>
concept has_mfu = requires(Work work, Time time, Peak best) {
  fl::mfu(work, time, best);
};
template <class Work, class Time, class Peak>
concept has_hfu = requires(Work work, Time time, Peak best) {
  fl::hfu(work, time, best);
};

using step_work = fl::model_work<pass::training_step, bf16>;
using step_time = fl::measured<pass::training_step>;
static_assert(has_mfu<step_work, step_time, fl::peak<bf16>>);
static_assert(!has_mfu<step_work, fl::measured<pass::forward>, fl::peak<bf16>>);
static_assert(!has_mfu<step_work, fl::measured<pass::forward_backward>, fl::peak<bf16>>);
static_assert(!has_mfu<step_work, step_time, fl::peak<fp8_e4m3>>);
static_assert(!has_mfu<step_work, step_time, fl::peak<bf16, two_of_four_sparse>>);
static_assert(has_mfu<fl::model_work<pass::training_step, bf16, two_of_four_sparse>, step_time,
                      fl::peak<bf16, two_of_four_sparse>>);

// Work that runs a second time is no model work, and has no MFU.
using hardware_step = fl::hardware_work<pass::training_step, bf16>;
static_assert(!has_mfu<hardware_step, step_time, fl::peak<bf16>> && has_hfu<hardware_step, step_time, fl::peak<bf16>>);
static_assert(!has_hfu<step_work, step_time, fl::peak<bf16>>);

// A plain number is neither a time nor a peak.
static_assert(!has_mfu<step_work, double, fl::peak<bf16>> && !has_mfu<step_work, fl::seconds, fl::peak<bf16>>);
static_assert(!has_mfu<step_work, step_time, fl::flop_rate> && !has_mfu<fl::flops, step_time, fl::peak<bf16>>);

// Times: the library's seconds, Boost's, and durations of <chrono>.
static_assert(step_time(0.86_s).took == 860_ms);
static_assert(step_time(std::chrono::milliseconds(860)).took == 0.86_s);
static_assert(step_time(std::chrono::duration<double>(0.5)).took == 500_ms);
static_assert(step_time(fl::seconds(0.5 * boost::units::si::second)).took == 500_ms);
static_assert(!std::is_constructible_v<step_time, double> && !std::is_constructible_v<step_time, fl::flops>);

// Passes, and one of a user's own.
static_assert(fl::has_backward<pass::training_step> && fl::has_backward<pass::forward_backward>);
static_assert(!fl::has_backward<pass::forward> && !fl::has_backward<pass::prefill>);
static_assert(!fl::has_backward<pass::decode_step>);
}  // namespace

namespace own {
struct reinforcement_step;
}
template <>
inline constexpr bool flopledger::has_backward<own::reinforcement_step> = true;

namespace {
constexpr auto own_work =
    fl::model_work_of<own::reinforcement_step, bf16>(fl::models::llama3_8b::config, fl::training_step(1, 8));
constexpr auto trained =
    fl::model_work_of<pass::training_step, bf16>(fl::models::llama3_8b::config, fl::training_step(1, 8));
static_assert(own_work.amount == trained.amount);

// From the ledger, by value and by type; the attention counting is the work's.
constexpr auto forward_full = fl::model_work_of<fl::models::llama3_8b, pass::forward, bf16>(fl::forward(1, 8192));
constexpr auto forward_half = fl::model_work_of<fl::models::llama3_8b, pass::forward, bf16>(
    fl::forward(1, 8192, fl::attention_counting::causal_half));
constexpr auto whole_step =
    fl::model_work_of<fl::models::llama3_8b, pass::training_step, bf16>(fl::training_step(1, 8192));
static_assert(whole_step.amount == 3.0 * forward_full.amount);
static_assert(forward_half.amount < forward_full.amount);
// Published per token: 57.91 GFLOP with full attention, 51.47 with half of it.
static_assert(whole_step.amount / 8192.0 > 57.90e9 * unit::flop && whole_step.amount / 8192.0 < 57.92e9 * unit::flop);
static_assert(3.0 / 8192.0 * forward_half.amount > 51.46e9 * unit::flop);
static_assert(3.0 / 8192.0 * forward_half.amount < 51.48e9 * unit::flop);

// Peaks: of devices, and of a cluster as a type.
using fl::hardware::dgx_h100;
static_assert(fl::peak_on<bf16, fl::hardware::h100_sxm5_80gb>(16).rate ==
              16.0 * fl::peak_of<bf16, fl::hardware::h100_sxm5_80gb>);
static_assert(fl::peak_on<bf16, fl::cluster<dgx_h100, 2>>().rate ==
              fl::peak_on<bf16, fl::hardware::h100_sxm5_80gb>(16).rate);
static_assert(fl::peak_on<bf16>(fl::hardware::h100_sxm5_80gb::value, 16).rate ==
              fl::peak_on<bf16, fl::hardware::h100_sxm5_80gb>(16).rate);
static_assert(fl::peak_on<bf16, fl::hardware::h100_sxm5_80gb, two_of_four_sparse>().rate ==
              2.0 * fl::peak_on<bf16, fl::hardware::h100_sxm5_80gb>().rate);
static_assert(fl::mfu(whole_step, step_time(0.2_s), fl::peak_on<bf16, fl::cluster<dgx_h100>>()) > 0.29);
}  // namespace
