// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <string>

#include "catch.hpp"
#include "run_program.hpp"

using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using program_test::check_refused;
using program_test::run;

namespace {

const std::string step = " Llama-3.1-8B --device h100-sxm5-80gb --devices 8 --global-batch 64 --sequence 8192 ";

}  // namespace

TEST_CASE("mfu --json has the work, the rate, the peak and their quotient") {
  const auto ran = run("mfu" + step + "--step-time 8.0 --precision bf16 --json");
  REQUIRE(ran.status == 0);
  const auto json = ran.json();
  const double work = json["model_flops_per_step"], achieved = json["achieved_flop_per_second"],
               peak = json["peak_flop_per_second"], mfu = json["mfu"];
  const auto count = run("count Llama-3.1-8B --batch 64 --sequence 8192 --json").json();
  CHECK_THAT(work, WithinRel(count["training_step_matmul_flops"].get<double>(), 1e-12));
  CHECK_THAT(achieved, WithinRel(work / 8, 1e-12));
  CHECK(peak == 8 * 989.4e12);
  CHECK_THAT(mfu, WithinRel(achieved / peak, 1e-12));
  CHECK(json["hfu"] == json["mfu"]);
  CHECK(json["convention"] == "model-flops");
}

TEST_CASE("mfu: products of two precisions are compared with a peak weighted by FLOPs") {
  const std::string fp8 = "mfu" + step + "--step-time 6 --precision fp8 --json";
  const auto plain = run(fp8).json(), weighted = run(fp8 + " --attention-precision bf16").json();
  CHECK(plain["attention_precision"] == "fp8");
  CHECK(weighted["attention_precision"] == "bf16");
  CHECK(weighted["model_flops_per_step"] == plain["model_flops_per_step"]);
  // Llama-3.1-8B, a token: 32 blocks' matrices in FP8; head and attention (full, 8192 keys) in BF16.
  const double narrow = 32 * (2 * 4096.0 * 4096 + 2 * 4096.0 * 1024 + 3 * 4096.0 * 14336),
               wide = 4096.0 * 128256 + 32 * 2 * 8192.0 * 4096;
  const double expected = 8 * (narrow + wide) / (narrow / 1978.9e12 + wide / 989.4e12);
  CHECK_THAT(weighted["peak_flop_per_second"].get<double>(), WithinRel(expected, 1e-3));
  CHECK(weighted["mfu"] > plain["mfu"]);
  const auto same = run("mfu" + step + "--step-time 8 --precision bf16 --attention-precision bf16 --json").json();
  CHECK_THAT(same["peak_flop_per_second"].get<double>(), WithinRel(8 * 989.4e12, 1e-9));
  check_refused("mfu" + step + "--step-time 8 --precision bf16 --attention-precision fp6", "no dense", "fp6");
}

TEST_CASE("mfu: recompute counts for HFU alone, and a convention changes the numerator alone") {
  const auto full = run("mfu" + step + "--step-time 9 --precision bf16 --recompute full --json").json();
  const auto none = run("mfu" + step + "--step-time 9 --precision bf16 --json").json();
  CHECK(full["mfu"] == none["mfu"]);
  CHECK(full["hfu"] > full["mfu"]);
  CHECK(run("mfu" + step + "--step-time 9 --precision bf16 --recompute selective --json").json()["hfu"] < full["hfu"]);
  const auto palm = run("mfu" + step + "--step-time 9 --precision bf16 --convention A --json").json();
  CHECK(palm["convention"] == "palm");
  CHECK(palm["peak_flop_per_second"] == none["peak_flop_per_second"]);
  const auto counted = run("count Llama-3.1-8B --batch 64 --sequence 8192 --convention palm --json").json();
  CHECK_THAT(palm["model_flops_per_step"].get<double>(),
             WithinRel(counted["convention"]["flops"].get<double>(), 1e-12));
}

TEST_CASE("mfu: above 1 and other impossible questions end with 2 and one line") {
  check_refused("mfu" + step + "--step-time 3 --precision bf16", "MFU would be 1.2", "above 1");
  check_refused("mfu" + step + "--step-time 0 --precision bf16", "--step-time", "0");
  check_refused("mfu" + step + "--step-time -1 --precision bf16", "--step-time");
  check_refused("mfu" + step + "--step-time nan --precision bf16", "--step-time", "nan");
  check_refused("mfu" + step + "--step-time 8s --precision bf16", "--step-time", "8s");
  check_refused("mfu" + step + "--step-time 8 --precision bf17", "--precision", "bf16");
  check_refused("mfu" + step + "--step-time 8 --precision fp4", "fp4", "published");
  check_refused("mfu" + step + "--step-time 8", "--precision is required");
  check_refused("mfu" + step + "--precision bf16", "--step-time is required");
  check_refused("mfu" + step + "--step-time 8 --precision bf16 --convention thop", "forward pass alone");
  check_refused("mfu" + step + "--step-time 8 --precision bf16 --convention plam", "plam", "palm");
  check_refused("mfu Llama-3.1-8B --device h100 --step-time 1 --sequence 1 --precision bf16", "h100-sxm5-80gb");
}

TEST_CASE("above 1 by the full square alone, the causal triangle is suggested, of mfu and of explain") {
  const std::string device = " Llama-3.1-8B --device h100-sxm5-80gb ";
  const std::string lengthy =
      "mfu" + device + "--sequence 1048576 --global-batch 1 --devices 64 --step-time 27 --precision bf16";
  check_refused(lengthy, "MFU would be 1.039: utilisation above 1", "(--convention model-flops-causal: 53.3 %)");
  const auto causal = run(lengthy + " --convention model-flops-causal --json").json();
  CHECK_THAT(causal["mfu"].get<double>(), WithinAbs(0.533, 5e-4));
  CHECK(causal["hfu"] == causal["mfu"]);
  const auto faster =  // above the peak by either count
      run("mfu" + device + "--sequence 1048576 --devices 64 --step-time 13 --precision bf16");
  CHECK(faster.status == 2);
  CHECK(faster.err.find("model-flops-causal") == std::string::npos);

  const std::string long_step = "explain" + device + "--sequence 131072 --global-batch 8 --data 8 --step-time 25";
  check_refused(long_step, "MFU would be 1.331: utilisation above 1", "(--convention model-flops-causal: 78.5 %)");
  const auto explained = run(long_step + " --convention model-flops-causal --json").json();
  CHECK(explained["convention"] == "model-flops-causal");
  CHECK(explained["mfu"] == explained["mfu_causal"]);
  CHECK(explained["mfu"] < 1);
  check_refused("explain" + device + "--step-time 0.1", "the peak of 1 device:");
}

TEST_CASE("mfu: recompute counts its attention as the convention does") {
  const std::string lengthy =
      "mfu Llama-3.1-8B --device h100-sxm5-80gb --sequence 131072 --devices 8 --step-time 9 --precision bf16 "
      "--recompute selective --json --convention ";
  const auto again = [&](const std::string& rule) {
    const auto answer = run(lengthy + rule).json();
    return answer["recomputed_flops_per_step"].get<double>();
  };
  const double n = 131072;
  CHECK_THAT(again("model-flops") / again("model-flops-causal"), WithinRel(n * n / (n * (n + 1) / 2), 1e-9));
}

TEST_CASE("mfu: people see the convention and what others make of it") {
  const auto ran = run("mfu" + step + "--step-time 8 --precision bf16");
  REQUIRE(ran.status == 0);
  for (const char* text : {"model-flops", "989 TFLOP/s", "MFU", "48.0 %", "By other conventions", "6nd"}) {
    INFO(text);
    CHECK(ran.out.find(text) != std::string::npos);
  }
}

TEST_CASE("explain: the causes and the remainder add up to the gap") {
  const std::string plan =
      "explain Llama-3.1-70B --device h100-sxm5-80gb --devices 128 --sequence 8192 --global-batch 128 --data 4 "
      "--tensor 8 --pipeline 4 --zero 1 --recompute selective ";
  for (const std::string took : {"20", "10.5", "6.25"}) {
    INFO(took);
    const auto json = run(plan + "--step-time " + took + " --json").json();
    const double measured = json["measured_seconds"], floor = json["floor_seconds"];
    CHECK(measured == std::stod(took));
    double sum = 0, shares = json["share_of_measured"]["floor"];
    for (const std::string cause : {"recompute", "communication", "bubble", "kernels", "data_loading", "remainder"}) {
      sum += json[cause + "_seconds"].get<double>();
      shares += json["share_of_measured"][cause].get<double>();
    }
    CHECK_THAT(sum, WithinRel(measured - floor, 1e-9));
    CHECK_THAT(json["gap_seconds"].get<double>(), WithinRel(measured - floor, 1e-12));
    CHECK_THAT(shares, WithinAbs(1, 1e-9));
    CHECK_THAT(json["predicted_seconds"].get<double>() + json["remainder_seconds"].get<double>(),
               WithinRel(measured, 1e-9));
    CHECK((json["remainder_seconds"] > 0) == (json["predicted_seconds"] < measured));
  }
  const auto report =
      run("report Llama-3.1-70B --device h100-sxm5-80gb train --sequence 8192 --global-batch 128 --data 4 --tensor 8 "
          "--pipeline 4 --zero 1 --recompute selective --json");
  CHECK(report.json()["time"]["step_seconds"] == run(plan + "--step-time 12 --json").json()["predicted_seconds"]);
  const auto people = run(plan + "--step-time 12");
  for (const char* text : {"floor", "recompute", "bubble", "communication", "remainder", "MFU", "To try"}) {
    INFO(text);
    CHECK(people.out.find(text) != std::string::npos);
  }
}

TEST_CASE("explain: a step below its floor is refused with both numbers") {
  check_refused("explain Llama-3.1-8B --device h100-sxm5-80gb --sequence 8192 --global-batch 64 --step-time 3",
                "3 s is below the floor", "27.27 s");
  check_refused("explain Llama-3.1-8B --device h100-sxm5-80gb", "--step-time is required");
  check_refused("explain Llama-3.1-8B --device h100-sxm5-80gb --devices 8 --step-time 9", "8 devices", "make 1");
}
