// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// How long does a training step take? Llama-3.1-70B on eight DGX H100: model, plan and nodes in, the step's parts, its
// utilisation and the days of a whole training out.

#include <flopledger/hardware/cluster.hpp>
#include <flopledger/memory/capacity.hpp>
#include <flopledger/models/zoo/llama.hpp>
#include <flopledger/time/step.hpp>
#include <flopledger/utilisation.hpp>

#include <fmt/core.h>

using namespace flopledger;

namespace {
using device = hardware::h100_sxm5_80gb;
using eight_nodes = cluster<hardware::dgx_h100, 8>;
constexpr const transformer_config& llama = models::llama3_1_70b::config;

constexpr plan layout{.sequence = 8192,
                      .micro_batch = 1,
                      .gradient_accumulation = 32,
                      .data = 4,
                      .tensor = 8,
                      .pipeline = 2,
                      .sharding = zero::optimizer,
                      .recompute = recompute::selective};
static_assert(layout.devices() == 64);
static_assert(layout.devices() == eight_nodes::value.devices());
// Megatron-Core hides nine tenths of its replicas' messages and seven of its tensor ranks', and adds up FP32 gradients.
constexpr training_setup setup{
    .precision = formats_under(frameworks::megatron_core, recipes::mixed_bf16::value, layout),
    .plan = layout,
    .framework = frameworks::megatron_core};

// The links that each group of ranks crosses: tensor ranks share a node, replicas and stages meet over the network.
constexpr step_network links = network_of(layout, hardware::dgx_h100::value);
constexpr step_time step =
    training_time(llama, setup, machine_of(device::value, setup.precision, setup.framework), links).step();
}  // namespace

int main() {
  fmt::print("Llama-3.1-70B, 64 H100, {} sequences of {} tokens a step\n\n", layout.global_batch(), layout.sequence);
  const auto line = [](const char* what, seconds time) {
    fmt::print("{:<24} {:>8.3f} s {:>6.1f} %\n", what, time.value(), 100 * (time / step.total()));
  };
  line("forward", step.forward);
  line("backward", step.backward);
  line("recompute", step.recompute);
  line("bubble", step.bubble);
  line("tensor communication", step.tensor_communication);
  line("pipeline communication", step.pipeline_communication);
  line("data communication", step.data_communication);
  line("optimizer", step.optimizer);
  line("step", step.total());

  // What the model asks for, over what all devices could do in that time. What runs again does not count.
  const work asked = training_step(static_cast<double>(layout.global_batch()), static_cast<double>(layout.sequence));
  const auto done = model_work_of<pass::training_step, bf16>(llama, asked);
  fmt::print("\nMFU                      {:>8.3f}\n",
             mfu(done, measured<pass::training_step>(step.total()), peak_on<bf16, device>(64)));
  fmt::print("throughput               {:>8.0f} tokens/s\n", tokens_a_second(layout, step.total()).value());
  fmt::print("1e12 tokens              {:>8.0f} days\n",
             in_days(time_to_train(1e12 * unit::token, layout, step.total())));

  const step_transfers sent = transfers_of(llama, layout, setup.precision);
  const auto volume = [](const char* what, const transfers& of_them) {
    fmt::print("{:<24} {:>8.2f} GB a step\n", what, in_gb(of_them.sent(layout)));
  };
  fmt::print("\nsent by a device of the first stage\n");
  volume("tensor", sent.tensor);
  volume("pipeline", sent.pipeline);
  volume("data", sent.data);
  fmt::print("\nlongest sequence that fits {:>6} tokens\n", largest_sequence(llama, setup, usable_memory<device>));
}
