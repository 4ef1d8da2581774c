// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/meter_writers.hpp>

#include <nlohmann/json.hpp>

#include "catch.hpp"

using namespace flopledger;
using Catch::Matchers::WithinRel;

namespace {

/// Eight devices of 1000 TFLOP/s that compute 4 PFLOP in a second: half of their peak.
training_meter meter_of(figure<flop_rate> peak) {
  return training_meter({.of_a_step = {.model_flops = 4e15 * unit::flop,
                                       .recomputed_flops = 1e15 * unit::flop,
                                       .read = 65536.0 * unit::token},
                         .devices = 8,
                         .peak = peak},
                        {.warm_up = 0, .window = 2});
}

meter_report told(figure<flop_rate> peak) {
  training_meter meter = meter_of(peak);
  for (const double took : {1.0, 2.0, 1.0}) meter.step(took * unit::second);
  return meter.report();
}

}  // namespace

TEST_CASE("a line for people has the peak beside the MFU") {
  CHECK(as_line(told(teraflops(1000))) ==
        "step 3: 1 s, 65.5 ktokens/s, MFU 50.0 % (HFU 62.5 %) of 1 PFLOP/s a device; "
        "last 2: 1.50 s, 43.7 ktokens/s, MFU 33.3 % (HFU 41.7 %), P99 1.99 s; "
        "run of 3: 1.33 s, 49.2 ktokens/s, MFU 37.5 % (HFU 46.9 %)");
  CHECK(as_line(told({})) ==
        "step 3: 1 s, 65.5 ktokens/s, no MFU without a known peak; last 2: 1.50 s, 43.7 ktokens/s, P99 1.99 s; "
        "run of 3: 1.33 s, 49.2 ktokens/s");
}

TEST_CASE("a line says what gives cause to look") {
  training_meter meter = meter_of(teraflops(1000));
  meter.step(seconds{});
  CHECK(as_line(meter.report()) == "step 1: its time is not above zero, so it counts nowhere");
  meter.step(0.1 * unit::second);
  CHECK_THAT(as_line(meter.report()), Catch::Matchers::Contains("ABOVE THE PEAK"));
}

TEST_CASE("JSON a line reads back, and says null where no peak is known") {
  const nlohmann::json with = nlohmann::json::parse(as_json(told(teraflops(1000))));
  CHECK(with["step"] == 3);
  CHECK(with["mfu"] == 0.5);
  CHECK(with["hfu"] == 0.625);
  CHECK(with["run_mfu"] == 0.375);
  CHECK(with["window_step_seconds"] == 1.5);
  CHECK(with["peak_flop_per_second_per_device"] == 1e15);
  CHECK(with["flag"] == "none");
  CHECK(as_json(told(teraflops(1000))).find('\n') == std::string::npos);
  const nlohmann::json without = nlohmann::json::parse(as_json(told({})));
  CHECK(without["mfu"].is_null());
  CHECK(without["peak_flop_per_second_per_device"].is_null());
  CHECK(without["tokens_per_second"] == 65536);
}

// The text format of the OpenMetrics 1.0 specification: a counter's sample ends in _total, a unit is the name's suffix,
// and the last line is # EOF.
TEST_CASE("OpenMetrics text is whole") {
  const std::string text = as_openmetrics(told(teraflops(1000)));
  for (const char* line : {"# TYPE flopledger_steps counter\n", "\nflopledger_steps_total 3\n",
                           "# UNIT flopledger_step_seconds seconds\n", "flopledger_step_seconds{over=\"window\"} 1.5\n",
                           "# UNIT flopledger_mfu_ratio ratio\n", "flopledger_mfu_ratio{over=\"step\"} 0.5\n",
                           "flopledger_mfu_ratio{over=\"run\"} 0.375\n", "flopledger_peak_flop_per_second 1e+15\n"})
    CHECK_THAT(text, Catch::Matchers::Contains(line));
  CHECK(text.ends_with("\n# EOF\n"));
  CHECK(as_openmetrics(told({})).find("mfu") == std::string::npos);
}

TEST_CASE("a counter of a Chrome trace is one event and a comma") {
  const std::string event = as_chrome_counter(told(teraflops(1000)), 2.5 * unit::second);
  REQUIRE(event.ends_with(",\n"));
  const nlohmann::json read = nlohmann::json::parse(event.substr(0, event.size() - 2));
  CHECK(read["ph"] == "C");
  CHECK(read["ts"] == 2.5e6);
  CHECK(read["args"]["mfu_percent"] == 50);
  CHECK(read["args"]["tokens_per_second"] == 65536);
}
