// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/engines.hpp>
#include <flopledger/hardware/cluster.hpp>
#include <flopledger/time/serving.hpp>

#include <string>

#include "catch.hpp"

namespace {

using namespace flopledger;

TEST_CASE("an engine is found by its name, and says where each of its numbers comes from") {
  for (const engine* one : engines::all) {
    INFO(one->name);
    CHECK(engines::find(one->name) == one);
    CHECK(!one->release.empty());
    CHECK(!one->family.empty());
    for_each_constant(*one, [&](const char* name, const auto& constant) {
      INFO(name);
      const bool as_nothing = std::string(name) == "eager_passes" || constant.value == decltype(constant.value){};
      CHECK((as_nothing || !constant.source.empty()));
    });
  }
  CHECK(engines::find("tensorrt_llm") == nullptr);
}

TEST_CASE("an engine's kernels stand in place of the device's, by the width of the weights") {
  const accelerator& board = hardware::a100_sxm4_80gb::value;
  recipe half = recipes::fp16::value, narrow = half;
  narrow.weights = int8::format;
  const machine usual = machine_of(board, half);
  CHECK(machine_of(board, half, engines::tensorrt_llm_0_9).reached.products == usual.reached.products);
  CHECK(machine_of(board, half, engines::llama_cpp).reached.products == engines::llama_cpp.rates.products);
  CHECK(machine_of(board, narrow, engines::llama_cpp).reached.products == engines::llama_cpp.rates.quantised);
  CHECK(formats_under(engines::llama_cpp, half).activations.bits == 32);
  CHECK(formats_under(engines::vllm, half).activations.bits == 16);
}

TEST_CASE("an engine that does not reduce in the switch gains nothing from it, and its short messages are its own") {
  const node& in = hardware::dgx_h100::value;
  const serving_group old = group_under(engines::tensorrt_llm_0_9, 8, 1, in), newer = group_under({}, 8, 1, in);
  CHECK(old.bandwidth < newer.bandwidth);
  CHECK(old.latency == engines::tensorrt_llm_0_9.all_reduce.value);
  CHECK(newer.latency.value() > 0);
  CHECK(group_under({}, 1, 1, in).bandwidth.value() == 0);
}

}  // namespace
