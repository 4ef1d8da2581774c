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

/// Compiles where there is no problem; where there is one, its arguments say which, where, and what contradicts what.
template <config_problem Problem, class Line, class Field, class Other>
struct config_check {
  static_assert(Problem == config_problem::none,
                "this config.json is no model's: problem, line and field stand in config_check<...>");
  static constexpr bool passes = true;
};
/// The same of a text that is no JSON, where there are no fields yet.
template <json::problem Problem, class Line>
struct json_check {
  static_assert(Problem == json::problem::none,
                "this config.json is not JSON: problem and line stand in json_check<...>");
  static constexpr bool passes = true;
};

namespace detail {
/// Reads the text once a translation unit.
template <class Model>
struct read_model {
  static constexpr config_reading reading = read_config(Model::json);
  static constexpr config_error_place error = reading.error;
  using check =
      std::conditional_t<error.json == json::problem::none,
                         config_check<error.problem, at_line<error.line>, field_value<error.field, error.value>,
                                      field_value<error.other, error.other_value>>,
                         json_check<error.json, at_line<error.line>>>;
};

/// Never called: that its address is taken has a compiler print its assertion once, beside the check that failed.
template <class Check>
void refuse() {
  static_assert(sizeof(Check*) == 0, "this config.json is no model's: problem, line and field stand in the check");
}

/// What the text describes. Where it describes nothing, one message says so, and an empty model keeps what comes after
/// it from being blamed: a guard must not speak of a memory that was half read.
template <class Model>
constexpr transformer_config checked_config() {
  if constexpr (read_model<Model>::reading.ok()) {
    return read_model<Model>::reading.value.config;
  } else {
    [[maybe_unused]] constexpr auto message = &refuse<typename read_model<Model>::check>;
    return {};
  }
}
}  // namespace detail

/// `static_assert(config_check_of<my_llama>::passes)`, below the type, has a compiler say what is wrong there and not
/// where the model is first used.
template <class Model>
using config_check_of = typename detail::read_model<Model>::check;

/// Base of a model type made of a config.json:
///
///     struct my_llama : flopledger::config_model<my_llama> {
///       static constexpr std::string_view json = R"({"model_type": "llama", ...})";
///     };
///     static_assert(flopledger::config_check_of<my_llama>::passes);
///
/// `flopledger_add_model` (cmake/flopledger_model.cmake) writes such a type from a file. Reading costs a compiler some
/// tens of milliseconds, once a translation unit and only where the model is used.
template <class Self>
struct config_model {
  // What could not be read is refused here at the latest: the check is a type that does not compile then.
  static constexpr transformer_config config = detail::checked_config<Self>();
  /// How the checkpoint stores its weights: `weight_bytes(my_llama::config, my_llama::storage)`.
  static constexpr weight_storage storage = detail::read_model<Self>::reading.value.storage;
};

}  // namespace flopledger
