// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// A serving engine at its start: it has read config.json, the driver has told the device's name and free memory. Before
// a byte of weights is loaded it knows how many sequences there is room for, and says in one line why there is none.

#include <flopledger/memory/serving.hpp>
#include <flopledger/models/config_error.hpp>
#include <flopledger/models/hugging_face.hpp>

#include <string_view>

#include <fmt/core.h>

using namespace flopledger;
using namespace flopledger::literals;

namespace {

// Qwen/Qwen3-8B, config.json.
constexpr std::string_view qwen3_8b = R"({
  "architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "hidden_size": 4096, "intermediate_size": 12288,
  "num_hidden_layers": 36, "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 151936,
  "max_position_embeddings": 40960, "rms_norm_eps": 1e-06, "rope_theta": 1000000, "hidden_act": "silu",
  "attention_bias": false, "tie_word_embeddings": false, "torch_dtype": "bfloat16"})";

/// What cudaGetDeviceProperties and cudaMemGetInfo say.
struct found_device {
  std::string_view name;
  bytes free;
};

void start(std::string_view config, const found_device& on, std::int64_t context, std::int64_t wanted) {
  fmt::print("{}, {} sequences of {} tokens: ", on.name, wanted, context);
  try {
    const model_description model = require_config(config, "config.json");
    const serving_memory memory(model.config, {.formats = {recipes::bf16::value}, .layout = kv_layout::paged});
    const std::int64_t room = memory.largest_concurrency(0.9 * on.free, context);
    const memory_account needed = memory.worst(wanted, context);
    if (room >= wanted)
      fmt::print("starts, with room for {}\n", room);
    else
      fmt::print("refused: {:.1f} GB of weights and {:.1f} GB of cache, {:.1f} GB free; room for {}\n",
                 in_gb(needed[memory_line::weights]), in_gb(needed[memory_line::kv_cache]), in_gb(on.free), room);
  } catch (const error& problem) {
    fmt::print("refused: {}\n", problem.what());
  }
}

}  // namespace

int main() {
  start(qwen3_8b, {"NVIDIA H100 80GB HBM3", 84.9_GB}, 32768, 8);
  start(qwen3_8b, {"NVIDIA L4", 23.6_GB}, 32768, 8);
  start(qwen3_8b, {"NVIDIA L4", 23.6_GB}, 2048, 8);
  start(R"({"model_type": "qwen3", "hidden_size": 4096})", {"NVIDIA L4", 23.6_GB}, 2048, 8);
}
