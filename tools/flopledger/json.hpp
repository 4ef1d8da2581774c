// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The answers for programs.

#include <string>
#include <utility>

#include "counts.hpp"
#include "program.hpp"

namespace program {

/// A number, as an integer where it is one; false where it is none, or one that a double may have rounded.
bool put_number(json& object, const std::string& key, double value);

/// The text of an answer, a line that ends: indented by so much, or all of it in the one line where that is negative.
std::string dumped(const json& whole, int indent = -1);

/// An object whose counts are integers in full; `rounded` lists the keys of those that a double cannot hold.
class json_answer {
 public:
  /// A number that counts something.
  void count(const std::string& key, double value) { count(value_, key, value, key); }
  /// The same in an object of its own, which `path` leads to: "operations[3].macs".
  void count(json& object, const std::string& key, double value, const std::string& path);
  /// Lists what was rounded where it was made.
  void rounded(const std::string& path) { rounded_.push_back(path); }
  /// Anything else.
  void put(const std::string& key, json value) { value_[key] = std::move(value); }
  /// All of it; nothing is left.
  json whole();
 private:
  json value_ = json::object();
  json rounded_ = json::array();
};

/// What stands in the answers of both `count` and `report`, `operations` aside.
void put_counts(json_answer& answer, const subject& model, const counts& found);

/// An operation, with the numbers of one instance; `path` names it.
json operation_of(json_answer& answer, const listed_operation& e, const counts& found, const std::string& path);

}  // namespace program
