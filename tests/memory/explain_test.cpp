// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/memory/explain.hpp>
#include <flopledger/models/block_shape.hpp>

#include <string>

#include "catch.hpp"

using namespace flopledger;

namespace {

const transformer_config small =
    make_decoder("small", {.layers = 2, .hidden = 64, .heads = 4, .intermediate = 256, .vocabulary = 512});

bool says(const std::string& text, const char* words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("an explanation of what cannot be gives both numbers") {
  const bytes plenty = 1e12 * unit::byte;
  training_setup training{.precision = recipes::mixed_bf16::value};
  training.plan = {.sequence = 9, .tensor = 3};
  CHECK(says(explain(small, training, memory_limit{plenty}), "4 by 3"));
  serving_setup serving{.tensor = 3};
  serving.formats.precision = recipes::bf16::value;
  CHECK(says(explain(small, serving, 1, 8, plenty), "4 by 3"));
}
