// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// Counts that public tools have got wrong, and what is right. tests/formulas/known_bugs_test.cpp names each fault.

#include <flopledger/memory/kv_cache.hpp>

#include "known_models.hpp"

namespace {
namespace fl = flopledger;
namespace unit = flopledger::unit;
using namespace flopledger::literals;

constexpr fl::parameters held(const fl::transformer_config& model) {
  return fl::total<&fl::row::held>(model, fl::forward(1, 1));
}
constexpr fl::parameters active(const fl::transformer_config& model) {
  return fl::total<&fl::row::active>(model, fl::forward(1, 1));
}

// Parameters --------------------------------------------------------------------------------------------------------
static_assert(held(known_models::llama_2_7b) == 6'738'415'616.0 * unit::parameter);
static_assert(held(known_models::llama_2_70b) == 68'976'648'192.0 * unit::parameter);
static_assert(held(known_models::llama_3_8b) == 8'030'261'248.0 * unit::parameter);
static_assert(held(known_models::llama_3_1_70b) == 70'553'706'496.0 * unit::parameter);
static_assert(held(known_models::qwen1_5_72b) == 72'287'920'128.0 * unit::parameter);  // biases of query, key and value
static_assert(held(known_models::qwen3_4b) == 4'022'468'096.0 * unit::parameter);      // tied, norms of query and key
static_assert(held(known_models::mixtral_8x7b) == 46'702'792'704.0 * unit::parameter);
static_assert(active(known_models::mixtral_8x7b) == 12'879'925'248.0 * unit::parameter);
static_assert(held(known_models::gpt2_without_bias) == 124'337'664.0 * unit::parameter);
static_assert(held(known_models::gpt2) == 124'439'808.0 * unit::parameter);
static_assert(held(known_models::gpt3) == 174'604'259'328.0 * unit::parameter);
static_assert(held(known_models::qwen3_235b) == 235'093'634'560.0 * unit::parameter);
static_assert(held(known_models::deepseek_v3) == 671'026'419'200.0 * unit::parameter);
// In a dense model every weight is active.
static_assert(active(known_models::llama_3_8b) == held(known_models::llama_3_8b));

// Caches ------------------------------------------------------------------------------------------------------------
constexpr auto a_token(double amount) { return amount * (unit::byte / unit::token); }
static_assert(fl::kv_cache_bytes_per_token(known_models::llama_2_7b, fl::fp16::format) == a_token(524'288));
static_assert(fl::kv_cache_bytes(known_models::llama_3_1_70b, fl::prefill(1, 32768), fl::bf16::format) == 10_GiB);
static_assert(fl::kv_cache_bytes_per_token(known_models::deepseek_v3, fl::bf16::format) == a_token(70'272));
static_assert(fl::kv_cache_bytes_per_token(known_models::gpt_oss_120b, fl::bf16::format) == a_token(73'728));
// Half of gpt-oss's layers keep 128 tokens at most.
static_assert(fl::kv_cache_bytes(known_models::gpt_oss_120b, fl::prefill(1, 1128), fl::bf16::format) ==
              73'728.0 * (128 + 500) * unit::byte);
}  // namespace
