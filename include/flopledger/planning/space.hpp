// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The plans that a training job may lie by: which values each degree may take, and every plan that they make, by its
/// number.

#include <flopledger/frameworks.hpp>
#include <flopledger/memory/training.hpp>

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace flopledger::planning {

/// Values that a member of a plan may take, in the order of preference among equals.
template <class Value>
class choices {
 public:
  static constexpr std::size_t capacity = 128;
  constexpr choices() = default;
  constexpr choices(std::initializer_list<Value> values) {
    for (const Value& one : values) add(one);
  }
  /// Throws `capacity_exceeded` where there is no place left.
  constexpr void add(const Value& one) {
    if (size_ == capacity) flopledger::detail::raise<capacity_exceeded>(capacity);
    items_[size_++] = one;
  }
  constexpr const Value* begin() const { return items_; }
  constexpr const Value* end() const { return items_ + size_; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const Value& operator[](std::size_t i) const { return items_[i]; }
  constexpr bool contains(const Value& one) const { return std::find(begin(), end(), one) != end(); }
  constexpr void sort() { std::sort(items_, items_ + size_); }
 private:
  Value items_[capacity]{};
  std::size_t size_ = 0;
};
using degree_choices = choices<std::int64_t>;

constexpr degree_choices divisors_of(std::int64_t n) {
  degree_choices found;
  for (std::int64_t d = 1; d * d <= n; ++d) {
    if (n % d != 0) continue;
    found.add(d);
    if (d * d != n) found.add(n / d);
  }
  found.sort();
  return found;
}

/// What runs again in the backward pass.
struct repetition {
  flopledger::recompute how = recompute::none;
  operation_set kinds{};   ///< of `recompute::kinds`
  std::int64_t every = 1;  ///< full recompute of each k-th block alone
};

/// What lies in the memory of the host. Its traffic is not in the time of a step.
struct offloaded {
  bool optimizer = false, weights = false, activations = false;
};

/// A job on so many devices, and what may be chosen of its plan. A degree without choices takes every value that
/// devices, layers, experts or batch divide by; the data-parallel degree is what the others leave of the devices.
struct plan_space {
  training_setup like{};  ///< what does not vary: formats, optimizer, framework, sequence, attention, adapters
  std::int64_t global_batch = 1;
  degree_choices devices{1};

  degree_choices tensor{}, pipeline{}, context{}, expert{}, expert_tensor{};
  degree_choices interleave{}, micro_batch{};
  degree_choices first_stage_layers{0}, last_stage_layers{0};  ///< 0: as many as the others
  choices<bool> sequence_parallel{true, false};
  choices<pipeline_schedule> schedule{pipeline_schedule::one_forward_one_backward};
  choices<context_exchange> exchange{};  ///< none: the framework's
  choices<repetition> again{{recompute::none}, {recompute::selective}, {recompute::full}};
  choices<zero> sharding{zero::none, zero::optimizer, zero::gradients, zero::weights};
  degree_choices shard_group{0};  ///< 0: data × context
  choices<offloaded> offload{{}};
};

/// Leaves a space nothing but one plan: whoever wants its neighbours frees a member again.
constexpr void hold_to(const plan& p, plan_space& space) {
  space.global_batch = p.global_batch();
  space.devices = {p.devices()};
  space.tensor = {p.tensor};
  space.pipeline = {p.pipeline};
  space.context = {p.context};
  space.expert = {p.expert};
  space.expert_tensor = {p.expert_tensor};
  space.interleave = {p.virtual_stages};
  space.micro_batch = {p.micro_batch};
  space.first_stage_layers = {p.first_stage_layers};
  space.last_stage_layers = {p.last_stage_layers};
  space.sequence_parallel = {p.sequence_parallel};
  space.schedule = {p.schedule};
  space.again = {{p.recompute, p.recomputed_kinds, p.recompute_every}};
  space.sharding = {p.sharding};
  space.shard_group = {p.shard_group};
  space.offload = {{p.offload_optimizer, p.offload_weights, p.offload_activations}};
}

/// Why a framework does not run a plan that the model would allow.
enum class framework_rule : std::uint8_t {
  none,
  shards_optimizer_alone,
  experts_with_tensor,
  sharded_stages,
  no_interleaving,
  no_context,
  optimizer_with_gradients,
  other_recompute,
  no_zero_bubble
};
inline constexpr std::size_t framework_rule_count = 9;

/// The rule in a line, with where it stands.
constexpr std::string_view describe(framework_rule rule) {
  constexpr std::string_view sentences[framework_rule_count] = {
      "no rule",
      "Megatron-Core's distributed optimizer shards the optimizer alone (core/distributed)",
      "Megatron-Core wants sequence parallelism where experts meet tensor parallelism (training/arguments.py)",
      "DeepSpeed's pipeline refuses ZeRO-2 and ZeRO-3 (runtime/pipe/engine.py)",
      "DeepSpeed's pipeline has no virtual stages (runtime/pipe/schedule.py)",
      "Megatron-DeepSpeed of 2022 has no context parallelism",
      "FSDP shards gradients wherever it shards the optimizer (torch.distributed.fsdp)",
      "the framework has no recompute of that kind",
      "the framework has no zero-bubble schedule"};
  return sentences[static_cast<std::size_t>(rule)];
}

/// The first rule of the framework that a plan breaks.
constexpr framework_rule broken_rule(const framework& under, const plan& p) {
  const bool megatron = under.family == "megatron", torch = under.family == "pytorch",
             deepspeed = under.family == "deepspeed";
  if (megatron && p.sharding > zero::optimizer) return framework_rule::shards_optimizer_alone;
  if (megatron && p.expert > 1 && p.tensor > 1 && !p.sequence_parallel) return framework_rule::experts_with_tensor;
  if (torch && p.sharding == zero::optimizer) return framework_rule::optimizer_with_gradients;
  if (deepspeed && p.pipeline > 1 && p.sharding > zero::optimizer) return framework_rule::sharded_stages;
  if (deepspeed && p.virtual_stages > 1) return framework_rule::no_interleaving;
  if (deepspeed && p.context > 1) return framework_rule::no_context;
  const bool by_rows = p.recompute == recompute::selective || p.recompute == recompute::kinds;
  if ((megatron && p.recompute == recompute::alternate) || (torch && by_rows) ||
      (deepspeed && (by_rows || p.recompute == recompute::alternate)))
    return framework_rule::other_recompute;
  if ((megatron || deepspeed) && p.schedule == pipeline_schedule::zero_bubble) return framework_rule::no_zero_bubble;
  return framework_rule::none;
}

namespace detail {

/// A space with every list filled in, and its plans by number. A number has two digits: the outer one says how rows lie
/// (`key`) and what the stages hold (`tail`), the inner one what is sharded and offloaded. Plans of one key share their
/// rows.
class plan_numbers {
 public:
  template <class Model>
  constexpr plan_numbers(const Model& model, const plan_space& asked) : space(asked) {
    const auto& blocks = model.stack;
    const bool mixture = blocks.mixture.experts > 0;
    fill(space.tensor, [&](degree_choices& to) { add_divisors_of_devices(to); });
    fill(space.context, [&](degree_choices& to) { add_divisors_of_devices(to); });
    fill(space.pipeline, [&](degree_choices& to) {
      for (const std::int64_t devices : space.devices)
        for (const std::int64_t one : divisors_of(devices))
          if (one <= std::max<std::int64_t>(blocks.layers, 1) && !to.contains(one)) to.add(one);
      to.sort();
    });
    fill(space.expert,
         [&](degree_choices& to) { to = mixture ? divisors_of(blocks.mixture.experts) : degree_choices{1}; });
    fill(space.expert_tensor, [&](degree_choices& to) { to = mixture ? degree_choices{0, 1} : degree_choices{0}; });
    fill(space.interleave, [&](degree_choices& to) { to = divisors_of(std::max<std::int64_t>(blocks.layers, 1)); });
    fill(space.micro_batch, [&](degree_choices& to) { to = divisors_of(space.global_batch); });
    if (space.exchange.empty()) space.exchange.add(space.like.framework.exchange);
  }

  constexpr std::uint64_t keys() const {
    return product({space.tensor.size(), space.context.size(), space.exchange.size(), space.expert.size(),
                    space.expert_tensor.size(), space.sequence_parallel.size(), space.micro_batch.size(),
                    space.again.size()});
  }
  /// Outer numbers of one key.
  constexpr std::uint64_t tails() const {
    return product({space.devices.size(), space.pipeline.size(), space.interleave.size(),
                    space.first_stage_layers.size(), space.last_stage_layers.size(), space.schedule.size()});
  }
  constexpr std::uint64_t inner() const {
    return product({space.sharding.size(), space.shard_group.size(), space.offload.size()});
  }

  /// A job by the outer number; false where it is none: a degree does not divide, or a choice says again what another
  /// said, for it changes nothing here.
  constexpr bool outer(std::uint64_t number, training_setup& job) const {
    std::uint64_t rest = number % tails(), key = number / tails();
    const auto take = [](std::uint64_t& from, const auto& of) {
      const std::size_t at = from % of.size();
      from /= of.size();
      return std::pair(of[at], at == 0);
    };
    plan& p = job.plan;
    const auto [again, _] = take(key, space.again);
    const auto [micro_batch, _1] = take(key, space.micro_batch);
    const auto [sequence_parallel, first_of_sequence] = take(key, space.sequence_parallel);
    const auto [expert_tensor, first_of_expert_tensor] = take(key, space.expert_tensor);
    const auto [expert, _2] = take(key, space.expert);
    const auto [exchange, first_of_exchange] = take(key, space.exchange);
    const auto [context, _3] = take(key, space.context);
    const auto [tensor, _4] = take(key, space.tensor);
    const auto [schedule, first_of_schedule] = take(rest, space.schedule);
    const auto [last_layers, first_of_last] = take(rest, space.last_stage_layers);
    const auto [first_layers, first_of_first] = take(rest, space.first_stage_layers);
    const auto [interleave, _5] = take(rest, space.interleave);
    const auto [pipeline, _6] = take(rest, space.pipeline);
    const auto [devices, _7] = take(rest, space.devices);
    const std::int64_t others = tensor * context * pipeline;
    if (devices % others != 0) return false;
    const std::int64_t data = devices / others;
    if (space.global_batch % (data * micro_batch) != 0) return false;
    if (tensor == 1 && !first_of_sequence) return false;
    if (context == 1 && !first_of_exchange) return false;
    if (pipeline == 1 && (interleave > 1 || !first_of_schedule || !first_of_last || !first_of_first)) return false;
    if (!first_of_expert_tensor && (expert_tensor == tensor || expert_tensor == 0)) return false;
    p.tensor = tensor;
    p.context = context;
    p.pipeline = pipeline;
    p.data = data;
    p.virtual_stages = interleave;
    p.first_stage_layers = first_layers;
    p.last_stage_layers = last_layers;
    p.schedule = schedule;
    p.expert = expert;
    p.expert_tensor = expert_tensor;
    p.sequence_parallel = tensor == 1 || sequence_parallel;
    p.micro_batch = micro_batch;
    p.gradient_accumulation = space.global_batch / (data * micro_batch);
    p.recompute = again.how;
    p.recomputed_kinds = again.kinds;
    p.recompute_every = again.every;
    job.framework.exchange = exchange;
    return true;
  }

  /// The same by the inner number, over an outer one that is a job.
  constexpr bool inner(std::uint64_t number, training_setup& job) const {
    plan& p = job.plan;
    const offloaded& host = space.offload[number % space.offload.size()];
    number /= space.offload.size();
    const std::size_t group = number % space.shard_group.size();
    const zero sharding = space.sharding[number / space.shard_group.size()];
    if (sharding == zero::none && group != 0) return false;
    p.sharding = sharding;
    p.shard_group = sharding == zero::none ? 0 : space.shard_group[group];
    p.offload_optimizer = host.optimizer;
    p.offload_weights = host.weights;
    p.offload_activations = host.activations;
    job.precision = formats_under(job.framework, space.like.precision, p);
    return true;
  }

  plan_space space;
 private:
  static constexpr std::uint64_t product(std::initializer_list<std::size_t> sizes) {
    std::uint64_t made = 1;
    for (const std::size_t one : sizes) made *= one;
    return made;
  }
  static constexpr void fill(degree_choices& list, auto&& with) {
    if (list.empty()) with(list);
  }
  constexpr void add_divisors_of_devices(degree_choices& to) const {
    for (const std::int64_t devices : space.devices)
      for (const std::int64_t one : divisors_of(devices))
        if (!to.contains(one)) to.add(one);
    to.sort();
  }
};

}  // namespace detail

}  // namespace flopledger::planning
