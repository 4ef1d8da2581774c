// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// `flopledger completion SHELL`: what a shell proposes behind the words typed so far.

#include <string>
#include <string_view>

namespace program {

/// The script that the shell reads: bash, zsh or fish. It holds the names of models and devices of this release.
/// Throws `usage_error` for another shell.
std::string completion_script(std::string_view shell);

}  // namespace program
