// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <algorithm>
#include <cstdint>
#include <string>

#include "catch.hpp"
#include "run_program.hpp"

using program_test::run;
using program_test::scratch_folder;

namespace {

// Llama-3.1-8B by hand: the products of a layer, of its attention with itself, and of the head.
constexpr std::int64_t layer_weights = 2 * 4096 * 4096 + 2 * 4096 * 1024 + 3 * 4096 * 14336;
constexpr std::int64_t head_weights = 4096LL * 128256;
constexpr std::int64_t macs(std::int64_t tokens, std::int64_t pairs, std::int64_t head_tokens) {
  return 32 * (tokens * layer_weights + 2 * 32 * 128 * pairs) + head_tokens * head_weights;
}

constexpr const char* config_json = R"({
  "architectures": ["LlamaForCausalLM"], "model_type": "llama", "torch_dtype": "bfloat16",
  "hidden_size": 4096, "intermediate_size": 14336, "max_position_embeddings": 131072,
  "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8,
  "vocab_size": 128256, "tie_word_embeddings": false, "hidden_act": "silu", "rms_norm_eps": 1e-05
})";

}  // namespace

TEST_CASE("count --json has every key, and counts are integers in full") {
  const auto ran = run("count Llama-3.1-8B --batch 2 --sequence 1024 --json");
  REQUIRE(ran.status == 0);
  CHECK(ran.err.empty());
  const auto json = ran.json();
  CHECK(json["model"] == "Llama-3.1-8B");
  CHECK(json["batch"] == 2);
  CHECK(json["sequence"] == 1024);
  CHECK(json["attention"] == "full");
  CHECK(json["parameters"] == 8030261248);
  CHECK(json["active_parameters"] == 8030261248);
  CHECK(json["embedding_parameters"] == 525336576);
  const std::int64_t expected = macs(2048, 2 * 1024 * 1024, 2048);
  CHECK(json["forward_macs"] == expected);
  CHECK(json["forward_matmul_flops"] == 2 * expected);
  CHECK(json["training_step_matmul_flops"] == 6 * expected);
  CHECK(json["forward_elementwise_flops"].is_number_integer());
  CHECK_FALSE(json.contains("context"));
  CHECK_FALSE(json.contains("rounded"));
  CHECK(ran.out.find("\"parameters\": 8030261248,") != std::string::npos);
}

TEST_CASE("operations have the numbers of one instance, and repeat says how many there are") {
  for (const std::string model : {"Llama-3.1-8B", "Mixtral-8x7B", "DeepSeek-V3", "Gemma-3-4B", "T5-base", "Jamba-v0.1",
                                  "Whisper-tiny", "BERT-base-uncased", "\"CLIP ViT-B/32\""}) {
    INFO(model);
    const auto ran = run("count " + model + " --sequence 64 --images 0 --json");
    REQUIRE(ran.status == 0);
    const auto json = ran.json();
    std::int64_t parameters = 0, active = 0, multiplied = 0, flops = 0, elementwise = 0;
    for (const auto& operation : json["operations"]) {
      const auto repeat = operation["repeat"].get<std::int64_t>();
      parameters += repeat * operation["parameters"].get<std::int64_t>();
      active += repeat * operation["active_parameters"].get<std::int64_t>();
      multiplied += repeat * operation["macs"].get<std::int64_t>();
      flops += repeat * operation["matmul_flops"].get<std::int64_t>();
      elementwise += repeat * operation["elementwise_flops"].get<std::int64_t>();
      CHECK(operation["name"].is_string());
      CHECK(operation["kind"].is_string());
      CHECK((operation["shape"].is_null() || operation["shape"].size() == 4));
    }
    CHECK(parameters == json["parameters"]);
    CHECK(active == json["active_parameters"]);
    CHECK(multiplied == json["forward_macs"]);
    CHECK(flops == json["forward_matmul_flops"]);
    CHECK(elementwise == json["forward_elementwise_flops"]);
  }
}

TEST_CASE("each attention counting has its name and its number") {
  const auto with = [](const std::string& counting) {
    return run("count Llama-3.1-8B --sequence 1024 --json --attention " + counting).json();
  };
  CHECK(with("full")["forward_macs"] == macs(1024, 1024 * 1024, 1024));
  CHECK(with("causal")["forward_macs"] == macs(1024, 1024 * 1025 / 2, 1024));
  CHECK(with("half")["forward_macs"] == macs(1024, 1024 * 1024 / 2, 1024));
  CHECK(with("half")["attention"] == "half");
}

TEST_CASE("with --context it is a decode step: one new token attends to all that is cached and to itself") {
  const auto json = run("count Llama-3.1-8B --batch 3 --context 999 --json").json();
  CHECK(json["sequence"] == 1);
  CHECK(json["context"] == 999);
  CHECK(json["forward_macs"] == macs(3, 3 * 1000, 3));
  CHECK(json["training_step_matmul_flops"].is_null());
}

TEST_CASE("with --head last it computes the logits of one token a sequence") {
  const auto json = run("count Llama-3.1-8B --batch 2 --sequence 512 --head last --json").json();
  CHECK(json["forward_macs"] == macs(1024, 2 * 512 * 512, 2));
}

TEST_CASE("with --products strict it counts one addition less for each element of a product") {
  const auto json = run("count Llama-3.1-8B --sequence 512 --products strict --json").json();
  std::int64_t elements = 0;
  for (const auto& operation : json["operations"]) {
    const auto& shape = operation["shape"];
    if (!shape.is_null())
      elements += operation["repeat"].get<std::int64_t>() * shape["batch"].get<std::int64_t>() *
                  shape["m"].get<std::int64_t>() * shape["n"].get<std::int64_t>();
  }
  CHECK(json["forward_matmul_flops"] == 2 * json["forward_macs"].get<std::int64_t>() - elements);
}

TEST_CASE("a count beyond 2^53 is said to be rounded, never passed off as exact") {
  const auto json = run("count Llama-3.1-8B --batch 1000000 --sequence 1000000 --json").json();
  CHECK(json["forward_macs"].is_number_float());
  CHECK(json["parameters"] == 8030261248);
  const auto& rounded = json["rounded"];
  CHECK(std::find(rounded.begin(), rounded.end(), "forward_macs") != rounded.end());
  CHECK(std::find(rounded.begin(), rounded.end(), "parameters") == rounded.end());
  CHECK(run("count Llama-3.1-8B --batch 1000000 --sequence 1000000").out.find("(rounded)") != std::string::npos);
}

TEST_CASE("a config.json, the folder it lies in and the zoo give the same books") {
  const scratch_folder scratch;
  const std::string path = scratch.file("config.json", config_json);
  auto of_file = run("count '" + path + "' --json").json();
  auto of_folder = run("count '" + scratch.file("") + "' --json").json();
  auto of_zoo = run("count llama-3.1-8b --json").json();
  CHECK(of_file["model"] == path);
  CHECK(of_zoo["model"] == "Llama-3.1-8B");
  of_file.erase("model");
  of_folder.erase("model");
  of_zoo.erase("model");
  CHECK(of_file == of_zoo);
  CHECK(of_folder == of_zoo);
}

TEST_CASE("the default sequence is 4096, or the model's context where that is shorter") {
  CHECK(run("count Llama-3.1-8B --json").json()["sequence"] == 4096);
  CHECK(run("count BERT-base-uncased --json").json()["sequence"] == 512);
}

TEST_CASE("attention in a window is told from attention without one") {
  const auto json = run("count gpt-oss-20b --sequence 1024 --attention causal --json").json();
  int windowed = 0, whole = 0;
  for (const auto& operation : json["operations"]) {
    if (operation["name"] != "attention.scores") {
      if (operation.contains("window"))
        CHECK((operation["name"] == "attention.softmax" || operation["name"] == "attention.context"));
      continue;
    }
    CHECK(operation["repeat"] == 12);
    // 64 heads of 64 over the pairs of a causal triangle, or of a band 128 wide.
    const bool in_window = operation.contains("window");
    if (in_window) CHECK(operation["window"] == 128);
    const std::int64_t pairs = in_window ? 128 * 129 / 2 + 128 * (1024 - 128) : 1024 * 1025 / 2;
    CHECK(operation["macs"] == 64 * 64 * pairs);
    ++(in_window ? windowed : whole);
  }
  CHECK(windowed == 1);
  CHECK(whole == 1);
  for (const std::string command : {"count gpt-oss-20b", "report gpt-oss-20b --device h100-sxm5-80gb"}) {
    INFO(command);
    const std::string out = run(command).out;
    for (const char* name : {"  scores ", "  scores, window 128 ", "  softmax, window 128 ", "  context, window 128 "})
      CHECK(out.find(name) != std::string::npos);
    CHECK(out.find("query, window") == std::string::npos);
  }
  // Within the window the layers are alike, and told once.
  CHECK(run("count gpt-oss-20b --sequence 64").out.find("window") == std::string::npos);
  CHECK(run("count Llama-3.1-8B --json").out.find("window") == std::string::npos);
}

TEST_CASE("people see the exact counts, the scaled ones and the conventions") {
  const auto ran = run("count Llama-3.1-8B");
  REQUIRE(ran.status == 0);
  for (const char* text : {"8030261248", "8.03 G", "attention full", "head on every token", "a multiply-add is 2 FLOPs",
                           "attention", "query", "4096×1024×4096"}) {
    INFO(text);
    CHECK(ran.out.find(text) != std::string::npos);
  }
}
