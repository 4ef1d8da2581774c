// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Counters of PyTorch models as rules: each charges the calls that an implementation makes of a row.
///
/// Every rule was compared with the tool itself: thop 0.1.1, ptflops 0.7.6, fvcore 0.1.6, calflops 29ca5844, DeepSpeed
/// 0.16.5 and the parent of 98c96e790, torch 1.13 (torch.profiler), torch/utils/flop_counter.py of 2025-04. None of
/// them halves a causal mask, and none knows a tied weight as one. docs/conventions.md has the table.

#include <flopledger/counting/implementation.hpp>

namespace flopledger::conventions {

using counting::call;
using counting::custom_rows;
using counting::implementation;
using counting::model_facts;
using counting::passes;
using counting::piece;

namespace detail {
/// Sums what `seen(call, piece)` says of each call of the row.
template <class Rule>
constexpr double over_calls(const Rule& rule, const row& r, const work& asked, auto seen) {
  double sum = 0;
  rule.written.for_each_call(r, asked, rule.facts, [&](call how, const piece& p) { sum += seen(how, p); });
  return sum;
}

constexpr bool is_linear(call how) {
  return how == call::linear_module || how == call::linear_function || how == call::strided_linear_function;
}

/// Products that reach PyTorch's dispatcher one by one, however they were called.
constexpr bool is_dispatched_product(call how) {
  if (is_linear(how)) return true;
  switch (how) {
    case call::addmm:
    case call::matmul_function:
    case call::at_operator:
    case call::bmm:
    case call::einsum:
    case call::convolution_module:
      return true;
    default:
      return false;
  }
}

/// Four significant digits, ties to even: what Python's '%.3e' prints, read back.
constexpr double four_digits(double value) {
  if (value < 1e4 || value >= 9e18) return value;
  auto whole = static_cast<std::int64_t>(value);
  std::int64_t unit_of_last = 1;
  while (whole / unit_of_last >= 10000) unit_of_last *= 10;
  std::int64_t kept = whole / unit_of_last;
  const std::int64_t rest = whole - kept * unit_of_last;
  if (2 * rest > unit_of_last || (2 * rest == unit_of_last && kept % 2 != 0)) ++kept;
  return static_cast<double>(kept * unit_of_last);
}

/// LayerNorm as fvcore, calflops and DeepSpeed count it.
constexpr double layer_norm_flops(call how, const piece& p) {
  if (how != call::layer_norm_module && how != call::layer_norm_function) return 0;
  return (p.affine ? 5 : 4) * p.elements;
}

/// Weights that a module of the row's kind owns, tied or not.
constexpr parameters module_parameters(const row& r) {
  switch (r.kind) {
    case operation::projection:
    case operation::expert_projection:
    case operation::router:
    case operation::head: {
      const double bias = counting::bias_length(r);
      return r.shape.batch * (r.shape.k * r.shape.n + (bias > r.shape.n ? r.shape.n : bias)) * unit::parameter;
    }
    default:
      return r.held;
  }
}
}  // namespace detail

/// thop's `profile`: multiply-adds of modules that have a rule. What is a function, a method or an operator is not
/// there. Its parameters are those of the modules it has a rule for: no tables, no norms or Conv1D of one's own.
struct thop {
  static constexpr std::string_view name = "thop";
  static constexpr auto covers = passes::forward;
  static constexpr auto custom = custom_rows::charged;
  implementation written{};
  double experts_run = 0;  ///< of each mixture, where fewer ran than there are; 0: all
  model_facts facts{};

  constexpr work asks(const work& asked) const { return written.asks(asked); }
  constexpr macs charge(const row& r, const work& asked) const {
    return detail::over_calls(*this, r, asked,
                              [](call how, const piece& p) {
                                switch (how) {
                                  case call::linear_module:
                                  case call::convolution_module:
                                    return p.multiplied;
                                  case call::layer_norm_module:
                                    return (p.affine ? 4 : 2) * p.elements;
                                  case call::softmax_module:  // exponentials, sums and divisions
                                    return p.width > 0 ? p.elements / p.width * (3 * p.width - 1) : 0.0;
                                  default:
                                    return 0.0;
                                }
                              }) *
           unit::mac;
  }
  constexpr parameters held(const row& r, const work& asked) const {
    double has_rule = 0;
    written.for_each_call(r, asked, facts, [&](call how, const piece&) {
      if (how == call::linear_module || how == call::convolution_module || how == call::layer_norm_module) has_rule = 1;
    });
    if (r.kind == operation::expert_projection && experts_run > 0) has_rule *= experts_run / r.shape.batch;
    return has_rule * detail::module_parameters(r);
  }
};

/// thop's `profile_origin`: the same multiply-adds; parameters of all leaf modules, so that a tied head counts twice.
struct thop_origin {
  static constexpr std::string_view name = "thop-origin";
  static constexpr auto covers = passes::forward;
  static constexpr auto custom = custom_rows::charged;
  implementation written{};
  model_facts facts{};

  constexpr work asks(const work& asked) const { return written.asks(asked); }
  constexpr macs charge(const row& r, const work& asked) const {
    return thop{.written = written, .facts = facts}.charge(r, asked);
  }
  constexpr parameters held(const row& r, const work&) const {
    return r.kind == operation::head ? detail::module_parameters(r) : r.held;
  }
};

/// ptflops, `pytorch` back end: modules by hooks, divided by the length of the first positional input, and replaced
/// functions, not divided. So its number is per sample for one part and per batch for the other.
struct ptflops {
  static constexpr std::string_view name = "ptflops";
  static constexpr auto covers = passes::forward;
  static constexpr auto custom = custom_rows::charged;
  static constexpr bool truncates = true;
  implementation written{};
  /// Length of the first positional input of the root module; 0: the batch. Sequence-first models give the sequence.
  double first_input_length = 0;
  model_facts facts{};

  constexpr work asks(const work& asked) const { return written.asks(asked); }
  constexpr double divisor(const work& asked) const {
    if (written.inputs_by_keyword) return 1;
    return first_input_length > 0 ? first_input_length : asked.sequence_count();
  }
  /// Modules once and functions `divisor` times, so that the quotient is exact.
  constexpr macs charge(const row& r, const work& asked) const {
    const double whole = divisor(asked);
    const double calls = detail::over_calls(*this, r, asked, [&](call how, const piece& p) {
      switch (how) {
        case call::linear_module:
        case call::convolution_module:
          return p.multiplied + p.biased;
        case call::layer_norm_module:
          return p.elements;
        case call::activation_module:  // hooked, and again in the function that it calls
          return p.elements + whole * p.elements;
        case call::addmm:
          return whole * (p.multiplied + p.bias);
        case call::matmul_function:
        case call::bmm:
          return whole * p.multiplied;
        case call::softmax_module:
        case call::softmax_function:
        case call::activation_function:
        case call::add_function:
        case call::multiply_function:
          return whole * p.elements;
        default:
          return 0.0;
      }
    });
    return (calls + multihead(r)) * unit::mac;
  }
 private:
  // The hook on nn.MultiheadAttention counts the whole module, whatever its functions are counted for besides: scaling
  // of the queries, projections with their biases, both products, and the softmax.
  constexpr double multihead(const row& r) const {
    if (!written.multihead_module || r.where.in != sublayer::attention) return 0;
    switch (r.kind) {
      case operation::projection:
        return r.multiplied.value() + r.elementwise.value();
      case operation::attention_scores:
        return counting::unmasked_macs(r) + r.shape.batch * r.shape.m * r.shape.k;
      case operation::attention_context:
        return counting::unmasked_macs(r);
      case operation::softmax:
        return counting::written_elements(r);
      default:
        return 0;
    }
  }
};

/// ptflops, `aten` back end: what the dispatcher runs; a bias counts where its product was dispatched as addmm.
struct ptflops_aten {
  static constexpr std::string_view name = "ptflops-aten";
  static constexpr auto covers = passes::forward;
  static constexpr auto custom = custom_rows::charged;
  implementation written{};
  model_facts facts{};

  constexpr work asks(const work& asked) const { return written.asks(asked); }
  constexpr macs charge(const row& r, const work& asked) const {
    return detail::over_calls(*this, r, asked,
                              [](call how, const piece& p) {
                                if (!detail::is_dispatched_product(how)) return 0.0;
                                const bool biased = how == call::addmm ||
                                                    (detail::is_linear(how) && how != call::strided_linear_function);
                                return p.multiplied + (biased ? p.biased : 0.0);
                              }) *
           unit::mac;
  }
};

/// fvcore's FlopCountAnalysis. What it calls flops are multiply-adds: one a MAC, so the type says MACs.
struct fvcore {
  static constexpr std::string_view name = "fvcore";
  static constexpr auto covers = passes::forward;
  static constexpr auto custom = custom_rows::charged;
  implementation written{};
  model_facts facts{};

  constexpr work asks(const work& asked) const { return written.asks(asked); }
  constexpr macs charge(const row& r, const work& asked) const {
    return detail::over_calls(*this, r, asked,
                              [](call how, const piece& p) {
                                if (how == call::einsum)
                                  return counting::truncated(detail::four_digits(2 * p.multiplied) / 2);
                                if (detail::is_dispatched_product(how)) return p.multiplied;
                                return detail::layer_norm_flops(how, p);
                              }) *
           unit::mac;
  }
};

namespace detail {
/// Replaced functions, as DeepSpeed's profiler has them; calflops took them over and lacks some.
struct replaced_functions {
  double at_operator = 0, sdpa = 0;  ///< how often a product called this way is counted
  bool bmm = false;

  constexpr double products(call how, const piece& p) const {
    if (is_linear(how) || how == call::addmm || how == call::matmul_function || how == call::convolution_module)
      return p.multiplied;
    if (how == call::at_operator) return at_operator * p.multiplied;
    if (how == call::sdpa) return sdpa * p.multiplied;
    if (how == call::bmm) return bmm ? p.multiplied : 0.0;
    return 0;
  }
  constexpr double operations(call how, const piece& p) const {
    switch (how) {
      case call::einsum:  // NumPy's printed estimate, four digits of it
        return four_digits(2 * p.multiplied);
      case call::addmm:
        return 2 * p.multiplied + p.bias;
      case call::softmax_module:
      case call::softmax_function:
      case call::activation_module:
      case call::activation_function:
      case call::add_function:
      case call::multiply_function:
        return p.elements;
      default:
        return 2 * products(how, p) + layer_norm_flops(how, p);
    }
  }
};

/// Of a row, what such functions count for it.
template <class Rule>
constexpr flops operations_of(const Rule& rule, const replaced_functions& sees, const row& r, const work& asked) {
  return over_calls(rule, r, asked, [&](call how, const piece& p) { return sees.operations(how, p); }) * unit::flop;
}
template <class Rule>
constexpr macs products_of(const Rule& rule, const replaced_functions& sees, const row& r, const work& asked) {
  return over_calls(rule, r, asked, [&](call how, const piece& p) { return sees.products(how, p); }) * unit::mac;
}
}  // namespace detail

/// calflops: FLOPs, and MACs beside them. `@`, torch.bmm and fused attention are not there.
struct calflops {
  static constexpr std::string_view name = "calflops";
  static constexpr auto covers = passes::forward;
  static constexpr auto custom = custom_rows::charged;
  static constexpr detail::replaced_functions sees{};
  implementation written{};
  model_facts facts{};

  constexpr work asks(const work& asked) const { return written.asks(asked); }
  constexpr flops charge(const row& r, const work& asked) const { return detail::operations_of(*this, sees, r, asked); }
  constexpr macs multiplied(const row& r, const work& asked) const {
    return detail::products_of(*this, sees, r, asked);
  }
};

/// calflops with `include_backPropagation`: the forward count times one and the factor, by default 3 in all.
struct calflops_training {
  static constexpr std::string_view name = "calflops-training";
  static constexpr auto covers = passes::forward_and_backward;
  static constexpr auto custom = custom_rows::charged;
  implementation written{};
  double backward_factor = 2;  ///< `compute_bp_factor`
  model_facts facts{};

  constexpr work asks(const work& asked) const { return written.asks(asked); }
  constexpr flops charge(const row& r, const work& asked) const {
    return (1 + backward_factor) * calflops{.written = written, .facts = facts}.charge(r, asked);
  }
  constexpr macs multiplied(const row& r, const work& asked) const {
    return (1 + backward_factor) * calflops{.written = written, .facts = facts}.multiplied(r, asked);
  }
};

/// DeepSpeed's profiler from 0.13.3: FLOPs, and MACs beside them. It never takes its wrapper off `@` (nor off fused
/// attention), so the k-th profile in one process counts those products k times.
struct deepspeed {
  static constexpr std::string_view name = "deepspeed";
  static constexpr auto covers = passes::forward;
  static constexpr auto custom = custom_rows::charged;
  implementation written{};
  double profile_number = 1;  ///< in its process
  model_facts facts{};

  constexpr work asks(const work& asked) const { return written.asks(asked); }
  constexpr flops charge(const row& r, const work& asked) const {
    return detail::operations_of(*this, sees(), r, asked);
  }
  constexpr macs multiplied(const row& r, const work& asked) const {
    return detail::products_of(*this, sees(), r, asked);
  }
 private:
  constexpr detail::replaced_functions sees() const {
    return {.at_operator = profile_number, .sdpa = profile_number, .bmm = true};
  }
};

/// DeepSpeed's profiler before 0.13.3, which does not see `@`.
struct deepspeed_before_0_13_3 {
  static constexpr std::string_view name = "deepspeed-before-0.13.3";
  static constexpr auto covers = passes::forward;
  static constexpr auto custom = custom_rows::charged;
  static constexpr detail::replaced_functions sees{.sdpa = 1, .bmm = true};
  implementation written{};
  model_facts facts{};

  constexpr work asks(const work& asked) const { return written.asks(asked); }
  constexpr flops charge(const row& r, const work& asked) const { return detail::operations_of(*this, sees, r, asked); }
  constexpr macs multiplied(const row& r, const work& asked) const {
    return detail::products_of(*this, sees, r, asked);
  }
};

/// torch.profiler with `with_flops`: products that the dispatcher logs, and `+` and `*` by their first operand. Fused
/// attention is 0; a native fused layer shows its inner products.
struct torch_profiler {
  static constexpr std::string_view name = "torch-profiler";
  static constexpr auto covers = passes::forward;
  static constexpr auto custom = custom_rows::charged;
  implementation written{};
  model_facts facts{};

  constexpr work asks(const work& asked) const { return written.asks(asked); }
  constexpr flops charge(const row& r, const work& asked) const {
    return detail::over_calls(*this, r, asked,
                              [](call how, const piece& p) {
                                switch (how) {
                                  case call::native_product:
                                    return 2 * p.multiplied;
                                  case call::add_operator:
                                  case call::multiply_operator:
                                  case call::add_function:
                                  case call::multiply_function:
                                    return p.elements;
                                  default:
                                    return detail::is_dispatched_product(how) ? 2 * p.multiplied : 0.0;
                                }
                              }) *
           unit::flop;
  }
};

/// torch.utils.flop_counter.FlopCounterMode: dispatched products, and fused attention where its operator is registered
/// (on the CPU it was not through torch 2.13). Of the backward pass it counts the products that run: a fused attention
/// computes the scores again, 2.5 times its forward.
template <passes Covered>
struct flop_counter {
  static constexpr std::string_view name = Covered == passes::forward    ? "flop-counter-mode"
                                           : Covered == passes::backward ? "flop-counter-mode-backward"
                                                                         : "flop-counter-mode-training";
  static constexpr auto covers = Covered;
  static constexpr auto custom = custom_rows::charged;
  implementation written{};
  bool fused_attention_registered = true;
  model_facts facts{};

  constexpr work asks(const work& asked) const { return written.asks(asked); }
  constexpr flops charge(const row& r, const work& asked) const {
    return detail::over_calls(
               *this, r, asked,
               [&](call how, const piece& p) {
                 if (how == call::sdpa && fused_attention_registered)
                   return 2 * p.multiplied * times(r.kind == operation::attention_scores ? 3.0 : 2.0);
                 if (!detail::is_dispatched_product(how)) return 0.0;
                 return 2 * p.multiplied *
                        times(r.backward.input_products + (r.trainable ? r.backward.weight_products : 0.0));
               }) *
           unit::flop;
  }
 private:
  static constexpr double times(double backward_products) {
    return (Covered == passes::backward ? 0.0 : 1.0) + (Covered == passes::forward ? 0.0 : backward_products);
  }
};
using flop_counter_mode = flop_counter<passes::forward>;
using flop_counter_mode_backward = flop_counter<passes::backward>;
using flop_counter_mode_training = flop_counter<passes::forward_and_backward>;

}  // namespace flopledger::conventions
