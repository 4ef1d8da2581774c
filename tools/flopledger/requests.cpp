// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "requests.hpp"

#include <algorithm>
#include <istream>
#include <new>
#include <ostream>

#include <fmt/format.h>

#include "json.hpp"
#include "option_table.hpp"

namespace program {
namespace {

/// A request is some hundred bytes; what is longer is no request.
constexpr std::size_t longest_line = 1U << 20U;

/// Reads a flat object without a tree of it, so that nesting costs nothing.
class field_reader {
 public:
  explicit field_reader(request& into) : into_(into) {}

  bool null() { return add(field::kind::nothing, "null"); }
  bool boolean(bool value) { return add(field::kind::truth, value ? "true" : "false"); }
  bool number_integer(std::int64_t value) { return add(field::kind::number, std::to_string(value)); }
  bool number_unsigned(std::uint64_t value) { return add(field::kind::number, std::to_string(value)); }
  bool number_float(double, const std::string& text) { return add(field::kind::number, text); }
  bool string(std::string& value) { return add(field::kind::text, std::move(value)); }
  bool binary(json::binary_t&) { return false; }
  bool key(std::string& name) {
    if (depth_ >= 2) {
      separate();
      into_.back().object += json(name).dump() + ':';
      after_key_ = true;
      inner_ = std::move(name);
      return true;
    }
    if (std::any_of(into_.begin(), into_.end(), [&](const field& one) { return one.key == name; }))
      throw usage_error(option_table::name_of_key(name) + ": is given twice", name);
    into_.push_back({.key = std::move(name)});
    return true;
  }
  bool start_object(std::size_t) { return open(true); }
  bool start_array(std::size_t) { return open(false); }
  bool end_object() { return close('}'); }
  bool end_array() { return close(']'); }
  bool parse_error(std::size_t at, const std::string&, const json::exception&) {
    throw usage_error(fmt::format("a request is a JSON object in one line, and this is none from byte {} on", at));
  }
 private:
  bool add(field::kind what, std::string text) {
    if (depth_ == 0) throw usage_error("a request is a JSON object, with a key for each option");
    field& last = into_.back();
    if (depth_ >= 2) {
      separate();
      last.object += what == field::kind::text ? json(text).dump() : text;
      if (depth_ == 2) last.list.push_back(in_object_ ? inner_ + '=' + text : std::move(text));
    } else {
      last.what = what;
      last.text = std::move(text);
    }
    return true;
  }
  bool open(bool object) {
    if (depth_ == 0 && !object) throw usage_error("a request is a JSON object, with a key for each option");
    if (depth_ == deepest)
      throw usage_error(option_table::name_of_key(into_.back().key) + ": holds lists in lists", into_.back().key);
    ++depth_;
    if (depth_ == 1) return true;
    field& last = into_.back();
    if (depth_ == 2) {
      last.what = field::kind::list;
      in_object_ = object;
    } else {
      last.nested = true;
    }
    separate();
    last.object += object ? '{' : '[';
    return true;
  }
  bool close(char bracket) {
    if (depth_-- >= 2) into_.back().object += bracket;
    return true;
  }
  /// A comma before what is no first of an object or a list, and not behind its key.
  void separate() {
    std::string& text = into_.back().object;
    if (!after_key_ && !text.empty() && text.back() != '{' && text.back() != '[') text += ',';
    after_key_ = false;
  }

  static constexpr int deepest = 4;  ///< a request, a framework, its overlap, one share with its source
  request& into_;
  int depth_ = 0;
  bool in_object_ = false, after_key_ = false;
  std::string inner_;
};

/// Fields up to where an error is found are there for who reports it.
void read(std::string_view text, request& into) {
  field_reader reader(into);
  json::sax_parse(text.begin(), text.end(), &reader);
}

std::string joined(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& one : list) (text += text.empty() ? "" : ",") += one;
  return text;
}

const field* field_of(const request& asked, std::string_view key) {
  for (const field& one : asked)
    if (one.key == key) return &one;
  return nullptr;
}

std::string text_of(const request& asked, std::string_view key) {
  const field* found = field_of(asked, key);
  if (found == nullptr || found->what == field::kind::nothing) return {};
  if (found->what != field::kind::text)
    throw usage_error(fmt::format("{}: {} is no text", key, found->what == field::kind::list ? "a list" : found->text),
                      std::string(key));
  return found->text;
}

void set(option& what, const field& given) {
  const auto refuse = [&](const std::string& why) { throw usage_error(what.name() + ": " + why, what.key); };
  if (given.what == field::kind::nothing) return;  // as if it were left out
  what.given = true;
  if (what.takes_object && given.object.starts_with('{')) return what.set(given.object);
  if (given.nested) refuse("holds lists in lists");
  if (what.is_flag()) {
    if (given.what != field::kind::truth)
      refuse((given.what == field::kind::list ? std::string("a list") : '"' + given.text + '"') +
             " is neither true nor false");
    if (given.text == "true") what.set(given.text);
    return;
  }
  if (what.repeats) {
    if (given.what == field::kind::list)
      for (const std::string& one : given.list) what.set(one);
    else
      what.set(given.text);
    return;
  }
  if (what.is_text && given.what != field::kind::text)
    refuse((given.what == field::kind::list ? "a list" : given.text) + std::string(" is no text"));
  what.set(given.what == field::kind::list ? joined(given.list) : given.text);
}

/// The key of the option that a line begins with: `micro_batch` of "--micro-batch: 0 is not between".
std::string key_in(std::string_view line) {
  if (!line.starts_with("--")) return {};
  std::string key(line.substr(2, line.find_first_of(":, ", 2) - 2));
  std::replace(key.begin(), key.end(), '-', '_');
  return key;
}

}  // namespace

command& command_of(const request& asked) {
  const std::string name = text_of(asked, "command"), job = text_of(asked, "job");
  std::string names, jobs;
  for (const command& one : commands()) {
    const std::size_t space = one.name.find(' ');
    const std::string above = one.name.substr(0, space);
    if (above == one.name || find_command(above) == nullptr) (names += names.empty() ? "" : ", ") += above;
    if (above != one.name && above == name) (jobs += jobs.empty() ? "" : " or ") += one.name.substr(space + 1);
  }
  if (name.empty()) throw usage_error("which command? " + names, "command");
  if (find_command(name) == nullptr && jobs.empty()) throw usage_error(name + " is no command: " + names, "command");
  if (job.empty() && find_command(name) == nullptr) throw usage_error("job: " + name + " needs one: " + jobs, "job");
  if (job.empty()) return *find_command(name);
  if (jobs.empty()) throw usage_error("job: " + name + " has none", "job");
  command* found = find_command(name + ' ' + job);
  if (found == nullptr) throw usage_error("job: \"" + job + "\" is none of " + name + ": " + jobs, "job");
  return *found;
}

request read_request(std::string_view text) {
  request fields;
  read(text, fields);
  return fields;
}

std::string object_of(const request& asked) {
  json object = json::object();
  for (const field& one : asked)
    if (one.what == field::kind::list)
      object[one.key] = one.list;
    else if (one.what == field::kind::truth)
      object[one.key] = one.text == "true";
    else
      object[one.key] = one.text;
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

reply answer(const request& asked, output how) {
  command& wanted = command_of(asked);
  wanted.forget();
  wanted.options.forget();
  for (const field& one : asked) {
    if (one.key == "command" || one.key == "job") continue;
    option* known = wanted.options.find(one.key);
    if (known == nullptr) throw usage_error(no_such_option(option_table::name_of_key(one.key), wanted.name), one.key);
    set(*known, one);
  }
  for (const option& one : wanted.options.all())
    if (one.required && !one.given) throw usage_error(one.name() + " is required", one.key);
  return wanted.answer(how);
}

json answer(std::string_view request_text) { return answer(read_request(request_text), output::programs).value; }

json error_of(const std::exception& problem, const request& asked) {
  const auto* known = dynamic_cast<const request_error*>(&problem);
  std::string key = known == nullptr ? std::string() : known->field;
  if (key.empty()) key = key_in(problem.what());
  json error;
  error["message"] = problem.what();
  error["field"] = nullptr;
  error["value"] = nullptr;
  if (!key.empty()) {
    error["field"] = key;
    if (const field* given = field_of(asked, key); given != nullptr) {
      if (given->what == field::kind::list)
        error["value"] =
            given->object.starts_with('{') ? json::parse(given->object, nullptr, false) : json(given->list);
      else if (given->what == field::kind::truth)
        error["value"] = given->text == "true";
      else if (given->what == field::kind::number)
        error["value"] = json::parse(given->text);
      else if (given->what == field::kind::text)
        error["value"] = given->text;
    }
  }
  json whole;
  whole["error"] = std::move(error);
  return whole;
}

std::string answer_line(std::string_view request_text, bool& refused) {
  request asked;
  refused = false;
  try {
    read(request_text, asked);
    return dumped(answer(asked, output::programs).value);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& problem) {
    refused = true;
    return dumped(error_of(problem, asked));
  }
}

int answer_lines(std::istream& in, std::ostream& out) {
  std::streambuf& from = *in.rdbuf();
  bool any_refused = false, refused = false;
  std::string line;
  const auto ended = [](int c) { return c == std::char_traits<char>::eof(); };
  while (true) {
    if (from.in_avail() <= 0) out.flush();  // whoever writes the requests may wait for this answer
    int next = from.sbumpc();
    if (ended(next)) break;
    line.clear();
    bool too_long = false;
    for (; !ended(next) && next != '\n'; next = from.sbumpc()) {
      too_long = too_long || line.size() >= longest_line;
      if (!too_long) line += static_cast<char>(next);
    }
    if (too_long) {
      refused = true;
      out << dumped(error_of(usage_error("a request of more than 1 MiB, so none"), {}));
    } else {
      out << answer_line(line, refused);
    }
    any_refused = any_refused || refused;
    if (!out) return 1;
  }
  out.flush();
  return !out ? 1 : any_refused ? 2 : 0;
}

}  // namespace program
