// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "memory_answer.hpp"

#include <flopledger/text/number.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace program {

using namespace flopledger;

double whole_bytes(bytes amount) {
  const double value = amount.value(), nearest = std::round(value);
  return std::fabs(value - nearest) <= 1e-12 * std::fabs(value) ? nearest : std::ceil(value);
}

whole_account::whole_account(const memory_account& account) {
  for (std::size_t i = 0; i < memory_line_count; ++i) total += lines[i] = whole_bytes(account.lines[i]);
  allocated = total - lines[static_cast<std::size_t>(memory_line::reserve)];
}

void put_memory(json_answer& answer, json& object, const std::string& path, const memory_account& account,
                const budget& limits, std::initializer_list<memory_line> lines, bool with_allocated) {
  const whole_account whole(account);
  const auto put = [&](memory_line line) {
    const auto i = static_cast<std::size_t>(line);
    const std::string key = std::string(name_of(line)) + "_bytes";
    const bool exact = whole.lines[i] == account.lines[i].value();
    answer.count(object, key, whole.lines[i], path + '.' + key);
    if (!exact) answer.rounded(path + '.' + key);
  };
  for (const memory_line line : lines) put(line);
  if (with_allocated) answer.count(object, "allocated_bytes", whole.allocated, path + ".allocated_bytes");
  put(memory_line::reserve);
  answer.count(object, "total_bytes", whole.total, path + ".total_bytes");
  if (limits.available) {
    answer.count(object, "available_bytes", limits.available->value(), path + ".available_bytes");
    object["fits"] = limits.fits(whole.total);
  } else {
    object["available_bytes"] = nullptr;
    object["fits"] = nullptr;
  }
}

std::string verdict_line(const memory_account& account, const budget& limits, const accelerator& device) {
  const bytes needed = account.total();
  if (!limits.available)
    return fmt::format("Needs {}; the device's memory is not published.\n", report::scaled_binary(needed));
  const bytes available = *limits.available;
  const std::string of = fmt::format("Needs {} of {}, which are {} % of the device's {}{}{}",
                                     report::scaled_binary(needed), report::scaled_binary(available),
                                     report::three_digits(static_cast<double>(limits.usable_per_mille) / 10),
                                     report::scaled_binary(*limits.device), doubt(memory_of(device).is_doubtful()),
                                     memory_is_nominal(device) ? " (nominal)" : "");
  return whole_account(account).total <= available.value()
             ? fmt::format("{}: it fits, {} are left.\n", of, report::scaled_binary(available - needed))
             : fmt::format("{}: it does not fit, {} too much, most of it {}.\n", of,
                           report::scaled_binary(needed - available), name_of(account.largest()));
}

}  // namespace program
