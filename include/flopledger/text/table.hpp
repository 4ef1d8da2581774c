// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Columns that stand under one another.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace flopledger::report {

/// Columns of a terminal that a UTF-8 text takes, for letters of single width without combining marks.
inline std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  for (const char c : text)
    if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) ++width;
  return width;
}

enum class align { left, right };

struct column {
  std::string title;
  align side = align::right;
};

class table {
 public:
  explicit table(std::vector<column> columns) : columns_(std::move(columns)) {}

  /// Cells that are left out are empty.
  void add(std::vector<std::string> cells) {
    cells.resize(columns_.size());
    rows_.push_back(std::move(cells));
  }

  /// Every line ends with a newline and begins with `indent` blanks; none ends with blanks.
  std::string text(std::size_t indent = 0) const {
    std::vector<std::size_t> widths;
    bool titled = false;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      std::size_t width = width_of(columns_[i].title);
      titled = titled || width > 0;
      for (const auto& cells : rows_) width = std::max(width, width_of(cells[i]));
      widths.push_back(width);
    }
    std::string lines;
    const auto print = [&](const auto& cell_of) {
      std::string line(indent, ' ');
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        const std::string& cell = cell_of(i);
        const std::string padding(widths[i] - width_of(cell), ' ');
        if (i > 0) line += "  ";
        line += columns_[i].side == align::left ? cell + padding : padding + cell;
      }
      line.erase(line.find_last_not_of(' ') + 1);
      lines += line + '\n';
    };
    if (titled) print([&](std::size_t i) -> const std::string& { return columns_[i].title; });
    for (const auto& cells : rows_) print([&](std::size_t i) -> const std::string& { return cells[i]; });
    return lines;
  }
 private:
  std::vector<column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace flopledger::report
