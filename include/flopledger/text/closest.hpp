// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What a mistyped name may have meant.

#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace flopledger::text {

/// Letters to change, add or drop to get from one text to the other (Levenshtein). The letters of a text behind its
/// 127th count one each.
constexpr std::size_t edits(std::string_view from, std::string_view to) {
  constexpr std::size_t compared = 127;
  std::size_t behind = 0;
  for (std::string_view* one : {&from, &to})
    if (one->size() > compared) {
      behind += one->size() - compared;
      *one = one->substr(0, compared);
    }
  std::size_t row[compared + 1]{};
  for (std::size_t j = 0; j <= to.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i - 1] == to[j - 1] ? 0 : 1);
      diagonal = row[j];
      const std::size_t shifted = 1 + (row[j] < row[j - 1] ? row[j] : row[j - 1]);
      row[j] = replaced < shifted ? replaced : shifted;
    }
  }
  return row[to.size()] + behind;
}

/// Of what is offered, the three that a name is likely meant for, best first, and the first offered of those alike.
/// A third of the name's letters may be wrong.
template <class Entry>
struct nearest {
  static constexpr int capacity = 3;

  constexpr explicit nearest(std::string_view asked) : most_edits_((asked.size() + 2) / 3) {}
  constexpr explicit nearest(std::size_t most_edits) : most_edits_(most_edits) {}

  /// An entry that is so many edits from the name.
  constexpr void offer(const Entry& one, std::size_t away) {
    if (away > most_edits_) return;
    int place = size;
    while (place > 0 && edits_[place - 1] > away) --place;
    if (place == capacity) return;
    if (size < capacity) ++size;
    for (int i = size - 1; i > place; --i) {
      entries[i] = entries[i - 1];
      edits_[i] = edits_[i - 1];
    }
    entries[place] = one;
    edits_[place] = away;
  }

  constexpr const Entry* begin() const { return entries; }
  constexpr const Entry* end() const { return entries + size; }

  Entry entries[capacity]{};
  int size = 0;
 private:
  std::size_t most_edits_ = 0;
  std::size_t edits_[capacity]{};
};

}  // namespace flopledger::text
