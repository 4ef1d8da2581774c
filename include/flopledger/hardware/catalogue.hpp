// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Every device of the library, and the look-up by name.

#include <flopledger/compiler.hpp>
#include <flopledger/errors.hpp>
#include <flopledger/hardware/amd.hpp>
#include <flopledger/hardware/apple.hpp>
#include <flopledger/hardware/aws.hpp>
#include <flopledger/hardware/device.hpp>
#include <flopledger/hardware/google.hpp>
#include <flopledger/hardware/huawei.hpp>
#include <flopledger/hardware/intel.hpp>
#include <flopledger/hardware/nvidia.hpp>
#include <flopledger/hardware/others.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace flopledger::hardware {

/// Every device of the library, by vendor: each entry of hardware/devices/.
inline constexpr const accelerator* all[] = {
#define FLOPLEDGER_DEVICE(NAME, ...) &NAME::value,
#include <flopledger/hardware/devices/all.inc>
#undef FLOPLEDGER_DEVICE
};

/// No device has the name; the text names the closest, where any is near.
struct unknown_device : error {
  using error::error;
};

/// Several devices have the name; the text names ten of them at most.
struct ambiguous_device : error {
  using error::error;
};

namespace detail {
/// Lower case, and one '-' for whatever is no letter or digit, so that "H100 NVL" and "h100_nvl" read alike.
inline std::string normalised(std::string_view name) {
  std::string words;
  for (const char c : name) {
    const bool upper = c >= 'A' && c <= 'Z';
    const bool word = upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (word)
      words += upper ? static_cast<char>(c - 'A' + 'a') : c;
    else if (!words.empty() && words.back() != '-')
      words += '-';
  }
  if (!words.empty() && words.back() == '-') words.pop_back();
  return words;
}

/// All that a device may be called by, as words between '-'.
inline std::string names_of(const accelerator& device) {
  std::string names = "-";
  for (const std::string_view name :
       {device.id, device.vendor, device.product, device.form_factor, device.memory_type.value_or("")})
    names += normalised(name) + '-';
  return names;
}

enum class match { words, beginnings };

/// True where each word of the name is a word of the device, or begins one.
inline bool fits_name(const std::string& name, const std::string& names, match how) {
  for (std::size_t begin = 0; begin <= name.size();) {
    std::size_t end = name.find('-', begin);
    if (end == std::string::npos) end = name.size();
    std::string word = '-' + name.substr(begin, end - begin);
    if (how == match::words) word += '-';
    if (names.find(word) == std::string::npos) return false;
    begin = end + 1;
  }
  return true;
}

/// Letters to change, add or drop to get from one name to the other.
inline std::size_t distance(std::string_view from, std::string_view to) {
  std::string row;  // edit distances below 128, one a character
  for (std::size_t j = 0; j <= to.size(); ++j) row += static_cast<char>(j);
  for (std::size_t i = 1; i <= from.size(); ++i) {
    char diagonal = row[0];
    row[0] = static_cast<char>(i);
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const char above = row[j];
      int best = diagonal + (from[i - 1] == to[j - 1] ? 0 : 1);
      if (above + 1 < best) best = above + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      diagonal = above;
      row[j] = static_cast<char>(best);
    }
  }
  return static_cast<std::size_t>(row.back());
}

/// The ids nearest to what was asked, nearest first; none that is further off than a third of its letters.
inline std::string closest(const std::string& name) {
  const std::string asked = name.substr(0, 60);
  constexpr std::size_t shown = 3;
  const accelerator* nearest[shown] = {};
  std::size_t distances[shown] = {};
  for (const accelerator* device : all) {
    // Whoever writes the beginning of an id means it.
    const std::size_t begun = distance(asked, std::string_view(device->id).substr(0, asked.size()));
    std::size_t away = distance(asked, device->id);
    if (begun < away) away = begun;
    if (away > (asked.size() + 2) / 3) continue;
    for (std::size_t i = 0; i < shown; ++i)
      if (nearest[i] == nullptr || away < distances[i]) {
        const accelerator* moved = nearest[i];
        const std::size_t moved_distance = distances[i];
        nearest[i] = device;
        distances[i] = away;
        if (moved == nullptr) break;
        device = moved;
        away = moved_distance;
      }
  }
  std::string text;
  for (const accelerator* device : nearest)
    if (device != nullptr) text += (text.empty() ? "; the closest: " : ", ") + std::string(device->id);
  return text;
}
}  // namespace detail

/// The device of that name: an id ("h100-nvl-94gb"), or words that one device alone has in its id, vendor, product,
/// form factor or memory ("H100 NVL", "NVIDIA A100-SXM4-80GB"), or the beginnings of such words ("rtx-pro"). A whole
/// word comes before a beginning: "l4" is not the L40. Throws `ambiguous_device` or `unknown_device`.
inline const accelerator& find(std::string_view name) {
  const std::string asked = detail::normalised(name);
  for (const accelerator* device : all)
    if (asked == device->id) return *device;
  constexpr std::size_t shown = 10;
  for (const auto how : {detail::match::words, detail::match::beginnings}) {
    if (asked.empty()) break;
    const accelerator* found = nullptr;
    std::size_t count = 0;
    std::string candidates;
    for (const accelerator* device : all) {
      if (!detail::fits_name(asked, detail::names_of(*device), how)) continue;
      found = device;
      ++count;
      if (count <= shown) candidates += (candidates.empty() ? "" : ", ") + std::string(device->id);
    }
    if (count == 1) return *found;
    if (count > 1)
      flopledger::detail::raise<ambiguous_device>(
          '"' + std::string(name) + "\" fits " + std::to_string(count) + " devices: " + candidates +
          (count > shown ? " and " + std::to_string(count - shown) + " more" : ""));
  }
  flopledger::detail::raise<unknown_device>("no device is called \"" + std::string(name) + '"' +
                                            detail::closest(asked));
}

}  // namespace flopledger::hardware
