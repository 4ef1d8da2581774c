// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// What the pages compare with measurements is what the program prints: it is asked for rows of every table.

#include "../program/run_program.hpp"
#include "catch.hpp"
#include "program_rows.hpp"

namespace {

using Catch::Matchers::WithinRel;

TEST_CASE("the program predicts the pages' rows") {
  const program_test::scratch_folder scratch;
  const std::vector<published::program_row> rows = published::program_rows();
  REQUIRE(rows.size() > 20);
  for (const published::program_row& row : rows) {
    const std::string config = scratch.file("config.json", row.config);
    const auto ran = program_test::run("report " + config + " " + row.options + " --json");
    INFO(row.name << ": " << row.options << '\n' << row.config << '\n' << ran.err);
    REQUIRE(ran.status == 0);
    // A checkpoint in FP8 also has a scale a matrix.
    CHECK_THAT(ran.json()["time"][row.key].get<double>(), WithinRel(row.predicted, 1e-6));
  }
}

}  // namespace
