// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/models/block_shape.hpp>

#include <vector>

#include "brute_force.hpp"
#include "known_models.hpp"
#include "quantities.hpp"
#include "random_shapes.hpp"

namespace fl = flopledger;
namespace unit = flopledger::unit;
using fl::attention_counting;

namespace {

void check_same(const fl::totals& a, const fl::totals& b) {
  CHECK(a.held == b.held);
  CHECK(a.active == b.active);
  CHECK(a.multiplied == b.multiplied);
  CHECK(a.multiplied_backward == b.multiplied_backward);
  CHECK(a.elementwise == b.elementwise);
  CHECK(a.elementwise_backward == b.elementwise_backward);
}

// The brute force knows no window that is longer than its sequence under full counting, where the library counts the
// square: such layers are limited by nothing.
fl::block_shape without_idle_windows(fl::block_shape shape, std::int64_t total) {
  if (shape.window >= total) shape.windowed = {};
  return shape;
}

}  // namespace

TEST_CASE("parameters agree with walking over every vector of the model") {
  test::random_shapes random{101};
  for (int i = 0; i < 500; ++i) {
    const fl::block_shape shape = random.decoder();
    const fl::transformer_config model = known_models::decoder(shape);
    INFO("draw " << i);
    const fl::totals sum = fl::totals_of(model, fl::forward(1, 1));
    CHECK(sum.held.value() == static_cast<double>(brute_force::parameters(shape)));
    CHECK(sum.active.value() == static_cast<double>(brute_force::parameters(shape, true)));
    CHECK(sum.trainable == sum.held);
  }
}

TEST_CASE("multiply-adds agree with walking over every token, head, key and expert") {
  test::random_shapes random{102};
  for (int i = 0; i < 500; ++i) {
    const std::int64_t length = random.between(1, 24), cached = random.coin() ? random.between(1, 20) : 0;
    const attention_counting counting = random.coin() ? attention_counting::full : attention_counting::causal;
    const fl::block_shape shape = without_idle_windows(random.decoder(), length + cached);
    const auto batch = static_cast<double>(random.between(1, 3));
    fl::work asked = fl::forward(batch, static_cast<double>(length), counting);
    asked.run.cached = static_cast<double>(cached);
    const bool last_only = random.coin();
    if (last_only) asked.head = fl::head_positions::last_token;
    INFO("draw " << i);
    CHECK(fl::total<&fl::row::multiplied>(known_models::decoder(shape), asked).value() ==
          batch * static_cast<double>(brute_force::forward_macs(shape, length, cached, counting, last_only)));
  }
}

TEST_CASE("the backward pass multiplies twice as much as the forward") {
  test::random_shapes random{103};
  for (int i = 0; i < 200; ++i) {
    const fl::totals sum = fl::totals_of(known_models::decoder(random.any_decoder()), random.pass());
    INFO("draw " << i);
    CHECK(sum.multiplied_backward == 2.0 * sum.multiplied);
  }
}

TEST_CASE("sequences of a batch cost alike") {
  test::random_shapes random{104};
  for (int i = 0; i < 200; ++i) {
    const fl::transformer_config model = known_models::decoder(random.any_decoder());
    fl::work one = random.pass();
    one.run.count = 1;
    fl::work many = one;
    many.run.count = static_cast<double>(random.between(2, 9));
    INFO("draw " << i);
    const fl::totals a = fl::totals_of(model, one), b = fl::totals_of(model, many);
    CHECK(b.multiplied == many.run.count * a.multiplied);
    CHECK(b.elementwise == many.run.count * a.elementwise);
    CHECK(b.held == a.held);
  }
}

TEST_CASE("stages of a pipeline hold together what the stack holds, for patterns drawn at random") {
  test::random_shapes random{105};
  for (int i = 0; i < 200; ++i) {
    fl::block_shape shape = random.any_decoder();
    shape.layers = random.between(1, 130);  // over word boundaries of the sets
    shape.sparse = random.layers(shape.layers);
    shape.windowed = random.coin() ? random.layers(shape.layers) : fl::layer_set{};
    const fl::stack stack = fl::make_stack(shape);
    const fl::work asked = random.pass();
    INFO("draw " << i);
    fl::totals whole, halves, walked;
    stack.record_blocks(whole, asked, 0, shape.layers);
    const std::int64_t cut = random.between(0, shape.layers);
    stack.record_blocks(halves, asked, 0, cut);
    stack.record_blocks(halves, asked, cut, shape.layers);
    check_same(whole, halves);
    for (std::int64_t layer = 0; layer < shape.layers; ++layer) stack.record_blocks(walked, asked, layer, layer + 1);
    check_same(whole, walked);
  }
}

TEST_CASE("a prompt runs the head once a sequence") {
  const double batch = 3, prompt = 50;
  const fl::totals all = fl::totals_of(known_models::llama_3_8b, fl::forward(batch, prompt));
  const fl::totals last = fl::totals_of(known_models::llama_3_8b, fl::prefill(batch, prompt));
  CHECK((all.multiplied - last.multiplied).value() == batch * (prompt - 1) * 4096 * 128256);
}

TEST_CASE("tied weights are stored once and multiplied all the same") {
  test::random_shapes random{106};
  for (int i = 0; i < 100; ++i) {
    fl::block_shape shape = random.any_decoder();
    shape.tied = true;
    const fl::transformer_config tied = known_models::decoder(shape);
    shape.tied = false;
    const fl::transformer_config untied = known_models::decoder(shape);
    const fl::work asked = random.pass();
    INFO("draw " << i);
    const fl::totals a = fl::totals_of(tied, asked), b = fl::totals_of(untied, asked);
    CHECK(a.multiplied == b.multiplied);
    CHECK(a.multiplied_backward == b.multiplied_backward);
    CHECK(a.elementwise == b.elementwise);
    CHECK((b.held - a.held).value() == static_cast<double>(shape.hidden * shape.vocabulary));
  }
}
