// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What is wrong with a config.json in words, and as an exception. `models/hugging_face.hpp` alone never throws.

#include <flopledger/compiler.hpp>
#include <flopledger/errors.hpp>
#include <flopledger/models/hugging_face.hpp>
#include <flopledger/text/json.hpp>

#include <cmath>
#include <string>

namespace flopledger {

namespace detail {
/// A value as it stands in the file, on one line and not too much of it. Containers and multi-line text are named.
inline std::string quoted(std::string_view text, bool is_string) {
  if (text.empty()) return "\"\"";
  if (!is_string && text.front() == '{') return "an object";
  if (!is_string && text.front() == '[') return "a list";
  constexpr std::size_t longest = 40;
  const std::string shown{text.substr(0, longest)};
  const bool number = !is_string && text.find_first_not_of("0123456789+-.eE") == std::string_view::npos;
  return (number ? shown : '"' + shown + '"') + (text.size() > longest ? "..." : "");
}

/// A number with a fraction, where none has a place.
inline bool is_fraction(const config_error_place& place) {
  if (place.is_string || field_kind_of(place.field) == field_kind::share) return false;
  const json::value number = json::number_in(place.text);
  return number.type == json::kind::real && std::trunc(number.real) != number.real;
}

inline std::string explain_contradiction(const config_error_place& place) {
  const std::string name{name_of(place.field)}, other{name_of(place.other)};
  const std::string value = std::to_string(place.value), other_value = std::to_string(place.other_value);
  if (place.field == config_field::architectures)
    return name + " and " + other + " name different families; one of them must go";
  if (place.other == config_field::dtype)
    return name + " and " + other + " name different formats; one of them must go";
  if (place.other == config_field::text_config)
    return name + " is " + value + ", but in " + other + " it is " + other_value;
  if (field_kind_of(place.field) == field_kind::layers)
    return name + " names " + value + " layers, but " + other + " is " + other_value;
  if (place.value > place.other_value)
    return name + " is " + value + ", more than " + other + ", which is " + other_value;
  if (field_kind_of(place.field) == field_kind::heads && place.value > 0 && place.other_value % place.value != 0)
    return name + " is " + value + ", which does not divide " + other + " " + other_value;
  return name + " is " + value + ", but " + other + " is " + other_value + "; both cannot be true";
}
}  // namespace detail

/// One line that says what is wrong, where, and what would be right: "llama.json: line 12: num_attention_heads is 33,
/// which does not divide hidden_size 4096". `place` looks at the text that was read, so that must still be there.
inline std::string explain(const config_error_place& place, std::string_view file) {
  std::string said{file};
  if (place.line > 0) said += ": line " + std::to_string(place.line);
  said += ": ";
  const std::string name{name_of(place.field)};
  switch (place.problem) {
    case config_problem::none:
      return said + "no problem";
    case config_problem::not_json:
      return said + "not JSON: " + std::string{json::describe(place.json)};
    case config_problem::missing:
      if (place.field == config_field::model_type)
        return said + "neither model_type nor architectures is there, and one of them must name the model";
      if (place.field == config_field::quant_method)
        return said + "quantization_config names no quant_method, so nothing says how the weights are stored";
      return said + name + " is missing, and this architecture has no default for it";
    case config_problem::wrong_type:
      return said + name + " is " + detail::quoted(place.text, place.is_string) + ", which is of the wrong type";
    case config_problem::out_of_range:
      if (detail::is_fraction(place))
        return said + name + " is " + detail::quoted(place.text, place.is_string) + ", which is not a whole number";
      return said + name + " is " + detail::quoted(place.text, place.is_string) + ", which is out of range";
    case config_problem::contradictory:
      return said + detail::explain_contradiction(place);
    case config_problem::duplicate:
      return said + name + " stands twice; keep one";
    case config_problem::unknown:
      return said + name + " is " + detail::quoted(place.text, place.is_string) +
             ", which this library does not know and will not guess";
    case config_problem::too_large:
      return said + name + " is " + detail::quoted(place.text, place.is_string) + ", more than this library counts (" +
             std::to_string(layer_set::capacity) + " layers)";
    case config_problem::impossible:
      return said + "no model can be made of these fields: " + std::string{place.text} + " is " +
             std::to_string(place.value);
  }
  return said + "unknown problem";
}

/// A configuration that cannot be read. `what()` is the line that `explain` makes.
struct config_error : error {
  config_error(const config_error_place& place, std::string_view file)
      : error(explain(place, file)), problem(place.problem), field(place.field), line(place.line) {}

  config_problem problem;
  config_field field;
  std::uint32_t line;  ///< 0 where what is missing stands nowhere
};

/// The model that a config.json describes, or a `config_error`. The description looks at the text in places, so `json`
/// must outlive it; `file` is for the message alone.
inline model_description require_config(std::string_view json, std::string_view file) {
  const config_reading reading = read_config(json);
  if (!reading.ok()) detail::raise<config_error>(reading.error, file);
  return reading.value;
}

}  // namespace flopledger
