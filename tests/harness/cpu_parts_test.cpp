// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// The CPU back end's own parts, which need no library: what a processor can do, memory under a limit, loops, threads.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "catch.hpp"
#include "cpu/loops.hpp"
#include "cpu/memory.hpp"
#include "cpu/pool.hpp"
#include "cpu/processor.hpp"

using namespace harness;
using namespace harness::cpu;
using Catch::Matchers::WithinRel;
using flopledger::number_kind;

namespace {

std::string cpuinfo(const std::string& vendor, int family, const std::string& flags) {
  return "processor\t: 0\nvendor_id\t: " + vendor + "\ncpu family\t: " + std::to_string(family) +
         "\nmodel\t\t: 17\nmodel name\t: A Processor\ncpu MHz\t\t: 2600.5\nflags\t\t: fpu " + flags +
         "\n\nprocessor\t: 1\nvendor_id\t: other\n";
}
constexpr const char* avx2 = "fma avx2";
constexpr const char* skylake = "fma avx2 avx512f avx512bw avx512dq avx512vl";
constexpr const char* zen4 = "fma avx2 avx512f avx512bw avx512dq avx512vl avx512_bf16 avx512_vnni";
constexpr const char* sapphire_rapids =
    "fma avx2 avx512f avx512bw avx512dq avx512vl avx512_bf16 avx512_vnni amx_tile amx_bf16 amx_int8";

double a_cycle(const std::string& vendor, int family, const std::string& flags, number_kind format) {
  const std::optional<cycle_rate> rate =
      multiply_adds_a_cycle(processor_of(cpuinfo(vendor, family, flags), ""), format);
  return rate ? 2 * rate->multiply_adds : 0;
}

}  // namespace

TEST_CASE("a processor is what /proc says of it") {
  const processor found = processor_of(cpuinfo("AuthenticAMD", 25, zen4), "MemTotal: 1 kB\nMemAvailable:   2048 kB\n");
  CHECK(found.name == "A Processor");
  CHECK(found.vendor == "AuthenticAMD");
  CHECK(found.family == 25);
  CHECK(found.nominal_clock == 2600.5e6);
  CHECK(found.memory_bytes == 2048 * 1024.0);
  CHECK(found.avx512_bf16);
  CHECK_FALSE(found.amx_bf16);
  CHECK_FALSE(processor_of("", "").avx2);
}

TEST_CASE("FLOP a cycle and core are those that the makers publish") {
  // Intel: 32 on Haswell, 64 on Skylake-SP with two units; 1024 BF16 and 2048 INT8 operations with AMX (Architecture
  // Day 2021). AMD: 32 on Zen 2 to 4, 64 on Zen 5.
  CHECK(a_cycle("GenuineIntel", 6, avx2, number_kind::fp32) == 32);
  CHECK(a_cycle("GenuineIntel", 6, skylake, number_kind::fp32) == 64);
  CHECK(a_cycle("AuthenticAMD", 23, avx2, number_kind::fp32) == 32);
  CHECK(a_cycle("AuthenticAMD", 25, zen4, number_kind::fp32) == 32);
  CHECK(a_cycle("AuthenticAMD", 26, zen4, number_kind::fp32) == 64);
  CHECK(a_cycle("GenuineIntel", 6, sapphire_rapids, number_kind::bf16) == 1024);
  CHECK(a_cycle("GenuineIntel", 6, sapphire_rapids, number_kind::int8) == 2048);
  CHECK(a_cycle("AuthenticAMD", 25, zen4, number_kind::bf16) == 64);
  CHECK(a_cycle("AuthenticAMD", 25, zen4, number_kind::int8) == 128);
  // Nothing is guessed: no BF16 before its instructions, nothing at all without a multiply-add.
  CHECK(a_cycle("GenuineIntel", 6, skylake, number_kind::bf16) == 0);
  CHECK(a_cycle("GenuineIntel", 6, "sse2", number_kind::fp32) == 0);
  CHECK(a_cycle("GenuineIntel", 6, skylake, number_kind::fp16) == 0);
}

TEST_CASE("the clock of this core is one that cores have") {
  const std::optional<double> clock = core_clock();
  if (cycles_of_multiplication == 0) {
    CHECK_FALSE(clock.has_value());
  } else {
    REQUIRE(clock.has_value());
    CHECK(*clock > 1e8);
    CHECK(*clock < 1e10);
  }
}

TEST_CASE("memory ends at its limit, and what goes is free again") {
  memory_account memory(1 << 20);
  {
    const pages half(memory, 1 << 19);
    std::memset(half.data(), 1, half.size());
    CHECK(memory.use().allocated == 1 << 19);
    CHECK_THROWS_AS(pages(memory, (1 << 19) + 1), out_of_memory);
    const pages other(memory, 1 << 19);
    CHECK(memory.use().allocated == 1 << 20);
  }
  CHECK(memory.use().allocated == 0);
  CHECK(memory.use().allocated_peak == 1 << 20);
  memory.reset_peak();
  CHECK(memory.use().allocated_peak == 0);
  // Moving takes nothing twice.
  pages moved;
  moved = pages(memory, 1000);
  const pages last(std::move(moved));
  CHECK(memory.use().allocated == 1000);
  CHECK(memory.use().reserved > 0);
}

TEST_CASE("the loops compute what their names say") {
  const loops& with = portable_loops;
  std::vector<float> row;
  for (int i = 0; i < 37; ++i) row.push_back(0.37F * static_cast<float>((i * 13) % 41) - 5.0F);
  std::vector<float> p = row;
  with.softmax(p.data(), 37, 30, 0.5F);
  double sum = 0;
  for (int j = 0; j < 30; ++j) sum += std::exp(0.5 * static_cast<double>(row[static_cast<std::size_t>(j)]));
  for (std::size_t j = 0; j < 37; ++j) {
    const double right = j < 30 ? std::exp(0.5 * static_cast<double>(row[j])) / sum : 0;
    CHECK(std::fabs(static_cast<double>(p[j]) - right) <= 1e-6 * right);
  }
  std::vector<float> far{0.0F, -1000.0F, 0.0F};
  with.softmax(far.data(), 3, 3, 1.0F);
  CHECK(far[0] == 0.5F);
  CHECK(far[1] < 1e-37F);

  std::vector<float> gradient(37, 0.0F);
  for (std::size_t j = 0; j < 37; ++j) gradient[j] = static_cast<float>(j % 5) - 2.0F;
  const std::vector<float> before = gradient;
  with.softmax_gradient(p.data(), gradient.data(), 37, 2.0F);
  double mean = 0, all = 0;
  for (std::size_t j = 0; j < 37; ++j) mean += static_cast<double>(p[j]) * static_cast<double>(before[j]);
  for (std::size_t j = 0; j < 37; ++j) {
    const double right = 2 * static_cast<double>(p[j]) * (static_cast<double>(before[j]) - mean);
    CHECK(std::fabs(static_cast<double>(gradient[j]) - right) < 1e-6);
    all += static_cast<double>(gradient[j]);
  }
  CHECK(std::fabs(all) < 1e-5);  // a softmax does not change with what is added to all of its scores

  // BF16 to the nearest, ties to even: 1 + 2⁻⁸ lies between 1 and 1 + 2⁻⁷, and 1 + 3·2⁻⁸ between 1 + 2⁻⁷ and 1 + 2⁻⁶.
  const float wide[] = {1.0F, 1.00390625F, 1.01171875F, -3.140625F};
  unsigned short narrow[4];
  with.to_bf16(wide, narrow, 4);
  CHECK(narrow[0] == 0x3f80);
  CHECK(narrow[1] == 0x3f80);
  CHECK(narrow[2] == 0x3f82);
  CHECK(narrow[3] == 0xc049);

  const std::vector<float> from(64, 2.0F);
  std::vector<float> to(32);
  with.stream(from.data(), 64, to.data(), 32);
  CHECK(to == std::vector<float>(32, 4.0F));
  with.stream(from.data(), 8, to.data(), 32);
  CHECK(to[7] == 1.0F);
  CHECK(to[31] == 1.0F);
  with.stream(from.data(), 64, to.data(), 4);
  CHECK(to[0] == 2.0F * 56);  // what no output needs is summed up
  CHECK(std::isfinite(with.multiply_add(1000)));
  CHECK(with.multiply_adds_a_round % with.lanes == 0);
}

TEST_CASE("threads share a loop between them, each index once") {
  const int threads = GENERATE(1, 2, 5);
  pool workers(threads);
  CHECK(workers.threads() == threads);
  for (const std::int64_t count : {0, 1, 3, 1000}) {
    std::vector<std::atomic<int>> seen(static_cast<std::size_t>(count));
    for (int round = 0; round < 50; ++round)
      workers.split(count, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i) ++seen[static_cast<std::size_t>(i)];
      });
    CHECK(std::all_of(seen.begin(), seen.end(), [](const std::atomic<int>& times) { return times == 50; }));
  }
}
