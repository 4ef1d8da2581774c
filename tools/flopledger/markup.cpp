// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "markup.hpp"

#include <nlohmann/json.hpp>

namespace program {
namespace {

/// UTF-8 in one line, whatever the bytes were.
std::string one_line(std::string_view text) {
  const nlohmann::json given = std::string(text);
  std::string line = nlohmann::json::parse(given.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  for (char& c : line)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  for (const std::string_view none : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"})  // U+FFFE and U+FFFF, which XML does not have
    for (std::size_t at = 0; (at = line.find(none, at)) != std::string::npos;) line.replace(at, none.size(), " ");
  return line;
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string safe;
  for (const char c : one_line(text)) switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  return safe;
}

std::string markdown_text(std::string_view text) {
  std::string safe;
  for (const char c : one_line(text)) {
    if (c == '<' || c == '&') {  // raw HTML and entities, which a backslash does not always stop in a table
      safe += c == '<' ? "&lt;" : "&amp;";
      continue;
    }
    if (std::string_view("\\`*_{}[]>|#~$").find(c) != std::string_view::npos) safe += '\\';
    safe += c;
  }
  return safe;
}

}  // namespace program
