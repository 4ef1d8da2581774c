// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <string>

#include "run_program.hpp"

using namespace program_test;

namespace {

const std::string trained = "report Llama-3.1-8B --device h100-sxm5-80gb --json train --data 8 --tensor 2 --zero 1 ";
const std::string served = "report Llama-3.1-8B --device h100-sxm5-80gb --json serve ";

std::string refusal_of(const std::string& arguments) {
  const result ran = run(arguments);
  CHECK(ran.status != 0);
  CHECK(ran.out.empty());
  return ran.err;
}

}  // namespace

TEST_CASE("a framework with members changed answers as one with the options for them") {
  const auto by_options = run(trained + "--framework nemo_bridge --overlap tensor=50,data=0 --data-loading 20").json();
  const auto by_object = run(trained + R"(--framework '{"base": "nemo_bridge", "data_loading": 0.02,
      "overlap": {"tensor": 0.5, "data": {"value": 0, "standing": "measured", "source": "a profile"}}}')")
                             .json();
  CHECK(by_object["time"] == by_options["time"]);
  CHECK(by_object["memory"] == by_options["memory"]);
  CHECK(by_object["plan"]["framework"] == "nemo_bridge");
  CHECK(by_object["plan"]["changed_members"] == nlohmann::json({"data_loading", "overlap.tensor", "overlap.data"}));
  CHECK(by_options["plan"]["changed_members"].empty());
}

TEST_CASE("a file says what an object says, and an option beside it wins") {
  const scratch_folder scratch;
  const std::string file = scratch.file("ours.json", R"({"a_pass": 0.001, "chunk": 512, "layout": "contiguous"})");
  const auto by_file = run(served + "--engine " + file).json();
  CHECK(by_file == run(served + R"(--engine '{"a_pass": 1e-3, "chunk": 512, "layout": "contiguous"}')").json());
  CHECK(by_file["time"] == run(served + "--pass-time 1 --chunk 512 --kv-layout contiguous").json()["time"]);
  CHECK(run(served + "--chunk 256 --engine " + file).json()["load"]["chunk"] == 256);
  const std::string request = R"({"command": "report", "job": "serve", "model": "Llama-3.1-8B", "device":
      "h100-sxm5-80gb", "engine": {"a_pass": 0.001, "chunk": 512, "layout": "contiguous"}})";
  std::string line = request;
  std::erase(line, '\n');
  CHECK(nlohmann::json::parse(shell("echo '" + line + "' | flopledger batch").out) == by_file);
}

TEST_CASE("a member that is none, or has a value that it cannot have, is one line with both") {
  const std::string of = "flopledger: --framework: ";
  const auto refused = [](const std::string& object) { return refusal_of(trained + "--framework '" + object + "'"); };
  CHECK(refused(R"({"fragmentaton": 0.1})") ==
        of + "fragmentaton: a framework has no such member; the closest: fragmentation\n");
  CHECK(refused(R"({"fragmentation": "much"})") == of + "fragmentation: \"much\" is no number\n");
  CHECK(refused(R"({"overlap": {"tensor": 1.5}})") == of + "overlap.tensor: 1.5 is not between 0 and 1\n");
  CHECK(refused(R"({"overlap": 1})") == of + "overlap: a framework has no such member\n");
  CHECK(refused(R"({"workspace": -1})") == of + "workspace: -1 is below 0\n");
  CHECK(refused(R"({"fp32_gradients": 1})") == of + "fp32_gradients: 1 is neither true nor false\n");
  CHECK(refused(R"({"loss": "fast"})") == of + "loss: \"fast\" is none of chunked, eager, explicit, fused\n");
  CHECK(refused(R"({"casts": {"value": 1, "standing": "certain"}})") ==
        of + "casts.standing: \"certain\" is none of assumed, from code, measured\n");
  CHECK(refused(R"({"casts": {"value": 1, "note": "?"}})") ==
        of + "casts.note: \"?\" is beside value, standing and source\n");
  CHECK(refused(R"({"base": "megatron", "casts": 1})").starts_with(of + "base: \"megatron\" is none of "));
  CHECK(refused(R"({"base": 1})") == of + "base: 1 is no name\n");
  CHECK(refused(R"({"casts": 1, "casts": 2})") == of + "casts is given twice\n");
  CHECK(refused(R"({"casts": )") == of + "no JSON from byte 11 on\n");
}

TEST_CASE("a file that is none is told by its name") {
  const scratch_folder scratch;
  const std::string list = scratch.file("list.json", "[1]"), none = scratch.file("none.json");
  CHECK(refusal_of(served + "--engine " + list) == "flopledger: --engine: " + list + ": holds no object of members\n");
  CHECK(refusal_of(served + "--engine " + none).starts_with("flopledger: --engine: " + none + ": cannot be opened"));
}

TEST_CASE("a request's error about a member has the object that was given") {
  const std::string line =
      R"({"command": "report", "job": "train", "model": "Llama-3.1-8B", "device": "h100-sxm5-80gb", )"
      R"("framework": {"overlap": {"data": 7}}})";
  const auto error = nlohmann::json::parse(shell("echo '" + line + "' | flopledger batch").out)["error"];
  CHECK(error["message"] == "--framework: overlap.data: 7 is not between 0 and 1");
  CHECK(error["field"] == "framework");
  CHECK(error["value"] == nlohmann::json::parse(R"({"overlap": {"data": 7}})"));
}
