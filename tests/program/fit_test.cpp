// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <algorithm>
#include <string>

#include "run_program.hpp"

using namespace program_test;

namespace {

nlohmann::json row_of(const nlohmann::json& rows, const std::string& recipe, std::int64_t adapter_rank = 0) {
  for (const auto& one : rows)
    if (one["recipe"] == recipe && one.value("adapter_rank", std::int64_t{0}) == adapter_rank) return one;
  FAIL("no row of " << recipe);
  return {};
}

}  // namespace

TEST_CASE("fit: Qwen2.5-32B on an RTX 4090 fits in 4 bits alone") {
  const auto served = run("fit Qwen2.5-32B --device rtx-4090 --json serve").json();
  CHECK(served["fits"] == false);
  CHECK(served["would_fit"] == nlohmann::json({"w4a16"}));
  CHECK(row_of(served["formats"], "bf16")["fewest_devices"] == 4);
  const result text = run("fit Qwen2.5-32B --device rtx-4090");
  CHECK(text.out.find("would fit: w4a16\n") != std::string::npos);
  CHECK(text.out.find("Training Qwen2.5-32B") != std::string::npos);
}

TEST_CASE("fit serve: what it says fits, report serve finds to fit, and one more not") {
  const std::string board = " --device rtx-4090 ";
  const auto found = run("fit Llama-3.1-8B" + board + "--json serve --context 4096 --concurrency 2").json();
  const auto fits = [&](const std::string& recipe, std::int64_t sequences, std::int64_t context) {
    return run("report Llama-3.1-8B" + board + "--recipe " + recipe + " --json serve --output 1 --concurrency " +
               std::to_string(sequences) + " --prompt " + std::to_string(context - 1))
        .json()["memory"]["fits"]
        .get<bool>();
  };
  for (const std::string recipe : {"bf16", "w8a16", "w4a16"}) {
    INFO(recipe);
    const auto row = row_of(found["formats"], recipe);
    const std::int64_t most = row["max_concurrency"], longest = row["longest_context"];
    CHECK(fits(recipe, most, 4096));
    CHECK(!fits(recipe, most + 1, 4096));
    CHECK(fits(recipe, 2, longest));
    CHECK(!fits(recipe, 2, longest + 1));
  }
}

TEST_CASE("fit train: what it says fits, report train finds to fit") {
  const auto found = run("fit Llama-3.1-8B --device rtx-4090 --json train --sequence 2048").json();
  CHECK(found["fits"] == false);
  CHECK(found["would_fit"] == nlohmann::json({"mixed-bf16, adapters of rank 16, recompute full",
                                              "qlora, adapters of rank 16, recompute full"}));
  const auto row = row_of(found["ways"], "qlora", 16);
  const auto asked = run("report Llama-3.1-8B --device rtx-4090 --recipe qlora --json train --adapter-rank 16 "
                         "--recompute full --sequence 2048 --micro-batch " +
                         std::to_string(row["largest_micro_batch"].get<std::int64_t>()))
                         .json();
  CHECK(asked["memory"]["fits"] == true);
  const auto full = row_of(found["ways"], "mixed-bf16");
  CHECK(full["fewest_devices"] > 1);
}

TEST_CASE("fit: a quantised checkpoint is what it is as it is, and FP8 is offered where products are") {
  const std::string fp8 = FLOPLEDGER_TEST_DATA "/configs/Qwen__Qwen3-32B-FP8-Static-PerTensor.json";
  const auto formats = run("fit " + fp8 + " --device h100-sxm5-80gb --json serve").json()["formats"];
  CHECK(formats[0]["recipe_is_of_the_checkpoint"] == true);
  CHECK(row_of(formats, "w8a8-fp8")["computes_in"] == "fp8_e4m3");
  const auto without_fp8 = run("fit Llama-3.1-8B --device a100-sxm4-80gb --json serve").json()["formats"];
  for (const auto& one : without_fp8) CHECK(one["recipe"] != "w8a8-fp8");
  // Memory needs no peak.
  CHECK(run("fit Llama-3.1-8B --memory 24 --json serve").json()["fits"] == true);
}

TEST_CASE("fit: what cannot be asked is one line") {
  check_refused("fit Llama-3.1-8B serve", "--device is required");
  check_refused("fit Llama-3.1-8B --bandwidth 900 serve", "--memory", "not published");
  check_refused("fit Llama-3.1-8B --device t4 serve --tensor 5", "--tensor", "5");
  check_refused("fit 'ViT-B/16' --device t4 serve", "ViT-B/16", "serving");
}

TEST_CASE("compare: each device as report answers for it, and why where it does not") {
  const auto both = run("compare Llama-3.1-8B --devices h100-sxm5-80gb,apple-m2-ultra --json").json()["devices"];
  REQUIRE(both.size() == 2);
  CHECK(both[0]["serve"] == run("report Llama-3.1-8B --device h100-sxm5-80gb --json serve").json());
  CHECK(both[0]["train"] == run("report Llama-3.1-8B --device h100-sxm5-80gb --json train --data 8 --zero 3").json());
  CHECK(both[0]["refused"].empty());
  CHECK(both[1]["train"].is_null());
  CHECK(both[1]["refused"].size() == 1);
  const std::string line =
      R"({"command": "compare", "model": "Llama-3.1-8B", "devices": ["h100-sxm5-80gb", "apple-m2-ultra"]})";
  CHECK(nlohmann::json::parse(shell("echo '" + line + "' | flopledger batch").out)["devices"] == both);
  check_refused("compare Llama-3.1-8B --devices h100-sxm5-80gb,none-such", "--device", "none-such");
}

TEST_CASE("fp8 is an FP8 checkpoint for a model that serves, and its products alone in training") {
  // A checkpoint of Llama-3.1-8B with its blocks in FP8 is 8.46 GiB.
  const auto served = run("report Llama-3.1-8B --device h100-sxm5-80gb --recipe fp8 --json serve").json();
  CHECK(served["memory"]["weights_bytes"] == 6'979'321'856 + 2 * 1'050'939'392);
  CHECK(served["recipe"] == "w8a8-fp8");
  const auto trained = run("report Llama-3.1-8B --device h100-sxm5-80gb --recipe fp8 --json train").json();
  CHECK(trained["recipe"] == "fp8");
  CHECK(trained["memory"]["weights_bytes"] == 2 * 8'030'261'248);
  check_refused("report Llama-3.1-8B --device h100-sxm5-80gb --recipe w8a8-fp8 train", "w8a8-fp8", "serving");
}
