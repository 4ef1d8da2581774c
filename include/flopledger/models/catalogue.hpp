// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The models of the zoo by name, for what learns at run time which one is meant.

#include <flopledger/models/quantization.hpp>
#include <flopledger/models/zoo.hpp>
#include <flopledger/text/closest.hpp>

namespace flopledger::models {

/// A model of the zoo as a value.
struct zoo_entry {
  std::string_view name, family;
  transformer_config (*describe)();
  weight_storage (*checkpoint)();  ///< how its maker publishes the weights
};

namespace detail {
constexpr weight_storage unquantised() { return weight_storage{}; }
/// DeepSeek-V3's README_WEIGHTS; moonshotai/Kimi-K2-Instruct's config.json says the same.
constexpr weight_storage in_fp8_blocks() {
  weight_storage made = storage_of(quantization_method::fp8, stored::fp8_blocks(128, 128));
  made.inputs = fp8_e4m3::format;
  return made;
}
/// openai/gpt-oss-20b's config.json: all but the experts are left alone.
constexpr weight_storage with_mxfp4_experts() {
  weight_storage made = storage_of(quantization_method::mxfp4, stored::mxfp4);
  made.quantised = {operation::expert_projection};
  return made;
}

template <class Model, weight_storage (*Checkpoint)() = unquantised>
inline constexpr zoo_entry entry_of{Model::name, Model::family, &Model::template describe<>, Checkpoint};
/// A model that nobody publishes in BF16, as if one had.
template <class Model>
constexpr zoo_entry entry_in_bf16(std::string_view name) {
  return {name, Model::family, &Model::template describe<>, unquantised};
}

/// A name as it is compared: in lower case, without organisation and punctuation. Between two digits a mark stays, for
/// Qwen2.5-7B is not Qwen2-57B, and a plus becomes a word. `Llama-3.1-8B`, `llama3_1_8b` and
/// `meta-llama/Llama-3.1-8B` become one.
struct comparable_name {
  static constexpr int capacity = 63;
  char text[capacity + 1]{};
  int size = 0;

  constexpr explicit comparable_name(std::string_view name) {
    char before = 0;
    bool gap = false;
    for (const char c : name) {
      const bool digit = c >= '0' && c <= '9';
      const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      if (c == '+') {
        for (const char letter : {'p', 'l', 'u', 's'}) append(letter);
        before = 's';
      } else if (digit || (lower >= 'a' && lower <= 'z')) {
        if (gap && digit && before >= '0' && before <= '9') append('_');
        append(lower);
        before = lower;
        gap = false;
      } else {
        gap = true;
      }
    }
  }
  constexpr std::string_view view() const { return {text, static_cast<std::size_t>(size)}; }
 private:
  constexpr void append(char c) {
    if (size < capacity) text[size++] = c;
  }
};

}  // namespace detail

/// Every model of the zoo. One that exists only quantised is what exists, and its BF16 form has a name of its own.
inline constexpr zoo_entry all[] = {
    detail::entry_of<llama_7b>,
    detail::entry_of<llama_13b>,
    detail::entry_of<llama_65b>,
    detail::entry_of<llama2_7b>,
    detail::entry_of<llama2_13b>,
    detail::entry_of<llama2_70b>,
    detail::entry_of<codellama_34b>,
    detail::entry_of<llama3_8b>,
    detail::entry_of<llama3_70b>,
    detail::entry_of<llama3_1_8b>,
    detail::entry_of<llama3_1_70b>,
    detail::entry_of<llama3_1_405b>,
    detail::entry_of<llama3_2_1b>,
    detail::entry_of<llama3_2_3b>,
    detail::entry_of<llama3_3_70b>,
    detail::entry_of<llama4_scout>,
    detail::entry_of<llama4_maverick>,
    detail::entry_of<tinyllama_1_1b>,
    detail::entry_of<yi_34b>,
    detail::entry_of<solar_10_7b>,
    detail::entry_of<smollm2_1_7b>,
    detail::entry_of<smollm3_3b>,
    detail::entry_of<mistral_7b_v0_1>,
    detail::entry_of<mistral_7b_v0_3>,
    detail::entry_of<mistral_nemo_12b>,
    detail::entry_of<mistral_small_24b>,
    detail::entry_of<mistral_large_2407>,
    detail::entry_of<mixtral_8x7b>,
    detail::entry_of<mixtral_8x22b>,
    detail::entry_of<qwen2_1_5b>,
    detail::entry_of<qwen2_7b>,
    detail::entry_of<qwen2_72b>,
    detail::entry_of<qwen2_5_0_5b>,
    detail::entry_of<qwen2_5_1_5b>,
    detail::entry_of<qwen2_5_3b>,
    detail::entry_of<qwen2_5_7b>,
    detail::entry_of<qwen2_5_14b>,
    detail::entry_of<qwen2_5_32b>,
    detail::entry_of<qwen2_5_72b>,
    detail::entry_of<qwen1_5_moe_a2_7b>,
    detail::entry_of<qwen2_57b_a14b>,
    detail::entry_of<qwen3_0_6b>,
    detail::entry_of<qwen3_1_7b>,
    detail::entry_of<qwen3_4b>,
    detail::entry_of<qwen3_8b>,
    detail::entry_of<qwen3_14b>,
    detail::entry_of<qwen3_32b>,
    detail::entry_of<qwen3_30b_a3b>,
    detail::entry_of<qwen3_235b_a22b>,
    detail::entry_of<qwen3_coder_480b_a35b>,
    detail::entry_of<gemma_2b>,
    detail::entry_of<gemma_7b>,
    detail::entry_of<gemma2_2b>,
    detail::entry_of<gemma2_9b>,
    detail::entry_of<gemma2_27b>,
    detail::entry_of<gemma3_1b>,
    detail::entry_of<gemma3_4b>,
    detail::entry_of<gemma3_12b>,
    detail::entry_of<gemma3_27b>,
    detail::entry_of<deepseek_llm_67b>,
    detail::entry_of<deepseek_moe_16b>,
    detail::entry_of<deepseek_v2_lite>,
    detail::entry_of<deepseek_v2>,
    detail::entry_of<deepseek_v3, detail::in_fp8_blocks>,
    detail::entry_of<deepseek_r1, detail::in_fp8_blocks>,
    detail::entry_of<kimi_k2, detail::in_fp8_blocks>,
    detail::entry_of<moonlight_16b_a3b>,
    detail::entry_of<gpt2_small>,
    detail::entry_of<gpt2_medium>,
    detail::entry_of<gpt2_large>,
    detail::entry_of<gpt2_xl>,
    detail::entry_of<gpt3_xl>,
    detail::entry_of<gpt3_6_7b>,
    detail::entry_of<gpt3_175b>,
    detail::entry_of<gpt_j_6b>,
    detail::entry_of<gpt_neo_2_7b>,
    detail::entry_of<gpt_neox_20b>,
    detail::entry_of<pythia_6_9b>,
    detail::entry_of<pythia_12b>,
    detail::entry_of<gpt_oss_20b, detail::with_mxfp4_experts>,
    detail::entry_of<gpt_oss_120b, detail::with_mxfp4_experts>,
    detail::entry_of<starcoder_15b>,
    detail::entry_of<starcoder2_3b>,
    detail::entry_of<starcoder2_15b>,
    detail::entry_of<falcon_7b>,
    detail::entry_of<falcon_40b>,
    detail::entry_of<falcon_180b>,
    detail::entry_of<bloom_7b1>,
    detail::entry_of<bloom_176b>,
    detail::entry_of<opt_6_7b>,
    detail::entry_of<opt_13b>,
    detail::entry_of<opt_30b>,
    detail::entry_of<opt_66b>,
    detail::entry_of<opt_175b>,
    detail::entry_of<mpt_7b>,
    detail::entry_of<mpt_30b>,
    detail::entry_of<dbrx>,
    detail::entry_of<grok_1>,
    detail::entry_of<phi_2>,
    detail::entry_of<phi_3_mini>,
    detail::entry_of<phi_3_medium>,
    detail::entry_of<phi_3_5_moe>,
    detail::entry_of<phi_4>,
    detail::entry_of<phi_4_mini>,
    detail::entry_of<command_r>,
    detail::entry_of<command_r_plus>,
    detail::entry_of<command_r7b>,
    detail::entry_of<command_a>,
    detail::entry_of<olmo_7b>,
    detail::entry_of<olmo2_7b>,
    detail::entry_of<olmo2_13b>,
    detail::entry_of<olmo2_32b>,
    detail::entry_of<olmoe_1b_7b>,
    detail::entry_of<granite_3_3_8b>,
    detail::entry_of<chatglm3_6b>,
    detail::entry_of<glm_4_9b>,
    detail::entry_of<glm_4_5>,
    detail::entry_of<glm_4_5_air>,
    detail::entry_of<minimax_text_01>,
    detail::entry_of<minimax_m2>,
    detail::entry_of<jamba_v0_1>,
    detail::entry_of<falcon_mamba_7b>,
    detail::entry_of<dots_llm1>,
    detail::entry_of<ernie_4_5_300b_a47b>,
    detail::entry_of<nemotron_mini_4b>,
    detail::entry_of<baichuan2_13b>,
    detail::entry_of<internlm2_7b>,
    detail::entry_of<stablelm_3b>,
    detail::entry_of<bert_base_uncased>,
    detail::entry_of<bert_large_uncased>,
    detail::entry_of<roberta_base>,
    detail::entry_of<xlm_roberta_base>,
    detail::entry_of<t5_base>,
    detail::entry_of<t5_3b>,
    detail::entry_of<t5_11b>,
    detail::entry_of<flan_t5_base>,
    detail::entry_of<flan_t5_xl>,
    detail::entry_of<flan_t5_xxl>,
    detail::entry_of<bart_large>,
    detail::entry_of<whisper_tiny>,
    detail::entry_of<whisper_small>,
    detail::entry_of<whisper_medium>,
    detail::entry_of<whisper_large_v3>,
    detail::entry_of<vit_b_16>,
    detail::entry_of<vit_h_14>,
    detail::entry_of<clip_vit_b_32>,
    detail::entry_of<clip_vit_l_14>,
    detail::entry_in_bf16<deepseek_v3>("DeepSeek-V3-BF16"),
    detail::entry_in_bf16<deepseek_r1>("DeepSeek-R1-BF16"),
    detail::entry_in_bf16<kimi_k2>("Kimi-K2-Instruct-BF16"),
    detail::entry_in_bf16<gpt_oss_20b>("gpt-oss-20b-BF16"),
    detail::entry_in_bf16<gpt_oss_120b>("gpt-oss-120b-BF16"),
};

/// The model of that name, in any case, with or without its organisation, or by the name of its type; null if none.
constexpr const zoo_entry* find(std::string_view name) {
  const auto named = [](std::string_view sought) -> const zoo_entry* {
    const detail::comparable_name wanted{sought};
    if (wanted.size == 0) return nullptr;
    for (const zoo_entry& entry : all)
      if (detail::comparable_name{entry.name}.view() == wanted.view()) return &entry;
    return nullptr;
  };
  const zoo_entry* whole = named(name);
  const std::size_t slash = name.rfind('/');
  return whole != nullptr || slash == std::string_view::npos ? whole : named(name.substr(slash + 1));
}

/// The models whose names are nearest to one that none has, best first; fewer than three where no more come near.
using suggestions = text::nearest<const zoo_entry*>;

constexpr suggestions closest(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  const detail::comparable_name wanted{slash == std::string_view::npos ? name : name.substr(slash + 1)};
  suggestions found{wanted.view()};
  for (const zoo_entry& entry : all) {
    const detail::comparable_name candidate{entry.name};
    // Whoever writes a part of a name means it.
    const bool part = wanted.size >= 3 && candidate.view().find(wanted.view()) != std::string_view::npos;
    found.offer(&entry, part ? 1 : text::edits(wanted.view(), candidate.view()));
  }
  return found;
}

}  // namespace flopledger::models
