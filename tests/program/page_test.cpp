// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "catch.hpp"
#include "run_program.hpp"

using program_test::content_of;
using program_test::run;
using program_test::shell;

namespace {

const std::string page = content_of(FLOPLEDGER_TEST_DATA "/../../docs/program.md");

struct shown {
  std::string command;
  std::vector<std::string> lines;
};

/// What stands behind a prompt, lines that go on joined, and the lines below, up to the end of the block.
std::vector<shown> commands_of(const std::string& text) {
  std::vector<shown> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("$ ", 0) != 0) continue;
    std::string command = line.substr(2);
    while (command.back() == '\\' && std::getline(lines, line)) command = command.substr(0, command.size() - 1) + line;
    found.push_back({command, {}});
    while (std::getline(lines, line) && line.rfind("```", 0) != 0) found.back().lines.push_back(line);
  }
  return found;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) found.push_back(line);
  return found;
}

/// Checks that the lines shown are those that are said; "..." stands for any number of them.
void check_shown(const std::vector<std::string>& lines, const std::vector<std::string>& said) {
  std::size_t at = 0;
  bool anywhere = false;
  for (const std::string& line : lines) {
    if (line == "...") {
      anywhere = true;
      continue;
    }
    if (anywhere)
      at = static_cast<std::size_t>(std::find(said.begin() + static_cast<long>(at), said.end(), line) - said.begin());
    REQUIRE(at < said.size());
    CHECK(said[at] == line);
    ++at;
    anywhere = false;
  }
  CHECK((anywhere || at == said.size()));
}

}  // namespace

TEST_CASE("every command of the pages answers as it stands there") {
  const std::vector<shown> of_program = commands_of(page);
  const std::vector<shown> of_requests = commands_of(content_of(FLOPLEDGER_TEST_DATA "/../../docs/requests.md"));
  const std::vector<shown> of_architectures =
      commands_of(content_of(FLOPLEDGER_TEST_DATA "/../../docs/architectures.md"));
  REQUIRE(of_architectures.size() == 1);
  REQUIRE(of_program.size() > 10);
  REQUIRE(of_requests.size() > 4);
  for (const std::vector<shown>* all : {&of_program, &of_requests, &of_architectures})
    for (const shown& one : *all) {
      if (one.lines.empty()) continue;  // what reads or writes the reader's own files
      INFO(one.command);
      const auto ran = shell("cd '" FLOPLEDGER_TEST_DATA "/weights' && " + one.command);  // where `check` has files
      const bool by_line = one.lines[0].rfind("flopledger: ", 0) == 0;
      const bool refused = by_line || one.lines[0].rfind("{\"error\"", 0) == 0;
      CHECK(ran.status == (refused ? 2 : 0));
      check_shown(one.lines, lines_of(by_line ? ran.err : ran.out));
    }
}

TEST_CASE("docs/program.md has every option of every command, and every key of train and serve") {
  for (const std::string command :
       {"report ", "report train ", "report serve ", "count ", "mfu ", "explain ", "plan train ", "plan serve "}) {
    std::istringstream words(run(command + "--help").out);
    for (std::string word; words >> word;) {
      if (word.rfind("--", 0) != 0 || word.size() < 4) continue;
      const std::string option = word.substr(0, word.find_first_of(",.;:)=`"));
      INFO(command << option);
      CHECK(page.find(option) != std::string::npos);
    }
  }
  for (const std::string job : {"train", "serve"}) {
    const auto answer = run("report Llama-3.1-8B --device h100-sxm5-80gb " + job + " --json").json();
    for (const char* part : {"memory", "time"})
      for (const auto& [key, value] : answer[part].items()) {
        INFO(job << ' ' << key);
        CHECK(page.find('`' + key + '`') != std::string::npos);
      }
  }
}
