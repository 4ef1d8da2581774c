// Every model of the zoo against published counts, and against what the reader makes of the same model's config.json.
#include <flopledger/models/catalogue.hpp>
#include <flopledger/models/hugging_face.hpp>

#include <map>
#include <set>
#include <string>

#include "catch.hpp"
#include "published_models.hpp"

using namespace flopledger;

namespace {

// Models of the zoo that published_models.json has under another name.
const std::map<std::string, std::string> published_as{
    {"Llama-3.3-70B", "Llama-3.1-70B"},
    {"CodeLlama-34B", "CodeLlama-34B-Instruct"},
    {"Mistral-Small-24B", "Mistral-Small-24B (Devstral-Small-2507)"},
    {"DeepSeek-V2", "DeepSeek-V2 (236B)"},
    {"Command-R", "Command-R v01 (35B)"},
    {"Command-R+", "Command-R+ (104B)"},
    {"Command-R7B", "Command-R7B 12-2024"},
    {"Command-A", "Command-A 03-2025"},
    {"Jamba-v0.1", "Jamba-v0.1 / Jamba-1.5-Mini"},
    {"ViT-B/16", "ViT-B/16 (with pooler)"},
    {"ViT-H/14", "ViT-H/14 (with pooler)"},
};

struct count {
  double total, active;
};

// The rest, with where the number comes from. "Hub" is the element count that the model's page shows, from memory; each
// was reached here by the formula beside it first.
const std::map<std::string, count> counted{
    {"Llama-2-13B", {13015864320, 13015864320}},  // LLaMA-13B's shape
    {"Llama-3.1-405B", {405853388800, 405853388800}},  // 126·(2·16384² + 2·16384·1024 + 3·16384·53248 + 2·16384) + …
    {"Llama-3.2-3B", {3212749824, 3212749824}},  // Hub
    // 48 layers: 2·(5120·5120 + 5120·1024); 24 mixtures of 128 + 1 experts; 24 dense; the tower and its adapter.
    {"Llama-4-Maverick-17B-128E", {401583781376, 17184691200}},
    {"Yi-34B", {34388917248, 34388917248}},          // Hub
    {"SmolLM2-1.7B", {1711376384, 1711376384}},      // Hub
    {"SmolLM3-3B", {3075098624, 3075098624}},        // Hub
    {"Mixtral-8x22B", {140620634112, 39152031744}},  // Hub; vocabulary 32000
    {"Qwen2.5-0.5B", {494032768, 494032768}},        // Qwen2-0.5B's shape
    {"Qwen2.5-14B", {14770033664, 14770033664}},     // Hub
    {"Qwen3-4B", {4022468096, 4022468096}},          // Hub
    {"Qwen3-30B-A3B", {30532122624, 3353032704}},    // Hub
    {"Gemma-2-9B", {9241705984, 9241705984}},        // Hub
    {"Gemma-3-12B", {12187325040, 11766034176}},     // Hub; active without the tower and its projector
    {"DeepSeek-V3", {671026419200, 37552297472}},    // README_WEIGHTS.md: 671B; the Hub's 684531386000 less MTP, scales
    {"DeepSeek-R1", {671026419200, 37552297472}},
    {"Kimi-K2-Instruct", {1026408232448, 32861500928}},
    {"Pythia-6.9B", {6857302016, 6857302016}},       // Biderman et al. 2023, table 1
    {"gpt-oss-120b", {116829156672, 5711982912}},    // Hub
    {"StarCoder2-15B", {15957889024, 15957889024}},  // Hub
    {"Falcon-40B", {41303293952, 41303293952}},      // tied; the Hub's 41835970560 holds the head as well
    {"BLOOM-7b1", {7069016064, 7069016064}},         // Hub
    {"OPT-6.7B", {6658473984, 6658473984}},
    {"MPT-30B", {29957200896, 29957200896}},       // Hub
    {"DBRX", {131596523520, 36469708800}},         // Hub
    {"Phi-2", {2779683840, 2779683840}},           // Hub
    {"Phi-3-mini", {3821079552, 3821079552}},      // Hub
    {"Phi-3-medium", {13960238080, 13960238080}},  // Hub
    {"Phi-3.5-MoE", {41873153344, 6640999744}},    // Hub
    {"OLMo-7B", {6888095744, 6888095744}},         // 2·50304·4096 + 32·(4·4096² + 3·4096·11008)
    {"OLMo-2-7B", {7298617344, 7298617344}},       // + 32·4·4096 + 4096 norms, vocabulary 100352: Hub
    {"OLMo-2-13B", {13716198400, 13716198400}},    // Hub
    {"OLMo-2-32B", {32234279936, 32234279936}},    // Hub
    {"OLMoE-1B-7B", {6919161856, 1282017280}},     // Hub
    {"ChatGLM3-6B", {6243584000, 6243584000}},     // Hub, less 32 inv_freq
    {"GLM-4-9B", {9399951360, 9399951360}},        // Hub, less 32 inv_freq
    {"GLM-4.5", {352797829024, 33632266144}},
    {"GLM-4.5-Air", {106852251264, 13424129664}},
    {"RoBERTa-base", {124697433, 124697433}},        // RobertaForMaskedLM, 124.6M + V-sized bias
    {"XLM-RoBERTa-base", {278295186, 278295186}},    // XLMRobertaForMaskedLM
    {"Whisper-large-v3", {1543490560, 1543490560}},  // Hub
    {"CLIP ViT-L/14", {427616513, 123650305}},       // Hub, less 77 + 257 position numbers; active: the text tower
};

// Entries of published_models.json that leave out what a model's own file says of positions: how many dimensions are
// rotary (rotary_dim), or that none are (no max_position_embeddings). Their elementwise FLOPs differ.
const std::set<std::string> shorter_file{"MiniMax-M2", "Baichuan2-13B"};

/// The BF16 form of a model has the parameters of the model.
std::string without_format(std::string_view name) {
  constexpr std::string_view form = "-BF16";
  return std::string(name.ends_with(form) ? name.substr(0, name.size() - form.size()) : name);
}

}  // namespace

TEST_CASE("every model of the zoo has its published parameters", "[zoo]") {
  for (const models::zoo_entry& entry : models::all) {
    const std::string name = without_format(entry.name);
    INFO(name);
    const totals all = totals_of(entry.describe(), forward(1, 1));
    const auto other = published_as.find(name);
    if (const published_model* published = find_published(other == published_as.end() ? name : other->second)) {
      CHECK(all.held.value() == published->total);
      CHECK((published->active == 0 || all.active.value() == published->active));
    } else {
      const auto known = counted.find(name);
      REQUIRE(known != counted.end());
      CHECK(all.held.value() == known->second.total);
      CHECK(all.active.value() == known->second.active);
    }
  }
}

TEST_CASE("the zoo and the reader agree in every column", "[zoo]") {
  int compared = 0;
  for (const models::zoo_entry& entry : models::all) {
    const std::string name = without_format(entry.name);
    INFO(name);
    const auto other = published_as.find(name);
    const published_model* published = find_published(other == published_as.end() ? name : other->second);
    if (published == nullptr) continue;
    const config_reading reading = read_config(published->config);
    REQUIRE(reading.ok());
    for (const double length : {128.0, 16.0}) {
      const totals zoo = totals_of(entry.describe(), forward(1, length));
      const totals read = totals_of(reading.value.config, forward(1, length));
      CHECK(zoo.held.value() == read.held.value());
      CHECK(zoo.active.value() == read.active.value());
      CHECK(zoo.trainable.value() == read.trainable.value());
      CHECK(zoo.multiplied.value() == read.multiplied.value());
      CHECK(zoo.multiplied_backward.value() == read.multiplied_backward.value());
      if (shorter_file.count(name) == 0) {
        CHECK(zoo.elementwise.value() == read.elementwise.value());
        CHECK(zoo.elementwise_backward.value() == read.elementwise_backward.value());
      }
    }
    ++compared;
  }
  CHECK(compared > 90);
}

// total_size of the safetensors indices of openai/gpt-oss-20b and -120b. DeepSeek-V3's README_WEIGHTS: FP8 with an FP32
// scale for 128 by 128, but for table, head and router.
TEST_CASE("what exists only quantised is its checkpoint, and its BF16 form has another name", "[zoo]") {
  const auto bytes_of = [](std::string_view name) {
    const models::zoo_entry* found = models::find(name);
    REQUIRE(found != nullptr);
    return weight_bytes(found->describe(), found->checkpoint()).value();
  };
  CHECK(bytes_of("gpt-oss-20b") == 13'761'264'768);
  CHECK(bytes_of("openai/gpt-oss-120b") == 65'248'815'744);
  CHECK(bytes_of("gpt-oss-120b-bf16") == 2 * 116'829'156'672.0);
  CHECK(bytes_of("deepseek-ai/DeepSeek-V3-BF16") == 2 * 671'026'419'200.0);
  const double wide = 2 * 129280.0 * 7168 + 58 * 256.0 * 7168;
  CHECK(bytes_of("DeepSeek-V3") > 671'026'419'200.0 + wide);
  CHECK(bytes_of("DeepSeek-V3") < (671'026'419'200.0 - wide) * (1 + 4.0 / 16000) + 2 * wide);
  CHECK(bytes_of("DeepSeek-R1") == bytes_of("DeepSeek-V3"));
  CHECK(bytes_of("Kimi-K2-Instruct") < 0.51 * bytes_of("Kimi-K2-Instruct-BF16"));
}

TEST_CASE("models are found by name", "[zoo]") {
  for (const models::zoo_entry& entry : models::all) {
    INFO(std::string{entry.name});
    CHECK(models::find(entry.name) == &entry);
  }
  const auto named = [](std::string_view name) {
    const models::zoo_entry* found = models::find(name);
    return found == nullptr ? std::string_view{} : found->name;
  };
  CHECK(named("llama-3.1-8b") == "Llama-3.1-8B");
  CHECK(named("llama3_1_8b") == "Llama-3.1-8B");
  CHECK(named("LLAMA3_1_8B") == "Llama-3.1-8B");
  CHECK(named("meta-llama/Llama-3.1-8B") == "Llama-3.1-8B");
  CHECK(named("qwen2_5_7b") == "Qwen2.5-7B");
  CHECK(named("Qwen/Qwen2-57B-A14B") == "Qwen2-57B-A14B");
  CHECK(named("command_r_plus") == "Command-R+");
  CHECK(named("vit_b_16") == "ViT-B/16");
  CHECK(named("gpt2 small") == "GPT-2 small");
  CHECK(models::find("") == nullptr);
  CHECK(models::find("llama") == nullptr);
  CHECK(models::find("qwen257b") == nullptr);
}

TEST_CASE("a name that no model has gets suggestions", "[zoo]") {
  const auto best = [](std::string_view name) {
    const models::suggestions found = models::closest(name);
    return found.size == 0 ? std::string_view{} : found.entries[0]->name;
  };
  CHECK(best("llama-3.1-8") == "Llama-3.1-8B");
  CHECK(best("mixtral") == "Mixtral-8x7B");
  CHECK(best("deepseek-v4") == "DeepSeek-V2");
  CHECK(best("gpt-os-20b") == "gpt-oss-20b");
  CHECK(best("a name that is nothing like any of them at all, and rather too long for a model's name").empty());
  CHECK(best("").empty());
  CHECK(models::closest("llama-3").size == models::suggestions::capacity);
}

// Memory counts operands and parameter counts do not, so they must say the same.
TEST_CASE("every row of every model holds its parameters in its operands") {
  for (const models::zoo_entry& model : models::all) {
    INFO(model.name);
    row_agreement fold;
    work seen = forward(2, 16);
    seen.images = 1;
    model.describe().record(fold, seen);
    CHECK(fold.holds);
  }
}
