// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/time/overlap.hpp>

namespace {
namespace fl = flopledger;
using namespace fl::literals;

// Overlap is an explicit share, and computation hides no more than itself.
static_assert(fl::exposed_time(100_ms, 0) == 100_ms && fl::exposed_time(100_ms, 1) == 0_ms);
static_assert(fl::exposed_time(100_ms, 0.75) == 25_ms);
static_assert(fl::exposed_time(100_ms, 1, 30_ms) == 70_ms && fl::exposed_time(100_ms, 0.5, 80_ms) == 50_ms);
}  // namespace
