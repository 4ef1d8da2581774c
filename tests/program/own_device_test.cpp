// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <string>

#include "run_program.hpp"

using namespace program_test;

namespace {

const std::string of_a_model = "report Llama-3.1-8B --json ";

nlohmann::json served_on(const std::string& device, const std::string& model = "Llama-3.1-8B") {
  const result ran = run("report " + model + ' ' + device + " --json serve");
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  return ran.json();
}

}  // namespace

TEST_CASE("a board is described by options, by a file, by an object or over one of the catalogue") {
  const scratch_folder scratch;
  const std::string file =
      scratch.file("mine.json", R"({"memory": 32, "bandwidth": 1792, "peak": {"bf16": 209.5}, "power": 575})");
  const auto by_options = served_on("--memory 32 --bandwidth 1792 --peak bf16=209.5 --power 575");
  auto by_file = served_on("--device " + file);
  CHECK(by_options["device"] == "own-board");
  CHECK(by_file["device"] == "mine");
  CHECK(by_file["memory"] == by_options["memory"]);
  CHECK(by_file["time"] == by_options["time"]);
  CHECK(by_file["memory"]["device_bytes"] == 32LL << 30);
  CHECK(served_on(R"(--device '{"memory": 32, "bandwidth": 1792, "bf16_flop_per_second": 2.095e14}')")["time"] ==
        by_file["time"]);
  const auto over = served_on(R"(--device '{"base": "h100-sxm5-80gb", "memory": 141}')");
  CHECK(over["device"] == "h100-sxm5-80gb");
  CHECK(over["time"] == served_on("--device h100-sxm5-80gb")["time"]);
  CHECK(over == served_on("--device h100-sxm5-80gb --memory 141"));
  CHECK(served_on("--memory 16 --device " + file)["memory"]["device_bytes"] == 16LL << 30);
  // In a request the same keys hold the same.
  const std::string line = R"({"command": "report", "job": "serve", "model": "Llama-3.1-8B", "memory": 32, )"
                           R"("bandwidth": 1792, "peak": {"bf16": 209.5}, "power": 575})";
  CHECK(nlohmann::json::parse(shell("echo '" + line + "' | flopledger batch").out) == by_options);
}

TEST_CASE("what `devices --json` prints of a device is a device") {
  const scratch_folder scratch;
  for (const std::string id : {"h100-sxm5-80gb", "b200-sxm", "apple-m2-ultra", "ascend-310p3", "trainium2"}) {
    const auto printed = run("devices " + id + " --json").json()["devices"][0];
    REQUIRE(printed["id"] == id);
    const std::string file = scratch.file(id + ".json", printed.dump());
    CHECK(run(of_a_model + "--device " + file).json() == run(of_a_model + "--device " + id).json());
  }
}

TEST_CASE("memory, cache and bandwidth answer where no peak is known, and nothing is predicted") {
  const auto without_peak = served_on("--memory 24 --bandwidth 936");
  const auto with_peak = served_on("--memory 24 --bandwidth 936 --peak bf16=71");
  CHECK(without_peak["memory"] == with_peak["memory"]);
  CHECK(without_peak["time"]["time_per_output_token_seconds"].is_null());
  // 16,060,522,496 bytes of weights less the embedding's table, which a token reads one row of.
  const double floor = without_peak["time"]["time_per_output_token_floor_seconds"];
  CHECK(floor > (16'060'522'496.0 - 1'050'673'152.0) / 936e9);
  CHECK(floor <= with_peak["time"]["time_per_output_token_floor_seconds"]);
  const auto without_any = served_on("--memory 24");
  CHECK(without_any["memory"] == with_peak["memory"]);
  CHECK(without_any["time"]["time_to_first_token_floor_seconds"].is_null());
  const auto trained = run("report Llama-3.2-1B --memory 24 --json train").json();
  CHECK(trained["memory"]["fits"].is_boolean());
  CHECK(trained["time"].is_null());
  const auto pass = run(of_a_model + "--memory 24 --bandwidth 936").json();
  CHECK(pass["peak_flop_per_second"].is_null());
  CHECK(pass["floor_compute_seconds"].is_null());
  CHECK(pass["floor_seconds"] == pass["floor_bandwidth_seconds"]);
  const result text = run("report Llama-3.1-8B --memory 24 serve");
  CHECK(text.out.find("--peak bf16=TFLOP/s") != std::string::npos);
  CHECK(text.out.find("--bandwidth") != std::string::npos);
}

TEST_CASE("narrow weights are widened to what a device computes in") {
  CHECK(served_on("--device t4 --recipe w4a16")["computes_in"] == "fp16");
  CHECK(served_on("--device v100-sxm2-32gb --recipe w8a16")["computes_in"] == "fp16");
  CHECK(served_on("--device ascend-310p --recipe w4a16")["computes_in"] == "fp16");
  CHECK(served_on("--device a100-sxm4-80gb --recipe w4a16")["computes_in"] == "bf16");
  CHECK(served_on("--device apple-m2-ultra --recipe w4a16")["computes_in"] == "fp32");
  const auto adapted = run("report Llama-3.1-8B --device t4 --recipe qlora --json train --adapter-rank 8").json();
  CHECK(adapted["computes_in"] == "fp16");
  CHECK(adapted["time"]["step_seconds"] > 0);
  // An FP8 checkpoint on boards before Hopper runs as W8A16.
  const std::string fp8 = FLOPLEDGER_TEST_DATA "/configs/Qwen__Qwen3-32B-FP8-Static-PerTensor.json";
  const auto old_board = served_on("--device a100-sxm4-80gb", fp8),
             new_board = served_on("--device h100-sxm5-80gb", fp8);
  CHECK(old_board["computes_in"] == "bf16");
  CHECK(new_board["computes_in"] == "fp8_e4m3");
  CHECK(old_board["memory"]["weights_bytes"] == new_board["memory"]["weights_bytes"]);
  CHECK(old_board["time"]["time_per_output_token_seconds"] > 0);
}

TEST_CASE("a board that cannot be is one line with what is wrong") {
  const auto refused = [](const std::string& arguments) { return run("report Llama-3.1-8B " + arguments).err; };
  CHECK(refused("") == "flopledger: --device is required: a name, or a board by --memory, --bandwidth and --peak\n");
  CHECK(refused(R"(--device '{"base": "t4", "memry": 3}')") ==
        "flopledger: --device: memry: a device has no such figure; the closest: memory\n");
  CHECK(refused(R"(--device '{"memory": -3}')") == "flopledger: --device: memory: -3 is no number above 0\n");
  CHECK(refused(R"(--device '{"bf16_flop_per_second": "x"}')") ==
        "flopledger: --device: bf16_flop_per_second: \"x\" is no number above 0\n");
  CHECK(refused(R"(--device '{"peak": {"bf17": 1}}')").starts_with("flopledger: --device: peak: \"bf17\" is none of "));
  check_refused("report Llama-3.1-8B --device t4 --peak bf16", "--peak", "no FORMAT=TFLOP/s");
  check_refused("report Llama-3.1-8B --device t4 --memory 0", "--memory", "is not between");
  const scratch_folder scratch;
  const result missing = run("report Llama-3.1-8B --device " + scratch.file("none.json"));
  CHECK(missing.status == 1);
  CHECK(missing.err.find("cannot be opened") != std::string::npos);
}
