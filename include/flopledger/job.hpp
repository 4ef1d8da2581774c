// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Jobs that answer, each checked when it is made. A training job: a model under a recipe, an optimizer, a plan and a
/// framework, on machines with a network; memory, step, floors, FLOPs, utilisation and remedies are its answers. A
/// serving job: a model, its formats, an engine and a load on a group of devices; memory, latencies, throughput, floors
/// and remedies. And the guards on time: `static_assert(within_time<job, cluster<hardware::dgx_h100, 8>, 12'000>)`, in
/// milliseconds, and `within_latency` of a service.

#include <flopledger/engines.hpp>
#include <flopledger/guard.hpp>
#include <flopledger/memory/remedies.hpp>
#include <flopledger/time/roofline.hpp>
#include <flopledger/time/serving.hpp>
#include <flopledger/time/step.hpp>
#include <flopledger/utilisation.hpp>

#include <optional>

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
/// may outlive it; what needs other sums takes the model again.
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
  /// The first of those that need most.
  constexpr std::int64_t worst_stage() const {
    std::int64_t found = 0;
    for (std::int64_t s = 1; s < setup_.plan.pipeline; ++s)
      if (memory(s).total() > memory(found).total()) found = s;
    return found;
  }
  constexpr bool fits(const memory_limit& limit) const { return memory().total() <= limit.available(setup_); }
  /// Changes, each alone, with which it would fit.
  template <class Model>
  constexpr remedies_found remedies(const Model& model, const memory_limit& limit) const {
    return flopledger::remedies(model, setup_, limit);
  }

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
  /// The same of any FLOPs, and unchecked: over the full square of attention a step may come out above 1.
  constexpr double share_of_peak(flops done, seconds took) const { return (done / (best().rate * took)).value(); }
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

// Serving -----------------------------------------------------------------------------------------------------------

/// Requests that are in flight at once, and how long each is.
struct served_load {
  std::int64_t prompt = 1024, output = 128, concurrency = 1;
  constexpr std::int64_t context() const { return prompt + output; }
};

/// How long those who ask wait.
struct serving_times {
  seconds first_token{};                  ///< of one request that finds the devices idle
  std::optional<seconds> output_token{};  ///< of all together, no prefill between; none where a request has one token
  token_rate throughput{};  ///< output tokens of all sequences, prompts read in the passes of decode steps
  seconds batch{};          ///< all requests arriving together: their prompts, then their tokens
};

/// Of an engine that reads prompts in passes of `chunk` tokens and spends `a_request` on each request.
template <class Model>
constexpr serving_times times_of(const serving_time<Model>& time, const served_load& asked, std::int64_t chunk,
                                 seconds a_request) {
  const auto prompt = static_cast<double>(asked.prompt), output = static_cast<double>(asked.output),
             together = static_cast<double>(asked.concurrency), pass = static_cast<double>(chunk);
  const seconds reading = time.prefill_in_chunks(1, prompt, pass);
  const seconds decoding = time.decode(together, prompt, output);
  serving_times found{.first_token = a_request + reading};
  if (asked.output > 1) found.output_token = decoding / (output - 1);
  found.throughput = time.output_throughput(together, prompt, output, pass);
  found.batch = a_request + time.prefill_together(together, prompt, pass) + decoding;
  return found;
}

/// The first thing that makes a serving job impossible. Times know groups of experts inside one of tensor ranks alone.
template <class Model>
constexpr plan_verdict verdict(const serving_setup& setup, const served_load& asked, const Model& model) {
  for (const std::int64_t length : {asked.prompt, asked.output})
    if (length < 1) return {plan_problem::not_positive, length, 1};
  if (const plan_verdict found = load_verdict(asked.concurrency, asked.context()); !found.ok()) return found;
  if (const plan_verdict found = verdict(setup, model); !found.ok()) return found;
  if (setup.tensor % setup.expert != 0) return {plan_problem::expert_ranks, setup.tensor, setup.expert};
  return {};
}

/// A value as `training_job` is one.
class serving_job {
 public:
  /// `setup_under(engine, formats, ranks)`, `machine_of(device, recipe, engine)` and `group_under(engine, ranks, node)`
  /// make what it takes. Throws `impossible_plan` where the model does not allow it, with both numbers.
  template <class Model>
  constexpr serving_job(const Model& model, const serving_setup& setup, const engine& under, const served_load& asked,
                        const machine& on, const serving_group& group = {})
      : setup_((detail::refuse(verdict(setup, asked, model)), setup)), under_(under), load_(asked), on_(on) {
    const serving_memory holds(model, setup);
    account_ = holds.worst(asked.concurrency, asked.context());
    a_sequence_ = holds.kv_cache_of_sequence(asked.context(), 0);
    const bool alone = asked.concurrency == 1;
    times_ = times_of(serving_time(model, setup.formats, on, group, under, alone), asked, under.chunk, under.a_request);
    const serving_group linked{.tensor = setup.tensor, .expert = setup.expert};
    floors_ = times_of(serving_time(model, setup.formats, on.floor(), linked, engines::ideal), asked, under.chunk,
                       engines::ideal.a_request);
    floors_.throughput = output_bound(model, setup.formats, rates_of(on, static_cast<double>(setup.tensor)),
                                      static_cast<double>(asked.concurrency), static_cast<double>(asked.prompt),
                                      static_cast<double>(asked.output));
  }

  constexpr const serving_setup& setup() const { return setup_; }
  constexpr const engine& under() const { return under_; }
  constexpr const served_load& load() const { return load_; }

  /// Of the stage that needs most, all sequences at their full length.
  constexpr const memory_account& memory() const { return account_; }
  constexpr bytes cache_of_sequence() const { return a_sequence_; }
  constexpr bool fits(bytes available) const { return account_.total() <= available; }
  /// The most sequences of this length that fit at once.
  template <class Model>
  constexpr std::int64_t largest_concurrency(const Model& model, bytes available) const {
    return serving_memory(model, setup_).largest_concurrency(available, load_.context());
  }
  /// Changes, each alone, with which it would fit.
  template <class Model>
  constexpr remedies_found remedies(const Model& model, bytes available) const {
    return flopledger::remedies(model, setup_, load_.concurrency, load_.context(), available);
  }

  constexpr const serving_times& times() const { return times_; }
  /// Every operation at the peak or the bandwidth, communication for nothing, and an engine that adds nothing.
  constexpr const serving_times& floors() const { return floors_; }
  /// How the constants of its times are known.
  constexpr const efficiency& reached() const { return on_.reached; }
 private:
  serving_setup setup_;
  engine under_;
  served_load load_;
  machine on_;
  memory_account account_{};
  bytes a_sequence_{};
  serving_times times_{}, floors_{};
};

/// The same as a type: `fits` takes it, and `serving_times_of` asks it for its times.
template <class Model, class Recipe, const engine& Engine, served_load Load, std::int64_t Tensor = 1,
          std::int64_t Expert = 1>
struct serving_under {
  static_assert(
      detail::records_blocks<Model>,
      "not a model of blocks: serving_under<> needs `static constexpr flopledger::transformer_config config`");
  static_assert(
      detail::has_formats<Recipe>,
      "not a recipe: it needs `static constexpr flopledger::recipe value` with formats of more than 0 bits each");
  static constexpr serving_setup setup =
      setup_under(Engine, {.precision = detail::recipe_of<Recipe>()}, Tensor, Expert);
  static constexpr plan_verdict judged = verdict(setup, Load, Model::config);
  static constexpr memory_account memory() {
    static_assert(possible_plan<typename detail::plan_of<serving_under>::check>, "an impossible service has no memory");
    return serving_memory(detail::guarded<Model>(), setup).worst(Load.concurrency, Load.context());
  }
  static constexpr serving_job on(const node& in) {
    return {Model::config,
            setup,
            Engine,
            Load,
            machine_of(*in.device, setup.formats.precision, Engine),
            group_under(Engine, Tensor, Expert, in)};
  }
};

/// What a serving job predicts on devices of one node: `serving_times_of<job, hardware::dgx_h100>.first_token`.
template <class Job, class Node>
inline constexpr serving_times serving_times_of = Job::on(Node::value).times();

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
/// Whole units of a second's n-th part, the last begun one among them: what is a little over a limit is over it.
constexpr std::int64_t begun_units(seconds t, double in_a_second) {
  const double all = t.value() * in_a_second;
  const auto whole = static_cast<std::int64_t>(all);
  return whole + (static_cast<double>(whole) < all ? 1 : 0);
}

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
  using budget = step_in_ms<begun_units(step.total(), 1000), AllowedMs>;
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

/// How long those who ask may wait. 0: no limit.
struct latency {
  std::int64_t first_token_ms = 0, output_token_us = 0;
};

/// Whether a first token comes as soon as it may, both in milliseconds.
template <std::int64_t NeededMs, std::int64_t AllowedMs>
struct first_token_in_ms {
  static constexpr bool suffices = AllowedMs == 0 || NeededMs <= AllowedMs;
  struct required {
    static_assert(AllowedMs == 0 || NeededMs <= AllowedMs,
                  "the first token comes later than it may: both in milliseconds stand in first_token_in_ms<...>");
  };
};
/// Whether each further token does, both in microseconds.
template <std::int64_t NeededUs, std::int64_t AllowedUs>
struct output_token_in_us {
  static constexpr bool suffices = AllowedUs == 0 || NeededUs <= AllowedUs;
  struct required {
    static_assert(AllowedUs == 0 || NeededUs <= AllowedUs,
                  "a token takes longer than it may: both in microseconds stand in output_token_in_us<...>");
  };
};

namespace detail {
template <class Job, class Node, latency Allowed>
struct timed_service {
  static constexpr bool is_service = requires {
    requires std::same_as<std::remove_cvref_t<decltype(Job::on(Node::value))>, serving_job>;
  };
  static_assert(is_service, "not a service: `serving_under<...>` is one, and a node is `hardware::dgx_h100` or alike");
  static constexpr bool is_limit = Allowed.first_token_ms >= 0 && Allowed.output_token_us >= 0 &&
                                   Allowed.first_token_ms + Allowed.output_token_us > 0;
  static_assert(is_limit, "a latency limits the first token, each further one or both, by more than 0");
  static constexpr serving_times times = serving_times_of<Job, Node>;
  using first_token = first_token_in_ms<begun_units(times.first_token, 1e3), Allowed.first_token_ms>;
  using output_token =
      output_token_in_us<begun_units(times.output_token.value_or(seconds{}), 1e6), Allowed.output_token_us>;
};
}  // namespace detail

template <class Time>
concept soon_enough = Time::suffices;

/// True where a service answers so soon on devices of the node: `within_latency<job, hardware::dgx_h100,
/// latency{.first_token_ms = 500, .output_token_us = 40'000}>`. The first token is that of a request which finds the
/// devices idle, a further one that of all sequences together. It is a prediction, and knows no queue.
template <class Job, class Node, latency Allowed>
concept within_latency = possible_plan<typename detail::plan_of<Job>::check> &&
    soon_enough<typename detail::timed_service<Job, Node, Allowed>::first_token> &&
    soon_enough<typename detail::timed_service<Job, Node, Allowed>::output_token>;

namespace detail {
template <class Job, class Node, latency Allowed, bool Possible>
struct required_latency {};
template <class Job, class Node, latency Allowed>
struct required_latency<Job, Node, Allowed, true> : timed_service<Job, Node, Allowed>::first_token::required,
                                                    timed_service<Job, Node, Allowed>::output_token::required {};
}  // namespace detail

/// `within_latency` with a sentence of its own, for every compiler.
template <class Job, class Node, latency Allowed>
struct require_within_latency : detail::plan_of<Job>::check::required,
                                detail::required_latency<Job, Node, Allowed, detail::plan_of<Job>::check::possible> {
  static constexpr bool holds = true;
};

}  // namespace flopledger
