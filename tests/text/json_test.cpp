// SPDX-License-Identifier: BSL-1.0
// The JSON reader against nlohmann-json: what is JSON, and what it says. Three differences are meant, all of them
// documents that nlohmann-json takes and this reader does not:
//   a byte order mark      RFC 8259 lets a reader take it; in a config.json it is a sign of something else gone wrong
//   more than 64 levels    without a limit the depth is the author's of the file, not ours
//   a NUL after the end    nlohmann-json takes it for the end of the input, whatever follows
#include <flopledger/text/json.hpp>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "catch.hpp"

namespace {

namespace json = flopledger::json;
using namespace std::string_view_literals;
using json::problem;

struct rejected {
  std::string_view text;
  problem what;
};

std::string repeated(std::string_view piece, std::size_t times) {
  std::string text;
  for (std::size_t k = 0; k < times; ++k) text += piece;
  return text;
}

std::string nested(std::size_t depth) { return repeated("[", depth) + repeated("]", depth); }

std::string decoded(json::slice text) {
  std::string bytes;
  json::decode(text, [&](char byte) {
    bytes += byte;
    return true;
  });
  return bytes;
}

bool accepted_by_reference(std::string_view text) { return nlohmann::json::accept(text.begin(), text.end()); }

/// Whether both take the document, or neither, or the difference is one that is meant.
bool agrees(std::string_view text) {
  const json::outcome outcome = json::check(text);
  if (outcome.ok() == accepted_by_reference(text)) return true;
  if (outcome.what == problem::byte_order_mark) return agrees(text.substr(3));
  if (outcome.what == problem::trailing_characters) return text[outcome.offset] == '\0';
  return outcome.what == problem::too_deep;
}

/// Whether v and everything in it says what the reference says.
bool same(const json::value& v, const nlohmann::json& reference) {
  switch (v.type) {
    case json::kind::null:
      return reference.is_null() && v.text.raw == "null";
    case json::kind::boolean:
      return reference.is_boolean() && v.truth == reference.get<bool>();
    case json::kind::integer:
      return reference.is_number_integer() && v.integer == reference.get<std::int64_t>() &&
             v.real == static_cast<double>(v.integer);
    case json::kind::real:
      return reference.is_number() && (reference.is_number_float() || reference.get<std::uint64_t>() > INT64_MAX) &&
             v.real == reference.get<double>() && std::signbit(v.real) == std::signbit(reference.get<double>());
    case json::kind::string: {
      const auto& plain = reference.get_ref<const std::string&>();
      return decoded(v.text) == plain && v.text == std::string_view(plain) && !(v.text == plain + "x") &&
             (plain.empty() || !(v.text == std::string_view(plain).substr(1)));
    }
    case json::kind::array: {
      std::size_t count = 0;
      bool equal = reference.is_array();
      const json::outcome outcome = json::for_each_element(v, [&](const json::value& element) {
        equal = equal && count < reference.size() && same(element, reference[count]);
        ++count;
      });
      return outcome.ok() && equal && count == reference.size();
    }
    case json::kind::object: {
      if (!reference.is_object()) return false;
      std::map<std::string, json::value> members;  // of equal keys the last, as in the reference
      const json::outcome outcome =
          json::for_each_member(v, [&](json::slice key, const json::value& member) { members[decoded(key)] = member; });
      bool equal = outcome.ok() && members.size() == reference.size();
      for (const auto& [key, member] : members) {
        equal = equal && reference.contains(key) && same(member, reference[key]);
      }
      return equal;
    }
    case json::kind::non_finite:  // not in the strict dialect
      break;
  }
  return false;
}

/// The same for a whole document, which both take.
bool says_the_same(std::string_view text) {
  const std::string wrapped = "[" + std::string(text) + "]";
  if (json::check(text).ok() && json::check(wrapped).what == problem::too_deep) return true;
  bool equal = false;
  const json::outcome outcome = json::for_each_element(
      wrapped, [&](const json::value& v) { equal = same(v, nlohmann::json::parse(text.begin(), text.end())); });
  return outcome.ok() && equal;
}

json::value only_element(const std::string& wrapped) {
  json::value result;
  REQUIRE(json::for_each_element(wrapped, [&](const json::value& v) { result = v; }).ok());
  return result;
}

double real_of(const std::string& number) { return only_element("[" + number + "]").real; }

constexpr std::string_view a_config = R"({
  "architectures": [
    "LlamaForCausalLM"
  ],
  "attention_bias": false,
  "bos_token_id": 128000,
  "eos_token_id": [128001, 128008, 128009],
  "hidden_act": "silu",
  "hidden_size": 4096,
  "initializer_range": 0.02,
  "pad\u005ftoken": null,
  "rms_norm_eps": 1e-05,
  "rope_scaling": {
    "factor": 8.0,
    "rope_type": "llama3"
  },
  "rope_theta": 500000.0,
  "_name": "caf\u00e9 \ud83d\ude00 é😀",
  "vocab_size": 128256
}
)";

constexpr std::string_view valid[] = {
    // literals and white space
    "null",
    "true",
    "false",
    " null",
    "null ",
    "\tnull\n",
    "\r\nnull\r\n",
    " \t\r\n[ \t\r\n] \t\r\n",
    "\n\n\n1",
    // numbers
    "0",
    "-0",
    "1",
    "-1",
    "10",
    "123456789",
    "9007199254740993",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551616",
    "123456789012345678901234567890",
    "0.0",
    "-0.0",
    "0.5",
    "1.0",
    "1.25",
    "0.1",
    "0.02",
    "1e5",
    "1E5",
    "1e+5",
    "1e-5",
    "1E-05",
    "1e-06",
    "1.5e3",
    "0e0",
    "0e999999999999999999999",
    "0.0e-999999999999999999999",
    "1e-400",
    "1e-999999999999999999999",
    "1e308",
    "1.7976931348623157e308",
    "1.7976931348623158e308",
    "2.2250738585072014e-308",
    "2.2250738585072011e-308",
    "5e-324",
    "4.9406564584124654e-324",
    "2.4703282292062327e-324",
    "2.4703282292062328e-324",
    "9007199254740993.0",
    "9007199254740992.99999999999999999999",
    "9007199254740993.00000000000000000001",
    "0.1000000000000000055511151231257827",
    "3.14159265358979323846264338",
    "8.41e21",
    "9.5e-22",
    "123456789.123456789e-9",
    "4096.0",
    "1.4e10",
    "100000000000000000000e-20",
    "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330286416692"
    "887"
    "910946555547851940402630657488671505820681908902000708383676273854845817711531764475730270069855571366959622842914"
    "8198"
    "60834936475292719074168444365510704342711559699508093042880",
    // strings
    R"("")",
    R"("a")",
    R"("hidden_size")",
    R"("\"\\\/\b\f\n\r\t")",
    R"("\u0000")",
    R"("\u0041\u00e9\u20ac")",
    R"("\uD83D\uDE00")",
    R"("\ud83d\ude00x")",
    R"("\uFFFF")",
    R"("\uDBFF\uDFFF")",
    R"("\uE000\uD7FF")",
    "\"\x7F\"",
    "\"\xC2\x80\"",
    "\"\xDF\xBF\"",
    "\"\xE0\xA0\x80\"",
    "\"\xED\x9F\xBF\"",
    "\"\xEE\x80\x80\"",
    "\"\xEF\xBF\xBF\"",
    "\"\xF0\x90\x80\x80\"",
    "\"\xF4\x8F\xBF\xBF\"",
    "\"\xEF\xBB\xBF\"",
    R"("// no comment")",
    R"("[{,:}]")",
    R"("\\u0041")",
    R"("\\")",
    R"("/")",
    R"("'")",
    // arrays and objects
    "[]",
    "[ ]",
    "[1]",
    "[1,2]",
    "[ 1 , 2 ]",
    "[[]]",
    "[[],[]]",
    "[{}]",
    "[null,true,false,0,\"\"]",
    "{}",
    "{ }",
    R"({"a":1})",
    R"({ "a" : 1 })",
    R"({"a":1,"b":2})",
    R"({"":0})",
    R"({"a":{}})",
    R"({"a":{"b":{"c":[{}]}}})",
    R"({"a":1,"a":2})",
    R"({"a":1,"\u0061":2})",
    R"({"a":[{"b":[]},{"b":[[]]}],"c":[]})",
    "[\n1\n,\n2\n]",
    R"({"\n":1})",
    R"([[1],[2,[3]],{"a":[4]}])",
    R"({"a":"}"})",
    R"(["]"])",
    R"({"a\"b":1})",
    a_config,
};

constexpr rejected invalid[] = {
    {""sv, problem::unexpected_end},
    {" "sv, problem::unexpected_end},
    {"\n\t\r "sv, problem::unexpected_end},
    // literals
    {"nul", problem::unexpected_end},
    {"nulL", problem::bad_literal},
    {"NULL", problem::bad_literal},
    {"True", problem::bad_literal},
    {"tru", problem::unexpected_end},
    {"truth", problem::bad_literal},
    {"truefalse", problem::trailing_characters},
    {"nullx", problem::trailing_characters},
    {"fals]", problem::bad_literal},
    {"NaN", problem::bad_literal},
    {"nan", problem::bad_literal},
    {"Infinity", problem::bad_literal},
    {"-Infinity", problem::bad_literal},
    {"-NaN", problem::bad_literal},
    {"[NaN]", problem::bad_literal},
    {"undefined", problem::bad_literal},
    {"None", problem::bad_literal},
    // numbers
    {"-", problem::unexpected_end},
    {"[-]", problem::bad_number},
    {"+1", problem::unexpected_character},
    {".5", problem::unexpected_character},
    {"-.5", problem::bad_number},
    {"1.", problem::unexpected_end},
    {"[1.]", problem::bad_number},
    {"1.e5", problem::bad_number},
    {"01", problem::bad_number},
    {"-01", problem::bad_number},
    {"00", problem::bad_number},
    {"00.5", problem::bad_number},
    {"1e", problem::unexpected_end},
    {"1e+", problem::unexpected_end},
    {"[1e]", problem::bad_number},
    {"[1e-]", problem::bad_number},
    {"1e5.5", problem::trailing_characters},
    {"1.2.3", problem::trailing_characters},
    {"0x10", problem::trailing_characters},
    {"1_000", problem::trailing_characters},
    {"1,000", problem::trailing_characters},
    {"--1", problem::bad_number},
    {"1f", problem::trailing_characters},
    {"1 2", problem::trailing_characters},
    {"1e400", problem::number_out_of_range},
    {"-1e400", problem::number_out_of_range},
    {"1.7976931348623159e308", problem::number_out_of_range},
    {"1e999999999999999999999", problem::number_out_of_range},
    {R"({"a":1e309})", problem::number_out_of_range},
    // strings
    {"\"", problem::unexpected_end},
    {"\"a", problem::unexpected_end},
    {"\"a\\", problem::unexpected_end},
    {"\"a\\\"", problem::unexpected_end},
    {"'a'", problem::unexpected_character},
    {"\"a\nb\"", problem::control_character},
    {"\"a\tb\"", problem::control_character},
    {"\"\x1F\"", problem::control_character},
    {"\"\0\""sv, problem::control_character},
    {R"("\x41")", problem::bad_escape},
    {R"("\a")", problem::bad_escape},
    {R"("\'")", problem::bad_escape},
    {R"("\U0041")", problem::bad_escape},
    {"\"\\\n\"", problem::bad_escape},
    {R"("\u")", problem::unexpected_end},
    {R"("\u12")", problem::unexpected_end},
    {R"("\u123g")", problem::bad_escape},
    {R"("\u 123")", problem::bad_escape},
    {R"("\u-123")", problem::bad_escape},
    {R"("\uD800")", problem::bad_unicode},
    {R"("\uDBFFx")", problem::bad_unicode},
    {R"("\uDC00")", problem::bad_unicode},
    {R"("\uDE00\uD83D")", problem::bad_unicode},
    {R"("\uD83D\u0041")", problem::bad_unicode},
    {R"("\uD83D\uD83D")", problem::bad_unicode},
    {R"("\uD83D\n12345")", problem::bad_unicode},
    {R"("\uD83D\uDEzz")", problem::bad_escape},
    {"\"\x80\"", problem::bad_utf8},
    {"\"\xBF\"", problem::bad_utf8},
    {"\"\xC0\x80\"", problem::bad_utf8},          // overlong
    {"\"\xC1\xBF\"", problem::bad_utf8},          // overlong
    {"\"\xE0\x80\x80\"", problem::bad_utf8},      // overlong
    {"\"\xE0\x9F\xBF\"", problem::bad_utf8},      // overlong
    {"\"\xF0\x80\x80\x80\"", problem::bad_utf8},  // overlong
    {"\"\xF0\x8F\xBF\xBF\"", problem::bad_utf8},  // overlong
    {"\"\xED\xA0\x80\"", problem::bad_utf8},      // surrogate
    {"\"\xED\xBF\xBF\"", problem::bad_utf8},      // surrogate
    {"\"\xF4\x90\x80\x80\"", problem::bad_utf8},  // beyond U+10FFFF
    {"\"\xF5\x80\x80\x80\"", problem::bad_utf8},
    {"\"\xFF\"", problem::bad_utf8},
    {"\"\xFE\xFF\"", problem::bad_utf8},
    {"\"\xC2\"", problem::bad_utf8},
    {"\"\xC2", problem::bad_utf8},
    {"\"\xE2\x82\"", problem::bad_utf8},
    {"\"\xE2\x82", problem::bad_utf8},
    {"\"\xF0\x9F\x98\"", problem::bad_utf8},
    {"\"caf\xE9\"", problem::bad_utf8},  // Latin-1
    {"\xC3\xA9", problem::unexpected_character},
    {"\xFF\xFE[\0]\0"sv, problem::bad_utf8},  // UTF-16, with its mark and without
    {"[\0]\0"sv, problem::bad_utf8},
    // arrays and objects
    {"[", problem::unexpected_end},
    {"]", problem::unexpected_character},
    {"[1", problem::unexpected_end},
    {"[1,", problem::unexpected_end},
    {"[1,]", problem::unexpected_character},
    {"[,1]", problem::unexpected_character},
    {"[,]", problem::unexpected_character},
    {"[1,,2]", problem::unexpected_character},
    {"[1 2]", problem::unexpected_character},
    {"[1;2]", problem::unexpected_character},
    {"[1}", problem::unexpected_character},
    {"[1]]", problem::trailing_characters},
    {"[\"a\":1]", problem::unexpected_character},
    {"(1)", problem::unexpected_character},
    {"{", problem::unexpected_end},
    {"}", problem::unexpected_character},
    {R"({"a")", problem::unexpected_end},
    {R"({"a":)", problem::unexpected_end},
    {R"({"a":1)", problem::unexpected_end},
    {R"({"a":1,)", problem::unexpected_end},
    {R"({"a":1,})", problem::unexpected_character},
    {R"({,"a":1})", problem::unexpected_character},
    {R"({"a"})", problem::unexpected_character},
    {R"({"a":})", problem::unexpected_character},
    {R"({"a" 1})", problem::unexpected_character},
    {R"({"a"=1})", problem::unexpected_character},
    {R"({"a"::1})", problem::unexpected_character},
    {R"({a:1})", problem::unexpected_character},
    {R"({'a':1})", problem::unexpected_character},
    {R"({1:1})", problem::unexpected_character},
    {R"({null:1})", problem::unexpected_character},
    {R"({"a":1 "b":2})", problem::unexpected_character},
    {R"({"a":1]})", problem::unexpected_character},
    {R"({"a":1}})", problem::trailing_characters},
    {R"({"a":1}{"b":2})", problem::trailing_characters},
    {"{}\n{}", problem::trailing_characters},
    // comments and white space that is none
    {"// c\n1", problem::unexpected_character},
    {"/* c */ 1", problem::unexpected_character},
    {"1 // c", problem::trailing_characters},
    {"[1, # c\n2]", problem::unexpected_character},
    {"\v1", problem::unexpected_character},
    {"\f1", problem::unexpected_character},
    {"[1,\f2]", problem::unexpected_character},
    {"\xC2\xA0"
     "1",
     problem::unexpected_character},
    {"[1\0]"sv, problem::unexpected_character},
    {"\0"sv, problem::unexpected_character},
};

}  // namespace

TEST_CASE("json: what nlohmann-json takes is taken, and says the same") {
  for (const std::string_view text : valid) {
    CAPTURE(text);
    CHECK(accepted_by_reference(text));
    CHECK(json::describe(json::check(text).what) == json::describe(problem::none));
    CHECK(says_the_same(text));
  }
}

TEST_CASE("json: what nlohmann-json refuses is refused, for the right reason") {
  for (const auto& [text, what] : invalid) {
    CAPTURE(text);
    CHECK_FALSE(accepted_by_reference(text));
    CHECK(json::describe(json::check(text).what) == json::describe(what));
  }
}

TEST_CASE("json: the differences from nlohmann-json that are meant") {
  const auto differs = [](std::string_view text, problem what, std::size_t offset) {
    CAPTURE(text);
    CHECK(accepted_by_reference(text));
    const json::outcome outcome = json::check(text);
    CHECK(json::describe(outcome.what) == json::describe(what));
    CHECK(outcome.offset == offset);
    CHECK(agrees(text));
  };
  differs("\xEF\xBB\xBF{}", problem::byte_order_mark, 0);
  differs("\xEF\xBB\xBF 1 ", problem::byte_order_mark, 0);
  differs("{}\0"sv, problem::trailing_characters, 2);
  differs("1 \0 garbage"sv, problem::trailing_characters, 2);
  differs(nested(65), problem::too_deep, 64);
  differs(nested(100'000), problem::too_deep, 64);
  CHECK(json::check(nested(64)).ok());
}

TEST_CASE("json: the limit of depth holds for objects and for walks too") {
  const std::string deep = repeated(R"({"a":)", 64) + "1" + repeated("}", 64);
  const std::string deeper = repeated(R"([{"a":)", 32) + "[]" + repeated("}]", 32);
  CHECK(json::check(deep).ok());
  CHECK(json::check(deeper).what == problem::too_deep);
  CHECK(json::for_each_member(deep, [](json::slice, const json::value&) {}).ok());
  CHECK(json::for_each_element(deeper, [](const json::value&) {}).what == problem::too_deep);
  CHECK(json::check(std::string(1'000'000, '[')).what == problem::too_deep);
}

TEST_CASE("json: a config cut off at any byte is refused, and what was handed out before is right") {
  std::vector<std::string_view> keys;
  json::for_each_member(a_config, [&](json::slice key, const json::value&) { keys.push_back(key.raw); });
  for (std::size_t length = 0; length + 2 <= a_config.size(); ++length) {  // the last byte is a line feed
    const std::string_view text = a_config.substr(0, length);
    CAPTURE(length);
    const json::outcome outcome = json::check(text);
    CHECK_FALSE(outcome.ok());
    CHECK_FALSE(accepted_by_reference(text));
    CHECK(outcome.offset <= length);
    std::size_t members = 0;
    const json::outcome walked = json::for_each_member(text, [&](json::slice key, const json::value&) {
      REQUIRE(members < keys.size());
      CHECK(key.raw == keys[members++]);
    });
    CHECK(walked.what == outcome.what);
    CHECK(walked.offset == outcome.offset);
    CHECK(walked.line == outcome.line);
  }
}

TEST_CASE("json: nothing behind the end of the text is read") {
  for (const std::string_view text : valid) {
    for (std::size_t length = 0; length <= text.size(); ++length) {
      const std::vector<char> exact(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(length));
      CHECK(agrees({exact.data(), exact.size()}));  // the sanitizers watch the end of the block
    }
  }
  CHECK(json::check({}).what == problem::unexpected_end);
}

TEST_CASE("json: mutations of valid documents are taken by both or by neither") {
  std::mt19937 random(20240917);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  constexpr std::string_view alphabet = "{}[]:,\"\\/0123456789.eE+-truefalsn \n\t\r\x01\x80\xC3\xA9\xED\xA0\xF0\x90u";
  std::size_t taken = 0;
  std::size_t refused = 0;
  for (int round = 0; round < 60'000; ++round) {
    std::string text(valid[below(std::size(valid))]);
    for (std::size_t edit = below(4); edit + 1 > 0; --edit) {
      const std::size_t at = below(text.size() + 1);
      const char letter = alphabet[below(alphabet.size())];
      switch (below(4)) {
        case 0:
          text.insert(at, 1, letter);
          break;
        case 1:
          if (at < text.size()) text[at] = letter;
          break;
        case 2:
          if (at < text.size()) text.erase(at, 1 + below(3));
          break;
        default:
          text.insert(at, text.substr(below(text.size() + 1), below(12)));
          break;
      }
      if (edit == 0) break;
    }
    CAPTURE(text);
    REQUIRE(agrees(text));
    if (json::check(text).ok()) {
      ++taken;
      REQUIRE(says_the_same(text));
    } else {
      ++refused;
    }
  }
  CHECK(taken > 5'000);
  CHECK(refused > 5'000);
}

TEST_CASE("json: a number is the nearest double, as the reference reads it") {
  std::mt19937_64 random(8259);
  for (int round = 0; round < 20'000; ++round) {
    std::string number = random() % 2 == 0 ? "-" : "";
    const std::size_t digits = 1 + random() % 25;
    number += static_cast<char>('1' + random() % 9);
    for (std::size_t k = 1; k < digits; ++k) {
      if (k == digits / 2) number += '.';
      number += static_cast<char>('0' + random() % 10);
    }
    if (random() % 4 != 0) number += "e" + std::to_string(static_cast<int>(random() % 640) - 330);
    CAPTURE(number);
    REQUIRE(agrees(number));
    if (json::check(number).ok()) REQUIRE(says_the_same(number));
  }
  // exactly half way between two doubles, and to both sides of it, with more digits than any buffer holds
  const std::string half = "9007199254740993." + std::string(5000, '0');
  CHECK(real_of(half) == 9007199254740992.0);
  CHECK(real_of(half + "1") == 9007199254740994.0);
  CHECK(real_of("9007199254740992." + std::string(5000, '9')) == 9007199254740992.0);
  CHECK(real_of("0." + std::string(5000, '0') + "1") == 0.0);
  CHECK(real_of("0." + std::string(5000, '0') + "1e5001") == 1.0);
  CHECK(real_of("1" + std::string(5000, '0') + "e-5000") == 1.0);
  CHECK(real_of("2.4703282292062327208e-324") == 0.0);  // below half of the least
  CHECK(real_of("2.4703282292062327209e-324") == std::numeric_limits<double>::denorm_min());
}

TEST_CASE("json: an integer is one in whatever way it is written, or not at all") {
  const auto integer = [](const std::string& number) { return json::as_integer(only_element("[" + number + "]")); };
  const auto is = [&](const std::string& number, std::int64_t expected) {
    CAPTURE(number);
    CHECK(integer(number).ok);
    CHECK(integer(number).value == expected);
  };
  is("4096", 4096);
  is("-7", -7);
  is("4096.0", 4096);
  is("4096.000", 4096);
  is("1.4e10", 14'000'000'000);
  is("0.5e1", 5);
  is("500000.0", 500'000);
  is("-1.5E+1", -15);
  is("1200e-2", 12);
  is("0.0", 0);
  is("-0.0e5", 0);
  is("0e99999999999999999999", 0);
  is("1.0e0", 1);
  is("9223372036854775807.0", INT64_MAX);
  is("-9223372036854775808.0", INT64_MIN);
  is("9223372036854775807000e-3", INT64_MAX);
  is("0.000000000000000000009223372036854775807e39", INT64_MAX);
  is("1" + std::string(3000, '0') + "e-3000", 1);
  for (const char* const number : {"0.5", "4096.5", "1e-1", "1250e-2", "9223372036854775808", "9223372036854775808.0",
                                   "-9223372036854775809", "1e19", "1e300", "4096.00000000000000000000000001",
                                   "1e-99999999999999999999", "true", "null", "\"4096\"", "[4096]"}) {
    CAPTURE(number);
    CHECK_FALSE(integer(number).ok);
  }
}

TEST_CASE("json: a walk hands out members in order, with their lines") {
  struct seen {
    std::string key;
    json::kind type;
    std::uint32_t line;
  };
  std::vector<seen> members;
  const json::outcome outcome = json::for_each_member(a_config, [&](json::slice key, const json::value& v) {
    members.push_back({decoded(key), v.type, v.line});
    CHECK((a_config[v.offset] == '"' ? a_config.substr(v.offset + 1) : a_config.substr(v.offset))
              .starts_with(v.text.raw));
    if (key == "pad_token") {
      CHECK(key.escaped);
      CHECK_FALSE(key == "pad_toke");
      CHECK_FALSE(key == "pad_tokens");
    }
    if (key == "rope_scaling") {
      const json::outcome inner = json::for_each_member(v, [&](json::slice name, const json::value& u) {
        CHECK(u.line == (name == "factor" ? 14 : 15));
        CHECK(a_config.substr(u.offset).starts_with(name == "factor" ? "8.0" : "\"llama3\""));
      });
      CHECK(inner.ok());
    }
  });
  CHECK(outcome.ok());
  CHECK(outcome.offset == a_config.size());
  REQUIRE(members.size() == 13);
  CHECK(members[0].key == "architectures");
  CHECK(members[0].type == json::kind::array);
  CHECK(members[0].line == 2);
  CHECK(members[7].key == "pad_token");
  CHECK(members[7].line == 11);
  CHECK(members[12].key == "vocab_size");
  CHECK(members[12].line == 19);
}

TEST_CASE("json: a problem is found at its line and offset, and is the same for every way of reading") {
  const std::string text = "{\n  \"a\": [\n    1,\n    02\n  ]\n}";
  for (const json::outcome& outcome :
       {json::check(text), json::for_each_member(text, [](json::slice, const json::value&) { FAIL("not reached"); })}) {
    CHECK(outcome.what == problem::bad_number);
    CHECK(outcome.line == 4);
    CHECK(outcome.offset == text.find("02"));
  }
}

TEST_CASE("json: a walk stops where it is told to, and takes only what it is made for") {
  int calls = 0;
  const auto first = [&](json::slice, const json::value&) { return ++calls < 2; };
  CHECK(json::for_each_member(R"({"a":1,"b":2,"c":!)", first).ok());
  CHECK(calls == 2);
  calls = 0;
  CHECK(json::for_each_element("[1,2,3]", [&](const json::value&) { return ++calls < 2; }).ok());
  CHECK(calls == 2);

  const auto ignore_member = [](json::slice, const json::value&) {};
  const auto ignore_element = [](const json::value&) {};
  CHECK(json::for_each_member("[]", ignore_member).what == problem::not_an_object);
  CHECK(json::for_each_member("1", ignore_member).what == problem::not_an_object);
  CHECK(json::for_each_element("{}", ignore_element).what == problem::not_an_array);
  CHECK(json::for_each_member("{} x", ignore_member).what == problem::trailing_characters);
  CHECK(json::for_each_member("", ignore_member).what == problem::unexpected_end);
  CHECK(json::for_each_member(json::value{}, ignore_member).what == problem::not_an_object);
  CHECK(json::for_each_element(only_element("[{}]"), ignore_element).what == problem::not_an_array);

  std::vector<std::string> keys;
  CHECK(json::for_each_member(R"({"a":1,"b":2,"\u0061":3})", [&](json::slice key, const json::value& v) {
          if (key == "a") keys.push_back(std::string(v.text.raw));
        }).ok());
  CHECK(keys == std::vector<std::string>{"1", "3"});
}

TEST_CASE("json: every problem has words") {
  for (int k = 0; k <= static_cast<int>(problem::not_an_array); ++k) {
    CHECK(json::describe(static_cast<problem>(k)) != "unknown problem");
  }
}

TEST_CASE("a text by itself is a number, or none") {
  for (const char* text :
       {"0", "-3", "4096", "0.1", "1e22", "2.2250738585072014e-308", "123456789012345678901234567890"}) {
    INFO(text);
    const json::value found = json::number_in(text);
    REQUIRE(found.type != json::kind::null);
    CHECK(found.real == std::strtod(text, nullptr));
  }
  for (const char* text : {"", "-", "+1", " 1", "1 ", "1,000", "nan", "inf", "0x10", "1e400", "1.", ".5", "1e"}) {
    INFO(text);
    CHECK(json::number_in(text).type == json::kind::null);
  }
}
