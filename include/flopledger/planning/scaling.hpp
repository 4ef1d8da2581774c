// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A plan on more and more devices: each doubling of its data-parallel ranks, and what its step is limited by there.

#include <flopledger/hardware/cluster.hpp>
#include <flopledger/time/step.hpp>

#include <string_view>
#include <utility>
#include <vector>

namespace flopledger::planning {

/// What stays as it is while the devices grow: what each rank works on, or what all of them do together.
enum class scaling : std::uint8_t { weak, strong };

constexpr std::string_view name_of(scaling kind) { return kind == scaling::weak ? "weak" : "strong"; }

/// What a step spends beside its own products: no part of it grows with the model's FLOPs alone.
enum class step_loss : std::uint8_t {
  none,
  recompute,
  bubble,
  tensor_communication,
  context_communication,
  expert_communication,
  pipeline_communication,
  data_communication,
  optimizer,
  data_loading,
  host
};

constexpr std::string_view name_of(step_loss loss) {
  constexpr std::string_view names[] = {"computation",
                                        "recompute",
                                        "bubble",
                                        "tensor communication",
                                        "context communication",
                                        "expert communication",
                                        "pipeline communication",
                                        "data communication",
                                        "optimizer",
                                        "data loading",
                                        "host"};
  return names[static_cast<std::size_t>(loss)];
}

constexpr seconds part_of(const step_time& step, step_loss loss) {
  switch (loss) {
    case step_loss::none:
      return step.compute();
    case step_loss::recompute:
      return step.recompute;
    case step_loss::bubble:
      return step.bubble;
    case step_loss::tensor_communication:
      return step.tensor_communication;
    case step_loss::context_communication:
      return step.context_communication;
    case step_loss::expert_communication:
      return step.expert_communication;
    case step_loss::pipeline_communication:
      return step.pipeline_communication;
    case step_loss::data_communication:
      return step.data_communication;
    case step_loss::optimizer:
      return step.optimizer;
    case step_loss::data_loading:
      return step.data_loading;
    case step_loss::host:
      return step.host;
  }
  return {};
}

/// The largest of them; `none` where the step is its own products alone.
constexpr step_loss largest_loss(const step_time& step) {
  step_loss found = step_loss::none;
  seconds most{};
  for (auto i = static_cast<int>(step_loss::recompute); i <= static_cast<int>(step_loss::host); ++i) {
    const auto loss = static_cast<step_loss>(i);
    if (part_of(step, loss) > most) {
      most = part_of(step, loss);
      found = loss;
    }
  }
  return found;
}

/// A plan of the series, and its predicted step.
struct scaling_point {
  plan layout{};
  step_time step{};

  token_rate tokens_a_second() const { return flopledger::tokens_a_second(layout, step.total()); }
  token_rate tokens_a_second_per_device() const { return tokens_a_second() / static_cast<double>(layout.devices()); }
};

/// The plan of a job and those with twice the data-parallel ranks, four times and so on, up to `most` devices. Where
/// all ranks together keep their work (`scaling::strong`), the series ends where a rank's share is no whole number of
/// micro-batches, or too few for the plan's stages. Throws `impossible_plan` where the model does not allow the first.
template <class Model>
std::vector<scaling_point> scaled(const Model& model, training_setup setup, const machine& on, const node& in,
                                  scaling kind, std::int64_t most) {
  std::vector<scaling_point> points;
  plan& p = setup.plan;
  for (bool first = true; first || p.devices() <= most; first = false) {
    if (!first && !verdict(p, model).ok()) break;
    const step_network network = p.devices() > 1 ? network_of(p, in) : step_network{};
    points.push_back({p, training_time(model, setup, on, network).step()});
    p.data *= 2;
    if (kind == scaling::weak) continue;
    if (p.gradient_accumulation % 2 != 0) break;
    p.gradient_accumulation /= 2;
  }
  return points;
}

}  // namespace flopledger::planning
