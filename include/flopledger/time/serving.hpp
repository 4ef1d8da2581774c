// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Time of serving: prefill and decode steps from the rows, and what follows from them: time to first token, time per
/// output token, throughput, speculative decoding.

#include <flopledger/compiler.hpp>
#include <flopledger/errors.hpp>
#include <flopledger/models/transformer.hpp>
#include <flopledger/time/row.hpp>
#include <flopledger/time/token.hpp>

namespace flopledger {

/// Devices that serve one copy of a model, and what joins them.
struct serving_group {
  std::int64_t tensor = 1, expert = 1;
  /// Seconds that one all-reduce takes beyond its bytes: short messages are all latency.
  seconds latency{};
  byte_rate bandwidth{};  ///< one way, of each device
};

/// What an engine adds to the kernels: in every forward pass (scheduling, sampling, the copy of the new tokens), and
/// once a request (tokenizer, queue, transport).
struct engine {
  seconds a_pass{}, a_request{};
};

/// Tokens that one round of speculative decoding is expected to yield: `drafted` proposals, each accepted with
/// probability `acceptance` as long as all before it were, and the one token that the large model adds (Leviathan et
/// al. 2023, equation 1): (1 − α^(γ+1)) / (1 − α).
constexpr double expected_accepted(double acceptance, std::int64_t drafted) {
  if (!(acceptance >= 0 && acceptance <= 1) || drafted < 0)
    detail::raise<bad_argument>("expected_accepted: acceptance lies between 0 and 1, and no proposals are negative");
  double sum = 1, power = 1;
  for (std::int64_t i = 0; i < drafted; ++i) sum += power *= acceptance;
  return sum;
}

/// The bound of a device that reads weights and cache once a step: batch × bandwidth / (weights + batch × cache a
/// sequence).
constexpr token_rate decode_bound(bytes weights, bytes cache_of_sequence, double batch, byte_rate bandwidth) {
  return batch * unit::token / ((weights + batch * cache_of_sequence) / bandwidth);
}

/// A model on devices of one kind. An encoder reads its source with the prompt and not again while tokens are decoded
/// (`work::source_length`: as many source tokens as the prompt has, where nothing else is said); a vision tower reads
/// the images of the `work` that `pass` is asked, and the shorthands for prompts bring none.
///
/// A template only so that a build that never asks pays nothing; the model is deduced.
template <class Model>
class serving_time {
 public:
  constexpr serving_time(const Model& model, const data_formats& formats, const machine& on,
                         const serving_group& group = {}, const engine& added = {}, const execution& how = {})
      : model_(model), formats_(formats), on_(on), group_(group), added_(added), how_(how) {
    if (group.tensor < 1 || group.expert < 1 || group.tensor % group.expert != 0)
      detail::raise<bad_argument>("serving_group: degrees are at least 1, and tensor divides by expert");
  }

  /// One forward pass over whatever is asked: kernels, all-reduces, and what the engine adds.
  constexpr seconds pass(const work& asked) const { return kernels(asked) + communication(asked) + added_.a_pass; }

  /// Prompts read whole.
  constexpr seconds prefill(double batch, double prompt) const {
    return pass(flopledger::prefill(batch, prompt, attention_counting::causal));
  }
  /// Prompts read in chunks, each attending to those before it. An encoder reads its source whole, with the first.
  constexpr seconds prefill_in_chunks(double batch, double prompt, double chunk) const {
    if (!(chunk > 0)) detail::raise<bad_argument>("prefill_in_chunks: a chunk has at least one token");
    seconds sum{};
    for (double done = 0; done < prompt; done += chunk) {
      const double now = prompt - done < chunk ? prompt - done : chunk;
      work asked{.run = {.count = batch, .length = now, .cached = done},
                 .attention = attention_counting::causal,
                 .head = head_positions::last_token};
      if (model_.has_encoder() && model_.encoder_positions == 0) asked.source_length = prompt;
      sum += pass(asked);
    }
    return sum;
  }
  /// From a request's arrival to its first token.
  constexpr seconds time_to_first_token(double prompt, double batch = 1, seconds queued = {}) const {
    return queued + added_.a_request + prefill(batch, prompt);
  }
  /// One more token for each of `batch` sequences that hold `context`: also the inter-token latency where no prefill
  /// comes between.
  constexpr seconds decode_step(double batch, double context) const {
    return pass(flopledger::decode_step(batch, context));
  }
  /// `output` − 1 steps after the first token. A step grows linearly with its context but for a window's bend, so
  /// Simpson's rule over the range is enough.
  constexpr seconds decode(double batch, double prompt, double output) const {
    if (output <= 1) return {};
    const double last = prompt + output - 2;
    const seconds ends = decode_step(batch, prompt) + decode_step(batch, last);
    return (output - 1) * (ends + 4.0 * decode_step(batch, (prompt + last) / 2)) / 6.0;
  }
  constexpr seconds end_to_end(double prompt, double output, double batch = 1) const {
    return time_to_first_token(prompt, batch) + decode(batch, prompt, output);
  }
  /// Mean time per output token after the first; none for one token.
  constexpr std::optional<seconds> output_token(double prompt, double output, double batch = 1) const {
    return time_per_output_token(end_to_end(prompt, output, batch), time_to_first_token(prompt, batch), output);
  }
  /// Output tokens a second with `concurrency` requests always in flight: each step decodes all of them, and prefills
  /// take turns with it.
  constexpr token_rate output_throughput(double concurrency, double prompt, double output) const {
    const seconds busy = concurrency * prefill(1, prompt) + decode(concurrency, prompt, output);
    return concurrency * output * unit::token / busy;
  }
  /// Tokens a second of speculative decoding: `drafted` steps of a small model, then one pass of this one over all of
  /// them and the token before.
  template <class Draft>
  constexpr token_rate speculative(const serving_time<Draft>& draft, double acceptance, std::int64_t drafted,
                                   double context, double batch = 1) const {
    const auto proposals = static_cast<double>(drafted);
    const seconds check = pass(
        {.run = {.count = batch, .length = proposals + 1, .cached = context}, .attention = attention_counting::causal});
    const seconds round = proposals * draft.decode_step(batch, context) + check;
    return batch * expected_accepted(acceptance, drafted) * unit::token / round;
  }

  /// Seconds of the kernels alone.
  constexpr seconds kernels(const work& asked) const {
    const auto tensor = static_cast<double>(group_.tensor), expert = static_cast<double>(group_.expert);
    const detail::degrees over{.tensor = tensor, .expert = expert, .expert_tensor = tensor / expert};
    const detail::row_clock clock{on_, formats_.precision, formats_.kernel, over, how_, false, formats_.checkpoint};
    const recompute_rule none;
    const detail::device_shares shares(over);
    detail::time_part part(clock, none);
    detail::device_fold fold(shares, part);
    filtered running{fold, [](const row& r) { return has_data(r); }};
    model_.record(running, asked);
    fold.close();
    return part.total().forward * unit::second;
  }
  /// Seconds of the all-reduces: one after each attention and each feed-forward of every stack that runs, one after the
  /// table.
  constexpr seconds communication(const work& asked) const {
    if (group_.tensor <= 1) return {};
    const double tokens_here = model_.vision_only ? 0.0 : asked.token_count();
    seconds sum = summed(model_.stack, tokens_here, 1);
    if (model_.has_encoder())
      sum += summed(model_.encoder, model_.with_source(asked).source_token_count(),
                    model_.encoder_embedding.width > 0 ? 1 : 0);
    if (model_.has_vision()) {
      const double images = model_.vision_only ? asked.sequence_count() : asked.images * asked.sequence_count();
      sum += summed(model_.vision.stack, images * static_cast<double>(model_.vision.sequence_length()), 0);
    }
    return sum;
  }
 private:
  constexpr seconds summed(const stack& blocks, double tokens_here, double tables) const {
    if (tokens_here <= 0) return {};
    const auto ranks = static_cast<double>(group_.tensor);
    const double whole =
        tokens_here * static_cast<double>(blocks.hidden) * formats_.precision.activations.bytes_per_element();
    const double calls = static_cast<double>(blocks.layers) * detail::tensor_regions(blocks, false, true) + tables;
    const double rate = group_.bandwidth.value();
    const double moving = rate > 0 ? 2 * (ranks - 1) / ranks * whole / rate : 0.0;
    return calls * (moving * unit::second + group_.latency);
  }

  const Model& model_;
  data_formats formats_;
  machine on_;
  serving_group group_;
  engine added_;
  execution how_;
};

}  // namespace flopledger
