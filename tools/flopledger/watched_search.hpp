// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A search that a person waits for.

#include <atomic>
#include <csignal>
#include <cstdio>

#include <unistd.h>

namespace program {

/// Set by a signal.
inline std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

/// Told the share that is done, where a search has another onlooker than a terminal.
inline void (*onlooker)(double share) = nullptr;

/// While it lives, Ctrl-C asks for the best so far, and a terminal sees how far the search is.
class watched_search {
 public:
  /// `how` has a `stop` and a `progress`.
  template <class Options>
  explicit watched_search(Options& how) : before_(std::signal(SIGINT, [](int) { interrupted = true; })) {
    interrupted = false;
    how.stop = &interrupted;
    how.progress = [this](double share) { saw(share); };
  }
  ~watched_search() {
    if (shown_ >= 0) std::fputs("\r     \r", stderr);
    std::signal(SIGINT, before_);
  }
  watched_search(const watched_search&) = delete;
  watched_search& operator=(const watched_search&) = delete;
 private:
  void saw(double share) {
    if (onlooker != nullptr) onlooker(share);
    const int percent = static_cast<int>(100 * share);
    if (percent == shown_ || isatty(STDERR_FILENO) == 0) return;
    shown_ = percent;
    std::fprintf(stderr, "\r%3d %%", percent);
  }

  int shown_ = -1;
  void (*before_)(int);
};

}  // namespace program
