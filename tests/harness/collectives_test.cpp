// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// The books of measured collectives: what must come, what is found wrong, lines through times, text and JSON. That real
// libraries agree about what must come is tested by running mfu_harness --collectives.

#include <cmath>
#include <limits>

#include "catch.hpp"
#include "collectives/measured.hpp"
#include "verification.hpp"

namespace {

using namespace harness;
using flopledger::bytes;
using flopledger::seconds;
namespace unit = flopledger::unit;

constexpr auto nan_float = std::numeric_limits<float>::quiet_NaN();

// The collectives by the words of the MPI standard (4.0, chapter 6), over arrays of all ranks at once.
std::vector<std::vector<float>> exchanged(const exchange_shape& shape) {
  const auto ranks = static_cast<std::size_t>(shape.ranks);
  std::vector<std::vector<float>> sent, received(ranks);
  for (int rank = 0; rank < shape.ranks; ++rank) sent.push_back(sent_by(shape, rank));
  std::vector<float> sums(sent[0].size(), 0.0F);
  for (const auto& one : sent)
    for (std::size_t i = 0; i < one.size(); ++i) sums[i] += one[i];
  std::vector<float> joined;
  for (const auto& one : sent) joined.insert(joined.end(), one.begin(), one.end());
  const auto part = static_cast<std::ptrdiff_t>(shape.part());
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const auto at = static_cast<std::ptrdiff_t>(rank) * part;
    switch (shape.what) {
      case collective::all_reduce:
        received[rank] = sums;
        break;
      case collective::reduce:
        received[rank] = rank == 0 ? sums : std::vector<float>(shape.full, nan_float);
        break;
      case collective::all_gather:
        received[rank] = joined;
        break;
      case collective::broadcast:
        received[rank] = sent[0];
        break;
      case collective::reduce_scatter:
        received[rank].assign(sums.begin() + at, sums.begin() + at + part);
        break;
      case collective::all_to_all:  // the j-th block of rank i goes to the i-th place of rank j
        for (const auto& one : sent)
          received[rank].insert(received[rank].end(), one.begin() + at, one.begin() + at + part);
        break;
      case collective::send_receive:
        received[rank] = sent[(rank + ranks - 1) % ranks];
        break;
    }
  }
  return received;
}

// One rank of a group whose others do as they should, on links of a known latency and bandwidth.
class simulated final : public transport {
 public:
  simulated(int ranks, double alpha, double beta) : ranks_(ranks), alpha_(alpha), beta_(beta) {}
  std::size_t wrong_element = std::numeric_limits<std::size_t>::max();
  double wrong_elsewhere = 0;

  std::string name() const override { return "simulated"; }
  std::vector<std::pair<std::string, std::string>> provenance() const override { return {}; }
  int rank() const override { return 1; }
  int ranks() const override { return ranks_; }
  std::unique_ptr<exchange> prepare(const exchange_shape& shape) override {
    full_ = shape.size().value();
    auto made = std::make_unique<one>();
    made->values = exchanged(shape)[1];
    if (wrong_element < made->values.size()) made->values[wrong_element] += 1;
    return made;
  }
  double time(exchange&, int runs) override {
    runs_ += runs;
    const double took = runs * (alpha_ + beta_ * full_);
    now_ += took;
    return took;
  }
  double greatest(double value) override { return value; }
  double sum(double value) override { return value + wrong_elsewhere; }
  int runs_ = 0;
 private:
  struct one final : exchange {
    std::vector<float> values;
    void run() override {}
    std::vector<float> received() override { return values; }
  };
  int ranks_;
  double alpha_, beta_, full_ = 0, now_ = 0;
};

// What a call throws; empty where it does not.
template <class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const std::exception& e) {
    return e.what();
  }
  return {};
}

const sampling_rule quick{.least_samples = 4, .least_time = 1e-3, .most_warm_up = 0.5, .most_time = 1};

}  // namespace

TEST_CASE("what must come is what the MPI standard says") {
  for (const int ranks : {2, 3, 5})
    for (const collective what : all_collectives) {
      const exchange_shape shape = shape_of(what, ranks, 60 * 4);
      REQUIRE(shape.full == 60);
      const auto received = exchanged(shape);
      for (int rank = 0; rank < ranks; ++rank) {
        const difference found = check_received(shape, rank, received[static_cast<std::size_t>(rank)]);
        INFO(flopledger::name_of(what) << " among " << ranks << ", rank " << rank << ": " << found.first);
        CHECK(found.wrong == 0);
        CHECK(found.checked == (what == collective::reduce && rank != 0 ? 0 : shape.received()));
      }
    }
}

TEST_CASE("one wrong element of any is found") {
  for (const collective what : all_collectives) {
    const exchange_shape shape = shape_of(what, 3, 60 * 4);
    std::vector<float> received = exchanged(shape)[0];
    for (std::size_t i = 0; i < received.size(); ++i) {
      const float right = received[i];
      received[i] = nan_float;  // never written
      CHECK(check_received(shape, 0, received).wrong == 1);
      received[i] = right + 1;
      CHECK(check_received(shape, 0, received).wrong == 1);
      received[i] = right;
    }
    received.pop_back();
    CHECK(check_received(shape, 0, received).wrong > 0);
  }
  // Another rank's part is not this one's.
  const exchange_shape scattered = shape_of(collective::reduce_scatter, 3, 60 * 4);
  CHECK(check_received(scattered, 0, exchanged(scattered)[1]).wrong > 15);
}

TEST_CASE("of a long array the elements checked are spread over all of it") {
  exchange_shape shape = shape_of(collective::broadcast, 2, 4.0 * (std::size_t{10} << 20));
  std::vector<float> received = sent_by(shape, 0);
  difference found = check_received(shape, 1, received);
  CHECK(found.wrong == 0);
  CHECK(found.checked > std::size_t{3} << 20);
  std::fill(received.begin() + 5'000'000, received.begin() + 5'000'064, 1000.0F);
  CHECK(check_received(shape, 1, received).wrong > 10);
  received = sent_by(shape, 0);
  received.back() = nan_float;
  CHECK(check_received(shape, 1, received).wrong == 1);
}

TEST_CASE("what is sent is whole, bounded, random, and another's differs") {
  double sum = 0;
  int alike = 0;
  for (std::size_t i = 0; i < 10000; ++i) {
    const float value = sent_value(3, i);
    REQUIRE(value == std::floor(value));
    REQUIRE(std::fabs(value) <= 127);
    sum += value;
    alike += value == sent_value(4, i) ? 1 : 0;
  }
  CHECK(std::fabs(sum / 10000) < 4);  // five standard deviations of the mean: 73.6 / 100 each
  CHECK(alike < 120);                 // 39 are expected
}

TEST_CASE("sizes are multiples of the ranks, and bad ones are refused by name") {
  CHECK(shape_of(collective::all_gather, 3, 100).full == 27);
  CHECK(shape_of(collective::all_gather, 3, 100).sent() == 9);
  CHECK(shape_of(collective::reduce_scatter, 8, 1).full == 8);
  CHECK(shape_of(collective::all_reduce, 2, 4096).size() == 4096. * unit::byte);
  CHECK(sizes_between(4, 64, 4) == std::vector<double>{4, 16, 64});
  CHECK(message_of([&] { shape_of(collective::all_reduce, 1, 64); }).find("ranks: 1") != std::string::npos);
  CHECK(message_of([&] { shape_of(collective::all_reduce, 2, -64); }).find("size: -64") != std::string::npos);
  CHECK(message_of([&] { shape_of(collective::all_reduce, 2, std::nan("")); }).find("size: nan") != std::string::npos);
  CHECK(message_of([&] { sizes_between(64, 4, 2); }).find("from 64 to 4") != std::string::npos);
  CHECK(message_of([&] { sizes_between(4, 64, 1); }).find("factor: 1") != std::string::npos);
  CHECK(collective_named("all-to-all") == collective::all_to_all);
  CHECK(collective_named("send-receive") == collective::send_receive);
  CHECK(message_of([&] { collective_named("alltoall"); }).find("'alltoall'") != std::string::npos);
}

TEST_CASE("a line of known latency and bandwidth is found again") {
  std::vector<sized_time> measured;
  for (double size = 1024; size < 1e9; size *= 4)
    measured.push_back({size * unit::byte, (5e-6 + size / 12e9) * unit::second});
  const latency_line fitted = fitted_line(measured);
  CHECK_THAT(fitted.alpha.value(), Catch::Matchers::WithinRel(5e-6, 1e-9));
  CHECK_THAT(fitted.beta, Catch::Matchers::WithinRel(1 / 12e9, 1e-9));
  CHECK(fitted.worst_error < 1e-9);

  // Noise of 5 % moves neither far, for errors count by their share: plain squares would lose the latency.
  for (std::size_t i = 0; i < measured.size(); ++i) measured[i].took *= i % 2 == 0 ? 1.05 : 0.95;
  const latency_line noisy = fitted_line(measured);
  CHECK_THAT(noisy.alpha.value(), Catch::Matchers::WithinRel(5e-6, 0.06));
  CHECK_THAT(noisy.beta, Catch::Matchers::WithinRel(1 / 12e9, 0.06));
  CHECK(noisy.worst_error < 0.11);

  // Neither is negative.
  CHECK(fitted_line(
            std::vector<sized_time>{{1e3 * unit::byte, 1e-6 * unit::second}, {1e6 * unit::byte, 1e-2 * unit::second}})
            .alpha == seconds{});
  CHECK(fitted_line(
            std::vector<sized_time>{{1e3 * unit::byte, 2e-6 * unit::second}, {1e6 * unit::byte, 1e-6 * unit::second}})
            .beta == 0);
  const auto fit_of = [](std::vector<sized_time> points) { return fitted_line(points); };
  CHECK(message_of([&] { fit_of({{1e3 * unit::byte, 1e-6 * unit::second}}); }).find("two sizes") != std::string::npos);
  CHECK(message_of([&] {
          fit_of({{1e3 * unit::byte, 1e-6 * unit::second}, {1e3 * unit::byte, 2e-6 * unit::second}});
        }).find("two sizes") != std::string::npos);
  CHECK(message_of([&] {
          fit_of({{1e3 * unit::byte, seconds{}}, {1e6 * unit::byte, 1e-6 * unit::second}});
        }).find("no measurement") != std::string::npos);
}

// Thakur, Rabenseifner and Gropp 2005, tables of section 4: a ring all-gather takes (p−1)·α + (p−1)/p·n·β, an
// all-reduce by a ring reduce-scatter and all-gather twice that.
TEST_CASE("the ring of a link is that of Thakur et al.") {
  const measured_link link{.latency = 10e-6 * unit::second, .rate = 1e9 * (unit::byte / unit::second)};
  const bytes full = 8e6 * unit::byte;
  const auto of = [&](collective what) { return ring_prediction(what, 8, full, link).value(); };
  CHECK_THAT(of(collective::all_gather), Catch::Matchers::WithinRel(7 * 10e-6 + 7e-3, 1e-9));
  CHECK_THAT(of(collective::reduce_scatter), Catch::Matchers::WithinRel(7 * 10e-6 + 7e-3, 1e-9));
  CHECK_THAT(of(collective::all_reduce), Catch::Matchers::WithinRel(2 * (7 * 10e-6 + 7e-3), 1e-9));
  CHECK_THAT(of(collective::all_to_all), Catch::Matchers::WithinRel(7 * 10e-6 + 7e-3, 1e-9));
  CHECK_THAT(of(collective::send_receive), Catch::Matchers::WithinRel(10e-6 + 8e-3, 1e-9));
}

TEST_CASE("a collective is measured, and its rates are those of nccl-tests") {
  simulated group(8, 20e-6, 1 / 10e9);
  const measured_exchange one = measured(group, shape_of(collective::all_reduce, 8, 8e6), quick);
  const double took = 20e-6 + 8e6 / 10e9;
  CHECK_THAT(one.times.median(), Catch::Matchers::WithinRel(took, 1e-9));
  CHECK(one.times.samples.size() >= 4);
  CHECK(one.checked == 2e6);
  // nccl-tests, doc/PERFORMANCE.md: algbw = S/t; busbw of an all-reduce = algbw · 2(n−1)/n
  CHECK_THAT(algorithm_bandwidth(one).value(), Catch::Matchers::WithinRel(8e6 / took, 1e-9));
  CHECK_THAT(bus_bandwidth(one).value(), Catch::Matchers::WithinRel(8e6 / took * 1.75, 1e-9));

  // What is short is repeated, and reported a run.
  const measured_exchange tiny = measured(group, shape_of(collective::all_reduce, 8, 64), quick);
  CHECK(tiny.times.repetitions > 5);
  CHECK_THAT(tiny.times.median(), Catch::Matchers::WithinRel(20e-6 + 64 / 10e9, 1e-9));
}

TEST_CASE("nothing is timed of a collective that is wrong") {
  simulated group(4, 20e-6, 1 / 10e9);
  group.wrong_element = 5;
  CHECK_THROWS_AS(measured(group, shape_of(collective::all_reduce, 4, 4096), quick), wrong_result);
  CHECK(group.runs_ == 1);
  CHECK(message_of([&] {
          measured(group, shape_of(collective::all_to_all, 4, 4096), quick);
        }).find("all-to-all of 4096 bytes among 4 ranks: rank 1: 1 of 1024") != std::string::npos);
  CHECK(message_of([&] { measured(group, shape_of(collective::all_to_all, 4, 4096), quick); }).find("element 5 is ") !=
        std::string::npos);
  group.wrong_element = 1u << 20;
  group.wrong_elsewhere = 3;
  CHECK(message_of([&] { measured(group, shape_of(collective::all_reduce, 4, 4096), quick); }).find("another is not") !=
        std::string::npos);
}

TEST_CASE("the record holds every sample, both predictions and their provenance") {
  collectives_record record{.provenance = {{"mpi", "a \"library\""}},
                            .transport_name = "simulated",
                            .ranks = 4,
                            .measurements = {},
                            .fits = {},
                            .link = {}};
  simulated group(4, 20e-6, 1 / 10e9);
  for (const collective what : {collective::all_gather, collective::send_receive})
    for (const double size : sizes_between(4096, 4194304, 32))
      record.measurements.push_back(measured(group, shape_of(what, 4, size), quick));
  fit(record);
  REQUIRE(record.fits.size() == 2);
  REQUIRE(record.link.has_value());
  CHECK_THAT(record.link->latency.value(), Catch::Matchers::WithinRel(20e-6, 1e-6));
  CHECK_THAT(record.link->rate.value(), Catch::Matchers::WithinRel(10e9, 1e-6));

  const nlohmann::json read = nlohmann::json::parse(json_of(record).dump());
  CHECK(read.at("schema") == "flopledger.collectives");
  CHECK(read.at("version") == 1);
  CHECK(read.at("provenance").at("mpi") == "a \"library\"");
  REQUIRE(read.at("measurements").size() == 6);
  const auto& last = read.at("measurements").at(5);
  CHECK(last.at("collective") == "send/receive");
  CHECK(last.at("full_bytes") == 4194304);
  CHECK(last.at("sample_seconds").size() == record.measurements[5].times.samples.size());
  CHECK(last.at("samples") == record.measurements[5].times.samples.size());
  CHECK_THAT(last.at("ring_of_the_link_seconds").get<double>(),
             Catch::Matchers::WithinRel(last.at("median_seconds").get<double>(), 1e-6));
  CHECK(read.at("lines").size() == 2);

  const std::string text = text_of(record);
  CHECK(text.find("all-gather") != std::string::npos);
  CHECK(text.find("4 MiB") != std::string::npos);
  CHECK(text.find("(1.00)") != std::string::npos);

  // Without messages there is no link, and with one size there is no line.
  record.measurements.resize(1);
  fit(record);
  CHECK(record.fits.empty());
  CHECK_FALSE(record.link.has_value());
  CHECK_FALSE(json_of(record).contains("link"));
}
