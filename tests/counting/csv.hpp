// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Published tables (tests/data/published/), row by row.

#include <cstdlib>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace published {

class table_row {
 public:
  std::map<std::string, std::string> cells;
  const std::string& text(const std::string& column) const { return cells.at(column); }
  bool has(const std::string& column) const { return !text(column).empty(); }
  double number(const std::string& column) const {
    const std::string& cell = text(column);
    char* end = nullptr;
    const double value = std::strtod(cell.c_str(), &end);
    if (end == cell.c_str()) throw std::runtime_error("no number in column " + column + ": '" + cell + "'");
    return value;
  }
  double number_or(const std::string& column, double otherwise) const {
    return has(column) ? number(column) : otherwise;
  }
  std::int64_t integer(const std::string& column) const { return static_cast<std::int64_t>(number(column)); }
};

inline std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"') {
      if (quoted && i + 1 < line.size() && line[i + 1] == '"')
        cells.back() += line[++i];
      else
        quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else if (c != '\r') {
      cells.back() += c;
    }
  }
  return cells;
}

inline std::vector<table_row> table(const std::string& name) {
  std::ifstream file(std::string(FLOPLEDGER_TEST_DATA "/published/") + name + ".csv");
  if (!file) throw std::runtime_error("no table " + name);
  std::string line;
  std::getline(file, line);
  const auto columns = cells_of(line);
  std::vector<table_row> rows;
  while (std::getline(file, line)) {
    const auto cells = cells_of(line);
    if (cells.size() != columns.size()) throw std::runtime_error("a row of " + name + " has not the header's columns");
    rows.emplace_back();
    for (std::size_t i = 0; i < cells.size(); ++i) rows.back().cells[columns[i]] = cells[i];
  }
  return rows;
}

}  // namespace published
