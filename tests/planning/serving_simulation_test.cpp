// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/planning/serving_simulation.hpp>

#include "catch.hpp"

namespace {

using namespace flopledger;
using namespace flopledger::planning;
using namespace flopledger::literals;
using Catch::Matchers::WithinRel;

/// One request at a time, a whole prompt a pass, so long as its tokens: a single server.
constexpr batch_limits single_server{.sequences = 1, .pass_tokens = 1'000'000'000};
constexpr double a_token = 1e-4;
const auto by_tokens = [](const pass_load& load) {
  return seconds::from_value(a_token * static_cast<double>(load.prompt_tokens));
};

/// A service time of one second each.
request_stream prompts_alone(hertz rate) { return {.rate = rate, .prompt = {.mean = 10'000}}; }

/// Mean time in the queue, in service times of one second.
double mean_wait(const std::vector<arrival>& arrivals, const served_requests& served) {
  double sum = 0;
  for (std::size_t i = 0; i < arrivals.size(); ++i)
    sum += served.requests[i].time_to_first_token().value() - a_token * static_cast<double>(arrivals[i].prompt);
  return sum / static_cast<double>(arrivals.size());
}

/// Mean wait of M/D/c in service times (Crommelin 1932).
double crommelin(int servers, double load) {
  double sum = 0;
  for (int i = 1; i < 400; ++i) {
    const double mean = i * servers * load;
    double term = std::exp(-mean), below = 0;  // P(j), and the sum below i·c
    for (int j = 0; j < i * servers; ++j) {
      below += term;
      term *= mean / (j + 1);
    }
    const double from = 1 - below;
    if (from < 1e-10) break;  // what is left of a difference of sums
    sum += from - (from - term) / load;
  }
  return sum;
}

}  // namespace

TEST_CASE("a single server waits as M/M/1 and M/D/1 do") {
  for (const double load : {0.3, 0.6, 0.8}) {
    request_stream stream = prompts_alone(load / 1_s);
    std::vector<arrival> arrivals = arrivals_of(stream, 200'000);
    CHECK_THAT(mean_wait(arrivals, simulate(arrivals, single_server, by_tokens)),
               WithinRel(load / (2 * (1 - load)), 0.03));
    stream.prompt.is = length_distribution::shape::exponential;
    arrivals = arrivals_of(stream, 200'000);
    const served_requests served = simulate(arrivals, single_server, by_tokens);
    CHECK_THAT(mean_wait(arrivals, served), WithinRel(load / (1 - load), 0.04));
    CHECK_THAT(served.utilisation(), WithinRel(load, 0.02));
    // M/M/1's time in system is exponential with mean 1/(μ − λ).
    CHECK_THAT(served.percentile(0.95, [](const served_request& one) { return one.end_to_end(); }).value(),
               WithinRel(std::log(20.0) / (1 - load), 0.05));
  }
}

TEST_CASE("several replicas wait as M/D/c does") {
  CHECK_THAT(crommelin(1, 0.5), WithinRel(0.5, 1e-6));
  for (const int servers : {2, 4})
    for (const double load : {0.5, 0.8}) {
      const request_stream stream = prompts_alone(servers * load / 1_s);
      const std::vector<arrival> arrivals = arrivals_of(stream, 200'000);
      CHECK_THAT(mean_wait(arrivals, simulate(arrivals, servers, single_server, by_tokens)),
                 WithinRel(crommelin(servers, load), 0.05));
      // What one of them sees is what all of them see.
      const std::vector<arrival> of_one = arrivals_of(stream, 200'000, servers);
      CHECK_THAT(mean_wait(of_one, simulate(of_one, single_server, by_tokens)),
                 WithinRel(crommelin(servers, load), 0.05));
    }
}

namespace {

/// A pass of 5 ms with 10 µs a token.
const auto of_an_engine = [](const pass_load& load) {
  return seconds::from_value(5e-3 + 1e-5 * static_cast<double>(load.prompt_tokens + load.decoding));
};

}  // namespace

TEST_CASE("a request alone reads its prompt in chunks and writes a token a pass") {
  const served_requests served = simulate({{1_s, 5000, 11}}, {.pass_tokens = 2048}, of_an_engine);
  CHECK(served.passes == 3 + 10);
  CHECK_THAT(served.requests[0].time_to_first_token().value(), WithinRel(3 * 5e-3 + 5000e-5, 1e-9));
  CHECK_THAT(served.requests[0].time_per_output_token().value(), WithinRel(5.01e-3, 1e-9));
}

TEST_CASE("requests at once share passes, up to the sequences that are let in") {
  const std::vector<arrival> four(4, {0_s, 100, 50});
  CHECK(simulate(four, {}, of_an_engine).passes == 50);
  CHECK(simulate(four, {.sequences = 2}, of_an_engine).passes == 100);
  CHECK(simulate(four, {.sequences = 1}, of_an_engine).passes == 200);
}

TEST_CASE("where pages run out the latest request starts anew, and all of them end") {
  const std::vector<arrival> two(2, {0_s, 160, 160});
  const served_requests roomy = simulate(two, {.cache_tokens = 640}, of_an_engine);
  CHECK(roomy.requests[1].preemptions == 0);
  const served_requests tight = simulate(two, {.cache_tokens = 480}, of_an_engine);
  CHECK(tight.requests[0].preemptions == 0);
  CHECK(tight.requests[1].preemptions > 0);
  CHECK(tight.requests[0].last_token <= roomy.requests[0].last_token);
  CHECK(tight.requests[1].last_token > roomy.requests[1].last_token);
  CHECK_THROWS_AS(simulate(two, {.cache_tokens = 300}, of_an_engine), bad_argument);
  CHECK_THROWS_AS(simulate(two, {.sequences = 0}, of_an_engine), bad_argument);
}

TEST_CASE("a prefix that prompts share is kept once and not read again") {
  const std::vector<arrival> many(8, {0_s, 1040, 20});
  const batch_limits without{.pass_tokens = 100'000, .cache_tokens = 4096};
  batch_limits with = without;
  with.shared_prefix = 1024;
  const served_requests apart = simulate(many, without, of_an_engine), shared = simulate(many, with, of_an_engine);
  CHECK(shared.ended < apart.ended);
  CHECK(shared.passes == 20);  // all eight at once; without, pages hold three
}

TEST_CASE("goodput falls once requests come faster than they are served") {
  const batch_limits limits{.sequences = 64, .pass_tokens = 2048};
  double last = 1;
  for (const double rate : {5.0, 40.0, 200.0}) {
    const std::vector<arrival> arrivals =
        arrivals_of({.rate = rate / 1_s, .prompt = {.mean = 512}, .output = {.mean = 128}}, 4000);
    const served_requests served = simulate(arrivals, limits, of_an_engine);
    const double share = served.goodput(500_ms, 40_ms).value() / (4000 / served.ended.value());
    CHECK(share <= last + 1e-9);
    last = share;
  }
  CHECK(last < 0.1);
}

TEST_CASE("users who wait for their answers keep as many requests in flight as there are of them") {
  const std::vector<arrival> requests(200, {0_s, 100, 50});
  const served_requests served = simulate_closed_loop(requests, 8, {}, of_an_engine);
  // Little's law.
  const auto whole = [](const served_request& one) { return one.end_to_end(); };
  CHECK_THAT(served.mean(whole).value() * 200 / served.ended.value(), WithinRel(8.0, 0.01));
  CHECK(simulate_closed_loop(requests, 8, {.sequences = 4}, of_an_engine).ended > 1.5 * served.ended);
  CHECK(simulate_closed_loop(requests, 300, {}, of_an_engine).requests[199].arrived == 0_s);
  CHECK_THROWS_AS(simulate_closed_loop(requests, 0, {}, of_an_engine), bad_argument);
}

TEST_CASE("prompts read elsewhere leave decoding alone, and the second token waits for the cache") {
  const std::vector<arrival> arrivals =
      arrivals_of({.rate = 20.0 / 1_s, .prompt = {.mean = 4000}, .output = {.mean = 100}}, 2000);
  const batch_limits limits{.sequences = 256, .pass_tokens = 8192};
  const auto in_10_ms = [](double) { return 10_ms; };
  const served_requests apart = simulate_apart(arrivals, 1, limits, of_an_engine, 1, limits, of_an_engine, in_10_ms);
  const served_requests together = simulate(arrivals, 2, limits, of_an_engine);
  const auto token = [](const served_request& one) { return one.time_per_output_token(); };
  CHECK(apart.percentile(0.95, token) < together.percentile(0.95, token));
  // A request alone: its prompt, the transfer, a token a pass.
  const served_requests alone =
      simulate_apart({{1_s, 1000, 11}}, 1, limits, of_an_engine, 1, limits, of_an_engine, in_10_ms);
  CHECK_THAT(alone.requests[0].time_to_first_token().value(), WithinRel(5e-3 + 1000e-5, 1e-9));
  CHECK_THAT((alone.requests[0].last_token - alone.requests[0].first_token).value(),
             WithinRel(10e-3 + 10 * 5.01e-3, 1e-9));
}

TEST_CASE("lengths are drawn with the mean and the spread that are asked for") {
  using shape = length_distribution::shape;
  struct wanted {
    length_distribution of;
    double deviation;
  };
  for (const wanted& one : {wanted{{shape::constant, 500}, 0}, wanted{{shape::uniform, 500, 300}, 300 / std::sqrt(3.0)},
                            wanted{{shape::exponential, 500}, 500}, wanted{{shape::lognormal, 500, 0.8}, 400}}) {
    const std::vector<arrival> drawn =
        arrivals_of({.rate = 1.0 / 1_s, .prompt = one.of, .output = {.mean = 1}}, 200'000);
    double sum = 0, squares = 0;
    for (const arrival& each : drawn) {
      const auto length = static_cast<double>(each.prompt);
      sum += length;
      squares += length * length;
    }
    const double mean = sum / 200'000, deviation = std::sqrt(std::max(0.0, squares / 200'000 - mean * mean));
    CHECK_THAT(mean, WithinRel(500.0, 0.01));
    CHECK_THAT(deviation, Catch::Matchers::WithinAbs(one.deviation, 0.02 * one.deviation + 1e-6));
  }
  const request_stream stream{.rate = 2.0 / 1_s, .spaced = request_stream::spacing::constant};
  CHECK_THAT(arrivals_of(stream, 10)[9].at.value(), WithinRel(5.0, 1e-9));
  CHECK_THROWS_AS(arrivals_of({}, 10), bad_argument);
}
