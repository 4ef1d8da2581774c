// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The loops that the CPU back end has of its own, one set for each width of vectors: loops.cpp is compiled once a set,
/// and the processor chooses as the program runs. The file includes no inline function of a library, of which the
/// linker could keep the copy that the processor cannot run.

namespace harness::cpu {

struct loops {
  const char* name;
  int lanes;  ///< FP32 elements of a vector

  /// `rounds` of multiply_adds_a_round dependent multiply-adds in as many chains as hide their latency.
  float (*multiply_add)(long rounds);
  long multiply_adds_a_round;  ///< single ones, of all lanes

  /// Reads `read` floats of `from` and writes `written` to `to`.
  void (*stream)(const float* from, long read, float* to, long written);

  /// softmax(scale·scores) of the first `seen` columns of a row in place; zeros in the others.
  void (*softmax)(float* scores, long columns, long seen, float scale);
  /// p·(dp − Σ p·dp)·scale in place of dp.
  void (*softmax_gradient)(const float* p, float* dp, long columns, float scale);

  void (*to_bf16)(const float* from, unsigned short* to, long count);  ///< to the nearest, ties to even
};

extern const loops portable_loops;
extern const loops avx2_loops;    ///< only where the build has them: HARNESS_AVX
extern const loops avx512_loops;  ///< the same

/// `count` multiplications that wait for each other, three cycles each on x86-64 since 2008; what they take tells the
/// clock. 0 where that is not known of the architecture.
unsigned long dependent_multiplications(long count);
inline constexpr int cycles_of_multiplication =
#ifdef __x86_64__
    3;
#else
    0;
#endif

}  // namespace harness::cpu
