// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/ledger.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "known_models.hpp"
#include "quantities.hpp"
#include "random_shapes.hpp"

namespace fl = flopledger;
namespace unit = flopledger::unit;

namespace {

std::vector<fl::entry> rows_of(const auto& model, const fl::work& asked) {
  std::vector<fl::entry> entries;
  fl::stored_in stored{entries};
  model.record(stored, asked);
  return entries;
}

fl::totals summed(const std::vector<fl::entry>& entries) {
  fl::totals sum;
  for (const fl::entry& e : entries) sum.take(e.what, e.times);
  return sum;
}

void check_equal(const fl::totals& a, const fl::totals& b) {
  CHECK(a.held == b.held);
  CHECK(a.active == b.active);
  CHECK(a.trainable == b.trainable);
  CHECK(a.multiplied == b.multiplied);
  CHECK(a.multiplied_backward == b.multiplied_backward);
  CHECK(a.elementwise == b.elementwise);
  CHECK(a.elementwise_backward == b.elementwise_backward);
}

}  // namespace

TEST_CASE("a ledger that is too small throws and keeps what it holds") {
  const fl::work asked = fl::forward(1, 16);
  const std::size_t needed = rows_of(known_models::llama_3_8b, asked).size();
  REQUIRE(needed > 8);

  fl::ledger<8> small;
  REQUIRE_THROWS_AS(known_models::llama_3_8b.record(small, asked), fl::ledger<8>::capacity_exceeded);
  CHECK(small.size == 8);
  CHECK(small[0].what.name == "embedding");
  try {
    known_models::llama_3_8b.record(small, asked);
    FAIL("a full ledger took one more row");
  } catch (const fl::ledger<8>::capacity_exceeded& problem) {
    CHECK(problem.capacity == 8);
  }

  fl::ledger<64> large;
  REQUIRE_NOTHROW(known_models::llama_3_8b.record(large, asked));
  CHECK(large.size == needed);
}

TEST_CASE("alike blocks are recorded once however many there are") {
  fl::block_shape shape = known_models::llama_3_8b_shape;
  const std::size_t rows = rows_of(known_models::decoder(shape), fl::forward(1, 16)).size();
  shape.layers = 200;
  CHECK(rows_of(known_models::decoder(shape), fl::forward(1, 16)).size() == rows);
}

TEST_CASE("a look-up is no product") {
  for (const fl::entry& e : rows_of(known_models::gpt2, fl::training_step(2, 64)))
    if (e.what.kind == fl::operation::gather) {
      INFO(e.what.name);
      CHECK(e.what.multiplied == 0.0 * unit::mac);
      CHECK(fl::backward_macs(e.what) == 0.0 * unit::mac);
      CHECK(e.what.shape.k == 0);
      CHECK(e.what.held > 0.0 * unit::parameter);
    }
}

TEST_CASE("stored rows add up to the fold, for models drawn at random") {
  test::random_shapes random{20260101};
  for (int i = 0; i < 300; ++i) {
    const fl::transformer_config model = known_models::decoder(random.any_decoder());
    const fl::work asked = random.pass();
    INFO("draw " << i);
    const std::vector<fl::entry> entries = rows_of(model, asked);
    const fl::totals folded = fl::totals_of(model, asked);
    check_equal(summed(entries), folded);
    CHECK(fl::total<&fl::row::held>(model, asked) == folded.held);
    CHECK(fl::total<&fl::row::active>(model, asked) == folded.active);
    CHECK(fl::total<&fl::row::multiplied>(model, asked) == folded.multiplied);
    CHECK(fl::total<&fl::row::elementwise>(model, asked) == folded.elementwise);
  }
}

TEST_CASE("totals never depend on the order of rows") {
  test::random_shapes random{7};
  for (int i = 0; i < 100; ++i) {
    const fl::transformer_config model = known_models::decoder(random.any_decoder());
    const fl::work asked = random.pass();
    INFO("draw " << i);
    std::vector<fl::entry> entries = rows_of(model, asked);
    const fl::totals in_order = summed(entries);
    std::reverse(entries.begin(), entries.end());
    check_equal(summed(entries), in_order);
    for (std::size_t j = entries.size(); j > 1; --j)
      std::swap(entries[j - 1], entries[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(j) - 1))]);
    check_equal(summed(entries), in_order);
  }
}

TEST_CASE("counting twice gives the count of once") {
  const fl::work asked = fl::training_step(2, 128);
  check_equal(fl::totals_of(known_models::mixtral_8x7b, asked), fl::totals_of(known_models::mixtral_8x7b, asked));
}

TEST_CASE("the shape of a row is its product") {
  test::random_shapes random{11};
  for (int i = 0; i < 200; ++i) {
    const fl::transformer_config model = known_models::decoder(random.any_decoder());
    fl::work asked = random.pass();
    asked.attention = fl::attention_counting::full;
    INFO("draw " << i);
    for (const fl::entry& e : rows_of(model, asked)) {
      const fl::product& p = e.what.shape;
      const double macs = p.batch * p.m * p.n * p.k;
      INFO(e.what.name);
      if (e.what.kind == fl::operation::attention_scores || e.what.kind == fl::operation::attention_context)
        CHECK(e.what.multiplied.value() <= macs * (1 + 1e-12));  // a window multiplies less than its rectangle
      else
        CHECK(std::abs(e.what.multiplied.value() - macs) <= 1e-9 * macs);
    }
  }
}

TEST_CASE("strict counting leaves out one addition an output, whatever is masked") {
  test::random_shapes random{13};
  for (int i = 0; i < 100; ++i) {
    // Causal attention over one sequence, each sum carried out: a score is a sum over the head's width, an element of
    // the context a sum over the keys that its query sees.
    const std::int64_t heads = random.between(1, 4), width = random.between(1, 6), length = random.between(2, 12);
    std::int64_t operations = 0;
    for (std::int64_t head = 0; head < heads; ++head)
      for (std::int64_t query = 0; query < length; ++query) {
        for (std::int64_t key = 0; key <= query; ++key) operations += width + (width - 1);
        for (std::int64_t column = 0; column < width; ++column) operations += (query + 1) + query;
      }
    fl::attention_core core{.heads = static_cast<double>(heads),
                            .kv_heads = static_cast<double>(heads),
                            .key_dim = static_cast<double>(width),
                            .value_dim = static_cast<double>(width)};
    fl::tally strict{0.0, [](const fl::row& r) { return fl::product_flops(r, fl::product_counting::strict).value(); }};
    core.record(strict, fl::forward(1, static_cast<double>(length), fl::attention_counting::causal));
    CHECK(strict.total == static_cast<double>(operations));
  }
}

TEST_CASE("every operand of a row says what it is and how it is used") {
  test::random_shapes random{17};
  for (int i = 0; i < 100; ++i) {
    const fl::transformer_config model = known_models::decoder(random.any_decoder());
    for (const fl::entry& e : rows_of(model, random.pass()))
      for (const fl::operand& o : e.what.operands) {
        if (o.what == fl::role::none) continue;
        INFO(e.what.name);
        // Dispatch names the tensors that it brings together, and moves none of them at the least.
        if (e.what.kind != fl::operation::dispatch) CHECK(o.how != fl::use::none);
        CHECK(o.elements >= 0);
        CHECK(o.read_elements() >= 0);
        const bool kept = fl::has(o.how, fl::use::saved) || fl::has(o.how, fl::use::saved_for_weights);
        if (o.what == fl::role::weight || o.what == fl::role::bias) CHECK_FALSE(kept);  // weights are held anyway
      }
  }
}

TEST_CASE("weights among the operands are the parameters of the row") {
  test::random_shapes random{19};
  for (int i = 0; i < 200; ++i) {
    const fl::transformer_config model = known_models::decoder(random.any_decoder());
    for (const fl::entry& e : rows_of(model, random.pass())) {
      double weights = 0;
      for (const fl::operand& o : e.what.operands)
        if (o.what == fl::role::weight || o.what == fl::role::bias) weights += o.elements;
      INFO(e.what.name);
      CHECK(weights == e.what.held.value());
    }
  }
}

TEST_CASE("operands are met in their places, and a place left free is a row that does not agree") {
  const fl::operand one{.what = fl::role::activation, .how = fl::use::read, .elements = 1};
  const fl::operand two{.what = fl::role::activation, .how = fl::use::written, .elements = 2};
  fl::row full{.name = "seven", .operands = {one, two, one, two, one, two, one}};
  double by_visit = 0, by_iterator = 0, by_place = 0;
  full.operands.for_each([&](const fl::operand& o) { by_visit = 10 * by_visit + o.elements; });
  for (const fl::operand& o : full.operands) by_iterator = 10 * by_iterator + o.elements;
  for (int place = 0; place < fl::operand_list::capacity; ++place)
    by_place = 10 * by_place + full.operands[place].elements;
  CHECK(by_visit == 1212121);
  CHECK(by_iterator == 1212121);
  CHECK(by_place == 1212121);

  fl::row_agreement agrees, differs;
  agrees.take(full, 1);
  agrees.take({.name = "two", .operands = {one, two}}, 1);
  CHECK(agrees.holds);
  differs.take({.name = "hole", .operands = {one, {}, two}}, 1);
  CHECK_FALSE(differs.holds);
}

TEST_CASE("frozen weights cost no gradient of their own") {
  test::random_shapes random{23};
  for (int i = 0; i < 100; ++i) {
    const fl::transformer_config model = known_models::decoder(random.any_decoder());
    const fl::work asked = fl::training_step(2, static_cast<double>(random.between(1, 20)), random.counting());
    fl::totals learning, still;
    model.record(learning, asked);
    fl::frozen sink{still};
    model.record(sink, asked);
    INFO("draw " << i);
    double weight_products = 0, weight_elements = 0;
    for (const fl::entry& e : rows_of(model, asked)) {
      const bool core =
          e.what.kind == fl::operation::attention_scores || e.what.kind == fl::operation::attention_context;
      if (!core) weight_products += static_cast<double>(e.times) * e.what.multiplied.value();
      weight_elements += static_cast<double>(e.times) * e.what.backward.weight_elementwise.value();
    }
    CHECK(learning.multiplied_backward.value() - still.multiplied_backward.value() == weight_products);
    CHECK(learning.elementwise_backward.value() - still.elementwise_backward.value() == weight_elements);
    CHECK(still.trainable == 0.0 * unit::parameter);
    CHECK(still.held == learning.held);
    CHECK(still.multiplied == learning.multiplied);
  }
}
