// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A training job that answers: a model under a recipe, an optimizer, a plan and a framework, on machines with a
/// network. It is checked when it is made; memory, step, floors, FLOPs, utilisation and remedies are its answers. And
/// the guard on time: `static_assert(within_time<job, cluster<hardware::dgx_h100, 8>, 12'000>)`, in milliseconds.

#include <flopledger/guard.hpp>
#include <flopledger/memory/remedies.hpp>
#include <flopledger/time/roofline.hpp>
#include <flopledger/time/step.hpp>
#include <flopledger/utilisation.hpp>

namespace flopledger {

/// What the job computes in, where its recipe is a value and no type: work and peak of one job are of the same.
struct of_the_job;

/// All sequences of a step, as the model sees them.
constexpr work whole_step(const plan& p, attention_counting counting) {
  work asked = training_step(static_cast<double>(p.global_batch()), static_cast<double>(p.sequence), counting);
  asked.images = static_cast<double>(p.images);
  return asked;
}

/// A value, whatever the model is: jobs of different models lie in one vector. It keeps sums and not the model, so it
/// may outlive it.
class training_job {
 public:
  /// Throws `impossible_plan` where the model does not allow the plan, with both numbers. More than one device needs a
  /// network: `network_of(plan, node)`.
  template <class Model>
  constexpr training_job(const Model& model, const training_setup& setup, const machine& on,
                         const step_network& network = {})
      : setup_(setup),
        on_(on),
        memory_(model, setup),
        step_(training_time(model, setup, on, network).step()),
        roofline_(training_time(model, without_losses(setup), on.floor(), {}).step().total()) {
    for (const auto counting :
         {attention_counting::full, attention_counting::causal, attention_counting::causal_half}) {
      const work asked = whole_step(setup.plan, counting);
      const totals all = folded(model, asked, totals{});
      const auto by = static_cast<std::size_t>(counting);
      model_flops_[by] = flops_per_mac * (all.multiplied + all.multiplied_backward);
      recomputed_flops_[by] = flopledger::recomputed_flops(model, asked, setup.plan, setup.framework.joins_products);
    }
    const products_at_peak products =
        folded(model, whole_step(setup.plan, attention_counting::causal), products_at_peak{.on = on_});
    floor_ = products.total / devices() * unit::second;
  }

  constexpr const training_setup& setup() const { return setup_; }
  constexpr double devices() const { return static_cast<double>(setup_.plan.devices()); }

  /// Of the stage that needs most, and of each.
  constexpr memory_account memory() const { return memory_.worst(); }
  constexpr memory_account memory(std::int64_t stage) const { return memory_.stage(stage); }
  constexpr bool fits(const memory_limit& limit) const { return memory().total() <= limit.available(setup_); }

  constexpr const step_time& step() const { return step_; }
  /// Products of forward and backward at the peak, the causal triangle of attention, evenly on all devices.
  constexpr seconds floor() const { return floor_; }
  /// The step of this plan without losses: every operation at the peak or the bandwidth, communication for nothing.
  constexpr seconds roofline() const { return roofline_; }

  /// Of a step on all devices, each product once; and what recompute adds.
  constexpr flops model_flops(attention_counting by = attention_counting::full) const {
    return model_flops_[static_cast<std::size_t>(by)];
  }
  constexpr flops recomputed_flops(attention_counting by = attention_counting::full) const {
    return recomputed_flops_[static_cast<std::size_t>(by)];
  }
  /// Of a measured step, over the dense peak of the recipe's products on all devices. Throws `impossible_utilisation`
  /// above 1.
  constexpr double mfu(seconds took, attention_counting by = attention_counting::full) const {
    return flopledger::mfu(work_of(by), measured<pass::training_step>(took), best());
  }
  constexpr double hfu(seconds took, attention_counting by = attention_counting::full) const {
    return flopledger::hfu(with_recompute(work_of(by), recomputed_flops(by)), measured<pass::training_step>(took),
                           best());
  }
  constexpr token_rate tokens_a_second() const { return flopledger::tokens_a_second(setup_.plan, step_.total()); }

  /// How the constants of its times are known.
  constexpr const efficiency& reached() const { return on_.reached; }
 private:
  template <class Model, class Fold>
  constexpr Fold folded(const Model& model, const work& asked, Fold fold) const {
    record_adapted(fold, setup_.plan.adapter_rank, [&](auto& sink) { model.record(sink, asked); });
    return fold;
  }
  constexpr model_work<pass::training_step, of_the_job> work_of(attention_counting by) const {
    return {model_flops(by)};
  }
  constexpr peak<of_the_job> best() const { return {devices() * on_.peak}; }

  training_setup setup_;
  machine on_;
  training_memory memory_;
  step_time step_;
  seconds roofline_{}, floor_{};
  flops model_flops_[3]{}, recomputed_flops_[3]{};
};

// A guard on time --------------------------------------------------------------------------------------------------

/// Whether a step takes no longer than it may, both in milliseconds.
template <std::int64_t NeededMs, std::int64_t AllowedMs>
struct step_in_ms {
  static constexpr bool suffices = NeededMs <= AllowedMs;
  struct required {
    static_assert(NeededMs <= AllowedMs,
                  "a step of the job takes longer than it may: both in milliseconds stand in step_in_ms<...>");
  };
};

namespace detail {
template <class Job, class Cluster>
struct timed_job {
  static constexpr bool is_cluster = requires {
    requires std::same_as<std::remove_cvref_t<decltype(Cluster::value)>, cluster_value>;
  };
  static_assert(is_cluster, "not a cluster: it needs `static constexpr flopledger::cluster_value value`");
  static constexpr std::int64_t plan_devices = Job::setup.plan.devices(), cluster_devices = Cluster::value.devices();
  static_assert(plan_devices == cluster_devices, "the plan's degrees do not make the devices of the cluster");
  static constexpr step_time step = [] {
    const node& in = Cluster::value.node;
    const training_setup& setup = Job::setup;
    const machine on = machine_of(*in.device, setup.precision, setup.framework);
    return training_time(Job::model(), setup, on, network_of(setup.plan, in)).step();
  }();
  template <std::int64_t AllowedMs>
  using budget = step_in_ms<static_cast<std::int64_t>(1000 * step.total().value()), AllowedMs>;
};
}  // namespace detail

/// The predicted step of a job, by its causes: `step_of<job, cluster<hardware::dgx_h100, 8>>.bubble`.
template <class Job, class Cluster>
inline constexpr step_time step_of = detail::timed_job<Job, Cluster>::step;

template <class Step>
concept within_step = Step::suffices;

/// True where a step of the job takes at most so many milliseconds on the cluster. It is a prediction:
/// docs/accuracy_time.md says how far to trust it.
template <class Job, class Cluster, std::int64_t Milliseconds>
concept within_time = possible_plan<typename detail::plan_of<Job>::check> &&
    within_step<typename detail::timed_job<Job, Cluster>::template budget<Milliseconds>>;

namespace detail {
template <class Job, class Cluster, std::int64_t Milliseconds, bool Possible>
struct required_time {};
template <class Job, class Cluster, std::int64_t Milliseconds>
struct required_time<Job, Cluster, Milliseconds, true>
    : timed_job<Job, Cluster>::template budget<Milliseconds>::required {};
}  // namespace detail

/// `within_time` with a sentence of its own, for every compiler: `static_assert(require_within_time<...>::holds)`.
template <class Job, class Cluster, std::int64_t Milliseconds>
struct require_within_time : detail::plan_of<Job>::check::required,
                             detail::required_time<Job, Cluster, Milliseconds, detail::plan_of<Job>::check::possible> {
  static constexpr bool holds = true;
};

}  // namespace flopledger
