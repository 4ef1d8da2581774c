// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/memory/capacity.hpp>
#include <flopledger/models/block_shape.hpp>

#include <algorithm>
#include <string>

#include "catch.hpp"
#include "random_shapes.hpp"

namespace {

using namespace flopledger;

using dice = test::random_shapes;

/// The largest n up to `most` for which `fits(n)`, one by one: 0 where there is none.
template <class Fits>
std::int64_t walked(Fits&& fits, std::int64_t most) {
  std::int64_t found = 0;
  for (std::int64_t n = 1; n <= most; ++n)
    if (fits(n)) found = n;
  return found;
}

transformer_config serving_model(dice& random) {
  block_shape s{.layers = 8, .hidden = 64, .heads = 8, .intermediate = 128, .vocabulary = 200};
  s.kv_heads = random.power_of_two(3);
  transformer_config model = make_decoder("served", s);
  if (random.coin()) {
    model.stack.windowed = layer_set::range(0, random.between(1, 8));
    model.stack.window = random.between(3, 100);
  }
  return model;
}

serving_setup service_of(dice& random) {
  serving_setup setup{.tensor = random.power_of_two(2), .pipeline = random.between(1, 3)};
  setup.formats.precision = recipes::bf16::value;
  setup.layout = static_cast<kv_layout>(random.between(0, 3));
  setup.block = random.between(1, 20);
  setup.chunk = 8;
  return setup;
}

}  // namespace

TEST_CASE("the largest context and concurrency are those that walking finds, under windows and pages") {
  dice random(1312);
  for (int i = 0; i < 300; ++i) {
    const transformer_config model = serving_model(random);
    const serving_setup setup = service_of(random);
    REQUIRE(verdict(setup, model).ok());
    const serving_memory memory(model, setup);
    const bytes empty = memory.worst(1, 1).total();
    const bytes available = empty + static_cast<double>(random.between(-10, 200000)) * unit::byte;
    const std::int64_t together = random.between(1, 4), context = random.between(1, 300);
    INFO(i << ": window " << model.stack.window << ", layout " << name_of(setup.layout) << ", block " << setup.block);
    const auto fits = [&](std::int64_t n, std::int64_t length) { return memory.worst(n, length).total() <= available; };
    constexpr std::int64_t most = 3000;
    const std::int64_t longest = memory.largest_context(available, together);
    const std::int64_t walk = walked([&](std::int64_t n) { return fits(together, n); }, most);
    if (longest < most)
      CHECK(longest == walk);
    else
      CHECK(walk == most);
    const std::int64_t crowd = memory.largest_concurrency(available, context);
    const std::int64_t counted = walked([&](std::int64_t n) { return fits(n, context); }, most);
    if (crowd < most)
      CHECK(crowd == counted);
    else
      CHECK(counted == most);
  }
}

TEST_CASE("a context that nothing grows with is unlimited, and said to be") {
  transformer_config model =
      make_decoder("windowed", {.layers = 4, .hidden = 64, .heads = 4, .intermediate = 128, .vocabulary = 200});
  model.stack.windowed = layer_set::range(0, 4);
  model.stack.window = 32;
  serving_setup setup{.layout = kv_layout::ring};
  setup.formats.precision = recipes::bf16::value;
  const serving_memory memory(model, setup);
  CHECK(memory.largest_context(memory.worst(2, 32).total(), 2) == unlimited);
  CHECK(memory.largest_context(memory.worst(2, 31).total(), 2) == 31);
  CHECK(memory.largest_context(bytes{}, 2) == 0);
}

TEST_CASE("the largest micro-batch and sequence, and the fewest ranks, are those that walking finds") {
  dice random(2603);
  for (int i = 0; i < 100; ++i) {
    training_setup setup{.precision = recipes::mixed_bf16::value};
    plan& p = setup.plan;
    p = {.sequence = 64,
         .micro_batch = 1,
         .gradient_accumulation = 4 * random.between(1, 6),
         .data = random.between(1, 4),
         .tensor = random.power_of_two(2),
         .pipeline = random.power_of_two(1)};
    p.virtual_stages = p.pipeline > 1 ? random.power_of_two(1) : 1;
    p.sequence_parallel = random.coin();
    p.sharding = static_cast<zero>(random.between(0, 3));
    p.recompute = random.coin() ? recompute::none : recompute::full;
    const transformer_config model =
        make_decoder("trained", {.layers = 8, .hidden = 64, .heads = 8, .intermediate = 256, .vocabulary = 512});
    REQUIRE(verdict(p, model).ok());
    const bytes now = training_memory(model, setup).worst().total();
    const bytes available = static_cast<double>(random.between(70, 200)) / 100.0 * now;
    const auto fits = [&](auto change) {
      training_setup other = setup;
      change(other.plan);
      return verdict(other.plan, model).ok() && training_memory(model, other).worst().total() <= available;
    };
    const std::int64_t batch = largest_micro_batch(model, setup, available);
    const std::int64_t walked_batch =
        walked([&](std::int64_t n) { return fits([n](plan& q) { q.micro_batch = n; }); }, 64);
    CHECK(std::min<std::int64_t>(batch, 64) == walked_batch);
    const std::int64_t sequence = largest_sequence(model, setup, available);
    const std::int64_t walked_sequence =
        walked([&](std::int64_t n) { return fits([n](plan& q) { q.sequence = n; }); }, 2048);
    CHECK(std::min<std::int64_t>(sequence, 2048) == walked_sequence);
    const std::int64_t micro_batches = p.data * p.gradient_accumulation;
    std::int64_t fewest = 0;
    for (std::int64_t ranks = 1; ranks <= 50 && fewest == 0; ++ranks)
      if (fits([&](plan& q) {
            q.data = ranks;
            // Fewest micro-batches that make no smaller batch; interleaving needs multiples of the stages.
            q.gradient_accumulation = 1;
            while (q.gradient_accumulation * ranks < micro_batches ||
                   (q.virtual_stages > 1 && q.gradient_accumulation % q.pipeline != 0))
              ++q.gradient_accumulation;
          }))
        fewest = ranks;
    CHECK(fewest_data_ranks(model, setup, available, 50) == fewest);
  }
}

TEST_CASE("three data ranks are fewer than four") {
  training_setup setup{.precision = recipes::mixed_bf16::value};
  setup.plan = {.sequence = 8, .gradient_accumulation = 12, .sharding = zero::gradients};
  const transformer_config model =
      make_decoder("trained", {.layers = 2, .hidden = 256, .heads = 4, .intermediate = 1024, .vocabulary = 512});
  setup.plan.data = 3;
  const bytes on_three = training_memory(model, setup).worst().total();
  setup.plan.data = 1;
  CHECK(fewest_data_ranks(model, setup, on_three) == 3);
}

TEST_CASE("the fewest of many data ranks are those that walking finds") {
  dice random(4711);
  block_shape s{.layers = 4, .hidden = 64, .heads = 8, .intermediate = 256, .vocabulary = 512};
  s.experts = 8;
  s.experts_per_token = 2;
  s.expert_intermediate = 64;
  s.sparse = layer_set::range(1, 4);
  const transformer_config model = make_decoder("mixture", s);
  int beyond = 0;
  for (int i = 0; i < 100; ++i) {
    training_setup setup{.precision = recipes::mixed_bf16::value};
    plan& p = setup.plan;
    p = {.sequence = 16, .gradient_accumulation = random.between(1, 4), .expert = random.power_of_two(3)};
    p.tensor = random.power_of_two(1);
    p.expert_tensor = 1;
    p.sharding = static_cast<zero>(random.between(1, 3));
    p.data = 1000;
    const bytes least = training_memory(model, setup).worst().total();
    p.data = 1;
    const bytes available = static_cast<double>(random.between(10000, 10300)) / 10000 * least;
    std::int64_t fewest = 0;
    for (std::int64_t ranks = 1; ranks <= 1000 && fewest == 0; ++ranks) {
      training_setup other = setup;
      other.plan.data = ranks;
      other.plan.gradient_accumulation = (setup.plan.gradient_accumulation + ranks - 1) / ranks;
      if (verdict(other.plan, model).ok() && training_memory(model, other).worst().total() <= available) fewest = ranks;
    }
    CHECK(fewest_data_ranks(model, setup, available, 1000) == fewest);
    beyond += fewest > 16 ? 1 : 0;
  }
  CHECK(beyond > 10);  // where the answer is searched and not walked to
}

TEST_CASE("fewest tensor devices pass over degrees that the model does not divide by") {
  serving_setup setup{};
  setup.formats.precision = recipes::bf16::value;
  const transformer_config model = make_decoder(
      "served", {.layers = 2, .hidden = 240, .heads = 12, .kv_heads = 4, .intermediate = 480, .vocabulary = 512});
  // 3 ranks would divide 12 heads, but not 4 key/value heads, nor the other way round.
  setup.tensor = 2;
  const bytes on_two = serving_memory(model, setup).worst(2, 100).total();
  setup.tensor = 4;
  const bytes on_four = serving_memory(model, setup).worst(2, 100).total();
  setup.tensor = 1;
  CHECK(fewest_tensor_devices(model, setup, on_two, 2, 100) == 2);
  CHECK(fewest_tensor_devices(model, setup, on_two - 1.0 * unit::byte, 2, 100) == 4);
  CHECK(fewest_tensor_devices(model, setup, on_four - 1.0 * unit::byte, 2, 100) == 12);
  CHECK(fewest_tensor_devices(model, setup, bytes{}, 2, 100) == 0);
}

TEST_CASE("what cannot be has no inverse") {
  const transformer_config model =
      make_decoder("small", {.layers = 2, .hidden = 64, .heads = 4, .intermediate = 256, .vocabulary = 512});
  const bytes plenty = 1e12 * unit::byte;
  training_setup training{.precision = recipes::mixed_bf16::value};
  training.plan = {.sequence = 9, .tensor = 3};
  CHECK(largest_micro_batch(model, training, plenty) == 0);
  CHECK(largest_sequence(model, training, plenty) == 0);
}
