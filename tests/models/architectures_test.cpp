// What a config.json leaves out, sets to null or says of no concern is read as the reference implementation reads it,
// and what nobody reads is refused; and architectures as their own files describe them.
#include <flopledger/memory/kv_cache.hpp>
#include <flopledger/models/config_error.hpp>
#include <flopledger/models/model.hpp>

#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "published_models.hpp"

using namespace flopledger;
using document = nlohmann::json;

namespace {

document published(const std::string& name) { return document::parse(find_published(name)->config); }

std::string with(document config, const document& fields) {
  config.update(fields);
  return config.dump(2);
}
std::string without(document config, const std::string& field) {
  config.erase(field);
  return config.dump(2);
}

transformer_config read(const std::string& text) {
  const config_reading reading = read_config(text);
  INFO(text);
  INFO(explain(reading.error, "config.json"));
  REQUIRE(reading.ok());
  return require_config(text, "config.json").config;
}
double parameters_of(const std::string& text) { return total<&row::held>(read(text), forward(1, 1)).value(); }

void check_refused(const std::string& text, config_problem problem, config_field field) {
  INFO(text);
  const config_reading reading = read_config(text);
  CHECK(reading.error.problem == problem);
  CHECK(name_of(reading.error.field) == name_of(field));
}

}  // namespace

TEST_CASE("a step beyond the last layer leaves all layers dense", "[config]") {
  // transformers' modeling_llama4.py: layers step - 1, 2 step - 1, ... have experts. By hand, 48 layers of attention
  // (2 x 5120 x 5120 + 2 x 5120 x 1024), feed forward (3 x 5120 x 16384) and two norms; embedding, head and a last
  // norm.
  document scout = published("Llama-4-Scout-17B-16E")["text_config"];
  scout.erase("moe_layers");
  scout["architectures"] = {"Llama4ForCausalLM"};
  scout["tie_word_embeddings"] = false;
  scout["interleave_moe_layer_step"] = 49;
  CHECK(parameters_of(scout.dump()) == 17'168'962'560);
  // modeling_bailing_moe.py: layers from first_k_dense_replace on have experts. By hand, two layers of 36,992, two
  // tables of 6,400 and a norm.
  const document ling = {{"architectures", {"BailingMoeForCausalLM"}},
                         {"model_type", "bailing_moe"},
                         {"num_hidden_layers", 2},
                         {"hidden_size", 64},
                         {"intermediate_size", 128},
                         {"num_attention_heads", 4},
                         {"num_key_value_heads", 2},
                         {"head_dim", 16},
                         {"vocab_size", 100},
                         {"tie_word_embeddings", false},
                         {"num_experts", 8},
                         {"num_experts_per_tok", 2},
                         {"moe_intermediate_size", 32},
                         {"first_k_dense_replace", 2}};
  CHECK(parameters_of(ling.dump()) == 86'848);
}

TEST_CASE("a window that is null is none, whatever the layers are called", "[config]") {
  const std::string text = with(published("Qwen2.5-7B"),
                                {{"use_sliding_window", true}, {"sliding_window", nullptr}, {"max_window_layers", 0}});
  CHECK(total<&row::multiplied>(read(text), forward(1, 4096)).value() == 32327145095168);
  CHECK(kv_cache_bytes(read(text), forward(1, 4096), bf16::format).value() == 234881024);
  for (const char* name : {"gpt-oss-20b", "Gemma-2-2B", "Command-R7B 12-2024", "Qwen3-8B", "Qwen1.5-MoE-A2.7B"}) {
    INFO(name);
    REQUIRE(find_published(name) != nullptr);
    const std::string changed = with(published(name), {{"use_sliding_window", true}, {"sliding_window", nullptr}});
    CHECK(read(changed).stack.windowed.empty());
    CHECK(read(changed).stack.window == 0);
  }
  document scout = published("Llama-4-Scout-17B-16E");
  scout["text_config"]["attention_chunk_size"] = nullptr;
  CHECK(read(scout.dump()).stack.windowed.empty());
}

TEST_CASE("a text_config says whether its embeddings are tied before its wrapper does", "[config]") {
  document gemma = published("Gemma-3-4B");
  gemma["text_config"]["tie_word_embeddings"] = false;
  CHECK(parameters_of(gemma.dump()) == 4971331952);
  document scout = published("Llama-4-Scout-17B-16E");
  scout["tie_word_embeddings"] = false;
  scout["text_config"]["tie_word_embeddings"] = true;
  CHECK(read(scout.dump()).head.tied);
  scout["text_config"].erase("tie_word_embeddings");
  scout["tie_word_embeddings"] = true;
  CHECK(read(scout.dump()).head.tied);
}

TEST_CASE("shared experts that a file leaves out are the class's default, and null is none", "[config]") {
  const auto absent_is = [](const document& config, const char* field, int count) {
    CHECK(parameters_of(without(config, field)) == parameters_of(with(config, {{field, count}})));
    CHECK(parameters_of(with(config, {{field, nullptr}})) == parameters_of(with(config, {{field, 0}})));
  };
  absent_is(published("Moonlight-16B-A3B"), "n_shared_experts", 1);
  absent_is(published("DeepSeek-V2 (236B)"), "n_shared_experts", 2);
  absent_is(published("dots.llm1"), "n_shared_experts", 0);
  absent_is(published("ERNIE-4.5-300B-A47B"), "moe_num_shared_experts", 2);
  absent_is({{"model_type", "glm4_moe"},
             {"hidden_size", 5120},
             {"num_hidden_layers", 92},
             {"num_attention_heads", 96},
             {"intermediate_size", 12288},
             {"moe_intermediate_size", 1536},
             {"n_routed_experts", 160},
             {"num_experts_per_tok", 8},
             {"vocab_size", 151552}},
            "n_shared_experts", 1);
}

TEST_CASE("attention_bias counts where the class has such biases", "[config]") {
  for (const char* name : {"Mistral-7B-v0.1", "Mixtral-8x7B", "MiniMax-M2", "Baichuan2-13B", "Qwen2.5-7B"}) {
    INFO(name);
    CHECK(parameters_of(with(published(name), {{"attention_bias", true}})) == find_published(name)->total);
  }
  const double biases = 32 * (2 * 4096.0 + 2 * 1024);
  CHECK(parameters_of(with(published("Llama-3-8B"), {{"attention_bias", true}})) == 8030261248 + biases);
}

TEST_CASE("Llama-4's layers are listed in whatever way is true or false", "[config]") {
  document config = published("Llama-4-Scout-17B-16E");
  document& listed = config["text_config"]["no_rope_layers"];
  const layer_set chunked = layer_set::range(0, 48) - every_last_of(4, 48);
  for (const auto& [yes, no] : {std::pair<document, document>{1, 0}, {1.0, 0.0}, {true, false}}) {
    listed = document::array();
    for (int i = 0; i < 48; ++i) listed.push_back(i % 4 == 3 ? no : yes);
    CHECK(read(config.dump()).stack.windowed == chunked);
  }
  listed[0] = "1";
  check_refused(config.dump(2), config_problem::wrong_type, config_field::no_rope_layers);
}

TEST_CASE("a tower that nothing reads is refused under every name", "[config]") {
  for (const char* name : {"visual", "vision_tower", "mm_vision_tower", "audio_config"}) {
    const std::string text = with(published("Qwen-7B"), {{name, {{"width", 1664}, {"layers", 48}}}});
    CHECK(read_config(text).error.problem == config_problem::unknown);
    CHECK(name_of(read_config(text).error.field) == name);
    CHECK(read_config(with(published("Qwen-7B"), {{name, nullptr}})).ok());
  }
}

TEST_CASE("a known class under an unknown model_type is read only where every field is", "[config]") {
  const document mixtral = published("Mixtral-8x7B");
  CHECK(parameters_of(with(mixtral, {{"model_type", "somebodys_own"}})) == find_published("Mixtral-8x7B")->total);
  check_refused(with(mixtral, {{"model_type", "git"}, {"moe_intermediate_size", 16384}}), config_problem::unknown,
                config_field::moe_intermediate_size);
  check_refused(with(mixtral, {{"model_type", "git"}, {"residual_moe", true}}), config_problem::unknown,
                config_field::residual_moe);
  // The reference implementation of a known type has no such field and leaves it alone.
  CHECK(parameters_of(with(mixtral, {{"moe_intermediate_size", 16384}})) == find_published("Mixtral-8x7B")->total);
}

TEST_CASE("Grok-2 is not its older sister", "[config]") {
  // xai-org/grok-2: its model_type is "git", and its class has Grok-1's name.
  const document grok{{"architectures", {"Grok1ForCausalLM"}},
                      {"model_type", "git"},
                      {"vocab_size", 131072},
                      {"hidden_size", 8192},
                      {"intermediate_size", 32768},
                      {"moe_intermediate_size", 16384},
                      {"num_experts_per_tok", 2},
                      {"num_local_experts", 8},
                      {"residual_moe", true},
                      {"num_attention_heads", 64},
                      {"num_key_value_heads", 8},
                      {"num_hidden_layers", 64},
                      {"head_dim", 128}};
  const double attention = 2 * 8192.0 * 8192 + 2 * 8192.0 * 1024;
  const double layer = attention + 8 * 3 * 8192.0 * 16384 + 8 * 8192.0 + 3 * 8192.0 * 32768 + 4 * 8192;
  CHECK(parameters_of(grok.dump()) == 64 * layer + 2 * 131072.0 * 8192 + 8192);
  CHECK(parameters_of(grok.dump()) == 269515497472);
  CHECK(parameters_of(with(grok, {{"tie_word_embeddings", true}})) == 268441755648);
}

TEST_CASE("EXAONE-4", "[config]") {
  // LGAI-EXAONE/EXAONE-4.0-1.2B and -32B: the first attends to everything, the second in a pattern.
  const document small{{"architectures", {"Exaone4ForCausalLM"}},
                       {"model_type", "exaone4"},
                       {"hidden_size", 2048},
                       {"intermediate_size", 4096},
                       {"num_hidden_layers", 30},
                       {"num_attention_heads", 32},
                       {"num_key_value_heads", 8},
                       {"head_dim", 64},
                       {"vocab_size", 102400},
                       {"tie_word_embeddings", true},
                       {"sliding_window", nullptr},
                       {"sliding_window_pattern", nullptr},
                       {"torch_dtype", "bfloat16"}};
  const double layer = 2 * 2048.0 * 2048 + 2 * 2048.0 * 512 + 2 * 64 + 3 * 2048.0 * 4096 + 2 * 2048;
  CHECK(parameters_of(small.dump()) == 102400 * 2048.0 + 30 * layer + 2048);
  CHECK(parameters_of(small.dump()) == 1279391488);
  CHECK(read(small.dump()).stack.windowed.empty());

  const document large = document::parse(with(small, {{"hidden_size", 5120},
                                                      {"intermediate_size", 27392},
                                                      {"num_hidden_layers", 64},
                                                      {"num_attention_heads", 40},
                                                      {"head_dim", 128},
                                                      {"tie_word_embeddings", false},
                                                      {"sliding_window", 4096},
                                                      {"sliding_window_pattern", "LLLG"}}));
  CHECK(parameters_of(large.dump()) - 2 * 102400 * 5120.0 - 5120 == 30954635264);  // model page: 30.95B without tables
  CHECK(read(large.dump()).stack.windowed == layer_set::range(0, 64) - every_last_of(4, 64));
  CHECK(read(with(large, {{"sliding_window_pattern", 4}})).stack.windowed == read(large.dump()).stack.windowed);
  // The last layer is global whatever its letter.
  CHECK(!read(with(large, {{"num_hidden_layers", 62}})).stack.windowed.contains(61));
  check_refused(with(large, {{"sliding_window_pattern", "LLXG"}}), config_problem::unknown,
                config_field::sliding_window_pattern);
}

TEST_CASE("SmolLM3 has a window where it is asked for, in the layers without rotary positions", "[config]") {
  const document smol{{"architectures", {"SmolLM3ForCausalLM"}},
                      {"model_type", "smollm3"},
                      {"hidden_size", 2048},
                      {"intermediate_size", 11008},
                      {"num_attention_heads", 16},
                      {"num_hidden_layers", 36},
                      {"num_key_value_heads", 4},
                      {"no_rope_layer_interval", 4},
                      {"sliding_window", 4096},
                      {"vocab_size", 128256}};
  CHECK(parameters_of(smol.dump()) == 3075098624);  // Hub
  CHECK(read(smol.dump()).stack.windowed.empty());
  CHECK(read(with(smol, {{"use_sliding_window", true}})).stack.windowed == every_last_of(4, 36));
}

TEST_CASE("a row of the table of architectures can be found by both its names", "[config]") {
  for (const hugging_face::family& one : hugging_face::families)
    for (const hugging_face::architecture& row : one) {
      INFO(row.model_type);
      REQUIRE((row.shape != nullptr || row.read != nullptr));
      const hugging_face::architecture* found = hugging_face::of_model_type(row.model_type);
      REQUIRE(found != nullptr);
      if (!row.whole_class) CHECK(found->reads_as(row));  // else the type is that of another row
      const std::string name = std::string{row.class_prefix} + (row.whole_class ? "" : "Model");
      REQUIRE(hugging_face::of_class(name).known != nullptr);
      CHECK(hugging_face::of_class(name).known->reads_as(row));
    }
}
