// Other people's counts, through the reader: parameters, checkpoint bytes, and the differences that have a cause.
#include <flopledger/models/catalogue.hpp>
#include <flopledger/models/config_error.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include "catch.hpp"
#include "published_models.hpp"

using namespace flopledger;
using document = nlohmann::json;

namespace {

config_reading read(const published_model& model) { return read_config(model.config); }

/// The config of that name with some fields changed, as text.
std::string changed(const std::string& name, const document& fields) {
  document config = document::parse(find_published(name)->config);
  config.update(fields);
  return config.dump();
}

double parameters_in(const std::string& config) {
  return total<&row::held>(require_config(config, "changed.json").config, forward(1, 1)).value();
}
double active_in(const std::string& config) {
  return total<&row::active>(require_config(config, "changed.json").config, forward(1, 1)).value();
}
double bytes_in(const std::string& config) {
  const model_description model = require_config(config, "changed.json");
  return weight_bytes(model.config, model.storage).value();
}
double scales_in(const std::string& config) {
  const model_description model = require_config(config, "changed.json");
  stored_weights fold{.storage = model.storage};
  model.config.record(fold, forward(1, 1));
  return fold.scale_elements;
}

void check_same(const transformer_config& a, const transformer_config& b) {
  for (const work& asked : {forward(1, 1), forward(3, 40), training_step(2, 16), decode_step(2, 5000)}) {
    const totals x = totals_of(a, asked), y = totals_of(b, asked);
    CHECK(x.held.value() == y.held.value());
    CHECK(x.active.value() == y.active.value());
    CHECK(x.multiplied.value() == y.multiplied.value());
    CHECK(x.elementwise.value() == y.elementwise.value());
    CHECK(x.elementwise_backward.value() == y.elementwise_backward.value());
  }
  CHECK(a.context == b.context);
}

/// A config as text with its members, at every level, in an order of the generator's.
std::string shuffled(const document& value, std::mt19937& random) {
  if (value.is_array()) {
    std::string text;
    for (const document& element : value) text += (text.empty() ? "" : ", ") + shuffled(element, random);
    return "[" + text + "]";
  }
  if (!value.is_object()) return value.dump();
  std::vector<std::string> members;
  for (const auto& [key, member] : value.items())
    members.push_back(document(key).dump() + ":\n" + shuffled(member, random));
  std::shuffle(members.begin(), members.end(), random);
  std::string text;
  for (const std::string& member : members) text += (text.empty() ? "" : ",\n") + member;
  return "{" + text + "}";
}

}  // namespace

TEST_CASE("every published count comes out", "[published]") {
  CHECK(published_models().size() >= 174);
  for (const published_model& model : published_models()) {
    INFO(model.name);
    const config_reading reading = read(model);
    INFO(explain(reading.error, model.name));
    REQUIRE(reading.ok());
    const totals all = totals_of(reading.value.config, forward(1, 1));
    CHECK(all.held.value() == model.total);
    if (model.active > 0)
      CHECK(all.active.value() == model.active);
    else if (!reading.value.config.has_vision() || reading.value.config.vision_only)
      CHECK(all.active.value() == model.total);
  }
}

TEST_CASE("checkpoint bytes come out, or differ by what is explained", "[published]") {
  // Bytes of an index file that are no parameters of the model.
  const std::map<std::string, double> beside{
      {"LLaMA-7B", 2.0 * 32 * 64},           // inv_freq, in float16
      {"Falcon-180B", 2.0 * 65024 * 14848},  // the tied head, stored once more
      {"RedPajama-INCITE-7B-Base",
       32 * 2048.0 * 2048 / 8 + 32 * (2.0 + 128)}  // masks of 1/8 byte; masked_bias, inv_freq
  };
  int checked = 0;
  for (const published_model& model : published_models()) {
    if (model.size_bytes == 0) continue;
    INFO(model.name);
    const auto more = beside.find(model.name);
    CHECK(bytes_in(model.config) + (more == beside.end() ? 0.0 : more->second) == model.size_bytes);
    ++checked;
  }
  CHECK(checked >= 16);
}

TEST_CASE("index files of derived models come out with their vocabularies", "[published]") {
  CHECK(bytes_in(changed("CodeLlama-34B-Instruct", {{"vocab_size", 32004}})) == 67488071680.0);
  CHECK(bytes_in(changed("Llama-3-70B", {{"vocab_size", 128262}, {"torch_dtype", "float32"}})) == 282215219200.0);
  CHECK(bytes_in(changed("Mixtral-8x7B", {{"vocab_size", 32002}})) == 93405618176.0);
  // A reward model: no head on the vocabulary but one on 2048 inputs, with a bias.
  CHECK(bytes_in(changed("Pythia-1.4B",
                         {{"vocab_size", 50288}, {"architectures", {"GPTNeoXModel"}}, {"torch_dtype", "float32"}})) +
            4 * (2048 + 1) ==
        5246377988.0);
  // 26392 bytes are the header of the safetensors file.
  CHECK(bytes_in(find_published("Granite-3.1-1B-A400M-Instruct")->config) + 26392 == 2669283096.0);
  // 36 masks of 2048² at an eighth of a byte, masked_bias, and inv_freq of 16 in float32.
  CHECK(bytes_in(changed("Pythia-12B", {{"vocab_size", 50288}})) + 36 * (2048.0 * 2048 / 8 + 2 + 4 * 16) ==
        23702829384.0);
}

TEST_CASE("what hubs count besides parameters has its cause", "[published]") {
  const auto count = [](const char* name) { return parameters_in(find_published(name)->config); };
  CHECK(count("GPT-2 small") + 12 * 1024.0 * 1024 == 137022720);     // causal masks
  CHECK(count("GPT-Neo-1.3B") + 12 * 2048.0 * 2048 == 1365907456);   // of the half of the layers that is stored
  CHECK(count("Pythia-70M") + 6 * (2048.0 * 2048 + 8) == 95592496);  // masks and inv_freq
  CHECK(count("Llama-2-70B") + 80 * 64 == 68976653312);              // inv_freq
  CHECK(count("Qwen3-0.6B") + 151936.0 * 1024 == 751632384);         // the tied head, stored once more
  CHECK(count("StarCoder-15B") + 49152.0 * 6144 == 15819446272);     // likewise
  CHECK(count("BGE-small-en-v1.5") + 512 == 33360512);               // position_ids
  CHECK(count("Pythia-70M") - 2 * 50304.0 * 512 == 18915328);        // the paper leaves both tables out
  CHECK(count("Moonlight-16B-A3B") - 26 * 64 == 15960108544);        // correction biases are buffers of the class
  CHECK(count("dots.llm1") - 61 * 128 == 142774373888);              // likewise
  // ERNIE ships one dense prediction block: the layer, a matrix 2h·h and two norms.
  CHECK(count("ERNIE-4.5-300B-A47B") + 855654400 + 2 * 8192.0 * 8192 + 2 * 8192 == 300474051776);
}

TEST_CASE("scales of quantised checkpoints are counted", "[published]") {
  const std::string minimax = find_published("MiniMax-M2")->config;
  CHECK(scales_in(minimax) == 13880064);
  CHECK(parameters_in(minimax) + scales_in(minimax) == 228703644928);
  const std::string gpt_oss = find_published("gpt-oss-20b")->config;
  CHECK(scales_in(gpt_oss) == 597196800);
  CHECK(parameters_in(gpt_oss) + scales_in(gpt_oss) == 21511953984);
  const std::string larger = changed("gpt-oss-20b", {{"num_hidden_layers", 36}, {"num_local_experts", 128}});
  CHECK(parameters_in(larger) == 116829156672);
  CHECK(active_in(larger) == 5711982912);
  CHECK(parameters_in(larger) + scales_in(larger) == 120412337472);
}

TEST_CASE("the DeepSeek-V3 checkpoint adds up", "[published]") {
  const document v3{{"num_attention_heads", 128},
                    {"num_hidden_layers", 61},
                    {"hidden_size", 7168},
                    {"vocab_size", 129280},
                    {"intermediate_size", 18432},
                    {"moe_intermediate_size", 2048},
                    {"n_routed_experts", 256},
                    {"num_experts_per_tok", 8},
                    {"n_shared_experts", 1},
                    {"q_lora_rank", 1536},
                    {"first_k_dense_replace", 3},
                    {"num_key_value_heads", 128},
                    {"quantization_config", {{"quant_method", "fp8"}, {"weight_block_size", {128, 128}}}}};
  const std::string main = changed("Moonlight-16B-A3B", v3);
  CHECK(parameters_in(main) == 671026419200);
  CHECK(active_in(main) == 37552297472);
  // The prediction block is one more sparse layer, a matrix 2h·h and three norms; its copies of embedding and head are
  // stored too. README_WEIGHTS.md: 11.5B unique.
  document longer = v3;
  longer["num_hidden_layers"] = 62;
  const std::string with_block = changed("Moonlight-16B-A3B", longer);
  const double unique = parameters_in(with_block) - parameters_in(main) + 2 * 7168.0 * 7168 + 3 * 7168;
  CHECK(unique == 11610068224);
  const double prediction = unique + 2 * 129280.0 * 7168;
  CHECK(prediction == 13463426304);
  CHECK(scales_in(with_block) == 41540496);
  CHECK(parameters_in(main) + prediction + scales_in(with_block) == 684531386000);
}

TEST_CASE("the reader does not mind order, unknown fields, null and nesting", "[published]") {
  std::mt19937 random{20260101};
  for (const published_model& model : published_models()) {
    INFO(model.name);
    const config_reading plain = read(model);
    REQUIRE(plain.ok());
    document config = document::parse(model.config);

    for (int round = 0; round < 3; ++round) {
      const std::string text = shuffled(config, random);
      const config_reading again = read_config(text);
      INFO(text);
      REQUIRE(again.ok());
      check_same(again.value.config, plain.value.config);
    }

    document more = config;
    more["transformers_version"] = "4.57.0";
    more["a_field_that_nobody_reads"] = {{"hidden_size", 1}, {"list", {1, nullptr, {{"num_hidden_layers", "x"}}}}};
    more["rope_scaling"] = {{"type", "yarn"}, {"factor", 4.0}};
    more["\u00fcber"] = "\"hidden_size\": 5 \\ { } [ ]";
    more["bos_token_id"] = nullptr;
    const std::string text = shuffled(more, random);
    const config_reading unknown = read_config(text);
    REQUIRE(unknown.ok());
    check_same(unknown.value.config, plain.value.config);
  }
}

TEST_CASE("null is as good as absent where a field has a default", "[published]") {
  for (const char* name : {"Llama-3-8B", "GPT-2 small", "Mixtral-8x7B", "Phi-1.5", "T5-small", "BERT-base-uncased"}) {
    INFO(name);
    const config_reading plain = read(*find_published(name));
    const std::string text = changed(name, {{"attention_bias", nullptr},
                                            {"mlp_bias", nullptr},
                                            {"head_dim", nullptr},
                                            {"n_inner", nullptr},
                                            {"attention_dropout", nullptr},
                                            {"quantization_config", nullptr},
                                            {"text_config", nullptr}});
    const config_reading with_null = read_config(text);
    INFO(explain(with_null.error, name));
    REQUIRE(with_null.ok());
    check_same(with_null.value.config, plain.value.config);
  }
}

TEST_CASE("a language model inside a wrapper's text_config is read as itself", "[published]") {
  for (const char* name : {"Llama-3-8B", "Mistral-Small-24B (Devstral-Small-2507)", "Qwen3-8B", "Qwen2.5-7B"}) {
    INFO(name);
    const config_reading plain = read(*find_published(name));
    document inner = document::parse(find_published(name)->config);
    document outer{
        {"model_type", inner["model_type"]}, {"architectures", inner["architectures"]}, {"torch_dtype", "bfloat16"}};
    inner.erase("architectures");
    outer["text_config"] = inner;
    const std::string text = outer.dump();
    const config_reading nested = read_config(text);
    INFO(explain(nested.error, name));
    REQUIRE(nested.ok());
    check_same(nested.value.config, plain.value.config);
  }
}

TEST_CASE("MiniMax's hybrids are one architecture under three names", "[published]") {
  const published_model& first = *find_published("MiniMax-Text-01");
  document config = document::parse(first.config);
  const transformer_config plain = read_config(first.config).value.config;
  config["model_type"] = "minimax_m1";
  config["architectures"] = {"MiniMaxM1ForCausalLM"};
  const std::string later = config.dump();
  REQUIRE(read_config(later).ok());
  CHECK(read_config(later).value.config.stack.recurrent == plain.stack.recurrent);
  document types = document::array();
  for (const document& kind : config["attn_type_list"])
    types.push_back(kind == 0 ? "linear_attention" : "full_attention");
  config.erase("attn_type_list");
  config["layer_types"] = types;
  config["model_type"] = "minimax";
  config["architectures"] = {"MiniMaxForCausalLM"};
  const std::string named = config.dump();
  REQUIRE(read_config(named).ok());
  CHECK(read_config(named).value.config.stack.recurrent == plain.stack.recurrent);
}

TEST_CASE("Llama-4's layers may be listed", "[published]") {
  document config = document::parse(find_published("Llama-4-Scout-17B-16E")->config);
  document& text = config.contains("text_config") ? config["text_config"] : config;
  const std::int64_t layers = text["num_hidden_layers"];
  document turned = document::array(), every_fourth = document::array();
  for (std::int64_t i = 0; i < layers; ++i) {
    turned.push_back(i % 4 == 3 ? 0 : 1);
    if (i % 4 == 3) every_fourth.push_back(i);
  }
  text["no_rope_layers"] = turned;
  text["moe_layers"] = every_fourth;
  const std::string listed = config.dump();
  REQUIRE(read_config(listed).ok());
  const stack blocks = read_config(listed).value.config.stack;
  CHECK(blocks.windowed == read_config(find_published("Llama-4-Scout-17B-16E")->config).value.config.stack.windowed);
  CHECK(blocks.sparse == layer_set::every(4, 3, layers));
}

// Architectures that published_models.json has no entry of. Each count is written out from the modules' shapes beside
// it; "Hub" marks totals also known from the models' pages (from memory), active counts are those of the collection
// behind published_models.json.
TEST_CASE("further architectures come out by closed forms", "[published]") {
  const auto config = [](const document& fields) { return fields.dump(); };

  SECTION("OLMo: LayerNorm without anything learned") {
    const std::string text = config({{"architectures", {"OlmoForCausalLM"}},
                                     {"model_type", "olmo"},
                                     {"hidden_size", 4096},
                                     {"num_hidden_layers", 32},
                                     {"num_attention_heads", 32},
                                     {"intermediate_size", 11008},
                                     {"vocab_size", 50304},
                                     {"attention_bias", false},
                                     {"clip_qkv", nullptr}});
    CHECK(parameters_in(text) == 2 * 50304.0 * 4096 + 32 * (4 * 4096.0 * 4096 + 3 * 4096.0 * 11008));
    CHECK(parameters_in(text) == 6888095744);  // Hub
  }
  SECTION("OLMo-2: norms after the sublayers and over whole projections") {
    const std::string text = config({{"architectures", {"Olmo2ForCausalLM"}},
                                     {"model_type", "olmo2"},
                                     {"hidden_size", 4096},
                                     {"num_hidden_layers", 32},
                                     {"num_attention_heads", 32},
                                     {"num_key_value_heads", 32},
                                     {"intermediate_size", 11008},
                                     {"vocab_size", 100352}});
    const double layer = 4 * 4096.0 * 4096 + 3 * 4096.0 * 11008 + 2 * 4096 + 2 * 4096;
    CHECK(parameters_in(text) == 2 * 100352.0 * 4096 + 32 * layer + 4096);
    CHECK(parameters_in(text) == 7298617344);  // Hub
  }
  SECTION("OLMoE") {
    const std::string text = config({{"architectures", {"OlmoeForCausalLM"}},
                                     {"model_type", "olmoe"},
                                     {"hidden_size", 2048},
                                     {"num_hidden_layers", 16},
                                     {"num_attention_heads", 16},
                                     {"num_key_value_heads", 16},
                                     {"intermediate_size", 1024},
                                     {"num_experts", 64},
                                     {"num_experts_per_tok", 8},
                                     {"vocab_size", 50304}});
    const double shared = 4 * 2048.0 * 2048 + 64 * 2048.0 + 4 * 2048;
    CHECK(parameters_in(text) == 2 * 50304.0 * 2048 + 16 * (shared + 64 * 3 * 2048.0 * 1024) + 2048);
    CHECK(parameters_in(text) == 6919161856);  // Hub
    CHECK(active_in(text) == 1282017280);
  }
  SECTION("GLM-4.5 and Air") {
    document fields{{"architectures", {"Glm4MoeForCausalLM"}},
                    {"model_type", "glm4_moe"},
                    {"hidden_size", 5120},
                    {"num_hidden_layers", 92},
                    {"num_attention_heads", 96},
                    {"num_key_value_heads", 8},
                    {"head_dim", 128},
                    {"attention_bias", true},
                    {"use_qk_norm", true},
                    {"intermediate_size", 12288},
                    {"moe_intermediate_size", 1536},
                    {"n_routed_experts", 160},
                    {"n_shared_experts", 1},
                    {"num_experts_per_tok", 8},
                    {"first_k_dense_replace", 3},
                    {"vocab_size", 151552},
                    {"partial_rotary_factor", 0.5},
                    {"num_nextn_predict_layers", 1},
                    {"max_position_embeddings", 131072}};
    const double heads = 96 * 128.0, kv = 8 * 128.0;
    const double attention = 5120 * (2 * heads + 2 * kv) + heads + 2 * kv + 2 * 128;
    const double sparse = 161 * 3 * 5120.0 * 1536 + 160 * 5120.0 + 160;
    CHECK(parameters_in(fields.dump()) ==
          2 * 151552.0 * 5120 + 92 * (attention + 2 * 5120) + 3 * 3 * 5120.0 * 12288 + 89 * sparse + 5120);
    CHECK(parameters_in(fields.dump()) == 352797829024);
    CHECK(active_in(fields.dump()) == 33632266144);
    fields.update({{"hidden_size", 4096},
                   {"num_hidden_layers", 46},
                   {"use_qk_norm", false},
                   {"intermediate_size", 10944},
                   {"moe_intermediate_size", 1408},
                   {"n_routed_experts", 128},
                   {"first_k_dense_replace", 1}});
    CHECK(parameters_in(fields.dump()) == 106852251264);
    CHECK(active_in(fields.dump()) == 13424129664);
  }
  SECTION("ChatGLM3") {
    const std::string text = config({{"architectures", {"ChatGLMModel"}},
                                     {"model_type", "chatglm"},
                                     {"add_bias_linear", false},
                                     {"add_qkv_bias", true},
                                     {"ffn_hidden_size", 13696},
                                     {"hidden_size", 4096},
                                     {"kv_channels", 128},
                                     {"multi_query_attention", true},
                                     {"multi_query_group_num", 2},
                                     {"num_attention_heads", 32},
                                     {"num_layers", 28},
                                     {"padded_vocab_size", 65024},
                                     {"seq_length", 8192},
                                     {"rmsnorm", true}});
    const double qkv = 4096 + 2 * 2 * 128;
    const double layer = 4096 * qkv + qkv + 4096.0 * 4096 + 3 * 4096.0 * 13696 + 2 * 4096;
    CHECK(parameters_in(text) == 2 * 65024.0 * 4096 + 28 * layer + 4096);
    CHECK(parameters_in(text) == 6243584000);  // Hub, less 32 inv_freq
  }
  SECTION("DBRX") {
    const std::string text =
        config({{"architectures", {"DbrxForCausalLM"}},
                {"model_type", "dbrx"},
                {"attn_config", {{"kv_n_heads", 8}, {"clip_qkv", 8}, {"rope_theta", 500000}}},
                {"ffn_config", {{"ffn_hidden_size", 10752}, {"moe_num_experts", 16}, {"moe_top_k", 4}}},
                {"d_model", 6144},
                {"n_heads", 48},
                {"n_layers", 40},
                {"max_seq_len", 32768},
                {"vocab_size", 100352}});
    const double layer = 6144 * (6144.0 + 2 * 1024) + 6144.0 * 6144 + 16 * (3 * 6144.0 * 10752 + 6144) + 2 * 6144;
    CHECK(parameters_in(text) == 2 * 100352.0 * 6144 + 40 * layer + 6144);
    CHECK(parameters_in(text) == 131596523520);  // Hub
    CHECK(active_in(text) == 36469708800);
  }
  SECTION("Phi-3.5-MoE: biases on attention and head, LayerNorm with bias") {
    const std::string text = config({{"architectures", {"PhiMoEForCausalLM"}},
                                     {"model_type", "phimoe"},
                                     {"attention_bias", true},
                                     {"lm_head_bias", true},
                                     {"hidden_size", 4096},
                                     {"intermediate_size", 6400},
                                     {"num_attention_heads", 32},
                                     {"num_hidden_layers", 32},
                                     {"num_key_value_heads", 8},
                                     {"num_local_experts", 16},
                                     {"num_experts_per_tok", 2},
                                     {"sliding_window", 131072},
                                     {"vocab_size", 32064}});
    const double attention = 4096 * (2 * 4096.0 + 2 * 1024) + 2 * 4096 + 2 * 1024;
    const double layer = attention + 16 * (3 * 4096.0 * 6400 + 4096) + 4 * 4096;
    CHECK(parameters_in(text) == 2 * 32064.0 * 4096 + 32064 + 32 * layer + 2 * 4096);
    CHECK(parameters_in(text) == 41873153344);  // Hub
    CHECK(active_in(text) == 6640999744);
  }
  SECTION("RoBERTa and XLM-RoBERTa with their masked-language heads") {
    document fields{{"architectures", {"RobertaForMaskedLM"}},
                    {"model_type", "roberta"},
                    {"hidden_size", 768},
                    {"intermediate_size", 3072},
                    {"max_position_embeddings", 514},
                    {"num_attention_heads", 12},
                    {"num_hidden_layers", 12},
                    {"type_vocab_size", 1},
                    {"vocab_size", 50265}};
    const double block = 4 * (768.0 * 768 + 768) + 2 * 768.0 * 3072 + 3072 + 768 + 4 * 768;
    const auto masked = [&](double vocabulary) {
      return (vocabulary + 514 + 1) * 768 + 2 * 768 + 12 * block + 768.0 * 768 + 768 + 2 * 768 + vocabulary;
    };
    CHECK(parameters_in(fields.dump()) == masked(50265));
    CHECK(parameters_in(fields.dump()) == 124697433);
    fields.update(
        {{"architectures", {"XLMRobertaForMaskedLM"}}, {"model_type", "xlm-roberta"}, {"vocab_size", 250002}});
    CHECK(parameters_in(fields.dump()) == masked(250002));
    CHECK(parameters_in(fields.dump()) == 278295186);
  }
  SECTION("SmolLM3: tied, as its class has it where the file says nothing") {
    const std::string text = config({{"architectures", {"SmolLM3ForCausalLM"}},
                                     {"model_type", "smollm3"},
                                     {"hidden_size", 2048},
                                     {"intermediate_size", 11008},
                                     {"num_attention_heads", 16},
                                     {"num_hidden_layers", 36},
                                     {"num_key_value_heads", 4},
                                     {"no_rope_layer_interval", 4},
                                     {"vocab_size", 128256}});
    const double layer = 2048 * (2 * 2048.0 + 2 * 512) + 3 * 2048.0 * 11008 + 2 * 2048;
    CHECK(parameters_in(text) == 128256.0 * 2048 + 36 * layer + 2048);
    CHECK(parameters_in(text) == 3075098624);  // Hub
  }
  SECTION("Kimi-K2") {
    const std::string text = changed("Moonlight-16B-A3B", {{"model_type", "kimi_k2"},
                                                           {"hidden_size", 7168},
                                                           {"num_hidden_layers", 61},
                                                           {"num_attention_heads", 64},
                                                           {"num_key_value_heads", 64},
                                                           {"intermediate_size", 18432},
                                                           {"moe_intermediate_size", 2048},
                                                           {"n_routed_experts", 384},
                                                           {"n_shared_experts", 1},
                                                           {"num_experts_per_tok", 8},
                                                           {"q_lora_rank", 1536},
                                                           {"vocab_size", 163840}});
    const double attention =
        7168 * 1536.0 + 1536 + 1536 * 64.0 * 192 + 7168 * 576.0 + 512 + 512 * 64.0 * 256 + 64.0 * 128 * 7168;
    const double sparse = 385 * 3 * 7168.0 * 2048 + 384 * 7168.0 + 384;
    CHECK(parameters_in(text) ==
          2 * 163840.0 * 7168 + 61 * (attention + 2 * 7168) + 3 * 7168.0 * 18432 + 60 * sparse + 7168);
    CHECK(active_in(text) == 32861500928);
  }
  SECTION("Llama-4-Maverick: every second layer sparse, from the second on") {
    document fields = document::parse(find_published("Llama-4-Scout-17B-16E")->config);
    const double tower = find_published("Llama-4-Scout-17B-16E")->total - 48 * (2 * 5120 * (5120.0 + 1024) + 2 * 5120) -
                         48 * (17 * 3 * 5120.0 * 8192 + 16 * 5120) - 2 * 202048.0 * 5120 - 5120;
    fields["text_config"].update({{"num_local_experts", 128}, {"interleave_moe_layer_step", 2}});
    CHECK(active_in(fields.dump()) == 17184691200);
    CHECK(parameters_in(fields.dump()) == tower + 48 * (2 * 5120 * (5120.0 + 1024) + 2 * 5120) +
                                              24 * (129 * 3 * 5120.0 * 8192 + 128 * 5120) + 24 * 3 * 5120.0 * 16384 +
                                              2 * 202048.0 * 5120 + 5120);
  }
}

TEST_CASE("the configurations that are shipped are the models they are named for", "[published]") {
  const auto file = [](const std::string& name) {
    std::ifstream stream{FLOPLEDGER_TEST_DATA "/../../examples/configs/" + name + "/config.json"};
    REQUIRE(stream);
    std::stringstream text;
    text << stream.rdbuf();
    return text.str();
  };
  for (const char* name : {"Llama-3.1-8B", "Mixtral-8x7B", "Qwen3-8B", "DeepSeek-V3", "gpt-oss-20b"}) {
    INFO(name);
    const std::string text = file(name);
    const model_description model = require_config(text, name);
    const models::zoo_entry* entry = models::find(name);
    REQUIRE(entry != nullptr);
    check_same(model.config, entry->describe());
  }
  CHECK(bytes_in(file("Llama-3.1-8B")) == 2 * 8030261248.0);
  // 8-bit matrices with a scale of 4 bytes a block of 128 by 128; 16 bits for what is not inside a block's matrices.
  const double scales = scales_in(file("DeepSeek-V3"));
  CHECK(bytes_in(file("DeepSeek-V3")) > 671026419200 + 4 * scales);
  CHECK(bytes_in(file("DeepSeek-V3")) < 671026419200 + 4 * scales + 3e9);
  // Experts at half a byte and a scale a group of 32, everything else in bfloat16.
  const double expert_weights = 24 * 32 * 3 * 2880.0 * 2880;
  CHECK(bytes_in(file("gpt-oss-20b")) == expert_weights / 2 + expert_weights / 32 + 2 * (20914757184 - expert_weights));
}
