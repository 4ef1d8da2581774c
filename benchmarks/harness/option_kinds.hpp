// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Kinds of options for CLI11, which read numbers as the program flopledger does.

#include <map>
#include <optional>
#include <string>
#include <type_traits>

#include <CLI/CLI.hpp>

#include "option_table.hpp"

namespace harness {

template <class Value>
void add_number(CLI::App& command, const std::string& option, Value& target, std::int64_t least,
                const std::string& about) {
  command
      .add_option_function<std::string>(
          option,
          [&target, option, least](const std::string& text) {
            const std::int64_t value = program::whole_number(text, least, option);
            if constexpr (std::is_integral_v<Value> || std::is_same_v<Value, std::optional<std::int64_t>>)
              target = value;
            else
              target = static_cast<double>(value);
          },
          about)
      ->type_name("N");
}

template <class Value>
void add_real(CLI::App& command, const std::string& option, Value& target, double least, double most,
              const std::string& type, const std::string& about) {
  command
      .add_option_function<std::string>(
          option,
          [&target, option, least, most](const std::string& text) {
            target = program::real_number(text, least, most, option);
          },
          about)
      ->type_name(type);
}

template <class Value, class Choice>
void add_choice(CLI::App& command, const std::string& option, Value& target,
                const std::map<std::string, Choice>& choices, const std::string& about) {
  std::string names;
  for (const auto& [name, value] : choices) names += (names.empty() ? "" : "|") + name;
  command
      .add_option_function<std::string>(
          option,
          [&target, option, choices, names](const std::string& text) {
            const auto found = choices.find(text);
            if (found == choices.end()) throw program::usage_error(option + ": \"" + text + "\" is none of " + names);
            target = found->second;
          },
          about)
      ->type_name(names);
}

}  // namespace harness
