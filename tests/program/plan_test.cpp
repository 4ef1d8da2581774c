// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <string>

#include "catch.hpp"
#include "run_program.hpp"

using program_test::check_refused;
using program_test::run;
using program_test::shell;

namespace {

const std::string llama = "plan train Llama-3.1-8B --device h100-sxm5-80gb --global-batch 64 --sequence 4096 ";

/// The options of `report train` that make a plan of an answer.
std::string options_of(const nlohmann::json& plan) {
  std::string text;
  for (const char* key :
       {"micro_batch", "global_batch", "data", "tensor", "pipeline", "interleave", "context", "zero"}) {
    std::string option = key;
    if (const auto at = option.find('_'); at != std::string::npos) option[at] = '-';
    text += " --" + option + ' ' + plan[key].dump();
  }
  if (!plan["sequence_parallel"].get<bool>()) text += " --no-sequence-parallel";
  return text + " --recompute " + plan["recompute"].get<std::string>();
}

}  // namespace

TEST_CASE("plan train says of a plan what report train says of it") {
  const auto found = run(llama + "--devices 8,16 --framework nemo_24 --top 3 --json").json();
  REQUIRE(found["best"].size() == 3);
  for (const auto& one : found["best"]) {
    const auto report = run("report Llama-3.1-8B --device h100-sxm5-80gb train --sequence 4096 --framework nemo_24" +
                            options_of(one["plan"]) + " --json")
                            .json();
    CHECK(report["time"]["step_seconds"] == one["step_seconds"]);
    CHECK(report["memory"]["fits"] == true);
  }
  CHECK(found["best"][0]["step_seconds"] < found["best"][2]["step_seconds"]);
}

TEST_CASE("plan train finds the same with bounds and without, on one thread and on three") {
  const std::string space = llama + "--devices 16 --front memory --top 4 --json";
  const auto one = run(space + " --threads 1").json(), three = run(space + " --threads 3").json();
  CHECK(one == three);
  const std::string no_front = llama + "--devices 16 --top 4 --json";
  const auto bounded = run(no_front).json(), all = run(no_front + " --exhaustive").json();
  CHECK(bounded["best"] == all["best"]);
  CHECK(bounded["plans"]["all"] == all["plans"]["all"]);
  CHECK(all["plans"]["passed_over"] == 0);
}

TEST_CASE("plan train obeys its framework, and bounds on degrees") {
  const auto sharded = run(llama + "--devices 8 --zero 3 --json").json();
  CHECK(sharded["best"].empty());
  CHECK(sharded["plans"]["refused"].size() > 0);
  CHECK(!run(llama + "--devices 8 --zero 3 --any-framework --json").json()["best"].empty());
  const auto fixed = run(llama + "--devices 8 --tensor 2..4 --micro-batch 1 --json").json();
  for (const auto& one : fixed["best"]) {
    CHECK(one["plan"]["tensor"] >= 2);
    CHECK(one["plan"]["tensor"] <= 4);
    CHECK(one["plan"]["micro_batch"] == 1);
  }
}

TEST_CASE("plan train names what it cannot be asked") {
  check_refused(llama + "--devices 8 --tensor 3", "--devices", "no plan");
  check_refused(llama, "--devices", "required");
  check_refused(llama + "--devices 8 --tensor 1..100000", "--tensor", "more than 128 values");
  check_refused(llama + "--devices 8 --zero 4", "--zero", "none of");
  check_refused(llama + "--devices 8 --offload disk", "--offload", "disk");
  check_refused(llama + "--devices 8 --recipe w8a16", "--recipe", "serving");
  check_refused("plan", "", "");
}

TEST_CASE("a search that is interrupted answers with the best so far") {
  // Large enough to be interrupted whatever the machine, and answered at once when it is.
  const auto ran = shell(
      "timeout --preserve-status --signal=INT --kill-after=60 1 '" FLOPLEDGER_PROGRAM
      "' plan train Llama-3.1-405B --device h100-sxm5-80gb --devices 1024,2048,4096,8192,16384,32768 --global-batch "
      "55440 --exhaustive --any-framework --recompute none,selective,full,alternate --recompute-every 1,2,3 "
      "--shard-group 0,8,16,32 --offload nothing,optimizer,weights,activations,optimizer+weights --context-exchange "
      "ring,all-to-all");
  CHECK(ran.status == 0);
  CHECK(ran.out.find("Stopped: the best so far.") != std::string::npos);
}
