// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// Sampling: statistics against numbers worked out by hand, and the rules of stopping with clocks that are made up.

#include "sampling.hpp"

#include <cmath>
#include <vector>

#include "catch.hpp"

using namespace harness;
using Catch::Matchers::WithinRel;

namespace {

/// A clock that work moves on: each run takes what a list says, the last entry for ever.
struct made_up_time {
  double now = 100;
  std::vector<double> runs{};
  std::size_t next = 0;
  std::vector<int> repetitions{};

  double run(int times) {
    const double one = runs[std::min(next, runs.size() - 1)];
    ++next;
    repetitions.push_back(times);
    now += one * times;
    return one * times;
  }
  sampled_work work() {
    return {.run = [this](int times) { return run(times); }, .wall = [this] { return now; }};
  }
};

constexpr sampling_rule quick{.least_samples = 10, .least_time = 1, .noise = 0.01, .most_warm_up = 5, .most_time = 60};

}  // namespace

TEST_CASE("samples come to median, quartiles and minimum") {
  // Nine numbers: the median is the fifth, the quartiles by the linear rule are the third and the seventh.
  const sample_set taken{.warm_up = {}, .samples = {9, 1, 8, 2, 7, 3, 6, 4, 5}};
  CHECK(taken.median() == 5);
  CHECK(taken.lowest() == 1);
  CHECK(taken.interquartile_range() == 4);
  // McGill's notch: 1.57 × 4 / √9 / 5.
  CHECK_THAT(noise_of(taken.samples), WithinRel(1.57 * 4 / 3 / 5, 1e-12));
  CHECK(std::isinf(noise_of(std::vector<double>{1, 1, 1})));
}

TEST_CASE("warm-up ends when three runs are alike, and is kept apart") {
  made_up_time time{.runs = {1.5, 1.2, 0.5, 0.5, 0.5}};
  const sample_set taken = take_samples(time.work(), quick);
  CHECK(taken.settled);
  CHECK(taken.warm_up == std::vector<double>{1.5, 1.2, 0.5, 0.5, 0.5});
  for (const double sample : taken.samples) CHECK(sample == 0.5);
  CHECK(taken.stopped == stop_reason::quiet);
  CHECK(taken.unmet.empty());
}

TEST_CASE("a warm-up that never settles ends by its cap, and says so") {
  made_up_time time;
  for (int i = 0; i < 100; ++i) time.runs.push_back(i % 2 == 0 ? 1 : 2);
  const sample_set taken = take_samples(time.work(), quick);
  CHECK_FALSE(taken.settled);
  // Runs of one and two seconds: five seconds of wall time are reached with the fourth.
  CHECK(taken.warm_up.size() == 4);
}

TEST_CASE("sampling asks for samples, for time and for quiet") {
  SECTION("samples") {
    made_up_time time{.runs = {1}};
    CHECK(take_samples(time.work(), quick).samples.size() == 10);
  }
  SECTION("time") {
    made_up_time time{.runs = {0.01}};
    const sample_set taken = take_samples(time.work(), quick);
    // A second of runs of ten milliseconds, give or take the rounding of their sum.
    CHECK(taken.samples.size() >= 100);
    CHECK(taken.samples.size() <= 101);
  }
  SECTION("quiet") {
    made_up_time time{.runs = {1, 1, 1}};
    for (int i = 0; i < 4000; ++i) time.runs.push_back(i % 2 == 0 ? 0.95 : 1.05);
    sampling_rule patient = quick;
    patient.most_time = 10000;
    const sample_set taken = take_samples(time.work(), patient);
    CHECK(taken.stopped == stop_reason::quiet);
    // The quartiles are 0.95 and 1.05: 1.57 × 0.1 / √n ≤ 0.01 × the median needs n ≥ 246 or so.
    CHECK(taken.samples.size() > 200);
    CHECK(taken.samples.size() < 300);
    CHECK(noise_of(taken.samples) <= patient.noise);
  }
}

TEST_CASE("the cap of wall time ends it, and what was unmet is named") {
  made_up_time time{.runs = {1, 1, 1}};
  for (int i = 0; i < 4000; ++i) time.runs.push_back(i % 2 == 0 ? 0.5 : 1.5);
  const sample_set taken = take_samples(time.work(), quick);
  CHECK(taken.stopped == stop_reason::wall_time);
  CHECK(taken.unmet == "noise");
  CHECK(time.now - 100 >= quick.most_time);
  CHECK(time.now - 100 < quick.most_time + 2);

  made_up_time slow{.runs = {30}};
  const sample_set few = take_samples(slow.work(), quick);
  CHECK(few.stopped == stop_reason::wall_time);
  CHECK(few.unmet == "least samples");
  CHECK_FALSE(few.samples.empty());
}

TEST_CASE("short work is repeated within a sample, cold work never") {
  made_up_time time{.runs = {1e-3}};
  sampled_work work = time.work();
  work.least_sample = 0.01;
  const sample_set taken = take_samples(work, quick);
  CHECK(taken.repetitions == 10);
  CHECK_THAT(taken.median(), WithinRel(1e-3, 1e-12));
  CHECK(time.repetitions.front() == 1);  // the first run tells how long one is
  CHECK(time.repetitions.back() == 10);

  made_up_time cold_time{.runs = {1e-3}};
  sampled_work cold = cold_time.work();
  cold.least_sample = 0.01;
  cold.may_repeat = false;
  CHECK(take_samples(cold, quick).repetitions == 1);
}

TEST_CASE("throttling is seen by the clock and by the samples") {
  SECTION("the clock falls") {
    made_up_time time{.runs = {1}};
    sampled_work work = time.work();
    std::vector<double> clocks{2e9, 1.8e9};
    std::size_t look = 0;
    work.clock = [&]() -> std::optional<double> { return clocks[look++]; };
    const sample_set taken = take_samples(work, quick);
    CHECK(taken.clock_before == 2e9);
    CHECK(taken.clock_after == 1.8e9);
    CHECK(taken.clock_fell);
    CHECK(taken.throttled());
  }
  SECTION("it need not") {
    made_up_time time{.runs = {1}};
    sampled_work work = time.work();
    work.clock = []() -> std::optional<double> { return 2e9; };
    CHECK_FALSE(take_samples(work, quick).throttled());
  }
  SECTION("no clock is no throttling") {
    made_up_time time{.runs = {1}};
    CHECK_FALSE(take_samples(time.work(), quick).throttled());
  }
  SECTION("samples that grow drift, those that only scatter do not") {
    std::vector<double> growing, scattered;
    for (int i = 0; i < 60; ++i) {
      growing.push_back(1 + 0.005 * i);
      scattered.push_back(i % 2 == 0 ? 0.9 : 1.1);
    }
    CHECK(drift_in(growing, 0.05));
    CHECK_FALSE(drift_in(scattered, 0.05));
    CHECK_FALSE(drift_in(std::vector<double>(60, 1.0), 0.05));
    CHECK_FALSE(drift_in(std::vector<double>{1, 2, 3}, 0.05));
  }
}
