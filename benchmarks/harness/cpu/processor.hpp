// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What the processor is, and what one of its cores can multiply in a cycle.

#include <flopledger/precision.hpp>

#include <optional>
#include <string>

#include "loops.hpp"

namespace harness::cpu {

struct processor {
  std::string name, vendor;
  int family = 0;
  bool fma = false, avx2 = false, avx512 = false, avx512_bf16 = false, avx512_vnni = false, avx_vnni = false,
       amx_bf16 = false, amx_int8 = false;
  double cache_bytes = 0;    ///< the last level's
  double memory_bytes = 0;   ///< that is free for a process to take
  double nominal_clock = 0;  ///< Hz, as the system tells it
};

/// What Linux tells of the machine; what it does not tell stays at its default.
processor this_processor();
/// The same of the texts of /proc/cpuinfo and /proc/meminfo.
processor processor_of(const std::string& cpuinfo, const std::string& meminfo);

/// Multiply-adds that one core starts in a cycle, and what makes them.
struct cycle_rate {
  double multiply_adds = 0;
  std::string units;  ///< "1 × 16 lanes of FP32 multiply-add (AVX-512)"
};
std::optional<cycle_rate> multiply_adds_a_cycle(const processor& on, flopledger::number_kind format);

/// The widest set of loops that it runs and that this build has.
const loops& loops_for(const processor& on);

/// Seconds that the calling thread has had a processor: what others take of it is not in them.
double thread_seconds();

/// Hz of the core that calls, now: from a chain of multiplications whose latency is known; absent elsewhere.
std::optional<double> core_clock();

}  // namespace harness::cpu
