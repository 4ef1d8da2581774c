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
#include <flopledger/hardware/geforce.hpp>
#include <flopledger/hardware/google.hpp>
#include <flopledger/hardware/huawei.hpp>
#include <flopledger/hardware/intel.hpp>
#include <flopledger/hardware/nvidia.hpp>
#include <flopledger/hardware/others.hpp>
#include <flopledger/text/closest.hpp>

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

/// A normalised name without its '-', so that "rtx4090" and "rtx-4090" read alike.
inline std::string joined(std::string_view normalised_name) {
  std::string letters;
  for (const char c : normalised_name)
    if (c != '-') letters += c;
  return letters;
}

/// True where the name is a device's own, whatever longer names contain it: its id, with the maker or without, or what
/// its driver calls it.
inline bool is_called(const accelerator& device, const std::string& asked) {
  const std::string maker = normalised(device.vendor);
  const std::string letters = joined(asked);
  const auto is = [&](std::string_view name) {
    const std::string own = joined(normalised(name));
    return letters == own || maker + letters == own;
  };
  if (is(device.id)) return true;
  for (std::string_view names = device.runtime_names; !names.empty();) {
    const std::size_t end = names.find(';');
    if (is(names.substr(0, end))) return true;
    names = end == std::string_view::npos ? std::string_view{} : names.substr(end + 1);
  }
  return false;
}

/// All that a device may be called by, as words between '-'.
inline std::string names_of(const accelerator& device) {
  std::string names = "-";
  for (const std::string_view name :
       {device.id, device.vendor, device.product, device.form_factor, device.memory_type.value_or("")})
    names += normalised(name) + '-';
  return names;
}

enum class match { words, beginnings, run_together };

/// True where each word of the name is a word of the device, or begins one; or where the name begins words run
/// together.
inline bool fits_name(const std::string& name, const std::string& names, match how) {
  if (how == match::run_together) {
    const std::string letters = joined(name);
    for (std::size_t i = names.find('-'); i != std::string::npos; i = names.find('-', i + 1))
      if (joined(std::string_view(names).substr(i)).starts_with(letters)) return true;
    return false;
  }
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

inline std::string_view first_word(std::string_view name) { return name.substr(0, name.find('-')); }

/// The ids nearest to what was asked, nearest first: by letters among those that begin with the same word
/// ("b200-sxm-180gb" is no A100), and among all where none does.
inline std::string closest(const std::string& asked) {
  text::nearest<const accelerator*> relatives{std::string_view::npos}, others{asked};
  for (const accelerator* device : all) {
    // Whoever writes the beginning of an id means it.
    const std::size_t begun = text::edits(asked, std::string_view(device->id).substr(0, asked.size()));
    const std::size_t whole = text::edits(asked, device->id);
    const bool related = first_word(asked) == first_word(device->id);
    (related ? relatives : others).offer(device, begun < whole ? begun : whole);
  }
  std::string names;
  for (const accelerator* device : relatives.size > 0 ? relatives : others)
    names += (names.empty() ? "; the closest: " : ", ") + std::string(device->id);
  return names;
}
}  // namespace detail

/// The device of that name: an id ("h100-nvl-94gb"), or words that one device alone has in its id, vendor, product,
/// form factor or memory ("H100 NVL", "NVIDIA A100-SXM4-80GB"), or the beginnings of such words ("rtx-a"), or those run
/// together ("h100sxm"). A device's own name comes first ("rtx4080" is not the Super), then whole words ("l4" is not
/// the L40). Throws `ambiguous_device` or `unknown_device`.
inline const accelerator& find(std::string_view name) {
  const std::string asked = detail::normalised(name);
  for (const accelerator* device : all)
    if (detail::is_called(*device, asked)) return *device;
  constexpr std::size_t shown = 10;
  for (const auto how : {detail::match::words, detail::match::beginnings, detail::match::run_together}) {
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
