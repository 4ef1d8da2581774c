// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A guard on a plan: `static_assert(within_percent_of_best<job, cluster<hardware::dgx_h100>, 5>)` fails once another
/// tensor degree, pipeline or micro-batch would be more than 5 % faster on the same devices.

#include <flopledger/job.hpp>
#include <flopledger/planning/space.hpp>

#include <limits>
#include <utility>

namespace flopledger::planning {

namespace detail {

/// Plans of a job's devices and batch by tensor degree, stages and micro-batch; all else is the job's.
template <class Job, class Cluster>
struct neighbouring_plans {
  static constexpr plan_numbers numbers = [] {
    plan_space space{.like = Job::setup};
    hold_to(Job::setup.plan, space);
    space.devices = {Cluster::value.devices()};
    space.tensor = space.pipeline = space.micro_batch = {};
    return plan_numbers(Job::model(), space);
  }();
  static constexpr std::size_t size = numbers.keys() * numbers.tails();

  /// Of the plan of that number; none where it cannot be or does not fit. A constant of its own each, for compilers
  /// bound what one may take.
  template <std::size_t Number>
  static constexpr double seconds_of = [] {
    constexpr double none = std::numeric_limits<double>::infinity();
    training_setup setup = Job::setup;
    if (!numbers.outer(Number, setup) || !numbers.inner(0, setup) || !verdict(setup.plan, Job::model()).ok())
      return none;
    const node& in = Cluster::value.node;
    const memory_limit limit{published(*in.device, &accelerator::usable_memory)};
    const machine on = machine_of(*in.device, setup.precision, setup.framework);
    const training_account account(Job::model(), setup, on, network_of(setup.plan, in));
    return account.worst().total() <= limit.available(setup) ? account.step().total().value() : none;
  }();
  template <std::size_t... Number>
  static constexpr double least(std::index_sequence<Number...>) {
    double found = std::numeric_limits<double>::infinity();
    ((found = seconds_of<Number> < found ? seconds_of<Number> : found), ...);
    return found;
  }
};

}  // namespace detail

/// The step of the best of those plans.
template <class Job, class Cluster>
inline constexpr seconds best_step_of = [] {
  using plans = detail::neighbouring_plans<Job, Cluster>;
  return seconds::from_value(plans::least(std::make_index_sequence<plans::size>{}));
}();

/// True where the job's predicted step is at most so much longer than that of the best plan by tensor degree, stages
/// and micro-batch on the same devices.
template <class Job, class Cluster, int Percent>
concept within_percent_of_best = possible_plan<typename flopledger::detail::plan_of<Job>::check> &&
    (step_of<Job, Cluster>.total().value() <= (1 + Percent / 100.0) * best_step_of<Job, Cluster>.value());

}  // namespace flopledger::planning
