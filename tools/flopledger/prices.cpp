// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "prices.hpp"

#include <flopledger/text/number.hpp>

#include <fstream>

#include <fmt/format.h>

#include "json.hpp"

namespace program {
namespace {

using flopledger::report::three_digits;

json read_prices(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw failure("--price: cannot read " + path);
  json read = json::parse(file, nullptr, false);
  if (!read.is_object()) throw failure("--price: " + path + " is no JSON object");
  for (const char* key : {"provider", "date"})
    if (!read.contains(key) || !read[key].is_string())
      throw usage_error(fmt::format("--price: {}: \"{}\" is missing; a price means nothing without it", path, key));
  if (!read.contains("usd_per_device_hour") || !read["usd_per_device_hour"].is_object())
    throw usage_error("--price: " + path + ": \"usd_per_device_hour\" is no object of devices");
  return read;
}

}  // namespace

void add_price(option_table& options, price_request& asked, const char* about) {
  options.other("price", "USD|FILE.json", std::string("of a device-hour, or a file of prices, ") + about, "no costs",
                [&asked](const std::string& text) {
                  asked = {};
                  if (text.ends_with(".json"))
                    asked.file = text;
                  else
                    asked.usd = real_number(text, 0, 1e6, "--price");
                });
}

std::optional<chosen_price> price_of(const price_request& asked, std::string_view device) {
  if (asked.usd) return chosen_price{*asked.usd};
  if (asked.file.empty()) return {};
  const json read = read_prices(asked.file);
  const json& prices = read["usd_per_device_hour"];
  const std::string name(device);
  if (!prices.contains(name)) throw usage_error(fmt::format("--price: {} has no price of {}", asked.file, name));
  const json& one = prices[name];
  if (!one.is_number() || one.get<double>() < 0)
    throw usage_error(fmt::format("--price: {}: {}: {} is no number from 0 on", asked.file, name, one.dump()));
  return chosen_price{one.get<double>(), read["provider"].get<std::string>(), read["date"].get<std::string>()};
}

std::string described(const chosen_price& price) {
  return fmt::format("{} USD a device-hour{}", three_digits(price.usd),
                     price.provider.empty() ? "" : fmt::format(" ({}, {})", price.provider, price.date));
}

}  // namespace program
