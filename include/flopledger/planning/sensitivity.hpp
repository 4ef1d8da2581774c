// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What a training step would gain from a faster machine: the same step with one of its rates raised.

#include <flopledger/compiler.hpp>
#include <flopledger/hardware/cluster.hpp>
#include <flopledger/time/step.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace flopledger::planning {

/// What a data sheet sells.
enum class machine_rate : std::uint8_t {
  peak,       ///< of products, in every format
  bandwidth,  ///< of the device's memory
  scale_up,   ///< of the link inside a node
  scale_out   ///< of the network between nodes
};
inline constexpr machine_rate machine_rates_sold[] = {machine_rate::peak, machine_rate::bandwidth,
                                                      machine_rate::scale_up, machine_rate::scale_out};

constexpr std::string_view name_of(machine_rate which) {
  constexpr std::string_view names[] = {"peak", "memory bandwidth", "scale-up link", "network"};
  return names[static_cast<std::size_t>(which)];
}

/// A machine and its node with one rate multiplied; shares of the rates that are reached, and latencies, stay.
struct raised_machine {
  machine on{};
  node in{};

  constexpr raised_machine(const machine& device, const node& links, machine_rate which, double times)
      : on(device), in(links) {
    if (which == machine_rate::peak) {
      on.peak *= times;
      on.attention_peak *= times;
      on.plain_peak *= times;
    }
    if (which == machine_rate::bandwidth) on.bandwidth *= times;
    if (which == machine_rate::scale_up) raise(in.scale_up, times);
    if (which == machine_rate::scale_out) raise(in.scale_out, times);
  }
 private:
  static constexpr void raise(interconnect& link, double times) {
    link.send *= times;
    link.receive *= times;
    link.to_one_peer *= times;
  }
};

/// The step where one rate is `times` as high.
struct raised_step {
  machine_rate which{};
  step_time step{};
};

/// Of every rate, each by itself.
template <class Model>
std::vector<raised_step> sensitivities(const Model& model, const training_setup& setup, const machine& on,
                                       const node& in, double times) {
  if (!(times > 0)) flopledger::detail::raise<bad_argument>("a rate is multiplied by a number above zero");
  std::vector<raised_step> found;
  for (const machine_rate which : machine_rates_sold) {
    const raised_machine raised(on, in, which, times);
    const step_network network = setup.plan.devices() > 1 ? network_of(setup.plan, raised.in) : step_network{};
    found.push_back({which, training_time(model, setup, raised.on, network).step()});
  }
  return found;
}

}  // namespace flopledger::planning
