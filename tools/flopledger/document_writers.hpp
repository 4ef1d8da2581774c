// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Documents as files.

#include <string>
#include <string_view>

#include "document.hpp"

namespace program {

/// Headings and tables; pictures are left out.
std::string markdown_of(const document& made);

/// One page of HTML that is also XML, without scripts and without anything from elsewhere. Each number of the answer is
/// a `data` element with its value in full.
std::string page_of(const document& made, std::string_view version);

/// One picture by its name, or the first where that is empty, as a file. Throws `usage_error` where there is none.
std::string picture_of(const document& made, const std::string& name);

}  // namespace program
