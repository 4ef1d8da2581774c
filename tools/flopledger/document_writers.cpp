// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "document_writers.hpp"

#include <fmt/format.h>

#include "markup.hpp"

namespace program {
namespace {

using flopledger::report::align;

constexpr std::string_view page_style = R"(
:root{color-scheme:light dark}
body{margin:0 auto;max-width:60rem;padding:1rem;font:16px/1.5 system-ui,sans-serif;color:#1b1f24;background:#fff}
h1{font-size:1.5rem;line-height:1.25}h2{font-size:1.15rem;margin:2rem 0 .5rem}
h1{overflow-wrap:anywhere}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:.9rem}
th,td{padding:.2rem .8rem .2rem 0;text-align:left;vertical-align:top;border-bottom:1px solid #d8dee4}
th{min-width:3.5rem}
.right{text-align:right;white-space:nowrap}
figure{margin:.5rem 0 1rem}.picture{min-width:34rem;max-width:100%;height:auto;display:block}
footer,.about{color:#57606a}
:focus-visible{outline:2px solid #2f6fdb}
@media (prefers-color-scheme:dark){
body{color:#e6edf3;background:#0d1117}th,td{border-color:#30363d}footer,.about{color:#9da7b3}}
)";

std::string full(const json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

std::string html_of(const cell& one) {
  if (one.key.empty()) return xml_text(one.text);
  const std::string key = xml_text(one.key), value = xml_text(full(one.value));
  return fmt::format("<data data-key=\"{}\" value=\"{}\" title=\"{}: {}\">{}</data>", key, value, key, value,
                     xml_text(one.text));
}

std::string html_of(const document_table& table, const std::string& caption) {
  if (table.rows.empty()) return {};
  const auto side = [&](std::size_t i) { return table.columns[i].side == align::right ? " class=\"right\"" : ""; };
  // What scrolls must be reachable by the keyboard, and so have a name.
  std::string text = fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table>\n<thead><tr>", xml_text(caption));
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    text += fmt::format("<th scope=\"col\"{}>{}</th>", side(i), xml_text(table.columns[i].title));
  text += "</tr></thead>\n<tbody>\n";
  for (const std::vector<cell>& row : table.rows) {
    text += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i)
      text += i == 0 ? fmt::format("<th scope=\"row\"{}>{}</th>", side(i), html_of(row[i]))
                     : fmt::format("<td{}>{}</td>", side(i), html_of(row[i]));
    text += "</tr>\n";
  }
  return text + "</tbody>\n</table></div>\n";
}

std::string html_of(const section& one) {
  std::string text = "<section>\n<h2>" + xml_text(one.title) + "</h2>\n";
  if (!one.about.empty()) text += "<p class=\"about\">" + xml_text(one.about) + "</p>\n";
  for (const picture& drawn : one.pictures)
    text += fmt::format("<figure class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"{}\">\n{}</figure>\n",
                        xml_text(drawn.title), svg_element(drawn, false));
  return text + html_of(one.table, one.title) + "</section>\n";
}

std::string markdown_of(const document_table& table) {
  if (table.rows.empty()) return {};
  std::string text = "|", rule = "|";
  for (const flopledger::report::column& one : table.columns) {
    text += ' ' + markdown_text(one.title) + " |";
    rule += one.side == align::right ? " ---: |" : " --- |";
  }
  text += '\n' + rule + '\n';
  for (const std::vector<cell>& row : table.rows) {
    text += '|';
    for (const cell& one : row) text += ' ' + markdown_text(one.text) + " |";
    text += '\n';
  }
  return text + '\n';
}

}  // namespace

std::string markdown_of(const document& made) {
  std::string text = "# " + markdown_text(made.title) + "\n\n";
  for (const section& one : made.sections) {
    text += "## " + markdown_text(one.title) + "\n\n";
    if (!one.about.empty()) text += markdown_text(one.about) + "\n\n";
    text += markdown_of(one.table);
  }
  text.pop_back();  // the empty line that parts sections
  return text;
}

std::string page_of(const document& made, std::string_view version) {
  const std::string title = xml_text(made.title);
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>{}</title>\n"
      "<style>{}{}</style>\n</head>\n<body>\n<main>\n<h1>{}</h1>\n",
      title, page_style, picture_style(), title);
  for (const section& one : made.sections) text += html_of(one);
  return text + fmt::format(
                    "</main>\n<footer><p>Written by {}. Every number is one of the answer that "
                    "<code>--json</code> prints; pointing at it shows its key and all its digits.</p></footer>\n"
                    "</body>\n</html>\n",
                    xml_text(version));
}

std::string picture_of(const document& made, const std::string& name) {
  std::string names;
  for (const section& one : made.sections)
    for (const picture& drawn : one.pictures) {
      if (name.empty() || drawn.name == name) return svg_element(drawn, true);
      names += (names.empty() ? "" : ", ") + drawn.name;
    }
  if (names.empty()) throw usage_error("--svg: this answer has no picture");
  throw usage_error("--picture: \"" + name + "\" is none of " + names);
}

}  // namespace program
