// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// The calibration file: round trips, every way to be wrong named, and the curves that the time model reads from it.

#include "calibration_file.hpp"

#include <flopledger/time/product.hpp>
#include <flopledger/time/step.hpp>

#include <functional>
#include <string>

#include "catch.hpp"
#include "known_models.hpp"

using namespace harness;
using namespace flopledger;
using Catch::Matchers::WithinRel;

namespace {

calibration_data sample_data() {
  calibration_data data{.backend = "cpu", .device = "a device", .mode = "steady", .statistic = "median"};
  data.provenance = {{"driver", "1"}};
  data.peaks = {{number_kind::fp32, {1e12, "2 × 3", 0.9e12}}, {number_kind::bf16, {2e12, "guessed", {}}}};
  data.bandwidth = 1e11;
  data.launch = 2e-6;
  // Each rate tells its place: 1mnk.
  data.product_curves = {
      {.format = number_kind::fp32,
       .batch_runs_apart = true,
       .m = {16, 64},
       .n = {32, 128, 512},
       .k = {64, 256},
       .rates = {100e9, 101e9, 110e9, 111e9, 120e9, 121e9, 200e9, 201e9, 210e9, 211e9, 220e9, 221e9}}};
  data.attention_curves = {{.format = number_kind::fp32,
                            .causal = false,
                            .head_dims = {64, 128},
                            .lengths = {256, 1024},
                            .forward = {1e11, 2e11, 3e11, 4e11},
                            .backward = {0.5e11, 1e11, 1.5e11, 2e11}}};
  data.stream_sizes = {1e4, 1e6};
  data.stream_rates = {1e10, 5e10};
  return data;
}

std::string complaint_of(const std::function<void(json&)>& spoil) {
  json document = to_json(sample_data());
  spoil(document);
  try {
    static_cast<void>(calibration_of(document, "file.json"));
  } catch (const bad_calibration& problem) {
    return problem.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a calibration survives its file") {
  const json written = to_json(sample_data());
  CHECK(written.at("schema") == "flopledger.calibration");
  CHECK(written.at("version") == 1);
  const calibration_data read = calibration_of(json::parse(written.dump()), "file.json");
  CHECK(to_json(read) == written);
  CHECK(read.peaks[0].rate.checked == 0.9e12);
  CHECK_FALSE(read.peaks[1].rate.checked.has_value());
  CHECK(read.product_curves[0].rates[11] == 221e9);
  CHECK(read.provenance == facts{{"driver", "1"}});
}

TEST_CASE("what is wrong with a file is named") {
  CHECK(complaint_of([](json& d) { d["schema"] = "other"; }) == "file.json: schema: not \"flopledger.calibration\"");
  CHECK(complaint_of([](json& d) { d.erase("schema"); }) == "file.json: schema: not \"flopledger.calibration\"");
  CHECK(complaint_of([](json& d) { d["version"] = 2; }) == "file.json: version: 2, this program reads 1");
  CHECK(complaint_of([](json& d) { d.erase("version"); }) == "file.json: version: missing, this program reads 1");
  CHECK(complaint_of([](json& d) { d["extra"] = 1; }) == "file.json: unknown field \"extra\"");
  CHECK(complaint_of([](json& d) { d["products"][0]["layout"] = 1; }) ==
        "file.json: products[0]: unknown field \"layout\"");
  CHECK(complaint_of([](json& d) { d.erase("streams"); }) == "file.json: streams: missing");
  CHECK(complaint_of([](json& d) { d["launch_seconds"] = 0; }) == "file.json: launch_seconds: not a number above 0");
  CHECK(complaint_of([](json& d) { d["launch_seconds"] = "1"; }) == "file.json: launch_seconds: not a number above 0");
  CHECK(complaint_of([](json& d) { d["device"] = 1; }) == "file.json: device: not a text");
  CHECK(complaint_of([](json& d) { d["peaks"] = 1; }) == "file.json: peaks: not a list");
  CHECK(complaint_of([](json& d) { d["products"][0]["format"] = "fp31"; }) ==
        "file.json: products[0]: format: \"fp31\" is no format");
  CHECK(complaint_of([](json& d) { d["products"][0]["m"] = {64, 16}; }) == "file.json: products[0]: m: not ascending");
  CHECK(complaint_of([](json& d) { d["products"][0]["m"] = {16, 16}; }) == "file.json: products[0]: m: not ascending");
  CHECK(complaint_of([](json& d) { d["products"][0]["k"] = json::array(); }) == "file.json: products[0]: k: empty");
  CHECK(complaint_of([](json& d) { d["products"][0]["flops_per_second"].erase(0); }) ==
        "file.json: products[0]: flops_per_second: 11 numbers where the sizes ask for 12");
  CHECK(complaint_of([](json& d) { d["products"][0]["flops_per_second"][3] = -1; }) ==
        "file.json: products[0]: flops_per_second[3]: not a number above 0");
  CHECK(complaint_of([](json& d) { d["products"][0]["batch_runs_apart"] = 1; }) ==
        "file.json: products[0]: batch_runs_apart: neither true nor false");
  CHECK(complaint_of([](json& d) { d["products"].push_back(d["products"][0]); }) ==
        "file.json: products[1]: the format stands there twice");
  CHECK(complaint_of([](json& d) { d["attention"].push_back(d["attention"][0]); }) ==
        "file.json: attention[1]: the format stands there twice");
  CHECK(complaint_of([](json& d) { d["provenance"]["threads"] = 1; }) == "file.json: provenance: threads: not a text");
  CHECK(complaint_of([](json& d) { d = 3; }) == "file.json: not an object");
  CHECK_THROWS_WITH(read_calibration("/nowhere/at/all.json"), "/nowhere/at/all.json: cannot be opened");
}

TEST_CASE("products take the measured rate at a measured size, a straight line in time between, and the last beyond") {
  const calibration_view view(sample_data());
  const product_curve& curve = view.values().products[0];
  const auto seconds = [&](double m, double n, double k, double batch = 1) {
    return curve.seconds({.batch = batch, .m = m, .n = n, .k = k});
  };
  CHECK_THAT(seconds(16, 32, 64), WithinRel(2. * 16 * 32 * 64 / 100e9, 1e-12));
  CHECK_THAT(seconds(64, 128, 256), WithinRel(2. * 64 * 128 * 256 / 211e9, 1e-12));
  // Halfway between two sizes of k the time is halfway between theirs.
  CHECK_THAT(seconds(16, 32, 160), WithinRel((seconds(16, 32, 64) + seconds(16, 32, 256)) / 2, 1e-12));
  CHECK_THAT(seconds(40, 32, 64), WithinRel((seconds(16, 32, 64) + seconds(64, 32, 64)) / 2, 1e-12));
  CHECK_THAT(seconds(16, 320, 64), WithinRel((seconds(16, 128, 64) + seconds(16, 512, 64)) / 2, 1e-12));
  // In all three at once: the mean of the eight corners.
  double corners = 0;
  for (const double m : {16., 64.})
    for (const double n : {32., 128.})
      for (const double k : {64., 256.}) corners += seconds(m, n, k) / 8;
  CHECK_THAT(seconds(40, 80, 160), WithinRel(corners, 1e-12));
  // Beyond: the last rate. Below: the line goes on, and never faster than the rate of the least.
  CHECK_THAT(seconds(64, 512, 2560), WithinRel(10 * seconds(64, 512, 256), 1e-12));
  CHECK_THAT(seconds(1, 32, 64),
             WithinRel(seconds(16, 32, 64) - 15. / 48 * (seconds(64, 32, 64) - seconds(16, 32, 64)), 1e-12));
  // Of a rate that falls with the size, the line would cross zero.
  calibration_data falling = sample_data();
  for (std::size_t i = 0; i < 6; ++i) falling.product_curves[0].rates[i] = 1e12;
  const calibration_view fell(falling);
  CHECK_THAT(fell.values().products[0].seconds({.batch = 1, .m = 1, .n = 32, .k = 64}),
             WithinRel(2. * 32 * 64 / 1e12, 1e-12));
  CHECK_THAT(seconds(16, 32, 64, 5), WithinRel(5 * seconds(16, 32, 64), 1e-12));

  calibration_data joined = sample_data();
  joined.product_curves[0].batch_runs_apart = false;
  const calibration_view together(joined);
  // Four products of 16 rows keep the device as busy as one of 64.
  CHECK_THAT(together.values().products[0].seconds({.batch = 4, .m = 16, .n = 32, .k = 64}),
             WithinRel(seconds(64, 32, 64), 1e-12));
}

TEST_CASE("streams and attention are interpolated as products are") {
  const calibration_view view(sample_data());
  const stream_curve& streams = view.values().streams;
  CHECK_THAT(streams.seconds(1e4), WithinRel(1e-6, 1e-12));
  CHECK_THAT(streams.seconds(1e6), WithinRel(2e-5, 1e-12));
  CHECK_THAT(streams.seconds(505e3), WithinRel((1e-6 + 2e-5) / 2, 1e-12));
  CHECK_THAT(streams.seconds(1e8), WithinRel(2e-3, 1e-12));
  CHECK_THAT(streams.seconds(10), WithinRel(1e-6 - 9990. / 990000 * 1.9e-5, 1e-12));
  CHECK(streams.seconds(0) == 0);

  const attention_curve& attention = view.values().attention[0];
  CHECK_THAT(attention.forward_flop(64, 1024), WithinRel(1 / 2e11, 1e-12));
  CHECK_THAT(attention.backward_flop(128, 256), WithinRel(1 / 1.5e11, 1e-12));
  CHECK_THAT(attention.forward_flop(256, 4096), WithinRel(1 / 4e11, 1e-12));
  CHECK_THAT(attention.forward_flop(32, 16), WithinRel(1 / 1e11, 1e-12));
  // Length 409.6 has 1/length halfway between those of 256 and 1024.
  CHECK_THAT(attention.forward_flop(64, 409.6), WithinRel((1 / 1e11 + 1 / 2e11) / 2, 1e-12));
}

TEST_CASE("the time model takes the curves in place of its constants") {
  const calibration_view view(sample_data());
  const machine on = machine_of(view.values(), recipes::fp32::value);
  CHECK(on.peak.value() == 1e12);
  const product shape{.batch = 1, .m = 64, .n = 128, .k = 256};
  // The measured time, whatever the bytes are: they were moved when it was measured.
  CHECK_THAT(product_time(shape, 1e9 * unit::byte, on).value(), WithinRel(2. * 64 * 128 * 256 / 211e9, 1e-12));
  CHECK_THAT(streaming_time(1e6 * unit::byte, on).value(), WithinRel(2e-5, 1e-12));
  CHECK_THAT(attention_time(1e9 * unit::flop, {}, 64, 1024, false, on).forward, WithinRel(1e9 / 2e11 + 2e-6, 1e-12));
  // Without losses it is the roofline again.
  CHECK_THAT(product_time(shape, 0.0 * unit::byte, on.floor()).value(), WithinRel(2. * 64 * 128 * 256 / 1e12, 1e-12));

  CHECK_THROWS_WITH(machine_of(view.values(), recipes::fp16::value), "calibration of a device: no peak of fp16");
  CHECK_THROWS_WITH(machine_of(view.values(), recipes::bf16::value),
                    "calibration of a device: no curve of products of bf16");
}

TEST_CASE("a whole step is timed by a calibration") {
  // Rates that are the same everywhere: the step's compute is then its FLOPs over the rate, as a hand would have it.
  calibration_data flat = sample_data();
  for (double& rate : flat.product_curves[0].rates) rate = 5e11;
  for (auto* rates : {&flat.attention_curves[0].forward, &flat.attention_curves[0].backward})
    for (double& rate : *rates) rate = 5e11;
  flat.attention_curves.push_back(flat.attention_curves[0]);
  flat.attention_curves[1].causal = true;
  flat.stream_rates = {1e30, 1e30};
  flat.bandwidth = 1e30;
  flat.launch = 1e-30;
  const calibration_view view(flat);
  constexpr transformer_config model = known_models::decoder(
      {.layers = 2, .hidden = 256, .heads = 4, .intermediate = 1024, .vocabulary = 1000, .gated = true});
  training_setup setup{.precision = recipes::fp32::value};
  setup.plan.sequence = 512;
  const training_time step(model, setup, machine_of(view.values(), recipes::fp32::value), {});
  const totals counted = totals_of(model, training_step(1, 512, attention_counting::causal));
  const double flops = 2 * (counted.multiplied + counted.multiplied_backward).value();
  CHECK_THAT(step.step().compute().value(), WithinRel(flops / 5e11, 1e-9));
}
