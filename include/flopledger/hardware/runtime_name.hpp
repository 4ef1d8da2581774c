// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The device that a runtime reports: `cudaDeviceProp::name`, `hipDeviceProp_t::name`, `torch.cuda.get_device_name()`.

#include <flopledger/hardware/catalogue.hpp>

#include <cstddef>
#include <string_view>

namespace flopledger::hardware {

namespace detail {
/// Drivers before 470 say "A100-SXM4-80GB" where later ones say "NVIDIA A100-SXM4-80GB".
inline bool is_runtime_name(std::string_view asked, std::string_view name) {
  constexpr std::string_view vendor = "NVIDIA ";
  return asked == name || (name.starts_with(vendor) && asked == name.substr(vendor.size()));
}
}  // namespace detail

/// The device of exactly that name, or null. Nothing is guessed from a part of a name: "NVIDIA B300 SXM6 AC" contains
/// neither the peak of a B200 nor that of an A100, and an instance of a divided device ("… MIG 3g.40gb") has a name of
/// its own. `multiprocessors` is what the runtime counts, 0 where it was not asked: a part of a device that bears the
/// name of the whole has fewer, and is not found.
inline const accelerator* named_by_runtime(std::string_view name, int multiprocessors = 0) {
  for (const accelerator* device : all) {
    const double units = device->compute_units.value_or(0);
    if (multiprocessors > 0 && units > 0 && static_cast<double>(multiprocessors) < units) continue;
    for (std::string_view names = device->runtime_names; !names.empty();) {
      constexpr std::string_view separator = "; ";
      const std::size_t end = names.find(separator);
      if (detail::is_runtime_name(name, names.substr(0, end))) return device;
      names = end == std::string_view::npos ? std::string_view{} : names.substr(end + separator.size());
    }
  }
  return nullptr;
}

}  // namespace flopledger::hardware
