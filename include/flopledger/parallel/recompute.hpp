// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What runs again in the backward pass, and what becomes of a tensor between the two passes. Memory, time, utilisation
/// and reports ask here, so that what one of them repeats is what another drops.

#include <flopledger/parallel/plan.hpp>

namespace flopledger {

/// What of a group of rows runs again.
struct recompute_rule {
  recompute how = recompute::none;
  operation_set kinds{};       ///< of `recompute::kinds`
  bool joins_products = true;  ///< products of one tensor run as one, and count as one

  /// Chosen operations run again wherever they stand; whole blocks do in the main stack alone.
  constexpr bool of_any_part() const { return how == recompute::selective || how == recompute::kinds; }
};

/// By a plan, for the blocks. What lies beside them (tables, heads, an encoder, a vision tower) is recomputed by rows
/// alone: `beside_blocks`.
constexpr recompute_rule rule_of(const plan& p, bool joins_products, bool beside_blocks = false) {
  recompute_rule rule{.how = p.recompute, .kinds = p.recomputed_kinds, .joins_products = joins_products};
  if (beside_blocks && !rule.of_any_part()) rule.how = recompute::none;
  return rule;
}

/// A checkpoint is the part of a block whose forward pass runs twice. Whatever stands in it ...
constexpr bool stands_in_checkpoint(const recompute_rule& rule, const identity& is) {
  switch (rule.how) {
    case recompute::none:
      return false;
    case recompute::selective:
      return is_attention_core(is);
    case recompute::full:
    case recompute::alternate:
      return is.where.in != sublayer::outside;
    case recompute::kinds:
      return rule.kinds.contains(is.kind);
  }
  return false;
}

/// ... runs again, but for what has its output kept: torchtitan's selective "op" keeps those of attention and of every
/// other product, the first among them.
constexpr bool runs_again(const recompute_rule& rule, const identity& is) {
  if (!stands_in_checkpoint(rule, is)) return false;
  if (rule.how != recompute::alternate) return true;
  const int product = rule.joins_products ? is.nth_joined : is.nth_product;
  return !is_attention_core(is) && product % 2 == 0;
}

/// What becomes of a tensor that an operation touches in the forward pass.
enum class fate : std::uint8_t {
  not_needed,
  kept,
  made_again  ///< by the rows that run again
};

/// Decided by who made it and who needs it. In a checkpoint, what was made there is made again; a reader outside keeps
/// what comes out of it. Operations of chosen kinds run again for whoever reads what they made (Megatron-LM's
/// checkpoints without output). A block's input was made by nobody in it, so that it is kept.
constexpr fate fate_of(const recompute_rule& rule, const identity& reader, use how, const identity& maker, bool saved) {
  const bool again = runs_again(rule, reader);
  if (!saved && !(again && has(how, use::read))) return fate::not_needed;
  const bool in_reach = rule.how == recompute::kinds || stands_in_checkpoint(rule, reader);
  const bool made_again = has(how, use::written) ? again : runs_again(rule, maker);
  return in_reach && made_again ? fate::made_again : fate::kept;
}
/// Of an operand. Weights and caches outlive a pass anyhow.
constexpr fate fate_of(const recompute_rule& rule, const row& reader, const operand& o) {
  if (o.what == role::none || o.what == role::weight || o.what == role::bias || outlives_pass(o.what))
    return fate::not_needed;
  return fate_of(rule, reader.is(), o.how, o.of.made_by, is_saved(reader, o));
}

}  // namespace flopledger
