// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What the reference implementation of each architecture assumes where a config.json says nothing.

#include <flopledger/layers/elementwise.hpp>

#include <cstdint>
#include <string_view>

namespace flopledger {

/// Architectures that are read by one set of rules.
enum class model_family : std::uint8_t {
  unknown,
  gpt2,
  gptj,
  gpt_bigcode,
  gpt_neo,
  gpt_neox,
  opt,
  bloom,
  falcon,
  mpt,
  dbrx,
  qwen,
  chatglm,
  mamba,
  jamba,
  minimax_text,
  llama,
  granite,
  smollm3,
  mistral,
  phi3,
  qwen2,
  qwen3,
  internlm,
  baichuan,
  gemma,
  gemma2,
  gemma3,
  phi,
  stablelm,
  cohere,
  cohere2,
  starcoder2,
  nemotron,
  olmo,
  olmo2,
  olmoe,
  mixtral,
  phimoe,
  granitemoe,
  grok1,
  minimax_m2,
  qwen2_moe,
  qwen3_moe,
  deepseek,
  deepseek_v2,
  deepseek_v3,
  dots1,
  glm4_moe,
  ernie4_5_moe,
  gpt_oss,
  llama4,
  bert,
  roberta,
  distilbert,
  t5,
  bart,
  whisper,
  vit,
  clip
};

/// What a class puts on top of its stack.
enum class head_class : std::uint8_t {
  unknown,
  model,
  encoder,
  causal_language,
  masked_language,
  pretraining,
  conditional_generation,
  sequence_labels,
  token_labels,
  question_answering,
  image_labels
};

/// One architecture's row of the table. 0 means: no such default, or for `kv_heads` as many as heads and for `head_dim`
/// hidden / heads. The sizes at the end are applied only inside a `text_config`: a whole file without them is no
/// model's.
struct reference_defaults {
  std::string_view model_type;
  std::string_view class_prefix;  ///< of the class names in `architectures`
  model_family family = model_family::unknown;
  head_class head = head_class::causal_language;  ///< where `architectures` says nothing
  bool tied = false;                              ///< tie_word_embeddings
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t window = 0;  ///< sliding_window
  bool attention_bias = false;
  bool gated = true;
  double rotary_fraction = 1.0;
  activation_function activation = activation_function::silu;
  double dropout = 0;  ///< resid_pdrop, hidden_dropout_prob, dropout or dropout_rate
  std::int64_t vocabulary = 0, hidden = 0, layers = 0, heads = 0, intermediate = 0;
};

// Read from the configuration classes of transformers 4.57 (`configuration_*.py`), and for models that bring their own
// code from the configuration file beside it. One row a name: two names of one family stand in two rows.
inline constexpr reference_defaults reference_table[] = {
    {.model_type = "gpt2", .class_prefix = "GPT2", .family = model_family::gpt2, .tied = true, .dropout = 0.1},
    {.model_type = "gptj", .class_prefix = "GPTJ", .family = model_family::gptj},
    {.model_type = "gpt_bigcode",
     .class_prefix = "GPTBigCode",
     .family = model_family::gpt_bigcode,
     .tied = true,
     .dropout = 0.1},
    {.model_type = "gpt_neo", .class_prefix = "GPTNeo", .family = model_family::gpt_neo, .tied = true},
    {.model_type = "gpt_neox", .class_prefix = "GPTNeoX", .family = model_family::gpt_neox, .gated = false},
    {.model_type = "opt",
     .class_prefix = "OPT",
     .family = model_family::opt,
     .tied = true,
     .gated = false,
     .dropout = 0.1},
    {.model_type = "bloom", .class_prefix = "Bloom", .family = model_family::bloom, .tied = true},
    {.model_type = "falcon", .class_prefix = "Falcon", .family = model_family::falcon, .tied = true},
    {.model_type = "RefinedWeb", .class_prefix = "RW", .family = model_family::falcon, .tied = true},
    {.model_type = "RefinedWebModel", .class_prefix = "RW", .family = model_family::falcon, .tied = true},
    {.model_type = "mpt", .class_prefix = "MPT", .family = model_family::mpt, .tied = true},
    {.model_type = "mpt", .class_prefix = "Mpt", .family = model_family::mpt, .tied = true},
    {.model_type = "dbrx", .class_prefix = "Dbrx", .family = model_family::dbrx},
    {.model_type = "dbrx", .class_prefix = "DBRX", .family = model_family::dbrx},
    {.model_type = "qwen", .class_prefix = "QWen", .family = model_family::qwen},
    {.model_type = "chatglm", .class_prefix = "ChatGLM", .family = model_family::chatglm},
    {.model_type = "mamba", .class_prefix = "Mamba", .family = model_family::mamba, .tied = true},
    {.model_type = "falcon_mamba", .class_prefix = "FalconMamba", .family = model_family::mamba, .tied = true},
    {.model_type = "jamba", .class_prefix = "Jamba", .family = model_family::jamba, .kv_heads = 8},
    {.model_type = "minimax_text_01", .class_prefix = "MiniMaxText01", .family = model_family::minimax_text},
    {.model_type = "minimax_m1", .class_prefix = "MiniMaxM1", .family = model_family::minimax_text},
    {.model_type = "minimax", .class_prefix = "MiniMax", .family = model_family::minimax_text},
    {.model_type = "llama", .class_prefix = "Llama", .family = model_family::llama},
    {.model_type = "llama", .class_prefix = "LLaMA", .family = model_family::llama},
    {.model_type = "yi", .class_prefix = "Yi", .family = model_family::llama},
    {.model_type = "Yi", .class_prefix = "Yi", .family = model_family::llama},
    {.model_type = "granite", .class_prefix = "Granite", .family = model_family::granite},
    {.model_type = "smollm3", .class_prefix = "SmolLM3", .family = model_family::smollm3, .tied = true, .kv_heads = 4},
    {.model_type = "mistral",
     .class_prefix = "Mistral",
     .family = model_family::mistral,
     .kv_heads = 8,
     .window = 4096},
    {.model_type = "phi3", .class_prefix = "Phi3", .family = model_family::phi3},
    {.model_type = "qwen2", .class_prefix = "Qwen2", .family = model_family::qwen2, .kv_heads = 32, .window = 4096},
    {.model_type = "qwen3",
     .class_prefix = "Qwen3",
     .family = model_family::qwen3,
     .kv_heads = 32,
     .head_dim = 128,
     .window = 4096},
    {.model_type = "internlm", .class_prefix = "InternLM", .family = model_family::internlm, .attention_bias = true},
    {.model_type = "internlm2", .class_prefix = "InternLM2", .family = model_family::internlm},
    {.model_type = "baichuan", .class_prefix = "Baichuan", .family = model_family::baichuan},
    {.model_type = "baichuan", .class_prefix = "BaiChuan", .family = model_family::baichuan},
    {.model_type = "gemma",
     .class_prefix = "Gemma",
     .family = model_family::gemma,
     .tied = true,
     .kv_heads = 16,
     .head_dim = 256,
     .activation = activation_function::gelu_tanh},
    {.model_type = "gemma2",
     .class_prefix = "Gemma2",
     .family = model_family::gemma2,
     .tied = true,
     .kv_heads = 4,
     .head_dim = 256,
     .window = 4096,
     .activation = activation_function::gelu_tanh},
    {.model_type = "gemma3_text",
     .class_prefix = "Gemma3",
     .family = model_family::gemma3,
     .tied = true,
     .kv_heads = 4,
     .head_dim = 256,
     .window = 4096,
     .activation = activation_function::gelu_tanh,
     .vocabulary = 262208,
     .hidden = 2304,
     .layers = 26,
     .heads = 8,
     .intermediate = 9216},
    {.model_type = "gemma3",
     .class_prefix = "Gemma3",
     .family = model_family::gemma3,
     .tied = true,
     .kv_heads = 4,
     .head_dim = 256,
     .window = 4096,
     .activation = activation_function::gelu_tanh,
     .vocabulary = 262208,
     .hidden = 2304,
     .layers = 26,
     .heads = 8,
     .intermediate = 9216},
    {.model_type = "phi",
     .class_prefix = "Phi",
     .family = model_family::phi,
     .gated = false,
     .rotary_fraction = 0.5,
     .activation = activation_function::gelu_tanh},
    {.model_type = "stablelm",
     .class_prefix = "StableLm",
     .family = model_family::stablelm,
     .kv_heads = 32,
     .rotary_fraction = 0.25},
    {.model_type = "stablelm_epoch",
     .class_prefix = "StableLMEpoch",
     .family = model_family::stablelm,
     .rotary_fraction = 0.25},
    {.model_type = "cohere", .class_prefix = "Cohere", .family = model_family::cohere, .tied = true},
    {.model_type = "cohere2", .class_prefix = "Cohere2", .family = model_family::cohere2, .tied = true, .window = 4096},
    {.model_type = "starcoder2",
     .class_prefix = "Starcoder2",
     .family = model_family::starcoder2,
     .tied = true,
     .kv_heads = 2,
     .gated = false,
     .activation = activation_function::gelu_tanh},
    {.model_type = "nemotron",
     .class_prefix = "Nemotron",
     .family = model_family::nemotron,
     .gated = false,
     .rotary_fraction = 0.5,
     .activation = activation_function::relu_squared},
    {.model_type = "olmo", .class_prefix = "Olmo", .family = model_family::olmo},
    {.model_type = "olmo2", .class_prefix = "Olmo2", .family = model_family::olmo2},
    {.model_type = "olmo3", .class_prefix = "Olmo3", .family = model_family::olmo2, .window = 4096},
    {.model_type = "olmoe", .class_prefix = "Olmoe", .family = model_family::olmoe},
    {.model_type = "olmoe", .class_prefix = "OLMoE", .family = model_family::olmoe},
    {.model_type = "mixtral", .class_prefix = "Mixtral", .family = model_family::mixtral, .kv_heads = 8},
    {.model_type = "phimoe", .class_prefix = "PhiMoE", .family = model_family::phimoe, .kv_heads = 8},
    {.model_type = "phimoe", .class_prefix = "Phimoe", .family = model_family::phimoe, .kv_heads = 8},
    {.model_type = "granitemoe", .class_prefix = "GraniteMoe", .family = model_family::granitemoe},
    {.model_type = "grok-1",
     .class_prefix = "Grok1",
     .family = model_family::grok1,
     .tied = true,
     .activation = activation_function::gelu_tanh},
    {.model_type = "minimax_m2", .class_prefix = "MiniMaxM2", .family = model_family::minimax_m2, .kv_heads = 8},
    {.model_type = "qwen2_moe",
     .class_prefix = "Qwen2Moe",
     .family = model_family::qwen2_moe,
     .kv_heads = 16,
     .window = 4096},
    {.model_type = "qwen3_moe",
     .class_prefix = "Qwen3Moe",
     .family = model_family::qwen3_moe,
     .kv_heads = 4,
     .window = 4096},
    {.model_type = "deepseek", .class_prefix = "Deepseek", .family = model_family::deepseek},
    {.model_type = "deepseek_v2", .class_prefix = "DeepseekV2", .family = model_family::deepseek_v2},
    {.model_type = "deepseek_v3", .class_prefix = "DeepseekV3", .family = model_family::deepseek_v3},
    {.model_type = "kimi_k2", .class_prefix = "DeepseekV3", .family = model_family::deepseek_v3},
    {.model_type = "dots1", .class_prefix = "Dots1", .family = model_family::dots1},
    {.model_type = "glm4_moe",
     .class_prefix = "Glm4Moe",
     .family = model_family::glm4_moe,
     .kv_heads = 8,
     .head_dim = 128,
     .rotary_fraction = 0.5},
    {.model_type = "ernie4_5_moe",
     .class_prefix = "Ernie4_5_Moe",
     .family = model_family::ernie4_5_moe,
     .tied = true,
     .kv_heads = 4},
    {.model_type = "gpt_oss",
     .class_prefix = "GptOss",
     .family = model_family::gpt_oss,
     .kv_heads = 8,
     .head_dim = 64,
     .window = 128,
     .attention_bias = true},
    {.model_type = "llama4",
     .class_prefix = "Llama4",
     .family = model_family::llama4,
     .kv_heads = 8,
     .head_dim = 128,
     .vocabulary = 202048,
     .hidden = 5120,
     .layers = 48,
     .heads = 40,
     .intermediate = 16384},
    {.model_type = "llama4_text",
     .class_prefix = "Llama4",
     .family = model_family::llama4,
     .kv_heads = 8,
     .head_dim = 128,
     .vocabulary = 202048,
     .hidden = 5120,
     .layers = 48,
     .heads = 40,
     .intermediate = 16384},
    {.model_type = "bert",
     .class_prefix = "Bert",
     .family = model_family::bert,
     .head = head_class::model,
     .dropout = 0.1},
    {.model_type = "roberta",
     .class_prefix = "Roberta",
     .family = model_family::roberta,
     .head = head_class::model,
     .dropout = 0.1},
    {.model_type = "xlm-roberta",
     .class_prefix = "XLMRoberta",
     .family = model_family::roberta,
     .head = head_class::model,
     .dropout = 0.1},
    {.model_type = "camembert",
     .class_prefix = "Camembert",
     .family = model_family::roberta,
     .head = head_class::model,
     .dropout = 0.1},
    {.model_type = "distilbert",
     .class_prefix = "DistilBert",
     .family = model_family::distilbert,
     .head = head_class::model,
     .dropout = 0.1},
    {.model_type = "t5",
     .class_prefix = "T5",
     .family = model_family::t5,
     .head = head_class::conditional_generation,
     .tied = true,
     .gated = false,
     .dropout = 0.1},
    {.model_type = "mt5",
     .class_prefix = "MT5",
     .family = model_family::t5,
     .head = head_class::conditional_generation,
     .dropout = 0.1},
    {.model_type = "bart",
     .class_prefix = "Bart",
     .family = model_family::bart,
     .head = head_class::conditional_generation,
     .tied = true,
     .dropout = 0.1},
    {.model_type = "whisper",
     .class_prefix = "Whisper",
     .family = model_family::whisper,
     .head = head_class::conditional_generation,
     .tied = true},
    {.model_type = "vit", .class_prefix = "ViT", .family = model_family::vit, .head = head_class::model},
    {.model_type = "clip", .class_prefix = "CLIP", .family = model_family::clip, .head = head_class::model},
};

constexpr const reference_defaults* defaults_of_model_type(std::string_view model_type) {
  for (const reference_defaults& row : reference_table)
    if (row.model_type == model_type) return &row;
  return nullptr;
}

/// What the end of a class name says, or `unknown`.
constexpr head_class head_of_suffix(std::string_view suffix) {
  if (suffix == "ForCausalLM" || suffix == "LMHeadModel" || suffix == "ModelForCausalLM")
    return head_class::causal_language;
  if (suffix == "Model") return head_class::model;
  if (suffix == "EncoderModel") return head_class::encoder;
  if (suffix == "ForMaskedLM") return head_class::masked_language;
  if (suffix == "ForPreTraining") return head_class::pretraining;
  if (suffix == "ForConditionalGeneration") return head_class::conditional_generation;
  if (suffix == "ForSequenceClassification") return head_class::sequence_labels;
  if (suffix == "ForTokenClassification") return head_class::token_labels;
  if (suffix == "ForQuestionAnswering") return head_class::question_answering;
  if (suffix == "ForImageClassification") return head_class::image_labels;
  return head_class::unknown;
}

/// A class name taken apart; without defaults where no row has its prefix.
struct class_name {
  const reference_defaults* defaults = nullptr;
  head_class head = head_class::unknown;
};

constexpr class_name class_named(std::string_view name) {
  for (const reference_defaults& row : reference_table) {
    if (!name.starts_with(row.class_prefix)) continue;
    const head_class head = head_of_suffix(name.substr(row.class_prefix.size()));
    if (head != head_class::unknown) return {&row, head};
  }
  return {};
}

}  // namespace flopledger
