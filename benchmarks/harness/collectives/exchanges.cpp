// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#include "exchanges.hpp"

#include <flopledger/text/number.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace harness {

using namespace flopledger;

collective collective_named(std::string_view name) {
  std::string all;
  for (const collective what : all_collectives) {
    if (name_of(what) == name || (what == collective::send_receive && name == "send-receive")) return what;
    (all += all.empty() ? "" : ", ") += name_of(what);
  }
  throw std::invalid_argument("collective '" + std::string(name) + "' is not one of " + all);
}

exchange_shape shape_of(collective what, int ranks, double size_in_bytes) {
  if (ranks < 2)
    throw std::invalid_argument("ranks: " + std::to_string(ranks) + "; a collective takes two or more (mpirun -np 2)");
  if (!(size_in_bytes > 0 && size_in_bytes < 1e15))
    throw std::invalid_argument("size: " + report::in_full(size_in_bytes) + " bytes; it must be positive and real");
  const auto of = static_cast<std::size_t>(ranks);
  const auto elements = static_cast<std::size_t>(std::ceil(size_in_bytes / sizeof(float)));
  return {.what = what, .ranks = ranks, .full = std::max<std::size_t>(1, (elements + of - 1) / of) * of};
}

std::vector<double> sizes_between(double least, double greatest, double factor) {
  if (!(least > 0 && greatest >= least))
    throw std::invalid_argument("sizes: from " + report::in_full(least) + " to " + report::in_full(greatest) +
                                " bytes is no range");
  if (!(factor > 1)) throw std::invalid_argument("factor: " + report::fixed(factor, 3) + "; it must be above 1");
  std::vector<double> sizes;
  for (double size = least; size <= greatest * (1 + 1e-9); size *= factor) sizes.push_back(size);
  return sizes;
}

float sent_value(int rank, std::size_t index) {
  // splitmix64 (Steele, Lea and Flood 2014) of rank and index.
  std::uint64_t bits_of = (static_cast<std::uint64_t>(rank) << 40) + index + 0x9e3779b97f4a7c15U;
  bits_of = (bits_of ^ bits_of >> 30) * 0xbf58476d1ce4e5b9U;
  bits_of = (bits_of ^ bits_of >> 27) * 0x94d049bb133111ebU;
  bits_of ^= bits_of >> 31;
  return static_cast<float>(static_cast<int>(bits_of % 255) - 127);
}

std::vector<float> sent_by(const exchange_shape& shape, int rank) {
  std::vector<float> values(shape.sent());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = sent_value(rank, i);
  return values;
}

std::optional<double> expected_value(const exchange_shape& shape, int rank, std::size_t index) {
  const auto sum_at = [&](std::size_t at) {
    double sum = 0;
    for (int from = 0; from < shape.ranks; ++from) sum += sent_value(from, at);
    return sum;
  };
  const std::size_t part = shape.part();
  const auto mine = static_cast<std::size_t>(rank) * part;
  switch (shape.what) {
    case collective::all_reduce:
      return sum_at(index);
    case collective::all_gather:
      return sent_value(static_cast<int>(index / part), index % part);
    case collective::reduce_scatter:
      return sum_at(mine + index);
    case collective::all_to_all:
      return sent_value(static_cast<int>(index / part), mine + index % part);
    case collective::broadcast:
      return sent_value(0, index);
    case collective::reduce:
      return rank == 0 ? std::optional(sum_at(index)) : std::nullopt;
    case collective::send_receive:
      return sent_value((rank + shape.ranks - 1) % shape.ranks, index);
  }
  return std::nullopt;
}

difference check_received(const exchange_shape& shape, int rank, std::span<const float> received) {
  difference found;
  if (shape.what == collective::reduce && rank != 0) return found;
  if (received.size() != shape.received())
    return {.wrong = shape.received(),
            .first = std::to_string(received.size()) + " elements came, expected " + std::to_string(shape.received())};
  constexpr std::size_t most = std::size_t{1} << 22;
  // Odd, so that it meets every place within any power of two.
  const std::size_t step = received.size() <= most ? 1 : received.size() / most | 1;
  const auto check = [&](std::size_t i) {
    ++found.checked;
    const double expected = *expected_value(shape, rank, i);
    if (received[i] == expected) return;  // a NaN, of what was never written, is not
    if (found.wrong++ == 0)
      found.first = "element " + std::to_string(i) + " is " + std::to_string(received[i]) + ", expected " +
                    std::to_string(expected);
  };
  for (std::size_t i = 0; i < received.size(); i += step) check(i);
  if (!received.empty() && (received.size() - 1) % step != 0) check(received.size() - 1);
  return found;
}

latency_line fitted_line(std::span<const sized_time> measured) {
  // Weighted by 1/t²: with x = S/t and u = 1/t, the least of Σ(α·u + β·x − 1)².
  double uu = 0, ux = 0, xx = 0, u = 0, x = 0;
  for (const sized_time& one : measured) {
    const double took = one.took.value(), size = one.full.value();
    if (!(took > 0 && std::isfinite(took) && size > 0 && std::isfinite(size)))
      throw std::invalid_argument("fit: " + report::scaled(took, "s") + " for " + report::scaled(size, "B") +
                                  " is no measurement");
    uu += 1 / (took * took);
    ux += size / (took * took);
    xx += size * size / (took * took);
    u += 1 / took;
    x += size / took;
  }
  const double determinant = uu * xx - ux * ux;
  if (measured.size() < 2 || !(determinant > 1e-12 * uu * xx))
    throw std::invalid_argument("fit: a line takes two sizes or more");
  double alpha = (u * xx - x * ux) / determinant, beta = (x * uu - u * ux) / determinant;
  if (alpha < 0) {
    alpha = 0;
    beta = x / xx;
  } else if (beta < 0) {
    beta = 0;
    alpha = u / uu;
  }
  latency_line fitted{.alpha = alpha * unit::second, .beta = beta};
  for (const sized_time& one : measured)
    fitted.worst_error = std::max(fitted.worst_error, std::fabs((fitted.at(one.full) - one.took) / one.took));
  return fitted;
}

measured_link link_of(const latency_line& messages) {
  if (!(messages.beta > 0)) throw std::invalid_argument("link: messages did not grow slower with size: no bandwidth");
  return {.latency = messages.alpha, .rate = 1 / messages.beta * unit::byte / unit::second};
}

seconds ring_prediction(collective what, int ranks, bytes full, const measured_link& over) {
  const double hop = over.latency.value();
  const protocol by{.name = "measured", .ring_hop = {hop, hop, hop}};
  const node in{.id = "measured", .devices = ranks, .scale_up = symmetric("measured", link_kind::scale_up, over.rate)};
  // A message crosses one link however many ranks pass messages on.
  const std::int64_t along = what == collective::send_receive ? 2 : ranks;
  return collective_time(what, full, {.ranks = along, .nodes = 1, .ranks_a_node = along}, in, algorithm::ring, by);
}

}  // namespace harness
