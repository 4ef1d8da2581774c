// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/time/calibration_from_runs.hpp>

#include "catch.hpp"

namespace {

using namespace flopledger;
using Catch::Matchers::WithinAbs;

/// A step that computes and waits for its network for so many seconds.
step_time step_of(double computing, double waiting) {
  return {.forward = computing / 3 * unit::second,
          .backward = 2 * computing / 3 * unit::second,
          .data_communication = waiting * unit::second};
}
measured_run run_of(double computing, double waiting, double measured) {
  return {step_of(computing, waiting), measured * unit::second};
}

TEST_CASE("a run that mostly computes sets the kernels and leaves the network") {
  const measured_run runs[] = {run_of(9, 1, 10.9)};
  const step_calibration made = calibrate(runs);
  CHECK(made.kernels.identified);
  CHECK_FALSE(made.network.identified);
  CHECK_THAT(made.kernels.value, WithinAbs(1.1, 0.01));
  CHECK(made.network.value == 1);
  CHECK(leave_one_out(runs).runs == 1);
}

TEST_CASE("runs that compute and wait in different shares tell kernels from network") {
  // Kernels 1.1 times as slow, the network 1.5 times.
  const measured_run runs[] = {run_of(10, 0, 11), run_of(8, 4, 8.8 + 6), run_of(6, 6, 6.6 + 9)};
  const step_calibration made = calibrate(runs);
  CHECK(made.kernels.identified);
  CHECK(made.network.identified);
  CHECK_THAT(made.kernels.value, WithinAbs(1.1, 0.02));
  CHECK_THAT(made.network.value, WithinAbs(1.5, 0.03));
  const left_out_errors errors = leave_one_out(runs);
  CHECK(errors.runs == 3);
  CHECK(errors.lowest > -0.1);  // two runs alone do not always tell them apart
  CHECK(errors.highest < 0.05);
  CHECK_THAT(made.of(step_of(20, 2)).total().value(), WithinAbs(25, 0.4));
}

TEST_CASE("without a run nothing changes, and waiting for data is no constant's doing") {
  CHECK(calibrate({}).of(step_of(3, 1)).total() == step_of(3, 1).total());
  measured_run loading = run_of(9, 0, 12);
  loading.predicted.data_loading = 3 * unit::second;
  const measured_run runs[] = {loading};
  CHECK_THAT(calibrate(runs).kernels.value, WithinAbs(1, 1e-9));
}

TEST_CASE("a run without a time is refused") {
  const measured_run runs[] = {run_of(9, 1, 0)};
  CHECK_THROWS_AS(calibrate(runs), bad_argument);
}

TEST_CASE("a calibration is a constant expression") {
  constexpr measured_run runs[] = {
      {{.forward = 3.0 * unit::second, .backward = 6.0 * unit::second}, 9.0 * unit::second}};
  static_assert(calibrate(runs).kernels.identified);
  CHECK(leave_one_out(runs).runs == 1);
}

}  // namespace
