// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// Files of hybrids and their kin as their makers published them (tests/data/configs), against published counts.

#include <flopledger/memory/kv_cache.hpp>
#include <flopledger/models/config_error.hpp>
#include <flopledger/models/model.hpp>
#include <flopledger/models/multi_token_prediction.hpp>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "published_models.hpp"

using namespace flopledger;
using document = nlohmann::json;

namespace {

std::string file_text(const std::string& name) {
  std::ifstream file(FLOPLEDGER_TEST_DATA "/configs/" + name + ".json");
  INFO(name);
  REQUIRE(file);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}
document config_of(const std::string& name) { return document::parse(file_text(name)); }

transformer_config read(const std::string& text) { return require_config(text, "config.json").config; }

double held(const transformer_config& model) { return total<&row::held>(model, forward(1, 1)).value(); }
double active(const transformer_config& model) { return total<&row::active>(model, forward(1, 1)).value(); }

config_problem problem_in(const document& config) { return read_config(config.dump(2)).error.problem; }

}  // namespace

TEST_CASE("Qwen3-VL counts its tower and its mergers") {
  // Parameters in the safetensors headers, as the hub counts them: 2,127,532,032 and 31,070,754,032
  // (AlexsJones/llmfit, hf_models.json, of QuantTrio/Qwen3-VL-30B-A3B-Instruct-AWQ the second).
  CHECK(held(read(file_text("Qwen__Qwen3-VL-2B-Instruct"))) == 2127532032);
  const transformer_config mixture = read(file_text("Qwen__Qwen3-VL-30B-A3B-Instruct"));
  CHECK(held(mixture) == 31070754032);
  // The text model is Qwen3-30B-A3B.
  CHECK(active(mixture) == 3353032704);
}

TEST_CASE("Qwen3.5 with the module that predicts a further token is all of its checkpoint") {
  // Parameters in the safetensors headers (AlexsJones/llmfit, list of the scraper).
  const transformer_config dense = read(file_text("Qwen__Qwen3.5-27B")),
                           mixture = read(file_text("Qwen__Qwen3.5-35B-A3B"));
  CHECK(total<&row::held>(with_prediction(dense), forward(1, 1)).value() == 27781427952);
  CHECK(total<&row::held>(with_prediction(mixture), forward(1, 1)).value() == 35951822704);
  CHECK(mixture.stack.recurrent.size() == 30);
  CHECK(mixture.stack.attention.rotary_dims == 64);
  // 30 states of 32 × 128 × 128 and of 4 × 8192 inputs do not grow; ten layers keep two heads' keys and values.
  CHECK(kv_cache_bytes_per_token(mixture, bf16::format).value() == 10 * 2 * 2 * 256 * 2);
  CHECK(kv_cache_bytes(mixture, forward(1, 7), bf16::format).value() ==
        30 * 2 * (32 * 128 * 128.0 + 4 * 8192) + 7 * 10 * 2 * 2 * 256 * 2);
}

TEST_CASE("Qwen3.5 is read as its reference reads it where a file says less") {
  document config = config_of("Qwen__Qwen3.5-27B");
  const std::string whole = config.dump();
  for (const char* field : {"layer_types", "head_dim", "linear_conv_kernel_dim", "linear_key_head_dim",
                            "linear_num_key_heads", "linear_value_head_dim", "attn_output_gate"})
    config["text_config"].erase(field);
  CHECK(held(read(config.dump())) == held(read(whole)));
  CHECK(read(config.dump()).stack.recurrent == read(whole).stack.recurrent);
  config["text_config"]["layer_types"] = {"linear_attention"};
  CHECK(problem_in(config) == config_problem::contradictory);
  config = config_of("Qwen__Qwen3.5-27B");
  config["text_config"]["layer_types"][3] = "sliding_attention";
  CHECK(problem_in(config) == config_problem::unknown);
}

TEST_CASE("Nemotron-H's layers are one sublayer each") {
  // NVIDIA's reports: 56 B; 31.6 B of which 3.6 B are active (Nemotron 3 Nano); 120.6 B and 12.7 B (Super).
  const transformer_config nano = read(file_text("nvidia__NVIDIA-Nemotron-3-Nano-30B-A3B-BF16"));
  // 31,577,937,344 parameters in BF16 (AlexsJones/llmfit), and 23 routers' corrections in FP32.
  CHECK(held(nano) == 31577937344.0 + 23 * 128);
  CHECK(active(nano) == 3580076352);
  CHECK(nano.stack.recurrent.size() == 23);
  CHECK(nano.stack.sparse.size() == 23);
  CHECK(kv_cache_bytes_per_token(nano, bf16::format).value() == 6 * 2 * 2 * 128 * 2);
  const transformer_config super = read(file_text("nvidia__NVIDIA-Nemotron-3-Super-120B-A12B-FP8"));
  CHECK(held(super) == 120668707840);
  CHECK(active(super) == 12770237440);
  // Its checkpoint predicts a further token too: two norms, a product, an attending layer, one of experts, a last norm.
  const double attention = 4096 + 4096 * (32 + 2 + 2) * 128.0 + 32 * 128 * 4096.0;
  const double experts = 4096 + 512 * 4096.0 + 512 + 2 * 4096 * 1024.0 + 512 * 2 * 1024 * 2688.0 + 2 * 4096 * 5376.0;
  CHECK(total<&row::held>(with_prediction(super), forward(1, 1)).value() - held(super) ==
        3 * 4096 + 2 * 4096 * 4096.0 + attention + experts);
  CHECK(held(read(file_text("nvidia__Nemotron-H-56B-Base-8K"))) == 56324350464);
}

TEST_CASE("Nemotron-H names its layers by letters or by words") {
  document config = config_of("nvidia__NVIDIA-Nemotron-3-Nano-30B-A3B-BF16");
  const double lettered = held(read(config.dump()));
  const std::string letters = config["hybrid_override_pattern"];
  config.erase("hybrid_override_pattern");
  for (const char letter : letters)
    config["layers_block_type"].push_back(letter == 'M' ? "mamba" : letter == '*' ? "attention" : "moe");
  CHECK(held(read(config.dump())) == lettered);
  config["layers_block_type"][0] = "rwkv";
  CHECK(problem_in(config) == config_problem::unknown);
  config.erase("layers_block_type");
  CHECK(problem_in(config) == config_problem::missing);
  config["hybrid_override_pattern"] = letters + "M";
  CHECK(problem_in(config) == config_problem::contradictory);
}

TEST_CASE("Nemotron-NAS is read block by block") {
  // 49,867,145,216 in the safetensors headers.
  document config = config_of("nvidia__Llama-3_3-Nemotron-Super-49B-v1");
  const transformer_config model = read(config.dump());
  CHECK(held(model) == 49867145216);
  // 49 of 80 layers attend, with eight heads of keys.
  CHECK(kv_cache_bytes_per_token(model, bf16::format).value() == 49 * 2 * 8 * 128 * 2);
  // A whole block is LLaMA-3's: with 80 of them it is the 70B model.
  for (document& block : config["block_configs"]) block = config["block_configs"][1];
  CHECK(held(read(config.dump())) == 70553706496);
  document& first = config["block_configs"][0];
  first["attention"] = {{"no_op", false}, {"replace_with_linear", true}, {"n_heads_in_group", nullptr}};
  CHECK(held(read(config.dump())) == 70553706496 - (2 * 64 + 2 * 8) * 128 * 8192.0 + 8192.0 * 8192);
  first["ffn"]["no_op"] = true;
  CHECK(held(read(config.dump())) ==
        70553706496 - (2 * 64 + 2 * 8) * 128 * 8192.0 + 8192.0 * 8192 - 3 * 8192 * 28672.0 - 8192);
  first["attention"]["window_length"] = 1024;
  CHECK(problem_in(config) == config_problem::unknown);
  first["attention"].erase("window_length");
  config["block_configs"].erase(79);
  CHECK(problem_in(config) == config_problem::contradictory);
}

TEST_CASE("Kimi-K2.5 and K3 count their towers") {
  document config = config_of("moonshotai__Kimi-K2.5");
  config["text_config"].erase("quantization_config");
  // The text model is Kimi-K2, of 1,026,408,232,448 parameters.
  const transformer_config second = read(config.dump());
  CHECK(held(read(config["text_config"].dump())) == 1026408232448);
  const double block = 4 * 1152 * 1153.0 + 2 * 1152 * 4304.0 + 4304 + 1152 + 4 * 1152;
  CHECK(held(second) - 1026408232448 == 27 * block + (14 * 14 * 3 + 1) * 1152 + 64 * 64 * 1152 + 2 * 1152 + 2 * 1152 +
                                            4608 * 4609.0 + 4608 * 7168.0 + 7168);
  config = config_of("moonshotai__Kimi-K3");
  config["text_config"].erase("quantization_config");
  // The report says 2.8 T.
  const transformer_config third = read(config.dump());
  CHECK(held(third) == 2779931834976);
  CHECK(third.stack.recurrent.size() == 69);
  // Two norms and two queries a block, and one above them (KimiAttentionResidual).
  tally choices{0.0, [](const row& r) { return r.where.at == position::residual_choice ? r.held.value() : 0.0; }};
  third.record(choices, forward(1, 1));
  CHECK(choices.total == (93 * 2 + 1) * 2 * 7168);
  // 24 layers keep a latent; states do not grow.
  CHECK(kv_cache_bytes_per_token(third, bf16::format).value() == 24 * (512 + 64) * 2);
  config["text_config"]["linear_attn_config"]["kda_layers"].erase(0);
  CHECK(problem_in(config) == config_problem::contradictory);
}

TEST_CASE("MiniMax-M3 attends to blocks that it chooses") {
  const transformer_config model = read(file_text("MiniMaxAI__MiniMax-M3"));
  CHECK(held(model) == 426174572928);
  // 57 layers have an indexer: four queries and a key of 128, each with a norm.
  tally index{0.0, [](const row& r) {
                const bool is_index = r.where.at == position::index_query || r.where.at == position::index_key ||
                                      r.where.at == position::index_query_norm ||
                                      r.where.at == position::index_key_norm;
                return is_index ? r.held.value() : 0.0;
              }};
  model.record(index, forward(1, 1));
  CHECK(index.total == 57 * (6144 * 5 * 128.0 + 2 * 128));
  // Query by query, block by block: its own block, and of the others as many as the budget leaves.
  const auto walked = [](std::int64_t length, std::int64_t block, std::int64_t budget) {
    std::int64_t pairs = 0;
    for (std::int64_t query = 0; query < length; ++query) {
      const std::int64_t own = query / block, others = own < budget - 1 ? own : budget - 1;
      pairs += query % block + 1 + others * block;
    }
    return static_cast<double>(pairs);
  };
  for (const std::int64_t length : {5, 12, 13, 40, 41})
    CHECK(attended_pairs({.length = static_cast<double>(length)}, attention_counting::causal, attention_span::chosen,
                         3 * 4, 4) == walked(length, 4, 3));
  CHECK(kv_cache_bytes_per_token(model, bf16::format).value() == 60 * 2 * 4 * 128 * 2 + 57 * 128 * 2);
}

TEST_CASE("an EAGLE-3 head is LLaMA's blocks, of which the first reads two inputs") {
  document config = config_of("eagle");
  const double llama = 8030261248, product = 3 * 4096 * 4096.0, wider = 4096 * (4096.0 + 2 * 1024) + 4096;
  CHECK(held(read(config.dump())) == llama + product + wider);
  // The published heads have one layer and a vocabulary of their own.
  config.update({{"num_hidden_layers", 1}, {"draft_vocab_size", 32000}});
  const double block = 2 * 4096 * 4096.0 + 2 * 4096 * 1024.0 + 3 * 4096 * 14336.0 + 2 * 4096;
  CHECK(held(read(config.dump())) == (128256 + 32000) * 4096.0 + block + 4096 + product + wider);
  config["model_type"] = "qwen3";
  CHECK(problem_in(config) == config_problem::contradictory);
}

TEST_CASE("Granite-4 without scans is a decoder like others") {
  // Granite-4.0-Micro's file: all of its layers attend, and their queries and keys are turned.
  document config = {{"model_type", "granitemoehybrid"},
                     {"hidden_size", 2560},
                     {"num_hidden_layers", 40},
                     {"num_attention_heads", 40},
                     {"num_key_value_heads", 8},
                     {"num_local_experts", 0},
                     {"shared_intermediate_size", 8192},
                     {"position_embedding_type", "rope"},
                     {"vocab_size", 100352},
                     {"tie_word_embeddings", true},
                     {"intermediate_size", 8192}};
  for (int i = 0; i < 40; ++i) config["layer_types"].push_back("attention");
  const transformer_config model = read(config.dump());
  CHECK(model.stack.recurrent.empty());
  CHECK(model.stack.attention.rotary_dims == 64);
  const double block = 2 * 2560 * 2560.0 + 2 * 2560 * 512.0 + 3 * 2560 * 8192.0 + 2 * 2560;
  CHECK(held(model) == 100352 * 2560.0 + 40 * block + 2560);
}

TEST_CASE("MiniMax-M1 is MiniMax-Text-01 with a context of its own") {
  document config = document::parse(find_published("MiniMax-Text-01")->config);
  config["model_type"] = "minimax_m1";
  config["architectures"] = {"MiniMaxM1ForCausalLM"};
  // The report says 456 B and 45.9 B a token, the table left out.
  CHECK(held(read(config.dump())) == 456089655296);
  CHECK(std::abs(active(read(config.dump())) - 2 * 200064 * 6144.0 - 45.9e9) < 0.1e9);
}

TEST_CASE("embedding and reranking classes stand over known types") {
  const document base = {{"model_type", "qwen3"},   {"hidden_size", 1024},       {"intermediate_size", 3072},
                         {"num_hidden_layers", 28}, {"num_attention_heads", 16}, {"num_key_value_heads", 8},
                         {"head_dim", 128},         {"vocab_size", 151669},      {"tie_word_embeddings", true}};
  document embedding = base, reranker = base;
  embedding["architectures"] = {"Qwen3Model"};
  reranker["architectures"] = {"Qwen3ForSequenceClassification"};
  reranker["num_labels"] = 1;
  CHECK(held(read(reranker.dump())) == held(read(embedding.dump())) + 1024);
}

TEST_CASE("Grok-2 is no Grok-1") {
  const transformer_config model = read(file_text("grok2"));
  CHECK(held(model) == 269515497472);
  CHECK_FALSE(model.head.tied);
}
