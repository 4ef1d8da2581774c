// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A training job as the user asked for it: a model by a plan on devices, its memory by stage and its step by cause.

#include <flopledger/job.hpp>
#include <flopledger/time/calibration_from_runs.hpp>
#include <flopledger/time/timeline.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device_choice.hpp"
#include "json.hpp"
#include "subject.hpp"

namespace program {

/// A recipe to train with on a device; the default where none was asked for.
flopledger::recipe recipe_for_training(const flopledger::recipe* asked, const flopledger::accelerator& device);
/// The power limit that was asked for, of a device whose power is published; 0: none.
flopledger::watts power_limit_of(const std::optional<double>& asked, const flopledger::accelerator& device);
/// Refuses a model whose sequences are no tokens.
void refuse_without_tokens(const subject& model);
/// Tokens of a sequence that nobody named.
std::int64_t sequence_of(const flopledger::transformer_config& config);

class training_job : public flopledger::training_job {
 public:
  /// Throws `usage_error` where the plan cannot be, with the two numbers that do not go together.
  training_job(const subject& model, const training_request& asked);

  const subject& model() const { return model_; }
  const flopledger::accelerator& device() const { return laid_.device; }
  const flopledger::plan& layout() const { return setup().plan; }
  const flopledger::framework& framework() const { return setup().framework; }
  const flopledger::node& in() const { return laid_.in; }
  const flopledger::machine& on() const { return laid_.on; }
  bool is_mixture() const { return !model_.config().stack.sparse.empty(); }

  const flopledger::figure<flopledger::flop_rate>& peak() const { return laid_.peak; }  ///< of one device
  const program::budget& budget() const { return budget_; }
  const std::vector<flopledger::memory_account>& stages() const { return stages_; }
  const flopledger::memory_account& worst() const { return stages_[static_cast<std::size_t>(worst_stage())]; }
  std::int64_t layers_of_stage(std::size_t stage) const;

  /// The predicted step, as measured runs set its constants where there are any.
  const flopledger::step_time& step() const { return calibrated_ ? *calibrated_ : flopledger::training_job::step(); }
  void calibrate(const flopledger::step_calibration& by) { calibrated_ = by.of(flopledger::training_job::step()); }
  flopledger::token_rate tokens_a_second_per_device(flopledger::seconds step) const {
    return flopledger::tokens_a_second(layout(), step) / devices();
  }
  /// When each stage works on what; none where its order is not known or measured runs change its step.
  std::optional<flopledger::step_timeline> timeline() const;
  /// Which rates are published: times stand on both.
  known_rates known() const { return rates_known(laid_.device, setup().precision); }
  /// Members of the framework that a file or an object gave, by their paths.
  const std::vector<std::string>& changed() const { return changed_; }
  /// Changes, each alone, that would make it fit, in words.
  std::vector<std::string> ways_to_fit() const;
  /// Figures of the answer that stand on a doubtful one of the data sheet, by their keys.
  std::vector<std::string> doubtful() const;
 private:
  /// What was asked, as the library takes it.
  struct laid_out {
    const flopledger::accelerator& device;
    flopledger::training_setup setup;
    flopledger::node in;
    flopledger::figure<flopledger::flop_rate> peak;
    flopledger::machine on;
    flopledger::step_network network;
    laid_out(const subject& model, const training_request& asked);
  };
  training_job(const subject& model, const training_request& asked, const laid_out& as);

  const subject& model_;
  laid_out laid_;
  program::budget budget_;
  std::int64_t asked_per_mille_ = 0;  ///< of the device's memory; 0: the framework's margin
  std::vector<std::string> changed_;
  std::vector<flopledger::memory_account> stages_;
  std::optional<flopledger::step_time> calibrated_;
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
/// What an answer about a job begins with: `model`, `device`, `devices`, `recipe` and `plan`.
void put_job(json_answer& answer, const training_job& job);
/// Puts how replicas, tensor ranks and stages share a plan's work: `data` to `schedule`.
void put_degrees(json& one, const flopledger::plan& p);
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
