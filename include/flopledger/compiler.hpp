// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What compilers and their flags differ in.

#if __cplusplus < 202002L
#error "flopledger needs C++20: compile with -std=c++20 or later"
#endif

#include <cstddef>
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

// What a compiler has built in costs a constant expression less than a loop does.
constexpr std::size_t length_of(const char* text) {
#if defined(__GNUC__)
  return __builtin_strlen(text);
#else
  std::size_t length = 0;
  while (text[length] != '\0') ++length;
  return length;
#endif
}
constexpr bool same_bytes(const char* a, const char* b, std::size_t count) {
#if defined(__GNUC__)
  return __builtin_memcmp(a, b, count) == 0;
#else
  for (std::size_t i = 0; i < count; ++i)
    if (a[i] != b[i]) return false;
  return true;
#endif
}

/// Throws a `Reason` of these arguments. Where exceptions are off (-fno-exceptions) the program ends instead, with the
/// reason on standard error; in device code it traps. In a constant expression it is an error in each case, and
/// compilers show the arguments.
template <class Reason, class... Arguments>
[[noreturn]] constexpr void raise([[maybe_unused]] const Arguments&... arguments) {
#if defined(__CUDA_ARCH__)
  __trap();
#elif defined(__cpp_exceptions)
  throw Reason{arguments...};
#else
  if constexpr (requires(const Reason& reason) { reason.what(); })
    std::fprintf(stderr, "flopledger: %s\n", Reason{arguments...}.what());
  std::abort();
#endif
}

}  // namespace flopledger::detail
