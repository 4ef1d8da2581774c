// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// `flopledger manual`: the page of the manual.

#include <string>
#include <string_view>

namespace program {

/// flopledger(1) as man reads it, from the commands and their options.
std::string manual(std::string_view version);

}  // namespace program
