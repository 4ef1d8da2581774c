// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What a profiler's names mean: one table of patterns, from operators and kernels to kinds of activity, and from those
/// to the operations of the ledger that they carry out.

#include <flopledger/ledger.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace flopledger::profile {

/// What a piece of time was spent on, as far as a name tells it.
enum class activity : std::uint8_t {
  product,    ///< matrix products: which row of the ledger, their shapes say
  attention,  ///< scores, softmax and context in one kernel
  softmax,
  rotary,
  normalization,
  activation,
  elementwise,
  embedding,
  dropout,
  loss,
  routing,
  convolution,
  recurrence,
  optimizer,
  communication,
  copy,       ///< memory moved, cast or laid out anew
  framework,  ///< the host's own work: dispatch, views, allocation, the engine of the backward pass
  unknown     ///< no rule has the name
};
inline constexpr int activity_count = 18;

constexpr std::string_view name_of(activity what) {
  constexpr std::string_view names[] = {"product",    "attention",   "softmax",    "rotary",    "normalization",
                                        "activation", "elementwise", "embedding",  "dropout",   "loss",
                                        "routing",    "convolution", "recurrence", "optimizer", "communication",
                                        "copy",       "framework",   "unknown"};
  return names[static_cast<int>(what)];
}

/// The operations of the ledger that an activity may carry out. None: time that no row stands for.
constexpr operation_set carried_out_by(activity what) {
  switch (what) {
    case activity::product:
      return {operation::projection, operation::expert_projection, operation::router,
              operation::head,       operation::attention_scores,  operation::attention_context};
    case activity::attention:
      return {operation::attention_scores, operation::softmax, operation::attention_context};
    case activity::softmax:
      return {operation::softmax};
    case activity::rotary:
      return {operation::rotary};
    case activity::normalization:
      return {operation::normalization};
    case activity::activation:
      return {operation::activation};
    case activity::elementwise:
      return {operation::addition};
    case activity::embedding:
      return {operation::gather};
    case activity::dropout:
      return {operation::dropout};
    case activity::loss:
      return {operation::loss};
    case activity::routing:
      return {operation::router};
    case activity::convolution:
      return {operation::convolution};
    case activity::recurrence:
      return {operation::recurrence};
    case activity::optimizer:
    case activity::communication:
    case activity::copy:
    case activity::framework:
    case activity::unknown:
      break;
  }
  return {};
}

/// A pattern of names: `*` stands for any text, `?` for one character, everything else for itself, whatever its case.
struct rule {
  std::string_view pattern;
  activity what = activity::unknown;
};

/// Whether a pattern fits the whole name.
constexpr bool fits(std::string_view pattern, std::string_view name) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  std::size_t p = 0, n = 0, star = std::string_view::npos, from = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || lower(pattern[p]) == lower(name[n]))) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++from;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

/// The rules of the library, in the order in which they are tried: the first that fits decides.
inline constexpr rule known_names[] = {
    // Communication: NCCL and RCCL kernels, PyTorch's collectives, Huawei's.
    {"*nccl*", activity::communication},
    {"*rccl*", activity::communication},
    {"c10d::*", activity::communication},
    {"gloo:*", activity::communication},
    {"record_param_comms*", activity::communication},
    {"hcom_*", activity::communication},
    {"hccl*", activity::communication},
    {"*allreduce*", activity::communication},
    {"*all_reduce*", activity::communication},
    {"*allgather*", activity::communication},
    {"*all_gather*", activity::communication},
    {"*reducescatter*", activity::communication},
    {"*reduce_scatter*", activity::communication},
    {"*alltoall*", activity::communication},
    {"*cross_device_reduce*", activity::communication},
    // Memory.
    {"*memcpy*", activity::copy},
    {"*memset*", activity::copy},
    // The optimizer: PyTorch's ranges, fused and for-each kernels.
    {"Optimizer.*", activity::optimizer},
    {"*multi_tensor_apply*", activity::optimizer},
    {"aten::_foreach_*", activity::optimizer},
    {"aten::_fused_adam*", activity::optimizer},
    {"*adam*", activity::optimizer},
    {"*lamb_kernel*", activity::optimizer},
    {"ApplyMomentum*", activity::optimizer},
    // The engine's own ranges, before what their names hold of others'.
    {"autograd::*", activity::framework},
    {"torch::autograd::*", activity::framework},
    {"ProfilerStep*", activity::framework},
    {"*Backward0", activity::framework},
    {"*Backward1", activity::framework},
    {"CompiledFunctionBackward", activity::framework},
    // Fused attention.
    {"aten::scaled_dot_product_attention", activity::framework},  // calls one of those below, or plain products
    {"aten::_scaled_dot_product_attention", activity::framework},
    {"aten::_scaled_dot_product_attention_math", activity::framework},
    {"aten::_fused_sdp_choice", activity::framework},
    {"aten::*scaled_dot_product*", activity::attention},
    {"aten::*flash_attention*", activity::attention},
    {"aten::*efficient_attention*", activity::attention},
    {"*flash*att*", activity::attention},
    {"*flash_fwd*", activity::attention},
    {"*flash_bwd*", activity::attention},
    {"flash::*", activity::attention},
    {"*fmha*", activity::attention},
    {"*paged_attention*", activity::attention},
    {"*attention_kernel*", activity::attention},
    {"*AttentionScore*", activity::attention},
    {"PromptFlashAttention*", activity::attention},
    {"cudnn*sdpa*", activity::attention},
    // The loss, before softmax.
    {"*log_softmax*", activity::loss},
    {"*logsoftmax*", activity::loss},
    {"*nll_loss*", activity::loss},
    {"*cross_entropy*", activity::loss},
    {"*crossentropy*", activity::loss},
    {"*softmax*", activity::softmax},
    {"*layer_norm*", activity::normalization},
    {"*layernorm*", activity::normalization},
    {"*rms_norm*", activity::normalization},
    {"*rmsnorm*", activity::normalization},
    {"*gamma_beta*", activity::normalization},
    {"*rotary*", activity::rotary},
    {"*rope_*", activity::rotary},
    {"*apply_rope*", activity::rotary},
    {"*gelu*", activity::activation},
    {"*silu*", activity::activation},
    {"*swiglu*", activity::activation},
    {"*swish*", activity::activation},
    {"*relu*", activity::activation},
    {"aten::threshold_backward", activity::activation},
    {"*dropout*", activity::dropout},
    {"aten::bernoulli_*", activity::dropout},
    {"*embedding*", activity::embedding},
    {"aten::index_select", activity::embedding},
    {"*indexSelect*", activity::embedding},
    {"Gather*", activity::embedding},
    {"*topk*", activity::routing},
    {"*top_k*", activity::routing},
    {"*MoeGating*", activity::routing},
    {"*moe_align*", activity::routing},
    {"*selective_scan*", activity::recurrence},
    {"*chunk_scan*", activity::recurrence},
    {"*chunk_state*", activity::recurrence},
    {"*gated_delta*", activity::recurrence},
    {"aten::*convolution*", activity::convolution},
    {"aten::conv?d", activity::convolution},
    {"aten::mkldnn_convolution*", activity::convolution},
    {"*causal_conv1d*", activity::convolution},
    {"Conv2D*", activity::convolution},
    // Matrix products: operators, then kernels of cuBLAS, CUTLASS, Triton, rocBLAS and Ascend.
    {"aten::mm", activity::product},
    {"aten::addmm", activity::product},
    {"aten::bmm", activity::product},
    {"aten::baddbmm", activity::product},
    {"aten::addmv", activity::product},
    {"aten::mv", activity::product},
    {"aten::_addmm_activation", activity::product},
    {"aten::_scaled_mm", activity::product},
    {"aten::_grouped_mm", activity::product},
    {"aten::mkldnn_linear", activity::product},
    {"aten::linear", activity::framework},
    {"aten::matmul", activity::framework},
    {"*gemm*", activity::product},
    {"*gemv*", activity::product},
    {"*splitKreduce*", activity::product},
    {"*xmma*", activity::product},
    {"nvjet*", activity::product},
    {"cublas*", activity::product},
    {"*cutlass*", activity::product},
    {"Cijk_*", activity::product},
    {"*fused_moe_kernel*", activity::product},
    {"*matmul*", activity::product},
    {"triton_*mm*", activity::product},
    // What casts, copies and lays out anew.
    {"aten::copy_", activity::copy},
    {"aten::_to_copy", activity::copy},
    {"aten::clone", activity::copy},
    {"aten::contiguous", activity::copy},
    {"aten::cat", activity::copy},
    {"aten::stack", activity::copy},
    {"aten::repeat*", activity::copy},
    {"aten::index*", activity::copy},
    {"aten::gather", activity::copy},
    {"aten::scatter*", activity::copy},
    {"aten::*_copy", activity::copy},
    {"*CatArrayBatchedCopy*", activity::copy},
    {"*copy_kernel*", activity::copy},
    {"*copy_device_to_device*", activity::copy},
    {"Cast", activity::copy},
    {"TransData", activity::copy},
    {"Transpose*", activity::copy},
    {"*transpose_kernel*", activity::copy},
    {"ConcatD", activity::copy},
    // What does nothing to data.
    {"aten::view*", activity::framework},
    {"aten::_unsafe_view", activity::framework},
    {"aten::*reshape*", activity::framework},
    {"aten::*transpose*", activity::framework},
    {"aten::t", activity::framework},
    {"aten::permute", activity::framework},
    {"aten::*expand*", activity::framework},
    {"aten::as_strided*", activity::framework},
    {"aten::slice", activity::framework},
    {"aten::slice_backward", activity::copy},
    {"aten::select", activity::framework},
    {"aten::narrow", activity::framework},
    {"aten::split*", activity::framework},
    {"aten::chunk", activity::framework},
    {"aten::unbind", activity::framework},
    {"aten::*squeeze*", activity::framework},
    {"aten::unflatten", activity::framework},
    {"aten::detach*", activity::framework},
    {"detach*", activity::framework},
    {"aten::alias", activity::framework},
    {"aten::*empty*", activity::framework},
    {"aten::new_*", activity::framework},
    {"aten::resize_*", activity::framework},
    {"aten::resolve_*", activity::framework},
    {"aten::result_type", activity::framework},
    {"aten::to", activity::framework},
    {"aten::item", activity::framework},
    {"aten::_local_scalar_dense", activity::framework},
    {"aten::is_nonzero", activity::framework},
    {"aten::lift_fresh", activity::framework},
    {"aten::set_", activity::framework},
    {"aten::set_data", activity::framework},
    // One element in, one out, and sums over them.
    {"aten::add*", activity::elementwise},
    {"aten::sub*", activity::elementwise},
    {"aten::rsub", activity::elementwise},
    {"aten::mul*", activity::elementwise},
    {"aten::div*", activity::elementwise},
    {"aten::neg", activity::elementwise},
    {"aten::pow*", activity::elementwise},
    {"aten::*sqrt*", activity::elementwise},
    {"aten::exp*", activity::elementwise},
    {"aten::tanh*", activity::elementwise},
    {"aten::sigmoid*", activity::elementwise},
    {"aten::sum", activity::elementwise},
    {"aten::mean", activity::elementwise},
    {"aten::*fill*", activity::elementwise},
    {"aten::zero*", activity::elementwise},
    {"aten::one*", activity::elementwise},
    {"aten::full*", activity::elementwise},
    {"aten::where", activity::elementwise},
    {"aten::tri?", activity::elementwise},
    {"aten::arange", activity::elementwise},
    {"aten::eq", activity::elementwise},
    {"aten::ge", activity::elementwise},
    {"aten::le", activity::elementwise},
    {"aten::logical_*", activity::elementwise},
    {"aten::all", activity::elementwise},
    {"aten::any", activity::elementwise},
    {"aten::cumsum", activity::elementwise},
    {"aten::lerp*", activity::elementwise},
    {"*elementwise_kernel*", activity::elementwise},
    {"*reduce_kernel*", activity::elementwise},
    {"triton_poi_*", activity::elementwise},
    {"triton_red_*", activity::elementwise},
    {"triton_per_*", activity::elementwise},
    {"Add", activity::elementwise},
    {"AddN", activity::elementwise},
    {"Mul", activity::elementwise},
    {"Muls", activity::elementwise},
    {"Sub", activity::elementwise},
    {"RealDiv", activity::elementwise},
    {"ReduceSum*", activity::elementwise},
    {"ReduceMean*", activity::elementwise},
};

/// A user's rules in front of the library's: `rules mine{{{"my_scan*", activity::recurrence}}}`.
class rules {
 public:
  rules() = default;
  explicit rules(std::vector<rule> own) : own_(std::move(own)) {}
  activity of(std::string_view name) const {
    for (const rule& r : own_)
      if (fits(r.pattern, name)) return r.what;
    for (const rule& r : known_names)
      if (fits(r.pattern, name)) return r.what;
    return activity::unknown;
  }
 private:
  std::vector<rule> own_;
};

/// The activity of that name; `found` says whether there is one.
constexpr activity find_activity(std::string_view name, bool& found) {
  for (int i = 0; i < activity_count; ++i)
    if (const auto what = static_cast<activity>(i); name_of(what) == name) {
      found = true;
      return what;
    }
  found = false;
  return activity::unknown;
}

}  // namespace flopledger::profile
