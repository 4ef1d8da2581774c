// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A framework or an engine of one's own: one by name, with members changed. `{"base": "megatron_core", "overlap":
/// {"tensor": 0.5}, "data_loading": {"value": 0.02, "standing": "measured", "source": "our profile"}}`.

#include <flopledger/engines.hpp>
#include <flopledger/frameworks.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "program.hpp"

namespace program {

/// Whether an option's text is an object or the path of a JSON file, and no name.
bool holds_members(std::string_view text);

/// The members that an object or a file gives; the first of `base` goes to its own argument, and stays as it is where
/// there is none. `option` is what an error begins with.
changed_members read_members(const std::string& text, const std::string& option, std::string& base);

/// Gives them to a framework or an engine, which points into them. An unknown member or a value that it cannot have is
/// a `usage_error`.
void change(flopledger::framework& software, const changed_members& by);
void change(flopledger::engine& software, const changed_members& by);

/// Their paths; and " with overlap.tensor changed", or nothing.
std::vector<std::string> paths_of(const changed_members& by);
std::string described(const std::vector<std::string>& paths);

}  // namespace program
