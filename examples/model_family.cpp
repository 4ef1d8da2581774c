// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// A table of a family of models that the compiler fills: what each holds, what a token costs, what it needs. The
// program only prints it.

#include <flopledger/flopledger.hpp>

#include <array>
#include <string_view>

#include <fmt/core.h>

using namespace flopledger;

namespace {

struct line {
  std::string_view name;
  std::int64_t parameters;
  double gflops_a_token;          ///< of a decode step at 8192 tokens
  std::int64_t cache_KiB;         ///< a token, BF16
  std::int64_t devices_to_serve;  ///< H100 with one sequence of 8192 tokens, in BF16
};

constexpr std::int64_t fewest_h100(const transformer_config& model) {
  for (std::int64_t devices = 1; devices <= 64; devices *= 2) {
    const serving_memory memory(model, {.formats = {recipes::bf16::value}, .tensor = devices});
    if (memory.worst(1, 8192).total() <= usable_memory<hardware::h100_sxm5_80gb>) return devices;
  }
  return 0;
}

template <class Model>
constexpr line of() {
  const totals step = totals_of(Model::config, decode_step(1, 8191));
  return {.name = Model::name,
          .parameters = static_cast<std::int64_t>(parameter_count<Model>.value()),
          .gflops_a_token = 2 * step.multiplied.value() / 1e9,
          .cache_KiB =
              static_cast<std::int64_t>(kv_cache_bytes(Model::config, decode_step(1, 0), bf16::format).value()) / 1024,
          .devices_to_serve = fewest_h100(Model::config)};
}

constexpr std::array family{of<models::llama3_2_1b>(), of<models::llama3_2_3b>(), of<models::llama3_1_8b>(),
                            of<models::llama3_1_70b>(), of<models::llama3_1_405b>()};
static_assert(family[2].parameters == 8'030'261'248 && family[2].devices_to_serve == 1);
static_assert(family[4].devices_to_serve == 16);

}  // namespace

int main() {
  fmt::print("{:<16} {:>15} {:>15} {:>13} {:>6}\n", "", "parameters", "GFLOP a token", "cache a token", "H100");
  for (const line& one : family)
    fmt::print("{:<16} {:>15} {:>15.1f} {:>9} KiB {:>6}\n", one.name, one.parameters, one.gflops_a_token, one.cache_KiB,
               one.devices_to_serve);
}
