// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <cstdint>
#include <string>

#include "catch.hpp"
#include "run_program.hpp"

using program_test::check_refused;
using program_test::run;
using program_test::scratch_folder;

namespace {

using json = nlohmann::json;

json served(const std::string& arguments) {
  const auto ran = run("report " + arguments + " --json");
  INFO(arguments << ' ' << ran.err);
  REQUIRE(ran.status == 0);
  CHECK(ran.err.empty());
  return ran.json();
}

const std::string llama = "Llama-3.1-8B --device h100-sxm5-80gb ";

void check_answer(const json& answer) {
  const json& memory = answer["memory"];
  std::int64_t sum = 0;
  for (const char* line : {"weights_bytes", "kv_cache_bytes", "activations_bytes", "logits_bytes", "reserve_bytes"}) {
    INFO(line);
    REQUIRE(memory[line].is_number_integer());
    sum += memory[line].get<std::int64_t>();
  }
  CHECK(memory["total_bytes"] == sum);
  CHECK(memory["fits"] == (memory["total_bytes"] <= memory["available_bytes"]));
  CHECK(memory["fits"] == (memory["max_concurrency"] >= answer["load"]["concurrency"]));
  const json& time = answer["time"];
  CHECK(time["time_to_first_token_floor_seconds"] <= time["time_to_first_token_seconds"]);
  CHECK(time["output_tokens_per_second_at_floor"] >= time["output_tokens_per_second"]);
  if (answer["load"]["output"] == 1)
    CHECK(time["time_per_output_token_seconds"].is_null());
  else
    CHECK(time["time_per_output_token_floor_seconds"] <= time["time_per_output_token_seconds"]);
}

}  // namespace

TEST_CASE("report serve --json: lines add up, floors are floors, max_concurrency is what fits") {
  for (const std::string arguments :
       {"serve", "serve --prompt 8192 --output 1 --concurrency 16", "--devices 4 serve --concurrency 300",
        "serve --tensor 2 --kv-cache fp8 --kv-layout contiguous --reserve 2048", "--recipe w4a16 serve --kv-cache int8",
        "serve --concurrency 2000 --kv-layout unified --block 64 --chunk 512"}) {
    INFO(arguments);
    check_answer(served(llama + arguments));
  }
  check_answer(served("gpt-oss-120b --device h200 --devices 2 serve --concurrency 64 --kv-layout ring"));
  check_answer(served("DeepSeek-V3 --device b200-sxm --devices 8 serve --concurrency 64 --expert 8"));
  check_answer(served("Falcon-Mamba-7B --device a100-sxm4-80gb serve --concurrency 8"));
}

TEST_CASE("report serve: weights, cache and its layouts to the byte") {
  const auto memory = [](const std::string& arguments) { return served(arguments)["memory"]; };
  const auto plain = memory(llama + "serve --prompt 1000 --output 24 --concurrency 10 --kv-layout contiguous");
  CHECK(plain["weights_bytes"] == 16060522496);
  CHECK(plain["kv_cache_bytes"] == 10 * 1024 * 131072LL);
  CHECK(plain["logits_bytes"] == 4 * 10 * 128256);
  const auto paged = memory(llama + "serve --prompt 1000 --output 1 --concurrency 10 --block 64");
  CHECK(paged["kv_cache_bytes"] == 10 * 1024 * 131072LL);
  const auto narrow = memory(llama + "serve --prompt 1000 --output 24 --kv-cache fp8");
  CHECK(narrow["kv_cache_bytes"] == 1024 * 131072LL / 2);
  const auto split = memory(llama + "--devices 8 serve --prompt 1000 --output 24");
  CHECK(split["kv_cache_bytes"] == 1024 * 131072LL / 8);
  CHECK(memory(llama + "serve --reserve 1024")["reserve_bytes"] == 1LL << 30U);
  const std::string windowed = "Mistral-7B-v0.1 --device h100-sxm5-80gb serve --prompt 8191 --output 1 --kv-layout ";
  CHECK(memory(windowed + "ring")["kv_cache_bytes"] == 4096 * 131072LL);
  CHECK(memory(windowed + "contiguous")["kv_cache_bytes"] == 8192 * 131072LL);
}

TEST_CASE("report serve: one more than max_concurrency does not fit") {
  const auto most = served(llama + "serve")["memory"]["max_concurrency"].get<std::int64_t>();
  CHECK(served(llama + "serve --concurrency " + std::to_string(most))["memory"]["fits"] == true);
  CHECK(served(llama + "serve --concurrency " + std::to_string(most + 1))["memory"]["fits"] == false);
}

TEST_CASE("report serve: prompts beside decoding tokens take less than prompts in turns, and more than the floor") {
  const auto answer = served(llama + "serve --prompt 512 --output 65 --concurrency 8 --request-time 0");
  const auto& time = answer["time"];
  const double busy =
      8 * time["time_to_first_token_seconds"].get<double>() + 64 * time["time_per_output_token_seconds"].get<double>();
  CHECK(time["output_tokens_per_second"].get<double>() > 8 * 65 / busy);
  CHECK(time["output_tokens_per_second"] < time["output_tokens_per_second_at_floor"]);
  CHECK(served(llama + "serve --request-time 10")["time"]["time_to_first_token_seconds"].get<double>() > 0.01);
}

TEST_CASE("report serve: without --recipe a checkpoint's own quantization counts") {
  const scratch_folder scratch;
  const std::string path = scratch.file("config.json", R"({
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "torch_dtype": "bfloat16",
    "hidden_size": 4096, "intermediate_size": 14336, "num_attention_heads": 32, "num_hidden_layers": 32,
    "num_key_value_heads": 8, "vocab_size": 128256, "max_position_embeddings": 131072, "tie_word_embeddings": false,
    "hidden_act": "silu", "quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]}})");
  const auto answer = served("'" + path + "' --device h100-sxm5-80gb serve");
  CHECK(answer["recipe"] == "fp8");
  CHECK(answer["recipe_is_of_the_checkpoint"] == true);
  CHECK(answer["memory"]["weights_bytes"] < 16060522496 * 6 / 10);
  CHECK(served("'" + path + "' --device h100-sxm5-80gb --recipe bf16 serve")["memory"]["weights_bytes"] == 16060522496);
}

TEST_CASE("report serve: what cannot be is refused with both numbers") {
  const auto refused = [](const std::string& arguments, const std::string& first, const std::string& second) {
    check_refused("report " + arguments, first, second);
  };
  refused(llama + "--devices 4 serve --tensor 2", "4 devices", "tensor 2");
  refused(llama + "serve --tensor 3", "heads", "32 by 3");
  refused(llama + "serve --expert 2", "experts", "0 by 2");
  refused(llama + "serve --kv-cache fp7", "--kv-cache", "bf16");
  refused(llama + "serve --kv-layout heap", "--kv-layout", "contiguous|paged|ring|unified");
  refused(llama + "serve --prompt 1000000000 --chunk 1", "1000000000", "100000");
  refused(llama + "--context 4096 serve", "--context", "forward pass");
  refused("BERT-base-uncased --device h100-sxm5-80gb serve", "no cache", "");
  refused("T5-base --device h100-sxm5-80gb serve", "encoder", "");
}

TEST_CASE("report serve: a context beyond the model's is said, and beside advice that goes beyond") {
  const std::string note = " (beyond the model's context of 131072)";
  const auto ran = run("report " + llama + "serve --prompt 1000000");
  REQUIRE(ran.status == 0);
  CHECK(ran.out.find("a context of 1000128" + note + '\n') != std::string::npos);
  CHECK(ran.out.find("tokens of context" + note + '\n') != std::string::npos);
  const auto within = run("report " + llama + "serve --prompt 130944 --output 128 --concurrency 30");
  CHECK(within.out.find("would fit: ") != std::string::npos);
  CHECK(within.out.find("beyond") == std::string::npos);
}

TEST_CASE("report serve: one of anything is not several") {
  const auto ran = run("report " + llama + "serve --prompt 1 --output 1 --block 1 --chunk 1");
  REQUIRE(ran.status == 0);
  CHECK(ran.out.find("1 sequence at once, prompts of 1 token, 1 token out") != std::string::npos);
  for (const char* wrong : {" 1 sequences", " 1 tokens", "1 decode together"}) {
    INFO(wrong);
    CHECK(ran.out.find(wrong) == std::string::npos);
  }
}

TEST_CASE("report serve: people see memory, floors and how sure it is") {
  const auto ran = run("report Llama-3.1-70B --device h100-sxm5-80gb serve --concurrency 4");
  REQUIRE(ran.status == 0);
  for (const char* text : {"Serving Llama-3.1-70B", "kv_cache", "it does not fit", "would fit: tensor parallel 2",
                           "to first token", "per output token", "floor", "docs/accuracy_time.md", "ttft_batch1.csv"}) {
    INFO(text);
    CHECK(ran.out.find(text) != std::string::npos);
  }
}
