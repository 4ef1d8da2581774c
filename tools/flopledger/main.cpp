// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// The command line of flopledger: what can be asked, and where answers and errors go.

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "options.hpp"
#include "program.hpp"
#include "reconcile.hpp"

namespace {

#ifndef FLOPLEDGER_VERSION
#define FLOPLEDGER_VERSION "0.1.0"
#endif
constexpr std::string_view version = "flopledger " FLOPLEDGER_VERSION;
constexpr std::string_view commands =
    "report, count, mfu, explain, reconcile, models, devices or conventions (see flopledger --help)";

/// Standard error gets one line, whatever stands in a file's name or in a model's.
int complain(std::string_view problem, int status) {
  std::string line = "flopledger: ";
  for (const char c : problem) line += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  line.erase(line.find_last_not_of(' ') + 1);
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
  return status;
}

/// Whoever closes the pipe has read enough: `flopledger models | head -3` is no failure.
int print(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (written || errno == EPIPE) return 0;
  return complain("cannot write to standard output", 1);
}

/// The commands that were given, as they stand in one another, the program first.
std::vector<const CLI::App*> given_commands(const CLI::App& app) {
  std::vector<const CLI::App*> given{&app};
  while (!given.back()->get_subcommands().empty()) given.push_back(given.back()->get_subcommands().front());
  return given;
}

/// What was left over, in words: the option that none of the commands has, without what stood behind it as its value.
std::string unexpected(const CLI::App& app) {
  const std::vector<std::string> left = app.remaining(true);
  const auto is_option = [](const std::string& word) { return word.size() > 1 && word.front() == '-'; };
  const auto option = std::find_if(left.begin(), left.end(), is_option);
  if (option == left.end()) return (left.empty() ? std::string() : left.front() + ": ") + "not expected here";
  const std::string name = option->substr(0, option->find('='));
  std::string near;
  std::string command = "flopledger";
  for (const CLI::App* given : given_commands(app)) {
    if (given != &app) command += ' ' + given->get_name();
    for (const CLI::Option* known : given->get_options())
      if (const std::string other = known->get_name();
          program::is_near(name, other) && (near.empty() || program::edits(name, other) < program::edits(name, near)))
        near = other;
  }
  return name + ": no such option" + (near.empty() ? "" : "; the closest: " + near) + " (see " + command + " --help)";
}

/// What CLI11 calls a mismatch of arguments: an option that stands twice, or one without its value.
std::string mismatched(const CLI::App& app, const CLI::ArgumentMismatch& problem) {
  const std::string text = problem.what();
  std::string without_value;
  for (const CLI::App* given : given_commands(app))
    for (const CLI::Option* known : given->get_options()) {
      const std::string name = known->get_name();
      if (text.compare(0, name.size() + 1, name + ':') != 0) continue;
      if (known->count() > 1)
        return name + ": is given " + (known->count() == 2 ? "twice" : std::to_string(known->count()) + " times");
      without_value = name + ": needs a value (" + known->get_type_name() + ')';
    }
  return without_value.empty() ? text : without_value;
}

int run(int argc, char** argv) {
  CLI::App app("The books of a Transformer: parameters, multiply-adds, FLOPs and bytes, operation by operation.");
  app.name("flopledger");
  app.set_version_flag("--version", std::string(version), "Print the version and exit");
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  std::function<std::string()> answer;
  program::add_report(app, answer);
  program::add_count(app, answer);
  program::add_mfu(app, answer);
  program::add_explain(app, answer);
  program::add_reconcile(app, answer);
  program::add_lists(app, answer);
  app.footer(
      "MODEL is a name that `flopledger models` lists, or the path of a Hugging Face config.json.\n"
      "DEVICE is a name that `flopledger devices` lists, or a part of it that fits one device alone.\n"
      "`flopledger COMMAND --help` lists the options of a command.\n"
      "Exit status: 0; 2 for what cannot be asked so; 1 for what failed, such as a file that cannot be read.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return print(app.help());
  } catch (const CLI::CallForVersion&) {
    return print(std::string(version) + '\n');
  } catch (const CLI::ParseError& problem) {
    const bool is_command = argc > 1 && argv[1][0] != '-';
    if (!answer && is_command && app.get_subcommands().empty())
      return complain((std::string(argv[1]) + " is no command: ").append(commands), 2);
    if (dynamic_cast<const CLI::ExtrasError*>(&problem) != nullptr) return complain(unexpected(app), 2);
    if (const auto* mismatch = dynamic_cast<const CLI::ArgumentMismatch*>(&problem); mismatch != nullptr)
      return complain(mismatched(app, *mismatch), 2);
    return complain(problem.what(), 2);
  }
  if (!answer) return complain(std::string("which command? ").append(commands), 2);
  return print(answer());
}

}  // namespace

int main(int argc, char** argv) {
#ifdef SIGPIPE
  std::signal(SIGPIPE, SIG_IGN);
#endif
  try {
    return run(argc, argv);
  } catch (const program::usage_error& problem) {
    return complain(problem.what(), 2);
  } catch (const std::exception& problem) {
    return complain(problem.what(), 1);
  }
}
