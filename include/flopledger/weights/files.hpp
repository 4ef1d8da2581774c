// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The files of one checkpoint, found by path: safetensors, an index with its files beside it, GGUF, or a folder.

#include <flopledger/weights/gguf_names.hpp>
#include <flopledger/weights/safetensors.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace flopledger::weights {

enum class file_kind : std::uint8_t { safetensors, index, gguf };

/// By what the name ends with; nothing for a file of another kind.
inline std::optional<file_kind> kind_of(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  if (name.ends_with(".gguf")) return file_kind::gguf;
  if (name.ends_with(".safetensors")) return file_kind::safetensors;
  if (name.ends_with(".safetensors.index.json")) return file_kind::index;
  return std::nullopt;
}

/// All that several files hold together.
struct checkpoint {
  std::vector<std::string> files{};
  std::vector<stored_tensor> tensors{};
  bool is_gguf = false;
  const gguf_architecture* architecture = nullptr;  ///< that a GGUF file says
  std::optional<std::uint64_t> said_bytes{};        ///< that an index says
};

namespace detail {

inline std::ifstream opened(const std::filesystem::path& path) {
  std::error_code problem;
  std::ifstream stream(path, std::ios::binary);
  if (!stream || std::filesystem::is_directory(path, problem)) refuse(path.string() + ": cannot be opened");
  return stream;
}

/// An index of a hundred thousand tensors has some ten megabytes.
inline std::string text_of(const std::filesystem::path& path) {
  constexpr std::size_t longest_index = std::size_t{64} << 20U;
  std::ifstream stream = opened(path);
  std::string text(longest_index + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > longest_index) refuse(path.string() + ": longer than 64 MiB, so no index");
  return text;
}

inline void add(checkpoint& into, std::vector<stored_tensor> tensors, const std::filesystem::path& path) {
  into.files.push_back(path.string());
  into.tensors.insert(into.tensors.end(), std::make_move_iterator(tensors.begin()),
                      std::make_move_iterator(tensors.end()));
}

inline void add_index(checkpoint& into, const std::filesystem::path& path) {
  const safetensors_index index = read_safetensors_index(text_of(path), path.string());
  if (index.total_bytes) into.said_bytes = into.said_bytes.value_or(0) + *index.total_bytes;
  for (const std::string& name : index.files()) {
    const std::filesystem::path beside = path.parent_path() / name;
    std::ifstream stream = opened(beside);
    safetensors_file file = read_safetensors(stream, beside.string());
    std::vector<std::string_view> held;
    for (const stored_tensor& one : file.tensors) held.push_back(one.name);
    std::sort(held.begin(), held.end());
    for (const safetensors_index::entry& one : index.tensors)
      if (one.file == name && !std::binary_search(held.begin(), held.end(), std::string_view(one.tensor)))
        refuse(path.string() + ": weight_map: " + in_quotes(one.tensor) + " is in " + in_quotes(name) +
               ", which lacks it");
    add(into, std::move(file.tensors), beside);
  }
}

}  // namespace detail

/// The files that a path stands for: a folder's index, or its one file of safetensors.
inline std::filesystem::path weights_in(const std::filesystem::path& path) {
  std::error_code problem;
  if (!std::filesystem::is_directory(path, problem)) return path;
  for (const char* name : {"model.safetensors.index.json", "model.safetensors"})
    if (std::filesystem::exists(path / name, problem)) return path / name;
  detail::refuse(path.string() + ": a folder without model.safetensors or its index");
}

/// Reads the headers of all of them. Throws `unreadable`.
inline checkpoint read_checkpoint(const std::vector<std::filesystem::path>& paths) {
  checkpoint all;
  bool is_any_other = false;
  for (const std::filesystem::path& named : paths) {
    const std::filesystem::path path = weights_in(named);
    const std::optional<file_kind> kind = kind_of(path);
    if (!kind) detail::refuse(path.string() + ": ends in none of .safetensors, .safetensors.index.json and .gguf");
    if (kind == file_kind::index) {
      detail::add_index(all, path);
    } else {
      std::ifstream stream = detail::opened(path);
      if (kind == file_kind::gguf) {
        gguf_file file = read_gguf(stream, path.string());
        // Of a file in parts the first has the metadata.
        if (file.find("general.architecture") != nullptr) all.architecture = &architecture_of(file);
        detail::add(all, std::move(file.tensors), path);
      } else {
        detail::add(all, read_safetensors(stream, path.string()).tensors, path);
      }
    }
    (kind == file_kind::gguf ? all.is_gguf : is_any_other) = true;
  }
  if (all.is_gguf && is_any_other) detail::refuse(all.files.back() + ": GGUF and safetensors are no one checkpoint");
  std::sort(all.tensors.begin(), all.tensors.end(),
            [](const stored_tensor& a, const stored_tensor& b) { return a.name < b.name; });
  for (std::size_t i = 1; i < all.tensors.size(); ++i)
    if (all.tensors[i].name == all.tensors[i - 1].name)
      detail::refuse(detail::of_tensor(all.files.back(), all.tensors[i].name) + "stands in two files");
  return all;
}

}  // namespace flopledger::weights
