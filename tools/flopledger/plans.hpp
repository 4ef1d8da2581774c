// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What `flopledger plan` and `flopledger scale` are asked.

#include <flopledger/planning/scaling.hpp>
#include <flopledger/planning/serving_search.hpp>

#include <optional>
#include <string>
#include <vector>

#include "prices.hpp"
#include "program.hpp"

namespace program {

/// The plans of a training job to choose from. Degrees without values take all that devices, layers and batch divide
/// by.
struct plan_request {
  std::string model;
  device_request device{};
  const flopledger::recipe* recipe = nullptr;  ///< null: mixed-bf16
  std::optional<std::int64_t> sequence{};
  std::int64_t images = 0, adapter_rank = 0;
  flopledger::planning::plan_space space{};
  std::vector<flopledger::recompute> ways{};  ///< of recompute; none: none, selective and full
  std::vector<std::int64_t> every{};          ///< blocks of full recompute; none: each
  const flopledger::optimizer* rule = &flopledger::optimizers::adamw;
  const flopledger::framework* framework = &flopledger::frameworks::megatron_core;
  changed_members members{};  ///< of the framework
  flopledger::planning::goal best_in = flopledger::planning::goal::fastest;
  flopledger::planning::trade front = flopledger::planning::trade::none;
  std::int64_t top = 5, threads = 0;
  bool without_rules = false, exhaustive = false, explained = false;
  std::vector<std::string> diff{};  ///< two plans to lay side by side, in place of a search
  price_request price{};
  std::optional<double> power_limit{};  ///< W
  std::optional<double> idle_power{};   ///< W
  link_request links{};
  std::int64_t usable_per_mille = 0;
};

/// Where prompts are read: beside tokens, or on devices of their own.
enum class prefill_place { together, apart, both };

/// A service to choose from.
struct service_request {
  std::string model;
  device_request device{};
  const flopledger::recipe* recipe = nullptr;           ///< null: the checkpoint's quantization, or bf16
  const flopledger::number_format* kv_cache = nullptr;  ///< null: the recipe's
  const flopledger::engine* engine = &flopledger::engines::vllm_0_15;
  changed_members members{};     ///< of the engine
  std::optional<double> rate{};  ///< requests a second
  std::string trace{};           ///< of arrivals, a file
  flopledger::planning::length_distribution prompt{.mean = 1024}, output{.mean = 128};
  flopledger::planning::request_stream::spacing spaced = flopledger::planning::request_stream::spacing::poisson;
  std::int64_t requests = 2000, seed = 1;
  double first_token = 0, output_token = 0;  ///< seconds
  double percentile = 95;
  flopledger::planning::service_space space{.pipeline = {}};  ///< degrees and batches
  prefill_place prefill = prefill_place::together;
  std::int64_t top = 3;
  price_request price{};
  link_request links{};
  std::int64_t usable_per_mille = 950;
};

/// A training job on more and more devices.
struct scale_request : training_request {
  std::optional<flopledger::planning::scaling> kind{};  ///< none: both
  std::int64_t most_devices = 100'000;
};

reply plan_service(const service_request& asked, output how);
reply plan_training(const plan_request& asked, output how);
/// Of the two plans of `diff`.
reply compare_plans(const plan_request& asked, output how);

reply scale(const scale_request& asked, output how);

}  // namespace program
