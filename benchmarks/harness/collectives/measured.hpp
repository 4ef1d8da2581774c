// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Collectives, checked and timed through any transport, and what is told of them.

#include <nlohmann/json.hpp>

#include "sampling.hpp"
#include "transport.hpp"

namespace harness {

struct measured_exchange {
  exchange_shape shape;
  double checked = 0;  ///< elements compared, on all ranks
  sample_set times;    ///< each the greatest over the ranks
};

/// Runs it once and checks what every rank received, then samples it until `rule` is met. All ranks return the same
/// times. Throws `wrong_result` on every rank where one of them received anything wrong.
measured_exchange measured(transport& by, const exchange_shape& shape, const sampling_rule& rule);

/// nccl-tests' rates of the median, by the library's own definitions.
flopledger::seconds median_time(const measured_exchange& one);
flopledger::byte_rate algorithm_bandwidth(const measured_exchange& one);
flopledger::byte_rate bus_bandwidth(const measured_exchange& one);

/// A collective's line, and the ring that the library makes of the link.
struct fitted_collective {
  collective what = collective::all_reduce;
  latency_line own;
};
struct collectives_record {
  std::vector<std::pair<std::string, std::string>> provenance;
  std::string transport_name;
  int ranks = 0;
  std::vector<measured_exchange> measurements;
  std::vector<fitted_collective> fits;  ///< of the collectives with two sizes or more
  std::optional<measured_link> link;    ///< from messages, where they were measured at two sizes or more
};
/// Lines through what was measured.
void fit(collectives_record& record);

std::string text_of(const collectives_record& record);
/// Every sample; "schema" is "flopledger.collectives" and "version" 1.
nlohmann::ordered_json json_of(const collectives_record& record);

}  // namespace harness
