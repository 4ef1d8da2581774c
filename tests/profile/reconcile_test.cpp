// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// Profiles joined to the ledger: two measured ones, and one of a GPU written by hand.

#include <flopledger/hardware/nvidia.hpp>

#include "profiles.hpp"
#include "quantities.hpp"

using namespace flopledger;
using profile::activity;
using profile::finding;
using profile::measured_on;
using profile::phase;

namespace {

double shares_of(const profile::reconciliation& all) {
  double sum = 0;
  for (const profile::activity_time& one : all.activities) sum += one.share;
  return sum;
}

void is_whole(const profile::reconciliation& all) {
  CHECK_THAT(shares_of(all), test::near(1));
  CHECK_THAT((all.explained + all.known + all.mismatched + all.unnamed).value(), test::near(all.total.value()));
  CHECK_THAT(all.coverage() + all.remainder(), test::near(1));
}

}  // namespace

TEST_CASE("what the ledger counts for a GPT-2 is what torch.profiler counted, product by product") {
  const auto ledger = test::ledger_of("gpt2.config.json", training_step(2, 16));
  const std::string file = GENERATE("gpt2.trace.json", "gpt2.table.txt");
  const profile::recording seen = test::recording_of(file);
  const auto all = profile::reconcile(seen, ledger, {.backward = true, .formats = {}, .on = {}});
  CAPTURE(file);
  CHECK(all.basis == measured_on::host);
  CHECK(all.has_shapes);
  CHECK(all.expected.value() == test::flops_counted("gpt2.flops.json"));
  CHECK(all.shaped == all.expected);
  CHECK_THAT(all.matched.value(), test::near(all.expected.value()));
  CHECK_THAT(all.product_coverage(), test::near(1));
  CHECK(all.mismatched.value() == 0);
  for (const profile::row_finding& one : all.rows) {
    CAPTURE(one.what.what.name);
    if (one.expected_calls > 0) CHECK(one.how == finding::by_shape);
  }
  // Query, key and value are one product of three times the width, which is also the size of the vocabulary.
  CHECK(test::row_of(all, "attention.query").seen_calls == 6);
  CHECK(test::row_of(all, "head").seen_calls == 3);
  CHECK(test::row_of(all, "attention.pre_norm").how == finding::by_kind);
  CHECK(all.strays.empty());
  CHECK(all.coverage() > 0.5);
  CHECK(all.elapsed.has_value() == (file == "gpt2.trace.json"));
  CHECK_FALSE(all.idle);
  CHECK_FALSE(all.mfu);
  is_whole(all);
}

TEST_CASE("two steps of a Llama: products by shape, a norm written out is not seen, the optimizer has no row") {
  const auto ledger = test::ledger_of("llama.config.json", training_step(2, 12));
  const profile::recording seen = test::recording_of("llama.trace.json");
  CHECK(seen.steps == 2);
  const auto all = profile::reconcile(seen, ledger, {.backward = true, .steps = seen.steps, .formats = {}, .on = {}});
  CHECK(all.expected.value() == test::flops_counted("llama.flops.json"));
  CHECK(all.shaped == all.expected);
  CHECK_THAT(all.product_coverage(), test::near(1));
  CHECK(test::row_of(all, "attention.pre_norm").how == finding::not_seen);
  CHECK(test::row_of(all, "attention.rotary").how == finding::not_seen);
  CHECK(test::row_of(all, "attention.softmax").how == finding::by_kind);
  CHECK(test::time_of(all, activity::optimizer).took > 0.0 * unit::second);
  CHECK_FALSE(test::time_of(all, activity::optimizer).explained);
  is_whole(all);

  SECTION("without shapes the join is by kind, and the profiler's own count stands beside the ledger's") {
    const auto table = profile::reconcile(test::recording_of("llama.table.txt"), ledger,
                                          {.backward = true, .steps = 2, .formats = {}, .on = {}});
    CHECK_FALSE(table.has_shapes);
    CHECK(test::row_of(table, "attention.query").how == finding::by_kind);
    REQUIRE(table.counted);
    CHECK(*table.counted >= all.expected);  // the profiler counts + and * too
    CHECK(table.elapsed);
    is_whole(table);
  }
  SECTION("another batch joins to nothing, and says so") {
    const auto other = profile::reconcile(seen, test::ledger_of("llama.config.json", training_step(3, 12)),
                                          {.backward = true, .steps = 2, .formats = {}, .on = {}});
    CHECK(other.matched.value() == 0);
    CHECK(other.mismatched.value() > 0);
    CHECK(test::row_of(other, "head").how == finding::not_seen);
    CHECK_FALSE(other.strays.empty());
    is_whole(other);
  }
  SECTION("half of the steps: every row was seen more often than that") {
    const auto one = profile::reconcile(seen, ledger, {.backward = true, .steps = 1, .formats = {}, .on = {}});
    CHECK(test::row_of(one, "head").how == finding::more_often);
    CHECK_THAT(one.product_coverage(), test::near(1));
  }
}

TEST_CASE("Kineto and the export without it tell the same times") {
  const profile::recording with = test::recording_of("gpt2.trace.json"),
                           without = test::recording_of("gpt2.legacy.json");
  const auto sum = [](const profile::recording& r) {
    double all = 0;
    for (const profile::sample& s : r.samples) all += s.self;
    return all;
  };
  CHECK_THAT(sum(with), test::near(sum(without)));
  CHECK_THAT(*with.elapsed, test::near(*without.elapsed));
  CHECK(sum(with) <= *with.elapsed);
}

TEST_CASE("kernels of a GPU: shapes by the operator that launched them, fused attention, communication, idle time") {
  const auto ledger = test::ledger_of("llama.config.json", forward(2, 12));
  const machine_rates rates{peak_of<bf16, hardware::a100_sxm4_80gb>,
                            hardware::a100_sxm4_80gb::value.memory_bandwidth.value()};
  const profile::recording seen = test::recording_of("gpu.trace.json");
  const auto all = profile::reconcile(seen, ledger, {.formats = {}, .on = rates});
  CHECK(all.basis == measured_on::device);
  CHECK(seen.steps == 1);
  CHECK_THAT(all.total.value(), test::near(700e-6));
  CHECK_THAT(all.elapsed->value(), test::near(1e-3));
  CHECK_THAT(*all.idle, test::near(0.35));
  CHECK_THAT(*all.communication, test::near(0.1));
  CHECK_THAT(*all.exposed_communication, test::near(0.05));
  CHECK(test::row_of(all, "attention.key").how == finding::by_shape);
  CHECK_THAT(test::row_of(all, "attention.key").took.value(), test::near(15e-6));
  CHECK(test::row_of(all, "feed_forward.up").seen_calls == 1);
  CHECK_THAT(test::row_of(all, "feed_forward.down").took.value(), test::near(75e-6));  // with the sum after its split
  CHECK(test::row_of(all, "feed_forward.down").seen_calls == 1);
  for (const char* name : {"attention.scores", "attention.softmax", "attention.context"})
    CHECK(test::row_of(all, name).how == finding::fused);
  // What the profiler's formulas miss is the two products of attention: 2·2·heads·S²·d·batch.
  CHECK_THAT((all.expected - all.matched).value(), test::near(2 * 2 * 2 * 4 * 12 * 12 * 8));
  REQUIRE(all.strays.size() == 2);
  CHECK(all.strays[0].name == "my_secret_kernel");
  CHECK(all.strays[1].shape.n == 7);
  CHECK_THAT(all.mismatched.value(), test::near(20e-6));
  CHECK_THAT(all.unnamed.value(), test::near(25e-6));
  CHECK_THAT(all.coverage(), test::near(550.0 / 700));
  CHECK_THAT(all.achieved->value(), test::near(all.expected.value() / 1e-3));
  CHECK_THAT(*all.mfu, test::near(all.achieved->value() / 312e12));
  CHECK(test::time_of(all, activity::attention).floor.value() > 0);
  CHECK(test::time_of(all, activity::product).floor < test::time_of(all, activity::product).took);
  is_whole(all);

  SECTION("a rule of one's own comes first") {
    const profile::rules mine({{"my_secret_*", activity::recurrence}});
    const auto named = profile::reconcile(seen, ledger, {.formats = {}, .on = rates}, mine);
    CHECK(named.unnamed.value() == 0);
    CHECK_THAT(test::time_of(named, activity::recurrence).took.value(), test::near(25e-6));
  }
  SECTION("more than the device's peak is refused, not reported") {
    CHECK_THROWS_AS(profile::reconcile(seen, ledger, {.steps = 1e9, .formats = {}, .on = rates}),
                    impossible_utilisation);
  }
}

TEST_CASE("MindSpore's two tables of the same step complete each other") {
  profile::recording both = test::recording_of("mindspore_op_statistic.csv");
  CHECK_FALSE(both.elapsed);
  profile::merge(both, test::recording_of("mindspore_step_trace_time.csv"));
  const auto all =
      profile::reconcile(both, test::ledger_of("llama.config.json", forward(2, 12)), {.formats = {}, .on = {}});
  CHECK_THAT(all.elapsed->value(), test::near(1e-3));
  CHECK_THAT(*all.idle, test::near(0.26));
  CHECK_THAT(*all.communication, test::near(0.06));
  CHECK_THAT(*all.exposed_communication, test::near(0.04));
  CHECK(test::row_of(all, "attention.scores").how == finding::fused);
  CHECK_THAT(test::time_of(all, activity::communication).share, test::near(60.0 / 800));
  is_whole(all);
}

TEST_CASE("experts' products join by their weights' sizes, for the router decides how many tokens they get") {
  const std::vector<entry> ledger{{.what = {.name = "experts.up",
                                            .kind = operation::expert_projection,
                                            .shape = {.batch = 8, .m = 25.6, .n = 96, .k = 64},
                                            .multiplied = 8 * 25.6 * 96 * 64 * unit::mac,
                                            .backward = {.input_products = 1, .weight_products = 1}},
                                   .times = 2}};
  profile::recording seen;
  seen.samples = {{.name = "aten::mm", .where = measured_on::host, .shape = {1, 31, 96, 64}, .calls = 1, .self = 1},
                  {.name = "aten::mm", .where = measured_on::host, .shape = {1, 64, 96, 17}, .calls = 1, .self = 2},
                  {.name = "aten::mm", .where = measured_on::host, .shape = {1, 31, 97, 64}, .calls = 1, .self = 4}};
  const auto all = profile::reconcile(seen, ledger, {.backward = true, .formats = {}, .on = {}});
  CHECK(all.rows[0].took.value() == 3);
  CHECK(all.mismatched.value() == 4);
}

TEST_CASE("names mean what they say") {
  const profile::rules names;
  CHECK(names.of("aten::addmm") == activity::product);
  CHECK(names.of("ampere_bf16_s16816gemm_bf16_128x256_ldg8_f2f_stages_64x3_tn") == activity::product);
  CHECK(names.of("nvjet_hsh_128x256_64x4_1x2_h_bz_coopA_NNT") == activity::product);
  CHECK(names.of("Cijk_Alik_Bljk_BBS_BH_MT128x128x32") == activity::product);
  CHECK(names.of("void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128>>") == activity::attention);
  CHECK(names.of("fmha_cutlassF_bf16_aligned_64x64_rf_sm80") == activity::attention);
  CHECK(names.of("cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16") == activity::attention);
  CHECK(names.of("void (anonymous namespace)::softmax_warp_forward<float, float, float, 10, false, true>") ==
        activity::softmax);
  CHECK(names.of("aten::_log_softmax_backward_data") == activity::loss);
  CHECK(names.of("aten::native_layer_norm_backward") == activity::normalization);
  CHECK(names.of("aten::gelu_backward") == activity::activation);
  CHECK(names.of("AddmmBackward0") == activity::framework);
  CHECK(names.of("ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL") == activity::communication);
  CHECK(names.of("[CUDA memcpy Host-to-Device]") == activity::copy);
  CHECK(names.of("void at::native::(anonymous namespace)::multi_tensor_apply_kernel<FusedAdamMathFunctor>") ==
        activity::optimizer);
  CHECK(names.of("some_kernel_of_mine") == activity::unknown);
  CHECK(names.of("") == activity::unknown);
  for (int i = 0; i < profile::activity_count; ++i) {
    const auto what = static_cast<activity>(i);
    bool found = false;
    CHECK(profile::find_activity(profile::name_of(what), found) == what);
    CHECK(found);
  }
  HOLDS(profile::fits("*a?c*", "xxABCyy"));
  HOLDS(!profile::fits("a*c", "abcd"));
  HOLDS(profile::fits("*", ""));
}
