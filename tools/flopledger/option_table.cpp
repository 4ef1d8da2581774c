// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "option_table.hpp"

#include <flopledger/text/closest.hpp>

#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include <fmt/format.h>

#include "option_choices.hpp"

namespace program {
namespace {

struct magnitude {
  std::string_view suffix;
  double times;
};
constexpr magnitude magnitudes[] = {{"", 1},           {"k", 1e3},           {"M", 1e6},
                                    {"G", 1e9},        {"T", 1e12},          {"Ki", 1024.0},
                                    {"Mi", 1048576.0}, {"Gi", 1073741824.0}, {"Ti", 1099511627776.0}};

/// What other programs call an option.
struct other_name {
  std::string_view theirs, ours;
};
constexpr other_name other_names[] = {{"tp", "tensor"},
                                      {"pp", "pipeline"},
                                      {"dp", "data"},
                                      {"cp", "context"},
                                      {"ep", "expert"},
                                      {"etp", "expert_tensor"},
                                      {"vpp", "interleave"},
                                      {"mbs", "micro_batch"},
                                      {"gbs", "global_batch"},
                                      {"seq", "sequence"},
                                      {"seq_len", "sequence"},
                                      {"seq_length", "sequence"},
                                      {"batch_size", "batch"},
                                      {"micro_batch_size", "micro_batch"},
                                      {"global_batch_size", "global_batch"},
                                      {"gpu", "device"},
                                      {"gpus", "devices"},
                                      {"tdp", "power"},
                                      {"vram", "memory"}};

}  // namespace

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, problem] = std::from_chars(text.data(), last, value);
  if (problem == std::errc::invalid_argument) return {};
  const std::string_view suffix(end, static_cast<std::size_t>(last - end));
  for (const magnitude& one : magnitudes) {
    if (one.suffix != suffix) continue;
    if (problem == std::errc::result_out_of_range) return std::numeric_limits<double>::infinity();
    if (!std::isfinite(value)) return {};  // "inf" and "nan" are words
    return value * one.times;
  }
  return {};
}

std::int64_t whole_number(const std::string& text, std::int64_t least, const std::string& option, std::int64_t most) {
  const std::optional<double> value = number_in(text);
  if (!value || *value != std::floor(*value)) throw usage_error(option + ": \"" + text + "\" is not a whole number");
  if (*value < static_cast<double>(least) || *value > static_cast<double>(most))
    throw usage_error(option + ": " + text + " is not between " + std::to_string(least) + " and " +
                      std::to_string(most));
  return static_cast<std::int64_t>(*value);
}

double real_number(const std::string& text, double least, double most, const std::string& option) {
  const std::optional<double> value = number_in(text);
  if (!value) throw usage_error(option + ": \"" + text + "\" is not a number");
  if (*value < least || *value > most)
    throw usage_error(fmt::format("{}: {} is not between {} and {}", option, text, least, most));
  return *value;
}

std::string option::name() const {
  if (!positional) return option_table::name_of_key(key);
  std::string capitals;
  for (const char c : key) capitals += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return capitals;
}

std::string option_table::name_of_key(const std::string& key) {
  std::string name = "--";
  for (const char c : key) name += c == '_' ? '-' : c;
  return name;
}

option& option_table::other(std::string key, std::string takes, std::string about, std::string standard,
                            std::function<void(const std::string&)> set) {
  return options_.emplace_back(option{.key = std::move(key),
                                      .takes = std::move(takes),
                                      .about = std::move(about),
                                      .standard = std::move(standard),
                                      .heading = heading_,
                                      .set = std::move(set)});
}

option& option_table::text(std::string key, std::string& target, std::string takes, std::string about,
                           std::string standard) {
  option& added = other(std::move(key), std::move(takes), std::move(about), std::move(standard),
                        [&target](const std::string& text) { target = text; });
  added.is_text = true;
  return added;
}

option& option_table::texts(std::string key, std::vector<std::string>& target, std::string takes, std::string about) {
  option& added = other(std::move(key), std::move(takes), std::move(about), {},
                        [&target](const std::string& text) { target.push_back(text); });
  added.is_text = added.repeats = true;
  return added;
}

option& option_table::flag(std::string key, bool& target, bool value, std::string about) {
  return other(std::move(key), "", std::move(about), "", [&target, value](const std::string&) { target = value; });
}

option& option_table::model(std::string& target) {
  option& added =
      text("model", target, "NAME",
           "a name that `flopledger models` lists, or the path of a config.json, of its folder or of a GGUF "
           "file");
  added.required = added.positional = true;
  return added;
}

void option_table::device(device_request& target) {
  other("device", "DEVICE|FILE.json", "a name that `flopledger devices` lists, or a board of one's own",
        "required, or a board of one's own by the options below",
        [&target](const std::string& text) { target.name = text; })
      .takes_object = true;
  const std::string before = heading_;
  under("Board");
  const char* const sheet = "the data sheet's";
  real("memory", target.memory, 1e-3, 1e6, "GIB", "of one device, that a driver reports", sheet);
  real("bandwidth", target.bandwidth, 1e-3, 1e6, "GB/s", "of the memory of one device", sheet).also =
      "memory_bandwidth";
  other("peak", "FORMAT=TFLOP/s,...", "of one device, dense, with sums in FP32: bf16=209,fp8=419", sheet,
        [&target](const std::string& text) {
          for_each_part(text, [&target](const std::string& one) {
            const std::string name = one.substr(0, one.find('='));
            if (one.size() == name.size()) throw usage_error("--peak: \"" + one + "\" is no FORMAT=TFLOP/s");
            const double rate = real_number(one.substr(name.size() + 1), 1e-6, 1e9, "--peak " + name);
            target.peaks.emplace_back(precision_of(name, "--peak"), rate);
          });
        });
  real("power", target.power, 1e-3, 1e6, "WATTS", "of one device", sheet);
  under(before);
}

bool option_table::has(std::string_view key) const {
  return std::any_of(options_.begin(), options_.end(), [&](const option& one) { return one.key == key; });
}

option* option_table::find(std::string_view key) {
  for (option& one : options_)
    if (one.key == key || (!one.also.empty() && one.also == key)) return &one;
  return nullptr;
}

void option_table::forget() {
  for (option& one : options_) one.given = false;
}

std::deque<command>& commands() {
  thread_local std::deque<command> all = [] {
    std::deque<command> made;
    describe_passes(made);
    describe_jobs(made);
    describe_plans(made);
    describe_fits(made);
    describe_sweeps(made);
    describe_measured(made);
    describe_operations(made);
    describe_files(made);
    describe_lists(made);
    return made;
  }();
  return all;
}

command* find_command(std::string_view name) {
  for (command& one : commands())
    if (one.name == name) return &one;
  return nullptr;
}

bool output_option::is_of(const command& one) const {
  return of == kind::any || (of == kind::documents ? one.documented != nullptr : one.options.has(key_of_timeline));
}

bool is_shared_with_jobs(const option& one) {
  constexpr std::string_view shared[] = {"model",  "device",    "devices", "recipe",
                                         "memory", "bandwidth", "peak",    "power"};
  return std::find(std::begin(shared), std::end(shared), one.key) != std::end(shared);
}

std::string no_such_option(const std::string& name, const std::string& command_name) {
  std::string near;
  if (command* known = find_command(command_name); known != nullptr) {
    for (const other_name& one : other_names)
      if (name == option_table::name_of_key(std::string(one.theirs)) && known->options.find(one.ours) != nullptr)
        near = option_table::name_of_key(std::string(one.ours));
    if (near.empty()) {
      flopledger::text::nearest<std::string> found{name};
      for (const option& one : known->options.all()) found.offer(one.name(), flopledger::text::edits(name, one.name()));
      near = found.entries[0];
    }
  }
  return name + ": no such option" + (near.empty() ? "" : "; the closest: " + near) + " (see flopledger " +
         command_name + (command_name.empty() ? "" : " ") + "--help)";
}

}  // namespace program
