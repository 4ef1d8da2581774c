// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// A trace that never exists as a whole: read in the memory of its different names.

#include <cstdio>
#include <cstdlib>
#include <streambuf>

#include <fmt/format.h>
#include <sys/resource.h>

#include "profiles.hpp"
#include "quantities.hpp"

using namespace flopledger;

namespace {

/// Writes one step after another into the reader's hands: a layer with a product inside it, and its kernel.
class endless_trace : public std::streambuf {
 public:
  explicit endless_trace(double total) : left_(total) {
    chunk_ = "{\"schemaVersion\": 1, \"traceEvents\": [\n";
    point();
  }
  double layers() const { return layers_; }
 protected:
  int_type underflow() override {
    if (ended_) return traits_type::eof();
    if (left_ <= 0) {
      chunk_ = "{\"ph\":\"M\",\"name\":\"end\"}]}\n";
      ended_ = true;
    } else {
      char text[1024];
      const double at = 1e15 + 100 * layers_;
      ++layers_;
      const int length = std::snprintf(
          text, sizeof text,
          "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::linear\",\"pid\":1,\"tid\":%d,\"ts\":%.1f,\"dur\":90.0,"
          "\"args\":{\"External id\":%.0f,\"Input Dims\":[[24,32],[64,32]]}},\n"
          "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":1,\"tid\":%d,\"ts\":%.1f,\"dur\":40.0,"
          "\"args\":{\"External id\":%.0f,\"Input Dims\":[[24,32],[32,64]]}},\n"
          "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"ampere_gemm\",\"pid\":0,\"tid\":7,\"ts\":%.1f,\"dur\":50.0,"
          "\"args\":{\"External id\":%.0f,\"device\":0}},\n",
          static_cast<int>(layers_) % 4, at, 2 * layers_, static_cast<int>(layers_) % 4, at + 10, 2 * layers_ + 1,
          at + 20, 2 * layers_ + 1);
      chunk_.assign(text, static_cast<std::size_t>(length));
    }
    left_ -= static_cast<double>(chunk_.size());
    point();
    return traits_type::to_int_type(*gptr());
  }
 private:
  void point() { setg(chunk_.data(), chunk_.data(), chunk_.data() + chunk_.size()); }
  std::string chunk_;
  double left_, layers_ = 0;
  bool ended_ = false;
};

/// The most memory that the process has held, in MiB.
double most_memory() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_maxrss) / 1024;
}

}  // namespace

TEST_CASE("a trace of any length is read in bounded memory") {
  // FLOPLEDGER_TRACE_MB=4000 reads as much.
  const char* const asked = std::getenv("FLOPLEDGER_TRACE_MB");
  const double megabytes = asked != nullptr ? std::atof(asked) : 48;
  endless_trace events(megabytes * 1e6);
  std::istream stream(&events);
  const double before = most_memory();
  const profile::recording r = profile::read(stream, "endless");
  const double more = most_memory() - before;
  if (asked != nullptr)
    WARN(fmt::format("{} MB of trace, {} layers, {:.0f} MiB more memory", megabytes, events.layers(), more));
  REQUIRE(r.samples.size() == 3);
  for (const profile::sample& s : r.samples) {
    CHECK(s.calls == events.layers());
    const double each = s.name == "aten::linear" ? 50e-6 : s.name == "aten::mm" ? 40e-6 : 50e-6;
    CHECK_THAT(s.self, test::near(each * events.layers()));
    CHECK((s.shape.batch > 0) == (s.name != "aten::linear"));
  }
  CHECK_THAT(*r.busy, test::near(50e-6 * events.layers()));
  // Sanitizers keep what was freed, so their limit is another.
#if defined(__SANITIZE_ADDRESS__)
  CHECK(more < 1024);
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
  CHECK(more < 1024);
#else
  CHECK(more < 160);
#endif
#else
  CHECK(more < 160);
#endif
}
