// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Matrix products by cuBLASLt.

#include <cublasLt.h>

#include "layout.hpp"
#include "memory.hpp"

namespace harness::cuda {

/// Throws `out_of_memory` for CUBLAS_STATUS_ALLOC_FAILED, `error` for the rest, each with the call and the status.
void check(cublasStatus_t status, const std::string& call);

constexpr cudaDataType_t data_type_of(element kind) {
  switch (kind) {
    case element::fp32:
      return CUDA_R_32F;
    case element::bf16:
      return CUDA_R_16BF;
    case element::fp16:
      return CUDA_R_16F;
    case element::fp8_e4m3:
      return CUDA_R_8F_E4M3;
    case element::int8:
      return CUDA_R_8I;
    case element::int32:
      return CUDA_R_32I;
  }
  return CUDA_R_32F;
}
constexpr cublasComputeType_t compute_type_of(arithmetic sums) {
  return sums == arithmetic::int32          ? CUBLAS_COMPUTE_32I
         : sums == arithmetic::fp32_by_tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32
                                            : CUBLAS_COMPUTE_32F;
}
/// Of alpha and beta.
constexpr cudaDataType_t scale_type_of(arithmetic sums) { return sums == arithmetic::int32 ? CUDA_R_32I : CUDA_R_32F; }

/// cuBLASLt on a stream, with the workspace that all its products share, one after another.
class multiplier {
 public:
  explicit multiplier(const stream& on);

  cublasLtHandle_t handle() const { return handle_.get(); }
  const stream& on() const { return on_; }
  const device_memory& workspace() const { return workspace_; }
  /// A 1 in FP32: the scale of FP8 operands.
  const void* one() const { return one_.data(); }
 private:
  const stream& on_;
  owned<cublasLtHandle_t, cublasLtDestroy> handle_;
  device_memory workspace_, one_;
};

/// One product, ready to run on any operands of its layout: D = alpha·op(A)·op(B) + C.
class product {
 public:
  /// `adds`: a C with the layout of one D, the same for all of the batch, is added.
  product(const multiplier& with, const product_layout& layout, float alpha = 1, bool adds = false);

  /// Times the algorithms that cuBLASLt's heuristic puts first, up to eight, on these operands, and keeps the fastest.
  /// D is overwritten.
  void choose(const void* a, const void* b, void* d, const void* c = nullptr);
  void run(const void* a, const void* b, void* d, const void* c = nullptr) const;
  /// "cublasLtMatmul TN, algorithm 66, tile 20, stages 36, split-K 1, workspace 0 B (fastest of 8)".
  std::string description() const;
 private:
  cublasStatus_t try_run(const cublasLtMatmulAlgo_t& algorithm, std::size_t workspace, const void* a, const void* b,
                         void* d, const void* c) const;

  const multiplier& with_;
  product_layout layout_;
  float alpha_;
  bool adds_;
  owned<cublasLtMatmulDesc_t, cublasLtMatmulDescDestroy> operation_;
  owned<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy> a_, b_, c_, d_;
  cublasLtMatmulAlgo_t algorithm_{};
  std::size_t workspace_needed_ = 0;
  int candidates_ = 0;
};

}  // namespace harness::cuda
