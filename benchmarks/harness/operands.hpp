// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Random operands of every format, the same on every machine, and each known by its index alone: element i of a seed
/// is a hash of both, so that a reference reads the few that it needs.

#include <flopledger/precision.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace harness {

/// Of a kernel, the seed of each of its tensors: 0 left, query; 1 right, key; 2 value; 3 gradient of the output. Every
/// set of a kernel holds the same numbers.
constexpr std::uint64_t operand_seed(std::uint64_t of_kernel, int which) {
  return of_kernel * 4 + static_cast<std::uint64_t>(which);
}

/// Bytes that an element takes in memory; `std::invalid_argument` for a format that no product here takes.
std::size_t size_of(flopledger::number_kind format);

/// Elements `first`, `first` + 1, … of a seed as the device stores them: uniform in [−1, 1) and rounded to the format,
/// INT8 uniform in [−127, 127]. Fills `into` whole; TF32 is stored as FP32.
void fill_operand(flopledger::number_kind format, std::uint64_t seed, std::size_t first, std::span<std::byte> into);
std::vector<std::byte> operand_bytes(flopledger::number_kind format, std::uint64_t seed, std::size_t elements);

/// The number that element `index` stands for, exactly; TF32: what the matrix unit reads of it.
double operand_value(flopledger::number_kind format, std::uint64_t seed, std::size_t index);

/// What a stored element stands for: FP32, BF16, FP16, FP8 (E4M3), INT8.
double decoded(flopledger::number_kind format, const std::byte* stored);

}  // namespace harness
