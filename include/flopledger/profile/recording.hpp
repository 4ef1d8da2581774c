// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What a profile says, whichever tool wrote it: time by name, place, pass and shape.

#include <flopledger/compiler.hpp>
#include <flopledger/errors.hpp>
#include <flopledger/ledger.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace flopledger::profile {

/// A file that cannot be read as what it claims to be: "trace.json: line 12: ...".
struct unreadable : error {
  using error::error;
};

enum class measured_on : std::uint8_t { device, host };
constexpr std::string_view name_of(measured_on where) { return where == measured_on::device ? "device" : "host"; }

/// Which pass an event ran in; only nested events of a timeline tell.
enum class phase : std::uint8_t { unknown, forward, backward, optimizer };

/// All events of one name, place, pass and shape.
struct sample {
  std::string name;
  measured_on where = measured_on::device;
  phase when = phase::unknown;
  product shape{};  ///< of one call of a matrix product; batch 0 where the profile has no shapes
  double calls = 0;
  double self = 0;   ///< seconds, nested events taken out
  double flops = 0;  ///< that the profiler itself counted
};

/// A profile. What a format cannot say stays empty.
struct recording {
  std::string tool;
  std::vector<sample> samples;
  double steps = 0;                       ///< that the profile itself marks; 0: none
  std::optional<double> elapsed{};        ///< seconds of all steps, from the first start to the last end
  std::optional<double> busy{};           ///< seconds in which the device did anything, streams laid over one another
  std::optional<double> communicating{};  ///< of them, in which it communicated
  std::optional<double> exposed{};        ///< of those, in which it did nothing else
  double devices = 1;                     ///< that the timeline shows
  bool has_flops = false;
  bool self_times = true;  ///< false: the tool's own sums, which may hold one another

  bool has(measured_on where) const {
    for (const sample& s : samples)
      if (s.where == where) return true;
    return false;
  }
};

/// Sums events as they are read: memory grows with the number of different names and shapes, not of events.
class recorder {
 public:
  static constexpr std::size_t most_samples = 1U << 20U;

  /// A number for a name, small and stable.
  std::uint32_t number_of(std::string_view name) {
    const auto known = numbers_.find(std::string(name));
    if (known != numbers_.end()) return known->second;
    if (names_.size() >= most_samples) detail::raise<unreadable>("more than a million different names");
    names_.emplace_back(name);
    const auto next = static_cast<std::uint32_t>(names_.size() - 1);
    numbers_.emplace(names_.back(), next);
    return next;
  }
  const std::string& name(std::uint32_t number) const { return names_[number]; }

  void add(std::uint32_t name, measured_on where, phase when, const product& shape, double calls, double self,
           double flops = 0) {
    const key wanted{name, where, when, shape.batch, shape.m, shape.n, shape.k};
    const auto [found, fresh] = places_.try_emplace(wanted, samples_.size());
    if (fresh) {
      if (samples_.size() >= most_samples)
        detail::raise<unreadable>("more than a million different operators and shapes");
      samples_.push_back({.name = names_[name], .where = where, .when = when, .shape = shape});
    }
    sample& sum = samples_[found->second];
    sum.calls += calls;
    sum.self += self;
    sum.flops += flops;
  }
  std::vector<sample> take() { return std::move(samples_); }
 private:
  struct key {
    std::uint32_t name;
    measured_on where;
    phase when;
    double batch, m, n, k;
    bool operator==(const key&) const = default;
  };
  struct hash {
    std::size_t operator()(const key& k) const {
      std::size_t h =
          std::size_t{k.name} * 8U + static_cast<std::size_t>(k.where) * 4U + static_cast<std::size_t>(k.when);
      for (const double d : {k.batch, k.m, k.n, k.k}) h = h * 1099511628211U ^ std::hash<double>{}(d);
      return h;
    }
  };
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::unordered_map<key, std::size_t, hash> places_;
  std::vector<sample> samples_;
};

/// The shape of a matrix product from its operator and its inputs' sizes; batch 0 where these are none.
inline product product_of(std::string_view name, const std::vector<std::vector<double>>& inputs) {
  const auto of_two = [](const std::vector<double>& a, const std::vector<double>& b) -> product {
    if (a.size() != b.size() || a.size() < 2) return {};
    const std::size_t last = a.size() - 1;
    product shape{.batch = 1, .m = a[last - 1], .n = b[last], .k = a[last]};
    if (b[last - 1] != shape.k) return {};
    for (std::size_t i = 0; i + 2 <= last; ++i) {
      if (a[i] != b[i]) return {};
      shape.batch *= a[i];
    }
    return shape;
  };
  const bool adds = name == "aten::addmm" || name == "aten::baddbmm" || name == "aten::_addmm_activation";
  const std::size_t first = adds ? 1 : 0;
  if (inputs.size() < first + 2) return {};
  if (adds || name == "aten::mm" || name == "aten::bmm" || name == "aten::_scaled_mm")
    return of_two(inputs[first], inputs[first + 1]);
  if (name == "aten::mv" && inputs[0].size() == 2 && inputs[1].size() == 1)
    return {.batch = 1, .m = inputs[0][0], .n = 1, .k = inputs[0][1]};
  if (name == "aten::linear" || name == "aten::mkldnn_linear") {
    const std::vector<double>&x = inputs[0], &w = inputs[1];
    if (w.size() != 2 || x.empty() || x.back() != w[1]) return {};
    product shape{.batch = 1, .m = 1, .n = w[0], .k = w[1]};
    for (std::size_t i = 0; i + 1 < x.size(); ++i) shape.m *= x[i];
    return shape;
  }
  return {};
}

}  // namespace flopledger::profile
