// The shipped configurations as flopledger_add_model hands them to the compiler, against the files as a program reads
// them, and against the zoo.
#include <flopledger/models/config_error.hpp>
#include <flopledger/models/zoo.hpp>

#include <fstream>
#include <sstream>
#include <string>

#include <DeepSeek_V3.hpp>
#include <gpt_oss_20b.hpp>
#include <Llama_3_1_8B.hpp>
#include <Mixtral_8x7B.hpp>
#include <Qwen3_8B.hpp>

#include "catch.hpp"

using namespace flopledger;

static_assert(parameter_count<from_file::Llama_3_1_8B> == parameter_count<models::llama3_1_8b>);
static_assert(parameter_count<from_file::Mixtral_8x7B> == parameter_count<models::mixtral_8x7b>);
static_assert(active_parameter_count<from_file::Mixtral_8x7B> == active_parameter_count<models::mixtral_8x7b>);
static_assert(parameter_count<from_file::Qwen3_8B> == parameter_count<models::qwen3_8b>);
static_assert(parameter_count<from_file::DeepSeek_V3> == parameter_count<models::deepseek_v3>);
static_assert(parameter_count<from_file::gpt_oss_20b> == parameter_count<models::gpt_oss_20b>);
static_assert(from_file::DeepSeek_V3::storage.method == quantization_method::fp8);
static_assert(from_file::gpt_oss_20b::storage.method == quantization_method::mxfp4);
static_assert(from_file::Llama_3_1_8B::name == "Llama_3_1_8B");

namespace {

template <class Model>
void check_against_file(const std::string& name) {
  INFO(name);
  std::ifstream stream{FLOPLEDGER_TEST_DATA "/../../examples/configs/" + name + "/config.json"};
  REQUIRE(stream);
  std::stringstream text;
  text << stream.rdbuf();
  const std::string whole = text.str();
  const model_description read = require_config(whole, name);
  for (const work& asked : {forward(1, 1), training_step(2, 64), decode_step(3, 9000)}) {
    const totals compiled = totals_of(Model::config, asked), found = totals_of(read.config, asked);
    CHECK(compiled.held.value() == found.held.value());
    CHECK(compiled.active.value() == found.active.value());
    CHECK(compiled.multiplied.value() == found.multiplied.value());
    CHECK(compiled.elementwise.value() == found.elementwise.value());
  }
  CHECK(weight_bytes(Model::config, Model::storage).value() == weight_bytes(read.config, read.storage).value());
  CHECK(Model::config.context == read.config.context);
  CHECK(std::string{Model::config.architecture} == std::string{read.config.architecture});
}

}  // namespace

TEST_CASE("what the compiler reads is what the program reads", "[config]") {
  check_against_file<from_file::Llama_3_1_8B>("Llama-3.1-8B");
  check_against_file<from_file::Mixtral_8x7B>("Mixtral-8x7B");
  check_against_file<from_file::Qwen3_8B>("Qwen3-8B");
  check_against_file<from_file::DeepSeek_V3>("DeepSeek-V3");
  check_against_file<from_file::gpt_oss_20b>("gpt-oss-20b");
}
