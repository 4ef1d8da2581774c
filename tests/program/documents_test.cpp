// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// Answers as Markdown, pages and pictures: well-formed, and with the numbers that --json prints.

#include <flopledger/profile/read.hpp>

#include <cstddef>
#include <fstream>
#include <regex>
#include <string>

#include "catch.hpp"
#include "run_program.hpp"

using Catch::Matchers::WithinRel;
using nlohmann::json;
using program_test::check_refused;
using program_test::content_of;
using program_test::run;
using program_test::scratch_folder;
using program_test::shell;

namespace {

const std::string h100 = " --device h100-sxm5-80gb ";
const std::string pass = "report Llama-3.1-8B" + h100;
const std::string trained = "report Llama-3.1-70B" + h100 +
                            "train --sequence 8192 --global-batch 64 --data 2 --tensor 8 --pipeline 4 --zero 1 ";
const std::string raised = "sensitivity Llama-3.1-8B" + h100 + "--sequence 8192 --tensor 2 --data 8 --zero 3 ";
const std::string served = "report Llama-3.1-70B" + h100 + "serve --devices 4 --concurrency 16 ";

/// libxml2 refuses what is no XML: an element that is not closed, a bare "&", a character that XML does not have.
void check_well_formed(const std::string& path) {
  if (shell("command -v xmllint").status != 0) {
    WARN("xmllint is not installed");
    return;
  }
  const auto read = shell("xmllint --noout '" + path + "'");
  INFO(read.err);
  CHECK(read.status == 0);
  CHECK(read.err.empty());
}

/// Checks that each number of a page is what the answer has under its key; returns how many there are.
std::size_t check_numbers(const std::string& page, const json& answer) {
  const std::regex number("<data data-key=\"([^\"]+)\" value=\"([^\"]+)\"");
  std::size_t found = 0;
  for (auto one = std::sregex_iterator(page.begin(), page.end(), number); one != std::sregex_iterator(); ++one) {
    INFO((*one)[1]);
    CHECK(answer.at(json::json_pointer((*one)[1].str())) == json::parse((*one)[2].str()));
    ++found;
  }
  return found;
}

std::string page_of(const std::string& asked, const scratch_folder& scratch) {
  const std::string path = scratch.file("page.html");
  const auto ran = run(asked + " --html '" + path + "'");
  INFO(asked << ' ' << ran.err);
  REQUIRE(ran.status == 0);
  CHECK(ran.out.empty());
  return path;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

}  // namespace

TEST_CASE("numbers of a page are those of the answer, each under its key", "[program]") {
  const scratch_folder scratch;
  for (const std::string& asked : {pass, trained, raised, served}) {
    const std::string page = content_of(page_of(asked, scratch));
    const bool trains = asked == trained;  // whose page draws the timeline too
    CHECK(check_numbers(page, run(asked + (trains ? "--timeline " : "") + "--json").json()) > 20);
  }
  const std::string page = content_of(page_of(trained, scratch));
  for (const char* key :
       {"/stages/3/activations_bytes", "/time/step_seconds", "/time/bubble_seconds", "/time/mfu", "/plan/pipeline"})
    CHECK(count_of(page, std::string("data-key=\"") + key + '"') == 1);
}

TEST_CASE("pages and pictures are well-formed, without scripts and without anything from elsewhere", "[program]") {
  const scratch_folder scratch;
  const std::string scaled = "scale Llama-3.1-8B" + h100 + "--data 4 --global-batch 64 --most-devices 64 ",
                    planned = "plan train Llama-3.1-8B" + h100 +
                              "--devices 8,16 --global-batch 64 --sequence 4096 --tensor 2 --zero 1 --front devices ";
  for (const std::string& asked : {pass, trained, raised, served, scaled, planned}) {
    const std::string path = page_of(asked, scratch), page = content_of(path);
    check_well_formed(path);
    CHECK(page.find("<script") == std::string::npos);
    CHECK(page.find("src=") == std::string::npos);
    CHECK(page.find("href=") == std::string::npos);
    CHECK(page.find("@import") == std::string::npos);
    CHECK(page.find("prefers-color-scheme:dark") != std::string::npos);
    CHECK(count_of(page, "<svg ") == count_of(page, "<desc id="));
    CHECK(count_of(page, "<svg ") > 0);
    CHECK(count_of(page, "<table>") == count_of(page, "<thead>"));
  }
  const std::string of_sweep = scratch.file("sweep.html");
  REQUIRE(run("sweep --html '" + of_sweep + "' --over tensor=1,3 --over micro-batch=1,2 -- report train Llama-3.1-8B" +
              h100)
              .status == 0);
  check_well_formed(of_sweep);
  CHECK(count_of(content_of(of_sweep), "<svg ") == 4);  // the fifth key is true or false
  for (const std::string& asked :
       {pass + "--picture roofline", trained + "--picture step", trained + "--picture timeline", scaled,
        planned + "--picture front", served + "--picture times", served}) {
    const std::string path = scratch.file("picture.svg");
    REQUIRE(run(asked + " --svg '" + path + "'").status == 0);
    check_well_formed(path);
  }
}

TEST_CASE("a name may hold anything: it is text in a page and in Markdown", "[program]") {
  const scratch_folder scratch;
  const std::string name = "a&b<script>alert(1)<|\"'x\x01\xff]](y) `z`.json";
  std::string quoted;
  for (const char c : scratch.file(name)) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  scratch.file(name, R"({"model_type": "llama", "torch_dtype": "bfloat16", "hidden_size": 64,
    "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 100,
    "max_position_embeddings": 64})");
  const std::string asked = "report '" + quoted + "'" + h100;
  const std::string path = page_of(asked, scratch), page = content_of(path);
  check_well_formed(path);
  CHECK(page.find("<script") == std::string::npos);
  CHECK(page.find("a&amp;b&lt;script&gt;alert(1)") != std::string::npos);
  const std::string markdown = run(asked + " --markdown").out;
  CHECK(markdown.find("<script") == std::string::npos);
  CHECK(markdown.find("](y)") == markdown.find("\\](y)") + 1);
  CHECK(markdown.find("\\`z\\`") != std::string::npos);
}

TEST_CASE("Markdown has a table for each part of an answer", "[program]") {
  const std::string text = run(trained + "--markdown").out;
  CHECK(text.rfind("# Training Llama-3.1-70B on 64 × h100-sxm5-80gb\n", 0) == 0);
  // As the text for people has it: docs/program.md.
  CHECK(text.find("\n| 0 | 20 | 4.23 GiB | 8.46 GiB | 12.69 GiB | 20.96 GiB |") != std::string::npos);
  CHECK(text.back() == '\n');
  CHECK(text[text.size() - 2] != '\n');
}

TEST_CASE("a file and what is printed may be asked for together", "[program]") {
  const scratch_folder scratch;
  const std::string path = scratch.file("page.html");
  const auto both = run(trained + "--json --html '" + path + "'");
  CHECK(both.out == run(trained + "--timeline --json").out);
  CHECK(content_of(path) == run(trained + "--html -").out);
}

TEST_CASE("a trace of a step is read back as a profile: its devices, its length and its busy time", "[program]") {
  const scratch_folder scratch;
  const std::string path = scratch.file("trace.json");
  REQUIRE(run(trained + "--chrome-trace '" + path + "'").status == 0);
  std::ifstream file(path);
  const flopledger::profile::recording seen = flopledger::profile::read(file, path);
  const json answer = run(trained + "--timeline --json").json(), timeline = answer["timeline"];
  CHECK(seen.devices == 4);
  CHECK_THAT(seen.elapsed.value(), WithinRel(answer["time"]["step_seconds"].get<double>(), 1e-9));
  double busy = 4 * (timeline["exchange_seconds"].get<double>() + timeline["optimizer_seconds"].get<double>());
  for (const json& slot : timeline["slots"]) busy += slot["seconds"].get<double>();
  CHECK(timeline["slots"].size() == 2 * 32 * 4);
  CHECK_THAT(seen.busy.value(), WithinRel(busy, 1e-9));
}

TEST_CASE("a raised rate gives the step that a device with that rate has", "[program]") {
  const json answer = run(raised + "--json").json();
  CHECK(answer["step_seconds"] ==
        run("report train Llama-3.1-8B" + h100 + "--sequence 8192 --tensor 2 --data 8 --zero 3 --json")
            .json()["time"]["step_seconds"]);
  // 10 % more than the 3.35 TB/s of the data sheet.
  const json faster =
      run("report train Llama-3.1-8B" + h100 + "--sequence 8192 --tensor 2 --data 8 --zero 3 --bandwidth 3685 --json")
          .json();
  for (const json& one : answer["rates"])
    if (one["rate"] == "memory bandwidth")
      CHECK_THAT(one["step_seconds"].get<double>(), WithinRel(faster["time"]["step_seconds"].get<double>(), 1e-9));
}

TEST_CASE("a step whose order is not known has no trace", "[program]") {
  check_refused(trained + "--schedule zero-bubble --chrome-trace -", "--chrome-trace", "order");
  CHECK(run(trained + "--schedule zero-bubble --timeline --json").json()["timeline"].is_null());
}

TEST_CASE("outputs that cannot be are refused in one line", "[program]") {
  check_refused(trained + "--json --markdown", "--markdown: --json is asked for too");
  check_refused(trained + "--picture step", "--picture: needs --svg");
  check_refused(trained + "--svg - --picture nix", "--picture: \"nix\" is none of memory, step, timeline");
  check_refused("models --html page.html", "--html");
  const auto failed = run(trained + "--html /no/such/folder/page.html");
  CHECK(failed.status == 1);
  CHECK(failed.err == "flopledger: --html: /no/such/folder/page.html: cannot be written\n");
}

TEST_CASE("what nobody published is no number of a page", "[program]") {
  const scratch_folder scratch;
  const std::string board = "report 'GPT-2 small' --memory 24 --bandwidth 936 ";
  for (const char* job : {"--sequence 1024", "train --sequence 1024", "serve"}) {
    const std::string asked = board + job, page = content_of(page_of(asked, scratch));
    CHECK(check_numbers(page, run(asked + " --json").json()) > 5);
    CHECK(page.find("nan") == std::string::npos);
  }
}

TEST_CASE("bars stand below a text in a terminal alone, in colours but for NO_COLOR", "[program]") {
  if (shell("command -v script").status != 0) {
    WARN("script, which makes a terminal, is not installed");
    return;
  }
  const auto in_terminal = [](const std::string& before) {
    return shell(before + " TERM=xterm script -qec \"'" FLOPLEDGER_PROGRAM "' " + served + "\" /dev/null").out;
  };
  const std::string coloured = in_terminal("NO_COLOR="), plain = in_terminal("NO_COLOR=1");
  CHECK(coloured.find("Memory of a device by what holds it") != std::string::npos);
  CHECK(coloured.find("\x1b[34m█") != std::string::npos);
  CHECK(plain.find("█") != std::string::npos);
  CHECK(plain.find('\x1b') == std::string::npos);
  CHECK(run(served).out.find("█") == std::string::npos);
}
