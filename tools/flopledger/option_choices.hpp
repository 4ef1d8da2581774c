// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Names that several commands choose from.

#include <flopledger/engines.hpp>
#include <flopledger/memory/training.hpp>
#include <flopledger/work.hpp>

#include <algorithm>
#include <map>
#include <string>

#include "option_table.hpp"

namespace program {

inline std::map<std::string, const flopledger::recipe*> all_recipes() {
  std::map<std::string, const flopledger::recipe*> recipes;
  for (const flopledger::recipe* known : flopledger::recipes::all) recipes.emplace(known->name, known);
  return recipes;
}

/// Those of a model that serves, where FP8 and NVFP4 are of the weights, too: a training step casts wider ones.
inline std::map<std::string, const flopledger::recipe*> serving_recipes() {
  std::map<std::string, const flopledger::recipe*> recipes = all_recipes();
  recipes["fp8"] = &flopledger::recipes::w8a8_fp8::value;
  recipes["nvfp4"] = &flopledger::recipes::w4a4_nvfp4::value;
  return recipes;
}

inline std::map<std::string, flopledger::attention_counting> attention_countings() {
  using flopledger::attention_counting;
  return {{"full", attention_counting::full},
          {"causal", attention_counting::causal},
          {"half", attention_counting::causal_half}};
}

/// The formats that a device has a peak of.
inline std::map<std::string, flopledger::number_kind> precisions() {
  using flopledger::number_kind;
  return {{"fp64", number_kind::fp64},         {"fp32", number_kind::fp32},         {"tf32", number_kind::tf32},
          {"bf16", number_kind::bf16},         {"fp16", number_kind::fp16},         {"fp8", number_kind::fp8_e4m3},
          {"fp8_e4m3", number_kind::fp8_e4m3}, {"fp8_e5m2", number_kind::fp8_e5m2}, {"fp6", number_kind::fp6},
          {"fp4", number_kind::fp4},           {"int8", number_kind::int8},         {"int4", number_kind::int4}};
}
/// The format of that name; `option` is what an error begins with.
inline flopledger::number_kind precision_of(const std::string& name, const std::string& option) {
  const std::map<std::string, flopledger::number_kind> all = precisions();
  if (const auto found = all.find(name); found != all.end()) return found->second;
  std::string names;
  for (const auto& [known, kind] : all) names += (names.empty() ? "" : ", ") + known;
  throw usage_error(option + ": \"" + name + "\" is none of " + names);
}

/// What members of frameworks and engines may be, by the names of options and of files.
template <class Choice>
std::map<std::string, Choice> choices_of();
template <>
inline std::map<std::string, flopledger::attention_kernel> choices_of() {
  using flopledger::attention_kernel;
  return {{"fused", attention_kernel::fused}, {"explicit", attention_kernel::explicit_matrix}};
}
template <>
inline std::map<std::string, flopledger::attention_library> choices_of() {
  using flopledger::attention_library;
  return {{"usual", attention_library::usual}, {"flash-2", attention_library::flash_2}};
}
template <>
inline std::map<std::string, flopledger::cross_entropy> choices_of() {
  using flopledger::cross_entropy;
  return {{"explicit", cross_entropy::explicit_softmax},
          {"fused", cross_entropy::fused},
          {"eager", cross_entropy::eager},
          {"chunked", cross_entropy::chunked}};
}
template <>
inline std::map<std::string, flopledger::context_exchange> choices_of() {
  using flopledger::context_exchange;
  return {{"ring", context_exchange::ring}, {"all-to-all", context_exchange::all_to_all}};
}
constexpr const char* name_of(flopledger::pipeline_schedule how) {
  return how == flopledger::pipeline_schedule::zero_bubble ? "zero-bubble" : "1f1b";
}
template <>
inline std::map<std::string, flopledger::pipeline_schedule> choices_of() {
  using flopledger::pipeline_schedule;
  std::map<std::string, pipeline_schedule> schedules;
  for (const auto one : {pipeline_schedule::one_forward_one_backward, pipeline_schedule::zero_bubble})
    schedules.emplace(name_of(one), one);
  return schedules;
}
template <>
inline std::map<std::string, flopledger::zero> choices_of() {
  using flopledger::zero;
  return {{"0", zero::none}, {"1", zero::optimizer}, {"2", zero::gradients}, {"3", zero::weights}};
}
template <>
inline std::map<std::string, flopledger::expert_dispatch> choices_of() {
  using flopledger::expert_dispatch;
  return {{"all-to-all", expert_dispatch::all_to_all}, {"hybrid", expert_dispatch::hybrid}};
}
template <>
inline std::map<std::string, flopledger::optimizer_update> choices_of() {
  using flopledger::optimizer_update;
  return {{"fused", optimizer_update::fused}, {"foreach", optimizer_update::foreach}, {"loop", optimizer_update::loop}};
}
template <>
inline std::map<std::string, flopledger::kv_layout> choices_of() {
  using flopledger::kv_layout;
  std::map<std::string, kv_layout> layouts;
  for (const auto one : {kv_layout::contiguous, kv_layout::ring, kv_layout::paged, kv_layout::unified_pages})
    layouts.emplace(flopledger::name_of(one), one);
  return layouts;
}

/// The links around a device.
void add_links(option_table& options, link_request& asked);
/// What a device is held to, below the power of its data sheet.
void add_power_limit(option_table& options, std::optional<double>& watts);
/// The share of a device's memory that may be filled.
void add_usable(option_table& options, std::int64_t& usable_per_mille);
/// A training framework by its name, or with members changed.
void add_framework(option_table& options, const flopledger::framework*& target, changed_members& members);
/// A serving engine by its name, or with members changed.
void add_engine(option_table& options, const flopledger::engine*& target, changed_members& members,
                const flopledger::engine& standard);
void add_kv_cache(option_table& options, const flopledger::number_format*& target);
void add_optimizer(option_table& options, const flopledger::optimizer*& target);

/// What stands between commas.
template <class Function>
void for_each_part(const std::string& text, const Function& use, char separator = ',') {
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    use(text.substr(at, end - at));
    at = end + 1;
  }
}

}  // namespace program
