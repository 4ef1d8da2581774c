// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// One handler catches whatever the library throws.

#include <flopledger/counting/convention.hpp>
#include <flopledger/errors.hpp>
#include <flopledger/evidence/statistics.hpp>
#include <flopledger/hardware/catalogue.hpp>
#include <flopledger/memory/training.hpp>
#include <flopledger/models/config_error.hpp>
#include <flopledger/parallel/plan.hpp>
#include <flopledger/parallel/transfers.hpp>
#include <flopledger/profile/read.hpp>
#include <flopledger/time/machine.hpp>
#include <flopledger/time/serving.hpp>
#include <flopledger/utilisation.hpp>

#include <sstream>
#include <string>
#include <typeinfo>

#include "catch.hpp"
#include "known_models.hpp"

using namespace flopledger;

namespace {

/// What the function throws as an `error`, which must be of this very type.
template <class Thrown, class Function>
std::string said_by(Function function) {
  try {
    function();
  } catch (const flopledger::error& caught) {
    CHECK(typeid(caught) == typeid(Thrown));
    return caught.what();
  }
  return "nothing is thrown";
}

}  // namespace

TEST_CASE("what cannot be looked up, read or asked is an error") {
  CHECK(said_by<hardware::unknown_device>([] { hardware::find("h1000"); }).find("h1000") != std::string::npos);
  CHECK(said_by<hardware::ambiguous_device>([] { hardware::find("h100"); }).find("fits") != std::string::npos);
  CHECK(said_by<figure_not_published>([] {
          static_cast<void>(peak_rate(hardware::find("p100-sxm2"), number_kind::fp8_e4m3));
        }) == "p100-sxm2: dense fp8 peak is not published");
  CHECK(said_by<config_error>([] { static_cast<void>(require_config("{", "model.json")); }).rfind("model.json: ", 0) ==
        0);
  CHECK(said_by<profile::unreadable>([] {
          std::istringstream nothing;
          static_cast<void>(profile::read(nothing, "trace.json"));
        }) == "trace.json: empty");
  CHECK(said_by<profile::unreadable>([] {
          std::istringstream broken;
          broken.setstate(std::ios::badbit);
          static_cast<void>(profile::read(broken, "trace.json"));
        }) == "trace.json: cannot be read");
  CHECK(said_by<bad_calibration>([] {
          static_cast<void>(machine_of(calibration{.device = "a device"}, recipes::mixed_bf16::value));
        }).rfind("calibration of a device: ", 0) == 0);
}

TEST_CASE("what cannot be is an error") {
  CHECK(said_by<impossible_plan>([] {
          static_cast<void>(
              training_memory(known_models::llama_3_8b, training_setup{.plan = {.sequence = 4096, .tensor = 3}}));
        }).rfind("impossible plan: ", 0) == 0);
  CHECK(said_by<impossible_utilisation>([] {
          static_cast<void>(achieved_rate(peak<bf16>{flop_rate::from_value(1e14)}, 40.0));
        }).rfind("utilisation above 1", 0) == 0);
  CHECK(said_by<bad_argument>([] { static_cast<void>(percentile({}, 0.5)); }) == "percentile: no samples");
  CHECK(said_by<bad_argument>([] { static_cast<void>(expected_accepted(1.1, 3)); }).rfind("expected_accepted: ", 0) ==
        0);
}

TEST_CASE("one thing too many is an error that says how many there may be") {
  const std::string more_than_8 = "more than the 8 that there is room for";
  CHECK(said_by<capacity_exceeded>([] {
          ledger<8> small;
          known_models::llama_3_8b.record(small, forward(1, 16));
        }) == more_than_8);
  CHECK(said_by<capacity_exceeded>([] {
          const auto nothing = [](const row&) { return flops{}; };
          static_cast<void>(counting::difference_of_charges<8>(known_models::llama_3_8b, forward(1, 16), nothing,
                                                               forward(1, 16), nothing));
        }) == more_than_8);
  CHECK(said_by<capacity_exceeded>([] {
          transfers full;
          for (std::size_t i = 0; i <= transfers::capacity; ++i) full.add({.full = bytes::from_value(1), .times = 1});
        }) == "more than the 16 that there is room for");
  CHECK(said_by<layer_set::too_many_layers>([] { layer_set{}.insert(256); }) ==
        "layer 256 is outside the 256 that a set holds");
}
