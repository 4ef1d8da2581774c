// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// Bytes that passes move, what the cache holds, and the floors that follow.

#include <flopledger/memory/kv_cache.hpp>
#include <flopledger/models/zoo/deepseek.hpp>
#include <flopledger/models/zoo/encoders.hpp>
#include <flopledger/models/zoo/gpt.hpp>
#include <flopledger/models/zoo/llama.hpp>
#include <flopledger/time/roofline.hpp>
#include <flopledger/time/traffic.hpp>

using namespace flopledger;
using namespace flopledger::literals;

namespace {

template <class Layer>
constexpr moved_bytes moved(const Layer& layer, const work& asked, const data_formats& formats) {
  traffic fold{.formats = formats};
  layer.record(fold, asked);
  return fold.moved;
}

constexpr data_formats in_bf16{.precision = recipes::bf16::value};

// A product by hand: 4 rows, an 8 by 16 matrix and a bias, two bytes each.
struct small {
  constexpr void record(books auto& sink, const work& asked) const {
    linear{.in = 8, .out = 16, .bias = true}.record(sink, asked, "small");
  }
};
constexpr moved_bytes of_product = moved(small{}, forward(1, 4), in_bf16);
static_assert(of_product.weights.read == (8 * 16 + 16) * 2.0 * unit::byte);
static_assert(of_product.weights.written == 0_B);
static_assert(of_product.activations.read == 64_B && of_product.activations.written == 128_B);
static_assert(of_product.total() == 480_B);

// A decode step reads every weight once, of the embedding's table one row, and the whole cache.
constexpr const transformer_config& llama = models::llama3_1_8b::config;
constexpr moved_bytes decode = moved(llama, decode_step(1, 2048), in_bf16);
static_assert(decode.weights.read == (8030261248.0 - 128256.0 * 4096 + 4096) * 2 * unit::byte);
static_assert(decode.kv_cache.read == 268'435'456_B);  // by key/value heads; by query heads it would be four times that

// What does not run reads no weights: a tower without an image, an encoder in a decode step.
constexpr bytes of_nothing = moved(small{}, forward(0, 4), in_bf16).total();
static_assert(of_nothing == 0_B);
static_assert(moved(models::t5_base::config, decode_step(1, 8), in_bf16).weights.read <
              moved(models::t5_base::config, forward(1, 9), in_bf16).weights.read);

// A fused kernel keeps the matrix of scores: 32 heads of 64 by 64, written and read by scores, softmax and context.
constexpr data_formats explicit_scores{.precision = recipes::bf16::value, .kernel = attention_kernel::explicit_matrix};
static_assert(moved(llama, forward(1, 64), explicit_scores).total() - moved(llama, forward(1, 64), in_bf16).total() ==
              32 * 4 * 32 * 64.0 * 64 * 2 * unit::byte);

// Weights as a checkpoint stores them: FP8 with a scale of 4 bytes a matrix.
constexpr weight_storage fp8_checkpoint = storage_of(quantization_method::fp8, stored::fp8_matrix(false));
constexpr data_formats from_fp8{.precision = recipes::bf16::value, .checkpoint = &fp8_checkpoint};
struct square {
  constexpr void record(books auto& sink, const work& asked) const {
    linear{.in = 64, .out = 64}.record(sink, asked, "square");
  }
};
static_assert(moved(square{}, forward(1, 1), from_fp8).weights.read == (64 * 64 + 4.0) * unit::byte);

// Caches whose sizes were published: G4 of the known bugs.
constexpr bytes_per_token per_token = 1.0 * unit::byte / unit::token;
static_assert(kv_cache_bytes_per_token(models::llama2_7b::config, fp16::format) == 524288.0 * per_token);
static_assert(kv_cache_bytes(models::llama3_1_70b::config, forward(1, 32768), bf16::format) == 10_GiB);
static_assert(kv_cache_bytes_per_token(models::deepseek_v3::config, bf16::format) == 70272.0 * per_token);
static_assert(kv_cache_bytes_per_token(models::gpt_oss_120b::config, bf16::format) == 73728.0 * per_token);

// The floor of one operation is the longer time, and of a pass the sum of those: between either total and both.
constexpr machine_rates rates{.peak = 100_TFLOP / unit::second, .bandwidth = 1_TB / unit::second};
constexpr roofline floors_of(const work& asked) {
  roofline fold{.formats = in_bf16, .rates = rates};
  llama.record(fold, asked);
  return fold;
}
constexpr roofline prompt = floors_of(forward(1, 4096));
static_assert(prompt.total.is_compute_bound());
static_assert(prompt.one_after_another > prompt.total.longer());
static_assert(prompt.one_after_another < prompt.total.compute + prompt.total.bandwidth);
static_assert(prompt.compute_bound < prompt.one_after_another);
constexpr roofline one_token = floors_of(decode_step(1, 4096));
static_assert(!one_token.total.is_compute_bound() && one_token.compute_bound == seconds{});

}  // namespace
