// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#include "product.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace harness::cuda {
namespace {

// What NVIDIA recommends for Hopper, and what CUTLASS's profiler and llm.c set.
constexpr std::size_t workspace_bytes = 32UL << 20;
constexpr int most_candidates = 8;  // as CUTLASS's profiler asks for
constexpr int tries = 3;            // of each, after one that loads its module

template <class Value>
void set_attribute(cublasLtMatmulDesc_t of, cublasLtMatmulDescAttributes_t which, const Value& value) {
  check(cublasLtMatmulDescSetAttribute(of, which, &value, sizeof value), "cublasLtMatmulDescSetAttribute");
}
template <class Value>
void set_attribute(cublasLtMatrixLayout_t of, cublasLtMatrixLayoutAttribute_t which, const Value& value) {
  check(cublasLtMatrixLayoutSetAttribute(of, which, &value, sizeof value), "cublasLtMatrixLayoutSetAttribute");
}

owned<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy> made(const column_major& of, std::int64_t batch,
                                                                std::int64_t stride) {
  cublasLtMatrixLayout_t layout = nullptr;
  check(cublasLtMatrixLayoutCreate(&layout, data_type_of(of.kind), static_cast<std::uint64_t>(of.rows),
                                   static_cast<std::uint64_t>(of.columns), of.leading),
        "cublasLtMatrixLayoutCreate");
  owned<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy> kept(layout);
  set_attribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, static_cast<std::int32_t>(batch));
  set_attribute(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, stride);
  return kept;
}

/// What a search may return.
owned<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceDestroy> preference(std::size_t workspace) {
  cublasLtMatmulPreference_t wanted = nullptr;
  check(cublasLtMatmulPreferenceCreate(&wanted), "cublasLtMatmulPreferenceCreate");
  owned<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceDestroy> kept(wanted);
  const std::uint64_t most = workspace;
  check(cublasLtMatmulPreferenceSetAttribute(wanted, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &most, sizeof most),
        "cublasLtMatmulPreferenceSetAttribute");
  return kept;
}

template <class Value>
std::string configured(const cublasLtMatmulAlgo_t& algorithm, cublasLtMatmulAlgoConfigAttributes_t which) {
  Value value{};
  std::size_t written = 0;
  const cublasStatus_t status = cublasLtMatmulAlgoConfigGetAttribute(&algorithm, which, &value, sizeof value, &written);
  return status == CUBLAS_STATUS_SUCCESS ? std::to_string(value) : "?";
}

}  // namespace

void check(cublasStatus_t status, const std::string& call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  const std::string text = call + ": " + cublasLtGetStatusString(status) + " (" + cublasLtGetStatusName(status) + ", " +
                           std::to_string(static_cast<int>(status)) + ")";
  if (status == CUBLAS_STATUS_ALLOC_FAILED) throw out_of_memory(text);
  throw error(text);
}

multiplier::multiplier(const stream& on) : on_(on), workspace_(workspace_bytes), one_(sizeof(float)) {
  const float one = 1;
  upload(on_, one_.data(), std::as_bytes(std::span(&one, 1)));
  cublasLtHandle_t handle = nullptr;
  check(cublasLtCreate(&handle), "cublasLtCreate");
  handle_.reset(handle);
}

product::product(const multiplier& with, const product_layout& layout, float alpha, bool adds)
    : with_(with), layout_(layout), alpha_(alpha), adds_(adds) {
  if (layout.batch > std::numeric_limits<std::int32_t>::max())
    throw std::invalid_argument("cuda product: batch is " + std::to_string(layout.batch) + "; cuBLASLt counts to 2^31");
  cublasLtMatmulDesc_t operation = nullptr;
  check(cublasLtMatmulDescCreate(&operation, compute_type_of(layout.sums), scale_type_of(layout.sums)),
        "cublasLtMatmulDescCreate");
  operation_.reset(operation);
  const auto turned = [](bool is) { return is ? CUBLAS_OP_T : CUBLAS_OP_N; };
  set_attribute(operation, CUBLASLT_MATMUL_DESC_TRANSA, turned(layout.transposes_a));
  set_attribute(operation, CUBLASLT_MATMUL_DESC_TRANSB, turned(layout.transposes_b));
  if (layout.a.kind == element::fp8_e4m3) {
    set_attribute(operation, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, with.one());
    set_attribute(operation, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, with.one());
    // Sums stay in the tensor core, at the peak of the data sheet; without it, Hopper promotes them now and then.
    set_attribute(operation, CUBLASLT_MATMUL_DESC_FAST_ACCUM, std::int8_t{1});
  }
  a_ = made(layout.a, layout.batch, layout.a.stride);
  b_ = made(layout.b, layout.batch, layout.b.stride);
  c_ = made(layout.d, layout.batch, adds ? 0 : layout.d.stride);
  d_ = made(layout.d, layout.batch, layout.d.stride);
}

cublasStatus_t product::try_run(const cublasLtMatmulAlgo_t& algorithm, std::size_t workspace, const void* a,
                                const void* b, void* d, const void* c) const {
  // alpha and beta are read as the scale type says.
  const std::int32_t whole_alpha = 1, whole_beta = 0;
  const float beta = adds_ ? 1 : 0;
  const bool whole = layout_.sums == arithmetic::int32;
  return cublasLtMatmul(with_.handle(), operation_.get(), whole ? static_cast<const void*>(&whole_alpha) : &alpha_, a,
                        a_.get(), b, b_.get(), whole ? static_cast<const void*>(&whole_beta) : &beta, adds_ ? c : d,
                        c_.get(), d, d_.get(), &algorithm, with_.workspace().data(), workspace, with_.on().get());
}

void product::choose(const void* a, const void* b, void* d, const void* c) {
  const auto wanted = preference(with_.workspace().size());
  cublasLtMatmulHeuristicResult_t found[most_candidates] = {};
  int count = 0;
  const cublasStatus_t status =
      cublasLtMatmulAlgoGetHeuristic(with_.handle(), operation_.get(), a_.get(), b_.get(), c_.get(), d_.get(),
                                     wanted.get(), most_candidates, found, &count);
  check(status, "cublasLtMatmulAlgoGetHeuristic for " + description_of(layout_));
  event begin, end;
  std::optional<double> fastest;
  cublasStatus_t last = CUBLAS_STATUS_NOT_SUPPORTED;
  candidates_ = 0;
  for (int i = 0; i < count; ++i) {
    const cublasLtMatmulHeuristicResult_t& one = found[i];
    if (one.state != CUBLAS_STATUS_SUCCESS || one.workspaceSize > with_.workspace().size()) continue;
    last = try_run(one.algo, one.workspaceSize, a, b, d, c);
    if (last != CUBLAS_STATUS_SUCCESS) continue;  // the heuristic promises nothing
    with_.on().wait();
    ++candidates_;
    double best = std::numeric_limits<double>::infinity();
    for (int run = 0; run < tries; ++run) {
      begin.record(with_.on());
      check(try_run(one.algo, one.workspaceSize, a, b, d, c), "cublasLtMatmul");
      end.record(with_.on());
      end.wait();
      best = std::min(best, between(begin, end));
    }
    if (fastest && best >= *fastest) continue;
    fastest = best;
    algorithm_ = one.algo;
    workspace_needed_ = one.workspaceSize;
  }
  if (!fastest) check(last, "cublasLtMatmul " + description_of(layout_) + ": no algorithm of " + std::to_string(count));
}

void product::run(const void* a, const void* b, void* d, const void* c) const {
  check(try_run(algorithm_, workspace_needed_, a, b, d, c), "cublasLtMatmul");
}

std::string product::description() const {
  std::string text = "cublasLtMatmul " + description_of(layout_);
  text += ", algorithm " + configured<std::int32_t>(algorithm_, CUBLASLT_ALGO_CONFIG_ID);
  text += ", tile " + configured<std::uint32_t>(algorithm_, CUBLASLT_ALGO_CONFIG_TILE_ID);
  text += ", stages " + configured<std::uint32_t>(algorithm_, CUBLASLT_ALGO_CONFIG_STAGES_ID);
  text += ", cluster " + configured<std::uint16_t>(algorithm_, CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID);
  text += ", split-K " + configured<std::int32_t>(algorithm_, CUBLASLT_ALGO_CONFIG_SPLITK_NUM);
  text += ", workspace " + std::to_string(workspace_needed_) + " B";
  if (layout_.sums == arithmetic::fp32_by_tf32) text += ", TF32";
  if (layout_.a.kind == element::fp8_e4m3) text += ", fast accumulation";
  return text + " (fastest of " + std::to_string(candidates_) + ")";
}

}  // namespace harness::cuda
