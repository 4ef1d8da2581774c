// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// What is run of a model: as many multiply-adds as the ledger counts, in the shapes that the papers have, and times
// that are the library's own.

#include "execution.hpp"

#include <flopledger/models/catalogue.hpp>
#include <flopledger/time/roofline.hpp>
#include <flopledger/time/step.hpp>

#include <algorithm>
#include <set>
#include <string>

#include "catch.hpp"
#include "known_models.hpp"
#include "verification.hpp"

using namespace harness;
using namespace flopledger;
using Catch::Matchers::WithinRel;

namespace {

constexpr machine plain_machine(double peak, double bandwidth) {
  machine made;
  made.peak = made.attention_peak = flop_rate::from_value(peak);
  made.bandwidth = byte_rate::from_value(bandwidth);
  return made;
}
constexpr machine ideal = plain_machine(1e12, 1e11);

execution_plan planned(const transformer_config& model, work pass, const recipe& precision = recipes::fp32::value,
                       std::int64_t layers = 0) {
  return plan_of(model, {.pass = pass, .precision = precision, .layers = layers}, {ideal, ideal});
}

double executed(const execution_plan& plan, bool backward) {
  double sum = 0;
  for (const line& one : plan.lines)
    if (one.backward == backward)
      for (const part& p : one.parts) sum += one.times * p.macs;
  return sum;
}

const line& line_of(const execution_plan& plan, const std::string& name, bool backward = false) {
  const auto found = std::find_if(plan.lines.begin(), plan.lines.end(),
                                  [&](const line& one) { return one.name == name && one.backward == backward; });
  if (found == plan.lines.end()) throw std::runtime_error("no line " + name);
  return *found;
}

constexpr transformer_config llama = known_models::decoder(
    {.layers = 3, .hidden = 64, .heads = 4, .kv_heads = 2, .intermediate = 160, .vocabulary = 500, .gated = true});

}  // namespace

TEST_CASE("every multiply-add of the ledger is run, forward and backward") {
  for (const char* const name :
       {"llama-3.1-8b", "gpt-2", "mixtral-8x7b", "bert-base-uncased", "deepseek-v3", "t5-small", "vit-b-16"}) {
    const models::zoo_entry* const known = models::find(name);
    INFO(name);
    if (known == nullptr) continue;
    const transformer_config config = known->describe();
    const work pass = config.with_source(training_step(2, 64));
    const execution_plan plan = planned(config, pass, recipes::mixed_bf16::value);
    const totals counted = totals_of(config, pass);
    CHECK_THAT(ledger_macs(plan.lines), WithinRel((counted.multiplied + counted.multiplied_backward).value(), 1e-9));
    CHECK_THAT(executed(plan, false), WithinRel(counted.multiplied.value(), 1e-9));
    CHECK_THAT(executed(plan, true), WithinRel(counted.multiplied_backward.value(), 1e-9));
  }
}

TEST_CASE("a forward pass has no backward lines") {
  const execution_plan plan = planned(llama, forward(1, 32));
  for (const line& one : plan.lines) CHECK_FALSE(one.backward);
  CHECK_THAT(ledger_macs(plan.lines), WithinRel(totals_of(llama, forward(1, 32)).multiplied.value(), 1e-12));
}

TEST_CASE("a product runs as frameworks run it") {
  const execution_plan plan = planned(llama, training_step(2, 32));
  // 64 tokens; a weight [160, 64] as PyTorch's Linear(64, 160) stores it.
  const line& up = line_of(plan, "feed_forward.up");
  REQUIRE(up.parts.size() == 1);
  CHECK(described(up.parts[0].shape) == "fp32 product 1×[64×64·64×160], right transposed");
  CHECK(up.times == 3);
  CHECK(up.times_in_layer == 1);
  const line& back = line_of(plan, "feed_forward.up", true);
  REQUIRE(back.parts.size() == 3);
  // dX = dY·W, dW = dYᵀ·X, and the gradient is added to what earlier micro-batches left: read and written.
  CHECK(described(back.parts[0].shape) == "fp32 product 1×[64×160·160×64]");
  CHECK(described(back.parts[1].shape) == "fp32 product 1×[160×64·64×64], left transposed");
  CHECK(described(back.parts[2].shape) == "fp32 stream of 10240 elements read and 10240 written");
}

TEST_CASE("attention is one kernel") {
  const execution_plan plan = planned(llama, training_step(2, 32));
  const line& core = line_of(plan, "attention");
  REQUIRE(core.parts.size() == 1);
  const auto& shape = std::get<attention_shape>(core.parts[0].shape);
  CHECK(shape.batch == 2);
  CHECK(shape.heads == 4);
  CHECK(shape.kv_heads == 2);
  CHECK(shape.queries == 32);
  CHECK(shape.keys == 32);
  CHECK(shape.key_dim == 16);
  CHECK(shape.value_dim == 16);
  CHECK_FALSE(shape.causal);
  CHECK(std::get<attention_shape>(line_of(plan, "attention", true).parts[0].shape).backward);
  const execution_plan causal = planned(llama, training_step(2, 32, attention_counting::causal));
  const line& triangle = line_of(causal, "attention");
  CHECK(std::get<attention_shape>(triangle.parts[0].shape).causal);
  CHECK(triangle.macs == triangle.parts[0].macs);
  CHECK(triangle.macs == 2 * 4 * 32 * 33 / 2 * 32.0);
  CHECK(triangle.note.empty());
}

TEST_CASE("a window that is not run is noted") {
  const transformer_config model = known_models::decoder({.layers = 1,
                                                          .hidden = 64,
                                                          .heads = 4,
                                                          .intermediate = 64,
                                                          .vocabulary = 100,
                                                          .window = 8,
                                                          .windowed = layer_set::range(0, 1)});
  const execution_plan plan = planned(model, forward(1, 64, attention_counting::causal));
  CHECK(line_of(plan, "attention").note == "run without its window");
  CHECK(line_of(plan, "attention").macs < line_of(plan, "attention").parts[0].macs);
}

TEST_CASE("experts of few tokens run as many products as there are tokens") {
  const transformer_config model = known_models::decoder({.layers = 1,
                                                          .hidden = 64,
                                                          .heads = 4,
                                                          .intermediate = 64,
                                                          .vocabulary = 100,
                                                          .experts = 16,
                                                          .experts_per_token = 2,
                                                          .expert_intermediate = 32,
                                                          .sparse = layer_set::range(0, 1)});
  const auto shape_for = [&](double tokens) {
    return std::get<product_shape>(line_of(planned(model, forward(1, tokens)), "experts.up").parts[0].shape);
  };
  CHECK(shape_for(64).batch == 16);  // 128 assignments, eight an expert
  CHECK(shape_for(64).m == 8);
  CHECK(shape_for(3).batch == 6);  // six assignments, one an expert
  CHECK(shape_for(3).m == 1);
  // What does not divide is rounded, and said.
  const execution_plan odd = planned(model, forward(1, 65));
  CHECK_FALSE(line_of(odd, "experts.up").note.empty());
}

TEST_CASE("formats are those of the recipe") {
  const execution_plan fp8 = planned(llama, training_step(1, 32), recipes::fp8::value);
  CHECK(line_of(fp8, "feed_forward.up").format == number_kind::fp8_e4m3);
  CHECK(line_of(fp8, "head").format == number_kind::bf16);
  CHECK(line_of(fp8, "attention").format == number_kind::bf16);
  // An operand that is cast is read for its maximum and again, and written twice: a stream beside the product.
  REQUIRE(line_of(fp8, "attention.query").parts.size() == 2);
  CHECK(line_of(fp8, "attention.query").parts[1].what == "bytes beside");
  const execution_plan int8 = planned(llama, forward(1, 32), recipes::w8a8::value);
  CHECK(line_of(int8, "feed_forward.up").format == number_kind::int8);
  CHECK(line_of(int8, "attention").format == number_kind::bf16);
}

TEST_CASE("floors of a forward pass are the library's roofline") {
  const execution_plan plan = planned(llama, forward(2, 64));
  roofline fold{.formats = {.precision = recipes::fp32::value}, .rates = {ideal.peak, ideal.bandwidth}};
  llama.record(fold, forward(2, 64));
  double sum = 0, bytes_moved = 0;
  for (const line& one : plan.lines) {
    sum += one.times * one.floor;
    bytes_moved += one.times * one.bytes;
  }
  // The fold bounds scores and context apart, and both are by compute here or both are not.
  CHECK_THAT(sum, WithinRel(fold.one_after_another.value(), 0.02));
  CHECK_THAT(bytes_moved / ideal.bandwidth.value(), WithinRel(fold.total.bandwidth.value(), 0.02));
}

TEST_CASE("predicted times add up to the library's step, where no product joins another") {
  const machine lossy = [] {
    machine made = ideal;
    made.reached.products = 0.5;
    made.reached.sustained = 1;
    made.reached.bandwidth = 0.5;
    return made;
  }();
  const execution_plan plan =
      plan_of(llama, {.pass = training_step(2, 64, attention_counting::causal), .precision = recipes::fp32::value},
              {lossy, ideal});
  double sum = 0;
  for (const line& one : plan.lines) sum += one.times * one.predicted;
  training_setup setup{.precision = recipes::fp32::value};
  setup.plan.micro_batch = 2;
  setup.plan.sequence = 64;
  const step_time step = training_time(llama, setup, lossy, {}).step();
  // A product that joins the one before it reads their input once: a few per cent of the bytes.
  CHECK_THAT(sum, WithinRel(step.compute().value(), 0.05));
  CHECK(sum >= step.compute().value());
}

TEST_CASE("some layers are run, and no more than there are") {
  const execution_plan two = planned(llama, forward(1, 32), recipes::fp32::value, 2);
  CHECK(two.layers == 2);
  CHECK(two.layers_of_kind == 2);
  CHECK(line_of(two, "feed_forward.up").times == 2);
  CHECK(line_of(two, "head").times == 1);
  CHECK_THROWS_WITH(planned(llama, forward(1, 32), recipes::fp32::value, 4), "--layers: 4 of a model that has 3");
}

TEST_CASE("of several kinds of layers the most frequent is the layer") {
  const transformer_config model = known_models::decoder({.layers = 6,
                                                          .hidden = 64,
                                                          .heads = 4,
                                                          .intermediate = 64,
                                                          .vocabulary = 100,
                                                          .window = 8,
                                                          .windowed = layer_set::range(0, 5)});
  const execution_plan plan = planned(model, forward(1, 64));
  CHECK(plan.layers_of_kind == 5);
  double in_layer = 0;
  for (const line& one : plan.lines)
    if (one.name == "attention") in_layer += one.times_in_layer;
  CHECK(in_layer == 1);
}
