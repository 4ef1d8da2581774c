// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/version.hpp>

#include <string>

#include "catch.hpp"

TEST_CASE("the header states the version that CMake states") {
  constexpr auto stated = flopledger::version;
  CHECK(std::to_string(stated.major_number) + '.' + std::to_string(stated.minor_number) + '.' +
            std::to_string(stated.patch_number) ==
        FLOPLEDGER_CMAKE_VERSION);
}
