// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/evidence/statistics.hpp>
#include <flopledger/planning/pass_costs.hpp>

#include "catch.hpp"
#include "load_cases.hpp"

namespace published {
namespace {

using namespace flopledger::planning;

/// Ten rounds of a row's users, whose lengths lie evenly within a tenth around those of the row: alike, they would all
/// begin and end together.
served_requests simulated(const loaded_case& c, double users) {
  using shape = length_distribution::shape;
  const request_stream stream{.rate = 1.0 / unit::second,
                              .prompt = {shape::uniform, c.prompt, 0.1 * c.prompt},
                              .output = {shape::uniform, c.output, 0.1 * c.output}};
  std::vector<arrival> requests = arrivals_of(stream, static_cast<std::size_t>(10 * users));
  for (arrival& one : requests) one.at = {};
  return simulate_closed_loop(requests, static_cast<std::int64_t>(users),
                              {.sequences = static_cast<std::int64_t>(c.places),
                               .pass_tokens = c.under->chunk,
                               .block = c.under->block,
                               .a_request = c.under->a_request},
                              pass_costs(c.predicted(), c.under->chunk, c.prompt + c.output / 2));
}

}  // namespace

TEST_CASE("a closed loop that is simulated and its means by formula agree, and err alike on published rows") {
  std::vector<double> first, token, first_error, token_error;
  std::size_t number = 0;
  for (const record& r : read_table(data_path("serving_engines"))) {
    if (number++ % 37 != 0 || r.integer("tensor") > 8 || r.integer("data") > 1) continue;
    loaded_case c = load_case(r);
    const double users = c.together = r.number("concurrency");
    const loaded_times mean = under_load(
        c.predicted(), *c.under, {.concurrency = users, .prompt = c.prompt, .output = c.output, .places = c.places});
    const served_requests served = simulated(c, users);
    const double to_first = served.mean([](const auto& one) { return one.time_to_first_token(); }).value();
    const double a_token = served.mean([](const auto& one) { return one.time_per_output_token(); }).value();
    const auto apart = [](double value, double from) { return std::abs(value / from - 1); };
    first.push_back(apart(to_first, mean.first_token.value()));
    token.push_back(apart(a_token, mean.output_token->value()));
    first_error.push_back(apart(1e3 * to_first, r.number("ttft_ms_pub")));
    token_error.push_back(apart(1e3 * a_token, r.number("tpot_ms_pub")));
  }
  CHECK(first.size() > 30);
  CHECK(median(first) < 0.08);
  CHECK(median(token) < 0.02);
  CHECK(median(first_error) < 0.38);  // as docs/accuracy_time.md has the formula's
  CHECK(median(token_error) < 0.13);
}

}  // namespace published
