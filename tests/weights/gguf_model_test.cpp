// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/models/catalogue.hpp>
#include <flopledger/weights/compare.hpp>
#include <flopledger/weights/gguf_model.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "files.hpp"

using namespace flopledger;
using namespace flopledger::weights;

namespace {

/// A file as a converter writes it: what it says, and of each tensor the type that `type_of` gives it.
class made_file {
 public:
  made_file(const std::string& architecture, std::vector<std::pair<std::string, std::int64_t>> says) {
    file_.name = "made.gguf";
    put_text("general.architecture", architecture);
    for (auto& [key, value] : says) {
      metadata_value one{.is = metadata_value::kind::integer, .integer = value};
      file_.metadata.emplace_back(architecture + '.' + key, one);
    }
    std::sort(file_.metadata.begin(), file_.metadata.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
  }
  /// Tensors of every layer by their names behind "blk.N.", or of none.
  void add(const std::string& name, std::vector<std::int64_t> shape, const std::string& type = "F32") {
    for (const ggml_type& one : ggml_types)
      if (one.layout.name == type)
        file_.tensors.push_back({name, one.layout, shape, 0, bytes_of(one.layout, elements_of(shape).value()).value()});
  }
  std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const stored_tensor& one : file_.tensors) sum += one.bytes;
    return sum;
  }
  const gguf_file& file() const { return file_; }
 private:
  void put_text(const std::string& key, const std::string& text) {
    metadata_value one{.is = metadata_value::kind::text};
    one.text = text;
    file_.metadata.emplace_back(key, one);
  }
  gguf_file file_;
};

struct model_read {
  std::string config;
  model_description model;
  explicit model_read(const gguf_file& file) : config(config_of(file)), model(model_of(file, config)) {}

  double parameters() const { return total<&row::held>(model.config, forward(1, 1)).value(); }
  double bytes() const { return weight_bytes(model.config, model.storage).value(); }
};

/// The types of Q4_K_M: half of the layers have more bits in what is more sensitive (llama.cpp, llama-quant.cpp:
/// use_more_bits).
bool has_more_bits(int layer, int layers) {
  return layer < layers / 8 || layer >= 7 * layers / 8 || (layer - layers / 8) % 3 == 2;
}

made_file mistral_7b() {
  made_file made("llama", {{"block_count", 32},
                           {"embedding_length", 4096},
                           {"feed_forward_length", 14336},
                           {"attention.head_count", 32},
                           {"attention.head_count_kv", 8},
                           {"context_length", 32768},
                           {"rope.dimension_count", 128}});
  made.add("token_embd.weight", {32000, 4096}, "Q4_K");
  for (int layer = 0; layer < 32; ++layer) {
    const std::string block = "blk." + std::to_string(layer) + '.', more = has_more_bits(layer, 32) ? "Q6_K" : "Q4_K";
    made.add(block + "attn_norm.weight", {4096});
    made.add(block + "ffn_norm.weight", {4096});
    made.add(block + "attn_q.weight", {4096, 4096}, "Q4_K");
    made.add(block + "attn_k.weight", {1024, 4096}, "Q4_K");
    made.add(block + "attn_v.weight", {1024, 4096}, more);
    made.add(block + "attn_output.weight", {4096, 4096}, "Q4_K");
    made.add(block + "ffn_gate.weight", {14336, 4096}, "Q4_K");
    made.add(block + "ffn_up.weight", {14336, 4096}, "Q4_K");
    made.add(block + "ffn_down.weight", {4096, 14336}, more);
  }
  made.add("output_norm.weight", {4096});
  made.add("output.weight", {32000, 4096}, "Q6_K");
  return made;
}

made_file gpt_oss_20b() {
  made_file made("gpt-oss", {{"block_count", 24},
                             {"embedding_length", 2880},
                             {"feed_forward_length", 2880},
                             {"expert_feed_forward_length", 2880},
                             {"expert_count", 32},
                             {"expert_used_count", 4},
                             {"attention.head_count", 64},
                             {"attention.head_count_kv", 8},
                             {"attention.key_length", 64},
                             {"attention.value_length", 64},
                             {"attention.sliding_window", 128},
                             {"context_length", 131072}});
  made.add("token_embd.weight", {201088, 2880}, "Q8_0");
  for (int layer = 0; layer < 24; ++layer) {
    const std::string block = "blk." + std::to_string(layer) + '.';
    for (const char* norm : {"attn_norm.weight", "post_attention_norm.weight"}) made.add(block + norm, {2880});
    for (const char* name : {"attn_k", "attn_v"}) {
      made.add(block + name + ".weight", {512, 2880}, "Q8_0");
      made.add(block + name + ".bias", {512});
    }
    made.add(block + "attn_q.weight", {4096, 2880}, "Q8_0");
    made.add(block + "attn_q.bias", {4096});
    made.add(block + "attn_output.weight", {2880, 4096}, "Q8_0");
    made.add(block + "attn_output.bias", {2880});
    made.add(block + "attn_sinks.weight", {64});
    made.add(block + "ffn_gate_inp.weight", {32, 2880});
    made.add(block + "ffn_gate_inp.bias", {32});
    for (const char* name : {"ffn_gate_exps", "ffn_up_exps", "ffn_down_exps"}) {
      made.add(block + name + ".weight", {32, 2880, 2880}, "MXFP4");
      made.add(block + name + ".bias", {32, 2880});
    }
  }
  made.add("output_norm.weight", {2880});
  made.add("output.weight", {201088, 2880}, "Q8_0");
  return made;
}

void check_agrees(const gguf_file& file) {
  const model_read read(file);
  const comparison said = weights::compare(read.model.config, read.model.storage, names_of(architecture_of(file)),
                                           file.tensors, compared_formats::any);
  for (const difference& d : said.differences) UNSCOPED_INFO(name_of(d.what) << ' ' << d.tensor << ' ' << d.expected);
  CHECK(said.agrees());
  CHECK(said.same == file.tensors.size());
}

}  // namespace

TEST_CASE("the model of a GGUF file is that of the config.json it was made of", "[weights]") {
  std::ifstream stream(weights_test::path_of("llama.gguf"), std::ios::binary);
  const gguf_file file = read_gguf(stream, "llama.gguf");
  const model_read read(file);
  CHECK(read.model.config.architecture == "LlamaForCausalLM");
  CHECK(read.model.model_type == "llama");
  CHECK(read.model.config.context == 128);
  CHECK(read.parameters() == 45376 / 2);
  std::uint64_t bytes = 0;
  for (const stored_tensor& one : file.tensors) bytes += one.bytes;
  CHECK(read.bytes() == static_cast<double>(bytes));
  check_agrees(file);
}

// 291 tensors, and the types of the layers (containers/podman-desktop-extension-ai-lab pull request 1489,
// ggml-org/llama.cpp issue 4792, zylon-ai/private-gpt issue 1182). "4.07 GiB (4.83 BPW)" and the 65 F32, 193 Q4_K and
// 33 Q6_K of llama.cpp's log are from memory and not looked up again.
TEST_CASE("Mistral-7B in Q4_K_M takes what llama.cpp says", "[weights][published]") {
  const made_file made = mistral_7b();
  REQUIRE(made.file().tensors.size() == 291);
  const model_read read(made.file());
  CHECK(read.parameters() == 7'241'732'096);
  CHECK(read.bytes() == static_cast<double>(made.bytes()));
  CHECK(read.bytes() == 4'367'704'064);
  CHECK(std::round(100 * read.bytes() / (1 << 30)) == 407);
  CHECK(std::round(100 * 8 * read.bytes() / read.parameters()) == 483);
  check_agrees(made.file());
}

// "model params = 20.915 B, model size = 11.266 GiB (4.627 BPW)", 459 tensors (ikawrakow/ik_llama.cpp issue 822).
TEST_CASE("gpt-oss-20b in MXFP4 takes what llama.cpp says", "[weights][published]") {
  const made_file made = gpt_oss_20b();
  REQUIRE(made.file().tensors.size() == 459);
  const model_read read(made.file());
  CHECK(read.model.config.architecture == "GptOssForCausalLM");
  CHECK(read.model.config.stack.window == 128);
  CHECK(std::round(1000 * read.parameters() / 1e9) == 20915);
  CHECK(read.bytes() == static_cast<double>(made.bytes()));
  CHECK(std::round(1000 * read.bytes() / (1 << 30)) == 11266);
  CHECK(std::round(1000 * 8 * read.bytes() / read.parameters()) == 4627);
  check_agrees(made.file());
}

TEST_CASE("a model of which the metadata lacks something is refused", "[weights]") {
  const auto refusal = [](const gguf_file& file) -> std::string {
    try {
      model_read{file};
    } catch (const unreadable& problem) {
      return problem.what();
    }
    return {};
  };
  const auto says = [](const std::string& said, const std::string& part) {
    INFO(said);
    CHECK(said.find(part) != std::string::npos);
  };
  says(refusal({.name = "f"}), "f: general.architecture is missing");
  says(refusal(made_file("clip", {}).file()), "general.architecture is \"clip\", which this library does not know");
  says(refusal(made_file("llama", {{"embedding_length", 64}}).file()), "llama.block_count is missing");
  gguf_file file = mistral_7b().file();
  file.tensors.erase(file.tensors.begin());
  says(refusal(file), "tensor \"token_embd.weight\" is no table of tokens");
  file = mistral_7b().file();
  std::erase_if(file.tensors, [](const stored_tensor& one) { return one.name == "blk.7.attn_q.weight"; });
  says(refusal(file), "tensor \"blk.7.attn_q.weight\" is missing");
  file = mistral_7b().file();
  for (auto& [key, value] : file.metadata) {
    if (key != "llama.attention.head_count_kv") continue;
    value.is = metadata_value::kind::list;
    value.integers = {8, 8, 4};
  }
  says(refusal(file), "llama.attention.head_count_kv differs by layer");
  file = mistral_7b().file();
  for (auto& [key, value] : file.metadata)
    if (key == "llama.attention.head_count") value.integer = 33;
  says(refusal(file), "num_attention_heads is 33");
}
