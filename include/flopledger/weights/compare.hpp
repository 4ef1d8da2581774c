// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The tensors of files beside the rows of a model: what is missing, what no row holds, other shapes, other formats.

#include <flopledger/weights/expected.hpp>
#include <flopledger/weights/safetensors.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace flopledger::weights {

/// What may be wrong with one tensor.
enum class difference_kind : std::uint8_t {
  missing,  ///< a row holds it, and no file
  unknown,  ///< a file holds it, and no row
  shape,
  format,
  layers,  ///< another number of layers is in a format than the configuration says
};
constexpr std::string_view name_of(difference_kind what) {
  constexpr std::string_view names[] = {"missing", "unknown", "shape", "format", "layers"};
  return names[static_cast<std::size_t>(what)];
}

struct difference {
  difference_kind what{};
  std::string tensor{};
  std::string_view row{};           ///< that holds it; empty where none does
  std::string expected{}, found{};  ///< the type and the shape; empty where there is none
};

/// Whether the configuration says in which formats the weights are.
enum class compared_formats : std::uint8_t { as_stored, any };

struct comparison {
  std::size_t expected = 0, found = 0;  ///< tensors
  std::size_t same = 0;
  std::optional<std::uint64_t> expected_bytes{};  ///< none where any format will do
  std::uint64_t found_bytes = 0;
  std::size_t buffers = 0;            ///< tensors that are computed, which some files hold all the same
  std::size_t predictions = 0;        ///< of modules that predict further tokens: not compared
  std::uint64_t set_aside_bytes = 0;  ///< of both, within `found_bytes`
  std::vector<difference> differences{};

  bool agrees() const { return differences.empty(); }
};

namespace detail {

inline std::string text_of_shape(const std::vector<std::int64_t>& shape) {
  std::string text = "[";
  for (const std::int64_t side : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(side);
  return text + "]";
}
inline std::string described(std::string_view type, const std::vector<std::int64_t>& shape) {
  return std::string(type) + (type.empty() ? "" : " ") + text_of_shape(shape);
}
/// One number may be written as a scalar and as a list of one.
inline bool same_shape(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
  return a == b || (elements_of(a) == 1 && elements_of(b) == 1);
}
/// The number behind "layers.", "h." or "blk."; -1 where there is none.
inline std::int64_t layer_in(std::string_view name) {
  for (const std::string_view list : {"layers.", "h.", "blk."}) {
    const std::size_t at = name.find(list);
    if (at == std::string_view::npos || (at > 0 && name[at - 1] != '.')) continue;
    std::int64_t layer = -1;
    for (const char c : name.substr(at + list.size())) {
      if (c < '0' || c > '9' || layer > 1'000'000) break;
      layer = (layer < 0 ? 0 : 10 * layer) + (c - '0');
    }
    return layer;
  }
  return -1;
}

class comparer {
 public:
  comparer(const transformer_config& config, const weight_storage& storage, const checkpoint_names& names,
           const std::vector<stored_tensor>& found, compared_formats formats)
      : config_(config), storage_(storage), names_(names), any_format_(formats == compared_formats::any) {
    for (const stored_tensor& one : found) {
      found_.emplace(one.name, held{&one});
      said_.found_bytes += one.bytes;
      has_prefix_ = has_prefix_ || std::string_view(one.name).starts_with(names.prefix);
    }
    said_.found = found.size();
    if (!any_format_) said_.expected_bytes = 0;
  }

  comparison compare() {
    for (expected_module& one : modules_of(config_, storage_, names_)) {
      if (!has_prefix_ && std::string_view(one.name).starts_with(names_.prefix))
        one.name.erase(0, names_.prefix.size());
      compare_module(one);
    }
    check_layers();
    for (const auto& [name, one] : found_)
      if (!one.by_a_row) leave(*one.tensor);
    return std::move(said_);
  }
 private:
  struct held {
    const stored_tensor* tensor = nullptr;
    bool by_a_row = false;
  };
  /// The layers whose matrix of a place the files have in each format.
  struct layers_found {
    std::string_view row{};
    std::set<std::int64_t> in[placed_formats::most_formats]{};
  };

  void compare_module(const expected_module& m) {
    const int number = any_format_ ? 0 : chosen_format(m);
    const std::vector<expected_tensor> tensors = tensors_of(m, storage_, number);
    if (tensors.empty())
      flopledger::detail::raise<unnamed_row>("how " + std::string(name_of(storage_.method)) +
                                             " names the tensors of this format is not known here");
    for (const expected_tensor& one : tensors) compare_tensor(m, one);
    if (any_format_ || m.placed == nullptr) return;
    layers_found& placed = layers_[m.placed];
    placed.row = m.row;
    placed.in[number].insert(m.layer);
  }
  /// Of the formats that the configuration allows the first whose tensors are all there as they should be, or the first
  /// of all. A matrix of another format may have a tensor of the same name.
  int chosen_format(const expected_module& m) const {
    int first = -1;
    for (int number = 0; number < placed_formats::most_formats; ++number) {
      if ((m.formats >> static_cast<unsigned>(number) & 1U) == 0) continue;
      if (first < 0) first = number;
      const std::vector<expected_tensor> tensors = tensors_of(m, storage_, number);
      if (std::all_of(tensors.begin(), tensors.end(), [&](const expected_tensor& one) { return is_there(one); }))
        return number;
    }
    return first;
  }
  bool is_there(const expected_tensor& one) const {
    const auto at = found_.find(one.name);
    return at != found_.end() && at->second.tensor->type.name == one.type &&
           same_shape(at->second.tensor->shape, one.shape);
  }
  void compare_tensor(const expected_module& m, const expected_tensor& one) {
    ++said_.expected;
    const std::string_view type = any_format_ ? std::string_view{} : one.type;
    if (!any_format_) *said_.expected_bytes += bytes_in(one);
    const auto at = found_.find(one.name);
    if (at == found_.end()) return add(difference_kind::missing, one.name, m.row, described(type, one.shape), {});
    at->second.by_a_row = true;
    const stored_tensor& found = *at->second.tensor;
    const bool as_shaped = same_shape(one.shape, found.shape);
    if (as_shaped && (type.empty() || type == found.type.name)) {
      ++said_.same;
      return;
    }
    add(as_shaped ? difference_kind::format : difference_kind::shape, one.name, m.row, described(type, one.shape),
        described(found.type.name, found.shape));
  }
  static std::uint64_t bytes_in(const expected_tensor& one) {
    const element_type* type = safetensors_type(one.type);
    const std::optional<std::uint64_t> elements = elements_of(one.shape);
    return type != nullptr && elements ? bytes_of(*type, *elements).value_or(0) : 0;
  }

  /// A storage counts the layers of each format, and says no more of them.
  void check_layers() {
    for (const auto& [placed, found] : layers_)
      for (int number = 0; number < placed_formats::most_formats; ++number) {
        const std::string said = std::to_string(placed->layers[number]),
                          there = std::to_string(found.in[number].size());
        if (said != there) add(difference_kind::layers, {}, found.row, said + " layers", there + " layers");
      }
  }
  void leave(const stored_tensor& one) {
    const std::string_view name = one.name;
    const bool is_buffer =
        std::any_of(std::begin(names_.buffers), std::end(names_.buffers),
                    [&](std::string_view buffer) { return !buffer.empty() && name.ends_with(buffer); });
    const bool predicts = config_.prediction_layers > 0 && layer_in(name) >= config_.stack.layers;
    if (!is_buffer && !predicts)
      return add(difference_kind::unknown, one.name, {}, {}, described(one.type.name, one.shape));
    ++(is_buffer ? said_.buffers : said_.predictions);
    said_.set_aside_bytes += one.bytes;
  }
  void add(difference_kind what, std::string tensor, std::string_view row, std::string expected, std::string found) {
    said_.differences.push_back({what, std::move(tensor), row, std::move(expected), std::move(found)});
  }

  const transformer_config& config_;
  const weight_storage& storage_;
  const checkpoint_names& names_;
  bool any_format_, has_prefix_ = false;
  std::map<std::string_view, held> found_{};
  std::map<const placed_formats*, layers_found> layers_{};
  comparison said_{};
};

}  // namespace detail

/// Compares the tensors of a checkpoint, of all its files together, with the rows of a model. Throws `unnamed_row`
/// where the names or the format of some are not known here.
inline comparison compare(const transformer_config& config, const weight_storage& storage,
                          const checkpoint_names& names, const std::vector<stored_tensor>& found,
                          compared_formats formats = compared_formats::as_stored) {
  return detail::comparer(config, storage, names, found, formats).compare();
}

}  // namespace flopledger::weights
