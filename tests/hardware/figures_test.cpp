// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// Figures that others got wrong, and what is said of one that is absent.

#include <flopledger/hardware/catalogue.hpp>

#include <string>

#include "catch.hpp"

using namespace flopledger;
using namespace Catch::Matchers;

namespace {
double teraflops_of(const char* device, number_kind kind, sparsity mode = sparsity::dense,
                    accumulation sums = accumulation::fp32) {
  return peak_rate(hardware::find(device), kind, mode, sums).value() / prefix::tera;
}
}  // namespace

TEST_CASE("dense peaks are not the sparse ones of the headlines", "[hardware][known-bugs-21]") {
  CHECK_THAT(teraflops_of("h100-sxm5-80gb", number_kind::bf16), WithinRel(989.4, 1e-12));
  CHECK_THAT(teraflops_of("h100-sxm5-80gb", number_kind::bf16, sparsity::two_of_four), WithinAbs(1979, 0.5));
  CHECK_THAT(teraflops_of("h100-sxm5-80gb", number_kind::fp8_e4m3), WithinAbs(1979, 0.5));
  CHECK_THAT(teraflops_of("h100-pcie-80gb", number_kind::bf16), WithinAbs(756.5, 0.6));
  CHECK_THAT(teraflops_of("l4", number_kind::bf16), WithinRel(121., 1e-12));
  CHECK_THAT(teraflops_of("a100-sxm4-80gb", number_kind::bf16), WithinRel(312., 1e-12));
  CHECK_THAT(teraflops_of("b200-sxm", number_kind::bf16, sparsity::two_of_four), WithinRel(4500., 1e-12));
}

TEST_CASE("Hopper parts of one table are all dense: 989.4, 989.4, 835.5", "[hardware][known-bugs-22]") {
  CHECK_THAT(teraflops_of("h100-sxm5-80gb", number_kind::bf16), WithinAbs(989.5, 0.2));
  CHECK_THAT(teraflops_of("h200-sxm5-141gb", number_kind::bf16), WithinAbs(989.5, 0.2));
  CHECK_THAT(teraflops_of("h100-nvl-94gb", number_kind::bf16), WithinRel(835.5, 1e-12));
  CHECK_THAT(teraflops_of("h100-nvl-94gb", number_kind::fp8_e4m3), WithinAbs(1670.5, 0.6));
}

TEST_CASE("a label of GB means GiB, and neither is what the tool reports", "[hardware][known-bugs-40]") {
  const bytes b200 = published(hardware::find("b200-sxm"), &accelerator::usable_memory);
  CHECK(in_mib(b200) == 183359);
  CHECK_THAT(in_gib(b200), WithinAbs(179.1, 0.05));
  CHECK_THAT(in_gb(b200), WithinAbs(192.3, 0.05));
  const accelerator& a100 = hardware::find("a100-sxm4-80gb");
  CHECK(in_mib(published(a100, &accelerator::usable_memory)) == 81920);
  CHECK_THAT(in_gb(published(a100, &accelerator::usable_memory)), WithinAbs(85.9, 0.05));
  CHECK(in_gib(published(a100, &accelerator::nominal_memory)) == 80);
  const accelerator& h100 = hardware::find("h100-sxm5-80gb");
  CHECK(in_mib(published(h100, &accelerator::usable_memory)) == 81559);
  CHECK(published(h100, &accelerator::usable_memory) < published(h100, &accelerator::nominal_memory));
  CHECK(in_gb(published(h100, &accelerator::usable_memory)) > 80);
}

TEST_CASE("FP4 has a sparsity factor of its own", "[hardware]") {
  CHECK_THAT(teraflops_of("gb300-nvl72", number_kind::fp4), WithinRel(15000., 1e-12));
  CHECK_THAT(teraflops_of("gb300-nvl72", number_kind::fp4, sparsity::two_of_four), WithinAbs(20000, 60));
  CHECK_THAT(teraflops_of("b200-sxm", number_kind::fp4, sparsity::two_of_four), WithinRel(18000., 1e-12));
  CHECK_THROWS_AS(teraflops_of("mi355x", number_kind::fp4, sparsity::two_of_four), figure_not_published);
  CHECK_THROWS_AS(teraflops_of("mi355x", number_kind::fp6, sparsity::two_of_four), figure_not_published);
  CHECK_THAT(teraflops_of("mi355x", number_kind::fp8_e4m3, sparsity::two_of_four), WithinRel(10066., 0.003));
}

TEST_CASE("a sparse peak is asked for by the pattern that the device has", "[hardware]") {
  CHECK_THROWS_WITH(teraflops_of("trainium2", number_kind::bf16, sparsity::two_of_four),
                    Equals("trainium2: 2:4 sparse bf16 peak is not published"));
  CHECK_THAT(teraflops_of("trainium2", number_kind::fp8_e4m3, sparsity::four_of_sixteen), WithinRel(2563., 0.005));
  CHECK_THROWS_AS(teraflops_of("v100-pcie", number_kind::fp16, sparsity::two_of_four), figure_not_published);
  CHECK_THROWS_AS(teraflops_of("h100-sxm5-80gb", number_kind::fp32, sparsity::two_of_four), figure_not_published);
}

TEST_CASE("GeForce sums in FP32 at half the rate of its headline", "[hardware]") {
  CHECK_THAT(teraflops_of("rtx-4090", number_kind::fp16), WithinRel(165.2, 1e-12));
  CHECK_THAT(teraflops_of("rtx-4090", number_kind::fp16, sparsity::dense, accumulation::fp16), WithinAbs(330.3, 0.2));
  CHECK_THAT(teraflops_of("rtx-a6000", number_kind::bf16), WithinRel(154.8, 1e-12));
}

TEST_CASE("a peak that only the FP16 sums have is not given for FP32 sums", "[hardware]") {
  CHECK_THROWS_AS(teraflops_of("graphcore-bow", number_kind::fp16), figure_not_published);
  CHECK_THAT(teraflops_of("graphcore-bow", number_kind::fp16, sparsity::dense, accumulation::fp16),
             WithinRel(350., 1e-12));
  CHECK_THROWS_AS(teraflops_of("p100-sxm2", number_kind::fp16), figure_not_published);
  CHECK_THAT(teraflops_of("p100-sxm2", number_kind::fp16, sparsity::dense, accumulation::fp16), WithinRel(21.2, 1e-12));
  CHECK_THROWS_WITH(teraflops_of("h100-sxm5-80gb", number_kind::bf16, sparsity::dense, accumulation::fp16),
                    Equals("h100-sxm5-80gb: dense bf16 peak with FP16 sums is not published"));
}

TEST_CASE("an absent figure throws with the names of device and figure", "[hardware]") {
  CHECK_THROWS_AS(published(hardware::find("mi100"), &accelerator::usable_memory), figure_not_published);
  CHECK_THROWS_WITH(published(hardware::find("mi100"), &accelerator::usable_memory),
                    Equals("mi100: usable_memory is not published"));
  CHECK_THROWS_WITH(peak_rate(hardware::find("v100-pcie"), number_kind::bf16),
                    Equals("v100-pcie: dense bf16 peak is not published"));
  CHECK_THROWS_AS(figure<bytes>{}.value(), figure_not_published);
  CHECK_THROWS_AS(peak_rate(hardware::find("h100-sxm5-80gb"), number_kind::custom), figure_not_published);
}

TEST_CASE("every figure has a name of its own", "[hardware]") {
  int figures = 0;
  for_each_figure([&](std::string_view name, auto member) {
    CHECK(name_of(member) == name);
    ++figures;
  });
  CHECK(figures == 38);
}
