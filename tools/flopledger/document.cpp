// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "document.hpp"

#include <flopledger/text/number.hpp>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include <fmt/format.h>

#include "option_table.hpp"
#include "sensitivity.hpp"

namespace program {
namespace {

using namespace flopledger;
using report::align;

std::string text_at(const json& answer, const std::string& pointer) {
  return answer.at(json::json_pointer(pointer)).get<std::string>();
}

double number_at(const json& answer, const std::string& pointer) {
  const json& found = answer.at(json::json_pointer(pointer));
  return found.is_number() ? found.get<double>() : 0;
}

/// "micro_batch" as "micro batch"; a unit at the end is that of the value.
std::string words_of(std::string_view key) {
  std::string words(key);
  for (const std::string_view unit : {"_bytes", "_seconds", "_flop_per_second", "_bytes_per_second"})
    if (key.ends_with(unit)) words.resize(key.size() - unit.size());
  std::replace(words.begin(), words.end(), '_', ' ');
  if (words.starts_with("kv ")) words.replace(0, 2, "KV");
  return words;
}

/// A step of a JSON pointer: "~" and "/" of a key have escapes (RFC 6901).
std::string escaped(const std::string& key) {
  std::string safe;
  for (const char c : key) safe += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return safe;
}

/// Two columns: what an answer has under some keys, and what they are called.
struct named_key {
  std::string name, pointer;
};
document_table facts_of(const json& answer, const std::vector<named_key>& keys, align side = align::right) {
  document_table table{.columns = {{"", align::left}, {"", side}}};
  for (const auto& [name, pointer] : keys)
    if (answer.contains(json::json_pointer(pointer))) table.rows.push_back({{name}, cell_at(answer, pointer)});
  return table;
}

/// An array of objects: a row each, and a column for each of these keys.
document_table rows_of(const json& answer, const std::string& pointer, const std::vector<named_key>& keys) {
  document_table table;
  const json& all = answer.at(json::json_pointer(pointer));
  for (const named_key& one : keys) {
    const auto is_text = [&](const json& row) { return row.contains(one.pointer) && row.at(one.pointer).is_string(); };
    table.columns.push_back({one.name, std::any_of(all.begin(), all.end(), is_text) ? align::left : align::right});
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<cell> row;
    for (const auto& [name, key] : keys)
      row.push_back(all[i].contains(key) ? cell_at(answer, fmt::format("{}/{}/{}", pointer, i, escaped(key)))
                                         : cell{"-"});
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// Every value of an object, by the words of its keys; objects in it under their own.
void add_values(document_table& table, const json& answer, const std::string& pointer, const std::string& above = {}) {
  for (const auto& [key, value] : answer.at(json::json_pointer(pointer)).items()) {
    const std::string at = pointer + '/' + escaped(key), name = above + words_of(key);
    if (value.is_object())
      add_values(table, answer, at, name + ' ');
    else if (!value.is_array())
      table.rows.push_back({{name}, cell_at(answer, at)});
    else if (!value.empty())
      table.rows.push_back({{name}, {value.dump(-1, ' ', false, json::error_handler_t::replace)}});
  }
}
section values_section(const json& answer, const std::string& title, const std::string& pointer) {
  section made{.title = title, .table = {.columns = {{"", align::left}, {"", align::left}}}};
  add_values(made.table, answer, pointer);
  return made;
}

std::string device_title(const json& answer, std::string_view verb) {
  return fmt::format("{}{} on {} × {}", verb, text_at(answer, "/model"), answer.at("devices").dump(),
                     text_at(answer, "/device"));
}

/// How far predictions were off, and which figures are doubtful.
void add_standing(document& made, const json& answer) {
  if (answer.contains("error_bands") && !answer.at("error_bands").empty())
    made.sections.push_back({.title = "Times, predicted over measured less one, where it was tried",
                             .table = rows_of(answer, "/error_bands",
                                              {{"table", "table"},
                                               {"ran under", "framework"},
                                               {"rows", "rows"},
                                               {"median error, %", "median_percent"},
                                               {"rows inside, %", "inside_percent"},
                                               {"from, %", "lowest_percent"},
                                               {"to, %", "highest_percent"}})});
  if (answer.at("doubtful").empty()) return;
  section doubtful{.title = "Doubtful",
                   .about = "These figures stand on ones of the data sheet that sources disagree on.",
                   .table = {.columns = {{"key", align::left}}}};
  for (const json& key : answer.at("doubtful")) doubtful.table.rows.push_back({{key.get<std::string>()}});
  made.sections.push_back(std::move(doubtful));
}

/// A device's memory and the part of it that may be filled, where it is published.
std::vector<drawn_mark> limits_of(const json& answer, const std::string& memory) {
  std::vector<drawn_mark> marks;
  for (const auto& [name, key] : {std::pair{"device", "/device_bytes"}, {"may be filled", "/available_bytes"}})
    if (const cell found = cell_at(answer, memory + key); found.value.is_number())
      marks.push_back({fmt::format("{}: {}", name, found.text), found.value.get<double>()});
  return marks;
}

constexpr std::string_view memory_lines[] = {"weights", "kv_cache", "gradients", "optimizer", "activations",
                                             "logits",  "buffers",  "workspace", "reserve"};

/// Memory by its lines, a bar for each of the accounts at these pointers.
drawn_bars memory_bars(const json& answer, const std::vector<named_key>& accounts) {
  drawn_bars what{.name = "memory",
                  .title = "Memory of a device by what holds it",
                  .unit = axis_unit::bytes,
                  .axis = "memory of a device"};
  std::vector<std::string> keys;
  for (const std::string_view line : memory_lines) {
    const std::string key = fmt::format("/{}_bytes", line);
    const auto is_there = [&](const named_key& account) {
      return answer.contains(json::json_pointer(account.pointer + key)) && number_at(answer, account.pointer + key) > 0;
    };
    if (std::none_of(accounts.begin(), accounts.end(), is_there)) continue;
    keys.push_back(key);
    what.series.push_back(words_of(line));
  }
  for (const auto& [name, pointer] : accounts) {
    drawn_bar bar{.label = name, .parts = {}, .text = cell_at(answer, pointer + "/total_bytes").text};
    for (const std::string& key : keys) bar.parts.push_back(number_at(answer, pointer + key));
    what.about += fmt::format("{}{}: {} in all", what.about.empty() ? "" : "; ", name, bar.text);
    what.bars.push_back(std::move(bar));
  }
  what.marks = limits_of(answer, "/memory");
  for (const drawn_mark& mark : what.marks) what.about += "; " + mark.label;
  return what;
}

std::vector<named_key> memory_columns(const json& account) {
  std::vector<named_key> columns;
  for (const std::string_view line : memory_lines) {
    const std::string key = fmt::format("{}_bytes", line);
    if (account.contains(key)) columns.push_back({words_of(line), key});
  }
  columns.push_back({"total", "total_bytes"});
  return columns;
}

struct step_part {
  std::string name, pointer;
  std::size_t cause = 0;  ///< series
};

/// What a step is made of, one after another; and its floors.
drawn_bars step_bars(const json& answer, const std::vector<step_part>& parts) {
  drawn_bars what{.name = "step",
                  .title = "Time of a step by its causes",
                  .unit = axis_unit::seconds,
                  .axis = "time of a step",
                  .series = {"computing", "communication that is not hidden", "waiting", "optimizer"}};
  double begins = 0;
  for (const auto& [name, pointer, cause] : parts) {
    const cell time = cell_at(answer, pointer);
    if (number_at(answer, pointer) == 0) continue;
    drawn_bar bar{.label = name, .parts = {0, 0, 0, 0}, .text = time.text, .begins = begins};
    begins += bar.parts[cause] = time.value.get<double>();
    what.about += fmt::format("{} {}; ", name, time.text);
    what.bars.push_back(std::move(bar));
  }
  const cell whole = cell_at(answer, "/time/step_seconds");
  what.about += "step " + whole.text;
  for (const auto& [name, key] : {std::pair{"roofline of the plan", "/time/roofline_seconds"},
                                  {"floor: products at the peak", "/time/floor_seconds"}}) {
    const cell mark = cell_at(answer, key);
    what.marks.push_back({fmt::format("{} {}", name, mark.text), mark.value.get<double>()});
  }
  return what;
}

section step_section(const json& answer) {
  const std::string apart = "/time/exposed_communication_seconds/";
  const std::vector<step_part> parts{
      {"forward", "/time/forward_seconds", 0},           {"backward", "/time/backward_seconds", 0},
      {"recompute", "/time/recompute_seconds", 0},       {"bubble", "/time/bubble_seconds", 2},
      {"tensor communication", apart + "tensor", 1},     {"context communication", apart + "context", 1},
      {"expert communication", apart + "expert", 1},     {"pipeline communication", apart + "pipeline", 1},
      {"data communication", apart + "data", 1},         {"optimizer", "/time/optimizer_seconds", 3},
      {"data loading", "/time/data_loading_seconds", 2}, {"host", "/time/host_seconds", 2}};
  std::vector<named_key> lines;
  for (const step_part& part : parts)
    if (number_at(answer, part.pointer) > 0) lines.push_back({part.name, part.pointer});
  for (const named_key& line :
       std::initializer_list<named_key>{{"step", "/time/step_seconds"},
                                        {"roofline of the plan", "/time/roofline_seconds"},
                                        {"floor", "/time/floor_seconds"},
                                        {"MFU", "/time/mfu"},
                                        {"MFU, causal", "/time/mfu_causal"},
                                        {"HFU", "/time/hfu"},
                                        {"tokens/s", "/time/tokens_per_second"},
                                        {"tokens/s a device", "/time/tokens_per_second_per_device"}})
    lines.push_back(line);
  const drawn_bars bars = step_bars(answer, parts);
  return {.title = "Time of a step",
          .about = "The parts add up to the step.",
          .table = facts_of(answer, lines),
          .pictures = {drawn(bars)},
          .bars = {bars}};
}

/// The passes of the pipeline, stage below stage, and what a step has before and behind them.
section timeline_section(const json& answer) {
  section made{.title = "Timeline of the pipeline",
               .about =
                   "Each pass as early as its stage's order and the pass before it allow. The step counts the "
                   "idle time of its slowest stage with every micro-batch; uneven stages make up for some of it: "
                   "idle time beyond the passes.",
               .table = facts_of(answer, {{"stages", "/timeline/stages"},
                                          {"micro-batches", "/timeline/micro_batches"},
                                          {"pieces on a stage", "/timeline/pieces"},
                                          {"passes", "/timeline/passes"},
                                          {"data loading", "/timeline/data_loading_seconds"},
                                          {"last pass ends", "/timeline/passes_end_seconds"},
                                          {"idle beyond the passes", "/timeline/idle_beyond_seconds"},
                                          {"exchange of replicas", "/timeline/exchange_seconds"},
                                          {"optimizer", "/timeline/optimizer_seconds"},
                                          {"step ends", "/timeline/ends_seconds"}})};
  const json& slots = answer.at("timeline").at("slots");
  constexpr std::size_t most_drawn = 4000;
  if (slots.empty() || slots.size() > most_drawn) return made;
  const std::string ends = cell_at(answer, "/timeline/ends_seconds").text;
  drawn_timeline what{
      .name = "timeline",
      .title = "Which stage works on which micro-batch when",
      .axis = "time since the step began",
      .series = {"forward", "data loading", "exchange of replicas", "backward", "optimizer", "idle beyond the passes"},
      .ends = number_at(answer, "/timeline/ends_seconds")};
  const auto stages = answer.at("timeline").at("stages").get<std::size_t>();
  const double pieces = number_at(answer, "/timeline/pieces");
  what.about = fmt::format("{} stages, {} passes; the step ends after {}", stages, slots.size(), ends);
  if (pieces > 1) what.series[0] += ", later pieces lighter";
  for (std::size_t i = 0; i < stages; ++i) what.rows.push_back(fmt::format("stage {}", i));
  for (const json& one : slots) {
    const double piece = one.at("piece").get<double>();
    what.slots.push_back({.row = one.at("stage").get<std::size_t>(),
                          .series = one.at("backward").get<bool>() ? std::size_t{3} : std::size_t{0},
                          .begins = one.at("begins_seconds").get<double>(),
                          .lasts = one.at("seconds").get<double>(),
                          .label = one.at("micro_batch").dump(),
                          .shade = 1 - 0.5 * piece / pieces});
  }
  double begins = number_at(answer, "/timeline/passes_end_seconds");
  what.slots.push_back({.rows = stages, .series = 1, .lasts = number_at(answer, "/timeline/data_loading_seconds")});
  for (const auto& [series, key] : {std::pair{5, "idle_beyond"}, {2, "exchange"}, {4, "optimizer"}}) {
    const double lasts = number_at(answer, fmt::format("/timeline/{}_seconds", key));
    what.slots.push_back(
        {.rows = stages, .series = static_cast<std::size_t>(series), .begins = begins, .lasts = lasts});
    begins += lasts;
  }
  made.pictures.push_back(drawn(what));
  return made;
}

section operations_section(const json& answer) {
  section made{.title = "Operations",
               .about = "Numbers of one instance; the model holds as many as the column says.",
               .table = rows_of(answer, "/operations",
                                {{"operation", "name"},
                                 {"as many", "repeat"},
                                 {"parameters", "parameters"},
                                 {"product FLOPs", "matmul_flops"},
                                 {"moved", "moved_bytes"},
                                 {"at the peak", "floor_compute_seconds"},
                                 {"at the bandwidth", "floor_bandwidth_seconds"},
                                 {"bound by", "bound_by"}})};
  made.table.columns.insert(made.table.columns.begin(), {"no.", align::right});
  for (std::size_t i = 0; i < made.table.rows.size(); ++i)
    made.table.rows[i].insert(made.table.rows[i].begin(), {std::to_string(i + 1)});
  return made;
}

/// What differs of plans, and what each takes.
document_table plans_table(const json& answer, const std::string& list) {
  const json& plans = answer.at(json::json_pointer(list));
  std::vector<std::string> keys{"step_seconds", "memory_bytes", "step_usd", "devices"};
  std::vector<std::string> degrees;
  for (const auto& [key, value] : plans[0].at("plan").items()) degrees.push_back(key);
  document_table table;
  std::vector<std::string> pointers;
  for (const std::string& key : keys)
    if (plans[0].contains(key)) pointers.push_back('/' + escaped(key));
  for (const std::string& key : degrees) pointers.push_back("/plan/" + escaped(key));
  for (const std::string& pointer : pointers)
    table.columns.push_back({words_of(pointer.substr(pointer.rfind('/') + 1)), align::right});
  for (std::size_t i = 0; i < plans.size(); ++i) {
    std::vector<cell> row;
    for (const std::string& pointer : pointers)
      row.push_back(cell_at(answer, fmt::format("{}/{}{}", list, i, pointer)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// The front by the time of a step and what is traded for it.
void draw_front(section& into, const json& answer) {
  const std::string traded = text_at(answer, "/front_trades");
  drawn_lines what{.name = "front",
                   .title = into.title,
                   .x = {traded == "memory_bytes" ? "memory of a device"
                         : traded == "step_usd"   ? "USD a step"
                                                  : words_of(traded),
                         traded.ends_with("bytes") ? axis_unit::bytes : axis_unit::count},
                   .y = {"time of a step", axis_unit::seconds},
                   .series = {{.label = "plans"}}};
  for (const json& one : answer.at("front"))
    what.series[0].points.push_back({one.at(traded).get<double>(), one.at("step_seconds").get<double>()});
  what.about = fmt::format("{} plans", what.series[0].points.size());
  into.pictures.push_back(drawn(what));
}

/// A number of a sweep by the first option, a line for each value of the second; none where they are no numbers.
void draw_sweep(section& into, const json& answer, const std::string& shown) {
  const json& over = answer.at("over");
  const auto first = over[0].get<std::string>();
  drawn_lines what{.name = shown,
                   .title = fmt::format("{} by {}", shown, first),
                   .x = {words_of(first), axis_unit::count, true},
                   .y = {shown, shown.ends_with("seconds") ? axis_unit::seconds
                                : shown.ends_with("bytes") ? axis_unit::bytes
                                                           : axis_unit::count}};
  for (const json& row : answer.at("rows")) {
    const std::optional<double> x = number_in(row.at(first).get<std::string>());
    if (!x) return;
    if (!row.at(shown).is_number()) continue;
    const std::string label = over.size() < 2 ? shown
                                              : fmt::format("{} {}", words_of(over[1].get<std::string>()),
                                                            row.at(over[1].get<std::string>()).get<std::string>());
    auto line = std::find_if(what.series.begin(), what.series.end(),
                             [&](const drawn_series& one) { return one.label == label; });
    if (line == what.series.end()) line = what.series.insert(line, drawn_series{.label = label});
    line->points.push_back({*x, row.at(shown).get<double>()});
  }
  if (what.series.empty()) return;
  what.about = fmt::format("{} lines", what.series.size());
  into.pictures.push_back(drawn(what));
}

/// The operations under the device's roof: each as fast as its floor lets it be.
void draw_roofline(section& into, const json& answer) {
  const cell peak = cell_at(answer, "/peak_flop_per_second"),
             bandwidth = cell_at(answer, "/memory_bandwidth_bytes_per_second");
  if (!peak.value.is_number() || !bandwidth.value.is_number()) return;
  drawn_roofline what{.name = "roofline",
                      .title = "Roofline of a device, and the operations under it",
                      .about = fmt::format("peak {}, memory {}", peak.text, bandwidth.text),
                      .peak = peak.value.get<double>(),
                      .bandwidth = bandwidth.value.get<double>(),
                      .peak_label = "peak " + peak.text,
                      .bandwidth_label = "memory " + bandwidth.text};
  const json& all = answer.at("operations");
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double done = all[i].at("matmul_flops").get<double>(), moved = all[i].at("moved_bytes").get<double>();
    if (!(done > 0 && moved > 0)) continue;
    const double intensity = done / moved;
    what.operations.push_back({i + 1, intensity, std::min(what.peak, intensity * what.bandwidth)});
    what.about += fmt::format("; {} {}", i + 1, all[i].at("name").get<std::string>());
  }
  if (!what.operations.empty()) into.pictures.push_back(drawn(what));
}

}  // namespace

std::string printed(std::string_view key, const json& value) {
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_number()) return "-";
  const auto number = value.get<double>();
  if (key.ends_with("seconds")) return report::scaled(number * unit::second);
  if (key.ends_with("bytes")) return report::scaled_binary(number * unit::byte);
  if (key.ends_with("flop_per_second")) return report::scaled(number, "FLOP/s");
  if (key.ends_with("bytes_per_second")) return report::scaled(number, "B/s");
  if (key.ends_with("mfu") || key.ends_with("mfu_causal") || key.ends_with("hfu"))
    return report::percent(number) + " %";
  return value.is_number_integer() ? report::in_full(number) : report::three_digits(number);
}

cell cell_at(const json& answer, const std::string& pointer) {
  const json& found = answer.at(json::json_pointer(pointer));
  // Parts of the exposed communication are named by their group alone.
  const std::size_t key = pointer.find("_seconds/");
  std::string text = printed(key == std::string::npos ? std::string_view(pointer) : "seconds", found);
  if (found.is_string() || found.is_null()) return {std::move(text)};
  return {std::move(text), pointer, found};
}

document document_of_pass(const json& answer) {
  document made{.title = device_title(answer, "")};
  made.sections.push_back({.title = "Pass",
                           .table = facts_of(answer,
                                             {{"architecture", "/architecture"},
                                              {"batch", "/batch"},
                                              {"sequence", "/sequence"},
                                              {"tokens cached", "/context"},
                                              {"encoder tokens", "/source"},
                                              {"images", "/images"},
                                              {"recipe", "/recipe"},
                                              {"computes in", "/computes_in"},
                                              {"attention counted", "/attention"},
                                              {"attention kernel", "/attention_kernel"},
                                              {"parameters", "/parameters"},
                                              {"active parameters", "/active_parameters"},
                                              {"MACs, forward", "/forward_macs"},
                                              {"product FLOPs, forward", "/forward_matmul_flops"},
                                              {"product FLOPs, training step", "/training_step_matmul_flops"}},
                                             align::left)});
  drawn_bars held{.name = "memory",
                  .title = "Weights and KV cache beside the memory of all devices",
                  .unit = axis_unit::bytes,
                  .axis = "memory of all devices",
                  .series = {"weights", "KV cache"},
                  .bars = {{"model", {number_at(answer, "/weights_bytes"), number_at(answer, "/kv_cache_bytes")}, ""}}};
  held.about = fmt::format("weights {}, KV cache {}", cell_at(answer, "/weights_bytes").text,
                           cell_at(answer, "/kv_cache_bytes").text);
  if (const cell room = cell_at(answer, "/available_bytes"); room.value.is_number()) {
    held.marks.push_back({"may be filled: " + room.text, room.value.get<double>()});
    held.about += "; " + held.marks.back().label;
  }
  made.sections.push_back({.title = "Memory",
                           .table = facts_of(answer, {{"weights", "/weights_bytes"},
                                                      {"KV cache", "/kv_cache_bytes"},
                                                      {"may be filled, all devices", "/available_bytes"},
                                                      {"a device", "/device_bytes"},
                                                      {"fits", "/fits"}}),
                           .pictures = {drawn(held)},
                           .bars = {held}});
  made.sections.push_back(
      {.title = "Floors of the pass",
       .about = "Dense peak and memory bandwidth, nothing lost; every operation reads its operands and writes its "
                "results once.",
       .table = facts_of(answer, {{"peak of a device", "/peak_flop_per_second"},
                                  {"bandwidth of a device", "/memory_bandwidth_bytes_per_second"},
                                  {"moved", "/moved_bytes"},
                                  {"products at the peak", "/floor_compute_seconds"},
                                  {"bytes at the bandwidth", "/floor_bandwidth_seconds"},
                                  {"one operation after another", "/floor_seconds"},
                                  {"overlapped", "/floor_overlapped_seconds"}})});
  section operations = operations_section(answer);
  draw_roofline(operations, answer);
  made.sections.push_back(std::move(operations));
  add_standing(made, answer);
  return made;
}

document document_of_training(const json& answer) {
  document made{.title = device_title(answer, "Training ")};
  std::vector<named_key> stages;
  for (std::size_t i = 0; i < answer.at("stages").size(); ++i)
    stages.push_back({fmt::format("stage {}", i), fmt::format("/stages/{}", i)});
  std::vector<named_key> columns = memory_columns(answer.at("memory"));
  columns.insert(columns.begin(), {{"stage", "stage"}, {"layers", "layers"}});
  columns.push_back({"fits", "fits"});
  const drawn_bars by_stage = memory_bars(answer, stages);
  section memory{.title = "Memory of a device by stage",
                 .table = rows_of(answer, "/stages", columns),
                 .pictures = {drawn(by_stage)},
                 .bars = {by_stage}};
  for (const json& remedy : answer.at("memory").at("remedies"))
    memory.about += (memory.about.empty() ? "Would fit: " : "; ") + remedy.get<std::string>();
  made.sections.push_back(std::move(memory));
  if (answer.at("time").is_object()) made.sections.push_back(step_section(answer));
  if (answer.contains("timeline") && answer.at("timeline").is_object())
    made.sections.push_back(timeline_section(answer));
  made.sections.push_back(values_section(answer, "Plan", "/plan"));
  made.sections.back().table.rows.insert(made.sections.back().table.rows.begin(),
                                         {{{"architecture"}, cell_at(answer, "/architecture")},
                                          {{"recipe"}, cell_at(answer, "/recipe")},
                                          {{"node"}, cell_at(answer, "/node")}});
  add_standing(made, answer);
  return made;
}

document document_of_serving(const json& answer) {
  document made{.title = device_title(answer, "Serving ")};
  std::vector<named_key> lines;
  for (const auto& [name, key] : memory_columns(answer.at("memory"))) lines.push_back({name, "/memory/" + key});
  lines.push_back({"may be filled", "/memory/available_bytes"});
  lines.push_back({"device", "/memory/device_bytes"});
  lines.push_back({"fits", "/memory/fits"});
  lines.push_back({"sequences at once, at most", "/memory/max_concurrency"});
  const drawn_bars held = memory_bars(answer, {{"device", "/memory"}});
  made.sections.push_back(
      {.title = "Memory of a device", .table = facts_of(answer, lines), .pictures = {drawn(held)}, .bars = {held}});
  section times{.title = "Time", .table = {.columns = {{"", align::left}, {"predicted"}, {"floor"}}}};
  drawn_bars bars{.name = "times",
                  .title = "Floors as shares of what is predicted",
                  .unit = axis_unit::share,
                  .axis = "share of what is predicted",
                  .series = {"floor", "beyond it"}};
  for (const auto& [name, key, floor] :
       {std::tuple{"to first token", "/time/time_to_first_token_seconds", "/time/time_to_first_token_floor_seconds"},
        {"per output token", "/time/time_per_output_token_seconds", "/time/time_per_output_token_floor_seconds"},
        {"whole batch", "/time/batch_seconds", "/time/batch_floor_seconds"}}) {
    const cell predicted = cell_at(answer, key), least = cell_at(answer, floor);
    times.table.rows.push_back({{name}, predicted, least});
    if (!predicted.value.is_number() || !least.value.is_number()) continue;
    const double share = least.value.get<double>() / predicted.value.get<double>();
    bars.bars.push_back({name, {share, 1 - share}, predicted.text});
    bars.about +=
        fmt::format("{}{}: predicted {}, floor {}", bars.about.empty() ? "" : "; ", name, predicted.text, least.text);
  }
  times.table.rows.push_back({{"output tokens a second"},
                              cell_at(answer, "/time/output_tokens_per_second"),
                              cell_at(answer, "/time/output_tokens_per_second_at_floor")});
  if (!bars.bars.empty()) {
    times.pictures.push_back(drawn(bars));
    times.bars.push_back(bars);
  }
  made.sections.push_back(std::move(times));
  made.sections.push_back(values_section(answer, "Load", "/load"));
  add_standing(made, answer);
  return made;
}

document document_of_sensitivity(const json& answer) {
  document made{.title = device_title(answer, "A faster machine: training ")};
  drawn_bars what{
      .name = "sensitivity",
      .title = fmt::format("Time of a step saved by {} % more of each rate", cell_at(answer, "/more_percent").text),
      .unit = axis_unit::seconds,
      .axis = "saved of a step",
      .series = {"saved"}};
  for (std::size_t i = 0; i < answer.at("rates").size(); ++i) {
    const std::string one = fmt::format("/rates/{}/", i);
    what.bars.push_back({text_at(answer, one + "rate"),
                         {number_at(answer, one + "saved_seconds")},
                         cell_at(answer, one + "saved_seconds").text});
    what.about += fmt::format("{}{} {}", i > 0 ? "; " : "", what.bars.back().label, what.bars.back().text);
  }
  made.sections.push_back({.title = what.title,
                           .about = "One rate at a time; shares of the rates that are reached, and latencies, stay.",
                           .table = rows_of(answer, "/rates",
                                            {{"rate", "rate"},
                                             {"step", "step_seconds"},
                                             {"saved", "saved_seconds"},
                                             {"% of the step", "saved_percent"}}),
                           .pictures = {drawn(what)},
                           .bars = {what}});
  made.sections.push_back({.title = "The job",
                           .table = facts_of(answer, {{"step", "/step_seconds"},
                                                      {"fits", "/fits"},
                                                      {"fits with as much more memory", "/fits_with_more_memory"}})});
  made.sections.push_back(values_section(answer, "Plan", "/plan"));
  add_standing(made, answer);
  return made;
}

document document_of_scaling(const json& answer) {
  document made{.title = fmt::format("Scaling {} on {}", text_at(answer, "/model"), text_at(answer, "/device"))};
  drawn_lines what{.name = "scaling",
                   .title = "Throughput of a device over that in the first plan",
                   .x = {"devices", axis_unit::count, true},
                   .y = {"of the first plan", axis_unit::share}};
  std::vector<section> tables;
  for (const auto& [kind, about] :
       {std::pair{"weak", "What each data rank works on stays."}, {"strong", "The global batch stays."}}) {
    if (!answer.contains(kind)) continue;
    drawn_series series{.label = fmt::format("{} scaling", kind)};
    for (const json& one : answer.at(kind))
      series.points.push_back({one.at("devices").get<double>(), one.at("efficiency").get<double>()});
    what.about += fmt::format("{}{}: {} plans", what.about.empty() ? "" : "; ", series.label, series.points.size());
    tables.push_back({.title = fmt::format("{} scaling", *kind == 'w' ? "Weak" : "Strong"),
                      .about = about,
                      .table = rows_of(answer, fmt::format("/{}", kind),
                                       {{"devices", "devices"},
                                        {"data", "data"},
                                        {"sequences a step", "global_batch"},
                                        {"step", "step_seconds"},
                                        {"tokens/s a device", "tokens_per_second_per_device"},
                                        {"of the first plan", "efficiency"},
                                        {"limited by", "limited_by"},
                                        {"limit", "limit_seconds"}})});
    what.series.push_back(std::move(series));
  }
  made.sections.push_back({.title = what.title, .pictures = {drawn(what)}});
  for (section& one : tables) made.sections.push_back(std::move(one));
  made.sections.push_back(values_section(answer, "Plan", "/plan"));
  add_standing(made, answer);
  return made;
}

document document_of_plans(const json& answer) {
  if (!answer.contains("best")) throw usage_error("--diff: two plans side by side are a text or --json, and no page");
  document made{.title = fmt::format("Plans of {} on {}", text_at(answer, "/model"), text_at(answer, "/device"))};
  for (const auto& [list, title] :
       {std::pair{"best", "The best plans"}, {"front", "Plans of which none is both faster and less than another"}}) {
    if (!answer.contains(list) || !answer.at(list).is_array() || answer.at(list).empty()) continue;
    const std::string all = fmt::format("/{}", list);
    section one{.title = title, .table = plans_table(answer, all)};
    if (list == std::string_view("front")) draw_front(one, answer);
    made.sections.push_back(std::move(one));
  }
  return made;
}

document document_of_sweep(const json& answer) {
  std::string over;
  std::vector<named_key> columns;
  for (const json& one : answer.at("over")) {
    over += (over.empty() ? "" : " and ") + one.get<std::string>();
    columns.push_back({one.get<std::string>(), one.get<std::string>()});
  }
  for (const json& one : answer.at("show")) columns.push_back({one.get<std::string>(), one.get<std::string>()});
  columns.push_back({"refused", "refused"});
  document made{.title = fmt::format("{} by {}", text_at(answer, "/command"), over)};
  made.sections.push_back({.title = "Answers", .table = rows_of(answer, "/rows", columns)});
  for (const json& shown : answer.at("show")) draw_sweep(made.sections.back(), answer, shown.get<std::string>());
  return made;
}

}  // namespace program
