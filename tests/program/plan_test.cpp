// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <cmath>
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

TEST_CASE("plan train --diff says of two plans, and of each member between them, what report train says") {
  const std::string job = "Llama-3.1-8B --device h100-sxm5-80gb ", batch = " --global-batch 64 --sequence 4096 ";
  const auto found =
      run("plan train " + job + "--devices 16" + batch +
          "--diff 'tensor=2 micro-batch=2 zero=1' --diff 'tensor=4 pipeline=2 zero=1 no-sequence-parallel' "
          "--json")
          .json();
  const auto check = [&](const nlohmann::json& one, const std::string& options) {
    const auto report = run("report " + job + "train" + batch + options + " --json").json();
    CHECK(one["step_seconds"] == report["time"]["step_seconds"]);
    CHECK(one["fits"] == report["memory"]["fits"]);
    CHECK(one["memory_bytes"].get<double>() <= report["memory"]["total_bytes"].get<double>());  // rounded up there
    double sum = 0;
    for (const auto& part : one["parts_seconds"]) sum += part.get<double>();
    CHECK(std::abs(sum / one["step_seconds"].get<double>() - 1) < 1e-12);
  };
  check(found["a"], "--data 8 --tensor 2 --micro-batch 2 --zero 1");
  check(found["b"], "--data 2 --tensor 4 --pipeline 2 --zero 1 --no-sequence-parallel");
  const auto& alone = found["changed_alone"];
  REQUIRE(alone.size() == 4);
  CHECK(alone[0]["member"] == "tensor");
  check(alone[0]["plan"], "--data 4 --tensor 4 --micro-batch 2 --zero 1");
  CHECK(alone[1]["member"] == "no_sequence_parallel");
  check(alone[1]["plan"], "--data 8 --tensor 2 --micro-batch 2 --zero 1 --no-sequence-parallel");
  CHECK(alone[2]["member"] == "pipeline");
  check(alone[2]["plan"], "--data 4 --tensor 2 --pipeline 2 --micro-batch 2 --zero 1");
  CHECK(alone[3]["member"] == "micro_batch");
  CHECK(alone[3]["to"] == "default");
  check(alone[3]["plan"], "--data 8 --tensor 2 --zero 1");
}

TEST_CASE("plan train --diff answers where one member alone cannot be, and refuses what is no plan") {
  const std::string diff = llama + "--devices 16 --diff 'pipeline=1' ";
  const auto found = run(diff + "--diff 'pipeline=2 interleave=4' --json").json();
  CHECK(found["changed_alone"][1]["member"] == "interleave");
  CHECK(found["changed_alone"][1]["plan"].is_null());
  CHECK(found["changed_alone"][1]["refused"].get<std::string>().find("--interleave") != std::string::npos);
  check_refused(diff, "--diff", "two plans");
  check_refused(diff + "--diff data=16", "--diff", "follows from --devices");
  check_refused(diff + "--diff 'tensor=2 tensor=4'", "--diff", "twice");
  check_refused(diff + "--diff tensor", "--tensor", "needs a value");
  check_refused(diff + "--diff tensor=3", "--devices", "do not divide");
  check_refused(llama + "--devices 8,16 --diff tensor=1 --diff tensor=2", "--devices", "one number");
}

TEST_CASE("plan train of least energy draws 700 W while it computes and the idle power for the rest") {
  const std::string asked = llama + "--devices 8,16 --top 2 --json --idle-power 100 ";
  const auto least = run(asked + "--goal least-energy").json()["best"], fastest = run(asked).json()["best"];
  for (const nlohmann::json& one : {least[0], least[1], fastest[0]}) {
    const auto number = [&](const char* in, const char* key) { return one[in][key].get<double>(); };
    const double devices =
        number("plan", "data") * number("plan", "tensor") * number("plan", "pipeline") * number("plan", "context");
    const double computes = number("parts_seconds", "kernels") + number("parts_seconds", "recompute") +
                            number("parts_seconds", "optimizer");
    const double waits = one["step_seconds"].get<double>() - computes;
    CHECK(one["step_joules"].get<double>() == Approx(devices * (700 * computes + 100 * waits)));
  }
  CHECK(least[0]["step_joules"] <= least[1]["step_joules"]);
  CHECK(least[0]["step_joules"] <= fastest[0]["step_joules"]);
  check_refused(llama + "--devices 8 --goal least-energy", "--goal", "--idle-power");
  check_refused(llama + "--devices 8 --idle-power 800", "--idle-power", "700");
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
