// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The model that a command is about, and the pass over it.

#include <flopledger/ledger.hpp>
#include <flopledger/models/hugging_face.hpp>

#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "program.hpp"

namespace program {

/// A model as the user named it.
struct subject {
  std::string name;  ///< the zoo's spelling, or the path
  /// Of the file; null for the zoo. The description looks at it, so it stays where it is when the subject moves.
  std::unique_ptr<const std::vector<char>> text;
  flopledger::model_description description;

  const flopledger::transformer_config& config() const { return description.config; }
};

/// A file as it lies there. Throws `failure` where it cannot be opened.
std::ifstream opened(const std::string& path);

/// What a file of JSON holds.
std::vector<char> content_of(const std::string& path);

/// Reads the file, or looks the name up. It is kept for the next who asks on this thread, a file until it changes, and
/// stays where it is until then.
const subject& find_subject(const std::string& model);

/// Refuses a model that generates no tokens from a cache.
void refuse_what_does_not_serve(const subject& model);

/// The pass that was asked for, defaults filled in.
flopledger::work pass_over(const subject& model, const work_request& asked);

/// The rows of a pass, those that are alike in everything told once, in the order of their first appearance.
std::vector<flopledger::entry> operations_of(const flopledger::transformer_config& config,
                                             const flopledger::work& pass);

/// Tokens that the core of attention looks back at in that operation; 0 for one that no window limits.
std::int64_t window_of(const flopledger::transformer_config& config, const flopledger::row& asked);

/// "1 sequence", "2 sequences".
std::string counted(double n, const std::string& one);
inline std::string counted(std::int64_t n, const std::string& one) { return counted(static_cast<double>(n), one); }

/// " (beyond the model's context of 131072)", or nothing.
std::string beyond_context(const flopledger::transformer_config& config, double tokens);

std::string_view name_of(flopledger::attention_counting counting);
std::string_view name_of(flopledger::head_positions positions);
std::string_view name_of(flopledger::product_counting counting);

/// "LlamaForCausalLM, 32 layers, 4096 wide": what kind of model it is, in a line.
std::string described(const flopledger::transformer_config& config);

/// "batch 1, sequence 4096; head on every token": what passes, in a line.
std::string described(const subject& model, const flopledger::work& pass);

}  // namespace program
