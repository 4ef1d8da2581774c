// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A training job as the user asked for it: a model by a plan on devices, its memory by stage and its step by cause.

#include <flopledger/memory/remedies.hpp>
#include <flopledger/memory/training.hpp>
#include <flopledger/time/step.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "device_choice.hpp"
#include "json.hpp"
#include "subject.hpp"

namespace program {

class training_job {
 public:
  /// Throws `usage_error` where the plan cannot be, with the two numbers that do not go together.
  training_job(const subject& model, const training_request& asked);

  const subject& model() const { return model_; }
  const flopledger::accelerator& device() const { return device_; }
  const flopledger::efficiency& reached() const { return on_.reached; }
  const flopledger::plan& layout() const { return setup_.plan; }
  const flopledger::training_setup& setup() const { return setup_; }
  const flopledger::framework& framework() const { return setup_.framework; }
  const flopledger::step_network& network() const { return network_; }
  const flopledger::node& in() const { return node_; }
  bool is_mixture() const { return !model_.config().stack.sparse.empty(); }
  double devices() const { return static_cast<double>(layout().devices()); }

  const flopledger::figure<flopledger::flop_rate>& peak() const { return peak_; }  ///< of one device
  const program::budget& budget() const { return budget_; }
  const std::vector<flopledger::memory_account>& stages() const { return stages_; }
  std::size_t worst_stage() const { return worst_; }
  std::int64_t layers_of_stage(std::size_t stage) const;

  const flopledger::step_time& step() const { return step_; }
  /// Products of forward and backward at the peak, the causal triangle of attention, evenly on all devices.
  flopledger::seconds floor() const { return floor_; }
  /// The step of this plan without losses: every operation at the peak or the bandwidth, communication for nothing.
  flopledger::seconds roofline() const { return roofline_; }

  /// Of a step on all devices, each product once; and what recompute adds.
  flopledger::flops model_flops(flopledger::attention_counting counting) const;
  flopledger::flops recomputed_flops(flopledger::attention_counting counting) const;
  /// FLOPs of a step over what all devices would have computed in that time at their peak.
  double share_of_peak(flopledger::flops done, flopledger::seconds step) const {
    return done.value() / (step.value() * devices() * peak_.value().value());
  }
  flopledger::token_rate tokens_a_second_per_device(flopledger::seconds step) const {
    return flopledger::tokens_a_second(layout(), step) / devices();
  }
  /// Changes, each alone, that would make it fit, as memory/remedies.hpp finds them.
  std::vector<std::string> remedies() const;
  /// Figures of the answer that stand on a doubtful one of the data sheet, by their keys.
  std::vector<std::string> doubtful() const;
 private:
  flopledger::seconds floor_of_products() const;

  const subject& model_;
  flopledger::accelerator device_;
  flopledger::training_setup setup_;
  flopledger::node node_;
  flopledger::figure<flopledger::flop_rate> peak_;
  program::budget budget_;
  int asked_per_mille_ = 0;  ///< of the device's memory; 0: the framework's margin
  flopledger::step_network network_{};
  flopledger::machine on_{};
  std::vector<flopledger::memory_account> stages_;
  std::size_t worst_ = 0;
  flopledger::step_time step_{};
  flopledger::seconds floor_{}, roofline_{};
};

std::string_view name_of(flopledger::zero stage);
std::string_view name_of(flopledger::recompute which);
std::string_view name_of(flopledger::cross_entropy loss);
std::string_view name_of(flopledger::optimizer_update how);

/// The plan in two lines, for people; and as an object.
std::string plan_line(const training_job& job);
std::string batch_line(const training_job& job);
std::string assumptions_line(const training_job& job);
json plan_of(const training_job& job);
/// What of each group's communication is seen.
json communication_of(const flopledger::step_time& step);

/// The convention of model FLOPs by the causal triangle, for steps whose full square would be above the peak.
inline constexpr std::string_view causal_convention = "model-flops-causal";
/// Why a share of the peak is refused. `by_triangle` is what the causal triangle would make of it, where the convention
/// counts attention in full; 0 where it does not.
std::string above_one(const char* name, double share, std::string_view reason, double by_triangle);

/// The option that makes a plan impossible, and the line that says so.
std::string_view option_of(const flopledger::plan_verdict& judged, const flopledger::plan& p);
std::string impossible(const flopledger::plan_verdict& judged, std::string_view option);

/// "full recompute (61234 MiB)".
std::string described_with_need(const flopledger::remedy& one);

}  // namespace program
