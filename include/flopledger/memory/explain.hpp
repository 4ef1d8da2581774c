// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What a guard says, at run time: the account line by line, what is over, and what would make it fit.

#include <flopledger/memory/remedies.hpp>

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

namespace detail {
inline std::string in_lines(const remedies_found& found) {
  if (found.empty()) return "  no single change makes it fit\n";
  std::string text;
  for (const remedy& one : found) {
    text += std::string("  would fit: ") + flopledger::described(one).c_str();
    if (one.needed > bytes{}) text += " (" + mebibytes_in_text(one.needed) + ")";
    text += '\n';
  }
  return text;
}
}  // namespace detail

/// The same for a training job on a device, with what would make it fit.
template <class Model>
std::string explain(const Model& model, const training_setup& setup, const memory_limit& limit) {
  const plan_verdict judged = verdict(setup.plan, model);
  if (!judged.ok()) return detail::impossible(judged);
  const memory_account account = training_memory(model, setup).worst();
  const bytes available = limit.available(setup);
  const std::string text = explain(account, available);
  return account.total() <= available ? text : text + detail::in_lines(remedies(model, setup, limit));
}

/// The same for a serving job.
template <class Model>
std::string explain(const Model& model, const serving_setup& setup, std::int64_t concurrency, std::int64_t context,
                    bytes available) {
  if (const plan_verdict judged = verdict(setup, model); !judged.ok()) return detail::impossible(judged);
  const memory_account account = serving_memory(model, setup).worst(concurrency, context);
  const std::string text = explain(account, available);
  return account.total() <= available
             ? text
             : text + detail::in_lines(remedies(model, setup, concurrency, context, available));
}

}  // namespace flopledger
