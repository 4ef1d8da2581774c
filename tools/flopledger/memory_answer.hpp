// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A memory account as `memory` of an answer, in whole bytes, and as a table.

#include <flopledger/memory/account.hpp>

#include <initializer_list>
#include <string>

#include "device_choice.hpp"
#include "json.hpp"

namespace program {

/// Whole bytes that hold an amount: rounded up, but for what arithmetic alone left behind the point.
double whole_bytes(flopledger::bytes amount);

/// Lines of an account in whole bytes; the sums are those of the lines, so that they add up.
struct whole_account {
  double lines[flopledger::memory_line_count]{};
  double allocated = 0, total = 0;
  explicit whole_account(const flopledger::memory_account& account);
};

/// Adds the lines named, their sums, what is available and whether it fits to an object that stands at `path`. What was
/// rounded up is listed in `rounded`.
void put_memory(json_answer& answer, json& object, const std::string& path, const flopledger::memory_account& account,
                const budget& limits, std::initializer_list<flopledger::memory_line> lines, bool with_allocated);

/// "Needs 61.2 GiB of the 75.6 GiB that 95.0 % of the device's 79.6 GiB are: it fits, 14.4 GiB are left."
std::string verdict_line(const flopledger::memory_account& account, const budget& limits,
                         const flopledger::accelerator& device);

}  // namespace program
