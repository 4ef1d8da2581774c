// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// A job on a device that is made up: the books add up, the report holds them, samples stay in the JSON.

#include "job_run.hpp"

#include <flopledger/models/catalogue.hpp>

#include <fstream>
#include <string>

#include "catch.hpp"
#include "fake_backend.hpp"
#include "program.hpp"
#include "report.hpp"
#include "request.hpp"

using namespace harness;
using Catch::Matchers::WithinRel;
using harness_test::fake_backend;

namespace {

request asking(const std::string& more = {}) {
  CLI::App app;
  request asked;
  asked.command = {"mfu_harness"};
  add_options(app, asked);
  app.parse("--model llama-3.2-1b --sequence 16 --least-time 0 --most-time 0.001 " + more);
  if (asked.layers == 0) asked.layers = 2;
  return asked;
}

}  // namespace

TEST_CASE("a job's times and shares are sums of its lines") {
  fake_backend on;
  const answer made = answer_of(asking("--pass training"), on);
  const json& d = made.document;
  CHECK(d.at("schema") == "flopledger.harness");
  CHECK(d.at("version") == 1);
  CHECK(d.at("backend") == "fake");
  CHECK(d.at("provenance").at("driver") == "0.1");
  CHECK(d.at("layers") == 2);
  double forward = 0, backward = 0, macs = 0, layer = 0;
  for (const json& line : d.at("lines")) {
    double parts = 0;
    for (const json& part : line.at("parts"))
      parts += d.at("kernels").at(part.at("kernel").get<std::size_t>()).at("taken").at("median_seconds").get<double>();
    CHECK_THAT(line.at("measured_seconds").get<double>(), WithinRel(parts, 1e-9));
    const double times = line.at("times").get<double>();
    (line.at("pass") == "forward" ? forward : backward) += times * parts;
    layer += line.at("times_in_layer").get<double>() * parts;
    macs += times * line.at("macs").get<double>();
    CHECK(line.at("predicted_seconds").is_null());
  }
  CHECK_THAT(d.at("forward").at("measured_seconds").get<double>(), WithinRel(forward, 1e-9));
  CHECK_THAT(d.at("backward").at("measured_seconds").get<double>(), WithinRel(backward, 1e-9));
  CHECK_THAT(d.at("both").at("measured_seconds").get<double>(), WithinRel(forward + backward, 1e-9));
  // The made-up device takes for a sequence what its kernels take.
  CHECK_THAT(d.at("layer").at("as_one_sequence").at("measured_seconds").get<double>(), WithinRel(layer, 1e-9));
  CHECK_THAT(d.at("layer").at("row_by_row").at("measured_seconds").get<double>(), WithinRel(layer, 1e-9));
  // By its definition: 2 FLOP a multiply-add, over time and peak (2 TFLOP/s).
  CHECK_THAT(d.at("both").at("mfu").get<double>(), WithinRel(2 * macs / (forward + backward) / 2e12, 1e-9));
}

TEST_CASE("every sample is kept, alike kernels are run once") {
  fake_backend on;
  const answer made = answer_of(asking(), on);
  std::size_t parts = 0;
  for (const json& line : made.document.at("lines")) parts += line.at("parts").size();
  CHECK(made.document.at("kernels").size() < parts);  // keys and values, gate and up
  for (const json& kernel : made.document.at("kernels")) {
    const json& taken = kernel.at("taken");
    CHECK(taken.at("samples_seconds").size() == taken.at("count"));
    CHECK(taken.at("count") >= 10);
    CHECK_FALSE(taken.at("warm_up_seconds").empty());
    if (kernel.at("shape").at("kind") == "product") CHECK(kernel.at("verified").at("entries") > 0);
  }
  CHECK(json::parse(made.document.dump()) == made.document);
}

TEST_CASE("the report tells device, peaks, mode and marks") {
  fake_backend on;
  on.clocks = {1e9, 0.5e9};
  const answer made = answer_of(asking("--statistic lowest"), on);
  CHECK(made.text.find("fake: a made-up device") != std::string::npos);
  CHECK(made.text.find("peak of fp32: 2 TFLOP/s (made up)") != std::string::npos);
  CHECK(made.text.find("steady; the lowest of the samples") != std::string::npos);
  CHECK(made.text.find("slowed down") != std::string::npos);  // the first kernel's clock fell by half
}

TEST_CASE("the SVG has a point for each product") {
  fake_backend on;
  const answer made = answer_of(asking("--svg file.svg"), on);
  CHECK(made.svg.find("<svg") != std::string::npos);
  CHECK(made.svg.find("feed_forward.up") != std::string::npos);
}

TEST_CASE("what cannot be asked so is refused before anything runs") {
  const auto complaint_of = [](const std::string& more) -> std::string {
    fake_backend on;
    try {
      static_cast<void>(answer_of(asking(more), on));
    } catch (const program::usage_error& problem) {
      CHECK(on.prepared == 0);
      return problem.what();
    }
    return {};
  };
  CHECK(complaint_of("--layers 200") == "--layers: 200 of a model that has 16");
  CHECK(complaint_of("--pass training --precision int8").find("nobody trains in int8") != std::string::npos);
  CHECK(complaint_of("--device nothing-like-it").find("--device: ") == 0);
}

TEST_CASE("a format that the device lacks is a reason to skip") {
  fake_backend on;
  CHECK_THROWS_AS(answer_of(asking("--precision fp16"), on), unavailable);
  CHECK_THROWS_WITH(answer_of(asking("--precision fp16"), on), "a made-up device multiplies no fp16");
}

TEST_CASE("a wrong result ends the job") {
  fake_backend on;
  on.error = 1;
  CHECK_THROWS_AS(answer_of(asking(), on), wrong_result);
}

TEST_CASE("a device of the catalogue predicts by the library's constants") {
  fake_backend on;
  const answer made = answer_of(asking("--precision bf16 --device h100-sxm5-80gb"), on);
  CHECK(made.document.at("prediction").get<std::string>().find("H100") != std::string::npos);
  for (const json& line : made.document.at("lines")) CHECK(line.at("predicted_seconds").get<double>() > 0);
}

TEST_CASE("what a sweep measured predicts a layer that it did not see") {
  // The made-up device's times are a start and work at a rate, which straight lines between sizes reproduce.
  fake_backend on;
  on.start = 1e-5;
  CLI::App app;
  request swept;
  add_options(app, swept);
  app.parse("--sweep file --least-time 0 --most-time 0.001");
  swept.how.verifies = false;  // plain loops over these sizes would take minutes
  const answer curves = answer_of(swept, on);
  const calibration_data data = calibration_of(curves.document.at("calibration"), "file");
  CHECK(data.device == "a made-up device");
  CHECK(data.product_curves.at(0).rates.size() ==
        data.product_curves[0].m.size() * data.product_curves[0].n.size() * data.product_curves[0].k.size());
  CHECK_THAT(data.launch, WithinRel(1e-5, 1e-2));

  const std::string path = "harness_calibration_test.json";
  std::ofstream(path) << curves.document.at("calibration").dump();
  const answer made = answer_of(asking("--pass training --calibration " + path), on);
  std::remove(path.c_str());
  const json& layer = made.document.at("layer").at("as_one_sequence");
  CHECK_THAT(layer.at("predicted_seconds").get<double>(), WithinRel(layer.at("measured_seconds").get<double>(), 0.05));
}

TEST_CASE("bandwidth is measured alone") {
  fake_backend on;
  CLI::App app;
  request asked;
  add_options(app, asked);
  app.parse("--bandwidth --least-time 0 --most-time 0.001");
  const answer made = answer_of(asked, on);
  const json& rates = made.document.at("bytes_per_second");
  CHECK_THAT(rates.back().get<double>(), WithinRel(1e11, 0.01));  // at 120 MB the start hardly shows
  CHECK(rates.front().get<double>() < 1.1e10);                    // at 12 kB it is nearly all
}

TEST_CASE("options that exclude each other are refused") {
  const auto parse = [](const std::string& line) {
    CLI::App app;
    request asked;
    add_options(app, asked);
    app.parse(line);
  };
  CHECK_THROWS_AS(parse("--sweep f --bandwidth"), CLI::ParseError);
  CHECK_THROWS_AS(parse("--sweep f --largest-batch"), CLI::ParseError);
  CHECK_THROWS_AS(parse("--calibration f --device d"), CLI::ParseError);
  CHECK_THROWS_AS(parse("--backend metal"), CLI::ParseError);
  CHECK_THROWS_AS(parse("--batch 0"), program::usage_error);
  CHECK_THROWS_AS(parse("--precision fp4"), program::usage_error);
  CHECK_THROWS_AS(parse("--memory-limit none"), program::usage_error);
}
