// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What a list leaves out.

#include <algorithm>
#include <string>
#include <string_view>

#include "program.hpp"

namespace program {

/// Whether a text holds what is looked for, capitals or not.
inline bool holds(std::string_view text, std::string_view wanted) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::search(text.begin(), text.end(), wanted.begin(), wanted.end(),
                     [&](char a, char b) { return lower(a) == lower(b); }) != text.end();
}

inline usage_error nothing_holds(const std::string& filter) {
  return usage_error("FILTER: nothing of the list holds \"" + filter + '"', "filter");
}

/// Refuses a filter that leaves nothing.
void require_shown(const auto& all, const std::string& filter, auto is_shown) {
  for (const auto& one : all)
    if (is_shown(one, filter)) return;
  throw nothing_holds(filter);
}

}  // namespace program
