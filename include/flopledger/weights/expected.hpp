// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The tensors that a checkpoint of a model holds: the rows of each layer, by the names of the model's family.

#include <flopledger/models/quantization.hpp>
#include <flopledger/models/transformer.hpp>
#include <flopledger/weights/names.hpp>
#include <flopledger/weights/tensor.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace flopledger::weights {

/// What is held in one module: a matrix, as many as there are experts, a table or a vector.
struct expected_module {
  std::string name{};
  const module_name* named = nullptr;
  std::string_view row{};  ///< the name of the first row that it holds, for people
  place where{};
  std::int64_t layer = -1;                 ///< -1: beside the blocks
  std::int64_t experts = 0;                ///< that one tensor holds; 0: it is no tensor of experts
  std::int64_t in = 0, out = 0;            ///< of a matrix; a vector has outputs alone
  std::int64_t bias = 0;                   ///< elements of its bias, of one expert; 0: none
  std::uint8_t formats = 1;                ///< bit n: the storage's format number n is possible
  const placed_formats* placed = nullptr;  ///< where a storage says how many layers are in each
};

/// A tensor that must be there. An empty type is any.
struct expected_tensor {
  std::string name{};
  std::string_view type{};
  std::vector<std::int64_t> shape{};
};

/// A place without a name in the table of its family.
struct unnamed_row : error {
  using error::error;
};

namespace detail {

inline std::string with_number(std::string text, std::string_view what, std::int64_t number) {
  if (const std::size_t at = text.find(what); at != std::string::npos)
    text.replace(at, what.size(), std::to_string(number));
  return text;
}

/// A sink that makes modules of rows.
class module_recorder {
 public:
  module_recorder(const checkpoint_names& names, const weight_storage& storage, std::vector<expected_module>& into)
      : names_(names), storage_(storage), into_(into) {}

  /// The rows that follow are those of this layer; -1: beside the blocks.
  void begin(std::int64_t layer) {
    layer_ = layer;
    first_ = into_.size();
  }

  void take(const row& r, std::int64_t) {
    const held_elements held = held_by(r);
    if (held.weights + held.biases == 0) return;
    const module_name* named = names_.find(r.where);
    if (named == nullptr)
      flopledger::detail::raise<unnamed_row>("no name is known for what \"" + std::string(r.name) + "\" holds");
    const std::int64_t matrices = r.shape.k > 0 ? count(r.shape.batch) : 1;
    const bool by_expert = named->module.find("{expert}") != std::string_view::npos;
    expected_module one{.named = named, .row = r.name, .where = r.where, .layer = layer_};
    one.placed = storage_.exception_count > 0 ? storage_.exception_of(r) : nullptr;
    one.formats = formats_of(r, one.placed);
    one.bias = count(held.biases) / matrices;
    one.experts = !by_expert && matrices > 1 ? matrices : 0;
    if (held.weights > 0) shape(one, r, held);
    for (std::int64_t expert = 0; expert < (by_expert ? matrices : 1); ++expert) {
      one.name = with_number(with_number(std::string(named->module), "{layer}", layer_), "{expert}", expert);
      add(one, !by_expert);
    }
  }
 private:
  static constexpr std::size_t most_modules = 1'000'000;  ///< Kimi-K2 has some 70,000

  /// What a row holds, and writes for one token.
  struct held_elements {
    double weights = 0, biases = 0, written = 0;
  };
  static held_elements held_by(const row& r) {
    held_elements held;
    for (const operand& o : r.operands) {
      if (o.what == role::weight) held.weights += o.elements;
      if (o.what == role::bias) held.biases += o.elements;
      if (o.what == role::activation && has(o.how, use::written)) held.written = o.elements;
    }
    return held;
  }
  static std::int64_t count(double n) { return static_cast<std::int64_t>(n); }

  static void shape(expected_module& one, const row& r, const held_elements& held) {
    if (r.shape.k > 0) {
      one.in = count(r.shape.k);
      one.out = count(r.shape.n);
    } else if (r.kind == operation::gather) {
      one.in = count(held.written);
      one.out = count(held.weights / held.written);
    } else if (held.weights == 2 * held.written) {  // a LayerNorm's weight and bias
      one.out = one.bias = count(held.written);
    } else {
      one.out = count(held.weights);
    }
  }
  std::uint8_t formats_of(const row& r, const placed_formats* placed) const {
    if (placed == nullptr) return static_cast<std::uint8_t>(1U << static_cast<unsigned>(storage_.usual_format(r)));
    unsigned possible = 0;
    for (unsigned number = 0; number < placed_formats::most_formats; ++number)
      if (placed->layers[number] > 0) possible |= 1U << number;
    return static_cast<std::uint8_t>(possible);
  }
  /// Joins what may share a module with a row before.
  void add(const expected_module& one, bool may_join) {
    for (std::size_t i = into_.size(); may_join && i > first_; --i) {
      expected_module& before = into_[i - 1];
      if (before.name != one.name) continue;
      before.out += one.out;
      before.bias += one.bias;
      return;
    }
    if (into_.size() == most_modules) flopledger::detail::raise<capacity_exceeded>(most_modules);
    into_.push_back(one);
  }

  const checkpoint_names& names_;
  const weight_storage& storage_;
  std::vector<expected_module>& into_;
  std::int64_t layer_ = -1;
  std::size_t first_ = 0;
};

}  // namespace detail

/// The modules of a model in the order of its rows. `storage` must outlive them. Throws `unnamed_row`.
inline std::vector<expected_module> modules_of(const transformer_config& config, const weight_storage& storage,
                                               const checkpoint_names& names) {
  std::vector<expected_module> all;
  detail::module_recorder recorder(names, storage, all);
  const work one_token = forward(1, 1);
  config.record_below(recorder, one_token);
  for (std::int64_t layer = 0; layer < config.stack.layers; ++layer) {
    recorder.begin(layer);
    config.record_block(recorder, one_token, config.stack.kind_of(layer));
  }
  recorder.begin(-1);
  config.record_above(recorder, one_token);
  return all;
}

/// What safetensors calls a format's elements; empty where it has none of that kind.
constexpr std::string_view safetensors_name_of(number_kind kind) {
  switch (kind) {
    case number_kind::fp64:
      return "F64";
    case number_kind::fp32:
    case number_kind::tf32:
      return "F32";
    case number_kind::bf16:
      return "BF16";
    case number_kind::fp16:
      return "F16";
    case number_kind::fp8_e4m3:
      return "F8_E4M3";
    case number_kind::fp8_e5m2:
      return "F8_E5M2";
    case number_kind::int8:
      return "I8";
    default:
      return {};
  }
}

namespace detail {

inline std::vector<std::int64_t> stacked(std::int64_t experts, std::vector<std::int64_t> shape) {
  if (experts > 0) shape.insert(shape.begin(), experts);
  return shape;
}
constexpr std::int64_t parts_of(std::int64_t whole, std::int64_t part) { return (whole + part - 1) / part; }

/// The tensors of one matrix as its method's tools write them: DeepSeek-V3's README_WEIGHTS, AutoGPTQ and AutoAWQ
/// (qweight, qzeros, scales, g_idx), gpt-oss (blocks and scales), compressed-tensors (compressors/) and Model Optimizer
/// (export/quant_utils.py). Nothing for a method whose names are not known here.
inline std::vector<expected_tensor> quantized_tensors(const expected_module& m, const weight_storage& storage,
                                                      const matrix_format& format) {
  std::vector<expected_tensor> all;
  const auto add = [&](std::string_view suffix, std::string_view type, std::vector<std::int64_t> shape) {
    all.push_back({m.name + std::string(suffix), type, stacked(m.experts, std::move(shape))});
  };
  const std::string_view plain = safetensors_name_of(storage.dtype.kind);
  const auto bits = static_cast<std::int64_t>(format.bits);
  const std::int64_t group = format.group_size > 0 ? format.group_size : m.in, groups = parts_of(m.in, group);
  const auto packed = [&](std::int64_t n) { return parts_of(n * bits, 32); };
  switch (storage.method) {
    case quantization_method::fp8:
      if (format.kind != number_kind::fp8_e4m3 || format.scale_bytes != 4) return {};
      add(".weight", "F8_E4M3", {m.out, m.in});
      if (format.scope == scale_scope::block)
        add(".weight_scale_inv", "F32", {parts_of(m.out, format.block_rows), parts_of(m.in, format.block_columns)});
      else
        add(".weight_scale", "F32", {});
      if (format.bytes_a_matrix > 0) add(".input_scale", "F32", {});
      return all;
    case quantization_method::gptq:
    case quantization_method::awq: {
      const bool awq = storage.method == quantization_method::awq;
      add(".qweight", "I32", awq ? std::vector{m.in, packed(m.out)} : std::vector{packed(m.in), m.out});
      add(".qzeros", "I32", {groups, packed(m.out)});
      add(".scales", "F16", {groups, m.out});
      if (format.bytes_an_input > 0) add(".g_idx", "I32", {m.in});
      return all;
    }
    case quantization_method::mxfp4:
      add("_blocks", "U8", {m.out, groups, group / 2});
      add("_scales", "U8", {m.out, groups});
      return all;
    case quantization_method::modelopt:
      if (format.kind == number_kind::fp4 && format.group_size == 16) {
        add(".weight", "U8", {m.out, m.in / 2});
        add(".weight_scale", "F8_E4M3", {m.out, groups});
        add(".weight_scale_2", "F32", {});
      } else if (format.kind == number_kind::fp8_e4m3 && format.scope == scale_scope::matrix) {
        add(".weight", "F8_E4M3", {m.out, m.in});
        add(".weight_scale", "F32", {});
      } else {
        return {};
      }
      if (format.bytes_a_matrix > 4 || format.kind != number_kind::fp4) add(".input_scale", "F32", {});
      return all;
    case quantization_method::compressed_tensors:
      if (format.kind == number_kind::int4 && format.bytes_a_matrix >= 16) {
        add(".weight_packed", "I32", {m.out, packed(m.in)});
        add(".weight_scale", plain, {m.out, groups});
        add(".weight_shape", "I64", {2});
        if (format.zero_point_bits > 0) add(".weight_zero_point", "I32", {packed(m.out), groups});
        if (format.bytes_an_input > 0) add(".weight_g_idx", "I32", {m.in});
        return all;
      }
      if (format.kind == number_kind::fp4 && format.group_size == 16) {
        add(".weight_packed", "U8", {m.out, m.in / 2});
        add(".weight_scale", "F8_E4M3", {m.out, groups});
        add(".weight_global_scale", "F32", {1});
        if (format.bytes_a_matrix > 4) add(".input_global_scale", "F32", {1});
        return all;
      }
      if (format.bits != 8 || format.bytes_a_matrix > 0 || format.zero_point_bits > 0) return {};
      add(".weight", safetensors_name_of(format.kind), {m.out, m.in});
      if (format.scope == scale_scope::matrix) add(".weight_scale", plain, {1});
      if (format.scope == scale_scope::output) add(".weight_scale", plain, {m.out, 1});
      if (format.scope == scale_scope::group) add(".weight_scale", plain, {m.out, groups});
      if (format.scope == scale_scope::block)
        add(".weight_scale", plain, {parts_of(m.out, format.block_rows), parts_of(m.in, format.block_columns)});
      return all;
    default:
      return {};
  }
}

}  // namespace detail

/// The tensors of a module where its matrix is in the storage's format `number`. Nothing where it has a matrix in a
/// format whose tensors are not known here.
inline std::vector<expected_tensor> tensors_of(const expected_module& m, const weight_storage& storage, int number) {
  std::vector<expected_tensor> all;
  const std::string_view plain = safetensors_name_of(storage.dtype.kind);
  const bool is_matrix = m.in > 0;
  if (number != 0 && is_matrix) {
    all = detail::quantized_tensors(m, storage, storage.formats[number]);
    if (all.empty()) return {};
  } else if (m.out > 0) {
    std::vector<std::int64_t> shape{m.out};
    if (is_matrix) shape.insert(m.named->inputs_first ? shape.begin() : shape.end(), m.in);
    all.push_back({m.name + std::string(m.named->weight), plain, detail::stacked(m.experts, std::move(shape))});
  }
  if (m.bias > 0)
    all.push_back({m.name + std::string(m.named->bias), m.named->bias_type.empty() ? plain : m.named->bias_type,
                   detail::stacked(m.experts, {m.bias})});
  return all;
}

}  // namespace flopledger::weights
