// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "loops.hpp"

// LOOPS and LANES: the set that this compilation makes.
#ifndef LOOPS
#define LOOPS portable_loops
#define LANES 4
#endif

namespace harness::cpu {
namespace {

constexpr int lanes = LANES;
using vector = float __attribute__((vector_size(4 * LANES)));

constexpr int chains = 12;  // latency 4 on two units needs 8

float multiply_add(long rounds) {
  vector sums[chains];
  for (int i = 0; i < chains; ++i)
    for (int lane = 0; lane < lanes; ++lane) sums[i][lane] = 1.0F + 0.001F * static_cast<float>(i + lane);
  vector factor{}, addend{};
  for (int lane = 0; lane < lanes; ++lane) {
    factor[lane] = 0.999F;
    addend[lane] = 0.001F;
  }
  for (long round = 0; round < rounds; ++round)
    for (int i = 0; i < chains; ++i) sums[i] = sums[i] * factor + addend;
  float all = 0;
  for (int i = 0; i < chains; ++i)
    for (int lane = 0; lane < lanes; ++lane) all += sums[i][lane];
  return all;
}

// Inputs stand one after another, as many as there are outputs each; what is left of either is read or written alone.
void stream(const float* __restrict from, long read, float* __restrict to, long written) {
  const long both = read < written ? read : written;
  const float* __restrict second = from + both;
  const bool two = read >= 2 * both;
  if (two)
    for (long i = 0; i < both; ++i) to[i] = from[i] + second[i];
  else
    for (long i = 0; i < both; ++i) to[i] = 0.5F * from[i];
  float sum = 0;
  const long used = two ? 2 * both : both;
  for (long i = used; i < read; ++i) sum += from[i];
  for (long i = both; i < written; ++i) to[i] = 1.0F;
  if (used == read) return;
  if (written > 0)
    to[0] = sum;
  else
    asm volatile("" : : "r"(&sum) : "memory");  // nothing else keeps the compiler from leaving the reading out
}

/// e^x for x ≤ 0 to some 2 ulp: 2^(n + f) with n whole and f in [−½, ½], 2^f by its Taylor series to the sixth power.
inline float exponential(float x) {
  const float y = x * 1.44269504F < -126.0F ? -126.0F : x * 1.44269504F;
  const int whole = static_cast<int>(y - 0.5F);
  const float f = (y - static_cast<float>(whole)) * 0.693147181F;
  const float p =
      1.0F +
      f * (1.0F + f * (0.5F + f * (0.166666667F + f * (0.0416666667F + f * (0.00833333333F + f * 0.00138888889F)))));
  return p * __builtin_bit_cast(float, (whole + 127) << 23);
}

void softmax(float* __restrict scores, long columns, long seen, float scale) {
  float highest = scores[0];
  for (long j = 0; j < seen; ++j) highest = scores[j] > highest ? scores[j] : highest;
  float sum = 0;
  for (long j = 0; j < seen; ++j) {
    const float one = exponential((scores[j] - highest) * scale);
    scores[j] = one;
    sum += one;
  }
  const float share = 1 / sum;
  for (long j = 0; j < seen; ++j) scores[j] *= share;
  for (long j = seen; j < columns; ++j) scores[j] = 0;
}

void softmax_gradient(const float* __restrict p, float* __restrict dp, long columns, float scale) {
  float mean = 0;
  for (long j = 0; j < columns; ++j) mean += p[j] * dp[j];
  for (long j = 0; j < columns; ++j) dp[j] = p[j] * (dp[j] - mean) * scale;
}

void to_bf16(const float* __restrict from, unsigned short* __restrict to, long count) {
  for (long i = 0; i < count; ++i) {
    const auto bits = __builtin_bit_cast(unsigned, from[i]);
    to[i] = static_cast<unsigned short>((bits + 0x7fffU + ((bits >> 16U) & 1U)) >> 16U);
  }
}

}  // namespace

extern const loops LOOPS;
const loops LOOPS{.name = lanes == 16  ? "AVX-512"
                          : lanes == 8 ? "AVX2"
                                       : "128-bit vectors",
                  .lanes = lanes,
                  .multiply_add = multiply_add,
                  .multiply_adds_a_round = static_cast<long>(chains) * lanes,
                  .stream = stream,
                  .softmax = softmax,
                  .softmax_gradient = softmax_gradient,
                  .to_bf16 = to_bf16};

#if LANES == 4
unsigned long dependent_multiplications(long count) {
  unsigned long product = 3, factor = 5;
  for (long i = 0; i < count; ++i) {
    product *= factor;
    asm volatile("" : "+r"(product), "+r"(factor));
  }
  return product;
}
#endif

}  // namespace harness::cpu
