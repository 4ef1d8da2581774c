// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <algorithm>
#include <cstdint>
#include <string>

#include "catch.hpp"
#include "run_program.hpp"

using Catch::Matchers::WithinRel;
using program_test::run;
using program_test::scratch_folder;

TEST_CASE("report --json adds the device, the memory and the floors") {
  const auto ran = run("report Llama-3.1-8B --device h100-sxm5-80gb --json");
  REQUIRE(ran.status == 0);
  CHECK(ran.err.empty());
  const auto json = ran.json();
  CHECK(json["model"] == "Llama-3.1-8B");
  CHECK(json["device"] == "h100-sxm5-80gb");
  CHECK(json["devices"] == 1);
  CHECK(json["recipe"] == "bf16");
  CHECK(json["parameters"] == 8030261248);
  CHECK(json["weights_bytes"] == 16060522496);
  CHECK(json["kv_cache_bytes_per_token"] == 131072);
  CHECK(json["kv_cache_bytes"] == 131072 * 4096);
  CHECK(json["device_bytes"] == 81559LL * 1024 * 1024);
  CHECK(json["available_bytes"] == 77481LL * 1024 * 1024);  // 95 % of it, as a guard has it
  CHECK(json["fits"] == true);
  const double peak = json["peak_flop_per_second"], flops = json["forward_matmul_flops"];
  const double bandwidth = json["memory_bandwidth_bytes_per_second"], moved = json["moved_bytes"];
  CHECK_THAT(peak, WithinRel(989.4e12, 1e-3));
  CHECK_THAT(json["floor_compute_seconds"].get<double>(), WithinRel(flops / peak, 1e-12));
  CHECK_THAT(json["floor_bandwidth_seconds"].get<double>(), WithinRel(moved / bandwidth, 1e-12));
  CHECK(json["floor_overlapped_seconds"] == json["floor_compute_seconds"]);
  CHECK(json["floor_seconds"] > json["floor_overlapped_seconds"]);
}

TEST_CASE("the floors are the sums over the operations, each by its longer time") {
  for (const std::string work : {"", "--context 4096 --batch 8", "--attention-kernel explicit"}) {
    INFO(work);
    const auto json = run("report Llama-3.1-8B --device a100-sxm4-80gb --json " + work).json();
    double one_after_another = 0, compute = 0, bandwidth = 0, moved = 0;
    for (const auto& operation : json["operations"]) {
      const double repeat = operation["repeat"], by_compute = operation["floor_compute_seconds"],
                   by_bandwidth = operation["floor_bandwidth_seconds"];
      one_after_another += repeat * std::max(by_compute, by_bandwidth);
      compute += repeat * by_compute;
      bandwidth += repeat * by_bandwidth;
      moved += repeat * operation["moved_bytes"].get<double>();
      CHECK((operation["bound_by"] == "compute") == (by_compute >= by_bandwidth));
    }
    CHECK_THAT(json["floor_seconds"].get<double>(), WithinRel(one_after_another, 1e-9));
    CHECK_THAT(json["floor_compute_seconds"].get<double>(), WithinRel(compute, 1e-9));
    CHECK_THAT(json["floor_bandwidth_seconds"].get<double>(), WithinRel(bandwidth, 1e-9));
    CHECK_THAT(json["moved_bytes"].get<double>(), WithinRel(moved, 1e-12));
    double by_role = 0;
    for (const auto& bytes : json["moved"]) by_role += bytes.get<double>();
    CHECK_THAT(json["moved_bytes"].get<double>(), WithinRel(by_role, 1e-12));
  }
}

TEST_CASE("more devices share the work and add their memory") {
  const auto one = run("report Llama-3.1-70B --device h100-sxm5-80gb --json").json();
  const auto four = run("report Llama-3.1-70B --device h100-sxm5-80gb --devices 4 --json").json();
  CHECK(one["fits"] == false);
  CHECK(four["fits"] == true);
  CHECK(one["peak_flop_per_second"] == four["peak_flop_per_second"]);
  CHECK_THAT(four["floor_seconds"].get<double>() * 4, WithinRel(one["floor_seconds"].get<double>(), 1e-9));
}

TEST_CASE("a recipe decides weights, cache and the peak") {
  const auto json = run("report Llama-3.1-8B --device h100-sxm5-80gb --recipe fp32 --json").json();
  CHECK(json["weights_bytes"] == 4 * 8030261248);
  CHECK(json["kv_cache_bytes_per_token"] == 2 * 131072);
  CHECK(json["peak_flop_per_second"] < 1e14);
}

TEST_CASE("without --recipe a checkpoint's own quantization counts") {
  const scratch_folder scratch;
  const std::string path = scratch.file("config.json", R"({
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "torch_dtype": "bfloat16",
    "hidden_size": 4096, "intermediate_size": 14336, "num_attention_heads": 32, "num_hidden_layers": 32,
    "num_key_value_heads": 8, "vocab_size": 128256, "max_position_embeddings": 131072, "tie_word_embeddings": false,
    "hidden_act": "silu", "quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]}})");
  const auto json = run("report '" + path + "' --device h100-sxm5-80gb --json").json();
  CHECK(json["recipe"] == "fp8");
  CHECK(json["recipe_is_of_the_checkpoint"] == true);
  // Blocks in a byte and a 4-byte scale a block of 128 by 128; tables, norms and head in 16 bits.
  const std::int64_t matrices = 32LL * (2 * 4096 * 4096 + 2 * 4096 * 1024 + 3 * 4096 * 14336);
  CHECK(json["weights_bytes"] == matrices + matrices / 16384 * 4 + 2 * (8030261248 - matrices));
  CHECK(json["peak_flop_per_second"] > 1.9e15);
  const auto plain = run("report '" + path + "' --device h100-sxm5-80gb --recipe bf16 --json").json();
  CHECK(plain["weights_bytes"] == 16060522496);
  CHECK(plain["recipe_is_of_the_checkpoint"] == false);
}

TEST_CASE("hf_quant_config.json beside a config.json says how the weights are stored") {
  const scratch_folder scratch;
  const std::string config = scratch.file("config.json", R"({
    "model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
    "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256, "max_position_embeddings": 131072,
    "tie_word_embeddings": false, "torch_dtype": "bfloat16"})");
  scratch.file("hf_quant_config.json", R"({"producer": {"name": "modelopt", "version": "0.23.0"},
    "quantization": {"quant_algo": "NVFP4", "group_size": 16, "exclude_modules": ["lm_head"]}})");
  // 6,979,321,856 elements of the blocks in half a byte, a scale of a byte for 16 of them, 8 bytes a matrix of 224.
  const double blocks = 6979321856;
  CHECK(run("report '" + config + "' --device b200-sxm --json").json()["weights_bytes"] ==
        blocks / 2 + blocks / 16 + 224 * 8 + 2 * (8030261248 - blocks));
}

TEST_CASE("the cache of a latent, of a window and of a state") {
  const auto per_token = [](const std::string& model) {
    return run("report " + model + " --device b200-sxm --json").json()["kv_cache_bytes_per_token"];
  };
  CHECK(per_token("DeepSeek-V3") == 70272);
  CHECK(per_token("gpt-oss-120b") == 73728);
  CHECK(per_token("Llama-2-7B") == 524288);
  CHECK(per_token("Falcon-Mamba-7B") == 0);
}

TEST_CASE("doubtful figures are marked") {
  const auto ran = run("report Llama-3.1-8B --device a100-pcie-40gb --json");
  const auto doubtful = ran.json()["doubtful"];
  CHECK(std::find(doubtful.begin(), doubtful.end(), "available_bytes") != doubtful.end());
  CHECK(run("report Llama-3.1-8B --device a100-pcie-40gb").out.find("GiB?") != std::string::npos);
}

TEST_CASE("people see what dominates, whether it fits, and every default") {
  const auto ran = run("report Llama-3.1-8B --device h100-sxm5-80gb");
  REQUIRE(ran.status == 0);
  for (const char* text :
       {"Llama-3.1-8B on NVIDIA H100 SXM5 80GB", "batch 1, sequence 4096", "head on every token", "attention full",
        "bf16", "dense peak", "a multiply-add is 2 FLOPs", "14.96 GiB", "bound by compute", "they fit"}) {
    INFO(text);
    CHECK(ran.out.find(text) != std::string::npos);
  }
  CHECK(run("report Llama-3.1-70B --device l4").out.find("they do not fit") != std::string::npos);
}
