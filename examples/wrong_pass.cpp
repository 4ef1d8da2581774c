// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// The FLOPs of a forward pass over the time of forward and backward: a mistake that halves nothing and doubles nothing,
// but divides MFU by three, and that no number betrays. Here it does not compile.

#include <flopledger/hardware/nvidia.hpp>
#include <flopledger/models/zoo/llama.hpp>
#include <flopledger/utilisation.hpp>

#include <fmt/core.h>

using namespace flopledger;
using namespace flopledger::literals;

namespace {
constexpr auto forward_work = model_work_of<models::llama3_8b, pass::forward, bf16>(forward(1, 8192));
constexpr auto both_ways_work = model_work_of<models::llama3_8b, pass::forward_backward, bf16>(training_step(1, 8192));
constexpr measured<pass::forward_backward> took(1.0_s);
constexpr auto best = peak_on<bf16, hardware::h100_sxm5_80gb>();

// What goes together, as a question to the compiler.
template <class Work, class Time, class Peak>
concept comparable = requires(Work work, Time time, Peak of) {
  mfu(work, time, of);
};

static_assert(comparable<decltype(both_ways_work), decltype(took), decltype(best)>);
static_assert(!comparable<decltype(forward_work), decltype(took), decltype(best)>);
// Nor is a dense product measured against a sparse peak, or BF16 work against the peak of FP8.
static_assert(!comparable<decltype(both_ways_work), decltype(took), peak<bf16, two_of_four_sparse>>);
static_assert(!comparable<decltype(both_ways_work), decltype(took), peak<fp8_e4m3>>);
}  // namespace

int main() {
  const double right = mfu(both_ways_work, took, best);
  const double wrong = forward_work.amount / took.took / best.rate;  // units alone do not see it
  fmt::print("Llama-3-8B, 8192 tokens, forward and backward in 1 s on one H100\n\n");
  fmt::print("work of both passes over their time   MFU {:.3f}\n", right);
  fmt::print("work of the forward pass over it      \"MFU\" {:.3f}, by plain division\n\n", wrong);
  fmt::print("mfu(forward_work, took, best) does not compile:\n");
  fmt::print("  deduced conflicting types for parameter 'Pass'\n");
  fmt::print("  ('flopledger::pass::forward' and 'flopledger::pass::forward_backward')\n\n");
  fmt::print("tests/must_not_compile/utilisation.cpp holds compilers to that message.\n");
}
