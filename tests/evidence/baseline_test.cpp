// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/evidence/baseline.hpp>

#include <nlohmann/json.hpp>

#include "catch.hpp"

namespace {
using namespace flopledger;
const baseline recorded{
    .hardware = "8 x H100 SXM, 700 W",
    .software = "torch 2.5, NCCL 2.21",
    .model = "llama3-8b",
    .shapes = "b 1, s 8192, dp 8 \"zero-3\"\n",
    .metrics = {{"step_seconds", 0.86}, {"tokens_per_second", 76204, better::higher}, {"peak_reserved_bytes", 71e9}}};
}  // namespace

TEST_CASE("a baseline reads back as it was written") {
  const std::string text = to_json(recorded);
  const auto read = read_baseline(text);
  REQUIRE(read.value);
  CHECK(*read.value == recorded);
  const auto seen = nlohmann::json::parse(text);
  CHECK(seen["shapes"] == recorded.shapes);
  CHECK(seen["metrics"][1]["value"] == 76204);
  CHECK(seen["metrics"][1]["better"] == "higher");
  const auto empty = read_baseline(to_json(baseline{}));
  REQUIRE(empty.value);
  CHECK(*empty.value == baseline{});
}

TEST_CASE("what is wrong with a baseline is named, with its line") {
  CHECK(read_baseline("").problem != "");
  CHECK(read_baseline("[]").problem == "not an object");
  CHECK(read_baseline("{\"hardware\": 3}").problem == "hardware: not a string");
  CHECK(read_baseline("{\"hardware\": \"a\",\n\"software\": \"b\"}").problem == "model: missing");
  const std::string head = R"({"hardware": "a", "software": "b", "model": "c", "shapes": "d")";
  CHECK(read_baseline(head + "}").problem == "metrics: missing");
  CHECK(read_baseline(head + ", \"metrics\": 3}").problem == "metrics: not an array");
  const auto wrong = read_baseline(head + ",\n\"metrics\": [\n{\"name\": \"x\"}]}");
  CHECK(wrong.problem.find("metrics: each needs a `name`") == 0);
  CHECK(wrong.line == 3);
  CHECK_FALSE(read_baseline(head + ", \"metrics\": [{\"name\": \"x\", \"value\": 1, \"better\": \"up\"}]}").value);
  CHECK(read_baseline(head + ", \"metrics\": [], \"note\": [1, 2]}").value);
}

TEST_CASE("a later run against its baseline") {
  baseline later = recorded;
  later.metrics[0].value = 0.88;   // +2.3 %
  later.metrics[1].value = 60000;  // −21 %, and more was better
  later.metrics[2].value = 60e9;   // −15 %, and less is better
  later.metrics.push_back({"mfu", 0.5, better::higher});
  const auto result = compare(recorded, later);
  CHECK(result.like_for_like());
  REQUIRE(result.changes.size() == 4);
  CHECK(result.changes[0].judged == verdict_on_change::within_tolerance);
  CHECK(result.changes[1].judged == verdict_on_change::regressed);
  CHECK(result.changes[2].judged == verdict_on_change::improved);
  CHECK(result.changes[3].judged == verdict_on_change::added);
  CHECK(result.regressed());
  CHECK(std::abs(result.changes[1].relative - (60000.0 / 76204 - 1)) < 1e-12);
  CHECK(compare(recorded, later, 0.01).changes[0].judged == verdict_on_change::regressed);

  CHECK_FALSE(compare(recorded, recorded).regressed());
  later.metrics.erase(later.metrics.begin());
  CHECK(compare(recorded, later).changes[0].judged == verdict_on_change::missing);
  later.hardware = "8 x H200";
  later.shapes = "b 2";
  const auto other = compare(recorded, later);
  CHECK(other.differing == std::vector<std::string>{"hardware", "shapes"});
  CHECK_FALSE(other.like_for_like());
}
