// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What compilers and their flags differ in.

#if !defined(__cpp_exceptions) && !defined(__CUDA_ARCH__)
#include <cstdio>
#include <cstdlib>
#endif

namespace flopledger::detail {

struct with_defaults {
  int first = 0, skipped = 1, last = 0;
};
static_assert(with_defaults{.first = 1, .last = 1}.skipped == 1,
              "this compiler loses the defaults of members that an initialiser skips, so every plan would be another: "
              "nvcc does with clang for its host compiler, take g++ (-ccbin g++)");

/// Throws. Where exceptions are off (-fno-exceptions) the program ends instead, with the reason on standard error; in
/// device code it traps. In a constant expression it is an error in each case, and the argument is what the compiler
/// shows.
template <class Exception>
[[noreturn]] constexpr void raise(const Exception& reason) {
#if defined(__CUDA_ARCH__)
  static_cast<void>(reason);
  __builtin_trap();
#elif defined(__cpp_exceptions)
  throw reason;
#else
  if constexpr (requires { reason.what(); }) std::fprintf(stderr, "flopledger: %s\n", reason.what());
  std::abort();
#endif
}

}  // namespace flopledger::detail
