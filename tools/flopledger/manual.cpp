// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// flopledger(1) in the macros of man(7).

#include "manual.hpp"

#include <string>
#include <string_view>

#include "option_table.hpp"

namespace program {
namespace {

/// Text as roff prints it unchanged: no hyphen that is a dash, no line that begins a request.
std::string roff(std::string_view text) {
  std::string safe;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) safe += "\\&";
    if (c == '-' || c == '\\')
      safe += c == '-' ? "\\-" : "\\e";
    else if (c == '|')
      safe += "|\\:";  // where a long list may be broken
    else
      safe += c;
    begins = c == '\n';
  }
  return safe;
}

std::string synopsis_of(const command& one) {
  std::string text = ".B flopledger " + roff(one.name) + '\n';
  for (const option& known : one.options.all())
    if (known.positional)
      text += known.required ? ".I " + roff(known.name()) + '\n' : ".RI [ " + roff(known.name()) + " ]\n";
  for (const option& known : one.options.all())
    if (known.required && !known.positional) text += ".BI " + roff(known.name()) + " \\~" + roff(known.takes) + '\n';
  return text + ".RI [ OPTION .\\|.\\|. ]\n";
}

std::string section_of(const command& one) {
  std::string text = ".SS " + roff(one.name) + '\n' + roff(one.about) + ".\n.PP\n" + synopsis_of(one);
  for (const option& known : one.options.all()) {
    if (known.positional) continue;
    text += ".TP\n.BI " + roff(known.name()) + (known.is_flag() ? "" : " \\~" + roff(known.takes)) + '\n';
    text += roff(known.about) + (known.required ? " (required)" : "") +
            (known.standard.empty() ? "" : " (default: " + roff(known.standard) + ')') + '\n';
  }
  for (const output_option& known : output_options)
    if (known.is_of(one))
      text += ".TP\n.BI " + roff(known.name) + (known.takes.empty() ? "" : " \\~" + roff(known.takes)) + '\n' +
              roff(known.about) + '\n';
  return text;
}

}  // namespace

std::string manual(std::string_view version) {
  std::string text =
      ".TH FLOPLEDGER 1 \"\" \"" + roff(version) +
      "\" \"User Commands\"\n"
      ".ad l\n"
      ".SH NAME\n"
      "flopledger \\- the books of a Transformer\n"
      ".SH SYNOPSIS\n"
      ".B flopledger\n.I COMMAND\n.RI [ OPTION .\\|.\\|. ]\n"
      ".SH DESCRIPTION\n"
      "What a Transformer holds, computes, moves and costs: parameters, multiply\\-adds, FLOPs and bytes;\n"
      "memory, time, energy and money; on a device, at a precision, under a parallel plan.\n"
      ".PP\n" +
      roff(about_arguments) + ".SH COMMANDS\n";
  for (const command& one : commands()) text += section_of(one);
  return text + ".SS batch\n" + roff(about_batch) + ".\n.SS completion\n" + roff(about_completion) +
         ".\n.SH EXIT STATUS\n" + roff(about_exit_status.substr(std::string_view("Exit status: ").size())) +
         "\n"
         ".SH EXAMPLES\n"
         ".EX\n"
         "flopledger report Llama\\-3.1\\-8B \\-\\-device h100\\-sxm5\\-80gb\n"
         "flopledger report config.json \\-\\-device h100\\-sxm5\\-80gb train \\-\\-tensor 4 \\-\\-data 8\n"
         "flopledger plan train Llama\\-3.1\\-70B \\-\\-device h100\\-sxm5\\-80gb \\-\\-devices 64\n"
         ".EE\n";
}

}  // namespace program
