// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What would make a job fit: changes as values, each tried alone on the job's own numbers.

#include <flopledger/memory/capacity.hpp>
#include <flopledger/text/sentence.hpp>

namespace flopledger {

/// What is changed of a job.
enum class change : std::uint8_t {
  micro_batch,
  selective_recompute,
  full_recompute,
  sharded_optimizer,  ///< ZeRO-1
  sharded_weights,    ///< ZeRO-3
  offloaded_optimizer,
  tensor_ranks,
  data_ranks,
  sequences,  ///< at once
  context     ///< tokens of each
};

/// A change with which a job fits, and what it needs then.
struct remedy {
  change what{};
  std::int64_t to = 0;  ///< the new number, where the change has one
  bytes needed{};
};

/// "full recompute", "tensor parallel 4".
constexpr sentence described(const remedy& one) {
  constexpr const char* words[] = {"micro-batch ",
                                   "selective recompute",
                                   "full recompute",
                                   "optimizer sharded (ZeRO-1)",
                                   "weights sharded (ZeRO-3)",
                                   "optimizer offloaded",
                                   "tensor parallel ",
                                   "data parallel ",
                                   "",
                                   ""};
  sentence text;
  text << words[static_cast<int>(one.what)];
  if (one.to > 0) text << one.to;
  if (one.what == change::sequences) text << (one.to == 1 ? " sequence at once" : " sequences at once");
  if (one.what == change::context) text << " tokens of context";
  return text;
}

/// Those that were found.
class remedies_found {
 public:
  static constexpr std::size_t capacity = 16;
  constexpr void add(const remedy& one) {
    if (size_ < capacity) items_[size_++] = one;
  }
  constexpr const remedy* begin() const { return items_; }
  constexpr const remedy* end() const { return items_ + size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr std::size_t size() const { return size_; }
 private:
  remedy items_[capacity]{};
  std::size_t size_ = 0;
};

/// Memory of a device, and the share of it that a job may fill: its framework's own by default, so that a changed plan
/// is judged by the margin that it would meet (`usable_per_mille`).
struct memory_limit {
  bytes device{};
  std::int64_t per_mille = 0;  ///< 0: the framework's

  constexpr bytes available(const training_setup& setup) const {
    return usable(per_mille > 0 ? per_mille : usable_per_mille(setup.framework, setup.plan));
  }
  constexpr bytes usable(std::int64_t of_thousand) const {
    return static_cast<double>(usable_mebibytes(device, of_thousand)) * prefix::mebi * unit::byte;
  }
};

/// Changes that make a training job fit, in the order in which people try them; none where the plan is impossible.
template <class Model>
constexpr remedies_found remedies(const Model& model, const training_setup& setup, const memory_limit& limit) {
  remedies_found found;
  if (!verdict(setup.plan, model).ok()) return found;
  const auto needed_by = [&](const training_setup& changed) { return training_memory(model, changed).worst().total(); };
  const auto offer = [&](change what, std::int64_t to, auto&& alter) {
    training_setup changed = setup;
    alter(changed.plan);
    if (!verdict(changed.plan, model).ok()) return;
    if (const bytes needed = needed_by(changed); needed <= limit.available(changed)) found.add({what, to, needed});
  };
  const std::int64_t smaller = largest_micro_batch(model, setup, limit.available(setup), setup.plan.micro_batch);
  if (smaller > 0) offer(change::micro_batch, smaller, [&](plan& p) { p.micro_batch = smaller; });
  offer(change::selective_recompute, 0, [](plan& p) { p.recompute = recompute::selective; });
  offer(change::full_recompute, 0, [](plan& p) { p.recompute = recompute::full; });
  if (setup.plan.sharding < zero::optimizer)
    offer(change::sharded_optimizer, 0, [](plan& p) { p.sharding = zero::optimizer; });
  if (setup.plan.sharding < zero::weights)
    offer(change::sharded_weights, 0, [](plan& p) { p.sharding = zero::weights; });
  if (!setup.plan.offload_optimizer) offer(change::offloaded_optimizer, 0, [](plan& p) { p.offload_optimizer = true; });
  for (const std::int64_t factor : {2, 4, 8})
    offer(change::tensor_ranks, setup.plan.tensor * factor, [&](plan& p) { p.tensor *= factor; });
  if (const std::int64_t ranks = fewest_data_ranks(model, setup, limit.available(setup)); ranks > setup.plan.data)
    found.add({change::data_ranks, ranks, {}});
  return found;
}

/// Changes that make a serving job fit into `available` bytes of a device.
template <class Model>
constexpr remedies_found remedies(const Model& model, const serving_setup& setup, std::int64_t concurrency,
                                  std::int64_t context, bytes available) {
  remedies_found found;
  if (!verdict(setup, model).ok()) return found;
  const serving_memory memory(model, setup);
  const auto offer = [&](change what, std::int64_t to, bytes needed) {
    if (to > 0) found.add({what, to, needed});
  };
  if (const std::int64_t most = memory.largest_concurrency(available, context); most > 0)
    offer(change::sequences, most, memory.worst(most, context).total());
  if (const std::int64_t most = memory.largest_context(available, concurrency); most > 0)
    offer(change::context, most, memory.worst(concurrency, most).total());
  const std::int64_t devices = fewest_tensor_devices(model, setup, available, concurrency, context);
  if (devices > setup.tensor) found.add({change::tensor_ranks, devices, {}});
  return found;
}

}  // namespace flopledger
