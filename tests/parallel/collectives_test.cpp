// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// Predicted against measured: what docs/accuracy_communication.md promises.

#include "catch.hpp"
#include "measured_collectives.hpp"

using namespace published;

namespace {
double median(const std::vector<comparison>& rows) { return summarize(rows).median_absolute; }
}  // namespace

TEST_CASE("collectives inside a node of A100 are predicted without any of their rows") {
  const collective_results r = compare_collectives();
  CHECK(r.reduced_in_node.size() == 24);
  CHECK(r.sent_in_node.size() == 8);
  CHECK(median(r.reduced_in_node) < 8);
  CHECK(median(r.sent_in_node) < 15);
  CHECK(median(r.in_node()) < 8);
}

TEST_CASE("collectives across nodes of A100, pairs apart") {
  const collective_results r = compare_collectives();
  CHECK(r.pairs.size() == 14);
  CHECK(median(r.pairs) < 5);
  CHECK(r.across.size() == 24);
  CHECK(r.without_pairs().size() == 56);
  CHECK(median(r.without_pairs()) < 15);
}

TEST_CASE("all-reduce over four nodes: bandwidth from the last row, everything else from sources") {
  const collective_results r = compare_collectives();
  CHECK(r.four_nodes.size() == 14);
  CHECK(median(r.four_nodes) < 10);
  CHECK(summarize(r.four_nodes).worst() < 20);
  CHECK(median(r.older) < 15);
}

TEST_CASE("all-reduce in one node of B200, where the protocols' constants come from") {
  CHECK(median(compare_collectives().one_node) < 15);
}

TEST_CASE("published bus bandwidths and times belong together") {
  for (const record& r : read_table(FLOPLEDGER_TEST_DATA "/published/allreduce_busbw.csv")) {
    if (!r.has("time_us_from_busbw")) continue;
    const auto ranks = r.number("n_ranks");
    const double took = fl::time_at_bus_bandwidth(fl::collective::all_reduce, ranks, r.number("bytes") * fl::unit::byte,
                                                  gigabytes_a_second(r.number("busbw_gbps")))
                            .value();
    CHECK(std::abs(took * 1e6 / r.number("time_us_from_busbw") - 1) < 0.01);
  }
  std::size_t rows = 0;
  for (const record& r : read_table(FLOPLEDGER_TEST_DATA "/published/vidur_network.csv")) {
    const auto what = r.text("collective") == "all_reduce" ? fl::collective::all_reduce : fl::collective::send_receive;
    const double bus = fl::bus_bandwidth(what, r.number("n_ranks"), r.number("bytes") * fl::unit::byte,
                                         r.number("median_ms") / 1000 * fl::unit::second)
                           .value();
    if (r.number("bytes") > one_mebibyte) {
      CHECK(std::abs(bus / 1e9 / r.number("busbw_gbps") - 1) < 0.02);
      ++rows;
    }
  }
  CHECK(rows == 72);
}

TEST_CASE("bus factors are those of nccl-tests' table") {
  const double n = 8;
  std::size_t known = 0;
  for (const record& r : read_table(FLOPLEDGER_TEST_DATA "/published/nccl_busbw_formulas.csv")) {
    const std::string formula = r.text("busbw_over_algbw"), name = r.text("collective");
    const double factor = formula == "2*(n-1)/n" ? 1.75 : formula == "(n-1)/n" ? 0.875 : 1.0;
    CHECK(r.text("algbw") == "S/t");
    const std::pair<const char*, fl::collective> names[] = {
        {"all_reduce", fl::collective::all_reduce}, {"reduce_scatter", fl::collective::reduce_scatter},
        {"all_gather", fl::collective::all_gather}, {"broadcast", fl::collective::broadcast},
        {"reduce", fl::collective::reduce},         {"alltoall", fl::collective::all_to_all},
        {"sendrecv", fl::collective::send_receive}};
    for (const auto& [written, what] : names)
      if (name == written) {
        CHECK(fl::bus_factor(what, n) == factor);
        ++known;
      }
  }
  CHECK(known == 7);
}
