// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The keys of a device's figures, where it is printed and where it is read.

#include <flopledger/hardware/device.hpp>

#include <string>
#include <type_traits>

namespace program {

/// The unit that stands at the end of a key, and what a number in the library's unit is multiplied by to be in it.
struct key_unit {
  std::string suffix;
  double times = 1;
};

template <class Value>
key_unit unit_of_key() {
  if constexpr (std::is_same_v<Value, flopledger::flop_rate>) return {"_flop_per_second"};
  if constexpr (std::is_same_v<Value, flopledger::byte_rate>) return {"_bytes_per_second"};
  if constexpr (std::is_same_v<Value, flopledger::bytes>) return {"_bytes"};
  if constexpr (std::is_same_v<Value, flopledger::hertz>) return {"_hertz"};
  if constexpr (std::is_same_v<Value, flopledger::flops>) return {"_flop"};
  if constexpr (std::is_same_v<Value, flopledger::watts>) return {"_watts"};
  if constexpr (std::is_same_v<Value, flopledger::dollar_rate>) return {"_dollars_per_hour", 3600};
  return {""};
}

/// "memory_bandwidth_bytes_per_second".
template <class Value>
std::string key_of(std::string_view name, const flopledger::figure<Value>&) {
  return std::string(name) + unit_of_key<Value>().suffix;
}

}  // namespace program
