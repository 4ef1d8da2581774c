// What checkpoints hold by the Hub, through the reader: models of 2025 and 2026, the modules that predict further
// tokens included.
#include <flopledger/memory/kv_cache.hpp>
#include <flopledger/models/config_error.hpp>
#include <flopledger/models/multi_token_prediction.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include "catch.hpp"

using namespace flopledger;
using document = nlohmann::json;

namespace {

std::string text_of_file(const std::string& path) {
  std::ifstream file{FLOPLEDGER_TEST_DATA "/" + path};
  REQUIRE(file);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}
document config_of_file(const std::string& name) { return document::parse(text_of_file("configs/" + name + ".json")); }
transformer_config read(const document& config) {
  const std::string text = config.dump(1);
  const config_reading reading = read_config(text);
  INFO(explain(reading.error, "config.json"));
  REQUIRE(reading.ok());
  return reading.value.config;
}
config_field refused(const document& config) {
  const std::string text = config.dump(1);
  return read_config(text).error.field;
}
template <class Model>
double held(const Model& model) {
  return total<&row::held>(model, forward(1, 1)).value();
}
double macs_of(const transformer_config& model, const work& asked) {
  return total<&row::multiplied>(model, asked).value();
}

}  // namespace

TEST_CASE("what the Hub counts in a checkpoint comes out", "[published]") {
  int checked = 0;
  for (const document& entry : document::parse(text_of_file("checkpoint_elements.json"))) {
    INFO(entry.at("name"));
    const transformer_config model =
        read(entry.contains("file") ? config_of_file(entry.at("file")) : entry.at("config"));
    const multi_token_prediction all{model, entry.at("prediction_modules")};
    // Some checkpoints store the tables once more with their modules, and what FP8 matrices are scaled by.
    const double copies = entry.value("module_tables", false) ? 2.0 * static_cast<double>(model.embedding.vocabulary) *
                                                                    static_cast<double>(model.stack.hidden)
                                                              : 0.0;
    const double counted = held(all) + copies + entry.value("scales", 0.0), published = entry.at("elements");
    CHECK_THAT(counted, Catch::Matchers::WithinRel(published, entry.value("within", 0.0)));
    if (entry.contains("active")) {
      const double active = total<&row::active>(model, forward(1, 1)).value(), said = entry.at("active");
      CHECK_THAT(active, Catch::Matchers::WithinRel(said, 0.07));
    }
    row_agreement agreement;
    all.record(agreement, forward(2, 7));
    CHECK(agreement.holds);
    ++checked;
  }
  CHECK(checked >= 24);
}

TEST_CASE("modules that predict further tokens are named, and counted apart", "[config]") {
  const transformer_config mimo = read(config_of_file("XiaomiMiMo__MiMo-7B-Base"));
  CHECK(mimo.prediction_layers == 1);
  CHECK(held(mimo) == 7622619136);
  // One block, a matrix of 8192 × 4096 and three norms.
  CHECK(held(with_prediction(mimo)) - held(mimo) == 2 * 4096.0 * 4096 + 2 * 4096.0 * 1024 + 4096 + 2 * 1024 +
                                                        3 * 4096.0 * 11008 + 2 * 4096 + 2 * 4096.0 * 4096 + 3 * 4096);
  document without = config_of_file("XiaomiMiMo__MiMo-7B-Base");
  without.erase("num_nextn_predict_layers");
  CHECK(read(without).prediction_layers == 0);
}

TEST_CASE("an indexer limits what a query attends to, and costs what it is", "[config]") {
  const transformer_config model = read(config_of_file("deepseek-ai__DeepSeek-V3.2"));
  // A layer's indexer: 64 queries of 128 from a latent of 1536, one key of 128 with its LayerNorm, 64 weights.
  document plain = config_of_file("deepseek-ai__DeepSeek-V3.2");
  plain["model_type"] = "deepseek_v3";
  plain["architectures"] = {"DeepseekV3ForCausalLM"};
  const double weights = 1536 * 64 * 128 + 7168 * 128 + 2 * 128 + 7168 * 64;
  CHECK(held(model) - held(read(plain)) == 61 * weights);
  // A latent of 512, a rotary key of 64, and the indexer's key of 128.
  CHECK(kv_cache_bytes_per_token(model, bf16::format).value() == 61 * (512 + 64 + 128) * 2);
  // One more token at a context of 10,000: 128 heads over 2048 keys, the indexer over all 10,001.
  const double at_10000 = macs_of(model, decode_step(1, 10000)), at_2047 = macs_of(model, decode_step(1, 2047));
  CHECK(at_10000 - at_2047 == 61 * (10001 - 2048) * 64.0 * 128);
  // Below 2048 every token is chosen.
  const double at_1000 = macs_of(model, decode_step(1, 1000));
  CHECK(at_2047 - at_1000 == 61 * (2047 - 1000) * (128 * (192 + 128.0) + 64 * 128.0));
}

TEST_CASE("layers that take over an indexer's choice have none", "[config]") {
  document config = config_of_file("zai-org__GLM-5");
  const double all = held(read(config));
  const double indexer = 2048 * 32 * 128 + 6144 * 128 + 2 * 128 + 6144 * 32;
  config["index_topk_freq"] = 4;
  config["index_skip_topk_offset"] = 2;
  // Layers 0 and 1, and of the others each fourth: 5, 9, ... 77.
  CHECK(all - held(read(config)) == (78 - 21) * indexer);
  config["indexer_types"] = document::array();
  for (int i = 0; i < 78; ++i) config["indexer_types"].push_back(i % 2 == 0 ? "full" : "shared");
  CHECK(all - held(read(config)) == 39 * indexer);
  config["indexer_types"][0] = "shared";
  CHECK(refused(config) == config_field::indexer_types);
  config["indexer_types"][0] = "half";
  CHECK(refused(config) == config_field::indexer_types);
}

TEST_CASE("windowed layers have the attention that a file gives them", "[config]") {
  document config = config_of_file("XiaomiMiMo__MiMo-V2-Flash");
  const transformer_config mimo = read(config);
  CHECK(mimo.stack.windowed.size() == 39);
  CHECK(mimo.stack.sparse.size() == 47);
  // Nine layers of 4 heads that see everything, and 39 of 8 with a window of 128; keys of 192, values of 128.
  const double a_token = 4 * (192 + 128) * 2, windowed = 8 * (192 + 128) * 2;
  CHECK(kv_cache_bytes(mimo, forward(1, 100), bf16::format).value() == 100 * (9 * a_token + 39 * windowed));
  CHECK(kv_cache_bytes(mimo, forward(1, 1000), bf16::format).value() == 1000 * 9 * a_token + 128 * 39 * windowed);
  config["hybrid_layer_pattern"] = nullptr;
  config["moe_layer_freq"] = nullptr;
  CHECK(read(config).stack.windowed == mimo.stack.windowed);
  CHECK(read(config).stack.sparse == mimo.stack.sparse);
  config["hybrid_layer_pattern"] = {0, 1, 2};
  CHECK(refused(config) == config_field::hybrid_layer_pattern);

  const transformer_config step = read(config_of_file("stepfun-ai__Step-3.7-Flash"));
  CHECK(step.stack.windowed.size() == 33);
  CHECK(step.stack.sparse == layer_set::range(3, 45));
}

TEST_CASE("EmbeddingGemma sees half of its window on each side, and leaves no cache", "[config]") {
  const transformer_config model = read(config_of_file("embeddinggemma"));
  CHECK(model.head.outputs == 0);
  CHECK(model.stack.window == 257);
  CHECK(kv_cache_bytes(model, forward(1, 100), bf16::format).value() == 0);
  double pairs = 0;
  for (int i = 0; i < 1000; ++i)
    for (int j = 0; j < 1000; ++j) pairs += std::abs(i - j) < 257 ? 1 : 0;
  tally scores{0.0, [](const row& r) { return is_attention_product(r.kind) ? r.multiplied.value() : 0.0; }};
  model.record(scores, forward(1, 1000));
  CHECK(scores.total == 2 * 3 * 256 * (20 * pairs + 4 * 1e6));
}

TEST_CASE("a Hunyuan whose layers share keys and values stores them once", "[config]") {
  const document large{{"model_type", "hunyuan_v1_moe"},
                       {"hidden_size", 6400},
                       {"intermediate_size", 18304},
                       {"num_hidden_layers", 64},
                       {"num_attention_heads", 80},
                       {"num_key_value_heads", 8},
                       {"vocab_size", 129024},
                       {"num_experts", 16},
                       {"moe_topk", {1, 1}},
                       {"use_qk_norm", true},
                       {"tie_word_embeddings", true},
                       {"use_cla", true},
                       {"cla_share_factor", 2}};
  // tencent/Tencent-Hunyuan-Large: 389 billion parameters, 52 billion active (arXiv 2411.02265). Rounded.
  const transformer_config model = read(large);
  CHECK_THAT(held(model), Catch::Matchers::WithinRel(389e9, 0.005));
  CHECK_THAT(total<&row::active>(model, forward(1, 1)).value(), Catch::Matchers::WithinRel(52e9, 0.02));
  CHECK(kv_cache_bytes_per_token(model, bf16::format).value() == 32 * 2 * 8 * 80 * 2);
}

TEST_CASE("DeepSeek-V4 attends to a window and to entries beyond it", "[config]") {
  const document config = config_of_file("deepseek-ai__DeepSeek-V4-Flash");
  const transformer_config model = read(config);
  CHECK(model.stack.windowed.size() == 2);
  CHECK(model.stack.reduced.size() == 20);
  CHECK(model.stack.hashed == layer_set::range(0, 3));
  // By walking: at each position the window, every full window of 4 below a choice of 512, and of 128; 64 heads of 512.
  double core = 0, index = 0;
  for (std::int64_t t = 0; t < 5000; ++t) {
    const std::int64_t window = std::min<std::int64_t>(t + 1, 128), fine = (t + 1) / 4, coarse = (t + 1) / 128;
    core += static_cast<double>(43 * window + 21 * std::min<std::int64_t>(fine, 512) + 20 * coarse);
    index += 21 * static_cast<double>(fine);
  }
  tally attention{0.0, [](const row& r) { return is_attention_product(r.kind) ? r.multiplied.value() : 0.0; }};
  tally indexers{0.0, [](const row& r) { return r.where.at == position::index_scores ? r.multiplied.value() : 0.0; }};
  model.record(attention, forward(1, 5000));
  model.record(indexers, forward(1, 5000));
  CHECK(attention.total == core * 64 * 512 * 2);
  CHECK(indexers.total == index * 64 * 128);
  // Of 16,384 tokens: 128 in each window, entries of 512 and of 128 for an index, and the windows that are open.
  const double states = 21 * (2 * 8 * 1024 + 2 * 8 * 256) + 20 * (2 * 128 * 512);
  CHECK(kv_cache_bytes(model, forward(1, 16384), bf16::format).value() ==
        2 * (43 * 128 * 512 + 21 * 4096 * (512 + 128) + 20 * 128 * 512 + states));

  // Another model_type of the same class is the same model.
  CHECK(held(read(config_of_file("sgl-project__DeepSeek-V4-Flash-FP8"))) == held(model));
  document other = config;
  other["compress_ratios"][2] = 8;
  CHECK(refused(other) == config_field::compress_ratios);
}

TEST_CASE("Gemma-4 has wider heads where a layer sees everything, whose keys are values", "[config]") {
  document config = config_of_file("google__gemma-4-26B-A4B");
  const transformer_config model = read(config);
  CHECK(model.stack.windowed.size() == 25);
  // 25 layers of 8 keys and 8 values of 256 with a window of 1024, five of 2 and 2 of 512.
  CHECK(kv_cache_bytes(model, forward(1, 5000), bf16::format).value() ==
        2 * (25 * 1024 * 2 * 8 * 256 + 5 * 5000 * 2 * 2 * 512));
  // The model card: 25.2B in all without the tower, 3.8B active.
  CHECK_THAT(total<&row::active>(model, forward(1, 1)).value(), Catch::Matchers::WithinRel(3.8e9, 0.02));

  // Sharing keys and values leaves their matrices and norms out, and their cache.
  document& text = config["text_config"];
  text["num_kv_shared_layers"] = 6;
  const transformer_config sharing = read(config);
  CHECK(held(model) - held(sharing) == 5 * (2 * 2816.0 * 2048 + 256) + 2816.0 * 1024 + 512);
  CHECK(kv_cache_bytes_per_token(sharing, bf16::format).value() == 2 * (20 * 2 * 8 * 256 + 4 * 2 * 2 * 512));
  // A vector of 256 a layer and token: a table, a matrix and a norm below, a gate, a matrix and a norm in each block.
  text["num_kv_shared_layers"] = 0;
  text["hidden_size_per_layer_input"] = 256;
  CHECK(held(read(config)) - held(model) ==
        262144.0 * 30 * 256 + 2816.0 * 30 * 256 + 256 + 30 * (2 * 2816.0 * 256 + 2816));
  text["num_kv_shared_layers"] = 30;
  CHECK(refused(config) == config_field::num_kv_shared_layers);
}
