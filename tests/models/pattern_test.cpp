// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/models/pattern.hpp>

#include "catch.hpp"
#include "random_shapes.hpp"

namespace fl = flopledger;

TEST_CASE("a set of layers agrees with a list of flags") {
  test::random_shapes random{107};
  for (int i = 0; i < 200; ++i) {
    const std::int64_t count = random.between(1, fl::layer_set::capacity);
    const fl::layer_set a = random.layers(count), b = random.layers(count);
    std::int64_t both = 0, either = 0, only = 0;
    for (std::int64_t layer = 0; layer < count; ++layer) {
      both += a.contains(layer) && b.contains(layer) ? 1 : 0;
      either += a.contains(layer) || b.contains(layer) ? 1 : 0;
      only += a.contains(layer) && !b.contains(layer) ? 1 : 0;
    }
    CHECK((a & b).size() == both);
    CHECK((a | b).size() == either);
    CHECK((a - b).size() == only);
    const std::int64_t first = random.between(0, count), last = random.between(first, count);
    CHECK(fl::layer_set::range(first, last).size() == last - first);
    CHECK((fl::layer_set::range(0, first) & fl::layer_set::range(first, count)).empty());
    const std::int64_t step = random.between(1, 7);
    std::int64_t every = 0;
    for (std::int64_t layer = first; layer < last; layer += step) ++every;
    CHECK(fl::layer_set::every(step, first, last).size() == every);
  }
}
