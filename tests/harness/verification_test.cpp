// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// Verification: right results pass, and each way to be wrong is found and named.

#include "verification.hpp"

#include <cmath>
#include <functional>
#include <limits>

#include "catch.hpp"
#include "fake_backend.hpp"
#include "measurement.hpp"
#include "plain_attention.hpp"

using namespace harness;
using harness_test::fake_backend;
using harness_test::plain_attention;

namespace {

std::string complaint_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const wrong_result& problem) {
    return problem.what();
  }
  return {};
}

}  // namespace

TEST_CASE("products are verified in every layout, corners included") {
  fake_backend on;
  on.formats = {number_kind::fp32, number_kind::bf16, number_kind::int8, number_kind::fp16, number_kind::fp8_e4m3};
  const number_kind format =
      GENERATE(number_kind::fp32, number_kind::bf16, number_kind::fp16, number_kind::fp8_e4m3, number_kind::int8);
  const bool left = GENERATE(false, true), right = GENERATE(false, true);
  const product_shape shape{
      .batch = 2, .m = 19, .n = 23, .k = 31, .format = format, .left_transposed = left, .right_transposed = right};
  const auto ready = on.prepare(shape, 5, 0);
  const verified found = verify(*ready, shape, 5);
  CHECK(found.entries >= 32);
  CHECK(found.left_out.empty());
}

TEST_CASE("a wrong product is refused, and the entry named") {
  fake_backend on;
  const product_shape shape{.m = 8, .n = 8, .k = 64};
  SECTION("a small error everywhere") {
    on.error = 0.01;
    const auto ready = on.prepare(shape, 1, 0);
    const std::string problem = complaint_of([&] { verify(*ready, shape, 1); });
    CHECK(problem.find("entry 0") != std::string::npos);
    CHECK(problem.find("fp32 product") != std::string::npos);
  }
  SECTION("no number at all") {
    on.error = std::numeric_limits<double>::quiet_NaN();
    const auto ready = on.prepare(shape, 1, 0);
    CHECK_FALSE(complaint_of([&] { verify(*ready, shape, 1); }).empty());
  }
  SECTION("operands of another seed") {
    const auto ready = on.prepare(shape, 2, 0);
    CHECK_FALSE(complaint_of([&] { verify(*ready, shape, 1); }).empty());
  }
  SECTION("one operand taken transposed") {
    product_shape other = shape;
    other.right_transposed = false;
    const auto ready = on.prepare(other, 1, 0);
    CHECK_FALSE(complaint_of([&] { verify(*ready, shape, 1); }).empty());
  }
  SECTION("a term left out of the sums") {
    product_shape shorter{.m = 8, .n = 8, .k = 63, .right_transposed = false};
    const product_shape asked{.m = 8, .n = 8, .k = 64, .right_transposed = false};
    const auto ready = on.prepare(shorter, 1, 0);
    CHECK_FALSE(complaint_of([&] { verify(*ready, asked, 1); }).empty());
  }
}

TEST_CASE("an integer product must be exact") {
  fake_backend on;
  on.formats = {number_kind::int8};
  on.error = 1;
  const product_shape shape{.m = 4, .n = 4, .k = 1024, .format = number_kind::int8};
  const auto ready = on.prepare(shape, 1, 0);
  CHECK_FALSE(complaint_of([&] { verify(*ready, shape, 1); }).empty());
}

TEST_CASE("nothing is timed before it is right") {
  fake_backend on;
  on.error = 1;
  CHECK_THROWS_AS(measure(on, product_shape{.m = 8, .n = 8, .k = 8}, {}), wrong_result);
  CHECK(on.timed == 0);
  on.error = 0;
  const measurement done = measure(on, product_shape{.m = 8, .n = 8, .k = 8}, {});
  CHECK(done.checked.entries == 64);
  CHECK(done.by == "made up");
  CHECK(on.timed > 0);
}

TEST_CASE("attention is verified forward and backward, and found wrong where it is") {
  const bool causal = GENERATE(false, true), backward = GENERATE(false, true);
  const attention_shape shape{.batch = 2,
                              .heads = 4,
                              .kv_heads = 2,
                              .queries = 9,
                              .keys = 13,
                              .key_dim = 8,
                              .value_dim = 5,
                              .causal = causal,
                              .backward = backward};
  plain_attention right(shape, 3);
  const verified found = verify(right, shape, 3);
  CHECK(found.entries >= (backward ? 16U : 12U));
  CHECK(found.largest_error < 1e-3);  // both are in double

  for (int spoiled = 0; spoiled < (backward ? 3 : 1); ++spoiled) {
    plain_attention wrong(shape, 3);
    wrong.spoil = [spoiled](int which, std::size_t, double value) {
      return which == spoiled ? 1.01 * value + 1e-4 : value;
    };
    const std::string problem = complaint_of([&] { verify(wrong, shape, 3); });
    INFO(spoiled);
    CHECK_FALSE(problem.empty());
    if (backward && spoiled == 2) CHECK(problem.find("gradient of the values") != std::string::npos);
  }
  // Without its mask, or with one that it should not have.
  attention_shape other = shape;
  other.causal = !causal;
  plain_attention unmasked(other, 3);
  CHECK_FALSE(complaint_of([&] { verify(unmasked, shape, 3); }).empty());
}

TEST_CASE("what a reference would take minutes for is named") {
  const attention_shape shape{
      .heads = 8, .kv_heads = 1, .queries = 2048, .keys = 2048, .key_dim = 128, .value_dim = 128, .backward = true};
  class zero_kernel final : public kernel {
    void enqueue() override {}
    std::string description() const override { return {}; }
    std::vector<double> result(int, std::span<const std::size_t>) override { return {}; }
  } empty;
  // Too few entries is wrong, too; the gradient of the queries comes first.
  CHECK(complaint_of([&] { verify(empty, shape, 1); }).find("entries of the result were read") != std::string::npos);
}
