// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/hardware/cluster.hpp>
#include <flopledger/models/zoo/llama.hpp>
#include <flopledger/time/load.hpp>

#include "catch.hpp"

namespace {

using namespace flopledger;
using Catch::Matchers::WithinRel;

/// Llama-3.1-70B in FP8 on eight H200 under vLLM.
struct service {
  data_formats formats{.precision = recipes::bf16::value};
  machine on;
  serving_time<transformer_config> time;

  service() : on(machine_of_formats()), time(models::llama3_1_70b::config, formats, on, group()) {}
  loaded_times under(const closed_loop& load) const { return under_load(time, engines::vllm, load); }
 private:
  machine machine_of_formats() {
    formats.precision.weights = formats.precision.compute = formats.precision.kv_cache = fp8_e4m3::format;
    return machine_of(hardware::h200_sxm5_141gb::value, formats.precision, engines::vllm);
  }
  static serving_group group() { return group_under(engines::vllm, 8, 1, hardware::dgx_h200::value); }
};

TEST_CASE("a closed loop holds as many requests as it has users") {
  const service of_vllm;
  for (const double users : {1.0, 16.0, 300.0})
    for (const double places : {0.0, 10.0}) {
      const loaded_times found = of_vllm.under({.concurrency = users, .prompt = 1000, .output = 200, .places = places});
      // Little's law, in output tokens.
      CHECK_THAT(found.throughput.value() * found.request.value(), WithinRel(users * 200, 1e-9));
      CHECK_THAT((found.first_token + 199.0 * *found.output_token).value(), WithinRel(found.request.value(), 1e-9));
    }
}

TEST_CASE("one user meets nobody: no token waits for a prompt") {
  const service of_vllm;
  const loaded_times alone = of_vllm.under({.concurrency = 1, .prompt = 1000, .output = 200});
  CHECK_THAT(alone.output_token->value(), WithinRel(of_vllm.time.decode_step(1, 1100).value(), 1e-9));
  const loaded_times sixty = of_vllm.under({.concurrency = 60, .prompt = 1000, .output = 200});
  CHECK(*sixty.output_token > of_vllm.time.decode_step(60, 1100));
  CHECK(sixty.first_token > alone.first_token);
  CHECK(!of_vllm.under({.concurrency = 4, .prompt = 100, .output = 1}).output_token);
}

TEST_CASE("who finds no place waits, and the tokens of those who have one come no later") {
  const service of_vllm;
  const closed_loop all{.concurrency = 64, .prompt = 1000, .output = 200};
  closed_loop half = all;
  half.places = 32;
  CHECK(of_vllm.under(half).first_token > 2.0 * of_vllm.under(all).first_token);
  CHECK(*of_vllm.under(half).output_token < *of_vllm.under(all).output_token);
}

TEST_CASE("requests that begin at once wait for one another, the less the more follow them") {
  const service of_vllm;
  const auto first = [&](double rounds) {
    return of_vllm.under({.concurrency = 64, .prompt = 8192, .output = 1024, .rounds = rounds}).first_token;
  };
  CHECK(first(1) > first(10));
  CHECK(first(10) > first(0));
}

TEST_CASE("a load without users or tokens is refused") {
  const service of_vllm;
  CHECK_THROWS_AS(of_vllm.under({.concurrency = 0}), bad_argument);
  CHECK_THROWS_AS(of_vllm.under({.prompt = 0}), bad_argument);
  CHECK_THROWS_AS(of_vllm.under({.output = 0}), bad_argument);
  CHECK_THROWS_AS(of_vllm.under({.places = -1}), bad_argument);
  CHECK_THROWS_AS(of_vllm.under({.rounds = -1}), bad_argument);
}

}  // namespace
