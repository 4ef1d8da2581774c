// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// A training loop that knows what it should reach. The meter is made once from the job that was planned; each step
// hands it a duration. Here the steps are made up: one of compilation, some that run well, one that a clock got wrong,
// and some that wait for data.

#include <flopledger/hardware/cluster.hpp>
#include <flopledger/hardware/runtime_name.hpp>
#include <flopledger/meter_writers.hpp>
#include <flopledger/models/zoo/llama.hpp>

#include <chrono>

#include <fmt/core.h>

using namespace flopledger;

int main() {
  const training_setup setup{
      .precision = recipes::mixed_bf16::value,
      .plan = {.sequence = 8192, .gradient_accumulation = 8, .data = 8, .sharding = zero::weights}};
  const training_job job(models::llama3_1_8b::config, setup,
                         machine_of(hardware::h100_sxm5_80gb::value, setup.precision, setup.framework),
                         network_of(setup.plan, hardware::dgx_h100::value));

  // The name is what cudaGetDeviceProperties reports. Where nobody knows it there is no peak, and so no MFU.
  const accelerator* device = hardware::named_by_runtime("NVIDIA H100 80GB HBM3", 132);
  const figure<flop_rate> peak =
      device != nullptr ? dense_peak_figure(*device, number_kind::bf16) : figure<flop_rate>{};
  training_meter meter(metered(job, peak), {.warm_up = 1, .window = 4});

  using milliseconds = std::chrono::duration<double, std::milli>;  // or a difference of two steady_clock time points
  for (const double took : {60e3, 9.1e3, 9.0e3, 9.0e3, 9.1e3, 0.0, 10.8e3, 10.9e3, 10.8e3, 10.9e3}) {
    meter.step(milliseconds(took));
    fmt::print("{}\n", as_line(meter.report()));
  }

  const meter_report last = meter.report();
  fmt::print("\nbeyond the floor of {:.2f} s a step: kernels {:.2f} s, communication {:.2f} s, unexplained {:.2f} s\n",
             last.gap.floor.value(), last.gap.kernels.value(), last.gap.communication.value(),
             last.gap.remainder.value());
}
