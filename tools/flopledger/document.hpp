// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// An answer as people look at it: tables and pictures, made of the JSON value alone, which writers put into Markdown,
/// a page or single pictures. Every number is one of the answer and says where it stands there.

#include <flopledger/text/table.hpp>

#include <optional>
#include <string>
#include <vector>

#include "pictures.hpp"
#include "program.hpp"

namespace program {

struct cell {
  std::string text;   ///< as it is read
  std::string key{};  ///< of a number or a truth: the JSON pointer that leads to it, "/memory/total_bytes"
  json value{};       ///< what stands there
};

struct document_table {
  std::vector<flopledger::report::column> columns{};
  std::vector<std::vector<cell>> rows{};
};

struct section {
  std::string title;
  std::string about{};
  document_table table{};
  std::vector<picture> pictures{};
  std::vector<drawn_bars> bars{};  ///< those of the pictures that a terminal can show
};

struct document {
  std::string title;
  std::vector<section> sections{};
};

/// A value as people read it, by the unit that its key ends with.
std::string printed(std::string_view key, const json& value);

/// What stands at a JSON pointer of an answer; "-" where that is null.
cell cell_at(const json& answer, const std::string& pointer);

document document_of_pass(const json& answer);
document document_of_training(const json& answer);
document document_of_serving(const json& answer);
document document_of_scaling(const json& answer);
document document_of_plans(const json& answer);
document document_of_sweep(const json& answer);

}  // namespace program
