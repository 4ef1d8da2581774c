// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#include "softmax.hpp"

#include <algorithm>

namespace harness::cuda {
namespace {

constexpr float one = 1, nothing = 0;
constexpr cudnnSoftmaxAlgorithm_t algorithm = CUDNN_SOFTMAX_ACCURATE;  // less the row's greatest, so nothing overflows
constexpr cudnnSoftmaxMode_t mode = CUDNN_SOFTMAX_MODE_INSTANCE;       // over all of C, H and W; a row is one image

constexpr cudnnDataType_t data_type_of(element kind) {
  return kind == element::bf16 ? CUDNN_DATA_BFLOAT16 : kind == element::fp16 ? CUDNN_DATA_HALF : CUDNN_DATA_FLOAT;
}

owned<cudnnTensorDescriptor_t, cudnnDestroyTensorDescriptor> described(element kind, std::size_t rows,
                                                                       std::size_t columns) {
  cudnnTensorDescriptor_t tensor = nullptr;
  check(cudnnCreateTensorDescriptor(&tensor), "cudnnCreateTensorDescriptor");
  owned<cudnnTensorDescriptor_t, cudnnDestroyTensorDescriptor> kept(tensor);
  check(cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW, data_type_of(kind), static_cast<int>(rows),
                                   static_cast<int>(columns), 1, 1),
        "cudnnSetTensor4dDescriptor");
  return kept;
}

}  // namespace

void check(cudnnStatus_t status, const std::string& call) {
  if (status == CUDNN_STATUS_SUCCESS) return;
  char last[256] = "";
  cudnnGetLastErrorString(last, sizeof last);
  const std::string text = call + ": " + cudnnGetErrorString(status) + " (" + std::to_string(static_cast<int>(status)) +
                           ")" + (last[0] != '\0' ? std::string("; ") + last : "");
  if (status == CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED) throw out_of_memory(text);
  throw error(text);
}

softmax_library::softmax_library(const stream& on) : on_(on) {
  cudnnHandle_t handle = nullptr;
  check(cudnnCreate(&handle), "cudnnCreate");
  handle_.reset(handle);
  check(cudnnSetStream(handle, on.get()), "cudnnSetStream");
}

bool softmax_library::takes(element kind) const {
  constexpr std::size_t rows = 2, columns = 64;
  const device_memory in(rows * columns * size_of(kind)), out(in.size());
  set(on_, in.data(), 0, in.size());
  const auto tensor = described(kind, rows, columns);
  const cudnnStatus_t status = cudnnSoftmaxForward(handle_.get(), algorithm, mode, &one, tensor.get(), in.data(),
                                                   &nothing, tensor.get(), out.data());
  on_.wait();
  if (CUDNN_STATUS_CATEGORY(status) == CUDNN_STATUS_NOT_SUPPORTED || status == CUDNN_STATUS_BAD_PARAM) return false;
  check(status, "cudnnSoftmaxForward");
  return true;
}

std::string softmax_library::version() { return std::to_string(cudnnGetVersion()); }

row_softmax::row_softmax(const softmax_library& with, element kind, std::size_t rows, std::size_t columns)
    : with_(with), rows_(rows), row_bytes_(columns * size_of(kind)) {
  constexpr std::size_t most = std::size_t{1} << 30;
  if (columns > most) throw std::invalid_argument("softmax: rows of " + std::to_string(columns) + " are too long");
  rows_a_part_ = std::min(rows, std::max<std::size_t>(1, most / columns));
  part_ = described(kind, rows_a_part_, columns);
  if (rows % rows_a_part_ != 0) rest_ = described(kind, rows % rows_a_part_, columns);
}

template <class Call>
void row_softmax::in_parts(const Call& call) const {
  for (std::size_t first = 0; first < rows_; first += rows_a_part_) {
    const bool whole = rows_ - first >= rows_a_part_;
    call(whole ? part_.get() : rest_.get(), first * row_bytes_);
  }
}

void row_softmax::forward(const void* scores, void* probabilities) const {
  in_parts([&](cudnnTensorDescriptor_t rows, std::size_t offset) {
    check(
        cudnnSoftmaxForward(with_.handle(), algorithm, mode, &one, rows, static_cast<const std::byte*>(scores) + offset,
                            &nothing, rows, static_cast<std::byte*>(probabilities) + offset),
        "cudnnSoftmaxForward");
  });
}

void row_softmax::backward(const void* probabilities, void* gradient) const {
  in_parts([&](cudnnTensorDescriptor_t rows, std::size_t offset) {
    std::byte* const both = static_cast<std::byte*>(gradient) + offset;
    check(cudnnSoftmaxBackward(with_.handle(), algorithm, mode, &one, rows,
                               static_cast<const std::byte*>(probabilities) + offset, rows, both, &nothing, rows, both),
          "cudnnSoftmaxBackward");
  });
}

}  // namespace harness::cuda
