// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The parts of a step, and what makes one step longer than another.

#include <flopledger/time/step.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "program.hpp"

namespace program {

struct part_of_step {
  std::string_view name;
  flopledger::seconds time{};
};
/// They add up to the step.
std::vector<part_of_step> parts_of(const flopledger::step_time& step);
json parts_seconds(const flopledger::step_time& step);

/// "+12.3 ms".
std::string signed_time(flopledger::seconds time);
/// The three largest differences of one step from another: "recompute -16 ms, bubble +2 ms".
std::string causes(const flopledger::step_time& of, const flopledger::step_time& from);

}  // namespace program
