// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/layers/short_convolution.hpp>
#include <flopledger/layers/state_space.hpp>
#include <flopledger/memory/kv_cache.hpp>

#include "catch.hpp"

using namespace flopledger;

namespace {

constexpr mamba2 scan{.hidden = 10, .heads = 4, .head_dim = 3, .groups = 2, .state = 5, .kernel = 4};

/// h ← decay·h + (Δ·x)·Bᵀ and y = h·C, element by element.
std::int64_t scanned_products(std::int64_t tokens) {
  std::int64_t products = 0;
  for (std::int64_t token = 0; token < tokens; ++token)
    for (std::int64_t head = 0; head < scan.heads; ++head)
      for (std::int64_t channel = 0; channel < scan.head_dim; ++channel)
        for (std::int64_t state = 0; state < scan.state; ++state) products += 1 + 1;
  return products;
}

double of_kind(const auto& layer, const work& asked, operation kind) {
  tally chosen{0.0, [kind](const row& r) { return r.kind == kind ? r.multiplied.value() : 0.0; }};
  layer.record(chosen, asked);
  return chosen.total;
}

double held(const auto& layer) { return total<&row::held>(layer, forward(1, 1)).value(); }

double carried(const auto& layer, const work& asked) {
  cached_elements fold;
  layer.record(fold, asked);
  CHECK(fold.held == 0);  // a state is no cache of keys
  return fold.states;
}

bool agrees(const auto& layer) {
  row_agreement rows;
  layer.record(rows, prefill(2, 3));
  return rows.holds;
}

}  // namespace

TEST_CASE("Mamba-2 computes two products of a state's size a head and token") {
  for (const std::int64_t length : {1, 6})
    CHECK(of_kind(scan, prefill(1, static_cast<double>(length)), operation::recurrence) ==
          static_cast<double>(scanned_products(length)));
  CHECK(agrees(scan));
}

TEST_CASE("Mamba-2 holds the modules of NemotronHMamba2Mixer") {
  const double inner = 12, convolved = inner + 2 * 2 * 5;
  const double in_proj = 10 * (inner + convolved + 4), conv1d = convolved * 4 + convolved;
  const double of_heads = 3 * 4;  // A_log, D and dt_bias
  CHECK(held(scan) == in_proj + conv1d + of_heads + inner + inner * 10);
  mamba2 biased = scan;
  biased.projection_bias = biased.output_bias = true;
  biased.output_norm = false;
  CHECK(held(biased) == held(scan) + inner + convolved + 4 + 10 - inner);
}

TEST_CASE("Mamba-2 carries its heads' states and the last inputs of its convolution") {
  CHECK(carried(scan, forward(3, 20)) == 3 * (4 * 3 * 5 + 4 * (12.0 + 2 * 2 * 5)));
}

TEST_CASE("a gated short convolution holds the modules of Lfm2ShortConv") {
  constexpr short_convolution layer{.hidden = 8, .kernel = 3};
  CHECK(held(layer) == 8 * 24 + 8 * 3 + 8 * 8);
  CHECK(held(short_convolution{.hidden = 8, .kernel = 3, .bias = true}) == held(layer) + 24 + 8 + 8);
  CHECK(of_kind(layer, prefill(1, 5), operation::convolution) == 5 * 8 * 3);
  CHECK(carried(layer, forward(2, 7)) == 2 * 8 * 3);
  CHECK(agrees(layer));
}
