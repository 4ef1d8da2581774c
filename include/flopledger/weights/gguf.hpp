// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The header of a GGUF file, versions 2 and 3: metadata, and names, types, shapes and places of the tensors.
///
/// The format by ggml's reader (ggml-org/llama.cpp, ggml/src/gguf.cpp: gguf_init_from_reader) and its Python package
/// (gguf-py/gguf/constants.py: GGUFValueType, GGMLQuantizationType, GGML_QUANT_SIZES), block sizes by
/// ggml/src/ggml-common.h, from which the package differs for Q8_1.

#include <flopledger/weights/byte_source.hpp>

#include <algorithm>
#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace flopledger::weights {

/// A type of ggml by its number in files.
struct ggml_type {
  std::uint32_t number = 0;
  element_type layout{};
};

/// Those that files hold. What repacked blocks in memory have, and numbers of types that were removed, are none.
inline constexpr ggml_type ggml_types[] = {
    {0, {"F32", 1, 4}},         {1, {"F16", 1, 2}},         {2, {"Q4_0", 32, 18}},      {3, {"Q4_1", 32, 20}},
    {6, {"Q5_0", 32, 22}},      {7, {"Q5_1", 32, 24}},      {8, {"Q8_0", 32, 34}},      {9, {"Q8_1", 32, 36}},
    {10, {"Q2_K", 256, 84}},    {11, {"Q3_K", 256, 110}},   {12, {"Q4_K", 256, 144}},   {13, {"Q5_K", 256, 176}},
    {14, {"Q6_K", 256, 210}},   {15, {"Q8_K", 256, 292}},   {16, {"IQ2_XXS", 256, 66}}, {17, {"IQ2_XS", 256, 74}},
    {18, {"IQ3_XXS", 256, 98}}, {19, {"IQ1_S", 256, 50}},   {20, {"IQ4_NL", 32, 18}},   {21, {"IQ3_S", 256, 110}},
    {22, {"IQ2_S", 256, 82}},   {23, {"IQ4_XS", 256, 136}}, {24, {"I8", 1, 1}},         {25, {"I16", 1, 2}},
    {26, {"I32", 1, 4}},        {27, {"I64", 1, 8}},        {28, {"F64", 1, 8}},        {29, {"IQ1_M", 256, 56}},
    {30, {"BF16", 1, 2}},       {34, {"TQ1_0", 256, 54}},   {35, {"TQ2_0", 256, 66}},   {39, {"MXFP4", 32, 17}},
    {40, {"NVFP4", 64, 36}},    {41, {"Q1_0", 128, 18}},
};

/// Null where no file holds such a type.
constexpr const element_type* ggml_type_of(std::uint32_t number) {
  for (const ggml_type& one : ggml_types)
    if (one.number == number) return &one.layout;
  return nullptr;
}

/// What a key says.
struct metadata_value {
  enum class kind : std::uint8_t { integer, real, truth, text, list };
  kind is = kind::integer;
  std::int64_t integer = 0;  ///< a truth too: 0 or 1
  double real = 0;
  std::string text{};
  std::uint64_t length = 0;              ///< of a list
  std::vector<std::int64_t> integers{};  ///< of a list of integers or truths that is no longer than `longest_kept`
};

/// Lists that have an entry a layer are kept; a vocabulary is passed over.
inline constexpr std::uint64_t longest_kept = 4096;

struct gguf_file {
  std::string name{};
  std::uint32_t version = 0;
  std::uint64_t alignment = 32;
  std::vector<std::pair<std::string, metadata_value>> metadata{};  ///< by their keys
  std::vector<stored_tensor> tensors{};                            ///< by their places

  /// Null where the file says nothing under the key.
  const metadata_value* find(std::string_view key) const {
    const auto at = std::lower_bound(metadata.begin(), metadata.end(), key,
                                     [](const auto& one, std::string_view sought) { return one.first < sought; });
    return at != metadata.end() && at->first == key ? &at->second : nullptr;
  }
};

namespace detail {

/// The types of metadata, by their numbers.
enum class gguf_value : std::uint32_t {
  uint8,
  int8,
  uint16,
  int16,
  uint32,
  int32,
  float32,
  truth,
  text,
  list,
  uint64,
  int64,
  float64
};

class gguf_reader {
 public:
  gguf_reader(std::istream& stream, const std::string& name) : in_(stream, name) { file_.name = name; }

  gguf_file read() {
    if (in_.left() < 4 || in_.text(4, "magic") != "GGUF") in_.refuse("does not begin with GGUF, so no GGUF file");
    read_version();
    const std::uint64_t tensors = read_count("tensor_count", smallest_tensor);
    const std::uint64_t keys = read_count("metadata_kv_count", smallest_key);
    for (std::uint64_t i = 0; i < keys; ++i) read_key();
    sort_keys();
    read_alignment();
    for (std::uint64_t i = 0; i < tensors; ++i) read_tensor();
    // What pads the header may be missing where no data follows.
    const std::uint64_t padded = (in_.position() + file_.alignment - 1) / file_.alignment * file_.alignment;
    check_places(file_.tensors, in_.size() > padded ? in_.size() - padded : 0, file_.name);
    return std::move(file_);
  }
 private:
  // The least bytes that one takes: an empty name, a type and a byte; an empty name, no dimension, a type, an offset.
  static constexpr std::uint64_t smallest_key = 8 + 4 + 1, smallest_tensor = 8 + 4 + 4 + 8;
  static constexpr std::uint32_t most_dimensions = 4;  // GGML_MAX_DIMS

  void read_version() {
    file_.version = in_.number<std::uint32_t>("version");
    if ((file_.version & 0xFFFFU) == 0)
      in_.refuse("version is " + std::to_string(file_.version) + ": a file of the other byte order");
    if (file_.version != 2 && file_.version != 3)
      in_.refuse("version is " + std::to_string(file_.version) + ", and 2 and 3 are read");
  }
  std::uint64_t read_count(const char* what, std::uint64_t smallest) {
    const auto count = in_.number<std::uint64_t>(what);
    if (count > in_.left() / smallest)
      in_.refuse(std::string(what) + " is " + std::to_string(count) + ", more than " + std::to_string(in_.left()) +
                 " bytes can hold");
    return count;
  }
  std::string read_text(std::string_view what) {
    const auto length = in_.number<std::uint64_t>(what);
    return in_.text(length, what);
  }

  void read_key() {
    std::string key = read_text("a key of the metadata");
    const auto type = static_cast<gguf_value>(in_.number<std::uint32_t>("the type of " + in_quotes(key)));
    metadata_value value = type == gguf_value::list ? read_list(key) : read_scalar(type, key);
    file_.metadata.emplace_back(std::move(key), std::move(value));
  }
  metadata_value read_scalar(gguf_value type, const std::string& key) {
    using kind = metadata_value::kind;
    const auto integer = [](auto n) {
      return metadata_value{.is = kind::integer, .integer = static_cast<std::int64_t>(n)};
    };
    const std::string what = "the value of " + in_quotes(key);
    switch (type) {
      case gguf_value::uint8:
        return integer(in_.number<std::uint8_t>(what));
      case gguf_value::int8:
        return integer(in_.number<std::int8_t>(what));
      case gguf_value::uint16:
        return integer(in_.number<std::uint16_t>(what));
      case gguf_value::int16:
        return integer(in_.number<std::int16_t>(what));
      case gguf_value::uint32:
        return integer(in_.number<std::uint32_t>(what));
      case gguf_value::int32:
        return integer(in_.number<std::int32_t>(what));
      case gguf_value::int64:
        return integer(in_.number<std::int64_t>(what));
      case gguf_value::uint64: {
        const auto n = in_.number<std::uint64_t>(what);
        if (n > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
          in_.refuse(in_quotes(key) + " is " + std::to_string(n) + ", more than 63 bits hold");
        return integer(n);
      }
      case gguf_value::float32:
        return {.is = kind::real, .real = static_cast<double>(in_.number<float>(what))};
      case gguf_value::float64:
        return {.is = kind::real, .real = in_.number<double>(what)};
      case gguf_value::truth:
        return {.is = kind::truth, .integer = in_.number<std::uint8_t>(what) != 0 ? 1 : 0};
      case gguf_value::text:
        return {.is = kind::text, .text = read_text(what)};
      case gguf_value::list:
        break;
    }
    in_.refuse(in_quotes(key) + " has the type " + std::to_string(static_cast<std::uint32_t>(type)) +
               ", which GGUF does not have here");
  }
  metadata_value read_list(const std::string& key) {
    const std::string what = "the list " + in_quotes(key);
    const auto type = static_cast<gguf_value>(in_.number<std::uint32_t>(what));
    metadata_value value{.is = metadata_value::kind::list, .length = in_.number<std::uint64_t>(what)};
    const std::uint64_t smallest = smallest_of(type, key);
    if (value.length > in_.left() / smallest)
      in_.refuse(in_quotes(key) + " has " + std::to_string(value.length) + " entries, more than " +
                 std::to_string(in_.left()) + " bytes can hold");
    const bool is_text = type == gguf_value::text;
    const bool is_real = type == gguf_value::float32 || type == gguf_value::float64;
    if (is_text)
      for (std::uint64_t i = 0; i < value.length; ++i) in_.skip(in_.number<std::uint64_t>(what), what);
    else if (is_real || value.length > longest_kept)
      in_.skip(value.length * smallest, what);
    else
      for (std::uint64_t i = 0; i < value.length; ++i) value.integers.push_back(read_scalar(type, key).integer);
    return value;
  }
  /// The least bytes that a value takes.
  std::uint64_t smallest_of(gguf_value type, const std::string& key) const {
    switch (type) {
      case gguf_value::uint8:
      case gguf_value::int8:
      case gguf_value::truth:
        return 1;
      case gguf_value::uint16:
      case gguf_value::int16:
        return 2;
      case gguf_value::uint32:
      case gguf_value::int32:
      case gguf_value::float32:
        return 4;
      case gguf_value::text:
      case gguf_value::uint64:
      case gguf_value::int64:
      case gguf_value::float64:
        return 8;
      case gguf_value::list:
        in_.refuse(in_quotes(key) + " is a list of lists, which ggml does not read either");
    }
    in_.refuse(in_quotes(key) + " is a list of the type " + std::to_string(static_cast<std::uint32_t>(type)) +
               ", which GGUF does not have");
  }

  void sort_keys() {
    auto& keys = file_.metadata;
    std::sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 1; i < keys.size(); ++i)
      if (keys[i].first == keys[i - 1].first) in_.refuse("the key " + in_quotes(keys[i].first) + " stands twice");
  }
  void read_alignment() {
    const metadata_value* said = file_.find("general.alignment");
    if (said == nullptr) return;
    const std::int64_t n = said->integer;
    if (said->is != metadata_value::kind::integer || n <= 0 || (n & (n - 1)) != 0 || n > std::int64_t{1} << 31)
      in_.refuse("general.alignment is " +
                 (said->is == metadata_value::kind::integer ? std::to_string(n) : "no number") +
                 ", and must be a power of two");
    file_.alignment = static_cast<std::uint64_t>(n);
  }

  void read_tensor() {
    stored_tensor one{.name = read_text("the name of a tensor")};
    const std::string where = "tensor " + in_quotes(one.name) + ": ";
    const auto dimensions = in_.number<std::uint32_t>(where + "its dimensions");
    if (dimensions > most_dimensions)
      in_.refuse(where + "has " + std::to_string(dimensions) + " dimensions, and ggml at most " +
                 std::to_string(most_dimensions));
    for (std::uint32_t i = 0; i < dimensions; ++i) {
      one.shape.push_back(in_.number<std::int64_t>(where + "its shape"));
      if (one.shape.back() < 0) in_.refuse(where + "shape holds " + std::to_string(one.shape.back()));
    }
    const auto number = in_.number<std::uint32_t>(where + "its type");
    const element_type* type = ggml_type_of(number);
    if (type == nullptr) in_.refuse(where + "type is " + std::to_string(number) + ", which no file of ggml holds");
    one.type = *type;
    if (const std::int64_t in_a_row = one.shape.empty() ? 1 : one.shape.front(); in_a_row % type->block != 0)
      in_.refuse(where + "has rows of " + std::to_string(in_a_row) + ", no whole blocks of " + std::string(type->name));
    std::reverse(one.shape.begin(), one.shape.end());
    const std::optional<std::uint64_t> elements = elements_of(one.shape);
    const std::optional<std::uint64_t> bytes = elements ? bytes_of(*type, *elements) : std::nullopt;
    if (!bytes) in_.refuse(where + "shape is of more bytes than 63 bits hold");
    one.bytes = *bytes;
    one.begin = in_.number<std::uint64_t>(where + "its offset");
    if (one.begin % file_.alignment != 0)
      in_.refuse(where + "offset is " + std::to_string(one.begin) + ", no multiple of the alignment " +
                 std::to_string(file_.alignment));
    file_.tensors.push_back(std::move(one));
  }

  byte_source in_;
  gguf_file file_{};
};

}  // namespace detail

/// Reads the header of a file.
inline gguf_file read_gguf(std::istream& stream, const std::string& name) {
  return detail::gguf_reader(stream, name).read();
}

}  // namespace flopledger::weights
