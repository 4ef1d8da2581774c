// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A service under load, pass by pass: continuous batching (Yu et al. 2022) with prompts in chunks beside decoding
/// (Agrawal et al. 2024), a cache of pages (Kwon et al. 2023), and preemption where pages run out. What a pass takes is
/// asked of a function, so that any model of time serves.

#include <flopledger/evidence/statistics.hpp>
#include <flopledger/planning/arrivals.hpp>
#include <flopledger/stable_order.hpp>

#include <algorithm>
#include <deque>
#include <limits>

namespace flopledger::planning {

/// How much an engine takes on.
struct batch_limits {
  std::int64_t sequences = 256;     ///< at once
  std::int64_t pass_tokens = 2048;  ///< of one pass, decoding sequences' among them
  std::int64_t cache_tokens = 0;    ///< that pages hold; 0: no bound
  std::int64_t block = 16;          ///< tokens of a page
  std::int64_t shared_prefix = 0;   ///< tokens that all prompts begin with: kept once, and there before the first
  seconds a_request{};              ///< from a request's arrival until a pass can take it
};

/// What one pass does.
struct pass_load {
  std::int64_t decoding = 0;       ///< sequences, a token each
  double context = 0;              ///< tokens that those attend to, together
  std::int64_t prompt_tokens = 0;  ///< read in this pass
  double prompt_pairs = 0;         ///< of those tokens with the ones they attend to
};

/// What became of a request.
struct served_request {
  seconds arrived{}, first_token{}, last_token{};
  std::int64_t output = 0;
  std::int64_t preemptions = 0;

  seconds time_to_first_token() const { return first_token - arrived; }
  seconds end_to_end() const { return last_token - arrived; }
  /// Mean time per output token after the first; 0 for one token.
  seconds time_per_output_token() const {
    return output > 1 ? (last_token - first_token) / static_cast<double>(output - 1) : seconds{};
  }
};

struct served_requests {
  std::vector<served_request> requests{};  ///< in the order of arrival
  seconds busy{};                          ///< that passes took, of the mean server
  seconds reading{};                       ///< that prompts added to these
  seconds ended{};                         ///< when the last token came
  std::int64_t passes = 0;

  double utilisation() const { return busy / ended; }
  std::int64_t preemptions() const {
    std::int64_t sum = 0;
    for (const served_request& one : requests) sum += one.preemptions;
    return sum;
  }
  template <class Of>
  seconds mean(const Of& of) const {
    must_have_some();
    seconds sum{};
    for (const served_request& one : requests) sum += of(one);
    return sum / static_cast<double>(requests.size());
  }
  /// The value that a share of the requests does not exceed (nearest rank).
  template <class Of>
  seconds percentile(double share, const Of& of) const {
    must_have_some();
    if (!(share > 0 && share <= 1))
      flopledger::detail::raise<bad_argument>("a percentile lies above 0 and not above 1");
    std::vector<double> values;
    values.reserve(requests.size());
    for (const served_request& one : requests) values.push_back(of(one).value());
    return seconds::from_value(flopledger::percentile(values, share, percentile_rule::nearest_rank));
  }
  /// The share of the requests that met both limits.
  double share_within(seconds first_token, seconds output_token) const {
    must_have_some();
    const auto met = std::count_if(requests.begin(), requests.end(), [&](const served_request& one) {
      return one.time_to_first_token() <= first_token && one.time_per_output_token() <= output_token;
    });
    return static_cast<double>(met) / static_cast<double>(requests.size());
  }
  /// Requests a second that met both limits.
  hertz goodput(seconds first_token, seconds output_token) const {
    return share_within(first_token, output_token) * static_cast<double>(requests.size()) / ended;
  }
 private:
  void must_have_some() const {
    if (requests.empty()) flopledger::detail::raise<bad_argument>("no request was served");
  }
};

namespace detail {

/// One server. Requests are known by their numbers.
template <class PassTime>
class server {
 public:
  /// The first `sent` requests come by themselves; of the others one follows each that is served.
  server(std::vector<arrival> arrivals, std::size_t sent, const batch_limits& limits, const PassTime& pass)
      : arrivals_(std::move(arrivals)), sent_(sent), limits_(limits), pass_(pass) {
    if (limits.sequences < 1 || limits.pass_tokens < 1 || limits.block < 1)
      flopledger::detail::raise<bad_argument>("a batch has at least one sequence, one token a pass and one a page");
    if (limits.cache_tokens < 0 || limits.shared_prefix < 0 || limits.a_request < seconds{})
      flopledger::detail::raise<bad_argument>("a cache, a shared prefix and the time of a request are not negative");
    pages_ =
        limits.cache_tokens > 0 ? limits.cache_tokens / limits.block : std::numeric_limits<std::int64_t>::max() / 4;
    prefix_ = limits.shared_prefix / limits.block * limits.block;
    pages_ -= pages_of(prefix_);
    free_ = pages_;
    states_.resize(arrivals_.size());
    done_.requests.resize(arrivals_.size());
  }

  served_requests run() {
    double now = 0;
    while (next_ < sent_ || !waiting_.empty() || !running_.empty()) {
      if (waiting_.empty() && running_.empty()) now = std::max(now, ready(next_));
      for (; next_ < sent_ && ready(next_) <= now; ++next_) arrive(next_);
      const pass_load load = schedule();
      const double took = pass_(load).value();
      now += took;
      done_.busy += seconds::from_value(took);
      if (load.prompt_tokens > 0) done_.reading += seconds::from_value(took) - without_prompts(load);
      ++done_.passes;
      finish(now);
    }
    done_.ended = seconds::from_value(now);
    return std::move(done_);
  }
 private:
  struct state {
    std::int64_t held = 0;     ///< tokens in the cache
    std::int64_t to_read = 0;  ///< that prefill must reach: the prompt, and after a preemption what was written too
    std::int64_t written = 0;  ///< output tokens
    std::int64_t pages = 0;    ///< of its own
    std::int64_t now = 0;      ///< tokens of this pass
    bool read = false;         ///< elsewhere
  };

  double ready(std::size_t number) const { return (arrivals_[number].at + limits_.a_request).value(); }
  std::int64_t pages_of(std::int64_t held) const { return (held + limits_.block - 1) / limits_.block; }
  std::int64_t own_pages(std::int64_t held) const { return pages_of(held) - pages_of(std::min(held, prefix_)); }

  void arrive(std::size_t number) {
    const arrival& one = arrivals_[number];
    if (one.prompt < 1 || one.output < 1)
      flopledger::detail::raise<bad_argument>("a request has at least one token each way");
    if (own_pages(one.prompt + one.output) > pages_)
      flopledger::detail::raise<bad_argument>("a request is longer than the whole cache");
    states_[number] = {.to_read = one.prompt, .read = one.read};
    done_.requests[number] = {.arrived = one.at, .output = one.output};
    waiting_.push_back(number);
  }

  bool grow(state& of, std::int64_t held) {
    const std::int64_t more = own_pages(held) - of.pages;
    if (more > free_) return false;
    if (more > 0) {
      free_ -= more;
      of.pages += more;
    }
    return true;
  }
  /// The latest goes back to the head of the queue and loses its cache.
  void preempt_last() {
    const std::size_t number = running_.back();
    running_.pop_back();
    state& of = states_[number];
    free_ += of.pages;
    of = {.to_read = arrivals_[number].prompt + of.written, .written = of.written};
    ++done_.requests[number].preemptions;
    waiting_.push_front(number);
  }

  seconds without_prompts(const pass_load& load) const {
    return load.decoding > 0 ? pass_({.decoding = load.decoding, .context = load.context}) : seconds{};
  }
  pass_load schedule() {
    pass_load load;
    std::int64_t budget = limits_.pass_tokens;
    const bool preempted = decode_all(load, budget);
    for (std::size_t i = 0; i < running_.size() && budget > 0; ++i) {
      state& of = states_[running_[i]];
      if (of.held < of.to_read) read(of, load, budget);
    }
    // Pages that one lost are for those that go on: nobody new comes in with the same pass (vLLM, v1 scheduler).
    if (!preempted) admit(load, budget);
    return load;
  }
  bool decode_all(pass_load& load, std::int64_t& budget) {
    bool preempted = false;
    for (std::size_t i = 0; i < running_.size() && budget > 0; ++i) {
      state& of = states_[running_[i]];
      if (of.held < of.to_read) continue;
      bool grown = grow(of, of.held + 1);
      while (!grown) {
        const bool itself = running_.size() == i + 1;
        preempt_last();
        preempted = true;
        if (itself) break;
        grown = grow(of, of.held + 1);
      }
      if (grown) decode(of, load, budget);
    }
    return preempted;
  }
  void admit(pass_load& load, std::int64_t& budget) {
    while (!waiting_.empty() && budget > 0 && static_cast<std::int64_t>(running_.size()) < limits_.sequences) {
      const std::size_t number = waiting_.front();
      state& of = states_[number];
      if (!grow(of, of.to_read + (of.read ? 1 : 0))) return;
      waiting_.pop_front();
      running_.push_back(number);
      of.held = of.read ? of.to_read : std::min(prefix_, of.to_read - 1);
      if (of.read)
        decode(of, load, budget);
      else
        read(of, load, budget);
    }
  }
  static void decode(state& of, pass_load& load, std::int64_t& budget) {
    of.now = 1;
    --budget;
    ++load.decoding;
    load.context += static_cast<double>(of.held + 1);
  }
  static void read(state& of, pass_load& load, std::int64_t& budget) {
    of.now = std::min(budget, of.to_read - of.held);
    budget -= of.now;
    load.prompt_tokens += of.now;
    const auto now = static_cast<double>(of.now);
    load.prompt_pairs += now * static_cast<double>(of.held) + now * (now + 1) / 2;
  }

  void finish(double now) {
    std::size_t kept = 0;
    for (const std::size_t number : running_) {
      state& of = states_[number];
      of.held += of.now;
      const bool writes = of.now > 0 && of.held >= of.to_read;
      of.now = 0;
      if (writes && ++of.written == 1) done_.requests[number].first_token = seconds::from_value(now);
      if (writes && of.written >= arrivals_[number].output) {
        done_.requests[number].last_token = seconds::from_value(now);
        free_ += of.pages;
        of.pages = 0;
        if (sent_ < arrivals_.size()) arrivals_[sent_++].at = seconds::from_value(now);
        continue;
      }
      running_[kept++] = number;
    }
    running_.resize(kept);
  }
  std::vector<arrival> arrivals_;
  std::size_t sent_, next_ = 0;
  const batch_limits& limits_;
  const PassTime& pass_;
  std::vector<state> states_{};
  std::deque<std::size_t> waiting_{};
  std::vector<std::size_t> running_{};
  std::int64_t pages_ = 0, free_ = 0;
  std::int64_t prefix_ = 0;  ///< tokens that whole pages of the shared prefix hold
  served_requests done_{};
};

}  // namespace detail

/// Serves arrivals, in the order of their time, on one server: devices that run one pass after another.
/// `pass(pass_load)` is the seconds of a pass. Throws `bad_argument` for a request that can never be served.
template <class PassTime>
served_requests simulate(std::vector<arrival> arrivals, const batch_limits& limits, const PassTime& pass) {
  const std::size_t all = arrivals.size();
  return detail::server<PassTime>(std::move(arrivals), all, limits, pass).run();
}

/// The same on several servers, each request to the next in turn. For requests that take alike this is a common queue.
template <class PassTime>
served_requests simulate(const std::vector<arrival>& arrivals, std::int64_t servers, const batch_limits& limits,
                         const PassTime& pass) {
  if (servers < 1) flopledger::detail::raise<bad_argument>("a service has at least one server");
  served_requests all;
  all.requests.resize(arrivals.size());
  const auto every = static_cast<std::size_t>(servers);
  for (std::size_t first = 0; first < every; ++first) {
    std::vector<arrival> own;
    for (std::size_t i = first; i < arrivals.size(); i += every) own.push_back(arrivals[i]);
    served_requests one = simulate(own, limits, pass);
    for (std::size_t i = 0; i < own.size(); ++i) all.requests[first + i * every] = one.requests[i];
    all.busy += one.busy / static_cast<double>(servers);
    all.reading += one.reading / static_cast<double>(servers);
    all.ended = std::max(all.ended, one.ended);
    all.passes += one.passes;
  }
  return all;
}

/// The same where each of `users` sends a request when the last token of the one before has come: of the arrivals, the
/// lengths count, and the times of the first ones.
template <class PassTime>
served_requests simulate_closed_loop(std::vector<arrival> requests, std::int64_t users, const batch_limits& limits,
                                     const PassTime& pass) {
  if (users < 1) flopledger::detail::raise<bad_argument>("a closed loop has at least one user");
  const std::size_t first = std::min(requests.size(), static_cast<std::size_t>(users));
  return detail::server<PassTime>(std::move(requests), first, limits, pass).run();
}

/// Prompts read on servers of their own, whose cache then travels to those that decode. `transfer(tokens)` is how long
/// the cache of so many takes, which the second token waits for.
template <class ReadTime, class DecodeTime, class Transfer>
served_requests simulate_apart(const std::vector<arrival>& arrivals, std::int64_t readers, const batch_limits& reading,
                               const ReadTime& read_pass, std::int64_t decoders, const batch_limits& decoding,
                               const DecodeTime& decode_pass, const Transfer& transfer) {
  std::vector<arrival> prompts = arrivals;
  for (arrival& one : prompts) one.output = 1;
  served_requests all = simulate(prompts, readers, reading, read_pass);
  struct moved {
    arrival with;
    std::size_t number;
  };
  std::vector<moved> going_on;
  for (std::size_t i = 0; i < arrivals.size(); ++i) {
    const arrival& one = arrivals[i];
    all.requests[i].output = one.output;
    if (one.output == 1) continue;
    const seconds there = all.requests[i].first_token + transfer(static_cast<double>(one.prompt));
    going_on.push_back({{there, one.prompt, one.output - 1, true}, i});
  }
  flopledger::detail::order_stably(going_on, [](const moved& a, const moved& b) { return a.with.at < b.with.at; });
  std::vector<arrival> rest;
  for (const moved& one : going_on) rest.push_back(one.with);
  batch_limits without_front_end = decoding;
  without_front_end.a_request = {};
  const served_requests decoded = simulate(rest, decoders, without_front_end, decode_pass);
  for (std::size_t i = 0; i < rest.size(); ++i) {
    served_request& whole = all.requests[going_on[i].number];
    whole.last_token = decoded.requests[i].last_token;
    whole.preemptions += decoded.requests[i].preemptions;
  }
  const auto servers = static_cast<double>(readers + decoders);
  all.busy = (static_cast<double>(readers) * all.busy + static_cast<double>(decoders) * decoded.busy) / servers;
  all.reading = static_cast<double>(readers) / servers * all.reading;
  all.ended = std::max(all.ended, decoded.ended);
  all.passes += decoded.passes;
  return all;
}

}  // namespace flopledger::planning
