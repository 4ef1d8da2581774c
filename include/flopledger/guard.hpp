// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Guards: concepts that a build asserts, and that say in numbers why they fail.

#include <flopledger/budget/kv_cache.hpp>
#include <flopledger/budget/memory_account.hpp>
#include <flopledger/budget/weights.hpp>
#include <flopledger/hardware/device.hpp>

namespace flopledger {

// What a failing guard prints. Each number has a type of its own, for clang prints a template's arguments without their
// names and a class type's members without theirs.
template <std::int64_t MiB>
struct needed_MiB;
template <std::int64_t MiB>
struct available_MiB;
template <std::int64_t MiB>
struct exceeding_MiB;
template <memory_line Line, std::int64_t MiB>
struct largest_part;

template <class Needed, class Available, class Exceeding, class Largest>
struct device_memory;
template <std::int64_t Needed, std::int64_t Available, std::int64_t Exceeding, class Largest>
struct device_memory<needed_MiB<Needed>, available_MiB<Available>, exceeding_MiB<Exceeding>, Largest> {
  static constexpr bool suffices = Needed <= Available;
};

/// Memory that is left to a job: a share of what the tools report for the device, in 1/1000. The rest is the margin for
/// what no account has.
struct margin {
  int usable_per_mille = 1000;
};

/// What a job must be to be guarded: a type that accounts for its memory.
template <class Job>
concept accountable = requires {
  { Job::memory() } -> std::same_as<memory_account>;
};

namespace detail {
/// The memory that a margin leaves of a device.
template <class Device, margin Margin>
constexpr std::int64_t available_mebibytes() {
  constexpr bool is_accelerator = accelerator_type<Device>;
  static_assert(is_accelerator, "not an accelerator: it needs `static constexpr flopledger::accelerator value`");
  static_assert(Margin.usable_per_mille > 0 && Margin.usable_per_mille <= 1000,
                "a margin leaves between 1 and 1000 thousandths of the memory");
  if constexpr (is_accelerator)
    return static_cast<std::int64_t>(in_mib(usable_memory<Device>) * Margin.usable_per_mille / 1000.0);
  else
    return 0;
}

template <class Job>
constexpr memory_account account_of() {
  constexpr bool is_job = accountable<Job>;
  static_assert(is_job, "not a job: it needs `static constexpr flopledger::memory_account memory()`");
  if constexpr (is_job)
    return Job::memory();
  else
    return {};
}

/// Checks its arguments hard before it answers, so that neither `fits` nor `!fits` is true of a typo.
template <class Job, class Device, margin Margin>
struct memory_check {
  static constexpr memory_account account = account_of<Job>();
  static constexpr std::int64_t needed = mebibytes_of(account.total());
  static constexpr std::int64_t available = available_mebibytes<Device, Margin>();
  using budget = device_memory<needed_MiB<needed>, available_MiB<available>, exceeding_MiB<needed - available>,
                               largest_part<account.largest(), mebibytes_of(account[account.largest()])>>;
};
}  // namespace detail

template <class Budget>
concept within_memory = Budget::suffices;

/// True where the job's memory fits on one such device: `static_assert(fits<job, hardware::h100_sxm5_80gb>)`.
template <class Job, class Device, margin Margin = margin{}>
concept fits = within_memory<typename detail::memory_check<Job, Device, Margin>::budget>;

/// Sequences that are held in the cache at once, and how many tokens each.
struct load {
  std::int64_t sequences = 1;
  std::int64_t context = 0;
};

/// Weights and cache of a model that serves: what is resident however an engine computes. An engine needs more (its
/// activations, its own reserve); `fits` of this job is necessary, not sufficient.
template <class Model, class Recipe, load Load>
struct weights_and_cache {
  static_assert(Load.sequences >= 0 && Load.context >= 0, "a load has no negative counts");
  static constexpr memory_account memory() {
    memory_account account;
    account[memory_line::weights] = weight_bytes(Model::config, Recipe::value);
    if (Load.sequences > 0 && Load.context > 0)
      account[memory_line::kv_cache] =
          kv_cache_bytes(Model::config, forward(static_cast<double>(Load.sequences), static_cast<double>(Load.context)),
                         Recipe::value.kv_cache);
    return account;
  }
};

}  // namespace flopledger
