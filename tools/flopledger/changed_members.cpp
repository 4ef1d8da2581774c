// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "changed_members.hpp"

#include <flopledger/text/closest.hpp>

#include <cmath>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "json.hpp"
#include "option_choices.hpp"
#include "subject.hpp"

namespace program {
namespace {

using namespace flopledger;

/// Reads an object, and refuses a key that stands twice.
json parsed(const std::string& text, const std::string& of) {
  std::vector<std::set<std::string>> seen;
  const auto look = [&](int, json::parse_event_t event, json& value) {
    if (event == json::parse_event_t::object_start) seen.emplace_back();
    if (event == json::parse_event_t::object_end) seen.pop_back();
    if (event == json::parse_event_t::key && !seen.back().insert(value.get<std::string>()).second)
      throw usage_error(fmt::format("{}: {} is given twice", of, value.get<std::string>()));
    return true;
  };
  try {
    return json::parse(text, look);
  } catch (const json::parse_error& problem) {
    throw usage_error(fmt::format("{}: no JSON from byte {} on", of, problem.byte));
  }
}

/// `{"overlap": {"tensor": 0.5}}` is the member `overlap.tensor`; an object with a `value` is a member's own.
void add_members(const json& of, const std::string& above, std::vector<changed_member>& into) {
  for (const auto& [key, value] : of.items()) {
    if (value.is_object() && !value.contains("value"))
      add_members(value, above + key + '.', into);
    else
      into.push_back({above + key, value});
  }
}

/// What a member is given, and what an error about it begins with.
struct given {
  const json& value;
  std::string where;

  [[noreturn]] void refuse(const std::string& why) const {
    throw usage_error(fmt::format("{}: {} {}", where, value.dump(-1, ' ', false, json::error_handler_t::replace), why));
  }
};

void set(bool& member, const given& to, double) {
  if (!to.value.is_boolean()) to.refuse("is neither true nor false");
  member = to.value.get<bool>();
}

template <class Choice>
void set(Choice& member, const given& to, double) {
  std::string names;
  for (const auto& [name, choice] : choices_of<Choice>()) {
    if (to.value.is_string() && to.value.get_ref<const std::string&>() == name) {
      member = choice;
      return;
    }
    (names += names.empty() ? "" : ", ") += name;
  }
  to.refuse("is none of " + names);
}

double number_of(const given& to, double most) {
  if (!to.value.is_number()) to.refuse("is no number");
  const double number = to.value.get<double>();
  if (!(number >= 0 && number <= most))
    to.refuse(std::isfinite(most) ? fmt::format("is not between 0 and {}", most) : "is below 0");
  return number;
}
void set_number(double& member, const given& to, double most) { member = number_of(to, most); }
void set_number(std::int64_t& member, const given& to, double) {
  if (!to.value.is_number_integer() || !(to.value >= 1 && to.value <= largest_count))
    to.refuse(fmt::format("is no whole number from 1 to {}", largest_count));
  member = to.value.get<std::int64_t>();
}
template <class Quantity>
void set_number(Quantity& member, const given& to, double most) {
  member = Quantity::from_value(number_of(to, most));
}

standing standing_of(const given& to) {
  for (const standing one : {standing::assumed, standing::from_code, standing::measured})
    if (to.value == flopledger::name_of(one)) return one;
  to.refuse("is none of assumed, from code, measured");
}

/// A number, or an object of a number, its standing and its source.
template <class Value>
void set(known<Value>& member, const given& to, double most) {
  known<Value> made{.how = standing::assumed, .source = "the user"};
  if (to.value.is_object()) {
    for (const auto& [key, value] : to.value.items()) {
      const given part{value, to.where + '.' + key};
      if (key == "value") {
        set_number(made.value, part, most);
      } else if (key == "standing") {
        made.how = standing_of(part);
      } else if (key == "source") {
        if (!value.is_string()) part.refuse("is no text");
        made.source = value.template get_ref<const std::string&>();
      } else {
        part.refuse("is beside value, standing and source");
      }
    }
  } else {
    set_number(made.value, to, most);
  }
  member = made;
}

template <class Software>
void change_members(Software& software, const changed_members& by, std::string_view what) {
  for (const changed_member& one : by.all) {
    const given to{one.to, by.of + ": " + one.path};
    bool known_member = false;
    text::nearest<std::string_view> near{one.path};
    for_each_member(software, [&](const char* name, auto& member, double most) {
      near.offer(name, text::edits(one.path, name));
      if (name != one.path) return;
      known_member = true;
      set(member, to, most);
    });
    if (!known_member)
      throw usage_error(fmt::format("{}: {} has no such member{}", to.where, what,
                                    near.size > 0 ? fmt::format("; the closest: {}", near.entries[0]) : ""));
  }
}

}  // namespace

bool holds_members(std::string_view text) { return text.starts_with('{') || text.ends_with(".json"); }

changed_members read_members(const std::string& text, const std::string& option, std::string& base) {
  const bool is_file = !text.starts_with('{');
  changed_members found{.of = is_file ? option + ": " + text : option};
  json whole;
  if (is_file) {
    try {
      const std::vector<char> content = content_of(text);
      whole = parsed(std::string(content.begin(), content.end()), found.of);
    } catch (const failure& problem) {
      throw failure(option + ": " + problem.what());
    }
  } else {
    whole = parsed(text, found.of);
  }
  if (!whole.is_object()) throw usage_error(found.of + ": holds no object of members");
  if (const auto named = whole.find("base"); named != whole.end()) {
    if (!named->is_string()) throw usage_error(found.of + ": base: " + named->dump() + " is no name");
    base = named->get<std::string>();
    whole.erase(named);
  }
  add_members(whole, "", found.all);
  return found;
}

void change(framework& software, const changed_members& by) { change_members(software, by, "a framework"); }
void change(engine& software, const changed_members& by) { change_members(software, by, "an engine"); }

std::vector<std::string> paths_of(const changed_members& by) {
  std::vector<std::string> paths;
  for (const changed_member& one : by.all) paths.push_back(one.path);
  return paths;
}
std::string described(const std::vector<std::string>& paths) {
  return paths.empty() ? "" : fmt::format(" with {} changed", fmt::join(paths, ", "));
}

}  // namespace program
