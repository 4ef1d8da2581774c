// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Catch2 prints quantities by their number, and `HOLDS` asks a fact twice: of the compiler, and at run time.

#include <flopledger/units.hpp>

#include <string>

#include "catch.hpp"

template <class Unit>
struct Catch::StringMaker<boost::units::quantity<Unit, double>> {
  static std::string convert(const boost::units::quantity<Unit, double>& q) {
    return Catch::StringMaker<double>::convert(q.value());
  }
};

#define HOLDS(...)            \
  static_assert(__VA_ARGS__); \
  CHECK(__VA_ARGS__)
