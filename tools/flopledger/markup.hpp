// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Text of any origin inside XML and Markdown: a name in a config.json may hold anything.

#include <string>
#include <string_view>

namespace program {

/// For text and attributes of XML 1.0: no markup, no characters that XML does not have, UTF-8.
std::string xml_text(std::string_view text);

/// For one line or a cell of a table of Markdown.
std::string markdown_text(std::string_view text);

}  // namespace program
