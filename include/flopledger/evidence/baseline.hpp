// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A recorded run that later ones are compared with: what it ran on, what it ran, and what came out. A number without
/// these four is compared with nothing.

#include <flopledger/text/json.hpp>

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flopledger {

enum class better : std::uint8_t { lower, higher };

/// One measured number. The unit is part of its name: `step_seconds`, `peak_reserved_bytes`.
struct metric {
  std::string name{};
  double value = 0;
  better direction = better::lower;
  friend bool operator==(const metric&, const metric&) = default;
};

struct baseline {
  std::string hardware{};  ///< devices, how many, how connected, clocks and power limit
  std::string software{};  ///< framework, libraries, driver, flags, revision
  std::string model{};
  std::string shapes{};  ///< batch, sequence, plan, precision
  std::vector<metric> metrics{};

  const metric* find(std::string_view name) const {
    for (const metric& one : metrics)
      if (one.name == name) return &one;
    return nullptr;
  }
  friend bool operator==(const baseline&, const baseline&) = default;
};

enum class verdict_on_change : std::uint8_t { within_tolerance, improved, regressed, missing, added };

/// One metric, before and now.
struct metric_change {
  std::string name{};
  double before = 0, now = 0;
  double relative = 0;  ///< now over before, less one
  verdict_on_change judged = verdict_on_change::within_tolerance;
};

struct comparison_with_baseline {
  std::vector<std::string>
      differing{};  ///< of hardware, software, model, shapes: a comparison across these says little
  std::vector<metric_change> changes{};

  bool like_for_like() const { return differing.empty(); }
  bool regressed() const {
    for (const metric_change& change : changes)
      if (change.judged == verdict_on_change::regressed || change.judged == verdict_on_change::missing) return true;
    return false;
  }
};

/// A later run against its baseline. `tolerance` is relative: what noise explains, by default 5 %.
inline comparison_with_baseline compare(const baseline& before, const baseline& now, double tolerance = 0.05) {
  comparison_with_baseline result;
  const auto note = [&](const char* what, const std::string& one, const std::string& other) {
    if (one != other) result.differing.emplace_back(what);
  };
  note("hardware", before.hardware, now.hardware);
  note("software", before.software, now.software);
  note("model", before.model, now.model);
  note("shapes", before.shapes, now.shapes);
  for (const metric& old : before.metrics) {
    metric_change change{.name = old.name, .before = old.value};
    if (const metric* later = now.find(old.name); later == nullptr) {
      change.judged = verdict_on_change::missing;
    } else {
      change.now = later->value;
      const double difference = later->value - old.value;
      change.relative = old.value != 0 ? difference / std::abs(old.value) : 0;
      const double allowed = tolerance * std::abs(old.value);
      if (std::abs(difference) > allowed || !std::isfinite(later->value)) {
        const bool good = old.direction == better::lower ? difference < 0 : difference > 0;
        change.judged = good ? verdict_on_change::improved : verdict_on_change::regressed;
      }
    }
    result.changes.push_back(std::move(change));
  }
  for (const metric& later : now.metrics)
    if (before.find(later.name) == nullptr)
      result.changes.push_back({.name = later.name, .now = later.value, .judged = verdict_on_change::added});
  return result;
}

// JSON
// -----------------------------------------------------------------------------------------------------------------

namespace detail {
inline void put_json(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr char digits[] = "0123456789abcdef";
      out += "\\u00";
      out += digits[static_cast<unsigned char>(c) / 16];
      out += digits[static_cast<unsigned char>(c) % 16];
    } else {
      out += c;
    }
  }
  out += '"';
}
// The shortest text that reads back as the same double.
inline void put_json(std::string& out, double number) {
  if (!std::isfinite(number)) {
    out += "null";
    return;
  }
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, number);
  out.append(buffer, end.ptr);
}
}  // namespace detail

inline std::string to_json(const baseline& recorded) {
  std::string out = "{\n";
  const auto field = [&](std::string_view key, std::string_view text) {
    out += "  ";
    detail::put_json(out, key);
    out += ": ";
    detail::put_json(out, text);
    out += ",\n";
  };
  field("hardware", recorded.hardware);
  field("software", recorded.software);
  field("model", recorded.model);
  field("shapes", recorded.shapes);
  out += "  \"metrics\": [";
  bool first = true;
  for (const metric& one : recorded.metrics) {
    out += first ? "\n    {\"name\": " : ",\n    {\"name\": ";
    first = false;
    detail::put_json(out, one.name);
    out += ", \"value\": ";
    detail::put_json(out, one.value);
    out += one.direction == better::lower ? ", \"better\": \"lower\"}" : ", \"better\": \"higher\"}";
  }
  out += first ? "]\n}\n" : "\n  ]\n}\n";
  return out;
}

/// What reading a baseline came to: the value, or what is wrong and where.
struct read_baseline_result {
  std::optional<baseline> value{};
  std::string problem{};
  std::uint32_t line = 0;
};

/// Reads what `to_json` writes. Unknown keys are passed over; a missing or ill-typed one is named.
inline read_baseline_result read_baseline(std::string_view document) {
  baseline made;
  std::string problem;
  std::uint32_t line = 0;
  unsigned seen = 0;
  const auto fail = [&](std::string text, std::uint32_t where) {
    problem = std::move(text);
    line = where;
    return false;
  };
  const auto text_of = [](const json::slice& text) {
    std::string plain;
    json::decode(text, [&](char c) {
      plain += c;
      return true;
    });
    return plain;
  };
  constexpr std::string_view keys[] = {"hardware", "software", "model", "shapes"};
  std::string* const fields[] = {&made.hardware, &made.software, &made.model, &made.shapes};
  const auto read_metric = [&](const json::value& element) {
    metric one;
    bool named = false, valued = false, good = true;
    const json::outcome inner = json::for_each_member(element, [&](const json::slice& key, const json::value& v) {
      if (key == "name" && v.type == json::kind::string) {
        one.name = text_of(v.text);
        named = true;
      } else if (key == "value" && (v.type == json::kind::integer || v.type == json::kind::real)) {
        one.value = v.real;
        valued = true;
      } else if (key == "better") {
        good = v.type == json::kind::string && (v.text == "lower" || v.text == "higher");
        if (good) one.direction = v.text == "lower" ? better::lower : better::higher;
      }
      return good;
    });
    if (!inner.ok() || !named || !valued || !good)
      return fail("metrics: each needs a `name`, a number as `value`, and \"lower\" or \"higher\" as `better`",
                  element.line);
    made.metrics.push_back(std::move(one));
    return true;
  };
  const json::outcome outcome = json::for_each_member(document, [&](const json::slice& key, const json::value& v) {
    for (unsigned i = 0; i < 4; ++i)
      if (json::equals(key, keys[i])) {
        if (v.type != json::kind::string) return fail(std::string(keys[i]) + ": not a string", v.line);
        *fields[i] = text_of(v.text);
        seen |= 1U << i;
      }
    if (key == "metrics") {
      if (v.type != json::kind::array) return fail("metrics: not an array", v.line);
      json::for_each_element(v, [&](const json::value& element) { return read_metric(element); });
      seen |= 16U;
      return problem.empty();
    }
    return true;
  });
  if (!problem.empty()) return {.problem = std::move(problem), .line = line};
  if (!outcome.ok()) return {.problem = std::string(json::describe(outcome.what)), .line = outcome.line};
  for (unsigned i = 0; i < 4; ++i)
    if ((seen & (1U << i)) == 0) return {.problem = std::string(keys[i]) + ": missing", .line = 1};
  if ((seen & 16U) == 0) return {.problem = "metrics: missing", .line = 1};
  return {.value = std::move(made)};
}

}  // namespace flopledger
