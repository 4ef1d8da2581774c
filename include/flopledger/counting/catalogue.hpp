// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The conventions as values, found by name at run time.
///
///     const counting::listed_convention* thop = counting::find("thop");
///     double multiply_adds = counting::count(model, forward(1, 1024), *thop, written_in::hugging_face_gpt2).value;

#include <flopledger/counting/tools.hpp>
#include <flopledger/counting/training.hpp>

#include <limits>

namespace flopledger::counting {

/// What the number of a convention is a number of.
enum class reported_unit : std::uint8_t {
  flops,
  macs,
  macs_called_flops  ///< multiply-adds, which the tool prints as flops
};

constexpr std::string_view name_of(reported_unit reports) {
  constexpr std::string_view names[] = {"FLOPs", "MACs", "MACs, called flops"};
  return names[static_cast<std::size_t>(reports)];
}

/// A convention as a value. Its rule stands behind plain functions, so that a table of them is a constant.
struct listed_convention {
  std::string_view name;
  std::string_view counts;  ///< what its number is, in a line
  std::string_view source;
  std::string_view letter{};  ///< its name in tables of published measurements (A, A', C, ...), where it has one
  passes covers = passes::forward;
  reported_unit reports = reported_unit::flops;
  bool needs_implementation = false;  ///< it depends on how the model is written

  work (*asks)(const work&, const implementation&) = nullptr;
  double (*charge)(const row&, const work&, const implementation&, const model_facts&) = nullptr;
  double (*divisor)(const work&, const implementation&) = nullptr;
  bool truncates = false;
  parameters (*held)(const row&, const work&, const implementation&, const model_facts&) = nullptr;

  /// The one factor from what it reports to FLOPs.
  constexpr double flops_each() const { return reports == reported_unit::flops ? 1.0 : 2.0; }
};

namespace detail {
template <class Rule>
constexpr Rule configured(const implementation& written, const model_facts& facts) {
  Rule rule{};
  if constexpr (requires { rule.written; }) rule.written = written;
  if constexpr (requires { rule.facts; }) rule.facts = facts;
  return rule;
}

template <class Rule>
constexpr listed_convention listed(std::string_view counts, std::string_view source, std::string_view letter = {}) {
  return {.name = Rule::name,
          .counts = counts,
          .source = source,
          .letter = letter,
          .covers = Rule::covers,
          .reports = std::same_as<Rule, conventions::fvcore> ? reported_unit::macs_called_flops
                     : reports_macs<Rule>                    ? reported_unit::macs
                                                             : reported_unit::flops,
          .needs_implementation = requires(Rule rule){rule.written;
}
,
    .asks = [](const work& asked,
               const implementation& written) { return asked_by(configured<Rule>(written, {}), asked); },
    .charge = [](const row& r, const work& asked, const implementation& written,
                 const model_facts& facts) { return charged(configured<Rule>(written, facts), r, asked).value(); },
    .divisor = [](const work& asked,
                  const implementation& written) { return divisor_of(configured<Rule>(written, {}), asked); },
    .truncates = requires {
  Rule::truncates;
}
, .held = [](const row& r, const work& asked, const implementation& written, const model_facts& facts) {
  if constexpr (requires(const Rule& rule) { rule.held(r, asked); })
    return configured<Rule>(written, facts).held(r, asked);
  else
    return static_cast<void>(asked), static_cast<void>(written), static_cast<void>(facts), r.held;
}
};  // namespace detail
}  // namespace flopledger::counting
}  // namespace detail

/// Every convention of the library.
inline constexpr listed_convention all[] = {
    detail::listed<conventions::full>("matrix products of the forward pass, attention over the full square",
                                      "the ledger"),
    detail::listed<conventions::causal>("matrix products of the forward pass, the exact causal triangle", "the ledger"),
    detail::listed<conventions::causal_half>("matrix products of the forward pass, half of the square", "the ledger"),
    detail::listed<conventions::model_flops>("matrix products of forward and backward pass, full square", "the ledger"),
    detail::listed<conventions::model_flops_causal>("matrix products of forward and backward pass, exact triangle",
                                                    "the ledger"),
    detail::listed<conventions::model_flops_half>("matrix products of forward and backward pass, half of the square",
                                                  "the ledger"),

    detail::listed<conventions::thop>("modules with a rule (Linear, LayerNorm), no functions", "thop 0.1.1, profile"),
    detail::listed<conventions::thop_origin>("as thop, parameters of all leaf modules", "thop 0.1.1, profile_origin"),
    detail::listed<conventions::ptflops>("modules a sample, functions a batch, biases counted",
                                         "ptflops 0.7.6, pytorch back end"),
    detail::listed<conventions::ptflops_aten>("dispatched products and the biases of addmm",
                                              "ptflops 0.7.6, aten back end"),
    detail::listed<conventions::fvcore>("dispatched products and 5 a LayerNorm element",
                                        "fvcore 0.1.6, FlopCountAnalysis"),
    detail::listed<conventions::calflops>("replaced functions, without @, bmm and fused attention",
                                          "calflops 29ca5844, calculate_flops"),
    detail::listed<conventions::calflops_training>("3 times the forward pass",
                                                   "calflops 29ca5844, include_backPropagation"),
    detail::listed<conventions::deepspeed>("replaced functions, first profile in the process",
                                           "DeepSpeed 0.13.3 and after, get_model_profile"),
    detail::listed<conventions::deepspeed_before_0_13_3>("replaced functions, without @",
                                                         "DeepSpeed before 0.13.3, get_model_profile"),
    detail::listed<conventions::torch_profiler>("dispatched products, and + and * by their first operand",
                                                "torch 1.13, torch.profiler with_flops"),
    detail::listed<conventions::flop_counter_mode>("dispatched products and registered fused attention",
                                                   "torch.utils.flop_counter, 2025-04"),
    detail::listed<conventions::flop_counter_mode_backward>("products that the backward pass runs",
                                                            "torch.utils.flop_counter, 2025-04"),
    detail::listed<conventions::flop_counter_mode_training>("products that forward and backward pass run",
                                                            "torch.utils.flop_counter, 2025-04"),

    detail::listed<conventions::six_nd>("6·N a token, N the parameters a token uses", "Kaplan et al. 2020", "S"),
    detail::listed<conventions::two_nd>("2·N a token", "Kaplan et al. 2020"),
    detail::listed<conventions::eight_nd>("8·N a token", "BigScience, early logs", "E"),
    detail::listed<conventions::palm>("6·N + 12·L·H·Q·T a token, N all parameters", "Chowdhery et al. 2022, app. B",
                                      "A"),
    detail::listed<conventions::nano_gpt>("6·N + 12·L·H·Q·T a token, positions left out",
                                          "nanoGPT 3adf61e1, estimate_mfu"),
    detail::listed<conventions::llm_c>("6·N + 6·L·D·T a token", "llm.c f1e2ace6, gpt2_estimate_mfu", "C'"),
    detail::listed<conventions::llm_c_before_2024_06>("6·N + 12·L·D·T a token",
                                                      "llm.c before 2024-06-05, gpt2_estimate_mfu"),
    detail::listed<conventions::llm_foundry>("6·N + 12·L·D·T a token, an untied token table left out",
                                             "llm-foundry 8c8dd48f, MPT flops_per_batch"),
    detail::listed<conventions::torchtitan>("6·(N − tables) + 6·L·H·(d_qk + d_v)·T a token",
                                            "torchtitan b5bcd76c, get_..._nparams_and_flops", "A'"),
    detail::listed<conventions::kaplan>("6·N a token, N the matrices of the blocks", "Kaplan et al. 2020"),
    detail::listed<conventions::kaplan_forward>("2·N + 2·L·n_ctx·d_attn a token", "Kaplan et al. 2020"),
    detail::listed<conventions::chinchilla>("table, blocks, softmax and head, three times",
                                            "Hoffmann et al. 2022, app. F"),
    detail::listed<conventions::chinchilla_without_vocabulary>("blocks and softmax, three times",
                                                               "nanoGPT 3adf61e1, scaling_laws notebook"),
    detail::listed<conventions::narayanan>("four passes of the blocks, three of the head (the 96 form)",
                                           "Narayanan et al. 2021", "M"),
    detail::listed<conventions::korthikanti>("three passes of blocks and head (the 72 form)", "Korthikanti et al. 2022",
                                             "K"),
    detail::listed<conventions::korthikanti_hfu>("the 72 form with the core six times", "Korthikanti et al. 2022",
                                                 "K_h"),
    detail::listed<conventions::korthikanti_hfu_physical>("the 72 form with one more forward pass of the core",
                                                          "Korthikanti et al. 2022, corrected"),
    detail::listed<conventions::megatron_lm_0_8>("three passes, whole core, shared experts left out",
                                                 "Megatron-LM core 0.8 to 0.9"),
    detail::listed<conventions::megatron_lm_0_10>("three passes, whole core", "Megatron-LM core 0.10 to 0.11"),
    detail::listed<conventions::megatron_lm_0_12>("three passes, half of the core",
                                                  "Megatron-LM core 0.12 to 0.15, and d98e8a64"),
    detail::listed<conventions::megatron_bridge>("three passes, half of the core, windows exact",
                                                 "Megatron-Bridge 25.09 and after", "C"),
    detail::listed<conventions::nemo>("three passes of every product but the router's, whole core", "NeMo 24.07"),
    detail::listed<conventions::maxtext>("three passes with the router, half of the core", "MaxText since mid-2025"),
    detail::listed<conventions::maxtext_before_mid_2025>("three passes with the router, whole core",
                                                         "MaxText before mid-2025"),
    detail::listed<conventions::flash_attention>("the attention core, forward", "flash-attention 0251105a, benchmarks",
                                                 "F"),
    detail::listed<conventions::flash_attention_backward>("the attention core, 2.5 times the forward pass",
                                                          "flash-attention 0251105a, benchmarks"),
    detail::listed<conventions::flash_attention_training>("the attention core, 3.5 times the forward pass",
                                                          "flash-attention 0251105a, benchmarks"),
    detail::listed<conventions::flash_attention_causal>("the attention core under a causal mask, forward",
                                                        "flash-attention 0251105a, benchmarks"),
    detail::listed<conventions::flash_attention_causal_backward>("the same, 2.5 times",
                                                                 "flash-attention 0251105a, benchmarks"),
    detail::listed<conventions::flash_attention_causal_training>("the same, 3.5 times",
                                                                 "flash-attention 0251105a, benchmarks"),
};

/// The convention of that name, or of that letter; null where there is none.
constexpr const listed_convention* find(std::string_view name) {
  for (const listed_convention& candidate : all)
    if (candidate.name == name || (!candidate.letter.empty() && candidate.letter == name)) return &candidate;
  return nullptr;
}

/// What a listed convention prints, in the unit that it reports.
struct listed_count {
  double value = 0;
  reported_unit reports = reported_unit::flops;
  constexpr flops operations() const { return value * (reports == reported_unit::flops ? 1.0 : 2.0) * unit::flop; }
};

namespace detail {
template <class Model>
constexpr model_facts facts_of(const Model& model, const work& asked) {
  model_facts facts;
  model.record(facts, asked);
  return facts;
}
}  // namespace detail

template <class Model>
constexpr listed_count count(const Model& model, const work& asked, const listed_convention& rule,
                             const implementation& written = {}) {
  const work as_asked = rule.asks(asked, written);
  const model_facts facts = detail::facts_of(model, as_asked);
  tally sum{0.0, [&](const row& r) { return rule.charge(r, as_asked, written, facts); }};
  model.record(sum, as_asked);
  const double value = sum.total / rule.divisor(as_asked, written);
  return {rule.truncates ? truncated(value) : value, rule.reports};
}

template <class Model>
constexpr parameters count_parameters(const Model& model, const work& asked, const listed_convention& rule,
                                      const implementation& written = {}) {
  const work as_asked = rule.asks(asked, written);
  const model_facts facts = detail::facts_of(model, as_asked);
  tally sum{parameters{}, [&](const row& r) { return rule.held(r, as_asked, written, facts); }};
  model.record(sum, as_asked);
  return sum.total;
}

/// The rows that two listed conventions charge differently, in FLOPs.
template <std::size_t Capacity = 512, class Model>
constexpr differences<Capacity> difference(const Model& model, const work& asked, const listed_convention& first,
                                           const listed_convention& second, const implementation& written = {}) {
  const work first_asked = first.asks(asked, written), second_asked = second.asks(asked, written);
  const model_facts facts = detail::facts_of(model, first_asked);
  const auto charge_by = [&](const listed_convention& rule, const work& as_asked) {
    return [&, scale = rule.flops_each() / rule.divisor(as_asked, written)](const row& r) {
      return scale * rule.charge(r, as_asked, written, facts) * unit::flop;
    };
  };
  return difference_of_charges<Capacity>(model, first_asked, charge_by(first, first_asked), second_asked,
                                         charge_by(second, second_asked));
}

/// A published MFU under another convention. Both must cover the same passes: where they do not, the share is not a
/// number.
template <class Model>
constexpr restated_utilisation restate(double published, const listed_convention& from, const listed_convention& to,
                                       const Model& model, const work& asked, const implementation& written = {}) {
  const double share = published * count(model, asked, to, written).operations().value() /
                       count(model, asked, from, written).operations().value();
  if (from.covers != to.covers) return {std::numeric_limits<double>::quiet_NaN(), false};
  return {share, share > 1};
}

}  // namespace flopledger::counting
