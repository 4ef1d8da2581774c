// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The fields of a Hugging Face config.json that this library reads, and the document as it was read.

#include <flopledger/text/json.hpp>

#include <cstdint>
#include <string_view>

namespace flopledger {

/// A field, by the name it has in the file. An enumerator and not a string, because a compiler prints it where a
/// message has to name the field.
enum class config_field : std::uint16_t {
  none,
#define FLOPLEDGER_FIELD(name, kind) name,
#include <flopledger/models/config_fields.inc>
};

/// What a field says, where a message or the reader needs to know it.
enum class field_kind : std::uint8_t {
  plain,
  heads,   ///< counts heads: what they must divide is another count of heads, or a width
  share,   ///< from 0 to 1; all other numbers are whole
  layers,  ///< a list with one entry a layer
  labels,  ///< of a classifier: a language model has none, whatever its file says
  tower    ///< describes an encoder beside the language model
};

namespace detail {
/// A name as it stands in a file: an enumerator that the library needs for something else has a line behind it.
constexpr std::string_view spelling(std::string_view enumerator) {
  return enumerator.ends_with('_') ? enumerator.substr(0, enumerator.size() - 1) : enumerator;
}

struct field_row {
  std::string_view name;
  field_kind kind = field_kind::plain;
};
inline constexpr field_row field_rows[] = {
    {},
#define FLOPLEDGER_FIELD(name, kind) {spelling(#name), field_kind::kind},
#include <flopledger/models/config_fields.inc>
};
inline constexpr int config_field_count = static_cast<int>(sizeof(field_rows) / sizeof(field_row));

// A key is found by halving.
static_assert([] {
  for (int i = 1; i < config_field_count; ++i)
    if (!(field_rows[i - 1].name < field_rows[i].name)) return false;
  return true;
}());

/// The field of that name, or `none`.
constexpr config_field field_named(json::slice key) {
  if (key.escaped) {
    for (int i = 1; i < config_field_count; ++i)
      if (key == field_rows[i].name) return static_cast<config_field>(i);
    return config_field::none;
  }
  int low = 1, high = config_field_count;
  while (low < high) {
    const int middle = (low + high) / 2;
    const int order = key.raw.compare(field_rows[middle].name);
    if (order == 0) return static_cast<config_field>(middle);
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return config_field::none;
}
}  // namespace detail

constexpr std::string_view name_of(config_field field) {
  return detail::field_rows[static_cast<std::size_t>(field)].name;
}
constexpr field_kind field_kind_of(config_field field) {
  return detail::field_rows[static_cast<std::size_t>(field)].kind;
}

/// What can be wrong with a configuration that is JSON, beside the JSON.
enum class config_problem : std::uint8_t {
  none,
  not_json,
  missing,        ///< the field is not there and has no default
  wrong_type,     ///< a string where a number belongs, and the like
  out_of_range,   ///< zero, negative, fractional or absurd
  contradictory,  ///< two fields cannot both be true
  duplicate,      ///< the field stands twice
  unknown,        ///< an architecture or a method that this library does not know: it does not guess
  too_large,      ///< more of something than this library counts
  impossible      ///< fields that go together one by one, and make no model (`problem_of`): `text` names the size
};

constexpr std::string_view describe(config_problem problem) {
  switch (problem) {
    case config_problem::none:
      return "no problem";
    case config_problem::not_json:
      return "not JSON";
    case config_problem::missing:
      return "is missing";
    case config_problem::wrong_type:
      return "has the wrong type";
    case config_problem::out_of_range:
      return "is out of range";
    case config_problem::contradictory:
      return "contradicts another field";
    case config_problem::duplicate:
      return "stands twice";
    case config_problem::unknown:
      return "is not known";
    case config_problem::too_large:
      return "is too large";
    case config_problem::impossible:
      return "no model can be made of these fields";
  }
  return "unknown problem";
}

/// The objects of a config.json that hold fields of their own.
enum class config_scope : std::uint8_t {
  top,
  text,
  vision,
  quantization,
  attention,
  feed_forward,
  rope,              ///< of the language model, wherever its own fields stand
  linear_attention,  ///< the same
  sparse_attention   ///< the same
};

/// What went wrong first. `other` is the field that it contradicts; the numbers are what both said.
struct config_error_place {
  config_problem problem = config_problem::none;
  config_field field = config_field::none;
  std::uint32_t line = 0;
  json::problem json = json::problem::none;
  config_field other = config_field::none;
  std::int64_t value = 0, other_value = 0;
  std::string_view text{};
  bool is_string = false;  ///< `text` stood in quotes
};

namespace detail {
/// The known fields of a document, wherever in it they stand. Unknown ones are validated and forgotten.
struct config_document {
  static constexpr int scopes = 9, capacity = 200;
  static constexpr std::uint8_t null_place = 255;
  std::uint8_t index[scopes][config_field_count]{};  // into `values`; 0: absent, null_place: there, and null
  json::value values[capacity]{};
  config_field fields[capacity]{};  // of the values
  bool asked[capacity]{};           // whether a reader asked for the value
  int size = 1;
  bool present[scopes]{};
  /// Keys of quantization_config that are no field: what decides how weights are stored must not be one of them.
  static constexpr int most_other_keys = 48;
  json::slice other_quantization_keys[most_other_keys]{};
  int other_keys = 0;
  config_error_place error{};

  constexpr void fail(config_problem problem, config_field field, std::uint32_t line) {
    if (error.problem == config_problem::none) error = {.problem = problem, .field = field, .line = line};
  }

  static constexpr config_scope scope_of(config_field field) {
    switch (field) {
      case config_field::text_config:
        return config_scope::text;
      case config_field::vision_config:
        return config_scope::vision;
      case config_field::quantization_config:
        return config_scope::quantization;
      case config_field::attn_config:
        return config_scope::attention;
      case config_field::ffn_config:
        return config_scope::feed_forward;
      case config_field::rope_parameters:
        return config_scope::rope;
      case config_field::linear_attn_config:
        return config_scope::linear_attention;
      case config_field::sparse_attention_config:
        return config_scope::sparse_attention;
      default:
        return config_scope::top;
    }
  }

  constexpr bool store(config_scope scope, json::slice key, const json::value& value) {
    const config_field field = field_named(key);
    if (field == config_field::none) {
      const bool says_something = value.type != json::kind::null && value.text.raw != "{}" && !value.text.raw.empty();
      if (scope == config_scope::quantization && says_something && other_keys < most_other_keys)
        other_quantization_keys[other_keys++] = key;
      return true;
    }
    std::uint8_t& place = index[static_cast<int>(scope)][static_cast<int>(field)];
    if (place != 0) {
      fail(config_problem::duplicate, field, value.line);
      return false;
    }
    if (value.type == json::kind::null) {
      place = null_place;
      return true;
    }
    if (size == capacity) {
      fail(config_problem::too_large, field, value.line);
      return false;
    }
    place = static_cast<std::uint8_t>(size);
    fields[size] = field;
    values[size++] = value;
    const config_scope inner = scope_of(field);
    // A wrapped language model says inside its text_config how it attends, and may say how it is quantised.
    const bool nested = scope == config_scope::text &&
                        (inner == config_scope::quantization || inner == config_scope::rope ||
                         inner == config_scope::linear_attention || inner == config_scope::sparse_attention);
    if ((scope != config_scope::top && !nested) || inner == config_scope::top) return true;
    if (value.type != json::kind::object) {
      fail(config_problem::wrong_type, field, value.line);
      error.text = value.text.raw;
      return false;
    }
    present[static_cast<int>(inner)] = true;
    asked[place] = true;  // its own fields are what is read
    json::for_each_member(value, [&](json::slice k, const json::value& v) { return store(inner, k, v); });
    return error.problem == config_problem::none;
  }

  constexpr void read(std::string_view text) {
    present[0] = true;
    const json::outcome outcome = json::for_each_member(
        text, [&](json::slice k, const json::value& v) { return store(config_scope::top, k, v); },
        json::dialect::python);  // transformers writes and reads these files by Python's json module
    if (!outcome.ok()) error = {.problem = config_problem::not_json, .line = outcome.line, .json = outcome.what};
  }
};
}  // namespace detail

}  // namespace flopledger
