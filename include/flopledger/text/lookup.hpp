// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The look-up that catalogues share: each is a namespace with a list `all` and a `find` by name, null where none has
/// it.

#include <cstddef>

namespace flopledger::text {

/// The entry of that name, or null. A template, for a build that looks nothing up need not learn to compare texts.
template <class Entry, std::size_t Entries, class Text>
constexpr const Entry* find_named(const Entry* const (&all)[Entries], const Text& name) {
  for (const Entry* candidate : all)
    if (candidate->name == name) return candidate;
  return nullptr;
}

}  // namespace flopledger::text
