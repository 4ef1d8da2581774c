// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/work.hpp>

#include "brute_force.hpp"
#include "quantities.hpp"
#include "random_shapes.hpp"

namespace fl = flopledger;
using fl::attention_counting;
using fl::attention_span;

TEST_CASE("windows and chunks agree with walking over every pair") {
  test::random_shapes random{1};
  for (int i = 0; i < 2000; ++i) {
    const std::int64_t length = random.between(1, 60), cached = random.between(0, 60), window = random.between(1, 130);
    const auto counting = random.coin() ? attention_counting::full : attention_counting::causal;
    const auto span = static_cast<attention_span>(random.between(0, 2));
    const fl::sequences run{.length = static_cast<double>(length), .cached = static_cast<double>(cached)};
    const bool limited = span != attention_span::whole && window < length + cached;
    // Where nothing is cut off, the counting alone decides.
    const std::int64_t walked =
        brute_force::pairs(length, cached, counting, limited ? span : attention_span::whole, window);
    INFO("length " << length << ", cached " << cached << ", window " << window);
    CHECK(fl::attended_pairs(run, counting, span, static_cast<double>(window)) == static_cast<double>(walked));
  }
}

TEST_CASE("a sliding window's pairs are w S less w (w - 1) / 2, not w S") {
  for (int window = 1; window < 20; ++window) {
    const int length = 20;
    const double pairs =
        fl::attended_pairs({.length = length}, attention_counting::causal, attention_span::sliding, window);
    CHECK(pairs == window * length - window * (window - 1) / 2);
    if (window > 1) CHECK(pairs < window * length);
  }
}
