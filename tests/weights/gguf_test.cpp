// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/weights/gguf.hpp>

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "files.hpp"

using namespace flopledger::weights;
using weights_test::find;
using weights_test::little_endian;

namespace {

gguf_file file_of(const std::string& name) {
  std::ifstream stream(weights_test::path_of(name), std::ios::binary);
  return read_gguf(stream, name);
}
std::string gguf_refusal(const std::string& content) {
  return weights_test::refusal_of(content, [](auto& stream, const char* name) { read_gguf(stream, name); });
}

std::string with_length(const std::string& plain) { return little_endian(plain.size(), 8) + plain; }
std::string header_of(std::uint64_t tensors, std::uint64_t keys, std::uint32_t version = 3) {
  return "GGUF" + little_endian(version, 4) + little_endian(tensors, 8) + little_endian(keys, 8);
}
/// A tensor of `type` with these dimensions, the innermost first.
std::string info_of(const std::string& name, const std::vector<std::uint64_t>& shape, std::uint32_t type,
                    std::uint64_t offset) {
  std::string info = with_length(name) + little_endian(shape.size(), 4);
  for (const std::uint64_t side : shape) info += little_endian(side, 8);
  return info + little_endian(type, 4) + little_endian(offset, 8);
}

void check_says(const std::string& said, const std::string& part) {
  INFO(said);
  CHECK(said.find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("a GGUF file of version 3 is read", "[weights]") {
  const gguf_file file = file_of("llama.gguf");
  CHECK(file.version == 3);
  CHECK(file.alignment == 32);
  CHECK(file.metadata.size() == 19);
  REQUIRE(file.find("general.architecture") != nullptr);
  CHECK(file.find("general.architecture")->text == "llama");
  CHECK(file.find("llama.block_count")->integer == 2);
  CHECK(file.find("llama.rope.freq_base")->real == 500000);
  CHECK(file.find("tokenizer.ggml.tokens")->length == 64);
  CHECK(file.find("tokenizer.ggml.tokens")->integers.empty());
  CHECK(file.find("llama") == nullptr);
  REQUIRE(file.tensors.size() == 21);
  const stored_tensor* down = find(file.tensors, "blk.1.ffn_down.weight");
  REQUIRE(down != nullptr);
  CHECK(down->type.name == "Q8_0");
  CHECK(down->shape == std::vector<std::int64_t>{32, 64});
  CHECK(down->bytes == 32 * 64 / 32 * 34);
  // As @huggingface/gguf 0.4.6 reads it.
  CHECK(down->begin == 19904);
  CHECK(find(file.tensors, "output.weight")->begin == 22208);
}

TEST_CASE("a GGUF file of version 2 with every kind of value and type is read", "[weights]") {
  const gguf_file file = file_of("types.gguf");
  CHECK(file.version == 2);
  CHECK(file.alignment == 64);
  const std::map<std::string, std::int64_t> integers{{"of.u8", 200},
                                                     {"of.i8", -7},
                                                     {"of.u16", 60000},
                                                     {"of.i16", -30000},
                                                     {"of.u32", 4000000000},
                                                     {"of.i32", -5},
                                                     {"of.bool", 1},
                                                     {"of.u64", std::int64_t{1} << 40},
                                                     {"of.i64", -(std::int64_t{1} << 40)}};
  for (const auto& [key, value] : integers) {
    INFO(key);
    REQUIRE(file.find(key) != nullptr);
    CHECK(file.find(key)->integer == value);
  }
  CHECK(file.find("of.f32")->real == 0.5);
  CHECK(file.find("of.f64")->real == 0.1);
  CHECK(file.find("of.text")->text == "Grüße");
  CHECK(file.find("of.list")->integers == std::vector<std::int64_t>{3, -1, 4});
  CHECK(file.find("of.bools")->integers == std::vector<std::int64_t>{1, 0});
  CHECK(file.find("of.empty")->length == 0);
  // Places as @huggingface/gguf 0.4.6 reads them; 512 elements each, padded to 64 bytes.
  const std::map<std::string, std::uint64_t> places{
      {"f32", 0},      {"f16", 2048},     {"q4_0", 3072},   {"q4_1", 3392},    {"q5_0", 3712},   {"q5_1", 4096},
      {"q8_0", 4480},  {"q2_k", 5056},    {"q3_k", 5248},   {"q4_k", 5504},    {"q5_k", 5824},   {"q6_k", 6208},
      {"q8_k", 6656},  {"iq2_xxs", 7296}, {"iq2_xs", 7488}, {"iq3_xxs", 7680}, {"iq1_s", 7936},  {"iq4_nl", 8064},
      {"iq3_s", 8384}, {"iq2_s", 8640},   {"iq4_xs", 8832}, {"i8", 9152},      {"i16", 9664},    {"i32", 10688},
      {"i64", 12736},  {"f64", 16832},    {"iq1_m", 20928}, {"bf16", 21056},   {"tq1_0", 22080}, {"tq2_0", 22208},
      {"mxfp4", 22400}};
  REQUIRE(file.tensors.size() == places.size());
  for (std::size_t i = 0; i < file.tensors.size(); ++i) {
    const stored_tensor& one = file.tensors[i];
    INFO(one.name);
    REQUIRE(places.count(one.name) == 1);
    CHECK(one.begin == places.at(one.name));
    CHECK(one.shape == std::vector<std::int64_t>{2, 256});
    if (i + 1 < file.tensors.size()) CHECK((one.begin + one.bytes + 63) / 64 * 64 == file.tensors[i + 1].begin);
  }
}

TEST_CASE("a GGUF file that lies is refused by field and value", "[weights]") {
  const std::uint64_t huge = ~std::uint64_t{0};
  check_says(gguf_refusal(""), "does not begin with GGUF");
  check_says(gguf_refusal("GGML1234"), "does not begin with GGUF");
  check_says(gguf_refusal("GGUF"), "ends within version");
  check_says(gguf_refusal(header_of(0, 0, 1)), "version is 1, and 2 and 3 are read");
  check_says(gguf_refusal(header_of(0, 0, 4)), "version is 4");
  check_says(gguf_refusal(header_of(0, 0, 3U << 24)), "version is 50331648: a file of the other byte order");
  check_says(gguf_refusal(header_of(huge, 0)), "tensor_count is 18446744073709551615, more than");
  check_says(gguf_refusal(header_of(0, huge)), "metadata_kv_count is 18446744073709551615, more than 0 bytes can hold");
  check_says(gguf_refusal(header_of(2, 0) + info_of("a", {1}, 0, 0)), "tensor_count is 2, more than");
  check_says(gguf_refusal(header_of(0, 1) + little_endian(huge, 8) + std::string(20, 'a')),
             "a key of the metadata has a length of 18446744073709551615");
  check_says(gguf_refusal(header_of(0, 1) + with_length("k") + little_endian(13, 4) + std::string(20, '\0')),
             "\"k\" has the type 13");
  check_says(gguf_refusal(header_of(0, 1) + with_length("k") + little_endian(10, 4) + little_endian(huge, 8)),
             "\"k\" is 18446744073709551615, more than 63 bits");
  check_says(gguf_refusal(header_of(0, 1) + with_length("k") + little_endian(8, 4) + little_endian(100, 8)),
             "has a length of 100 bytes, and the file has 0 left");
  const std::string list = with_length("k") + little_endian(9, 4);
  check_says(gguf_refusal(header_of(0, 1) + list + little_endian(9, 4) + little_endian(1, 8) + std::string(20, '\0')),
             "a list of lists");
  check_says(gguf_refusal(header_of(0, 1) + list + little_endian(77, 4) + little_endian(1, 8)),
             "a list of the type 77");
  check_says(gguf_refusal(header_of(0, 1) + list + little_endian(4, 4) + little_endian(huge / 2, 8)),
             "entries, more than 0 bytes can hold");
  check_says(gguf_refusal(header_of(0, 1) + list + little_endian(8, 4) + little_endian(1, 8) + little_endian(huge, 8)),
             "has a length of 18446744073709551615");
  const std::string one_key = with_length("k") + little_endian(0, 4) + little_endian(1, 1);
  check_says(gguf_refusal(header_of(0, 2) + one_key + one_key), "the key \"k\" stands twice");
  const std::string aligned = with_length("general.alignment") + little_endian(4, 4);
  for (const std::uint64_t alignment : {0U, 24U, 33U})
    check_says(gguf_refusal(header_of(0, 1) + aligned + little_endian(alignment, 4)),
               "general.alignment is " + std::to_string(alignment) + ", and must be a power of two");
  check_says(gguf_refusal(header_of(0, 1) + with_length("general.alignment") + little_endian(8, 4) + with_length("32")),
             "general.alignment is no number");

  check_says(gguf_refusal(header_of(1, 0) + with_length("a") + little_endian(5, 4) + std::string(64, '\0')),
             "tensor \"a\": has 5 dimensions");
  check_says(gguf_refusal(header_of(1, 0) + info_of("a", {huge}, 0, 0)), "shape holds -1");
  check_says(gguf_refusal(header_of(1, 0) + info_of("a", {32}, 4, 0) + std::string(64, '\0')),
             "type is 4, which no file");
  check_says(gguf_refusal(header_of(1, 0) + info_of("a", {33, 32}, 8, 0)), "rows of 33, no whole blocks of Q8_0");
  check_says(gguf_refusal(header_of(1, 0) + info_of("a", {1ULL << 32, 1ULL << 32}, 0, 0)), "63 bits");
  check_says(gguf_refusal(header_of(1, 0) + info_of("a", {1ULL << 61}, 0, 0)), "63 bits");
  check_says(gguf_refusal(header_of(1, 0) + info_of("a", {8}, 0, 7)), "offset is 7, no multiple of the alignment 32");
  check_says(gguf_refusal(header_of(1, 0) + info_of("a", {1024}, 0, 0) + std::string(99, '\0')),
             "its 4096 bytes reach beyond");
  check_says(gguf_refusal(header_of(1, 0) + info_of("a", {8}, 0, huge - 31) + std::string(99, '\0')), "reach beyond");
  const std::string a = info_of("a", {16}, 0, 0);
  check_says(gguf_refusal(header_of(2, 0) + a + info_of("b", {16}, 0, 32) + std::string(256, '\0')),
             "offset is 32, within the tensor before, which ends at 64");
  check_says(gguf_refusal(header_of(2, 0) + a + info_of("a", {16}, 0, 64) + std::string(256, '\0')),
             "tensor \"a\": stands twice");
  CHECK(gguf_refusal(header_of(2, 0) + a + info_of("b", {16}, 0, 64) + std::string(256, '\0')).empty());
  CHECK(gguf_refusal(header_of(0, 0)).empty());
}

TEST_CASE("a file cut anywhere is refused, never read", "[weights]") {
  const std::string whole = weights_test::content_of("llama.gguf");
  for (std::size_t length = 0; length < whole.size(); length += length < 4000 ? 1 : 997)
    CHECK(!gguf_refusal(whole.substr(0, length)).empty());
}

TEST_CASE("bytes of a type's blocks are whole, or none", "[weights]") {
  constexpr const element_type* q4_k = ggml_type_of(12);
  static_assert(bytes_of(*q4_k, 256 * 3) == 432);
  static_assert(!bytes_of(*q4_k, 255));
  static_assert(!bytes_of({"F64", 1, 8}, std::uint64_t{1} << 62U));
  static_assert(ggml_type_of(4) == nullptr && ggml_type_of(31) == nullptr);
}
