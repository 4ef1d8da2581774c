// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// `flopledger conventions`, and `flopledger count ... --convention`: other people's counts, and why they differ.

#include "conventions.hpp"

#include <flopledger/text/closest.hpp>
#include <flopledger/text/number.hpp>
#include <flopledger/text/table.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "filter.hpp"
#include "json.hpp"
#include "program.hpp"

namespace program {
namespace {

using namespace flopledger;
using counting::listed_convention;
using report::align;

/// "; the closest: thop", or nothing where none is near.
std::string hint(std::string_view name) {
  text::nearest<std::string_view> near{name};
  for (const listed_convention& one : counting::all) near.offer(one.name, text::edits(name, one.name));
  return near.size > 0 ? "; the closest: " + std::string(near.entries[0]) : "";
}

constexpr const char* unit_of(const listed_convention& rule) {
  return rule.reports == counting::reported_unit::flops ? "FLOP" : "MAC";
}

/// What a tool prints, and how it came to it.
struct told {
  const listed_convention& rule;
  work asked;
  counting::listed_count printed;
  parameters held;
};

told told_by(const listed_convention& rule, const subject& model, const work& asked,
             const counting::implementation& written) {
  return {.rule = rule,
          .asked = rule.asks(asked, written),
          .printed = counting::count(model.config(), asked, rule, written),
          .held = counting::count_parameters(model.config(), asked, rule, written)};
}

struct answered {
  const subject& model;
  work asked;
  const counting::implementation& written;
  told first;
  std::optional<told> second;
  flops first_total{}, second_total{};
  std::vector<counting::differing_row> rows;
};

/// Rows of several layers that differ alike are told once.
std::vector<counting::differing_row> joined(const auto& differing) {
  std::vector<counting::differing_row> rows;
  for (const counting::differing_row& one : differing) {
    const auto alike = std::find_if(rows.begin(), rows.end(), [&](const counting::differing_row& other) {
      return other.name == one.name && other.part == one.part && other.kind == one.kind &&
             other.first / other.times == one.first / one.times && other.second / other.times == one.second / one.times;
    });
    if (alike == rows.end()) {
      rows.push_back(one);
      continue;
    }
    alike->times += one.times;
    alike->first += one.first;
    alike->second += one.second;
  }
  return rows;
}

answered answer_of(const subject& model, const convention_request& asked) {
  const listed_convention& rule = find_convention(asked.convention, "--convention");
  const counting::implementation& written = find_implementation(asked.written_in, model.config());
  const work pass = pass_over(model, asked);
  if (rule.covers != counting::passes::forward && pass.decoding())
    throw usage_error(fmt::format("--context: {} covers {}, and no training step starts from a cache", rule.name,
                                  counting::name_of(rule.covers)));
  answered found{.model = model,
                 .asked = pass,
                 .written = written,
                 .first = told_by(rule, model, pass, written),
                 .second = {},
                 .rows = {}};
  if (asked.against.empty()) return found;
  const listed_convention& other = find_convention(asked.against, "--against");
  if (other.covers != rule.covers)
    throw usage_error(fmt::format("--against: {} covers {}, {} covers {}: numbers of different passes compare nothing",
                                  rule.name, counting::name_of(rule.covers), other.name,
                                  counting::name_of(other.covers)));
  found.second.emplace(told_by(other, model, pass, written));
  using rows_of_both = counting::differences<2048>;
  const auto both =
      std::make_unique<rows_of_both>(counting::difference<2048>(model.config(), pass, rule, other, written));
  found.first_total = both->first;
  found.second_total = both->second;
  found.rows = joined(*both);
  return found;
}

std::string attention_of(const told& one) { return std::string(name_of(one.asked.attention)); }

std::string for_people(const answered& found) {
  report::table head({{"", align::left}, {"", align::left}});
  head.add({"pass", described(found.model, found.asked)});
  head.add({"written in", std::string(found.written.name)});
  const auto add = [&](const told& one) {
    const double value = one.printed.value;
    head.add({std::string(one.rule.name),
              fmt::format("{} = {}, {}: {}", report::in_full(value), report::scaled(value, unit_of(one.rule)),
                          counting::name_of(one.rule.reports), one.rule.counts)});
    head.add({"", fmt::format("{}; covers {}; parameters {}", one.rule.source, counting::name_of(one.rule.covers),
                              report::in_full(one.held.value()))});
  };
  add(found.first);
  if (found.second) add(*found.second);
  std::string text = found.model.name + '\n' + head.text(2);
  if (!found.second) return text;
  const flops gap = found.second_total - found.first_total;
  const std::string_view first = found.first.rule.name, second = found.second->rule.name;
  if (found.rows.empty()) return text + fmt::format("\n{} and {} charge every row alike.\n", first, second);
  report::table rows({{"operation", align::left},
                      {"times"},
                      {fmt::format("{}, FLOPs", first)},
                      {fmt::format("{}, FLOPs", second)},
                      {"difference"},
                      {fmt::format("% of {}", first)}});
  const auto amount = [](flops what) {
    return what.value() == 0 ? std::string("-") : report::scaled(what.value(), "");
  };
  const auto share = [&](flops what) {
    if (found.first_total.value() == 0) return std::string();
    const double per_cent = 100 * static_cast<double>(what / found.first_total);
    return std::fabs(per_cent) < 0.05 ? std::string("<0.1") : fmt::format("{:+.1f}", per_cent);
  };
  std::vector<counting::differing_row> sorted = found.rows;
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return std::fabs((a.second - a.first).value()) > std::fabs((b.second - b.first).value());
  });
  for (const counting::differing_row& one : sorted) {
    std::string name(name_of(one.part));
    if (!name.empty()) name += ' ';
    name += one.name;
    const flops difference = one.second - one.first;
    rows.add({std::move(name), report::in_full(one.times), amount(one.first), amount(one.second), amount(difference),
              share(difference)});
  }
  rows.add({"all rows", "", amount(found.first_total), amount(found.second_total), amount(gap), share(gap)});
  return text + "\nRows that they charge differently, in FLOPs, two a multiply-add:\n" + rows.text();
}

void put_told(json_answer& answer, const std::string& key, const told& one) {
  json object;
  object["name"] = one.rule.name;
  object["reports"] = counting::name_of(one.rule.reports);
  object["covers"] = counting::name_of(one.rule.covers);
  object["attention"] = attention_of(one);
  answer.count(object, "value", one.printed.value, key + ".value");
  answer.count(object, "flops", one.printed.operations().value(), key + ".flops");
  answer.count(object, "parameters", one.held.value(), key + ".parameters");
  object["source"] = one.rule.source;
  answer.put(key, std::move(object));
}

json for_programs(const answered& found) {
  json_answer answer;
  answer.put("model", found.model.name);
  answer.put("architecture", found.model.config().architecture);
  answer.count("batch", found.asked.run.count);
  answer.count("sequence", found.asked.run.length);
  if (found.asked.run.cached > 0) answer.count("context", found.asked.run.cached);
  answer.put("written_in", found.written.name);
  put_told(answer, "convention", found.first);
  if (!found.second) return answer.whole();
  put_told(answer, "against", *found.second);
  answer.count("difference_flops", (found.second_total - found.first_total).value());
  json rows = json::array();
  for (const counting::differing_row& one : found.rows) {
    const std::string path = fmt::format("rows[{}]", rows.size());
    json object;
    object["name"] = one.name;
    object["part"] = name_of(one.part);
    object["kind"] = flopledger::name_of(one.kind);
    put_number(object, "repeat", one.times);
    answer.count(object, "convention_flops", one.first.value(), path + ".convention_flops");
    answer.count(object, "against_flops", one.second.value(), path + ".against_flops");
    answer.count(object, "difference_flops", (one.second - one.first).value(), path + ".difference_flops");
    rows.push_back(std::move(object));
  }
  answer.put("rows", std::move(rows));
  return answer.whole();
}

/// What a filter looks for.
bool is_shown(const listed_convention& rule, const std::string& filter) {
  return holds(rule.name, filter) || holds(rule.source, filter) || holds(rule.counts, filter);
}

std::string conventions_for_people(const std::string& filter) {
  report::table lines({{"convention", align::left},
                       {"", align::left},
                       {"prints", align::left},
                       {"covers", align::left},
                       {"what", align::left},
                       {"source", align::left}});
  for (const listed_convention& rule : counting::all)
    if (is_shown(rule, filter))
      lines.add({std::string(rule.name), std::string(rule.letter), std::string(counting::name_of(rule.reports)),
                 std::string(counting::name_of(rule.covers)), std::string(rule.counts), std::string(rule.source)});
  std::string names;
  for (const counting::implementation* written : written_in::all)
    (names += names.empty() ? "" : ", ") += option_name(written->name);
  return lines.text() +
         "\nCounters of PyTorch models depend on how the model is written; --written-in says so: " + names + ".\n";
}

}  // namespace

const listed_convention& find_convention(const std::string& name, std::string_view option) {
  const listed_convention* found = counting::find(name);
  if (found == nullptr)
    throw usage_error(
        fmt::format("{}: \"{}\" is none that `flopledger conventions` lists{}", option, name, hint(name)));
  return *found;
}

std::string option_name(std::string_view implementation) {
  std::string name;
  for (const char c : implementation) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.';
    const bool capital = c >= 'A' && c <= 'Z';
    if (c == '@')
      name += "at";
    else if (letter || capital)
      name += capital ? static_cast<char>(c - 'A' + 'a') : c;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  return name;
}

const counting::implementation& find_implementation(const std::string& name, const transformer_config& model) {
  if (name.empty()) return written_in::reference(model.architecture);
  std::string names;
  for (const counting::implementation* written : written_in::all) {
    if (option_name(written->name) == option_name(name)) return *written;
    (names += names.empty() ? "" : ", ") += option_name(written->name);
  }
  throw usage_error(fmt::format("--written-in: \"{}\" is none of {}", name, names));
}

reply count_by_convention(const convention_request& asked, output how) {
  const subject& model = find_subject(asked.model);
  const answered found = answer_of(model, asked);
  return how == output::programs ? reply(for_programs(found)) : reply(for_people(found));
}

reply list_conventions(const list_request& asked, output how) {
  require_shown(counting::all, asked.filter, is_shown);
  if (how == output::people) return reply(conventions_for_people(asked.filter));
  json whole;
  json& all = whole["conventions"] = json::array();
  for (const listed_convention& rule : counting::all) {
    if (!is_shown(rule, asked.filter)) continue;
    json one;
    one["name"] = rule.name;
    one["letter"] = rule.letter;
    one["reports"] = counting::name_of(rule.reports);
    one["covers"] = counting::name_of(rule.covers);
    one["needs_implementation"] = rule.needs_implementation;
    one["counts"] = rule.counts;
    one["source"] = rule.source;
    all.push_back(std::move(one));
  }
  json& written = whole["implementations"] = json::array();
  for (const counting::implementation* known : written_in::all) written.push_back(option_name(known->name));
  return reply(std::move(whole));
}

}  // namespace program
