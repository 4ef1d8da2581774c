// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The options of a command, each written down once: the command line, the reader of requests and the schema ask here.

#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "program.hpp"

namespace program {

/// Beyond it no count of a pass is exact, and no machine in sight runs it.
inline constexpr std::int64_t largest_count = 1'000'000'000;

/// A number as people write one: decimal digits, a point, an exponent; then k, M, G or T for thousands, millions and so
/// on, or Ki, Mi, Gi or Ti for powers of 1024. Nothing where the text is no number; infinity where it is too large.
std::optional<double> number_in(std::string_view text);

/// A whole number from `least` to `most`; `option` is what an error begins with.
std::int64_t whole_number(const std::string& text, std::int64_t least, const std::string& option,
                          std::int64_t most = largest_count);
/// Any number from `least` to `most`.
double real_number(const std::string& text, double least, double most, const std::string& option);

/// One thing that a request can say.
struct option {
  std::string key;        ///< "micro_batch" in a request, --micro-batch on the command line
  std::string also{};     ///< another key that says the same
  std::string takes;      ///< "N", "GB/s", "fused|explicit"; empty: true or false
  std::string about;      ///< what it is
  std::string standard;   ///< what holds where it is left out; empty: said by `about`, or nothing
  std::string heading{};  ///< under which help lists it
  bool is_text = false;   ///< any text; a number is none
  bool required = false, positional = false, repeats = false;
  bool takes_object = false;  ///< as the text of it
  std::function<void(const std::string&)> set{};
  bool given = false;  ///< by the request that is being read

  bool is_flag() const { return takes.empty(); }
  /// "--micro-batch", or "MODEL" of what stands alone: what errors begin with.
  std::string name() const;
};

/// The options of one command. They write into a request that the command holds.
class option_table {
 public:
  option& text(std::string key, std::string& target, std::string takes, std::string about, std::string standard = {});
  option& texts(std::string key, std::vector<std::string>& target, std::string takes, std::string about);
  option& flag(std::string key, bool& target, bool value, std::string about);
  /// `set` reads the text and throws `usage_error`.
  option& other(std::string key, std::string takes, std::string about, std::string standard,
                std::function<void(const std::string&)> set);

  /// A whole number.
  template <class Value>
  option& count(const std::string& key, Value& target, std::int64_t least, std::string about,
                std::string standard = {}) {
    return other(key, "N", std::move(about), std::move(standard),
                 [&target, least, name = name_of_key(key)](const std::string& text) {
                   const std::int64_t value = whole_number(text, least, name);
                   if constexpr (std::is_integral_v<Value> || std::is_same_v<Value, std::optional<std::int64_t>>)
                     target = value;
                   else
                     target = static_cast<double>(value);
                 });
  }
  template <class Value>
  option& real(const std::string& key, Value& target, double least, double most, std::string takes, std::string about,
               std::string standard = {}) {
    return other(key, std::move(takes), std::move(about), std::move(standard),
                 [&target, least, most, name = name_of_key(key)](const std::string& text) {
                   target = real_number(text, least, most, name);
                 });
  }
  template <class Value, class Choice>
  option& choice(const std::string& key, Value& target, std::map<std::string, Choice> choices, std::string about,
                 std::string standard = {}) {
    std::string names;
    for (const auto& [name, value] : choices) names += (names.empty() ? "" : "|") + name;
    return other(key, names, std::move(about), std::move(standard),
                 [&target, choices = std::move(choices), names, name = name_of_key(key)](const std::string& text) {
                   const auto found = choices.find(text);
                   if (found == choices.end()) throw usage_error(name + ": \"" + text + "\" is none of " + names);
                   target = found->second;
                 });
  }
  option& model(std::string& target);
  /// A device of the catalogue or one's own, and the options that say how it differs; they are required together.
  void device(device_request& target);

  const std::deque<option>& all() const { return options_; }
  option* find(std::string_view key);
  bool has(std::string_view key) const;
  bool given(std::string_view key) { return find(key)->given; }
  void forget();
  /// The heading of the options from here on.
  void under(std::string heading) { heading_ = std::move(heading); }
  static std::string name_of_key(const std::string& key);
 private:
  std::deque<option> options_;  // they stay where they are
  std::string heading_;
};

struct document;

/// What can be asked, by one name: its options, and its answer to the request that they wrote.
struct command {
  std::string name;  ///< "count", "report train"
  std::string about;
  std::string footer{};
  option_table options{};
  std::function<void()> forget{};  ///< back to the defaults
  std::function<reply(output)> answer{};
  document (*documented)(const json& answer) = nullptr;  ///< null: its answer has no tables and pictures
  bool shows_bars = false;  ///< below the text in a terminal: its answer is quick, and made for both
};

/// The option that asks for what pages and traces draw beside the answer.
inline constexpr std::string_view key_of_timeline = "timeline";

/// In which form the command line prints an answer; no part of a request.
struct output_option {
  std::string_view name, takes, about;
  enum class kind { any, documents, timelines } of = kind::documents;

  bool is_of(const command& one) const;
};
inline constexpr output_option option_json{"--json", "", "the same numbers for programs", output_option::kind::any},
    option_markdown{"--markdown", "", "the same in tables of Markdown"},
    option_html{"--html", "FILE", "writes the answer as one page with its pictures, in place of the text; - prints it"},
    option_svg{"--svg", "FILE", "writes one picture of the answer, in place of the text; - prints it"},
    option_picture{"--picture", "NAME", "which one --svg writes (default: the first)"},
    option_trace{"--chrome-trace", "FILE", "writes the passes of the pipeline as Perfetto opens them; - prints them",
                 output_option::kind::timelines};
inline constexpr output_option output_options[] = {option_json, option_markdown, option_html,
                                                   option_svg,  option_picture,  option_trace};

/// The commands of this thread, in the order of help.
std::deque<command>& commands();
/// Null where there is none.
command* find_command(std::string_view name);

/// Adds a command with a request of its own.
template <class Request>
Request& add_command(std::deque<command>& all, std::string name, std::string about,
                     reply (*answer)(const Request&, output)) {
  const auto asked = std::make_shared<Request>();
  command& added = all.emplace_back(command{.name = std::move(name), .about = std::move(about)});
  added.forget = [asked] { *asked = Request{}; };
  added.answer = [asked, answer](output how) { return answer(*asked, how); };
  return *asked;
}

/// What help and the manual say of the words that commands take, and of how they end.
inline constexpr std::string_view about_arguments =
    "MODEL is a name that `flopledger models` lists, the path of a Hugging Face config.json or of a folder that holds\n"
    "one, or a GGUF file.\n"
    "DEVICE is a name that `flopledger devices` lists, or a part of it that fits one device alone.\n"
    "Numbers may be written 8192, 8.192k, 8Ki or 1e9: k, M, G, T are thousands, Ki, Mi, Gi, Ti powers of 1024.\n";
inline constexpr std::string_view about_exit_status =
    "Exit status: 0; 2 for what cannot be asked so; 1 for what failed, such as a file that cannot be read, and where\n"
    "`check` finds a difference.";
inline constexpr std::string_view about_batch = "requests from standard input, a JSON object a line, answered in order";
inline constexpr std::string_view about_completion = "what a shell proposes behind the words typed: bash, fish or zsh";
inline constexpr std::string_view about_manual = "the page of the manual, as man reads it";
inline constexpr std::string_view about_plan = "the best of what a job may be";

/// Whether an option of `report` may stand before `train` or `serve`, and is of the job as well.
bool is_shared_with_jobs(const option& one);

/// "--tp: no such option; the closest: --tensor (see flopledger report train --help)". `name` has its dashes.
std::string no_such_option(const std::string& name, const std::string& command_name);

void describe_passes(std::deque<command>& all);
void describe_jobs(std::deque<command>& all);
void describe_plans(std::deque<command>& all);
void describe_fits(std::deque<command>& all);
void describe_measured(std::deque<command>& all);
void describe_operations(std::deque<command>& all);
void describe_files(std::deque<command>& all);
void describe_lists(std::deque<command>& all);
void describe_sweeps(std::deque<command>& all);

}  // namespace program
