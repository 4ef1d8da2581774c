// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "step_parts.hpp"

#include <flopledger/planning/scaling.hpp>
#include <flopledger/text/number.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace program {

using namespace flopledger;

std::vector<part_of_step> parts_of(const step_time& step) {
  using planning::step_loss;
  std::vector<part_of_step> parts{{"kernels", step.compute()}};
  for (auto i = static_cast<int>(step_loss::recompute); i <= static_cast<int>(step_loss::host); ++i)
    parts.push_back({name_of(static_cast<step_loss>(i)), part_of(step, static_cast<step_loss>(i))});
  return parts;
}

json parts_seconds(const step_time& step) {
  json parts = json::object();
  for (const part_of_step& part : parts_of(step)) {
    std::string key(part.name);
    std::replace(key.begin(), key.end(), ' ', '_');
    parts[key] = part.time.value();
  }
  return parts;
}

std::string signed_time(seconds time) {
  return (time.value() < 0 ? "-" : "+") + report::scaled(time.value() < 0 ? -1.0 * time : time);
}

std::string causes(const step_time& of, const step_time& from) {
  std::vector<part_of_step> parts = parts_of(of);
  const std::vector<part_of_step> other = parts_of(from);
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i].time -= other[i].time;
  const auto size = [](const part_of_step& one) { return std::abs(one.time.value()); };
  std::stable_sort(parts.begin(), parts.end(),
                   [&](const part_of_step& a, const part_of_step& b) { return size(a) > size(b); });
  std::string text;
  for (std::size_t i = 0; i < 3 && size(parts[i]) > 0.0005 * from.total().value(); ++i)
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", parts[i].name, signed_time(parts[i].time));
  return text.empty() ? "no cause of half a thousandth" : text;
}

}  // namespace program
