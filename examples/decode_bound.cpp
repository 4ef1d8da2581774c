// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// A 7B model in FP16 on 2 TB/s makes a token in 50 ms. The story usually told: decoding is bound by memory, bandwidth
// stands at 85 %, so quantise. The arithmetic tells another.

#include <flopledger/evidence/diagnosis.hpp>
#include <flopledger/utilisation.hpp>

#include <fmt/core.h>

using namespace flopledger;
using namespace flopledger::literals;

int main() {
  constexpr memory_peak bandwidth = 2_TB / unit::second;
  constexpr peak<fp16> best{300_TFLOP / unit::second};
  constexpr moved<pass::decode_step> fp16_weights{14_GB}, int8_weights{7_GB};
  constexpr model_work<pass::decode_step, fp16> token{14_GFLOP};
  constexpr measured<pass::decode_step> took(50_ms);

  constexpr seconds floor = fp16_weights.amount / bandwidth.rate;
  constexpr double used = mbu(fp16_weights, took, bandwidth), computed = mfu(token, took, best);
  fmt::print("floor     {:.1f} ms a token, {:.3f} token/s: every weight is read once\n", 1e3 * floor.value(),
             1 / floor.value());
  fmt::print("measured  {:.0f} ms: {:.0f} % of the bandwidth, not 85; {:.2f} TFLOP/s, {:.2f} % of the peak\n",
             1e3 * took.took.value(), 100 * used, achieved_rate(token, took).value() / prefix::tera, 100 * computed);
  const auto found = bound_of(computed, used);
  fmt::print("which is  {} ({})\n", found->name(), found->evidence);
  fmt::print("try       {}\n\n", found->to_try());

  // INT8 halves the bytes. It can have saved the time that half the bytes take, and no more.
  constexpr seconds saved = most_saved_by_reading_less(fp16_weights.amount, int8_weights.amount, bandwidth.rate);
  constexpr measured<pass::decode_step> with_int8(30_ms);
  fmt::print("INT8      floor {:.1f} ms. Reading less saves at most {:.1f} ms; of the 20 ms that were saved, {:.1f}\n",
             1e3 * (int8_weights.amount / bandwidth.rate).value(), 1e3 * saved.value(),
             1e3 * (took.took - with_int8.took - saved).value());
  fmt::print("          came from elsewhere (other kernels, fewer launches). Bandwidth is at {:.1f} % now: lower\n",
             100 * mbu(int8_weights, with_int8, bandwidth));

  // Fusing and graphs remove what is neither bytes nor FLOPs: everything above the floor is theirs to win.
  fmt::print("fused     can win up to {:.0f} ms a token, and nothing below {:.0f} ms\n",
             1e3 * (took.took - floor).value(), 1e3 * floor.value());

  // Batching reads the weights once for all sequences. A step that waits for launches is as long with more of them.
  constexpr double batch = 8;
  fmt::print("batch {:.0f}   the same {:.0f} ms give {:.0f} token/s in place of {:.0f}, each as late as before\n",
             batch, 1e3 * took.took.value(), batch / took.took.value(), 1 / took.took.value());
  const double balanced = static_cast<double>(best.rate * floor / token.amount);
  fmt::print("          compute would bound from a batch of {:.0f} on (cache neglected)\n", balanced);
}
