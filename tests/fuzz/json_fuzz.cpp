// SPDX-License-Identifier: BSL-1.0
// Any bytes: the JSON reader takes what nlohmann-json takes, but for three differences (see json_test.cpp), and reads
// the same values.
#include <flopledger/text/json.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace {

namespace json = flopledger::json;
using json::problem;

void require(bool condition) {
  if (!condition) std::abort();
}

bool difference_is_meant(std::string_view text, const json::outcome& outcome) {
  if (outcome.what == problem::too_deep) return true;
  if (outcome.what == problem::trailing_characters) return text[outcome.offset] == '\0';
  return outcome.what == problem::byte_order_mark;
}

std::string decoded(json::slice text) {
  std::string bytes;
  json::decode(text, [&](char byte) {
    bytes += byte;
    return true;
  });
  require(text == std::string_view(bytes));
  return bytes;
}

void compare(const json::value& v, const nlohmann::json& reference) {
  switch (v.type) {
    case json::kind::null:
      return require(reference.is_null());
    case json::kind::boolean:
      return require(reference.is_boolean() && reference.get<bool>() == v.truth);
    case json::kind::integer:
      return require(reference.is_number_integer() && reference.get<std::int64_t>() == v.integer);
    case json::kind::real: {
      require(reference.is_number() && reference.get<double>() == v.real);
      const json::exact_integer exact = json::as_integer(v);
      return require(!exact.ok || static_cast<double>(exact.value) == v.real);
    }
    case json::kind::string:
      return require(decoded(v.text) == reference.get_ref<const std::string&>());
    case json::kind::array: {
      std::size_t count = 0;
      require(reference.is_array());
      require(json::for_each_element(v, [&](const json::value& element) {
                require(count < reference.size());
                compare(element, reference[count++]);
              }).ok());
      return require(count == reference.size());
    }
    case json::kind::object: {
      std::map<std::string, json::value> members;  // of equal keys the last, as in the reference
      require(reference.is_object());
      require(json::for_each_member(v, [&](json::slice key, const json::value& member) {
                members[decoded(key)] = member;
              }).ok());
      require(members.size() == reference.size());
      for (const auto& [key, member] : members) compare(member, reference.at(key));
      return;
    }
    case json::kind::non_finite:  // not in the strict dialect
      break;
  }
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const json::outcome outcome = json::check(text);
  require(outcome.offset <= size);
  require(!json::describe(outcome.what).empty());
  const bool reference = nlohmann::json::accept(text.begin(), text.end());
  require(outcome.ok() == reference || (reference && difference_is_meant(text, outcome)));

  const auto agrees = [&](const json::outcome& walked, problem other_kind) {
    return walked.what == other_kind ||
           (walked.what == outcome.what && walked.offset == outcome.offset && walked.line == outcome.line);
  };
  require(agrees(json::for_each_member(text, [](json::slice, const json::value&) {}), problem::not_an_object));
  require(agrees(json::for_each_element(text, [](const json::value&) {}), problem::not_an_array));
  if (!outcome.ok()) return 0;

  const std::string wrapped = "[" + std::string(text) + "]";
  const json::outcome inside = json::for_each_element(
      wrapped, [&](const json::value& v) { compare(v, nlohmann::json::parse(text.begin(), text.end())); });
  require(inside.ok() || inside.what == problem::too_deep);
  return 0;
}
