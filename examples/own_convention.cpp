// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// A counting rule that the library does not know: what it sees of a row, and what it says of a custom one.

#include <flopledger/counting/tools.hpp>
#include <flopledger/counting/training.hpp>
#include <flopledger/models/block_shape.hpp>

#include <cstdio>

using namespace flopledger;

/// A team's spreadsheet: 2 FLOPs a multiply-add inside the blocks, six for the
/// head that it fuses with its loss, and nothing for the attention core.
struct our_spreadsheet {
  static constexpr std::string_view name = "our spreadsheet";
  static constexpr auto covers = counting::passes::forward;
  static constexpr auto custom = counting::custom_rows::not_seen;  // a custom kernel is on another sheet
  constexpr flops charge(const row& r, const work&) const {
    return (is_block_product(r.kind) ? 2.0 : r.kind == operation::head ? 6.0 : 0.0) * r.multiplied.value() * unit::flop;
  }
};

constexpr transformer_config model =
    make_decoder("Example", {.layers = 32, .hidden = 4096, .heads = 32, .intermediate = 11008, .vocabulary = 32000});
static_assert(counting::count(model, forward(1, 4096), our_spreadsheet{}) <
              counting::count(model, forward(1, 4096), conventions::full{}));

int main() {
  const auto why = counting::difference(model, forward(1, 4096), our_spreadsheet{}, conventions::full{});
  std::printf("%-18s %8.3f TFLOP\n%-18s %8.3f TFLOP, because of\n", our_spreadsheet::name.data(),
              why.first.value() / prefix::tera, "matrix products", why.second.value() / prefix::tera);
  for (const counting::differing_row& r : why)
    std::printf("  %-18s %6.0f x  %8.3f against %8.3f\n", r.name.data(), r.times, r.first.value() / prefix::tera,
                r.second.value() / prefix::tera);
}
