// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// Twice the sequence, all else as it was: projections cost twice, scores four times. Which of the two a model feels
// depends on how long its sequence is against its width.

#include <flopledger/ledger.hpp>
#include <flopledger/models/zoo/llama.hpp>
#include <flopledger/work.hpp>

#include <string>

#include <fmt/core.h>

using namespace flopledger;

namespace {
// Multiply-adds of the attention core and of everything else: one fold.
struct split_macs {
  macs core{}, rest{};
  constexpr void take(const row& r, std::int64_t times) {
    (is_attention_product(r.kind) ? core : rest) += static_cast<double>(times) * r.multiplied;
  }
};
constexpr split_macs counted(double length) {
  split_macs sum;
  models::llama3_8b::config.record(sum, forward(1, length));
  return sum;
}

constexpr split_macs once = counted(2048), twice = counted(4096);
static_assert(twice.rest == 2.0 * once.rest);
static_assert(twice.core == 4.0 * once.core);
}  // namespace

int main() {
  fmt::print("Llama-3-8B, one forward pass, full attention\n\n");
  fmt::print("{:>8} {:>18} {:>18} {:>10} {:>12}\n", "tokens", "projections, GMAC", "scores, GMAC", "scores, %",
             "all, times");
  double before = 0;
  for (double length = 2048; length <= 131072; length *= 2) {
    const split_macs here = counted(length);
    const double all = (here.core + here.rest).value();
    fmt::print("{:>8.0f} {:>18.0f} {:>18.0f} {:>10.1f} {:>12}\n", length, here.rest.value() / prefix::giga,
               here.core.value() / prefix::giga, 100 * here.core.value() / all,
               before > 0 ? fmt::format("{:.2f}", all / before) : std::string("-"));
    before = all;
  }
  fmt::print(
      "\nEach line has twice the projections and four times the scores of the one above. The sum grows by 2.1\n");
  fmt::print("at first and by 3.4 at last: \"quadratic\" is true of the scores, not of the model.\n");
}
