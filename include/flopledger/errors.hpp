// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The one family of exceptions.

#include <stdexcept>

namespace flopledger {

/// What everything that this library throws derives from. `what()` is one sentence.
struct error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An argument that no answer exists for: a share above one, a count below zero.
struct bad_argument : error {
  using error::error;
};

}  // namespace flopledger
