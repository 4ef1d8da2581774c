// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/hardware/cluster.hpp>
#include <flopledger/job.hpp>
#include <flopledger/models/zoo/llama.hpp>
#include <flopledger/models/zoo/mistral.hpp>

#include <vector>

#include "catch.hpp"

using namespace flopledger;
using Catch::Matchers::WithinRel;

namespace {

using layout_job = training<models::llama3_1_8b, recipes::mixed_bf16, optimizers::adamw,
                            plan{.sequence = 8192,
                                 .gradient_accumulation = 8,
                                 .data = 8,
                                 .sharding = zero::optimizer,
                                 .recompute = recompute::selective}>;
using one_node = cluster<hardware::dgx_h100>;

template <class Model>
constexpr training_job job_of(const Model& model, const training_setup& setup) {
  const machine on = machine_of(hardware::h100_sxm5_80gb::value, setup.precision, setup.framework);
  return {model, setup, on, network_of(setup.plan, hardware::dgx_h100::value)};
}

}  // namespace

static_assert(within_time<layout_job, one_node, 12000> && !within_time<layout_job, one_node, 2000>);
static_assert(require_within_time<layout_job, one_node, 12000>::holds);
static_assert(step_of<layout_job, one_node>.total() < 12.0 * unit::second);

TEST_CASE("a job answers as a constant and at run time alike") {
  constexpr training_job made = job_of(models::llama3_1_8b::config, layout_job::setup);
  static_assert(made.floor() < made.roofline() && made.roofline() < made.step().total());
  CHECK(made.memory().total() == layout_job::memory().total());
  CHECK(made.step().total() == step_of<layout_job, one_node>.total());
  CHECK(made.memory(0).total() == made.memory().total());
}

// 6·N·D and the attention of 32 layers over the full square: 12·L·h·S a token (PaLM, appendix B). N without the table,
// which is looked up.
TEST_CASE("a job's model FLOPs are those of PaLM's appendix B") {
  const training_job made = job_of(models::llama3_1_8b::config, layout_job::setup);
  const double tokens = 64.0 * 8192, parameters = 8'030'261'248.0 - 128'256.0 * 4096 - 65 * 4096;
  CHECK_THAT(made.model_flops().value(), WithinRel(tokens * (6 * parameters + 12.0 * 32 * 4096 * 8192), 1e-12));
  // Selective recompute runs the core once more: a third of its three passes.
  CHECK_THAT(made.recomputed_flops().value(), WithinRel(tokens * 4.0 * 32 * 4096 * 8192, 1e-12));
  CHECK(made.hfu(10.0 * unit::second) > made.mfu(10.0 * unit::second));
}

TEST_CASE("jobs of different models lie in one vector and outlive their models") {
  std::vector<training_job> jobs;
  {
    const transformer_config llama = models::llama3_1_8b::config, mixtral = models::mixtral_8x7b::config;
    jobs.push_back(job_of(llama, layout_job::setup));
    jobs.push_back(job_of(mixtral, layout_job::setup));
  }
  CHECK(jobs[0].memory().total() < jobs[1].memory().total());
}

TEST_CASE("an impossible job is refused when it is made") {
  training_setup setup = layout_job::setup;
  setup.plan.tensor = 3;
  CHECK_THROWS_AS(job_of(models::llama3_1_8b::config, setup), impossible_plan);
}

namespace {

using served_job = serving_under<models::llama3_1_8b, recipes::bf16, engines::vllm,
                                 served_load{.prompt = 2048, .output = 256, .concurrency = 32}>;

serving_job served_by(const engine& under, const served_load& asked, std::int64_t tensor = 1) {
  const node& in = hardware::dgx_h100::value;
  const serving_setup setup = setup_under(under, {.precision = recipes::bf16::value}, tensor);
  return {models::llama3_1_8b::config,      setup, under, asked, machine_of(*in.device, setup.formats.precision, under),
          group_under(under, tensor, 1, in)};
}

}  // namespace

static_assert(fits<served_job, hardware::h100_sxm5_80gb> && !fits<served_job, hardware::t4>);
static_assert(serving_times_of<served_job, hardware::dgx_h100>.first_token < 0.1 * unit::second);
// 2048 tokens are 33 TFLOP, 0.033 s at the peak; the weights of a token, 15.0 GB, are read in 4.5 ms at 3.35 TB/s.
static_assert(within_latency<served_job, hardware::dgx_h100, latency{.first_token_ms = 100}>);
static_assert(!within_latency<served_job, hardware::dgx_h100, latency{.first_token_ms = 33}>);
static_assert(
    !within_latency<served_job, hardware::dgx_h100, latency{.first_token_ms = 100, .output_token_us = 4'480}>);
static_assert(require_within_latency<served_job, hardware::dgx_h100,
                                     latency{.first_token_ms = 100, .output_token_us = 20'000}>::holds);

// 131,072 bytes of a token: 32 layers, 8 heads of 128, keys and values, two bytes each.
TEST_CASE("a serving job holds what its sequences cache, by pages") {
  const serving_job made = served_by(engines::vllm, {.prompt = 2040, .output = 250, .concurrency = 32});
  CHECK(made.cache_of_sequence().value() == 2304 * 131'072.0);
  CHECK(made.memory()[memory_line::kv_cache].value() == 32 * 2304 * 131'072.0);
  const bytes room = made.memory().total();
  CHECK(made.fits(room));
  CHECK(made.largest_concurrency(models::llama3_1_8b::config, room) == 32);
  CHECK(!made.remedies(models::llama3_1_8b::config, 0.9 * room).empty());
  CHECK(served_job::memory().total() >= room);
}

// A token reads 7,504,924,672 weights but the table's of 2 bytes, and the cache, at 3.35 TB/s.
TEST_CASE("the floor of a token is the weights' bytes over the bandwidth") {
  const serving_job made = served_by(engines::tensorrt_llm_0_9, {.prompt = 128, .output = 128});
  const double read = 2 * 7'504'924'672.0 + 192 * 131'072.0;
  REQUIRE(made.floors().output_token);
  CHECK_THAT(made.floors().output_token->value(), WithinRel(read / 3.35e12, 0.01));
  CHECK(*made.times().output_token > *made.floors().output_token);
  CHECK(made.times().first_token > made.floors().first_token);
  CHECK(made.times().throughput < made.floors().throughput);
  CHECK(!served_by(engines::vllm, {.prompt = 128, .output = 1}).times().output_token);
}

TEST_CASE("an impossible serving job is refused when it is made") {
  CHECK_THROWS_AS(served_by(engines::vllm, {}, 3), impossible_plan);
  CHECK_THROWS_AS(served_by(engines::vllm, {.prompt = 0}), impossible_plan);
  CHECK_THROWS_AS(served_by(engines::vllm, {.concurrency = 0}), impossible_plan);
}
