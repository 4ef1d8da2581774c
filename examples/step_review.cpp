// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// The review of a step. 7 billion parameters, 65536 tokens a step, 16 devices of 400 TFLOP/s: the step takes 0.86 s.
// How far is that from the least it can take, and which of the explanations offered hold?

#include <flopledger/evidence/diagnosis.hpp>
#include <flopledger/utilisation.hpp>

#include <fmt/core.h>

using namespace flopledger;
using namespace flopledger::literals;

int main() {
  // What the model asks for: 6 FLOP a parameter a token, and nothing for work that runs twice.
  constexpr flops_per_token each = estimated_flops_per_token<pass::training_step>(7e9 * unit::parameter);
  constexpr model_work<pass::training_step, bf16> work{65536.0 * unit::token * each};
  constexpr peak<bf16> best{16.0 * 400_TFLOP / unit::second};
  constexpr measured<pass::training_step> step(0.86_s);

  constexpr seconds floor = work.amount / best.rate;
  constexpr seconds gap = step.took - floor;
  fmt::print("work      {:.6e} FLOP\n", work.amount.value());
  fmt::print("floor     {:.5f} s, at peak\n", floor.value());
  fmt::print("measured  {:.2f} s: {:.7e} FLOP/s, MFU {:.5f}\n", step.took.value(), achieved_rate(work, step).value(),
             mfu(work, step, best));
  fmt::print("gap       {:.3f} s, which somebody explains so:\n\n", gap.value());

  // "Communication is 15 % of the step." Possible: it is a share of the measured time.
  constexpr seconds communication = 0.15 * step.took;
  fmt::print("communication, 15 % of the step       {:.3f} s{}\n", communication.value(),
             communication_bound(communication, step.took) ? ": it bounds the step" : ", no bottleneck yet (20 %)");

  // "Recompute costs 40 %." Impossible: one more forward pass is a third of forward and backward.
  constexpr seconds claimed = 0.40 * floor, most = most_recompute(floor);
  static_assert(claimed > most);
  fmt::print("recompute, claimed +40 % of the floor {:.3f} s: impossible, one more forward is at most {:.3f} s\n",
             claimed.value(), most.value());

  // Whatever is left has another name: kernels below peak, the optimizer, launches, waiting for data.
  constexpr seconds rest = gap - communication - most;
  fmt::print("not explained, with recompute at most {:.3f} s: kernels below peak, optimizer, launches, data\n",
             rest.value());
  fmt::print("\nAnd if recompute did run, HFU says so and MFU does not move: HFU {:.3f}, MFU {:.3f}\n",
             hfu(with_recompute(work, most * best.rate), step, best), mfu(work, step, best));
}
