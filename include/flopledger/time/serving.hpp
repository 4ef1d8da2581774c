// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Time of serving: prefill and decode steps from the rows, and what follows from them: time to first token, time per
/// output token, throughput, speculative decoding.

#include <flopledger/compiler.hpp>
#include <flopledger/engines.hpp>
#include <flopledger/errors.hpp>
#include <flopledger/models/transformer.hpp>
#include <flopledger/time/roofline.hpp>
#include <flopledger/time/row.hpp>
#include <flopledger/time/step.hpp>
#include <flopledger/time/token.hpp>

namespace flopledger {

/// Devices that serve one copy of a model, and what joins them.
struct serving_group {
  std::int64_t tensor = 1, expert = 1;
  /// Seconds that one all-reduce takes beyond its bytes: short messages are all latency.
  seconds latency{};
  byte_rate bandwidth{};  ///< one way, of each device
};

/// How the rows of a pass run under an engine. `alone`: one sequence on devices that stood idle, so that kernels run in
/// a burst.
constexpr execution execution_of(const engine& under, bool alone) {
  return {.eager_passes = under.eager_passes,
          .expert_passes = under.expert_passes,
          .grouped_experts = under.grouped_experts,
          .expert_wait = under.expert_wait,
          .cast_bytes = under.casts,
          .skips_masked = !under.computes_masked,
          .bursts = alone};
}

/// What an engine's kernels reach, where `usual` is what the device's do.
constexpr efficiency efficiency_under(const engine& under, const recipe& precision, const efficiency& usual) {
  const kernel_rates& own = under.rates;
  if (!(own.products > 0)) {
    efficiency taken = usual;
    if (own.launch.value.value() > 0) taken.launch = own.launch;
    return taken;
  }
  const bool whole = precision.weights.bits >= 16;
  return {.products = whole ? own.products : own.quantised,
          .bandwidth = own.bandwidth,
          .launch = own.launch,
          .how = own.products.how,
          .source = own.products.source};
}

/// The device as an engine uses it.
constexpr machine machine_of(const accelerator& device, const recipe& precision, const engine& under) {
  return machine_of(device, precision, efficiency_under(under, precision, efficiency_of(device)));
}

/// So many devices of one node under an engine. Throws `figure_not_published` as `link_over` does.
constexpr serving_group group_under(const engine& under, std::int64_t tensor, std::int64_t expert, const node& in) {
  serving_group made{.tensor = tensor, .expert = expert};
  if (tensor <= 1) return made;
  const plan lies{.tensor = tensor, .sequence_parallel = false};
  // A ring sends as fast whether it gathers or sums.
  made.bandwidth =
      link_over(group::tensor, under.reduces_in_switch ? collective::all_reduce : collective::all_gather, lies, in)
          .bandwidth;
  made.latency = under.all_reduce.value.value() > 0
                     ? under.all_reduce.value
                     : link_over(group::tensor, collective::all_reduce, lies, in).quick_latency;
  return made;
}

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

/// Passes in which `concurrency` requests are answered, all alike: a request takes at least as many as it has tokens,
/// and all prompts as many as they fill.
struct even_passes {
  double count;
  sequences decoding, prompts[1];

  constexpr even_passes(double concurrency, double prompt, double output, double chunk)
      : count(chunk > 0 && concurrency * prompt > chunk * output ? concurrency * prompt / chunk : output),
        decoding{.count = concurrency * (output - 1) / count, .length = 1, .cached = prompt + (output - 1) / 2},
        prompts{{.count = concurrency / count, .length = prompt}} {}
  /// A view of this.
  constexpr work each() const {
    return {.run = decoding,
            .packed = prompts,
            .attention = attention_counting::causal,
            .head = head_positions::last_token};
  }
};

/// The bound of output tokens a second on devices of these rates together, with `concurrency` requests always in
/// flight: all products at their peaks or all bytes at the bandwidth, whichever takes longer, weights read once a pass.
template <class Model>
constexpr token_rate output_bound(const Model& model, const data_formats& formats, const machine_rates& rates,
                                  double concurrency, double prompt, double output) {
  const even_passes all(concurrency, prompt, output, 0);
  roofline floors{.formats = formats, .rates = rates};
  model.record(floors, all.each());
  return concurrency * output * unit::token / (all.count * floors.total.longer());
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
                         const serving_group& group = {}, const engine& under = {}, bool alone = false)
      : model_(model),
        formats_(formats),
        on_(on),
        group_(group),
        a_token_(under.a_token),
        a_pass_(under.a_pass),
        a_request_(under.a_request),
        unpacking_(formats.precision.weights.bits < 16 ? under.rates.unpacking.value : 0.0),
        how_(execution_of(under, alone)) {
    if (group.tensor < 1 || group.expert < 1 || group.tensor % group.expert != 0)
      detail::raise<bad_argument>("serving_group: degrees are at least 1, and tensor divides by expert");
  }

  /// One forward pass over whatever is asked: kernels, all-reduces, and what the engine adds.
  constexpr seconds pass(const work& asked) const {
    return kernels(asked) + communication(asked) + a_pass_ + asked.sequence_count() * a_token_;
  }

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
  /// The prompts of a batch that arrived together, in passes of at most `chunk` tokens: whole prompts share a pass
  /// where several fit, and longer ones are read in chunks, one after another.
  constexpr seconds prefill_together(double batch, double prompt, double chunk) const {
    if (!(chunk > 0)) detail::raise<bad_argument>("prefill_together: a chunk has at least one token");
    if (prompt > chunk) return batch * prefill_in_chunks(1, prompt, chunk);
    const auto in_a_pass = static_cast<double>(static_cast<std::int64_t>(chunk / prompt));
    const auto full = static_cast<double>(static_cast<std::int64_t>(batch / in_a_pass));
    const double left = batch - full * in_a_pass;
    return (full > 0 ? full * prefill(in_a_pass, prompt) : seconds{}) + (left > 0 ? prefill(left, prompt) : seconds{});
  }
  /// From a request's arrival to its first token.
  constexpr seconds time_to_first_token(double prompt, double batch = 1, seconds queued = {}) const {
    return queued + a_request_ + prefill(batch, prompt);
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
  /// Output tokens a second with `concurrency` requests always in flight, whose prompts lie beside decoding tokens,
  /// evenly: at most `chunk` of their tokens in a pass (0: any number).
  constexpr token_rate output_throughput(double concurrency, double prompt, double output, double chunk = 0) const {
    const even_passes all(concurrency, prompt, output, chunk);
    return concurrency * output * unit::token / (all.count * pass(all.each()));
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
    const detail::degrees over{
        .tensor = tensor, .expert = expert, .expert_tensor = tensor / expert, .same_tokens = true};
    machine on = on_;
    if (unpacking_ > 0 && asked.token_count() <= 1) on.reached.products = unpacking_;
    const detail::row_clock clock{on, formats_.precision, formats_.kernel, over, how_, false, formats_.checkpoint};
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
    const double calls = static_cast<double>(blocks.layers) * detail::tensor_regions(blocks, false, true) -
                         blocks.missing_sublayers() + tables;
    const double rate = group_.bandwidth.value();
    const double moving = rate > 0 ? 2 * (ranks - 1) / ranks * whole / rate : 0.0;
    return calls * (moving * unit::second + group_.latency);
  }

  const Model& model_;
  data_formats formats_;
  machine on_;
  serving_group group_;
  seconds a_token_, a_pass_, a_request_;
  double unpacking_;  ///< of the peak that products reach on a single token; 0: as ever
  execution how_;
};

}  // namespace flopledger
