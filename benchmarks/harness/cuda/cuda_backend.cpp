// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// An NVIDIA GPU as a device: cuBLASLt multiplies, cuDNN does the softmax of attention, a pair of events on one stream
/// tells the time.

#include <flopledger/hardware/catalogue.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include <fmt/format.h>

#include "clock.hpp"
#include "kernels.hpp"
#include "operands.hpp"
#ifdef FLOPLEDGER_HAS_CUDNN
#include "softmax.hpp"
#endif

namespace harness::cuda {
namespace {

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

/// The library's sheet of a device, by the name that the driver gives; null where it has none. Most names are words
/// that one sheet alone has.
const flopledger::accelerator* sheet_of(const std::string& name) {
  static const std::map<std::string, std::string> others{
      {"NVIDIA H100 PCIe", "h100-pcie-80gb"},  // the NVL has a PCIe bus, too
      {"Tesla T4", "t4"}};
  const auto other = others.find(name);
  try {
    return &flopledger::hardware::find(other != others.end() ? other->second : name);
  } catch (const std::exception&) {
    return nullptr;
  }
}

class held_buffer final : public buffer {
 public:
  held_buffer(memory_account& books, const stream& on, std::size_t size) : memory_(books, size) {
    set(on, memory_.data(), 1, size);
    on.wait();
  }
 private:
  held_memory memory_;
};

owned<cublasHandle_t, cublasDestroy_v2> summing_handle(const stream& on) {
  cublasHandle_t handle = nullptr;
  check(cublasCreate_v2(&handle), "cublasCreate");
  owned<cublasHandle_t, cublasDestroy_v2> kept(handle);
  check(cublasSetStream_v2(handle, on.get()), "cublasSetStream");
  check(cublasSetPointerMode_v2(handle, CUBLAS_POINTER_MODE_DEVICE), "cublasSetPointerMode");
  return kept;
}

class cuda_backend final : public backend {
 public:
  cuda_backend(int ordinal, std::optional<double> memory_limit)
      : ordinal_(ordinal),
        multiply_(on_),
        sums_(summing_handle(on_)),
#ifdef FLOPLEDGER_HAS_CUDNN
        softmax_(on_),
#endif
        clock_(on_, ordinal) {
    check(cudaGetDeviceProperties(&properties_, ordinal), "cudaGetDeviceProperties");
    // Twice the cache, and not so short that launches could not be queued behind it.
    flushed_ = device_memory(std::max(2 * static_cast<std::size_t>(properties_.l2CacheSize), least_flush));
    memory_.open(memory_limit);
    sheet_ = sheet_of(properties_.name);
  }

  std::string name() const override { return "cuda"; }
  std::string device() const override { return properties_.name; }

  facts provenance() const override {
    int driver = 0, runtime = 0;
    check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
    check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
    char bus[32] = "";
    check(cudaDeviceGetPCIBusId(bus, sizeof bus, ordinal_), "cudaDeviceGetPCIBusId");
    const auto of = [&](cudaDeviceAttr which) { return std::to_string(attribute(which, ordinal_)); };
    facts known{{"device", properties_.name},
                {"data_sheet", sheet_ != nullptr ? std::string(sheet_->id) : "none"},
                {"pci_bus", bus},
                {"compute_capability", fmt::format("{}.{}", properties_.major, properties_.minor)},
                {"multiprocessors", std::to_string(properties_.multiProcessorCount)},
                {"peak_clock_khz", of(cudaDevAttrClockRate)},
                {"peak_memory_clock_khz", of(cudaDevAttrMemoryClockRate)},
                {"memory_bus_bits", of(cudaDevAttrGlobalMemoryBusWidth)},
                {"memory_bytes", std::to_string(properties_.totalGlobalMem)},
                {"memory_limit_bytes", fmt::format("{:.0f}", memory_.limit())},
                {"l2_cache_bytes", std::to_string(properties_.l2CacheSize)},
                {"ecc", of(cudaDevAttrEccEnabled)},
                {"driver", std::to_string(driver)},
                {"runtime", std::to_string(runtime)},
                {"cublaslt", std::to_string(cublasLtGetVersion())},
                {"queued_behind", launch_queue::description()},
                {"clock_by", clock_.description()},
                {"compiler", __VERSION__}};
#ifdef FLOPLEDGER_HAS_CUDNN
    known.emplace_back("cudnn", softmax_library::version());
#endif
    // Two change what cuBLAS computes in, one which kernels attention is.
    for (const char* const variable :
         {"NVIDIA_TF32_OVERRIDE", "CUBLAS_EMULATE_SINGLE_PRECISION", "FLOPLEDGER_HARNESS_ATTENTION"})
      if (const char* const value = std::getenv(variable)) known.emplace_back(variable, value);
    return known;
  }

  bool supports(const kernel_shape& shape) const override {
    if (const auto* product = std::get_if<product_shape>(&shape)) return multiplies(product->format);
    if (const auto* attention = std::get_if<attention_shape>(&shape)) return attends(*attention);
    return true;
  }

  std::optional<rated> peak(number_kind format) override {
    if (sheet_ == nullptr) return std::nullopt;
    const auto figure = flopledger::peak_figure(*sheet_, format);
    if (!figure.is_known()) return std::nullopt;
    std::string derivation = fmt::format("data sheet of {}, dense", sheet_->id);
    if (sheet_->clock.is_known())
      derivation += fmt::format(", at {:.0f} MHz of at most {:.0f}", sheet_->clock.value().value() / 1e6,
                                attribute(cudaDevAttrClockRate, ordinal_) / 1e3);
    return rated{figure.value().value(), derivation};
  }

  std::optional<rated> bandwidth() override {
    if (bandwidth_) return bandwidth_;
    const double clock_hz = 1e3 * attribute(cudaDevAttrMemoryClockRate, ordinal_);
    const double bits_wide = attribute(cudaDevAttrGlobalMemoryBusWidth, ordinal_);
    const double copied = copy_rate();
    // The clock is that of the command; data moves at both its edges.
    if (clock_hz > 0 && bits_wide > 0)
      bandwidth_ =
          rated{2 * clock_hz * bits_wide / 8,
                fmt::format("2 × {:.0f} MHz × {:.0f} bit; checked by copies on the device", clock_hz / 1e6, bits_wide),
                copied};
    else
      bandwidth_ = rated{copied, "measured: copies on the device, bytes read and written", copied};
    return bandwidth_;
  }

  std::optional<double> clock() override { return clock_.now(); }
  double cache_bytes() const override { return properties_.l2CacheSize; }
  double memory_bytes() const override { return memory_.limit(); }
  bool batch_runs_apart() const override { return false; }

  std::unique_ptr<kernel> prepare(const kernel_shape& shape, std::uint64_t seed, double footprint) override {
    if (!supports(shape)) throw error("cuda: this device, or this build, does not take such a kernel");
    return std::visit([&](const auto& s) { return make_kernel(s, seed, footprint, shared()); }, shape);
  }

  double time(std::span<kernel* const> sequence, int repetitions, timing_mode) override {
    on_.wait();
    // Cold: it takes what was in the cache out of it. In both modes, launches are queued while it runs, so that the
    // events have the device's work between them and not the host's. (Steady operands outgrow the cache by themselves.)
    set(on_, flushed_.data(), ++pattern_ & 0xff, flushed_.size());
    const launch_queue::hold held(queue_, on_);
    begin_.record(on_);
    int queued = 0;
    for (int i = 0; i < repetitions; ++i)
      for (kernel* const one : sequence) {
        if (queued++ == most_queued) held.let_go();
        one->enqueue();
      }
    end_.record(on_);
    held.let_go();
    end_.wait();
    queue_.check_patience();
    memory_.see();
    return between(begin_, end_);
  }
  double least_sample() const override { return 50e-6; }  // a hundred times what an event resolves

  std::unique_ptr<buffer> allocate(double bytes_wanted) override {
    return std::make_unique<held_buffer>(memory_, on_, static_cast<std::size_t>(bytes_wanted));
  }
  memory_use memory() const override { return memory_.use(); }
  void reset_memory_peaks() override { memory_.reset_peak(); }
 private:
  resources shared() {
    return {.on = on_,
            .memory = memory_,
            .multiply = multiply_,
            .sums = sums_.get(),
#ifdef FLOPLEDGER_HAS_CUDNN
            .softmax = &softmax_
#else
            .softmax = nullptr
#endif
    };
  }

  /// Formats by compute capability: INT8 tensor cores from 7.5, BF16 and TF32 from 8.0, FP8 from 8.9.
  bool multiplies(number_kind format) const {
    const int capability = 10 * properties_.major + properties_.minor;
    switch (format) {
      case number_kind::fp32:
      case number_kind::fp16:
        return true;
      case number_kind::int8:
        return capability >= 75;
      case number_kind::tf32:
      case number_kind::bf16:
        return capability >= 80;
      case number_kind::fp8_e4m3:
        return capability >= 89;
      default:
        return false;
    }
  }
  bool attends(const attention_shape& shape) const {
#ifdef FLOPLEDGER_HAS_CUDNN
    if (!multiplies(shape.format) || harness::size_of(shape.format) == 1 || shape.heads % shape.kv_heads != 0)
      return false;
    const element kind = layout_of({.format = shape.format}).d.kind;
    const auto known = softmax_takes_.find(kind);
    if (known != softmax_takes_.end()) return known->second;
    return softmax_takes_[kind] = softmax_.takes(kind);
#else
    static_cast<void>(shape);
    return false;
#endif
  }

  /// The best of ten copies of an eighth of the memory at most.
  double copy_rate() {
    const std::size_t size =
        std::min<std::size_t>(std::size_t{1} << 30, static_cast<std::size_t>(memory_.limit() / 8)) / 4 * 4;
    const auto elements = static_cast<std::int64_t>(size / 4);
    const std::unique_ptr<kernel> ready =
        make_kernel(stream_shape{.read = elements, .written = elements}, 1, 0, shared());
    kernel* const sequence[] = {ready.get()};
    double best = 0;
    for (int i = 0; i < 10; ++i)
      best = std::max(best, 2 * static_cast<double>(size) / time(sequence, 1, timing_mode::steady));
    return best;
  }

  static constexpr std::size_t least_flush = std::size_t{256} << 20;
  /// A stream takes about a thousand launches before it makes the host wait, which it would do for ever while it is
  /// held; a kernel may launch several times.
  static constexpr int most_queued = 64;

  int ordinal_;
  cudaDeviceProp properties_{};
  stream on_;
  event begin_, end_;
  mutable memory_account memory_;
  multiplier multiply_;
  owned<cublasHandle_t, cublasDestroy_v2> sums_;
#ifdef FLOPLEDGER_HAS_CUDNN
  softmax_library softmax_;
  mutable std::map<element, bool> softmax_takes_;
#endif
  device_memory flushed_;
  launch_queue queue_;
  sm_clock clock_;
  const flopledger::accelerator* sheet_ = nullptr;
  std::optional<rated> bandwidth_;
  int pattern_ = 0;
};

}  // namespace
}  // namespace harness::cuda

namespace harness {
std::unique_ptr<backend> make_cuda_backend(const backend_options& options) {
  cuda::use_device(options.device);
  return std::make_unique<cuda::cuda_backend>(options.device, options.memory_limit);
}
}  // namespace harness
