// Configurations that are wrong: each is refused, and the message names the field, the line and the value.
#include <flopledger/models/config_error.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "published_models.hpp"

using namespace flopledger;

namespace {

using document = nlohmann::ordered_json;

const document& plain_llama() {
  static const document llama{{"architectures", {"LlamaForCausalLM"}},
                              {"model_type", "llama"},
                              {"hidden_size", 4096},
                              {"intermediate_size", 11008},
                              {"num_attention_heads", 32},
                              {"num_hidden_layers", 32},
                              {"num_key_value_heads", 8},
                              {"vocab_size", 32000},
                              {"torch_dtype", "bfloat16"}};
  return llama;
}

/// A plain LLaMA with fields changed; what is set to the word "absent" is taken out.
std::string llama_with(const std::vector<std::pair<std::string, document>>& changes) {
  document config = plain_llama();
  for (const auto& [key, value] : changes) {
    if (value == "absent")
      config.erase(key);
    else
      config[key] = value;
  }
  return config.dump(2);
}

/// The line of a field in an indented document, from 1.
std::uint32_t line_of(const std::string& text, const std::string& key) {
  const std::size_t place = text.find('"' + key + '"');
  REQUIRE(place != std::string::npos);
  return 1 +
         static_cast<std::uint32_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
}

void check_refused(const std::string& text, config_problem problem, config_field field) {
  INFO(text);
  const config_reading reading = read_config(text);
  INFO(explain(reading.error, "config.json"));
  CHECK(reading.error.problem == problem);
  CHECK(name_of(reading.error.field) == name_of(field));
  if (problem != config_problem::missing && problem != config_problem::duplicate)
    CHECK(reading.error.line == line_of(text, std::string{name_of(field)}));
}

std::string explained(const std::string& text) { return explain(read_config(text).error, "llama.json"); }

}  // namespace

TEST_CASE("a field that is missing and has no default is named", "[config]") {
  for (const config_field field :
       {config_field::hidden_size, config_field::num_hidden_layers, config_field::num_attention_heads,
        config_field::intermediate_size, config_field::vocab_size}) {
    const std::string name{name_of(field)};
    check_refused(llama_with({{name, "absent"}}), config_problem::missing, field);
    check_refused(llama_with({{name, nullptr}}), config_problem::missing, field);
  }
  CHECK(explained(llama_with({{"hidden_size", "absent"}})) ==
        "llama.json: hidden_size is missing, and this architecture has no default for it");
  CHECK(explained(llama_with({{"model_type", "absent"}, {"architectures", "absent"}})) ==
        "llama.json: neither model_type nor architectures is there, and one of them must name the model");
  CHECK(explained("{}") == explained(llama_with({{"model_type", nullptr}, {"architectures", nullptr}})));
  // Either of the two is enough.
  CHECK(read_config(llama_with({{"architectures", "absent"}})).ok());
  CHECK(read_config(llama_with({{"model_type", "absent"}})).ok());
}

TEST_CASE("numbers that no model has are refused with what stands there", "[config]") {
  for (const char* name : {"hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "vocab_size",
                           "num_key_value_heads"}) {
    const config_field field = [&] {
      for (int i = 1;; ++i)
        if (name_of(static_cast<config_field>(i)) == name) return static_cast<config_field>(i);
    }();
    for (const document& number : {document(0), document(-1), document(0.5), document(4096.5), document(1e18),
                                   document(16777217), document(9223372036854775807), document(-1e-300)})
      check_refused(llama_with({{name, number}}), config_problem::out_of_range, field);
    for (const document& other : {document("4096"), document(true), document::array({4096}), document::object()})
      check_refused(llama_with({{name, other}}), config_problem::wrong_type, field);
  }
  CHECK(explained(llama_with({{"hidden_size", -5}})) == "llama.json: line 6: hidden_size is -5, which is out of range");
  CHECK(explained(llama_with({{"hidden_size", 2560.5}})) ==
        "llama.json: line 6: hidden_size is 2560.5, which is not a whole number");
  CHECK(explained(llama_with({{"hidden_size", 1e18}})).find("which is out of range") != std::string::npos);
  CHECK(explained(llama_with({{"partial_rotary_factor", 1.5}})).find("which is out of range") != std::string::npos);
  CHECK(explained(llama_with({{"hidden_size", "4096 or so"}})) ==
        "llama.json: line 6: hidden_size is \"4096 or so\", which is of the wrong type");
  CHECK(explained(llama_with({{"hidden_size", "4096"}})) ==
        "llama.json: line 6: hidden_size is \"4096\", which is of the wrong type");
  CHECK(explained(llama_with({{"hidden_size", document::object()}})) ==
        "llama.json: line 6: hidden_size is an object, which is of the wrong type");
  // A whole number is one however it is written.
  CHECK(read_config(llama_with({{"hidden_size", 4096.0}})).ok());
  check_refused(llama_with({{"num_hidden_layers", 257}}), config_problem::too_large, config_field::num_hidden_layers);
  check_refused(llama_with({{"attention_bias", 1}}), config_problem::wrong_type, config_field::attention_bias);
  check_refused(llama_with({{"partial_rotary_factor", 1.5}}), config_problem::out_of_range,
                config_field::partial_rotary_factor);
  check_refused(llama_with({{"partial_rotary_factor", 1e300}}), config_problem::out_of_range,
                config_field::partial_rotary_factor);
}

TEST_CASE("fields that contradict each other are both named", "[config]") {
  check_refused(llama_with({{"num_attention_heads", 33}, {"num_key_value_heads", 33}}), config_problem::contradictory,
                config_field::num_attention_heads);
  CHECK(explained(llama_with({{"num_attention_heads", 33}, {"num_key_value_heads", 33}})) ==
        "llama.json: line 8: num_attention_heads is 33, which does not divide hidden_size 4096");
  CHECK(explained(llama_with({{"num_key_value_heads", 5}})) ==
        "llama.json: line 10: num_key_value_heads is 5, which does not divide num_attention_heads 32");
  CHECK(explained(llama_with({{"num_key_value_heads", 64}})) ==
        "llama.json: line 10: num_key_value_heads is 64, more than num_attention_heads, which is 32");
  // With a width of their own, heads need not divide anything.
  CHECK(read_config(llama_with({{"num_attention_heads", 33}, {"num_key_value_heads", 33}, {"head_dim", 128}})).ok());

  CHECK(explained(llama_with({{"model_type", "gpt2"}})) ==
        "llama.json: line 2: architectures and model_type name different families; one of them must go");

  CHECK(explained(llama_with({{"dtype", "float16"}})) ==
        "llama.json: line 12: torch_dtype and dtype name different formats; one of them must go");
  CHECK(read_config(llama_with({{"dtype", "bfloat16"}})).ok());
  CHECK(explained(llama_with({{"quantization_config", {{"bits", 4}}}})) ==
        "llama.json: quantization_config names no quant_method, so nothing says how the weights are stored");

  const document gpt_oss = document::parse(find_published("gpt-oss-20b")->config);
  document other = gpt_oss;
  other["layer_types"] = document::array();
  for (int i = 0; i < 23; ++i) other["layer_types"].push_back("full_attention");
  check_refused(other.dump(1), config_problem::contradictory, config_field::layer_types);
  CHECK(explained(other.dump()).find("layer_types names 23 layers, but num_hidden_layers is 24") != std::string::npos);
  other["layer_types"].push_back("quite_other_attention");
  check_refused(other.dump(1), config_problem::unknown, config_field::layer_types);
  CHECK(explained(other.dump()).find("layer_types is \"quite_other_attention\"") != std::string::npos);
  other = gpt_oss;
  other["num_experts_per_tok"] = 5;
  check_refused(other.dump(1), config_problem::contradictory, config_field::experts_per_token);
  other["num_experts_per_tok"] = other["experts_per_token"] = 33;
  check_refused(other.dump(1), config_problem::contradictory, config_field::num_experts_per_tok);

  document bloom = document::parse(find_published("BLOOM-560M")->config);
  bloom["num_hidden_layers"] = 25;  // n_layer says 24
  check_refused(bloom.dump(1), config_problem::contradictory, config_field::num_hidden_layers);

  document neo = document::parse(find_published("GPT-Neo-1.3B")->config);
  neo["attention_types"] = document::array({document::array({document::array({"global", "local"}), 11})});
  check_refused(neo.dump(1), config_problem::contradictory, config_field::attention_types);
  neo["attention_types"] = document::array({document::array({document::array(), 9223372036854775807})});
  CHECK(read_config(neo.dump()).ok());  // names no layer: as if it were not there

  document minimax = document::parse(find_published("MiniMax-Text-01")->config);
  minimax["attn_type_list"].push_back(0);
  check_refused(minimax.dump(1), config_problem::contradictory, config_field::attn_type_list);

  document qwen = document::parse(find_published("Qwen-7B")->config);
  qwen["intermediate_size"] = 22015;
  check_refused(qwen.dump(1), config_problem::out_of_range, config_field::intermediate_size);
}

TEST_CASE("what the library does not know it refuses", "[config]") {
  check_refused(llama_with({{"model_type", "llama9"}, {"architectures", "absent"}}), config_problem::unknown,
                config_field::model_type);
  CHECK(explained(llama_with({{"model_type", "llama9"}, {"architectures", "absent"}})) ==
        "llama.json: line 2: model_type is \"llama9\", which this library does not know and will not guess");
  check_refused(llama_with({{"model_type", "absent"}, {"architectures", {"Llama9ForCausalLM"}}}),
                config_problem::unknown, config_field::architectures);
  check_refused(llama_with({{"architectures", {"LlamaForSomethingElse"}}}), config_problem::unknown,
                config_field::architectures);
  check_refused(llama_with({{"hidden_act", "a_new_one"}}), config_problem::unknown, config_field::hidden_act);
  check_refused(llama_with({{"torch_dtype", "float13"}}), config_problem::unknown, config_field::torch_dtype);
  check_refused(llama_with({{"quantization_config", {{"quant_method", "a_new_one"}}}}), config_problem::unknown,
                config_field::quant_method);
  check_refused(llama_with({{"quantization_config", {{"bits", 4}}}}), config_problem::missing,
                config_field::quant_method);
  check_refused(llama_with({{"quantization_config", {{"quant_method", "gptq"}, {"bits", 5}}}}),
                config_problem::out_of_range, config_field::bits_);
  check_refused(llama_with({{"quantization_config", {{"quant_method", "fp8"}, {"weight_block_size", {128, 0}}}}}),
                config_problem::out_of_range, config_field::weight_block_size);
  check_refused(llama_with({{"quantization_config", {{"quant_method", "fp8"}, {"weight_block_size", {128}}}}}),
                config_problem::out_of_range, config_field::weight_block_size);
  check_refused(llama_with({{"quantization_config", "fp8"}}), config_problem::wrong_type,
                config_field::quantization_config);
}

TEST_CASE("a quantization that leaves out what is no module of the model is refused", "[config]") {
  const auto storage = [](const document& quantization) { return llama_with({{"quantization_config", quantization}}); };
  // What is left alone anyway may be named: lists of Qwen3's and DeepSeek's repositories.
  const document harmless{"lm_head", "model.embed_tokens", "model.layers.0.mlp.gate", "model.layers.0.input_layernorm",
                          "e_score_correction_bias"};
  CHECK(read_config(storage({{"quant_method", "fp8"}, {"modules_to_not_convert", harmless}})).ok());
  CHECK(read_config(storage({{"quant_method", "awq"}, {"modules_to_not_convert", nullptr}})).ok());
  for (const char* name : {"modules_to_not_convert", "ignored_layers"}) {
    const std::string text = storage({{"quant_method", "fp8"}, {name, {"lm_head", "model.layers.0.self_attn.q_prj"}}});
    CHECK(read_config(text).error.problem == config_problem::unknown);
    CHECK(explained(text).find(std::string{name} + " is \"model.layers.0.self_attn.q_prj\"") != std::string::npos);
  }
  check_refused(storage({{"quant_method", "gptq"}, {"lm_head", true}}), config_problem::unknown, config_field::lm_head);
  check_refused(storage({{"quant_method", "gptq"}, {"dynamic", {{"+:.*down.*", {{"bits", 8}}}}}}),
                config_problem::unknown, config_field::dynamic);
  CHECK(read_config(storage({{"quant_method", "gptq"}, {"dynamic", {{"-:.*mlp.gate.*", document::object()}}}})).ok());
  check_refused(storage({{"quant_method", "gptq"}, {"modules_in_block_to_quantize", {{"self_attn.q_proj"}}}}),
                config_problem::unknown, config_field::modules_in_block_to_quantize);
  check_refused(llama_with({{"compression_config", document::object()}}), config_problem::unknown,
                config_field::compression_config);
}

TEST_CASE("a wrapper and its text_config say the same", "[config]") {
  const auto wrapped = [](const char* key, const document& value, const document& inner_type = "llama") {
    document text = plain_llama();
    text.erase("architectures");
    text["model_type"] = inner_type;
    document outer{{"model_type", "llama"}, {"text_config", text}};
    outer[key] = value;
    return outer.dump(2);
  };
  CHECK(read_config(wrapped("hidden_size", 4096)).ok());
  const std::string other = wrapped("hidden_size", 5120);
  CHECK(read_config(other).error.problem == config_problem::contradictory);
  CHECK(read_config(other).error.field == config_field::hidden_size);
  CHECK(read_config(wrapped("x", 0, "qwen2")).error.field == config_field::model_type);
  // A tower that nothing here reads would be left out of every count.
  check_refused(wrapped("vision_config", {{"hidden_size", 1024}}), config_problem::unknown,
                config_field::vision_config);
  document quantised = document::parse(wrapped("x", 0));
  quantised["text_config"]["quantization_config"] = {{"quant_method", "fp8"}};
  const std::string text = quantised.dump(2);
  CHECK(read_config(text).value.storage.method == quantization_method::fp8);
}

TEST_CASE("layers named one by one are named rightly", "[config]") {
  const auto neo = [](const document& types) {
    return document{{"model_type", "gpt_neo"}, {"num_layers", 12},    {"hidden_size", 768},
                    {"num_heads", 12},         {"vocab_size", 50257}, {"attention_types", types}}
        .dump(2);
  };
  CHECK(read_config(neo({{{"global", "local"}, 6}})).ok());
  check_refused(neo({{{"global", "local"}, -6}}), config_problem::out_of_range, config_field::attention_types);
  check_refused(neo({{{"global", "elsewhere"}, 6}}), config_problem::unknown, config_field::attention_types);
  check_refused(document{{"model_type", "vit"},
                         {"hidden_size", 64},
                         {"num_hidden_layers", 2},
                         {"num_attention_heads", 4},
                         {"intermediate_size", 256},
                         {"image_size", 224},
                         {"patch_size", 300}}
                    .dump(2),
                config_problem::contradictory, config_field::patch_size);
}

TEST_CASE("what would add weights that nobody counts is refused", "[config]") {
  check_refused(llama_with({{"add_cross_attention", true}}), config_problem::unknown,
                config_field::add_cross_attention);
  CHECK(read_config(llama_with({{"add_cross_attention", false}})).ok());
  const auto changed = [](const char* name, const char* key, const document& value) {
    document config = document::parse(find_published(name)->config);
    config[key] = value;
    return config.dump(2);
  };
  check_refused(changed("BERT-base-uncased", "position_embedding_type", "relative_key"), config_problem::unknown,
                config_field::position_embedding_type);
  CHECK(read_config(changed("BERT-base-uncased", "position_embedding_type", "absolute")).ok());
  check_refused(changed("BERT-base-uncased", "is_decoder", true), config_problem::unknown, config_field::is_decoder);
  check_refused(changed("MPT-7B", "attn_config", {{"alibi", true}, {"qk_ln", true}}), config_problem::unknown,
                config_field::qk_ln);
  check_refused(changed("MPT-7B", "ffn_config", {{"ffn_type", "mptglu"}}), config_problem::unknown,
                config_field::ffn_type);
  check_refused(changed("Jamba-v0.1 / Jamba-1.5-Mini", "attn_layer_offset", 8), config_problem::contradictory,
                config_field::attn_layer_offset);
  document labels = document::parse(find_published("ViT-B/16 (ImageNet-1k classifier)")->config);
  labels["id2label"] = {{"0", "cat"}, {"1", "dog"}};
  labels["num_labels"] = 3;
  check_refused(labels.dump(2), config_problem::contradictory, config_field::num_labels);
}

TEST_CASE("a field that stands twice is refused, not chosen from", "[config]") {
  std::string text = llama_with({});
  const std::string twice = text.substr(0, text.rfind('}')) + ",\n\"hidden_size\": 4096}";
  check_refused(twice, config_problem::duplicate, config_field::hidden_size);
  CHECK(explained(twice).find("hidden_size stands twice") != std::string::npos);
  // In another object it is another field, and what nobody reads may stand as often as it likes.
  CHECK(read_config(text.substr(0, text.rfind('}')) + ",\"x\": 1, \"x\": 2, \"other\": {\"hidden_size\": 1}}").ok());
}

TEST_CASE("a file that ends anywhere is refused at every byte", "[config]") {
  for (const char* name : {"Llama-3-8B", "gpt-oss-20b", "Gemma-3-4B", "GPT-Neo-1.3B"}) {
    const std::string whole = find_published(name)->config;
    REQUIRE(read_config(whole).ok());
    for (std::size_t length = 0; length < whole.size(); ++length) {
      const config_reading reading = read_config(std::string_view{whole}.substr(0, length));
      REQUIRE(!reading.ok());
      REQUIRE(reading.error.problem == config_problem::not_json);
    }
  }
}

TEST_CASE("a file that is no JSON is refused with the line", "[config]") {
  CHECK(explained("{\"hidden_size\": 4096,\n\"vocab_size\" 5}") ==
        "llama.json: line 2: not JSON: a character that cannot stand here");
  CHECK(explained("").find("not JSON") != std::string::npos);
  CHECK(explained("[1, 2]").find("not JSON: not an object") != std::string::npos);
  CHECK(explained("{\"hidden_size\": nan}").find("NaN and Infinity are not JSON") != std::string::npos);
  CHECK(explained("\xef\xbb\xbf{}").find("byte order mark") != std::string::npos);
}

TEST_CASE("Infinity is read as Python writes it, and is no count", "[config]") {
  std::string text = llama_with({{"hidden_size", "absent"}});
  text.resize(text.rfind('}'));
  const auto size = [&](const char* hidden) {
    return text + ",\n\"time_step_limit\": [0.0, Infinity],\n\"a\": -Infinity, \"b\": NaN, \"hidden_size\": " + hidden +
           "}";
  };
  CHECK(read_config(size("4096")).ok());
  check_refused(size("Infinity"), config_problem::wrong_type, config_field::hidden_size);
  CHECK(explained("{\"model_type\": \"nonesuch\", \"time_step_limit\": [0.0, Infinity]}")
            .find("model_type is \"nonesuch\"") != std::string::npos);
  CHECK(explained("{\"x\": Infinite}").find("not JSON") != std::string::npos);
}

TEST_CASE("at run time a bad configuration is an exception", "[config]") {
  const std::string text = llama_with({{"num_attention_heads", 33}, {"num_key_value_heads", 33}});
  try {
    require_config(text, "llama.json");
    FAIL("it was taken");
  } catch (const config_error& error) {
    CHECK(std::string{error.what()} ==
          "llama.json: line 8: num_attention_heads is 33, which does not divide hidden_size 4096");
    CHECK(error.problem == config_problem::contradictory);
    CHECK(error.field == config_field::num_attention_heads);
    CHECK(error.line == 8);
  }
  CHECK_NOTHROW(require_config(llama_with({}), "llama.json"));
}

// Reading is the same in a constant expression.
namespace {
constexpr config_reading bad_heads = read_config(R"({"model_type": "llama",
  "hidden_size": 4096, "num_hidden_layers": 2,
  "num_attention_heads": 33, "intermediate_size": 64, "vocab_size": 100})");
static_assert(!bad_heads.ok());
static_assert(bad_heads.error.problem == config_problem::contradictory);
static_assert(bad_heads.error.field == config_field::num_attention_heads);
static_assert(bad_heads.error.line == 3);
static_assert(bad_heads.error.value == 33 && bad_heads.error.other_value == 4096);
}  // namespace
