// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The header of a safetensors file, and the index of a checkpoint that is cut into several.
///
/// A file is the length of the header in eight bytes, the header, a JSON object of a member a tensor, and the data
/// (huggingface/safetensors, safetensors/src/tensor.rs: the types, the limit on the header, and that the data has
/// neither holes nor a rest).

#include <flopledger/text/json.hpp>
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

inline constexpr element_type safetensors_types[] = {
    {"BOOL", 1, 1}, {"F4", 2, 1},      {"F6_E2M3", 4, 3}, {"F6_E3M2", 4, 3}, {"U8", 1, 1},
    {"I8", 1, 1},   {"F8_E5M2", 1, 1}, {"F8_E4M3", 1, 1}, {"F8_E8M0", 1, 1}, {"I16", 1, 2},
    {"U16", 1, 2},  {"F16", 1, 2},     {"BF16", 1, 2},    {"I32", 1, 4},     {"U32", 1, 4},
    {"F32", 1, 4},  {"C64", 1, 8},     {"F64", 1, 8},     {"I64", 1, 8},     {"U64", 1, 8},
};

/// Null where there is none of that name.
constexpr const element_type* safetensors_type(std::string_view name) {
  for (const element_type& one : safetensors_types)
    if (one.name == name) return &one;
  return nullptr;
}

struct safetensors_file {
  std::string name{};
  std::vector<stored_tensor> tensors{};  ///< by their places
  std::vector<std::pair<std::string, std::string>> metadata{};
};

namespace detail {

inline std::string decoded(json::slice text) {
  std::string plain;
  json::decode(text, [&](char byte) {
    plain += byte;
    return true;
  });
  return plain;
}

/// The numbers of a list, none of them negative.
inline std::vector<std::int64_t> counts_in(const json::value& list, const std::string& what) {
  std::vector<std::int64_t> counts;
  if (list.type != json::kind::array) refuse(what + " is no list of numbers");
  json::for_each_element(list, [&](const json::value& v) {
    const json::exact_integer n = json::as_integer(v);
    if (!n.ok || n.value < 0) refuse(what + " holds " + in_quotes(v.text.raw) + ", which is no count");
    counts.push_back(n.value);
  });
  return counts;
}

/// One member of the header.
inline stored_tensor read_entry(std::string_view file, std::string name, const json::value& entry) {
  const std::string where = of_tensor(file, name);
  stored_tensor one{.name = std::move(name)};
  const element_type* type = nullptr;
  std::optional<std::vector<std::int64_t>> shape, offsets;
  if (entry.type != json::kind::object) refuse(where + "is no object of dtype, shape and data_offsets");
  json::for_each_member(entry, [&](json::slice key, const json::value& v) {
    const bool again =
        (key == "dtype" && type != nullptr) || (key == "shape" && shape) || (key == "data_offsets" && offsets);
    if (again) refuse(where + decoded(key) + " stands twice");
    if (key == "dtype") {
      type = v.type == json::kind::string ? safetensors_type(v.text.raw) : nullptr;
      if (type == nullptr) refuse(where + "dtype is " + in_quotes(v.text.raw) + ", which safetensors does not have");
    }
    if (key == "shape") shape = counts_in(v, where + "shape");
    if (key == "data_offsets") offsets = counts_in(v, where + "data_offsets");
  });
  if (type == nullptr) refuse(where + "dtype is missing");
  if (!shape) refuse(where + "shape is missing");
  if (!offsets || offsets->size() != 2) refuse(where + "data_offsets is not the two that a tensor has");
  const std::int64_t begin = offsets->front(), end = offsets->back();
  if (end < begin)
    refuse(where + "data_offsets ends at " + std::to_string(end) + ", before its begin " + std::to_string(begin));
  one.type = *type;
  one.shape = std::move(*shape);
  one.begin = static_cast<std::uint64_t>(begin);
  one.bytes = static_cast<std::uint64_t>(end - begin);
  const std::optional<std::uint64_t> elements = elements_of(one.shape);
  const std::optional<std::uint64_t> bytes = elements ? bytes_of(one.type, *elements) : std::nullopt;
  if (!bytes) refuse(where + "shape is of no number of bytes that 63 bits hold");
  if (*bytes != one.bytes)
    refuse(where + "data_offsets span " + std::to_string(one.bytes) + " bytes, but shape and dtype take " +
           std::to_string(*bytes));
  return one;
}

inline std::string not_json(const std::string& where, const json::outcome& ended) {
  return where + "byte " + std::to_string(ended.offset) + ": not JSON: " + std::string(json::describe(ended.what));
}

}  // namespace detail

/// Reads the header of a file.
inline safetensors_file read_safetensors(std::istream& stream, const std::string& name) {
  constexpr std::uint64_t longest_header = 100'000'000;  // MAX_HEADER_SIZE
  byte_source in(stream, name);
  const auto length = in.number<std::uint64_t>("the length of the header");
  if (length > longest_header)
    in.refuse("header has a length of " + std::to_string(length) + " bytes, more than the " +
              std::to_string(longest_header) + " of any safetensors file");
  const std::string header = in.text(length, "header");
  if (header.empty() || header.front() != '{') in.refuse("header does not begin with {, so no safetensors file");
  safetensors_file file{.name = name};
  bool has_metadata = false;
  const json::outcome ended = json::for_each_member(header, [&](json::slice key, const json::value& v) {
    if (!(key == "__metadata__")) {
      file.tensors.push_back(detail::read_entry(name, detail::decoded(key), v));
      return;
    }
    if (std::exchange(has_metadata, true)) in.refuse("__metadata__ stands twice");
    if (v.type != json::kind::object) in.refuse("__metadata__ is no object");
    json::for_each_member(v, [&](json::slice said, const json::value& text) {
      if (text.type != json::kind::string)
        in.refuse("__metadata__ holds " + detail::in_quotes(text.text.raw) + ", which is no text");
      file.metadata.emplace_back(detail::decoded(said), detail::decoded(text.text));
    });
  });
  if (!ended.ok()) in.refuse(detail::not_json("header: ", ended));
  check_places(file.tensors, in.left(), name);
  std::uint64_t end = 0;
  for (const stored_tensor& one : file.tensors) {
    if (one.begin != end)
      detail::refuse(detail::of_tensor(name, one.name) + "data_offsets begin at " + std::to_string(one.begin) +
                     ", and the tensor before ends at " + std::to_string(end));
    end += one.bytes;
  }
  if (end != in.left())
    in.refuse("data has " + std::to_string(in.left()) + " bytes, and the tensors take " + std::to_string(end));
  return file;
}

/// model.safetensors.index.json: which tensor stands in which file.
struct safetensors_index {
  struct entry {
    std::string tensor{}, file{};
  };
  std::string name{};
  std::vector<entry> tensors{};                ///< by their names
  std::optional<std::uint64_t> total_bytes{};  ///< that the index says

  /// Each file once.
  std::vector<std::string> files() const {
    std::vector<std::string> all;
    for (const entry& one : tensors) all.push_back(one.file);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }
};

namespace detail {
/// A file beside the index and nowhere else.
constexpr bool is_plain_file_name(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string_view::npos &&
         name.find('\\') == std::string_view::npos && name.find('\0') == std::string_view::npos;
}
}  // namespace detail

inline safetensors_index read_safetensors_index(std::string_view text, const std::string& name) {
  safetensors_index index{.name = name};
  const auto refuse = [&](const std::string& what) { detail::refuse(name + ": " + what); };
  bool mapped = false;
  const json::outcome ended = json::for_each_member(text, [&](json::slice key, const json::value& v) {
    if (key == "metadata") {
      if (v.type != json::kind::object) refuse("metadata is no object");
      json::for_each_member(v, [&](json::slice said, const json::value& size) {
        if (!(said == "total_size")) return;
        const json::exact_integer bytes = json::as_integer(size);
        if (!bytes.ok || bytes.value < 0)
          refuse("total_size is " + detail::in_quotes(size.text.raw) + ", which is no count");
        index.total_bytes = static_cast<std::uint64_t>(bytes.value);
      });
    }
    if (!(key == "weight_map")) return;
    if (std::exchange(mapped, true)) refuse("weight_map stands twice");
    if (v.type != json::kind::object) refuse("weight_map is no object");
    json::for_each_member(v, [&](json::slice tensor, const json::value& file) {
      safetensors_index::entry one{detail::decoded(tensor), detail::decoded(file.text)};
      if (file.type != json::kind::string || !detail::is_plain_file_name(one.file))
        refuse("weight_map: " + detail::in_quotes(one.tensor) + " is in " + detail::in_quotes(file.text.raw) +
               ", which is no file beside the index");
      index.tensors.push_back(std::move(one));
    });
  });
  if (!ended.ok()) refuse(detail::not_json("", ended));
  if (!mapped) refuse("weight_map is missing");
  std::sort(index.tensors.begin(), index.tensors.end(),
            [](const auto& a, const auto& b) { return a.tensor < b.tensor; });
  for (std::size_t i = 1; i < index.tensors.size(); ++i)
    if (index.tensors[i].tensor == index.tensors[i - 1].tensor)
      refuse("weight_map: " + detail::in_quotes(index.tensors[i].tensor) + " stands twice");
  return index;
}

}  // namespace flopledger::weights
