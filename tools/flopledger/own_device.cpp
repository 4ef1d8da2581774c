// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// A board of one's own: of a JSON file or an object, by the keys of `flopledger devices --json` or those of options,
/// alone or over a device of the catalogue; and what options say of it.

#include <flopledger/hardware/catalogue.hpp>
#include <flopledger/text/closest.hpp>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <string>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include "changed_members.hpp"
#include "device_choice.hpp"
#include "device_keys.hpp"
#include "json.hpp"
#include "option_choices.hpp"

namespace program {
namespace {

using namespace flopledger;

/// A description, and the texts that it points to.
struct board {
  accelerator value{};
  std::deque<std::string> texts{};

  label keep(std::string text) { return texts.emplace_back(std::move(text)).c_str(); }
};

const accelerator& find_in_catalogue(const std::string& name, const std::string& of) {
  try {
    return hardware::find(name);
  } catch (const flopledger::error& problem) {
    throw usage_error(of + ": " + problem.what() + " (see flopledger devices)");
  }
}

void change(accelerator& device, const device_request& by) {
  if (by.memory) device.usable_memory = device.nominal_memory = gibibytes(*by.memory);
  if (by.bandwidth) device.memory_bandwidth = gigabytes_per_second(*by.bandwidth);
  if (by.power) device.tdp = watts_of_power(*by.power);
  for (const auto& [kind, rate] : by.peaks) device.*peak_member(kind) = teraflops(rate);
}

/// Members of a description by their keys.
class described_board {
 public:
  described_board(board& into, const changed_members& members) : into_(into), of_(members.of) {
    for (const changed_member& one : members.all) put(one.path, one.to);
    change(into_.value, options_);
    mark_doubtful();
  }
 private:
  [[noreturn]] void refuse(const std::string& key, const json& value, const char* why) const {
    throw usage_error(
        fmt::format("{}: {}: {} {}", of_, key, value.dump(-1, ' ', false, json::error_handler_t::replace), why));
  }
  double number(const std::string& key, const json& value) const {
    if (!value.is_number() || !(value.get<double>() > 0)) refuse(key, value, "is no number above 0");
    return value.get<double>();
  }
  std::string text(const std::string& key, const json& value) const {
    if (!value.is_string()) refuse(key, value, "is no text");
    return value.get<std::string>();
  }

  void put(const std::string& key, const json& value) {
    if (!put_as_option(key, value) && !put_text(key, value) && !put_figure(key, value))
      throw usage_error(fmt::format("{}: {}: a device has no such figure; the closest: {}", of_, key, closest(key)));
  }
  bool put_as_option(const std::string& key, const json& value) {
    constexpr std::string_view peak = "peak.";
    if (key == "memory")
      options_.memory = number(key, value);
    else if (key == "bandwidth")
      options_.bandwidth = number(key, value);
    else if (key == "power")
      options_.power = number(key, value);
    else if (key.starts_with(peak))
      options_.peaks.emplace_back(precision_of(key.substr(peak.size()), of_ + ": peak"), number(key, value));
    else
      return false;
    return true;
  }
  bool put_text(const std::string& key, const json& value) {
    accelerator& device = into_.value;
    for (const auto& [name, member] : {std::pair{"id", &accelerator::id},
                                       {"vendor", &accelerator::vendor},
                                       {"product", &accelerator::product},
                                       {"form_factor", &accelerator::form_factor},
                                       {"architecture", &accelerator::architecture},
                                       {"note", &accelerator::note}})
      if (key == name) {
        device.*member = into_.keep(text(key, value));
        return true;
      }
    if (key == "year") {
      if (!value.is_number_integer()) refuse(key, value, "is no year");
      device.year = value.get<int>();
    } else if (key == "sparsity") {
      bool known = false;
      for (const sparsity one :
           {sparsity::dense, sparsity::two_of_four, sparsity::four_of_sixteen, sparsity::unstructured})
        if (text(key, value) == flopledger::name_of(one)) {
          device.sparse_mode = one;
          known = true;
        }
      if (!known) refuse(key, value, "is none of dense, 2:4 sparse, 4:16 sparse, unstructured sparse");
    } else if (key == "doubtful") {
      if (!value.is_array()) refuse(key, value, "is no list of keys");
      for (const json& one : value) doubtful_.push_back(text(key, one));
    } else {
      return false;
    }
    return true;
  }
  bool put_figure(const std::string& key, const json& value) {
    bool known = false;
    for_each_figure([&](std::string_view name, auto member) {
      auto& into = into_.value.*member;
      using value_type = decltype(into.value());
      if (key != key_of(name, into)) return;
      known = true;
      if (value.is_null())
        into = {};
      else if constexpr (std::is_same_v<value_type, label>)
        into = into_.keep(text(key, value));
      else
        into = {number(key, value) / unit_of_key<value_type>().times, publication::published};
    });
    return known;
  }
  void mark_doubtful() {
    for_each_figure([&](std::string_view name, auto member) {
      auto& what = into_.value.*member;
      const std::string key = key_of(name, what);
      if (what.is_known() && std::find(doubtful_.begin(), doubtful_.end(), key) != doubtful_.end())
        what = doubtful(what);
    });
  }
  std::string closest(const std::string& key) const {
    const accelerator& device = into_.value;
    text::nearest<std::string> near{key};
    for (const char* name : {"base", "memory", "bandwidth", "peak", "power", "id", "vendor", "product", "form_factor",
                             "year", "architecture", "note", "sparsity", "doubtful"})
      near.offer(name, text::edits(key, name));
    for_each_figure([&](std::string_view name, auto member) {
      const std::string known = key_of(name, device.*member);
      near.offer(known, text::edits(key, known));
    });
    return near.entries[0];
  }

  board& into_;
  const std::string& of_;
  device_request options_{};
  std::vector<std::string> doubtful_{};
};

board board_of(const device_request& asked) {
  board made;
  if (holds_members(asked.name)) {
    std::string base;
    const changed_members members = read_members(asked.name, "--device", base);
    if (!base.empty()) made.value = find_in_catalogue(base, members.of + ": base");
    described_board(made, members);
    const bool is_file = !asked.name.starts_with('{');
    const std::string name = is_file ? std::filesystem::path(asked.name).stem().string() : "own-board";
    if (made.value.id.empty()) made.value.id = made.keep(name);
    if (made.value.product.empty()) made.value.product = made.keep(name);
  } else if (!asked.name.empty()) {
    made.value = find_in_catalogue(asked.name, "--device");
  } else {
    made.value.id = "own-board";
    made.value.product = "a board of one's own";
  }
  change(made.value, asked);
  return made;
}

}  // namespace

figure<flop_rate> accelerator::*peak_member(number_kind kind) {
  switch (kind) {
    case number_kind::fp64:
      return &accelerator::fp64_matrix;
    case number_kind::fp32:
      return &accelerator::fp32_vector;
    case number_kind::tf32:
      return &accelerator::tf32;
    case number_kind::fp16:
      return &accelerator::fp16;
    case number_kind::fp8_e4m3:
    case number_kind::fp8_e5m2:
      return &accelerator::fp8;
    case number_kind::fp6:
      return &accelerator::fp6;
    case number_kind::fp4:
      return &accelerator::fp4;
    case number_kind::int8:
      return &accelerator::int8;
    case number_kind::int4:
      return &accelerator::int4;
    case number_kind::bf16:
    case number_kind::custom:
      break;
  }
  return &accelerator::bf16;
}

const accelerator& find_device(const device_request& asked) {
  if (!asked.is_given())
    throw usage_error("--device is required: a name, or a board by --memory, --bandwidth and --peak", "device");
  if (!asked.differs() && !holds_members(asked.name)) return find_in_catalogue(asked.name, "--device");
  // A command looks at its boards while it answers; those of old answers go.
  constexpr std::size_t most_kept = 256;
  thread_local std::deque<board> kept;
  if (kept.size() == most_kept) kept.pop_front();
  return kept.emplace_back(board_of(asked)).value;
}

}  // namespace program
