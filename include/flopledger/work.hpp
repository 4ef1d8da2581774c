// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What is asked of a model: which sequences, how much of them is cached already, and how the asking counts.

#include <flopledger/units.hpp>

#include <cstddef>
#include <cstdint>

namespace flopledger {

/// How the pairs of query and key are counted. No convention is right for everybody, so each has its name:
/// tools that count what a kernel without a mask computes say `full` (PaLM appendix B, most profilers), the exact lower
/// triangle is `causal`, and half of the square is `causal_half` (FlashAttention's scripts, Megatron-LM from 0.12).
enum class attention_counting : std::uint8_t { full, causal, causal_half };

/// Where the head runs: training needs every position's logits, generation the last one's of each sequence.
enum class head_positions : std::uint8_t { every_token, last_token };

/// Equally long sequences: `count` of them, `length` new tokens each, `cached` tokens already in the cache of each.
struct sequences {
  double count = 1;
  double length = 1;
  double cached = 0;

  constexpr double total_length() const { return cached + length; }
};

/// A view of runs that stand one after another, wherever they do: `std::span` for one type, at a tenth of its compile
/// cost.
class runs_view {
 public:
  constexpr runs_view() = default;
  /// Any contiguous range: an array, a vector, a span.
  template <class Runs>
  requires requires(const Runs& runs) { static_cast<const sequences*>(std::data(runs)); }
  constexpr runs_view(const Runs& runs) : first_(std::data(runs)), count_(std::size(runs)) {}
  constexpr const sequences* begin() const { return first_; }
  constexpr const sequences* end() const { return first_ + count_; }
 private:
  const sequences* first_ = nullptr;
  std::size_t count_ = 0;
};

/// The work a ledger is made for. `packed` is a view, as `std::string_view` is one: what it looks at must outlive it.
struct work {
  sequences run{};
  runs_view packed{};  ///< further runs of other lengths in the same pass
  attention_counting attention = attention_counting::full;
  head_positions head = head_positions::every_token;
  bool training = false;     ///< dropout runs, and the loss is computed
  double source_length = 0;  ///< encoder tokens a sequence of an encoder-decoder; 0: as many as the sequence itself
  double images = 0;         ///< images a sequence brings to a vision tower
  bool new_only = false;     ///< runs that go on from a cache are left out: an encoder has read their source already

  /// Calls `visit` with every run.
  constexpr void for_each_run(auto&& visit) const {
    if (!new_only || run.cached <= 0) visit(run);
    for (const sequences& more : packed)
      if (!new_only || more.cached <= 0) visit(more);
  }
  constexpr double sequence_count() const {
    double sum = 0;
    for_each_run([&](const sequences& s) { sum += s.count; });
    return sum;
  }
  /// Encoder tokens beside one sequence of a run.
  constexpr double source_of(const sequences& one) const {
    return source_length > 0 ? source_length : one.total_length();
  }
  /// Those that an encoder reads in this pass: none of sequences that go on from a cache.
  constexpr double source_token_count() const {
    double sum = 0;
    for_each_run([&](const sequences& s) { sum += s.cached > 0 ? 0 : s.count * source_of(s); });
    return sum;
  }
  /// Sequences that go on from a cache.
  constexpr double cached_sequence_count() const {
    double sum = 0;
    for_each_run([&](const sequences& s) { sum += s.cached > 0 ? s.count : 0; });
    return sum;
  }
  /// New tokens, over all sequences.
  constexpr double token_count() const {
    double sum = 0;
    for_each_run([&](const sequences& s) { sum += s.count * s.length; });
    return sum;
  }
  /// Every sequence goes on from a cache, so that what an encoder left is there already.
  constexpr bool decoding() const {
    bool some = false, all = true;
    for_each_run([&](const sequences& s) {
      if (s.count <= 0) return;
      some = true;
      all = all && s.cached > 0;
    });
    return some && all;
  }
};

/// One forward pass over `batch` sequences of `length` tokens.
constexpr work forward(double batch, double length, attention_counting counting = attention_counting::full) {
  return {.run = {.count = batch, .length = length}, .attention = counting};
}

/// The forward half of a training step; folds add the backward pass by each row's rule.
constexpr work training_step(double batch, double length, attention_counting counting = attention_counting::full) {
  return {.run = {.count = batch, .length = length}, .attention = counting, .training = true};
}

/// A prompt read into the cache; logits of its last token alone.
constexpr work prefill(double batch, double prompt, attention_counting counting = attention_counting::full) {
  return {.run = {.count = batch, .length = prompt}, .attention = counting, .head = head_positions::last_token};
}

/// One more token for each of `batch` sequences that hold `context` tokens in the cache: it attends to `context + 1`.
constexpr work decode_step(double batch, double context) {
  return {.run = {.count = batch, .length = 1, .cached = context}, .head = head_positions::last_token};
}

/// One forward pass over packed sequences of unequal length, which never attend to each other.
constexpr work packed(runs_view runs, attention_counting counting = attention_counting::full) {
  return {.run = {.count = 0, .length = 0}, .packed = runs, .attention = counting};
}

/// How a layer's attention is limited beside causality.
enum class attention_span : std::uint8_t {
  whole,    ///< every earlier token
  sliding,  ///< the last `window` tokens, itself included
  chunked,  ///< the tokens of its own chunk of `window` (Llama-4's `attention_chunk_size`)
  chosen,   ///< `window` of the earlier tokens, itself included, which an indexer chooses (DeepSeek-V3.2), one by one
            ///< or in blocks of which its own is always among them (MiniMax-M3)
  around    ///< the tokens less than `window` away on both sides (EmbeddingGemma)
};

/// Pairs of query and key of one sequence of the run.
///
/// Where a window is shorter than the sequence, the exact sum over positions counts under every convention, since no
/// kernel computes the square then: position i (from 0) attends to min(i + 1, w) keys, w·S − w(w−1)/2 in all.
constexpr double attended_pairs(const sequences& run, attention_counting counting, attention_span span = {},
                                double window = 0, double block = 1) {
  const double total = run.total_length();
  // Keys seen by the first `n` positions of a sequence when position i sees min(i + 1, window), or its chunk's part.
  const auto triangle = [](double n) { return n * (n + 1) / 2; };
  if ((span == attention_span::sliding || span == attention_span::chosen) && window < total) {
    // Of its own block a token sees what is not behind it.
    const auto upto = [&](double n) {
      if (n <= window) return triangle(n);
      const double more = n - window, whole = static_cast<double>(static_cast<std::int64_t>(more / block));
      return triangle(window) + more * (window - block) + whole * triangle(block) + triangle(more - whole * block);
    };
    return upto(total) - upto(run.cached);
  }
  if (span == attention_span::around && window < total) {
    // All of an encoder's tokens are new. The last `window` lack neighbours behind them, the first before them.
    const double missing = run.length - window;
    return run.length * run.length - missing * (missing + 1);
  }
  if (span == attention_span::chunked && window < total) {
    const auto upto = [&](double n) {
      const auto chunks = static_cast<double>(static_cast<std::int64_t>(n / window));
      return chunks * triangle(window) + triangle(n - chunks * window);
    };
    return upto(total) - upto(run.cached);
  }
  switch (counting) {
    case attention_counting::full:
      return run.length * total;
    case attention_counting::causal:
      return run.length * run.cached + triangle(run.length);
    case attention_counting::causal_half:
      // A single new token has no square to halve: it attends to all that is cached and to itself.
      return run.length == 1 ? total : run.length * run.cached + run.length * run.length / 2;
  }
  return 0;
}

/// Entries that every `ratio` tokens make one of, of so many tokens.
constexpr double compressed_entries(double length, double ratio) {
  return static_cast<double>(static_cast<std::int64_t>(length / ratio));
}

/// Pairs of query and entry of one sequence of the run: a token sees the entries of all full windows up to its own, at
/// most `chosen` of them where that is not 0.
constexpr double compressed_pairs(const sequences& run, double ratio, double chosen = 0) {
  const auto upto = [&](double n) {
    const double whole = compressed_entries(n, ratio), limited = chosen > 0 && chosen < whole ? chosen : whole;
    return ratio * limited * (limited - 1) / 2 + limited * (n - limited * ratio + 1);
  };
  return upto(run.total_length()) - upto(run.cached);
}

/// Cached tokens of one sequence that the run attends to, each read at least once: all that its first new token sees.
/// Of those that are chosen, each new token may choose others.
constexpr double attended_past(const sequences& run, attention_span span = {}, double window = 0) {
  switch (span) {
    case attention_span::whole:
    case attention_span::around:
      break;
    case attention_span::sliding:
      return run.cached < window ? run.cached : window - 1;
    case attention_span::chunked:
      return run.cached - window * static_cast<double>(static_cast<std::int64_t>(run.cached / window));
    case attention_span::chosen:
      return run.cached < run.length * window ? run.cached : run.length * window;
  }
  return run.cached;
}

/// Whether tokens that are out of reach are so for ever.
constexpr bool forgets(attention_span span) {
  return span == attention_span::sliding || span == attention_span::chunked;
}

/// Tokens of one sequence that a cache must still hold after the run.
constexpr double kept_tokens(const sequences& run, attention_span span = {}, double window = 0) {
  const double total = run.total_length();
  return forgets(span) && window < total ? window : total;
}

}  // namespace flopledger
