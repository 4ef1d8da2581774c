// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/frameworks.hpp>
#include <flopledger/time/execution.hpp>

#include <string>

#include "catch.hpp"

namespace {

using namespace flopledger;

TEST_CASE("a framework is found by its name, and says where each of its numbers comes from") {
  for (const framework* one : frameworks::all) {
    INFO(one->name);
    CHECK(frameworks::find(one->name) == one);
    CHECK(!one->release.empty());
    CHECK(!one->family.empty());
    for_each_constant(*one, [&](const char* name, const auto& constant) {
      INFO(name);
      const bool by_default = std::string(name) == "casts" || std::string(name) == "eager_passes";
      const bool as_nothing = by_default || constant.value == decltype(constant.value){};
      CHECK((as_nothing || !constant.source.empty()));
    });
  }
  CHECK(frameworks::find("megatron") == nullptr);
}

// Tensor-wise FP8 of Hopper writes a turned copy too; blocks have scales along both; only MXFP8 needs no maximum.
TEST_CASE("what a cast moves follows from the format and the matrix unit") {
  CHECK(cast_bytes(fp8_e4m3::format, false) == 2 + 2 + 1 + 1);
  CHECK(cast_bytes(fp8_e4m3::format, true) == 2 + 2 + 1);
  CHECK(cast_bytes(mxfp8::format, true) == 2 + 1 + 1);
  CHECK(cast_bytes(nvfp4::format, true) == 2 + 2 + 0.5 + 0.5);
}

TEST_CASE("a framework decides the formats that a recipe with master weights leaves open") {
  const plan sharded{.data = 8, .sharding = zero::weights};
  const recipe megatron = formats_under(frameworks::megatron_core, recipes::mixed_bf16::value, sharded);
  CHECK(megatron.gradients.bits == 32);
  CHECK(megatron.has_master_weights);
  const recipe fsdp = formats_under(frameworks::pytorch_fsdp, recipes::mixed_bf16::value, sharded);
  CHECK(fsdp.weights.bits == 32);
  CHECK_FALSE(fsdp.has_master_weights);
  CHECK(formats_under(frameworks::nemo_bridge, recipes::mixed_bf16::value, sharded).gradients.bits == 16);
  CHECK(formats_under(frameworks::pytorch_fsdp, recipes::bf16::value, sharded).weights.bits == 16);
}

}  // namespace
