// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What a guard says, at run time: the account line by line, what is over, and what would make it fit.

#include <flopledger/memory/capacity.hpp>

#include <charconv>
#include <string>

namespace flopledger {

namespace detail {
inline std::string in_text(double value, int decimals) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, decimals);
  return {buffer, end.ptr};
}
inline std::string mebibytes_in_text(bytes amount) { return std::to_string(mebibytes_of(amount)) + " MiB"; }
inline std::string impossible(const plan_verdict& judged) {
  return "  " + std::string(sentence_of(judged).c_str()) + "\n";
}
}  // namespace detail

/// A memory account against the memory that is available, a line each.
inline std::string explain(const memory_account& account, bytes available) {
  const bytes needed = account.total();
  std::string text;
  for (std::size_t i = 0; i < memory_line_count; ++i) {
    if (account.lines[i].value() == 0) continue;
    const std::string_view name = name_of(static_cast<memory_line>(i));
    text += "  " + std::string(name) + std::string(14 - name.size(), ' ') +
            detail::mebibytes_in_text(account.lines[i]) + "  " +
            detail::in_text(100.0 * static_cast<double>(account.lines[i] / needed), 1) + " %\n";
  }
  text += "  needed        " + detail::mebibytes_in_text(needed) + "\n";
  text += "  available     " + detail::mebibytes_in_text(available) + "\n";
  if (needed > available)
    text += "  over by       " + detail::mebibytes_in_text(needed - available) + ", most of it " +
            std::string(name_of(account.largest())) + "\n";
  else
    text += "  left          " + detail::mebibytes_in_text(available - needed) + "\n";
  return text;
}

/// The same for a training job, with what would make it fit: each remedy tried alone, on this job's own numbers.
template <class Model>
std::string explain(const Model& model, const training_setup& setup, bytes available) {
  const plan_verdict judged = verdict(setup.plan, model);
  if (!judged.ok()) return detail::impossible(judged);
  const memory_account account = training_memory(model, setup).worst();
  std::string text = explain(account, available);
  if (account.total() <= available) return text;
  std::string remedies;
  const auto offer = [&](std::string_view remedy, auto&& change) {
    training_setup changed = setup;
    change(changed.plan);
    if (!verdict(changed.plan, model).ok()) return;
    const bytes needed = training_memory(model, changed).worst().total();
    if (needed <= available)
      remedies += "  would fit: " + std::string(remedy) + " (" + detail::mebibytes_in_text(needed) + ")\n";
  };
  if (const std::int64_t fitting = largest_micro_batch(model, setup, available); fitting > 0)
    remedies += "  would fit: micro-batch " + std::to_string(fitting) + "\n";
  offer("selective recompute", [](plan& p) { p.recompute = recompute::selective; });
  offer("full recompute", [](plan& p) { p.recompute = recompute::full; });
  offer("optimizer sharded (ZeRO-1)",
        [](plan& p) { p.sharding = p.sharding < zero::optimizer ? zero::optimizer : p.sharding; });
  offer("weights sharded (ZeRO-3)", [](plan& p) { p.sharding = zero::weights; });
  offer("optimizer offloaded", [](plan& p) { p.offload_optimizer = true; });
  for (const std::int64_t factor : {2, 4, 8})
    offer("tensor parallel " + std::to_string(setup.plan.tensor * factor), [&](plan& p) { p.tensor *= factor; });
  if (const std::int64_t ranks = fewest_data_ranks(model, setup, available); ranks > setup.plan.data)
    remedies += "  would fit: data parallel " + std::to_string(ranks) + "\n";
  return text + (remedies.empty() ? "  no single change makes it fit\n" : remedies);
}

/// The same for a serving job.
template <class Model>
std::string explain(const Model& model, const serving_setup& setup, std::int64_t concurrency, std::int64_t context,
                    bytes available) {
  if (const plan_verdict judged = verdict(setup, model); !judged.ok()) return detail::impossible(judged);
  const serving_memory memory(model, setup);
  const memory_account account = memory.worst(concurrency, context);
  std::string text = explain(account, available);
  if (account.total() <= available) return text;
  std::string remedies;
  if (const std::int64_t fitting = memory.largest_concurrency(available, context); fitting > 0)
    remedies += "  would fit: " + std::to_string(fitting) + (fitting == 1 ? " sequence" : " sequences") + " at once\n";
  if (const std::int64_t fitting = memory.largest_context(available, concurrency); fitting > 0)
    remedies += "  would fit: " + std::to_string(fitting) + " tokens of context\n";
  if (const std::int64_t devices = fewest_tensor_devices(model, setup, available, concurrency, context);
      devices > setup.tensor)
    remedies += "  would fit: tensor parallel " + std::to_string(devices) + "\n";
  return text + (remedies.empty() ? "  no single change makes it fit\n" : remedies);
}

}  // namespace flopledger
