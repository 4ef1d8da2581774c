// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Comma-separated values (RFC 4180), record by record, with columns found by their names.

#include <flopledger/profile/text_source.hpp>
#include <flopledger/text/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace flopledger::profile {

/// A record's fields; quotes are taken off. False behind the last record. Blank lines are passed over.
inline bool read_record(text_source& in, std::vector<std::string>& fields, std::uint64_t& line) {
  constexpr std::size_t most = std::size_t{1} << 20U;
  fields.clear();
  while (in.peek() == '\n' || in.peek() == '\r') in.get();
  if (in.peek() == text_source::end) return false;
  line = in.line();
  fields.emplace_back();
  std::size_t length = 0;
  for (;;) {
    int c = in.get();
    if (++length > most) in.fail("a record longer than 1 MiB");
    if (c == '"' && fields.back().empty()) {
      for (;;) {
        c = in.get();
        if (c == text_source::end) in.fail_at(line, "a quoted field without its end: cut short");
        if (++length > most) in.fail("a record longer than 1 MiB");
        if (c == '"') {
          if (in.peek() != '"') break;
          in.get();
        }
        fields.back() += static_cast<char>(c);
      }
    } else if (c == ',') {
      fields.emplace_back();
    } else if (c == text_source::end || c == '\n') {
      return true;
    } else if (c != '\r') {
      fields.back() += static_cast<char>(c);
    }
  }
}

/// Text without blanks and tabs around it.
constexpr std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// A number as profilers print it, with or without commas between thousands; false for anything else.
inline bool as_number(std::string_view text, double& value) {
  std::string digits;
  for (const char c : trimmed(text))
    if (c != ',') digits += c;
  const json::value found = json::number_in(digits);
  value = found.real;
  return found.type != json::kind::null;
}

/// The names of a table's columns.
class header {
 public:
  header() = default;
  explicit header(std::vector<std::string> names) : names_(std::move(names)) {
    for (std::string& name : names_) name = std::string(trimmed(name));
    if (!names_.empty() && names_[0].starts_with("\xEF\xBB\xBF")) names_[0].erase(0, 3);
  }
  static constexpr int none = -1;
  int find(std::string_view name) const {
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (names_[i] == name) return static_cast<int>(i);
    return none;
  }
  bool has(std::string_view name) const { return find(name) != none; }
  const std::vector<std::string>& names() const { return names_; }
  std::size_t size() const { return names_.size(); }
 private:
  std::vector<std::string> names_;
};

/// The records of a table behind its header.
class records {
 public:
  records(text_source& in, const header& columns) : in_(in), columns_(columns) {}

  bool next() {
    if (!read_record(in_, fields_, line_)) return false;
    if (fields_.size() != columns_.size())
      in_.fail_at(line_, std::to_string(fields_.size()) + " fields under " + std::to_string(columns_.size()) +
                             " columns: cut short, or another table");
    return true;
  }
  std::uint64_t line() const { return line_; }
  std::string_view text(int column) const {
    return column == header::none ? std::string_view{} : trimmed(fields_[static_cast<std::size_t>(column)]);
  }
  double number(int column) const {
    double value = 0;
    if (!as_number(text(column), value))
      in_.fail_at(line_, columns_.names()[static_cast<std::size_t>(column)] + " is no number: \"" +
                             std::string(text(column)) + '"');
    return value;
  }
  /// A number that cannot be negative: a time, a count.
  double amount(int column) const {
    const double value = number(column);
    if (value < 0) in_.fail_at(line_, columns_.names()[static_cast<std::size_t>(column)] + " is negative");
    return value;
  }
  [[noreturn]] void fail(std::string_view what) const { in_.fail_at(line_, what); }
 private:
  text_source& in_;
  const header& columns_;
  std::vector<std::string> fields_;
  std::uint64_t line_ = 0;
};

}  // namespace flopledger::profile
