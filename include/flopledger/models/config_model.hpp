// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A model type whose configuration is the text of a config.json, read by the compiler.

#include <flopledger/models/hugging_face.hpp>
#include <flopledger/models/model.hpp>

namespace flopledger {

// What a bad configuration prints. A type of its own for each, for clang prints a template's arguments without names.
template <std::uint32_t Line>
struct at_line;
template <config_field Field, std::int64_t Value>
struct field_value;

/// Passes where there is no problem; where there is one, its arguments say which, where, and what contradicts what.
template <config_problem Problem, class Line, class Field, class Other>
struct config_check {
  static constexpr bool passes = Problem == config_problem::none;
};
/// The same of a text that is no JSON, where there are no fields yet.
template <json::problem Problem, class Line>
struct json_check {
  static constexpr bool passes = Problem == json::problem::none;
};

template <class Check>
concept sound_config = Check::passes;

namespace detail {
/// Reads the text once a translation unit, and says once what is wrong with it.
template <class Model>
struct read_model {
  static constexpr config_reading reading = read_config(Model::json);
  static constexpr config_error_place error = reading.error;
  using check =
      std::conditional_t<error.json == json::problem::none,
                         config_check<error.problem, at_line<error.line>, field_value<error.field, error.value>,
                                      field_value<error.other, error.other_value>>,
                         json_check<error.json, at_line<error.line>>>;
  static_assert(sound_config<check>, "this config.json cannot be read: problem, line and field stand in the check");
  static constexpr bool done = true;
};
}  // namespace detail

/// Asserted below the type, it has a compiler say what is wrong there and not where the model is first used.
template <class Model>
inline constexpr bool readable_config = detail::read_model<Model>::done;

/// Base of a model type made of a config.json:
///
///     struct my_llama : flopledger::config_model<my_llama> {
///       static constexpr std::string_view json = R"({"model_type": "llama", ...})";
///     };
///     static_assert(flopledger::readable_config<my_llama>);
///
/// `flopledger_add_model` (cmake/flopledger_model.cmake) writes such a type from a file. Reading costs a compiler some
/// tens of milliseconds, once a translation unit and only where the model is used.
template <class Self>
struct config_model {
  static constexpr transformer_config config = detail::read_model<Self>::reading.value.config;
  /// How the checkpoint stores its weights: `weight_bytes(my_llama::config, my_llama::storage)`.
  static constexpr weight_storage storage = detail::read_model<Self>::reading.value.storage;
};

}  // namespace flopledger
