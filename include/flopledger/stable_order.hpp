// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace flopledger::detail {

/// What std::stable_sort does. libstdc++'s calls std::get_temporary_buffer, which C++17 deprecates, and clang 19 warns
/// of that in the code that includes it.
template <class T, class Less>
void order_stably(std::vector<T>& all, const Less& less) {
  std::vector<std::size_t> places(all.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
    if (less(all[a], all[b])) return true;
    return !less(all[b], all[a]) && a < b;
  });
  std::vector<T> ordered;
  ordered.reserve(all.size());
  for (const std::size_t place : places) ordered.push_back(std::move(all[place]));
  all = std::move(ordered);
}

}  // namespace flopledger::detail
