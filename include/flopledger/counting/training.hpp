// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Formulas of papers and training codes as rules over the ledger.
///
/// Written as they are published they need a dozen symbols; charged row by row they differ in five answers: are weights
/// counted by their parameters or by their products, is the attention core whole or half, do the table and the head
/// count, is the router there, and how many passes does each part run.
///
/// All take FLOPs at two a multiply-add. Rules by parameters take what a token uses of a mixture. They say nothing of
/// frozen weights, and the vocabulary is whatever the model holds, so pad it where the code pads (`padded`).

#include <flopledger/counting/convention.hpp>

namespace flopledger::conventions {

using counting::custom_rows;
using counting::model_facts;
using counting::passes;

/// A vocabulary as Megatron-LM holds it: a multiple of 128 times the tensor-parallel degree.
constexpr std::int64_t padded(std::int64_t vocabulary, std::int64_t multiple = 128) {
  return (vocabulary + multiple - 1) / multiple * multiple;
}

namespace detail {
/// Attention over the whole square, training or not.
constexpr work unmasked(work asked) {
  asked.attention = attention_counting::full;
  return asked;
}

/// One pass of the attention core over the whole square.
constexpr double core(const row& r) { return is_attention_product(r.kind) ? 2 * counting::unmasked_macs(r) : 0.0; }

/// The same where a causal mask halves it; a window counts its own pairs.
constexpr double causal_core(const row& r) { return counting::is_windowed(r) ? 2 * r.multiplied.value() : core(r) / 2; }
constexpr double windowed_core(const row& r) { return is_attention_product(r.kind) ? 2 * r.multiplied.value() : 0.0; }

/// 2·N for each token, N by the weights that one token uses, tables included and tied ones once.
constexpr double by_parameters(const row& r, const work& asked) { return 2 * r.active.value() * asked.token_count(); }

/// The same with the vocabulary counted where it is computed with: at the head, tied or not.
constexpr double by_used_parameters(const row& r, const work& asked) {
  if (r.where.at == position::table) return 0;
  if (r.kind == operation::head) return 2 * (r.shape.n * r.shape.k + counting::bias_length(r)) * asked.token_count();
  return by_parameters(r, asked);
}

/// Projections that formulas of blocks leave out.
constexpr bool is_outside_blocks(const row& r) {
  return r.where.in == sublayer::outside || r.where.at == position::scale;
}
/// One pass of the weight matrices inside the blocks, without the router.
constexpr double block_products(const row& r) {
  return is_block_product(r.kind) && !is_outside_blocks(r) ? 2 * r.multiplied.value() : 0.0;
}
constexpr double head_products(const row& r) { return r.kind == operation::head ? 2 * r.multiplied.value() : 0.0; }
}  // namespace detail

// The library's own
// ------------------------------------------------------------------------------------------------------

/// Matrix products of the forward pass, two FLOPs a multiply-add, by a counting of attention. This is what the ledger
/// says, and what other conventions are compared with.
template <attention_counting Counting>
struct forward_products {
  static constexpr std::string_view name = Counting == attention_counting::full     ? "full"
                                           : Counting == attention_counting::causal ? "causal"
                                                                                    : "half";
  static constexpr auto covers = passes::forward;
  static constexpr auto custom = custom_rows::charged;
  constexpr work asks(work asked) const {
    asked.attention = Counting;
    return asked;
  }
  constexpr flops charge(const row& r, const work&) const { return flops_per_mac * r.multiplied; }
};
using full = forward_products<attention_counting::full>;
using causal = forward_products<attention_counting::causal>;
using causal_half = forward_products<attention_counting::causal_half>;

/// The same with the backward pass by each row's rule: model FLOPs of a training step.
template <attention_counting Counting>
struct training_products {
  static constexpr std::string_view name = Counting == attention_counting::full     ? "model-flops"
                                           : Counting == attention_counting::causal ? "model-flops-causal"
                                                                                    : "model-flops-half";
  static constexpr auto covers = passes::forward_and_backward;
  static constexpr auto custom = custom_rows::charged;
  constexpr work asks(work asked) const {
    asked.attention = Counting;
    return asked;
  }
  constexpr flops charge(const row& r, const work&) const { return flops_per_mac * (r.multiplied + backward_macs(r)); }
};
using model_flops = training_products<attention_counting::full>;
using model_flops_causal = training_products<attention_counting::causal>;
using model_flops_half = training_products<attention_counting::causal_half>;

// By parameters
// ----------------------------------------------------------------------------------------------------------

/// 6·N a token (Kaplan et al. 2020, section 2.1, as it is used since): no attention core, N all parameters that a token
/// uses.
struct six_nd {
  static constexpr std::string_view name = "6nd";
  static constexpr auto covers = passes::forward_and_backward;
  static constexpr auto custom = custom_rows::charged;
  constexpr flops charge(const row& r, const work& asked) const {
    return 3 * detail::by_parameters(r, asked) * unit::flop;
  }
};

/// 2·N a token: its forward pass.
struct two_nd {
  static constexpr std::string_view name = "2nd";
  static constexpr auto covers = passes::forward;
  static constexpr auto custom = custom_rows::charged;
  constexpr flops charge(const row& r, const work& asked) const { return detail::by_parameters(r, asked) * unit::flop; }
};

/// 8·N a token: 6·N and one more forward pass of everything (BigScience's early logs).
struct eight_nd {
  static constexpr std::string_view name = "8nd";
  static constexpr auto covers = passes::forward_and_backward;
  static constexpr auto custom = custom_rows::charged;
  constexpr flops charge(const row& r, const work& asked) const {
    return 4 * detail::by_parameters(r, asked) * unit::flop;
  }
};

/// 6·N + 12·L·H·Q·T a token (PaLM, appendix B): N all parameters, the attention core whole (letter A of
/// docs/conventions.md).
struct palm {
  static constexpr std::string_view name = "palm";
  static constexpr auto covers = passes::forward_and_backward;
  static constexpr auto custom = custom_rows::charged;
  constexpr work asks(const work& asked) const { return detail::unmasked(asked); }
  constexpr flops charge(const row& r, const work& asked) const {
    return 3 * (detail::by_parameters(r, asked) + detail::core(r)) * unit::flop;
  }
};

/// nanoGPT's `estimate_mfu`: PaLM's form, the table of positions left out. Its T is always the block size.
struct nano_gpt {
  static constexpr std::string_view name = "nanogpt";
  static constexpr auto covers = passes::forward_and_backward;
  static constexpr auto custom = custom_rows::charged;
  constexpr work asks(const work& asked) const { return detail::unmasked(asked); }
  constexpr flops charge(const row& r, const work& asked) const {
    return 3 * ((is_position_table(r) ? 0.0 : detail::by_parameters(r, asked)) + detail::core(r)) * unit::flop;
  }
  constexpr parameters held(const row& r, const work&) const { return is_position_table(r) ? parameters{} : r.held; }
 private:
  static constexpr bool is_position_table(const row& r) { return r.name == "embedding.positions"; }
};

/// llm.c's `gpt2_estimate_mfu`: 6·N + 6·L·D·T, N all parameters of the padded model, half of the core (letter C' of
/// docs/conventions.md).
struct llm_c {
  static constexpr std::string_view name = "llm.c";
  static constexpr auto covers = passes::forward_and_backward;
  static constexpr auto custom = custom_rows::charged;
  constexpr work asks(const work& asked) const { return detail::unmasked(asked); }
  constexpr flops charge(const row& r, const work& asked) const {
    return 3 * (detail::by_parameters(r, asked) + detail::core(r) / 2) * unit::flop;
  }
};

/// Before 2024-06-05 it counted the whole core: 12·L·D·T.
struct llm_c_before_2024_06 {
  static constexpr std::string_view name = "llm.c-before-2024-06-05";
  static constexpr auto covers = passes::forward_and_backward;
  static constexpr auto custom = custom_rows::charged;
  constexpr work asks(const work& asked) const { return detail::unmasked(asked); }
  constexpr flops charge(const row& r, const work& asked) const { return palm{}.charge(r, asked); }
};

/// llm-foundry's MPT `flops_per_batch`: 3·B·(2·N·T + 4·L·D·T²), N the active parameters, less the token table where the
/// head has one of its own.
struct llm_foundry {
  static constexpr std::string_view name = "llm-foundry";
  static constexpr auto covers = passes::forward_and_backward;
  static constexpr auto custom = custom_rows::charged;
  constexpr work asks(const work& asked) const { return detail::unmasked(asked); }
  constexpr flops charge(const row& r, const work& asked) const {
    return 3 * (detail::by_used_parameters(r, asked) + detail::core(r)) * unit::flop;
  }
};

/// torchtitan: 6·(P − tables) + 6·L·H·(d_qk + d_v)·T, where a tied table is the head's and stays; of a mixture the part
/// that a token uses. Layers that do not attend to the whole sequence add no core (letter A' of docs/conventions.md).
struct torchtitan {
  static constexpr std::string_view name = "torchtitan";
  static constexpr auto covers = passes::forward_and_backward;
  static constexpr auto custom = custom_rows::charged;
  constexpr work asks(const work& asked) const { return detail::unmasked(asked); }
  constexpr flops charge(const row& r, const work& asked) const {
    const double weights = r.kind == operation::gather ? 0.0 : detail::by_used_parameters(r, asked);
    return 3 * (weights + (counting::is_windowed(r) ? 0.0 : detail::core(r))) * unit::flop;
  }
};

// By products
// ------------------------------------------------------------------------------------------------------------

/// Kaplan et al. 2020, section 2.1: 6·N a token, N the weight matrices inside the blocks (2·d·L·(2·d_attn + d_ff)):
/// neither tables nor head, no biases. Their larger models leave the context term out of the training cost.
struct kaplan {
  static constexpr std::string_view name = "kaplan";
  static constexpr auto covers = passes::forward_and_backward;
  static constexpr auto custom = custom_rows::not_seen;
  bool with_context = false;  ///< three times the forward's context term: 6·L·n_ctx·d_attn
  constexpr work asks(const work& asked) const { return detail::unmasked(asked); }
  constexpr flops charge(const row& r, const work&) const {
    return 3 * (detail::block_products(r) + (with_context ? detail::core(r) / 2 : 0.0)) * unit::flop;
  }
};

/// Its forward pass, 2·N + 2·L·n_ctx·d_attn a token: half of the attention core.
struct kaplan_forward {
  static constexpr std::string_view name = "kaplan-forward";
  static constexpr auto covers = passes::forward;
  static constexpr auto custom = custom_rows::not_seen;
  constexpr work asks(const work& asked) const { return detail::unmasked(asked); }
  constexpr flops charge(const row& r, const work&) const {
    return (detail::block_products(r) + detail::core(r) / 2) * unit::flop;
  }
};

/// Hoffmann et al. 2022 (Chinchilla), appendix F: the table as a product of one-hot vectors, three FLOPs a score for
/// the softmax, and a backward pass of twice the forward.
template <bool WithVocabulary>
struct chinchilla_form {
  static constexpr std::string_view name = WithVocabulary ? "chinchilla" : "chinchilla-without-vocabulary";
  static constexpr auto covers = passes::forward_and_backward;
  static constexpr auto custom = custom_rows::not_seen;
  constexpr work asks(const work& asked) const { return detail::unmasked(asked); }
  constexpr flops charge(const row& r, const work& asked) const {
    const double table = r.name == "embedding" ? detail::by_parameters(r, asked) : 0.0;
    const double softmax = r.kind == operation::softmax ? 3 * counting::written_elements(r) : 0.0;
    const double vocabulary = WithVocabulary ? table + detail::head_products(r) : 0.0;
    return 3 * (vocabulary + detail::block_products(r) + detail::core(r) + softmax) * unit::flop;
  }
};
using chinchilla = chinchilla_form<true>;
/// nanoGPT's scaling_laws notebook drops both terms of the vocabulary to come near the paper's table A4.
using chinchilla_without_vocabulary = chinchilla_form<false>;

/// Narayanan et al. 2021: 96·B·s·L·h²·(1 + s/(6h) + V/(16·L·h)), four passes of the blocks (one is recompute) and three
/// of the head (letter M of docs/conventions.md). A tool that prints it for a gated model counts one with f = 4h.
struct narayanan {
  static constexpr std::string_view name = "narayanan-2021";
  static constexpr auto covers = passes::forward_and_backward;
  static constexpr auto custom = custom_rows::not_seen;
  constexpr work asks(const work& asked) const { return detail::unmasked(asked); }
  constexpr flops charge(const row& r, const work&) const {
    return (4 * (detail::block_products(r) + detail::core(r)) + 3 * detail::head_products(r)) * unit::flop;
  }
};

/// Korthikanti et al. 2022, model FLOPs: 72·B·s·L·h²·(1 + s/(6h) + V/(12·L·h)) (letter K of docs/conventions.md), the
/// 96 form without recompute. `CorePasses` is how often the attention core runs: 3; 6 in the paper's hardware FLOPs; 4
/// physically.
template <int CorePasses>
struct korthikanti_form {
  static constexpr std::string_view name = CorePasses == 3   ? "korthikanti-2022"
                                           : CorePasses == 6 ? "korthikanti-2022-hfu"
                                                             : "korthikanti-2022-hfu-physical";
  static constexpr auto covers = passes::forward_and_backward;
  static constexpr auto custom = custom_rows::not_seen;
  constexpr work asks(const work& asked) const { return detail::unmasked(asked); }
  constexpr flops charge(const row& r, const work&) const {
    return (3 * (detail::block_products(r) + detail::head_products(r)) + CorePasses * detail::core(r)) * unit::flop;
  }
};
using korthikanti = korthikanti_form<3>;
/// Selective recompute, by the paper's s/(3h): the recomputed core counts as a whole forward and backward pass. What
/// one more forward pass costs is s/(4.5h), and the printed HFU is up to 3 % above it.
using korthikanti_hfu = korthikanti_form<6>;
using korthikanti_hfu_physical = korthikanti_form<4>;

/// Megatron-LM core 0.8 to 0.11: products of blocks and head, three passes, the attention core whole, no router. Every
/// layer of a mixture counts as one whose experts have the dense layers' width. Shared experts count from 0.10.
template <bool SharedExperts>
struct megatron_lm_with_whole_core {
  static constexpr std::string_view name = SharedExperts ? "megatron-lm-0.10" : "megatron-lm-0.8";
  static constexpr auto covers = passes::forward_and_backward;
  static constexpr auto custom = custom_rows::not_seen;
  model_facts facts{};
  constexpr work asks(const work& asked) const { return detail::unmasked(asked); }
  constexpr flops charge(const row& r, const work&) const {
    double scale = 1;
    if (r.name.starts_with("shared_expert."))
      scale = SharedExperts ? 1 : 0;
    else if (facts.experts > 0 && r.where.in == sublayer::feed_forward)
      scale = facts.experts_per_token;
    else if (r.kind == operation::expert_projection && facts.dense_width > 0)
      scale = facts.dense_width / facts.expert_width;
    return 3 * (scale * detail::block_products(r) + detail::core(r) + detail::head_products(r)) * unit::flop;
  }
};
using megatron_lm_0_8 = megatron_lm_with_whole_core<false>;
using megatron_lm_0_10 = megatron_lm_with_whole_core<true>;

namespace detail {
/// Megatron-LM from 0.12, by rows: dense and sparse layers apart; of latent attention the two inner norms count as
/// products of their width, as do the norms of multi-token prediction (`models/multi_token_prediction.hpp`).
constexpr double megatron_products(const row& r) {
  // The norm on a projection's heads is cut by heads; the norm on a latent is not, and it alone is in the formula.
  const bool inner_norm = r.kind == operation::normalization && r.operands.first.over != split::tensor &&
                          (r.where.at == position::latent_norm || r.where.at == position::query_norm);
  if (inner_norm || r.where.at == position::prediction_norm) return 2 * counting::written_elements(r);
  if (r.where.at == position::prediction_projection) return 2 * r.multiplied.value();
  return block_products(r) + head_products(r);
}
}  // namespace detail

/// Megatron-LM core 0.12 to 0.15 and after: three passes, half of the attention core, no router. Windows are unknown to
/// it.
struct megatron_lm_0_12 {
  static constexpr std::string_view name = "megatron-lm-0.12";
  static constexpr auto covers = passes::forward_and_backward;
  static constexpr auto custom = custom_rows::not_seen;
  constexpr work asks(const work& asked) const { return detail::unmasked(asked); }
  constexpr flops charge(const row& r, const work&) const {
    return 3 * (detail::megatron_products(r) + detail::core(r) / 2) * unit::flop;
  }
};

/// Megatron-Bridge (2025-09 and after): Megatron-LM's rule, and layers with a window count their own pairs
/// (letter C of docs/conventions.md).
struct megatron_bridge {
  static constexpr std::string_view name = "megatron-bridge";
  static constexpr auto covers = passes::forward_and_backward;
  static constexpr auto custom = custom_rows::not_seen;
  constexpr work asks(const work& asked) const { return detail::unmasked(asked); }
  constexpr flops charge(const row& r, const work&) const {
    return 3 * (detail::megatron_products(r) + detail::causal_core(r)) * unit::flop;
  }
};

/// NeMo 24.07's performance pages and Megatron-LM's Llama README: every matrix product three times, the whole core.
struct nemo {
  static constexpr std::string_view name = "nemo-24.07";
  static constexpr auto covers = passes::forward_and_backward;
  static constexpr auto custom = custom_rows::not_seen;
  constexpr work asks(const work& asked) const { return detail::unmasked(asked); }
  constexpr flops charge(const row& r, const work&) const {
    return 3 * (detail::block_products(r) + detail::head_products(r) + detail::core(r)) * unit::flop;
  }
};

/// MaxText: every matrix product three times, the router's and a shared expert's gate among them; half of the attention
/// core since mid-2025 (its PR 1988), the whole before. A window counts its own pairs; multi-token prediction does not.
template <bool Causal>
struct maxtext_form {
  static constexpr std::string_view name = Causal ? "maxtext" : "maxtext-before-mid-2025";
  static constexpr auto covers = passes::forward_and_backward;
  static constexpr auto custom = custom_rows::not_seen;
  constexpr work asks(const work& asked) const { return detail::unmasked(asked); }
  constexpr flops charge(const row& r, const work&) const {
    const bool router = r.kind == operation::router || r.name == "shared_expert.scale";
    const double core = Causal ? detail::causal_core(r) : detail::windowed_core(r);
    return 3 *
           (detail::block_products(r) + (router ? 2 * r.multiplied.value() : 0.0) + detail::head_products(r) + core) *
           unit::flop;
  }
};
using maxtext = maxtext_form<true>;
using maxtext_before_mid_2025 = maxtext_form<false>;

/// FlashAttention's benchmarks: the core alone, 4·B·T²·H·d forward, 2.5 times that backward; under a causal mask the
/// mean number of keys a query sees, (max(0, Tk − Tq) + Tk)/2: half of the square where both are equally long. A window
/// counts its own pairs (letter F of docs/conventions.md).
template <passes Covered, bool Causal>
struct flash_attention_form {
  static constexpr std::string_view names[6] = {
      "flash-attention",        "flash-attention-backward",        "flash-attention-training",
      "flash-attention-causal", "flash-attention-causal-backward", "flash-attention-causal-training"};
  static constexpr std::string_view name = names[static_cast<int>(Covered) + (Causal ? 3 : 0)];
  static constexpr auto covers = Covered;
  static constexpr auto custom = custom_rows::not_seen;
  constexpr work asks(const work& asked) const { return detail::unmasked(asked); }
  constexpr flops charge(const row& r, const work&) const {
    constexpr double pass_count = Covered == passes::forward ? 1.0 : Covered == passes::backward ? 2.5 : 3.5;
    return pass_count * (Causal ? causal(r) : detail::core(r)) * unit::flop;
  }
 private:
  static constexpr double causal(const row& r) {
    if (counting::is_windowed(r)) return 2 * r.multiplied.value();
    const double queries = r.shape.m, keys = r.kind == operation::attention_scores ? r.shape.n : r.shape.k;
    return keys > 0 ? detail::core(r) * ((keys > queries ? keys - queries : 0.0) + keys) / (2 * keys) : 0.0;
  }
};
using flash_attention = flash_attention_form<passes::forward, false>;
using flash_attention_backward = flash_attention_form<passes::backward, false>;
using flash_attention_training = flash_attention_form<passes::forward_and_backward, false>;
using flash_attention_causal = flash_attention_form<passes::forward, true>;
using flash_attention_causal_backward = flash_attention_form<passes::backward, true>;
using flash_attention_causal_training = flash_attention_form<passes::forward_and_backward, true>;

}  // namespace flopledger::conventions
