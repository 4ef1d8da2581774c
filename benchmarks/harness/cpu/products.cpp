// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "products.hpp"

#include <flopledger/hardware/device.hpp>

#include <limits>
#include <stdexcept>
#include <unordered_map>

#include <fmt/format.h>
#ifdef HARNESS_OPENBLAS
#include <cblas.h>
#endif
#ifdef HARNESS_ONEDNN
#include <omp.h>
#include <oneapi/dnnl/dnnl.hpp>
#endif

namespace harness::cpu {
namespace {

#ifdef HARNESS_OPENBLAS
int narrowed(std::int64_t size) {
  if (size > std::numeric_limits<blasint>::max()) throw std::invalid_argument("cblas_sgemm: a size beyond blasint");
  return static_cast<int>(size);
}

class openblas_product final : public matrix_product {
 public:
  explicit openblas_product(const matrix_shape& s) : s_(s), m_(narrowed(s.m)), n_(narrowed(s.n)), k_(narrowed(s.k)) {}
  void run(const void* left, const void* right, void* result) override {
    cblas_sgemm(CblasRowMajor, s_.left_transposed ? CblasTrans : CblasNoTrans,
                s_.right_transposed ? CblasTrans : CblasNoTrans, m_, n_, k_, 1.0F, static_cast<const float*>(left),
                s_.left_transposed ? m_ : k_, static_cast<const float*>(right), s_.right_transposed ? k_ : n_, 0.0F,
                static_cast<float*>(result), n_);
  }
  std::string description() const override { return "cblas_sgemm"; }
 private:
  matrix_shape s_;
  int m_, n_, k_;
};
#endif

#ifdef HARNESS_ONEDNN
dnnl::engine& engine() {
  static dnnl::engine made(dnnl::engine::kind::cpu, 0);
  return made;
}
dnnl::stream& queue() {
  static dnnl::stream made(engine());
  return made;
}

dnnl::memory::data_type type_of(number_kind format) {
  switch (format) {
    case number_kind::fp32:
      return dnnl::memory::data_type::f32;
    case number_kind::bf16:
      return dnnl::memory::data_type::bf16;
    case number_kind::int8:
      return dnnl::memory::data_type::s8;
    default:
      throw std::invalid_argument(fmt::format("oneDNN: no product of {} here", flopledger::name_of(format)));
  }
}

class onednn_product final : public matrix_product {
 public:
  explicit onednn_product(const matrix_shape& s)
      : left_(matrix(s.m, s.k, s.left_transposed, type_of(s.format))),
        right_(matrix(s.k, s.n, s.right_transposed, type_of(s.format))),
        result_(
            matrix(s.m, s.n, false, s.format == number_kind::int8 ? dnnl::memory::data_type::s32 : type_of(s.result))),
        chosen_(dnnl::matmul::desc(left_, right_, result_), engine()),
        primitive_(chosen_),
        operands_{{DNNL_ARG_SRC, dnnl::memory(left_, engine(), nullptr)},
                  {DNNL_ARG_WEIGHTS, dnnl::memory(right_, engine(), nullptr)},
                  {DNNL_ARG_DST, dnnl::memory(result_, engine(), nullptr)}} {}
  void run(const void* left, const void* right, void* result) override {
    operands_.at(DNNL_ARG_SRC).set_data_handle(const_cast<void*>(left));
    operands_.at(DNNL_ARG_WEIGHTS).set_data_handle(const_cast<void*>(right));
    operands_.at(DNNL_ARG_DST).set_data_handle(result);
    primitive_.execute(queue(), operands_);
    queue().wait();
  }
  std::string description() const override { return std::string("oneDNN matmul, ") + chosen_.impl_info_str(); }
 private:
  static dnnl::memory::desc matrix(std::int64_t rows, std::int64_t columns, bool transposed,
                                   dnnl::memory::data_type type) {
    return {{rows, columns}, type, transposed ? dnnl::memory::dims{1, rows} : dnnl::memory::dims{columns, 1}};
  }
  dnnl::memory::desc left_, right_, result_;
  dnnl::matmul::primitive_desc chosen_;
  dnnl::matmul primitive_;
  std::unordered_map<int, dnnl::memory> operands_;
};
#endif

}  // namespace

bool multiplies(number_kind format) {
#ifdef HARNESS_OPENBLAS
  if (format == number_kind::fp32) return true;
#endif
#ifdef HARNESS_ONEDNN
  switch (format) {
    case number_kind::fp32:
      return true;
    case number_kind::int8:
      return dnnl::get_effective_cpu_isa() >= dnnl::cpu_isa::avx2;
    case number_kind::bf16: {
      // Before AVX-512 oneDNN has no BF16 at all.
      const auto with_avx512 = static_cast<unsigned>(dnnl::cpu_isa::avx512_core);
      return (static_cast<unsigned>(dnnl::get_effective_cpu_isa()) & with_avx512) == with_avx512;
    }
    default:
      return false;
  }
#endif
  static_cast<void>(format);
  return false;
}

std::unique_ptr<matrix_product> make_product(const matrix_shape& shape) {
#ifdef HARNESS_OPENBLAS
  if (shape.format == number_kind::fp32) return std::make_unique<openblas_product>(shape);
#endif
#ifdef HARNESS_ONEDNN
  return std::make_unique<onednn_product>(shape);
#else
  throw std::invalid_argument(
      fmt::format("this build has no library that multiplies {}", flopledger::name_of(shape.format)));
#endif
}

void set_threads(int threads) {
#ifdef HARNESS_OPENBLAS
  openblas_set_num_threads(threads);
#endif
#ifdef HARNESS_ONEDNN
  omp_set_num_threads(threads);
#endif
  static_cast<void>(threads);
}

facts libraries() {
  facts known;
#ifdef HARNESS_OPENBLAS
  known.emplace_back("openblas", openblas_get_config());
  known.emplace_back("openblas_core", openblas_get_corename());
#endif
#ifdef HARNESS_ONEDNN
  const dnnl_version_t* version = dnnl_version();
  known.emplace_back("onednn",
                     fmt::format("{}.{}.{} ({})", version->major, version->minor, version->patch, version->hash));
  known.emplace_back("onednn_isa", fmt::format("{:#x}", static_cast<unsigned>(dnnl::get_effective_cpu_isa())));
#endif
  return known;
}

}  // namespace harness::cpu
