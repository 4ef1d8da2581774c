// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#include "fake_cuda.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include <cublas_v2.h>
#include <cublasLt.h>
#include <cuda_runtime_api.h>
#include <cudnn.h>

#include "operands.hpp"

// Memory and time
// ---------------------------------------------------------------------------------------------------

namespace fake_cuda {
device& settings() {
  static device set;
  return set;
}
counters& counted() {
  static counters of;
  return of;
}
void reset() {
  settings() = {};
  counters& of = counted();
  of.products = of.softmaxes = of.attentions = of.copies = of.sets = of.sums = 0;
}

namespace {

std::map<std::uintptr_t, std::unique_ptr<std::byte[]>>& blocks() {
  static std::map<std::uintptr_t, std::unique_ptr<std::byte[]>> held;
  return held;
}
std::map<std::uintptr_t, std::size_t>& sizes() {
  static std::map<std::uintptr_t, std::size_t> held;
  return held;
}
std::uintptr_t address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

/// Whether all of it lies in one allocation.
bool is_held(const void* pointer, std::size_t size) {
  const auto after = sizes().upper_bound(address(pointer));
  if (after == sizes().begin()) return false;
  const auto& [begin, length] = *std::prev(after);
  return address(pointer) + size <= begin + length;
}

struct event_state {
  double at = -1;
};

/// One queue for the one stream that the back end has.
std::vector<std::function<void()>>& queue() {
  static std::vector<std::function<void()>> waiting;
  return waiting;
}
double& now() {
  static double seconds = 0;
  return seconds;
}
void run_all() {
  for (const auto& one : queue()) one();
  queue().clear();
}
}  // namespace

void enqueue(double seconds, std::function<void()> work) {
  queue().push_back([seconds, work = std::move(work)] {
    now() += seconds;
    work();
  });
}

namespace {

template <class Handle, class State>
Handle as_handle(State* state) {
  ++counted().handles;
  return reinterpret_cast<Handle>(state);
}
template <class State, class Handle>
State* as_state(Handle handle) {
  return reinterpret_cast<State*>(handle);
}
template <class State, class Handle>
void destroy(Handle handle) {
  if (handle == nullptr) return;
  delete as_state<State>(handle);
  --counted().handles;
}

}  // namespace
}  // namespace fake_cuda

using namespace fake_cuda;

extern "C" {

const char* cudaGetErrorString(cudaError_t code) {
  return code == cudaErrorMemoryAllocation ? "out of memory" : "fake";
}
const char* cudaGetErrorName(cudaError_t code) {
  switch (code) {
    case cudaErrorMemoryAllocation:
      return "cudaErrorMemoryAllocation";
    case cudaErrorInsufficientDriver:
      return "cudaErrorInsufficientDriver";
    case cudaErrorInvalidValue:
      return "cudaErrorInvalidValue";
    case cudaErrorLaunchFailure:
      return "cudaErrorLaunchFailure";
    default:
      return "cudaError";
  }
}
cudaError_t cudaGetLastError() { return cudaSuccess; }
cudaError_t cudaGetDeviceCount(int* count) {
  *count = settings().driver ? 1 : 0;
  return settings().driver ? cudaSuccess : cudaErrorInsufficientDriver;
}
cudaError_t cudaSetDevice(int device) { return device == 0 ? cudaSuccess : cudaErrorInvalidValue; }
cudaError_t cudaDriverGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char* bus, int length, int) {
  std::strncpy(bus, "0000:01:00.0", static_cast<std::size_t>(length));
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int) {
  // An H100 SXM5 of 80 GB: 2619 MHz at 5120 bits are 3.35 TB/s.
  *value = which == cudaDevAttrClockRate              ? 1980000
           : which == cudaDevAttrMemoryClockRate      ? 2619000
           : which == cudaDevAttrGlobalMemoryBusWidth ? 5120
           : which == cudaDevAttrEccEnabled           ? 1
                                                      : 0;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {};
  std::strncpy(properties->name, settings().name.c_str(), sizeof properties->name - 1);
  properties->major = settings().major;
  properties->minor = settings().minor;
  properties->multiProcessorCount = 132;
  properties->l2CacheSize = static_cast<int>(settings().l2_cache);
  properties->totalGlobalMem = settings().memory;
  return cudaSuccess;
}

cudaError_t cudaMalloc(void** pointer, std::size_t size) {
  if (counted().allocated + size > settings().memory) return cudaErrorMemoryAllocation;
  auto block = std::make_unique<std::byte[]>(size);
  std::memset(block.get(), 0xff, size);  // NaN in every format: what is read without having been written shows
  *pointer = block.get();
  sizes()[address(*pointer)] = size;
  blocks()[address(*pointer)] = std::move(block);
  ++counted().allocations;
  counted().allocated += size;
  return cudaSuccess;
}
cudaError_t cudaFree(void* pointer) {
  if (pointer == nullptr) return cudaSuccess;
  run_all();  // as the real one: what still uses it ends first
  if (sizes().count(address(pointer)) == 0) return cudaErrorInvalidValue;
  --counted().allocations;
  counted().allocated -= sizes().at(address(pointer));
  sizes().erase(address(pointer));
  blocks().erase(address(pointer));
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* all) {
  *all = settings().memory;
  *free_bytes = settings().memory - counted().allocated;
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t size, cudaMemcpyKind kind, cudaStream_t) {
  if (kind != cudaMemcpyHostToDevice && !is_held(from, size)) return cudaErrorInvalidValue;
  if (kind != cudaMemcpyDeviceToHost && !is_held(to, size)) return cudaErrorInvalidValue;
  enqueue(1e-9 * static_cast<double>(size), [=] {
    std::memcpy(to, from, size);
    if (kind == cudaMemcpyDeviceToDevice) ++counted().copies;
  });
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t size, cudaStream_t) {
  if (settings().launches_fail) return cudaErrorLaunchFailure;
  if (!is_held(to, size)) return cudaErrorInvalidValue;
  enqueue(1e-10 * static_cast<double>(size), [=] {
    std::memset(to, value, size);
    ++counted().sets;
  });
  return cudaSuccess;
}
cudaError_t cudaHostAlloc(void** pointer, std::size_t size, unsigned) {
  *pointer = std::calloc(1, size);
  ++counted().handles;
  return cudaSuccess;
}
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  *device = host;
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void* pointer) {
  std::free(pointer);
  --counted().handles;
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = as_handle<cudaStream_t>(new int(0));
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  destroy<int>(stream);
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) {
  run_all();
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = as_handle<cudaEvent_t>(new event_state);
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  destroy<event_state>(event);
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  enqueue(0, [=] { as_state<event_state>(event)->at = now(); });
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) {
  run_all();
  return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  const double from = as_state<event_state>(begin)->at, to = as_state<event_state>(end)->at;
  if (from < 0 || to < 0) return cudaErrorInvalidResourceHandle;
  *milliseconds = static_cast<float>(1e3 * (to - from));
  return cudaSuccess;
}

}  // extern "C"

// cuBLASLt
// ----------------------------------------------------------------------------------------------------------

namespace {

using flopledger::number_kind;

/// A value to the nearest number of a few bits, ties to even: enough for results that are far from overflow.
double rounded(double value, int mantissa, int least_exponent) {
  if (value == 0 || !std::isfinite(value)) return value;
  int exponent = 0;
  std::frexp(value, &exponent);
  const int step = std::max(exponent - 1, least_exponent) - mantissa;
  return std::ldexp(std::nearbyint(std::ldexp(value, -step)), step);
}

std::size_t size_of(cudaDataType_t type) {
  switch (type) {
    case CUDA_R_32F:
    case CUDA_R_32I:
      return 4;
    case CUDA_R_16F:
    case CUDA_R_16BF:
      return 2;
    default:
      return 1;
  }
}
double load(cudaDataType_t type, const void* from, std::size_t index) {
  const std::byte* const at = static_cast<const std::byte*>(from) + index * size_of(type);
  std::int32_t whole = 0;
  switch (type) {
    case CUDA_R_32F:
      return harness::decoded(number_kind::fp32, at);
    case CUDA_R_16F:
      return harness::decoded(number_kind::fp16, at);
    case CUDA_R_16BF:
      return harness::decoded(number_kind::bf16, at);
    case CUDA_R_8F_E4M3:
      return harness::decoded(number_kind::fp8_e4m3, at);
    case CUDA_R_8I:
      return harness::decoded(number_kind::int8, at);
    default:
      std::memcpy(&whole, at, sizeof whole);
      return whole;
  }
}
void store(cudaDataType_t type, void* into, std::size_t index, double value) {
  std::byte* const at = static_cast<std::byte*>(into) + index * size_of(type);
  if (type == CUDA_R_32I) {
    const auto whole = static_cast<std::int32_t>(value);
    std::memcpy(at, &whole, sizeof whole);
  } else if (type == CUDA_R_32F) {
    const auto single = static_cast<float>(value);
    std::memcpy(at, &single, sizeof single);
  } else if (type == CUDA_R_16BF) {
    const auto single = static_cast<float>(rounded(value, 7, -126));
    std::uint32_t whole = 0;
    std::memcpy(&whole, &single, sizeof whole);
    const auto upper = static_cast<std::uint16_t>(whole >> 16U);
    std::memcpy(at, &upper, sizeof upper);
  } else {  // FP16
    const double near = rounded(value, 10, -14);
    int exponent = 0;
    std::frexp(near, &exponent);
    exponent = near == 0 ? -14 : std::max(exponent - 1, -14);
    const auto steps = static_cast<unsigned>(std::ldexp(std::fabs(near), 10 - exponent));
    const unsigned magnitude = (static_cast<unsigned>(exponent + 14) << 10U) + steps;
    const auto half = static_cast<std::uint16_t>(magnitude | (std::signbit(near) ? 0x8000U : 0U));
    std::memcpy(at, &half, sizeof half);
  }
}

struct layout_state {
  cudaDataType_t type;
  std::uint64_t rows, columns;
  std::int64_t leading;
  std::int32_t batch = 1;
  std::int64_t stride = 0;
  /// One past the last element that a batch of them touches.
  std::size_t extent() const {
    return static_cast<std::size_t>((batch - 1) * stride + (static_cast<std::int64_t>(columns) - 1) * leading) + rows;
  }
};
struct operation_state {
  cublasComputeType_t compute;
  cudaDataType_t scale;
  cublasOperation_t a = CUBLAS_OP_N, b = CUBLAS_OP_N;
  const void* a_scale = nullptr;
  const void* b_scale = nullptr;
  std::int8_t fast = 0;
};
struct preference_state {
  std::uint64_t workspace = 0;
};
struct algorithm_state {
  std::int32_t id;
};

/// The documented sizes, or nothing is set.
template <class Value>
cublasStatus_t set_to(Value& into, const void* from, std::size_t size) {
  if (from == nullptr || size != sizeof(Value)) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(&into, from, size);
  return CUBLAS_STATUS_SUCCESS;
}

/// cuBLAS documentation, cublasLtMatmul: which types go together.
bool types_fit(const operation_state& operation, const layout_state& a, const layout_state& b, const layout_state& c,
               const layout_state& d) {
  if (a.type != b.type || c.type != d.type) return false;
  if (a.type == CUDA_R_8I)
    return operation.compute == CUBLAS_COMPUTE_32I && operation.scale == CUDA_R_32I && d.type == CUDA_R_32I;
  if (operation.scale != CUDA_R_32F) return false;
  if (a.type == CUDA_R_8F_E4M3) return operation.compute == CUBLAS_COMPUTE_32F && d.type == CUDA_R_16BF;
  if (a.type == CUDA_R_32F)
    return d.type == CUDA_R_32F &&
           (operation.compute == CUBLAS_COMPUTE_32F || operation.compute == CUBLAS_COMPUTE_32F_FAST_TF32);
  return (a.type == CUDA_R_16F || a.type == CUDA_R_16BF) && d.type == a.type && operation.compute == CUBLAS_COMPUTE_32F;
}

bool shapes_fit(const operation_state& operation, const layout_state& a, const layout_state& b, const layout_state& c,
                const layout_state& d) {
  const auto turned = [](cublasOperation_t how, const layout_state& of) {
    return how == CUBLAS_OP_T ? std::pair(of.columns, of.rows) : std::pair(of.rows, of.columns);
  };
  const auto [m, k] = turned(operation.a, a);
  const auto [k_of_b, n] = turned(operation.b, b);
  if (k != k_of_b || d.rows != m || d.columns != n || c.rows != m || c.columns != n) return false;
  for (const layout_state* one : {&a, &b, &c, &d})
    if (one->leading < static_cast<std::int64_t>(one->rows) || one->batch != d.batch || one->rows == 0 ||
        one->columns == 0)
      return false;
  if (size_of(a.type) > 1) return true;
  const bool aligned = a.type == CUDA_R_8I ? m % 4 == 0 && k % 4 == 0 && a.leading % 4 == 0 && b.leading % 4 == 0
                                           : a.leading % 16 == 0 && b.leading % 16 == 0 && d.leading * 2 % 16 == 0;
  return operation.a == CUBLAS_OP_T && operation.b == CUBLAS_OP_N && aligned;
}

constexpr int candidates = 4;
/// The least that a candidate needs of the workspace; the last one wants more than anybody has.
std::size_t workspace_of(int candidate) {
  return candidate == candidates - 1 ? std::size_t{1} << 40 : static_cast<std::size_t>(candidate) * 1024;
}

void multiply(const operation_state& operation, double alpha, const layout_state& a, const void* a_data,
              const layout_state& b, const void* b_data, double beta, const layout_state& c, const void* c_data,
              const layout_state& d, void* d_data) {
  const std::size_t k = operation.a == CUBLAS_OP_T ? a.rows : a.columns;
  // TF32 rounds what it reads to 10 bits of mantissa.
  const auto read = [&](const layout_state& of, const void* data, std::int32_t matrix, std::size_t row,
                        std::size_t column) {
    const double value =
        load(of.type, data,
             static_cast<std::size_t>(matrix * of.stride) + column * static_cast<std::size_t>(of.leading) + row);
    return operation.compute == CUBLAS_COMPUTE_32F_FAST_TF32 ? rounded(value, 10, -126) : value;
  };
  for (std::int32_t matrix = 0; matrix < d.batch; ++matrix)
    for (std::size_t i = 0; i < d.rows; ++i)
      for (std::size_t j = 0; j < d.columns; ++j) {
        double sum = 0;
        for (std::size_t l = 0; l < k; ++l)
          sum += (operation.a == CUBLAS_OP_T ? read(a, a_data, matrix, l, i) : read(a, a_data, matrix, i, l)) *
                 (operation.b == CUBLAS_OP_T ? read(b, b_data, matrix, j, l) : read(b, b_data, matrix, l, j));
        sum *= alpha;
        const std::size_t place = j * static_cast<std::size_t>(d.leading) + i;
        if (beta != 0)  // else C is not read, whatever it holds
          sum += beta * load(c.type, c_data,
                             static_cast<std::size_t>(matrix * c.stride) + j * static_cast<std::size_t>(c.leading) + i);
        if (settings().products_go_wrong && matrix == 0 && place == 0) sum += 1;
        store(d.type, d_data, static_cast<std::size_t>(matrix * d.stride) + place, sum);
      }
  ++counted().products;
}

}  // namespace

extern "C" {

const char* cublasLtGetStatusName(cublasStatus_t status) {
  return status == CUBLAS_STATUS_NOT_SUPPORTED   ? "CUBLAS_STATUS_NOT_SUPPORTED"
         : status == CUBLAS_STATUS_ALLOC_FAILED  ? "CUBLAS_STATUS_ALLOC_FAILED"
         : status == CUBLAS_STATUS_INVALID_VALUE ? "CUBLAS_STATUS_INVALID_VALUE"
                                                 : "CUBLAS_STATUS";
}
const char* cublasLtGetStatusString(cublasStatus_t) { return "fake"; }
std::size_t cublasLtGetVersion() { return CUBLAS_VERSION; }
cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  *handle = as_handle<cublasLtHandle_t>(new int(0));
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  destroy<int>(handle);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* made, cublasComputeType_t compute, cudaDataType_t scale) {
  *made = as_handle<cublasLtMatmulDesc_t>(new operation_state{.compute = compute, .scale = scale});
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t one) {
  destroy<operation_state>(one);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t of, cublasLtMatmulDescAttributes_t which,
                                              const void* from, std::size_t size) {
  auto& state = *as_state<operation_state>(of);
  switch (which) {
    case CUBLASLT_MATMUL_DESC_TRANSA:
      return set_to(state.a, from, size);
    case CUBLASLT_MATMUL_DESC_TRANSB:
      return set_to(state.b, from, size);
    case CUBLASLT_MATMUL_DESC_A_SCALE_POINTER:
      return set_to(state.a_scale, from, size);
    case CUBLASLT_MATMUL_DESC_B_SCALE_POINTER:
      return set_to(state.b_scale, from, size);
    case CUBLASLT_MATMUL_DESC_FAST_ACCUM:
      return set_to(state.fast, from, size);
    default:
      return CUBLAS_STATUS_INVALID_VALUE;
  }
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* made, cudaDataType type, std::uint64_t rows,
                                          std::uint64_t columns, std::int64_t leading) {
  *made = as_handle<cublasLtMatrixLayout_t>(
      new layout_state{.type = type, .rows = rows, .columns = columns, .leading = leading});
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t one) {
  destroy<layout_state>(one);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t of, cublasLtMatrixLayoutAttribute_t which,
                                                const void* from, std::size_t size) {
  auto& state = *as_state<layout_state>(of);
  switch (which) {
    case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT:
      return set_to(state.batch, from, size);
    case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
      return set_to(state.stride, from, size);
    default:
      return CUBLAS_STATUS_INVALID_VALUE;
  }
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* made) {
  *made = as_handle<cublasLtMatmulPreference_t>(new preference_state);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t one) {
  destroy<preference_state>(one);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t of,
                                                    cublasLtMatmulPreferenceAttributes_t which, const void* from,
                                                    std::size_t size) {
  if (which != CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES) return CUBLAS_STATUS_INVALID_VALUE;
  return set_to(as_state<preference_state>(of)->workspace, from, size);
}
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t operation,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int most,
                                              cublasLtMatmulHeuristicResult_t found[], int* count) {
  *count = 0;
  if (most < 1) return CUBLAS_STATUS_INVALID_VALUE;
  const auto& o = *as_state<operation_state>(operation);
  const auto &as = *as_state<layout_state>(a), &bs = *as_state<layout_state>(b), &cs = *as_state<layout_state>(c),
             &ds = *as_state<layout_state>(d);
  if (!types_fit(o, as, bs, cs, ds) || !shapes_fit(o, as, bs, cs, ds)) return CUBLAS_STATUS_NOT_SUPPORTED;
  for (int i = 0; i < std::min(most, candidates); ++i) {
    found[i] = {};
    const bool fits = workspace_of(i) <= as_state<preference_state>(preference)->workspace;
    found[i].state = fits ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
    found[i].workspaceSize = workspace_of(i);
    const algorithm_state state{i};
    std::memcpy(&found[i].algo, &state, sizeof state);
    *count = i + 1;
  }
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t operation, const void* alpha, const void* a_data,
                              cublasLtMatrixLayout_t a, const void* b_data, cublasLtMatrixLayout_t b, const void* beta,
                              const void* c_data, cublasLtMatrixLayout_t c, void* d_data, cublasLtMatrixLayout_t d,
                              const cublasLtMatmulAlgo_t* algorithm, void* workspace, std::size_t workspace_size,
                              cudaStream_t) {
  if (settings().cublas_lacks_memory) return CUBLAS_STATUS_ALLOC_FAILED;
  const operation_state o = *as_state<operation_state>(operation);
  const layout_state as = *as_state<layout_state>(a), bs = *as_state<layout_state>(b), cs = *as_state<layout_state>(c),
                     ds = *as_state<layout_state>(d);
  if (!types_fit(o, as, bs, cs, ds) || !shapes_fit(o, as, bs, cs, ds)) return CUBLAS_STATUS_NOT_SUPPORTED;
  algorithm_state chosen{};
  std::memcpy(&chosen, algorithm, sizeof chosen);
  if (chosen.id == settings().heuristic_fails_at) return CUBLAS_STATUS_NOT_SUPPORTED;
  const auto factor = [&](const void* of) {
    float single = 0;
    std::int32_t whole = 0;
    std::memcpy(o.scale == CUDA_R_32I ? static_cast<void*>(&whole) : &single, of, 4);
    return o.scale == CUDA_R_32I ? whole : static_cast<double>(single);
  };
  const double times = factor(alpha), plus = factor(beta);
  if (workspace_size < workspace_of(chosen.id) || !is_held(workspace, workspace_size) ||
      !is_held(a_data, as.extent() * size_of(as.type)) || !is_held(b_data, bs.extent() * size_of(bs.type)) ||
      (plus != 0 && !is_held(c_data, cs.extent() * size_of(cs.type))) ||
      !is_held(d_data, ds.extent() * size_of(ds.type)))
    return CUBLAS_STATUS_INVALID_VALUE;
  double scale = 1;
  for (const void* one : {o.a_scale, o.b_scale})
    if (one != nullptr) {
      if (as.type != CUDA_R_8F_E4M3 || !is_held(one, sizeof(float))) return CUBLAS_STATUS_INVALID_VALUE;
      scale *= load(CUDA_R_32F, one, 0);
    }
  const double macs = static_cast<double>(ds.batch) * static_cast<double>(ds.rows * ds.columns) *
                      static_cast<double>(o.a == CUBLAS_OP_T ? as.rows : as.columns);
  const double slower = chosen.id == settings().fastest_candidate ? 1 : 2 + chosen.id;
  enqueue(slower * (5e-6 + macs / 400e12),
          [=] { multiply(o, times * scale, as, a_data, bs, b_data, plus, cs, c_data, ds, d_data); });
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t* algorithm,
                                                    cublasLtMatmulAlgoConfigAttributes_t which, void* into,
                                                    std::size_t size, std::size_t* written) {
  // As documented: two of them have 16 bits, the others 32.
  const std::size_t right =
      which == CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID || which == CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID ? 2 : 4;
  if (size != right) return CUBLAS_STATUS_INVALID_VALUE;
  std::memset(into, 0, size);
  if (which == CUBLASLT_ALGO_CONFIG_ID) std::memcpy(into, algorithm, size);
  *written = size;
  return CUBLAS_STATUS_SUCCESS;
}

// cuBLAS
// ------------------------------------------------------------------------------------------------------------

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  *handle = as_handle<cublasHandle_t>(new int(0));
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  destroy<int>(handle);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetStream_v2(cublasHandle_t, cudaStream_t) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t, cublasPointerMode_t mode) {
  return mode == CUBLAS_POINTER_MODE_DEVICE ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}
cublasStatus_t cublasSasum_v2_64(cublasHandle_t, std::int64_t count, const float* from, std::int64_t step,
                                 float* into) {
  const auto size = static_cast<std::size_t>(count) * sizeof(float);
  if (step != 1 || address(from) % sizeof(float) != 0 || !is_held(from, size) || !is_held(into, sizeof *into))
    return CUBLAS_STATUS_INVALID_VALUE;
  enqueue(1e-9 * static_cast<double>(size), [] { ++counted().sums; });
  return CUBLAS_STATUS_SUCCESS;
}

// cuDNN
// -------------------------------------------------------------------------------------------------------------

namespace {
struct tensor_state {
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  std::size_t rows = 0, columns = 0;
  cudaDataType_t as_cuda() const {
    return type == CUDNN_DATA_HALF ? CUDA_R_16F : type == CUDNN_DATA_BFLOAT16 ? CUDA_R_16BF : CUDA_R_32F;
  }
  std::size_t bytes() const { return rows * columns * size_of(as_cuda()); }
};
bool plain(const void* alpha, const void* beta) {
  return *static_cast<const float*>(alpha) == 1 && *static_cast<const float*>(beta) == 0;
}
}  // namespace

const char* cudnnGetErrorString(cudnnStatus_t) { return "fake"; }
void cudnnGetLastErrorString(char* message, std::size_t size) {
  if (size > 0) message[0] = '\0';
}
std::size_t cudnnGetVersion() { return CUDNN_VERSION; }
cudnnStatus_t cudnnCreate(cudnnHandle_t* handle) {
  *handle = as_handle<cudnnHandle_t>(new int(0));
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) {
  destroy<int>(handle);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetStream(cudnnHandle_t, cudaStream_t) { return CUDNN_STATUS_SUCCESS; }
cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t* made) {
  *made = as_handle<cudnnTensorDescriptor_t>(new tensor_state);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t one) {
  destroy<tensor_state>(one);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t of, cudnnTensorFormat_t format, cudnnDataType_t type,
                                         int n, int c, int h, int w) {
  if (format != CUDNN_TENSOR_NCHW || n < 1 || c < 1 || h != 1 || w != 1) return CUDNN_STATUS_BAD_PARAM;
  *as_state<tensor_state>(of) = {type, static_cast<std::size_t>(n), static_cast<std::size_t>(c)};
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSoftmaxForward(cudnnHandle_t, cudnnSoftmaxAlgorithm_t, cudnnSoftmaxMode_t mode, const void* alpha,
                                  cudnnTensorDescriptor_t in, const void* x, const void* beta,
                                  cudnnTensorDescriptor_t out, void* y) {
  const tensor_state of = *as_state<tensor_state>(in);
  if (mode != CUDNN_SOFTMAX_MODE_INSTANCE || in != out || !plain(alpha, beta) || !is_held(x, of.bytes()) ||
      !is_held(y, of.bytes()))
    return CUDNN_STATUS_BAD_PARAM;
  if (of.type == CUDNN_DATA_BFLOAT16 && !settings().softmax_takes_bf16) return CUDNN_STATUS_NOT_SUPPORTED;
  enqueue(1e-6, [=] {
    const cudaDataType_t type = of.as_cuda();
    for (std::size_t row = 0; row < of.rows; ++row) {
      double highest = -INFINITY, sum = 0;
      std::vector<double> values(of.columns);
      for (std::size_t i = 0; i < of.columns; ++i)
        highest = std::max(highest, values[i] = load(type, x, row * of.columns + i));
      for (double& one : values) sum += one = std::exp(one - highest);
      for (std::size_t i = 0; i < of.columns; ++i) store(type, y, row * of.columns + i, values[i] / sum);
    }
    ++counted().softmaxes;
  });
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSoftmaxBackward(cudnnHandle_t, cudnnSoftmaxAlgorithm_t, cudnnSoftmaxMode_t mode, const void* alpha,
                                   cudnnTensorDescriptor_t y_as, const void* y, cudnnTensorDescriptor_t dy_as,
                                   const void* dy, const void* beta, cudnnTensorDescriptor_t dx_as, void* dx) {
  const tensor_state of = *as_state<tensor_state>(y_as);
  if (mode != CUDNN_SOFTMAX_MODE_INSTANCE || y_as != dy_as || dx_as != dy_as || !plain(alpha, beta) ||
      !is_held(y, of.bytes()) || !is_held(dy, of.bytes()) || !is_held(dx, of.bytes()))
    return CUDNN_STATUS_BAD_PARAM;
  enqueue(1e-6, [=] {
    const cudaDataType_t type = of.as_cuda();
    for (std::size_t row = 0; row < of.rows; ++row) {
      double mean = 0;
      for (std::size_t i = row * of.columns; i < (row + 1) * of.columns; ++i)
        mean += load(type, y, i) * load(type, dy, i);
      for (std::size_t i = row * of.columns; i < (row + 1) * of.columns; ++i)
        store(type, dx, i, load(type, y, i) * (load(type, dy, i) - mean));
    }
    ++counted().softmaxes;
  });
  return CUDNN_STATUS_SUCCESS;
}

}  // extern "C"

// cuDNN's graphs
// -----------------------------------------------------------------------------------------------------

namespace {

struct attribute_state {
  cudnnBackendAttributeType_t type;
  std::int64_t count = 0;
  std::vector<std::byte> bytes;
};
struct descriptor_state {
  cudnnBackendDescriptorType_t type;
  bool finalized = false;
  std::map<int, attribute_state> attributes;
  const descriptor_state* graph = nullptr;  ///< of an engine's configuration
  int engine = 0;

  bool has(int name) const { return attributes.count(name) > 0; }
  template <class Value>
  Value get(int name, std::size_t index = 0) const {
    Value value{};
    std::memcpy(&value, &attributes.at(name).bytes.at(index * sizeof value), sizeof value);
    return value;
  }
  const descriptor_state& linked(int name) const {
    return *static_cast<const descriptor_state*>(get<cudnnBackendDescriptor_t>(name));
  }
};

std::size_t size_of(cudnnBackendAttributeType_t type) {
  switch (type) {
    case CUDNN_TYPE_BOOLEAN:
      return 1;
    case CUDNN_TYPE_DATA_TYPE:
    case CUDNN_TYPE_HEUR_MODE:
      return 4;
    default:
      return 8;
  }
}

/// What must be there before a descriptor can be finalised, and of which type.
std::map<int, cudnnBackendAttributeType_t> wanted_by(cudnnBackendDescriptorType_t type) {
  constexpr auto descriptor = CUDNN_TYPE_BACKEND_DESCRIPTOR;
  switch (type) {
    case CUDNN_BACKEND_TENSOR_DESCRIPTOR:
      return {{CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64},
              {CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE},
              {CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64},
              {CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64},
              {CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64}};
    case CUDNN_BACKEND_OPERATION_SDPA_FWD_DESCRIPTOR:
      return {{CUDNN_ATTR_OPERATION_SDPA_FWD_QDESC, descriptor},
              {CUDNN_ATTR_OPERATION_SDPA_FWD_KDESC, descriptor},
              {CUDNN_ATTR_OPERATION_SDPA_FWD_VDESC, descriptor},
              {CUDNN_ATTR_OPERATION_SDPA_FWD_ODESC, descriptor},
              {CUDNN_ATTR_OPERATION_SDPA_FWD_SCALEDESC, descriptor}};
    case CUDNN_BACKEND_OPERATION_SDPA_BWD_DESCRIPTOR:
      return {
          {CUDNN_ATTR_OPERATION_SDPA_BWD_QDESC, descriptor},     {CUDNN_ATTR_OPERATION_SDPA_BWD_KDESC, descriptor},
          {CUDNN_ATTR_OPERATION_SDPA_BWD_VDESC, descriptor},     {CUDNN_ATTR_OPERATION_SDPA_BWD_ODESC, descriptor},
          {CUDNN_ATTR_OPERATION_SDPA_BWD_STATSDESC, descriptor}, {CUDNN_ATTR_OPERATION_SDPA_BWD_SCALEDESC, descriptor},
          {CUDNN_ATTR_OPERATION_SDPA_BWD_DQDESC, descriptor},    {CUDNN_ATTR_OPERATION_SDPA_BWD_DKDESC, descriptor},
          {CUDNN_ATTR_OPERATION_SDPA_BWD_DVDESC, descriptor},    {CUDNN_ATTR_OPERATION_SDPA_BWD_DODDESC, descriptor}};
    case CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR:
      return {{CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE}, {CUDNN_ATTR_OPERATIONGRAPH_OPS, descriptor}};
    case CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR:
      return {{CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, descriptor}, {CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE}};
    case CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR:
      return {{CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE},
              {CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, descriptor}};
    case CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR:
      return {{CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64},
              {CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR},
              {CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR}};
    default:
      return {};
  }
}

constexpr std::int64_t fused_workspace = 4096;
constexpr int engines = 2;  // of which the first fits another device

/// A tensor of four dimensions, where the pack says that it stands.
struct placed {
  const descriptor_state& shape;
  void* data = nullptr;

  std::int64_t dim(std::size_t which) const { return shape.get<std::int64_t>(CUDNN_ATTR_TENSOR_DIMENSIONS, which); }
  cudaDataType_t type() const {
    const auto as = shape.get<cudnnDataType_t>(CUDNN_ATTR_TENSOR_DATA_TYPE);
    return as == CUDNN_DATA_HALF ? CUDA_R_16F : as == CUDNN_DATA_BFLOAT16 ? CUDA_R_16BF : CUDA_R_32F;
  }
  std::size_t place(const std::int64_t (&at)[4]) const {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < 4; ++i) sum += at[i] * shape.get<std::int64_t>(CUDNN_ATTR_TENSOR_STRIDES, i);
    return static_cast<std::size_t>(sum);
  }
  double operator()(std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t d) const {
    return load(type(), data, place({b, h, i, d}));
  }
  void put(std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t d, double value) const {
    store(type(), data, place({b, h, i, d}), value);
  }
  std::size_t bytes() const { return (place({dim(0) - 1, dim(1) - 1, dim(2) - 1, dim(3) - 1}) + 1) * size_of(type()); }
  bool is_number() const { return shape.has(CUDNN_ATTR_TENSOR_IS_BY_VALUE); }
};

placed placed_in(const descriptor_state& pack, const descriptor_state& tensor) {
  const auto wanted = tensor.get<std::int64_t>(CUDNN_ATTR_TENSOR_UNIQUE_ID);
  const auto count = static_cast<std::size_t>(pack.attributes.at(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS).count);
  for (std::size_t i = 0; i < count; ++i)
    if (pack.get<std::int64_t>(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, i) == wanted)
      return {tensor, pack.get<void*>(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, i)};
  return {tensor, nullptr};
}

/// softmax(scale·Q·Kᵀ) of one query; its logarithm of the sum too.
std::vector<double> probabilities(const placed& q, const placed& k, double scale, std::int64_t b, std::int64_t h,
                                  std::int64_t i, double& log_sum) {
  const std::int64_t of_keys = h / (q.dim(1) / k.dim(1));
  std::vector<double> p(static_cast<std::size_t>(k.dim(2)));
  double highest = -INFINITY, sum = 0;
  for (std::size_t j = 0; j < p.size(); ++j) {
    for (std::int64_t d = 0; d < q.dim(3); ++d) p[j] += q(b, h, i, d) * k(b, of_keys, static_cast<std::int64_t>(j), d);
    highest = std::max(highest, p[j] *= scale);
  }
  for (double& one : p) sum += one = std::exp(one - highest);
  for (double& one : p) one /= sum;
  log_sum = highest + std::log(sum);
  return p;
}

template <class Each>
void for_each_query(const placed& q, const Each& each) {
  for (std::int64_t b = 0; b < q.dim(0); ++b)
    for (std::int64_t h = 0; h < q.dim(1); ++h)
      for (std::int64_t i = 0; i < q.dim(2); ++i) each(b, h, i);
}

void attend(const descriptor_state& operation, const descriptor_state& pack) {
  const auto of = [&](int name) { return placed_in(pack, operation.linked(name)); };
  const placed q = of(CUDNN_ATTR_OPERATION_SDPA_FWD_QDESC), k = of(CUDNN_ATTR_OPERATION_SDPA_FWD_KDESC),
               v = of(CUDNN_ATTR_OPERATION_SDPA_FWD_VDESC), o = of(CUDNN_ATTR_OPERATION_SDPA_FWD_ODESC);
  const double scale = *static_cast<const float*>(of(CUDNN_ATTR_OPERATION_SDPA_FWD_SCALEDESC).data);
  for_each_query(q, [&](std::int64_t b, std::int64_t h, std::int64_t i) {
    double log_sum = 0;
    const std::vector<double> p = probabilities(q, k, scale, b, h, i, log_sum);
    for (std::int64_t d = 0; d < v.dim(3); ++d) {
      double sum = 0;
      for (std::size_t j = 0; j < p.size(); ++j)
        sum += p[j] * v(b, h / (q.dim(1) / v.dim(1)), static_cast<std::int64_t>(j), d);
      o.put(b, h, i, d, sum);
    }
    if (operation.has(CUDNN_ATTR_OPERATION_SDPA_FWD_STATSDESC))
      of(CUDNN_ATTR_OPERATION_SDPA_FWD_STATSDESC).put(b, h, i, 0, log_sum);
  });
}

/// As flash attention does it: probabilities from the statistics, the mean of their gradients from output and its
/// gradient (Dao et al. 2022, algorithm 4).
void attend_backward(const descriptor_state& operation, const descriptor_state& pack) {
  const auto of = [&](int name) { return placed_in(pack, operation.linked(name)); };
  const placed q = of(CUDNN_ATTR_OPERATION_SDPA_BWD_QDESC), k = of(CUDNN_ATTR_OPERATION_SDPA_BWD_KDESC),
               v = of(CUDNN_ATTR_OPERATION_SDPA_BWD_VDESC), o = of(CUDNN_ATTR_OPERATION_SDPA_BWD_ODESC),
               g = of(CUDNN_ATTR_OPERATION_SDPA_BWD_DODDESC), stats = of(CUDNN_ATTR_OPERATION_SDPA_BWD_STATSDESC),
               dq = of(CUDNN_ATTR_OPERATION_SDPA_BWD_DQDESC), dk = of(CUDNN_ATTR_OPERATION_SDPA_BWD_DKDESC),
               dv = of(CUDNN_ATTR_OPERATION_SDPA_BWD_DVDESC);
  const double scale = *static_cast<const float*>(of(CUDNN_ATTR_OPERATION_SDPA_BWD_SCALEDESC).data);
  std::map<std::size_t, double> sums_k, sums_v;
  for_each_query(q, [&](std::int64_t b, std::int64_t h, std::int64_t i) {
    const std::int64_t of_keys = h / (q.dim(1) / k.dim(1));
    double mean = 0;
    for (std::int64_t d = 0; d < o.dim(3); ++d) mean += o(b, h, i, d) * g(b, h, i, d);
    std::vector<double> sums_q(static_cast<std::size_t>(q.dim(3)));
    for (std::int64_t j = 0; j < k.dim(2); ++j) {
      double score = 0, dp = 0;
      for (std::int64_t d = 0; d < q.dim(3); ++d) score += q(b, h, i, d) * k(b, of_keys, j, d);
      const double p = std::exp(scale * score - stats(b, h, i, 0));
      for (std::int64_t d = 0; d < v.dim(3); ++d) {
        dp += g(b, h, i, d) * v(b, of_keys, j, d);
        sums_v[dv.place({b, of_keys, j, d})] += p * g(b, h, i, d);
      }
      const double ds = scale * p * (dp - mean);
      for (std::int64_t d = 0; d < q.dim(3); ++d) {
        sums_q[static_cast<std::size_t>(d)] += ds * k(b, of_keys, j, d);
        sums_k[dk.place({b, of_keys, j, d})] += ds * q(b, h, i, d);
      }
    }
    for (std::int64_t d = 0; d < q.dim(3); ++d) dq.put(b, h, i, d, sums_q[static_cast<std::size_t>(d)]);
  });
  for (const auto& [place, sum] : sums_k) store(dk.type(), dk.data, place, sum);
  for (const auto& [place, sum] : sums_v) store(dv.type(), dv.data, place, sum);
}

}  // namespace

extern "C" {

cudnnStatus_t cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t type, cudnnBackendDescriptor_t* made) {
  *made = as_handle<cudnnBackendDescriptor_t>(new descriptor_state{.type = type, .attributes = {}});
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t one) {
  destroy<descriptor_state>(one);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnBackendSetAttribute(cudnnBackendDescriptor_t of, cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type, std::int64_t count, const void* from) {
  auto& state = *static_cast<descriptor_state*>(of);
  if (state.finalized || count < 1) return CUDNN_STATUS_BAD_PARAM;
  const auto wanted = wanted_by(state.type);
  if (wanted.count(name) > 0 && wanted.at(name) != type) return CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE;
  const std::size_t bytes = static_cast<std::size_t>(count) * size_of(type);
  const auto* const first = static_cast<const std::byte*>(from);
  if (type == CUDNN_TYPE_BACKEND_DESCRIPTOR)
    for (std::int64_t i = 0; i < count; ++i)
      if (!static_cast<descriptor_state* const*>(from)[i]->finalized) return CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED;
  state.attributes[name] = {type, count, {first, first + bytes}};
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnBackendFinalize(cudnnBackendDescriptor_t of) {
  auto& state = *static_cast<descriptor_state*>(of);
  for (const auto& [name, type] : wanted_by(state.type))
    if (!state.has(name)) return CUDNN_STATUS_BAD_PARAM;
  if (state.type == CUDNN_BACKEND_OPERATION_SDPA_FWD_DESCRIPTOR && !settings().fuses_attention)
    return CUDNN_STATUS_NOT_SUPPORTED_ARCH_MISMATCH;
  if (state.type == CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR &&
      state.linked(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG).engine == 0)
    return CUDNN_STATUS_NOT_SUPPORTED_ARCH_MISMATCH;
  state.finalized = true;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnBackendGetAttribute(cudnnBackendDescriptor_t const of, cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type, std::int64_t most, std::int64_t* count,
                                       void* into) {
  const auto& state = *static_cast<const descriptor_state*>(of);
  if (!state.finalized) return CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED;
  if (name == CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE && type == CUDNN_TYPE_INT64 && most == 1) {
    *count = 1;
    std::memcpy(into, &fused_workspace, sizeof fused_workspace);
    return CUDNN_STATUS_SUCCESS;
  }
  if (name != CUDNN_ATTR_ENGINEHEUR_RESULTS || type != CUDNN_TYPE_BACKEND_DESCRIPTOR) return CUDNN_STATUS_BAD_PARAM;
  *count = most == 0 ? engines : std::min<std::int64_t>(most, engines);
  for (std::int64_t i = 0; i < std::min<std::int64_t>(most, engines); ++i) {
    descriptor_state& engine = *static_cast<descriptor_state* const*>(into)[i];
    if (engine.type != CUDNN_BACKEND_ENGINECFG_DESCRIPTOR) return CUDNN_STATUS_BAD_PARAM_DESCRIPTOR_TYPE;
    engine.graph = &state.linked(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH);
    engine.engine = static_cast<int>(i);
    engine.finalized = true;
  }
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnBackendExecute(cudnnHandle_t, cudnnBackendDescriptor_t plan, cudnnBackendDescriptor_t with) {
  const auto& planned = *static_cast<const descriptor_state*>(plan);
  const auto& pack = *static_cast<const descriptor_state*>(with);
  if (!planned.finalized || !pack.finalized) return CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED;
  const descriptor_state& operation =
      planned.linked(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG).graph->linked(CUDNN_ATTR_OPERATIONGRAPH_OPS);
  if (!is_held(pack.get<void*>(CUDNN_ATTR_VARIANT_PACK_WORKSPACE), fused_workspace)) return CUDNN_STATUS_BAD_PARAM;
  for (const auto& [name, attribute] : operation.attributes) {
    const placed one = placed_in(pack, operation.linked(name));
    if (one.data == nullptr || (!one.is_number() && !is_held(one.data, one.bytes()))) return CUDNN_STATUS_BAD_PARAM;
  }
  // As the real one, it has read the addresses when it returns.
  enqueue(1e-6, [&operation, pack] {
    if (operation.type == CUDNN_BACKEND_OPERATION_SDPA_FWD_DESCRIPTOR)
      attend(operation, pack);
    else
      attend_backward(operation, pack);
    ++counted().attentions;
  });
  return CUDNN_STATUS_SUCCESS;
}

}  // extern "C"
