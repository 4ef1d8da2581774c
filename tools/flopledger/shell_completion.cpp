// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// `flopledger completion SHELL`. bash and zsh share the tables of commands and values, which both write as `case`.

#include "shell_completion.hpp"

#include <flopledger/hardware/catalogue.hpp>
#include <flopledger/models/catalogue.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "option_choices.hpp"
#include "option_table.hpp"
#include "program.hpp"

namespace program {
namespace {

using words = std::vector<std::string>;

std::string joined(const words& all) {
  std::string text;
  for (const std::string& one : all) (text += text.empty() ? "" : " ") += one;
  return text;
}

words models() {
  words names;
  for (const flopledger::models::zoo_entry& one : flopledger::models::all) names.emplace_back(one.name);
  return names;
}

words devices() {
  words ids;
  for (const flopledger::accelerator* one : flopledger::hardware::all) ids.emplace_back(one->id);
  return ids;
}

/// The words that an option takes; none where it takes numbers, texts or files.
words values_of(const option& one) {
  if (one.key == "device") return devices();
  if (one.positional && one.key == "model") return models();
  words values;
  if (one.takes.find('|') == std::string::npos) return values;
  // "USD|FILE.json" are kinds of words and not words.
  const auto is_kind = [](const std::string& value) { return value.empty() || (value[0] >= 'A' && value[0] <= 'Z'); };
  const auto keep = [&](std::string value) {
    if (!is_kind(value)) values.push_back(std::move(value));
  };
  for_each_part(one.takes, keep, '|');
  return values;
}

/// A command as it is typed, with the options that may stand anywhere behind it.
struct typed_command {
  std::string name, about;
  std::vector<const option*> options{};
  std::vector<const output_option*> outputs{};
  words next{};  ///< what else may follow: its jobs, the names of models
};

std::string group_of(const std::string& name) { return name.substr(0, name.find(' ')); }

/// Of all commands; one that only holds jobs is among them.
std::vector<typed_command> typed_commands() {
  std::vector<typed_command> all;
  const auto find = [&](const std::string& name) {
    return std::find_if(all.begin(), all.end(), [&](const typed_command& one) { return one.name == name; });
  };
  for (const command& one : commands()) {
    const std::string group = group_of(one.name);
    typed_command added{.name = one.name, .about = one.about};
    for (const option& known : one.options.all()) {
      if (known.positional)
        added.next = values_of(known);
      else
        added.options.push_back(&known);
    }
    for (const output_option& known : output_options)
      if (known.is_of(one)) added.outputs.push_back(&known);
    if (group != one.name) {
      if (find(group) == all.end()) all.push_back({.name = group, .about = std::string(about_plan)});
      find(group)->next.push_back(one.name.substr(group.size() + 1));
    }
    all.push_back(std::move(added));
  }
  all.push_back({.name = "batch", .about = std::string(about_batch)});
  all.push_back({.name = "completion", .about = std::string(about_completion), .next = {"bash", "fish", "zsh"}});
  all.push_back({.name = "manual", .about = std::string(about_manual)});
  return all;
}

bool is_job(const typed_command& one) { return one.name.find(' ') != std::string::npos; }

words commands_alone() {
  words names;
  for (const typed_command& one : typed_commands())
    if (!is_job(one)) names.push_back(one.name);
  return names;
}

words names_of_options(const typed_command& one) {
  words names;
  for (const option* known : one.options) names.push_back(known->name());
  for (const output_option* known : one.outputs) names.emplace_back(known->name);
  names.emplace_back("--help");
  return names;
}

/// `$command` becomes the command that the words before the cursor name, and `$options` and `$values` what may follow.
std::string cases() {
  std::string found = "    case \"$command $word\" in\n", follows = "  case \"$command\" in\n",
              of_options = "  case \"$command $previous\" in\n";
  follows += "    '') options='--help --version' values='" + joined(commands_alone()) + "' ;;\n";
  for (const typed_command& one : typed_commands()) {
    found += is_job(one) ? "      '" + one.name + "') command='" + one.name + "' ;;\n"
                         : "      ' " + one.name + "') command='" + one.name + "' ;;\n";
    follows += "    '" + one.name + "') options='" + joined(names_of_options(one)) + "' values='" + joined(one.next) +
               "' ;;\n";
    for (const option* known : one.options) {
      if (known->is_flag()) continue;
      of_options +=
          "    '" + one.name + ' ' + known->name() + "') options='' values='" + joined(values_of(*known)) + "' ;;\n";
    }
    for (const output_option* known : one.outputs)
      if (!known->takes.empty())
        of_options += "    '" + one.name + ' ' + std::string(known->name) + "') options='' values='' ;;\n";
  }
  return "    word=${words[i]}\n" + found + "    esac\n  done\n" + follows + "  esac\n" + of_options + "  esac\n";
}

/// A file is among what is proposed where a word is no option: a config.json, a trace.
std::string bash() {
  return "# flopledger: completions for bash. Written by `flopledger completion bash`.\n"
         "_flopledger() {\n"
         "  local words=(\"${COMP_WORDS[@]}\") current=${COMP_WORDS[COMP_CWORD]}\n"
         "  local previous=${COMP_WORDS[COMP_CWORD - 1]} command='' options='' values='' word i\n"
         "  for ((i = 1; i < COMP_CWORD; ++i)); do\n" +
         cases() +
         "  if [[ $current == -* ]]; then values=$options; fi\n"
         "  COMPREPLY=($(compgen -W \"$values\" -- \"$current\"))\n"
         "}\n"
         "complete -o default -F _flopledger flopledger\n";
}

std::string zsh() {
  return "#compdef flopledger\n"
         "# flopledger: completions for zsh. Written by `flopledger completion zsh`.\n"
         "_flopledger() {\n"
         "  local current=${words[CURRENT]} previous=${words[CURRENT - 1]} command='' options='' values='' word i\n"
         "  for ((i = 2; i < CURRENT; ++i)); do\n" +
         cases() +
         "  if [[ $current == -* ]]; then\n"
         "    compadd -- ${=options}\n"
         "  else\n"
         "    compadd -- ${=values}\n"
         "    _files\n"
         "  fi\n"
         "}\n"
         "_flopledger \"$@\"\n";
}

/// As text between single quotes, where fish knows two escapes.
std::string quoted_for_fish(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) (quoted += c == '\'' || c == '\\' ? "\\" : "") += c;
  return quoted + "'";
}

std::string fish() {
  const std::string names = joined(commands_alone());
  std::string text =
      "# flopledger: completions for fish. Written by `flopledger completion fish`.\n"
      "complete -c flopledger -n 'not __fish_seen_subcommand_from " +
      names + "' -l version -d 'Print the version and exit'\ncomplete -c flopledger -l help -d 'Print help and exit'\n";
  for (const typed_command& one : typed_commands()) {
    const std::string group = group_of(one.name), job = is_job(one) ? one.name.substr(group.size() + 1) : std::string();
    const std::string parent =
        is_job(one) ? "__fish_seen_subcommand_from " + group : "not __fish_seen_subcommand_from " + names;
    const std::string offered = "complete -c flopledger -n " + quoted_for_fish(parent) + " -a ";
    text += offered + quoted_for_fish(is_job(one) ? job : one.name) + " -d " + quoted_for_fish(one.about) + '\n';
    const std::string behind =
        "complete -c flopledger -n " +
        quoted_for_fish("__fish_seen_subcommand_from " + group +
                        (is_job(one) ? "; and __fish_seen_subcommand_from " + job : std::string()));
    if (!one.next.empty()) text += behind + " -a " + quoted_for_fish(joined(one.next)) + '\n';
    for (const option* known : one.options) {
      text += behind + " -l " + known->name().substr(2) + " -d " + quoted_for_fish(known->about);
      if (!known->is_flag()) text += " -r";
      if (const words values = values_of(*known); !values.empty()) text += " -a " + quoted_for_fish(joined(values));
      text += '\n';
    }
    for (const output_option* known : one.outputs)
      text += behind + " -l " + std::string(known->name.substr(2)) + " -d " +
              quoted_for_fish(std::string(known->about)) + (known->takes.empty() ? "" : " -r") + '\n';
  }
  return text;
}

}  // namespace

std::string completion_script(std::string_view shell) {
  if (shell == "bash") return bash();
  if (shell == "zsh") return zsh();
  if (shell == "fish") return fish();
  throw usage_error("completion: \"" + std::string(shell) + "\" is none of bash|fish|zsh");
}

}  // namespace program
