// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The one family of exceptions.

#include <flopledger/text/sentence.hpp>

#include <cstddef>
#include <cstdint>
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

/// What holds a fixed number of things was given one more.
struct capacity_exceeded : error {
  explicit capacity_exceeded(std::size_t most)
      : error((sentence() << "more than the " << static_cast<std::int64_t>(most) << " that there is room for").c_str()),
        capacity(most) {}
  std::size_t capacity;
};

}  // namespace flopledger
