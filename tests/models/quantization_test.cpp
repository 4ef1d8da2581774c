// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/models/config_error.hpp>
#include <flopledger/models/hugging_face.hpp>

#include <fstream>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include "catch.hpp"

using namespace flopledger;
using Catch::Matchers::WithinRel;
using document = nlohmann::json;

namespace {

document config_of_file(const std::string& name) {
  std::ifstream file{FLOPLEDGER_TEST_DATA "/configs/" + name + ".json"};
  REQUIRE(file);
  std::stringstream text;
  text << file.rdbuf();
  return document::parse(text.str());
}

double bytes_of(const document& config) {
  const std::string text = config.dump(1);
  const config_reading reading = read_config(text);
  INFO(explain(reading.error, "config.json"));
  REQUIRE(reading.ok());
  return weight_bytes(reading.value.config, reading.value.storage).value();
}
std::string refusal(const document& config) {
  const std::string text = config.dump(1);
  const config_reading reading = read_config(text);
  return reading.ok() ? "" : explain(reading.error, "config.json");
}

/// meta-llama/Llama-3.1-8B: 8,030,261,248 parameters, of which 266,240 in norms and 2 · 525,336,576 in table and head.
document llama() {
  return {{"architectures", {"LlamaForCausalLM"}},
          {"model_type", "llama"},
          {"hidden_size", 4096},
          {"intermediate_size", 14336},
          {"num_hidden_layers", 32},
          {"num_attention_heads", 32},
          {"num_key_value_heads", 8},
          {"vocab_size", 128256},
          {"max_position_embeddings", 131072},
          {"tie_word_embeddings", false},
          {"torch_dtype", "bfloat16"}};
}
document llama_with(const document& quantization) {
  document config = llama();
  config["quantization_config"] = quantization;
  return config;
}
/// The configuration of a model whose size is published (tests/data).
document published_config(const std::string& name) {
  for (const char* list : {"published_models", "checkpoint_elements"}) {
    std::ifstream file{std::string(FLOPLEDGER_TEST_DATA) + "/" + list + ".json"};
    REQUIRE(file);
    const document all = document::parse(file);
    for (const document& one : all.is_array() ? all : all.at("models"))
      if (one.value("name", "") == name) return one.at("config");
  }
  FAIL("no published model is called " + name);
  return {};
}
constexpr double of_blocks = 32 * (2 * 4096.0 * 4096 + 2 * 4096.0 * 1024 + 3 * 4096.0 * 14336);
constexpr double beside = 2 * (266240 + 2 * 525336576.0);  ///< bytes of norms, table and head
constexpr double matrices = 32 * 7;

}  // namespace

// The totals that the Hub shows of a checkpoint, to the precision that it shows them in: gpt-oss-20b's index has
// total_size 13,761,264,768; Kimi-K2.5's files are 595 GB.
TEST_CASE("published checkpoints take what the Hub says", "[published]") {
  CHECK(bytes_of(config_of_file("openai__gpt-oss-20b")) == 13'761'264'768);
  CHECK_THAT(bytes_of(config_of_file("moonshotai__Kimi-K2.5")), WithinRel(595e9, 0.001));
}

// Products and tables in groups of 64 with a scale and a bias of 16 bits each: 4.5 bits an element. Norms keep 16.
TEST_CASE("MLX quantises products, table and head", "[config]") {
  document config = llama();
  config["quantization"] = {{"group_size", 64}, {"bits", 4}};
  CHECK(bytes_of(config) == (8'030'261'248.0 - 266'240) * 4.5 / 8 + 2 * 266'240.0);
  config["quantization_config"] = config["quantization"];  // as newer files have it
  CHECK(bytes_of(config) == 4'517'404'672);
  const double down = 14336.0 * 4096;
  config["quantization"]["model.layers.0.mlp.down_proj"] = {{"group_size", 64}, {"bits", 8}};
  CHECK(bytes_of(config) == 4'517'404'672 + down / 2);
  config["quantization"]["model.layers.1.mlp.down_proj"] = false;
  CHECK(bytes_of(config) == 4'517'404'672 + down / 2 + down * (16 - 4.5) / 8);
  config["quantization"]["model.layers.2.mlp.down_proj"] = {{"group_size", 64}, {"bits", 9}};
  CHECK_THAT(refusal(config), Catch::Matchers::Contains("model.layers.2.mlp.down_proj"));
}

// ISTA-DASLab/Llama-2-7b-AQLM-2Bit-1x16-hf shows 2.38 GB; what it leaves alone it lists by its tensors.
TEST_CASE("AQLM's codes and codebooks take what the Hub says", "[published]") {
  document config = llama();  // Llama-2-7B
  config.update({{"intermediate_size", 11008}, {"num_key_value_heads", 32}, {"vocab_size", 32000}});
  config["quantization_config"] = {
      {"quant_method", "aqlm"},
      {"in_group_size", 8},
      {"out_group_size", 1},
      {"nbits_per_codebook", 16},
      {"num_codebooks", 1},
      {"linear_weights_not_to_quantize", {"model.layers.0.input_layernorm.weight", "lm_head.weight"}}};
  CHECK_THAT(bytes_of(config), WithinRel(2.38e9, 0.002));
}

TEST_CASE("HQQ keeps a scale and a zero for a group, of all products or of those that it names", "[config]") {
  const document four{{"weight_quant_params", {{"nbits", 4}, {"group_size", 64}, {"axis", 1}}}};
  document all = four;
  all.update({{"offload_meta", false}, {"scale_quant_params", nullptr}, {"zero_quant_params", nullptr}});
  CHECK(bytes_of(llama_with({{"quant_method", "hqq"}, {"quant_config", all}, {"skip_modules", {"lm_head"}}})) ==
        of_blocks * 4.5 / 8 + beside);
  const double queries = 32 * 4096.0 * 4096;
  CHECK(bytes_of(llama_with({{"quant_method", "hqq"}, {"quant_config", {{"self_attn.q_proj", four}}}})) ==
        2 * of_blocks + beside - queries * (16 - 4.5) / 8);
  all["scale_quant_params"] = {{"nbits", 8}, {"group_size", 128}};
  CHECK_THAT(refusal(llama_with({{"quant_method", "hqq"}, {"quant_config", all}})),
             Catch::Matchers::Contains("scale_quant_params"));
}

TEST_CASE("torchao's configurations are read by their names and their classes", "[config]") {
  const auto with = [](const document& type) {
    return bytes_of(llama_with({{"quant_method", "torchao"}, {"quant_type", type}}));
  };
  const double outputs = 32 * (2 * 4096.0 + 2 * 1024 + 2 * 14336 + 4096);
  CHECK(with({{"default", {{"_type", "Int4WeightOnlyConfig"}, {"_data", {{"group_size", 32}}}}}}) ==
        of_blocks * 5 / 8 + beside);
  CHECK(with("int8_weight_only") == of_blocks + 2 * outputs + beside);
  CHECK(with({{"default", {{"_type", "Float8DynamicActivationFloat8WeightConfig"}, {"_data", document::object()}}}}) ==
        of_blocks + 4 * outputs + beside);
  CHECK_THAT(refusal(llama_with({{"quant_method", "torchao"}, {"quant_type", "uintx_weight_only"}})),
             Catch::Matchers::Contains("uintx_weight_only"));
}

TEST_CASE("Model Optimizer's formats are counted with their scales", "[config]") {
  const document fp8{{"quant_method", "modelopt"}, {"quant_algo", "FP8"}, {"ignore", {"lm_head"}}};
  CHECK(bytes_of(llama_with(fp8)) == of_blocks + matrices * 8 + beside);
  const document nvfp4{{"quant_method", "modelopt"}, {"quant_algo", "NVFP4"}, {"ignore", {"lm_head"}}};
  CHECK(bytes_of(llama_with(nvfp4)) == of_blocks / 2 + of_blocks / 16 + matrices * 8 + beside);
  document with_cache = fp8;
  with_cache["kv_cache_quant_algo"] = "FP8";
  CHECK(bytes_of(llama_with(with_cache)) == bytes_of(llama_with(fp8)) + 32 * 8);
}

TEST_CASE("a module that is left alone keeps its 16 bits, by name and by pattern", "[config]") {
  const auto with_ignored = [](const document& names) {
    return bytes_of(llama_with({{"quant_method", "modelopt"}, {"quant_algo", "FP8"}, {"ignore", names}}));
  };
  const double whole = with_ignored(document::array());
  // A matrix in 8 bits has 8 bytes of scales, in 16 bits none.
  const double down = 14336.0 * 4096 - 8, query = 4096.0 * 4096 - 8;
  CHECK(with_ignored({"model.layers.3.mlp.down_proj"}) == whole + down);
  CHECK(with_ignored({"model.layers.*.mlp.down_proj"}) == whole + 32 * down);
  CHECK(with_ignored({"re:.*down_proj.*"}) == whole + 32 * down);
  CHECK(with_ignored({"re:.*mlp\\.(gate|down)_proj.*"}) == whole + 64 * down);
  CHECK(with_ignored({"model.layers.0.self_attn*", "model.layers.0.self_attn.q_proj"}) ==
        whole + 2 * query + 2 * (4096.0 * 1024 - 8));
  CHECK(with_ignored({"lm_head", "model.embed_tokens", "model.norm"}) == whole);
  CHECK_THAT(refusal(llama_with({{"quant_method", "modelopt"}, {"quant_algo", "FP8"}, {"ignore", {"q_prj"}}})),
             Catch::Matchers::Contains("q_prj"));
}

TEST_CASE("compressed-tensors' groups are read one by one", "[config]") {
  const auto config = [](const document& weights, const document& inputs, const char* format) {
    return llama_with(
        {{"quant_method", "compressed-tensors"},
         {"format", format},
         {"ignore", {"lm_head"}},
         {"config_groups",
          {{"group_0", {{"targets", {"Linear"}}, {"weights", weights}, {"input_activations", inputs}}}}}});
  };
  const document dynamic{{"num_bits", 8}, {"type", "int"}, {"strategy", "token"}, {"dynamic", true}};
  // W8A8: a scale of 16 bits an output; a layer has 2 · 4096 + 2 · 1024 + 2 · 14336 + 4096 outputs.
  const double outputs = 32 * (3 * 4096.0 + 2 * 1024 + 2 * 14336);
  CHECK(bytes_of(config({{"num_bits", 8}, {"type", "int"}, {"strategy", "channel"}}, dynamic, "int-quantized")) ==
        of_blocks + 2 * outputs + beside);
  // W4A16: a scale of 16 bits a group of 128, and the shape of each matrix.
  CHECK(bytes_of(config({{"num_bits", 4}, {"type", "int"}, {"strategy", "group"}, {"group_size", 128}}, nullptr,
                        "pack-quantized")) == of_blocks / 2 + of_blocks / 64 + matrices * 16 + beside);
  CHECK_THAT(refusal(config({{"num_bits", 5}, {"type", "int"}, {"strategy", "channel"}}, nullptr, "pack-quantized")),
             Catch::Matchers::Contains("config_groups"));
}

TEST_CASE("bitsandbytes quantises once or twice", "[config]") {
  const document once{{"quant_method", "bitsandbytes"}, {"load_in_4bit", true}, {"bnb_4bit_quant_type", "nf4"}};
  document twice = once;
  twice["bnb_4bit_use_double_quant"] = true;
  const double scales = of_blocks / 64;
  CHECK(bytes_of(llama_with(once)) == of_blocks / 2 + 4 * scales + beside);
  CHECK(bytes_of(llama_with(twice)) == of_blocks / 2 + scales + 4 * scales / 256 + beside);
}

TEST_CASE("formats that differ by module stand side by side", "[config]") {
  const document config = config_of_file("nvidia__Qwen3.6-27B-NVFP4");
  const std::string text = config.dump(1);
  const config_reading reading = read_config(text);
  REQUIRE(reading.ok());
  const weight_storage& storage = reading.value.storage;
  CHECK(storage.kv_cache.kind == number_kind::fp8_e4m3);
  CHECK(storage.exception_count > 0);
  // 48 layers of gated delta networks and 16 of attention in FP8, 64 feed-forward layers and the head in FP4.
  document plain = config;
  plain.erase("quantization_config");
  const double share = bytes_of(config) / bytes_of(plain);
  CHECK(share > 0.25 + 1.0 / 32);
  CHECK(share < 0.5);
}

// w1.weight of a layer's expert is I8 [2048, 2048], w1.scale F8_E8M0 [2048, 128] (NVIDIA-NeMo/Automodel issue 2034):
// half a byte an element of 2048 by 4096, and a byte for 32 of them.
TEST_CASE("DeepSeek-V4's experts have four bits where its file says so", "[config]") {
  const document packed = config_of_file("deepseek-ai__DeepSeek-V4-Flash");
  document bytes = packed;
  bytes["expert_dtype"] = "fp8";
  const double one = 2048.0 * 4096, experts = 43.0 * 256 * 3;
  const double blocks = 16 * 32 * 4;  // an FP8 matrix of them has a scale of FP32 for 128 by 128
  const double saved = bytes_of(bytes) - bytes_of(packed) - experts * (one + blocks - 2048 * 2048 - 2048 * 128);
  CHECK(saved > 0);  // the other matrices' scales: three bytes less for each block
  CHECK(saved < 0.0001 * bytes_of(packed));
}

// Cards of mlx-community as exo pins them, to the byte.
TEST_CASE("MLX's published checkpoints take what their cards say", "[published]") {
  document small = llama();  // Llama-3.2-1B
  small.update({{"hidden_size", 2048},
                {"intermediate_size", 8192},
                {"num_hidden_layers", 16},
                {"head_dim", 64},
                {"tie_word_embeddings", true}});
  small["quantization"] = {{"group_size", 64}, {"bits", 4}};
  CHECK(bytes_of(small) == 695'242'752);
  document large = llama();  // Llama-3.3-70B
  large.update(
      {{"hidden_size", 8192}, {"intermediate_size", 28672}, {"num_hidden_layers", 80}, {"num_attention_heads", 64}});
  large["quantization"] = {{"group_size", 64}, {"bits", 4}};
  CHECK(bytes_of(large) == 39'688'355'840);
  document tiny = llama();  // SmolLM2-135M
  tiny.update({{"hidden_size", 576},
               {"intermediate_size", 1536},
               {"num_hidden_layers", 30},
               {"num_attention_heads", 9},
               {"num_key_value_heads", 3},
               {"vocab_size", 49152},
               {"tie_word_embeddings", true}});
  tiny["quantization"] = {{"group_size", 64}, {"bits", 8}};
  CHECK(bytes_of(tiny) == 142'955'136);
  document three = llama();  // Llama-3.2-3B
  three.update({{"hidden_size", 3072},
                {"intermediate_size", 8192},
                {"num_hidden_layers", 28},
                {"num_attention_heads", 24},
                {"head_dim", 128},
                {"tie_word_embeddings", true}});
  three["quantization"] = {{"group_size", 64}, {"bits", 4}};
  CHECK(bytes_of(three) == 1'807'423'488);
}

// total_size of mlx-community's indices. mlx-lm writes routers in 8 bits where its model names them.
TEST_CASE("MLX's published mixtures take what their indices say", "[published]") {
  const document eight{{"group_size", 64}, {"bits", 8}};
  const auto four_bits_but = [&](document config, auto... modules) {
    config["quantization"] = {{"group_size", 64}, {"bits", 4}, {"mode", "affine"}};
    for (int layer = 0; layer < 48; ++layer)
      for (const std::string module : {modules...})
        config["quantization"]["model.layers." + std::to_string(layer) + ".mlp." + module] = eight;
    return config;
  };
  document coder = config_of_file("Qwen__Qwen3-30B-A3B-FP8");  // Qwen3-Coder-30B-A3B has its shape
  coder.erase("quantization_config");
  CHECK(bytes_of(four_bits_but(coder, "gate")) == 17'180'913'664);
  CHECK(bytes_of(four_bits_but(published_config("Qwen3-Coder-Next"), "gate", "shared_expert_gate")) == 44'844'060'160);
  // Both files hold some vectors in FP32: decays of 30 layers of 32 heads, correction biases of 46 of 64 experts.
  document towered = config_of_file("Qwen__Qwen3.5-35B-A3B");
  towered["quantization"] = {{"group_size", 64}, {"bits", 4}};
  CHECK(bytes_of(towered) == 20'391'405'152 - 2 * 30 * 32);
  document latent = published_config("GLM-4.7-Flash");
  latent["quantization"] = {{"group_size", 64}, {"bits", 4}};
  CHECK(bytes_of(latent) == 16'852'202'496 - 2 * 46 * 64);
  document packed = config_of_file("openai__gpt-oss-20b");
  packed.erase("quantization_config");
  packed["quantization"] = {{"group_size", 32}, {"bits", 4}, {"mode", "mxfp4"}};
  for (const char* module : {"model.embed_tokens", "lm_head"}) packed["quantization"][module] = eight;
  for (int layer = 0; layer < 24; ++layer)
    for (const std::string module :
         {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj", "mlp.router"})
      packed["quantization"]["model.layers." + std::to_string(layer) + "." + module] = eight;
  CHECK(bytes_of(packed) == 12'076'119'168);
}

TEST_CASE("a key of quantisation that is not understood is refused by name", "[config]") {
  CHECK_THAT(refusal(llama_with({{"quant_method", "fp8"}, {"rotate_inputs", true}})),
             Catch::Matchers::Contains("rotate_inputs"));
  CHECK_THAT(refusal(llama_with({{"quant_method", "quip"}})), Catch::Matchers::Contains("quip"));
  CHECK_THAT(refusal(llama_with({{"quant_method", "modelopt"}, {"quant_algo", "W4A8_AWQ"}})),
             Catch::Matchers::Contains("W4A8_AWQ"));
  CHECK(refusal(llama_with({{"quant_method", "fp8"}, {"sparsity_config", document::object()}})).empty());
}
