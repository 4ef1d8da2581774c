// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Operations gathered under the sublayer that they belong to, for a table that people read.

#include <flopledger/ledger.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace program {

/// "attention.query" stands under "attention" as "query"; "vision" parts keep to themselves.
struct group {
  std::string title;
  std::vector<flopledger::entry> members;

  /// What a member is called under the title.
  static std::string_view short_name(const flopledger::row& r);
  /// What a member without others is called, for which no title is needed.
  static std::string full_name(const flopledger::row& r);
};

std::vector<group> groups_of(const std::vector<flopledger::entry>& operations);

}  // namespace program
