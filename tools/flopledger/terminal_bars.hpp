// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Bars of a document in the letters of a terminal.

#include <cstddef>
#include <string>

#include "document.hpp"

namespace program {

struct terminal {
  std::size_t columns = 80;
  bool colours = false;
};

/// Each picture of bars with its legend; nothing where the document has none.
std::string bars_of(const document& made, const terminal& on);

}  // namespace program
