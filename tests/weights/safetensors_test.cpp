// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/weights/safetensors.hpp>

#include <fstream>
#include <string>
#include <vector>

#include "files.hpp"

using namespace flopledger::weights;
using weights_test::find;

namespace {

std::string safetensors(const std::string& header, std::size_t data = 0) {
  return weights_test::little_endian(header.size(), 8) + header + std::string(data, '\0');
}
std::string refusal(const std::string& content) {
  return weights_test::refusal_of(content, [](auto& stream, const char* name) { read_safetensors(stream, name); });
}
std::string refused_header(const std::string& header, std::size_t data = 0) {
  return refusal(safetensors(header, data));
}
std::string refused_index(const std::string& text) {
  return weights_test::refusal_of(text, [&](auto&, const char* name) { read_safetensors_index(text, name); });
}

}  // namespace

TEST_CASE("every type of safetensors has its size", "[weights]") {
  std::ifstream stream(weights_test::path_of("dtypes.safetensors"), std::ios::binary);
  const safetensors_file file = read_safetensors(stream, "dtypes.safetensors");
  // Eight elements each.
  const std::vector<std::pair<std::string, std::uint64_t>> sizes{
      {"bool", 8}, {"f4", 4},   {"f6_e2m3", 6}, {"f6_e3m2", 6}, {"u8", 8},   {"i8", 8},    {"f8_e5m2", 8},
      {"i16", 16}, {"u16", 16}, {"f8_e4m3", 8}, {"f8_e8m0", 8}, {"f16", 16}, {"bf16", 16}, {"i32", 32},
      {"u32", 32}, {"f32", 32}, {"c64", 64},    {"f64", 64},    {"i64", 64}, {"u64", 64}};
  REQUIRE(file.tensors.size() == sizes.size() + 2);
  for (const auto& [name, size] : sizes) {
    INFO(name);
    const stored_tensor* one = find(file.tensors, name);
    REQUIRE(one != nullptr);
    CHECK(one->bytes == size);
    CHECK(one->shape == std::vector<std::int64_t>{2, 4});
  }
  CHECK(find(file.tensors, "scalar")->bytes == 4);
  CHECK(find(file.tensors, "empty")->bytes == 0);
}

TEST_CASE("a checkpoint in two files has what its index says", "[weights]") {
  const safetensors_index index =
      read_safetensors_index(weights_test::content_of("llama/model.safetensors.index.json"), "index");
  CHECK(index.tensors.size() == 21);
  REQUIRE(index.files().size() == 2);
  std::uint64_t bytes = 0;
  std::size_t tensors = 0;
  for (const std::string& name : index.files()) {
    std::ifstream stream(weights_test::path_of("llama/" + name), std::ios::binary);
    const safetensors_file file = read_safetensors(stream, name);
    CHECK(file.metadata == std::vector<std::pair<std::string, std::string>>{{"format", "pt"}});
    for (const stored_tensor& one : file.tensors) bytes += one.bytes;
    tensors += file.tensors.size();
  }
  CHECK(tensors == 21);
  CHECK(index.total_bytes == bytes);
  // 2 tables of 64 × 32, and in each of 2 layers 4 matrices of attention, 3 of the feed-forward layer, 2 norms.
  CHECK(bytes == 2 * (2 * 64 * 32 + 2 * (32 * 32 * 2 + 2 * 16 * 32 + 3 * 64 * 32 + 2 * 32) + 32));
}

TEST_CASE("names may hold escapes, and the header a pad", "[weights]") {
  std::istringstream stream(safetensors(R"({"a\u002eb":{"dtype":"U8","shape":[3],"data_offsets":[0,3]}}   )", 3));
  CHECK(read_safetensors(stream, "f").tensors.at(0).name == "a.b");
  std::istringstream none(safetensors("{}"));
  CHECK(read_safetensors(none, "f").tensors.empty());
}

TEST_CASE("a safetensors file that lies is refused by field and value", "[weights]") {
  const auto has = [](const std::string& said, const std::string& part) {
    INFO(said);
    CHECK(said.find(part) != std::string::npos);
  };
  has(refusal(""), "f: ends within the length of the header");
  has(refusal("1234"), "f: ends within the length of the header");
  has(refusal(weights_test::little_endian(~std::uint64_t{0}, 8) + "{}"),
      "header has a length of 18446744073709551615 bytes");
  has(refusal(weights_test::little_endian(99'999'999, 8) + "{}"),
      "header has a length of 99999999 bytes, and the file has 2 left");
  has(refused_header("[1]"), "does not begin with {");
  has(refused_header(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]})", 1), "not JSON");
  has(refused_header(R"({"a":7})"), "tensor \"a\": is no object");
  has(refused_header(R"({"a":{"shape":[1],"data_offsets":[0,1]}})", 1), "dtype is missing");
  has(refused_header(R"({"a":{"dtype":"Q9","shape":[1],"data_offsets":[0,1]}})", 1), "dtype is \"Q9\"");
  has(refused_header(R"({"a":{"dtype":7,"shape":[1],"data_offsets":[0,1]}})", 1), "dtype is \"7\"");
  has(refused_header(R"({"a":{"dtype":"U8","data_offsets":[0,1]}})", 1), "shape is missing");
  has(refused_header(R"({"a":{"dtype":"U8","shape":[1]}})", 1), "data_offsets is not the two");
  has(refused_header(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0]}})", 1), "data_offsets is not the two");
  has(refused_header(R"({"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}})", 1), "shape holds \"-1\"");
  has(refused_header(R"({"a":{"dtype":"U8","shape":[1.5],"data_offsets":[0,1]}})", 1), "shape holds \"1.5\"");
  has(refused_header(R"({"a":{"dtype":"U8","shape":"1","data_offsets":[0,1]}})", 1), "shape is no list");
  has(refused_header(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[5,1]}})", 8), "ends at 1, before its begin 5");
  has(refused_header(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,1]}})", 1),
      "span 1 bytes, but shape and dtype take 2");
  has(refused_header(R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]}})", 4), "63 bits");
  has(refused_header(R"({"a":{"dtype":"F64","shape":[2305843009213693952],"data_offsets":[0,8]}})", 8), "63 bits");
  has(refused_header(R"({"a":{"dtype":"F4","shape":[3],"data_offsets":[0,2]}})", 2), "shape is of no number of bytes");
  has(refused_header(R"({"a":{"dtype":"U8","shape":[9],"data_offsets":[0,9]}})", 1),
      "reach beyond the 1 bytes of data");
  has(refused_header(R"({"a":{"dtype":"U8","shape":[2],"dtype":"U8","data_offsets":[0,2]}})", 2), "dtype stands twice");
  const std::string first = R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)";
  has(refused_header(first + R"("a":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}})", 4),
      "tensor \"a\": stands twice");
  has(refused_header(first + R"("b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})", 3),
      "offset is 1, within the tensor before");
  has(refused_header(first + R"("b":{"dtype":"U8","shape":[2],"data_offsets":[3,5]}})", 5),
      "data_offsets begin at 3, and the tensor before ends at 2");
  has(refused_header(first + R"("b":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}})", 9),
      "data has 9 bytes, and the tensors take 4");
  has(refused_header(R"({"__metadata__":[]})"), "__metadata__ is no object");
  has(refused_header(R"({"__metadata__":{"a":1}})"), "__metadata__ holds \"1\"");
  has(refused_header("{\"a\\u000ab\":7}"), "tensor \"a?b\": is no object");
}

TEST_CASE("an index that leads elsewhere is refused", "[weights]") {
  for (const std::string file : {"/etc/passwd", "../a", "..", "a/b", "a\\\\b", ""}) {
    INFO(file);
    CHECK(refused_index(R"({"weight_map":{"a":")" + file + "\"}}").find("no file beside the index") !=
          std::string::npos);
  }
  CHECK(refused_index("{}").find("weight_map is missing") != std::string::npos);
  CHECK(refused_index(R"({"weight_map":{"a":1}})").find("no file beside") != std::string::npos);
  CHECK(refused_index(R"({"weight_map":[]})").find("weight_map is no object") != std::string::npos);
  CHECK(refused_index(R"({"weight_map":{"a":"f","a":"g"}})").find("\"a\" stands twice") != std::string::npos);
  CHECK(refused_index(R"({"metadata":{"total_size":-1},"weight_map":{}})").find("total_size is \"-1\"") !=
        std::string::npos);
  // As some writers put it.
  CHECK(read_safetensors_index(R"({"metadata":{"total_size":14483464192.0},"weight_map":{}})", "f").total_bytes ==
        14483464192U);
  CHECK(!read_safetensors_index(R"({"weight_map":{"a":"f"}})", "f").total_bytes);
}
