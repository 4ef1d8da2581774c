// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Which version of the library this is. CMakeLists.txt states it too, and a test compares the two.

#define FLOPLEDGER_VERSION_MAJOR 0
#define FLOPLEDGER_VERSION_MINOR 1
#define FLOPLEDGER_VERSION_PATCH 0

namespace flopledger {

/// Versions follow Semantic Versioning.
struct version_number {
  int major_number, minor_number, patch_number;  // glibc defines major and minor as macros
};

inline constexpr version_number version{FLOPLEDGER_VERSION_MAJOR, FLOPLEDGER_VERSION_MINOR, FLOPLEDGER_VERSION_PATCH};

}  // namespace flopledger
