// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// Numbers of different calibre in one utilisation: the message is the compiler's own, short, and names what differs.

#include <flopledger/utilisation.hpp>

using namespace flopledger;
using namespace flopledger::literals;

constexpr model_work<pass::training_step, bf16> step_work{2.752512e15 * unit::flop};
constexpr model_work<pass::forward, bf16> forward_work{0.917504e15 * unit::flop};
constexpr measured<pass::training_step> step_time(0.86_s);
constexpr measured<pass::forward_backward> both_ways_time(0.80_s);
constexpr peak<bf16> best{16.0 * 400_TFLOP / unit::second};
constexpr peak<bf16, two_of_four_sparse> sparse_best{16.0 * 800_TFLOP / unit::second};
constexpr peak<fp8_e4m3> fp8_best{16.0 * 800_TFLOP / unit::second};
static_assert(mfu(step_work, step_time, best) > 0.5);
static_assert(forward_work.amount * 3.0 == step_work.amount && both_ways_time.took < step_time.took);
static_assert(sparse_best.rate == fp8_best.rate);

// forbid: boost::units|was not declared|undeclared identifier|internal compiler error

// case: FORWARD_WORK_OVER_A_FORWARD_AND_BACKWARD_TIME
// expect: pass::forward.*pass::forward_backward
// max-lines-gcc: 11
// max-lines-clang: 8
#ifdef CASE_FORWARD_WORK_OVER_A_FORWARD_AND_BACKWARD_TIME
constexpr double share = mfu(forward_work, both_ways_time, best);
#endif

// case: STEP_WORK_OVER_A_TIME_WITHOUT_OPTIMIZER
// expect: pass::training_step.*pass::forward_backward
// max-lines-gcc: 11
// max-lines-clang: 8
#ifdef CASE_STEP_WORK_OVER_A_TIME_WITHOUT_OPTIMIZER
constexpr double share = mfu(step_work, both_ways_time, best);
#endif

// case: PREFILL_WORK_OVER_A_DECODE_TIME
// expect: pass::prefill.*pass::decode_step
// max-lines-gcc: 11
// max-lines-clang: 8
#ifdef CASE_PREFILL_WORK_OVER_A_DECODE_TIME
constexpr double share = mfu(model_work<pass::prefill, bf16>{1_TFLOP}, measured<pass::decode_step>(20_ms), best);
#endif

// case: BF16_WORK_OVER_AN_FP8_PEAK
// expect: flopledger::bf16.*flopledger::fp8_e4m3
// max-lines-gcc: 11
// max-lines-clang: 8
#ifdef CASE_BF16_WORK_OVER_AN_FP8_PEAK
constexpr double share = mfu(step_work, step_time, fp8_best);
#endif

// case: DENSE_WORK_OVER_A_SPARSE_PEAK
// expect: flopledger::dense.*flopledger::two_of_four_sparse
// max-lines-gcc: 11
// max-lines-clang: 8
#ifdef CASE_DENSE_WORK_OVER_A_SPARSE_PEAK
constexpr double share = mfu(step_work, step_time, sparse_best);
#endif

// case: BLENDED_WORK_OVER_ONE_PRECISION
// expect: blended
// expect: flopledger::bf16
// max-lines-gcc: 11
// max-lines-clang: 8
#ifdef CASE_BLENDED_WORK_OVER_ONE_PRECISION
constexpr blend parts{model_work<pass::training_step, fp8_e4m3>{3_TFLOP}, step_work};
constexpr double share = mfu(parts.work(), step_time, best);
#endif

// case: RECOMPUTE_IN_MFU
// expect: hardware_work
// expect: model_work
// max-lines-gcc: 11
// max-lines-clang: 8
#ifdef CASE_RECOMPUTE_IN_MFU
constexpr auto twice = with_recompute(step_work, 1_TFLOP);
constexpr double share = mfu(twice, step_time, best);
#endif

// case: MODEL_WORK_IN_HFU
// expect: hardware_work
// expect: model_work
// max-lines-gcc: 11
// max-lines-clang: 8
#ifdef CASE_MODEL_WORK_IN_HFU
constexpr double share = hfu(step_work, step_time, best);
#endif

// case: BYTES_OF_A_FORWARD_PASS_OVER_A_DECODE_TIME
// expect: pass::forward.*pass::decode_step
// max-lines-gcc: 12
// max-lines-clang: 8
#ifdef CASE_BYTES_OF_A_FORWARD_PASS_OVER_A_DECODE_TIME
constexpr memory_peak two_terabytes = 2_TB / unit::second;
constexpr double share = mbu(moved<pass::forward>{14_GB}, measured<pass::decode_step>(50_ms), two_terabytes);
#endif

// case: MFU_ABOVE_ONE
// expect: utilisation above 1, numerator and denominator disagree
// expect: sparse product's work over a dense peak
// expect: another pass's time, or another step's
// expect: FLOPs counted twice
// expect: all devices over the peak of one
// max-lines-gcc: 13
// max-lines-clang: 16
#ifdef CASE_MFU_ABOVE_ONE
constexpr peak<bf16> of_one_device{300_TFLOP / unit::second};
constexpr model_work<pass::training_step, bf16> of_a_second{420_TFLOP};
constexpr measured<pass::training_step> one_second(1_s);
constexpr double share = mfu(of_a_second, one_second, of_one_device);
#endif

// case: MBU_ABOVE_ONE
// expect: bandwidth utilisation above 1, numerator and denominator disagree
// max-lines-gcc: 13
// max-lines-clang: 16
#ifdef CASE_MBU_ABOVE_ONE
constexpr moved<pass::decode_step> weights{14_GB};
constexpr measured<pass::decode_step> too_short(5_ms);
constexpr memory_peak two_terabytes_a_second = 2_TB / unit::second;
constexpr double share = mbu(weights, too_short, two_terabytes_a_second);
#endif

// case: NO_TIME
// expect: work, time and peak must be positive numbers
// max-lines-gcc: 13
// max-lines-clang: 16
#ifdef CASE_NO_TIME
constexpr measured<pass::training_step> none(0_s);
constexpr double share = mfu(step_work, none, best);
#endif

// case: NOT_A_PASS
// expect: not a pass: specialise
// max-lines: 24
#ifdef CASE_NOT_A_PASS
struct backward_only;
constexpr bool gradients = has_backward<backward_only>;
#endif
