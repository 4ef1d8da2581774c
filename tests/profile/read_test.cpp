// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// What each format says, and what is said of a file that is none of them.

#include "profiles.hpp"
#include "quantities.hpp"

using namespace flopledger;
using profile::format;
using profile::measured_on;
using profile::phase;

namespace {

std::string trace_of(const std::string& events) { return "{\"schemaVersion\": 1, \"traceEvents\": [" + events + "]}"; }

std::string op(const std::string& name, double start, double length, const std::string& more = "") {
  return "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"" + name +
         "\", \"pid\": 1, \"tid\": 1, \"ts\": " + std::to_string(start) + ", \"dur\": " + std::to_string(length) +
         more + "}";
}

double self_of(const profile::recording& r, const std::string& name) {
  double sum = 0;
  for (const profile::sample& s : r.samples)
    if (s.name == name) sum += s.self * 1e6;
  return sum;
}

}  // namespace

TEST_CASE("nested events lose what runs inside them, in whatever order they stand") {
  const std::string linear = op("aten::linear", 100, 50, ", \"args\": {\"Input Dims\": [[4, 8], [16, 8], [16]]}"),
                    addmm = op("aten::addmm", 110, 30, ", \"args\": {\"Input Dims\": [[16], [4, 8], [8, 16], [], []]}"),
                    copy = op("aten::copy_", 115, 5), next = op("aten::add", 150, 10);
  const std::string text =
      GENERATE_COPY(linear + "," + addmm + "," + copy + "," + next, next + "," + copy + "," + addmm + "," + linear);
  const profile::recording r = test::read_text(trace_of(text));
  CHECK_THAT(self_of(r, "aten::linear"), test::near(20));
  CHECK_THAT(self_of(r, "aten::addmm"), test::near(25));
  CHECK_THAT(self_of(r, "aten::copy_"), test::near(5));
  CHECK_THAT(self_of(r, "aten::add"), test::near(10));
  CHECK_THAT(*r.elapsed, test::near(60e-6));
  // The layer calls a product: one product, not two.
  for (const profile::sample& s : r.samples) CHECK((s.shape.batch > 0) == (s.name == "aten::addmm"));
}

TEST_CASE(
    "clocks of whole microseconds: an event may end after the one around it, or begin before its neighbour ends") {
  const profile::recording inside = test::read_text(trace_of(op("a", 0, 10) + "," + op("b", 4, 7)));
  CHECK_THAT(self_of(inside, "a") + self_of(inside, "b"), test::near(10));
  const profile::recording beside = test::read_text(trace_of(op("a", 0, 10) + "," + op("b", 9, 10)));
  CHECK_THAT(self_of(beside, "a"), test::near(10));
  CHECK_THAT(self_of(beside, "b"), test::near(9));
}

TEST_CASE("the backward pass and the optimizer are what runs inside their ranges") {
  const profile::recording r = test::read_text(
      trace_of(op("aten::mul", 0, 1) + "," + op("autograd::engine::evaluate_function: MulBackward0", 2, 5) + "," +
               op("aten::mul", 3, 2) + "," + op("Optimizer.step#AdamW.step", 10, 5) + "," + op("aten::mul", 11, 2)));
  int seen = 0;
  for (const profile::sample& s : r.samples)
    if (s.name == "aten::mul") {
      ++seen;
      CHECK((s.when == phase::forward || s.when == phase::backward || s.when == phase::optimizer));
    }
  CHECK(seen == 3);
}

TEST_CASE("a trace that is broken, cut short or another tool's gets one line with its place") {
  const std::string good = trace_of(op("a", 0, 10) + ",\n" + op("b", 20, 5));
  CHECK(test::complaint_about(good).empty());
  for (std::size_t n = 1; n < good.size(); ++n) {
    CAPTURE(n);
    const std::string said = test::complaint_about(good.substr(0, n));
    CHECK(test::says(said, "given: line ", "cut short"));
    CHECK(said.find('\n') == std::string::npos);
  }
  CHECK(test::complaint_about("") == "given: empty");
  CHECK(test::complaint_about(" \n ") == "given: empty");
  CHECK(test::says(test::complaint_about("{}"), "no traceEvents"));
  CHECK(test::says(test::complaint_about("{\"traceEvents\": {}}"), "traceEvents is no array"));
  CHECK(test::says(test::complaint_about("{\"traceEvents\": []}"), "none of PyTorch"));
  CHECK(test::says(test::complaint_about("[{\"ph\":\"X\",\"cat\":\"toplevel\",\"name\":\"x\",\"ts\":1,\"dur\":2}]"),
                   "none of PyTorch: of its 1 events"));
  CHECK(test::says(test::complaint_about(good + "x"), "follows the end"));
  CHECK(test::says(test::complaint_about(trace_of(op("a", 0, 10) + "\n,\n{\"ph\": X}")), "line 3"));
  CHECK(test::says(test::complaint_about(trace_of("1")), "not an object"));
  CHECK(test::says(test::complaint_about(trace_of(op("a", 0, 1) + " " + op("b", 0, 1))), "comma"));
  CHECK(test::says(test::complaint_about(trace_of(op("a", 0, -1))), "negative dur"));
  CHECK(test::says(test::complaint_about(trace_of("{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a\",\"ts\":1}")),
                   "without ts or dur"));
  CHECK(test::says(test::complaint_about("\x1F\x8B\x08"), "gunzip"));
  CHECK(test::says(test::complaint_about("hello"), "the columns are not those of any profiler's table: hello"));
  CHECK(test::says(test::complaint_about("a,b\n1,2\n"), "line 1", "a, b"));
}

TEST_CASE("an event that comes later than a whole window is not guessed about") {
  std::istringstream stream(trace_of(op("a", 10, 1) + "," + op("b", 20, 1) + "," + op("c", 30, 1) + "," +
                                     op("d", 40, 1) + "," + op("late", 0, 100)));
  profile::text_source in(stream, "given", 1);
  std::string said;
  try {
    profile::read_chrome_trace(in, {}, {.window = 2});
  } catch (const profile::unreadable& problem) {
    said = problem.what();
  }
  CHECK(test::says(said, "given: line 1: ", "sort the trace by ts"));
}

TEST_CASE("Nsight Systems' kernel summary") {
  const profile::recording r = test::recording_of("nsys_kernels.csv");
  REQUIRE(r.samples.size() == 5);
  CHECK(r.samples[1].name.find("flash_fwd_kernel<Flash_fwd_kernel_traits<(int)128, (int)128>>") != std::string::npos);
  CHECK(r.samples[0].calls == 9);
  CHECK_THAT(r.samples[0].self, test::near(450e-6));
  CHECK_THAT(test::read_text("Time (%),Total Time (us),Count,Avg (us),Operation\n100,5,2,2.5,[CUDA memcpy DtoH]\n")
                 .samples[0]
                 .self,
             test::near(5e-6));
  CHECK(test::says(test::complaint_about("Total Time (ns),Instances,Name\n1,2\n"), "2 fields under 3 columns"));
  CHECK(test::says(test::complaint_about("Total Time (ns),Instances,Name\nx,2,k\n"),
                   "line 2: Total Time (ns) is no number"));
  CHECK(test::says(test::complaint_about("Total Time (ns),Instances,Name\n1,2,\"k\n"), "cut short"));
  CHECK(test::says(test::complaint_about("Total Time (ns),Instances,Name\n"), "without a line"));
}

TEST_CASE("Nsight Compute, both pages") {
  const std::string file = GENERATE("ncu_details.csv", "ncu_raw.csv");
  const profile::recording r = test::recording_of(file);
  REQUIRE(r.samples.size() == 2);
  CHECK_THAT(r.samples[0].self, test::near(1250.5e-6));
  CHECK_THAT(r.samples[1].self, test::near(250e-6));
  CHECK(test::says(test::complaint_about("Kernel Name,Metric Name,Metric Unit,Metric Value\nk,DRAM Frequency,hz,5\n"),
                   "without a duration"));
  CHECK(test::says(test::complaint_about("Kernel Name,Metric Name,Metric Unit,Metric Value\nk,Duration,cycle,5\n"),
                   "no time"));
}

TEST_CASE("MindSpore's kernels have shapes, whichever side is transposed") {
  const profile::recording r = test::recording_of("mindspore_kernel_details.csv");
  CHECK(r.steps == 1);
  REQUIRE(r.samples.size() == 3);
  CHECK(r.samples[0].shape.n == 32);
  CHECK(r.samples[1].shape.n == 16);
  CHECK(r.samples[1].shape.k == 32);
  CHECK(r.samples[2].shape.batch == 0);
}

TEST_CASE("a table of one's own") {
  const profile::recording r = test::recording_of("plain.csv");
  REQUIRE(r.samples.size() == 4);
  CHECK(r.has_flops);
  CHECK(r.samples[0].flops == 49152);
  CHECK(r.samples[0].when == phase::forward);
  CHECK(r.samples[1].shape.n == 16);
  CHECK(r.samples[3].name == "loader, waiting");
  CHECK(r.samples[3].where == measured_on::host);
  CHECK(test::says(test::complaint_about("name,calls,total_us,colour\n"), "unknown column \"colour\""));
  CHECK(test::says(test::complaint_about("name,calls,total_us,m\na,1,2,3\n"), "of m, n and k one is missing"));
  CHECK(test::says(test::complaint_about("name,calls,total_us,place\na,1,2,moon\n"), "neither device nor host"));
  CHECK(test::says(test::complaint_about("name,calls,total_us\na,1,nan\n"), "no number"));
}

TEST_CASE("key_averages: a table cut short, or of other columns") {
  const std::string whole = test::content_of("gpt2.table.txt");
  const std::size_t last = whole.rfind("------\n");
  CHECK(test::says(test::complaint_about(whole.substr(0, whole.rfind('\n', last - 300) + 1)), "cut short"));
  CHECK_FALSE(test::complaint_about(whole.substr(0, last - 300)).empty());
  CHECK(test::says(test::complaint_about("-------\n"), "cut short"));
  CHECK(
      test::says(test::complaint_about("-------  -------\nFoo      Bar\n-------  -------\n"), "none of key_averages"));
  const profile::recording device = test::read_text(
      "------------  ------------  ------------  ------------  ------------\n"
      "        Name      Self CPU     CPU total     Self CUDA    # of Calls\n"
      "------------  ------------  ------------  ------------  ------------\n"
      "    aten::mm       1.000us       2.000us       1.500ms             3\n"
      "ampere_sgemm       0.000us       0.000us       1.500ms             3\n"
      "------------  ------------  ------------  ------------  ------------\n"
      "Self CPU time total: 1.000us\n");
  double on_device = 0;
  for (const profile::sample& s : device.samples)
    if (s.where == measured_on::device) on_device += s.self;
  CHECK_THAT(on_device, test::near(1.5e-3));  // the operator's share and its kernel's are the same time
}

TEST_CASE("a format that is named is held to") {
  CHECK(test::says(test::complaint_about("name,calls,total_us\na,1,2\n", format::nsight_systems), "not those of nsys"));
  CHECK(test::says(test::complaint_about("name,calls,total_us\na,1,2\n", format::chrome_trace), "not a trace"));
  CHECK(test::says(test::complaint_about("name,calls,total_us\na,1,2\n", format::key_averages), "no line of dashes"));
}
