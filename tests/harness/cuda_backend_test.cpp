// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// The CUDA back end on a device that is not there (fake/fake_cuda.hpp): every kernel is verified against the harness's
// reference, and what goes wrong goes wrong by name. Compiled where CUDA's headers are; no library and no GPU is used.

#ifdef HARNESS_HAS_CUDA_HEADERS

#include <algorithm>
#include <cmath>

#include "backend.hpp"
#include "catch.hpp"
#include "fake/fake_cuda.hpp"
#include "measurement.hpp"
#include "verification.hpp"

namespace {

using namespace harness;

struct fresh {
  fresh() { fake_cuda::reset(); }
  ~fresh() { fake_cuda::reset(); }
  fresh(const fresh&) = delete;
  fresh& operator=(const fresh&) = delete;
};

std::string message_of(const auto& call) {
  try {
    call();
  } catch (const std::exception& e) {
    return e.what();
  }
  return {};
}
bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

constexpr number_kind formats[] = {number_kind::fp32, number_kind::tf32,     number_kind::bf16,
                                   number_kind::fp16, number_kind::fp8_e4m3, number_kind::int8};
constexpr sampling_rule quick{.least_samples = 3, .least_time = 1e-6, .noise = 1, .most_warm_up = 1, .most_time = 5};

}  // namespace

TEST_CASE("cuda: products of every format and order are what the reference says") {
  const fresh setting;
  const auto on = make_cuda_backend({});
  for (const number_kind format : formats)
    for (const bool left_transposed : {false, true})
      for (const bool right_transposed : {false, true}) {
        const product_shape shape{.batch = 3,
                                  .m = 5,
                                  .n = 24,
                                  .k = 40,
                                  .format = format,
                                  .left_transposed = left_transposed,
                                  .right_transposed = right_transposed};
        INFO(described(shape));
        REQUIRE(on->supports(shape));
        const auto ready = on->prepare(shape, 7, 0);
        CHECK(verify(*ready, shape, 7).entries > 10);
        CHECK(holds(ready->description(), "cublasLtMatmul"));
      }
}

TEST_CASE("cuda: attention forward and backward, shared heads, masks and unlike widths, is what the reference says") {
  const fresh setting;
  const auto on = make_cuda_backend({});
  for (const number_kind format : {number_kind::fp32, number_kind::tf32, number_kind::bf16, number_kind::fp16})
    for (const bool backward : {false, true})
      for (const bool causal : {false, true}) {
        const attention_shape shape{.batch = 2,
                                    .heads = 6,
                                    .kv_heads = 2,
                                    .queries = 7,
                                    .keys = 9,
                                    .key_dim = 16,
                                    .value_dim = 8,
                                    .format = format,
                                    .causal = causal,
                                    .backward = backward};
        INFO(described(shape));
        REQUIRE(on->supports(shape));
        const auto ready = on->prepare(shape, 5, 0);
        CHECK(verify(*ready, shape, 5).entries >= 12);
      }
}

TEST_CASE("cuda: attention is fused where cuDNN does that, and right where it does not") {
  const fresh setting;
  const auto on = make_cuda_backend({});
  for (const bool fuses : {true, false})
    for (const bool backward : {false, true}) {
      fake_cuda::settings().fuses_attention = fuses;
      const attention_shape shape{.batch = 2,
                                  .heads = 4,
                                  .kv_heads = 2,
                                  .queries = 5,
                                  .keys = 6,
                                  .key_dim = 16,
                                  .value_dim = 8,
                                  .format = number_kind::bf16,
                                  .backward = backward};
      INFO(described(shape));
      const auto ready = on->prepare(shape, 5, 1e5);
      CHECK(
          holds(ready->description(), fuses ? "cuDNN, fused attention" : "products, not fused (cudnnBackendFinalize"));
      if (fuses) CHECK(holds(ready->description(), "engine 2 of 2"));
      kernel* const sequence[] = {ready.get()};
      const fake_cuda::counters before = fake_cuda::counted();
      on->time(sequence, 3, timing_mode::steady);
      CHECK(fake_cuda::counted().attentions - before.attentions == (fuses ? 3 : 0));
      CHECK(fake_cuda::counted().products - before.products == (fuses ? 0 : backward ? 15 : 6));
      CHECK(verify(*ready, shape, 5).entries >= 12);
    }
  const attention_shape causal{
      .heads = 2, .queries = 4, .keys = 4, .key_dim = 8, .value_dim = 8, .format = number_kind::fp16, .causal = true};
  CHECK(holds(on->prepare(causal, 5, 0)->description(), "not fused (it is causal"));
}

TEST_CASE("cuda: a wrong product is found before it is timed") {
  const fresh setting;
  const auto on = make_cuda_backend({});
  fake_cuda::settings().products_go_wrong = true;
  const product_shape shape{.m = 4, .n = 16, .k = 16, .format = number_kind::bf16};
  CHECK_THROWS_AS(measure(*on, shape, {.rule = quick}), wrong_result);
}

TEST_CASE("cuda: the fastest algorithm that runs is kept, and named") {
  const fresh setting;
  const auto on = make_cuda_backend({});
  const product_shape shape{.m = 4, .n = 16, .k = 16, .format = number_kind::bf16};
  CHECK(holds(on->prepare(shape, 1, 0)->description(), "algorithm 2,"));
  CHECK(holds(on->prepare(shape, 1, 0)->description(), "(fastest of 3)"));  // the fourth wants too much workspace
  fake_cuda::settings().heuristic_fails_at = 2;
  CHECK(holds(on->prepare(shape, 1, 0)->description(), "algorithm 0,"));
  CHECK(holds(on->prepare(shape, 1, 0)->description(), "(fastest of 2)"));
}

TEST_CASE("cuda: sets rotate through a footprint, and a cold run is one run") {
  const fresh setting;
  const auto on = make_cuda_backend({});
  const product_shape shape{.m = 64, .n = 64, .k = 64, .format = number_kind::fp32};
  const double before = on->memory().allocated;
  const auto ready = on->prepare(shape, 1, 200000);
  CHECK(on->memory().allocated - before == 5 * 3 * 64 * 64 * 4);  // 49 152 bytes a set
  kernel* const sequence[] = {ready.get()};
  const long products = fake_cuda::counted().products, sets = fake_cuda::counted().sets;
  const double three = on->time(sequence, 3, timing_mode::steady), one = on->time(sequence, 1, timing_mode::cold);
  CHECK(fake_cuda::counted().products - products == 4);
  CHECK(fake_cuda::counted().sets - sets == 2);
  CHECK_THAT(three, Catch::Matchers::WithinRel(3 * one, 1e-4));
  // The time of the products alone, without that of the memory that was set: as fake_cuda has it.
  CHECK_THAT(one, Catch::Matchers::WithinRel(5e-6 + 64. * 64 * 64 / 400e12, 1e-4));
  CHECK(verify(*ready, shape, 1).entries > 0);
}

TEST_CASE("cuda: the stream is held while work is queued, and let go before anybody waits") {
  const fresh setting;
  fake_cuda::settings().own_kernels = true;
  const auto on = make_cuda_backend({});
  const product_shape shape{.m = 64, .n = 64, .k = 64, .format = number_kind::bf16};
  const auto ready = on->prepare(shape, 1, 0);
  kernel* const sequence[] = {ready.get()};
  const double alone = 5e-6 + 64. * 64 * 64 / 400e12;
  CHECK_THAT(on->time(sequence, 1, timing_mode::cold), Catch::Matchers::WithinRel(alone, 1e-3));
  CHECK_THAT(on->time(sequence, 200, timing_mode::steady), Catch::Matchers::WithinRel(200 * alone, 1e-3));
  CHECK_THAT(on->clock().value_or(0), Catch::Matchers::WithinRel(1.755e9, 1e-4));

  // Work that waits for the device while it is queued: nvbench's deadlock.
  struct waiting final : kernel {
    backend& on;
    explicit waiting(backend& device) : on(device) {}
    void enqueue() override { static_cast<void>(on.clock()); }
    std::vector<double> result(int, std::span<const std::size_t>) override { return {}; }
    std::string description() const override { return {}; }
  } one(*on);
  kernel* const waits[] = {&one};
  CHECK(holds(message_of([&] { on->time(waits, 1, timing_mode::steady); }), "waited for the device itself"));
  CHECK_THAT(on->time(sequence, 1, timing_mode::steady), Catch::Matchers::WithinRel(alone, 1e-3));

  // A throw from among the work does not leave the stream held: the kernel's memory can be freed.
  struct throwing final : kernel {
    void enqueue() override { throw std::runtime_error("no"); }
    std::vector<double> result(int, std::span<const std::size_t>) override { return {}; }
    std::string description() const override { return {}; }
  } bad;
  kernel* const throws[] = {ready.get(), &bad};
  CHECK(message_of([&] { on->time(throws, 1, timing_mode::steady); }) == "no");
  CHECK_THAT(on->time(sequence, 1, timing_mode::steady), Catch::Matchers::WithinRel(alone, 1e-3));
}

TEST_CASE("cuda: what the back end holds for itself is reserved, not allocated") {
  const fresh setting;
  const auto on = make_cuda_backend({});
  CHECK(on->memory().allocated == 0);
  CHECK(on->memory().reserved > 0);
  CHECK(on->memory_bytes() <= static_cast<double>(fake_cuda::settings().memory) - on->memory().reserved);
}

TEST_CASE("cuda: a measurement is the median of repeated runs") {
  const fresh setting;
  const auto on = make_cuda_backend({});
  const product_shape shape{.m = 64, .n = 64, .k = 64, .format = number_kind::fp16};
  const measurement done = measure(*on, shape, {.rule = quick});
  CHECK_THAT(done.taken.median(), Catch::Matchers::WithinRel(5e-6 + 64. * 64 * 64 / 400e12, 1e-3));
  CHECK(done.taken.repetitions >= 10);  // 5 us are too short for events
  CHECK(done.checked.entries > 0);
}

TEST_CASE("cuda: streams copy, set and sum") {
  const fresh setting;
  const auto on = make_cuda_backend({});
  for (const auto& [read, written] : {std::pair{1001, 1001}, {3001, 1001}, {1001, 3001}, {1001, 0}, {0, 1001}}) {
    const auto ready = on->prepare(stream_shape{.read = read, .written = written, .format = number_kind::bf16}, 1, 0);
    const fake_cuda::counters before = fake_cuda::counted();
    kernel* const sequence[] = {ready.get()};
    on->time(sequence, 1, timing_mode::steady);
    const fake_cuda::counters& after = fake_cuda::counted();
    CHECK(after.copies - before.copies == (read > 0 && written > 0 ? 1 : 0));
    CHECK(after.sets - before.sets == (written > read ? 2 : 1));
    CHECK(after.sums - before.sums == (read > written ? 1 : 0));
    CHECK(ready->result(0, {}).empty());
  }
}

TEST_CASE("cuda: too little memory is out_of_memory and nothing else is") {
  const fresh setting;
  const auto on = make_cuda_backend({});
  const double before = on->memory().allocated;
  CHECK_THROWS_AS(on->allocate(2e9), out_of_memory);
  CHECK(on->memory().allocated == before);
  CHECK_THROWS_AS(on->prepare(stream_shape{.read = 500'000'000, .written = 500'000'000}, 1, 0), out_of_memory);
  CHECK(on->memory().allocated == before);

  // The device's own answer, where the books would have allowed it.
  fake_cuda::settings().memory = fake_cuda::counted().allocated + 1000;
  const std::string said = message_of([&] { on->allocate(1e6); });
  CHECK(holds(said, "cudaMalloc of 1000000 bytes: out of memory (cudaErrorMemoryAllocation, 2)"));
  CHECK_THROWS_AS(on->allocate(1e6), out_of_memory);
  CHECK(on->memory().allocated == before);
  fake_cuda::settings().memory = fake_cuda::device{}.memory;

  fake_cuda::settings().cublas_lacks_memory = true;
  CHECK_THROWS_AS(on->prepare(product_shape{.m = 4, .n = 4, .k = 4}, 1, 0), out_of_memory);
  fake_cuda::settings().cublas_lacks_memory = false;

  fake_cuda::settings().launches_fail = true;
  const auto failing = [&] { on->allocate(1e6); };
  CHECK(holds(message_of(failing), "cudaMemsetAsync"));
  CHECK(holds(message_of(failing), "cudaErrorLaunchFailure"));
  bool taken_for_memory = false;
  try {
    failing();
  } catch (const out_of_memory&) {
    taken_for_memory = true;
  } catch (const std::runtime_error&) {
  }
  CHECK_FALSE(taken_for_memory);
}

TEST_CASE("cuda: a limit of the user's holds, and the books have peaks") {
  const fresh setting;
  const auto on = make_cuda_backend({.memory_limit = 4e8});
  CHECK(on->memory_bytes() == 4e8);
  const double before = on->memory().allocated;
  on->reset_memory_peaks();
  {
    const auto held = on->allocate(1e7);
    CHECK(on->memory().allocated == before + 1e7);
    CHECK(on->memory().reserved >= before + 1e7);
  }
  CHECK(on->memory().allocated == before);
  CHECK(on->memory().allocated_peak == before + 1e7);
  CHECK(on->memory().reserved_peak >= before + 1e7);
  on->reset_memory_peaks();
  CHECK(on->memory().allocated_peak == before);
  CHECK(holds(message_of([&] { on->allocate(4e8 + 4); }), "are more than the limit of 400000000"));
}

TEST_CASE("cuda: nothing is left behind, whatever is thrown") {
  const fresh setting;
  const fake_cuda::counters before = fake_cuda::counted();
  {
    const auto on = make_cuda_backend({});
    const auto ready =
        on->prepare(attention_shape{.heads = 2, .queries = 4, .keys = 4, .key_dim = 8, .value_dim = 8}, 1, 1e5);
    fake_cuda::settings().heuristic_fails_at = 0;
    fake_cuda::settings().cublas_lacks_memory = true;
    CHECK_THROWS(on->prepare(product_shape{.m = 4, .n = 4, .k = 4}, 1, 0));
  }
  CHECK(fake_cuda::counted().handles == before.handles);
  CHECK(fake_cuda::counted().allocations == before.allocations);
}

TEST_CASE("cuda: peaks are those of the data sheet, and bandwidth that of the bus") {
  const fresh setting;
  const auto on = make_cuda_backend({});
  CHECK(on->device() == "NVIDIA H100 80GB HBM3");
  // NVIDIA H100 SXM5 data sheet, dense: BF16 989.4 TFLOP/s, FP8 1978.9, INT8 1978.9, TF32 494.7; 3.35 TB/s
  CHECK_THAT(on->peak(number_kind::bf16)->value, Catch::Matchers::WithinRel(989.4e12, 1e-3));
  CHECK_THAT(on->peak(number_kind::fp8_e4m3)->value, Catch::Matchers::WithinRel(1978.9e12, 1e-3));
  CHECK_THAT(on->peak(number_kind::tf32)->value, Catch::Matchers::WithinRel(494.7e12, 1e-3));
  CHECK(holds(on->peak(number_kind::bf16)->derivation, "h100-sxm5-80gb"));
  CHECK_THAT(on->bandwidth()->value, Catch::Matchers::WithinRel(3.35e12, 1e-2));
  CHECK(on->bandwidth()->checked.value_or(0) > 0);
  CHECK(on->cache_bytes() == 1 << 20);

  // As drivers name them, and the ids of the library's sheets.
  for (const auto& [name, id] : {std::pair{"NVIDIA A100-SXM4-80GB", "a100-sxm4-80gb"},
                                 {"NVIDIA A100-SXM4-40GB", "a100-sxm4-40gb"},
                                 {"NVIDIA A100 80GB PCIe", "a100-pcie-80gb"},
                                 {"NVIDIA H100 PCIe", "h100-pcie-80gb"},
                                 {"NVIDIA H100 NVL", "h100-nvl-94gb"},
                                 {"NVIDIA H200", "h200-sxm5-141gb"},
                                 {"NVIDIA L4", "l4"},
                                 {"NVIDIA L40S", "l40s"},
                                 {"NVIDIA A10G", "a10g"},
                                 {"Tesla T4", "t4"},
                                 {"Tesla V100-SXM2-16GB", "v100-sxm2-16gb"},
                                 {"NVIDIA GeForce RTX 4090", "rtx-4090"}}) {
    fake_cuda::settings().name = name;
    const facts known = make_cuda_backend({})->provenance();
    const auto sheet =
        std::find_if(known.begin(), known.end(), [](const auto& one) { return one.first == "data_sheet"; });
    REQUIRE(sheet != known.end());
    INFO(name);
    CHECK(sheet->second == id);
  }
  fake_cuda::settings().name = "NVIDIA of tomorrow";
  CHECK_FALSE(make_cuda_backend({})->peak(number_kind::bf16).has_value());
}

TEST_CASE("cuda: what a device cannot multiply is not supported") {
  const fresh setting;
  const auto product = [](number_kind format) { return product_shape{.m = 4, .n = 4, .k = 4, .format = format}; };
  const auto attention = [](number_kind format) { return attention_shape{.format = format}; };
  fake_cuda::settings().major = 8;
  fake_cuda::settings().minor = 0;
  fake_cuda::settings().softmax_takes_bf16 = false;
  const auto a100 = make_cuda_backend({});
  CHECK(a100->supports(product(number_kind::bf16)));
  CHECK(a100->supports(product(number_kind::int8)));
  CHECK_FALSE(a100->supports(product(number_kind::fp8_e4m3)));
  CHECK_FALSE(a100->supports(product(number_kind::fp4)));
  CHECK(a100->supports(attention(number_kind::fp16)));
  CHECK_FALSE(a100->supports(attention(number_kind::bf16)));
  CHECK_FALSE(a100->supports(attention(number_kind::int8)));
  CHECK_THROWS(a100->prepare(product(number_kind::fp8_e4m3), 1, 0));
  fake_cuda::settings().major = 7;
  const auto v100 = make_cuda_backend({});
  CHECK(v100->supports(product(number_kind::fp16)));
  CHECK_FALSE(v100->supports(product(number_kind::bf16)));
  CHECK_FALSE(v100->supports(product(number_kind::int8)));
}

TEST_CASE("cuda: without a driver or a device of that number, it is unavailable and says why") {
  const fresh setting;
  fake_cuda::settings().driver = false;
  CHECK_THROWS_AS(make_cuda_backend({}), unavailable);
  CHECK(holds(message_of([] { make_cuda_backend({}); }), "no CUDA device (cudaGetDeviceCount"));
  CHECK(holds(message_of([] { make_cuda_backend({}); }), "cudaErrorInsufficientDriver, 35"));
  fake_cuda::settings().driver = true;
  CHECK_THROWS_AS(make_cuda_backend({.device = 1}), unavailable);
  CHECK(holds(message_of([] { make_cuda_backend({.device = 1}); }), "no CUDA device 1"));
}

TEST_CASE("cuda: the record names what figures depend on") {
  const fresh setting;
  const facts known = make_cuda_backend({})->provenance();
  for (const std::string key :
       {"device", "driver", "runtime", "cublaslt", "cudnn", "ecc", "peak_clock_khz", "peak_memory_clock_khz",
        "l2_cache_bytes", "memory_limit_bytes", "clock_by", "compiler"}) {
    INFO(key);
    bool found = false;
    for (const auto& [name, value] : known) found = found || (name == key && !value.empty());
    CHECK(found);
  }
}

#endif
