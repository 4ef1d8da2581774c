// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// `flopledger sweep`: one request again and again, with every value of one or two of its options.

#include <flopledger/text/table.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "document.hpp"
#include "json.hpp"
#include "option_choices.hpp"
#include "option_table.hpp"
#include "requests.hpp"

namespace program {
namespace {

using namespace flopledger;
using report::align;

struct sweep_request {
  std::string asked{};  ///< the text of a request
  std::vector<std::string> over{}, show{};
  bool csv = false;
};

/// An option, and the values that it takes in turn.
struct swept_option {
  std::string key{};
  std::vector<std::string> values{};
  field::kind what = field::kind::text;
};

/// A row: a value of each option, the numbers that are shown, and why there is no answer where there is none.
struct swept_row {
  std::vector<std::string> values{};
  std::vector<json> shown{};
  std::string refused{};
};

constexpr std::size_t most_rows = 10'000;

/// What an answer of each command is asked for where nobody says what.
std::vector<std::string> shown_by_default(const std::string& command) {
  if (command == "report train")
    return {"memory.total_bytes", "memory.fits", "time.step_seconds", "time.tokens_per_second_per_device", "time.mfu"};
  if (command == "report serve")
    return {"memory.total_bytes", "memory.fits", "time.time_to_first_token_seconds",
            "time.time_per_output_token_seconds", "time.output_tokens_per_second"};
  if (command == "report") return {"weights_bytes", "kv_cache_bytes", "floor_seconds"};
  if (command == "count") return {"parameters", "forward_macs", "training_step_matmul_flops"};
  throw usage_error("--show: which keys of the answer of " + command + "? such as time_seconds", "show");
}

/// "tensor=1,2,4" of a command.
swept_option option_of(const std::string& text, command& of) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
    throw usage_error("--over: \"" + text + "\" is nothing like tensor=1,2,4");
  swept_option one{.key = text.substr(0, equals)};
  std::replace(one.key.begin(), one.key.end(), '-', '_');
  const option* known = of.options.find(one.key);
  if (known == nullptr)
    throw usage_error("--over: " + no_such_option(option_table::name_of_key(one.key), of.name), "over");
  if (known->is_flag()) one.what = field::kind::truth;
  for_each_part(text.substr(equals + 1), [&](const std::string& value) {
    if (known->is_flag() && value != "true" && value != "false")
      throw usage_error("--over: " + one.key + ": \"" + value + "\" is neither true nor false");
    one.values.push_back(value);
  });
  return one;
}

void set(request& asked, const swept_option& one, const std::string& value) {
  asked.erase(std::remove_if(asked.begin(), asked.end(), [&](const field& f) { return f.key == one.key; }),
              asked.end());
  asked.push_back({.key = one.key, .what = one.what, .text = value});
}

/// The value at "time.step_seconds" of an answer; null where there is none.
json value_at(const json& answer, const std::string& path) {
  const json* at = &answer;
  for_each_part(
      path,
      [&](const std::string& key) {
        const auto found = at == nullptr || !at->is_object() ? json::const_iterator{} : at->find(key);
        at = at == nullptr || !at->is_object() || found == at->end() ? nullptr : &*found;
      },
      '.');
  return at == nullptr ? json() : *at;
}

struct sweep_answer {
  std::string command{};
  std::vector<swept_option> over{};
  std::vector<std::string> show{};
  std::vector<swept_row> rows{};
};

swept_row row_of(request asked, const sweep_answer& sweep, std::size_t number) {
  swept_row row;
  row.values.resize(sweep.over.size());
  for (std::size_t i = sweep.over.size(); i-- > 0;) {  // the last option changes fastest
    const swept_option& one = sweep.over[i];
    row.values[i] = one.values[number % one.values.size()];
    number /= one.values.size();
    set(asked, one, row.values[i]);
  }
  try {
    const json found = answer(asked, output::programs).value;
    for (const std::string& path : sweep.show) row.shown.push_back(value_at(found, path));
  } catch (const usage_error& problem) {
    row.refused = problem.what();
    row.shown.resize(sweep.show.size());
  }
  return row;
}

sweep_answer swept(const sweep_request& asked) {
  const request inner = read_request(asked.asked);
  command& of = command_of(inner);
  if (of.name == "sweep") throw usage_error("--request: a sweep of sweeps", "request");
  sweep_answer sweep{.command = of.name};
  std::size_t rows = 1;
  for (const std::string& text : asked.over) {
    sweep.over.push_back(option_of(text, of));
    rows *= sweep.over.back().values.size();
    if (rows > most_rows) throw usage_error(fmt::format("--over: more than {} rows", most_rows));
  }
  if (sweep.over.size() > 2) throw usage_error("--over: one option or two, and these are more");
  sweep.show = asked.show.empty() ? shown_by_default(of.name) : asked.show;
  for (std::size_t i = 0; i < rows; ++i) sweep.rows.push_back(row_of(inner, sweep, i));
  const auto is_refused = [](const swept_row& row) { return !row.refused.empty(); };
  if (std::all_of(sweep.rows.begin(), sweep.rows.end(), is_refused)) throw usage_error(sweep.rows.front().refused);
  for (std::size_t i = 0; i < sweep.show.size(); ++i) {
    const auto is_there = [&](const swept_row& row) { return !row.shown[i].is_null(); };
    if (std::none_of(sweep.rows.begin(), sweep.rows.end(), is_there))
      throw usage_error("--show: no answer has " + sweep.show[i], "show");
  }
  return sweep;
}

std::string for_people(const sweep_answer& sweep) {
  std::vector<report::column> columns;
  for (const swept_option& one : sweep.over) columns.push_back({one.key});
  for (const std::string& path : sweep.show) columns.push_back({path});
  report::table lines(columns);
  std::string refusals;
  for (const swept_row& row : sweep.rows) {
    std::vector<std::string> cells = row.values;
    for (std::size_t i = 0; i < sweep.show.size(); ++i) cells.push_back(printed(sweep.show[i], row.shown[i]));
    lines.add(std::move(cells));
    if (row.refused.empty()) continue;
    for (std::size_t i = 0; i < sweep.over.size(); ++i)
      refusals += fmt::format("{}{} {}", i > 0 ? ", " : "", sweep.over[i].key, row.values[i]);
    refusals += ": " + row.refused + '\n';
  }
  return lines.text() + refusals;
}

/// RFC 4180: quotes around what has a comma, a quote or a new line.
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string whole = "\"";
  for (const char c : text) whole += c == '"' ? "\"\"" : std::string(1, c);
  return whole + '"';
}

std::string as_csv(const sweep_answer& sweep) {
  std::string text;
  for (const swept_option& one : sweep.over) text += one.key + ',';
  for (const std::string& path : sweep.show) text += quoted(path) + ',';
  text += "refused\n";
  for (const swept_row& row : sweep.rows) {
    for (const std::string& value : row.values) text += quoted(value) + ',';
    for (const json& value : row.shown)
      text += (value.is_null() ? "" : quoted(value.is_string() ? value.get<std::string>() : value.dump())) + ',';
    text += quoted(row.refused) + '\n';
  }
  return text;
}

json for_programs(const sweep_answer& sweep) {
  json whole;
  whole["command"] = sweep.command;
  whole["over"] = json::array();
  for (const swept_option& one : sweep.over) whole["over"].push_back(one.key);
  whole["show"] = sweep.show;
  json& rows = whole["rows"] = json::array();
  for (const swept_row& row : sweep.rows) {
    json one;
    for (std::size_t i = 0; i < sweep.over.size(); ++i) one[sweep.over[i].key] = row.values[i];
    for (std::size_t i = 0; i < sweep.show.size(); ++i) one[sweep.show[i]] = row.shown[i];
    one["refused"] = row.refused.empty() ? json() : json(row.refused);
    rows.push_back(std::move(one));
  }
  return whole;
}

reply answer_sweep(const sweep_request& asked, output how) {
  const sweep_answer sweep = swept(asked);
  if (how == output::programs) return reply(for_programs(sweep));
  return reply(asked.csv ? as_csv(sweep) : for_people(sweep));
}

}  // namespace

void describe_sweeps(std::deque<command>& all) {
  sweep_request& asked = add_command<sweep_request>(
      all, "sweep", "one request with every value of one or two of its options", &answer_sweep);
  all.back().documented = &document_of_sweep;
  option_table& options = all.back().options;
  option& of = options.text("request", asked.asked, "REQUEST",
                            "as `flopledger batch` reads it; on the command line also its words, behind `--`");
  of.takes_object = of.required = true;
  options.texts("over", asked.over, "OPTION=VALUE,VALUE,...", "an option of the request and its values; once or twice")
      .required = true;
  options.texts("show", asked.show, "KEY", "keys of the answer, such as time.step_seconds; several, each by its own");
  options.flag("csv", asked.csv, true, "a table for other programs");
  all.back().footer =
      "flopledger sweep --over tensor=1,2,4 --over micro-batch=1,2 -- report train MODEL --device DEVICE ...\n"
      "A combination that cannot be asked so is a row that says why.";
}

}  // namespace program
