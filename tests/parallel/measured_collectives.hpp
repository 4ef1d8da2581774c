// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Measured collectives beside what the library predicts for them.

#include <flopledger/parallel/transfers.hpp>

#include <cmath>
#include <string>
#include <vector>

#include "../published/csv.hpp"
#include "../published/statistics.hpp"

namespace published {

namespace fl = flopledger;

inline constexpr double one_mebibyte = 1048576.0;

/// One measured time of a collective.
struct measured_collective {
  fl::collective what = fl::collective::all_reduce;
  fl::group_span over{};
  double full = 0;     ///< bytes
  double seconds = 0;  ///< measured
  std::string name{};
};

inline fl::byte_rate gigabytes_a_second(double n) { return n * fl::prefix::giga * (fl::unit::byte / fl::unit::second); }

inline fl::group_span span_over(std::int64_t ranks, std::int64_t devices_a_node) {
  return {.ranks = ranks, .nodes = ranks / devices_a_node, .ranks_a_node = devices_a_node};
}

/// vidur_network.csv: medians on DGX A100 nodes.
inline std::vector<measured_collective> vidur_rows() {
  std::vector<measured_collective> rows;
  for (const record& r : read_table(FLOPLEDGER_TEST_DATA "/published/vidur_network.csv")) {
    const std::int64_t ranks = r.integer("n_ranks"), devices = r.integer("devices_per_node");
    const bool reduces = r.text("collective") == "all_reduce";
    rows.push_back({.what = reduces ? fl::collective::all_reduce : fl::collective::send_receive,
                    .over = span_over(ranks, devices),
                    .full = r.number("bytes"),
                    .seconds = r.number("median_ms") / 1000,
                    .name = r.text("collective") + ", " + r.text("n_ranks") + " ranks, " + r.text("devices_per_node") +
                            " a node"});
  }
  return rows;
}

/// Nodes of that table. What its network can is in no data sheet (it is a third of a DGX's own), so the two largest
/// messages between pairs of nodes describe it: 7.82 GB/s one way, 5.87 GB/s where both directions are busy. Those rows
/// are not predicted; the smaller messages of pairs, and everything over more devices, are.
inline fl::node vidur_node() {
  fl::node made = fl::hardware::dgx_a100::value;
  made.scale_out = fl::symmetric("network of vidur's nodes", fl::link_kind::network, gigabytes_a_second(7.82));
  made.scale_out.both_ways = 5.87 / 7.82;
  return made;
}

inline bool describes_the_network(const measured_collective& m) {
  return m.over.ranks == 2 && m.over.crosses_network() && m.full == 67108864;
}

/// allreduce_busbw.csv: the sweeps, whose `fabric` begins so.
inline std::vector<measured_collective> sweep_rows(const std::string& fabric, std::int64_t nodes) {
  std::vector<measured_collective> rows;
  for (const record& r : read_table(FLOPLEDGER_TEST_DATA "/published/allreduce_busbw.csv"))
    if (r.text("fabric").rfind(fabric, 0) == 0 && r.has("time_us_from_busbw"))
      rows.push_back({.what = fl::collective::all_reduce,
                      .over = span_over(r.integer("n_ranks"), r.integer("n_ranks") / nodes),
                      .full = r.number("bytes"),
                      .seconds = r.number("time_us_from_busbw") * 1e-6,
                      .name = r.text("fabric")});
  return rows;
}

/// The cluster "kind unstated": its network by its last row, 91.69 GB/s of bus bandwidth over eight devices a node.
inline fl::node older_node() {
  fl::node made = fl::hardware::dgx_a100::value;
  made.scale_out = fl::symmetric("network of the older cluster", fl::link_kind::network, gigabytes_a_second(91.69 / 8));
  return made;
}

inline comparison compared(const measured_collective& m, const fl::node& in,
                           fl::algorithm how = fl::algorithm::fastest) {
  return {.name = m.name,
          .measured = m.seconds,
          .predicted = fl::collective_time(m.what, m.full * fl::unit::byte, m.over, in, how).value()};
}

template <class Chosen>
std::vector<comparison> compare(const std::vector<measured_collective>& rows, const fl::node& in, Chosen chosen) {
  std::vector<comparison> made;
  for (const measured_collective& m : rows)
    if (m.full > one_mebibyte && chosen(m)) made.push_back(compared(m, in));
  return made;
}

struct collective_results {
  std::vector<comparison> reduced_in_node, sent_in_node, pairs, across, four_nodes, older, one_node;
  std::vector<comparison> in_node() const {
    std::vector<comparison> all = reduced_in_node;
    all.insert(all.end(), sent_in_node.begin(), sent_in_node.end());
    return all;
  }
  /// Every row above 1 MiB of vidur's table but the pairs.
  std::vector<comparison> without_pairs() const {
    std::vector<comparison> all = in_node();
    all.insert(all.end(), across.begin(), across.end());
    return all;
  }
};

inline collective_results compare_collectives() {
  const std::vector<measured_collective> vidur = vidur_rows();
  const auto is_pair = [](const measured_collective& m) { return m.over.crosses_network() && m.over.ranks == 2; };
  const auto sends = [](const measured_collective& m) { return m.what == fl::collective::send_receive; };
  const fl::node node = vidur_node();
  const auto all = [](const measured_collective&) { return true; };
  return {
      .reduced_in_node = compare(vidur, node, [&](const auto& m) { return !m.over.crosses_network() && !sends(m); }),
      .sent_in_node = compare(vidur, node, [&](const auto& m) { return !m.over.crosses_network() && sends(m); }),
      .pairs = compare(vidur, node, [&](const auto& m) { return is_pair(m) && !describes_the_network(m); }),
      .across = compare(vidur, node, [&](const auto& m) { return m.over.crosses_network() && !is_pair(m); }),
      .four_nodes = compare(sweep_rows("4x8 B200", 4), fl::hardware::p6_b200::value, all),
      .older = compare(sweep_rows("older cluster", 4), older_node(), all),
      .one_node = compare(sweep_rows("8x B200", 1), fl::hardware::p6_b200::value, all),
  };
}

}  // namespace published
