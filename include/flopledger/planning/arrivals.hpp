// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Requests that come to a service: when, and how long. Draws depend on their seed alone, on every machine.

#include <flopledger/errors.hpp>
#include <flopledger/units.hpp>

#include <cmath>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace flopledger::planning {

/// What arrives.
struct arrival {
  seconds at{};
  std::int64_t prompt = 1, output = 1;  ///< tokens
  bool read = false;  ///< its prompt lies in the cache already, and its first token is out: read elsewhere
};

/// Numbers between 0 and 1, neither included. Not the standard library's distributions, whose draws differ between
/// implementations.
class draws {
 public:
  explicit draws(std::uint64_t seed) : random_(seed) {}
  double uniform() { return (static_cast<double>(random_() >> 11U) + 0.5) * 0x1p-53; }
  double exponential() { return -std::log(uniform()); }  ///< of mean 1
  double normal() {
    constexpr double pi = 3.14159265358979323846;
    return std::sqrt(2 * exponential()) * std::cos(2 * pi * uniform());
  }
 private:
  std::mt19937_64 random_;
};

/// How long prompts or outputs are.
struct length_distribution {
  enum class shape : std::uint8_t { constant, uniform, exponential, lognormal };

  shape is = shape::constant;
  double mean = 1;
  /// Of `uniform`, from the mean to either end; of `lognormal`, the standard deviation over the mean.
  double spread = 0;

  /// At least one token.
  std::int64_t draw(draws& from) const {
    const double tokens_here = drawn(from);
    return tokens_here > 1 ? std::llround(tokens_here) : 1;
  }
 private:
  double drawn(draws& from) const {
    switch (is) {
      case shape::constant:
        break;
      case shape::uniform:
        return mean + spread * (2 * from.uniform() - 1);
      case shape::exponential:
        return mean * from.exponential();
      case shape::lognormal: {
        const double variance = std::log1p(spread * spread);
        return mean * std::exp(std::sqrt(variance) * from.normal() - variance / 2);
      }
    }
    return mean;
  }
};

/// A stream of requests without end.
struct request_stream {
  enum class spacing : std::uint8_t { poisson, constant };

  hertz rate{};
  length_distribution prompt{}, output{};
  spacing spaced = spacing::poisson;
  std::uint64_t seed = 1;
};

/// The first `count` requests of a stream that one of `servers` gets, where they take turns: the gaps between its
/// requests are sums of as many of the stream's.
inline std::vector<arrival> arrivals_of(const request_stream& stream, std::size_t count, std::int64_t servers = 1) {
  if (!(stream.rate.value() > 0) || servers < 1)
    flopledger::detail::raise<bad_argument>("requests come at a rate above 0, to at least one server");
  if (!(stream.prompt.mean >= 1 && stream.output.mean >= 1 && stream.prompt.spread >= 0 && stream.output.spread >= 0))
    flopledger::detail::raise<bad_argument>(
        "prompts and outputs have a mean of at least one token, and no spread below 0");
  draws random(stream.seed), lengths(~stream.seed);  // lengths are the same whatever the number of servers
  // A sum of so many gaps is all but constant; more of them would cost time and change nothing.
  constexpr std::int64_t most_gaps = 64;
  const std::int64_t gaps = servers < most_gaps ? servers : most_gaps;
  const double gap = static_cast<double>(servers) / static_cast<double>(gaps) / stream.rate.value();
  std::vector<arrival> made;
  made.reserve(count);
  double at = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::int64_t j = 0; j < gaps; ++j)
      at += stream.spaced == request_stream::spacing::poisson ? gap * random.exponential() : gap;
    const std::int64_t prompt = stream.prompt.draw(lengths);
    made.push_back({seconds::from_value(at), prompt, stream.output.draw(lengths)});
  }
  return made;
}

/// The same requests, so many times as far apart.
inline std::vector<arrival> stretched(std::vector<arrival> arrivals, double times) {
  for (arrival& one : arrivals) one.at = times * one.at;
  return arrivals;
}

}  // namespace flopledger::planning
