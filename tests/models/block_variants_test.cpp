// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/memory/kv_cache.hpp>
#include <flopledger/memory/serving.hpp>
#include <flopledger/models/config_error.hpp>

#include <fstream>
#include <sstream>
#include <string>

#include "catch.hpp"

using namespace flopledger;

TEST_CASE("a layer is of the variant that it was set to, and others of none") {
  block_variants variants;
  CHECK(variants.empty());
  const block_variant narrow{.intermediate = 8}, bare{.feed = sublayer_form::absent};
  CHECK(variants.set(3, narrow));
  CHECK(variants.set(200, bare));
  CHECK(variants.set(7, narrow));
  CHECK(variants.size() == 2);
  CHECK(variants.set(20, narrow));
  CHECK(variants.set(20, bare));  // the last word counts
  CHECK(variants.number_of(20) == variants.number_of(200));
  CHECK(variants.number_of(3) == variants.number_of(7));
  CHECK(variants.number_of(4) == 0);
  CHECK(variants[variants.number_of(200)] == bare);
  CHECK(variants.of(1, layer_set::range(0, 5)) == layer_set::range(3, 4));
  CHECK(variants.of(0, layer_set::range(2, 5)).size() == 2);
  for (std::int64_t width = 1; variants.size() < block_variants::capacity; ++width)
    CHECK(variants.set(10, {.intermediate = 100 + width}));
  CHECK_FALSE(variants.set(11, {.intermediate = 1}));
}

TEST_CASE("stages of hybrids hold together what their layers hold") {
  for (const char* name :
       {"nvidia__Llama-3_3-Nemotron-Super-49B-v1", "nvidia__Nemotron-H-56B-Base-8K",
        "nvidia__NVIDIA-Nemotron-3-Nano-30B-A3B-BF16", "Qwen__Qwen3.5-27B", "eagle", "MiniMaxAI__MiniMax-M3"}) {
    INFO(name);
    std::ifstream file(FLOPLEDGER_TEST_DATA "/configs/" + std::string(name) + ".json");
    std::stringstream text;
    text << file.rdbuf();
    const transformer_config model = require_config(text.str(), name).config;
    for (const std::int64_t stages : {1, 2}) {
      serving_setup setup;
      setup.pipeline = stages;
      const serving_memory memory(model, setup);
      double weights = 0, cache = 0;
      for (std::int64_t stage = 0; stage < stages; ++stage) {
        weights += memory.weights(stage).value();
        cache += memory.kv_cache_of_sequence(4096, stage).value();
      }
      CHECK(weights == 2 * total<&row::held>(model, forward(1, 1)).value());
      CHECK(cache == kv_cache_bytes(model, forward(1, 4096), bf16::format).value());
    }
  }
}
