// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// The search for the largest batch on a device whose memory is made up.

#include "largest_batch.hpp"

#include <flopledger/memory/training.hpp>

#include <cmath>
#include <stdexcept>

#include "catch.hpp"
#include "fake_backend.hpp"
#include "known_models.hpp"

using namespace harness;
using Catch::Matchers::WithinRel;
using harness_test::fake_backend;

namespace {

constexpr flopledger::transformer_config model = known_models::decoder(
    {.layers = 4, .hidden = 64, .heads = 4, .intermediate = 256, .vocabulary = 1000, .gated = true});
const batch_question question{.model = model, .precision = flopledger::recipes::fp32::value, .sequence = 128};

/// Bytes that a step of so many sequences needs, found by running it.
double needed(std::int64_t batch) {
  fake_backend on;
  run_step(on, question, batch);
  return on.peak_allocated;
}

}  // namespace

TEST_CASE("the largest batch is the one that still fits") {
  const double five = needed(5), six = needed(6);
  REQUIRE(six > five);
  fake_backend on;
  on.memory_size = (five + six) / 2;
  const largest_batch_found found = largest_batch(on, question);
  CHECK(found.measured == 5);
  CHECK(found.available == on.memory_size);
  // Each trial tells what it took; those that failed as well.
  REQUIRE_FALSE(found.trials.empty());
  for (const batch_trial& one : found.trials) {
    CHECK(one.fits == (one.batch <= 5));
    CHECK(one.peaks.allocated_peak > 0);
    CHECK(one.peaks.allocated_peak <= on.memory_size);
    if (one.fits) CHECK_THAT(one.peaks.allocated_peak, WithinRel(needed(one.batch), 1e-6));
  }
  CHECK(std::fabs(on.allocated) < 1);  // nothing stays behind but the rounding of sums
}

TEST_CASE("memory that not even one sequence fits in is batch 0") {
  fake_backend on;
  on.memory_size = needed(1) - 1;
  CHECK(largest_batch(on, question).measured == 0);
}

TEST_CASE("only memory that is out counts as too large") {
  fake_backend on;
  on.when_prepared = [](const kernel_shape&) { throw std::runtime_error("the driver fell over"); };
  CHECK_THROWS_WITH(largest_batch(on, question), "the driver fell over");
  on.when_prepared = [](const kernel_shape&) { throw std::bad_alloc(); };  // of the host, not of the device
  CHECK_THROWS_AS(largest_batch(on, question), std::bad_alloc);
}

TEST_CASE("an out-of-memory of a kernel's own counts, too") {
  fake_backend on;
  on.when_prepared = [](const kernel_shape& shape) {
    const auto* p = std::get_if<product_shape>(&shape);
    if (p != nullptr && p->m >= 3 * 128 && p->n == 1000) throw out_of_memory("no workspace");
  };
  CHECK(largest_batch(on, question).measured == 2);
}

TEST_CASE("what is held is what the memory model says is held") {
  // Weights, gradients, AdamW's states of every parameter, and what the ledger keeps for the backward pass: the peak is
  // those and one operation's operands, which is what the model predicts from the same rows by rules of its own.
  for (const std::int64_t batch : {1, 8, 32}) {
    flopledger::training_setup setup{.precision = question.precision};
    setup.plan.sequence = question.sequence;
    setup.plan.micro_batch = batch;
    setup.plan.loss = flopledger::cross_entropy::fused;
    setup.framework.workspace = {};
    const double predicted = flopledger::training_memory(model, setup).worst().total().value();
    INFO(batch);
    CHECK_THAT(needed(batch), WithinRel(predicted, 0.15));
  }
}
