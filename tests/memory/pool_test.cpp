// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/memory/pool.hpp>
#include <flopledger/models/zoo/deepseek.hpp>
#include <flopledger/models/zoo/llama.hpp>
#include <flopledger/models/zoo/olmo.hpp>
#include <flopledger/models/zoo/phi.hpp>
#include <flopledger/models/zoo/qwen.hpp>

#include <cmath>
#include <map>
#include <string>

#include "../published/csv.hpp"
#include "catch.hpp"

namespace {

using namespace flopledger;
using Catch::Matchers::WithinRel;

const std::map<std::string, const transformer_config*> models_by_name{
    {"meta-llama/Llama-3.1-8B-Instruct", &models::llama3_1_8b::config},
    {"Qwen/Qwen2.5-7B-Instruct", &models::qwen2_5_7b::config},
    {"Qwen/Qwen2.5-72B-Instruct", &models::qwen2_5_72b::config},
    {"microsoft/phi-4", &models::phi_4::config},
    {"microsoft/phi-2", &models::phi_2::config},
    {"deepseek-ai/DeepSeek-V2-Lite-Chat", &models::deepseek_v2_lite::config},
    {"ibm-granite/granite-3.3-8b-instruct", &models::granite_3_3_8b::config},
    {"RedHatAI/Llama-3.3-70B-Instruct-fp8-dynamic", &models::llama3_3_70b::config},
    {"RedHatAI/Llama-3.3-70B-Instruct-quantized.w8a8", &models::llama3_3_70b::config},
    {"RedHatAI/Meta-Llama-3.1-8B-Instruct-quantized.w8a8", &models::llama3_1_8b::config},
    {"RedHatAI/Qwen2.5-7B-Instruct-fp8-dynamic", &models::qwen2_5_7b::config},
    {"RedHatAI/Qwen2.5-7B-Instruct-quantized.w8a8", &models::qwen2_5_7b::config}};

recipe formats_of(const published::record& r) {
  recipe made = r.text("dtype") == "float32" ? recipes::fp32::value : recipes::bf16::value;
  const std::string& name = r.text("model");
  const bool narrow = name.find("fp8") != std::string::npos || name.find("w8a8") != std::string::npos ||
                      r.text("quantization") == "fp8";
  if (narrow) made.weights = fp8_e4m3::format;
  if (r.text("kv_cache_dtype") == "fp8") made.kv_cache = fp8_e4m3::format;
  return made;
}

TEST_CASE("the KV pool that vLLM logged") {
  double sum = 0;
  int count = 0;
  for (const published::record& r : published::read_table(FLOPLEDGER_TEST_DATA "/published/vllm_memory.csv")) {
    const auto found = models_by_name.find(r.text("model"));
    if (found == models_by_name.end()) continue;
    memory_profile profile = memory_profiles::vllm_0_19;
    profile.utilisation.value = r.number("gpu_memory_utilization");
    const serving_setup setup{
        .formats = {.precision = formats_of(r)}, .tensor = r.integer("tp"), .layout = kv_layout::paged, .block = 16};
    // All runs were on one kind of board; some rows do not log its memory.
    const double physical = r.has("physical_gib") ? r.number("physical_gib") : 79.19;
    const kv_pool pool = kv_pool_of(*found->second, setup, profile, physical * prefix::gibi * unit::byte);
    const double error = pool.size.value() / (r.number("available_kv_gib") * prefix::gibi) - 1;
    const double tokens = static_cast<double>(pool.tokens) / r.number("kv_tokens") - 1;
    INFO(r.text("model") << " x " << r.text("tp") << ": " << 100 * error << " %, tokens " << 100 * tokens << " %");
    // Where the weights take nearly all, what is left is the difference of large numbers.
    const bool tight = r.number("available_kv_gib") < 6;
    CHECK(std::abs(error) < (tight ? 0.15 : 0.03));
    CHECK(std::abs(tokens) < (tight ? 0.15 : 0.03));
    sum += std::abs(error);
    ++count;
  }
  REQUIRE(count > 30);
  CHECK(sum / count < 0.03);
}

TEST_CASE("a share that the weights fill leaves no pool") {
  const serving_setup setup{.formats = {.precision = recipes::bf16::value}, .layout = kv_layout::paged};
  const kv_pool pool =
      kv_pool_of(models::llama3_3_70b::config, setup, memory_profiles::vllm_0_19, 79.19 * prefix::gibi * unit::byte);
  CHECK(pool.size == 0.0 * unit::byte);
  CHECK(pool.tokens == 0);
}

TEST_CASE("a block holds whole tokens") {
  // Llama-3.1-8B keeps 131,072 bytes a token.
  const serving_setup setup{.formats = {.precision = recipes::bf16::value}, .layout = kv_layout::paged, .block = 16};
  const kv_pool pool =
      kv_pool_of(models::llama3_1_8b::config, setup, memory_profiles::vllm_0_19, 79.19 * prefix::gibi * unit::byte);
  CHECK(pool.tokens == pool.blocks * 16);
  CHECK_THAT(static_cast<double>(pool.tokens), WithinRel(pool.size.value() / 131072, 1e-4));
}

}  // namespace
