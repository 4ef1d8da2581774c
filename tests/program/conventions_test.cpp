// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <cstdint>
#include <set>
#include <string>

#include "catch.hpp"
#include "run_program.hpp"

using program_test::check_refused;
using program_test::run;

namespace {

const std::string gpt2 = "count 'GPT-2 small' --sequence 1024 --convention ";

}  // namespace

TEST_CASE("conventions lists each rule once, with its unit and its passes") {
  const auto ran = run("conventions --json");
  REQUIRE(ran.status == 0);
  const auto json = ran.json();
  std::set<std::string> names;
  for (const auto& one : json["conventions"]) {
    names.insert(one["name"].get<std::string>());
    CHECK(!one["source"].get<std::string>().empty());
  }
  CHECK(names.size() == json["conventions"].size());
  for (const char* name : {"thop", "ptflops", "fvcore", "calflops", "deepspeed", "torch-profiler", "full", "6nd"})
    CHECK(names.count(name) == 1);
  CHECK(json["implementations"].size() > 10);
  const std::string people = run("conventions").out;
  CHECK(people.find("MACs, called flops") != std::string::npos);
  CHECK(people.find("hugging-face-gpt-2") != std::string::npos);
}

TEST_CASE("count --convention prints what the tool prints, in its unit") {
  const auto counted = [](const std::string& rule) { return run(gpt2 + rule + " --json").json()["convention"]; };
  const auto thop = counted("thop");
  CHECK(thop["value"] == 39602356224);
  CHECK(thop["flops"] == 2 * 39602356224);
  CHECK(thop["reports"] == "MACs");
  CHECK(thop["parameters"] == 38635776);
  CHECK(counted("calflops")["value"] == 291897689088);
  CHECK(counted("fvcore")["reports"] == "MACs, called flops");
  CHECK(run(gpt2 + "thop").out.find("39602356224 = 39.6 GMAC") != std::string::npos);
  const auto nano = run(gpt2 + "thop --written-in nanogpt-with-targets --json").json();
  CHECK(nano["written_in"] == "nanoGPT with targets");
  CHECK(nano["convention"]["value"] > 39602356224);
}

TEST_CASE("count --against names the rows that differ, and they add up") {
  for (const std::string both :
       {"thop --against full", "palm --against megatron-lm-0.12", "full --against full", "ptflops --against fvcore"}) {
    INFO(both);
    const auto json = run(gpt2 + both + " --json").json();
    std::int64_t sum = 0;
    for (const auto& row : json["rows"]) {
      CHECK(row["difference_flops"] ==
            row["against_flops"].get<std::int64_t>() - row["convention_flops"].get<std::int64_t>());
      CHECK(row["difference_flops"] != 0);
      sum += row["difference_flops"].get<std::int64_t>();
    }
    CHECK(json["difference_flops"] == sum);
    CHECK(json["difference_flops"] ==
          json["against"]["flops"].get<std::int64_t>() - json["convention"]["flops"].get<std::int64_t>());
  }
  const auto ran = run(gpt2 + "thop --against full");
  for (const char* text : {"attention.scores", "feed_forward.up", "all rows", "Hugging Face GPT-2"}) {
    INFO(text);
    CHECK(ran.out.find(text) != std::string::npos);
  }
  CHECK(run(gpt2 + "full --against full").out.find("alike") != std::string::npos);
}

TEST_CASE("count --convention: what compares nothing is refused") {
  check_refused(gpt2 + "thop --against 6nd", "thop covers forward", "6nd covers forward and backward");
  check_refused(gpt2 + "thopp", "thopp", "thop");
  check_refused(gpt2 + "thop --against fulll", "--against", "full");
  check_refused(gpt2 + "thop --written-in pascal", "--written-in", "hugging-face-gpt-2");
  check_refused("count 'GPT-2 small' --against full", "--against", "--convention");
  check_refused(gpt2 + "thop --products strict", "--products");
  check_refused("count 'GPT-2 small' --context 5 --convention 6nd", "--context", "6nd");
}
