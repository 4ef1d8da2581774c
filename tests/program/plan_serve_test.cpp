// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <string>

#include "catch.hpp"
#include "run_program.hpp"

using Catch::Matchers::WithinRel;
using program_test::check_refused;
using program_test::run;
using program_test::scratch_folder;

namespace {

/// Few requests and one layout, so that a test takes no time.
const std::string small =
    "plan serve Llama-3.1-8B --device h100-sxm5-80gb --requests 300 --tensor 1 --pipeline 1 --sequences 256 --chunk "
    "8192 ";
const std::string limits = "--ttft 500ms --tpot 40ms ";
const std::string load = "--prompt 1000 --output 50 ";

}  // namespace

TEST_CASE("plan serve needs the more devices the more requests come, and the same each time") {
  const auto few = run(small + limits + load + "--rate 10/s --json").json();
  const auto many = run(small + limits + load + "--rate 2400/min --json").json();
  CHECK(few["best"][0]["devices"] < many["best"][0]["devices"]);
  CHECK(many["rate_per_second"] == 40);
  for (const auto* one : {&few, &many}) {
    const auto& best = (*one)["best"][0];
    CHECK(best["first_token_seconds"] <= 0.5);
    CHECK(best["output_token_seconds"] <= 0.04);
    CHECK(best["breaks_at_per_second"] >= (*one)["rate_per_second"]);
    CHECK(best["within_limits"] >= 0.9);
  }
  CHECK(few == run(small + limits + load + "--rate 10 --json").json());
}

TEST_CASE("plan serve reads prompts on devices of their own") {
  const auto apart = run(small + limits + load + "--rate 20/s --prefill apart --json").json();
  const auto& best = apart["best"][0];
  REQUIRE(best["pools"].size() == 2);
  CHECK(best["pools"][0]["serves"] == "prompts");
  CHECK(best["devices"] == best["pools"][0]["devices"].get<int>() + best["pools"][1]["devices"].get<int>());
}

TEST_CASE("plan serve says why it keeps no layout") {
  const auto slow = run(small + load + "--rate 10/s --ttft 1ms --tpot 40ms --json").json();
  CHECK(slow["best"].empty());
  CHECK(slow["layouts"]["refused"]["a request alone breaks the limits"] == 1);
  const auto large =
      run("plan serve Llama-3.1-70B --device h100-sxm5-80gb --rate 1/s --requests 100 --tensor 1 --pipeline 1 " +
          limits + load + "--json")
          .json();
  CHECK(large["layouts"]["refused"]["memory holds no request beside the weights"] == 1);
}

TEST_CASE("plan serve's bill is its devices' hours, whoever pays for them") {
  const auto found = run(small + limits + load + "--rate 20/s --price 2.5 --json").json();
  const auto& best = found["best"][0];
  const double an_hour = best["usd_per_hour"];
  CHECK(an_hour == 2.5 * best["devices"].get<double>());
  const double in = best["usd_per_million_input_tokens"], out = best["usd_per_million_output_tokens"];
  CHECK_THAT(20 * 3600 * (1000 * in + 50 * out) / 1e6, WithinRel(an_hour, 1e-9));
  const scratch_folder scratch;
  const std::string prices = scratch.file(
      "prices.json",
      R"({"provider": "a provider", "date": "2026-11-30", "usd_per_device_hour": {"h100-sxm5-80gb": 2.5}})");
  const auto by_file = run(small + limits + load + "--rate 20/s --price " + prices + " --json").json();
  CHECK(by_file["best"] == found["best"]);
  CHECK(by_file["price_provider"] == "a provider");
  check_refused(small + limits + load + "--rate 20/s --price " +
                    scratch.file("other.json", R"({"provider": "p", "date": "d", "usd_per_device_hour": {}})"),
                "--price", "h100-sxm5-80gb");
  check_refused(small + limits + load + "--rate 20/s --price " + scratch.file("none.json", R"({"provider": "p"})"),
                "--price", "date");
  const auto example =
      run("plan serve Llama-3.1-8B --device h800-sxm5-80gb --requests 300 --tensor 1 --pipeline 1 " + limits + load +
          "--rate 10/s --json --price " FLOPLEDGER_TEST_DATA "/../../examples/prices/deepseek-v3-report.json")
          .json();
  CHECK(example["best"][0]["usd_per_hour"] == 2 * example["best"][0]["devices"].get<double>());
  CHECK(example["price_date"] == "2024-12-27");
}

TEST_CASE("a search of services that is interrupted answers with the best so far") {
  const auto ran = program_test::shell(
      "timeout --preserve-status --signal=INT --kill-after=60 1 '" FLOPLEDGER_PROGRAM
      "' plan serve Llama-3.1-8B --device h100-sxm5-80gb --rate 500/s --prompt 2000 --output 300 --requests 8000 "
      "--prefill both --ttft 500ms --tpot 40ms");
  CHECK(ran.status == 0);
  CHECK(ran.out.find("Stopped: the best so far.") != std::string::npos);
}

TEST_CASE("plan serve takes a trace, as a table and as lines") {
  std::string table = "time,prompt,output\n", lines;
  for (int i = 0; i < 200; ++i) {
    const std::string at = std::to_string(0.1 * i);
    table += at + ",1000,50\n";
    lines += R"({"time": )" + at + R"(, "prompt": 1000, "output": 50})" + '\n';
  }
  const scratch_folder scratch;
  const std::string csv = scratch.file("trace.csv", table), jsonl = scratch.file("trace.jsonl", lines);
  const auto one = run(small + limits + "--json --trace " + csv).json();
  CHECK(one == run(small + limits + "--json --trace " + jsonl).json());
  CHECK_THAT(one["rate_per_second"].get<double>(), WithinRel(10.0, 1e-6));
  CHECK(run(small + limits + "--json --rate 80/s --trace " + csv).json()["best"][0]["devices"] >
        one["best"][0]["devices"]);
  const auto broken = run(small + limits + "--trace " + scratch.file("broken.csv", "time,prompt,output\n0,1,x\n"));
  CHECK(broken.status == 1);
  CHECK(broken.err.find("line 2: output: \"x\"") != std::string::npos);
}

TEST_CASE("plan serve names what it cannot be asked") {
  check_refused(small + load + "--rate 10/s --tpot 40ms", "--ttft", "required");
  check_refused(small + load + limits, "--rate", "required");
  check_refused(small + load + limits + "--rate ten/s", "--rate", "50/s");
  check_refused(small + load + "--rate 10/s --ttft 500 --tpot 40ms", "--ttft", "500ms");
  check_refused(small + limits + "--rate 10/s --prompt normal:5", "--prompt", "lognormal");
  check_refused(small + load + limits + "--rate 10/s --percentile 101", "--percentile");
  check_refused("plan serve BERT-base-uncased --device h100-sxm5-80gb --rate 1/s " + limits, "cache", "");
}
