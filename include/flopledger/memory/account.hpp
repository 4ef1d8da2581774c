// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Where the bytes of one device go, line by line. Nothing hides in a factor: what a framework takes beside its tensors
/// has lines of its own.

#include <flopledger/units.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace flopledger {

enum class memory_line : std::uint8_t {
  weights,
  gradients,
  optimizer,    ///< master weights and moments
  activations,  ///< what the blocks keep for the backward pass, or the widest pass of serving
  logits,       ///< embeddings' outputs, logits and what the loss keeps of them
  kv_cache,
  buffers,    ///< communication: gathered weights, buckets, dispatched tokens
  workspace,  ///< scratch memory of the libraries
  reserve     ///< framework, context and allocator: what is taken and never used by a tensor
};
inline constexpr std::size_t memory_line_count = 9;

constexpr std::string_view name_of(memory_line line) {
  constexpr std::string_view names[memory_line_count] = {"weights",  "gradients", "optimizer", "activations", "logits",
                                                         "kv_cache", "buffers",   "workspace", "reserve"};
  return names[static_cast<std::size_t>(line)];
}

struct memory_account {
  bytes lines[memory_line_count]{};

  constexpr bytes& operator[](memory_line line) { return lines[static_cast<std::size_t>(line)]; }
  constexpr const bytes& operator[](memory_line line) const { return lines[static_cast<std::size_t>(line)]; }

  /// Everything, the reserve included: what must fit.
  constexpr bytes total() const {
    double sum = 0;  // plain numbers: assigning quantities costs a compiler more than all else here
    for (const bytes& line : lines) sum += line.value();
    return bytes::from_value(sum);
  }
  /// Live tensors and workspace alone: what an allocator calls allocated.
  constexpr bytes allocated() const {
    return bytes::from_value(total().value() - (*this)[memory_line::reserve].value());
  }
  /// False where a line is negative or no number.
  constexpr bool possible() const {
    for (const bytes& line : lines)
      if (!(line.value() >= 0)) return false;
    return true;
  }
  constexpr memory_line largest() const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < memory_line_count; ++i)
      if (lines[i].value() > lines[best].value()) best = i;
    return static_cast<memory_line>(best);
  }
};

/// The answer of an inverse where nothing grows: full windows, states, what an encoder left.
inline constexpr std::int64_t unlimited = INT64_MAX;

/// The largest n ≥ 1 for which `fits(n)`, 0 where there is none, `unlimited` where even 2⁴⁰ fits, by doubling and
/// halving; `fits` must be monotone. Windows, pages and rounding make memory a staircase: an inverse is searched and
/// not divided out.
constexpr std::int64_t largest_that(auto&& fits) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  if (!fits(std::int64_t{1})) return 0;
  std::int64_t good = 1, bad = 2;
  while (fits(bad)) {
    if (bad == most) return unlimited;
    good = bad;
    bad *= 2;
  }
  while (bad - good > 1) {
    const std::int64_t middle = good + (bad - good) / 2;
    (fits(middle) ? good : bad) = middle;
  }
  return good;
}

/// Whole mebibytes that a job may fill of a device's memory, as a share of it in 1/1000.
constexpr std::int64_t usable_mebibytes(const bytes& device, std::int64_t per_mille) {
  return static_cast<std::int64_t>(in_mib(device) * static_cast<double>(per_mille) / 1000.0);
}

/// Whole mebibytes that hold these bytes; 2⁶² where that is more than an integer counts.
constexpr std::int64_t mebibytes_of(const bytes& amount) {
  const double mebibytes = in_mib(amount);
  constexpr std::int64_t most = std::int64_t{1} << 62;
  if (!(mebibytes < static_cast<double>(most))) return most;
  const auto whole = static_cast<std::int64_t>(mebibytes);
  return static_cast<double>(whole) < mebibytes ? whole + 1 : whole;
}

}  // namespace flopledger
