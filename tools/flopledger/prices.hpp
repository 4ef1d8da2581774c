// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What a device-hour costs: a number, or a file of a provider's prices with their date. None is known by itself.

#include <optional>
#include <string>

#include "option_table.hpp"

namespace program {

struct price_request {
  std::optional<double> usd{};  ///< a device-hour
  std::string file{};
};

/// USD a device-hour, from whom and when where a file says so.
struct chosen_price {
  double usd = 0;
  std::string provider{}, date{};
};

void add_price(option_table& options, price_request& asked, const char* about);
/// None where none was asked for; a `usage_error` where the file has no price of the device.
std::optional<chosen_price> price_of(const price_request& asked, std::string_view device);
/// "2 USD a device-hour", with " (provider, date)" where they are known.
std::string described(const chosen_price& price);

}  // namespace program
