// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A service under load: what users wait for where a fixed number of requests is always in flight, so that prompts are
/// read between the steps of those that decode.

#include <flopledger/time/serving.hpp>

namespace flopledger {

/// A pass of continuous batching: tokens of sequences that decode, and a piece of a prompt beside them.
template <class Model>
constexpr seconds batched_pass(const serving_time<Model>& time, const sequences& decoding, const sequences& piece) {
  const sequences pieces[] = {piece};
  return time.pass(
      {.run = decoding, .packed = pieces, .attention = attention_counting::causal, .head = head_positions::last_token});
}

/// So many users, each of whom sends a request, waits for its last token and sends the next.
struct closed_loop {
  double concurrency = 1;
  double prompt = 1, output = 1;  ///< tokens of each request
  double places = 0;              ///< sequences that memory has room for at once; 0: for all
  /// Requests that each user sends in all. The first ones come at once and wait for one another; 0: a service that has
  /// run for ever.
  double rounds = 10;
};

/// Means over all requests.
struct loaded_times {
  seconds first_token{};                  ///< from the request's arrival
  std::optional<seconds> output_token{};  ///< each further one; none for one token
  seconds request{};                      ///< arrival to last token
  token_rate throughput{};                ///< of all users' output
};

/// A closed loop in its mean, by formula; planning/serving_simulation.hpp serves one pass by pass. Every request meets
/// decode steps at the mean context, and during its own tokens the prompt of each other request once. A prompt that
/// arrives waits for half of the running step, then for the prompts before it, as at a server with one queue and equal
/// services (Pollaczek and Khinchine: ρ/(2(1 − ρ)) services, where ρ is the share of time that prompts take), and never
/// for more than all others.
template <class Model>
constexpr loaded_times under_load(const serving_time<Model>& time, const engine& under, const closed_loop& load) {
  if (!(load.concurrency >= 1 && load.prompt >= 1 && load.output >= 1 && load.places >= 0 && load.rounds >= 0))
    detail::raise<bad_argument>("under_load: users, prompts and outputs are at least 1, nothing is negative");
  const double together = load.places >= 1 && load.places < load.concurrency ? load.places : load.concurrency;
  const double others = together - 1, context = load.prompt + load.output / 2;
  const seconds step = time.decode_step(together, context);

  const auto chunk = static_cast<double>(under.chunk);
  seconds reading{};  // passes that hold a piece of the prompt beside the others' tokens
  double pieces = 0;
  for (double done = 0; done < load.prompt; done += chunk, ++pieces) {
    const double left = load.prompt - done;
    reading += batched_pass(time, {.count = others, .length = 1, .cached = context},
                            {.count = 1, .length = left < chunk ? left : chunk, .cached = done});
  }
  const seconds longer = reading > pieces * step ? reading - pieces * step : seconds{};
  const seconds token = step + others / load.output * longer;

  const seconds alone = under.a_request.value + step / 2.0 + reading;
  const double busy = together * longer / (alone + (load.output - 1) * token);
  const double before = busy < 1 ? busy / (2 * (1 - busy)) : others;
  const double queue = (before < others / 2 ? before : others / 2) + (load.rounds > 0 ? others / 2 / load.rounds : 0.0);
  const seconds first = alone + queue * longer;
  const seconds served = first + (load.output - 1) * token;
  // Who finds no place waits for others' whole requests.
  const seconds waiting = (load.concurrency / together - 1) * served;

  loaded_times found{.first_token = first + waiting, .request = served + waiting};
  if (load.output > 1) found.output_token = token;
  found.throughput = load.concurrency * load.output * unit::token / found.request;
  return found;
}

}  // namespace flopledger
