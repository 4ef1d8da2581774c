// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// `flopledger reconcile` as a user runs it.

#ifdef FLOPLEDGER_PROGRAM
#include "../program/run_program.hpp"
#include "profiles.hpp"

using program_test::result;
using program_test::run;

namespace {

std::string given(const std::string& name) { return "'" + test::path_of(name) + "'"; }

void refused(const std::string& arguments, int status, const std::string& what) {
  CAPTURE(arguments);
  const result r = run("reconcile " + arguments);
  CHECK(r.status == status);
  CHECK(r.out.empty());
  CHECK(r.err.find(what) != std::string::npos);
  CHECK(r.err.find('\n') == r.err.size() - 1);
}

}  // namespace

TEST_CASE("reconcile prints the join for people and for programs") {
  const std::string asked = "reconcile --trace " + given("gpt2.trace.json") + ' ' + given("gpt2.config.json") +
                            " --batch 2 --sequence 16 --pass forward_backward";
  const result people = run(asked);
  CHECK(people.status == 0);
  for (const char* part : {"attention.scores", "by shape", "coverage", "remainder", "100.0 %", "assumed"})
    CHECK(people.out.find(part) != std::string::npos);
  const result programs = run(asked + " --json");
  REQUIRE(programs.status == 0);
  const nlohmann::json answer = programs.json();
  CHECK(answer.at("ledger_matmul_flops") == test::flops_counted("gpt2.flops.json"));
  CHECK(answer.at("matched_matmul_flops") == answer.at("shaped_matmul_flops"));
  CHECK(answer.at("mfu").is_null());
  CHECK(answer.at("basis") == "host");
  CHECK(answer.at("unexplained").empty());
  double shares = 0;
  for (const nlohmann::json& one : answer.at("activities")) shares += one.at("share").get<double>();
  CHECK_THAT(shares, test::near(1));
}

TEST_CASE("reconcile with a device: floors, MFU, fused attention, one's own rule") {
  const std::string asked = "reconcile " + given("llama.config.json") + " --trace " + given("gpu.trace.json") +
                            " --batch 2 --sequence 12 --device a100-sxm4-80gb --json";
  const nlohmann::json answer = run(asked).json();
  CHECK_THAT(answer.at("idle_share").get<double>(), test::near(0.35));
  CHECK(answer.at("mfu").get<double>() > 0);
  CHECK(answer.at("steps_assumed") == false);
  CHECK(answer.at("unexplained").size() == 2);
  CHECK(run(asked + " --rule 'my_secret*=copy'").json().at("unexplained").size() == 1);
  const nlohmann::json two =
      run("reconcile " + given("llama.config.json") + " --batch 2 --sequence 12 --json --trace " +
          given("mindspore_op_statistic.csv") + " --trace " + given("mindspore_step_trace_time.csv"))
          .json();
  CHECK_THAT(two.at("idle_share").get<double>(), test::near(0.26));
}

TEST_CASE("reconcile refuses in one line what is no profile, and what does not fit the model") {
  const std::string model = given("llama.config.json");
  refused(model + " --trace /nowhere/trace.json", 1, "/nowhere/trace.json: cannot be opened");
  refused(model + " --trace " + given("README.md"), 2, "README.md: line 1: the columns are not those");
  refused(model + " --trace " + given("llama.config.json"), 2, "no traceEvents");
  refused(model + " --trace " + given("plain.csv") + " --format nsys", 2, "not those of nsys");
  refused(model + " --trace " + given("plain.csv") + " --rule x=y", 2, "PATTERN=KIND");
  refused(model + " --trace " + given("plain.csv") + " --steps 0", 2, "--steps");
  refused(model + " --trace " + given("mindspore_step_trace_time.csv"), 2, "second --trace");
  refused(model + " --trace " + given("gpu.trace.json") + " --device a100-sxm4-80gb --steps 1000000000", 2,
          "above the device's peak");
  const program_test::scratch_folder scratch;
  const std::string whole = test::content_of("gpu.trace.json");
  refused(model + " --trace '" + scratch.file("cut.json", std::string_view(whole).substr(0, whole.size() / 2)) + "'", 2,
          "cut short");
  refused(model + " --trace '" + scratch.file("empty.json", "") + "'", 2, "empty.json: empty");
}
#endif
