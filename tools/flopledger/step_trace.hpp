// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A predicted step as a trace of events.

#include <string>

#include "program.hpp"

namespace program {

/// In the format of Chrome's tracing, which Perfetto opens, of an answer that has a timeline: a process for each stage.
/// Throws `usage_error` where the answer has none.
std::string trace_of(const json& answer);

}  // namespace program
