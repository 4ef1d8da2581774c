// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// `flopledger schema`: what a request may say.

#include <fmt/format.h>

#include "option_table.hpp"
#include "requests.hpp"

namespace program {
namespace {

std::string type_of(const option& one) {
  if (one.is_flag()) return "true or false";
  if (one.repeats) return "texts";
  if (one.takes_object) return "name or object";
  if (one.is_text) return "text";
  if (one.takes.find(',') != std::string::npos) return "list";
  if (one.takes == "N") return "whole number";
  if (one.takes.find('|') != std::string::npos) return "one of";
  return "number";
}

/// A cell of a Markdown table.
std::string cell(const std::string& text) {
  std::string kept;
  for (const char c : text) kept += c == '|' ? std::string("\\|") : std::string(1, c);
  return kept;
}

std::string takes_of(const option& one) {
  const std::string type = type_of(one);
  if (type == "one of" || one.takes.find(',') != std::string::npos) return '`' + cell(one.takes) + '`';
  return type == "number" ? "number, " + one.takes : type;
}

std::string table_of(const command& one) {
  const std::size_t space = one.name.find(' ');
  std::string text = fmt::format(
      "### {}\n\n`\"command\": \"{}\"`{}: {}.\n", one.name, one.name.substr(0, space),
      space == std::string::npos ? "" : fmt::format(", `\"job\": \"{}\"`", one.name.substr(space + 1)), one.about);
  if (one.options.all().empty()) return text;
  text += "\n| key | takes | default | |\n| --- | --- | --- | --- |\n";
  for (const option& known : one.options.all())
    text += fmt::format("| `{}` | {} | {} | {} |\n", known.key, takes_of(known),
                        known.required ? "required" : cell(known.standard), cell(known.about));
  return text;
}

}  // namespace

reply schema(output how) {
  if (how == output::people) {
    std::string text;
    for (const command& one : commands()) (text += text.empty() ? "" : "\n") += table_of(one);
    return reply(std::move(text));
  }
  json whole;
  json& all = whole["requests"] = json::array();
  for (const command& one : commands()) {
    const std::size_t space = one.name.find(' ');
    json described;
    described["command"] = one.name.substr(0, space);
    if (space != std::string::npos) described["job"] = one.name.substr(space + 1);
    described["about"] = one.about;
    json& keys = described["keys"] = json::array();
    for (const option& known : one.options.all()) {
      json key;
      key["key"] = known.key;
      key["type"] = type_of(known);
      key["takes"] = known.takes;
      key["required"] = known.required;
      key["default"] = known.standard;
      key["about"] = known.about;
      keys.push_back(std::move(key));
    }
    all.push_back(std::move(described));
  }
  return reply(std::move(whole));
}

}  // namespace program
