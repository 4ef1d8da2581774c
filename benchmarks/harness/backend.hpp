// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What the measuring harness asks of a device; cpu/ and cuda/ answer it, and tests answer it with a fake.
///
/// A back end prepares kernels (a matrix product, attention, a stream of bytes) and times sequences of them by its own
/// clock: std::chrono::steady_clock on a CPU, a pair of events on one stream on a GPU. Everything else is written once,
/// above it: what is run (the rows of a ledger), when to stop (sampling.hpp), whether results are right
/// (verification.hpp), what it comes to and how it is told.
///
/// Rules for those who implement it:
/// - Operands are made by operands.hpp from a seed, so that whoever verifies knows them. They are random and not zero,
///   for power, and with it the clock, depends on the bits.
/// - `prepare` does all that is not to be timed: allocation, filling, descriptors, the choice of an algorithm, one run.
///   It makes as many sets of operands as reach `footprint` bytes together, at least one, and `enqueue` takes the next
///   set each time.
/// - Every call into a library is checked. Memory that a device has not is `out_of_memory`; whatever else goes wrong is
///   another exception, and nobody takes it for a batch that is too large.
/// - What a destructor frees is free for the next allocation: nothing of a kernel is cached beyond it, but for a
///   library's workspace, which counts as reserved.

#include <flopledger/precision.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace harness {

using flopledger::number_kind;

/// The device has not the memory that was asked for.
struct out_of_memory : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The back end or its device is not there: the program says why and exits with 77.
struct unavailable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// `batch` products of an m×k by a k×n matrix, all row-major. The result has the operands' format, but for INT8 (INT32)
/// and FP8 (BF16); sums are in FP32, of INT8 in INT32. INT8 and FP8 operands have the scale 1.
struct product_shape {
  std::int64_t batch = 1, m = 1, n = 1, k = 1;
  number_kind format = number_kind::fp32;
  bool left_transposed = false;  ///< stored k×m: the gradients that the weights' gradient is made of
  bool right_transposed = true;  ///< stored n×k, as frameworks store weights [out, in]
  constexpr double macs() const {
    return static_cast<double>(batch) * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  }
};

/// softmax(Q·Kᵀ/√key_dim)·V, tensors [batch, heads, tokens, dim] row-major; query heads share key/value heads evenly.
/// Backward: dQ, dK and dV of a given gradient of the output, recomputing or reading what the kernel likes.
struct attention_shape {
  std::int64_t batch = 1, heads = 1, kv_heads = 1;
  std::int64_t queries = 1, keys = 1;  ///< where there are fewer queries, they are the last ones
  std::int64_t key_dim = 1, value_dim = 1;
  number_kind format = number_kind::fp32;
  bool causal = false;
  bool backward = false;  ///< the backward pass alone
};

/// What only moves bytes: reads so many elements and writes so many, each at least once.
struct stream_shape {
  std::int64_t read = 0, written = 0;  ///< elements
  number_kind format = number_kind::fp32;
};

using kernel_shape = std::variant<product_shape, attention_shape, stream_shape>;

/// How samples are taken. The name stands beside every figure.
enum class timing_mode : std::uint8_t {
  steady,  ///< launches back to back, operands rotating through sets that no cache holds
  cold     ///< one launch after the caches were flushed
};

/// Work that is ready to run.
class kernel {
 public:
  kernel() = default;
  kernel(const kernel&) = delete;
  kernel& operator=(const kernel&) = delete;
  virtual ~kernel() = default;

  /// Starts one run on the next set of operands; a device may return before it is done.
  virtual void enqueue() = 0;
  /// Runs set 0, whose operands are made of the kernel's seed, and reads these elements of the result.
  /// `which`: of attention backward 0 dQ, 1 dK, 2 dV; else 0. A stream has no result: an empty answer.
  virtual std::vector<double> result(int which, std::span<const std::size_t> elements) = 0;
  /// The library and the algorithm, for the record: "cblas_sgemm", "cublasLtMatmul algo 66, tile 20, stages 4".
  virtual std::string description() const = 0;
};

/// Bytes of the device's memory. Reserved: what the process holds, with what libraries and allocators keep.
struct memory_use {
  double allocated = 0, allocated_peak = 0;
  double reserved = 0, reserved_peak = 0;
};

/// Memory that is held and touched until it goes.
class buffer {
 public:
  buffer() = default;
  buffer(const buffer&) = delete;
  buffer& operator=(const buffer&) = delete;
  virtual ~buffer() = default;
};

/// A rate, and where it is from: "2 units × 8 lanes × 2 FLOP × 3.25 GHz".
struct rated {
  double value = 0;  ///< FLOP/s or byte/s
  std::string derivation;
  std::optional<double> checked{};  ///< the same rate, measured by a small loop
};

using facts = std::vector<std::pair<std::string, std::string>>;

class backend {
 public:
  backend() = default;
  backend(const backend&) = delete;
  backend& operator=(const backend&) = delete;
  virtual ~backend() = default;

  virtual std::string name() const = 0;    ///< "cpu", "cuda"
  virtual std::string device() const = 0;  ///< "AMD EPYC, 1 thread", "NVIDIA H200"
  /// Whatever the figures depend on: driver, library versions, clocks, ECC, threads, flags.
  virtual facts provenance() const = 0;

  virtual bool supports(const kernel_shape& shape) const = 0;
  /// The dense peak of a format, where it is known: FLOP/s.
  virtual std::optional<rated> peak(number_kind format) = 0;
  /// The memory's bandwidth, byte/s.
  virtual std::optional<rated> bandwidth() = 0;
  /// What the compute units run at now, Hz: measured by running something of known length, or absent.
  virtual std::optional<double> clock() = 0;
  /// The largest cache that operands can stay in.
  virtual double cache_bytes() const = 0;
  /// What may be allocated, all in all: the device's memory, or the limit that the user set.
  virtual double memory_bytes() const = 0;
  /// Products of one batch run one after another, not beside each other on the compute units.
  virtual bool batch_runs_apart() const = 0;

  virtual std::unique_ptr<kernel> prepare(const kernel_shape& shape, std::uint64_t seed, double footprint) = 0;
  /// Seconds that `repetitions` of a sequence take, from when the device is idle to when it is idle again. Cold: one
  /// repetition, the caches flushed before it.
  virtual double time(std::span<kernel* const> sequence, int repetitions, timing_mode mode) = 0;
  /// The shortest time that its clock tells well: the work of one sample is repeated to last longer.
  virtual double least_sample() const = 0;

  virtual std::unique_ptr<buffer> allocate(double bytes) = 0;
  virtual memory_use memory() const = 0;
  virtual void reset_memory_peaks() = 0;
};

/// What the program's options say to a back end.
struct backend_options {
  int threads = 1;                       ///< CPU
  bool cpu_time = false;                 ///< CPU, one thread: its processor time, which leaves out what others take
  int device = 0;                        ///< CUDA: its ordinal
  std::optional<double> memory_limit{};  ///< bytes; allocations beyond it are out_of_memory
};

/// Throws `unavailable` where this build lacks it or the machine has no such device.
std::unique_ptr<backend> make_cpu_backend(const backend_options& options);
std::unique_ptr<backend> make_cuda_backend(const backend_options& options);

}  // namespace harness
