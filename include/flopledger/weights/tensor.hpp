// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What a file of weights says of its tensors: names, element types, shapes and places. The weights themselves are
/// never read.

#include <flopledger/compiler.hpp>
#include <flopledger/errors.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace flopledger::weights {

/// A file that cannot be read as what it claims to be: "model.gguf: tensor \"output.weight\": offset is 7, ...".
struct unreadable : error {
  using error::error;
};

/// How elements lie in memory.
struct element_type {
  std::string_view name{};
  std::int64_t block = 1;  ///< elements that are stored together,
  std::int64_t bytes = 0;  ///< in so many bytes
  friend constexpr bool operator==(const element_type&, const element_type&) = default;
};

/// The product, if 63 bits hold it: counts and offsets are signed in every reader of these files.
constexpr std::optional<std::uint64_t> product_of(std::uint64_t a, std::uint64_t b) {
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (a != 0 && b > most / a) return std::nullopt;
  return a * b;
}

/// Elements of a shape whose dimensions are not negative; nothing beyond 63 bits.
constexpr std::optional<std::uint64_t> elements_of(std::span<const std::int64_t> shape) {
  std::optional<std::uint64_t> product = 1;
  for (const std::int64_t dimension : shape)
    if (product) product = product_of(*product, static_cast<std::uint64_t>(dimension));
  return product;
}

/// Bytes of so many elements; nothing where they fill no whole number of blocks, and beyond 63 bits.
constexpr std::optional<std::uint64_t> bytes_of(const element_type& type, std::uint64_t elements) {
  const auto block = static_cast<std::uint64_t>(type.block);
  if (block == 0 || elements % block != 0) return std::nullopt;
  return product_of(elements / block, static_cast<std::uint64_t>(type.bytes));
}

/// A tensor that a file holds.
struct stored_tensor {
  std::string name{};
  element_type type{};
  std::vector<std::int64_t> shape{};  ///< outermost dimension first, whatever the file's order
  std::uint64_t begin = 0;            ///< of its bytes within the file's data
  std::uint64_t bytes = 0;
};

namespace detail {
/// A text of the file in a message: one line of it, and not too much.
inline std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 80;
  std::string shown = "\"";
  for (const char c : text.substr(0, longest))
    shown += static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7F ? '?' : c;
  return shown + (text.size() > longest ? "...\"" : "\"");
}
inline std::string of_tensor(std::string_view file, std::string_view tensor) {
  return std::string(file) + ": tensor " + in_quotes(tensor) + ": ";
}
[[noreturn]] inline void refuse(const std::string& what) { flopledger::detail::raise<unreadable>(what); }
}  // namespace detail

/// Refuses tensors that have one name, lie in one another or reach beyond the data. Sorts them by their places.
inline void check_places(std::vector<stored_tensor>& tensors, std::uint64_t data_bytes, std::string_view file) {
  std::sort(tensors.begin(), tensors.end(),
            [](const stored_tensor& a, const stored_tensor& b) { return a.name < b.name; });
  for (std::size_t i = 1; i < tensors.size(); ++i)
    if (tensors[i].name == tensors[i - 1].name)
      detail::refuse(detail::of_tensor(file, tensors[i].name) + "stands twice");
  std::sort(tensors.begin(), tensors.end(), [](const stored_tensor& a, const stored_tensor& b) {
    if (a.begin != b.begin) return a.begin < b.begin;
    return a.bytes != b.bytes ? a.bytes < b.bytes : a.name < b.name;
  });
  std::uint64_t end = 0;
  for (const stored_tensor& one : tensors) {
    const std::string where = detail::of_tensor(file, one.name);
    if (one.begin > data_bytes || one.bytes > data_bytes - one.begin)
      detail::refuse(where + "offset is " + std::to_string(one.begin) + ", and its " + std::to_string(one.bytes) +
                     " bytes reach beyond the " + std::to_string(data_bytes) + " bytes of data");
    if (one.begin < end)
      detail::refuse(where + "offset is " + std::to_string(one.begin) + ", within the tensor before, which ends at " +
                     std::to_string(end));
    end = one.begin + one.bytes;
  }
}

}  // namespace flopledger::weights
