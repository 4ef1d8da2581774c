// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The kinds of options that commands share: whole numbers, numbers, names, and --json.

#include <charconv>
#include <cstdint>
#include <map>
#include <string>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "program.hpp"

namespace program {

/// Beyond it no count of a pass is exact, and no machine in sight runs it.
inline constexpr std::int64_t largest_count = 1'000'000'000;

/// CLI11 would take 010 for eight and 1e3 for one; a count is decimal digits and nothing else.
inline std::int64_t whole_number(const std::string& text, std::int64_t least, const std::string& option,
                                 std::int64_t most = largest_count) {
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem == std::errc::invalid_argument || end != text.data() + text.size())
    throw usage_error(option + ": \"" + text + "\" is not a whole number");
  if (problem != std::errc{} || value < least || value > most)
    throw usage_error(option + ": " + text + " is not between " + std::to_string(least) + " and " +
                      std::to_string(most));
  return value;
}

/// A decimal number from `least` to `most`; neither "nan" nor "inf" is one.
inline double real_number(const std::string& text, double least, double most, const std::string& option) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem == std::errc::invalid_argument || end != text.data() + text.size() || !(value - value == 0))
    throw usage_error(option + ": \"" + text + "\" is not a number");
  if (problem != std::errc{} || value < least || value > most)
    throw usage_error(fmt::format("{}: {} is not between {} and {}", option, text, least, most));
  return value;
}

template <class Value>
void add_number(CLI::App& command, const std::string& option, Value& target, std::int64_t least,
                const std::string& about) {
  command
      .add_option_function<std::string>(
          option,
          [&target, option, least](const std::string& text) {
            const std::int64_t value = whole_number(text, least, option);
            if constexpr (std::is_integral_v<Value> || std::is_same_v<Value, std::optional<std::int64_t>>)
              target = value;
            else
              target = static_cast<double>(value);
          },
          about)
      ->type_name("N");
}

/// A number above zero, or from zero on where `from_zero`.
template <class Value>
CLI::Option* add_real(CLI::App& command, const std::string& option, Value& target, double least, double most,
                      const std::string& type, const std::string& about) {
  return command
      .add_option_function<std::string>(
          option,
          [&target, option, least, most](const std::string& text) { target = real_number(text, least, most, option); },
          about)
      ->type_name(type);
}

template <class Value, class Choice>
CLI::Option* add_choice(CLI::App& command, const std::string& option, Value& target,
                        const std::map<std::string, Choice>& choices, const std::string& about) {
  std::string names;
  for (const auto& [name, value] : choices) names += (names.empty() ? "" : "|") + name;
  return command
      .add_option_function<std::string>(
          option,
          [&target, option, choices, names](const std::string& text) {
            const auto found = choices.find(text);
            if (found == choices.end()) throw usage_error(option + ": \"" + text + "\" is none of " + names);
            target = found->second;
          },
          about)
      ->type_name(names);
}

struct json_flag {
  bool wanted = false;
  output how() const { return wanted ? output::json : output::people; }
};

inline void add_json(CLI::App& command, json_flag& json) {
  command.add_flag("--json", json.wanted, "the same numbers for programs");
}

inline void add_model(CLI::App& command, std::string& model) {
  command.add_option("MODEL", model, "a name that `flopledger models` lists, or the path of a config.json")
      ->required()
      ->type_name("");
}

inline void add_device(CLI::App& command, std::string& device) {
  command.add_option("--device", device, "a name that `flopledger devices` lists")->required()->type_name("DEVICE");
}

inline std::map<std::string, const flopledger::recipe*> all_recipes() {
  std::map<std::string, const flopledger::recipe*> recipes;
  for (const flopledger::recipe* known : flopledger::recipes::all) recipes.emplace(known->name, known);
  return recipes;
}

}  // namespace program
