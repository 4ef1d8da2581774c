// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// Published figures and public mistakes about utilisation. Numbers are from outside the library; the worked examples
// are in tests/formulas.

#include <flopledger/hardware/nvidia.hpp>
#include <flopledger/models/block_shape.hpp>
#include <flopledger/models/zoo/llama.hpp>
#include <flopledger/utilisation.hpp>

#include <chrono>
#include <string>

#include "quantities.hpp"

namespace {
using namespace flopledger;
using namespace flopledger::literals;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

constexpr flop_rate teraflops_a_second(double n) { return n * prefix::tera * (unit::flop / unit::second); }
template <class Pass>
constexpr model_work<Pass, bf16> work_of_flops(double n) {
  return {n * unit::flop};
}
}  // namespace

TEST_CASE("a share that a profiler shows lies between nothing and the peak") {
  constexpr peak<bf16> best{teraflops_a_second(400)};
  CHECK_THROWS_AS(achieved_rate(best, 40.0), impossible_utilisation);
  CHECK_THROWS_AS(achieved_rate(best, -0.1), impossible_utilisation);
}

TEST_CASE("a time of std::chrono is a time") {
  const auto done = work_of_flops<pass::forward>(1e12);
  CHECK(achieved_rate(done, measured<pass::forward>(std::chrono::milliseconds(500))).value() == 2e12);
}

TEST_CASE("what cannot be is refused with what usually causes it") {
  try {
    static_cast<void>(mfu(work_of_flops<pass::training_step>(4.2e14), measured<pass::training_step>(1_s),
                          peak<bf16>{teraflops_a_second(300)}));
    FAIL("not refused");
  } catch (const impossible_utilisation& e) {
    const std::string said = e.what();
    for (const char* cause : {"numerator and denominator disagree", "sparse", "pass", "another step", "counted twice",
                              "all devices over the peak of one"})
      CHECK(said.find(cause) != std::string::npos);
  }
}

TEST_CASE("nothing is divided by nothing") {
  const peak<bf16> best{teraflops_a_second(300)};
  const auto some = work_of_flops<pass::forward>(1e12);
  CHECK_THROWS_AS(mfu(some, measured<pass::forward>(0_s), best), impossible_utilisation);
  CHECK_THROWS_AS(mfu(some, measured<pass::forward>(-1.0 * unit::second), best), impossible_utilisation);
  CHECK_THROWS_AS(mfu(some, measured<pass::forward>(1_s), peak<bf16>{}), impossible_utilisation);
  CHECK_THROWS_AS(mfu(work_of_flops<pass::forward>(-1), measured<pass::forward>(1_s), best), impossible_utilisation);
  CHECK(mfu(work_of_flops<pass::forward>(0), measured<pass::forward>(1_s), best) == 0);
}

TEST_CASE("dense against sparse peaks: the public halvings and doublings") {
  // NVIDIA/Megatron-LM #1276: 420 TFLOP/s is 21 % of the sparse 1979 and 42.5 % of the dense peak.
  const auto got = work_of_flops<pass::training_step>(420e12);
  const measured<pass::training_step> second(1_s);
  CHECK_THAT(mfu(got, second, peak_on<bf16, hardware::h100_sxm5_80gb>()), WithinAbs(0.425, 6e-4));
  const model_work<pass::training_step, bf16, two_of_four_sparse> as_sparse{got.amount};
  CHECK_THAT(mfu(as_sparse, second, peak_on<bf16, hardware::h100_sxm5_80gb, two_of_four_sparse>()),
             WithinAbs(0.212, 5e-4));
  // Lightning #21677: dense BF16 peaks that stood beside sparse ones.
  CHECK_THAT(peak_on<bf16>(hardware::h200_sxm5_141gb::value).rate.value() / 1e12, WithinAbs(989.5, 0.2));
  CHECK_THAT(peak_on<bf16>(hardware::h100_nvl_94gb::value).rate.value() / 1e12, WithinAbs(835.5, 0.2));
  CHECK_THAT(peak_on<fp8_e4m3>(hardware::h100_nvl_94gb::value).rate.value() / 1e12, WithinAbs(1670.5, 0.7));
  CHECK_THAT(peak_on<bf16>(hardware::h100_pcie_80gb::value).rate.value() / 1e12, WithinAbs(756.5, 0.6));
  // allenai/OLMo-core PR 614: a half applied to an already dense 312 doubles MFU.
  CHECK_THAT(peak_on<bf16>(hardware::a100_sxm4_80gb::value).rate.value(), WithinRel(312e12, 1e-3));
  // karpathy/nanoGPT PR 464: 104 % against another device's peak is refused.
  CHECK_THROWS_AS(
      mfu(work_of_flops<pass::training_step>(1.04 * 312e12), second, peak_on<bf16, hardware::a100_sxm4_80gb>()),
      impossible_utilisation);
}

TEST_CASE("fms-fsdp issue 89: 9600 tokens a second of Llama-2-7B on an H100") {
  const auto share = [](attention_counting counting) {
    const auto step = model_work_of<models::llama2_7b, pass::training_step, bf16>(training_step(1, 4096, counting));
    return mfu(step, measured<pass::training_step>(4096.0 / 9600 * unit::second), peak<bf16>{teraflops_a_second(989)});
  };
  CHECK_THAT(share(attention_counting::full), WithinAbs(0.447, 5e-4));
  CHECK_THAT(share(attention_counting::causal_half), WithinAbs(0.416, 5e-4));
}

TEST_CASE("bytedance/flux issue 117: a time of all ranks over the work of one, and the other way round") {
  const auto all = work_of_flops<pass::forward>(8 * 200e12);
  const measured<pass::forward> second(1_s);
  CHECK_THAT(mfu(all, second, peak_on<bf16, hardware::h100_sxm5_80gb>(8)), WithinAbs(0.2021, 5e-5));
  CHECK_THROWS_AS(mfu(all, second, peak_on<bf16, hardware::h100_sxm5_80gb>()), impossible_utilisation);
}

TEST_CASE("Korthikanti et al. 2022, table 5: MFU from the ledger and the iteration's time") {
  struct run {
    std::int64_t layers, hidden, heads;
    double batch, devices, took, percent;
  };
  for (const run& r : {run{48, 6144, 64, 4, 8, 1.10, 41.65}, run{96, 12288, 96, 64, 64, 13.75, 51.39},
                       run{105, 20480, 128, 280, 280, 37.83, 56.05}, run{128, 25600, 160, 512, 512, 71.49, 56.27}}) {
    const transformer_config model = make_decoder("classic", {.layers = r.layers,
                                                              .hidden = r.hidden,
                                                              .heads = r.heads,
                                                              .intermediate = 4 * r.hidden,
                                                              .vocabulary = 51200,
                                                              .tied = true,
                                                              .gated = false});
    const auto step = model_work_of<pass::training_step, bf16>(model, training_step(r.batch, 2048));
    const double share = mfu(step, measured<pass::training_step>(r.took * unit::second),
                             peak<bf16>{r.devices * teraflops_a_second(312)});
    CHECK_THAT(100 * share, WithinAbs(r.percent, 0.006));
  }
}

TEST_CASE("recompute raises HFU and never MFU") {
  const auto& model = models::llama3_8b::config;
  const work asked = training_step(1, 8192);
  const auto step = model_work_of<pass::training_step, bf16>(model, asked);
  const measured<pass::training_step> took(1_s);
  const peak<bf16> best = peak_on<bf16, hardware::h100_sxm5_80gb>();
  const double plain = mfu(step, took, best);
  const auto none = with_recompute(step, flops{});
  const auto selective =
      with_recompute(step, recomputed_flops(model, asked, recompute_rule{.how = recompute::selective}));
  const auto full = with_recompute(step, recomputed_flops(model, asked, recompute_rule{.how = recompute::full}));
  CHECK_THAT(hfu(none, took, best), WithinRel(plain, 1e-15));
  CHECK(hfu(selective, took, best) > plain);
  CHECK(hfu(full, took, best) > hfu(selective, took, best));
  CHECK(hfu(full, took, best) < 4.0 / 3.0 * plain);

  // Without the attention core, one more forward of the blocks is 1.310 of the model; never 1.4.
  const work short_one = training_step(1, 1);
  const auto small = model_work_of<pass::training_step, bf16>(model, short_one);
  const double ratio = static_cast<double>(
      with_recompute(small, recomputed_flops(model, short_one, recompute_rule{.how = recompute::full})).amount /
      small.amount);
  CHECK_THAT(ratio, WithinAbs(1.310, 5e-4));
}

TEST_CASE("two precisions in one step have a peak of their own") {
  const blend step{model_work<pass::training_step, fp8_e4m3>{3e15 * unit::flop},
                   model_work<pass::training_step, bf16>{1e15 * unit::flop}};
  const auto best = step.peak(peak<fp8_e4m3>{teraflops_a_second(2000)}, peak<bf16>{teraflops_a_second(1000)});
  CHECK(step.work().amount == 4e15 * unit::flop);
  // 3/2000 + 1/1000 seconds for 4: 1600, not the arithmetic 1750.
  CHECK_THAT(best.rate.value(), WithinRel(1600e12, 1e-12));
  CHECK_THAT(mfu(step.work(), measured<pass::training_step>(5_s), best), WithinRel(0.5, 1e-12));
  const blend only_one{model_work<pass::training_step, fp8_e4m3>{3e15 * unit::flop},
                       model_work<pass::training_step, bf16>{}};
  CHECK_THAT(only_one.peak(peak<fp8_e4m3>{teraflops_a_second(2000)}, peak<bf16>{teraflops_a_second(1000)}).rate.value(),
             WithinRel(2000e12, 1e-12));
}
