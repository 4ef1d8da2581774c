// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// The command line of flopledger: a request made of what was typed, and where answers and errors go.

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#if __has_include(<sys/ioctl.h>)
#include <sys/ioctl.h>
#include <unistd.h>
#endif

#include <CLI/CLI.hpp>

#include "document_writers.hpp"
#include "json.hpp"
#include "manual.hpp"
#include "option_table.hpp"
#include "program.hpp"
#include "requests.hpp"
#include "shell_completion.hpp"
#include "step_trace.hpp"
#include "terminal_bars.hpp"

namespace {

#ifndef FLOPLEDGER_VERSION
#define FLOPLEDGER_VERSION "0.1.0"
#endif
constexpr std::string_view version = "flopledger " FLOPLEDGER_VERSION;
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

/// "report train", as it was typed.
std::string name_of_given(const CLI::App& app) {
  std::string name;
  for (const CLI::App* given : given_commands(app))
    if (given != &app) (name += name.empty() ? "" : " ") += given->get_name();
  return name;
}

/// What was left over, in words: the option that none of the commands has, without what stood behind it as its value.
std::string unexpected(const CLI::App& app) {
  const std::vector<std::string> left = app.remaining(true);
  const auto is_option = [](const std::string& word) { return word.size() > 1 && word.front() == '-'; };
  const auto option = std::find_if(left.begin(), left.end(), is_option);
  if (option == left.end()) return (left.empty() ? std::string() : left.front() + ": ") + "not expected here";
  return program::no_such_option(option->substr(0, option->find('=')), name_of_given(app));
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

/// Lines of help that fit behind the options.
std::string wrapped(const std::string& text) {
  constexpr std::size_t width = 60;
  std::string lines;
  std::size_t begin = 0;
  while (text.size() - begin > width) {
    const std::size_t space = text.rfind(' ', begin + width);
    if (space == std::string::npos || space <= begin) break;
    lines += text.substr(begin, space - begin) + '\n';
    begin = space + 1;
  }
  return lines + text.substr(begin);
}

std::string help_of(const program::option& one) {
  if (one.required && !one.positional) return wrapped(one.about + " (required)");
  return wrapped(one.about + (one.standard.empty() ? "" : " (default: " + one.standard + ')'));
}

/// What was typed, as a request.
struct typed {
  program::request asked;
  bool for_programs = false, markdown = false;
  std::string page, picture_file, picture, trace;

  bool is_document() const { return markdown || !page.empty() || !picture_file.empty() || !trace.empty(); }
};

void add_option(CLI::App& command, const program::option& one, typed& into) {
  using kind = program::field::kind;
  const std::string name =
                        one.also.empty() ? one.name() : one.name() + ',' + program::option_table::name_of_key(one.also),
                    about = help_of(one), &key = one.key;
  CLI::Option* added = nullptr;
  if (one.is_flag())
    added = command.add_flag_callback(
        name,
        [&into, key] {
          into.asked.push_back({key, kind::truth, "true"});
        },
        about);
  else if (one.repeats)
    added = command
                .add_option_function<std::vector<std::string>>(
                    name,
                    [&into, key](const std::vector<std::string>& texts) {
                      into.asked.push_back({key, kind::list, {}, texts});
                    },
                    about)
                ->take_all()
                ->allow_extra_args(one.positional);
  else
    added = command.add_option_function<std::string>(
        name,
        [&into, key](const std::string& text) {
          into.asked.push_back({key, kind::text, text});
        },
        about);
  if (!one.is_flag()) added->type_name(one.positional ? "" : one.takes);
  if (!one.heading.empty()) added->group(one.heading);
}

/// Those that the command above has too stand there.
void add_outputs(CLI::App& command, const program::command& one, const program::command* above, typed& into) {
  for (const program::output_option& known : program::output_options) {
    if (!known.is_of(one) || (above != nullptr && known.is_of(*above))) continue;
    const std::string name(known.name), about(known.about);
    if (known.name == program::option_json.name)
      command.add_flag(name, into.for_programs, about);
    else if (known.name == program::option_markdown.name)
      command.add_flag(name, into.markdown, about);
    else
      command
          .add_option(name,
                      known.name == program::option_html.name    ? into.page
                      : known.name == program::option_svg.name   ? into.picture_file
                      : known.name == program::option_trace.name ? into.trace
                                                                 : into.picture,
                      wrapped(about))
          ->type_name(std::string(known.takes));
  }
}

/// The command that jobs stand under. One that answers nothing itself has no options either.
CLI::App& group_of(CLI::App& app, const std::string& name) {
  for (CLI::App* known : app.get_subcommands([](const CLI::App*) { return true; }))
    if (known->get_name() == name) return *known;
  CLI::App& added = *app.add_subcommand(name, std::string(program::about_plan));
  added.group("Commands");
  added.require_subcommand(1);
  return added;
}

/// Every command, and under `report` and `plan` their jobs.
void add_commands(CLI::App& app, typed& into) {
  for (const program::command& one : program::commands()) {
    const std::size_t space = one.name.find(' ');
    const bool is_job = space != std::string::npos;
    const program::command* above_it = is_job ? program::find_command(one.name.substr(0, space)) : nullptr;
    const bool shares = above_it != nullptr;
    CLI::App& above = is_job ? group_of(app, one.name.substr(0, space)) : app;
    CLI::App& command = *above.add_subcommand(is_job ? one.name.substr(space + 1) : one.name, one.about);
    command.group(is_job ? "Jobs" : "Commands");
    command.footer(one.footer);
    if (shares) {
      command.fallthrough();
      above.require_subcommand(0, 1);
    }
    for (const program::option& known : one.options.all())
      if (!shares || !program::is_shared_with_jobs(known)) add_option(command, known, into);
    add_outputs(command, one, above_it, into);
  }
}

/// What stands before `train` or `serve` and is of a forward pass alone.
void refuse_options_of_a_pass(const CLI::App& report, const std::string& job) {
  if (report.get_name() != "report") return;
  for (const program::option& one : program::find_command("report")->options.all())
    if (!program::is_shared_with_jobs(one) && report.count(one.name()) > 0)
      throw program::usage_error(one.name() + ": an option of a forward pass, and `" + job +
                                 "` is asked for; its own options stand behind it (see flopledger report " + job +
                                 " --help)");
}

std::string names_of_commands(const CLI::App& app) {
  std::string names;
  for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; }))
    (names += names.empty() ? "" : ", ") += one->get_name();
  return names + " (see flopledger --help)";
}

/// Why words are no command line.
std::string problem_of(const CLI::App& app, const CLI::ParseError& problem, const std::vector<const char*>& words) {
  const bool is_command = words.size() > 1 && words[1][0] != '-';
  if (app.get_subcommands().empty() && is_command)
    return std::string(words[1]) + " is no command: " + names_of_commands(app);
  if (dynamic_cast<const CLI::ExtrasError*>(&problem) != nullptr) return unexpected(app);
  if (const auto* mismatch = dynamic_cast<const CLI::ArgumentMismatch*>(&problem); mismatch != nullptr)
    return mismatched(app, *mismatch);
  return problem.what();
}

/// The command that was typed, and its job.
void name_the_command(const CLI::App& app, typed& given) {
  const std::vector<const CLI::App*> commands = given_commands(app);
  if (commands.size() < 2) throw program::usage_error("which command? " + names_of_commands(app));
  given.asked.push_back({"command", program::field::kind::text, commands[1]->get_name()});
  if (commands.size() == 2) return;
  refuse_options_of_a_pass(*commands[1], commands[2]->get_name());
  given.asked.push_back({"job", program::field::kind::text, commands[2]->get_name()});
}

/// What words of a command line ask, as the text of a request.
std::string request_of(std::vector<const char*> words) {
  CLI::App app;
  typed given;
  add_commands(app, given);
  words.insert(words.begin(), "flopledger");
  try {
    app.parse(static_cast<int>(words.size()), words.data());
  } catch (const CLI::ParseError& problem) {
    throw program::usage_error(problem_of(app, problem, words));
  }
  name_the_command(app, given);
  return program::object_of(given.asked);
}

/// What is asked of the outputs together.
void check_outputs(const typed& given) {
  if (given.for_programs && given.markdown)
    throw program::usage_error("--markdown: --json is asked for too, and one answer is printed");
  if (!given.picture.empty() && given.picture_file.empty())
    throw program::usage_error("--picture: needs --svg, whose picture it is");
}

/// To a file, or to standard output.
int write(const std::string& text, const std::string& path, std::string_view option) {
  if (path == "-") return print(text);
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw program::failure(std::string(option) + ": " + path + ": cannot be written");
  return 0;
}

/// The answer in each form that is asked for.
int print_documents(const program::json& answer, const typed& given) {
  const program::document made = program::command_of(given.asked).documented(answer);
  // A picture that does not exist is refused before anything is written.
  const std::string drawn = given.picture_file.empty() ? "" : program::picture_of(made, given.picture);
  int failed = 0;
  if (!given.page.empty()) failed = write(program::page_of(made, version), given.page, program::option_html.name);
  if (failed == 0 && !drawn.empty()) failed = write(drawn, given.picture_file, program::option_svg.name);
  if (failed == 0 && !given.trace.empty())
    failed = write(program::trace_of(answer), given.trace, program::option_trace.name);
  if (failed == 0 && given.markdown) failed = print(program::markdown_of(made));
  if (failed == 0 && given.for_programs) failed = print(program::dumped(answer, 2));
  return failed;
}

/// What standard output goes to, where that is a terminal. NO_COLOR, set to anything, asks for no colours
/// (no-color.org).
std::optional<program::terminal> terminal_of_output() {
#ifdef TIOCGWINSZ
  if (isatty(STDOUT_FILENO) == 0) return {};
  const auto is_set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  const char* kind = std::getenv("TERM");
  program::terminal found{.colours = !is_set("NO_COLOR") && (kind == nullptr || kind != std::string_view("dumb"))};
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) found.columns = size.ws_col;
  return found;
#else
  return {};
#endif
}

/// The bars that stand below a text.
std::string bars_below(const typed& given) {
  const program::command& asked = program::command_of(given.asked);
  const std::optional<program::terminal> on = asked.shows_bars ? terminal_of_output() : std::nullopt;
  if (!on) return {};
  return program::bars_of(asked.documented(program::answer(given.asked, program::output::programs).value), *on);
}

int run(int argc, char** argv) {
  CLI::App app("The books of a Transformer: parameters, multiply-adds, FLOPs and bytes, operation by operation.");
  app.name("flopledger");
  app.set_version_flag("--version", std::string(version), "Print the version and exit");
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  typed given;
  add_commands(app, given);
  CLI::App& batch = *app.add_subcommand("batch", std::string(program::about_batch));
  batch.group("Commands");
  batch.footer(
      "A line of answer for each line of request, `{\"error\": ...}` where one is refused: see docs/requests.md and\n"
      "`flopledger schema`. Exit status: 0; 2 where a request was refused; 1 where the answers cannot be written.");
  std::string shell;
  CLI::App& completion = *app.add_subcommand("completion", std::string(program::about_completion));
  completion.add_option("shell", shell, "bash, fish or zsh")->required()->type_name("");
  CLI::App& page = *app.add_subcommand("manual", std::string(program::about_manual));
  completion.group("Commands");
  page.group("Commands");
  app.footer(std::string(program::about_arguments) + "`flopledger COMMAND --help` lists the options of a command.\n" +
             std::string(program::about_exit_status));
  // Behind `--` of a sweep stand the words of what is swept.
  std::vector<const char*> words(argv, argv + argc);
  const bool sweeps = argc > 1 && words[1] == std::string_view("sweep");
  const auto behind = std::find(words.begin(), words.end(), std::string_view("--"));
  std::string swept;
  if (sweeps && behind != words.end()) {
    swept = request_of({behind + 1, words.end()});
    words.erase(behind, words.end());
    words.insert(words.end(), {"--request", swept.c_str()});
  }
  try {
    app.parse(static_cast<int>(words.size()), words.data());
  } catch (const CLI::CallForHelp&) {
    return print(app.help());
  } catch (const CLI::CallForVersion&) {
    return print(std::string(version) + '\n');
  } catch (const CLI::ParseError& problem) {
    return complain(problem_of(app, problem, words), 2);
  }
  if (app.get_subcommands().empty()) return complain("which command? " + names_of_commands(app), 2);
  if (completion.parsed()) return print(program::completion_script(shell));
  if (page.parsed()) return print(program::manual(version));
  if (batch.parsed()) {
    std::ios::sync_with_stdio(false);
    const int status = program::answer_lines(std::cin, std::cout);
    return status == 1 && errno == EPIPE ? 0 : status == 1 ? complain("cannot write to standard output", 1) : status;
  }
  name_the_command(app, given);
  check_outputs(given);
  const bool draws = !given.page.empty() || !given.picture_file.empty() || !given.trace.empty();
  if (draws && program::command_of(given.asked).options.has(program::key_of_timeline))
    given.asked.push_back({std::string(program::key_of_timeline), program::field::kind::truth, "true"});
  const bool by_value = given.for_programs || given.is_document();
  const program::reply said =
      program::answer(given.asked, by_value ? program::output::programs : program::output::people);
  const int failed = given.is_document()
                         ? print_documents(said.value, given)
                         : print(by_value ? program::dumped(said.value, 2) : said.text + bars_below(given));
  return failed != 0 || !said.differs ? failed : 1;
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
