// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The best plans of a space. The result is that of trying every plan: a bound may pass over plans that cannot be among
/// the best, and never over one that is. It is the same whatever the number of threads.
///
/// Rows are recorded once for all plans that lay them alike (`lays_alike`); the rest is arithmetic. The bound is the
/// step without what sharding costs: messages of data parallelism and the optimizer only add to it.

#include <flopledger/memory/remedies.hpp>
#include <flopledger/planning/energy.hpp>
#include <flopledger/planning/space.hpp>
#include <flopledger/time/step.hpp>

#include <atomic>
#include <functional>
#include <limits>
#include <optional>
#include <thread>
#include <vector>

namespace flopledger::planning {

/// What a plan is to be best in. Equal ones are told apart by the time of their step, then by their numbers.
enum class goal : std::uint8_t {
  fastest,         ///< least time of a step
  cheapest,        ///< fewest device-seconds a step
  fewest_devices,  ///< that it fits on
  least_memory,    ///< of the fullest device
  least_energy,    ///< of all devices, a step: `fleet::draw`
};

/// A plan that fits, and what it comes to.
struct found_plan {
  flopledger::plan plan{};
  step_time step{};
  bytes memory{};  ///< of the fullest device
  double score = 0;
  std::uint64_t number = 0;

  constexpr seconds device_time() const { return static_cast<double>(plan.devices()) * step.total(); }
};

/// Whether one is to be preferred. No two plans of a space are equal.
constexpr bool ranks_before(const found_plan& a, const found_plan& b) {
  if (a.score != b.score) return a.score < b.score;
  const double one = a.step.total().value(), other = b.step.total().value();
  return one != other ? one < other : a.number < b.number;
}

/// What became of the plans of a space.
struct plan_counts {
  std::uint64_t impossible[static_cast<std::size_t>(plan_problem::too_many_devices) + 1]{};
  std::uint64_t against_rule[framework_rule_count]{};
  std::uint64_t too_large = 0;  ///< for the memory of a device
  std::uint64_t fitting = 0;
  std::uint64_t passed_over = 0;  ///< they cannot be among the best

  constexpr std::uint64_t refused() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t one : impossible) sum += one;
    for (const std::uint64_t one : against_rule) sum += one;
    return sum;
  }
  constexpr std::uint64_t all() const { return refused() + too_large + fitting + passed_over; }
  constexpr plan_counts& operator+=(const plan_counts& more) {
    for (std::size_t i = 0; i < std::size(impossible); ++i) impossible[i] += more.impossible[i];
    for (std::size_t i = 0; i < framework_rule_count; ++i) against_rule[i] += more.against_rule[i];
    too_large += more.too_large;
    fitting += more.fitting;
    passed_over += more.passed_over;
    return *this;
  }
};

/// What of two quantities, both to be small, no plan is better in at once.
enum class trade : std::uint8_t { none, time_and_memory, time_and_cost, time_and_devices };

struct search_options {
  goal best_in = goal::fastest;
  std::size_t wanted = 10;  ///< plans
  trade front = trade::none;
  bool bounds = true;                       ///< false: every plan is tried
  bool framework_rules = true;              ///< plans that the framework does not run are refused
  unsigned threads = 0;                     ///< 0: as many as the machine has
  const std::atomic<bool>* stop = nullptr;  ///< once true, a search answers with the best so far
  std::function<void(double)> progress{};   ///< called now and then with the share that is done, on the calling thread
};

struct found_plans {
  std::vector<found_plan> best{};   ///< the best first
  std::vector<found_plan> front{};  ///< the fastest first
  plan_counts counts{};
  bool stopped = false;
};

/// The devices that a job may lie on: one, what of its memory may be filled, and the node it stands in.
struct fleet {
  machine device{};
  memory_limit memory{};
  node in{};
  power_draw draw{};  ///< of one; read by `goal::least_energy` alone
};

/// What the devices of a plan draw in a step: busy while they compute, idle while they wait for stages, messages, data
/// or the host.
constexpr joules step_energy(const plan& p, const step_time& step, const power_draw& draw) {
  const seconds busy = step.compute() + step.recompute + step.optimizer;
  return static_cast<double>(p.devices()) * (draw.idle * step.total() + (draw.busy - draw.idle) * busy);
}

namespace detail {

inline bool asked_to_stop(const std::atomic<bool>* stop) {
  return stop != nullptr && stop->load(std::memory_order_relaxed);
}

/// Threads that are waited for, also where an exception leaves. libc++ before 18 has no std::jthread.
class joined_threads {
 public:
  joined_threads() = default;
  joined_threads(const joined_threads&) = delete;
  joined_threads& operator=(const joined_threads&) = delete;
  ~joined_threads() {
    for (std::thread& one : running_) one.join();
  }
  template <class Work>
  void start(Work work) {
    running_.emplace_back(std::move(work));
  }
 private:
  std::vector<std::thread> running_{};
};

/// What a plan comes to, with rows kept from the one before.
template <class Model>
class plan_pricer {
 public:
  constexpr plan_pricer(const Model& model, const fleet& on) : model_(model), on_(on) {}

  /// The step of an outer plan without what sharding costs.
  constexpr step_time least(const training_setup& job) {
    step_network free = network_;
    free.data = {};
    step_time step = account(job, free).step();
    step.data_communication = step.optimizer = {};
    return step;
  }
  /// Links of the groups that sharding leaves alone; before any other question about an outer plan.
  constexpr void links(const plan& p) {
    network_ = p.devices() > 1 ? network_of(p, on_.in) : step_network{};
    data_of_ = group::data;
    shards_ = p.shards();
  }
  constexpr training_account<Model>& account(const training_setup& job) {
    const plan& p = job.plan;
    const group over = p.sharding == zero::none ? group::data : group::shard;
    if (p.devices() > 1 && (over != data_of_ || p.shards() != shards_)) {
      network_.data = link_over(over, collective::reduce_scatter, p, on_.in);
      data_of_ = over;
      shards_ = p.shards();
    }
    return account(job, network_);
  }
  constexpr bytes available(const training_setup& job) const { return on_.memory.available(job); }
 private:
  constexpr training_account<Model>& account(const training_setup& job, const step_network& network) {
    const plan& p = job.plan;
    kept& mine = kept_[(p.sharding == zero::weights ? 1 : 0) + (p.pipeline > 1 ? 2 : 0)];
    if (mine.account && lays_alike(mine.of, p)) {
      mine.account->lie_by(job, network);
    } else {
      mine.account.emplace(model_, job, on_.device, network);
      mine.of = p;
    }
    return *mine.account;
  }
  struct kept {
    plan of{};
    std::optional<training_account<Model>> account{};
  };
  const Model& model_;
  const fleet& on_;
  step_network network_{};
  group data_of_ = group::data;
  std::int64_t shards_ = 0;
  kept kept_[4]{};  ///< by whether weights are gathered, and whether the head has a stage of its own
};

/// The best of what was found, and a front.
class shortlist {
 public:
  shortlist(std::size_t wanted, trade front) : wanted_(wanted), trade_(front) {}

  void add(const found_plan& one) {
    if (wanted_ > 0 && (best_.size() < wanted_ || ranks_before(one, best_.back()))) {
      best_.insert(std::upper_bound(best_.begin(), best_.end(), one, ranks_before), one);
      if (best_.size() > wanted_) best_.pop_back();
    }
    if (trade_ != trade::none) add_to_front(one);
  }
  void join(const shortlist& other) {
    for (const found_plan& one : other.best_) add(one);
    for (const found_plan& one : other.front_) add_to_front(one);
  }
  /// A score that no plan beyond it is asked for with.
  double enough() const {
    if (best_.size() < wanted_) return infinite;
    return best_.back().score;
  }
  const std::vector<found_plan>& best() const { return best_; }
  const std::vector<found_plan>& front() const { return front_; }
 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();
  double traded(const found_plan& one) const {
    switch (trade_) {
      case trade::time_and_memory:
        return one.memory.value();
      case trade::time_and_cost:
        return one.device_time().value();
      default:
        return static_cast<double>(one.plan.devices());
    }
  }
  /// Kept by growing time, so that what is traded falls.
  void add_to_front(const found_plan& one) {
    const auto time = [](const found_plan& of) { return of.step.total().value(); };
    const auto before = [&](const found_plan& a, const found_plan& b) {
      if (time(a) != time(b)) return time(a) < time(b);
      return traded(a) != traded(b) ? traded(a) < traded(b) : a.number < b.number;
    };
    const auto at = std::lower_bound(front_.begin(), front_.end(), one, before);
    if (at != front_.begin() && traded(*std::prev(at)) <= traded(one)) return;
    const auto beaten = std::find_if(at, front_.end(), [&](const found_plan& of) { return traded(of) < traded(one); });
    front_.insert(front_.erase(at, beaten), one);
  }

  std::size_t wanted_;
  trade trade_;
  std::vector<found_plan> best_{}, front_{};
};

/// An outer plan, and the least score that any plan of it may have.
struct bounded_plan {
  double least = 0;
  std::uint64_t number = 0;
  bool operator<(const bounded_plan& other) const {
    return least != other.least ? least < other.least : number < other.number;
  }
};

constexpr double score_of(goal best_in, const plan& p, const step_time& step, bytes memory, const power_draw& draw) {
  switch (best_in) {
    case goal::fastest:
      return step.total().value();
    case goal::cheapest:
      return static_cast<double>(p.devices()) * step.total().value();
    case goal::fewest_devices:
      return static_cast<double>(p.devices());
    case goal::least_energy:
      return step_energy(p, step, draw).value();
    case goal::least_memory:
      break;
  }
  return memory.value();
}

/// One search. Work is dealt out in pieces whose results do not depend on who did them.
template <class Model>
class plan_search {
 public:
  plan_search(const Model& model, const plan_space& space, const fleet& on, const search_options& how)
      : model_(model),
        numbers_(model, space),
        on_(on),
        how_(how),
        threads_(how.threads > 0 ? how.threads : std::max(1U, std::thread::hardware_concurrency())),
        kept_(how.wanted, how.front) {}

  found_plans answer() {
    if (how_.bounds && how_.front == trade::none)
      by_bounds();
    else
      all();
    return {kept_.best(), kept_.front(), counts_, asked_to_stop(how_.stop)};
  }
 private:
  struct worker {
    plan_pricer<Model> pricer;
    shortlist kept;
    plan_counts counts{};
    std::vector<bounded_plan> bounded{};
  };

  /// Hands the pieces 0 to n − 1 to `work(worker, piece)` on all threads, and joins what they found.
  template <class Work>
  void deal(std::uint64_t n, bool reports, const Work& work) {
    std::atomic<std::uint64_t> next{0};
    std::vector<worker> workers(threads_, worker{{model_, on_}, {how_.wanted, how_.front}});
    const auto run = [&](worker& mine, bool says) {
      for (std::uint64_t piece = 0; !asked_to_stop(how_.stop) && (piece = next++) < n;) {
        work(mine, piece);
        if (says && how_.progress) how_.progress(static_cast<double>(piece + 1) / static_cast<double>(n));
      }
    };
    {
      joined_threads others;
      for (unsigned i = 1; i < threads_ && i < n; ++i) others.start([&, i] { run(workers[i], false); });
      run(workers[0], reports);
    }
    for (worker& one : workers) {
      kept_.join(one.kept);
      counts_ += one.counts;
      bounded_.insert(bounded_.end(), one.bounded.begin(), one.bounded.end());
    }
  }

  /// Every plan, key by key.
  void all() {
    deal(numbers_.keys(), true, [&](worker& mine, std::uint64_t key) {
      for_each_possible(mine, key, [&](std::uint64_t number, const training_setup& job) {
        mine.pricer.links(job.plan);
        price(mine, number, job);
      });
    });
  }

  /// Bounds of all outer plans first, then the plans in their order, in waves, until no bound is good enough.
  void by_bounds() {
    deal(numbers_.keys(), true, [&](worker& mine, std::uint64_t key) {
      for_each_possible(mine, key, [&](std::uint64_t number, training_setup& job) {
        mine.bounded.push_back({least_score(mine, job), number});
      });
    });
    std::sort(bounded_.begin(), bounded_.end());
    std::size_t at = 0, wave = 64;
    while (at < bounded_.size() && bounded_[at].least <= kept_.enough() && !asked_to_stop(how_.stop)) {
      const std::size_t end = std::min(bounded_.size(), at + wave);
      const double enough = kept_.enough();
      deal(end - at, false, [&](worker& mine, std::uint64_t piece) {
        const bounded_plan& one = bounded_[at + piece];
        training_setup job = numbers_.space.like;
        numbers_.outer(one.number, job);
        if (one.least > enough) return pass_over(mine, job);
        mine.pricer.links(job.plan);
        price(mine, one.number, job);
      });
      at = end;
      wave = std::min<std::size_t>(2 * wave, 4096);
    }
    worker rest{{model_, on_}, {0, trade::none}};
    for (; at < bounded_.size(); ++at) {
      training_setup job = numbers_.space.like;
      numbers_.outer(bounded_[at].number, job);
      pass_over(rest, job);
    }
    counts_ += rest.counts;
  }

  /// That a plan of an outer one may have. Formats, and with them time, may depend on whether weights are gathered.
  double least_score(worker& mine, training_setup& job) const {
    if (how_.best_in == goal::least_memory) return 0;
    mine.pricer.links(job.plan);
    double least = std::numeric_limits<double>::infinity();
    bool done[2]{};
    for (const zero sharding : numbers_.space.sharding) {
      bool& seen = done[sharding == zero::weights ? 1 : 0];
      if (seen) continue;
      seen = true;
      job.plan.sharding = sharding;
      job.precision = formats_under(job.framework, numbers_.space.like.precision, job.plan);
      const double bound = score_of(how_.best_in, job.plan, mine.pricer.least(job), {}, on_.draw);
      least = std::min(least, (1 - 1e-9) * bound);  // less what sums are rounded by
    }
    return least;
  }

  /// The outer plans of a key that the model allows; others are counted.
  template <class Visit>
  void for_each_possible(worker& mine, std::uint64_t key, const Visit& visit) {
    training_setup job = numbers_.space.like;
    for (std::uint64_t tail = 0; tail < numbers_.tails() && !asked_to_stop(how_.stop); ++tail) {
      const std::uint64_t number = key * numbers_.tails() + tail;
      job.plan.sharding = zero::none;
      job.plan.shard_group = 0;
      job.plan.offload_activations = false;
      if (!numbers_.outer(number, job)) continue;
      if (const plan_verdict judged = verdict(job.plan, model_); !judged.ok()) {
        mine.counts.impossible[static_cast<std::size_t>(judged.problem)] += each(job, [](const auto&) {});
        continue;
      }
      visit(number, job);
    }
  }

  /// Calls `visit` with each plan of an outer one; their number.
  template <class Visit>
  std::uint64_t each(training_setup& job, const Visit& visit) const {
    std::uint64_t n = 0;
    for (std::uint64_t inner = 0; inner < numbers_.inner(); ++inner) {
      if (!numbers_.inner(inner, job)) continue;
      ++n;
      visit(inner);
    }
    return n;
  }
  /// Whether a plan of a possible outer one can be; what cannot is counted.
  bool is_possible(plan_counts& counts, const training_setup& job) const {
    const plan& p = job.plan;
    const plan_problem problem = p.shard_group > 0 && !flopledger::detail::divides(p.data * p.context, p.shard_group)
                                     ? plan_problem::shard_group_by_ranks
                                 : p.offload_activations && model_.stack.layers == 0 ? plan_problem::no_blocks
                                                                                     : plan_problem::none;
    if (problem != plan_problem::none) {
      ++counts.impossible[static_cast<std::size_t>(problem)];
      return false;
    }
    if (!how_.framework_rules) return true;
    const framework_rule broken = broken_rule(job.framework, p);
    if (broken == framework_rule::none) return true;
    ++counts.against_rule[static_cast<std::size_t>(broken)];
    return false;
  }
  void pass_over(worker& mine, training_setup& job) const {
    each(job, [&](std::uint64_t) {
      if (is_possible(mine.counts, job)) ++mine.counts.passed_over;
    });
  }
  void price(worker& mine, std::uint64_t number, const training_setup& outer) const {
    training_setup job = outer;
    plan last{};  // what was priced last, but for what is offloaded
    training_account<Model>* account = nullptr;
    std::optional<step_time> step;
    each(job, [&](std::uint64_t inner) {
      const plan& p = job.plan;
      if (!is_possible(mine.counts, job)) return;
      if (account == nullptr || last.sharding != p.sharding || last.shard_group != p.shard_group) {
        account = &mine.pricer.account(job);
        step.reset();
        last = p;
      }
      account->offload_as(p);
      const bytes needed = account->worst().total();
      if (needed > mine.pricer.available(job)) {
        ++mine.counts.too_large;
        return;
      }
      ++mine.counts.fitting;
      if (!step) step = account->step();
      mine.kept.add({.plan = p,
                     .step = *step,
                     .memory = needed,
                     .score = score_of(how_.best_in, p, *step, needed, on_.draw),
                     .number = number * numbers_.inner() + inner});
    });
  }

  const Model& model_;
  plan_numbers numbers_;
  const fleet& on_;
  const search_options& how_;
  unsigned threads_;
  shortlist kept_;
  plan_counts counts_{};
  std::vector<bounded_plan> bounded_{};
};

}  // namespace detail

/// The best plans of a space on a fleet, and how many were refused by what. Throws `impossible_plan` where the model is
/// impossible whatever the plan, and `bad_argument` where energy is asked for of devices without a draw.
template <class Model>
found_plans search_plans(const Model& model, const plan_space& space, const fleet& on, const search_options& how = {}) {
  if (const plan_verdict found = model_problem_of(model); !found.ok()) flopledger::detail::refuse(found);
  const power_draw& draw = on.draw;
  if (how.best_in == goal::least_energy && !(draw.busy > watts{} && draw.idle >= watts{} && draw.busy >= draw.idle))
    flopledger::detail::raise<bad_argument>(
        "search_plans: least energy needs a draw: idle of 0 W or more, busy of no less");
  return detail::plan_search<Model>(model, space, on, how).answer();
}

}  // namespace flopledger::planning
