// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Tables of published measurements: comma-separated, one header line, quotes around fields with commas.

#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace published {

class record {
 public:
  void set(const std::string& column, std::string text) { fields_[column] = std::move(text); }
  const std::string& text(const std::string& column) const {
    const auto found = fields_.find(column);
    if (found == fields_.end()) throw std::runtime_error("no column " + column);
    return found->second;
  }
  bool has(const std::string& column) const { return !text(column).empty(); }
  /// The number in a column, 0 where it is empty.
  double number(const std::string& column) const { return has(column) ? std::stod(text(column)) : 0.0; }
  std::int64_t integer(const std::string& column) const { return has(column) ? std::stoll(text(column)) : 0; }
 private:
  std::map<std::string, std::string> fields_;
};

inline std::vector<std::string> split_line(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else if (c != '\r')
      fields.back() += c;
  }
  return fields;
}

inline std::vector<record> read_table(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> header = split_line(line);
  std::vector<record> rows;
  while (std::getline(file, line)) {
    const std::vector<std::string> fields = split_line(line);
    record r;
    for (std::size_t i = 0; i < header.size(); ++i) r.set(header[i], i < fields.size() ? fields[i] : std::string{});
    rows.push_back(r);
  }
  return rows;
}

}  // namespace published
