// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The books of measured collectives, apart from any communication library: what each rank sends and must find, and
/// the line of latency and bandwidth through what was measured.
///
/// Sizes are nccl-tests' S (doc/PERFORMANCE.md), which is the library's "full": bytes of the array that an all-reduce,
/// a broadcast, a reduce or a message holds, of the whole that an all-gather leaves and a reduce-scatter starts from,
/// and of all that a rank hands to an all-to-all.

#include <flopledger/parallel/transfers.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

using flopledger::collective;

inline constexpr collective all_collectives[] = {
    collective::all_reduce, collective::all_gather, collective::reduce_scatter, collective::all_to_all,
    collective::broadcast,  collective::reduce,     collective::send_receive};

/// By its name, where "send-receive" will do for "send/receive". Throws `std::invalid_argument` with all names.
collective collective_named(std::string_view name);

/// One collective of so many FP32 elements, S over four, among so many ranks. A message goes round: each rank sends to
/// the next and receives from the one before, as in nccl-tests. The root is rank 0.
struct exchange_shape {
  collective what = collective::all_reduce;
  int ranks = 2;
  std::size_t full = 0;  ///< elements: a multiple of the ranks where parts are dealt out

  std::size_t part() const { return full / static_cast<std::size_t>(ranks); }
  std::size_t sent() const { return what == collective::all_gather ? part() : full; }
  std::size_t received() const { return what == collective::reduce_scatter ? part() : full; }
  flopledger::bytes size() const { return static_cast<double>(full * sizeof(float)) * flopledger::unit::byte; }
};

/// The shape for about so many bytes: at least one element a rank, rounded up to a multiple of the ranks.
exchange_shape shape_of(collective what, int ranks, double size_in_bytes);

/// Sizes from `least` to `greatest`, each `factor` times the one before. Throws `std::invalid_argument` for an empty
/// range, or a factor that does not grow.
std::vector<double> sizes_between(double least, double greatest, double factor);

// What is sent, and what must come
// ----------------------------------------------------------------------------------

/// Element `index` of what a rank sends: a whole number from −127 to 127, by a hash of both. FP32 holds every sum of
/// them exactly, in whatever order it is formed, up to 131 072 ranks.
float sent_value(int rank, std::size_t index);
std::vector<float> sent_by(const exchange_shape& shape, int rank);

/// What element `index` of the received array of `rank` must be; absent where that rank receives nothing (a reduce off
/// the root).
std::optional<double> expected_value(const exchange_shape& shape, int rank, std::size_t index);

/// What a rank found wrong.
struct difference {
  std::size_t wrong = 0, checked = 0;
  std::string first;  ///< the first wrong element: "element 5 is 3, expected 4"
};
/// Checks every element, or some four million of a longer array, spread over all of it, its ends among them.
difference check_received(const exchange_shape& shape, int rank, std::span<const float> received);

// Latency and bandwidth
// ---------------------------------------------------------------------------------------------

/// A median at a size.
struct sized_time {
  flopledger::bytes full{};
  flopledger::seconds took{};
};

/// t = α + β·S.
struct latency_line {
  flopledger::seconds alpha{};
  double beta = 0;         ///< seconds a byte of S
  double worst_error = 0;  ///< greatest |fitted − measured| over measured
  flopledger::seconds at(flopledger::bytes full) const {
    return alpha + beta * full.value() * flopledger::unit::second;
  }
};

/// The line of least squares of relative errors: sizes span decades, and plain squares would see the largest alone.
/// Neither coefficient is negative. Throws `std::invalid_argument` for fewer than two sizes or a time that is none.
latency_line fitted_line(std::span<const sized_time> measured);

/// A link as its messages show it: seconds that one takes beside its volume, and bytes a second.
struct measured_link {
  flopledger::seconds latency{};
  flopledger::byte_rate rate{};
};
/// Of a line through send/receive times.
measured_link link_of(const latency_line& messages);

/// What the library's ring over such a link takes: `collective_time` with a hop of the measured latency and nothing
/// else of a protocol's.
flopledger::seconds ring_prediction(collective what, int ranks, flopledger::bytes full, const measured_link& over);

}  // namespace harness
