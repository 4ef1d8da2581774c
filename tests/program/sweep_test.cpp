// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <string>

#include "catch.hpp"
#include "run_program.hpp"

using nlohmann::json;
using program_test::run;
using program_test::shell;

namespace {

const std::string job = " -- report train Llama-3.1-8B --device h100-sxm5-80gb --data 8 --sequence 4096 --zero 1";

}  // namespace

TEST_CASE("a sweep's rows are what each request answers by itself", "[program]") {
  const auto swept = run("sweep --over tensor=1,2 --over micro-batch=1,4 --json" + job);
  REQUIRE(swept.status == 0);
  const json all = json::parse(swept.out);
  REQUIRE(all["rows"].size() == 4);
  const auto alone =
      run("report train Llama-3.1-8B --device h100-sxm5-80gb --data 8 --sequence 4096 --zero 1 --tensor "
          "2 --micro-batch 1 --json");
  const json one = json::parse(alone.out);
  const json& row = all["rows"][2];  // the last option changes fastest
  CHECK(row["tensor"] == "2");
  CHECK(row["micro_batch"] == "1");
  CHECK(row["time.step_seconds"] == one["time"]["step_seconds"]);
  CHECK(row["memory.total_bytes"] == one["memory"]["total_bytes"]);
  CHECK(row["refused"].is_null());
}

TEST_CASE("a combination that cannot be is a row that says why", "[program]") {
  const auto swept = run("sweep --over tensor=2,3 --show time.mfu --csv" + job);
  REQUIRE(swept.status == 0);
  CHECK(swept.out.rfind("tensor,time.mfu,refused\n2,0.", 0) == 0);
  CHECK(swept.out.find("\n3,,--tensor: impossible plan: attention heads do not divide") != std::string::npos);
}

TEST_CASE("a request sweeps as the command line does", "[program]") {
  const auto swept = shell(
      "echo '{\"command\": \"sweep\", \"request\": {\"command\": \"count\", \"model\": \"GPT-2 small\"}, \"over\": "
      "[\"sequence=1024\"], \"show\": [\"parameters\"]}' | flopledger batch");
  REQUIRE(swept.status == 0);
  CHECK(json::parse(swept.out)["rows"][0]["parameters"] == 124'439'808);  // as published
}

TEST_CASE("what cannot be swept is refused in one line", "[program]") {
  const auto refused = [](const std::string& words, const std::string& line) {
    const auto ran = run("sweep " + words);
    CHECK(ran.status == 2);
    CHECK(ran.err == "flopledger: " + line + '\n');
  };
  refused("--over tensor" + job, "--over: \"tensor\" is nothing like tensor=1,2,4");
  refused("--over nix=1" + job, "--over: --nix: no such option (see flopledger report train --help)");
  refused("--over tensor=1 --over data=1 --over pipeline=1" + job, "--over: one option or two, and these are more");
  refused("--over tensor=1 --show time.nix" + job, "--show: no answer has time.nix");
  refused("--over tensor=3" + job,
          "--tensor: impossible plan: attention heads do not divide by the tensor-parallel degree: 32 by 3");
  refused("--over batch=1 -- sweep --over batch=2 -- count", "--request: a sweep of sweeps");
  refused("--over tensor=1", "--request is required");
}

TEST_CASE("a series of devices keeps the global batch or what a rank does", "[program]") {
  const auto ran = run(
      "scale Llama-3.1-8B --device h100-sxm5-80gb --sequence 8192 --data 8 --global-batch 32 --most-devices 64 --json");
  REQUIRE(ran.status == 0);
  const json found = json::parse(ran.out);
  REQUIRE(found["weak"].size() == 4);    // 8, 16, 32, 64
  REQUIRE(found["strong"].size() == 3);  // 4, 2 and 1 micro-batches
  CHECK(found["weak"].back()["global_batch"] == 256);
  CHECK(found["strong"].back()["global_batch"] == 32);
  CHECK(found["strong"][0]["efficiency"] == 1.0);
  const auto alone =
      run("report train Llama-3.1-8B --device h100-sxm5-80gb --sequence 8192 --data 32 --global-batch 32 --json");
  CHECK(found["strong"].back()["step_seconds"] == json::parse(alone.out)["time"]["step_seconds"]);
}
