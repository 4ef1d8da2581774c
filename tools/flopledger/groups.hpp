// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Operations gathered under the sublayer that they belong to, for a table that people read.

#include <string>
#include <vector>

#include "counts.hpp"

namespace program {

/// "attention.query" stands under "attention" as "query"; "vision" parts keep to themselves.
struct group {
  std::string title;
  std::vector<listed_operation> members;

  /// What a member is called under the title: "scores, window 128".
  static std::string short_name(const listed_operation& o);
  /// What a member without others is called, for which no title is needed.
  static std::string full_name(const listed_operation& o);
};

std::vector<group> groups_of(const std::vector<listed_operation>& operations);

}  // namespace program
