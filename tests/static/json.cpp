// SPDX-License-Identifier: BSL-1.0
// The JSON reader in constant expressions; json_test.cpp has the breadth.
#include <flopledger/text/json.hpp>

namespace {

namespace json = flopledger::json;
using json::check;
using json::problem;

constexpr std::string_view config = R"({
  "architectures": ["LlamaForCausalLM"],
  "hidden\u005fsize": 4096,
  "rms_norm_eps": 1e-05,
  "rope_scaling": {"factor": 8.0, "rope_type": "llama3"},
  "rope_theta": 500000.0,
  "tie_word_embeddings": false
})";

static_assert(check(config).ok());
static_assert(check(config).offset == config.size());
static_assert(check(config).line == 8);
static_assert(check(config.substr(0, config.size() - 1)).what == problem::unexpected_end);

static_assert(check("").what == problem::unexpected_end);
static_assert(check("[1,]").what == problem::unexpected_character);
static_assert(check("[NaN]").what == problem::bad_literal);
static_assert(check("[01]").what == problem::bad_number);
static_assert(check(R"(["\x"])").what == problem::bad_escape);
static_assert(check(R"(["\ud800"])").what == problem::bad_unicode);
static_assert(check("[\"\xC0\x80\"]").what == problem::bad_utf8);
static_assert(check("[\"\n\"]").what == problem::control_character);
static_assert(check("{} {}").what == problem::trailing_characters);
static_assert(check("\xEF\xBB\xBF{}").what == problem::byte_order_mark);
static_assert(check("[1e400]").what == problem::number_out_of_range);
static_assert(check("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
                    "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]")
                  .ok());
static_assert(check("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[").what == problem::too_deep);
static_assert(check("[\"\xC3\xA9\xF0\x9F\x98\x80\\ud83d\\ude00\\n\"]").ok());

static_assert(check("{\n \"a\": 1,\n \"b\": x}").line == 3);
static_assert(check("{\n \"a\": 1,\n \"b\": x}").offset == 17);

struct summary {
  int members = 0;
  std::int64_t hidden_size = 0;
  std::int64_t theta = 0;
  double epsilon = 0;
  double factor = 0;
  std::uint32_t line_of_theta = 0;
  bool tied = true;
  bool llama = false;
  bool scaled = false;

  constexpr bool operator==(const summary&) const = default;
};

constexpr summary summarize(std::string_view text) {
  summary s;
  const json::outcome outcome = json::for_each_member(text, [&](json::slice key, const json::value& v) {
    ++s.members;
    if (key == "hidden_size") s.hidden_size = v.integer;
    if (key == "rms_norm_eps") s.epsilon = v.real;
    if (key == "tie_word_embeddings") s.tied = v.truth;
    if (key == "rope_theta") {
      s.theta = json::as_integer(v).value;
      s.line_of_theta = v.line;
    }
    if (key == "architectures") {
      json::for_each_element(v, [&](const json::value& name) { s.llama = name.text == "LlamaForCausalLM"; });
    }
    if (key == "rope_scaling") {
      json::for_each_member(v, [&](json::slice name, const json::value& u) {
        if (name == "factor") s.factor = u.real;
        if (name == "rope_type") s.scaled = u.text == "llama3";
      });
    }
  });
  return outcome.ok() ? s : summary{};
}

static_assert(summarize(config) == summary{.members = 6,
                                           .hidden_size = 4096,
                                           .theta = 500'000,
                                           .epsilon = 1e-05,
                                           .factor = 8.0,
                                           .line_of_theta = 6,
                                           .tied = false,
                                           .llama = true,
                                           .scaled = true});

constexpr json::value only_element(std::string_view text) {
  json::value result;
  json::for_each_element(text, [&](const json::value& v) { result = v; });
  return result;
}

// Numbers are what the compiler reads from the same digits, also where plain arithmetic would round twice.
static_assert(only_element("[0.1]").real == 0.1);
static_assert(only_element("[-2.5e-3]").real == -2.5e-3);
static_assert(only_element("[9007199254740993.0]").real == 9007199254740992.0);
static_assert(only_element("[0.30000000000000004]").real == 0.30000000000000004);
static_assert(only_element("[123456789012345678901234567890]").real == 123456789012345678901234567890.0);
static_assert(only_element("[1.7976931348623157e308]").real == 1.7976931348623157e308);
static_assert(only_element("[2.2250738585072011e-308]").real == 2.2250738585072011e-308);
static_assert(only_element("[5e-324]").real == 5e-324);
static_assert(only_element("[1e-400]").real == 0.0);
static_assert(only_element("[9223372036854775807]").integer == INT64_MAX);
static_assert(only_element("[-9223372036854775808]").integer == INT64_MIN);
static_assert(only_element("[9223372036854775808]").type == json::kind::real);

// What Python writes for numbers that no JSON has is taken only where it was asked for.
constexpr json::outcome python(std::string_view text) {
  return json::for_each_member(
      text, [](json::slice, const json::value&) {}, json::dialect::python);
}
static_assert(python(R"({"a": NaN, "b": [0.0, -Infinity, {"c": Infinity}]})").ok());
static_assert(!json::check(R"({"a": Infinity})").ok());
static_assert(!python(R"({"a": Infinit})").ok() && !python(R"({"a": -NaN})").ok() && !python(R"({"a": -})").ok());

static_assert(json::as_integer(only_element("[1.4e10]")).value == 14'000'000'000);
static_assert(!json::as_integer(only_element("[4096.5]")).ok);
static_assert(only_element(R"(["\u0041\u00e9\u20ac\ud83d\ude00\n"])").text == "A\u00e9\u20ac\U0001F600\n");

}  // namespace
