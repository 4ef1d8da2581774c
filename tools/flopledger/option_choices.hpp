// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Names that several commands choose from.

#include <flopledger/memory/training.hpp>
#include <flopledger/work.hpp>

#include <map>
#include <string>

#include "option_table.hpp"

namespace program {

inline std::map<std::string, const flopledger::recipe*> all_recipes() {
  std::map<std::string, const flopledger::recipe*> recipes;
  for (const flopledger::recipe* known : flopledger::recipes::all) recipes.emplace(known->name, known);
  return recipes;
}

inline std::map<std::string, flopledger::attention_counting> attention_countings() {
  using flopledger::attention_counting;
  return {{"full", attention_counting::full},
          {"causal", attention_counting::causal},
          {"half", attention_counting::causal_half}};
}

inline std::map<std::string, flopledger::attention_kernel> attention_kernels() {
  using flopledger::attention_kernel;
  return {{"fused", attention_kernel::fused}, {"explicit", attention_kernel::explicit_matrix}};
}

/// The links around a device.
void add_links(option_table& options, link_request& asked);

}  // namespace program
