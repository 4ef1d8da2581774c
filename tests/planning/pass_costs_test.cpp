// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/hardware/cluster.hpp>
#include <flopledger/models/zoo/llama.hpp>
#include <flopledger/models/zoo/qwen.hpp>
#include <flopledger/planning/pass_costs.hpp>

#include "catch.hpp"

namespace {

using namespace flopledger;
using namespace flopledger::planning;
using namespace flopledger::literals;
using Catch::Matchers::WithinRel;

serving_time<transformer_config> on_h100(const transformer_config& model, std::int64_t tensor) {
  const data_formats formats{.precision = recipes::bf16::value};
  return {model, formats, machine_of(hardware::h100_sxm5_80gb::value, formats.precision, engines::vllm),
          group_under(engines::vllm, tensor, 1, hardware::dgx_h100::value), engines::vllm};
}

}  // namespace

TEST_CASE("passes cost what the model of serving says of them") {
  const serving_time<transformer_config> times[] = {on_h100(models::llama3_1_8b::config, 1),
                                                    on_h100(models::llama3_1_70b::config, 8),
                                                    on_h100(models::qwen3_30b_a3b::config, 1)};
  for (const serving_time<transformer_config>& time : times) {
    const pass_costs costs(time, 8192, 2000);
    for (const double together : {1.0, 40.0, 200.0})
      for (const double context : {200.0, 4000.0}) {
        const pass_load load{.decoding = static_cast<std::int64_t>(together), .context = together * (context + 1)};
        CHECK_THAT(costs(load).value(), WithinRel(time.decode_step(together, context).value(), 0.07));
        for (const double piece : {100.0, 513.0, 2000.0, 8000.0})
          for (const double cached : {0.0, 4000.0}) {
            pass_load mixed = load;
            mixed.prompt_tokens = static_cast<std::int64_t>(piece);
            mixed.prompt_pairs = piece * cached + piece * (piece + 1) / 2;
            INFO(together << " of " << context << " beside " << piece << " after " << cached);
            CHECK_THAT(costs(mixed).value(),
                       WithinRel(batched_pass(time, {.count = together, .length = 1, .cached = context},
                                              {.count = 1, .length = piece, .cached = cached})
                                     .value(),
                                 0.07));
          }
      }
  }
}

TEST_CASE("a request alone takes its prompt and its tokens") {
  const serving_time<transformer_config> time = on_h100(models::llama3_1_8b::config, 1);
  const served_requests alone = simulate({{0_s, 1024, 128}}, {}, pass_costs(time, 2048, 1024));
  CHECK_THAT(alone.requests[0].end_to_end().value(),
             WithinRel((time.prefill(1, 1024) + time.decode(1, 1024, 128)).value(), 0.02));
  CHECK_THROWS_AS(pass_costs(time, 0, 1024), bad_argument);
}
