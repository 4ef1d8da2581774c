// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// `flopledger models` and `flopledger devices`: what has a name, and what is read.

#include <flopledger/hardware/catalogue.hpp>
#include <flopledger/models/catalogue.hpp>
#include <flopledger/models/hugging_face.hpp>
#include <flopledger/text/number.hpp>
#include <flopledger/text/table.hpp>

#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "device_choice.hpp"
#include "device_keys.hpp"
#include "filter.hpp"
#include "json.hpp"
#include "program.hpp"

namespace program {
namespace {

using namespace flopledger;
using report::align;

/// A figure of a data sheet: "?" where it is doubtful, "-" where there is none.
template <class Value>
std::string shown(const figure<Value>& what, auto&& print) {
  if (!what.is_known()) return "-";
  return print(what.value()) + (what.is_doubtful() ? "?" : "");
}

std::string teraflops_of(const figure<flop_rate>& peak) {
  return shown(peak, [](flop_rate rate) { return report::three_digits(rate.value() / prefix::tera); });
}

/// What a filter looks for.
bool is_shown(const accelerator* device, const std::string& filter) {
  // Of the architecture its beginning alone: "h100" is no H200, whose chip is a GH100.
  const std::string_view architecture = device->architecture;
  return holds(device->id, filter) || holds(device->product, filter) ||
         holds(architecture.substr(0, filter.size()), filter);
}
bool is_listed(const models::zoo_entry& model, const std::string& filter) {
  return holds(model.name, filter) || holds(model.family, filter) || holds(model.describe().architecture, filter);
}

std::string devices_for_people(const std::string& filter) {
  constexpr number_kind kinds[] = {number_kind::fp32,     number_kind::bf16, number_kind::fp16,
                                   number_kind::fp8_e4m3, number_kind::int8, number_kind::fp4};
  // The product stands last: the longest would push the figures out of a narrow terminal.
  std::vector<report::column> columns{{"device", align::left}, {"memory"}, {"bandwidth"}};
  for (const number_kind kind : kinds) columns.push_back({std::string(name_of(kind))});
  columns.push_back({"product", align::left});
  report::table table(columns);
  for (const accelerator* device : hardware::all) {
    if (!is_shown(device, filter)) continue;
    std::vector<std::string> cells{
        std::string(std::string_view(device->id)),
        shown(memory_of(*device), [](bytes amount) { return report::scaled_binary(amount); }),
        shown(device->memory_bandwidth, [](byte_rate rate) { return report::scaled(rate); })};
    for (const number_kind kind : kinds) cells.push_back(teraflops_of(dense_peak_figure(*device, kind)));
    cells.emplace_back(std::string_view(device->product));
    table.add(std::move(cells));
  }
  return table.text() +
         "Peaks in TFLOP/s, dense, summed in fp32; fp32 on the vector units. ? doubtful, - not published.\n";
}

template <class Value>
void put_value(json& object, const std::string& key, Value value, double times) {
  if constexpr (std::is_convertible_v<Value, std::string_view>)
    object[key] = std::string_view(value);
  else if constexpr (std::is_same_v<Value, double>)
    put_number(object, key, value);
  else
    put_number(object, key, value.value() * times);
}

json described(const accelerator& device) {
  json one;
  const auto put_text = [&](const char* key, std::string_view text) { one[key] = text; };
  put_text("id", device.id);
  put_text("vendor", device.vendor);
  put_text("product", device.product);
  put_text("form_factor", device.form_factor);
  one["year"] = device.year;
  put_text("architecture", device.architecture);
  json doubtful = json::array();
  for_each_figure([&](std::string_view name, auto member) {
    const auto& what = device.*member;
    using value_type = decltype(what.value());
    const std::string key = key_of(name, what);
    if (what.is_doubtful()) doubtful.push_back(key);
    one[key] = nullptr;
    if (what.is_known()) put_value(one, key, what.value(), unit_of_key<value_type>().times);
  });
  put_text("sparsity", name_of(device.sparse_mode));
  put_text("note", device.note);
  one["doubtful"] = std::move(doubtful);
  return one;
}

/// Those of the stack that the model is named for; an encoder's before a decoder's; a tower's where it is all there is.
std::string layers_of(const transformer_config& config) {
  if (config.encoder.layers > 0)
    return std::to_string(config.encoder.layers) + " + " + std::to_string(config.stack.layers);
  return std::to_string(config.vision_only ? config.vision.stack.layers : config.stack.layers);
}

std::string models_for_people(const std::string& filter) {
  report::table table({{"model", align::left},
                       {"family", align::left},
                       {"architecture", align::left},
                       {"parameters", align::right},
                       {"active", align::right},
                       {"layers", align::right},
                       {"context", align::right}});
  for (const models::zoo_entry& model : models::all) {
    if (!is_listed(model, filter)) continue;
    const transformer_config config = model.describe();
    const totals sums = totals_of(config, forward(1, 1));
    table.add({std::string(model.name), std::string(model.family), std::string(config.architecture),
               report::scaled(sums.held), sums.active == sums.held ? "all" : report::scaled(sums.active),
               layers_of(config), config.context > 0 ? std::to_string(config.context) : "-"});
  }
  return table.text();
}

/// Architectures by what a config.json says: its model_type, and how the names in `architectures` begin.
using named_classes = std::map<std::string_view, std::vector<const hugging_face::architecture*>>;

named_classes architectures_that_hold(const std::string& filter) {
  named_classes found;
  for (const hugging_face::family& family : hugging_face::families)
    for (const hugging_face::architecture& one : family)
      if (holds(one.model_type, filter) || holds(one.class_prefix, filter)) found[one.model_type].push_back(&one);
  return found;
}

reply list_architectures(const std::string& filter, output how) {
  const named_classes found = architectures_that_hold(filter);
  if (found.empty()) throw nothing_holds(filter);
  if (how == output::people) {
    report::table table({{"model_type", align::left}, {"classes", align::left}});
    for (const auto& [type, known] : found) {
      std::string classes;
      for (const hugging_face::architecture* named : known)
        classes.append(classes.empty() ? "" : ", ").append(named->class_prefix) += "...";
      table.add({std::string(type), classes});
    }
    return reply(table.text());
  }
  json whole;
  json& all = whole["architectures"] = json::array();
  for (const auto& [type, known] : found) {
    json one;
    one["model_type"] = type;
    json& prefixes = one["class_prefixes"] = json::array();
    for (const hugging_face::architecture* named : known) prefixes.push_back(named->class_prefix);
    all.push_back(std::move(one));
  }
  return reply(std::move(whole));
}

json models_for_programs(const std::string& filter) {
  json all = json::array();
  for (const models::zoo_entry& model : models::all) {
    if (!is_listed(model, filter)) continue;
    const transformer_config config = model.describe();
    const totals sums = totals_of(config, forward(1, 1));
    json one;
    one["name"] = model.name;
    one["family"] = model.family;
    one["architecture"] = config.architecture;
    put_number(one, "parameters", sums.held.value());
    put_number(one, "active_parameters", sums.active.value());
    put_number(one, "layers",
               static_cast<double>(config.vision_only ? config.vision.stack.layers : config.stack.layers));
    put_number(one, "context", static_cast<double>(config.context));
    if (config.context == 0) one["context"] = nullptr;
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace

reply list_models(const model_list_request& asked, output how) {
  if (asked.architectures) return list_architectures(asked.filter, how);
  require_shown(models::all, asked.filter, is_listed);
  if (how == output::people) return reply(models_for_people(asked.filter));
  json whole;
  whole["models"] = models_for_programs(asked.filter);
  return reply(std::move(whole));
}

reply list_devices(const list_request& asked, output how) {
  require_shown(hardware::all, asked.filter, is_shown);
  if (how == output::people) return reply(devices_for_people(asked.filter));
  json whole;
  json& all = whole["devices"] = json::array();
  for (const accelerator* device : hardware::all)
    if (is_shown(device, asked.filter)) all.push_back(described(*device));
  return reply(std::move(whole));
}

}  // namespace program
