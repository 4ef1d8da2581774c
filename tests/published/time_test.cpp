// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "catch.hpp"
#include "load_cases.hpp"
#include "training_cases.hpp"

namespace {

using namespace published;

void check_floor(const time_table& table) {
  for (const timing& t : table.rows) {
    INFO(t.row.name);
    if (t.row.counts) CHECK(t.row.measured >= t.floor);
  }
}

TEST_CASE("products: Llama-2-70B's, with constants from Llama-2-7B's") {
  const time_table table = compare_products();
  REQUIRE(table.rows.size() == 704);
  CHECK(table.tests().count == 352);
  CHECK(table.tests().median_absolute < 8);
  CHECK(table.all().median_absolute < 8);
  check_floor(table);
}

TEST_CASE("attention: longer causal sequences than the constants saw") {
  const time_table table = compare_attention();
  CHECK(table.tests().worst() < 8);
  check_floor(table);
}

TEST_CASE("Korthikanti 2022: eight steps with constants from other tables alone") {
  const time_table table = compare_korthikanti();
  REQUIRE(table.rows.size() == 8);
  CHECK(table.tests().mean_absolute < 5);
  CHECK(table.tests().worst() < 8.87);
  check_floor(table);
  const time_table left_out = compare_korthikanti_left_out();
  CHECK(left_out.tests().mean_absolute < 4);
}

TEST_CASE("LLM Foundry: sizes other than the one that the constants saw") {
  const time_table table = compare_mpt_steps();
  REQUIRE(table.rows.size() == 126);
  CHECK(table.tests().median_absolute < 10);
  check_floor(table);
}

TEST_CASE("torchtitan: steps") {
  const time_table table = compare_titan();
  REQUIRE(table.rows.size() == 18);
  CHECK(table.tests().median_absolute < 10);
  check_floor(table);
}

TEST_CASE("Megatron-Bridge: pre-training steps") {
  const time_table table = compare_bridge();
  REQUIRE(table.rows.size() == 124);
  CHECK(table.all().median_absolute < 10);
  CHECK(table.tests().median_absolute < 10);
  // Models of which no constant has seen any row: GPT-OSS alone among the mixtures of experts.
  CHECK(summarize(table.chosen([](const timing& t) { return !t.model_seen; })).median_absolute < 10);
  CHECK(summarize(table.chosen([](const timing& t) {
          return !t.fitted && t.group.find("dense") != std::string::npos;
        })).median_absolute < 6);
  check_floor(table);
}

TEST_CASE("SimuMax on B200: with constants from other tables alone") {
  const time_table table = compare_simumax_steps();
  REQUIRE(table.rows.size() == 22);
  CHECK(table.tests().mean_absolute < 6);
  CHECK(table.tests().worst() < 12);
  check_floor(table);
}

TEST_CASE("vTrain: a small model waits for the host, and plans of one job stand in their measured order") {
  const time_table one_node = compared("vtrain_single_node", vtrain_rows("vtrain_single_node"));
  REQUIRE(one_node.rows.size() == 720);
  CHECK(one_node.tests().count == 540);
  CHECK(one_node.tests().median_absolute < 8);
  check_floor(one_node);
  const time_table many_nodes = compared("vtrain_multi_node", vtrain_rows("vtrain_multi_node"));
  CHECK(many_nodes.all().median_absolute < 12);
  check_floor(many_nodes);
}

TEST_CASE("steps of other codes on A100 and H100") {
  for (const auto& [rows, bound] : {std::pair{megatron_2021_rows(), 5.0},
                                    {megascale_rows(), 8.0},
                                    {long_sequence_rows(), 7.0},
                                    {fms_rows(), 8.0},
                                    {internlm_rows(), 8.0},
                                    {bloom_rows(), 16.0}}) {
    const time_table table = compared("", rows);
    CHECK(table.all().median_absolute < bound);
    check_floor(table);
  }
}

TEST_CASE("one measured step predicts the others of its table better than its MFU does") {
  for (const training_table& table : all_training_tables()) {
    INFO(table.name);
    const calibrated_errors errors = calibrated_on_one(table.rows);
    CHECK(errors.calibrated < errors.by_mfu);
  }
}

TEST_CASE("serving: first tokens, fixed batches, decode") {
  for (const time_table& table : {compare_first_tokens(), compare_batches(), compare_gpt_fast()}) {
    INFO(table.title);
    CHECK(table.tests().median_absolute < 20);
    check_floor(table);
  }
}

TEST_CASE("services under load: models and devices that the engines' constants did not see") {
  const load_result loads = compare_loads();
  CHECK(loads.rows == 1573);
  CHECK(loads.token.rows.size() == 1398);
  CHECK(loads.token.tests().median_absolute < 13);
  CHECK(loads.request.tests().median_absolute < 14);
  CHECK(loads.first.tests().median_absolute < 38);
  for (const time_table* table : {&loads.first, &loads.token, &loads.request}) check_floor(*table);
}

TEST_CASE("the largest throughput, and MLPerf's boards with nothing calibrated on them") {
  const time_table throughput = compare_throughput();
  CHECK(throughput.tests().median_absolute < 15);
  check_floor(throughput);
  const time_table offline = compare_offline();
  CHECK(offline.tests().worst() < 25);
  check_floor(offline);
}

TEST_CASE("llama.cpp: boards that the constants did not see") {
  const llamacpp_result result = compare_llamacpp();
  for (const time_table* table : {&result.generate, &result.prompt}) {
    INFO(table->title);
    CHECK(table->rows.size() == 242);
    CHECK(table->tests().median_absolute < 20);
    check_floor(*table);
  }
  std::size_t aside = 0;
  for (const timing& t : result.prompt.rows) aside += t.row.counts ? 0 : 1;
  CHECK(aside == 16);  // of 484 measurements
}

}  // namespace
