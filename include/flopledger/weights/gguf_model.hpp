// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The model of a GGUF file: its metadata as the config.json that it was made of, read like any other, and the types of
/// its tensors as a storage.

#include <flopledger/models/config_error.hpp>
#include <flopledger/weights/expected.hpp>
#include <flopledger/weights/gguf.hpp>
#include <flopledger/weights/gguf_names.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace flopledger::weights {

namespace detail {

inline const stored_tensor* find_tensor(const gguf_file& file, std::string_view name) {
  for (const stored_tensor& one : file.tensors)
    if (one.name == name) return &one;
  return nullptr;
}

/// The one number that a key says. A list has a number a layer: they must be alike.
inline std::int64_t number_of(const gguf_file& file, const std::string& key, const metadata_value& said) {
  if (said.is == metadata_value::kind::integer) return said.integer;
  const bool listed = said.is == metadata_value::kind::list && !said.integers.empty();
  if (!listed) refuse(file.name + ": " + key + " is no whole number");
  for (const std::int64_t n : said.integers)
    if (n != said.integers.front()) refuse(file.name + ": " + key + " differs by layer, which is not read");
  return said.integers.front();
}

}  // namespace detail

/// The config.json of a file. What the metadata does not say, its tensors do: the vocabulary, whether the head is the
/// table, and whether attention has biases.
inline std::string config_of(const gguf_file& file) {
  const gguf_architecture& known = architecture_of(file);
  const metadata_value* parts = file.find("split.count");
  if (parts != nullptr && parts->integer > 1)
    detail::refuse(file.name + ": split.count is " + std::to_string(parts->integer) + ": a part of a file is no model");
  std::string text = "{\"architectures\": [\"" + std::string(known.class_name) + "\"], \"model_type\": \"" +
                     std::string(known.model_type) + "\"";
  const auto put = [&](std::string_view field, const std::string& value) {
    text += ", \"" + std::string(field) + "\": " + value;
  };
  for (const std::span<const gguf_field> fields : {std::span<const gguf_field>(detail::gguf_fields), known.fields})
    for (const gguf_field& one : fields) {
      const std::string key = std::string(known.name) + '.' + std::string(one.key);
      const metadata_value* said = file.find(key);
      if (said == nullptr && one.required) detail::refuse(file.name + ": " + key + " is missing");
      if (said == nullptr) continue;
      const std::int64_t number = detail::number_of(file, key, *said);
      // No window is a zero there, and null in a config.json.
      put(one.field, one.field == "sliding_window" && number == 0 ? "null" : std::to_string(number));
    }
  const stored_tensor* table = detail::find_tensor(file, "token_embd.weight");
  if (table == nullptr || table->shape.size() != 2)
    detail::refuse(file.name + ": tensor \"token_embd.weight\" is no table of tokens");
  put("vocab_size", std::to_string(table->shape[0]));
  const auto truth = [&](std::string_view tensor) {
    return detail::find_tensor(file, tensor) != nullptr ? "true" : "false";
  };
  put("tie_word_embeddings", detail::find_tensor(file, "output.weight") == nullptr ? "true" : "false");
  put("attention_bias", truth("blk.0.attn_output.bias"));
  return text + "}";
}

namespace detail {

/// The kind of number that a type's elements are nearest to.
constexpr number_kind kind_of_element(const element_type& type) {
  if (type.name == "F64") return number_kind::fp64;
  if (type.name == "F32") return number_kind::fp32;
  if (type.name == "F16") return number_kind::fp16;
  if (type.name == "BF16") return number_kind::bf16;
  if (type.name == "MXFP4" || type.name == "NVFP4") return number_kind::fp4;
  if (type.name.starts_with("Q8") || type.name == "I8") return number_kind::int8;
  if (type.name.starts_with("Q4") || type.name.starts_with("IQ4")) return number_kind::int4;
  return number_kind::custom;
}

/// Each element with its share of the block's scales: exact, for the blocks are powers of two.
constexpr matrix_format format_of(const element_type& type) {
  return {.kind = kind_of_element(type),
          .bits = 8.0 * static_cast<double>(type.bytes) / static_cast<double>(type.block)};
}

class gguf_storage_reader {
 public:
  gguf_storage_reader(const gguf_file& file, const transformer_config& config) : file_(file), config_(config) {
    // Norms and biases are FP32. Products are fed 16 bits, and keys and values are kept in 16 (llama.cpp's defaults:
    // --cache-type-k and --cache-type-v f16).
    storage_.dtype = fp32::format;
    storage_.method = quantization_method::gguf;
    storage_.inputs = storage_.kv_cache = fp16::format;
    for (const stored_tensor& one : file.tensors) by_name_.emplace(one.name, &one);
  }

  weight_storage read() {
    const checkpoint_names names = names_of(architecture_of(file_));
    const weight_storage plain{};
    for (const expected_module& m : modules_of(config_, plain, names)) {
      if (m.in == 0) continue;
      const matrix_format format = format_of(type_of(m));
      if (m.layer < 0) {
        place_beside(m, format);
        continue;
      }
      for (const place& where : places_in(names, m)) {
        placed_formats& one = at(where, config_.stack.kind_of(m.layer));
        one.bits_of_layers += format.bits;
        ++one.layers[0];
      }
    }
    return storage_;
  }
 private:
  const element_type& type_of(const expected_module& m) const {
    const std::string name = m.name + ".weight";
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) refuse(file_.name + ": tensor " + in_quotes(name) + " is missing");
    return found->second->type;
  }
  void place_beside(const expected_module& m, const matrix_format& format) {
    // The table comes first, and a head that has no tensor reads it.
    const int number = m.where.at == position::table ? 1 : 2;
    if (number == 1) storage_.table_format = number;
    storage_.head_format = number;
    storage_.formats[number] = format;
  }
  /// The places of the rows that share a module.
  static std::vector<place> places_in(const checkpoint_names& names, const expected_module& m) {
    std::vector<place> all;
    for (const std::span<const module_name> table : {names.own, names.common})
      for (const module_name& one : table)
        if (one.module == m.named->module && names.find(one.where) == &one) all.push_back(one.where);
    return all;
  }
  placed_formats& at(const place& where, const block_kind& block) {
    const auto kind = static_cast<std::uint8_t>(block.number());
    for (int i = 0; i < storage_.exception_count; ++i)
      if (storage_.exceptions[i].where == where && storage_.exceptions[i].kind == kind) return storage_.exceptions[i];
    if (storage_.exception_count == weight_storage::most_exceptions)
      flopledger::detail::raise<capacity_exceeded>(std::size_t{weight_storage::most_exceptions});
    placed_formats& added = storage_.exceptions[storage_.exception_count++];
    added.where = where;
    added.kind = kind;
    return added;
  }

  const gguf_file& file_;
  const transformer_config& config_;
  weight_storage storage_{};
  std::map<std::string_view, const stored_tensor*> by_name_{};
};

}  // namespace detail

/// The model of a file; `config` is its `config_of`, which must outlive the description. Throws `unreadable`.
inline model_description model_of(const gguf_file& file, std::string_view config) {
  config_reading reading = read_config(config);
  reading.error.line = 0;  // of a text that nobody sees
  if (!reading.ok()) detail::refuse(explain(reading.error, file.name));
  reading.value.storage = detail::gguf_storage_reader(file, reading.value.config).read();
  return reading.value;
}

}  // namespace flopledger::weights
