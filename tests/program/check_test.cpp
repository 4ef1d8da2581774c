// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <fstream>
#include <string>

#include "catch.hpp"
#include "run_program.hpp"

using program_test::check_refused;
using program_test::run;

namespace {

const std::string weights = FLOPLEDGER_TEST_DATA "/weights/";
const std::string first_shard = weights + "llama/model-00001-of-00002.safetensors";

}  // namespace

TEST_CASE("check finds files that agree with their config.json, whichever way they are named") {
  const std::string shards = first_shard + ' ' + weights + "llama/model-00002-of-00002.safetensors";
  for (const std::string& files :
       {std::string(), weights + "llama", weights + "llama/model.safetensors.index.json", shards}) {
    INFO(files);
    const auto ran = run("check " + weights + "llama " + files + " --json");
    CHECK(ran.status == 0);
    const auto said = ran.json();
    CHECK(said["agrees"] == true);
    CHECK(said["formats_compared"] == true);
    CHECK(said["expected_tensors"] == 21);
    CHECK(said["same_tensors"] == 21);
    CHECK(said["found_bytes"] == 45376);
    CHECK(said["expected_bytes"] == 45376);
    CHECK(said["index_bytes"].is_null() == (files == shards));
    CHECK(said["differences"].empty());
  }
}

TEST_CASE("check ends with 1 where something differs, and says what") {
  const auto ran = run("check " + weights + "llama/config.json " + first_shard);
  CHECK(ran.status == 1);
  CHECK(ran.err.empty());
  CHECK(ran.out.find("10 of 21") != std::string::npos);
  CHECK(ran.out.find("missing") != std::string::npos);
  CHECK(ran.out.find("model.layers.1.mlp.up_proj.weight") != std::string::npos);
  const auto said = run("check " + weights + "llama/config.json " + first_shard + " --json").json();
  CHECK(said["agrees"] == false);
  REQUIRE(said["differences"].size() == 11);
  CHECK(said["differences"][0]["what"] == "missing");
  CHECK(said["differences"][0]["operation"] == "attention.pre_norm");
  CHECK(said["differences"][0]["found"].is_null());
  // Of a model of another size every tensor differs in its shape; a name says nothing of formats.
  const auto other = run("check Llama-3.1-8B " + weights + "llama");
  CHECK(other.status == 1);
  CHECK(other.out.find("and 251 more") != std::string::npos);
  CHECK(other.out.find("formats") != std::string::npos);
}

TEST_CASE("a GGUF file is a model, and is compared with one") {
  const std::string gguf = weights + "llama.gguf";
  const auto counted = run("count " + gguf + " --json").json();
  CHECK(counted["parameters"] == 45376 / 2);
  CHECK(counted["architecture"] == "LlamaForCausalLM");
  // The bytes of its tensors: those of the file behind the header, which @huggingface/gguf 0.4.6 ends at 3552.
  const auto reported = run("report " + gguf + " --device h100-sxm5-80gb --json").json();
  CHECK(reported["weights_bytes"] == 29856 - 3552);
  CHECK(reported["recipe"] == "gguf");
  for (const std::string& models : {gguf, gguf + ' ' + gguf, weights + "llama " + gguf}) {
    INFO(models);
    const auto ran = run("check " + models + " --json");
    CHECK(ran.status == 0);
    CHECK(ran.json()["same_tensors"] == 21);
    CHECK(ran.json()["formats_compared"] == false);
    CHECK(ran.json()["expected_bytes"].is_null());
  }
  CHECK(run("check Mistral-7B-v0.1 " + gguf).status == 1);
  check_refused("count " + weights + "types.gguf", "general.architecture is \"none\"");
  CHECK(run("count nofile.gguf").status == 1);
}

TEST_CASE("files of safetensors stand for the config.json beside them") {
  CHECK(run("count " + first_shard + " --json").json()["parameters"] == 45376 / 2);
  CHECK(run("count " + weights + "llama/model.safetensors.index.json --json").json()["parameters"] == 45376 / 2);
  check_refused("count " + weights + "dtypes.safetensors", "no config.json beside it");
}

TEST_CASE("what cannot be compared ends with 2 and one line") {
  check_refused("check Llama-3.1-8B", "FILES: none is given");
  check_refused("check Llama-3.1-8B nofile.safetensors", "nofile.safetensors: cannot be opened");
  check_refused("check Llama-3.1-8B " + weights + "llama/config.json", "ends in none of .safetensors");
  check_refused("check 'Falcon-7B' " + first_shard, "FalconForCausalLM", "not known here");
  const program_test::scratch_folder scratch;
  check_refused("check Llama-3.1-8B " + scratch.file("x.safetensors", "no header"), "header has a length of");
  check_refused("check Llama-3.1-8B " + scratch.file("x.safetensors.index.json", R"({"weight_map":{"a":"../b"}})"),
                "no file beside the index");
}
