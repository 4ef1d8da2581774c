// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// A layer that the library does not know: one struct with one function, which says what the operation holds, computes,
/// reads, writes and keeps. Every fold then knows it too.

#include <flopledger/memory/kv_cache.hpp>
#include <flopledger/models/block_shape.hpp>
#include <flopledger/models/model.hpp>

#include <cstdio>

using namespace flopledger;

/// A convolution over time, [tokens, in] → [tokens / stride, out]: for each place a product over kernel·in inputs.
struct convolution {
  std::int64_t in = 0, out = 0, kernel = 3, stride = 1;

  constexpr void record(books auto& sink, const work& asked) const {
    const double places = asked.token_count() / static_cast<double>(stride);
    const double inputs = static_cast<double>(kernel * in), outputs = static_cast<double>(out);
    const double weights = inputs * outputs;
    const parameters stored = (weights + outputs) * unit::parameter;
    sink.take(
        {.name = "convolution",
         .kind = operation::convolution,
         .shape = {.batch = 1, .m = places, .n = outputs, .k = inputs},
         .held = stored,
         .active = stored,
         .multiplied = places * weights * unit::mac,
         .elementwise = places * outputs * unit::flop,  // the bias
         .backward = {.input_products = 1, .weight_products = 1, .weight_elementwise = places * outputs * unit::flop},
         .operands = {{.what = role::weight, .how = use::read, .elements = weights},
                      {.what = role::bias, .how = use::read, .elements = outputs},
                      {.what = role::activation,
                       .how = use::read | use::saved_for_weights,
                       .elements = asked.token_count() * static_cast<double>(in)},
                      {.what = role::activation, .how = use::written, .elements = places * outputs}}},
        1);
  }
};

/// A front of two convolutions before the blocks of a Transformer, which see a quarter of the frames.
struct listening_model {
  convolution first{}, second{};
  stack blocks{};

  constexpr void record(books auto& sink, const work& frames) const {
    first.record(sink, frames);
    work half = frames;
    half.run.length /= static_cast<double>(first.stride);
    second.record(sink, half);
    work quarter = half;
    quarter.run.length /= static_cast<double>(second.stride);
    blocks.record(sink, quarter);
  }
};

/// A model is any type with a `config` that records itself.
struct ears {
  static constexpr listening_model config{
      .first = {.in = 80, .out = 512, .stride = 2},
      .second = {.in = 512, .out = 512, .stride = 2},
      .blocks = make_stack({.layers = 12, .hidden = 512, .heads = 8, .intermediate = 2048, .causal = false})};
};

// 3·80·512 + 512 and 3·512·512 + 512 in front; four square matrices, three of the feed-forward and two norms a block.
static_assert(parameter_count<ears> ==
              (123392. + 786944. + 12 * (4. * 512 * 512 + 3. * 512 * 2048 + 2. * 512) + 512) * unit::parameter);

// Thirty seconds of a hundred frames each: 1500 places of the first convolution, 750 of the second.
static_assert(total<&row::multiplied>(ears::config.first, forward(1, 3000)) == 1500. * 3 * 80 * 512 * unit::mac);
static_assert(forward_macs<ears, 1, 3000> > forward_macs<ears, 1, 1500>);

int main() {
  ledger<64> rows;
  ears::config.record(rows, forward(1, 3000));
  std::printf("%-24s %5s %12s %12s\n", "operation", "times", "parameters", "MMAC");
  for (const entry& e : rows) {
    const auto times = static_cast<double>(e.times);
    std::printf("%-24.*s %5.0f %12.0f %12.1f\n", static_cast<int>(e.what.name.size()), e.what.name.data(), times,
                times * e.what.held.value(), times * e.what.multiplied.value() / prefix::mega);
  }
  std::printf("%-24s %5s %12.0f %12.1f\n", "together", "", parameter_count<ears>.value(),
              forward_macs<ears, 1, 3000>.value() / prefix::mega);
}
