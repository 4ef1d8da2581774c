// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// What does a user wait for, and what does a device yield? Llama-3.1-8B on one H100, prompts of 1024 tokens and answers
// of 256: the more requests share a decode step, the more tokens come out, and the longer each of them takes.

#include <flopledger/hardware/cluster.hpp>
#include <flopledger/memory/kv_cache.hpp>
#include <flopledger/models/zoo/llama.hpp>
#include <flopledger/time/serving.hpp>

#include <fmt/core.h>

using namespace flopledger;
using namespace flopledger::literals;

namespace {
using device = hardware::h100_sxm5_80gb;
constexpr const transformer_config& llama = models::llama3_1_8b::config;
constexpr double prompt = 1024, output = 256;

constexpr machine on = machine_of(device::value, recipes::bf16::value);
constexpr serving_time serving(llama, data_formats{recipes::bf16::value}, on);

// What no engine can beat: weights and cache are read once a step.
constexpr bytes weights = parameter_count<models::llama3_1_8b> * storage<bf16>;
constexpr bytes cache = kv_cache_bytes(llama, decode_step(1, prompt), bf16::format);
static_assert(serving.decode_step(1, prompt) > 1.0 * unit::token / decode_bound(weights, cache, 1, on.bandwidth));
}  // namespace

int main() {
  fmt::print("Llama-3.1-8B in BF16 on one H100, {:.0f} tokens in, {:.0f} out\n\n", prompt, output);
  fmt::print("weights                    {:>8.2f} GB, {:.2f} s over PCIe at a cold start\n", in_gb(weights),
             cold_start(weights, hardware::dgx_h100::value.host).value());
  fmt::print("time to first token        {:>8.1f} ms\n", 1e3 * serving.time_to_first_token(prompt).value());
  fmt::print("the same in chunks of 256  {:>8.1f} ms\n\n", 1e3 * serving.prefill_in_chunks(1, prompt, 256).value());

  fmt::print("{:>8} {:>12} {:>14} {:>14}\n", "requests", "ms a token", "tokens/s", "bound, tokens/s");
  for (const double requests : {1.0, 4.0, 16.0, 64.0}) {
    const auto each = serving.output_token(prompt, output, requests);
    fmt::print("{:>8.0f} {:>12.2f} {:>14.0f} {:>14.0f}\n", requests, 1e3 * each->value(),
               serving.output_throughput(requests, prompt, output).value(),
               decode_bound(weights, cache, requests, on.bandwidth).value());
  }

  // Two devices halve what each reads, and add an all-reduce after each attention and each feed-forward.
  const interconnect& link = hardware::dgx_h100::value.scale_up;
  const serving_time pair(llama, data_formats{recipes::bf16::value}, on,
                          {.tensor = 2, .latency = 10_us, .bandwidth = link.sustained()});
  fmt::print("\non two devices, alone      {:>8.2f} ms a token, {:.2f} of it all-reduces\n",
             1e3 * pair.decode_step(1, prompt).value(), 1e3 * pair.communication(decode_step(1, prompt)).value());
}
