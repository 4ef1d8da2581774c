// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "processor.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <time.h>
namespace harness::cpu {
namespace {

std::string content_of(const char* path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// The value of the first line "key : value"; empty where there is none.
std::string value_of(const std::string& text, const std::string& key) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, key.size(), key) != 0) continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || line.find_first_not_of(" \t", key.size()) != colon) continue;
    const std::size_t first = line.find_first_not_of(" \t", colon + 1);
    return first == std::string::npos ? std::string{} : line.substr(first);
  }
  return {};
}

double number_of(const std::string& text) {
  std::istringstream in(text);
  double value = 0;
  in >> value;
  return value;
}

}  // namespace

processor processor_of(const std::string& cpuinfo, const std::string& meminfo) {
  processor found;
  found.name = value_of(cpuinfo, "model name");
  found.vendor = value_of(cpuinfo, "vendor_id");
  found.family = static_cast<int>(number_of(value_of(cpuinfo, "cpu family")));
  found.nominal_clock = 1e6 * number_of(value_of(cpuinfo, "cpu MHz"));
  const std::string flags = ' ' + value_of(cpuinfo, "flags") + ' ';
  const auto has = [&](const std::string& flag) { return flags.find(' ' + flag + ' ') != std::string::npos; };
  found.fma = has("fma");
  found.avx2 = has("avx2");
  found.avx512 = has("avx512f") && has("avx512bw") && has("avx512dq") && has("avx512vl");
  found.avx512_bf16 = has("avx512_bf16");
  found.avx512_vnni = has("avx512_vnni");
  found.avx_vnni = has("avx_vnni");
  found.amx_bf16 = has("amx_tile") && has("amx_bf16");
  found.amx_int8 = has("amx_tile") && has("amx_int8");
  found.memory_bytes = 1024 * number_of(value_of(meminfo, "MemAvailable"));
  return found;
}

processor this_processor() {
  processor found = processor_of(content_of("/proc/cpuinfo"), content_of("/proc/meminfo"));
  if (found.name.empty()) found.name = "unnamed processor";
  // sysconf multiplies a virtual machine's cache by sockets that it has not.
  for (const char* const level :
       {"/sys/devices/system/cpu/cpu0/cache/index3/size", "/sys/devices/system/cpu/cpu0/cache/index2/size"})
    if (found.cache_bytes == 0) found.cache_bytes = 1024 * number_of(content_of(level));
  if (found.cache_bytes == 0) found.cache_bytes = 32 * 1024.0 * 1024;
  return found;
}

std::optional<cycle_rate> multiply_adds_a_cycle(const processor& on, flopledger::number_kind format) {
  using flopledger::number_kind;
  cycle_rate fp32;
  // Two units of 256 bits everywhere. AVX-512 on Zen 4 (family 25) runs through them, two halves a cycle; Zen 5 and
  // Intel's servers have two of 512 bits. Intel's small Xeons with one are overrated here, which the loop then shows.
  if (on.avx512 && on.vendor == "AuthenticAMD" && on.family <= 25)
    fp32 = {16, "1 × 16 lanes of FP32 multiply-add (AVX-512)"};
  else if (on.avx512)
    fp32 = {32, "2 × 16 lanes of FP32 multiply-add (AVX-512)"};
  else if (on.avx2 && on.fma)
    fp32 = {16, "2 × 8 lanes of FP32 multiply-add (AVX2)"};
  else
    return std::nullopt;
  switch (format) {
    case number_kind::fp32:
      return fp32;
    case number_kind::bf16:
      if (on.amx_bf16) return cycle_rate{512, "one AMX tile of 16×16×32 BF16 in 16 cycles"};
      if (on.avx512_bf16) return cycle_rate{2 * fp32.multiply_adds, fp32.units + ", 2 BF16 pairs a lane (AVX512_BF16)"};
      return std::nullopt;  // emulated in FP32
    case number_kind::int8:
      if (on.amx_int8) return cycle_rate{1024, "one AMX tile of 16×16×64 INT8 in 16 cycles"};
      if (on.avx512_vnni || on.avx_vnni)
        return cycle_rate{4 * fp32.multiply_adds, fp32.units + ", 4 INT8 products a lane (VNNI)"};
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

const loops& loops_for(const processor& on) {
#ifdef HARNESS_AVX
  if (on.avx512) return avx512_loops;
  if (on.avx2 && on.fma) return avx2_loops;
#endif
  static_cast<void>(on);
  return portable_loops;
}

double thread_seconds() {
  timespec used{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used) != 0)
    throw std::runtime_error("clock_gettime of the thread failed");
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

std::optional<double> core_clock() {
  if (cycles_of_multiplication == 0) return std::nullopt;
  constexpr long count = 100'000;
  double best = 0;
  for (int i = 0; i < 5; ++i) {
    const double start = thread_seconds();
    dependent_multiplications(count);
    best = std::max(best, static_cast<double>(count * cycles_of_multiplication) / (thread_seconds() - start));
  }
  return best;
}

}  // namespace harness::cpu
