// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// A device that the library does not know: a type with a `value`, in which only what is known stands.

#include <flopledger/hardware/nvidia.hpp>

#include <cstdio>

using namespace flopledger;

struct garage_accelerator {
  static constexpr accelerator value{
      .id = "garage-1",
      .product = "Garage accelerator, first cut",
      .bf16 = teraflops(400),
      .fp8 = doubtful(teraflops(800)),
      .usable_memory = 62.5_GiB,
      .memory_bandwidth = 2_TB / unit::second,
      .tdp = 450_W,
  };
};

static_assert(peak_of<bf16, garage_accelerator> < peak_of<bf16, hardware::h100_sxm5_80gb>);
static_assert(usable_memory<garage_accelerator> == 64000_MiB);
static_assert(!publishes_peak<garage_accelerator, fp4>);  // peak_of<fp4, garage_accelerator> would not compile

// Operations a byte at which a product stops waiting for memory.
constexpr flops_per_byte ridge = peak_of<bf16, garage_accelerator> / memory_bandwidth<garage_accelerator>;
static_assert(ridge.value() == 200);

int main() {
  const accelerator& device = garage_accelerator::value;
  std::printf("%s (%s)\n", device.id.c_str(), device.product.c_str());
  std::printf("  bf16 peak   %6.0f TFLOP/s\n", peak_rate(device, number_kind::bf16).value() / prefix::tera);
  std::printf("  fp8 peak    %6.0f TFLOP/s%s\n", peak_rate(device, number_kind::fp8_e4m3).value() / prefix::tera,
              device.fp8.is_doubtful() ? " (doubtful)" : "");
  std::printf("  memory      %6.1f GiB\n", in_gib(published(device, &accelerator::usable_memory)));
  std::printf("  ridge       %6.0f FLOP/B\n", ridge.value());
  try {
    published(device, &accelerator::scale_up_bandwidth);
  } catch (const figure_not_published& absent) {
    std::printf("  %s\n", absent.what());
  }
}
