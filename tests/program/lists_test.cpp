// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <algorithm>
#include <set>
#include <string>

#include "catch.hpp"
#include "run_program.hpp"

using program_test::run;

TEST_CASE("models --json lists every model once, with its exact parameters") {
  const auto ran = run("models --json");
  REQUIRE(ran.status == 0);
  const auto models = ran.json()["models"];
  std::set<std::string> names;
  bool found = false;
  for (const auto& model : models) {
    names.insert(model["name"].get<std::string>());
    CHECK(model["parameters"].is_number_integer());
    CHECK(model["active_parameters"] <= model["parameters"]);
    if (model["name"] == "Llama-3.1-8B") {
      found = true;
      CHECK(model["parameters"] == 8030261248);
    }
  }
  CHECK(found);
  CHECK(names.size() == models.size());
  CHECK(run("models").out.find("Llama-3.1-8B") != std::string::npos);
}

TEST_CASE("models --architectures lists what a config.json may be of") {
  const auto ran = run("models --architectures --json");
  REQUIRE(ran.status == 0);
  std::set<std::string> types;
  const auto listed = ran.json()["architectures"];
  for (const auto& one : listed) types.insert(one["model_type"].get<std::string>());
  CHECK(types.size() == listed.size());
  CHECK(types.count("deepseek_v3") == 1);
  const auto filtered = run("models --architectures grok");
  CHECK(filtered.out.find("Grok1...") != std::string::npos);
  CHECK(filtered.out.find("llama") == std::string::npos);
  CHECK(run("models --architectures nobody").status == 2);
}

TEST_CASE("devices --json has every figure, null where none is published, and lists the doubtful ones") {
  const auto ran = run("devices --json");
  REQUIRE(ran.status == 0);
  const auto json = ran.json();
  const auto device = [&](const std::string& id) {
    const auto& all = json["devices"];
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one["id"] == id; });
    REQUIRE(found != all.end());
    return *found;
  };
  const auto h100 = device("h100-sxm5-80gb");
  CHECK(h100["bf16_flop_per_second"] == 989400000000000);
  CHECK(h100["memory_bandwidth_bytes_per_second"] == 3350000000000);
  CHECK(h100["usable_memory_bytes"] == 81559LL * 1024 * 1024);
  CHECK(h100["fp4_flop_per_second"].is_null());
  CHECK(h100["doubtful"].is_array());
  const auto a100 = device("a100-pcie-40gb");
  const auto& doubtful = a100["doubtful"];
  CHECK(std::find(doubtful.begin(), doubtful.end(), "usable_memory_bytes") != doubtful.end());
}

TEST_CASE("devices marks doubtful figures for people, and what is not published") {
  const std::string text = run("devices").out;
  CHECK(text.find("h100-sxm5-80gb") != std::string::npos);
  CHECK(text.find('?') != std::string::npos);
  CHECK(text.find(" -  ") != std::string::npos);
}
