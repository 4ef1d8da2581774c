// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

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
  std::string command, first_line;
};

/// What stands behind a prompt, lines that go on joined, and the line below.
std::vector<shown> commands() {
  std::vector<shown> found;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("$ ", 0) != 0) continue;
    std::string command = line.substr(2);
    while (command.back() == '\\' && std::getline(lines, line)) command = command.substr(0, command.size() - 1) + line;
    std::getline(lines, line);
    found.push_back({command, line});
  }
  return found;
}

}  // namespace

TEST_CASE("every command of docs/program.md answers as it begins there") {
  REQUIRE(commands().size() > 10);
  for (const shown& one : commands()) {
    INFO(one.command);
    const auto ran = shell(one.command);
    const bool refused = one.first_line.rfind("flopledger: ", 0) == 0;
    CHECK(ran.status == (refused ? 2 : 0));
    const std::string& said = refused ? ran.err : ran.out;
    if (one.first_line != "...") CHECK(said.substr(0, said.find('\n')) == one.first_line);
  }
}

TEST_CASE("docs/program.md has every option of every command, and every key of train and serve") {
  for (const std::string command : {"report ", "report train ", "report serve ", "count ", "mfu ", "explain "}) {
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
