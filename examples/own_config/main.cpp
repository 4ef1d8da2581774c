// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// A user's own config.json guards a build: whoever edits it to something that does not fit, or does not hold together,
// hears of it from the compiler. Try "num_attention_heads": 33, or a vocab_size with a few zeros more.
#include <flopledger/guard.hpp>
#include <flopledger/hardware/nvidia.hpp>

#include <cstdio>

#include "my_model.hpp"  // made of config.json by flopledger_add_model

using namespace flopledger;

static_assert(has_parameters<my_model, 3'204'074'496>);
static_assert(my_model::config.context == 8192);

// Sixteen conversations of full length beside the weights, on the smallest card that it is to run on.
using chat = weights_and_cache<my_model, recipes::bf16, load{16, 8192}>;
static_assert(fits<chat, hardware::l40s>);

int main() {
  std::printf("%.0f parameters, %.1f GiB in bfloat16, %.0f KiB of cache a token\n", parameter_count<my_model>.value(),
              in_gib(weight_bytes(my_model::config, my_model::storage)),
              kv_cache_bytes_per_token(my_model::config, bf16::format).value() / prefix::kibi);
}
