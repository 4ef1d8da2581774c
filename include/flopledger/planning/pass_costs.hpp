// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What the passes of a simulated service take, from a model's time asked at some sizes once.

#include <flopledger/planning/serving_simulation.hpp>
#include <flopledger/time/load.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace flopledger::planning {

/// Products run over the tokens of a pass together; attention grows with what each token looks back at, along a
/// straight line.
class pass_costs {
 public:
  /// For passes of up to `most_tokens`, and contexts about as long as `typical_context`.
  template <class Model>
  pass_costs(const serving_time<Model>& time, std::int64_t most_tokens, double typical_context) {
    if (most_tokens < 1 || !(typical_context >= 1))
      flopledger::detail::raise<bad_argument>("pass_costs: a pass and a context have at least one token");
    const auto piece_after = [&](double length, double cached) {
      return batched_pass(time, {.count = 0, .length = 0}, {.count = 1, .length = length, .cached = cached}).value();
    };
    constexpr double batch = 16, chunk = 512;
    a_context_token_ =
        (time.decode_step(batch, typical_context) - time.decode_step(batch, 0)).value() / (batch * typical_context);
    a_pair_ = (piece_after(chunk, typical_context) - piece_after(chunk, 0)) / (chunk * typical_context);

    const auto ask = [&](std::int64_t n) {
      const auto here = static_cast<double>(n);
      sizes_.push_back(here);
      read_.push_back(piece_after(here, 0) - a_pair_ * here * (here + 1) / 2);
      decode_.push_back(time.decode_step(here, 0).value());
    };
    // The first token of a new tile costs a whole one: asked at both sides of where tiles end.
    const auto tile = [](std::int64_t n) { return n < 64 ? n : n < 1024 ? 64 : n < 4096 ? 128 : 512; };
    for (std::int64_t n = 1; n <= most_tokens; n += tile(n)) {
      ask(n);
      if (n >= 64 && n < most_tokens) ask(n + 1);
    }
    if (sizes_.back() < static_cast<double>(most_tokens)) ask(most_tokens);
  }

  seconds operator()(const pass_load& load) const {
    const auto decoding = static_cast<double>(load.decoding), prompts = static_cast<double>(load.prompt_tokens);
    double took = at(load.prompt_tokens > 0 ? read_ : decode_, decoding + prompts);
    // Beside prompts, decoding sequences ask for logits of their own.
    if (load.prompt_tokens > 0 && load.decoding > 0) took += std::max(0.0, at(decode_, decoding) - at(read_, decoding));
    return seconds::from_value(took + a_context_token_ * load.context + a_pair_ * load.prompt_pairs);
  }
 private:
  double at(const std::vector<double>& of, double size) const {
    if (size <= 0) return 0;
    const auto above = std::lower_bound(sizes_.begin(), sizes_.end(), size);
    if (above == sizes_.begin()) return of.front();
    if (above == sizes_.end()) return of.back() * size / sizes_.back();
    const auto i = static_cast<std::size_t>(above - sizes_.begin());
    const double share = (size - sizes_[i - 1]) / (sizes_[i] - sizes_[i - 1]);
    return of[i - 1] + share * (of[i] - of[i - 1]);
  }

  std::vector<double> sizes_{}, read_{}, decode_{};
  double a_context_token_ = 0, a_pair_ = 0;
};

}  // namespace flopledger::planning
