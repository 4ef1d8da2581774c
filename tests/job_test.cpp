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
