// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// What a mistyped name may have meant.

#include <algorithm>
#include <vector>

#include "program.hpp"

namespace program {

std::size_t edits(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (from[i - 1] == to[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[to.size()];
}

bool is_near(std::string_view asked, std::string_view name) { return edits(asked, name) <= (asked.size() + 2) / 3; }

}  // namespace program
