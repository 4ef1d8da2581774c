// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/planning/budget.hpp>

#include <random>

#include "catch.hpp"

namespace {

using namespace flopledger;
using namespace flopledger::planning;
using namespace flopledger::literals;
using Catch::Matchers::WithinRel;

constexpr seconds hour = 3600_s;
constexpr seconds day = 24.0 * hour;

/// A run by chance: failures come at random, work since the last checkpoint is lost.
double simulated_goodput(double between, double checkpoint, double restart, double interval) {
  std::mt19937_64 bits(3);
  std::exponential_distribution<double> until_failure(1 / between);
  double time = 0, next = until_failure(bits);
  const double wanted = 20000 * interval;
  double done = 0;
  const auto passes = [&](double span) {
    if (next >= span) {
      next -= span;
      time += span;
      return true;
    }
    time += next;
    next = until_failure(bits);
    return false;
  };
  while (done < wanted) {
    if (passes(interval + checkpoint)) {
      done += interval;
      continue;
    }
    while (!passes(restart)) {
    }
  }
  return done / time;
}

}  // namespace

// Dubey et al. 2024, section 3.3.4: 419 unexpected interruptions in 54 days on 16,384 H100, "higher than 90 %
// effective training time".
TEST_CASE("Llama 3's interruptions are one of a device in six years, and leave more than 90 % of its time") {
  const seconds apart = time_between_failures(16384, 54.0 * day, 419);
  CHECK_THAT(apart / day, WithinRel(2111.6, 0.001));
  interruptions of{.between_failures_of_a_device = apart, .checkpoint = 30_s, .restart = 300_s};
  CHECK_THAT(of.between_failures(16384) / hour, WithinRel(3.093, 0.001));
  const double share = goodput(of, 16384);
  CHECK(share > 0.90);
  CHECK(share < 0.96);
  // A tenth of the devices fails a tenth as often.
  CHECK(goodput(of, 1638) > share);
  CHECK(goodput({}, 16384) == 1);
}

TEST_CASE("Daly's interval is near Young's where checkpoints are short, and no interval trains more") {
  const seconds between = 24.0 * hour;
  CHECK_THAT(young_interval(60_s, between).value(), WithinRel(3219.9, 1e-4));
  CHECK_THAT(daly_interval(60_s, between) / young_interval(60_s, between), WithinRel(1.0, 0.02));
  const interruptions of{.between_failures_of_a_device = 1000.0 * between, .checkpoint = 600_s, .restart = 300_s};
  const double best = goodput(of, 1000, daly_interval(of.checkpoint, between));
  for (const double times : {0.5, 0.8, 1.25, 2.0})
    CHECK(goodput(of, 1000, times * daly_interval(of.checkpoint, between)) < best + 1e-5);
}

TEST_CASE("goodput is that of failures drawn by chance") {
  for (const double checkpoint : {30.0, 600.0})
    for (const double interval : {900.0, 3600.0}) {
      const interruptions of{
          .between_failures_of_a_device = 10800_s, .checkpoint = seconds::from_value(checkpoint), .restart = 300_s};
      CHECK_THAT(goodput(of, 1, seconds::from_value(interval)),
                 WithinRel(simulated_goodput(10800, checkpoint, 300, interval), 0.02));
    }
}

// 15.6 T tokens at 16,384 × 430 tokens a second: 25.6 days without a failure.
TEST_CASE("a deadline asks for devices, and failures for more of them") {
  const auto rate = [](double devices) { return devices * 430.0 * (unit::token / unit::second); };
  const tokens text = 15.6e12 * unit::token;
  const std::int64_t offered[] = {4096, 8192, 16384, 32768};
  CHECK(devices_for_deadline(text, 26.0 * day, {}, offered, rate) == 16384);
  const interruptions of{.between_failures_of_a_device = 2111.6 * day, .checkpoint = 30_s, .restart = 300_s};
  CHECK(devices_for_deadline(text, 26.0 * day, of, offered, rate) == 32768);
  CHECK(devices_for_deadline(text, 1.0 * day, of, offered, rate) == 0);
  CHECK_THAT(time_to_train(text, rate(16384), 16384, {}) / day, WithinRel(25.63, 0.001));
}

// Hoffmann et al. 2022, tables 3 and A3. Exponents and anchors are rounded there, so that far rows are off by a few per
// cent.
TEST_CASE("compute-optimal models are those of Chinchilla's tables") {
  struct row {
    chinchilla by;
    double budget, size, text;
  };
  const row rows[] = {
      {chinchilla::training_curves, 1.92e19, 400e6, 8.0e9},  {chinchilla::training_curves, 1.21e20, 1e9, 20.2e9},
      {chinchilla::training_curves, 5.76e23, 67e9, 1.5e12},  {chinchilla::training_curves, 3.85e24, 175e9, 3.7e12},
      {chinchilla::training_curves, 1.27e26, 1e12, 21.2e12}, {chinchilla::iso_flop, 1.84e19, 400e6, 7.7e9},
      {chinchilla::iso_flop, 1.20e20, 1e9, 20.0e9}};
  for (const row& one : rows) {
    const optimal_run found = optimal_for(flops::from_value(one.budget), one.by);
    CHECK_THAT(found.size.value(), WithinRel(one.size, 0.07));
    CHECK_THAT(found.text.value(), WithinRel(one.text, 0.07));
  }
}

TEST_CASE("the parametric optimum is where its own loss is least, and inference asks for smaller models") {
  for (const double budget : {1e20, 5.76e23}) {
    const optimal_run found = optimal_for(flops::from_value(budget), chinchilla::parametric);
    const double least = chinchilla_loss(found.size, found.text);
    for (const double times : {0.9, 1.1}) {
      const double n = times * found.size.value();
      CHECK(chinchilla_loss(parameters::from_value(n), tokens::from_value(budget / (6 * n))) > least);
    }
    const optimal_run alone = optimal_with_inference(least, {});
    CHECK_THAT(alone.size / found.size, WithinRel(1.0, 1e-3));
    const optimal_run served = optimal_with_inference(least, 10.0 * found.text);
    CHECK(served.size < found.size);
    CHECK(served.text > found.text);
    CHECK_THAT(chinchilla_loss(served.size, served.text), WithinRel(least, 1e-9));
  }
  CHECK_THROWS_AS(optimal_with_inference(1.0, {}), bad_argument);
  CHECK_THROWS_AS(optimal_for(flops{}, chinchilla::iso_flop), bad_argument);
}
