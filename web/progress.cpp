// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// Tells the worker how far a search is.

#include <emscripten.h>

#include "watched_search.hpp"

EM_JS(void, report_progress, (double share), {
  if (Module["progress"]) Module["progress"](share);
});

namespace {
[[maybe_unused]] const bool set = (
    program::onlooker = [](double share) { report_progress(share); }, true);
}  // namespace
