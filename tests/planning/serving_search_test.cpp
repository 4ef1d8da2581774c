// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/hardware/cluster.hpp>
#include <flopledger/models/zoo/llama.hpp>
#include <flopledger/planning/serving_search.hpp>

#include <atomic>

#include "catch.hpp"

namespace {

using namespace flopledger;
using namespace flopledger::planning;
using namespace flopledger::literals;
using Catch::Matchers::WithinRel;

/// Llama-3.1-8B in BF16 under vLLM on H100.
struct wanted_service {
  service_space space;
  fleet on;
  offered_requests of{.stream = {.rate = 40.0 / 1_s, .prompt = {.mean = 1000}, .output = {.mean = 50}},
                      .requests = 400};
  latency_limits limits{.first_token = 500_ms, .output_token = 40_ms};

  wanted_service() {
    space.formats.precision = recipes::bf16::value;
    space.under = engines::vllm;
    space.tensor = {1, 2};
    space.sequences = {256};
    space.pass_tokens = {8192};
    on = {machine_of(hardware::h100_sxm5_80gb::value, space.formats.precision, engines::vllm),
          {usable_memory<hardware::h100_sxm5_80gb>, 950},
          hardware::dgx_h100::value};
  }
  found_services found() const { return search_services(models::llama3_1_8b::config, space, on, of, limits); }
  /// What so many copies of one device make of the same requests.
  bool keeps_with(std::int64_t copies, const batch_limits& batch) const {
    const serving_time<transformer_config> time(models::llama3_1_8b::config, space.formats, on.device, {},
                                                engines::vllm);
    const pass_costs costs(time, batch.pass_tokens, 1025);
    return keeps(simulate(arrivals_of(of.stream, of.requests, copies), batch, costs), limits);
  }
};

}  // namespace

TEST_CASE("a service has no device more than its limits ask for") {
  const wanted_service wanted;
  const found_services found = wanted.found();
  CHECK(found.counts.kept == 2);
  for (const service_plan& one : found.best) {
    CHECK(one.devices() >= found.best.front().devices());
    CHECK(one.first_token.at_share <= wanted.limits.first_token);
    CHECK(one.output_token.at_share <= wanted.limits.output_token);
    CHECK(one.largest_load >= 1);
    if (one.pool.copy.tensor > 1) continue;
    CHECK(wanted.keeps_with(one.pool.copies, one.pool.batch));
    CHECK(!wanted.keeps_with(one.pool.copies - 1, one.pool.batch));
  }
}

TEST_CASE("a pipeline's stages are servers of their own, with more room for the cache") {
  wanted_service wanted;
  wanted.space.tensor = {1};
  const server_pool one = wanted.found().best.front().pool;
  wanted.space.pipeline = {2};
  const server_pool staged = wanted.found().best.front().pool;
  CHECK(staged.servers() == 2 * staged.copies);
  CHECK(staged.batch.cache_tokens > one.batch.cache_tokens);
}

TEST_CASE("prompts and tokens apart take the network between them") {
  wanted_service wanted;
  wanted.space.tensor = {1};
  wanted.space.together = false;
  wanted.space.apart = true;
  const service_plan fast = wanted.found().best.front();
  REQUIRE(fast.reading);
  CHECK_THAT(fast.reading_share * static_cast<double>(fast.devices()),
             WithinRel(static_cast<double>(fast.reading->devices()), 1e-9));
  // 1,000 tokens of 128 KiB over 100 MB/s take 1.3 s, which 49 tokens of 40 ms hide, with fewer of them a pass.
  wanted.on.in.scale_out.send = wanted.on.in.scale_out.receive = 100e6 * (unit::byte / unit::second);
  wanted.on.in.scale_out.reached = 1;
  const service_plan slow = wanted.found().best.front();
  CHECK(slow.output_token.median - fast.output_token.median > 20_ms);
}

TEST_CASE("layouts that cannot be are counted by why") {
  wanted_service wanted;
  wanted.space.tensor = {1, 3, 16};
  wanted.limits.output_token = 1_ms;
  const service_counts counts = wanted.found().counts;
  CHECK(counts.impossible[static_cast<std::size_t>(plan_problem::heads_by_tensor)] == 1);
  CHECK(counts.across_nodes == 1);
  CHECK(counts.too_slow == 1);
  CHECK(counts.kept == 0);
}

TEST_CASE("a search that is stopped answers with what it has") {
  const wanted_service wanted;
  const std::atomic<bool> stop = true;
  const found_services found =
      search_services(models::llama3_1_8b::config, wanted.space, wanted.on, wanted.of, wanted.limits, {.stop = &stop});
  CHECK(found.stopped);
  CHECK(found.best.empty());
}
