// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/models/config_error.hpp>
#include <flopledger/weights/compare.hpp>
#include <flopledger/weights/files.hpp>

#include <map>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "files.hpp"
#include "published_models.hpp"

using namespace flopledger;
using namespace flopledger::weights;

namespace {

/// A model by a config.json, and the tensors that it says a checkpoint has.
struct described_checkpoint {
  std::string text;
  model_description model;
  const checkpoint_names* names = nullptr;
  std::map<std::string, stored_tensor> tensors{};
  std::uint64_t bytes = 0;

  explicit described_checkpoint(std::string config)
      : text(std::move(config)), model(require_config(text, "config.json")) {
    names = find_names(model.model_type);
    if (names == nullptr) return;
    for (const expected_module& one : modules_of(model.config, model.storage, *names)) {
      int number = 0;
      while ((one.formats >> static_cast<unsigned>(number) & 1U) == 0) ++number;
      for (const expected_tensor& tensor : tensors_of(one, model.storage, number)) {
        const element_type* type = safetensors_type(tensor.type);
        REQUIRE(type != nullptr);
        const std::uint64_t size = bytes_of(*type, elements_of(tensor.shape).value()).value();
        const bool is_new =
            tensors.try_emplace(tensor.name, stored_tensor{tensor.name, *type, tensor.shape, 0, size}).second;
        INFO(tensor.name);
        CHECK(is_new);
        bytes += size;
      }
    }
  }
  std::vector<stored_tensor> files() const {
    std::vector<stored_tensor> all;
    for (const auto& [name, one] : tensors) all.push_back(one);
    return all;
  }
  comparison against(const std::vector<stored_tensor>& found) const {
    return weights::compare(model.config, model.storage, *names, found);
  }
};

described_checkpoint of_file(const std::string& name) {
  return described_checkpoint(weights_test::content_of("../configs/" + name + ".json"));
}
described_checkpoint of_published(const std::string& name) {
  REQUIRE(find_published(name) != nullptr);
  return described_checkpoint(find_published(name)->config);
}
described_checkpoint tiny() { return described_checkpoint(weights_test::content_of("llama/config.json")); }
std::vector<stored_tensor> tiny_files() { return read_checkpoint({weights_test::path_of("llama")}).tensors; }

void check_tensor(const described_checkpoint& checkpoint, const std::string& name, const std::string& type,
                  const std::vector<std::int64_t>& shape) {
  INFO(name);
  const auto at = checkpoint.tensors.find(name);
  REQUIRE(at != checkpoint.tensors.end());
  CHECK(at->second.type.name == type);
  CHECK(at->second.shape == shape);
}

}  // namespace

TEST_CASE("every row of a family with names has one, and its tensors take what the rows do", "[weights]") {
  std::set<std::string> families;
  for (const published_model& one : published_models()) {
    const config_reading read = read_config(one.config);
    if (!read.ok() || find_names(read.value.model_type) == nullptr || read.value.config.has_vision()) continue;
    INFO(one.name);
    const described_checkpoint checkpoint(one.config);
    double wide = 0;  // correction biases that are wider than the rest
    for (const auto& [name, tensor] : checkpoint.tensors)
      if (name.ends_with("e_score_correction_bias"))
        wide += static_cast<double>(tensor.bytes) * (1 - checkpoint.model.storage.dtype.bytes_per_element() / 4);
    CHECK(static_cast<double>(checkpoint.bytes) - wide ==
          weight_bytes(checkpoint.model.config, checkpoint.model.storage).value());
    families.insert(std::string(checkpoint.model.model_type));
  }
  CHECK(families.size() >= 17);
}

// Counted by other programs: llama.cpp, whose files hold the same tensors but for experts (its logs:
// SciSharp/LLamaSharp issue 35, ollama/ollama issue 8984, run-llama/llama_index issue 8475, TransformerOptimus/SuperAGI
// issue 1295, ikawrakow/ik_llama.cpp issue 822), and counts of GPT-2's file without its masks and of Gemma-2's
// (find_string 61447461723, 66571363432).
TEST_CASE("checkpoints have as many tensors as others count", "[weights][published]") {
  const auto count = [](const std::string& name) { return of_published(name).tensors.size(); };
  CHECK(count("Mistral-7B-v0.1") == 291);
  CHECK(count("Llama-2-7B") == 291);
  CHECK(count("CodeLlama-13B-Instruct") == 363);
  CHECK(count("Qwen2.5-32B") == 771);
  CHECK(count("Mixtral-8x7B") == 995);
  CHECK(count("GPT-2 small") == 148);
  CHECK(count("Gemma-2-2B") == 288);
  CHECK(of_file("openai__gpt-oss-20b").tensors.size() == 459);
}

// metadata.total_size of the index files.
TEST_CASE("checkpoints take what their index says", "[weights][published]") {
  CHECK(of_published("Llama-2-7B").bytes == 13476831232);
  CHECK(of_published("Yi-6B").bytes == 12122071040);
  CHECK(of_published("Gemma-2B").bytes == 5012344832);
  CHECK(of_published("DeepSeek-LLM-67B").bytes == 134850002944);
  CHECK(of_file("openai__gpt-oss-20b").bytes == 13761264768);
  // LLaMA-7B's also has 64 inverse frequencies a layer in 16 bits.
  const described_checkpoint llama = of_published("LLaMA-7B");
  std::vector<stored_tensor> files = llama.files();
  for (int layer = 0; layer < 32; ++layer)
    files.push_back(
        {"model.layers." + std::to_string(layer) + ".self_attn.rotary_emb.inv_freq", {"F16", 1, 2}, {64}, 0, 128});
  const comparison said = llama.against(files);
  CHECK(said.agrees());
  CHECK(said.buffers == 32);
  CHECK(said.found_bytes == 13476835328);
}

// As a loader of DeepSeek-V3 lists them (find_string 54491311024).
TEST_CASE("DeepSeek-V3's matrices have their scales beside them", "[weights][published]") {
  nlohmann::json config = nlohmann::json::parse(weights_test::content_of("../configs/deepseek-ai__DeepSeek-V3.2.json"));
  config["model_type"] = "deepseek_v3";
  config["architectures"] = {"DeepseekV3ForCausalLM"};
  const described_checkpoint deepseek(config.dump());
  check_tensor(deepseek, "model.layers.0.self_attn.q_a_proj.weight", "F8_E4M3", {1536, 7168});
  check_tensor(deepseek, "model.layers.0.self_attn.q_a_proj.weight_scale_inv", "F32", {12, 56});
  check_tensor(deepseek, "model.layers.0.self_attn.q_a_layernorm.weight", "BF16", {1536});
  check_tensor(deepseek, "model.layers.3.mlp.gate.e_score_correction_bias", "F32", {256});
  check_tensor(deepseek, "model.layers.3.mlp.experts.0.gate_proj.weight_scale_inv", "F32", {16, 56});
  check_tensor(deepseek, "model.layers.60.mlp.shared_experts.down_proj.weight", "F8_E4M3", {7168, 2048});
}

TEST_CASE("joined and turned matrices have the shapes that files have", "[weights]") {
  const described_checkpoint oss = of_file("openai__gpt-oss-20b");
  check_tensor(oss, "model.layers.0.mlp.experts.gate_up_proj_blocks", "U8", {32, 5760, 90, 16});
  check_tensor(oss, "model.layers.0.mlp.experts.gate_up_proj_scales", "U8", {32, 5760, 90});
  check_tensor(oss, "model.layers.0.mlp.experts.gate_up_proj_bias", "BF16", {32, 5760});
  check_tensor(oss, "model.layers.23.self_attn.sinks", "BF16", {64});
  const described_checkpoint gpt2 = of_published("GPT-2 small");
  check_tensor(gpt2, "transformer.h.0.attn.c_attn.weight", "F32", {768, 2304});
  check_tensor(gpt2, "transformer.h.11.mlp.c_proj.weight", "F32", {3072, 768});
  check_tensor(gpt2, "transformer.h.0.ln_1.bias", "F32", {768});
}

TEST_CASE("the files of a bare model lack the prefix of its class", "[weights]") {
  const described_checkpoint gpt2 = of_published("GPT-2 small");
  std::vector<stored_tensor> files = gpt2.files();
  for (stored_tensor& one : files) one.name.erase(0, std::string("transformer.").size());
  files.push_back({"h.0.attn.bias", {"F32", 1, 4}, {1, 1, 1024, 1024}, 0, 4 << 20});
  const comparison said = gpt2.against(files);
  CHECK(said.agrees());
  CHECK(said.buffers == 1);
}

TEST_CASE("files that somebody else wrote agree with the model", "[weights]") {
  const comparison said = tiny().against(tiny_files());
  CHECK(said.agrees());
  CHECK(said.same == 21);
  CHECK(said.found == 21);
  CHECK(said.expected_bytes == said.found_bytes);
  CHECK(said.found_bytes == 45376);
}

TEST_CASE("each kind of difference is told", "[weights]") {
  const auto only = [](const std::vector<stored_tensor>& files) {
    const comparison said = tiny().against(files);
    REQUIRE(said.differences.size() == 1);
    return said.differences[0];
  };
  const auto changed = [](const std::string& name, auto change) {
    std::vector<stored_tensor> files = tiny_files();
    for (stored_tensor& one : files)
      if (one.name == name) change(one);
    return files;
  };
  const std::string up = "model.layers.1.mlp.up_proj.weight";
  const difference shape = only(changed(up, [](stored_tensor& one) { one.shape = {32, 64}; }));
  CHECK(shape.what == difference_kind::shape);
  CHECK(shape.tensor == up);
  CHECK(shape.row == "feed_forward.up");
  CHECK(shape.expected == "BF16 [64, 32]");
  CHECK(shape.found == "BF16 [32, 64]");
  const difference format = only(changed(up, [](stored_tensor& one) { one.type = {"F32", 1, 4}; }));
  CHECK(format.what == difference_kind::format);
  CHECK(format.found == "F32 [64, 32]");
  std::vector<stored_tensor> files = tiny_files();
  std::erase_if(files, [&](const stored_tensor& one) { return one.name == up; });
  CHECK(only(files).what == difference_kind::missing);
  CHECK(only(files).expected == "BF16 [64, 32]");
  files = tiny_files();
  files.push_back({"model.layers.2.mlp.up_proj.weight", {"BF16", 1, 2}, {64, 32}, 0, 4096});
  CHECK(only(files).what == difference_kind::unknown);
  CHECK(only(files).row.empty());
}

TEST_CASE("modules that predict further tokens are set aside", "[weights]") {
  nlohmann::json config = nlohmann::json::parse(weights_test::content_of("llama/config.json"));
  config["num_nextn_predict_layers"] = 1;
  const described_checkpoint model(config.dump());
  std::vector<stored_tensor> files = tiny_files();
  files.push_back({"model.layers.2.eh_proj.weight", {"BF16", 1, 2}, {32, 64}, 0, 4096});
  const comparison said = model.against(files);
  CHECK(said.agrees());
  CHECK(said.predictions == 1);
  CHECK(said.set_aside_bytes == 4096);
}

TEST_CASE("the layers of each format are as many as the configuration says", "[weights]") {
  nlohmann::json config = nlohmann::json::parse(weights_test::content_of("llama/config.json"));
  config["quantization_config"] = {{"quant_method", "fp8"},
                                   {"weight_block_size", {128, 128}},
                                   {"modules_to_not_convert", {"lm_head", "model.layers.1.mlp.up_proj"}}};
  const described_checkpoint model(config.dump());
  const auto wide = [](const std::string& name) { return stored_tensor{name, {"BF16", 1, 2}, {64, 32}, 0, 4096}; };
  const auto narrow = [](const std::string& name, std::vector<stored_tensor>& into) {
    into.push_back({name, {"F8_E4M3", 1, 1}, {64, 32}, 0, 2048});
    into.push_back({name + "_scale_inv", {"F32", 1, 4}, {1, 1}, 0, 4});
  };
  std::vector<stored_tensor> rest = model.files();
  std::erase_if(rest, [](const stored_tensor& one) { return one.name.find("mlp.up_proj") != std::string::npos; });
  std::vector<stored_tensor> files = rest;
  narrow("model.layers.0.mlp.up_proj.weight", files);
  files.push_back(wide("model.layers.1.mlp.up_proj.weight"));
  CHECK(model.against(files).agrees());
  files = rest;
  narrow("model.layers.0.mlp.up_proj.weight", files);
  narrow("model.layers.1.mlp.up_proj.weight", files);
  const comparison said = model.against(files);
  REQUIRE(said.differences.size() == 2);
  CHECK(said.differences[0].what == difference_kind::layers);
  CHECK(said.differences[0].row == "feed_forward.up");
  CHECK(said.differences[0].expected == "1 layers");
  CHECK(said.differences[0].found == "0 layers");
  CHECK(said.differences[1].found == "2 layers");
}

TEST_CASE("what has no known names is refused", "[weights]") {
  CHECK(find_names("mamba2") == nullptr);
  nlohmann::json config = nlohmann::json::parse(weights_test::content_of("llama/config.json"));
  config["quantization_config"] = {{"quant_method", "bitsandbytes"}, {"load_in_4bit", true}};
  const described_checkpoint model(config.dump());
  CHECK_THROWS_AS(model.against(tiny_files()), unnamed_row);
}

TEST_CASE("paths are read by what they end with", "[weights]") {
  CHECK(read_checkpoint({weights_test::path_of("llama")}).files.size() == 2);
  CHECK(read_checkpoint({weights_test::path_of("llama")}).said_bytes == 45376);
  CHECK(read_checkpoint({weights_test::path_of("llama/model-00001-of-00002.safetensors"),
                         weights_test::path_of("llama/model-00002-of-00002.safetensors")})
            .tensors.size() == 21);
  CHECK(read_checkpoint({weights_test::path_of("llama.gguf")}).is_gguf);
  const std::string one = weights_test::path_of("llama/model-00001-of-00002.safetensors");
  CHECK_THROWS_AS(read_checkpoint({one, one}), unreadable);
  CHECK_THROWS_AS(read_checkpoint({one, weights_test::path_of("llama.gguf")}), unreadable);
  CHECK_THROWS_AS(read_checkpoint({weights_test::path_of("llama/config.json")}), unreadable);
  CHECK_THROWS_AS(read_checkpoint({weights_test::path_of("none.gguf")}), unreadable);
}
